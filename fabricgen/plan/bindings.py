"""Physical ports of a device's logical ones: a dead port hands its cable over to a spare one.

Spare ports are, in this order: the ports that a chassis has for neither tier; on a spine those that no planned row
takes, and on a border leaf those past every external, both from the highest down, so that growth reaches them last.
Dead and spare ports are swapped: no port ever serves two logical ones. The bindings follow from the states alone, with
dead ports in the order of their numbers: a port of a lower number that dies later is served first.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from fabricgen.base.grouping import grouped_sets
from fabricgen.hardware.ports import PanelPort
from fabricgen.intent.tenants import Tenant
from fabricgen.plan.fabric import Binding, FabricPlan, chassis_of, name_of, places, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.tenants import PlannedTenant

Outside = Mapping[int, Collection[int]]
"""As `ports_outside` returns it."""

_DOWN, _UP, _SPARE = range(3)


class _Seat(NamedTuple):
    """Position of a logical port in the lists of a chassis."""

    side: int
    at: int


def ports_outside(tenants: Iterable[PlannedTenant | Tenant]) -> dict[int, set[int]]:
    """Border leaf → numbers of its ports that an external of any of these tenants uses."""
    return grouped_sets((external.border, external.port) for tenant in tenants for external in tenant.external)


def with_bindings(plan: FabricPlan, outside: Outside) -> FabricPlan:
    """The fabric with cables of dead ports at spare ports."""
    bare = replace(plan, bindings={})
    return replace(bare, bindings=_bindings(bare, outside))


def _bindings(plan: FabricPlan, outside: Outside) -> dict[str, Binding]:
    """Bindings of the devices with dead ports: the next spare port of the same speed and lanes takes over the cable."""
    dead_ports = grouped_sets((key.device, key.port) for key, state in plan.exceptions.ports.items() if state == "dead")
    if not dead_ports:
        return {}
    named = ((name_of(plan, place), place) for place in places(plan))
    return {name: _bind(plan, place, dead_ports[name], outside) for name, place in named if name in dead_ports}


def _bind(plan: FabricPlan, place: Place, dead_names: set[str], outside: Outside) -> Binding:
    chassis = chassis_of(plan, place)
    sides = [list(chassis.down), list(chassis.up), list(chassis.spare)]
    broken = {port for ports in sides for port in ports if port_text(plan, place, port) in dead_names}
    cabled, unused = _down_seats(plan, place, outside)
    used = [_Seat(_DOWN, index) for index in cabled] + [_Seat(_UP, index) for index in range(len(chassis.up))]
    spare = [_Seat(_SPARE, index) for index in range(len(chassis.spare))] + [_Seat(_DOWN, index) for index in unused]
    unserved = []
    for seat in used:
        port = sides[seat.side][seat.at]
        if port not in broken:
            continue
        used_ports = [sides[other.side][other.at] for other in used]
        spare_one = next(
            (free for free in spare if _can_take(sides[free.side][free.at], port, used_ports, broken)), None
        )
        if spare_one is None:
            unserved.append(port)
            continue
        spare.remove(spare_one)
        sides[seat.side][seat.at], sides[spare_one.side][spare_one.at] = sides[spare_one.side][spare_one.at], port
    return Binding(tuple(sides[_DOWN]), tuple(sides[_UP]), tuple(unserved))


def _down_seats(plan: FabricPlan, place: Place, outside: Outside) -> tuple[list[int], list[int]]:
    """Positions of `down` that have a cable, today or as planned, and those free for dead ports, best first."""
    count = len(chassis_of(plan, place).down)
    if place.tier is Tier.LEAF:
        return list(range(count)), []
    if place.tier is Tier.BORDER:
        used = sorted(position for position in outside.get(place.index, ()) if position < count)
        return used, list(range(count))[: used[-1] if used else None : -1]
    cabled = sorted(set(_row_seats(plan, place, count)))
    return cabled, sorted(set(range(count)) - set(cabled), reverse=True)


def _row_seats(plan: FabricPlan, place: Place, count: int) -> Iterator[int]:
    """Positions of a spine's or superspine's ports that planned rows take."""
    shape = plan.shape
    is_core = place.tier is Tier.SUPERSPINE
    links = shape.core_links if is_core else shape.links
    rows: Collection[int] = range(shape.pods) if is_core else plan.rows
    stride = count // links if links else count
    for turn in range(links):
        yield from (turn * stride + row for row in rows if row < stride)


def _can_take(spare: PanelPort, port: PanelPort, busy: list[PanelPort], broken: set[PanelPort]) -> bool:
    """Whether a spare port can take a dead one's cable: alike, not broken, in no cage that is used in another mode."""
    # The number of parts may differ: speed and lanes decide whether the link works.
    if _mode(spare)[1:] != _mode(port)[1:] or any(_overlap(spare, other) for other in broken):
        return False
    return all(other.cage != spare.cage or _mode(other) == _mode(spare) for other in busy)


def _mode(port: PanelPort) -> tuple[int, int, int]:
    return (port.parts, port.speed_gbps, port.lanes)


def _overlap(port: PanelPort, other: PanelPort) -> bool:
    """Whether two ports share an electrical lane."""
    return port.cage == other.cage and port.lane < other.lane + other.lanes and other.lane < port.lane + port.lanes
