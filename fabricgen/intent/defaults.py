"""Versions of the defaults: what a key of the intent means where nobody wrote it.

A site keeps the version that its lock records, so that a new release changes no value that runs. Only the intent's own
`defaults: N` moves a site to another version. A site without a lock takes the newest one.

Each version lists the keys whose default it changes, and nothing else: a key has the value of the last version that
lists it. Version 1 has the values from before versions were recorded. A test holds the newest values equal to the
defaults of the schema, so whoever reads a model directly sees those.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

Path = tuple[str, ...]
"""Keys from the root of the intent; `*` stands for each name of a mapping, e.g. each fabric."""
Values = Mapping[Path, object]
"""Path → default in force, of the type that the validated intent has."""

OLDEST = 1
"""Of a site whose lock names no version."""


class Default(NamedTuple):
    """One default of one version.

    value  of the type that the validated intent has
    why    why this value, with its source: `diff` prints it
    """

    path: Path
    value: object
    why: str


Table = Mapping[int, tuple[Default, ...]]
"""Version → the defaults that it changes."""

_ECN: Path = ("fabrics", "*", "roce", "ecn")
_XON_OFFSET: Path = ("fabrics", "*", "roce", "xon_offset")
_DF_ELECTION: Path = ("fabrics", "*", "server_ports", "df_election")
_MAC_LIMIT: Path = ("fabrics", "*", "server_ports", "mac_limit")

DEFAULTS: Table = MappingProxyType(
    {
        1: (
            Default(_MAC_LIMIT, "none", "a port learns all that it sees"),
            Default(_DF_ELECTION, "platform", "each operating system elects as it does without a line"),
            Default(_ECN, "formula", "one formula for every platform, from the bandwidth-delay product"),
            Default(_XON_OFFSET, "14-cells", "one number of cells for every chip, from the table of a Tomahawk 5 box"),
        ),
        2: (
            Default(
                _ECN,
                "published",
                "what the maker publishes for its own box, role and speed (policy/ecn.py names each source), and the "
                "formula where there is nothing",
            ),
            Default(
                _XON_OFFSET,
                "published",
                "the maker's own table of the box, e.g. 9144 octets in sonic-buildimage 086b03b, DellEMC-Z9664f-O64, "
                "pg_profile_lookup.ini",
            ),
            Default(
                _MAC_LIMIT,
                "auto",
                "one host that sends from 32,000 addresses fills the tables of every leaf (seen with 40,000 on FRR)",
            ),
            Default(
                _DF_ELECTION,
                "preference",
                "a drained leaf forwards no broadcast while its mate is there, and healthy leaves share the "
                "servers (RFC 9785)",
            ),
        ),
    }
)
NEWEST = max(DEFAULTS)


def values_at(version: int, table: Table = DEFAULTS) -> Values:
    """Return every default that a version up to this one lists. Raises KeyError for an unknown version."""
    if version not in table:
        raise KeyError(version)
    return {each.path: each.value for number in sorted(table) if number <= version for each in table[number]}


def changed_between(before: int, after: int, table: Table = DEFAULTS) -> tuple[Default, ...]:
    """Return the defaults that differ between two versions, each with its value at `after`, in the table's order.

    A key that version 1 does not list is not compared: a key is listed there before a later version changes it.
    """
    old, new = values_at(before, table), values_at(after, table)
    rows = {(each.path, each.value): each for number in sorted(table) for each in table[number]}
    return tuple(rows[path, value] for path, value in new.items() if path in old and old[path] != value)
