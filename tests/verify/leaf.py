"""One leaf with a thing of every kind, written by hand: what it must show, and edits of what it shows."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple, TypeVar

from fabricgen.state.state import (
    ETHERNET,
    EVPN,
    IPV4,
    IPV6,
    L2,
    L3,
    LAG,
    LOOPBACK,
    SUBINTERFACE,
    SVI,
    EcnState,
    Hop,
    State,
)
from fabricgen.verify.expect.model import (
    Expected,
    ExpectedAdjacency,
    ExpectedBfd,
    ExpectedEvpnRoute,
    ExpectedInterface,
    ExpectedQos,
    ExpectedRoute,
    ExpectedSession,
    ExpectedVni,
    ForbiddenRoute,
)
from fabricgen.verify.finding import FindingEnd
from tests.verify.seen import right_state

ECN = EcnState(3, 150000, 1500000, 5)
ESI = "0000:0000:0000:0001:0005"

LEAF = Expected(
    device="leaf1",
    system="double",
    asn=65001,
    router_id="10.0.0.1",
    interfaces=(
        ExpectedInterface("p1", ETHERNET, True, 9214, ("10.1.0.0/31", "fd00::/127")),
        ExpectedInterface("p2", ETHERNET, True, 9214, ("10.1.0.2/31", "fd00::2/127")),
        ExpectedInterface("p8", ETHERNET, None, 9214, ("10.2.0.0/31",)),
        ExpectedInterface("p9", ETHERNET, None, 9214, ()),
        ExpectedInterface("p10", ETHERNET, False, 9214, ()),
        ExpectedInterface("lag 5", LAG, None, 9214, (), members=("p9",), vlans=((20, 20), (21, 21))),
        ExpectedInterface("p2.900", SUBINTERFACE, True, 1500, ("172.31.0.0/31",), "red", 900),
        ExpectedInterface("loopback 0", LOOPBACK, True, 0, ("10.0.0.1/32", "fd00::1:1/128")),
        ExpectedInterface("loopback 1", LOOPBACK, True, 0, ("10.0.1.1/32",)),
        ExpectedInterface("vlan 20", SVI, True, 9164, ("172.16.0.1/24",), "red", 20, mac="02:fa:b0:00:00:01"),
        ExpectedInterface("loopback 12", LOOPBACK, True, 0, ("172.30.0.1/32",), "red"),
    ),
    adjacencies=(
        ExpectedAdjacency("p1", "spine1", "s1", True, "uplink 0 plane 0"),
        ExpectedAdjacency("p2", "spine2", "s1", True, "uplink 1 plane 0"),
        ExpectedAdjacency("p8", "gpu-000", "nic 0", False, "rail 0 plane 0", ("nic 0", "nic 1")),
    ),
    sessions=(
        ExpectedSession("", "10.1.0.1", 65100, (IPV4,), FindingEnd("spine1", "s1")),
        ExpectedSession("", "10.1.0.3", 65100, (IPV4,), FindingEnd("spine2", "s1")),
        ExpectedSession("", "fd00::1", 65100, (IPV6,), FindingEnd("spine1", "s1")),
        ExpectedSession("", "fd00::3", 65100, (IPV6,), FindingEnd("spine2", "s1")),
        ExpectedSession("", "10.0.0.101", 65100, (EVPN,), FindingEnd("spine1", "")),
        ExpectedSession("red", "172.31.0.1", 64601, (IPV4,), FindingEnd("fw1", "")),
    ),
    bfd=(ExpectedBfd("", "10.1.0.1"), ExpectedBfd("", "10.1.0.3")),
    routes=(
        ExpectedRoute("", "10.0.0.2/32", 2, ("p1", "p2"), (), False, "leaf2", "leaf2"),
        ExpectedRoute("", "10.0.1.2/32", 2, ("p1", "p2"), (), False, "leaf2", "leaf2"),
        ExpectedRoute("", "10.0.0.101/32", 1, ("p1",), (), False, "spine1", "spine1"),
        ExpectedRoute("", "10.2.0.0/25", 0, (), (), True, "leaf1", "leaf1"),
        ExpectedRoute("", "10.2.0.0/31", 1, ("p8",), (), False, "gpu-000 nic 0 rail 0"),
        ExpectedRoute("red", "172.16.0.0/24", 1, (), (), False, "leaf1", "leaf1", 20),
        ExpectedRoute("red", "172.16.1.0/24", 2, (), ("10.0.1.2", "10.0.1.3"), False, "leaf2, leaf3"),
        ExpectedRoute("red", "172.16.2.0/24", 0, (), (), False, "leaf1", "leaf1"),
    ),
    forbidden=(
        ForbiddenRoute("", "0.0.0.0/0", "there is no route out of fabric be here"),
        ForbiddenRoute("", "172.16.0.0/24", "of tenant red"),
        ForbiddenRoute("red", "172.20.0.0/16", "of tenant blue"),
        ForbiddenRoute("red", "fd00:20::/64", "of tenant blue"),
    ),
    vnis=(
        ExpectedVni(10020, L2, 20, "red", ("10.0.1.2", "10.0.1.3")),
        ExpectedVni(10021, L2, 21, "red", ("10.0.1.2",)),
        ExpectedVni(50001, L3, 0, "red", ()),
    ),
    evpn=(
        ExpectedEvpnRoute(3, "10.0.0.1:20", "10.0.1.1", "", "leaf1"),
        ExpectedEvpnRoute(3, "10.0.0.2:20", "10.0.1.2", "10.0.1.2", "leaf2"),
        ExpectedEvpnRoute(5, "10.0.0.2:1", "172.16.1.0/24", "10.0.1.2", "leaf2"),
        ExpectedEvpnRoute(5, "10.0.0.3:1", "172.16.1.0/24", "10.0.1.3", "leaf3"),
        ExpectedEvpnRoute(1, "", ESI, "", "leaf1", 5),
        ExpectedEvpnRoute(4, "", ESI, "", "leaf1", 5),
        ExpectedEvpnRoute(5, "10.0.0.3:1", "fd00:16:1::/64", "10.0.1.3", "leaf3"),
    ),
    qos=(ExpectedQos("p1", (3,), True, (ECN,)), ExpectedQos("p2", (3,), True, (ECN,))),
    configuration="rendered",
    management="m0",
)

RIGHT = right_state(LEAF)

P1, P2, P8, P9, P10, LAG5, SUB, LO0, LO1, VLAN20, LO12 = range(11)
"""Positions of its interfaces."""
NEXT_HOP = (Hop("10.1.0.1", "p1"),)

Edit = Callable[[State], State]
Whole = TypeVar("Whole", State, Expected)


def swapped(whole: Whole, part: str, value: object) -> Whole:
    """The same with another value of one part."""
    changes: dict[str, Any] = {part: value}
    return replace(whole, **changes)


class Told(NamedTuple):
    """A finding in three lines: what, where, and what should be there with what is (and why)."""

    code: str
    what: str
    seen: str


class Case(NamedTuple):
    """A fault, and all that must be said of it."""

    edit: Edit
    told: tuple[Told, ...]


def case(edit: Edit, *texts: str) -> Case:
    """Three texts a finding: its code; subject | problem; expected | actual, and the explanation where there is one."""
    return Case(edit, tuple(Told(*texts[at : at + 3]) for at in range(0, len(texts), 3)))


def changed(part: str, at: int, **fields: object) -> Edit:
    """Edit that gives one row of a part other fields."""

    def edit(state: State) -> State:
        rows = list(getattr(state, part))
        rows[at] = rows[at]._replace(**fields)
        return swapped(state, part, tuple(rows))

    return edit


def without(part: str, *ats: int) -> Edit:
    """Edit that takes rows away."""

    def edit(state: State) -> State:
        return swapped(state, part, tuple(row for at, row in enumerate(getattr(state, part)) if at not in ats))

    return edit


def added(part: str, *rows: object) -> Edit:
    """Edit that adds rows."""
    return lambda state: swapped(state, part, (*getattr(state, part), *rows))


def session(at: int, **fields: object) -> Edit:
    """Edit of one BGP session."""

    def edit(state: State) -> State:
        assert state.bgp is not None
        rows = list(state.bgp.sessions)
        rows[at] = rows[at]._replace(**fields)  # type: ignore[arg-type]
        return replace(state, bgp=state.bgp._replace(sessions=tuple(rows)))

    return edit


def bgp(**fields: object) -> Edit:
    """Edit of the speaker."""

    def edit(state: State) -> State:
        assert state.bgp is not None
        return replace(state, bgp=state.bgp._replace(**fields))  # type: ignore[arg-type]

    return edit


def both(*edits: Edit) -> Edit:
    """One edit after the other."""

    def edit(state: State) -> State:
        for one in edits:
            state = one(state)
        return state

    return edit
