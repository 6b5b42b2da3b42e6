"""A finding in a line of plain text."""

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.audit.switch import Finding
from fabricgen.base.grouping import grouped
from fabricgen.base.text import listed
from fabricgen.readback.compare import DifferenceKind
from fabricgen.readback.policy import Policy
from fabricgen.readback.rows import SHUT, Value

NOTHING = "nothing"
MOST_PARTS = 3
"""Numbers of a tuple that a line lists."""
MOST_MEMBERS = 6
"""Members of a set that a line lists; of more it gives the number."""
WHOLE = ("switch", "management")
"""Things with lines all over a file: what one of them lacks is near none of these."""
MOST_SPANS = 4
"""Spans of lines that a place lists."""


def value_text(value: Value | None) -> str:
    """A value as people write it."""
    if value is None or value in ("", frozenset(), ()):
        return NOTHING
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, frozenset):
        return listed(sorted(value), most=MOST_MEMBERS)
    if isinstance(value, tuple):
        return ranges(value)
    return str(value)


def ranges(numbers: tuple[int, ...]) -> str:
    """Numbers in their order, with equal neighbors counted: 0 x24, 3 x8."""
    parts: list[str] = []
    at = 0
    while at < len(numbers):
        end = at
        while end < len(numbers) and numbers[end] == numbers[at]:
            end += 1
        parts.append(f"{numbers[at]} x{end - at}" if end - at > 1 else str(numbers[at]))
        at = end
    return " ".join(parts)


def place_text(finding: Finding) -> str:
    """File and line, or the lines that what is missing belongs to: `frr.conf:12-14,20`; empty where no file has it."""
    row = finding.difference
    if not row.file or not row.line:
        return row.file
    if row.near and row.thing in WHOLE:
        return row.file if row.kind is DifferenceKind.MISSING else f"{row.file}:{row.line}"
    spans = _spans(row.near) if row.near else ""
    is_hidden = row.kind is DifferenceKind.DIFFERENT and spans.endswith(MORE)
    return f"{row.file}:{row.line if is_hidden or not spans else spans}"


MORE = ",..."


def _spans(lines: tuple[int, ...]) -> str:
    """Lines in order, neighbors as one span; of many spans the first ones."""
    spans: list[list[int]] = []
    for line in lines:
        if spans and line <= spans[-1][1] + 1:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    words = [str(first) if first == last else f"{first}-{last}" for first, last in spans[:MOST_SPANS]]
    return ",".join(words) + (MORE if len(spans) > MOST_SPANS else "")


def names_text(finding: Finding) -> str:
    """The things of a finding: `port Ethernet1/1`, or `ports Ethernet1/1, Ethernet1/5 and 62 more`."""
    thing, names = finding.difference.thing, [name for name in finding.names if name]
    if len(names) < 2:
        return " ".join((thing, *names))
    return f"{thing}s {listed(names)}"


def finding_text(finding: Finding) -> str:
    """What differs, without the place."""
    row, names = finding.difference, names_text(finding)
    if not row.setting:
        end = "is planned, and missing" if row.kind is DifferenceKind.MISSING else "is not planned"
        return f"{names} {end}"
    if isinstance(row.intended, Policy) and isinstance(row.read, Policy):
        return f"{names}: {row.setting}: {policy_text(row.intended, row.read)}"
    if row.setting in PARTS and isinstance(row.read, tuple) and isinstance(row.intended, tuple):
        return f"{names}: {_parts_text(row.setting, row.read, row.intended)}"
    planned = _quoted(_whole(row.setting, row.intended))
    if row.read == SHUT:
        return f"{names}: {row.setting.partition('-')[0]} is {SHUT}, planned with {row.setting} {planned}"
    return f"{names}: {row.setting} {_is(_whole(row.setting, row.read), planned)}"


def _whole(setting: str, value: Value | None) -> str:
    """A value without one to compare it with."""
    return _whole_text(PARTS[setting], value) if setting in PARTS and isinstance(value, tuple) else value_text(value)


def _quoted(text: str) -> str:
    """A word in quotation marks, so that `planned` and a name are not read as one."""
    return f'"{text}"' if re.fullmatch("[a-z]+", text) and text not in (NOTHING, "on", "off") else text


def _is(read: str, planned: str) -> str:
    """`is 5, planned 6`, `is missing, planned 6`, or `is 5, not planned`."""
    is_word = "missing" if read == NOTHING else read
    return f"is {is_word}, not planned" if planned == NOTHING else f"is {is_word}, planned {planned}"


class Parts(NamedTuple):
    """What a tuple of numbers says: groups of so many numbers, the first of which names its thing.

    thing   of a group, e.g. `queue`; empty: the tuple is one group without a name
    names   of the other numbers; units: their units
    counts  the first number is the place in the tuple
    """

    thing: str
    names: tuple[str, ...]
    units: tuple[str, ...]
    counts: bool = False


PARTS: Mapping[str, Parts] = {
    "queues": Parts("queue", ("bandwidth", "limit"), (" %", " %")),
    "ecn": Parts("queue", ("ECN minimum", "ECN maximum", "ECN probability"), (" bytes", " bytes", " %")),
    "class-queues": Parts("traffic class", ("queue",), ("",)),
    "dscp-classes": Parts("DSCP", ("traffic class",), ("",), counts=True),
    "watchdog": Parts("", ("detection", "restoration", "polling"), (" ms", " ms", " ms")),
}
"""Settings whose numbers are said one by one (readback.rows has what they are)."""


def _parts_text(setting: str, read: tuple[int, ...], planned: tuple[int, ...]) -> str:
    """The numbers that differ, each with its name."""
    form = PARTS[setting]
    here, there = _groups(form, read), _groups(form, planned)
    if not here or not there:
        return f"{setting} {_is(_whole_text(form, read), _whole_text(form, planned))}"
    texts = grouped(
        (text, name) for name in sorted({*here, *there}) for text in _group_texts(form, here.get(name), there.get(name))
    )
    if not texts:  # a name twice, or a number too few
        return f"{setting} {_is(value_text(read), value_text(planned))}"
    rows = [f"{_named(form, names)}{text}" for text, names in texts.items()]
    return listed(rows, most=MOST_PARTS, separator="; ")


def _whole_text(form: Parts, numbers: tuple[int, ...]) -> str:
    """All numbers, each with its name; those of a tuple whose places are the names as they are."""
    if form.counts or not numbers:
        return value_text(numbers)
    if {*numbers} == {-1}:
        return _number(-1, "")
    return "; ".join(
        _named(form, [name])
        + ", ".join(
            f"{what} {_number(number, unit)}" for what, unit, number in zip(form.names, form.units, group, strict=False)
        )
        for name, group in _groups(form, numbers).items()
    )


def _groups(form: Parts, numbers: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
    if form.counts:
        return {at: (number,) for at, number in enumerate(numbers)}
    if not form.thing:
        return {0: numbers} if numbers else {}
    size = 1 + len(form.names)
    return {numbers[at]: numbers[at + 1 : at + size] for at in range(0, len(numbers), size)}


def _group_texts(form: Parts, read: tuple[int, ...] | None, planned: tuple[int, ...] | None) -> Iterator[str]:
    if read is None or planned is None:
        yield "is missing" if read is None else "is not planned"
        return
    for name, unit, mine, theirs in zip(form.names, form.units, read, planned, strict=False):
        if mine != theirs:
            yield f"{name} {_is(_number(mine, unit), _number(theirs, unit))}"


def _number(number: int, unit: str) -> str:
    """A number with its unit. A queue without a share is served first, -1 is left to the system."""
    if number == -1:
        return "the system's default"
    return "none" if not number and unit == " %" else f"{number:,}{unit}"


def _named(form: Parts, names: list[int]) -> str:
    return f"{form.thing} {_spans(tuple(names))}: " if form.thing else ""


def policy_text(intended: Policy, read: Policy) -> str:
    """The first term that differs."""
    for number, (planned, actual) in enumerate(zip(intended.terms, read.terms, strict=False), 1):
        if planned != actual:
            return f"term {number} is `{actual}`, planned `{planned}`"
    number = min(len(intended.terms), len(read.terms)) + 1
    if len(read.terms) > len(intended.terms):
        return f"term {number} `{read.terms[number - 1]}` is not planned"
    return f"term {number} is missing, planned `{intended.terms[number - 1]}`"
