"""Switches that differ, grouped by similar changes; the changes of each are kept compressed until they are read.

Similar are switches of one fabric, role and platform with the same number of changes of each kind and operation, and
with the same values for kinds whose values are settings. Addresses, numbers and names of a switch's own do not
separate switches; they are shown if all of a class happen to share them.

If every session of a switch changes, its changes take 70 kB, and all switches are kept until the last one was
compared. Only lines, blast radius and reports read them, switch by switch: until then they take 0.6 kB.
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
"""Compression level of zlib. The changes of a switch are so repetitive that level 1 already makes a fifteenth of
them."""


class ChangedSwitch(NamedTuple):
    """One switch that differs, with its place on each side; None on a side where it does not exist.

    name, system, fabric, role  as after the change; of a removed switch, as before it
    """

    name: str
    fabric: str
    role: str
    system: str
    before: Place | None
    after: Place | None
    changes: tuple[DeviceChange, ...]


class Item(NamedTuple):
    """What puts two changes on the same line: kind and operation; for settings the values and the subject, too.

    subject  empty if the subject is a port, a session or another thing of the switch's own
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


class PackedChanges(NamedTuple):
    """Compressed changes of a switch. like: the dictionary, changes of another switch in plain form."""

    octets: bytes
    like: bytes


class GroupedSwitch(NamedTuple):
    """One switch of a group: the fields of `ChangedSwitch` that are its own."""

    name: str
    before: Place | None
    after: Place | None
    packed: PackedChanges


@dataclass(frozen=True, slots=True)
class SwitchGroup:
    """Switches with a common key, in the natural order of their names; iteration unpacks one at a time."""

    key: GroupKey
    switches: tuple[GroupedSwitch, ...]

    def __iter__(self) -> Iterator[ChangedSwitch]:
        return (_changed(self.key, switch) for switch in self.switches)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all switches."""
        return tuple(switch.name for switch in self.switches)

    @property
    def device_changes(self) -> Mapping[str, tuple[DeviceChange, ...]]:
        """Name of each switch → its changes, unpacked at each access."""
        return _UnpackedChanges({switch.name: switch.packed for switch in self.switches})


class Groups:
    """All switches that differ, added to groups one by one."""

    def __init__(self, changed: Iterable[ChangedSwitch] = ()) -> None:
        self._kept: dict[GroupKey, list[GroupedSwitch]] = {}
        self._likes: dict[tuple[str, str, str], bytes] = {}
        for switch in changed:
            self.add(switch)

    def add(self, switch: ChangedSwitch) -> None:
        """Add a switch to the group of similar ones, and compress its changes."""
        kept = GroupedSwitch(switch.name, switch.before, switch.after, self._packed(switch))
        self._kept.setdefault(_key(switch), []).append(kept)

    def join(self, more: "Groups") -> None:
        """Add the switches of other groups."""
        for key, kept in more._kept.items():
            self._kept.setdefault(key, []).extend(kept)

    def __iter__(self) -> Iterator[SwitchGroup]:
        for key, kept in self._kept.items():
            yield SwitchGroup(key, tuple(sorted(kept, key=lambda switch: natural(switch.name))))

    def named(self, names: Container[str]) -> Iterator[ChangedSwitch]:
        """The switches that have one of these names."""
        return (_changed(key, switch) for key, kept in self._kept.items() for switch in kept if switch.name in names)

    def _packed(self, switch: ChangedSwitch) -> PackedChanges:
        """Changes of a switch, compressed.

        The dictionary is those of the first switch of its fabric, role and platform.
        """
        # Column by column they compress twice as fast as row by row.
        columns = pickle.dumps(tuple(zip(*switch.changes, strict=True)), protocol=5)
        like = self._likes.setdefault((switch.fabric, switch.role, switch.system), columns)
        compressor = zlib.compressobj(LEVEL, zdict=like)
        return PackedChanges(compressor.compress(columns) + compressor.flush(), like)


class _UnpackedChanges(Mapping[str, tuple[DeviceChange, ...]]):
    """Changes of switches, by name."""

    def __init__(self, packed: Mapping[str, PackedChanges]) -> None:
        self._packed = packed

    def __getitem__(self, name: str) -> tuple[DeviceChange, ...]:
        return _unpacked(self._packed[name])

    def __iter__(self) -> Iterator[str]:
        return iter(self._packed)

    def __len__(self) -> int:
        return len(self._packed)


def _key(switch: ChangedSwitch) -> GroupKey:
    return GroupKey(switch.fabric, switch.role, switch.system, frozenset(Counter(map(item_of, switch.changes)).items()))


def item_of(change: DeviceChange) -> Item:
    """Line of a class to which a change belongs."""
    kind = KIND[change.kind]
    # A policy object of one session is that session's own, too: it has the addresses and marks of its NIC.
    is_of_session = kind.reach is BlastRadius.SWITCH and bool(change.port or change.peer)
    if kind.value is ValueType.OWN or is_of_session:
        return Item(change.kind, change.change, "", "", "")
    return Item(change.kind, change.change, _shared_subject(change), change.before, change.after)


def _shared_subject(change: DeviceChange) -> str:
    """Return the subject if it is a name that many switches use: a VLAN, a VRF, a profile, a route map.

    Two tenants' VLANs are two lines; the same MTU on other ports is the same line.
    """
    is_own = KIND[change.kind].reach in (BlastRadius.PORT, BlastRadius.SESSION) or change.port or change.peer
    return "" if is_own else change.subject


def _changed(key: GroupKey, switch: GroupedSwitch) -> ChangedSwitch:
    return ChangedSwitch(
        switch.name, key.fabric, key.role, key.system, switch.before, switch.after, _unpacked(switch.packed)
    )


def _unpacked(packed: PackedChanges) -> tuple[DeviceChange, ...]:
    octets = zlib.decompressobj(zdict=packed.like).decompress(packed.octets)
    columns = pickle.loads(octets)  # noqa: S301 - our own, from here or a process of ours
    return tuple(map(DeviceChange._make, zip(*columns, strict=True)))
