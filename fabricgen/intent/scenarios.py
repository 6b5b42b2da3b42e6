"""Scenarios: named complete states of the site that differ only in which tenant has which servers.

    scenarios:
      night:
        serving: {add: ["train[8-15]"], remove: ["train[31]"]}

`add` takes servers, or single NICs, from their tenants; `remove` leaves them without a tenant. What a scenario does not
name stays as in the intent; the intent itself is the scenario "base". As a scenario only moves servers between tenants,
every number that does not depend on the owner of a port is the same in all scenarios.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Annotated, NamedTuple

from pydantic import Field

from fabricgen.errors import IntentPath, Source
from fabricgen.intent.scalars import IntentModel, Name
from fabricgen.intent.slot_ranges import Range, parse_range, without
from fabricgen.source.annotations import Pattern
from fabricgen.source.document import Document, mapping

BASE = "base"
"""Name of the intent as it is written."""
SCENARIOS = "scenarios"

KINDS = ("servers", "nics")
"""Keys of a tenant that a scenario changes."""

Moved = Annotated[
    str,
    Pattern(
        r"^[a-z][a-z0-9]*(-[a-z0-9]+)*\[[0-9]{1,7}(-[0-9]{1,7})?(,[0-9]{1,7}(-[0-9]{1,7})?)*\]"
        r"(/[0-9]{1,3}(-[0-9]{1,3})?(,[0-9]{1,3}(-[0-9]{1,3})?)*)?$"
    ),
    Field(
        description='servers by group and slot, e.g. "train[8-15]", or NICs of them by rail, e.g. "train[8-9]/0-3"',
    ),
]


class Moves(IntentModel):
    """The servers that one tenant gets and gives up in a scenario."""

    add: tuple[Moved, ...] = Field(
        default=(),
        examples=[["train[8-15]"]],
        description="servers or NICs that the tenant gets, from the tenants that have them",
    )
    remove: tuple[Moved, ...] = Field(default=(), examples=[["train[31]"]], description="left to nobody")


Scenario = dict[Name, Moves]
"""Tenant → its moves."""


class _Entry(NamedTuple):
    """One range of a tenant, as text, and the place of the line that gives it."""

    text: str
    at: Source


def in_scenario(document: Document, name: str) -> Document:
    """Return the intent's document in a scenario, each range with the place of the line that gives it.

    document  valid, and its scenarios follow their rules, see `scenario_rules`. The result has no `scenarios`: they
              refer to the intent as it is written
    name      an existing scenario
    """
    value = mapping(document.value)
    moves = mapping(mapping(value.get(SCENARIOS)).get(name))
    tenants = {tenant: dict(mapping(body)) for tenant, body in mapping(value.get("tenants")).items()}
    places, keys = dict(document.places), dict(document.keys)
    for tenant, body in tenants.items():
        for kind in KINDS:
            path: IntentPath = ("tenants", tenant, kind)
            entries = [*_left(document, tenant, kind, moves), *_added(document, name, tenant, kind)]
            if kind in body or entries:
                body[kind] = [entry.text for entry in entries]
                _place(places, keys, path, entries)
    others = {key: body for key, body in value.items() if key != SCENARIOS}
    return document._replace(value={**others, "tenants": tenants}, places=_own(places), keys=_own(keys))


def _place(
    places: dict[IntentPath, Source], keys: dict[IntentPath, Source], path: IntentPath, entries: list[_Entry]
) -> None:
    """Replace the places of a list's old entries by those of the new ones."""
    for old in [known for known in places if known[:3] == path and len(known) > 3]:
        del places[old]
    places |= {(*path, index): entry.at for index, entry in enumerate(entries)}
    if entries:
        places.setdefault(path, entries[0].at)
        keys.setdefault(path, entries[0].at)


def _own(places: Mapping[IntentPath, Source]) -> dict[IntentPath, Source]:
    return {path: at for path, at in places.items() if path[:1] != (SCENARIOS,)}


def _left(document: Document, tenant: str, kind: str, moves: Mapping[str, object]) -> Iterator[_Entry]:
    """Yield the ranges of one kind that a tenant keeps."""
    taken = tuple(_lost_ranges(moves, tenant, kind))
    for entry in _entries(document, ("tenants", tenant, kind)):
        pieces = _minus(entry.text, taken)
        yield from [entry] if pieces is None else [_Entry(piece.text, entry.at) for piece in pieces]


def _lost_ranges(moves: Mapping[str, object], tenant: str, kind: str) -> Iterator[Range]:
    """Yield the ranges that a tenant loses: added elsewhere, removed, or NICs of servers that it gets as a whole."""
    for other, body in moves.items():
        added = _ranges(mapping(body).get("add"))
        if other == tenant:
            yield from _ranges(mapping(body).get("remove"))
            yield from (moved for moved in added if kind == "nics" and not moved.rails)
        else:
            yield from added


def _minus(text: str, taken: Iterable[Range]) -> list[Range] | None:
    """Return the rest of a range; None where nothing of it is taken, or its own numbers are invalid."""
    try:
        before = [parse_range(text)]
    except ValueError:
        return None
    rest = before
    for part_taken in taken:
        rest = [part for piece in rest for part in without(piece, part_taken)]
    return rest if rest != before else None


def _added(document: Document, name: str, tenant: str, kind: str) -> Iterator[_Entry]:
    for entry in _entries(document, (SCENARIOS, name, tenant, "add")):
        if ("/" in entry.text) is (kind == "nics"):
            yield entry


def _entries(document: Document, path: IntentPath) -> Iterator[_Entry]:
    value: object = document.value
    for part in path:
        value = mapping(value).get(str(part))
    for index, text in enumerate(value if isinstance(value, list) else ()):
        yield _Entry(str(text), document.place((*path, index)))


def _ranges(texts: object) -> tuple[Range, ...]:
    return tuple(parse_range(str(text)) for text in texts) if isinstance(texts, list) else ()
