"""`was` of the intent to the renames that the lock does not have yet."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from fabricgen.errors import FabricError, IntentPath, Problem


class Renamable(Protocol):
    """A part of the intent that may have a former name."""

    @property
    def was(self) -> str | None:
        """Its former name."""


class Renames(NamedTuple):
    """Renames in the intent.

    former   former name → name
    places   name → path of its `was` in the intent
    present  every name that the intent has
    """

    former: Mapping[str, str]
    places: Mapping[str, IntentPath]
    present: frozenset[str]


def renames_of(where: IntentPath, named: Mapping[str, Renamable], prefix: str = "") -> Renames:
    """Names under one key of the intent, each after a prefix. Raises FabricError if two claim one former name."""
    former: dict[str, str] = {}
    places: dict[str, IntentPath] = {}
    problems = []
    for name, thing in sorted(named.items()):
        if thing.was is None:
            continue
        old_name, new_name = prefix + thing.was, prefix + name
        places[new_name] = (*where, name, "was")
        if old_name in former:
            problems.append(_twice(places[new_name], thing.was, former[old_name], new_name))
        former[old_name] = new_name
    if problems:
        raise FabricError(problems)
    return Renames(former=former, places=places, present=frozenset(prefix + name for name in named))


def pending_renames(renames: Renames, recorded: Iterable[str]) -> dict[str, str]:
    """Renames, from old to new, that the lock does not have yet: the old name is recorded, the new one is not.

    A `was` stays in the intent after its rename is recorded; later the old name may belong to something else, which
    keeps its numbers. Raises FabricError if both names are recorded and the intent has only the new one: either may be
    the existing one.
    """
    known = frozenset(recorded)
    pending = sorted((old, new) for old, new in renames.former.items() if old in known)
    used_names = set(known)
    made: dict[str, str] = {}
    # A rename waits until its new name is free, so a chain such as a to b, b to c is applied from its end.
    while ready := [(old, new) for old, new in pending if old not in made and new not in used_names]:
        old, new = ready[0]
        made[old] = new
        used_names = used_names - {old} | {new}
    unclear = [(old, new) for old, new in pending if old not in made and old != new and old not in renames.present]
    if unclear:
        raise FabricError(_unclear(renames.places[new], old, new) for old, new in unclear)
    return made


def _twice(where: IntentPath, was: str, first: str, second: str) -> Problem:
    return Problem(
        code="was-twice",
        what=f"{first} and {second} both have was: {was}",
        where=where,
        why="only one name can take over the addresses and AS numbers of a former one",
        fix=f"keep was: {was} on the one that was renamed, and delete it on the other",
    )


def _unclear(where: IntentPath, old: str, new: str) -> Problem:
    return Problem(
        code="was-unclear",
        what=f"{new} has was: {old}, but the lock has lines of both names",
        where=where,
        why=f"either the rename was already rendered, or {new} in the lock is from an entry that was removed",
        fix=f"delete this was: if {new} keeps its own lock lines; else choose a name that is not in the lock",
    )
