"""Cohorts: switches that every other one meets alike, so that what is found for one of them holds for all.

Those of a cohort have the same neighbors, sessions that are shut or taken last towards the same ones and from the same
ones, and one AS number, or each one that nobody else has. Then a path to one of them is a path to each other, by every
switch but themselves; and none of them learns from a path that passes another of them, as it has a shorter one to
whatever that path leads to, over the same neighbor below.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from fabricgen.verify.expect.speakers import Speaker


class Cohort(NamedTuple):
    """Some switches, by name.

    one     the first of them
    number  their AS number; of those that have one each it is less than zero, and stands for any of these
    """

    members: tuple[str, ...]
    one: Speaker
    number: int

    @property
    def is_single(self) -> bool:
        """Whether it is one switch."""
        return len(self.members) == 1

    def is_passed(self, numbers: tuple[int, ...]) -> bool:
        """Whether a path passes the AS of each of them, so that they take nothing from it."""
        return self.number in numbers and (self.number >= 0 or self.is_single)


def cohorts_of(speakers: Collection[Speaker]) -> tuple[Cohort, ...]:
    """All cohorts, in the order of the names of their first. Work: switches, and the members of different halves."""
    holders = _holders(speakers)
    common = Counter(one.asn for one in speakers)
    found: dict[tuple[object, ...], list[Speaker]] = {}
    for one in speakers:
        asn = one.asn if common[one.asn] > 1 else 0
        key = (one.fabric, asn, one.above, one.below, one.halves, holders.get(one.name, ()))
        found.setdefault(key, []).append(one)
    groups = sorted(sorted(group, key=lambda one: one.name) for group in found.values())
    return tuple(_cohort(number, group, common[group[0].asn] > 1) for number, group in enumerate(groups))


def _cohort(number: int, group: list[Speaker], is_common: bool) -> Cohort:
    return Cohort(tuple(one.name for one in group), group[0], group[0].asn if is_common else -1 - number)


def _holders(speakers: Collection[Speaker]) -> dict[str, tuple[int, ...]]:
    """Switch → which sets of switches, as others have them, it is in: two in the same ones are the same to all."""
    found: dict[str, list[int]] = {}
    for number, names in enumerate(dict.fromkeys(held for one in speakers for held in _sets(one))):
        for name in names[-1]:
            found.setdefault(name, []).append(number)
    return {name: tuple(numbers) for name, numbers in found.items()}


def _sets(one: Speaker) -> Iterator[tuple[object, frozenset[str]]]:
    """Whom it leads to and whom it speaks with, each with how."""
    yield "above", one.above
    yield "below", one.below
    for half in one.halves:
        yield half[:-1], half.fars
