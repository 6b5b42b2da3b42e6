"""Cables of a fabric whose cages hold what is planned: the links that share a cage follow from positions alone.

`links.cage_links` finds them for any fabric, one link at a time. This module serves sites of 300,000 cables, so what
equal switches share is computed once. The tests compare both ways, cable by cable.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.hardware.media import MediaEnd, choose_cable
from fabricgen.hardware.model import Media
from fabricgen.hardware.ports import PanelPort
from fabricgen.plan.adjacent import Adjacent, DirectionLinks
from fabricgen.plan.cable import Cable, CableEnd, cable_state, usual_length
from fabricgen.plan.exceptions import ABSENT, ACTIVE, PortKey, server_name
from fabricgen.plan.fabric import FabricPlan, chassis_of, name_of
from fabricgen.plan.links import (
    BORDER_EXTERNAL,
    LEAF_SPINE,
    SERVER_LEAF,
    SPINE_SUPERSPINE,
    Link,
    Plug,
    nic_cage,
    nic_plug,
)
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import Below, HostPort, groups_on, host_ports
from fabricgen.topologies.shape import GroupShape

MOST_CORES, MOST_PODS = 256, 16
"""Limits on the cached sets of equal superspines, and of equal spines: each spine of a pod has its own core group, and
leaves of a pod follow each other closely in the order of places."""


def is_plain(fabric: FabricPlan) -> bool:
    """Whether every cage holds exactly what is planned: none of its links is absent, moved or listed in a file.

    Drained and dead links are in their cages as usual.
    """
    exceptions = fabric.exceptions
    states = (*exceptions.devices.values(), *exceptions.ports.values())
    return not (exceptions.cables or exceptions.systems or fabric.bindings) and ABSENT not in states


class _Mate(NamedTuple):
    """One link in a cage of an upper switch: the lower switch, and which of its links to this one."""

    lower: Place
    turn: int


_Pool = tuple[tuple[_Mate, ...], ...]
"""By position of a port: the links in its cage."""

_Socket = tuple[str, str, int, MediaEnd]
"""Where a cable ends in each of equal switches or servers: port, cage, part and kind of cage."""
_Side = tuple[str, _Socket, bool]
"""One end of a cable before its module is known: device, socket, and whether it is the first link of the cage."""
# Plain tuples, because they are unpacked for each cable: a NamedTuple takes five times as long.


_Joint = tuple[tuple[str, int, str], tuple[str, int, str], str, float]
"""What joins two cages: connector, parts and module of either end, medium and length; empty if nothing fits."""


class PlainCables:
    """Cables of one fabric, switch by switch."""

    def __init__(self, fabric: FabricPlan, media: Media) -> None:
        self._fabric, self._media, self._adjacent = fabric, media, Adjacent(fabric)
        self._joints: dict[tuple[str, MediaEnd, MediaEnd, bool], _Joint] = {}
        self._panels: dict[tuple[Tier, str, bool], tuple[list[_Socket], list[tuple[int, ...]]]] = {}
        self._spines: dict[tuple[int, ...], _Pool] = {}
        self._cores: dict[tuple[int, ...], _Pool] = {}

    def of(self, place: Place, outside: Iterable[Link]) -> Iterator[Cable]:
        """Cables of its servers, its uplinks, and external ones, which are `outside`."""
        if place.tier is Tier.LEAF:
            yield from self._hosts(place)
        links = self._adjacent.up(place)
        if links is not None:
            yield from self._uplinks(place, links)
        for link in outside:
            near, far = ((plug.device, _socket(plug), True) for plug in (link.near, link.far))
            yield self._cable(BORDER_EXTERNAL, near, far, shared=True, stated=True)

    def _uplinks(self, lower: Place, links: DirectionLinks) -> Iterator[Cable]:
        kind = SPINE_SUPERSPINE if lower.tier is Tier.SPINE else LEAF_SPINE
        device, fan = name_of(self._fabric, lower), links.fan
        (nears, cages), (fars, _) = (self._sockets(lower, upward=True), self._sockets(fan.fars[0], upward=False))
        pool, equals = self._pool(fan.fars[0]), fan.turns.count(0)
        stated = self._adjacent.is_stated(device, fan.far_names)
        ends = [(fars[position], *_of_lower(pool[position], lower, turn)) for turn, position in enumerate(links.ats)]
        for number, (near, cage, name, turn) in enumerate(zip(nears, cages, fan.far_names, fan.turns, strict=True)):
            far, first, turns = ends[turn]
            # Both cages are in the order of the uplinks' numbers, so they can be compared.
            shared = turns is not None and cage == tuple(other * equals + number % equals for other in turns)
            yield self._cable(kind, (device, near, cage[0] == number), (name, far, first), shared=shared, stated=stated)

    def _sockets(self, place: Place, *, upward: bool) -> tuple[list[_Socket], list[tuple[int, ...]]]:
        """Sockets of a switch in one direction by position, and the positions that share the cage of each.

        All switches of a tier and server group have the same.
        """
        key = (place.tier, place.group, upward)
        cached = self._panels.get(key)
        if cached is None:
            panel = self._adjacent.panel(place)
            ports, names = (panel.up, panel.up_names) if upward else (panel.down, panel.down_names)
            sockets = [
                (name, str(port.cage), port.part, MediaEnd(port.connector, port.speed_gbps, port.parts))
                for port, name in zip(ports, names, strict=True)
            ]
            cached = self._panels[key] = sockets, _cages(ports)
        return cached

    def _pool(self, upper: Place) -> _Pool:
        """By position of an upper switch's ports: the links in its cage. All of its equals have the same."""
        cache, limit = (self._spines, MOST_PODS) if upper.tier is Tier.SPINE else (self._cores, MOST_CORES)
        key = (upper.plane, upper.pod, upper.su)
        pool = cache.get(key)
        if pool is None:
            if len(cache) >= limit:
                cache.clear()
            pool = cache[key] = self._mates(upper)
        return pool

    def _mates(self, upper: Place) -> _Pool:
        below = Below(self._fabric, upper)
        ports = chassis_of(self._fabric, upper).down[: below.cables]
        lowers = [below.at(row) for row in range(below.rows)]
        by_cage: dict[int, list[_Mate]] = {port.cage: [] for port in ports}
        for position, port in enumerate(ports):
            turn, row = divmod(position, below.rows)
            lower = lowers[row]
            if lower is not None:
                cage_mate = _Mate(lower[0], turn)
                if port.parts == 1:
                    by_cage[port.cage] = [cage_mate]
                else:
                    by_cage[port.cage].append(cage_mate)
        cages = {cage: tuple(mates) for cage, mates in by_cage.items()}
        return tuple(cages[port.cage] for port in ports)

    def _hosts(self, leaf: Place) -> Iterator[Cable]:
        fabric = self._fabric
        device = name_of(fabric, leaf)
        leaf_sockets, cages = self._sockets(leaf, upward=False)
        hosts = [host for host in host_ports(fabric, leaf) if host.present]
        by_cage: dict[tuple[int, ...], list[HostPort]] = {}
        for host in hosts:
            by_cage.setdefault(cages[host.number], []).append(host)
        nics = {
            (group.name, nic): _nic(fabric, group, nic, leaf.plane)
            for group in groups_on(fabric, leaf)
            for nic in group.nics_at(leaf.plane, leaf.rail, leaf.index).values()
        }
        keys = {(host.group, host.slot) for host in hosts}
        servers = {key: server_name(fabric.exceptions, *key) for key in keys}
        stated = self._adjacent.is_stated(device, servers.values())
        for host in hosts:
            number, _, group, slot, nic, _ = host
            near, mates = nics[group, nic]
            hosts_in_cage = by_cage[cages[number]]
            yield self._cable(
                SERVER_LEAF,
                (servers[group, slot], near, mates[0] == (nic, leaf.plane)),
                (device, leaf_sockets[number], hosts_in_cage[0] is host),
                shared=_is_one_server(hosts_in_cage, mates, leaf.plane),
                stated=stated,
            )

    def _cable(self, kind: str, near: _Side, far: _Side, *, shared: bool, stated: bool) -> Cable:
        """Build one cable. stated: an exception gives a state to something at the cable."""
        device, (port, cage, part, end), first = near
        far_device, (far_port, far_cage, far_part, far_end), far_first = far
        key = (kind, end, far_end, shared)
        joint = self._joints.get(key)
        if joint is None:
            joint = self._joints[key] = self._joint(*key)
        (connector, parts, module), (far_connector, far_parts, far_module), medium, length = joint
        state = ACTIVE
        if stated:
            state = cable_state(self._fabric.exceptions, PortKey(device, port), PortKey(far_device, far_port))
        return Cable(
            self._fabric.name,
            kind,
            CableEnd(device, port, cage, part, parts, connector, module, first),
            CableEnd(far_device, far_port, far_cage, far_part, far_parts, far_connector, far_module, far_first),
            far_end.speed_gbps,
            length,
            medium,
            length,
            "",
            state,
        )

    def _joint(self, kind: str, near: MediaEnd, far: MediaEnd, shared: bool) -> _Joint:
        length = usual_length(self._fabric.lengths, kind)
        choice = choose_cable(self._media, near, far, length, shared=shared)
        modules = (choice.near, choice.far) if choice else ("", "")
        ends = [(end.connector, end.parts, module) for end, module in zip((near, far), modules, strict=True)]
        return ends[0], ends[1], choice.kind if choice else "", length


def _cages(ports: tuple[PanelPort, ...]) -> list[tuple[int, ...]]:
    """By position of a port: the positions in its cage."""
    by_cage: dict[int, list[int]] = {}
    for position, port in enumerate(ports):
        by_cage.setdefault(port.cage, []).append(position)
    cages = {cage: tuple(positions) for cage, positions in by_cage.items()}
    return [cages[port.cage] if port.parts > 1 else (position,) for position, port in enumerate(ports)]


def _of_lower(mates: tuple[_Mate, ...], lower: Place, turn: int) -> tuple[bool, list[int] | None]:
    """Whether a link is the first in its upper cage; the turns of all links there, None if another lower has one."""
    own_turns = [mate.turn for mate in mates if mate.lower == lower]
    return mates[0] == (lower, turn), own_turns if len(own_turns) == len(mates) else None


def _nic(fabric: FabricPlan, group: GroupShape, nic: int, plane: int) -> tuple[_Socket, tuple[tuple[int, int], ...]]:
    """Socket of a NIC port in any server of a group; and the NIC ports and planes in its cage, including itself."""
    plug = nic_plug(fabric, group, 0, nic, plane)
    cage = nic_cage(group.nics, nic)
    mates = tuple(
        (other_nic, each_plane)
        for other_nic in range(len(group.nics.ports))
        if nic_cage(group.nics, other_nic) == cage
        for each_plane in group.planes_of(other_nic)
    )
    return _socket(plug), mates if plug.parts > 1 else ((nic, plane),)


def _is_one_server(together: list[HostPort], mates: tuple[tuple[int, int], ...], plane: int) -> bool:
    """Whether a leaf's cage holds exactly the links of a server's cage. mates: NIC ports and planes of the latter."""
    slot = together[0].slot
    if len(together) != len(mates) or together[-1].slot != slot:
        return False
    return all(host.slot == slot and (host.nic, plane) in mates for host in together)


def _socket(plug: Plug) -> _Socket:
    return plug.port, plug.cage, plug.part, MediaEnd(plug.connector, plug.speed_gbps, plug.parts)
