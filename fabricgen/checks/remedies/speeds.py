"""What to write where links have no speed that all panels offer: another speed, or other models."""

from collections.abc import Iterable, Iterator
from itertools import chain

from fabricgen.checks.remedies.counts import with_counts
from fabricgen.checks.remedies.lock import as_recorded, servers_a_unit, with_other_numbers, written
from fabricgen.checks.remedies.models import one_model, other_models, switches
from fabricgen.checks.remedies.trial import Offer, RemedyTrial, kept
from fabricgen.intent.fabric import BackendTiers, RailOnly
from fabricgen.plan.place import Tier
from fabricgen.topologies.leaf_ports import port_speed
from fabricgen.topologies.request import make_request
from fabricgen.topologies.upper import speeds_of

MOST_SERVERS = 64
"""Servers of a unit that are tried: no leaf of the library has ports for more."""


def another_speed(trial: RemedyTrial, role: str) -> str:
    """What to write where the switches of a role have no port of a speed that their links need."""
    stages = (as_recorded, _speeds, lambda one: other_models(one, role), _one_model)
    return written(trial, *stages) or with_other_numbers(trial, *stages)


def one_speed(trial: RemedyTrial) -> str:
    """What to write where NICs of several speeds share their spines: the speed of uplinks, and what goes with it."""
    stages = (_recorded_speed, _speeds, _one_model)
    return written(trial, *stages) or with_other_numbers(trial, *stages)


def with_planes(trial: RemedyTrial, numbers: Iterable[int]) -> str:
    """What to write so that NICs are divided alike: a number of planes, and what goes with it."""

    def stage(trial: RemedyTrial) -> Iterator[Offer]:
        for number in numbers:
            one, text = trial.on_topology(planes=number), f"topology.planes: {number}"
            yield from kept(with_counts(one, text), 1)
            for two in chain(_recorded_speed(one), _speeds(one), _one_model(one)):
                yield two._replace(text=f"{text} and {two.text}")

    return written(trial, stage) or with_other_numbers(trial, stage)


def joined(trial: RemedyTrial, *, is_uplink: bool) -> str:
    """What to write where no part joins two cages: another speed of uplinks, or other models; empty for none."""
    stages = (_speeds, _one_model) if is_uplink else (lambda one: other_models(one, "leaf"), _one_model)
    return written(trial, *stages, is_sound=True) or with_other_numbers(trial, *stages, is_sound=True)


def _speeds(trial: RemedyTrial) -> Iterator[Offer]:
    """Speeds between switches that all panels offer, the highest first."""
    panels = [trial.catalog.switches[switch.model] for switch in switches(trial).values()]
    for speed in sorted(set.intersection(*(set(speeds_of(panel)) for panel in panels)), reverse=True):
        yield from _on_speed(trial, speed)


def _on_speed(trial: RemedyTrial, speed: int) -> tuple[Offer, ...]:
    topology = trial.fabric.topology
    if isinstance(topology, RailOnly) or topology.uplink_gbps == speed:
        return ()
    return kept(with_counts(trial.on_topology(uplink_gbps=speed), f"topology.uplink_gbps: {speed}"), 1)


def _one_model(trial: RemedyTrial) -> Iterator[Offer]:
    """One model for all switches, with the speed of uplinks where none is written."""
    for one in one_model(trial):
        yield from kept((offer for speed in _asked(trial) for offer in _with_speed(one, speed)), 1)


def _asked(trial: RemedyTrial) -> Iterable[int]:
    """Speeds of uplinks to try: 0 for the one that is written, or that of the NICs; else that of each NIC."""
    topology = trial.fabric.topology
    if not isinstance(topology, BackendTiers) or topology.uplink_gbps is not None:
        return (0,)
    request = make_request(trial.name, trial.fabric, trial.intent.servers, trial.catalog)
    speeds = {port_speed(nics) for nics in request.nics.values()}
    return sorted(speeds, reverse=True) if len(speeds) > 1 else (0,)


def _with_speed(one: Offer, speed: int) -> Iterator[Offer]:
    if not speed:
        return with_counts(one.trial, one.text)
    return with_counts(one.trial.on_topology(uplink_gbps=speed), f"topology.uplink_gbps: {speed} and {one.text}")


def _recorded_speed(trial: RemedyTrial) -> Iterator[Offer]:
    """The recorded speed of uplinks, with servers a unit of the groups that come with this plan."""
    topology = trial.fabric.topology
    leaves = [line for line in trial.recorded.segments if line.fabric == trial.name and line.tier is Tier.LEAF]
    if not isinstance(topology, BackendTiers):
        return
    new = trial.fabric.connects.keys() - {line.group for line in leaves}
    for speed in dict.fromkeys(line.up.gbps for line in leaves if line.up is not None):
        one, text = trial.on_topology(uplink_gbps=speed), f"topology.uplink_gbps: {speed}"
        yield Offer(text, one)
        for servers in range(MOST_SERVERS, 0, -1):
            two = servers_a_unit(one, topology.servers_per_unit, dict.fromkeys(new, servers))
            yield Offer(f"{text} and {two.text}", two.trial)
