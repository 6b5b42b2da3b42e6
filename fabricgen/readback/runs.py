"""Blocks of a text that follow each other and are alike but for a few values of their own, such as ports: a run.

What a block says hangs on its lines and on what all blocks share. So the rows of the first one are those of every
other, with its own values. A text without the others is read for the whole one where each of them has the values of the
plan, spelled as there, and the plan has the same of all in everything else. No line is left out: each is held against
that of the first block, or against the plan. Where a switch is not as planned after that, its whole text is read.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from operator import itemgetter
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.readback.addresses import address
from fabricgen.readback.rows import new


class OwnPort(NamedTuple):
    """What a port has of its own; addresses with their lengths."""

    name: str
    description: str
    ipv4: str
    ipv6: str


class OwnSession(NamedTuple):
    """What a session has of its own; the name is the address of the peer."""

    name: str
    description: str
    remote_as: str


Own = OwnPort | OwnSession


class Kind(NamedTuple):
    """Blocks of one kind in the text of a system.

    block    a whole block, with the end of the line before it and without its own last one
    parted   a block → all that is not its own, and what is
    mention  a name of such a thing, wherever a text has one; in a block each of its lines with the name has it once
    plain    such a name → its one spelling
    planned  name → what the plan has of its own, and what it may share with others
    without  a Device without things of these names
    """

    block: re.Pattern[str]
    parted: Callable[[re.Match[str]], tuple[object, Own]]
    mention: re.Pattern[str]
    plain: Callable[[str], str | None]
    planned: Callable[[Device], Mapping[str, tuple[Own, object]]]
    without: Callable[[Device, Collection[str]], Device]


class Run(NamedTuple):
    """A run: its first block, where that begins (line from 1) and how many lines it has, and the copies behind it.

    copies  what each has of its own, in the fields of the first
    """

    first: Own
    line: int
    height: int
    copies: tuple[tuple[str, ...], ...]


class Shortened(NamedTuple):
    """A text and a Device without the copies of runs. Other lines have the numbers that they had."""

    device: Device
    text: str
    runs: tuple[Run, ...]


class _Found(NamedTuple):
    """Blocks that are alike in all that they share, with the place of each in the text."""

    spans: list[tuple[int, int]]
    own: list[Own]
    shared: object
    kind: Kind


VALUE = r"(\S(?:.*\S)?)(?!.)"
"""The rest of a line, without spaces around it."""
FEWEST = 4
"""Blocks of a run: below that nothing is gained."""


def shortened(device: Device, text: str, kinds: Iterable[Kind]) -> Shortened | None:
    """A text without the copies of runs; None where there are none, or where more than its block speaks of one."""
    found = [row for kind in kinds for row in _alike(text, kind, kind.planned(device)) if len(row.own) >= FEWEST]
    runs, pieces, at, line = list[Run](), list[str](), 0, 1
    for row in sorted(found, key=itemgetter(0)):
        (begin, end), (last, _) = row.spans[0], row.spans[-1]
        line += text.count("\n", at, begin)
        # The last block is no copy: a line behind it that is indented would be one of its own.
        run = Run(row.own[0], line + 1, text.count("\n", begin, end), tuple(map(tuple, row.own[1:-1])))
        runs.append(run)
        lines = run.height * len(run.copies)
        pieces += text[at:end], "\n" * lines
        at, line = last, line + run.height + lines
    short = "".join((*pieces, text[at:]))
    for kind in kinds:
        here = [row for row in found if row.kind is kind]
        copies = [own.name for row in here for own in row.own[1:-1]]
        if not _are_alone(kind, short, copies, [text[slice(*row.spans[0])] for row in here]):
            return None
        device = kind.without(device, frozenset(copies))
    return Shortened(device, short, tuple(runs)) if runs else None


def _alike(text: str, kind: Kind, planned: Mapping[str, tuple[Own, object]]) -> Iterator[_Found]:
    """Blocks as they follow each other, alike in the text and in the plan; one that is not as planned is by itself."""
    here = _Found([(-1, -1)], [], None, kind)
    for match in kind.block.finditer(text):
        words, own = kind.parted(match)
        intended, settings = planned.get(own.name, (None, None))
        shared = (words, settings) if intended == own else None
        if match.start() == here.spans[-1][1] and shared is not None and shared == here.shared:
            here.spans.append(match.span())
            here.own.append(own)
        else:
            yield here
            here = _Found([match.span()], [own], shared, kind)
    yield here


def _are_alone(kind: Kind, text: str, copies: list[str], firsts: list[str]) -> bool:
    """Whether a text without copies says nothing of one, and of first blocks no more than these themselves do."""
    told = _names(kind, text)
    is_once = len(set(copies)) == len(copies) and told.keys().isdisjoint(copies)
    return is_once and all(told[name] == count for block in firsts for name, count in _names(kind, block).items())


def _names(kind: Kind, text: str) -> Counter[str | None]:
    """Names in a text, and how often it has each."""
    return Counter(map(kind.plain, kind.mention.findall(text)))


def sessions(block: str) -> Kind:
    """Sessions of the default VRF with an address.

    block  expression that names the peer after `neighbor`; its groups are name, description and remote, which each
           session has of its own, and shared
    """
    return Kind(
        block=re.compile(block),
        parted=_session,
        mention=re.compile(r"neighbor\s+(\S+)"),
        plain=address,
        planned=_planned_sessions,
        without=_without_sessions,
    )


def _session(block: re.Match[str]) -> tuple[object, Own]:
    return block["shared"], new(OwnSession, (block["name"], block["description"], block["remote"]))


def _planned_sessions(device: Device) -> Mapping[str, tuple[Own, object]]:
    return {
        row.address: (
            new(OwnSession, (row.address, row.description, str(row.remote_as))),
            (row.group, row.route_map_in, row.route_map_out),
        )
        for row in device.routing.bgp.neighbors
        if row.address
    }


def _without_sessions(device: Device, copies: Collection[str]) -> Device:
    bgp = device.routing.bgp
    kept = tuple(row for row in bgp.neighbors if row.address not in copies)
    return device._replace(routing=device.routing._replace(bgp=bgp._replace(neighbors=kept)))
