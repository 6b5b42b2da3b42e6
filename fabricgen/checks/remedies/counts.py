"""Counts of spines and superspines to write: instead of a refused one, or together with another change."""

from collections.abc import Iterator
from itertools import islice

from fabricgen.checks.lossless.buffers import PUBLISHED_LATE, published_late
from fabricgen.checks.remedies.trial import MOST, Offer, RemedyTrial, near
from fabricgen.intent.fabric import Spines
from fabricgen.plan.fabric import places
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan

COUNTS = ("spines", "superspines")
"""Keys of a topology with counts of switches."""
PAIRS = 2
"""Pairs of counts that are tried with another change: the nearest to the written ones."""


def one_count(trial: RemedyTrial, key: str, stage: str, spines: Spines) -> Iterator[Offer]:
    """Yield values of the refused key alone: the nearest below and above, then others by distance."""
    if stage == "planned":
        trials = ((count, trial.on_spines(spines.now, count, key)) for count in range(spines.now, MOST + 1))
        current = spines.planned or spines.now
    else:
        last = spines.planned or MOST
        trials = ((count, trial.on_spines(count, spines.planned, key)) for count in range(1, last + 1))
        current = spines.now
    legal = {count: changed for count, changed in trials if changed.is_possible}
    working = [count for count in near(current, legal) if legal[count].holds]
    around = [
        *[count for count in working if count < current][:1],
        *[count for count in working if count > current][:1],
    ]
    yield from (Offer(str(count), legal[count]) for count in dict.fromkeys((*around, *working)))


def both(trial: RemedyTrial, key: str, spines: Spines | None) -> Iterator[Offer]:
    """Yield both counts, the nearest to the written ones: first `planned`, which decides the uplink ports of a leaf."""
    if not _on_any(trial, key).is_possible:
        return  # no count is legal, with any lock: the usual case, and cheap to test
    now = spines.now if spines is not None else 1
    planned = (spines.planned or spines.now) if spines is not None else 1
    for last in near(planned, range(1, MOST + 1)):
        pair = trial.on_spines(last, last, key)
        if pair.is_possible:
            # Recorded leaves do not fit, which no count of spines changes.
            if pair.is_stuck:
                return
            trials = (trial.on_spines(count, last, key) for count in near(now, range(1, last + 1)))
            working = next((changed for changed in trials if changed.holds), None)
            if working is not None:
                yield Offer(_written(working, key), working)


def _on_any(trial: RemedyTrial, *keys: str) -> RemedyTrial:
    """Return a trial that is possible if any count of these keys is legal, with any lock."""
    return trial.on_topology(**dict.fromkeys(keys))._replace(recorded=Lock())


def is_possible_on_any(trial: RemedyTrial) -> bool:
    """Return whether there are counts with valid dimensions, with any lock."""
    return _on_any(trial, *COUNTS).is_possible


def _written(trial: RemedyTrial, key: str) -> str:
    """Return both counts as they are written."""
    spines = trial.spines(key)
    return f"topology.{key}: {{now: {spines.now}, planned: {spines.planned}}}" if spines is not None else ""


def with_counts(trial: RemedyTrial, text: str) -> Iterator[Offer]:
    """Yield a fix alone, or with the counts of spines or superspines that it needs."""
    yield Offer(text, trial)
    if not trial.holds:
        for key in COUNTS:
            if trial.spines(key) is not None:
                pairs = islice(both(trial, key, trial.spines(key)), PAIRS)
                yield from (Offer(f"{text} and {offer.text}", offer.trial) for offer in pairs)


def counts(trial: RemedyTrial, key: str) -> Iterator[Offer]:
    """Yield other counts of spines, the nearest first; `planned` alone where that is enough."""
    spines = trial.spines(key)
    if spines is not None and spines.planned is not None:
        for last in near(spines.planned, range(spines.now, MOST + 1)):
            changed = trial.on_spines(spines.now, last, key)
            if changed.is_possible:
                yield Offer(f"topology.{key}.planned: {last}", changed)
    yield from both(trial, key, spines)


def on_count(trial: RemedyTrial, key: str, count: int) -> str:
    """Return this count of spines as the one of today, with a `planned` that is not lower, and its cost.

    Empty: none works.
    """
    spines = trial.spines(key)
    alone = trial.on_spines(count, spines.planned, key) if spines is not None and spines.planned is not None else None
    plan = alone.plan() if alone is not None else None
    if plan is not None:
        return f"topology.{key}.now: {count} ({_cost(trial, plan)})"
    pair = trial.on_spines(count, count, key)
    plan = pair.plan()
    return f"{_written(pair, key)} ({_cost(trial, plan)})" if plan is not None else ""


def _cost(trial: RemedyTrial, plan: Plan) -> str:
    """Return the switches that the counts of a working trial add or save, and the warning that they bring."""
    now = trial.plan()
    more = _switches(plan) - (_switches(now) if now is not None else 0)
    is_late = any(published_late(plan)) and not (now is not None and any(published_late(now)))
    late = f", and then a warning {PUBLISHED_LATE}" if is_late else ""
    return f"{abs(more)} {'more' if more > 0 else 'fewer'} switch{'es' if abs(more) != 1 else ''}{late}"


def _switches(plan: Plan) -> int:
    return sum(1 for fabric in plan.fabrics.values() for _ in places(fabric))
