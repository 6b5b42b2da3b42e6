"""Changes of the interfaces: ports with their profiles, LAGs, subinterfaces, loopbacks."""

from collections.abc import Iterator

from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.values import (
    ChangeScope,
    ComparedField,
    Members,
    Thing,
    added,
    device_change,
    members,
    octets,
    paired,
    removed,
    settings,
    things,
)
from fabricgen.device.interfaces import Ethernet, Interfaces, Lag, Loopback, PortProfile, Subinterface, Switching

UNSWITCHED = Switching(access_vlan=0, trunk_vlans=(), bpdu_guard=False, broadcast_percent=0, multicast_percent=0)
"""Layer 2 settings of a routed port."""


def _metres(value: object) -> str:
    return f"{str(value).removesuffix('.0')} m" if value else ""


def _speed(profile: PortProfile) -> str:
    return f"{profile.speed_gbps}G over {profile.lanes} lanes, {profile.parts} in the cage"


def _role(profile: PortProfile) -> str:
    return f"{profile.role} ({'routed' if profile.routed else 'switched'})" if profile.role else ""


def _storm(switching: Switching) -> str:
    limits = (
        ("broadcast", switching.broadcast_percent),
        ("multicast", switching.multicast_percent),
        ("unknown unicast", switching.unknown_unicast_percent),
    )
    return ", ".join(f"{name} {percent} %" for name, percent in limits if percent)


def _far(port: Ethernet) -> str:
    return f"{port.peer} {port.peer_port}".strip()


def _segment(lag: Lag) -> str:
    return f"{lag.esi}, ES-Import {lag.es_import}" if lag.es_import else lag.esi


PROFILE: tuple[ComparedField[PortProfile], ...] = (
    ComparedField("interface.role", _role),
    ComparedField("interface.mtu", lambda profile: profile.mtu),
    ComparedField("interface.speed", _speed),
    ComparedField("interface.fec", lambda profile: profile.fec),
    ComparedField("interface.qos", lambda profile: profile.qos),
    ComparedField("interface.sflow", lambda profile: profile.sflow),
    ComparedField("interface.tracking", lambda profile: profile.tracking),
    ComparedField("interface.unnumbered", lambda profile: profile.unnumbered),
)
"""The name of a profile is not compared: it only repeats role and speed."""

ETHERNET: tuple[ComparedField[Ethernet], ...] = (
    ComparedField("interface.description", lambda port: port.description),
    ComparedField("interface.enabled", lambda port: port.enabled),
    ComparedField("interface.vrf", lambda port: port.vrf),
    ComparedField("interface.ipv4", lambda port: port.ipv4),
    ComparedField("interface.ipv6", lambda port: port.ipv6),
    ComparedField("interface.lag", lambda port: port.lag),
    ComparedField("interface.headroom", lambda port: port.headroom_octets, octets),
    ComparedField("interface.peer", _far),
    ComparedField("interface.length", lambda port: port.length_m, _metres),
    ComparedField("interface.dead", lambda port: port.dead),
)

INTERFACE_SWITCHING: tuple[ComparedField[Switching], ...] = (
    ComparedField("interface.access-vlan", lambda switching: switching.access_vlan),
    ComparedField("interface.bpdu-guard", lambda switching: switching.bpdu_guard),
    ComparedField("interface.storm-control", _storm),
    ComparedField("interface.mac-limit", lambda switching: switching.mac_limit),
    ComparedField("interface.ra-guard", lambda switching: switching.ra_guard),
)
INTERFACE_VLANS: tuple[Members[Switching], ...] = (
    Members("interface.trunk-vlan", lambda switching: switching.trunk_vlans),
)

LAG = Thing[Lag](
    "lag",
    key=lambda lag: lag.number,
    summary=lambda lag: lag.description,
    settings=(
        ComparedField("lag.description", lambda lag: lag.description),
        ComparedField("lag.access-vlan", lambda lag: lag.switching.access_vlan),
        ComparedField("lag.bpdu-guard", lambda lag: lag.switching.bpdu_guard),
        ComparedField("lag.storm-control", lambda lag: _storm(lag.switching)),
        ComparedField("lag.mac-limit", lambda lag: lag.switching.mac_limit),
        ComparedField("lag.ra-guard", lambda lag: lag.switching.ra_guard),
        ComparedField("lag.mtu", lambda lag: lag.mtu),
        ComparedField("lag.esi", _segment),
        ComparedField("lag.df-preference", lambda lag: lag.df_preference),
        ComparedField("lag.system-id", lambda lag: lag.system_id),
        ComparedField("lag.fallback", lambda lag: lag.fallback),
        ComparedField("lag.tracking", lambda lag: lag.tracking),
    ),
    members=(
        Members("lag.trunk-vlan", lambda lag: lag.switching.trunk_vlans),
        Members("lag.member", lambda lag: lag.members),
    ),
)

SUBINTERFACE = Thing[Subinterface](
    "subinterface",
    key=lambda subinterface: (subinterface.parent, subinterface.vlan_id),
    summary=lambda subinterface: subinterface.description,
    settings=(
        ComparedField("subinterface.description", lambda subinterface: subinterface.description),
        ComparedField("subinterface.vrf", lambda subinterface: subinterface.vrf),
        ComparedField("subinterface.ipv4", lambda subinterface: subinterface.ipv4),
        ComparedField("subinterface.ipv6", lambda subinterface: subinterface.ipv6),
        ComparedField("subinterface.mtu", lambda subinterface: subinterface.mtu),
    ),
)

LOOPBACK = Thing[Loopback](
    "loopback",
    key=lambda loopback: loopback.number,
    summary=lambda loopback: tuple(address for address in (loopback.ipv4, loopback.ipv6) if address),
    settings=(
        ComparedField("loopback.description", lambda loopback: loopback.description),
        ComparedField("loopback.ipv4", lambda loopback: loopback.ipv4),
        ComparedField("loopback.ipv6", lambda loopback: loopback.ipv6),
        ComparedField("loopback.vrf", lambda loopback: loopback.vrf),
    ),
)


def interface_changes(before: Interfaces, after: Interfaces) -> Iterator[DeviceChange]:
    """All changes of the interfaces."""
    if (before.ethernet, before.idle) != (after.ethernet, after.idle):
        yield from _ports((*before.ethernet, *before.idle), (*after.ethernet, *after.idle))
    if before.lags != after.lags or before.subinterfaces != after.subinterfaces:
        peers = {**peers_of(before), **peers_of(after)}
        yield from things(LAG, before.lags, after.lags, lambda lag: _lag_where(lag, peers))
        yield from things(
            SUBINTERFACE, before.subinterfaces, after.subinterfaces, lambda sub: _subinterface_where(sub, peers)
        )
    if before.loopbacks != after.loopbacks:
        yield from things(
            LOOPBACK, before.loopbacks, after.loopbacks, lambda row: ChangeScope(str(row.number), vrf=row.vrf)
        )


def peers_of(interfaces: Interfaces) -> dict[str, str]:
    """Port → remote device."""
    return {port.name: port.peer for port in interfaces.ethernet}


def subinterface_name(subinterface: Subinterface) -> str:
    """Port and VLAN, as operating systems write it."""
    return f"{subinterface.parent}.{subinterface.vlan_id}"


def _lag_where(lag: Lag, peers: dict[str, str]) -> ChangeScope:
    # All members lead to one server, so the first one represents them.
    port = lag.members[0] if lag.members else ""
    return ChangeScope(str(lag.number), port, peers.get(port, ""))


def _subinterface_where(sub: Subinterface, peers: dict[str, str]) -> ChangeScope:
    return ChangeScope(subinterface_name(sub), sub.parent, peers.get(sub.parent, ""), sub.vrf)


def _ports(before: tuple[Ethernet, ...], after: tuple[Ethernet, ...]) -> Iterator[DeviceChange]:
    profiles: dict[tuple[int, int], tuple[DeviceChange, ...]] = {}
    for old, new in paired(before, after, lambda port: port.name):
        if old is None or new is None:
            if new is not None:
                yield added("interface", new.description, ChangeScope(new.name, new.name, new.peer))
            elif old is not None:
                yield removed("interface", old.description, ChangeScope(old.name, old.name, old.peer))
            continue
        where = ChangeScope(new.name, new.name, new.peer or old.peer)
        yield from settings(ETHERNET, old, new, where)
        if old.switching != new.switching:
            yield from _switching(old.switching, new.switching, where)
        for change in _profile(old.profile, new.profile, profiles):
            yield change._replace(subject=where.subject, port=where.port, peer=where.peer)


def _profile(
    old: PortProfile, new: PortProfile, known: dict[tuple[int, int], tuple[DeviceChange, ...]]
) -> tuple[DeviceChange, ...]:
    """Changes of a profile. Most ports share one, so each pair of profiles is compared once."""
    if old is new:
        return ()
    pair = (id(old), id(new))
    if pair not in known:
        known[pair] = tuple(settings(PROFILE, old, new, ChangeScope()))
    return known[pair]


def _switching(old: Switching | None, new: Switching | None, where: ChangeScope) -> Iterator[DeviceChange]:
    before, after = old or UNSWITCHED, new or UNSWITCHED
    if before == after:
        # Switched, but without a VLAN: no other setting distinguishes it from a routed port.
        yield device_change("interface.access-vlan", "none" if old else "", "none" if new else "", where)
    yield from settings(INTERFACE_SWITCHING, before, after, where)
    yield from members(INTERFACE_VLANS, before, after, where)
