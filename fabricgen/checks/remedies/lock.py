"""Fixes for a fabric with a lock: the former values of keys, from its lines, or new numbers for the whole fabric."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from fabricgen.checks.numbers.pools import renumber_command
from fabricgen.checks.remedies.counts import both
from fabricgen.checks.remedies.trial import Offer, RemedyTrial, offered, working_offers
from fabricgen.intent.fabric import Backend, BackendTiers, RailOnly, RailOptimized, Tor
from fabricgen.intent.scalars import Ratio
from fabricgen.plan.place import Tier
from fabricgen.plan.segments import Segment

RATIOS = tuple(Ratio(down, up) for up in (1, 2) for down in range(1, 11) if up == 1 or down % 2)
"""Ratios that are tried where the lock allows another number of uplinks."""

Stage = Callable[[RemedyTrial], Iterable[Offer]]
"""Function that yields offers of one kind."""


def written(trial: RemedyTrial, *stages: Stage, each: int = 1, is_sound: bool = False) -> str:
    """Return `write …` with up to `each` working offers of each kind, only sound ones if there are any; else empty.

    is_sound  offers that are not sound do not count
    """
    offers = tuple(offer for stage in stages for offer in working_offers(stage(trial), each))
    sound = tuple(offer for offer in offers if offer.is_sound)
    texts = dict.fromkeys(offer.text for offer in sound or (() if is_sound else offers))
    return f"write {', or '.join(texts)}" if texts else ""


def with_other_numbers(trial: RemedyTrial, *stages: Stage, is_sound: bool = False) -> str:
    """Return the first offer that works if only the lock prevents it, with the command to renumber; empty for none."""
    if not trial.is_recorded:
        return ""
    fresh = trial.renumbered()
    offers = chain.from_iterable(working_offers(stage(fresh), 1) for stage in stages)
    found = next((offer for offer in offers if offer.is_sound or not is_sound), None)
    return f"write {found.text} and then run {renumber(trial.name, *found.trial.misfits())}" if found else ""


def renumber(*names: str) -> str:
    """Return the command that gives fabrics new numbers, and its effect."""
    return (
        f"{renumber_command(*names)} (assigns the addresses of {' and '.join(names)} again, also those of management "
        "ports, which inventory files have, and AS numbers: any of them may change)"
    )


def moving(trial: RemedyTrial) -> str:
    """Return how to give a fabric new numbers, with the counts of spines that it then needs."""
    fresh = trial.renumbered()
    pairs = () if fresh.holds else offered(both(fresh, "spines", fresh.spines()), 1)
    return (f"write {pairs[0]} and then " if pairs else "") + f"run {renumber(trial.name, *trial.misfits())}"


def as_recorded(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield keys whose former value is in the lines of the leaves, or of the spines."""
    topology = trial.fabric.topology
    leaves = [line for line in trial.recorded.segments if line.fabric == trial.name and line.tier is Tier.LEAF]
    if not leaves:
        return
    if getattr(topology, "uplinks", None) is not None:
        former = dict.fromkeys(line.up.count for line in leaves if line.up is not None)
        yield from (Offer(f"topology.uplinks: {count}", trial.on_topology(uplinks=count)) for count in former)
    speeds = dict.fromkeys(line.up.gbps for line in leaves if line.up is not None)
    yield from (Offer(f"topology.uplink_gbps: {gbps}", trial.on_topology(uplink_gbps=gbps)) for gbps in speeds)
    if isinstance(topology, BackendTiers):
        yield from designs(trial)
        slots = {line.group: line.slots for line in leaves}
        slots |= {each.group: each.slots for line in leaves for each in line.shared}
        slots = {group: number for group, number in slots.items() if group in trial.fabric.connects}
        yield from _as_shared(trial, leaves, slots)
        yield servers_a_unit(trial, topology.servers_per_unit, slots)
        planes = 1 + max(line.box.plane.last for line in leaves)
        yield Offer(f"topology.planes: {planes}", trial.on_topology(planes=planes))
    if isinstance(topology, RailOptimized):
        for key in ("rails_per_leaf", "rails_per_plane"):
            others = (rails for rails in (1, 2, 4, 8) if rails != getattr(topology, key))
            yield from (Offer(f"topology.{key}: {n}", trial.on_topology(**{key: n})) for n in others)
    if trial.fabric.superspine is not None:
        units = 1 + max(line.box.su.last for line in leaves)
        yield Offer(f"topology.units_per_pod: {units}", trial.on_topology(units_per_pod=units))
        spines = (line for line in trial.recorded.segments if line.fabric == trial.name and line.tier is Tier.SPINE)
        counts = dict.fromkeys(line.up.count for line in spines if line.up is not None)
        yield from (Offer(f"topology.spine_uplinks: {n}", trial.on_topology(spine_uplinks=n)) for n in counts)


def _as_shared(trial: RemedyTrial, leaves: Iterable[Segment], slots: dict[str, int]) -> Iterator[Offer]:
    """Yield the groups that shared leaves when they were recorded, alone and with their numbers of servers a unit."""
    former = {each.group: line.group for line in leaves for each in line.shared}
    if not isinstance(trial.fabric, Backend) or former == trial.fabric.shared_leaves:
        return
    pairs = ", ".join(f"{group}: {owner}" for group, owner in former.items())
    text = f"shared_leaves: {{{pairs}}}"
    changed = trial.on_fabric(shared_leaves=former)
    yield Offer(text, changed)
    units = servers_a_unit(changed, trial.fabric.topology.servers_per_unit, slots)
    if units.trial.fabric.topology != trial.fabric.topology:
        yield Offer(f"{text} and {units.text}", units.trial)


def designs(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield another design with spines, if it has all keys of the topology."""
    topology = trial.fabric.topology
    if not isinstance(topology, RailOptimized | Tor | RailOnly):
        return
    other = Tor(design="tor") if isinstance(topology, RailOptimized) else RailOptimized(design="rail-optimized")
    keys = {key: getattr(topology, key) for key in topology.model_fields_set if key != "design"}
    if keys.keys() <= type(other).model_fields.keys():
        changed = trial.on_fabric(topology=other.model_copy(update=keys))
        yield Offer(f"topology.design: {other.design}", changed)
        for rails in (2, 4, 8) if isinstance(other, RailOptimized) else ():
            text = f"topology.design: {other.design} and topology.rails_per_leaf: {rails}"
            yield Offer(text, changed.on_topology(rails_per_leaf=rails))


def servers_a_unit(trial: RemedyTrial, current: int | dict[str, int] | None, servers: dict[str, int]) -> Offer:
    """Return other numbers of servers per unit for some groups, merged with those of the intent."""
    connects = sorted(trial.fabric.connects)
    current_by_group = dict.fromkeys(connects, current) if isinstance(current, int) else dict(current or {})
    by_group = {**current_by_group, **servers}
    single = by_group.get(connects[0]) if len(connects) == 1 else None
    text = single or f"{{{', '.join(f'{name}: {number}' for name, number in by_group.items())}}}"
    return Offer(f"topology.servers_per_unit: {text}", trial.on_topology(servers_per_unit=single or by_group))


def ratios(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield other ratios of a leaf: the former one fits the lines of the lock."""
    topology = trial.fabric.topology
    for ratio in RATIOS:
        if ratio != topology.oversubscription:
            text = f'topology.oversubscription: "{ratio.down}:{ratio.up}"'
            yield Offer(text, trial.on_topology(oversubscription=ratio))
