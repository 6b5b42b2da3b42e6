"""Values that clash within a site that shares pools → what it may take of the pools in their place."""

from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path

from fabricgen.errors import FabricError, IntentPath, Problem
from fabricgen.intent.pool_offers import owned_pools
from fabricgen.intent.pools import PoolFile, Value, overlap, places_of, text_of
from fabricgen.intent.scalars import parse_asns, parse_ipv4_prefix, parse_ipv6_prefix
from fabricgen.site.pools import pool_path
from fabricgen.source.document import Document, mapping, read_document
from fabricgen.source.validate import validate

PARSERS: Mapping[str, Callable[[object], Value]] = {
    "ipv4": parse_ipv4_prefix,
    "ipv6": parse_ipv6_prefix,
    "asns": parse_asns,
}
FROM_LOCK = "the lock has"
"""In a fix with the numbers that the lock has: it is better than a part."""


def with_pool_fix(problem: Problem, document: Document) -> Problem:
    """Return a problem of values of one site that clash, with parts of its pools as the fix where there are some.

    document  of the intent, with parts in place of `pool:NAME`
    """
    path = pool_path(Path(document.file).parent, document)
    if path is None or FROM_LOCK in problem.fix:
        return problem
    try:
        file = validate(PoolFile, read_document(path))
    except FabricError:  # a problem of its own
        return problem
    site = str(mapping(document.value).get("site"))
    values = _values(document)
    if problem.where[-1] == "router_ids":
        router_ids = parse_ipv4_prefix(_at(mapping(document.value), problem.where))
        ranges = [pool.range for pool in file.ipv4.values() if overlap(pool.range, router_ids)]
        return problem._replace(fix=f"write a prefix outside {text_of(ranges[0])}") if ranges else problem
    if problem.where not in values:
        return problem
    kind, value = values[problem.where]
    others = [each for where, (other, each) in values.items() if other == kind and where != problem.where]
    pools = [each for each in owned_pools(site, file, kind) if each.parts or overlap(each.pool.range, value)]
    parts = ", or ".join(filter(None, (owned.written(others) for owned in pools)))
    added = next(filter(None, (owned.added(str(path), problem.where, others) for owned in pools)), "")
    fix = f"write {parts}" if parts else added
    return problem._replace(fix=fix) if fix else problem


def _values(document: Document) -> dict[IntentPath, tuple[str, Value]]:
    """Return what an intent has where it may take parts: place → kind and value, without what has no valid form."""
    root = mapping(document.value)
    found: dict[IntentPath, tuple[str, Value]] = {}
    for where, kind in places_of(mapping(root.get("fabrics"))):
        if kind in PARSERS:
            with suppress(ValueError):  # nothing there, or a problem of its own
                found[where] = (kind, PARSERS[kind](_at(root, where)))
    return found


def _at(root: Mapping[str, object], where: IntentPath) -> object:
    value: object = root
    for key in where:
        value = mapping(value).get(str(key))
    return value
