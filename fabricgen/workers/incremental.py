"""The work to do for each unit of a site, given what the previous render left."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.output.previous_render import Before
from fabricgen.output.staging import Staged
from fabricgen.plan.plan import Plan
from fabricgen.render.keys import Keys
from fabricgen.render.tree import CABLING, HEADER_OCTETS
from fabricgen.workers.tasks import Task
from fabricgen.workers.units import WorkUnit, summed, units


class Piece(NamedTuple):
    """Position of a unit's lines in the cabling plan of the previous render."""

    offset: int
    octets: int


class PreviousRender:
    """Reusable results of the previous render, used only if this user's own memory is of this tree.

    A manifest alone may come with a tree from anywhere. cabling: the cabling plan, if it is unchanged.
    """

    def __init__(self, before: Before) -> None:
        is_ours = before.memory is not None
        self.notes = before.notes
        self.cabling: Staged | None = before.unchanged_file(CABLING) if is_ours else None
        self._before = before
        self._keys = before.keys if is_ours else {}
        self._pieces: dict[str, Piece] = {}
        offset = HEADER_OCTETS
        for cabling, octets in self.notes.cabling if self.cabling is not None else ():
            self._pieces[cabling] = Piece(offset, octets)
            offset += octets

    def has_cabling(self) -> bool:
        """Whether the cabling plan is still as it was written."""
        return self._before.unchanged_file(CABLING) is not None

    def piece(self, cabling: str) -> Piece | None:
        """Lines of the unit with this digest."""
        return self._pieces.get(cabling)

    def check_result(self, check_key: str) -> str | None:
        """Result of the last check of the unit with this digest."""
        return self.notes.check_results.get(check_key)

    def unchanged_files(self, name: str, key: str) -> tuple[Staged, ...]:
        """Files of a switch, if they were made of this key and all are unchanged; otherwise none."""
        return self._before.unchanged_files(name) if self._keys.get(name) == key else ()

    def files_of(self, name: str) -> dict[str, str]:
        """Path → digest of the files of a switch, whether they still exist or not."""
        return self._before.files_of(name)


class UnitWork(NamedTuple):
    """The work to do for a unit. It has no places: the steps of a whole site are held in memory.

    switches   number of configured switches; unchanged: names of those whose files are unchanged
    check_key  digest of `Sum`; check_result: the noted result, None if the unit must be checked
    cabling    digest of `Sum`; piece: position of its lines, None if they must be made
    """

    switches: int
    unchanged: frozenset[str]
    check_key: str
    check_result: str | None
    cabling: str
    piece: Piece | None

    @property
    def is_idle(self) -> bool:
        """Whether there is nothing to do."""
        return self.check_result is not None and self.piece is not None and len(self.unchanged) == self.switches

    def task(self, unit: WorkUnit, names: tuple[str, ...], previous: PreviousRender) -> Task:
        """Return the task for a worker. names: of the switches of the unit."""
        pending = [name for name in names if name not in self.unchanged]
        files = {path: digest for name in pending for path, digest in previous.files_of(name).items()}
        return Task(unit, self.unchanged, files, must_check=self.check_result is None, cables=self.piece is None)


class UnitDecision(NamedTuple):
    """A step, the input keys of its switches, and their unchanged files."""

    step: UnitWork
    keys: dict[str, str]
    unchanged_files: tuple[Staged, ...]


def planned(plan: Plan, keys: Keys, previous: PreviousRender) -> Iterator[UnitDecision]:
    """The work to do for each unit, in order."""
    for unit in units(plan):
        unit_sum = summed(plan.fabrics[unit.fabric], unit, keys)
        check_key, cabling = unit_sum.check_key, unit_sum.cabling
        unchanged = {
            name: files for name, key in unit_sum.keys.items() if (files := previous.unchanged_files(name, key))
        }
        work = UnitWork(
            len(unit_sum.keys),
            frozenset(unchanged),
            check_key,
            previous.check_result(check_key),
            cabling,
            previous.piece(cabling),
        )
        yield UnitDecision(work, unit_sum.keys, tuple(file for files in unchanged.values() for file in files))
