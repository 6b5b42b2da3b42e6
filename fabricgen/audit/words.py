"""A finding in a line of plain text."""

from fabricgen.audit.switch import Finding
from fabricgen.base.text import listed
from fabricgen.readback.compare import DifferenceKind
from fabricgen.readback.policy import Policy
from fabricgen.readback.rows import Value

MOST_MEMBERS = 6
"""Members of a set that a line lists; of more it gives the number."""
MOST_SPANS = 4
"""Spans of lines that a place lists."""


def value_text(value: Value | None) -> str:
    """A value as people write it."""
    if value is None or value in ("", frozenset(), ()):
        return "nothing"
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
    if not row.file:
        return ""
    return f"{row.file}:{_spans(row.near) if row.near else row.line}"


def _spans(lines: tuple[int, ...]) -> str:
    """Lines in order, neighbors as one span; of many spans the first ones."""
    spans: list[list[int]] = []
    for line in lines:
        if spans and line <= spans[-1][1] + 1:
            spans[-1][1] = line
        else:
            spans.append([line, line])
    words = [str(first) if first == last else f"{first}-{last}" for first, last in spans[:MOST_SPANS]]
    return ",".join(words) + (",..." if len(spans) > MOST_SPANS else "")


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
    return f"{names}: {row.setting} is {value_text(row.read)}, planned {value_text(row.intended)}"


def policy_text(intended: Policy, read: Policy) -> str:
    """The first term that differs."""
    for number, (planned, actual) in enumerate(zip(intended.terms, read.terms, strict=False), 1):
        if planned != actual:
            return f"term {number} is `{actual}`, planned `{planned}`"
    number = min(len(intended.terms), len(read.terms)) + 1
    if len(read.terms) > len(intended.terms):
        return f"term {number} `{read.terms[number - 1]}` is not planned"
    return f"term {number} is nothing, planned `{intended.terms[number - 1]}`"
