"""Pools that several sites share: a file of the repository that says which part of each pool a site may take.

    pools: 1
    sites: {dc1: dc1/intent.yaml, dc2: dc2/intent.yaml}
    ipv4:
      fabrics: {range: 10.64.0.0/10, parts: {dc1/backend: 10.64.0.0/12, dc2/backend: 10.80.0.0/12}}
    asns:
      fabrics: {range: 4201000000-4201999999, parts: {dc1: 4201000000-4201099999}}

An intent names the file (`pools: ../pools.yaml`) and takes a part of its own site by `pool:NAME`, or `pool:NAME/PART`
for one of several. A part is written, never computed, so a number that exists stays when another site is added.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from ipaddress import IPv4Network, IPv6Network
from itertools import combinations
from typing import Annotated, NamedTuple

from pydantic import Field

from fabricgen.errors import FabricError, IntentPath, Problem, did_you_mean
from fabricgen.intent.scalars import (
    AsnRange,
    AsnRangeField,
    Flag,
    IntentModel,
    Ipv4Prefix,
    Ipv6Prefix,
    Name,
    Span,
    parse_span,
)
from fabricgen.source.annotations import Parsed, Pattern, WholeNumber
from fabricgen.source.document import Document, mapping

POOLS = "pools"
KINDS = ("ipv4", "ipv6", "asns", "vnis", "admins")
"""Kinds of pools, by their keys in the file."""
NOUNS: Mapping[str, str] = {
    "ipv4": "IPv4 prefix",
    "ipv6": "IPv6 prefix",
    "asns": "range of AS numbers",
    "vnis": "range of VNIs",
    "admins": "route target administrator",
}


def a_noun(kind: str) -> str:
    """Return the noun of a kind with its article: an IPv4 prefix."""
    return f"an {NOUNS[kind]}" if NOUNS[kind].startswith("IP") else f"a {NOUNS[kind]}"


_REFERENCE = re.compile(r"pool:([a-z][a-z0-9]*(?:-[a-z0-9]+)*)(?:/([a-z][a-z0-9]*(?:-[a-z0-9]+)*))?")
_BEGINS = "pool:"
MOST_PARTS = 4096
"""Places of a pool that are tried for a part in a remedy."""

Value = IPv4Network | IPv6Network | AsnRange | Span | int
"""A pool, or a part of one."""
Parts = Mapping[str, Mapping[str, str | int]]
"""Kind → name of a pool, or name/part → what an intent has in its place."""

PartName = Annotated[
    str,
    Pattern(r"^[a-z][a-z0-9]*(-[a-z0-9]+)*(/[a-z][a-z0-9]*(-[a-z0-9]+)*)?$", 49),
    Field(description="a site, or site/part where a site takes several parts of a pool"),
]
VniRange = Annotated[Span, Parsed(parse_span, "10000-19999", lambda span: f"{span.first}-{span.last}")]
AdminRange = Annotated[Span, Parsed(parse_span, "65000-65099", lambda span: f"{span.first}-{span.last}")]
Reused = Annotated[
    Flag,
    Field(
        description="every site may use all of it, as their fabrics are never joined: nothing in it is compared; "
        "it has no parts"
    ),
]


class Ipv4Pool(IntentModel):
    """A prefix, for fabrics or for out-of-band networks."""

    range: Ipv4Prefix = Field(description="the whole pool")
    parts: dict[PartName, Ipv4Prefix] = Field(default_factory=dict, description="site → its part")
    reused: Reused = False


class Ipv6Pool(IntentModel):
    """A prefix for fabrics."""

    range: Ipv6Prefix = Field(description="the whole pool")
    parts: dict[PartName, Ipv6Prefix] = Field(default_factory=dict, description="site → its part")
    reused: Reused = False


class AsnPool(IntentModel):
    """A range of AS numbers."""

    range: AsnRangeField = Field(description="the whole pool")
    parts: dict[PartName, AsnRangeField] = Field(default_factory=dict, description="site → its part")
    reused: Reused = False


class VniPool(IntentModel):
    """A range of VNIs; the first of a part is the `vni_base` of the intent that takes it."""

    range: VniRange = Field(description="the whole pool")
    parts: dict[PartName, VniRange] = Field(default_factory=dict, description="site → its part")
    reused: Reused = False


class AdminPool(IntentModel):
    """A range of administrators of route targets; a part is one number."""

    range: AdminRange = Field(description="the whole pool")
    parts: dict[PartName, Annotated[int, WholeNumber(1, 65535)]] = Field(
        default_factory=dict, description="site → its number"
    )


Pool = Ipv4Pool | Ipv6Pool | AsnPool | VniPool | AdminPool


class PoolFile(IntentModel):
    """The pools of a repository."""

    pools: Annotated[int, WholeNumber(1, 1), Field(description="version of this schema")]
    sites: dict[Name, Annotated[str, Pattern(r"^[^\x00-\x1f\x7f]+$", 200)]] = Field(
        examples=[{"dc1": "dc1/intent.yaml"}],
        min_length=1,
        description="site → its intent, from the folder of this file",
    )
    ipv4: dict[Name, Ipv4Pool] = Field(default_factory=dict, description="IPv4 prefixes by name")
    ipv6: dict[Name, Ipv6Pool] = Field(default_factory=dict, description="IPv6 prefixes by name")
    asns: dict[Name, AsnPool] = Field(default_factory=dict, description="ranges of AS numbers by name")
    vnis: dict[Name, VniPool] = Field(default_factory=dict, description="ranges of VNIs by name")
    admins: dict[Name, AdminPool] = Field(
        default_factory=dict, description="ranges of administrators of route targets by name"
    )

    def of_kind(self, kind: str) -> Mapping[str, Pool]:
        """Return the pools of one of KINDS by name."""
        pools: Mapping[str, Pool] = getattr(self, kind)
        return pools


class Reference(NamedTuple):
    """A value of an intent that a pool gives. where: its place in the intent; kind: one of KINDS."""

    where: IntentPath
    kind: str
    text: str

    @property
    def name(self) -> str:
        """The pool's name, with the part's."""
        return self.text.removeprefix(_BEGINS)


def bounds(value: Value) -> tuple[int, int]:
    """Return the first and the last number of a pool or a part."""
    if isinstance(value, IPv4Network | IPv6Network):
        return int(value.network_address), int(value.broadcast_address)
    return (value, value) if isinstance(value, int) else (value.first, value.last)


def text_of(value: Value) -> str:
    """Return a pool or a part as it is written."""
    if isinstance(value, IPv4Network | IPv6Network | int):
        return str(value)
    return f"{value.first}-{value.last}"


def overlap(one: Value, two: Value) -> bool:
    """Return whether two values of one kind have a number in common."""
    (first, last), (other_first, other_last) = bounds(one), bounds(two)
    return first <= other_last and other_first <= last


def is_within(inner: Value, outer: Value) -> bool:
    """Return whether all numbers of a value are in another one of its kind."""
    return bounds(outer)[0] <= bounds(inner)[0] and bounds(inner)[1] <= bounds(outer)[1]


def is_of(site: str, part: str) -> bool:
    """Return whether a part, by its name in the file, is one of a site."""
    return part.partition("/")[0] == site


def references(document: Document) -> Iterator[Reference]:
    """Yield the values of an intent that pools give, valid or not."""
    root = mapping(document.value)
    for where, kind in places_of(mapping(root.get("fabrics"))):
        value: object = root
        for key in where:
            value = mapping(value).get(str(key))
        if isinstance(value, str) and value.startswith(_BEGINS):
            yield Reference(where, kind, value)


def places_of(fabrics: Mapping[str, object]) -> Iterator[tuple[IntentPath, str]]:
    """Yield each key that a pool may give, with the kind of the pool."""
    for name in fabrics:
        yield ("fabrics", name, "addressing", "ipv4"), "ipv4"
        yield ("fabrics", name, "addressing", "ipv6"), "ipv6"
        yield ("fabrics", name, "asns"), "asns"
        yield ("fabrics", name, "evpn", "vni_base"), "vnis"
        yield ("fabrics", name, "evpn", "admin"), "admins"
    yield ("management", "oob"), "ipv4"


def with_parts(document: Document, found: tuple[Reference, ...], parts: Parts) -> Document:
    """Return the intent's document with the part in place of each reference, at the reference's own position."""
    value = document.value
    for reference in found:
        value = _replaced(value, reference.where, parts[reference.kind][reference.name])
    return document._replace(value=value)


def _replaced(value: object, where: IntentPath, part: str | int) -> object:
    if not where:
        return part
    below = mapping(value)
    return {**below, str(where[0]): _replaced(below[str(where[0])], where[1:], part)}


def taken_parts(found: tuple[Reference, ...], file: PoolFile, name: str, site: str) -> Parts:
    """Return the parts that an intent takes, as it would write them.

    name  of the pool file, for messages; site: whose parts they are

    Raises FabricError with the references that lead to nothing.
    """
    parts: dict[str, dict[str, str | int]] = {}
    problems = []
    offered: dict[tuple[str, str], dict[str, Value]] = {}
    for reference in found:
        part = _part(reference, file, name, site, offered)
        if isinstance(part, Problem):
            problems.append(part)
            continue
        value = bounds(part)[0] if reference.kind in ("vnis", "admins") else text_of(part)
        parts.setdefault(reference.kind, {})[reference.name] = value
    if problems:
        raise FabricError(problems)
    return parts


def _part(
    reference: Reference, file: PoolFile, name: str, site: str, offered: dict[tuple[str, str], dict[str, Value]]
) -> Value | Problem:
    """Return what a reference stands for, or why there is none.

    offered  kind and name of a pool → new parts that problems have offered; gets that of this one
    """
    noun, pools = NOUNS[reference.kind], file.of_kind(reference.kind)
    match = _REFERENCE.fullmatch(reference.text)
    if match is None:
        return Problem(
            code="pool-reference",
            what=f"{reference.text} does not name a pool",
            why="a reference is pool: and the name of a pool, with / and a part where the site has several",
            fix="write e.g. pool:fabrics or pool:fabrics/backend",
            where=reference.where,
        )
    pool_name, part_name = match[1], match[2]
    pool = pools.get(pool_name)
    if pool is None:
        suggestion = (
            did_you_mean(pool_name, pools)
            if pools
            else f"add {pool_name}: with range and parts to {reference.kind} of {name}"
        )
        return Problem(
            code="pool-unknown",
            what=f"unknown pool {pool_name}",
            why=f"{name} has no {noun} of that name below {reference.kind}:",
            fix=suggestion,
            where=reference.where,
        )
    if not isinstance(pool, AdminPool) and pool.reused:
        return pool.range
    own = [part for part in pool.parts if is_of(site, part)]
    wanted = f"{site}/{part_name}" if part_name else site
    if wanted in pool.parts:
        return pool.parts[wanted]
    path = f"{reference.kind}.{pool_name}.parts"
    names = " or ".join(f"pool:{'/'.join((pool_name, *part.split('/')[1:]))}" for part in own)
    others = offered.setdefault((reference.kind, pool_name), {})
    free = others.get(wanted) or free_part(pool, others.values())
    if free is not None:
        others[wanted] = free
    add = (
        f"add {wanted}: {quoted(free)} to {path} of {name}"
        if free is not None
        else f"enlarge {path.removesuffix('.parts')} of {name}"
    )
    return Problem(
        code="pool-part-unknown",
        what=f"{site} has no part {wanted} of the pool {pool_name}",
        why=f"{name} gives it {', '.join(own) or 'none'} of {text_of(pool.range)}"
        + ("" if free is not None else ", of which nothing is left"),
        fix=f"write {names}, or {add}" if own else add,
        where=reference.where,
    )


def free_part(pool: Pool, taken: Iterable[Value] = ()) -> Value | None:
    """Return a part that a pool has left, as large as its first one; None where it has none, or no part to go by.

    taken  values that it must not overlap, beside all parts
    """
    parts: tuple[Value, ...] = (*pool.parts.values(), *taken)
    first, last = bounds(pool.range)
    if not pool.parts:
        return None
    low, high = bounds(parts[0])
    size = high - low + 1
    for start in range(first, min(last, first + size * MOST_PARTS) + 1, size):
        end = start + size - 1
        if end <= last and not any(bounds(part)[0] <= end and start <= bounds(part)[1] for part in parts):
            return value_between(parts[0], start, end)
    return None


def value_between(like: Value, first: int, last: int) -> Value:
    """Return a value of the kind and, as a prefix, of the size of another one, from its first to its last number."""
    if isinstance(like, IPv4Network):
        return IPv4Network((first, like.prefixlen))
    if isinstance(like, IPv6Network):
        return IPv6Network((first, like.prefixlen))
    if isinstance(like, int):
        return first
    return type(like)(first, last)


def quoted(part: Value) -> str:
    """Return a part as YAML takes it in any place: a prefix of IPv6 in quotes."""
    return f'"{part}"' if isinstance(part, IPv6Network) else text_of(part)


def pool_faults(file: PoolFile, document: Document) -> Iterator[Problem]:
    """Yield what is wrong in a pool file that has the right form, each with its position."""
    yield from _unknown_sites(file, document)
    for kind in KINDS:
        pools = file.of_kind(kind)
        for name, pool in pools.items():
            yield from _pool_faults(document, (kind, name), pool)
        for (one, first), (two, second) in combinations(pools.items(), 2):
            if overlap(first.range, second.range):
                yield _fault(
                    document,
                    (kind, two, "range"),
                    "pool-overlap",
                    f"the pool {two}, {text_of(second.range)}, overlaps the pool {one}, {text_of(first.range)}",
                    "the same numbers would be given twice",
                    f"write {a_noun(kind)} outside {text_of(first.range)}",
                )
    files: dict[str, str] = {}
    for site, path in file.sites.items():
        if path in files:
            yield _fault(
                document,
                ("sites", site),
                "pool-site",
                f"{files[path]} and {site} have the same intent",
                f"both are {path}",
                "write the intent of each site",
            )
        files.setdefault(path, site)


def _unknown_sites(file: PoolFile, document: Document) -> Iterator[Problem]:
    """Yield each site that has a part and is not listed, at its first part."""
    places = (
        (part.partition("/")[0], (kind, name, "parts", part))
        for kind in KINDS
        for name, pool in file.of_kind(kind).items()
        for part in pool.parts
    )
    reported = {*file.sites}
    for site, where in places:
        if site not in reported:
            reported.add(site)
            yield _fault(
                document,
                where,
                "pool-site",
                f"unknown site {site}",
                f"sites: {', '.join(file.sites)}",
                f"add {site}: with the path of its intent to sites, or write one of {', '.join(file.sites)}",
            )


def _pool_faults(document: Document, where: tuple[str, str], pool: Pool) -> Iterator[Problem]:
    kind, name = where
    path: IntentPath = (*where, "parts")
    if pool.parts and not isinstance(pool, AdminPool) and pool.reused:
        yield _fault(
            document,
            path,
            "pool-reused",
            f"the pool {name} is reused, and has parts",
            "reused: true says that every site may use all of it",
            "remove parts, or reused",
        )
        return
    parts: Mapping[str, Value] = pool.parts
    for part, value in parts.items():
        if not is_within(value, pool.range):
            yield _fault(
                document,
                (*path, part),
                "pool-part-outside",
                f"the part {text_of(value)} of {part} is outside of the pool {name}",
                f"the pool is {text_of(pool.range)}",
                f"write {a_noun(kind)} within {text_of(pool.range)}, or enlarge the pool",
            )
    for (one, first), (two, second) in combinations(parts.items(), 2):
        if overlap(first, second):
            at = document.place((*path, one))
            yield _fault(
                document,
                (*path, two),
                "pool-part-twice",
                f"{one} and {two} have {'the same' if first == second else 'overlapping'} parts of the pool {name}",
                f"{text_of(second)} overlaps {text_of(first)} ({at.file}:{at.line}:{at.column})",
                f"write {a_noun(kind)} of {text_of(pool.range)} that no other part has",
            )


def _fault(document: Document, where: IntentPath, code: str, what: str, why: str, fix: str) -> Problem:
    return Problem(code=code, what=what, why=why, fix=fix, at=document.place(where))
