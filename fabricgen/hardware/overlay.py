"""A user's hardware file over the library's file of the same name: what it says counts, and ours for all else."""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.errors import FabricError, IntentPath, Problem, Source, did_you_mean
from fabricgen.hardware.faults import fact_at, leads_somewhere, named_parts
from fabricgen.source.document import Document, mapping

ROWS: Mapping[str, tuple[str, ...]] = {
    "cages": ("cages",),
    "modes": ("parts", "speed_gbps"),
    "headroom": ("speed_gbps", "length_m"),
}
"""Lists that are merged row by row → the keys that name a row. Other lists are replaced as a whole."""
PROVENANCE = ("cited", "unsure")
WITHOUT = "without"


class _Node(NamedTuple):
    """A value of a document, with its position and that of its key. value: a scalar, or nodes below by key or place."""

    value: object
    place: Source
    key: Source | None

    @property
    def plain(self) -> object:
        """The value without positions."""
        if isinstance(self.value, dict):
            return {key: below.plain for key, below in self.value.items()}
        return [below.plain for below in self.value] if isinstance(self.value, list) else self.value


def overlaid_document(ours: Document, theirs: Document) -> Document:
    """The user's document with all that ours has and it does not say. Each value has its position in either file.

    What ours cites for a fact, or why it is unsure of one, says nothing about the user's value of that fact.

    Raises FabricError for a path in `without` that ours does not have, and for cages of a run of ours that the user's
    cut off.
    """
    said = _node(theirs, theirs.value, ())
    kept = _node(ours, ours.value, ())
    if not isinstance(said.value, dict) or not isinstance(kept.value, dict):
        return theirs
    left_out = _left_out(theirs)
    unknown = [(at, path) for at, path in enumerate(left_out) if not leads_somewhere(ours.value, path)]
    if unknown:
        raise FabricError([_unknown(path, ours, theirs.place((WITHOUT, at))) for at, path in unknown])
    for path in left_out:
        kept = _without(kept, path.split("."))
    _require_all_cages(kept, said)
    merged = _merged("", kept, said)
    merged = _without_old_reasons(merged, said)
    nodes = dict(_flat(merged, ()))
    return theirs._replace(
        value=merged.plain,
        places={path: node.place for path, node in nodes.items()},
        keys={path: node.key for path, node in nodes.items() if node.key is not None},
    )


def _node(document: Document, value: object, path: IntentPath) -> _Node:
    below: object = value
    if isinstance(value, dict):
        below = {key: _node(document, inner, (*path, key)) for key, inner in value.items()}
    elif isinstance(value, list):
        below = [_node(document, inner, (*path, at)) for at, inner in enumerate(value)]
    return _Node(below, document.places[path], document.keys.get(path))


def _flat(node: _Node, path: IntentPath) -> Iterator[tuple[IntentPath, _Node]]:
    yield path, node
    if isinstance(node.value, dict):
        for key, below in node.value.items():
            yield from _flat(below, (*path, key))
    elif isinstance(node.value, list):
        for at, below in enumerate(node.value):
            yield from _flat(below, (*path, at))


def _left_out(theirs: Document) -> list[str]:
    paths = mapping(theirs.value).get(WITHOUT)
    return [path for path in paths if isinstance(path, str)] if isinstance(paths, list) else []


def _unknown(path: str, ours: Document, at: Source) -> Problem:
    near = did_you_mean(path, _paths(ours.value, ""))
    return Problem(
        code="hardware-path",
        what=f"{WITHOUT} names {path}, which the library's file of this name does not have",
        why="a path starts at the top of the file and has dots",
        fix=near if near.startswith("did") else "correct the path, or remove it",
        at=at,
    )


def _paths(value: object, above: str) -> Iterator[str]:
    """Every dotted path below a value, as `fact_at` takes it."""
    for key, inner in named_parts(value).items():
        yield f"{above}{key}"
        yield from _paths(inner, f"{above}{key}.")


def _require_all_cages(ours: _Node, theirs: _Node) -> None:
    """Raise FabricError where the user describes a part of a run: the rest of it would be lost without a word."""
    rows = [_list_at(node, "cages") for node in (ours, theirs)]
    said = {_text(row, "cages") for row in rows[1]}
    described = frozenset(number for row in rows[1] for number in _cages(row))
    problems = []
    for row in rows[0]:
        lost = _cages(row) - described
        if lost and _text(row, "cages") not in said and _is_cut(row, rows[1]):
            cut = next(other for other in rows[1] if not _cages(other).isdisjoint(_cages(row)))
            problems.append(_cut_off(row, cut, sorted(lost)))
    if problems:
        raise FabricError(problems)


def _cut_off(ours: _Node, theirs: _Node, lost: list[int]) -> Problem:
    run, numbers = _text(ours, "cages"), f"{lost[0]}{f' to {lost[-1]}' if len(lost) > 1 else ''}"
    return Problem(
        code="hardware-cages",
        what=f"cages {numbers} of the library's run {run} are not described",
        why=f"a run of other ends than {run} takes its place, and describes {_text(theirs, 'cages')} alone",
        fix=f"write cages: {run}, or describe the others in a run of their own",
        at=theirs.place,
    )


def _list_at(node: _Node, key: str) -> list[_Node]:
    row = node.value.get(key) if isinstance(node.value, dict) else None
    return row.value if row is not None and isinstance(row.value, list) else []


def _without(node: _Node, path: list[str]) -> _Node:
    """A node without what is at a path below it."""
    first, *rest = path
    if isinstance(node.value, dict):
        below = {**node.value}
        if rest and first in below:
            below[first] = _without(below[first], rest)
        elif not rest:
            below.pop(first, None)  # an earlier path may have left it out
        return node._replace(value=below)
    if isinstance(node.value, list):
        rows = ((row, _is_named(row, first)) for row in node.value)
        kept = (_without(row, rest) if is_it else row for row, is_it in rows if rest or not is_it)
        return node._replace(value=list(kept))
    return node


def _is_named(row: _Node, name: str) -> bool:
    return isinstance(row.value, dict) and name in (_text(row, "name"), _text(row, "cages"))


def _text(row: _Node, key: str) -> str:
    value = row.value.get(key) if isinstance(row.value, dict) else None
    return str(value.value) if value is not None else ""


def _merged(name: str, ours: _Node, theirs: _Node) -> _Node:
    """Both at one key: mappings key by key, lists of rows row by row, anything else by the user."""
    if isinstance(ours.value, dict) and isinstance(theirs.value, dict):
        said = {key: _merged(key, ours.value[key], row) if key in ours.value else row
                for key, row in theirs.value.items()}  # fmt: skip
        return theirs._replace(value={**ours.value, **said})
    if isinstance(ours.value, list) and isinstance(theirs.value, list) and name in ROWS:
        return theirs._replace(value=_rows(ROWS[name], ours.value, theirs.value))
    return theirs


def _rows(names: tuple[str, ...], ours: list[_Node], theirs: list[_Node]) -> list[_Node]:
    """Rows of ours, each with what the user says of it, then all others of the user: a second one of a name as well."""
    known = {_name(row, names) for row in ours}
    said: dict[tuple[str, ...], _Node] = {}
    others: list[_Node] = []
    for row in theirs:
        name = _name(row, names)
        if name in known and name not in said:
            said[name] = row
        else:
            others.append(row)
    kept = [row for row in ours if _name(row, names) in said or not _is_cut(row, theirs)]
    return [*(_merged("", row, said.get(_name(row, names), row)) for row in kept), *others]


def _name(row: _Node, names: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(_text(row, name) for name in names)


def _is_cut(row: _Node, theirs: list[_Node]) -> bool:
    """Whether the user describes cages of a run by a run of other ends: then it is the user who describes them all."""
    here = _cages(row)
    return any(not here.isdisjoint(_cages(other)) for other in theirs)


def _cages(row: _Node) -> frozenset[int]:
    first, _, last = _text(row, "cages").partition("-")
    words = (first, last or first)
    return frozenset(range(int(first), int(words[1]) + 1)) if all(word.isdecimal() for word in words) else frozenset()


def _without_old_reasons(merged: _Node, said: _Node) -> _Node:
    """Without the reasons of the library for facts that the user gives, or that are not there any more."""
    if not isinstance(merged.value, dict) or not isinstance(said.value, dict):
        return merged
    facts, new = merged.plain, said.plain
    tables = dict(merged.value)
    for name in PROVENANCE:
        table = tables.get(name)
        own = said.value.get(name)
        if table is None or not isinstance(table.value, dict):
            continue
        is_own = own.value.keys() if own is not None and isinstance(own.value, dict) else frozenset[str]()
        rows = {path: row for path, row in table.value.items()
                if path in is_own or (leads_somewhere(facts, path) and not _is_given(new, path))}  # fmt: skip
        tables[name] = table._replace(value=rows)
    return merged._replace(value=tables)


def _is_given(said: object, path: str) -> bool:
    """Whether the user gives the fact at a path, and not only some below it; a table with a source is one fact."""
    try:
        fact = fact_at(said, path)
    except KeyError:
        return False
    return not isinstance(fact, dict) or "source" in fact
