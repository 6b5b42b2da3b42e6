"""Changes of the overlay: VTEP, VLANs, gateways, tenants' VRFs."""

from collections.abc import Iterator

from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.values import (
    ChangeScope,
    ComparedField,
    Members,
    Thing,
    loopback,
    number,
    only,
    things,
)
from fabricgen.device.evpn import Evpn, Gateway, Vlan, Vrf


def _duplicates(evpn: Evpn) -> str:
    found = evpn.duplicate_mac
    if found is None:
        return ""
    recovery = f", {found.recovery_seconds} s until it is learned again" if found.recovery_seconds else ""
    return f"{found.moves} moves in {found.window_seconds} s{recovery}"


EVPN = Thing[Evpn](
    "evpn",
    key=lambda _: "",
    summary=lambda evpn: evpn.vtep,
    settings=(
        ComparedField("evpn.vtep", lambda evpn: evpn.vtep),
        ComparedField("evpn.gateway-mac", lambda evpn: evpn.gateway_mac),
        ComparedField("evpn.mtu", lambda evpn: evpn.mtu),
        ComparedField("evpn.marks", lambda evpn: evpn.marks),
        ComparedField("evpn.multihomed", lambda evpn: evpn.multihomed),
        ComparedField("evpn.duplicate-mac", _duplicates),
    ),
)

VLAN = Thing[Vlan](
    "evpn.vlan",
    key=lambda vlan: vlan.vlan_id,
    summary=lambda vlan: f"{vlan.name}, VNI {vlan.vni}",
    settings=(
        ComparedField("evpn.vlan.name", lambda vlan: vlan.name),
        ComparedField("evpn.vlan.vni", lambda vlan: vlan.vni),
        ComparedField("evpn.vlan.rd", lambda vlan: vlan.rd),
        ComparedField("evpn.vlan.route-target", lambda vlan: vlan.route_target),
        ComparedField("evpn.vlan.vrf", lambda vlan: vlan.vrf),
        ComparedField("evpn.vlan.macs", lambda vlan: vlan.macs),
    ),
)

GATEWAY = Thing[Gateway](
    "evpn.gateway",
    key=lambda gateway: gateway.vlan_id,
    summary=lambda gateway: tuple(address for address in (gateway.ipv4, gateway.ipv6) if address),
    settings=(
        ComparedField("evpn.gateway.description", lambda gateway: gateway.description),
        ComparedField("evpn.gateway.vrf", lambda gateway: gateway.vrf),
        ComparedField("evpn.gateway.ipv4", lambda gateway: gateway.ipv4),
        ComparedField("evpn.gateway.ipv6", lambda gateway: gateway.ipv6),
        ComparedField("evpn.gateway.mtu", lambda gateway: gateway.mtu),
        ComparedField("evpn.gateway.relay-source", lambda gateway: gateway.relay_source, loopback),
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
        ComparedField("evpn.vrf.vni", lambda vrf: vrf.vni),
        ComparedField("evpn.vrf.id", lambda vrf: vrf.id, number),
    ),
)


def evpn_changes(before: Evpn | None, after: Evpn | None) -> Iterator[DeviceChange]:
    """All changes of the overlay. If the VTEP is added or removed, so is everything that it carries."""
    yield from things(EVPN, only(before), only(after), lambda _: ChangeScope())
    yield from things(
        VLAN,
        before.vlans if before else (),
        after.vlans if after else (),
        lambda vlan: ChangeScope(str(vlan.vlan_id), vrf=vlan.vrf),
    )
    yield from things(
        GATEWAY,
        before.gateways if before else (),
        after.gateways if after else (),
        lambda gateway: ChangeScope(str(gateway.vlan_id), vrf=gateway.vrf),
    )
    yield from things(
        VRF,
        before.vrfs if before else (),
        after.vrfs if after else (),
        lambda vrf: ChangeScope(vrf.name, vrf=vrf.name),
    )
