"""Fixes for a tier with too few ports: fewer servers, smaller pods, other switches, or a third tier."""

from collections.abc import Callable, Iterator
from functools import partial

from fabricgen.checks.remedies.counts import is_possible_on_any, with_counts
from fabricgen.checks.remedies.lock import Stage, as_recorded, with_other_numbers, written
from fabricgen.checks.remedies.models import models_of, one_model, other_models, superspines
from fabricgen.checks.remedies.trial import MOST, OFFERED, Offer, RemedyTrial, working_offers
from fabricgen.hardware.ports import radix
from fabricgen.intent.scalars import Span, spans_text

MOST_SERVERS = 1 << 30
"""Limit on the servers of a group if no other fabric limits them."""

OF_OTHERS = " (the most that all fabrics have room for)"


def smaller_or_larger(trial: RemedyTrial) -> str:
    """Return the fix for a tier of spines with too few ports: fewer servers, another spine, or a third tier."""
    return _sized(trial, _fewer, _smaller_pods, partial(other_models, role="spine"), _third_tier)


def fewer_or_larger_pods(trial: RemedyTrial) -> str:
    """Return the fix for superspines with too few ports: fewer servers, larger pods, or another superspine."""
    return _sized(trial, _fewer, _larger_pods, partial(other_models, role="superspine"))


def _sized(trial: RemedyTrial, *stages: Stage) -> str:
    return (
        written(trial, *stages, each=OFFERED)
        or written(trial, as_recorded)
        or with_other_numbers(trial, *stages)
        or written(trial, _all_larger)
        or with_other_numbers(trial, _all_larger)
        or _at_most(trial)
    )


def _fewer(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield the most planned servers of a group that its spines can take; none if today's are too many."""
    yield from next(filter(None, (_most_planned(trial, name) for name in trial.fabric.connects)), ())


def fewer_servers(trial: RemedyTrial) -> dict[str, int]:
    """Return the first group of which fewer planned servers work, with the most of them; empty for none."""
    for name in trial.fabric.connects:
        for offer in _most_planned(trial, name):
            return {name: offer.trial.intent.servers[name].planned or 0}
    return {}


def _most_planned(trial: RemedyTrial, name: str) -> tuple[Offer, ...]:
    group = trial.intent.servers[name]
    asked, most = (group.planned or 0) - 1, trial.most_servers.get(name, MOST_SERVERS)
    offers = _most(trial, name, group.slots[-1].last + 1, min(asked, most))
    more = _with_servers(trial, name, most + 1) if asked > most else None
    is_others = more is not None and is_possible_on_any(more)
    return tuple(offer._replace(text=f"{offer.text}{OF_OTHERS}") for offer in offers) if is_others else offers


def _at_most(trial: RemedyTrial) -> str:
    """Return the most servers that switches of the library can serve, for the first group that alone is enough."""
    for name in trial.fabric.connects:
        slots = trial.intent.servers[name].slots
        fitting = _most(trial, name, 1, slots[-1].last)
        for offer in fitting:
            spans = spans_text(offer.trial.intent.servers[name].slots)
            return f'write servers.{name}.slots: "{spans}" and {offer.text}{_largest(offer.trial)}'
    return ""


def _largest(trial: RemedyTrial) -> str:
    """Return a note on the model with the most ports for the top tier, whose ports are the limit."""
    plan, fabric = trial.plan(), trial.fabric
    top = fabric.superspine or fabric.spine
    shape = plan.fabrics[trial.name].shape if plan is not None else None
    chassis = (shape.core or shape.spine) if shape is not None else None
    if top is None or chassis is None:
        return ""
    speed = chassis.down[0].speed_gbps
    known = {name: radix(trial.catalog.switches[name], speed) for name in (top.model, *models_of(trial.catalog, top))}
    model = max(known, key=lambda name: known[name])
    system, most = top.os.partition("-")[0], f"{known[model]} ports of {speed}G"
    return f" (no model of the library for {system} has room for all of them: the largest, {model}, has {most})"


def _other_pods(trial: RemedyTrial, sizes: Callable[[int], range]) -> Iterator[Offer]:
    """Yield the first other number of units per pod that works; none without pods, or with numbers per group.

    sizes  the numbers to try instead of the one of the intent, in this order
    """
    units = trial.fabric.topology.units_per_pod
    if isinstance(units, int):
        offers = (
            offer
            for size in sizes(units)
            for offer in with_counts(trial.on_topology(units_per_pod=size), f"topology.units_per_pod: {size}")
        )
        yield from working_offers(offers, 1)


def _smaller_pods(trial: RemedyTrial) -> Iterator[Offer]:
    return _other_pods(trial, lambda units: range(min(units, MOST) - 1, 0, -1))


def _larger_pods(trial: RemedyTrial) -> Iterator[Offer]:
    return _other_pods(trial, lambda units: range(units + 1, MOST + 1))


def _most(trial: RemedyTrial, group: str, low: int, high: int) -> tuple[Offer, ...]:
    """Return the most servers that fit, by binary search: if a number fits, each smaller one does."""
    best: RemedyTrial | None = None
    most = 0
    while low <= high:
        middle = (low + high) // 2
        smaller = _with_servers(trial, group, middle)
        if smaller is not None and is_possible_on_any(smaller):
            best, most, low = smaller, middle, middle + 1
        else:
            high = middle - 1
    return working_offers(with_counts(best, f"servers.{group}.planned: {most}"), 1) if best is not None else ()


def _with_servers(trial: RemedyTrial, group: str, planned: int) -> RemedyTrial | None:
    """Return the trial with so many servers of a group, present and planned; None where none would be left."""
    slots = trial.intent.servers[group].slots
    kept = tuple(Span(span.first, min(span.last, planned - 1)) for span in slots if span.first < planned)
    return trial.on_group(group, planned=planned, slots=kept) if kept else None


def _all_larger(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield one other model for all switches, alone or with a third tier of it."""
    for offer in one_model(trial):
        yield from working_offers(with_counts(offer.trial, offer.text), 1)
        for larger in superspines(offer.trial):
            yield larger._replace(text=f"{offer.text} and {larger.text}")


def _third_tier(trial: RemedyTrial) -> Iterator[Offer]:
    """Yield the largest pods that work."""
    yield from working_offers(superspines(trial), 1)
