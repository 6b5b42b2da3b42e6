"""What all leaves must have alike of VNIs, RDs, gateways, Ethernet segments and tunnels."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TypeVar

from fabricgen.audit.site_view import SiteView
from fabricgen.audit.tenants import Here
from fabricgen.audit.views import TIERS, GatewayView, LagView, SwitchView, host_of
from fabricgen.audit.violations import Violation

T = TypeVar("T")
V = TypeVar("V")


def overlays(site: SiteView) -> Iterator[Violation]:
    """VNIs, RDs, gateways and Ethernet segments fit together on all leaves."""
    for fabric, switches in site.fabrics.items():
        vrfs = [Here(switch, row) for switch in switches for row in switch.vrfs if row.vni or row.exports]
        vlans = [Here(switch, row) for switch in switches for row in switch.vlans]
        yield from _one_number(vrfs)
        yield from _one_number(vlans)
        yield from _shared_vnis((*vrfs, *vlans))
        yield from _distinguishers((*vrfs, *vlans))
        yield from _tunnels(switches)
        yield from _gateways(switches)
        absent = site.absent.get(fabric, {}).values()
        yield from _segments(switches, is_whole=all(TIERS[role] for role in absent))


def _violation(here: Here, what: str, why: str) -> Violation:
    return Violation("overlays", here.switch.name, here.row.at, f"{here.text}: {what}", why)


def _one_number(rows: Iterable[Here]) -> Iterator[Violation]:
    """A VRF or VLAN has one VNI on all leaves: that of most of them counts as right."""
    by_name: dict[str, list[Here]] = {}
    for here in rows:
        by_name.setdefault(here.row.name, []).append(here)
    for same in by_name.values():
        for here, usual in _odd([(here, here.row.vni) for here in same]):
            what = f"VNI {here.row.vni}, and {usual} on other leaves"
            yield _violation(here, what, "its packets reach no other leaf")


def _odd(rows: list[tuple[T, V]]) -> Iterator[tuple[T, V]]:
    """Rows whose value is not that of most, each with that value. Where no value has more than half, all are named."""
    counts = Counter(value for _, value in rows)
    (usual, count), *others = counts.most_common()
    if not others:
        return
    for row, value in rows:
        if value != usual:
            yield row, usual
        elif 2 * count <= len(rows):
            yield row, others[0][0]


def _shared_vnis(rows: Iterable[Here]) -> Iterator[Violation]:
    """A VNI belongs to one VRF or VLAN."""
    owner: dict[int, Here] = {}
    for here in rows:
        first = owner.setdefault(here.row.vni, here)
        if here.row.vni and here.text != first.text:
            yield _violation(
                here, f"VNI {here.row.vni} is also that of {first.text}", "packets end up in the other one"
            )


def _distinguishers(rows: Iterable[Here]) -> Iterator[Violation]:
    """A route distinguisher is that of one VRF or VLAN on one switch (RFC 4364, 4.2)."""
    owner: dict[str, Here] = {}
    for here in rows:
        first = owner.setdefault(here.row.rd, here)
        if here.row.rd and first is not here:
            what = f"RD {here.row.rd} is also that of {first.text} on {first.switch.name}"
            yield _violation(here, what, "routes of the two replace each other")


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(words))


def _tunnels(switches: list[SwitchView]) -> Iterator[Violation]:
    """What has a VNI has a tunnel; the address that it starts at is on a loopback, and BGP announces it."""
    for switch in switches:
        if not switch.vtep:
            bridged = next((row for row in (*switch.vlans, *switch.vrfs) if row.vni), None)
            if bridged is not None:
                yield _violation(Here(switch, bridged), "it has a VNI, and the switch no VTEP", "no tunnel comes up")
            continue
        has = any(host_of(address) == switch.vtep for port in switch.ports.values() for address in port.addresses)
        if not has:
            what = f"VTEP {switch.vtep} is the address of no loopback"
            yield Violation("overlays", switch.name, switch.at, what, "no tunnel comes up")
        elif not any(not vrf and host_of(prefix) == switch.vtep for vrf, prefix in switch.networks):
            what = f"VTEP {switch.vtep} is not announced"
            yield Violation("overlays", switch.name, switch.at, what, "other leaves do not reach its tunnels")


def _gateways(switches: list[SwitchView]) -> Iterator[Violation]:
    """The gateway of a VLAN has one MAC address, the same addresses and the same VRF on every leaf."""
    by_vlan: dict[str, list[tuple[SwitchView, GatewayView]]] = {}
    for switch in switches:
        for gateway in switch.gateways:
            by_vlan.setdefault(gateway.vlan, []).append((switch, gateway))
    for vlan, rows in by_vlan.items():
        for (switch, gateway), usual in _odd([((switch, gateway), _same(gateway)) for switch, gateway in rows]):
            for word, mine, others in zip(("MAC address", "addresses", "VRF"), _same(gateway), usual, strict=True):
                if mine != others:
                    what = f"gateway of VLAN {vlan}: {word} {mine or 'none'}, and {others or 'none'} on other leaves"
                    yield Violation("overlays", switch.name, gateway.at, what, "a server that moves loses its gateway")


def _same(gateway: GatewayView) -> tuple[str, str, str]:
    """What all leaves have alike of a gateway."""
    return gateway.mac, _listed(gateway.addresses), gateway.vrf


def _segments(switches: list[SwitchView], *, is_whole: bool) -> Iterator[Violation]:
    """An Ethernet segment is of one server: two leaves, one LACP system id, two preferences (RFC 7432, RFC 9785).

    is_whole  every leaf of the fabric has a configuration; else the other leaf may be one without
    """
    by_esi: dict[str, list[tuple[SwitchView, LagView]]] = {}
    for switch in switches:
        for row in switch.segments:
            by_esi.setdefault(row.esi, []).append((switch, row))
    for esi, rows in by_esi.items():
        usual = rows[0][1]
        for switch, row in rows[1:]:
            for what, why in _segment_faults(row, usual):
                text = f"aggregate {row.number}: segment {esi} {what} {rows[0][0].name}"
                yield Violation("overlays", switch.name, row.at, text, why)
        if len(rows) == 1 and is_whole:
            switch, row = rows[0]
            text = f"aggregate {row.number}: segment {esi} is on no other leaf"
            yield Violation("overlays", switch.name, row.at, text, "the server is behind this leaf alone")


def _segment_faults(row: LagView, other: LagView) -> Iterator[tuple[str, str]]:
    if row.description != other.description:
        yield "is that of another server on", "the two servers count as one"
    if row.system_id != other.system_id:
        yield "does not have the LACP system id of", "the server sees two switches, and uses one"
    if row.df_preference == other.df_preference and row.df_preference:
        yield "has the DF preference of", "both leaves, or none, forward broadcast to it"
