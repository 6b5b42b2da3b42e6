"""The cabling plan: every cable of a site with both ends, length and what it is made of, one at a time."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import NamedTuple

from fabricgen.errors import IntentPath, Problem
from fabricgen.hardware.media import KINDS, End, choose_cable
from fabricgen.plan.exceptions import ACTIVE, DEAD, DRAINED, PortKey, SlotKey
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.links import (
    BORDER_EXTERNAL,
    LEAF_SPINE,
    SERVER_LEAF,
    SPINE_SUPERSPINE,
    Link,
    Plug,
    cage_links,
    cage_pairs,
    exists,
    links_of,
)
from fabricgen.plan.medium import OPTIC, Chooser, length_of, longest_reach, named_media
from fabricgen.plan.overrides import CableSayings
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan

LENGTH_KEYS = {
    SERVER_LEAF: "server_leaf",
    LEAF_SPINE: "leaf_spine",
    SPINE_SUPERSPINE: "spine_superspine",
    BORDER_EXTERNAL: "border_external",
}
"""Kind of a cable → key of its default length in `cables.default`."""


class CableEnd(NamedTuple):
    """One end of a cable.

    port    in the language of the device's operating system; of a server as its maker prints it
    cage    as printed; empty where nobody says it
    part    0-based, of `parts` links that the cage carries, e.g. 1 of 2 in a cage of 2 × 400G
    module  transceiver, or the name of the copper cable; empty where nothing fits
    first   the first link of its cage: what is plugged in is counted here, once for all links that share it
    """

    device: str
    port: str
    cage: str
    part: int
    parts: int
    connector: str
    module: str
    first: bool


class Cable(NamedTuple):
    """One link between two ports. `near` is the server, or the lower switch.

    kind    server-leaf, leaf-spine (border leaves too), spine-superspine, border-external
    medium  dac, acc, aec, optic; empty where nothing fits
    span_m  metres of the longest cable that shares what is plugged into a cage of this one
    named   what the cable file says of the medium of one of those; empty where it says nothing
    state   active; drained or dead where it is itself, or one of the ends
    """

    fabric: str
    kind: str
    near: CableEnd
    far: CableEnd
    speed_gbps: int
    length_m: float
    medium: str
    span_m: float
    named: str
    state: str

    @property
    def counted(self) -> bool:
        """Whether a copper cable is counted here: a cable of several links is counted at its wide end."""
        wide = self.near if self.near.parts >= self.far.parts else self.far
        return wide.first


def cables(plan: Plan) -> Iterator[Cable]:
    """Every cable of every fabric, in the order of fabrics and leaves. Streams; a reserved port has no cable."""
    for fabric in plan.fabrics.values():
        chooser, cages = Chooser(fabric, plan.catalog.media), _Cages(fabric, {})
        for link in links_of(plan, fabric):
            if exists(fabric, link):
                yield _cable(fabric, link, chooser, cages)


class _Cages(NamedTuple):
    """Links by cage: those of one cage are asked for as often as it has links, soon after each other."""

    fabric: FabricPlan
    kept: dict[tuple[Place | SlotKey | None, str, str], tuple[Link, ...]]

    def of(self, link: Link, end: Plug) -> tuple[Link, ...]:
        """What `cage_links` says. end: of the link."""
        if end.parts == 1 or end.owner is None or link.kind == BORDER_EXTERNAL:
            return (link,)
        key = (end.owner, end.cage, link.kind)
        found = self.kept.get(key)
        if found is None:
            if len(self.kept) >= MOST_CAGES:
                self.kept.clear()
            found = self.kept[key] = cage_links(self.fabric, link, end)
        return found


MOST_CAGES = 8192
"""Cages that are kept: more than the uplinks of a few leaves end in."""


def _cable(fabric: FabricPlan, link: Link, chooser: Chooser, cages: _Cages) -> Cable:
    near, far = cages.of(link, link.near), cages.of(link, link.far)
    medium = chooser.choose(link, near, far)
    choice = medium.choice
    return Cable(
        fabric=fabric.name,
        kind=link.kind,
        near=_end(link.near, choice.near if choice else "", near[0].near == link.near),
        far=_end(link.far, choice.far if choice else "", far[0].far == link.far),
        speed_gbps=link.far.speed_gbps,
        length_m=length_of(fabric, link),
        medium=choice.kind if choice else "",
        span_m=medium.span_m,
        named=medium.named,
        state=_state(fabric, link),
    )


def _end(plug: Plug, module: str, first: bool) -> CableEnd:
    return CableEnd(plug.device, plug.port, plug.cage, plug.part, plug.parts, plug.connector, module, first)


def _state(fabric: FabricPlan, link: Link) -> str:
    exceptions = fabric.exceptions
    for end in (link.near, link.far):
        key = PortKey(end.device, end.port)
        if key in exceptions.broken:
            return DEAD
        state = exceptions.ports.get(key) or exceptions.devices.get(end.device)
        if state in (DEAD, DRAINED):
            return state
    return ACTIVE


COLUMNS = (
    "fabric",
    "kind",
    "a_device",
    "a_port",
    "a_cage",
    "a_part",
    "a_module",
    "b_device",
    "b_port",
    "b_cage",
    "b_part",
    "b_module",
    "speed_gbps",
    "length_m",
    "medium",
    "state",
)


def cabling_csv(plan: Plan) -> Iterator[str]:
    """Lines of the cabling plan as CSV, each with its line end, a header first. Cells can not start a formula."""
    yield _line(COLUMNS)
    for cable in cables(plan):
        yield _line(
            (
                cable.fabric,
                cable.kind,
                *_cells(cable.near, cable.speed_gbps),
                *_cells(cable.far, cable.speed_gbps),
                str(cable.speed_gbps),
                f"{cable.length_m:g}",
                cable.medium or "none fits",
                cable.state,
            )
        )


def _cells(end: CableEnd, speed_gbps: int) -> tuple[str, ...]:
    part = f"{end.part + 1} of {end.parts}x{speed_gbps}G" if end.parts > 1 else ""
    return (end.device, end.port, end.cage, part, end.module)


def _line(cells: tuple[str, ...]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow([safe_cell(cell) for cell in cells])
    return text.getvalue()


def safe_cell(text: str) -> str:
    """Return the cell as a spreadsheet reads it as text: with a quote before = + - @ or a control character."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r", "\n") else text


class _Cause(NamedTuple):
    kind: str
    near: tuple[str, int]
    far: tuple[str, int]
    speed_gbps: int
    span_m: float
    named: str


def unsupported_media(plan: Plan) -> Iterator[Problem]:
    """Cables that nothing in the hardware library can be: one problem for all of a fabric with the same cause."""
    if all(_all_fit(plan, fabric) for fabric in plan.fabrics.values()):
        return
    causes: dict[tuple[str, _Cause], tuple[int, Cable]] = {}
    said: dict[tuple[str, _Cause], IntentPath] = {}
    sayings = CableSayings(plan.intent)
    for cable in cables(plan):
        if not cable.medium:
            cause = (cable.fabric, _cause(cable))
            count, first = causes.get(cause, (0, cable))
            causes[cause] = (count + 1, first)
            said[cause] = said.get(cause, ()) or sayings.of((e.device, e.port) for e in (cable.near, cable.far))
    for cause, (count, cable) in causes.items():
        yield _unsupported(plan, cause[1], (count, cable), said[cause])


def _all_fit(plan: Plan, fabric: FabricPlan) -> bool:
    """Whether it is sure without a look at any cable that each can be made; where it is not, each is looked at.

    Lengths are the defaults, and every pair of cages is joined even by a cable that can not share them.
    """
    if fabric.exceptions.cables or fabric.bindings:
        return False
    return all(
        choose_cable(plan.catalog.media, pair.near, pair.far, getattr(fabric.lengths, LENGTH_KEYS[pair.kind]))
        for pair in cage_pairs(fabric)
    )


def _cause(cable: Cable) -> _Cause:
    near, far = cable.near, cable.far
    ends = (near.connector, near.parts), (far.connector, far.parts)
    return _Cause(cable.kind, *ends, cable.speed_gbps, cable.span_m, cable.named)


def _unsupported(plan: Plan, cause: _Cause, found: tuple[int, Cable], said: IntentPath) -> Problem:
    """Problem of one cause: how many cables, the first of them, and the override that says what one is, if any."""
    count, cable = found
    first = f"{cable.near.device} {cable.near.port} to {cable.far.device} {cable.far.port}".strip()
    reach = longest_reach(named_media(plan.catalog.media, cause.named), _cause_end(cause, 0), _cause_end(cause, 1))
    path: IntentPath = ("cables", "default", LENGTH_KEYS[cause.kind])
    if plan.intent.cables.file is not None and plan.fabrics[cable.fabric].exceptions.cables:
        path = ("cables", "file")
    why, fix = _no_reach(cause) if reach is None else _too_long(cause, reach)
    kind = f"{cause.named} " if cause.named else ""
    links = f"{count} {cause.kind} links" if count > 1 else f"a {cause.kind} link"
    return Problem(
        code="no-medium",
        what=f"no {kind}cable or transceiver for {links} of {cable.fabric} (the first: {first})",
        where=said or path,
        why=why,
        fix=fix,
    )


def _cause_end(cause: _Cause, at: int) -> End:
    connector, parts = (cause.near, cause.far)[at]
    return End(connector, cause.speed_gbps, parts)


def _no_reach(cause: _Cause) -> tuple[str, str]:
    near, far = (f"{connector} cage of {parts} x {cause.speed_gbps}G" for connector, parts in (cause.near, cause.far))
    why = f"no {cause.named or 'part'} of the hardware library joins a {near} to a {far}"
    named = f"; the cable file may name {', '.join(KINDS)} or {OPTIC}" if cause.named else ""
    return why, f"add a part to hardware/media.yaml beside the intent{named}"


def _too_long(cause: _Cause, reach: float) -> tuple[str, str]:
    why = f"{cause.span_m:g} m, its own or that of a cable in the same cage; what fits these cages reaches {reach:g} m"
    return why, f"shorten the cable to {reach:g} m, or add a part to hardware/media.yaml beside the intent"
