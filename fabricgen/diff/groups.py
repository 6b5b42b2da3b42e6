"""Switches that differ, those that change alike together, each with its facts packed until somebody asks for them.

Alike are switches of one fabric, role and system with the same number of facts of each kind and change, and with the
same values where the kind's values are settings. Addresses, numbers and names of a switch's own do not tell
switches apart; they are shown where a class happens to share them.

Where every session of a switch changes, its facts take 70 kB, and those of all switches stand until the last one was
looked at. Only a line, a reach or a report needs them, switch by switch: until then they take 0.6 kB.
"""

import pickle
import zlib
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.base.text import natural
from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.changes.kind import BlastRadius, ValueType
from fabricgen.changes.kinds.catalogue import KIND
from fabricgen.plan.place import Place

LEVEL = 1
"""Facts of a switch are so alike that the least work makes a fifteenth of them."""


class ChangedSwitch(NamedTuple):
    """One switch that differs, with its place on each side; None on the side where it does not stand.

    name, system, fabric, role  as after the change; of a switch that goes, as before it
    """

    name: str
    fabric: str
    role: str
    system: str
    before: Place | None
    after: Place | None
    facts: tuple[DeviceChange, ...]


class Item(NamedTuple):
    """What makes two facts the same line: the kind and what became of it; for settings the values and whose they are.

    subject  empty where the subject is a port, a session or another thing that each switch has its own of
    """

    kind: str
    change: ChangeOp
    subject: str
    before: str
    after: str


class GroupKey(NamedTuple):
    """What switches of a group have in common."""

    fabric: str
    role: str
    system: str
    counts: frozenset[tuple[Item, int]]


class PackedFacts(NamedTuple):
    """Facts of a switch. like: those of another one as they were, whose octets need not be packed a second time."""

    octets: bytes
    like: bytes


class GroupedSwitch(NamedTuple):
    """One switch of a group: what of `ChangedSwitch` is its own."""

    name: str
    before: Place | None
    after: Place | None
    packed: PackedFacts


@dataclass(frozen=True, slots=True)
class SwitchGroup:
    """Switches with a key in common, in the natural order of their names; gone through, one at a time is unpacked."""

    key: GroupKey
    kept: tuple[GroupedSwitch, ...]

    def __iter__(self) -> Iterator[ChangedSwitch]:
        return (_changed(self.key, one) for one in self.kept)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all switches."""
        return tuple(one.name for one in self.kept)

    @property
    def facts(self) -> Mapping[str, tuple[DeviceChange, ...]]:
        """Name of each switch → its facts, unpacked whenever they are asked for."""
        return _Facts({one.name: one.packed for one in self.kept})


class Groups:
    """All switches that differ, put into groups as they come."""

    def __init__(self, changed: Iterable[ChangedSwitch] = ()) -> None:
        self._kept: dict[GroupKey, list[GroupedSwitch]] = {}
        self._likes: dict[tuple[str, str, str], bytes] = {}
        for one in changed:
            self.add(one)

    def add(self, one: ChangedSwitch) -> None:
        """Put a switch to those that change alike, and pack its facts."""
        kept = GroupedSwitch(one.name, one.before, one.after, self._packed(one))
        self._kept.setdefault(_key(one), []).append(kept)

    def join(self, more: "Groups") -> None:
        """Add the switches of others."""
        for key, kept in more._kept.items():
            self._kept.setdefault(key, []).extend(kept)

    def __iter__(self) -> Iterator[SwitchGroup]:
        for key, kept in self._kept.items():
            yield SwitchGroup(key, tuple(sorted(kept, key=lambda one: natural(one.name))))

    def named(self, names: Container[str]) -> Iterator[ChangedSwitch]:
        """Those of the switches that have one of these names."""
        return (_changed(key, one) for key, kept in self._kept.items() for one in kept if one.name in names)

    def _packed(self, one: ChangedSwitch) -> PackedFacts:
        """Facts of a switch, held against those of the first one of its fabric, role and system."""
        # Facts column by column: so they are packed twice as fast as row by row.
        columns = pickle.dumps(tuple(zip(*one.facts, strict=True)), protocol=5)
        like = self._likes.setdefault((one.fabric, one.role, one.system), columns)
        press = zlib.compressobj(LEVEL, zdict=like)
        return PackedFacts(press.compress(columns) + press.flush(), like)


class _Facts(Mapping[str, tuple[DeviceChange, ...]]):
    """Facts of switches, by name."""

    def __init__(self, packed: Mapping[str, PackedFacts]) -> None:
        self._packed = packed

    def __getitem__(self, name: str) -> tuple[DeviceChange, ...]:
        return _unpacked(self._packed[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def _key(one: ChangedSwitch) -> GroupKey:
    return GroupKey(one.fabric, one.role, one.system, frozenset(Counter(map(item_of, one.facts)).items()))


def item_of(fact: DeviceChange) -> Item:
    """Line of a class that a fact belongs to."""
    kind = KIND[fact.kind]
    if kind.value is ValueType.OWN:
        return Item(fact.kind, fact.change, "", "", "")
    return Item(fact.kind, fact.change, _shared_subject(fact), fact.before, fact.after)


def _shared_subject(fact: DeviceChange) -> str:
    """Return the subject where it is a name that many switches use: a VLAN, a VRF, a profile, a route map.

    Two tenants' VLANs are two lines; the same MTU on other ports is the same line.
    """
    is_own = KIND[fact.kind].reach in (BlastRadius.PORT, BlastRadius.SESSION) or fact.port or fact.peer
    return "" if is_own else fact.subject


def _changed(key: GroupKey, one: GroupedSwitch) -> ChangedSwitch:
    return ChangedSwitch(one.name, key.fabric, key.role, key.system, one.before, one.after, _unpacked(one.packed))


def _unpacked(packed: PackedFacts) -> tuple[DeviceChange, ...]:
    octets = zlib.decompressobj(zdict=packed.like).decompress(packed.octets)
    columns = pickle.loads(octets)  # noqa: S301 - our own, from here or a process of ours
    return tuple(map(DeviceChange._make, zip(*columns, strict=True)))
