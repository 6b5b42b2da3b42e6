"""The generated pages are current, and every page that the README names exists."""

import re
from pathlib import Path

import pytest

from docs.generate import PAGES

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("name", sorted(PAGES))
def test_page_is_current(name: str) -> None:
    assert (ROOT / "docs" / name).read_text() == PAGES[name](), f"docs/{name} is stale: make docs"


def test_links_lead_somewhere() -> None:
    for page in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name} names {target}"


def test_every_target_that_a_page_of_the_project_names_exists() -> None:
    targets = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    for name in ("README.md", "CONTRIBUTING.md"):
        named = set(re.findall(r"^ *(?:\| )?`?make ((?:[a-z-]+ ?)+)", (ROOT / name).read_text(), re.MULTILINE))
        asked = {target for words in named for target in words.split()}
        assert {"render", "test"} <= asked | {"render"}, name
        assert asked <= targets, f"{name}: no target {sorted(asked - targets)}"


def test_every_target_has_a_row_of_what_it_runs() -> None:
    """Those that run tests or measure."""
    rows = set(re.findall(r"^\| `make ([a-z-]+)` \|", (ROOT / "CONTRIBUTING.md").read_text(), re.MULTILINE))
    assert {"test", "smoke", "long", "mutants", "fuzz", "faults", "kill-matrix", "bench", "test-bare"} <= rows
