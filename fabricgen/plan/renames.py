"""`was` of the intent to the renames that the lock has still to follow."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from fabricgen.errors import FabricError, IntentPath, Problem


class Renamable(Protocol):
    """A thing of the intent that may say its former name."""

    @property
    def was(self) -> str | None:
        """Its former name."""


def former_names(where: IntentPath, named: Mapping[str, Renamable]) -> dict[str, str]:
    """Former name → name of the things under one key of the intent. Raises FabricError where two claim one name."""
    claims: dict[str, str] = {}
    problems = []
    for name, thing in sorted(named.items()):
        if thing.was is None:
            continue
        if thing.was in claims:
            problems.append(_twice(where, thing.was, claims[thing.was], name))
        claims[thing.was] = name
    if problems:
        raise FabricError(problems)
    return claims


def _twice(where: IntentPath, was: str, first: str, second: str) -> Problem:
    return Problem(
        code="was-twice",
        what=f"{first} and {second} both say that they were {was}",
        where=(*where, second, "was"),
        why="the numbers of a former name go to one new name",
        fix=f"keep was: {was} at the one that takes the numbers over, delete it at the other",
    )


def standing_renames(former: Mapping[str, str], recorded: Iterable[str]) -> dict[str, str]:
    """Renames, from old to new, that have still to be made: the old name is recorded, the new one is not.

    A `was` stays in the intent after its rename is recorded; by then the old name may belong to something else.
    """
    known = frozenset(recorded)
    pending = sorted((old, new) for old, new in former.items() if old in known)
    taken = set(known)
    made: dict[str, str] = {}
    while ready := [(old, new) for old, new in pending if old not in made and new not in taken]:
        old, new = ready[0]
        made[old] = new
        taken = taken - {old} | {new}
    return made
