"""Judge a SONiC config_db.json by SONiC's own YANG models, of the releases in RELEASES.

CONFIG_DB holds strings: a table's rows by their keys, joined with `|`, and a row's fields. Each table is a container of
its model; a row belongs to the list of that container which has as many keys (no table of any release has two such),
or to a container of its own name. So a document is carried over by the models alone, as text: libyang says what is a
number. The rules are those of SONiC's own loader, sonic-net/sonic-buildimage src/sonic-yang-mgmt/sonic_yang_ext.py at
0f249daa33920dfbfe6c9b17de84083f46758ea1, read 2026-11-22.

Judged: fields, values, references, `must`. A table without a model is a fault, for SONiC itself passes over it. Not
seen: an unknown address family of BGP, two ports of one alias or lane, a tunnel map to a VLAN that is not there, a
VRF's VNI without a map, PFC without a priority group, numbers of buffers and schedulers.
"""

import json
from collections.abc import Collection, Iterator, Mapping
from functools import cache
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple
from xml.etree.ElementTree import Element, SubElement, tostring

from tests.judges import models, yang

if TYPE_CHECKING:
    import libyang

RELEASES: Mapping[str, tuple[str, str]] = MappingProxyType(
    {
        "202505": ("sonic-202505", "sonic-yang-202505"),
        "202511": ("sonic-202511", "sonic-yang-202511"),
        "202605": ("sonic-202605", "sonic-yang-202605"),
        "master": ("sonic-master", "sonic-yang-master"),
    }
)
"""Release → name of its archive, folder in it."""

# Models of events that are published, not of CONFIG_DB.
EVENTS = "sonic-events-"

# Several values that CONFIG_DB keeps in one string, and what separates them (the loader's own table).
SEPARATORS: Mapping[tuple[str, str], str] = MappingProxyType(
    {
        ("BGP_ALLOWED_PREFIXES", "prefixes_v4"): ",",
        ("BGP_ALLOWED_PREFIXES", "prefixes_v6"): ",",
        ("BUFFER_PORT_EGRESS_PROFILE_LIST", "profile_list"): ",",
        ("BUFFER_PORT_INGRESS_PROFILE_LIST", "profile_list"): ",",
        ("MIRROR_SESSION", "src_ip"): ",",
        ("NTP", "src_intf"): ";",
        ("PORT", "adv_interface_types"): ",",
        ("PORT", "adv_speeds"): ",",
    }
)


class _Rows(NamedTuple):
    """A list of a table: its keys in order, its fields (True: several values), and the list within that maps have."""

    name: str
    keys: tuple[str, ...]
    fields: Mapping[str, bool]
    pairs: tuple[str, str, str] | None  # that list's name, its key, its value


class _Table(NamedTuple):
    module: str
    namespace: str
    rows: Mapping[int, _Rows]  # by the number of keys
    named: Mapping[str, Mapping[str, bool]]  # fields of the rows that have a container of their own


class _Schema(NamedTuple):
    context: "libyang.Context"
    tables: Mapping[str, _Table]


def available() -> str | None:
    """Why this judge cannot work here, or None when it can."""
    reasons = (yang.available(), *(models.available(name) for name, _ in RELEASES.values()))
    return next((reason for reason in reasons if reason), None)


def faults(text: str, release: str, unmodelled: Collection[str] = ()) -> list[str]:
    """What speaks against a whole config_db.json; [] when it is accepted. Raises KeyError for an unknown release.

    unmodelled  tables that the caller knows to have no model (with a source of its own); they are passed over
    """
    said: list[str] = []
    try:
        document = json.loads(text, object_pairs_hook=lambda pairs: _once(pairs, said))
    except json.JSONDecodeError as error:
        return [f"line {error.lineno}: no JSON: {error.msg}"]
    if not isinstance(document, dict):
        return ["no object of tables"]
    schema = _schema(release)
    tops: dict[str, Element] = {}
    for name, rows in document.items():
        if name in schema.tables:
            said += _table(name, rows, schema.tables[name], tops)
        elif name not in unmodelled:
            said.append(f"{name}: no model of SONiC {release} has this table")
    return said + yang.faults(schema.context, "".join(tostring(top, "unicode") for top in tops.values()), "xml")


def tables(release: str) -> frozenset[str]:
    """Every table that the models of a release know."""
    return frozenset(_schema(release).tables)


def _once(pairs: list[tuple[str, object]], said: list[str]) -> dict[str, object]:
    """An object of JSON, in which the last of two equal names would win unseen."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        said += [f"{name}: stands twice in one object" for name in found if names.count(name) > 1]
    return found


def _table(name: str, rows: object, table: _Table, tops: dict[str, Element]) -> Iterator[str]:
    """Put a table below its model's container, and say what has no place there."""
    if not isinstance(rows, dict):
        yield f"{name}: no object of rows"
        return
    top = tops.setdefault(table.module, Element(table.module, {"xmlns": table.namespace}))
    container = SubElement(top, name)
    for key, row in rows.items():
        place = f"{name}|{key}"
        parts = key.split("|")
        if not isinstance(row, dict):
            yield f"{place}: no object of fields"
        elif key in table.named:
            yield from _fields(place, row, table.named[key], SubElement(container, key))
        elif len(parts) in table.rows:
            yield from _row(place, row, table.rows[len(parts)], container)
        else:
            wanted = " or ".join(str(count) for count in sorted(table.rows))
            yield f"{place}: {len(parts)} keys, where the model has {wanted or 'only rows of fixed names'}"


def _row(place: str, row: Mapping[str, object], rows: _Rows, container: Element) -> Iterator[str]:
    entry = SubElement(container, rows.name)
    keys = dict(zip(rows.keys, place.split("|")[1:], strict=True))
    if rows.pairs is None:
        yield from _fields(place, {**keys, **row}, rows.fields, entry)
        return
    yield from _fields(place, keys, rows.fields, entry)
    name, key, value = rows.pairs
    for field, held in row.items():
        pair = SubElement(entry, name)
        yield from _fields(f"{place}|{field}", {key: field, value: held}, {key: False, value: False}, pair)


def _fields(place: str, row: Mapping[str, object], known: Mapping[str, bool], entry: Element) -> Iterator[str]:
    for field, held in row.items():
        if field not in known:
            yield f"{place}: unknown field {field}"
            continue
        values = _values(held, known[field], SEPARATORS.get((place.partition("|")[0], field)))
        if values is None:
            yield f"{place}|{field}: {held!r} is no {'list of strings' if known[field] else 'string'}"
            continue
        for one in values:
            SubElement(entry, field).text = one


def _values(held: object, several: bool, separator: str | None) -> list[str] | None:
    """The values of a field as text, or None for what CONFIG_DB does not hold there."""
    if isinstance(held, str) and several and separator:
        return [one.strip() for one in held.split(separator)]
    if isinstance(held, str) and not several:
        return [held]
    if isinstance(held, list) and several and all(isinstance(one, str) for one in held):
        return [one for one in held if one]  # [""] is how an empty list comes out of CONFIG_DB
    return None


@cache
def _schema(release: str) -> _Schema:
    archive, name = RELEASES[release]
    with models.unpacked(archive) as unpacked:
        folder = unpacked / name
        context = yang.read(folder, list(folder.glob("sonic-*.yang")))
    modules = [module for module in context if not module.name().startswith(EVENTS)]
    return _Schema(context, MappingProxyType(dict(_tables(modules))))


def _tables(modules: "Collection[libyang.Module]") -> Iterator[tuple[str, _Table]]:
    for module in modules:
        top = yang.children(module).get(module.name())
        for name, container in yang.children(top).items() if top else ():
            inside = yang.children(container).values()
            rows = [_rows(node) for node in inside if node.keyword() == "list"]
            named = {node.name(): _leaves(node) for node in inside if node.keyword() == "container"}
            yield name, _Table(module.name(), yang.namespace(module), {len(one.keys): one for one in rows}, named)


def _rows(node: "libyang.SNode") -> _Rows:
    pairs = None
    for name, child in yang.children(node).items():
        if child.keyword() == "list":
            (key,) = yang.keys(child)
            (value,) = (leaf for leaf in _leaves(child) if leaf != key)
            pairs = (name, key, value)
    return _Rows(node.name(), yang.keys(node), _leaves(node), pairs)


def _leaves(node: "libyang.SNode") -> Mapping[str, bool]:
    """Its fields: True for those of several values."""
    kinds = {name: child.keyword() for name, child in yang.children(node).items()}
    return {name: kind == "leaf-list" for name, kind in kinds.items() if kind in ("leaf", "leaf-list")}
