"""How two values become facts: tables of settings, sets of values, rows by key."""

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

from fabricgen.changes.change import ChangeOp, DeviceChange

Part = TypeVar("Part")


class ChangeScope(NamedTuple):
    """What the facts of one thing have in common."""

    subject: str = ""
    port: str = ""
    peer: str = ""
    vrf: str = ""


def words(value: object) -> str:
    """A setting as a reader writes it; empty where it is not set."""
    if isinstance(value, bool):
        return "yes" if value else ""
    if isinstance(value, tuple):
        return ", ".join(str(one) for one in value)
    return str(value) if value else ""


def number(value: object) -> str:
    """A number that 0 does not unset; negative where it is not set."""
    return "" if str(value).startswith("-") else str(value)


class ComparedField(NamedTuple, Generic[Part]):
    """One row of a table: the kind of the facts, what to read of the thing, and the reader's words for it.

    subject  joined to the subject of the thing, where one kind has several settings
    """

    kind: str
    read: Callable[[Part], object]
    text: Callable[[object], str] = words
    subject: str = ""


class Members(NamedTuple, Generic[Part]):
    """One row of a table for what a thing has several of: one fact for each that comes or goes.

    is_subject  each value is the subject of its fact; else the thing is
    """

    kind: str
    read: Callable[[Part], tuple[object, ...]]
    is_subject: bool = False


def fact(kind: str, before: str, after: str, where: ChangeScope) -> DeviceChange:
    """A setting that differs: added where it was empty, removed where it is now."""
    change = ChangeOp.CHANGED
    if before != after and not before:
        change = ChangeOp.ADDED
    elif before != after and not after:
        change = ChangeOp.REMOVED
    return DeviceChange(kind, change, where.subject, before, after, where.port, where.peer, where.vrf)


def added(kind: str, after: str, where: ChangeScope) -> DeviceChange:
    """A thing that was not there."""
    return DeviceChange(
        kind, ChangeOp.ADDED, where.subject, "", after or where.subject, where.port, where.peer, where.vrf
    )


def removed(kind: str, before: str, where: ChangeScope) -> DeviceChange:
    """A thing that is there no more."""
    return DeviceChange(
        kind, ChangeOp.REMOVED, where.subject, before or where.subject, "", where.port, where.peer, where.vrf
    )


def settings(
    table: tuple[ComparedField[Part], ...], before: Part, after: Part, where: ChangeScope
) -> Iterator[DeviceChange]:
    """Every setting of a table that differs."""
    for row in table:
        old, new = row.read(before), row.read(after)
        if old != new:
            subject = f"{where.subject} {row.subject}".strip()
            yield fact(row.kind, row.text(old), row.text(new), where._replace(subject=subject))


def members(table: tuple[Members[Part], ...], before: Part, after: Part, where: ChangeScope) -> Iterator[DeviceChange]:
    """Every value that comes or goes; one fact where they only change their order."""
    for row in table:
        old, new = row.read(before), row.read(after)
        if old != new:
            yield from _values(row.kind, old, new, where, is_subject=row.is_subject)


def _values(
    kind: str, before: tuple[object, ...], after: tuple[object, ...], where: ChangeScope, *, is_subject: bool
) -> Iterator[DeviceChange]:
    gone, come = set(before) - set(after), set(after) - set(before)
    for value in dict.fromkeys(before):
        if value in gone:
            yield removed(kind, str(value), where._replace(subject=str(value)) if is_subject else where)
    for value in dict.fromkeys(after):
        if value in come:
            yield added(kind, str(value), where._replace(subject=str(value)) if is_subject else where)
    if not gone and not come:
        yield fact(kind, words(before), words(after), where)


class Thing(NamedTuple, Generic[Part]):
    """A collection: the kind of what comes or goes, the key that makes two rows the same thing, and its settings.

    summary  what to say of one that comes or goes; its subject where that is empty
    """

    kind: str
    key: Callable[[Part], Hashable]
    summary: Callable[[Part], object]
    settings: tuple[ComparedField[Part], ...] = ()
    members: tuple[Members[Part], ...] = ()


def things(
    thing: Thing[Part], before: Iterable[Part], after: Iterable[Part], where: Callable[[Part], ChangeScope]
) -> Iterator[DeviceChange]:
    """Every row that comes, goes, or has another setting."""
    for old, new in paired(before, after, thing.key):
        if old is None and new is not None:
            yield added(thing.kind, words(thing.summary(new)), where(new))
        elif new is None and old is not None:
            yield removed(thing.kind, words(thing.summary(old)), where(old))
        elif old is not None and new is not None:
            yield from settings(thing.settings, old, new, where(new))
            yield from members(thing.members, old, new, where(new))


def paired(
    before: Iterable[Part], after: Iterable[Part], key: Callable[[Part], Hashable]
) -> Iterator[tuple[Part | None, Part | None]]:
    """Rows of both sides by their key, where they differ: those that were there in their order, then the new ones.

    Rows that share a key pair up in their order.
    """
    rest = _by_key(after, key)
    for found, old in _by_key(before, key).items():
        new = rest.pop(found, None)
        if new is None or (new is not old and new != old):
            yield old, new
    for new in rest.values():
        yield None, new


def _by_key(rows: Iterable[Part], key: Callable[[Part], Hashable]) -> dict[tuple[Hashable, int], Part]:
    found: dict[tuple[Hashable, int], Part] = {}
    for row in rows:
        name, at = key(row), 0
        while (name, at) in found:
            at += 1
        found[name, at] = row
    return found
