"""What a whole CONFIG_DB is to be, from what is rendered and what runs, and what a change to it is in words.

`config replace` takes the whole database (sonic-utilities 691b1bbc and branch 202505, config/main.py, replace), and
what its file has not is taken away, where `config reload` would load init_cfg.json and the box's own MAC address first.
So what is SONiC's own stays as it runs: `drift.py` lists those tables with their sources.
"""

from collections.abc import Iterator, Mapping

from fabricgen.platforms.sonic.live.drift import NULL, OWN_ROWS, OWN_TABLES, PORTS, SHARED_TABLES
from fabricgen.platforms.sonic.live.values import Row, Tables, Whole, masked


def target(ours: Tables, running: Tables) -> Whole:
    """The database after a push: ours, and what is SONiC's own as it runs."""
    found = _copied(ours)
    for table in (*OWN_TABLES, *SHARED_TABLES):
        joined = _joined(running.get(table, {}), ours.get(table, {}))
        if joined:
            found[table] = joined
    for table, name in OWN_ROWS:
        row = running.get(table, {}).get(name)
        if row is not None:
            found.setdefault(table, {}).setdefault(name, dict(row))
    if PORTS in ours:
        found[PORTS] |= dict(_unused(ours[PORTS], running.get(PORTS, {})))
    return {table: rows for table, rows in found.items() if rows}


def merged(rows: Tables, running: Tables) -> Whole:
    """What runs, with these rows and fields in it. A list is replaced as a whole."""
    found = _copied(running)
    for table, more in rows.items():
        found[table] = _joined(running.get(table, {}), more)
    return found


def _copied(tables: Tables) -> Whole:
    return {table: {name: dict(row) for name, row in rows.items()} for table, rows in tables.items()}


def _joined(under: Mapping[str, Row], over: Mapping[str, Row]) -> dict[str, dict[str, object]]:
    """Rows of both; fields of the second win."""
    return {name: {**under.get(name, {}), **over.get(name, {})} for name in (*under, *over)}


def _unused(ours: Mapping[str, Row], running: Mapping[str, Row]) -> Iterator[tuple[str, dict[str, object]]]:
    """Ports that no file of ours has and whose lanes are free: the sku's rows, without an admin status, so down."""
    taken = {lane for row in ours.values() for lane in _lanes(row)}
    for name, row in running.items():
        if name not in ours and not taken.intersection(_lanes(row)):
            yield name, {field: value for field, value in row.items() if field != "admin_status"}


def _lanes(row: Row) -> frozenset[str]:
    return frozenset(str(row.get("lanes", "")).split(",")) - {""}


def difference(have: Tables, want: Tables) -> str:
    """What a change does, as `-` and `+` lines under their rows, secrets masked; "" for nothing."""
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
    """Name of a row; of one that is named by a secret, none."""
    return name if any(name in tables.get(table, {}) for tables in shown) else "<removed>"


def _changes(old: Row | None, new: Row | None) -> Iterator[tuple[str, str, object]]:
    """Sign, field and value; a row without fields that comes or goes has the field NULL, as redis has it."""
    before, after = _fields(old), _fields(new)
    for field in sorted({*before, *after}):
        if field not in after or (field in before and not same(before[field], after[field])):
            yield "-", field, before[field]
        if field not in before or (field in after and not same(before[field], after[field])):
            yield "+", field, after[field]


def _fields(row: Row | None) -> Row:
    if row is None:
        return {}
    return row or {NULL: NULL}


def same(one: object, other: object) -> bool:
    """Whether two values of a field are one. Lists of CONFIG_DB are sets."""
    if isinstance(one, list) and isinstance(other, list):
        return sorted(map(str, one)) == sorted(map(str, other))
    return str(one) == str(other)


def _line(sign: str, table: str, field: str, value: object) -> str:
    hidden = masked({table: {"": {field: value}}}).get(table, {}).get("", {}).get(field, value)
    text = ", ".join(map(str, hidden)) if isinstance(hidden, list) else str(hidden)
    return f"{sign}  {field}: {text}"
