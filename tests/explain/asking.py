"""`fabricgen explain` as a person asks it, and the same of a workspace that is opened once."""

import json
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.explain.answer import Answer
from fabricgen.explain.explain import explain
from fabricgen.explain.known import KnownSite
from fabricgen.explain.parse import Question
from fabricgen.site.workspace import open_workspace

INVENTORIES = Path(__file__).parents[2] / "inventories"
DEMO = INVENTORIES / "demo" / "intent.yaml"
FRR = INVENTORIES / "frr" / "intent.yaml"


class Told(NamedTuple):
    """One answer as JSON: facts by label, each value, formula and place (file name and line)."""

    kind: str
    title: str
    facts: dict[str, list[tuple[str, str, str]]]

    def values(self, label: str) -> list[str]:
        """Values of the facts with a label."""
        return [value for value, _, _ in self.facts.get(label, [])]


def asked(*words: str, intent: Path = DEMO) -> list[Told]:
    """Answers in the order told; exit code 0 is expected."""
    found = CliRunner().invoke(main, ["explain", str(intent), *words, "--json"])
    assert found.exit_code == 0, found.output
    return [_told(answer) for answer in json.loads(found.stdout)["answers"]]


def one(*words: str, intent: Path = DEMO) -> Told:
    """The only answer."""
    (answer,) = asked(*words, intent=intent)
    return answer


def _told(answer: dict[str, Any]) -> Told:
    facts = defaultdict(list)
    for fact in answer["facts"]:
        at = fact["origin"]["at"] if fact["origin"] else ""
        facts[fact["label"]].append((fact["value"], fact["formula"], Path(at).name))
    return Told(answer["kind"], answer["title"], dict(facts))


def refused(*words: str, intent: Path = DEMO) -> dict[str, Any]:
    """The one problem; exit code 1 is expected."""
    found = CliRunner().invoke(main, ["explain", str(intent), *words, "--json"])
    assert found.exit_code == 1, found.output
    (problem,) = json.loads(found.stdout)["problems"]
    assert isinstance(problem, dict)
    return problem


@cache
def known(intent: Path) -> KnownSite:
    """A site with its intent and lock."""
    workspace = open_workspace(intent)
    return KnownSite(plan=workspace.plan, intent=workspace.document, lock=workspace.lock_document)


def titles(site: KnownSite, text: str, kind: str = "") -> list[str]:
    """Titles of all answers."""
    return [answer.title for answer in explain(site, Question(kind, text))]


def only(site: KnownSite, text: str, kind: str = "") -> Answer:
    """The one answer."""
    (answer,) = explain(site, Question(kind, text))
    return answer
