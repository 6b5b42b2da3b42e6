"""Intents of an older schema: read for a comparison by steps, and told to a person who works on one."""

from collections.abc import Callable
from pathlib import Path

import pytest

from fabricgen.baseline.open import open_side
from fabricgen.intent import steps
from fabricgen.intent.model import Intent
from fabricgen.intent.steps import STEPS, VERSION, Step, renamed, upgraded, version_of
from fabricgen.site.workspace import WorkspaceError, open_workspace
from fabricgen.source.document import Document, load_document
from tests.cli.sites import edit

Git = Callable[..., str]

OLD = """fabricgen: 0
location: dc1
halls:
  - {name: a, racks: [{rows: 1}]}
  - name: b
    racks: []
"""


def from_0(document: Document) -> Document:
    """Call the site a site: the step of a schema that was never released."""
    return renamed(document, "location", "site")


TABLE: dict[int, Step] = {0: from_0}


def test_there_is_one_schema_so_far() -> None:
    assert set(STEPS) == {VERSION}  # keys that were renamed within it
    bounds = Intent.model_json_schema()["properties"]["fabricgen"]
    assert (bounds["minimum"], bounds["maximum"]) == (VERSION, VERSION)


def test_a_key_that_was_renamed_keeps_its_place() -> None:
    document = load_document(OLD, "intent.yaml")
    new = upgraded(document, TABLE)
    assert new.value == {
        "fabricgen": 1,
        "site": "dc1",
        "halls": [{"name": "a", "racks": [{"rows": 1}]}, {"name": "b", "racks": []}],
    }
    assert list(new.value) == ["fabricgen", "site", "halls"]
    assert new.place(("site",)) == document.place(("location",))
    assert new.keys[("site",)] == document.keys[("location",)]
    assert ("location",) not in new.places
    assert document == load_document(OLD, "intent.yaml")


def test_what_is_below_a_renamed_key_keeps_its_place() -> None:
    document = load_document(OLD, "intent.yaml")
    new = renamed(document, "halls", "rooms")
    assert new.place(("rooms", 0, "racks", 0, "rows")) == document.place(("halls", 0, "racks", 0, "rows"))
    assert set(new.places) == {tuple("rooms" if part == "halls" else part for part in path) for path in document.places}


def test_a_name_that_is_taken_is_left_for_the_schema_to_refuse() -> None:
    document = load_document("fabricgen: 0\nlocation: a\nsite: b\n", "intent.yaml")
    assert renamed(document, "location", "site") == document


def test_steps_follow_one_another_as_far_as_they_lead() -> None:
    table: dict[int, Step] = {
        0: lambda document: renamed(document, "location", "place"),
        1: lambda document: renamed(document, "place", "site"),
        3: lambda document: renamed(document, "site", "never"),
    }
    document = load_document(OLD, "intent.yaml")
    new = upgraded(document, table, newest=9)
    assert version_of(new) == 2
    assert version_of(upgraded(document, table, newest=1)) == 1
    assert isinstance(new.value, dict)
    assert new.value["site"] == "dc1"
    assert upgraded(document, {1: from_0}) == document


@pytest.mark.parametrize(
    "text", ["fabricgen: 2\n", "fabricgen: false\n", "fabricgen: '0'\n", "site: a\n", "- 1\n", "1\n"]
)
def test_what_has_no_step_is_left_as_it_is(text: str) -> None:
    document = load_document(text, "intent.yaml")
    assert upgraded(document, TABLE) == document


def older(site: Path) -> None:
    """Write an intent as version 0 would have it."""
    edit(site, "fabricgen: 1\n", "fabricgen: 0\n")
    edit(site, "site: dc1\n", "location: dc1\n")


def test_the_side_of_an_older_schema(repo: Path, site: Path, git: Git, temporary: Path) -> None:
    new = site.read_text()
    older(site)
    git(repo, "commit", "--quiet", "--all", "--message=old")
    site.write_text(new)
    with open_side("HEAD", site, None, TABLE) as side:
        assert side.plan is not None, side.fault
        assert side.plan.intent == open_workspace(site).intent
        assert side.notes == ("HEAD:inventories/dc1/intent.yaml has schema version 0, and is read as version 1",)
    with open_side("HEAD", site, None) as side:
        assert side.fault.startswith(
            "HEAD:inventories/dc1/intent.yaml:4:12: HEAD:inventories/dc1/intent.yaml is written"
        )
    del temporary


def test_scenarios_under_their_former_name(repo: Path, site: Path, git: Git, temporary: Path) -> None:
    """They were `postures` in version 1, too: a revision with them is read, the intent of today is not."""
    text = site.read_text()
    site.write_text(f"{text}postures: {{night: {{}}}}\n")
    git(repo, "commit", "--quiet", "--all", "--message=old")
    with pytest.raises(WorkspaceError) as caught:
        open_workspace(site)
    assert [problem.code for problem in caught.value.problems] == ["unknown-key"]
    site.write_text(text)
    with open_side("HEAD", site, None) as side:
        assert side.plan is not None, side.fault
        assert tuple(side.plan.intent.scenarios) == ("night",)
        assert side.notes == ()
    del temporary


def test_a_problem_behind_a_step_names_the_line_of_the_old_file(site: Path, tmp_path: Path) -> None:
    old = tmp_path / "intent.yaml"
    old.write_text(site.read_text())
    older(old)
    edit(old, "location: dc1\n", "location: {a: 1}\n")
    with open_side(str(old), site, None, TABLE) as side:
        assert side.fault.startswith(f"{old}:6:11: site cannot be a mapping: ")


def test_so_does_a_problem_of_a_later_stage(site: Path, tmp_path: Path) -> None:
    old = tmp_path / "intent.yaml"
    old.write_text(site.read_text())
    edit(old, "fabricgen: 1\n", "fabricgen: 0\n")
    edit(old, "servers:\n", "hosts:\n")
    edit(old, "planned: 192", "planned: 3")
    line = next(number for number, text in enumerate(old.read_text().splitlines(), 1) if "planned: 3" in text)
    with open_side(str(old), site, None, {0: lambda document: renamed(document, "hosts", "servers")}) as side:
        assert side.fault.startswith(f"{old}:{line}:")


@pytest.mark.parametrize(
    ("version", "fix"),
    [
        (0, "bring its keys up to date (docs/intent.md), then write fabricgen: 1"),
        (2, "write fabricgen: 1, or use a newer fabricgen if the file was written for version 2"),
    ],
)
def test_who_works_on_an_intent_of_another_schema_is_told(site: Path, version: int, fix: str) -> None:
    edit(site, "fabricgen: 1\n", f"fabricgen: {version}\n")
    edit(site, "site: dc1\n", "location: dc1\n")
    with pytest.raises(WorkspaceError) as caught:
        open_workspace(site)
    (problem,) = caught.value.problems
    assert problem.code == "schema-version"
    assert problem.what == f"{site} is written for version {version} of the schema"
    assert problem.why == "this fabricgen reads version 1"
    assert problem.fix == fix
    assert problem.at is not None
    assert (problem.at.line, problem.at.column) == (4, 12)


def test_the_steps_are_not_for_who_works_on_it(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "STEPS", TABLE)
    older(site)
    with pytest.raises(WorkspaceError):
        open_workspace(site)
