"""The cabling plan: every cable of a site with both ends, length, medium and modules, one at a time."""

import csv
from collections.abc import Callable, Iterator
from io import StringIO
from typing import NamedTuple

from fabricgen.errors import IntentPath, Problem
from fabricgen.hardware.media import KINDS, MediaEnd, choose_cable
from fabricgen.plan.cable import LENGTH_KEYS, Cable, CableEnd, cable_state
from fabricgen.plan.exceptions import PortKey, SlotKey
from fabricgen.plan.fabric import FabricPlan, place_of, places
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
    external_links,
    links_at,
)
from fabricgen.plan.medium import AND, OPTIC, Chooser, length_of, longest_reach, named_media
from fabricgen.plan.overrides import CableOverrides
from fabricgen.plan.place import Place
from fabricgen.plan.plain_cables import PlainCables, is_plain
from fabricgen.plan.plan import Plan

UPPER_ROLES = {
    SERVER_LEAF: ("leaf",),
    LEAF_SPINE: ("spine",),
    SPINE_SUPERSPINE: ("superspine",),
    BORDER_EXTERNAL: ("border",),
}
"""Kind of a cable → key of the switches at its upper end, or at its only one."""


def cables(plan: Plan) -> Iterator[Cable]:
    """Every cable of every fabric, in the order of fabrics and leaves. Streams; a reserved port has no cable."""
    for fabric in plan.fabrics.values():
        cables_at = cables_of(plan, fabric)
        for place in places(fabric):
            yield from cables_at(place)


def cables_of(plan: Plan, fabric: FabricPlan) -> Callable[[Place], Iterator[Cable]]:
    """Return the function that yields the cables of which a switch is the lower end, and those of its servers."""
    if not is_plain(fabric):
        return cables_by_cage(plan, fabric)
    plain = PlainCables(fabric, plan.catalog.media)
    return lambda place: plain.of(place, external_links(plan, fabric, place))


def cables_by_cage(plan: Plan, fabric: FabricPlan) -> Callable[[Place], Iterator[Cable]]:
    """The same for any fabric: the links that share cages are looked up for each link."""
    chooser, cages = Chooser(fabric, plan.catalog.media), _Cages(fabric, {})

    def of(place: Place) -> Iterator[Cable]:
        links = links_at(plan, fabric, place)
        return (_cable(fabric, link, chooser, cages) for link in links if exists(fabric, link))

    return of


class _Cages(NamedTuple):
    """Links by cage, cached: those of one cage are looked up once per link of it, shortly after each other."""

    fabric: FabricPlan
    cache: dict[tuple[Place | SlotKey | None, str, str], tuple[Link, ...]]

    def of(self, link: Link, end: Plug) -> tuple[Link, ...]:
        """Return the result of `cage_links`. end: of the link."""
        if end.parts == 1 or end.owner is None or link.kind == BORDER_EXTERNAL:
            return (link,)
        key = (end.owner, end.cage, link.kind)
        links = self.cache.get(key)
        if links is None:
            if len(self.cache) >= MOST_CAGES:
                self.cache.clear()
            links = self.cache[key] = cage_links(self.fabric, link, end)
        return links


MOST_CAGES = 8192
"""Limit on the cached cages: more than the uplinks of a few leaves use."""


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
        state=cable_state(fabric.exceptions, *(PortKey(end.device, end.port) for end in (link.near, link.far))),
    )


def _end(plug: Plug, module: str, first: bool) -> CableEnd:
    return CableEnd(plug.device, plug.port, plug.cage, plug.part, plug.parts, plug.connector, module, first)


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
    """The cabling plan as CSV, in pieces of whole lines, header first. No cell can start a formula."""
    yield HEADER
    for fabric in plan.fabrics.values():
        cables_at = cables_of(plan, fabric)
        yield from (csv_lines(tuple(cables_at(place))) for place in places(fabric))


def csv_lines(rows: tuple[Cable, ...]) -> str:
    """Cables as lines of CSV."""
    text = "".join(_plain_lines(rows))
    # Nearly all lines need no quotes; if one may need some, the csv library writes the lines.
    if text.count(",") != len(rows) * (len(COLUMNS) - 1) or text.count("\n") != len(rows):
        return "".join(map(_quoted_line, rows))
    if text.startswith("-") or any(character in text for character in _NOT_PLAIN):
        return "".join(map(_quoted_line, rows))
    return text


FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")
"""First characters that make a spreadsheet read a cell as a formula."""
_NOT_PLAIN = ('"', "\0", "\r", "\t", "=", "+", "@", ",-", "\n-")
"""Characters of a line that may need quotes, even if the number of commas is right. Names have no sign other than -."""


def _plain_lines(rows: tuple[Cable, ...]) -> Iterator[str]:
    """Lines without quotes. Values that few cables differ in are formatted once."""
    parts: dict[tuple[int, int, int], str] = {}
    lengths: dict[float, str] = {}
    for fabric, kind, near, far, speed, length, medium, _, _, state in rows:
        device, port, cage, part, count, _, module, _ = near
        far_device, far_port, far_cage, far_part, far_count, _, far_module, _ = far
        key, far_key = (part, count, speed), (far_part, far_count, speed)
        if key not in parts or far_key not in parts or length not in lengths:
            parts |= {key: _part(near, speed), far_key: _part(far, speed)}
            lengths[length] = f"{length:g}"
        yield (
            f"{fabric},{kind},{device},{port},{cage},{parts[key]},{module},"
            f"{far_device},{far_port},{far_cage},{parts[far_key]},{far_module},"
            f"{speed},{lengths[length]},{medium or NOTHING_FITS},{state}\n"
        )


def _quoted_line(cable: Cable) -> str:
    speed = cable.speed_gbps
    ends = (*_cells(cable.near, speed), *_cells(cable.far, speed))
    length = f"{cable.length_m:g}"
    return _line((cable.fabric, cable.kind, *ends, str(speed), length, cable.medium or NOTHING_FITS, cable.state))


NOTHING_FITS = "none fits"


def _cells(end: CableEnd, speed_gbps: int) -> tuple[str, ...]:
    return (end.device, end.port, end.cage, _part(end, speed_gbps), end.module)


def _part(end: CableEnd, speed_gbps: int) -> str:
    return f"{end.part + 1} of {end.parts}x{speed_gbps}G" if end.parts > 1 else ""


def _line(cells: tuple[str, ...]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow([safe_cell(cell) for cell in cells])
    return text.getvalue()


def safe_cell(text: str) -> str:
    """Return the cell as a spreadsheet reads it as text: with a quote before = + - @ or a control character."""
    return f"'{text}" if text.startswith(FORMULA) else text


HEADER = _line(COLUMNS)


class _Cause(NamedTuple):
    kind: str
    near: tuple[str, int]
    far: tuple[str, int]
    speed_gbps: int
    span_m: float
    named: str


def unsupported_media(plan: Plan) -> Iterator[Problem]:
    """Cables for which the hardware library has no medium: one problem per fabric and cause."""
    yield from (problem for _, problem in unsupported(plan))


def unsupported(plan: Plan) -> Iterator[tuple[Cable, Problem]]:
    """The same, each with the first of its cables."""
    if all(_all_fit(plan, fabric) for fabric in plan.fabrics.values()):
        return
    causes: dict[tuple[str, _Cause], tuple[int, Cable]] = {}
    paths: dict[tuple[str, _Cause], IntentPath] = {}
    overrides = CableOverrides(plan.intent)
    for cable in cables(plan):
        if not cable.medium:
            near, far = cable.near, cable.far
            ends = (near.connector, near.parts), (far.connector, far.parts)
            cause = (cable.fabric, _Cause(cable.kind, *ends, cable.speed_gbps, cable.span_m, cable.named))
            count, first = causes.get(cause, (0, cable))
            causes[cause] = (count + 1, first)
            paths[cause] = paths.get(cause, ()) or overrides.of(
                (end.device, end.port) for end in (cable.near, cable.far)
            )
    for cause, (count, cable) in causes.items():
        yield cable, _unsupported(plan, cause[1], (count, cable), paths[cause])


def _all_fit(plan: Plan, fabric: FabricPlan) -> bool:
    """Whether every cable certainly has a medium, without a look at single cables; if False, each must be checked.

    Lengths are the defaults, and every pair of cages is tested as if not shared, for which the fewest cables fit.
    """
    if fabric.exceptions.cables or fabric.bindings:
        return False
    return all(
        choose_cable(plan.catalog.media, pair.near, pair.far, getattr(fabric.lengths, LENGTH_KEYS[pair.kind]))
        for pair in cage_pairs(fabric)
    )


def _unsupported(plan: Plan, cause: _Cause, counted: tuple[int, Cable], override_path: IntentPath) -> Problem:
    """Problem of one cause: number of cables, the first of them, and the override that sets one of them, if any."""
    count, cable = counted
    first = f"{cable.near.device} {cable.near.port} to {cable.far.device} {cable.far.port}".strip()
    reach = longest_reach(named_media(plan.catalog.media, cause.named), _cause_end(cause, 0), _cause_end(cause, 1))
    path = override_path or _deciding(plan, cable, is_length=reach is not None or AND in cause.named)
    why, fix = _no_reach(cause) if reach is None else _too_long(cause, reach, path)
    if AND in cause.named:
        why, fix = _two_names(cause)
    kind = f"{cause.named} " if cause.named else ""
    links = f"{count} {cause.kind} links" if count > 1 else f"a {cause.kind} link"
    return Problem(
        code="no-medium",
        what=f"no {kind}cable or transceiver for {links} of {cable.fabric} (the first: {first})",
        where=path,
        why=why,
        fix=fix,
    )


def _deciding(plan: Plan, cable: Cable, *, is_length: bool) -> IntentPath:
    """Return the key that decides about a cable: the cable file, the default length, or the upper end's model.

    The model of a leaf may be that of its server group.

    is_length  whether a shorter cable would do; a default length that the intent does not have is on no line of it
    """
    if plan.intent.cables.file is not None and plan.fabrics[cable.fabric].exceptions.cables:
        return ("cables", "file")
    key = LENGTH_KEYS[cable.kind]
    if is_length and key in plan.intent.cables.default.model_fields_set:
        return ("cables", "default", key)
    fabric = plan.fabrics[cable.fabric].fabric
    leaf = place_of(plan.fabrics[cable.fabric], cable.far.device) if cable.kind == SERVER_LEAF else None
    if leaf is not None and leaf.group in fabric.leaf_models:
        return ("fabrics", cable.fabric, "leaf_models", leaf.group)
    roles = (role for role in UPPER_ROLES[cable.kind] if getattr(fabric, role, None) is not None)
    return ("fabrics", cable.fabric, next(roles, "leaf"), "model")


def _cause_end(cause: _Cause, at: int) -> MediaEnd:
    connector, parts = (cause.near, cause.far)[at]
    return MediaEnd(connector, cause.speed_gbps, parts)


def _no_reach(cause: _Cause) -> tuple[str, str]:
    near, far = (f"{connector} cage of {parts} x {cause.speed_gbps}G" for connector, parts in (cause.near, cause.far))
    why = f"no {cause.named or 'part'} of the hardware library connects a {near} to a {far}"
    named = f"; the cable file may name {', '.join(KINDS)} or {OPTIC}" if cause.named else ""
    return why, f"add a part to hardware/media.yaml beside the intent{named}"


def _two_names(cause: _Cause) -> tuple[str, str]:
    names = cause.named.split(AND)
    why = f"cables of one cage have different media ({cause.named}), and a cage has one transceiver or one cable"
    return why, f"write medium: {' or '.join(names)} for all cables of the cage"


def _too_long(cause: _Cause, reach: float, path: IntentPath) -> tuple[str, str]:
    why = (
        f"the longest cable of the cage has {cause.span_m:g} m, and all cables of a cage have the same medium; media "
        f"for these cages reach {reach:g} m"
    )
    shorter = f"write cables.default.{LENGTH_KEYS[cause.kind]}: {reach:g} or less"
    if path[0] == "overrides":
        shorter = f"write length_m: {reach:g} or less"
    elif path == ("cables", "file"):
        shorter = f"write a length_m of at most {reach:g} for the cables of the cage in that file"
    return why, f"{shorter}, or add a part to hardware/media.yaml beside the intent"
