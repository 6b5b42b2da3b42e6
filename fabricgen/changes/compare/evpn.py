"""Facts of the overlay: VTEP, VLANs, gateways, tenants' VRFs."""

from collections.abc import Iterator

from fabricgen.changes.change import Fact
from fabricgen.changes.compare.values import Members, Setting, Thing, Where, added, number, removed, settings, things
from fabricgen.device.evpn import Evpn, Gateway, Vlan, Vrf


def _loopback(value: object) -> str:
    return f"loopback {value}" if number(value) else ""


EVPN: tuple[Setting[Evpn], ...] = (
    Setting("evpn.vtep", lambda evpn: evpn.vtep),
    Setting("evpn.gateway-mac", lambda evpn: evpn.gateway_mac),
    Setting("evpn.mtu", lambda evpn: evpn.mtu),
    Setting("evpn.marks", lambda evpn: evpn.marks),
    Setting("evpn.multihomed", lambda evpn: evpn.multihomed),
)

VLAN = Thing[Vlan](
    "evpn.vlan",
    key=lambda vlan: vlan.vlan_id,
    summary=lambda vlan: f"{vlan.name}, VNI {vlan.vni}",
    settings=(
        Setting("evpn.vlan.name", lambda vlan: vlan.name),
        Setting("evpn.vlan.vni", lambda vlan: vlan.vni),
        Setting("evpn.vlan.rd", lambda vlan: vlan.rd),
        Setting("evpn.vlan.route-target", lambda vlan: vlan.route_target),
        Setting("evpn.vlan.vrf", lambda vlan: vlan.vrf),
        Setting("evpn.vlan.macs", lambda vlan: vlan.macs),
    ),
)

GATEWAY = Thing[Gateway](
    "evpn.gateway",
    key=lambda gateway: gateway.vlan_id,
    summary=lambda gateway: tuple(address for address in (gateway.ipv4, gateway.ipv6) if address),
    settings=(
        Setting("evpn.gateway.description", lambda gateway: gateway.description),
        Setting("evpn.gateway.vrf", lambda gateway: gateway.vrf),
        Setting("evpn.gateway.ipv4", lambda gateway: gateway.ipv4),
        Setting("evpn.gateway.ipv6", lambda gateway: gateway.ipv6),
        Setting("evpn.gateway.mtu", lambda gateway: gateway.mtu),
        Setting("evpn.gateway.relay-source", lambda gateway: gateway.relay_source, _loopback),
    ),
    members=(
        Members("evpn.gateway.relay", lambda gateway: gateway.relays_ipv4),
        Members("evpn.gateway.relay", lambda gateway: gateway.relays_ipv6),
    ),
)

VRF = Thing[Vrf](
    "evpn.vrf",
    key=lambda vrf: vrf.name,
    summary=lambda vrf: f"VNI {vrf.vni}",
    settings=(
        Setting("evpn.vrf.vni", lambda vrf: vrf.vni),
        Setting("evpn.vrf.id", lambda vrf: vrf.id, number),
    ),
)


def evpn_facts(before: Evpn | None, after: Evpn | None) -> Iterator[Fact]:
    """Everything of the overlay that differs. What a VTEP carries is told too where the VTEP comes or goes."""
    if before is None and after is not None:
        yield added("evpn", after.vtep, Where())
    elif after is None and before is not None:
        yield removed("evpn", before.vtep, Where())
    elif before is not None and after is not None:
        yield from settings(EVPN, before, after, Where())
    yield from _carried(before, after)


def _carried(before: Evpn | None, after: Evpn | None) -> Iterator[Fact]:
    yield from things(
        VLAN,
        before.vlans if before else (),
        after.vlans if after else (),
        lambda vlan: Where(str(vlan.vlan_id), vrf=vlan.vrf),
    )
    yield from things(
        GATEWAY,
        before.gateways if before else (),
        after.gateways if after else (),
        lambda gateway: Where(str(gateway.vlan_id), vrf=gateway.vrf),
    )
    yield from things(
        VRF,
        before.vrfs if before else (),
        after.vrfs if after else (),
        lambda vrf: Where(vrf.name, vrf=vrf.name),
    )
