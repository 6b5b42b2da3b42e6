"""What a change has to answer for: what it was to bring, what waits for others, and what it has no part in."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import Any

import pytest

from fabricgen.push.prove.snapshots import Verdicts
from fabricgen.state.state import State
from tests.push.prove.test_push_checks import LACKS, PLAN, Site, moment, own, row_of, site
from tests.push.prove.test_stood import first, rows
from tests.verify.leaf import LEAF

__all__ = ("site",)

PREFIX = "10.0.0.2/32"
ADDED = frozenset({PREFIX})
"""Words of a change that brings a route of the leaf's plan."""


def meant(
    site: Site,
    words: frozenset[str],
    changed: Collection[str],
    after: Mapping[str, State | None],
    **more: Any,  # noqa: ANN401
) -> Verdicts:
    """Look before and after a change whose lines have these words, on each switch that is changed."""
    before = more.pop("before", after)
    checks = site.checks()
    site.shows.update(before)
    checks.take_snapshot("before", checks.around(["leaf1"]))
    site.shows.update(after)
    checks.take_snapshot("after", checks.around(["leaf1"]))
    lines = dict.fromkeys(more.pop("done", changed), words)
    return checks.compare("before", "after", moment(changed, **more)._replace(brought=lines))


NO_ROUTE = rows("routes", lambda found: tuple(row for row in found if row.prefix != PREFIX))


def test_what_was_missing_before_is_missed_where_the_change_was_to_bring_it(site: Site) -> None:
    """A prefix that is never announced: it was missing before, and is the very thing that was pushed."""
    lacks = {"leaf1": NO_ROUTE(own("leaf1"))}
    found = meant(site, ADDED, ("leaf1",), lacks, done=("leaf1", "leaf2"))
    assert len(found.new) == 1, found
    assert PREFIX in found.new[0]
    other = meant(site, frozenset({"10.9.9.9/32"}), ("leaf1",), lacks, done=("leaf1", "leaf2"))
    assert other.new == ()
    assert [PREFIX in one and "no line of this change affects it" in one for one in other.excused] == [True]


def test_a_neighbor_that_was_not_changed_is_to_have_what_a_changed_switch_announces(site: Site) -> None:
    """leaf1 sees it; leaf2, which announces it, is far from it, and spine1 lies between and is not changed."""
    lacks = {"spine1": NO_ROUTE(own("spine1"))}
    assert meant(site, ADDED, ("leaf1",), lacks).new == ()
    assert "this push did not change the switch" in meant(site, ADDED, ("leaf1",), lacks).excused[0]


WAITS: dict[str, tuple[dict[str, Any], str]] = {
    "the switch that announces it is still to come": ({"waiting": ("leaf2",)}, "leaf2 is not changed yet"),
    "what lies between is still to come": ({"waiting": ("spine1",), "done": ("leaf1", "leaf2")}, "depends on switches"),
    "who announces it is not changed by this push": ({}, "leaf2 announces it, and this push has not changed leaf2"),
}


@pytest.mark.parametrize("what", WAITS)
def test_what_waits_for_others_is_pending(site: Site, what: str) -> None:
    more, why = WAITS[what]
    found = meant(site, ADDED, ("leaf1",), {"leaf1": NO_ROUTE(own("leaf1"))}, **more)
    assert found.new == ()
    assert [one for one in found.pending if PREFIX in one and why in one], found
    assert found.waits == len(found.pending) + len(found.excused)


def test_a_port_that_was_not_up_waits_for_its_cable_and_one_that_was_is_lost(site: Site) -> None:
    down = rows("interfaces", first(oper_up=False))(own("leaf1"))
    shut = rows("interfaces", first(oper_up=False, admin_up=False))(own("leaf1"))
    found = meant(site, frozenset({"p1"}), ("leaf1",), {"leaf1": down}, before={"leaf1": shut})
    assert not [one for one in found.new if "port p1" in one], found.new
    assert [one for one in found.pending if "port p1" in one and "an optic or a cable" in one]
    found = meant(site, frozenset({"p1"}), ("leaf1",), {"leaf1": down}, before={"leaf1": own("leaf1")})
    assert [one for one in found.new if "port p1 was up, now down" in one]


def test_a_port_that_stays_shut_is_missed_where_the_change_was_to_open_it(site: Site) -> None:
    shut = {"leaf1": rows("interfaces", first(oper_up=False, admin_up=False))(own("leaf1"))}
    assert [one for one in meant(site, frozenset({"p1"}), ("leaf1",), shut).new if "is shut down" in one]
    assert not [one for one in meant(site, frozenset({"p7"}), ("leaf1",), shut).new if "is shut down" in one]


def test_a_drained_switch_answers_for_nothing_that_was_there_before(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    lacks = {"leaf1": NO_ROUTE(own("leaf1"))}
    monkeypatch.setitem(PLAN, "leaf1", replace(LEAF, drained=True))
    assert not [one for one in meant(site, ADDED, ("leaf1",), lacks, done=("leaf1", "leaf2")).new if PREFIX in one]


@pytest.mark.parametrize(("far", "new"), [("set up", 1), ("not set up", 0)])
def test_a_session_that_was_down_before_and_that_the_change_speaks_of(site: Site, far: str, new: int) -> None:
    """It is to come up, unless its far end is none of this push and shows that it is not set up."""
    shows = {"leaf1": row_of(0, state="Active")(own("leaf1"))}
    shows["spine1"] = row_of(-1, state="Active")(own("spine1")) if far == "set up" else LACKS
    found = meant(site, frozenset({"10.1.0.1"}), ("leaf1",), shows)
    assert len([one for one in found.new if "session 10.1.0.1" in one]) == new, found
    if not new:
        assert [one for one in found.pending if "the end at spine1 is not configured" in one]
