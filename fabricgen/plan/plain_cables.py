"""Cables of a fabric whose cages hold what is planned: what shares a cage follows from positions alone.

`links.cage_links` finds the same for any fabric by asking for each link; here a site of 300,000 cables is walked, so
what equal switches have in common is looked up once for all of them. The tests compare both ways, cable by cable.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.hardware.media import CableChoice, End, choose_cable
from fabricgen.hardware.model import Media, NicGroup
from fabricgen.hardware.ports import Port
from fabricgen.plan.cable import Cable, CableEnd, cable_state, usual_length
from fabricgen.plan.exceptions import ABSENT, PortKey, server_name
from fabricgen.plan.fabric import FabricPlan, chassis_of, group_of, name_of, port_text
from fabricgen.plan.links import BORDER_EXTERNAL, LEAF_SPINE, SERVER_LEAF, SPINE_SUPERSPINE, Link, nic_cage, nic_plug
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import Above, Below, HostPort, above_of, host_ports

MOST_POOLS = 256
"""Sets of equal switches whose cages are kept: more than the spines of a pod, each with its core group."""


def is_plain(fabric: FabricPlan) -> bool:
    """Whether no cage can hold anything else than planned: none of its links is absent, moved or described by a file.

    Drained and dead ones are in their cages as ever.
    """
    found = fabric.exceptions
    states = (*found.devices.values(), *found.ports.values())
    return not (found.cables or found.systems or fabric.bindings) and ABSENT not in states


class _Mate(NamedTuple):
    """One link in a cage of a switch above: the lower switch, and which of its links to this one."""

    lower: Place
    turn: int


class _Side(NamedTuple):
    """One end of a cable before its module is known."""

    device: str
    port: str
    cage: str
    part: int
    end: End
    first: bool


class PlainCables:
    """Cables of one fabric, switch by switch."""

    def __init__(self, fabric: FabricPlan, media: Media) -> None:
        self._fabric, self._media = fabric, media
        self._answers: dict[tuple[str, End, End, bool], CableChoice | None] = {}
        self._above: dict[tuple[int, ...], tuple[tuple[_Mate, ...], ...]] = {}

    def of(self, place: Place, outside: Iterable[Link]) -> Iterator[Cable]:
        """Cables of its servers, its uplinks, and those to the outside, which are `outside`."""
        if place.tier is Tier.LEAF:
            yield from self._hosts(place)
        above = above_of(self._fabric, place)
        if above is not None:
            yield from self._uplinks(place, above)
        for link in outside:
            near, far = (
                _Side(end.device, end.port, end.cage, end.part, End(end.connector, end.speed_gbps, end.parts), True)
                for end in link
                if not isinstance(end, str)
            )
            yield self._cable(BORDER_EXTERNAL, near, far, shared=True)

    def _uplinks(self, lower: Place, above: Above) -> Iterator[Cable]:
        fabric = self._fabric
        kind = SPINE_SUPERSPINE if lower.tier is Tier.SPINE else LEAF_SPINE
        device, own = name_of(fabric, lower), chassis_of(fabric, lower).up
        uppers = [above.place(index) for index in range(above.equals)]
        cages, pool = _cages(own), self._pool(above.first)
        for number, port in enumerate(own):
            index, at = above.end(number)
            near, far = cages[number], pool[at]
            shared = _is_shared(lower, near, far, index, above.equals)
            yield self._cable(
                kind,
                _port_side(device, port_text(fabric, lower, port), port, near[0] == number),
                _port_side(
                    name_of(fabric, uppers[index]),
                    port_text(fabric, uppers[index], above.down[at]),
                    above.down[at],
                    far[0] == (lower, number // above.equals),
                ),
                shared=shared,
            )

    def _pool(self, upper: Place) -> tuple[tuple[_Mate, ...], ...]:
        """By position of the ports of a switch above: the links in its cage. All of its equals have the same."""
        key = (upper.tier is Tier.SPINE, upper.plane, upper.pod, upper.su)
        found = self._above.get(key)
        if found is None:
            if len(self._above) >= MOST_POOLS:
                self._above.clear()
            found = self._above[key] = self._mates(upper)
        return found

    def _mates(self, upper: Place) -> tuple[tuple[_Mate, ...], ...]:
        below = Below(self._fabric, upper)
        ports = chassis_of(self._fabric, upper).down[: below.cables]
        lowers = [below.at(row) for row in range(below.rows)]
        by_cage: dict[int, list[_Mate]] = {port.cage: [] for port in ports}
        for at, port in enumerate(ports):
            turn, row = divmod(at, below.rows)
            lower = lowers[row]
            if lower is not None:
                mate = _Mate(lower[0], turn)
                if port.parts == 1:
                    by_cage[port.cage] = [mate]
                else:
                    by_cage[port.cage].append(mate)
        cages = {cage: tuple(mates) for cage, mates in by_cage.items()}
        return tuple(cages[port.cage] for port in ports)

    def _hosts(self, leaf: Place) -> Iterator[Cable]:
        fabric = self._fabric
        device, group = name_of(fabric, leaf), group_of(fabric, leaf.group)
        nics = group.nics
        hosts = [host for host in host_ports(fabric, leaf) if host.present]
        cages: dict[int, list[HostPort]] = {}
        for host in hosts:
            cages.setdefault(host.port.cage, []).append(host)
        plugs = [nic_plug(fabric, group, 0, nic, leaf.plane) for nic in range(len(nics.ports))]
        mates = [_nic_mates(nics, nic) for nic in range(len(nics.ports))]
        for host in hosts:
            plug = plugs[host.nic]
            near = mates[host.nic] if plug.parts > 1 else ((host.nic, leaf.plane),)
            far = cages[host.port.cage] if host.port.parts > 1 else [host]
            ends = [(host.slot, nic, plane) for nic, plane in near]
            server = server_name(fabric.exceptions, group.name, host.slot)
            end = End(plug.connector, plug.speed_gbps, plug.parts)
            yield self._cable(
                SERVER_LEAF,
                _Side(server, plug.port, plug.cage, plug.part, end, near[0] == (host.nic, leaf.plane)),
                _port_side(device, port_text(fabric, leaf, host.port), host.port, far[0] is host),
                shared=len(far) == len(ends) and all((other.slot, other.nic, leaf.plane) in ends for other in far),
            )

    def _cable(self, kind: str, near: _Side, far: _Side, *, shared: bool) -> Cable:
        fabric = self._fabric
        length = usual_length(fabric.lengths, kind)
        key = (kind, near.end, far.end, shared)
        if key not in self._answers:
            self._answers[key] = choose_cable(self._media, near.end, far.end, length, shared=shared)
        choice = self._answers[key]
        state = cable_state(fabric.exceptions, PortKey(near.device, near.port), PortKey(far.device, far.port))
        return Cable(
            fabric.name,
            kind,
            _end(near, choice.near if choice else ""),
            _end(far, choice.far if choice else ""),
            far.end.speed_gbps,
            length,
            choice.kind if choice else "",
            length,
            "",
            state,
        )


def _cages(ports: tuple[Port, ...]) -> list[tuple[int, ...]]:
    """By position of a port: the positions in its cage."""
    by_cage: dict[int, list[int]] = {}
    for at, port in enumerate(ports):
        by_cage.setdefault(port.cage, []).append(at)
    cages = {cage: tuple(found) for cage, found in by_cage.items()}
    return [cages[port.cage] if port.parts > 1 else (at,) for at, port in enumerate(ports)]


def _is_shared(lower: Place, near: tuple[int, ...], far: tuple[_Mate, ...], index: int, equals: int) -> bool:
    """Whether both cages of an uplink hold the same links. Both are in the order of the uplinks' numbers."""
    if len(near) != len(far):
        return False
    return all(
        number == mate.turn * equals + index and mate.lower == lower for number, mate in zip(near, far, strict=True)
    )


def _nic_mates(nics: NicGroup, nic: int) -> tuple[tuple[int, int], ...]:
    """NIC ports and planes that share the cage of a NIC port."""
    cage = nic_cage(nics, nic)
    return tuple(
        (other, plane)
        for other in range(len(nics.ports))
        if nic_cage(nics, other) == cage
        for plane in range(nics.planes)
    )


def _port_side(device: str, name: str, port: Port, first: bool) -> _Side:
    return _Side(device, name, str(port.cage), port.part, End(port.connector, port.speed_gbps, port.parts), first)


def _end(side: _Side, module: str) -> CableEnd:
    connector, _, parts = side.end
    return CableEnd(side.device, side.port, side.cage, side.part, parts, connector, module, side.first)
