"""When a lab is said to stand: sessions that come, and sessions that go again while others are waited for."""

from pathlib import Path

import pytest

from fabricgen.lab.build import converge
from fabricgen.lab.host.inventory import expected_sessions
from fabricgen.lab.host.place import LabPlace, place_of
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.model.lab import Lab
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.status import LabSummary
from tests.lab.sites import SMALL, plan

LEAF, SPINE = "be-leaf-000", "be-spine-00"
PATIENCE = 2
"""Seconds for what never comes: long enough for a second look on a busy machine."""


class Sessions:
    """A double of what switches answer: all have all sessions and one prefix but where a test says what each look saw.

    rows  switch → sessions that lack at each look, the last of them for good
    """

    def __init__(self, lab: Lab, rows: dict[str, list[int]]) -> None:
        self.wanted = {device.name: expected_sessions(device) for device in lab.devices}
        self.rows = rows
        self.looks = dict.fromkeys(self.wanted, 0)

    def summary(self, shell: LabShell, place: LabPlace, name: str) -> LabSummary:
        """One look at a switch."""
        del shell, place
        row = self.rows.get(name, [0])
        at = min(self.looks[name], len(row) - 1)
        self.looks[name] += 1
        return LabSummary(self.wanted[name] - row[at], 1)


@pytest.fixture
def lab(monkeypatch: pytest.MonkeyPatch) -> Lab:
    monkeypatch.setattr(converge, "POLL_SECONDS", 0.001)
    monkeypatch.setattr(converge, "SETTLE_SECONDS", 0.001)
    return make_lab(plan(SMALL), parse_subset("leaves=1,spines=1,links=1,servers=0,borders=0"))


def _met(monkeypatch: pytest.MonkeyPatch, lab: Lab, **rows: list[int]) -> Sessions:
    found = Sessions(lab, {name.replace("_", "-"): row for name, row in rows.items()})
    monkeypatch.setattr(converge, "summary", found.summary)
    return found


def _converge(lab: Lab, seconds: float) -> tuple[dict[str, tuple[int, int]], int]:
    told: list[int] = []
    short = converge.converge(lab, place_of(Path("x")), LabShell("x"), seconds, lambda: told.append(1))
    return short, len(told)


def test_all_at_once_is_one_look(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _met(monkeypatch, lab)
    assert _converge(lab, 60) == ({}, 4)
    assert set(found.looks.values()) == {1}


def test_a_session_that_went_while_others_came_is_waited_for(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _met(monkeypatch, lab, be_leaf_000=[0, 1, 1, 0], be_spine_00=[2, 2, 0])
    assert _converge(lab, 60) == ({}, 4)
    assert found.looks[LEAF] >= 4


def test_a_session_that_stays_away_is_told_although_it_was_there(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _met(monkeypatch, lab, be_leaf_000=[0, 1], be_spine_00=[2, 2, 0])
    wanted = found.wanted[LEAF]
    assert _converge(lab, PATIENCE) == ({LEAF: (wanted - 1, wanted)}, 4)


def test_at_the_end_of_the_wait_all_are_looked_at(lab: Lab, monkeypatch: pytest.MonkeyPatch) -> None:
    """One never comes; another was there at first."""
    found = _met(monkeypatch, lab, be_leaf_000=[0, 1], be_spine_00=[1])
    short, told = _converge(lab, PATIENCE)
    assert short == {name: (found.wanted[name] - 1, found.wanted[name]) for name in (LEAF, SPINE)}
    assert told == 3


@pytest.mark.parametrize(("row", "short"), [([1, 1], True), ([1, 1, 0], True), ([0], False), ([1, 0], False)])
def test_a_session_that_is_away_when_routes_stand_is_told(
    lab: Lab, monkeypatch: pytest.MonkeyPatch, row: list[int], *, short: bool
) -> None:
    found = _met(monkeypatch, lab, be_leaf_000=row)
    said = converge.settle(lab, place_of(Path("x")), LabShell("x"), 60)
    assert said == ({LEAF: (found.wanted[LEAF] - 1, found.wanted[LEAF])} if short else {})
