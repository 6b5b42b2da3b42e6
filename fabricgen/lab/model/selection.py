"""Which switches, servers and cables of a plan a subset keeps. Always the first ones, so that names stay small."""

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain, islice, zip_longest
from typing import TypeVar

from fabricgen.intent.scalars import Spans
from fabricgen.lab.model.lab import LabEnd
from fabricgen.lab.model.subset import Subset
from fabricgen.plan.exceptions import AWAY, DEAD
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, places, state_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenants import Owner, owner_of, owners
from fabricgen.plan.wiring import has_server
from fabricgen.resolve.links import FabricLink
from fabricgen.topologies.shape import GroupShape

T = TypeVar("T")


def kept_places(fabric: FabricPlan, subset: Subset, built: Collection[LabEnd] = ()) -> tuple[Place, ...]:
    """Switches of one fabric that are there and work, in the order of its places.

    built  ends of the cables of a lab that stands: what has been declared dead since is in it as before
    """
    had = {end.owner for end in built}
    standing = tuple(place for place in places(fabric) if _stands(fabric, place, had))
    leaves = set(_kept_leaves(fabric, standing, subset))
    borders = {place for place in standing if place.tier is Tier.BORDER and _within(place.index, subset.borders)}
    below = leaves | borders
    pods = {(place.plane, place.pod) for place in below}
    return tuple(place for place in standing if place in below or _is_kept_above(place, pods, subset))


def _stands(fabric: FabricPlan, place: Place, had: Collection[str]) -> bool:
    state = state_of(fabric, place)
    return state not in AWAY or (state == DEAD and name_of(fabric, place) in had)


def _is_kept_above(place: Place, pods: set[tuple[int, int]], subset: Subset) -> bool:
    """Whether a spine, or a superspine, stands above what is kept. `pods`: plane and pod of kept leaves."""
    if place.tier is Tier.SPINE:
        return (place.plane, place.pod) in pods and _within(place.index, subset.spines)
    return (
        place.tier is Tier.SUPERSPINE
        and _within(place.plane, subset.planes)
        and _within(place.su, subset.spines)
        and _within(place.index, subset.superspines)
    )


def _within(number: int, most: int | None) -> bool:
    return most is None or number < most


def _kept_leaves(fabric: FabricPlan, standing: Iterable[Place], subset: Subset) -> Iterator[Place]:
    units = {group.name: set(kept_units(group, subset)) for group in fabric.shape.groups}
    pods: dict[tuple[int, int], dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
    for place in standing:
        if (
            place.tier is Tier.LEAF
            and _within(place.plane, subset.planes)
            and unit_of(fabric, place) in units[place.group]
        ):
            pods[place.plane, place.pod][place.group].append(place)
    for groups in pods.values():
        yield from islice(in_turn(groups[name] for name in sorted(groups)), subset.leaves)


def unit_of(fabric: FabricPlan, leaf: Place) -> int:
    """Number of the unit of servers that a leaf belongs to, over all pods."""
    return leaf.pod * group_of(fabric, leaf.group).units_a_pod + leaf.su


def kept_units(group: GroupShape, subset: Subset) -> tuple[int, ...]:
    """Numbers of the units of a server group that are kept: the first that stand in each of the first pods."""
    pods: dict[int, list[int]] = defaultdict(list)
    for unit in _numbers(group.present):
        pods[unit // group.units_a_pod].append(unit)
    kept = (units for pod, units in pods.items() if _within(pod, subset.pods))
    return tuple(unit for units in kept for unit in units[: subset.units])


def _numbers(spans: Spans) -> Iterator[int]:
    for span in spans:
        yield from range(span.first, span.last + 1)


def in_turn(queues: Iterable[Iterable[T]]) -> Iterator[T]:
    """The first of each queue, then the second of each, and so on."""
    missing = object()
    rounds = zip_longest(*queues, fillvalue=missing)
    yield from (found for found in chain.from_iterable(rounds) if found is not missing)  # type: ignore[misc]


Slots = Mapping[str, Collection[int]]
"""Server group → numbers of slots."""


def kept_slots(plan: Plan, subset: Subset) -> Slots:
    """Slots whose servers are in the lab: those that any fabric's units keep."""
    found: dict[str, set[int]] = {}
    for fabric in plan.fabrics.values():
        for group in fabric.shape.groups:
            owned, kept = owners_of_group(plan, group.name), found.setdefault(group.name, set())
            for unit in kept_units(group, subset):
                first = unit * group.slots_a_unit
                queues: dict[str, list[int]] = {}
                for slot in range(first, first + group.slots_a_unit):
                    if has_server(fabric, group, slot):
                        queues.setdefault(owner_of(owned, slot), []).append(slot)
                kept.update(islice(in_turn(queues.values()), subset.servers))
    return found


def owners_of_group(plan: Plan, group: str) -> tuple[Owner, ...]:
    """Which tenant owns which slots of a group; empty where none has tenants. A frontend knows more than a backend."""
    names = sorted(plan.tenants, key=lambda name: plan.fabrics[name].fabric.kind != "frontend")
    return next((found for name in names if (found := owners(plan.tenants[name], group))), ())


def kept_uplinks(
    name: str, links: Iterable[FabricLink], standing: Collection[Place], subset: Subset, built: Collection[LabEnd] = ()
) -> Iterator[FabricLink]:
    """Cables of a switch to kept ones above it; of each pair the first ones that are plugged in.

    name      of the switch; links: all of its own, in the order of its ports
    standing  all kept switches
    built     as for `kept_places`
    """
    taken: Counter[Place] = Counter()
    for link in links:
        if (
            link.upward
            and link.far in standing
            and (link.state not in AWAY or (link.state == DEAD and LabEnd(name, link.name) in built))
            and _within(taken[link.far], subset.links)
        ):
            taken[link.far] += 1
            yield link
