"""Which switches, servers and cables of a plan a subset keeps. Always the first ones, so that names stay small."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from itertools import chain, islice, zip_longest
from typing import NamedTuple, TypeVar

from fabricgen.intent.scalars import Spans
from fabricgen.lab.subset import Subset
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.fabric import FabricPlan, group_of, places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.tenants import Owner, owner_of, owners
from fabricgen.plan.wiring import has_server
from fabricgen.resolve.links import ABSENT, FabricLink, fabric_links
from fabricgen.topologies.shape import GroupShape

T = TypeVar("T")


class Uplink(NamedTuple):
    """One cable that is kept, as the lower switch sees it."""

    lower: Place
    link: FabricLink


def kept_places(fabric: FabricPlan, subset: Subset) -> tuple[Place, ...]:
    """Switches of one fabric, in the order of its places."""
    standing = tuple(places(fabric))
    leaves = set(_kept_leaves(fabric, standing, subset))
    most = {Tier.SPINE: subset.spines, Tier.BORDER: subset.borders}
    return tuple(
        place
        for place in standing
        if (place in leaves if place.tier is Tier.LEAF else _within(place.index, most.get(place.tier)))
    )


def _within(number: int, most: int | None) -> bool:
    return most is None or number < most


def _kept_leaves(fabric: FabricPlan, standing: Iterable[Place], subset: Subset) -> Iterator[Place]:
    units = {group.name: kept_units(group, subset) for group in fabric.shape.groups}
    planes: dict[int, dict[str, list[Place]]] = defaultdict(lambda: defaultdict(list))
    for place in standing:
        if place.tier is Tier.LEAF and _unit(fabric, place) in units[place.group]:
            planes[place.plane][place.group].append(place)
    for groups in planes.values():
        yield from islice(in_turn(groups[name] for name in sorted(groups)), subset.leaves)


def _unit(fabric: FabricPlan, leaf: Place) -> int:
    return leaf.pod * group_of(fabric, leaf.group).units_a_pod + leaf.su


def kept_units(group: GroupShape, subset: Subset) -> tuple[int, ...]:
    """Numbers of the units of a server group that are kept."""
    return tuple(islice(_numbers(group.present), subset.units))


def _numbers(spans: Spans) -> Iterator[int]:
    for span in spans:
        yield from range(span.first, span.last + 1)


def in_turn(queues: Iterable[Iterable[T]]) -> Iterator[T]:
    """The first of each queue, then the second of each, and so on."""
    missing = object()
    rounds = zip_longest(*queues, fillvalue=missing)
    yield from (found for found in chain.from_iterable(rounds) if found is not missing)  # type: ignore[misc]


def kept_slots(plan: Plan, subset: Subset) -> frozenset[SlotKey]:
    """Slots whose servers are in the lab: those that any fabric's units keep."""
    found: set[SlotKey] = set()
    for fabric in plan.fabrics.values():
        for group in fabric.shape.groups:
            owned = owners_of_group(plan, group.name)
            for unit in kept_units(group, subset):
                found |= {SlotKey(group.name, slot) for slot in _unit_slots(fabric, group, unit, owned, subset)}
    return frozenset(found)


def _unit_slots(
    fabric: FabricPlan, group: GroupShape, unit: int, owned: tuple[Owner, ...], subset: Subset
) -> Iterator[int]:
    first = unit * group.slots_a_unit
    queues: dict[str, list[int]] = {}
    for slot in range(first, first + group.slots_a_unit):
        if has_server(fabric, group, slot):
            queues.setdefault(owner_of(owned, slot), []).append(slot)
    return islice(in_turn(queues.values()), subset.servers)


def owners_of_group(plan: Plan, group: str) -> tuple[Owner, ...]:
    """Which tenant owns which slots of a group; empty where no frontend connects it."""
    return next((found for tenants in plan.tenants.values() if (found := owners(tenants, group))), ())


def kept_uplinks(fabric: FabricPlan, kept: Iterable[Place], subset: Subset) -> Iterator[Uplink]:
    """Cables between kept switches; of each pair the first ones that are plugged in."""
    standing = set(kept)
    for lower in kept:
        if lower.tier is Tier.SPINE:
            continue
        taken: Counter[Place] = Counter()
        for link in fabric_links(fabric, lower):
            if link.far in standing and link.state != ABSENT and _within(taken[link.far], subset.links):
                taken[link.far] += 1
                yield Uplink(lower, link)
