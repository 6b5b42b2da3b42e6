"""The overlay of one switch: VNIs, the VTEPs they flood to, EVPN routes by type."""

from collections.abc import Iterable
from functools import partial

from fabricgen.base.text import listed
from fabricgen.state.state import EVPN, L2, EvpnRoute, Interface, Vni
from fabricgen.verify.expect.model import ExpectedEvpnRoute, ExpectedVni
from fabricgen.verify.finding import NOWHERE, FindingEnd
from fabricgen.verify.judge.ledger import Ledger
from fabricgen.verify.judge.ports import lag_number

DISCOVERY, FLOODING, SEGMENT = 1, 3, 4
"""EVPN route types (RFC 7432 section 7)."""

Floods = dict[tuple[str, ...], list[int]]
"""VTEPs → VNIs that do not flood to them, or do so although it is not planned."""


def judge_vnis(ledger: Ledger, expected: Iterable[ExpectedVni], state: Iterable[Vni]) -> None:
    """Judge each planned VNI, its flood list, and VNIs that are not planned."""
    by_number = {row.vni: row for row in state}
    lacking: Floods = {}
    extra: Floods = {}
    for row in expected:
        vni = by_number.pop(row.vni, None)
        if vni is None:
            _missing(ledger, row)
            continue
        _vni(ledger, row, vni)
        if row.kind == L2:
            _floods(ledger, row, vni, lacking, extra)
    for vteps, vnis in lacking.items():
        _vteps(ledger, vteps, vnis, lacking=True)
    for vteps, vnis in extra.items():
        _vteps(ledger, vteps, vnis, lacking=False)
    for number in sorted(by_number):
        _unexpected(ledger, by_number[number])


def _missing(ledger: Ledger, row: ExpectedVni) -> None:
    ledger.add(
        code="vni-missing",
        subject=f"VNI {row.vni}",
        problem="does not exist",
        expected=f"{row.kind.upper()} VNI of {row.vrf}",
        actual="not there",
        explained=ledger.causes.get("vnis", ""),
    )


def _vni(ledger: Ledger, row: ExpectedVni, actual: Vni) -> None:
    """Judge one VNI. VLAN 0 and an empty VRF mean that the platform does not report them."""
    add = partial(ledger.add, subject=f"VNI {row.vni}")
    if actual.kind != row.kind:
        kind, actual_kind = row.kind.upper(), actual.kind.upper()
        add(code="vni-wrong-kind", problem="is of the wrong kind (L2 or L3)", expected=kind, actual=actual_kind)
    elif row.vlan_id and actual.vlan_id and actual.vlan_id != row.vlan_id:
        planned_vlan, actual_vlan = f"VLAN {row.vlan_id}", f"VLAN {actual.vlan_id}"
        add(code="vni-wrong-vlan", problem="is on another VLAN", expected=planned_vlan, actual=actual_vlan)
    elif actual.vrf and actual.vrf != row.vrf:
        add(code="vni-wrong-vrf", problem="is in another VRF", expected=row.vrf, actual=actual.vrf)
    elif not actual.up:
        add(code="vni-down", problem="is down", expected="up", actual="down")
    elif actual.learning:
        text = "no learning: MAC addresses come from EVPN"
        add(code="tunnel-learns", problem="learns MAC addresses from frames", expected=text, actual="learning is on")
    else:
        ledger.right("vnis")


def _floods(ledger: Ledger, row: ExpectedVni, actual: Vni, lacking: Floods, extra: Floods) -> None:
    missing = tuple(sorted(set(row.vteps) - set(actual.vteps)))
    unplanned = tuple(sorted(set(actual.vteps) - set(row.vteps)))
    ledger.right("vnis", len(row.vteps) - len(missing))
    if missing:
        lacking.setdefault(missing, []).append(row.vni)
    if unplanned:
        extra.setdefault(unplanned, []).append(row.vni)


def _vteps(ledger: Ledger, vteps: tuple[str, ...], vnis: list[int], *, lacking: bool) -> None:
    add = partial(ledger.add, subject=f"VTEP {listed(vteps)}", lines=vteps)
    vnis_text = f"VNI {listed(map(str, vnis))}"
    if lacking:
        cause, text = ledger.causes.get(EVPN, ""), "is not flooded to"
        add(code="vtep-missing", problem=text, expected=f"in {vnis_text}", actual="not there", explained=cause)
    else:
        add(code="vtep-unexpected", problem="is flooded to", expected="not there", actual=f"in {vnis_text}")


def _unexpected(ledger: Ledger, vni: Vni) -> None:
    ledger.add(
        code="vni-unexpected",
        subject=f"VNI {vni.vni}",
        problem="is not in the plan",
        expected="not there",
        actual=f"{vni.kind.upper()} VNI" + (f" of {vni.vrf}" if vni.vrf else ""),
    )


def up_lags(state: Iterable[Interface]) -> frozenset[int]:
    """Numbers of the aggregates that are up."""
    return frozenset(number for interface in state if interface.oper_up and (number := lag_number(interface)))


def judge_evpn(
    ledger: Ledger, expected: tuple[ExpectedEvpnRoute, ...], state: Iterable[EvpnRoute], lags: frozenset[int]
) -> None:
    """Judge each planned route, and own flooding routes that are not planned. `lags`: those that are up."""
    by_key: dict[tuple[int, str, str], EvpnRoute] = {}
    for route in state:
        for rd in (route.rd, ""):
            by_key.setdefault((route.route_type, rd, _key(route.route_type, route.key)), route)
    missing: dict[tuple[int, str, str], list[ExpectedEvpnRoute]] = {}
    for row in expected:
        actual = by_key.get((row.route_type, row.rd, _key(row.route_type, row.key)))
        if row.lag and row.lag not in lags:
            continue
        if actual is None:
            cause = ledger.causes.get(EVPN if row.next_hop else "vnis", "")
            missing.setdefault((row.route_type, cause, "" if cause else row.about), []).append(row)
        elif row.rd and actual.next_hop != row.next_hop:
            _elsewhere(ledger, row, actual)
        else:
            ledger.right("evpn")
    for (_, cause, _), routes in missing.items():
        _lacks(ledger, routes, cause)
    _own(ledger, expected, by_key.values())


def _key(kind: int, text: str) -> str:
    """A comparable key: Ethernet segments are written in ten octets or in five groups."""
    return text.replace(":", "").lower() if kind in (DISCOVERY, SEGMENT) else text


def _route(row: ExpectedEvpnRoute) -> str:
    return f"type {row.route_type} {row.rd} {row.key}".replace("  ", " ")


def _elsewhere(ledger: Ledger, row: ExpectedEvpnRoute, actual: EvpnRoute) -> None:
    ledger.add(
        code="evpn-next-hop",
        subject=f"EVPN route {_route(row)} of {row.about}",
        problem="has another VTEP as next hop",
        expected=row.next_hop or "its own",
        actual=actual.next_hop or "its own",
    )


def _lacks(ledger: Ledger, routes: list[ExpectedEvpnRoute], cause: str) -> None:
    origins = list(dict.fromkeys(row.about for row in routes))
    origin_text = origins[0] if len(origins) == 1 else f"{len(origins)} switches"
    ledger.add(
        code="evpn-missing",
        subject=f"EVPN routes of type {routes[0].route_type} of {origin_text}",
        problem=f"are missing: {len(routes)}",
        expected=listed(f"{row.rd} {row.key}".strip() for row in routes),
        actual="no route",
        explained=cause,
        far=FindingEnd(origins[0], "") if len(origins) == 1 else NOWHERE,
        lines=tuple(row.key for row in routes) if len(origins) == 1 else (),
    )


def _own(ledger: Ledger, expected: Iterable[ExpectedEvpnRoute], state: Iterable[EvpnRoute]) -> None:
    """Judge own flooding routes: each is a VNI that the switch has joined."""
    planned = {(row.rd, row.key) for row in expected}
    extra = {
        (route.rd, route.key)
        for route in state
        if route.route_type == FLOODING and not route.next_hop and (route.rd, route.key) not in planned
    }
    for rd, key in sorted(extra):
        ledger.add(
            code="evpn-unexpected",
            subject=f"EVPN route type 3 {rd} {key}",
            problem="is announced, but not in the plan",
            expected="no route",
            actual="its own",
            lines=(key,),
        )
