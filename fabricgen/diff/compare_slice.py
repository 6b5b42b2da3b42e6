"""What differs between the two sides of each switch, and what of that is kept; any part of the switches by itself."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import NamedTuple

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.changes.compare.device import facts
from fabricgen.diff.artifacts import Artifacts, by_switch, differences
from fabricgen.diff.derived import derived_facts
from fabricgen.diff.device_pair import DevicePair, Sites
from fabricgen.diff.fold import Differing
from fabricgen.diff.groups import Groups
from fabricgen.diff.model import Hunk, TextCause
from fabricgen.diff.pairs import SwitchPair, told
from fabricgen.diff.side import SiteState
from fabricgen.diff.texts import Strangers
from fabricgen.errors import FabricError, Problem


@dataclass(slots=True)
class Found:
    """What was found so far.

    standing  before, after: switches of each side; equal: those that do not differ
    lines     path of an artifact → hunks
    problems  why there is nothing of some switches
    """

    changed: Groups = field(default_factory=Groups)
    strange: Strangers = field(default_factory=Strangers)
    lines: dict[str, tuple[Hunk, ...]] = field(default_factory=dict)
    before: int = 0
    after: int = 0
    equal: int = 0
    problems: tuple[Problem, ...] = ()

    def join(self, more: "Found") -> None:
        """Add what was found of the switches behind these."""
        self.changed.join(more.changed)
        for one in more.strange:
            self.strange.add(*one)
        self.lines |= more.lines
        self.before += more.before
        self.after += more.after
        self.equal += more.equal


class Slice(NamedTuple):
    """Some switches of two sides, to be looked at by whoever is given it. renamed, devices: as `Looker` has them."""

    old: SiteState
    new: SiteState
    pairs: tuple[SwitchPair, ...]
    renamed: Mapping[str, str]
    devices: str


def slices(whole: Slice, size: int) -> Iterator[Slice]:
    """All switches in slices of so many, in order; of a rendered tree each names the files of its own switches."""
    stored = whole.old.stored
    paths = by_switch(stored) if stored is not None else {}
    # A name that stays need not be sent.
    names = {was: now for was, now in whole.renamed.items() if was != now}
    for at in range(0, len(whole.pairs), size):
        pairs, old = whole.pairs[at : at + size], whole.old
        if stored is not None:
            own = (path for pair in pairs for path in paths.get(pair.name_before, ()))
            old = replace(old, stored=replace(stored, files={path: stored.files[path] for path in own}))
        yield whole._replace(old=old, pairs=pairs, renamed=names)


def look_at(part: Slice) -> Found:
    """Look at the switches of a slice. What cannot be read is a value: exceptions come back by their words alone."""
    looker = Looker(part.old, part.new, part.renamed, part.devices)
    try:
        for pair in part.pairs:
            looker.look(pair)
    except FabricError as error:
        return Found(problems=error.problems)
    return looker.found


class Looker:
    """Looks at switches one by one.

    renamed  names of switches and servers that stand on both sides, before → after; those that stay may be left out
    devices  glob; the lines of these switches that the intent changes are kept

    Both sides must have a plan; raises ValueError where one has none.
    """

    def __init__(self, old: SiteState, new: SiteState, renamed: Mapping[str, str], devices: str) -> None:
        if old.plan is None or new.plan is None:
            raise ValueError("switches of a side without a plan cannot be looked at")
        self.sites = Sites(old.plan, new.plan)
        self.artifacts = Artifacts(old, new)
        self.found = Found()
        self._renamed, self._devices = renamed, devices

    def look(self, pair: SwitchPair) -> None:
        """Look at one switch."""
        found = self.found
        found.before += pair.before is not None
        found.after += pair.after is not None
        if pair.before is not None and pair.after is not None:
            self._look_at_both(DevicePair(self.sites, pair))
            return
        change = ChangeOp.ADDED if pair.before is None else ChangeOp.REMOVED
        found.changed.add(DevicePair(self.sites, pair).changed((_presence(pair, change),)))

    def _look_at_both(self, twin: DevicePair) -> None:
        differing = () if twin.is_same else tuple(self._facts(twin))
        strange = [*self.artifacts.strange(twin.pair.name_before, twin.old_system, lambda: twin.old)]
        if not differing and not twin.is_same and twin.old != twin.new:
            # What no kind of fact speaks of may still be spelled: an order, a name that a template prints.
            strange += self._unspoken(twin)
        if differing:
            self.found.changed.add(twin.changed(differing))
        for one in strange:
            self.found.strange.add(twin.whole(), one)
        self.found.equal += not differing and not strange
        self._tell_lines(twin)

    def _facts(self, twin: DevicePair) -> Iterator[DeviceChange]:
        yield from told(facts(twin.old, twin.new), self._renamed)
        yield from derived_facts(twin.old, twin.new)

    def _unspoken(self, twin: DevicePair) -> Iterator[Differing]:
        before, after = self.artifacts.today(twin.old), self.artifacts.today(twin.new)
        return differences(before, after, twin.new.system, lambda _: TextCause.INTENT)

    def _tell_lines(self, twin: DevicePair) -> None:
        if not fnmatchcase(twin.pair.name_after, self._devices) or twin.is_same or twin.old == twin.new:
            return
        for artifact, found in self.artifacts.changed(twin.old, twin.new):
            self.found.lines[f"{twin.pair.name_after}/{artifact}"] = found


def _presence(pair: SwitchPair, change: ChangeOp) -> DeviceChange:
    return DeviceChange("device", change, pair.name_after or pair.name_before, pair.name_before, pair.name_after)
