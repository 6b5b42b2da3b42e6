"""Versions of the defaults: the values of keys that the intent leaves out.

A site keeps the version that its lock records, so a new release changes no running value. Only `defaults: N` in the
intent moves a site to another version. A site without a lock gets the newest one.

Each version lists only the keys whose default it changes: a key has the value of the last version that lists it.
Version 1 has the values from before versions were recorded. A test checks that the newest values equal the defaults of
the schema, so code that reads a model directly sees those.
"""

from collections.abc import Mapping
from typing import NamedTuple

Path = tuple[str, ...]
"""Keys from the root of the intent; `*` means each name of a mapping, e.g. each fabric."""
Values = Mapping[Path, object]
"""Path → default in force, of the type in the validated intent."""

OLDEST = 1
"""Version of a site whose lock records none."""


class Default(NamedTuple):
    """One default of one version.

    value  of the type in the validated intent
    why    reason for this value, with its source: `diff` prints it
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

DEFAULTS: Table = {
    1: (
        Default(_MAC_LIMIT, "none", "a port learns any number of MAC addresses"),
        Default(_DF_ELECTION, "platform", "each operating system uses its own default DF election"),
        Default(_ECN, "formula", "one formula for every platform, from the bandwidth-delay product"),
        Default(_XON_OFFSET, "14-cells", "one number of cells for every chip, from the table of a Tomahawk 5 switch"),
    ),
    2: (
        Default(
            _ECN,
            "published",
            "what the vendor publishes for its own switch, role and speed (policy/ecn.py names each source), else "
            "the formula",
        ),
        Default(
            _XON_OFFSET,
            "published",
            "the vendor's own table for the switch, e.g. 9144 octets in sonic-buildimage 086b03b, "
            "DellEMC-Z9664f-O64, "
            "pg_profile_lookup.ini",
        ),
        Default(
            _MAC_LIMIT,
            "auto",
            "without a limit, one host that sends from many addresses fills the MAC tables of every leaf (measured "
            "on FRR with 40,000 addresses)",
        ),
        Default(
            _DF_ELECTION,
            "preference",
            "DF election by preference (RFC 9785): a drained leaf is not DF while its peer leaf is up, and leaves "
            "in service share the DF role",
        ),
    ),
}
NEWEST = max(DEFAULTS)


def values_at(version: int, table: Table = DEFAULTS) -> Values:
    """Return the default of every key that a version up to this one lists. Raises KeyError for an unknown version."""
    if version not in table:
        raise KeyError(version)
    return {default.path: default.value for number in sorted(table) if number <= version for default in table[number]}


def changed_between(before: int, after: int, table: Table = DEFAULTS) -> tuple[Default, ...]:
    """Return the defaults that differ between two versions, each with its value at `after`, in the table's order.

    A key that version 1 does not list is not compared: version 1 must list a key before a later version changes it.
    """
    old, new = values_at(before, table), values_at(after, table)
    rows = {(default.path, default.value): default for number in sorted(table) for default in table[number]}
    return tuple(rows[path, value] for path, value in new.items() if path in old and old[path] != value)
