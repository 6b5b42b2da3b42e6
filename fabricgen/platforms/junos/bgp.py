"""BGP in Junos' own words: groups, sessions and families of the default table and of VRFs."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.addresses import Address
from fabricgen.device.device import Device
from fabricgen.device.routing import BgpVrf, ExternalNeighbor, Neighbor, PeerGroup
from fabricgen.platforms.junos.policy import ORIGINATED, originated

LINK_BFD_MS, OVERLAY_BFD_MS = 1000, 3000
"""Both are Juniper's for AI fabrics: storms of pause frames shall not take a session down."""
PRECISE_BELOW = 20
"""Seconds of hold time below which Junos' manual asks for timers in a thread of their own."""
FAMILIES = {"ipv4": ("inet", "unicast"), "ipv6": ("inet6", "unicast"), "evpn": ("evpn", "signaling")}


class FamilyContext(NamedTuple):
    """A family of a group. `extended`: IPv4 prefixes have IPv6 next hops (RFC 8950).

    restart  minutes that a session is closed for when it brings more than `limit`; 0: Junos only logs it
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
    """A group. An unnumbered link is one of its own, for Junos has no line for a session that it finds by itself.

    link      the unit of an unnumbered link, with the AS number of its far end
    export    the policies that a route passes one after the other
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
    peers: tuple[PeerContext, ...]


class ExternalContext(NamedTuple):
    """A session with something outside, in a VRF."""

    row: ExternalNeighbor
    family: FamilyContext
    export: str


class VrfSpeaker(NamedTuple):
    """BGP of one VRF."""

    vrf: BgpVrf
    neighbors: tuple[ExternalContext, ...]


def groups_of(device: Device) -> Iterator[GroupContext]:
    """Groups of the default table in the order of the Device, each unnumbered link for itself."""
    bgp = device.routing.bgp
    for group in bgp.groups:
        mine = tuple(row for row in bgp.neighbors if row.group == group.name)
        numbered = tuple(row for row in mine if not row.interface)
        if numbered:
            yield _group(device, group, numbered)
        for row in mine:
            if row.interface:
                # What is one link's, maps of a drain among it, is its group's.
                maps = row.route_map_in or group.route_map_in, row.route_map_out or group.route_map_out
                yield _group(device, group, ())._replace(
                    name=link_group(row),
                    description=row.description,
                    import_policy=maps[0],
                    export=_exports(group, maps[1]),
                    link=f"{row.interface}.0",
                    remote_as=row.remote_as,
                )


def _exports(group: PeerGroup, route_map: str) -> str:
    """An EVPN session hands on routes that the overlay makes: nothing is taken from a table of prefixes."""
    return f"[ {route_map} ]" if "evpn" in group.families else f"[ {ORIGINATED} {route_map} ]"


def _maps(group: PeerGroup, rows: tuple[Neighbor, ...]) -> tuple[str, str]:
    """Maps of a group: those that all its sessions were given in their place, as where a whole switch is drained.

    Junos keeps sessions of one export together, and what is a neighbor's own splits them (Juniper's manual says so of
    long-lived graceful restart); operators report that a session is reset by an export of its own.
    """
    own = {(row.route_map_in, row.route_map_out) for row in rows}
    into, out = own.pop() if len(own) == 1 else ("", "")
    return into or group.route_map_in, out or group.route_map_out


def _group(device: Device, group: PeerGroup, rows: tuple[Neighbor, ...]) -> GroupContext:
    maps = _maps(group, rows)
    found = (row for row in device.interfaces.loopbacks if row.number == group.update_source and not row.vrf)
    return GroupContext(
        row=group,
        name=group.name,
        description=group.description,
        local_address=next((row.ipv4.partition("/")[0] for row in found), "") if group.update_source >= 0 else "",
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
    """Group of the one session over an unnumbered link, by its port."""
    return f"{row.group}-{row.interface.replace('/', '-').replace(':', '-')}"


def vrf_speaker(vrf: BgpVrf) -> VrfSpeaker:
    """Sessions of a VRF with the outside."""
    return VrfSpeaker(
        vrf,
        tuple(
            ExternalContext(
                row,
                FamilyContext(*FAMILIES[row.family], row.maximum_routes, extended=False, restart=row.restart_minutes),
                f"[ {originated(vrf.name)} {row.route_map_out} ]",
            )
            for row in vrf.neighbors
        ),
    )
