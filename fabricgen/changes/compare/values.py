"""How two values become changes: tables of settings, sets of values, rows by key."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from fabricgen.changes.change import ChangeOp, DeviceChange

Part = TypeVar("Part")


class ChangeScope(NamedTuple):
    """What the changes of one thing have in common."""

    subject: str = ""
    port: str = ""
    peer: str = ""
    vrf: str = ""


def words(value: object) -> str:
    """A setting as text; empty where it is not set."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, tuple):
        return ", ".join(str(item) for item in value)
    return str(value) if value else ""


def number(value: object) -> str:
    """A number for which 0 is a value; negative where it is not set."""
    return "" if str(value).startswith("-") else str(value)


def octets(value: object) -> str:
    """A size; empty where it is 0."""
    return f"{value} octets" if value else ""


def loopback(value: object) -> str:
    """A loopback by its number; empty where there is none."""
    return f"loopback {value}" if number(value) else ""


class ComparedField(NamedTuple, Generic[Part]):
    """One row of a table: the kind of its changes, how to read the setting, and how to write it as text.

    subject  appended to the subject of the thing, where one kind has several settings
    """

    kind: str
    read: Callable[[Part], object]
    text: Callable[[object], str] = words
    subject: str = ""


class Members(NamedTuple, Generic[Part]):
    """One row of a table for a setting with several values: one change per added or removed value.

    is_subject  each value is the subject of its change; else the thing is
    """

    kind: str
    read: Callable[[Part], tuple[object, ...]]
    is_subject: bool = False


def device_change(kind: str, before: str, after: str, where: ChangeScope) -> DeviceChange:
    """The change of a setting: added if it was empty, removed if it is empty now."""
    change = ChangeOp.CHANGED
    if before != after and not before:
        change = ChangeOp.ADDED
    elif before != after and not after:
        change = ChangeOp.REMOVED
    return DeviceChange(kind, change, where.subject, before, after, where.port, where.peer, where.vrf)


def added(kind: str, after: str, where: ChangeScope) -> DeviceChange:
    """The change of a thing that is new."""
    return DeviceChange(
        kind, ChangeOp.ADDED, where.subject, "", after or where.subject, where.port, where.peer, where.vrf
    )


def removed(kind: str, before: str, where: ChangeScope) -> DeviceChange:
    """The change of a thing that no longer exists."""
    return DeviceChange(
        kind, ChangeOp.REMOVED, where.subject, before or where.subject, "", where.port, where.peer, where.vrf
    )


def settings(
    table: tuple[ComparedField[Part], ...], before: Part, after: Part, where: ChangeScope
) -> Iterator[DeviceChange]:
    """Changes of all settings of a table."""
    for row in table:
        old, new = row.read(before), row.read(after)
        if old != new:
            subject = f"{where.subject} {row.subject}".strip()
            yield device_change(row.kind, row.text(old), row.text(new), where._replace(subject=subject))


def members(table: tuple[Members[Part], ...], before: Part, after: Part, where: ChangeScope) -> Iterator[DeviceChange]:
    """Changes of all values that are added or removed; one change if only their order differs."""
    for row in table:
        old, new = row.read(before), row.read(after)
        if old != new:
            yield from _values(row.kind, old, new, where, is_subject=row.is_subject)


def _values(
    kind: str, before: tuple[object, ...], after: tuple[object, ...], where: ChangeScope, *, is_subject: bool
) -> Iterator[DeviceChange]:
    removed_values, added_values = set(before) - set(after), set(after) - set(before)
    for value in dict.fromkeys(before):
        if value in removed_values:
            yield removed(kind, str(value), where._replace(subject=str(value)) if is_subject else where)
    for value in dict.fromkeys(after):
        if value in added_values:
            yield added(kind, str(value), where._replace(subject=str(value)) if is_subject else where)
    if not removed_values and not added_values:
        yield device_change(kind, words(before), words(after), where)


class Thing(NamedTuple, Generic[Part]):
    """A collection: the kind of an added or removed row, the key that identifies a row, and its settings.

    summary  text of an added or removed row; its subject if that is empty
    within   (old, new) → changes of what a row contains
    """

    kind: str
    key: Callable[[Part], Hashable]
    summary: Callable[[Part], object]
    settings: tuple[ComparedField[Part], ...] = ()
    members: tuple[Members[Part], ...] = ()
    within: Callable[[Part, Part], Iterator[DeviceChange]] = lambda old, new: iter(())


def only(part: Part | None) -> tuple[Part, ...]:
    """The collection of a thing of which there is at most one."""
    return () if part is None else (part,)


def things(
    thing: Thing[Part], before: Iterable[Part], after: Iterable[Part], where: Callable[[Part], ChangeScope]
) -> Iterator[DeviceChange]:
    """Changes of all rows that are added, removed, or have another setting."""
    for old, new in paired(before, after, thing.key):
        if old is None and new is not None:
            yield added(thing.kind, words(thing.summary(new)), where(new))
        elif new is None and old is not None:
            yield removed(thing.kind, words(thing.summary(old)), where(old))
        elif old is not None and new is not None:
            yield from settings(thing.settings, old, new, where(new))
            yield from members(thing.members, old, new, where(new))
            yield from thing.within(old, new)


def paired(
    before: Iterable[Part], after: Iterable[Part], key: Callable[[Part], Hashable]
) -> Iterator[tuple[Part | None, Part | None]]:
    """Rows of both sides by their key, where they differ: the old ones in their order, then the new ones.

    Rows that share a key are paired in their order.
    """
    unmatched = _by_key(after, key)
    for row_key, old in _by_key(before, key).items():
        new = unmatched.pop(row_key, None)
        if new is None or (new is not old and new != old):
            yield old, new
    for new in unmatched.values():
        yield None, new


def _by_key(rows: Iterable[Part], key: Callable[[Part], Hashable]) -> dict[tuple[Hashable, int], Part]:
    by_key: dict[tuple[Hashable, int], Part] = {}
    for row in rows:
        name, repetition = key(row), 0
        while (name, repetition) in by_key:
            repetition += 1
        by_key[name, repetition] = row
    return by_key
