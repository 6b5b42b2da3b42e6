"""What a change took away: each kind of thing, lost and kept, wanted and no longer wanted, read and not read."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fabricgen.push.stood import lost
from fabricgen.state.state import Daemon, Hop, State
from fabricgen.verify.expected import Expected
from tests.verify.leaf import LEAF, P1, RIGHT

Change = Callable[[State], State]


def with_(part: str, value: object) -> Change:
    """What puts another value into a state."""
    changes: dict[str, Any] = {part: value}
    return lambda state: replace(state, **changes)


def rows(part: str, change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Change:
    """What changes the rows of a part."""
    return lambda state: with_(part, change(getattr(state, part)))(state)


def first(**values: object) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """Other values in the first row."""
    return lambda found: (found[0]._replace(**values), *found[1:])


def sessions(change: Callable[[tuple[Any, ...]], tuple[Any, ...]]) -> Change:
    """What changes the sessions."""

    def changed(state: State) -> State:
        assert state.bgp is not None
        return replace(state, bgp=state.bgp._replace(sessions=change(state.bgp.sessions)))

    return changed


def without_first(found: tuple[Any, ...]) -> tuple[Any, ...]:
    """All but the first row."""
    return found[1:]


def programs(*running: bool) -> Change:
    """Programs, and whether they run."""
    return with_("daemons", tuple(Daemon(f"d{at}", one, ("routes",)) for at, one in enumerate(running)))


LOSSES = {
    "a port": (rows("interfaces", first(oper_up=False)), "leaf1: port p1 was up, now down"),
    "a port that is gone": (rows("interfaces", without_first), "leaf1: port p1 was up, now down"),
    "a neighbor": (rows("lldp", without_first), "leaf1: port p1 was heard spine1, now hears it no more"),
    "a neighbor that is another": (
        rows("lldp", first(system="spine2")),
        "leaf1: port p1 was heard spine1, now hears it no more",
    ),
    "a session": (
        sessions(first(state="Active")),
        "leaf1: session 10.1.0.1 (spine1 s1) was Established, now Active",
    ),
    "a session that is gone": (
        sessions(without_first),
        "leaf1: session 10.1.0.1 (spine1 s1) was Established, now gone",
    ),
    "a BFD session": (rows("bfd", first(up=False)), "leaf1: BFD session 10.1.0.1 was up, now down"),
    "a BFD session that is gone": (rows("bfd", without_first), "leaf1: BFD session 10.1.0.1 was up, now down"),
    "a route": (rows("routes", without_first), "leaf1: route 10.0.0.2/32 of leaf2 was over 2 paths, now gone"),
    "a path": (
        rows("routes", lambda found: (found[0]._replace(hops=found[0].hops[:1]), *found[1:])),
        "leaf1: route 10.0.0.2/32 of leaf2 was over 2 paths, now over 1 path",
    ),
    "every path": (
        rows("routes", first(hops=())),
        "leaf1: route 10.0.0.2/32 of leaf2 was over 2 paths, now over 0 paths",
    ),
    "a VNI": (rows("vnis", first(up=False)), "leaf1: VNI 10020 was up, now down or gone"),
    "a VNI that is gone": (rows("vnis", without_first), "leaf1: VNI 10020 was up, now down or gone"),
}
"""What → how the switch looks afterwards, and the sentence."""

UNWANTED: dict[str, Expected] = {
    "a port": replace(LEAF, interfaces=LEAF.interfaces[1:]),
    "a neighbor": replace(LEAF, adjacencies=LEAF.adjacencies[1:]),
    "a session": replace(LEAF, sessions=LEAF.sessions[1:]),
    "a BFD session": replace(LEAF, bfd=LEAF.bfd[1:]),
    "a route": replace(LEAF, routes=LEAF.routes[1:]),
    "a path": replace(LEAF, routes=LEAF.routes[1:]),
    "a VNI": replace(LEAF, vnis=LEAF.vnis[1:]),
}


def told(expected: Expected, before: State, after: State) -> list[str]:
    """The sentences."""
    return [str(one) for one in lost(expected, before, after)]


def test_what_stands_before_and_after_is_not_lost() -> None:
    assert told(LEAF, RIGHT, RIGHT) == []


@pytest.mark.parametrize("what", LOSSES)
def test_what_stood_and_stands_no_more_is_lost(what: str) -> None:
    change, sentence = LOSSES[what]
    assert told(LEAF, RIGHT, change(RIGHT)) == [sentence]


@pytest.mark.parametrize("what", LOSSES)
def test_what_was_not_there_before_is_nobodys_fault(what: str) -> None:
    change = LOSSES[what][0]
    assert told(LEAF, change(RIGHT), change(RIGHT)) == []
    assert told(LEAF, change(RIGHT), RIGHT) == []


@pytest.mark.parametrize("what", UNWANTED)
def test_what_the_plan_takes_away_may_go(what: str) -> None:
    assert told(UNWANTED[what], RIGHT, LOSSES[what][0](RIGHT)) == []


def test_a_port_that_may_be_down_may_go_down() -> None:
    port = LEAF.interfaces[P1]
    for up in (None, False):
        expected = replace(LEAF, interfaces=(port._replace(up=up), *LEAF.interfaces[1:]))
        assert told(expected, RIGHT, LOSSES["a port"][0](RIGHT)) == []


def test_a_server_need_not_speak() -> None:
    silent = rows("lldp", lambda found: tuple(row for row in found if row.system != "gpu-000"))
    assert told(LEAF, RIGHT, silent(RIGHT)) == []


def test_neighbors_are_the_same_with_and_without_a_domain() -> None:
    """A switch may send either (IEEE 802.1AB), as verify has it too."""
    named = rows("lldp", first(system="spine1.dc1.example.net"))
    assert told(LEAF, named(RIGHT), named(RIGHT)) == []
    assert told(LEAF, RIGHT, named(RIGHT)) == []
    assert told(LEAF, named(RIGHT), RIGHT) == []
    assert told(LEAF, named(RIGHT), LOSSES["a neighbor"][0](RIGHT)) == [LOSSES["a neighbor"][1]]


@pytest.mark.parametrize(("width", "paths", "sentences"), [(2, 1, 1), (1, 1, 0), (1, 0, 1), (0, 1, 0), (0, 0, 1)])
def test_paths_are_held_against_those_that_are_planned_then(width: int, paths: int, sentences: int) -> None:
    """Of two spines one is drained: its path may go while it is. Width 0: any number from one on."""
    expected = replace(LEAF, routes=(LEAF.routes[0]._replace(width=width), *LEAF.routes[1:]))
    fewer = rows("routes", lambda found: (found[0]._replace(hops=found[0].hops[:paths]), *found[1:]))
    assert len(told(expected, RIGHT, fewer(RIGHT))) == sentences


def test_paths_that_lacked_before_need_not_come() -> None:
    few = rows("routes", lambda found: (found[0]._replace(hops=found[0].hops[:1]), *found[1:]))
    wide = replace(LEAF, routes=(LEAF.routes[0]._replace(width=8), *LEAF.routes[1:]))
    assert told(wide, few(RIGHT), few(RIGHT)) == []
    assert told(wide, RIGHT, RIGHT) == []
    assert len(told(wide, RIGHT, few(RIGHT))) == 1


def test_a_path_that_is_another_is_no_loss() -> None:
    other = rows("routes", first(hops=(Hop("192.0.2.1", "p1"), Hop("192.0.2.3", "p2"))))
    assert told(LEAF, RIGHT, other(RIGHT)) == []


def test_an_anchor_without_a_path_stays_one() -> None:
    assert LEAF.routes[3].discard
    gone = rows("routes", lambda found: tuple(row for row in found if row.prefix != LEAF.routes[3].prefix))
    assert told(LEAF, RIGHT, gone(RIGHT)) == ["leaf1: route 10.2.0.0/25 of leaf1 was over 0 paths, now gone"]


def test_a_route_of_another_vrf_does_not_stand_in_for_one() -> None:
    moved = rows("routes", first(vrf="red"))
    assert told(LEAF, RIGHT, moved(RIGHT)) == [LOSSES["a route"][1]]
    session = sessions(first(vrf="red"))
    assert told(LEAF, RIGHT, session(RIGHT)) == [LOSSES["a session that is gone"][1]]


@pytest.mark.parametrize("part", ["interfaces", "lldp", "bgp", "bfd", "routes", "vnis"])
def test_a_part_that_is_no_longer_read_is_lost_once(part: str) -> None:
    blind = replace(with_(part, None)(RIGHT), unread={part: "no answer"})
    assert told(LEAF, RIGHT, blind) == [f"leaf1: {part} was read, now not read: no answer"]
    assert told(LEAF, blind, blind) == []
    assert told(LEAF, blind, RIGHT) == []


def test_programs_that_ran_must_run() -> None:
    assert told(LEAF, programs(True, True)(RIGHT), programs(True, False)(RIGHT)) == [
        "leaf1: d1 was running, now not running"
    ]
    assert told(LEAF, programs(True, True)(RIGHT), programs(True)(RIGHT)) == ["leaf1: d1 was running, now not running"]
    assert told(LEAF, programs(True, False)(RIGHT), programs(True, False)(RIGHT)) == []
    assert told(LEAF, programs(True)(RIGHT), RIGHT) == []  # a platform that does not say
    assert told(LEAF, RIGHT, programs(False)(RIGHT)) == []
