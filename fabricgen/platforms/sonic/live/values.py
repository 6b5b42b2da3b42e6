"""CONFIG_DB as a tree of tables, rows and fields, and which of its values are secret. A field is text or a list.

Source of the form: sonic-swss-common, and `sonic-cfggen -d --print-data` as config_db.json has it (sonic-utilities
691b1bbc and branch 202505, config/main.py, save; read 2026-11-22).
"""

import json
from collections.abc import Mapping

from fabricgen.platforms.linux.live.decode import Misread

Row = Mapping[str, object]
Tables = Mapping[str, Mapping[str, Row]]
"""Table → row → field → text, or list of texts."""
Whole = dict[str, dict[str, dict[str, object]]]
"""The same, mutable."""

FRR_RUNNING = "bgpraw"
"""Key under which `show runningconfiguration all` adds FRR's own text to the tables (sonic-utilities, show/main.py;
generic_config_updater/gu_common.py removes it again)."""

SECRETS: tuple[tuple[str, str], ...] = (
    ("TACPLUS", "passkey"),
    ("TACPLUS_SERVER", "passkey"),
    ("RADIUS", "passkey"),
    ("RADIUS_SERVER", "passkey"),
    ("LDAP", "bind_password"),
    ("SNMP_USER", "SNMP_USER_AUTH_PASSWORD"),
    ("SNMP_USER", "SNMP_USER_ENCRYPTION_PASSWORD"),
    ("BGP_NEIGHBOR", "auth_password"),
    ("BGP_PEER_GROUP", "auth_password"),
    ("NTP_KEY", "value"),
    ("SNMP_TRAP_CONFIG", "Community"),
    ("MACSEC_PROFILE", "primary_cak"),
    ("MACSEC_PROFILE", "fallback_cak"),
)
"""Table and field of secrets (YANG models of both releases: sonic-system-tacacs, -radius, -ldap, sonic-snmp,
sonic-bgp-common, sonic-ntp, sonic-macsec; SNMP_TRAP_CONFIG: sonic-utilities 691b1bbc, config/main.py)."""
SECRET_TABLES = {"SNMP_COMMUNITY": "community"}
"""Tables whose rows are named by a secret (sonic-snmp.yang, `name` of SNMP_COMMUNITY) → word that replaces it."""
HIDDEN = "<removed>"


def tables_of(text: str) -> Whole:
    """Return the tables of a config_db.json. Raises Misread for any other text."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise Misread(f"no JSON: {error}") from None
    return tables_in(value)


def tables_in(value: object) -> Whole:
    """Return the tables of parsed JSON, without FRR's text. Raises Misread for any other value."""
    if not isinstance(value, dict):
        raise Misread("CONFIG_DB is no object")
    tables: Whole = {}
    for table, rows in value.items():
        if table == FRR_RUNNING:
            continue
        if not isinstance(rows, dict) or not all(isinstance(row, dict) for row in rows.values()):
            raise Misread(f"{table} of CONFIG_DB is no table of rows")
        tables[str(table)] = {str(name): dict(row) for name, row in rows.items()}
    return tables


def masked(tables: Tables) -> Whole:
    """Return tables without their secrets."""
    return {table: _masked_table(table, rows) for table, rows in tables.items()}


def unnamed(table: str, rows: Mapping[str, Row]) -> Mapping[str, Row]:
    """Return the rows of a table, numbered if their names are secrets."""
    if table not in SECRET_TABLES:
        return rows
    return {f"{SECRET_TABLES[table]} {number}": row for number, row in enumerate(rows.values(), start=1)}


def _masked_table(table: str, rows: Mapping[str, Row]) -> dict[str, dict[str, object]]:
    return {
        name: {field: HIDDEN if (table, field) in SECRETS else value for field, value in row.items()}
        for name, row in unnamed(table, rows).items()
    }


def secrets_in(tables: Tables) -> tuple[str, ...]:
    """Return the secrets that tables hold."""
    values = [str(row[field]) for table, field in SECRETS for row in tables.get(table, {}).values() if field in row]
    return tuple({*values, *(name for table in SECRET_TABLES for name in tables.get(table, {}))})


def same(value: object, other_value: object) -> bool:
    """Return whether two values of a field are equal. Lists of CONFIG_DB are sets."""
    if isinstance(value, list) and isinstance(other_value, list):
        return sorted(map(str, value)) == sorted(map(str, other_value))
    return str(value) == str(other_value)


def text_of(tables: object) -> str:
    """Return tables as the file has them, sorted as `config save` sorts them."""
    return json.dumps(tables, indent=4, sort_keys=True) + "\n"
