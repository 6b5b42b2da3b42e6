"""Comparison of the two sides of each switch, and what is kept of it; works on any part of the switches."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import NamedTuple

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.changes.compare.device import changes_between
from fabricgen.diff.artifacts import Artifacts, by_switch, differences
from fabricgen.diff.derived import derived_changes
from fabricgen.diff.device_pair import DevicePair, Sites
from fabricgen.diff.fold import Differing
from fabricgen.diff.groups import Groups
from fabricgen.diff.model import Hunk, TextCause
from fabricgen.diff.pairs import SwitchPair, without_renamed_ends
from fabricgen.diff.side import SiteState
from fabricgen.diff.texts import UnexplainedFiles
from fabricgen.errors import FabricError, Problem


@dataclass(slots=True)
class Comparison:
    """The result so far.

    before, after  number of switches on each side; equal: of those that do not differ
    lines          path of an artifact → hunks
    problems       why some switches have no result
    """

    changed: Groups = field(default_factory=Groups)
    unexplained: UnexplainedFiles = field(default_factory=UnexplainedFiles)
    lines: dict[str, tuple[Hunk, ...]] = field(default_factory=dict)
    before: int = 0
    after: int = 0
    equal: int = 0
    problems: tuple[Problem, ...] = ()

    def join(self, more: "Comparison") -> None:
        """Add the result of the switches after these."""
        self.changed.join(more.changed)
        for stranger in more.unexplained:
            self.unexplained.add(*stranger)
        self.lines |= more.lines
        self.before += more.before
        self.after += more.after
        self.equal += more.equal


class Slice(NamedTuple):
    """Some switches of two sides, for one worker to compare. renamed, devices: as `SwitchComparer` has them."""

    old: SiteState
    new: SiteState
    pairs: tuple[SwitchPair, ...]
    renamed: Mapping[str, str]
    devices: str


def slices(whole: Slice, size: int) -> Iterator[Slice]:
    """All switches in slices of `size`, in order; for a rendered tree each has the files of its own switches only."""
    stored = whole.old.stored
    paths = by_switch(stored) if stored is not None else {}
    # An unchanged name need not be sent.
    names = {was: now for was, now in whole.renamed.items() if was != now}
    for offset in range(0, len(whole.pairs), size):
        pairs, old = whole.pairs[offset : offset + size], whole.old
        if stored is not None:
            own_paths = (path for pair in pairs for path in paths.get(pair.name_before, ()))
            old = replace(old, stored=replace(stored, files={path: stored.files[path] for path in own_paths}))
        yield whole._replace(old=old, pairs=pairs, renamed=names)


def compare_slice(part: Slice) -> Comparison:
    """Compare the switches of a slice. Problems are returned as values: an exception would lose all but its text."""
    comparer = SwitchComparer(part.old, part.new, part.renamed, part.devices)
    try:
        for pair in part.pairs:
            comparer.compare(pair)
    except FabricError as error:
        return Comparison(problems=error.problems)
    return comparer.result


class SwitchComparer:
    """Compares switches one by one.

    renamed  names of switches and servers that exist on both sides, before → after; unchanged ones may be left out
    devices  glob; the lines of these switches that the intent changes are kept

    Both sides must have a plan; raises ValueError where one has none.
    """

    def __init__(self, old: SiteState, new: SiteState, renamed: Mapping[str, str], devices: str) -> None:
        if old.plan is None or new.plan is None:
            raise ValueError("switches of a side without a plan cannot be compared")
        self.sites = Sites(old.plan, new.plan)
        self.artifacts = Artifacts(old, new)
        self.result = Comparison()
        self._renamed, self._devices = renamed, devices

    def compare(self, pair: SwitchPair) -> None:
        """Compare one switch."""
        result = self.result
        result.before += pair.before is not None
        result.after += pair.after is not None
        if pair.before is not None and pair.after is not None:
            self._compare_both(DevicePair(self.sites, pair))
            return
        change = ChangeOp.ADDED if pair.before is None else ChangeOp.REMOVED
        result.changed.add(DevicePair(self.sites, pair).changed((_presence(pair, change),)))

    def count_equal(self) -> None:
        """Count a switch that is known to be equal on both sides."""
        self.result.before += 1
        self.result.after += 1
        self.result.equal += 1

    def _compare_both(self, both: DevicePair) -> None:
        differing = () if both.is_same else tuple(self._changes(both))
        unexplained = [*self.artifacts.unexplained(both.pair.name_before, both.old_system, lambda: both.old)]
        if not differing and not both.is_same and both.old != both.new:
            # A difference that no kind of change covers may still be rendered: an order, a name that a template prints.
            unexplained += self._uncovered(both)
        if differing:
            self.result.changed.add(both.changed(differing))
        for strange_file in unexplained:
            self.result.unexplained.add(both.whole(), strange_file)
        self.result.equal += not differing and not unexplained
        self._add_hunks(both)

    def _changes(self, both: DevicePair) -> Iterator[DeviceChange]:
        yield from without_renamed_ends(changes_between(both.old, both.new), self._renamed)
        yield from derived_changes(both.old, both.new)

    def _uncovered(self, both: DevicePair) -> Iterator[Differing]:
        before, after = self.artifacts.today(both.old), self.artifacts.today(both.new)
        return differences(before, after, both.new.system, lambda _: TextCause.INTENT)

    def _add_hunks(self, both: DevicePair) -> None:
        if not fnmatchcase(both.pair.name_after, self._devices) or both.is_same or both.old == both.new:
            return
        for artifact, file_hunks in self.artifacts.changed(both.old, both.new):
            self.result.lines[f"{both.pair.name_after}/{artifact}"] = file_hunks


def _presence(pair: SwitchPair, change: ChangeOp) -> DeviceChange:
    return DeviceChange("device", change, pair.name_after or pair.name_before, pair.name_before, pair.name_after)
