"""Cables and ports of a plan: planes apart, links even, both ends agreed, every port once."""

from collections.abc import Iterator

from fabricgen.checks.spine_rows import rows_fit
from fabricgen.errors import Problem
from fabricgen.hardware.ports import Port
from fabricgen.plan.fabric import Binding, FabricPlan, name_of, places, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import Uplink, downlinks, uplinks
from fabricgen.topologies.arithmetic import divisors
from fabricgen.topologies.shape import Chassis


def chassis_by_role(fabric: FabricPlan) -> tuple[tuple[str, Chassis], ...]:
    """Every chassis of a fabric with the intent's key for it: leaf (one a server group), spine, border."""
    found = [("leaf", group.leaf) for group in fabric.shape.groups]
    found += [("spine", fabric.shape.spine)] if fabric.shape.spine is not None else []
    border = "border" if getattr(fabric.fabric, "border", None) else "leaf"
    found += [(border, fabric.shape.border)] if fabric.shape.border is not None else []
    return tuple(found)


def nic_planes(plan: Plan) -> Iterator[Problem]:
    """A NIC that is divided into planes has a plane of the fabric for each slice; else bandwidth is left unplugged.

    Source: NVIDIA DGX B300 SuperPOD reference architecture, two planes of 400G a NIC.
    """
    for name, fabric in plan.fabrics.items():
        for group in fabric.shape.groups:
            if group.nics.planes != fabric.shape.planes:
                yield Problem(
                    code="nic-planes",
                    what=f"NICs of {group.name} are divided into {group.nics.planes} planes, {name} has "
                    f"{fabric.shape.planes}",
                    where=("fabrics", name, "connects", group.name),
                    why=f"each slice of a NIC needs a plane of its own; {group.nics.planes} x "
                    f"{group.nics.speed_gbps // group.nics.planes}G is what the NIC has",
                    fix="connect a NIC group with as many planes as the fabric has",
                )


def even_links(plan: Plan) -> Iterator[Problem]:
    """Every leaf-spine pair has the same whole number of links: U mod S = 0, and one U for all leaves.

    Source: NVIDIA DGX B300 XDR table, whose spine counts 4, 8, 18, 36, 72 come out of this rule only.
    """
    for name, fabric in plan.fabrics.items():
        shape = fabric.shape
        if not shape.spines:
            continue
        counts = sorted({len(chassis.up) for role, chassis in chassis_by_role(fabric) if role != "spine"})
        if counts == [shape.links * shape.spines]:
            continue
        legal = divisors(counts[-1])
        told = " and ".join(map(str, counts))
        yield Problem(
            code="uneven-links",
            what=f"leaves of {name} have {told} uplinks for {shape.spines} spines",
            where=("fabrics", name, "topology", "spines"),
            why=f"every leaf-spine pair needs the same whole number of links; {told} is not {shape.spines} x "
            f"{shape.links}",
            fix=f"write a number of spines that divides {counts[-1]}: {', '.join(map(str, legal))}",
        )


def is_even(fabric: FabricPlan) -> bool:
    """Whether cables can be counted at all: spines stand, links divide, rows lie within the spine's ports."""
    shape = fabric.shape
    ups = {len(chassis.up) for role, chassis in chassis_by_role(fabric) if role != "spine"}
    return bool(shape.spines) and ups == {shape.links * shape.spines} and rows_fit(fabric)


def planes_disjoint(plan: Plan) -> Iterator[Problem]:
    """No cable joins two planes: a fault or a full buffer in one must not reach the other.

    Source: multi-plane reference designs, where a plane never has a cable to another.
    """
    for name, fabric in plan.fabrics.items():
        if not is_even(fabric):
            continue
        joined = [link for place in _lower(fabric) for link in uplinks(fabric, place) if _joins(link)]
        if joined:
            first = joined[0]
            yield Problem(
                code="planes-joined",
                what=f"{len(joined)} cables of {name} join two planes",
                where=("fabrics", name, "topology"),
                why=f"uplink {first.number} of {name_of(fabric, first.lower)} is in plane {first.lower.plane}, its "
                f"far end in plane {first.upper.plane}",
                fix="this is a fault of the design's cabling rule; report it with your intent",
            )


def _joins(link: Uplink) -> bool:
    return link.lower.plane != link.upper.plane


def _lower(fabric: FabricPlan) -> Iterator[Place]:
    return (place for place in places(fabric) if place.tier in (Tier.LEAF, Tier.BORDER))


def cable_ends(plan: Plan) -> Iterator[Problem]:
    """Both ends of every cable say the same: the leaf's list and the spine's list are one list.

    Compared as sums of hashes, so that half a million cables take no memory; the lists are made where they differ.
    """
    for name, fabric in plan.fabrics.items():
        if not is_even(fabric) or _sum(fabric, upward=True) == _sum(fabric, upward=False):
            continue
        above, below = set(_links(fabric, upward=True)), set(_links(fabric, upward=False))
        odd = sorted((above - below) or (below - above))
        first = odd[0]
        yield Problem(
            code="cable-ends",
            what=f"{len(above ^ below)} cable ends of {name} have no other end",
            where=("fabrics", name, "topology"),
            why=f"only one end of uplink {first.number} of {name_of(fabric, first.lower)} says that it goes to "
            f"cage {first.upper_port.cage} of spine {first.upper.index}",
            fix="this is a fault of the design's cabling rule; report it with your intent and lock",
        )


def _links(fabric: FabricPlan, *, upward: bool) -> Iterator[Uplink]:
    for place in places(fabric):
        if upward and place.tier in (Tier.LEAF, Tier.BORDER):
            yield from uplinks(fabric, place)
        elif not upward and place.tier is Tier.SPINE:
            yield from downlinks(fabric, place)


def _sum(fabric: FabricPlan, *, upward: bool) -> tuple[int, int]:
    count, total = 0, 0
    for link in _links(fabric, upward=upward):
        count += 1
        total += hash(link)
    return count, total


def ports_once(plan: Plan) -> Iterator[Problem]:
    """No port has two cables: neither in a chassis' lists, nor after dead ports have stepped aside, nor on a spine."""
    for name, fabric in plan.fabrics.items():
        for role, chassis in chassis_by_role(fabric):
            yield from _twice(name, role, chassis.switch.model, Binding(chassis.down, chassis.uplinks))
        for device, binding in sorted(fabric.bindings.items()):
            yield from _twice(name, "leaf", device, binding)
            yield from _mixed(name, device, binding)
        if is_even(fabric):
            yield from _spine_ports(fabric)


def _twice(name: str, role: str, device: str, binding: Binding) -> Iterator[Problem]:
    every = [(port.cage, port.part, port.parts) for port in (*binding.down, *binding.up)]
    double = sorted({key for key in every if every.count(key) > 1}) if len(set(every)) < len(every) else []
    if double:
        yield _port_twice(name, role, device, len(double), f"cage {double[0][0]}, part {double[0][1]}")


def _mixed(name: str, device: str, binding: Binding) -> Iterator[Problem]:
    """A spare port shares its cage with ports of its own kind only, else two cables would have the same lanes."""
    modes: dict[int, set[tuple[int, int]]] = {}
    for port in (*binding.down, *binding.up):
        modes.setdefault(port.cage, set()).add((port.parts, port.speed_gbps))
    mixed = sorted(cage for cage, found in modes.items() if len(found) > 1)
    if mixed:
        yield _port_twice(name, "leaf", device, len(mixed), f"cage {mixed[0]}, in two modes")


def _spine_ports(fabric: FabricPlan) -> Iterator[Problem]:
    for place in places(fabric):
        if place.tier is Tier.SPINE:
            taken: list[Port] = [link.upper_port for link in downlinks(fabric, place)]
            if len(set(taken)) < len(taken):
                double = next(port for port in taken if taken.count(port) > 1)
                text = port_text(fabric, place, double)
                yield _port_twice(fabric.name, "spine", name_of(fabric, place), len(taken) - len(set(taken)), text)
                return


def _port_twice(name: str, role: str, device: str, count: int, first: str) -> Problem:
    return Problem(
        code="port-twice",
        what=f"{count} ports of {device} have two cables each, the first is {first}",
        where=("fabrics", name, role),
        why="one port takes one cable",
        fix="this is a fault of the design's cabling rule; report it with your intent and lock",
    )
