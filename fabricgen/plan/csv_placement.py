"""The placement file: which server is in which slot. One slot per line; only `slot` must be filled."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from fabricgen.errors import Problem, did_you_mean
from fabricgen.plan.csv_table import MAX_PROBLEMS, CsvRow, Table, rows
from fabricgen.plan.exceptions import PlacedServer, SlotKey
from fabricgen.plan.names import SiteNames
from fabricgen.plan.overrides import unknown_slot

COLUMNS = ("slot", "hostname", "rack", "ru", "serial", "mac", "state")
REQUIRED = ("slot",)

_SLOT = re.compile(r"([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\[(0|[1-9][0-9]{0,6})\]")
_DEFAULT_NAME = re.compile(r"(.+)-([0-9]{3,7})")


class _Form(NamedTuple):
    """Format of a cell, with rule and example."""

    pattern: re.Pattern[str]
    rule: str
    example: str


_FORMS = {
    "hostname": _Form(
        re.compile(r"[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?"),
        "a hostname has letters, digits and inner hyphens, 63 at most (RFC 1123 section 2.1)",
        "gpu-017",
    ),
    "rack": _Form(re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._/-]{0,39}"), "a rack is one short word", "A07"),
    "ru": _Form(re.compile(r"[1-9][0-9]?(-[1-9][0-9]?)?"), "rack units count from 1, with two digits at most", "17-24"),
    "serial": _Form(re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,39}"), "a serial number is one word", "FR1234A5678"),
    "mac": _Form(
        re.compile(r"[0-9A-Fa-f][02468ACEace]([:-]?[0-9A-Fa-f]{2}){5}"),
        "a MAC address has six octets, and the first octet of a unicast address is even (IEEE 802)",
        "b8:ce:f6:00:00:17",
    ),
    "state": _Form(re.compile(r"active|drained|dead|absent"), "a slot is active, drained, dead or absent", "absent"),
}

_UNIQUE = ("hostname", "serial", "mac")


@dataclass(slots=True)
class Placement:
    """Content of the file, and its problems."""

    servers: dict[SlotKey, PlacedServer] = field(default_factory=dict)
    states: dict[SlotKey, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def read_placement(table: Table, names: SiteNames) -> Placement:
    """Read servers and states by slot; states other than active only."""
    placement = Placement()
    seen: dict[tuple[str, str], int] = {}
    lines: list[CsvRow] = []
    for row in rows(table):
        if isinstance(row, Problem):
            placement.problems.append(row)
        else:
            key = _slot(row, names)
            row_problems = [key] if isinstance(key, Problem) else []
            row_problems += [*_cell_faults(row), *(() if row_problems else _repeated(row, seen))]
            placement.problems += row_problems
            if not row_problems and isinstance(key, SlotKey):
                lines.append(row)
                placement.servers[key] = PlacedServer(
                    hostname=row.cell("hostname"),
                    rack=row.cell("rack"),
                    unit=row.cell("ru"),
                    serial=row.cell("serial"),
                    mac=_mac(row.cell("mac")),
                )
                state = row.cell("state")
                if state and state != "active":
                    placement.states[key] = state
        if len(placement.problems) >= MAX_PROBLEMS:
            return placement
    placement.problems += _used_host_names(placement, lines, names)
    return placement


def _slot(row: CsvRow, names: SiteNames) -> SlotKey | Problem:
    text = row.cell("slot")
    match = _SLOT.fullmatch(text)
    if match is None:
        return Problem(
            code="bad-slot",
            what=f"invalid slot '{text[:40]}'",
            why="each line is for one slot of a server group",
            fix="write e.g. train[17]",
            at=row.at("slot"),
        )
    group, slot = match[1], int(match[2])
    if group not in names.slots:
        return Problem(
            code="unknown-name",
            what=f"{group} is not a server group that a fabric connects",
            why=f"the line is for {text}",
            fix=did_you_mean(group, names.slots),
            at=row.at("slot"),
        )
    if slot >= names.slots[group]:
        return unknown_slot(group, slot, names, at=row.at("slot"))
    return SlotKey(group, slot)


def _cell_faults(row: CsvRow) -> Iterator[Problem]:
    for column, form in _FORMS.items():
        text = row.cell(column)
        if text and not form.pattern.fullmatch(text):
            yield Problem(
                code=f"bad-{column}",
                what=f"invalid {column} '{text[:70]}'",
                why=form.rule,
                fix=f"write e.g. {form.example}",
                at=row.at(column),
            )


def _repeated(row: CsvRow, seen: dict[tuple[str, str], int]) -> Iterator[Problem]:
    """Yield values that an earlier line has already, and remember those of this line.

    Host names ignore case (RFC 4343).
    """
    for column in ("slot", *_UNIQUE):
        text = row.cell(column)
        key = (column, _mac(text) if column == "mac" else text.casefold())
        if not text:
            continue
        if key in seen:
            yield Problem(
                code=f"{column}-twice",
                what=f"{column} {text[:70]} is already on line {seen[key]}",
                why="a slot has one line, and a server is in one slot",
                fix="correct one of the two lines",
                at=row.at(column),
            )
        seen.setdefault(key, row.number)


def _mac(text: str) -> str:
    """Six octets in lower case with colons; empty for none."""
    digits = text.replace(":", "").replace("-", "").lower()
    return ":".join(digits[offset : offset + 2] for offset in range(0, len(digits), 2))


def _used_host_names(placement: Placement, lines: list[CsvRow], names: SiteNames) -> Iterator[Problem]:
    """Yield host names that a switch has, or that another slot has by default."""
    for row in lines:
        name = row.cell("hostname")
        # DNS ignores case (RFC 4343); switches and groups have lower-case names.
        other = _default_owner(name.lower(), placement, names)
        if name.lower() in names.devices:
            whose = "the name of a switch"
        elif other is not None:
            whose = f"the name of {other.group}[{other.slot}], which has no hostname in the file"
        else:
            continue
        yield Problem(
            code="hostname-taken",
            what=f"hostname {name} is {whose}",
            why="names must be unique in port descriptions and cable lists",
            fix="write another hostname",
            at=row.at("hostname"),
        )


def _default_owner(name: str, placement: Placement, names: SiteNames) -> SlotKey | None:
    """The slot whose server has this name by default, because the file gives it none."""
    match = _DEFAULT_NAME.fullmatch(name)
    if match is None or match[1] not in names.slots:
        return None
    key = SlotKey(match[1], int(match[2]))
    server = placement.servers.get(key)
    is_named = key.slot >= names.slots[key.group] or (server is not None and server.hostname)
    return None if is_named or f"{key.slot:03d}" != match[2] else key
