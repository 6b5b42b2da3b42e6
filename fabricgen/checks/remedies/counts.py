"""Counts of spines and superspines that may be written: in place of one that is refused, or beside another change."""

from collections.abc import Iterator
from itertools import islice

from fabricgen.checks.remedies.trial import MOST, Offer, RemedyTrial, near
from fabricgen.intent.fabric import Spines
from fabricgen.plan.lock import Lock

COUNTS = ("spines", "superspines")
"""Keys of a topology that are counts of switches."""
PAIRS = 2
"""Pairs of counts that are tried beside another change: the nearest to what is written."""


def one_count(trial: RemedyTrial, key: str, stage: str, asked: Spines) -> Iterator[Offer]:
    """Values of the refused key alone: the nearest below and above."""
    if stage == "planned":
        tried = ((count, trial.on_spines(asked.now, count, key)) for count in range(asked.now, MOST + 1))
        given = asked.planned or asked.now
    else:
        last = asked.planned or MOST
        tried = ((count, trial.on_spines(count, asked.planned, key)) for count in range(1, last + 1))
        given = asked.now
    legal = {count: one for count, one in tried if one.is_possible}
    held = [count for count in near(given, legal) if legal[count].holds]
    around = [*[count for count in held if count < given][:1], *[count for count in held if count > given][:1]]
    yield from (Offer(str(count), legal[count]) for count in dict.fromkeys((*around, *held)))


def both(trial: RemedyTrial, key: str, asked: Spines | None) -> Iterator[Offer]:
    """Both counts, the nearest to what was written: first the planned one, which decides what a leaf has ports for."""
    if not _on_any(trial, key).is_possible:
        return  # none is legal, whatever the lock has: the usual case, and quickly seen
    now = asked.now if asked is not None else 1
    planned = (asked.planned or asked.now) if asked is not None else 1
    for last in near(planned, range(1, MOST + 1)):
        pair = trial.on_spines(last, last, key)
        if pair.is_possible:
            if pair.is_stuck:
                return
            found = (trial.on_spines(count, last, key) for count in near(now, range(1, last + 1)))
            one = next((each for each in found if each.holds), None)
            if one is not None:
                yield Offer(_written(one, key), one)


def _on_any(trial: RemedyTrial, *keys: str) -> RemedyTrial:
    """Possible where any count of these is legal, whatever the lock has."""
    return trial.on_topology(**dict.fromkeys(keys))._replace(recorded=Lock())


def is_possible_on_any(trial: RemedyTrial) -> bool:
    """Whether there are counts that have its dimensions, whatever the lock has."""
    return _on_any(trial, *COUNTS).is_possible


def _written(trial: RemedyTrial, key: str) -> str:
    """Both counts as they are typed."""
    found = trial.spines(key)
    return f"topology.{key}: {{now: {found.now}, planned: {found.planned}}}" if found is not None else ""


def with_counts(trial: RemedyTrial, text: str) -> Iterator[Offer]:
    """A remedy alone, or with the counts of spines or superspines that it needs."""
    yield Offer(text, trial)
    if not trial.holds:
        for key in COUNTS:
            if trial.spines(key) is not None:
                pairs = islice(both(trial, key, trial.spines(key)), PAIRS)
                yield from (Offer(f"{text} and {one.text}", one.trial) for one in pairs)


def counts(trial: RemedyTrial, key: str) -> Iterator[Offer]:
    """Other counts of spines, the nearest first, the planned one alone where that is enough."""
    asked = trial.spines(key)
    if asked is not None and asked.planned is not None:
        for last in near(asked.planned, range(asked.now, MOST + 1)):
            one = trial.on_spines(asked.now, last, key)
            if one.is_possible:
                yield Offer(f"topology.{key}.planned: {last}", one)
    yield from both(trial, key, asked)


def one_link(trial: RemedyTrial, key: str, count: int) -> str:
    """Counts of spines with one link to each, now: the planned one goes with it where it is less. Empty: none holds."""
    asked = trial.spines(key)
    if asked is not None and asked.planned is not None and trial.on_spines(count, asked.planned, key).holds:
        return f"topology.{key}.now: {count}"
    pair = trial.on_spines(count, count, key)
    return _written(pair, key) if pair.holds else ""
