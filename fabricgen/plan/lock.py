"""The lock next to the intent: what formulas cannot know. Text to value and back; one line per segment or id, for git.

`uplinks: 16x800G` of a segment are number and speed of the ports that each of its switches needs upwards: other values
would move cables of existing switches. A segment recorded without it is not checked for that, and its line is not
rewritten. `shared: [store 8/16]` are further server groups on its leaves: 8 servers a unit, on 16 host ports of each
leaf, behind those of the groups before. `defaults: 2` is the version of the defaults that the site has; a lock without
that line is of version 1. The line is written with `lock: 2`, which requires it, so a lost line is noticed. `lock: 1`
with the line is read, and kept.
"""

import re
from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Network
from itertools import chain, islice
from typing import Annotated, Literal, NamedTuple

from pydantic import Field

from fabricgen.base.addresses import interface_ipv4, interface_ipv6, ipv4
from fabricgen.errors import FabricError, Problem
from fabricgen.intent.defaults import NEWEST, OLDEST
from fabricgen.intent.scalars import Asn, Count, IntentModel, Ipv4Prefix, Ipv6Prefix, Name, Span, Spans, parse_spans
from fabricgen.plan.lock_clashes import clash_problem, segment_clashes
from fabricgen.plan.place import AXES, PlaceRange, Tier
from fabricgen.plan.segments import ASN_AXES, Blocks, Segment, SharedPorts, UpPorts
from fabricgen.source.annotations import Parsed, Pattern, WholeNumber
from fabricgen.source.document import Document
from fabricgen.source.validate import validate

MAX_SEGMENTS = 1024
"""Each segment is a growth past a plan; a site with more has a plan that is too small."""
MAX_CLASHES = 50
PLAIN, VERSION = 1, 2
"""Forms of the file, as in its key `lock:`. From `VERSION` on the line `defaults:` is required."""
RESTORE = "restore the file as it was rendered, e.g. from git"
HEADER = "# Written by `fabricgen render`; commit it. Lines are added; only a rename rewrites one.\n"


class Id(NamedTuple):
    """A number that a name owns on one fabric. The id of a removed name is never given again."""

    fabric: str
    kind: str
    name: str
    id: int


class Lock(NamedTuple):
    """Content of the lock. defaults: version of the defaults that the site has."""

    segments: tuple[Segment, ...] = ()
    ids: tuple[Id, ...] = ()
    defaults: int = OLDEST


def _one_span(text: object) -> Span:
    spans: Spans = parse_spans(text)
    if len(spans) != 1:
        raise ValueError('write one range, e.g. "0-5"')
    return spans[0]


def _address(text: object) -> int:
    try:
        return int(IPv4Address(text if isinstance(text, str) else ""))
    except ValueError:
        raise ValueError("it is not an IPv4 address") from None


def _up_ports(text: object) -> UpPorts:
    match = re.fullmatch(r"([1-9][0-9]{0,4})x([1-9][0-9]{0,4})G", text if isinstance(text, str) else "", re.ASCII)
    if match is None:
        raise ValueError("write the number of uplinks and their speed, e.g. 16x800G")
    return UpPorts(*map(int, match.groups()))


def _shared_ports(text: object) -> SharedPorts:
    parts = r"([a-z][a-z0-9-]*) ([1-9][0-9]{0,4})/([1-9][0-9]{0,4})"
    match = re.fullmatch(parts, text if isinstance(text, str) else "", re.ASCII)
    if match is None:
        raise ValueError("write a server group, its servers a unit and its ports a leaf, e.g. store 8/8")
    return SharedPorts(match[1], int(match[2]), int(match[3]))


Axis = Annotated[Span, Parsed(_one_span, "0-5")]
UplinksField = Annotated[UpPorts, Parsed(_up_ports, "16x800G")]
SharedField = Annotated[SharedPorts, Parsed(_shared_ports, "store 8/8")]


class SegmentLine(IntentModel):
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
    shared: tuple[SharedField, ...] = ()
    uplinks: UplinksField | None = None
    first: Count
    row: Count | None = None
    asn: Asn
    ipv4: Ipv4Prefix | None = None
    ipv6: Ipv6Prefix | None = None
    loopback4: Ipv4Prefix | None = None
    loopback6: Ipv6Prefix | None = None
    router_ids: Ipv4Prefix | None = None
    oob: Annotated[int, Parsed(_address, "10.0.0.16")]


class IdLine(IntentModel):
    """One line of `ids`."""

    fabric: Name
    kind: Literal["vrf", "network"]
    name: Annotated[str, Pattern(r"^[a-z0-9-]+(/[a-z0-9-]+)?$")]
    id: Annotated[int, Field(ge=1, le=65535)]


class LockFile(IntentModel):
    """The whole file."""

    lock: Annotated[int, WholeNumber(PLAIN, VERSION)]
    defaults: Annotated[int, WholeNumber(OLDEST, NEWEST)] = OLDEST
    segments: tuple[SegmentLine, ...] = Field(default=(), max_length=MAX_SEGMENTS)
    ids: tuple[IdLine, ...] = ()


def read_lock(document: Document) -> Lock:
    """Lock of a parsed file.

    Raises FabricError if a newer release wrote it, and for lines that clash, e.g. after a merge of two branches.
    """
    file = _checked(document)
    lock = Lock(
        segments=tuple(_segment(line) for line in file.segments),
        ids=tuple(Id(line.fabric, line.kind, line.name, line.id) for line in file.ids),
        defaults=file.defaults,
    )
    line_problems = (_odd_lines(lock, document), segment_clashes(lock.segments, document), _id_clashes(lock, document))
    problems = tuple(islice(chain.from_iterable(line_problems), MAX_CLASHES))
    if problems:
        raise FabricError(problems)
    return lock


def _checked(document: Document) -> LockFile:
    """The file, checked against its schema. No fix says to edit it: only `render` writes a lock."""
    newer = tuple(_newer(document))
    if newer:
        raise FabricError(newer)
    try:
        file = validate(LockFile, document)
    except FabricError as error:
        raise FabricError(problem._replace(fix=_remedy(problem)) for problem in error.problems) from None
    if file.lock > PLAIN and "defaults" not in file.model_fields_set:
        raise FabricError([_defaults_lost(file, document)])
    return file


def _defaults_lost(file: LockFile, document: Document) -> Problem:
    """The problem of a missing `defaults:` line: read as version 1, deployed values would change."""
    line = f"write `defaults: {NEWEST}` below `lock: {file.lock}`, or {RESTORE}"
    return Problem(
        code="lock-defaults",
        what=f"the lock has lost its line `defaults:`, which belongs to `lock: {file.lock}`",
        why=f"the line is the version of the defaults that the site was rendered with, and it was above {OLDEST}",
        fix=line if NEWEST == OLDEST + 1 else RESTORE,
        at=document.place(("lock",)),
    )


def _newer(document: Document) -> Iterator[Problem]:
    """Versions that only a later release of fabricgen can have written."""
    content = document.value
    if not isinstance(content, dict):
        return
    for key, known in (("lock", VERSION), ("defaults", NEWEST)):
        version = content.get(key)
        if type(version) is int and version > known:
            yield Problem(
                code="newer-lock",
                what=f"a newer release of fabricgen wrote this lock ({key}: {version})",
                why=f"this release reads `{key}` up to {known}; a render with it could change values that are in use",
                fix="install the release of fabricgen that rendered last, or a newer one; do not edit the lock",
                where=(key,),
                at=document.place((key,)),
            )


def _remedy(problem: Problem) -> str:
    if problem.code == "unknown-key":
        return f"install the release of fabricgen that rendered last if it is newer than this one, or {RESTORE}"
    return RESTORE


def _odd_lines(lock: Lock, document: Document) -> Iterator[Problem]:
    """Yield each segment that no render writes: its numbers could not be computed, or would overlap."""
    for index, segment in enumerate(lock.segments):
        why = _oddity(segment)
        if why:
            yield Problem(
                code="lock-line",
                what=f"invalid lock line of {segment.fabric} {segment.tier.value}: {why}",
                why="only `render` writes the lock",
                fix=RESTORE,
                at=document.place(("segments", index)),
            )


def _oddity(segment: Segment) -> str:
    """What is wrong with a segment; empty for a valid one."""
    size = segment.box.size()
    if bool(segment.group) != (segment.tier is Tier.LEAF):
        return "a leaf has a server group, other tiers have none"
    if segment.row is not None and segment.tier in (Tier.SPINE, Tier.SUPERSPINE):
        return "row: is for leaves and border leaves only"
    if segment.oob + size > 1 << 32 or segment.asn + segment.box.size(ASN_AXES[segment.tier]) > 1 << 32:
        return "its AS numbers exceed 32 bits"
    if (segment.loopback4 is None) == (segment.router_ids is None):
        return "it needs loopback4: or router_ids:, and not both"
    for run in (segment.ipv4, segment.ipv6, segment.loopback4, segment.loopback6, segment.router_ids):
        if run is not None and run.block(size) > 1 << run.bits:
            return f"its addresses exceed {run.bits} bits"
    runs = ((segment.loopback4, 1), (segment.loopback6, 1), (segment.router_ids, 0))
    is_sized = all(run.bits - run.length == bits for run, bits in runs if run is not None)
    return "" if is_sized else "loopbacks need a /31 or a /127, router ids a /32"


def _blocks(network: IPv4Network | IPv6Network | None) -> Blocks | None:
    if network is None:
        return None
    return Blocks(int(network.network_address), network.prefixlen, network.max_prefixlen)


def _segment(line: SegmentLine) -> Segment:
    return Segment(
        fabric=line.fabric,
        tier=line.tier,
        group=line.group,
        box=PlaceRange(line.plane, line.pod, line.su, line.rail, line.index),
        slots=line.slots,
        hosts=line.hosts,
        shared=line.shared,
        first=line.first,
        row=line.row,
        asn=line.asn,
        ipv4=_blocks(line.ipv4),
        ipv6=_blocks(line.ipv6),
        loopback4=_blocks(line.loopback4),
        loopback6=_blocks(line.loopback6),
        oob=line.oob,
        up=line.uplinks,
        router_ids=_blocks(line.router_ids),
    )


def by_fabric(lock: Lock) -> Lock:
    """Return the lock with the lines of each fabric together, in the order in which they were added.

    So git merges additions of two branches to two fabrics without a conflict, and reports one if both extended one
    fabric.
    """
    return lock._replace(
        segments=tuple(sorted(lock.segments, key=lambda segment: segment.fabric)),
        ids=tuple(sorted(lock.ids, key=lambda id_line: id_line.fabric)),
    )


def without_fabric(lock: Lock, *fabrics: str) -> Lock:
    """The lock without the segments of these fabrics.

    Its ids are kept: a VNI that changes would interrupt tenants for no gain.
    """
    return lock._replace(segments=tuple(segment for segment in lock.segments if segment.fabric not in fabrics))


def write_lock(lock: Lock) -> str:
    """Text of the lock: the header, the version of the defaults, then one line per segment and per id, by fabric.

    Version 1 has no line: locks from before versions were recorded stay as they are.
    """
    lock = by_fabric(lock)
    is_plain = lock.defaults == OLDEST
    head = HEADER + (f"lock: {PLAIN}\n" if is_plain else f"lock: {VERSION}\n{defaults_line(lock)}\n")
    lines = [head + "segments:" + (" []" if not lock.segments else "")]
    lines += [f"- {{{', '.join(_segment_items(segment))}}}" for segment in lock.segments]
    lines.append("ids:" + (" []" if not lock.ids else ""))
    lines += [f"- {{fabric: {_word(i.fabric)}, kind: {i.kind}, name: {_word(i.name)}, id: {i.id}}}" for i in lock.ids]
    return "\n".join(lines) + "\n"


def defaults_line(lock: Lock) -> str:
    """Line of the lock with the version of the defaults."""
    return f"defaults: {lock.defaults}"


def _segment_items(segment: Segment) -> list[str]:
    items = [f"fabric: {_word(segment.fabric)}", f"tier: {segment.tier.value}"]
    if segment.group:
        items.append(f"group: {_word(segment.group)}")
    items += [f"{axis}: {span.first}-{span.last}" for axis, span in zip(AXES, segment.box, strict=True)]
    if segment.slots:
        items += [f"slots: {segment.slots}", f"hosts: {segment.hosts}"]
    if segment.shared:
        items.append(f"shared: [{', '.join(f'{each.group} {each.slots}/{each.hosts}' for each in segment.shared)}]")
    if segment.up is not None:
        items.append(f"uplinks: {segment.up.count}x{segment.up.gbps}G")
    items.append(f"first: {segment.first}")
    if segment.row is not None:
        items.append(f"row: {segment.row}")
    items.append(f"asn: {segment.asn}")
    for name, run in (
        ("ipv4", segment.ipv4),
        ("ipv6", segment.ipv6),
        ("loopback4", segment.loopback4),
        ("loopback6", segment.loopback6),
        ("router_ids", segment.router_ids),
    ):
        if run is not None:
            items.append(f"{name}: {_prefix(run)}")
    items.append(f"oob: {ipv4(segment.oob)}")
    return items


def _word(name: str) -> str:
    """Return a name as YAML; three of them need quotes to stay text."""
    return f'"{name}"' if name in ("null", "true", "false") else name


def _prefix(run: Blocks) -> str:
    if run.bits == 32:
        return interface_ipv4(run.start, run.length)
    return f'"{interface_ipv6(run.start, run.length)}"'


def _id_clashes(lock: Lock, document: Document) -> Iterator[Problem]:
    seen: dict[tuple[str, ...], int] = {}
    for index, line in enumerate(lock.ids):
        for key, what in (
            ((line.fabric, str(line.id)), f"id {line.id}"),
            ((line.fabric, line.kind, line.name), f"the name {line.name}"),
        ):
            if key in seen:
                yield clash_problem(document, "ids", seen[key], index, what)
            else:
                seen[key] = index
