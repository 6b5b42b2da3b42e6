"""Switches, servers and cables of a plan that a subset keeps: always the first ones, so that numbers remain small."""

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


def selected_places(fabric: FabricPlan, subset: Subset, built: Collection[LabEnd] = ()) -> tuple[Place, ...]:
    """Kept switches of one fabric that exist and work, in the order of its places.

    built  ends of the cables of a running lab: what has been declared dead since is still in it
    """
    built_owners = {end.owner for end in built}
    working = tuple(place for place in places(fabric) if _is_in_lab(fabric, place, built_owners))
    leaves = set(_selected_leaves(fabric, working, subset))
    borders = {place for place in working if place.tier is Tier.BORDER and _within(place.index, subset.borders)}
    below = leaves | borders
    pods = {(place.plane, place.pod) for place in below}
    return tuple(place for place in working if place in below or _is_selected_above(place, pods, subset))


def _is_in_lab(fabric: FabricPlan, place: Place, built_owners: Collection[str]) -> bool:
    state = state_of(fabric, place)
    return state not in AWAY or (state == DEAD and name_of(fabric, place) in built_owners)


def _is_selected_above(place: Place, pods: set[tuple[int, int]], subset: Subset) -> bool:
    """Whether a spine or superspine is kept, by the kept leaves. `pods`: their planes and pods."""
    if place.tier is Tier.SPINE:
        return (place.plane, place.pod) in pods and _within(place.index, subset.spines)
    return (
        place.tier is Tier.SUPERSPINE
        and _within(place.plane, subset.planes)
        and _within(place.su, subset.spines)
        and _within(place.index, subset.superspines)
    )


def _within(number: int, limit: int | None) -> bool:
    return limit is None or number < limit


def _selected_leaves(fabric: FabricPlan, working: Iterable[Place], subset: Subset) -> Iterator[Place]:
    units = {group.name: set(selected_units(group, subset)) for group in fabric.shape.groups}
    pods: dict[tuple[int, int], dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
    for place in working:
        if (
            place.tier is Tier.LEAF
            and _within(place.plane, subset.planes)
            and unit_of(fabric, place) in units[place.group]
        ):
            pods[place.plane, place.pod][place.group].append(place)
    for groups in pods.values():
        yield from islice(in_turn(groups[name] for name in sorted(groups)), subset.leaves)


def unit_of(fabric: FabricPlan, leaf: Place) -> int:
    """Number of the scalable unit that a leaf belongs to, counted over all pods."""
    return leaf.pod * group_of(fabric, leaf.group).units_a_pod + leaf.su


def selected_units(group: GroupShape, subset: Subset) -> tuple[int, ...]:
    """Numbers of the kept units of a server group: the first present ones in each of the first pods."""
    pods: dict[int, list[int]] = defaultdict(list)
    for unit in _numbers(group.present):
        pods[unit // group.units_a_pod].append(unit)
    units_by_pod = (units for pod, units in pods.items() if _within(pod, subset.pods))
    return tuple(unit for units in units_by_pod for unit in units[: subset.units])


def _numbers(spans: Spans) -> Iterator[int]:
    for span in spans:
        yield from range(span.first, span.last + 1)


def in_turn(queues: Iterable[Iterable[T]]) -> Iterator[T]:
    """The first item of each queue, then the second of each, and so on."""
    missing = object()
    rounds = zip_longest(*queues, fillvalue=missing)
    yield from (item for item in chain.from_iterable(rounds) if item is not missing)  # type: ignore[misc]


Slots = Mapping[str, Collection[int]]
"""Server group → numbers of slots."""


def selected_slots(plan: Plan, subset: Subset) -> Slots:
    """Slots whose servers are in the lab: those in kept units of any fabric."""
    slots: dict[str, set[int]] = {}
    for fabric in plan.fabrics.values():
        for group in fabric.shape.groups:
            owned, group_slots = owners_of_group(plan, group.name), slots.setdefault(group.name, set())
            for unit in selected_units(group, subset):
                first = unit * group.slots_a_unit
                queues: dict[str, list[int]] = {}
                for slot in range(first, first + group.slots_a_unit):
                    if has_server(fabric, group, slot):
                        queues.setdefault(owner_of(owned, slot), []).append(slot)
                group_slots.update(islice(in_turn(queues.values()), subset.servers))
    return slots


def owners_of_group(plan: Plan, group: str) -> tuple[Owner, ...]:
    """Owners of a group's slots; empty where it has none. A frontend comes first, as it has more tenants."""
    names = sorted(plan.tenants, key=lambda name: plan.fabrics[name].fabric.kind != "frontend")
    return next((group_owners for name in names if (group_owners := owners(plan.tenants[name], group))), ())


def selected_uplinks(
    name: str, links: Iterable[FabricLink], selected: Collection[Place], subset: Subset, built: Collection[LabEnd] = ()
) -> Iterator[FabricLink]:
    """Cables of a switch to kept switches above it; of each pair the first ones that are plugged in.

    name      of the switch; links: all of its own, in the order of its ports
    selected  all kept switches
    built     as for `selected_places`
    """
    link_counts: Counter[Place] = Counter()
    for link in links:
        if (
            link.upward
            and link.far in selected
            and (link.state not in AWAY or (link.state == DEAD and LabEnd(name, link.name) in built))
            and _within(link_counts[link.far], subset.links)
        ):
            link_counts[link.far] += 1
            yield link
