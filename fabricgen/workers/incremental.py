"""What is to be done of each unit of a site, by what the render before has left and still holds."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.output.previous_render import Before
from fabricgen.output.staging import Staged
from fabricgen.plan.plan import Plan
from fabricgen.render.keys import Keys
from fabricgen.render.tree import CABLING, HEADER_OCTETS
from fabricgen.workers.tasks import Task
from fabricgen.workers.units import Sum, WorkUnit, summed, units


class Piece(NamedTuple):
    """Where the cabling plan of the render before has the lines of a unit."""

    offset: int
    octets: int


class PreviousRender:
    """What the render before has left.

    It counts only where this user's own memory is of this very tree: a manifest may come with a tree from anywhere.
    cabling  the cabling plan, where it stands
    """

    def __init__(self, before: Before) -> None:
        is_ours = before.memory is not None
        self.notes = before.notes
        self.cabling: Staged | None = before.kept(CABLING) if is_ours else None
        self._before = before
        self._keys = before.keys if is_ours else {}
        self._pieces: dict[str, Piece] = {}
        offset = HEADER_OCTETS
        for cabling, octets in self.notes.cabling if self.cabling is not None else ():
            self._pieces[cabling] = Piece(offset, octets)
            offset += octets

    def has_cabling(self) -> bool:
        """Whether the cabling plan still is as it was written."""
        return self._before.kept(CABLING) is not None

    def piece(self, cabling: str) -> Piece | None:
        """Lines of a unit with this digest."""
        return self._pieces.get(cabling)

    def seen(self, look: str) -> str | None:
        """What was seen of a unit with this digest."""
        return self.notes.looks.get(look)

    def standing(self, name: str, key: str) -> tuple[Staged, ...]:
        """Files of a switch, if they were made of this key and all stand; else none."""
        return self._before.standing(name) if self._keys.get(name) == key else ()

    def files_of(self, name: str) -> dict[str, str]:
        """Path → digest of what it wrote of a switch, whether that stands or not."""
        return self._before.files_of(name)


class UnitWork(NamedTuple):
    """What is to be done of a unit. It has no places: of all that a site has, steps are what is held.

    switches  that are configured; stand: those whose files stand
    look      digest of `Sum`; seen: what was noted under it, None where the unit is to be looked at
    cabling   digest of `Sum`; piece: where its lines are, None where they are to be made
    """

    switches: int
    stand: frozenset[str]
    look: str
    seen: str | None
    cabling: str
    piece: Piece | None

    @property
    def is_idle(self) -> bool:
        """Whether nothing is to be done."""
        return self.seen is not None and self.piece is not None and len(self.stand) == self.switches

    def task(self, unit: WorkUnit, names: tuple[str, ...], left: PreviousRender) -> Task:
        """The same for whoever does it. names: of the switches of the unit."""
        made = [name for name in names if name not in self.stand]
        files = {path: digest for name in made for path, digest in left.files_of(name).items()}
        return Task(unit, self.stand, files, looks=self.seen is None, cables=self.piece is None)


class UnitDecision(NamedTuple):
    """A step, the input keys of its switches, and their files that stand."""

    step: UnitWork
    keys: dict[str, str]
    kept: tuple[Staged, ...]


def planned(plan: Plan, keys: Keys, left: PreviousRender) -> Iterator[UnitDecision]:
    """What is to be done of each unit, in order."""
    for unit in units(plan):
        found = summed(plan.fabrics[unit.fabric], unit, keys)
        standing = {name: files for name, key in found.keys.items() if (files := left.standing(name, key))}
        yield UnitDecision(
            _step(found, frozenset(standing), left),
            found.keys,
            tuple(each for files in standing.values() for each in files),
        )


def _step(found: Sum, stand: frozenset[str], left: PreviousRender) -> UnitWork:
    return UnitWork(len(found.keys), stand, found.look, left.seen(found.look), found.cabling, left.piece(found.cabling))
