"""BGP in Junos' terms: groups, sessions and families of the default table and of VRFs."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Address
from fabricgen.device.device import Device
from fabricgen.device.routing import BgpVrf, ExternalNeighbor, Neighbor, PeerGroup
from fabricgen.platforms.junos.policy import ORIGINATED, originated

LINK_BFD_MS, OVERLAY_BFD_MS = 1000, 3000
"""Intervals of Juniper's designs for AI fabrics: a storm of pause frames must not take a session down."""
PRECISE_BELOW = 20
"""Hold time in seconds below which Junos' manual recommends timers in a thread of their own."""
FAMILIES = {"ipv4": ("inet", "unicast"), "ipv6": ("inet6", "unicast"), "evpn": ("evpn", "signaling")}


class FamilyContext(NamedTuple):
    """A family of a group. `extended`: IPv4 prefixes have IPv6 next hops (RFC 8950).

    restart  minutes that a session stays closed after more than `limit` prefixes; 0: Junos only logs the excess
    """

    name: str
    kind: str
    limit: int
    extended: bool
    restart: int


class PeerContext(NamedTuple):
    """A session. Empty policies: those of its group."""

    address: Address
    description: str
    remote_as: int
    import_policy: str
    export_policy: str


class GroupContext(NamedTuple):
    """A group. Each unnumbered link has its own, because Junos has no statement for one auto-discovered neighbor.

    link      unit of an unnumbered link, with the AS number of its remote end
    export    policies that a route passes in this order
    ttl       of a direct session that sends another one than 1; 0: it does not
    password  of the group; empty where its session is over an unnumbered link, which has its own statement for it
    """

    row: PeerGroup
    name: str
    description: str
    local_address: str
    import_policy: str
    export: str
    families: tuple[FamilyContext, ...]
    bfd_ms: int
    link: str
    remote_as: int
    ttl: int
    password: str
    peers: tuple[PeerContext, ...]


class ExternalContext(NamedTuple):
    """A session with an external peer, in a VRF."""

    row: ExternalNeighbor
    family: FamilyContext
    export: str


def groups_of(device: Device) -> Iterator[GroupContext]:
    """Yield the groups of the default table in the order of the Device, one for each unnumbered link."""
    bgp = device.routing.bgp
    for group in bgp.groups:
        members = tuple(row for row in bgp.neighbors if row.group == group.name)
        numbered = tuple(row for row in members if not row.interface)
        if numbered:
            yield _group(device, group, numbered)
        for row in members:
            if row.interface:
                # The group has this one session, so the session's own maps, such as those of a drain, are set on it.
                maps = row.route_map_in or group.route_map_in, row.route_map_out or group.route_map_out
                yield _group(device, group, ())._replace(
                    name=link_group(row),
                    description=row.description,
                    import_policy=maps[0],
                    export=_exports(group, maps[1]),
                    link=f"{row.interface}.0",
                    remote_as=row.remote_as,
                    password="",
                )


def _exports(group: PeerGroup, route_map: str) -> str:
    """Return an export list. An EVPN session takes nothing from a table of prefixes: the overlay makes its routes."""
    return f"[ {route_map} ]" if "evpn" in group.families else f"[ {ORIGINATED} {route_map} ]"


def _maps(group: PeerGroup, rows: tuple[Neighbor, ...]) -> tuple[str, str]:
    """Return the maps of a group: maps that all its sessions have instead of them, as on a drained switch, win.

    Junos keeps sessions with the same export together, and a neighbor's own statement splits them (Juniper's manual
    says so of long-lived graceful restart); operators report that an export of its own resets a session.
    """
    session_maps = {(row.route_map_in, row.route_map_out) for row in rows}
    # Equal maps of all sessions become the group's: then no session is taken out of its group.
    into, out = session_maps.pop() if len(session_maps) == 1 else ("", "")
    return into or group.route_map_in, out or group.route_map_out


def _group(device: Device, group: PeerGroup, rows: tuple[Neighbor, ...]) -> GroupContext:
    maps = _maps(group, rows)
    loopbacks = (row for row in device.interfaces.loopbacks if row.number == group.update_source and not row.vrf)
    return GroupContext(
        row=group,
        name=group.name,
        description=group.description,
        local_address=next((row.ipv4.partition("/")[0] for row in loopbacks), "") if group.update_source >= 0 else "",
        import_policy=maps[0],
        export=_exports(group, maps[1]),
        families=tuple(
            FamilyContext(
                *FAMILIES[name], group.maximum_routes, name == "ipv4" and group.extended_next_hop, group.restart_minutes
            )
            for name in group.families
        ),
        bfd_ms=(OVERLAY_BFD_MS if group.multihop else LINK_BFD_MS) if group.bfd else 0,
        link="",
        remote_as=0,
        ttl=0 if group.multihop else group.multihop_ttl,
        password=str(group.password) if group.password else "",
        peers=tuple(
            PeerContext(
                address=row.address,
                description=row.description,
                remote_as=row.remote_as,
                import_policy=row.route_map_in if row.route_map_in != maps[0] else "",
                export_policy=_exports(group, row.route_map_out) if row.route_map_out not in ("", maps[1]) else "",
            )
            for row in rows
        ),
    )


def link_group(row: Neighbor) -> str:
    """The group of the one session over an unnumbered link, named after its port."""
    return f"{row.group}-{row.interface.replace('/', '-').replace(':', '-')}"


def external_sessions(vrf: BgpVrf) -> Iterator[ExternalContext]:
    """Yield the external sessions of a VRF."""
    for row in vrf.neighbors:
        family = FamilyContext(*FAMILIES[row.family], row.maximum_routes, extended=False, restart=row.restart_minutes)
        yield ExternalContext(row, family, f"[ {originated(vrf.name)} {row.route_map_out} ]")
