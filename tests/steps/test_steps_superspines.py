"""Known sequence: another number of superspines; uplinks of spines move their upper end, no leaf is touched."""

import csv
import json
from pathlib import Path

import pytest

from fabricgen.plan.growth import growth
from fabricgen.site.workspace import open_workspace
from tests.steps.conftest import THREE_TIERS, Site, refused, say, steps


@pytest.fixture
def site(here: Path) -> Site:
    """Two pods of two leaves and two spines of 16 uplinks; 2 of 4 superspines in each core group."""
    for folder in ("old", "site"):
        (here / folder).mkdir()
        (here / folder / "intent.yaml").write_text(THREE_TIERS.format(now=2, planned=4))
    assert say("render", "old/intent.yaml", "--out", "first").exit_code == 0
    (here / "site/fabricgen.lock").write_bytes((here / "old/fabricgen.lock").read_bytes())
    return Site(Path("old/intent.yaml"), Path("site/intent.yaml"))


def test_two_to_four_superspines(site: Site) -> None:
    core = growth(open_workspace(site.old).plan, "backend").core
    assert core is not None
    site.change(("superspines: {now: 2", "superspines: {now: 4"))
    found = steps("--floor", "1/2", typed=True)
    # Of 16 uplinks of 4 spines those with u mod 4 < 2 stay: half of 64.
    assert len(found["cables"]) == core.moved == 32
    assert {cable["leaf"].rsplit("-", 1)[0] for cable in found["cables"]} == {"be-spine"}
    assert "2 to 4 superspines a core group: 32 cables to move" in json.dumps(found)
    states = [set(step["overrides"].values()) for step in found["steps"]]
    assert states == [{"drained"}, {"absent"}, {"absent"}, {"drained"}, set()]
    with Path("steps/cables.csv").open() as file:
        assert len(list(csv.DictReader(file))) == 32


def test_spines_and_superspines_at_once_have_no_sequence(site: Site) -> None:
    site.change(("superspines: {now: 2", "superspines: {now: 4"), ("spines: {now: 2}", "spines: {now: 1, planned: 2}"))
    problems = refused()
    assert {problem["code"] for problem in problems} == {"steps-several"}


def test_planned_superspines_alone_reserve_numbers(site: Site) -> None:
    site.change(("planned: 4}", "planned: 8}"))
    result = say("plan", "site/intent.yaml", "--steps", "steps", "--against", "old", "--json")
    assert result.exit_code == 0, result.stdout
    assert not json.loads(result.stdout)["cables"]
