"""Cables and ports of a plan: planes disjoint, links even, both ends agree, every port used once."""

from collections.abc import Hashable, Iterable, Iterator

from fabricgen.base.grouping import grouped_sets
from fabricgen.checks.cabling.wiring_proof import ABOVE, BELOW, below, bound, is_proven, specimens
from fabricgen.errors import Problem
from fabricgen.hardware.ports import PanelPort
from fabricgen.plan.fabric import Binding, FabricPlan, binding_of, name_of, places, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.rows import last_pod, rows_fit
from fabricgen.plan.wiring import Uplink, downlinks, uplink, uplinks
from fabricgen.topologies.arithmetic import divisors
from fabricgen.topologies.shape import Chassis


def chassis_by_role(fabric: FabricPlan) -> tuple[tuple[str, Chassis], ...]:
    """Return every chassis of a fabric with the intent's key: leaf (per server group), spine, superspine, border."""
    border = "border" if getattr(fabric.fabric, "border", None) else "leaf"
    return tuple((border if role == "border" else role, chassis) for role, chassis in fabric.shape.chassis)


UPPER = ("spine", "superspine")


def even_links(plan: Plan) -> Iterator[Problem]:
    """Every pair of connected switches has the same whole number of links: U mod S = 0, with one U for a whole tier.

    Source: NVIDIA DGX B300 XDR table, whose spine counts 4, 8, 18, 36, 72 follow only from this rule.
    """
    for name, fabric in plan.fabrics.items():
        shape = fabric.shape
        uplink_counts = sorted({len(chassis.up) for role, chassis in chassis_by_role(fabric) if role not in UPPER})
        if shape.spines and uplink_counts != [shape.links * shape.spines]:
            yield _uneven(name, "leaves", uplink_counts, "spines", (shape.spines, shape.links))
        up = len(shape.spine.up) if shape.spine is not None else 0
        if up != shape.cores * shape.core_links:
            yield _uneven(name, "spines", [up], "superspines", (shape.cores, shape.core_links))


def _uneven(name: str, lower: str, ups: list[int], key: str, have: tuple[int, int]) -> Problem:
    counts = " and ".join(map(str, ups))
    return Problem(
        code="uneven-links",
        what=f"{lower} of {name} have {counts} uplinks for {have[0]} {key}",
        where=("fabrics", name, "topology", key),
        why=f"every pair needs the same whole number of links; {counts} is not {have[0]} x {have[1]}",
        fix=f"write a number of {key} that divides {ups[-1]}: {', '.join(map(str, divisors(ups[-1])))}",
    )


def is_even(fabric: FabricPlan) -> bool:
    """Return whether cables can be counted: there are spines, links divide, rows lie within the ports above."""
    shape = fabric.shape
    ups = {len(chassis.up) for role, chassis in chassis_by_role(fabric) if role not in UPPER}
    return bool(shape.spines) and ups == {shape.links * shape.spines} and rows_fit(fabric) and _is_core_even(fabric)


def _is_core_even(fabric: FabricPlan) -> bool:
    shape = fabric.shape
    if shape.core is None or shape.spine is None:
        return True
    fits = last_pod(fabric) * shape.core_links <= len(shape.core.down)
    return bool(shape.cores) and len(shape.spine.up) == shape.cores * shape.core_links and fits


def planes_disjoint(plan: Plan) -> Iterator[Problem]:
    """No cable joins two planes: a fault or a full buffer in one must not reach the other.

    Proof: the formula copies the plane of a cable's upper end from its lower end, and no number of either end changes
    it. To show that the code follows the formula, all cables upwards of the first and the last switch of each line of
    the lock are computed; if one is wrong, all cables are counted. Source: multi-plane reference designs, where planes
    have no cable in common.
    """
    for name, fabric in plan.fabrics.items():
        if fabric.shape.planes == 1 or not is_even(fabric) or not any(_joined(fabric, specimens(fabric, *BELOW))):
            continue
        first, *others = _joined(fabric, (place for place in places(fabric) if place.tier is not Tier.SUPERSPINE))
        yield Problem(
            code="planes-joined",
            what=f"{1 + len(others)} cables of {name} connect two planes",
            where=("fabrics", name, "topology"),
            why=f"uplink {first.number} of {name_of(fabric, first.lower)} is in plane {first.lower.plane}, its "
            f"far end in plane {first.upper.plane}",
            fix="this is a bug in the design's cabling rule; report it with your intent",
        )


def _joined(fabric: FabricPlan, lower: Iterable[Place]) -> Iterator[Uplink]:
    """Return the cables that join two planes, among those upwards of these switches."""
    return (link for place in lower for link in uplinks(fabric, place) if link.lower.plane != link.upper.plane)


def cable_ends(plan: Plan) -> Iterator[Problem]:
    """Both ends of every cable agree: the list of cables seen from below is the list seen from above.

    Proof: the two formulas are each other's inverse, as numbers are in mixed radix, each row names one switch, and
    every switch is listed (`checks/cabling/wiring_proof.py`). The first and the last upper switch of each line of the
    lock, and all with dead ports, are compared cable by cable. If a condition of the proof does not hold, all cables
    are counted; only a fingerprint of each list is kept.
    """
    for name, fabric in plan.fabrics.items():
        if not is_even(fabric) or _is_one_list(fabric):
            continue
        above, below_them = set(_links(fabric, upward=True)), set(_links(fabric, upward=False))
        odd = sorted((above - below_them) or (below_them - above))
        first = next(iter(odd), None)
        if first is None:
            # The same cables, listed twice from one side: places of two lines of the lock overlap.
            continue
        yield Problem(
            code="cable-ends",
            what=f"{len(above ^ below_them)} cable ends of {name} have no far end",
            where=("fabrics", name, "topology"),
            why=f"only one end of uplink {first.number} of {name_of(fabric, first.lower)} has the cable to cage "
            f"{first.upper_port.cage} of spine {first.upper.index}",
            fix="this is a bug in the design's cabling rule; report it with your intent and lock",
        )


def counts_cables(plan: Plan) -> bool:
    """Return whether the cables of some fabric must be counted, because a condition of the proof does not hold."""
    return any(is_even(fabric) and not is_proven(fabric) for fabric in plan.fabrics.values())


def measures_cables(plan: Plan) -> bool:
    """Return whether each cable must be checked by itself, as a cable file or dead ports can change single ones."""
    return any(fabric.exceptions.cables or fabric.bindings for fabric in plan.fabrics.values())


def _is_one_list(fabric: FabricPlan) -> bool:
    if is_proven(fabric) and _specimens_agree(fabric):
        return True
    return fingerprint(_links(fabric, upward=True)) == fingerprint(_links(fabric, upward=False))


def _specimens_agree(fabric: FabricPlan) -> bool:
    """Return whether sample upper switches have the cables that those below have, and ports moved from dead ones, too.

    The switches below compute their whole list, which does not depend on those above.
    """
    for upper in specimens(fabric, *ABOVE):
        from_below = {link for lower in below(fabric, upper) for link in uplinks(fabric, lower) if link.upper == upper}
        if from_below != set(downlinks(fabric, upper)):
            return False
    changed = (link for upper in bound(fabric, *ABOVE) for link in downlinks(fabric, upper))
    return all(uplink(fabric, link.lower, link.number) == link for link in changed)


def _links(fabric: FabricPlan, *, upward: bool) -> Iterator[Uplink]:
    for place in places(fabric):
        if upward:
            yield from uplinks(fabric, place)
        elif place.tier in (Tier.SPINE, Tier.SUPERSPINE):
            yield from downlinks(fabric, place)


PRIME = (1 << 127) - 1
POINT = 0x5F3D_9A1C_77E2_4B06_8D1E_C35A_90F4_2B6D
"""Point at which the polynomial of `fingerprint` is evaluated: any number will do."""


def fingerprint(items: Iterable[Hashable]) -> tuple[int, int]:
    """Return the number of items, and the value at one point of the polynomial that has their hashes as roots.

    The result does not depend on the order, and nothing is stored. Two different lists of n items have the same value
    at fewer than n points of PRIME. A sum of hashes would not do: hashes of tuples are nearly linear, so that the
    differences may cancel out when two switches are swapped.
    """
    count, value = 0, 1
    for item in items:
        count += 1
        value = value * (POINT + hash(item)) % PRIME
    return count, value


def ports_once(plan: Plan) -> Iterator[Problem]:
    """No port has two cables: neither in a chassis' lists, nor after cables moved off dead ports, nor on a spine.

    Proof: a switch gives each position in its list of ports at most one cable, uplinks by their numbers and ports
    downwards by their places in the list. So a port has two cables only if it is in the list twice. All switches of a
    role have their chassis' list, those with dead ports a list of their own: each list is checked. So are the cables of
    the first and the last spine and superspine of each line of the lock.
    """
    for name, fabric in plan.fabrics.items():
        for role, chassis in chassis_by_role(fabric):
            yield from _twice(name, role, chassis.switch.model, Binding(chassis.down, chassis.uplinks))
        for device, binding in sorted(fabric.bindings.items()):
            yield from _twice(name, "leaf", device, binding)
            # A spare port must share its cage with ports of its own mode only, else two cables would use the same
            # lanes.
            modes = grouped_sets((port.cage, (port.parts, port.speed_gbps)) for port in (*binding.down, *binding.up))
            mixed = sorted(cage for cage, modes_of_cage in modes.items() if len(modes_of_cage) > 1)
            if mixed:
                yield _port_twice(name, "leaf", device, len(mixed), f"cage {mixed[0]}, in two modes")
        if is_even(fabric):
            yield from _spine_ports(fabric)


def _twice(name: str, role: str, device: str, binding: Binding) -> Iterator[Problem]:
    keys = [(port.cage, port.part, port.parts) for port in (*binding.down, *binding.up)]
    # Counting each key is slow: only if the set shows a duplicate.
    double = sorted({key for key in keys if keys.count(key) > 1}) if len(set(keys)) < len(keys) else []
    if double:
        yield _port_twice(name, role, device, len(double), f"cage {double[0][0]}, part {double[0][1]}")


def _spine_ports(fabric: FabricPlan) -> Iterator[Problem]:
    for place in (*specimens(fabric, *ABOVE), *bound(fabric, *ABOVE)):
        taken: list[PanelPort] = [link.upper_port for link in downlinks(fabric, place)]
        taken += binding_of(fabric, place).up
        if len(set(taken)) < len(taken):
            double = next(port for port in taken if taken.count(port) > 1)
            text = port_text(fabric, place, double)
            role = place.tier.value
            yield _port_twice(fabric.name, role, name_of(fabric, place), len(taken) - len(set(taken)), text)
            return


def _port_twice(name: str, role: str, device: str, count: int, first: str) -> Problem:
    return Problem(
        code="port-twice",
        what=f"{count} ports of {device} have two cables each, first {first}",
        where=("fabrics", name, role),
        why="a port has one cable",
        fix="this is a bug in the design's cabling rule; report it with your intent and lock",
    )
