"""Expectations of one switch's ports: interfaces, LLDP neighbors, sessions and lossless settings."""

from collections.abc import Callable, Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.device.evpn import Evpn
from fabricgen.device.interfaces import Ethernet, Switching
from fabricgen.state.state import ETHERNET, LAG, LOOPBACK, SUBINTERFACE, SVI
from fabricgen.verify.expect.model import (
    ExpectedAdjacency,
    ExpectedBfd,
    ExpectedInterface,
    ExpectedSession,
)
from fabricgen.verify.expect.speakers import port_by_peer
from fabricgen.verify.finding import FindingEnd

About = Callable[[str, str], str]
"""(switch, port) → name of the port's cable, for people."""
SERVERS = ("host", "server")
"""Roles of ports whose far end is a server. The plan requires the server: one that is switched off is a finding."""


def addresses(*texts: str) -> tuple[str, ...]:
    """The non-empty addresses, sorted."""
    return tuple(sorted(address for address in texts if address))


def interfaces(device: Device) -> Iterator[ExpectedInterface]:
    """All interfaces of the plan, without the management port and what a platform adds by itself."""
    for row in device.interfaces.ethernet:
        yield _port(row)
    for lag in device.interfaces.lags:
        yield ExpectedInterface(
            f"lag {lag.number}", LAG, True, lag.mtu, (), server=True, members=lag.members, vlans=_vlans(lag.switching)
        )
    for sub in device.interfaces.subinterfaces:
        interface_addresses = addresses(sub.ipv4, sub.ipv6)
        name = f"{sub.parent}.{sub.vlan_id}"
        yield ExpectedInterface(name, SUBINTERFACE, True, sub.mtu, interface_addresses, sub.vrf, sub.vlan_id)
    for loopback in device.interfaces.loopbacks:
        interface_addresses = addresses(loopback.ipv4, loopback.ipv6)
        yield ExpectedInterface(f"loopback {loopback.number}", LOOPBACK, True, 0, interface_addresses, loopback.vrf)
    if device.evpn:
        yield from _gateways(device.evpn)


def _gateways(evpn: Evpn) -> Iterator[ExpectedInterface]:
    for row in evpn.gateways:
        yield ExpectedInterface(
            name=f"vlan {row.vlan_id}",
            kind=SVI,
            up=True,
            mtu=row.mtu,
            addresses=addresses(row.ipv4, row.ipv6),
            vrf=row.vrf,
            vlan_id=row.vlan_id,
            mac=evpn.gateway_mac,
        )


def _port(row: Ethernet) -> ExpectedInterface:
    """The interface of a port; a member of an aggregate has no VLANs of its own."""
    return ExpectedInterface(
        name=row.name,
        kind=ETHERNET,
        up=None if row.enabled and row.dead else row.enabled,
        mtu=row.profile.mtu,
        addresses=addresses(row.ipv4, row.ipv6),
        server=row.profile.role in SERVERS,
        vlans=_vlans(row.switching) if row.switching and not row.lag else None,
        vrf=row.vrf,
    )


def _vlans(switching: Switching) -> tuple[tuple[int, int], ...]:
    untagged = ((0, switching.access_vlan),) if switching.access_vlan else ()
    return (*untagged, *((vlan, vlan) for vlan in sorted(switching.trunk_vlans)))


def described(device: Device) -> About:
    """Name of a cable from the Device alone: the description after the far end, or the port's role.

    A Device has neither rail nor plane; the description of a host port names the rail.
    """
    rows = {row.name: row for row in device.interfaces.ethernet}

    def about(_: str, port: str) -> str:
        row = rows[port]
        return row.description.removeprefix(f"{row.peer} {row.peer_port}").strip() or row.profile.role

    return about


def adjacencies(device: Device, ports: Mapping[str, tuple[str, ...]], about: About) -> Iterator[ExpectedAdjacency]:
    """LLDP over every enabled cable, if the switch sends LLDP. `ports`: server → names of all its ports."""
    if not device.management.lldp:
        return
    for row in device.interfaces.ethernet:
        if row.enabled and row.peer:
            yield ExpectedAdjacency(
                port=row.name,
                system=row.peer,
                port_id=row.peer_port,
                required=row.profile.role in ("uplink", "downlink") and not row.dead,
                about=about(device.name, row.name),
                known=ports.get(row.peer, ()) if row.profile.role in SERVERS else (),
                dead=row.dead,
            )


def dead_peers(device: Device) -> frozenset[str]:
    """Far ends that are reached over dead cables only."""
    enabled = [row for row in device.interfaces.ethernet if row.enabled]
    return frozenset(row.peer for row in enabled if row.dead) - {row.peer for row in enabled if not row.dead}


def sessions(device: Device, owners: Mapping[str, str]) -> Iterator[ExpectedSession]:
    """Sessions inside the fabric, then those with outside peers. `owners`: loopback address → switch."""
    bgp, rows = device.routing.bgp, port_by_peer(device)
    groups = {group.name: group for group in bgp.groups}
    dead = dead_peers(device)
    for neighbor in bgp.neighbors:
        families = tuple(sorted(groups[neighbor.group].families))
        row = rows.get(neighbor.peer)
        far = (
            FindingEnd(row.peer, row.peer_port)
            if row
            else FindingEnd(owners.get(neighbor.address, neighbor.description), "")
        )
        is_dead = row.dead if row else far.system in dead
        yield ExpectedSession("", neighbor.peer, neighbor.remote_as, families, far, dead=is_dead)
    for vrf in bgp.vrfs:
        for outside in vrf.neighbors:
            far = FindingEnd(outside.description, "")
            yield ExpectedSession(vrf.name, outside.address, outside.remote_as, (outside.family,), far)


def bfd(device: Device) -> Iterator[ExpectedBfd]:
    """One BFD session for each BGP session that requires it."""
    bgp = device.routing.bgp
    watched = {group.name for group in bgp.groups if group.bfd}
    dead = {session.peer for session in sessions(device, {}) if session.dead}
    neighbors = (neighbor for neighbor in bgp.neighbors if neighbor.group in watched)
    return (ExpectedBfd("", neighbor.peer) for neighbor in neighbors if neighbor.peer not in dead)
