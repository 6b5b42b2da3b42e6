"""The lock beside the intent: what formulas can not know. Text to value and back; one fact a line, for git."""

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Network
from typing import Annotated, Literal, NamedTuple

from pydantic import BeforeValidator, Field, Strict

from fabricgen.addresses import interface_ipv4, interface_ipv6, ipv4
from fabricgen.documents import Document
from fabricgen.errors import FabricError, Problem
from fabricgen.intent.scalars import Asn, Count, Ipv4Prefix, Ipv6Prefix, Model, Name, Span, Spans, parse_spans
from fabricgen.plan.place import AXES, Box, Tier
from fabricgen.plan.segments import Blocks, Segment
from fabricgen.validation import validate

LOCK_VERSION = 1
HEADER = """\
# Written by `fabricgen render`; commit it. Lines are added; only a rename rewrites one.
lock: 1
"""


class Id(NamedTuple):
    """A number that a name owns on one fabric. An id whose name is gone is never given again."""

    fabric: str
    kind: str
    name: str
    id: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Lock:
    """Everything the lock holds, in the order of its lines."""

    segments: tuple[Segment, ...] = ()
    ids: tuple[Id, ...] = ()


def _one_span(text: object) -> Span:
    spans: Spans = parse_spans(text)
    if len(spans) != 1:
        raise ValueError('write one run, e.g. "0-5"')
    return spans[0]


def _address(text: object) -> int:
    return int(IPv4Address(text if isinstance(text, str) else ""))


Axis = Annotated[Span, BeforeValidator(_one_span)]


class SegmentLine(Model):
    """One line of `segments`."""

    fabric: Name
    tier: Tier
    group: Name | Literal[""] = ""
    plane: Axis
    pod: Axis
    su: Axis
    rail: Axis
    index: Axis
    slots: Count = 0
    hosts: Count = 0
    first: Count
    row: Count | None = None
    asn: Asn
    ipv4: Ipv4Prefix | None = None
    ipv6: Ipv6Prefix | None = None
    loopback4: Ipv4Prefix
    loopback6: Ipv6Prefix | None = None
    oob: Annotated[int, BeforeValidator(_address)]


class IdLine(Model):
    """One line of `ids`."""

    fabric: Name
    kind: Literal["vrf", "network"]
    name: Annotated[str, Field(pattern=r"^[a-z0-9-]+(/[a-z0-9-]+)?$")]
    id: Annotated[int, Field(ge=1, le=65535)]


class LockFile(Model):
    """The whole file."""

    lock: Annotated[int, Strict(), Field(ge=1, le=1)]
    segments: tuple[SegmentLine, ...] = ()
    ids: tuple[IdLine, ...] = ()


def read_lock(document: Document) -> Lock:
    """Lock of a parsed file. Raises FabricError with the lines that clash, e.g. after a merge of two branches."""
    file = validate(LockFile, document)
    lock = Lock(
        segments=tuple(_segment(line) for line in file.segments),
        ids=tuple(Id(line.fabric, line.kind, line.name, line.id) for line in file.ids),
    )
    problems = (*_segment_clashes(lock, document), *_id_clashes(lock, document))
    if problems:
        raise FabricError(problems)
    return lock


def _blocks(network: IPv4Network | IPv6Network | None) -> Blocks | None:
    if network is None:
        return None
    return Blocks(int(network.network_address), network.prefixlen, network.max_prefixlen)


def _segment(line: SegmentLine) -> Segment:
    network = line.loopback4
    return Segment(
        fabric=line.fabric,
        tier=line.tier,
        group=line.group,
        box=Box(line.plane, line.pod, line.su, line.rail, line.index),
        slots=line.slots,
        hosts=line.hosts,
        first=line.first,
        row=line.row,
        asn=line.asn,
        ipv4=_blocks(line.ipv4),
        ipv6=_blocks(line.ipv6),
        loopback4=Blocks(int(network.network_address), network.prefixlen, 32),
        loopback6=_blocks(line.loopback6),
        oob=line.oob,
    )


def write_lock(lock: Lock) -> str:
    """Text of the lock: the header, then a line a segment and a line an id, in the order they were added."""
    lines = [HEADER + "segments:" + (" []" if not lock.segments else "")]
    lines += [f"- {{{', '.join(_segment_items(s))}}}" for s in lock.segments]
    lines.append("ids:" + (" []" if not lock.ids else ""))
    lines += [f"- {{fabric: {i.fabric}, kind: {i.kind}, name: {i.name}, id: {i.id}}}" for i in lock.ids]
    return "\n".join(lines) + "\n"


def _segment_items(segment: Segment) -> list[str]:
    items = [f"fabric: {segment.fabric}", f"tier: {segment.tier.value}"]
    if segment.group:
        items.append(f"group: {segment.group}")
    items += [f"{axis}: {span.first}-{span.last}" for axis, span in zip(AXES, segment.box, strict=True)]
    if segment.slots:
        items += [f"slots: {segment.slots}", f"hosts: {segment.hosts}"]
    items.append(f"first: {segment.first}")
    if segment.row is not None:
        items.append(f"row: {segment.row}")
    items.append(f"asn: {segment.asn}")
    for name, run in (
        ("ipv4", segment.ipv4),
        ("ipv6", segment.ipv6),
        ("loopback4", segment.loopback4),
        ("loopback6", segment.loopback6),
    ):
        if run is not None:
            items.append(f"{name}: {_prefix(run)}")
    items.append(f"oob: {ipv4(segment.oob)}")
    return items


def _prefix(run: Blocks) -> str:
    if run.bits == 32:
        return interface_ipv4(run.start, run.length)
    return f'"{interface_ipv6(run.start, run.length)}"'


class _Run(NamedTuple):
    what: str
    start: int
    end: int


def _runs(segment: Segment) -> tuple[_Run, ...]:
    size = segment.box.size()
    blocks = (
        ("IPv4 block", segment.ipv4),
        ("IPv6 block", segment.ipv6),
        ("IPv4 loopback", segment.loopback4),
        ("IPv6 loopback", segment.loopback6),
    )
    return (
        _Run(f"{segment.fabric} {segment.tier.value} name", segment.first, segment.first + size),
        _Run("management address", segment.oob, segment.oob + size),
        *(_Run(f"{segment.fabric} {what}", run.start, run.block(size)) for what, run in blocks if run is not None),
    )


def _segment_clashes(lock: Lock, document: Document) -> list[Problem]:
    problems = []
    for later, segment in enumerate(lock.segments):
        for earlier, other in enumerate(lock.segments[:later]):
            clash = _clash(other, segment)
            if clash:
                problems.append(_clash_problem(document, "segments", earlier, later, clash))
    return problems


def _clash(one: Segment, two: Segment) -> str | None:
    """What both segments own; None where they are disjoint."""
    if (one.fabric, one.tier, one.group) == (two.fabric, two.tier, two.group) and one.box.overlaps(two.box):
        return "the same places"
    theirs = {run.what: run for run in _runs(two)}
    for run in _runs(one):
        other = theirs.get(run.what)
        if other is not None and run.start < other.end and other.start < run.end:
            return f"the same {run.what}s"
    return None


def _id_clashes(lock: Lock, document: Document) -> list[Problem]:
    seen: dict[tuple[str, ...], int] = {}
    problems = []
    for at, line in enumerate(lock.ids):
        for key, what in (
            ((line.fabric, str(line.id)), f"id {line.id}"),
            ((line.fabric, line.kind, line.name), f"the name {line.name}"),
        ):
            if key in seen:
                problems.append(_clash_problem(document, "ids", seen[key], at, what))
            else:
                seen[key] = at
    return problems


def _clash_problem(document: Document, section: str, earlier: int, later: int, clash: str) -> Problem:
    first, second = document.place((section, earlier)), document.place((section, later))
    return Problem(
        code="lock-clash",
        what=f"lines {first.line} and {second.line} of the lock both own {clash}",
        why="two branches grew the same fabric from the same point, and git merged their lines",
        fix=f"keep the line that is rendered and live, delete the other (line {second.line} came later), render again",
        at=second,
    )
