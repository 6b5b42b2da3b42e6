"""Differences between a running CONFIG_DB and the rendered one: rows and fields, by table.

The section of a difference is a table and a row, its line is `field: value`; a row without fields is a line of its
table. Order has no meaning in CONFIG_DB except in lists, and orchagent and frrcfgd take those as sets. frr.conf is not
compared here: a push compares that file itself.
"""

from collections.abc import Iterator, Mapping

from fabricgen.base.secret import REFERENCE, shown
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.linux.live.decode import Misread
from fabricgen.platforms.sonic.live.values import HIDDEN, SECRETS, Row, Tables, same, tables_of, unnamed

INIT = "sonic-buildimage ff3c0c9f, fde92d26, 10ae4708 and 086b03bd, files/build_templates/init_cfg.json.j2"
OWN_TABLES: Mapping[str, str] = {
    "AUTO_TECHSUPPORT": INIT,
    "AUTO_TECHSUPPORT_FEATURE": INIT,
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
"""Tables that SONiC fills itself and that no rendered file has → source."""
SHARED_TABLES: Mapping[str, str] = {
    "BANNER_MESSAGE": INIT,
    "DEVICE_METADATA": f"mac, and {INIT}",
    "FEATURE": INIT,
    "FLEX_COUNTER_TABLE": INIT,
    "NTP": INIT,
}
"""Rendered tables in which SONiC has rows and fields of its own → source."""
OWN_ROWS: Mapping[tuple[str, str], str] = {
    ("SNMP", "LOCATION"): "the same, dockers/docker-snmp/snmp_yml_to_configdb.py: snmp.yml's, where there is none",
}
"""Table and row that SONiC fills if no rendered file has it → source."""
PORTS = "PORT"
"""Rows of ports that no rendered file has come from the sku (templates/sonic/NOTES.md), unless somebody enabled one."""
NULL = "NULL"
"""Field of a row without fields (sonic-swss-common, common/configdb.h)."""


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Return rows and fields of the artifact that do not run (present False), and the reverse. Secrets are equal."""
    want, have = _tables(wanted), _tables(running)
    differences = (*_missing(want, have), *_added(want, have))
    return tuple(Drift(tuple(map(shown, row.section)), shown(row.line), row.present) for row in differences)


def _tables(text: str) -> Tables:
    """Return the tables of a text; {} if the text is not a CONFIG_DB."""
    try:
        tables = tables_of(text)
    except Misread:
        return {}
    return {
        table: {
            name: {field: value for field, value in row.items() if field != NULL}
            for name, row in unnamed(table, rows).items()
        }
        for table, rows in tables.items()
    }


def _missing(want: Tables, have: Tables) -> Iterator[Drift]:
    for table, rows in want.items():
        for name, row in rows.items():
            actual = have.get(table, {}).get(name)
            if not row and actual is None:
                yield Drift((table,), name, present=False)
            for field, value in row.items():
                if actual is None or field not in actual or not _same(table, field, value, actual[field]):
                    yield Drift((table, name), _line(table, field, value), present=False)


def _added(want: Tables, have: Tables) -> Iterator[Drift]:
    for table, rows in have.items():
        if table in OWN_TABLES:
            continue
        for name, row in rows.items():
            wanted_row = want.get(table, {}).get(name)
            if wanted_row is None and (table in SHARED_TABLES or (table, name) in OWN_ROWS):
                continue
            # Unused ports come from the sku; only an enabled one is a change that somebody made.
            if table == PORTS and wanted_row is None and row.get("admin_status") != "up":
                continue
            yield from _added_row(table, name, row, wanted_row)


def _added_row(table: str, name: str, row: Row, target: Row | None) -> Iterator[Drift]:
    if target is None and not row:
        yield Drift((table,), name, present=True)
    for field, value in row.items():
        is_own = table in SHARED_TABLES and target is not None and field not in target
        if not is_own and (target is None or field not in target or not _same(table, field, target[field], value)):
            yield Drift((table, name), _line(table, field, value), present=True)


def _same(table: str, field: str, wanted: object, running: object) -> bool:
    """Return whether a field has the wanted value. A secret, or a reference to a secret, matches any value."""
    if (table, field) in SECRETS or (isinstance(wanted, str) and REFERENCE.search(wanted)):
        return True
    return same(wanted, running)


def _line(table: str, field: str, value: object) -> str:
    if (table, field) in SECRETS:
        return f"{field}: {HIDDEN}"
    return f"{field}: {', '.join(map(str, value)) if isinstance(value, list) else value}"
