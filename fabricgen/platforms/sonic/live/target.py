"""The complete CONFIG_DB after a push, from the rendered and the running one, and the text of such a change.

`config replace` takes the whole database (sonic-utilities 691b1bbc and branch 202505, config/main.py, replace) and
removes what its file lacks, whereas `config reload` would first load init_cfg.json and the switch's own MAC address. So
SONiC's own tables and fields are kept as they run; `drift.py` lists those tables with their sources.
"""

from collections.abc import Iterator, Mapping

from fabricgen.platforms.sonic.live.drift import NULL, OWN_ROWS, OWN_TABLES, PORTS, SHARED_TABLES
from fabricgen.platforms.sonic.live.values import HIDDEN, Row, Tables, Whole, masked, same


def target(rendered: Tables, running: Tables) -> Whole:
    """Return the database after a push: the rendered tables, and SONiC's own as they run."""
    result = _copied(rendered)
    for table in (*OWN_TABLES, *SHARED_TABLES):
        joined = _joined(running.get(table, {}), rendered.get(table, {}))
        if joined:
            result[table] = joined
    for table, name in OWN_ROWS:
        row = running.get(table, {}).get(name)
        if row is not None:
            result.setdefault(table, {}).setdefault(name, dict(row))
    if PORTS in rendered:
        result[PORTS] |= dict(_unused(rendered[PORTS], running.get(PORTS, {})))
    return {table: rows for table, rows in result.items() if rows}


def merged(rows: Tables, running: Tables) -> Whole:
    """Return the running tables with these rows and fields merged in. A list is replaced as a whole."""
    result = _copied(running)
    for table, added_rows in rows.items():
        result[table] = _joined(running.get(table, {}), added_rows)
    return result


def _copied(tables: Tables) -> Whole:
    return {table: {name: dict(row) for name, row in rows.items()} for table, rows in tables.items()}


def _joined(base: Mapping[str, Row], override: Mapping[str, Row]) -> dict[str, dict[str, object]]:
    """Return the rows of both; fields of the second win."""
    return {name: {**base.get(name, {}), **override.get(name, {})} for name in (*base, *override)}


def _unused(rendered: Mapping[str, Row], running: Mapping[str, Row]) -> Iterator[tuple[str, dict[str, object]]]:
    """Yield ports that no rendered file has and whose lanes are free: the sku's rows without admin status, so down."""
    used_lanes = {lane for row in rendered.values() for lane in _lanes(row)}
    for name, row in running.items():
        if name not in rendered and not used_lanes.intersection(_lanes(row)):
            yield name, {field: value for field, value in row.items() if field != "admin_status"}


def _lanes(row: Row) -> frozenset[str]:
    return frozenset(str(row.get("lanes", "")).split(",")) - {""}


def difference(have: Tables, want: Tables) -> str:
    """Return a change as `-` and `+` lines under their rows, secrets masked; "" if nothing changes."""
    lines: list[str] = []
    shown_have, shown_want = masked(have), masked(want)
    for table in sorted({*have, *want}):
        old, new = have.get(table, {}), want.get(table, {})
        if table not in shown_have and table not in shown_want:
            continue
        for name in sorted({*old, *new}):
            changed = tuple(_changes(old.get(name), new.get(name)))
            if changed:
                lines.append(f"{table} / {_shown_name(table, name, shown_have, shown_want)}")
                lines += (_line(sign, table, field, value) for sign, field, value in changed)
    return "\n".join(lines)


def _shown_name(table: str, name: str, *shown: Tables) -> str:
    """Return the name of a row, or a placeholder if the name is a secret."""
    return name if any(name in tables.get(table, {}) for tables in shown) else HIDDEN


def _changes(old: Row | None, new: Row | None) -> Iterator[tuple[str, str, object]]:
    """Yield sign, field and value. A row without fields that is added or removed has the field NULL, as in redis."""
    old_fields, new_fields = _fields(old), _fields(new)
    for field in sorted({*old_fields, *new_fields}):
        if field not in new_fields or (field in old_fields and not same(old_fields[field], new_fields[field])):
            yield "-", field, old_fields[field]
        if field not in old_fields or (field in new_fields and not same(old_fields[field], new_fields[field])):
            yield "+", field, new_fields[field]


def _fields(row: Row | None) -> Row:
    if row is None:
        return {}
    return row or {NULL: NULL}


def _line(sign: str, table: str, field: str, value: object) -> str:
    masked_value = masked({table: {"": {field: value}}}).get(table, {}).get("", {}).get(field, value)
    text = ", ".join(map(str, masked_value)) if isinstance(masked_value, list) else str(masked_value)
    return f"{sign}  {field}: {text}"
