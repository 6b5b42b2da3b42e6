"""Cohorts: switches with identical neighbors, so that paths computed for one of them hold for all.

The switches of a cohort have the same neighbors, the same sessions that are shut down or least preferred, in both
directions, and either one common AS number or each a unique one. Then a path to one of them is a path to each other,
from every switch but themselves; and none of them learns from a path that passes another of them, as it has a shorter
one to the same origin over the same neighbor below.
"""

from collections import Counter
from collections.abc import Collection, Iterator
from typing import NamedTuple

from fabricgen.verify.expect.speakers import Speaker


class Cohort(NamedTuple):
    """The switches of a cohort, by name.

    example  the first of them
    number  their AS number; less than zero if each has its own, and then represents any of these
    """

    members: tuple[str, ...]
    example: Speaker
    number: int

    @property
    def is_single(self) -> bool:
        """Whether it is one switch."""
        return len(self.members) == 1

    def is_passed(self, numbers: tuple[int, ...]) -> bool:
        """Whether a path contains the AS of each of them, so that they accept nothing from it."""
        return self.number in numbers and (self.number >= 0 or self.is_single)


def cohorts_of(speakers: Collection[Speaker]) -> tuple[Cohort, ...]:
    """All cohorts, ordered by their first switch. Cost: the switches, and the members of distinct halves."""
    holders = _holders(speakers)
    common = Counter(member.asn for member in speakers)
    by_key: dict[tuple[object, ...], list[Speaker]] = {}
    for member in speakers:
        asn = member.asn if common[member.asn] > 1 else 0
        key = (member.fabric, asn, member.above, member.below, member.halves, holders.get(member.name, ()))
        by_key.setdefault(key, []).append(member)
    groups = sorted(sorted(group, key=lambda member: member.name) for group in by_key.values())
    return tuple(_cohort(number, group, common[group[0].asn] > 1) for number, group in enumerate(groups))


def _cohort(number: int, group: list[Speaker], is_common: bool) -> Cohort:
    return Cohort(tuple(member.name for member in group), group[0], group[0].asn if is_common else -1 - number)


def _holders(speakers: Collection[Speaker]) -> dict[str, tuple[int, ...]]:
    """Switch → indexes of others' neighbor sets that contain it; with the same indexes, all others see them alike."""
    sets_of: dict[str, list[int]] = {}
    for number, names in enumerate(dict.fromkeys(pair for member_of in speakers for pair in _sets(member_of))):
        for name in names[-1]:
            sets_of.setdefault(name, []).append(number)
    return {name: tuple(numbers) for name, numbers in sets_of.items()}


def _sets(speaker: Speaker) -> Iterator[tuple[object, frozenset[str]]]:
    """Neighbors by direction, and peers by kind of session."""
    yield "above", speaker.above
    yield "below", speaker.below
    for half in speaker.halves:
        yield half[:-1], half.fars
