"""Fixes for links without a speed that all panels support: another speed, or other models."""

from collections.abc import Iterable, Iterator
from itertools import chain

from fabricgen.checks.remedies.counts import with_counts
from fabricgen.checks.remedies.lock import Stage, as_recorded, servers_a_unit, with_other_numbers, written
from fabricgen.checks.remedies.models import group_models, one_model, other_models, switches
from fabricgen.checks.remedies.trial import Offer, RemedyTrial, working_offers
from fabricgen.intent.fabric import BackendTiers, leaf_switches
from fabricgen.plan.place import Tier
from fabricgen.topologies.request import make_request
from fabricgen.topologies.split import port_speed
from fabricgen.topologies.upper import speeds_of

MOST_SERVERS = 64
"""Most servers per unit that are tried: no leaf of the library has ports for more."""


def another_speed(trial: RemedyTrial, role: str) -> str:
    """Return the fix where the switches of a role have no port of a speed that their links need."""
    stages = (as_recorded, _speeds, lambda tried: other_models(tried, role), _one_model)
    return written(trial, *stages) or with_other_numbers(trial, *stages)


def one_speed(trial: RemedyTrial) -> str:
    """Return the fix where NICs of several speeds share their spines: the uplink speed, and changes that it needs."""
    stages = (_recorded_speed, _speeds, _one_model)
    return written(trial, *stages) or with_other_numbers(trial, *stages)


def with_planes(trial: RemedyTrial, numbers: Iterable[int]) -> str:
    """Return the fix that divides all NICs alike: a number of planes, and changes that it needs."""

    def stage(trial: RemedyTrial) -> Iterator[Offer]:
        for number in numbers:
            changed, text = trial.on_topology(planes=number), f"topology.planes: {number}"
            yield from working_offers(with_counts(changed, text), 1)
            for offer in chain(_recorded_speed(changed), _speeds(changed), _one_model(changed)):
                yield offer._replace(text=f"{text} and {offer.text}")

    return written(trial, stage) or with_other_numbers(trial, stage)


def joined(trial: RemedyTrial, group: str, *, is_uplink: bool) -> str:
    """Return the fix where no part connects two cages: another uplink speed, or other models; empty for none.

    group  server group whose leaves have a model of their own, if they are what does not fit
    """
    if group:
        stages: tuple[Stage, ...] = (lambda tried: group_models(tried, group),)
    else:
        stages = (_speeds, _one_model) if is_uplink else (lambda tried: other_models(tried, "leaf"), _one_model)
    return written(trial, *stages, is_sound=True) or with_other_numbers(trial, *stages, is_sound=True)


def _speeds(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield speeds between switches that all panels support, the highest first."""
    models = {switch.model for switch in (*switches(trial).values(), *leaf_switches(trial.fabric))}
    panels = [trial.catalog.switches[model] for model in sorted(models)]
    for speed in sorted(set.intersection(*(set(speeds_of(panel)) for panel in panels)), reverse=True):
        yield from _on_speed(trial, speed)


def _on_speed(trial: RemedyTrial, speed: int) -> tuple[Offer, ...]:
    if trial.fabric.topology.uplink_gbps == speed:
        return ()
    return working_offers(with_counts(trial.on_topology(uplink_gbps=speed), f"topology.uplink_gbps: {speed}"), 1)


def _one_model(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield one model for all switches, with an uplink speed if none is written."""
    for base in one_model(trial):
        yield from working_offers((offer for speed in _asked(trial) for offer in _with_speed(base, speed)), 1)


def _asked(trial: RemedyTrial) -> Iterable[int]:
    """Return uplink speeds to try: 0 keeps the written speed, or that of the NICs; else each speed of the NICs."""
    topology = trial.fabric.topology
    if not isinstance(topology, BackendTiers) or topology.uplink_gbps is not None:
        return (0,)
    request = make_request(trial.name, trial.fabric, trial.intent.servers, trial.catalog)
    speeds = {port_speed(nics) for nics in request.nics.values()}
    return sorted(speeds, reverse=True) if len(speeds) > 1 else (0,)


def _with_speed(offer: Offer, speed: int) -> Iterator[Offer]:
    if not speed:
        return with_counts(offer.trial, offer.text)
    return with_counts(offer.trial.on_topology(uplink_gbps=speed), f"topology.uplink_gbps: {speed} and {offer.text}")


def _recorded_speed(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield the recorded uplink speed, with servers per unit for groups without recorded lines."""
    topology = trial.fabric.topology
    leaves = [line for line in trial.recorded.segments if line.fabric == trial.name and line.tier is Tier.LEAF]
    if not isinstance(topology, BackendTiers):
        return
    new_groups = trial.fabric.connects.keys() - {line.group for line in leaves}
    for speed in dict.fromkeys(line.up.gbps for line in leaves if line.up is not None):
        changed, text = trial.on_topology(uplink_gbps=speed), f"topology.uplink_gbps: {speed}"
        yield Offer(text, changed)
        for servers in range(MOST_SERVERS, 0, -1):
            with_servers = servers_a_unit(changed, topology.servers_per_unit, dict.fromkeys(new_groups, servers))
            yield Offer(f"{text} and {with_servers.text}", with_servers.trial)
