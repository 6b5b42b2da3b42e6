"""What may be written below a lock: the former values of keys, as its lines say them, or other numbers for all."""

from collections.abc import Callable, Iterable, Iterator
from itertools import chain

from fabricgen.checks.remedies.counts import both
from fabricgen.checks.remedies.trial import Offer, RemedyTrial, kept, offered
from fabricgen.intent.fabric import BackendTiers, RailOnly, RailOptimized, Tor
from fabricgen.intent.scalars import Ratio
from fabricgen.plan.place import Tier

RATIOS = tuple(Ratio(down, up) for up in (1, 2) for down in range(1, 11) if up == 1 or down % 2)
"""Ratios that are tried where the lock has room for another number of uplinks."""

Stage = Callable[[RemedyTrial], Iterable[Offer]]
"""Offers of one kind."""


def written(trial: RemedyTrial, *stages: Stage, each: int = 1, is_sound: bool = False) -> str:
    """`write …`, with so many offers of each kind that hold, of these the sound ones; empty where none does.

    is_sound  others are none
    """
    found = tuple(offer for stage in stages for offer in kept(stage(trial), each))
    sound = tuple(offer for offer in found if offer.is_sound)
    texts = dict.fromkeys(offer.text for offer in sound or (() if is_sound else found))
    return f"write {', or '.join(texts)}" if texts else ""


def with_other_numbers(trial: RemedyTrial, *stages: Stage, is_sound: bool = False) -> str:
    """The first offer that holds where the lock alone is in the way, and the command for it; empty for none."""
    if not trial.is_recorded:
        return ""
    fresh = trial.renumbered()
    offers = chain.from_iterable(kept(stage(fresh), 1) for stage in stages)
    found = next((offer.text for offer in offers if offer.is_sound or not is_sound), "")
    return f"write {found} and then run {renumber(trial.name)}" if found else ""


def renumber(name: str) -> str:
    """The command that gives a fabric other numbers, and what it does."""
    return f"render --renumber {name} (changes every address and AS number of {name})"


def moving(trial: RemedyTrial) -> str:
    """How to give a fabric other numbers, with the counts of spines that it needs then."""
    fresh = trial.renumbered()
    pairs = () if fresh.holds else offered(both(fresh, "spines", fresh.spines()), 1)
    return (f"write {pairs[0]} and then " if pairs else "") + f"run {renumber(trial.name)}"


def as_recorded(trial: RemedyTrial) -> Iterator[Offer]:
    """Keys whose former value the lines of the leaves say."""
    topology = trial.fabric.topology
    leaves = [line for line in trial.recorded.segments if line.fabric == trial.name and line.tier is Tier.LEAF]
    if isinstance(topology, RailOnly) or not leaves:
        return
    speeds = dict.fromkeys(line.up.gbps for line in leaves if line.up is not None)
    yield from (Offer(f"topology.uplink_gbps: {gbps}", trial.on_topology(uplink_gbps=gbps)) for gbps in speeds)
    if isinstance(topology, BackendTiers):
        yield from designs(trial)
        slots = {line.group: line.slots for line in leaves if line.group in trial.fabric.connects}
        yield servers_a_unit(trial, topology.servers_per_unit, slots)
        planes = 1 + max(line.box.plane.last for line in leaves)
        yield Offer(f"topology.planes: {planes}", trial.on_topology(planes=planes))
    if isinstance(topology, RailOptimized):
        others = (rails for rails in (1, 2, 4, 8) if rails != topology.rails_per_leaf)
        yield from (Offer(f"topology.rails_per_leaf: {n}", trial.on_topology(rails_per_leaf=n)) for n in others)
    if trial.fabric.superspine is not None:
        units = 1 + max(line.box.su.last for line in leaves)
        yield Offer(f"topology.units_per_pod: {units}", trial.on_topology(units_per_pod=units))


def designs(trial: RemedyTrial) -> Iterator[Offer]:
    """The other design with spines, where it has all keys of a topology."""
    topology = trial.fabric.topology
    if not isinstance(topology, RailOptimized | Tor):
        return
    other = Tor(design="tor") if isinstance(topology, RailOptimized) else RailOptimized(design="rail-optimized")
    keys = {key: getattr(topology, key) for key in topology.model_fields_set if key != "design"}
    if keys.keys() <= type(other).model_fields.keys():
        yield Offer(f"topology.design: {other.design}", trial.on_fabric(topology=other.model_copy(update=keys)))


def servers_a_unit(trial: RemedyTrial, asked: int | dict[str, int] | None, servers: dict[str, int]) -> Offer:
    """Other numbers of servers a unit for some groups, beside those that the intent has."""
    connects = sorted(trial.fabric.connects)
    standing = dict.fromkeys(connects, asked) if isinstance(asked, int) else dict(asked or {})
    each = {**standing, **servers}
    one = each.get(connects[0]) if len(connects) == 1 else None
    told = one or f"{{{', '.join(f'{name}: {number}' for name, number in each.items())}}}"
    return Offer(f"topology.servers_per_unit: {told}", trial.on_topology(servers_per_unit=one or each))


def ratios(trial: RemedyTrial) -> Iterator[Offer]:
    """Other ratios of a leaf: the former one fits the lines of the lock."""
    topology = trial.fabric.topology
    if isinstance(topology, RailOnly):
        return
    for ratio in RATIOS:
        if ratio != topology.oversubscription:
            text = f'topology.oversubscription: "{ratio.down}:{ratio.up}"'
            yield Offer(text, trial.on_topology(oversubscription=ratio))
