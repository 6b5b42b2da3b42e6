"""The glossary: words that the project uses, each in one sentence with the page that explains it."""

import json
import re
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGE = DOCS / "glossary.md"
LINK = re.compile(r"^\[[^\]]+\]\(([^)#]+)(?:#([^)]+))?\)$")
OF_THE_READER = {
    "scenario",
    "unit",
    "wave",
    "canary",
    "soak",
    "stage",
    "artifact",
    "drained",
    "plane",
    "pod",
    "rail",
    "segment",
    "overlay",
    "lease",
    "kind",
    "waiver",
    "approval",
    "journal",
    "floor",
    "class",
    "change",
    "finding",
    "lock",
    "override",
    "absent",
    "dead",
    "bisection",
    "headroom",
    "claim",
    "bundle",
}


class Entry(NamedTuple):
    """A row: the term without what is in brackets behind it, its sentence, the page and the heading of its link."""

    term: str
    sentence: str
    page: Path
    anchor: str


def entries() -> list[Entry]:
    found = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if not line.startswith("| ") or line.startswith("| term |"):
            continue
        term, sentence, more = (cell.strip() for cell in line.strip("|").split("|"))
        link = LINK.match(more)
        assert link, line
        found.append(Entry(term, sentence, (DOCS / link[1]).resolve(), link[2] or ""))
    return found


ENTRIES = entries()


def anchors(page: Path) -> set[str]:
    """Anchors of a page, as a forge makes them of its headings."""
    heads = re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).strip().replace(" ", "-") for head in heads}


def test_terms_are_in_it_once() -> None:
    terms = [entry.term for entry in ENTRIES]
    plain = {term.partition(" (")[0] for term in terms}
    assert len(terms) == len(set(terms)) > 60
    assert plain >= OF_THE_READER


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.term)
def test_a_term_has_a_sentence_and_a_page(entry: Entry) -> None:
    assert len(entry.sentence.split()) > 3
    assert not entry.sentence.endswith(".")
    assert entry.page.is_file()
    assert entry.page != PAGE
    assert not entry.anchor or entry.anchor in anchors(entry.page)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.term)
def test_a_term_is_used(entry: Entry) -> None:
    """In another page, a schema or a text of the code: no word is made up here."""
    term = entry.term.partition(" (")[0].partition(",")[0]
    word = re.compile(rf"(?<!\w){re.escape(term)}(?:s|es)?(?!\w)", re.IGNORECASE)
    pages = [*(path for path in DOCS.glob("*.md") if path != PAGE), *(ROOT / "schema").glob("*.json")]
    texts = (path.read_text(encoding="utf-8") for path in [*pages, *ROOT.glob("fabricgen/summary/*.py")])
    assert any(word.search(text) for text in texts), f"nothing says {term}"


def test_states_and_risks_are_all_there() -> None:
    """What the schema of the intent lets a person write, and what a report says of a change."""
    terms = {entry.term: entry.sentence for entry in ENTRIES}
    schema = json.loads((ROOT / "schema/intent.schema.json").read_text(encoding="utf-8"))
    states = re.findall(r'"(active|drained|dead|absent)"', json.dumps(schema))
    assert set(states) == {"active", "drained", "dead", "absent"}
    assert all(state in terms["state"] for state in states)
    risks = re.findall(r"^\| ([a-z ]+) \| ", (DOCS / "review.md").read_text().partition("**Risk**")[2], re.MULTILINE)
    assert all(risk in terms["risk"] for risk in risks[:6])
    assert {"none", "reload"} <= set(risks[:6])
