"""Links of a fabric before their cable is chosen: the two plugs of each, and the links that share either cage."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.hardware.media import MediaEnd
from fabricgen.hardware.model import NicGroup
from fabricgen.hardware.ports import PanelPort
from fabricgen.intent.fabric import Frontend
from fabricgen.plan.exceptions import ABSENT, PortKey, SlotKey, server_name
from fabricgen.plan.fabric import FabricPlan, binding_of, group_of, name_of, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import Uplink, downlink, host_ports, leaf_of, uplink, uplinks
from fabricgen.topologies.shape import GroupShape

SERVER_LEAF, LEAF_SPINE, SPINE_SUPERSPINE = "server-leaf", "leaf-spine", "spine-superspine"
BORDER_EXTERNAL = "border-external"


class Plug(NamedTuple):
    """One end of a link.

    owner  switch or server slot; None outside the site
    cage   as printed; empty if the link has a cage of its own whose name is unknown
    part   0-based, of `parts` links that the cage is made for
    """

    owner: Place | SlotKey | None
    device: str
    port: str
    cage: str
    part: int
    parts: int
    connector: str
    speed_gbps: int

    @property
    def media_end(self) -> MediaEnd:
        """What a medium must fit."""
        return MediaEnd(self.connector, self.speed_gbps, self.parts)


class Link(NamedTuple):
    """One link: server or lower switch first."""

    kind: str
    near: Plug
    far: Plug


def links_at(plan: Plan, fabric: FabricPlan, place: Place) -> Iterator[Link]:
    """Links of which a switch is the lower end, those of its servers first, and external ones last."""
    if place.tier is Tier.LEAF:
        for host in host_ports(fabric, place):
            if host.present:
                group = group_of(fabric, host.group)
                yield host_link(fabric, group, (place, host.port), host.slot, host.nic)
    for above in uplinks(fabric, place):
        yield fabric_link(fabric, above)
    yield from external_links(plan, fabric, place)


def exists(fabric: FabricPlan, link: Link) -> bool:
    """Whether no port and no switch of either end is declared absent."""
    ports, devices = fabric.exceptions.ports, fabric.exceptions.devices
    if not ports and not devices:
        return True
    ends = (link.near, link.far)
    return not any(ABSENT in (ports.get(PortKey(end.device, end.port)), devices.get(end.device)) for end in ends)


def switch_plug(fabric: FabricPlan, place: Place, port: PanelPort) -> Plug:
    """One end of a link in a switch."""
    return Plug(
        owner=place,
        device=name_of(fabric, place),
        port=port_text(fabric, place, port),
        cage=str(port.cage),
        part=port.part,
        parts=port.parts,
        connector=port.connector,
        speed_gbps=port.speed_gbps,
    )


def fabric_link(fabric: FabricPlan, link: Uplink) -> Link:
    """The link of an uplink, the lower switch first."""
    return Link(
        SPINE_SUPERSPINE if link.lower.tier is Tier.SPINE else LEAF_SPINE,
        switch_plug(fabric, link.lower, link.lower_port),
        switch_plug(fabric, link.upper, link.upper_port),
    )


def host_link(fabric: FabricPlan, group: GroupShape, leaf: tuple[Place, PanelPort], slot: int, nic: int) -> Link:
    """The link of a NIC port of a slot, or of its slice for the leaf's plane, the server first.

    leaf  with its port towards the server
    """
    return Link(SERVER_LEAF, nic_plug(fabric, group, slot, nic, leaf[0].plane), switch_plug(fabric, *leaf))


def slice_name(group: GroupShape, nic: int, plane: int) -> str:
    """Port of a NIC group as it is cabled: its own name and, for a slice, a slash and its number."""
    name = group.nics.ports[nic].name
    return name if group.nics.planes == 1 else f"{name}/{group.slice_of(nic, plane)}"


def nic_plug(fabric: FabricPlan, group: GroupShape, slot: int, nic: int, plane: int) -> Plug:
    """One end of a link in a server; a cage may hold two of its NIC ports, and holds every slice of one."""
    nics = group.nics
    cage = nic_cage(nics, nic)
    nics_in_cage = [number for number, other in enumerate(nics.ports) if cage and other.cage == cage] or [nic]
    return Plug(
        owner=SlotKey(group.name, slot),
        device=server_name(fabric.exceptions, group.name, slot),
        port=slice_name(group, nic, plane),
        cage=cage,
        part=nics_in_cage.index(nic) * nics.planes + group.slice_of(nic, plane),
        parts=len(nics_in_cage) * nics.planes,
        connector=nics.connector,
        speed_gbps=nics.speed_gbps // nics.planes,
    )


def nic_cage(nics: NicGroup, nic: int) -> str:
    """Cage of a NIC port as in its hardware file; the name of the port if its slices share a cage without a name."""
    port = nics.ports[nic]
    return port.cage or (port.name if nics.planes > 1 else "")


def external_links(plan: Plan, fabric: FabricPlan, border: Place) -> Iterator[Link]:
    """External cables, one per port. The far end is unknown, so it is assumed to have the same kind of cage."""
    if border.tier is not Tier.BORDER or not isinstance(fabric.fabric, Frontend):
        return
    down = binding_of(fabric, border).down
    peers = {
        external.port: external.peer
        for tenant in plan.tenants.get(fabric.name, ())
        for external in tenant.external
        if external.border == border.index and external.port < len(down)
    }
    for number, peer in sorted(peers.items()):
        yield external_link(fabric, border, down[number], peer)


def external_link(fabric: FabricPlan, border: Place, port: PanelPort, peer: str) -> Link:
    """The external link of a border leaf's port: nothing but the name is known of the far end."""
    near = switch_plug(fabric, border, port)
    return Link(BORDER_EXTERNAL, near, near._replace(owner=None, device=peer, port="", cage="", part=0))


class CagePair(NamedTuple):
    """Two kinds of cage that cables of a kind may join."""

    kind: str
    near: MediaEnd
    far: MediaEnd


def cage_pairs(fabric: FabricPlan) -> frozenset[CagePair]:
    """Every pair of cages that a cable of the fabric may join while no port is dead; more if a panel mixes cages."""
    shape = fabric.shape
    below = [group.leaf for group in shape.leaf_groups] + ([shape.border] if shape.border is not None else [])
    pairs: set[CagePair] = set()
    for group in shape.groups:
        servers = {nic_plug(fabric, group, 0, nic, column.plane).media_end for nic, column in enumerate(group.columns)}
        pairs |= {CagePair(SERVER_LEAF, near, far) for near in servers for far in _port_ends(group.down)}
    above = [(LEAF_SPINE, leaf, shape.spine) for leaf in below] + [(SPINE_SUPERSPINE, shape.spine, shape.core)]
    for kind, lower, upper in above:
        if lower is not None and upper is not None:
            lower_ends, upper_ends = _port_ends(lower.up), _port_ends(upper.down)
            pairs |= {CagePair(kind, near, far) for near in lower_ends for far in upper_ends}
    if shape.border is not None:
        pairs |= {CagePair(BORDER_EXTERNAL, end, end) for end in _port_ends(shape.border.down)}
    return frozenset(pairs)


def _port_ends(ports: tuple[PanelPort, ...]) -> set[MediaEnd]:
    return {MediaEnd(port.connector, port.speed_gbps, port.parts) for port in ports}


def cage_links(fabric: FabricPlan, link: Link, end: Plug) -> tuple[Link, ...]:
    """Links that share the cage of one end of a link, including the link itself, by part: they share one module."""
    if end.parts == 1 or end.owner is None or link.kind == BORDER_EXTERNAL:
        return (link,)
    if isinstance(end.owner, SlotKey):
        links = _server_cage(fabric, end.owner, end.cage)
    elif link.kind == SERVER_LEAF:
        links = _host_cage(fabric, end.owner, int(end.cage))
    elif end is link.far:
        links = _down_cage(fabric, end.owner, int(end.cage))
    else:
        links = _up_cage(fabric, end.owner, int(end.cage))
    return tuple(cage_link for cage_link in links if exists(fabric, cage_link))


def _server_cage(fabric: FabricPlan, owner: SlotKey, cage: str) -> Iterator[Link]:
    group = group_of(fabric, owner.group)
    for nic in range(len(group.nics.ports)):
        for plane in group.planes_of(nic) if nic_cage(group.nics, nic) == cage else ():
            leaf, number = leaf_of(fabric, group, owner.slot, nic, plane)
            yield host_link(fabric, group, (leaf, binding_of(fabric, leaf).down[number]), owner.slot, nic)


def _in_cage(ports: tuple[PanelPort, ...], cage: int) -> list[tuple[int, PanelPort]]:
    """Ports of one cage with their positions."""
    return [(position, port) for position, port in enumerate(ports) if port.cage == cage]


def _host_cage(fabric: FabricPlan, leaf: Place, cage: int) -> Iterator[Link]:
    for host in host_ports(fabric, leaf):
        if host.port.cage == cage and host.present:
            yield host_link(fabric, group_of(fabric, host.group), (leaf, host.port), host.slot, host.nic)


def _up_cage(fabric: FabricPlan, lower: Place, cage: int) -> Iterator[Link]:
    for number, _ in _in_cage(binding_of(fabric, lower).up, cage):
        yield fabric_link(fabric, uplink(fabric, lower, number))


def _down_cage(fabric: FabricPlan, upper: Place, cage: int) -> Iterator[Link]:
    for position, port in _in_cage(binding_of(fabric, upper).down, cage):
        uplink_below = downlink(fabric, upper, position, port)
        if uplink_below is not None:
            yield fabric_link(fabric, uplink_below)
