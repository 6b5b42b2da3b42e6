"""The overlay of one switch: VNIs, the VTEPs they flood to, EVPN routes by type."""

from collections.abc import Iterable
from functools import partial

from fabricgen.state.state import EVPN, L2, EvpnRoute, Interface, Vni
from fabricgen.verify.expect.model import ExpectedEvpnRoute, ExpectedVni
from fabricgen.verify.finding import NOWHERE, Finding, FindingEnd
from fabricgen.verify.judge.ledger import Ledger, listed
from fabricgen.verify.judge.ports import lag_number

DISCOVERY, FLOODING, SEGMENT = 1, 3, 4
"""EVPN route types (RFC 7432 section 7)."""

Floods = dict[tuple[str, ...], list[int]]
"""VTEPs → the VNIs that lack them, or have them unplanned."""


def judge_vnis(book: Ledger, expected: Iterable[ExpectedVni], state: Iterable[Vni]) -> None:
    """Each planned VNI, the far ends they flood to, and those that nobody planned."""
    found = {one.vni: one for one in state}
    lacking: Floods = {}
    extra: Floods = {}
    for one in expected:
        vni = found.pop(one.vni, None)
        if vni is None:
            book.wrong(_missing(book, one))
            continue
        wrong = _vni(book, one, vni)
        if wrong is not None:
            book.wrong(wrong)
        else:
            book.right("vnis")
        if one.kind == L2:
            _floods(book, one, vni, lacking, extra)
    for vteps, vnis in lacking.items():
        book.wrong(_vteps(book, vteps, vnis, lacking=True))
    for vteps, vnis in extra.items():
        book.wrong(_vteps(book, vteps, vnis, lacking=False))
    for number in sorted(found):
        book.wrong(_unexpected(book, found[number]))


def _missing(book: Ledger, one: ExpectedVni) -> Finding:
    return Finding(
        device=book.device,
        check="vnis",
        code="vni-missing",
        subject=f"VNI {one.vni}",
        problem="does not exist",
        expected=f"{one.kind.upper()} VNI of {one.vrf}",
        actual="not there",
        explained=book.causes.get("vnis", ""),
    )


def _vni(book: Ledger, one: ExpectedVni, found: Vni) -> Finding | None:
    """The first thing that is not as planned. VLAN 0 and an empty VRF are what a platform does not say."""
    make = partial(Finding, device=book.device, check="vnis", subject=f"VNI {one.vni}")
    if found.kind != one.kind:
        return make(
            code="vni-wrong-kind", problem="is of the other kind", expected=one.kind.upper(), actual=found.kind.upper()
        )
    if one.vlan_id and found.vlan_id and found.vlan_id != one.vlan_id:
        wanted, has = f"VLAN {one.vlan_id}", f"VLAN {found.vlan_id}"
        return make(code="vni-wrong-vlan", problem="is on another VLAN", expected=wanted, actual=has)
    if found.vrf and found.vrf != one.vrf:
        return make(code="vni-wrong-vrf", problem="is in another VRF", expected=one.vrf, actual=found.vrf)
    if not found.up:
        return make(code="vni-down", problem="is down", expected="up", actual="down")
    if found.learning:
        told = "no learning: EVPN tells them"
        return make(
            code="tunnel-learns", problem="learns MAC addresses from frames", expected=told, actual="learning is on"
        )
    return None


def _floods(book: Ledger, one: ExpectedVni, found: Vni, lacking: Floods, extra: Floods) -> None:
    lacks = tuple(sorted(set(one.vteps) - set(found.vteps)))
    has = tuple(sorted(set(found.vteps) - set(one.vteps)))
    book.right("vnis", len(one.vteps) - len(lacks))
    if lacks:
        lacking.setdefault(lacks, []).append(one.vni)
    if has:
        extra.setdefault(has, []).append(one.vni)


def _vteps(book: Ledger, vteps: tuple[str, ...], vnis: list[int], *, lacking: bool) -> Finding:
    make = partial(Finding, device=book.device, check="vnis", subject=f"VTEP {listed(vteps)}", lines=vteps)
    where = f"VNI {listed(map(str, vnis))}"
    if lacking:
        why = book.causes.get(EVPN, "")
        text = "is not flooded to"
        return make(code="vtep-missing", problem=text, expected=f"in {where}", actual="not there", explained=why)
    return make(code="vtep-unexpected", problem="is flooded to", expected="not there", actual=f"in {where}")


def _unexpected(book: Ledger, found: Vni) -> Finding:
    return Finding(
        device=book.device,
        check="vnis",
        code="vni-unexpected",
        subject=f"VNI {found.vni}",
        problem="is not in the plan",
        expected="not there",
        actual=f"{found.kind.upper()} VNI" + (f" of {found.vrf}" if found.vrf else ""),
    )


def up_lags(state: Iterable[Interface]) -> frozenset[int]:
    """Numbers of the aggregates that are up."""
    return frozenset(number for one in state if one.oper_up and (number := lag_number(one)))


def judge_evpn(
    book: Ledger, expected: tuple[ExpectedEvpnRoute, ...], state: Iterable[EvpnRoute], lags: frozenset[int]
) -> None:
    """Each planned route, and own flooding routes that nobody planned. `lags`: those that are up."""
    found: dict[tuple[int, str, str], EvpnRoute] = {}
    for route in state:
        for rd in (route.rd, ""):
            found.setdefault((route.route_type, rd, _key(route.route_type, route.key)), route)
    missing: dict[tuple[int, str, str], list[ExpectedEvpnRoute]] = {}
    for one in expected:
        held = found.get((one.route_type, one.rd, _key(one.route_type, one.key)))
        if one.lag and one.lag not in lags:
            continue
        if held is None:
            cause = book.causes.get(EVPN if one.next_hop else "vnis", "")
            missing.setdefault((one.route_type, cause, "" if cause else one.about), []).append(one)
        elif one.rd and held.next_hop != one.next_hop:
            book.wrong(_elsewhere(book, one, held))
        else:
            book.right("evpn")
    for (_, cause, _), routes in missing.items():
        book.wrong(_lacks(book, routes, cause))
    _own(book, expected, found.values())


def _key(kind: int, text: str) -> str:
    """Ethernet segments are written in ten octets or in five groups."""
    return text.replace(":", "").lower() if kind in (DISCOVERY, SEGMENT) else text


def _route(one: ExpectedEvpnRoute) -> str:
    return f"type {one.route_type} {one.rd} {one.key}".replace("  ", " ")


def _elsewhere(book: Ledger, one: ExpectedEvpnRoute, held: EvpnRoute) -> Finding:
    return Finding(
        device=book.device,
        check="evpn",
        code="evpn-next-hop",
        subject=f"EVPN route {_route(one)} of {one.about}",
        problem="leads to another VTEP",
        expected=one.next_hop or "its own",
        actual=held.next_hop or "its own",
    )


def _lacks(book: Ledger, routes: list[ExpectedEvpnRoute], cause: str) -> Finding:
    origins = list(dict.fromkeys(one.about for one in routes))
    whose = origins[0] if len(origins) == 1 else f"{len(origins)} switches"
    return Finding(
        device=book.device,
        check="evpn",
        code="evpn-missing",
        subject=f"EVPN routes of type {routes[0].route_type} of {whose}",
        problem=f"are missing: {len(routes)}",
        expected=listed(f"{one.rd} {one.key}".strip() for one in routes),
        actual="no route",
        explained=cause,
        far=FindingEnd(origins[0], "") if len(origins) == 1 else NOWHERE,
        lines=tuple(one.key for one in routes) if len(origins) == 1 else (),
    )


def _own(book: Ledger, expected: Iterable[ExpectedEvpnRoute], state: Iterable[EvpnRoute]) -> None:
    """A flooding route of its own is a VNI that it has joined."""
    planned = {(one.rd, one.key) for one in expected}
    extra = {
        (r.rd, r.key) for r in state if r.route_type == FLOODING and not r.next_hop and (r.rd, r.key) not in planned
    }
    for rd, key in sorted(extra):
        book.wrong(
            Finding(
                device=book.device,
                check="evpn",
                code="evpn-unexpected",
                subject=f"EVPN route type 3 {rd} {key}",
                problem="is announced and not in the plan",
                expected="no route",
                actual="its own",
                lines=(key,),
            )
        )
