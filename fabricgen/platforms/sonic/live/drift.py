"""Where a running CONFIG_DB is not the rendered one: rows and fields, by table.

The section of a difference is a table and a row, its line is `field: value`; a row without fields is a line of its
table. Order says nothing in CONFIG_DB but for lists, which orchagent and frrcfgd take as sets. frr.conf is no part of
it: a push compares that file itself.
"""

from collections.abc import Iterator, Mapping

from fabricgen.base.secret import REFERENCE, shown
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.linux.live.decode import Misread
from fabricgen.platforms.sonic.live.values import HIDDEN, SECRETS, Row, Tables, tables_of, unnamed

INIT = "sonic-buildimage ff3c0c9f and 086b03bd, files/build_templates/init_cfg.json.j2"
OWN_TABLES: Mapping[str, str] = {
    "AUTO_TECHSUPPORT": INIT,
    "AUTO_TECHSUPPORT_FEATURE": INIT,
    "BANNER_MESSAGE": INIT,
    "BGP_DEVICE_GLOBAL": INIT,
    "BREAKOUT_CFG": "the same, src/sonic-config-engine/sonic-cfggen: of the box's own break-out modes",
    "CRM": INIT,
    "KDUMP": INIT,
    "LOGGER": "the same, src/sonic-py-common/sonic_py_common/syslogger.py: each daemon writes its level where none is",
    "PASSW_HARDENING": INIT,
    "SYSLOG_CONFIG": INIT,
    "SYSLOG_CONFIG_FEATURE": INIT,
    "SYSTEM_DEFAULTS": INIT,
    "VERSIONS": "sonic-utilities 691b1bbc, scripts/db_migrator.py: the form that the database has",
}
"""Tables that SONiC fills by itself and that no file of ours has → source."""
SHARED_TABLES: Mapping[str, str] = {
    "DEVICE_METADATA": f"mac, and {INIT}",
    "FEATURE": INIT,
    "FLEX_COUNTER_TABLE": INIT,
    "NTP": INIT,
}
"""Tables of ours in which SONiC has rows and fields of its own → source."""
OWN_ROWS: Mapping[tuple[str, str], str] = {
    ("SNMP", "LOCATION"): "the same, dockers/docker-snmp/snmp_yml_to_configdb.py: snmp.yml's, where there is none",
}
"""Table and row that SONiC fills where no file of ours has it → source."""
PORTS = "PORT"
"""Rows of ports that no file of ours has are the sku's (templates/sonic/NOTES.md), unless somebody has enabled one."""
NULL = "NULL"
"""Field of a row without fields (sonic-swss-common, common/configdb.h)."""


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Rows and fields of the artifact that do not run (present False), and the other way round. Secrets are equal."""
    want, have = _tables(wanted), _tables(running)
    found = (*_missing(want, have), *_added(want, have))
    return tuple(Drift(tuple(map(shown, each.section)), shown(each.line), each.present) for each in found)


def _tables(text: str) -> Tables:
    """Tables; a text that is none has no table."""
    try:
        found = tables_of(text)
    except Misread:
        return {}
    return {
        table: {
            name: {field: value for field, value in row.items() if field != NULL}
            for name, row in unnamed(table, rows).items()
        }
        for table, rows in found.items()
    }


def _missing(want: Tables, have: Tables) -> Iterator[Drift]:
    for table, rows in want.items():
        for name, row in rows.items():
            found = have.get(table, {}).get(name)
            if not row and found is None:
                yield Drift((table,), name, present=False)
            for field, value in row.items():
                if found is None or field not in found or not _same(table, field, value, found[field]):
                    yield Drift((table, name), _line(table, field, value), present=False)


def _added(want: Tables, have: Tables) -> Iterator[Drift]:
    for table, rows in have.items():
        if table in OWN_TABLES:
            continue
        for name, row in rows.items():
            wanted = want.get(table, {}).get(name)
            if wanted is None and (table in SHARED_TABLES or (table, name) in OWN_ROWS):
                continue
            if table == PORTS and wanted is None and row.get("admin_status") != "up":
                continue
            yield from _added_row(table, name, row, wanted)


def _added_row(table: str, name: str, row: Row, wanted: Row | None) -> Iterator[Drift]:
    if wanted is None and not row:
        yield Drift((table,), name, present=True)
    for field, value in row.items():
        own = table in SHARED_TABLES and wanted is not None and field not in wanted
        if not own and (wanted is None or field not in wanted or not _same(table, field, wanted[field], value)):
            yield Drift((table, name), _line(table, field, value), present=True)


def _same(table: str, field: str, wanted: object, found: object) -> bool:
    """Whether a field says what was wanted. What is secret, or a reference to a secret, stands for any value."""
    if (table, field) in SECRETS or (isinstance(wanted, str) and REFERENCE.search(wanted)):
        return True
    if isinstance(wanted, list) and isinstance(found, list):
        return sorted(map(str, wanted)) == sorted(map(str, found))
    return str(wanted) == str(found)


def _line(table: str, field: str, value: object) -> str:
    if (table, field) in SECRETS:
        return f"{field}: {HIDDEN}"
    return f"{field}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
