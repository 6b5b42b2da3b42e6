"""What a change took away: each kind of thing, lost and kept, wanted and no longer wanted, read and not read."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fabricgen.push.prove.regressions import lost
from fabricgen.state.state import Daemon, Hop, PortCounters, Route, State
from fabricgen.verify.expect.model import Expected, ExpectedQueues
from tests.verify.leaf import ESI, LAG5, LEAF, P1, RIGHT

Change = Callable[[State], State]
OCTETS = "00:00:00:00:00:00:00:01:00:05"
"""The Ethernet segment of the leaf in the other spelling."""


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


def row(part: str, at: int, **values: object) -> Change:
    """Other values in one row of a part."""
    return rows(part, lambda found: (*found[:at], found[at]._replace(**values), *found[at + 1 :]))


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
    "a neighbor": (rows("lldp", without_first), "leaf1: port p1 was heard spine1, now no longer receives it"),
    "a neighbor that is another": (
        rows("lldp", first(system="spine2")),
        "leaf1: port p1 was heard spine1, now no longer receives it",
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
    "every next hop": (
        rows("routes", first(hops=(Hop("", "p8"), Hop("", "p9")))),
        "leaf1: route 10.0.0.2/32 of leaf2 was over p1, p2, now over p8, p9",
    ),
    "a next hop": (
        rows("routes", first(hops=(Hop("", "p1"), Hop("", "p9")))),
        "leaf1: route 10.0.0.2/32 of leaf2 was over p2, now over p1, p9",
    ),
    "a next hop of the overlay": (
        row("routes", 6, hops=(Hop("10.0.1.2", "bridge"), Hop("10.0.1.9", "bridge"))),
        "leaf1: route 172.16.1.0/24 in red of leaf2, leaf3 was over 10.0.1.3, "
        "now over 10.0.1.2 bridge, 10.0.1.9 bridge",
    ),
    "a connected subnet": (
        row("routes", 5, hops=(Hop("10.0.1.9", "bridge"),)),
        "leaf1: route 172.16.0.0/24 in red of leaf1 was over Vlan20, now over 10.0.1.9 bridge",
    ),
    "an anchor": (
        row("routes", 3, hops=(Hop("", "p1"),)),
        "leaf1: route 10.2.0.0/25 of leaf1 was discarded, now over p1",
    ),
    "a VTEP": (
        rows("vnis", first(vteps=("10.0.1.3",))),
        "leaf1: VTEP 10.0.1.2 was flooded to in VNI 10020, now not flooded to there",
    ),
    "EVPN routes": (
        rows("evpn", lambda found: tuple(one for one in found if one.rd != "10.0.0.3:1")),
        "leaf1: EVPN type 5 of leaf3 was there, now without 10.0.0.3:1 172.16.1.0/24, 10.0.0.3:1 fd00:16:1::/64",
    ),
    "an EVPN route's VTEP": (
        row("evpn", 1, next_hop="10.0.1.9"),
        "leaf1: EVPN type 3 of leaf2 was there, now without 10.0.0.2:20 10.0.1.2",
    ),
    "an Ethernet segment": (
        rows("evpn", lambda found: tuple(one for one in found if one.route_type != 4)),
        f"leaf1: EVPN type 4 of leaf1 was there, now without {ESI}",
    ),
    "PFC": (rows("qos", first(pfc=False)), "leaf1: port p1 was with PFC as planned, now without"),
    "PFC's priorities": (
        rows("qos", first(pfc_priorities=(3, 4))),
        "leaf1: port p1 was with PFC as planned, now without",
    ),
    "the watchdog": (
        rows("qos", first(watchdog=False)),
        "leaf1: port p1 was with the PFC watchdog as planned, now without",
    ),
    "ECN": (rows("qos", first(ecn=())), "leaf1: port p1 was with ECN as planned, now without"),
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
    "every next hop": replace(LEAF, routes=LEAF.routes[1:]),
    "a VTEP": replace(LEAF, vnis=(LEAF.vnis[0]._replace(vteps=("10.0.1.3",)), *LEAF.vnis[1:])),
    "EVPN routes": replace(LEAF, evpn=tuple(one for one in LEAF.evpn if one.rd != "10.0.0.3:1")),
    "PFC": replace(LEAF, qos=LEAF.qos[1:]),
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


@pytest.mark.parametrize(
    ("width", "hops", "sentences"), [(1, ("p2",), 0), (1, ("p9",), 1), (0, ("p2",), 0), (0, ("p9",), 1)]
)
def test_of_some_next_hops_so_many_are_enough(width: int, hops: tuple[str, ...], sentences: int) -> None:
    """Which of the equal paths a switch takes is its own choice, as long as it is one of the plan's."""
    expected = replace(LEAF, routes=(LEAF.routes[0]._replace(width=width), *LEAF.routes[1:]))
    before, after = (rows("routes", first(hops=tuple(Hop("", one) for one in held)))(RIGHT) for held in (("p1",), hops))
    assert len(told(expected, before, after)) == sentences


def test_a_next_hop_that_the_plan_takes_away_may_go() -> None:
    """The uplink p2 is drained, and p9 stands in for it: it is p1 that must stay."""
    expected = replace(LEAF, routes=(LEAF.routes[0]._replace(width=1, interfaces=("p1",)), *LEAF.routes[1:]))
    other = rows("routes", first(hops=(Hop("", "p1"), Hop("", "p9"))))
    assert told(expected, RIGHT, other(RIGHT)) == []


def test_a_next_hop_behind_a_port_is_held_against_its_address() -> None:
    planned = LEAF.routes[0]._replace(addresses=("10.1.0.1", "10.1.0.3"))
    expected = replace(LEAF, routes=(planned, *LEAF.routes[1:]))
    right = rows("routes", first(hops=(Hop("10.1.0.1", "p1"), Hop("10.1.0.3", "p2"))))(RIGHT)
    wrong = rows("routes", first(hops=(Hop("10.1.0.1", "p1"), Hop("10.1.0.9", "p2"))))(RIGHT)
    assert told(expected, right, wrong) == [
        "leaf1: route 10.0.0.2/32 of leaf2 was over p2, now over 10.1.0.1 p1, 10.1.0.9 p2"
    ]
    assert told(expected, wrong, wrong) == []


def test_all_vteps_of_all_vnis_are_a_sentence_each_with_whose_they_are() -> None:
    alone = rows("vnis", lambda found: tuple(one._replace(vteps=()) for one in found))
    assert [(one.subject, one.was, one.far) for one in lost(LEAF, RIGHT, alone(RIGHT))] == [
        ("VTEP 10.0.1.2", "flooded to in VNI 10020, 10021", "leaf2"),
        ("VTEP 10.0.1.3", "flooded to in VNI 10020", "leaf3"),
    ]


def test_a_vni_that_is_down_is_told_without_its_vteps() -> None:
    down = rows("vnis", first(up=False, vteps=()))
    assert told(LEAF, RIGHT, down(RIGHT)) == [LOSSES["a VNI"][1]]


def test_all_evpn_routes_are_told_by_type_and_switch() -> None:
    none = with_("evpn", ())
    assert [(one.subject, one.far) for one in lost(LEAF, RIGHT, none(RIGHT))] == [
        ("EVPN type 3 of leaf1", ""),
        ("EVPN type 3 of leaf2", "leaf2"),
        ("EVPN type 5 of leaf2", "leaf2"),
        ("EVPN type 5 of leaf3", "leaf3"),
        ("EVPN type 1 of leaf1", ""),
        ("EVPN type 4 of leaf1", ""),
    ]


def test_a_segment_goes_with_its_aggregate_and_may_be_spelt_otherwise() -> None:
    """RFC 7432: a segment is announced while its links are up. Ten octets or five groups are the same ten octets."""
    gone = LOSSES["an Ethernet segment"][0]
    down = row("interfaces", LAG5, oper_up=False)
    assert told(LEAF, RIGHT, down(gone(RIGHT))) == []
    octets = rows("evpn", lambda found: tuple(one._replace(key=one.key.replace(ESI, OCTETS)) for one in found))
    assert told(LEAF, RIGHT, octets(RIGHT)) == []
    assert told(LEAF, octets(RIGHT), gone(RIGHT)) == [LOSSES["an Ethernet segment"][1]]


def test_settings_that_are_no_longer_told_are_lost() -> None:
    silent = row("qos", 0, pfc=None, pfc_priorities=None)
    assert told(LEAF, RIGHT, silent(RIGHT)) == [LOSSES["PFC"][1]]
    assert len(told(LEAF, RIGHT, rows("qos", without_first)(RIGHT))) == 3


def test_queues_that_marked_must_mark() -> None:
    expected = replace(LEAF, queues=(ExpectedQueues("p1", (3,), ()),))

    def counting(packets: int | None) -> State:
        return replace(RIGHT, counters=(PortCounters("p1", 0, 0, ((3, packets),), ()),))

    assert told(expected, counting(7), counting(None)) == ["leaf1: queue 3 of port p1 was marking, now not marking"]
    assert told(expected, counting(None), counting(None)) == []
    assert told(expected, counting(7), counting(0)) == []
    assert told(LEAF, counting(7), counting(None)) == []
    unmarked = replace(LEAF, queues=(ExpectedQueues("p1", (), (3,)),))
    assert told(unmarked, counting(7), counting(None)) == []
    assert told(expected, counting(7), RIGHT) == []  # counters that are not read say nothing


LEAKS = {
    "it": ("172.20.0.0/16", "172.20.0.0/16"),
    "a part of it": ("172.20.1.0/24", "172.20.0.0/16"),
    "what holds it": ("172.0.0.0/8", "172.20.0.0/16 of tenant blue"),
}
"""Route in VRF red → what of tenant blue it reaches."""


@pytest.mark.parametrize("what", LEAKS)
def test_what_was_apart_stays_apart(what: str) -> None:
    prefix, reached = LEAKS[what]
    leak = rows("routes", lambda found: (*found, Route("red", prefix, "bgp", (Hop("10.0.1.9", "bridge"),))))
    (sentence,) = told(LEAF, RIGHT, leak(RIGHT))
    assert sentence.startswith(f"leaf1: VRF red was apart, now reaches {reached}")
    assert f"{prefix} over 10.0.1.9 bridge" in sentence
    assert told(LEAF, leak(RIGHT), leak(RIGHT)) == []
    assert told(LEAF, leak(RIGHT), RIGHT) == []
    assert told(replace(LEAF, forbidden=()), RIGHT, leak(RIGHT)) == []


@pytest.mark.parametrize("part", ["interfaces", "lldp", "bgp", "bfd", "routes", "vnis", "evpn", "qos"])
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


CLOSED = replace(
    LEAF,
    closed=("",),
    routes=(*LEAF.routes, LEAF.routes[0]._replace(prefix="10.3.0.0/25", origin="leaf2", about="leaf2")),
)
BLACKHOLE = Route("", "10.3.0.64/27", "static", ())


def new(route: Route) -> Change:
    return rows("routes", lambda found: (*found, route))


def test_a_new_route_to_a_part_of_a_planned_one_takes_its_packets() -> None:
    """The planned route stands; that part of it goes nowhere, or elsewhere."""
    assert told(CLOSED, RIGHT, new(BLACKHOLE)(RIGHT)) == [
        "leaf1: route 10.3.0.0/25 of leaf2 was whole, now 10.3.0.64/27 of it is discarded"
    ]
    other = BLACKHOLE._replace(protocol="bgp", hops=(Hop("10.1.0.1", "p1"),))
    assert told(CLOSED, RIGHT, new(other)(RIGHT)) == [
        "leaf1: route 10.3.0.0/25 of leaf2 was whole, now 10.3.0.64/27 of it leads to 10.1.0.1 p1"
    ]
    assert told(CLOSED, new(BLACKHOLE)(RIGHT), new(BLACKHOLE)(RIGHT)) == []


@pytest.mark.parametrize(
    "route",
    [
        BLACKHOLE._replace(prefix="10.9.0.0/24"),
        BLACKHOLE._replace(prefix="10.2.0.64/27"),  # of the leaf's own block, which it discards
        BLACKHOLE._replace(prefix="10.3.0.0/24"),
        BLACKHOLE._replace(prefix="fd00::/120"),
        BLACKHOLE._replace(vrf="red"),
    ],
    ids=lambda route: f"{route.vrf}{route.prefix}",
)
def test_a_new_route_beside_the_planned_ones_takes_no_packet_of_theirs(route: Route) -> None:
    assert told(CLOSED, RIGHT, new(route)(RIGHT)) == []


def test_what_is_planned_may_come() -> None:
    planned = replace(CLOSED, routes=(*CLOSED.routes, LEAF.routes[0]._replace(prefix=BLACKHOLE.prefix)))
    assert told(planned, RIGHT, new(BLACKHOLE._replace(hops=(Hop("10.1.0.1", "p1"),)))(RIGHT)) == []
