"""What an intent may take of a pool in place of a value that it cannot have: a part of its site, or a new one."""

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from ipaddress import IPv4Network, IPv6Network
from itertools import islice
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.pools import (
    KINDS,
    AdminPool,
    Pool,
    PoolFile,
    Reference,
    Value,
    bounds,
    free_part,
    is_of,
    is_within,
    overlap,
    quoted,
    text_of,
    value_between,
)


class OwnedPool(NamedTuple):
    """A pool of one kind by its name in the file, with the parts of one site."""

    site: str
    kind: str
    name: str
    pool: Pool
    parts: dict[str, Value]

    def holds(self, value: Value) -> bool:
        """Whether a value is in a part of the site."""
        return any(is_within(value, part) for part in self.parts.values())

    def written(self, taken: Sequence[Value] = ()) -> str:
        """How the site's intent takes its parts, with what they are; empty for none.

        taken  parts that overlap one of these values are left out
        """
        names = (
            f"{reference(self.name, key)} ({text_of(part)})"
            for key, part in self.parts.items()
            if not any(overlap(part, value) for value in taken)
        )
        return ", or ".join(names)

    def added(self, name: str, where: IntentPath, taken: Iterable[Value] = ()) -> str:
        """How the file gets another part for a key of the intent, and what the intent then has; empty if none is left.

        name   of the pool file
        taken  values that the part must not overlap, beside all parts
        """
        free = free_part(self.pool, taken)
        part = new_part(self, where)
        path = f"{self.kind}.{self.name}.parts"
        if free is None:
            return ""
        return f"add {part}: {quoted(free)} to {path} of {name} and write {reference(self.name, part)}"


def owned_pools(site: str, file: PoolFile, kind: str) -> Iterator[OwnedPool]:
    """Yield the pools of a kind that sites have parts of; none for what no pool gives."""
    for name, pool in file.of_kind(kind).items() if kind in KINDS else ():
        if isinstance(pool, AdminPool) or not pool.reused:
            yield OwnedPool(site, kind, name, pool, {key: part for key, part in pool.parts.items() if is_of(site, key)})


def reference(pool: str, part: str) -> str:
    """Return how an intent takes a part, by its name in the file: pool:fabrics/backend for dc1/backend."""
    return f"pool:{'/'.join((pool, *part.split('/')[1:]))}"


def new_part(owned: OwnedPool, where: IntentPath) -> str:
    """Return a name for another part of a site, after the fabric or the key that takes it."""
    part = f"{owned.site}/{user_of(where)}"
    names = (part, *(f"{part}-{number}" for number in range(2, len(owned.pool.parts) + 3)))
    return next(name for name in names if name not in owned.pool.parts)


def user_of(where: IntentPath) -> str:
    """Return what takes a part at a place of the intent: the fabric, or the key of a part of the site."""
    return str(where[1] if where[0] == "fabrics" else where[-1])


def equal_parts(value: Value, count: int) -> list[Value]:
    """Return disjoint parts of a value, all of one size; empty where it is too small. count: how many."""
    if isinstance(value, IPv4Network | IPv6Network):
        bits = (count - 1).bit_length()
        subnets: Iterator[Value] = value.subnets(bits) if value.prefixlen + bits <= value.max_prefixlen else iter(())
        return [*islice(subnets, count)]
    first, last = bounds(value)
    size = (last - first + 1) // count
    starts = range(first, first + count * size, size) if size else ()
    return [value_between(value, start, start + size - 1) for start in starts]


def shared_parts(
    found: tuple[Reference, ...], file: PoolFile, name: str, site: str, read_rendered: Callable[[], Container[str]]
) -> Iterator[Problem]:
    """Yield each part of prefixes or AS numbers that several keys of an intent take, at the second of them.

    name  of the pool file
    read_rendered  reads which fabrics have lines in the lock (their numbers would move); called only for shared parts
    """
    for (kind, taken), users in grouped(((each.kind, each.name), each) for each in found).items():
        if len(users) < 2 or kind not in ("ipv4", "ipv6", "asns"):
            continue
        rendered = read_rendered()
        pool_name, _, part_name = taken.partition("/")
        pool = file.of_kind(kind)[pool_name]
        ordered = sorted(users, key=lambda user: user_of(user.where) not in rendered)
        names = [user_of(user.where) for user in ordered]
        if isinstance(pool, AdminPool) or pool.reused:
            pieces = [quoted(value) for value in equal_parts(pool.range, len(users))]
            fix = f"write {', '.join(f'{piece} for {user}' for piece, user in zip(pieces, names, strict=False))}"
            whole, written = pool.range, f"all of the pool {pool_name}"
        else:
            owned = OwnedPool(site, kind, pool_name, pool, {})
            key = f"{site}/{part_name}" if part_name else site
            whole, written = pool.parts[key], f"the part {key} of the pool {pool_name}"
            fix = _apart(owned, name, key, ordered, is_new=names[0] not in rendered)
        yield Problem(
            code="pool-part-shared",
            what=f"{' and '.join(user_of(user.where) for user in users)} take {written}",
            why=f"{text_of(whole)} would be given twice",
            fix=fix,
            where=users[1].where,
        )


def _apart(owned: OwnedPool, name: str, key: str, users: list[Reference], *, is_new: bool) -> str:
    """Return the fix for users of one part: divide it, or add a part for each of them but the first.

    is_new  no number of theirs is in use, so the part may be divided
    """
    path = f"{owned.kind}.{owned.name}.parts of {name}"
    pieces = equal_parts(owned.pool.parts[key], len(users))
    divided = pieces and (
        f"in {path} write {_rows(owned, users, pieces)} in place of {key}, and here {_references(owned, users)}"
    )
    free: list[Value] = []
    for _ in users[1:]:
        part = free_part(owned.pool, free)
        free += [part] if part is not None else []
    added = len(free) == len(users) - 1 and (
        f"add {_rows(owned, users[1:], free)} to {path}, and write {_references(owned, users[1:])}"
    )
    offers = (divided, added) if is_new else (added or divided,)
    return "; or ".join(offer for offer in offers if offer) or f"enlarge {owned.kind}.{owned.name} of {name}"


def _rows(owned: OwnedPool, users: Sequence[Reference], values: Sequence[Value]) -> str:
    """Return a part for each user, as the file has it."""
    pairs = zip(users, values, strict=True)
    return ", ".join(f"{new_part(owned, user.where)}: {quoted(value)}" for user, value in pairs)


def _references(owned: OwnedPool, users: Sequence[Reference]) -> str:
    """Return what each user takes then."""
    return " and ".join(
        f"{reference(owned.name, new_part(owned, user.where))} for {user_of(user.where)}" for user in users
    )
