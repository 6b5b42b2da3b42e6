"""Running configurations against rendered ones: lines under their sections, in classes of similar switches.

A switch shows only text. A line counts as a change of a kind only where a sourced table of its platform matches its
form. The risk of a class is that of a push of the rendered text; it is known only if all of its lines match.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import NamedTuple

from fabricgen.base.text import natural
from fabricgen.changes.change import ChangeOp
from fabricgen.diff import text
from fabricgen.diff.blast import Radius
from fabricgen.diff.device_pair import DevicePair, Sites
from fabricgen.diff.fold import STAR, Differing, folded, same_hunks
from fabricgen.diff.model import Blast, Hunk, TextCause, TextClass
from fabricgen.diff.pairs import pairs
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.cost import Cost, Risk
from fabricgen.platforms.base.live.reader import Drift

UNKNOWN = "lines whose cost is unknown"


class Running(NamedTuple):
    """One switch that was read: its platform, the artifact compared, and the lines that differ."""

    device: str
    system: str
    artifact: str
    drifts: tuple[Drift, ...]


class ExtraFile(NamedTuple):
    """A further file of a switch: its path there, its text there and its rendered text. Without secrets."""

    device: str
    path: str
    running: str
    rendered: str


class PlatformTables(NamedTuple):
    """Tables of a platform: the kind of a line under its sections, if any, and the cost of each kind."""

    kind: Callable[[tuple[str, ...], str], str | None]
    costs: Mapping[str, Cost]


class _Reading(NamedTuple):
    """Changes that the tables recognize in the lines of a switch, and the risk of pushing them."""

    kinds: tuple[str, ...]
    risk: Risk


def live_classes(
    switches: tuple[Running, ...], known: Mapping[str, PlatformTables], blast: Callable[[tuple[str, ...]], Blast]
) -> tuple[TextClass, ...]:
    """Classes of switches on which a push would change the same lines, the highest risk first.

    known  tables by platform
    blast  returns the blast radius of these switches
    """
    by_reading: dict[tuple[str, _Reading], list[tuple[str, Differing]]] = {}
    for switch in switches:
        if switch.drifts:
            switch_hunks = tuple(hunks(switch.drifts))
            key = switch.system, _reading(switch_hunks, known[switch.system])
            by_reading.setdefault(key, []).append(
                (switch.device, Differing(switch.artifact, TextCause.LIVE, folded(switch_hunks)))
            )
    classes = (
        _class(differing, devices, reading, blast)
        for (_, reading), group in by_reading.items()
        for differing, devices in _joined(same_hunks(group))
    )
    return worst_first(classes)


def extra_file_classes(files: Iterable[ExtraFile], blast: Callable[[tuple[str, ...]], Blast]) -> tuple[TextClass, ...]:
    """Classes of switches whose further files a push would change alike. No table matches lines of these files."""
    differences = (
        (file.device, Differing(file.path, TextCause.LIVE, folded(text.hunks(file.running, file.rendered, ""))))
        for file in files
    )
    reading = _Reading((UNKNOWN,), Risk.UNKNOWN)
    return tuple(_class(differing, devices, reading, blast) for differing, devices in same_hunks(differences).items())


def worst_first(classes: Iterable[TextClass]) -> tuple[TextClass, ...]:
    """Classes in the order of a report."""
    return tuple(sorted(classes, key=lambda item: (-item.risk, -len(item.devices), item.devices, item.artifact)))


def reach_of(plan: Plan) -> Callable[[tuple[str, ...]], Blast]:
    """Return a function from names of switches of a plan to their blast radius: each counts as a whole switch."""
    sites, radius = Sites(plan, plan), Radius(plan, plan)
    device_pairs = {pair.name_after: DevicePair(sites, pair) for pair in pairs(plan, plan)}
    return lambda devices: radius.of(device_pairs[device].whole() for device in devices)


def worst_reached(classes: Iterable[TextClass], blast: Callable[[tuple[str, ...]], Blast]) -> Blast:
    """Blast radius of the classes with the highest risk together."""
    all_classes = tuple(classes)
    highest = max((text_class.risk for text_class in all_classes), default=Risk.NONE)
    return blast(
        tuple(device for text_class in all_classes if text_class.risk is highest for device in text_class.devices)
    )


def hunks(drifts: tuple[Drift, ...]) -> Iterator[Hunk]:
    """Lines that differ, section by section: running lines are removed, rendered lines are added."""
    ordered = sorted(drifts, key=lambda drift: tuple(map(natural, drift.section)))
    for section, group in groupby(ordered, key=lambda drift: drift.section):
        lines = tuple(group)
        yield Hunk(
            section=section,
            removed=tuple(drift.line for drift in lines if drift.present),
            added=tuple(drift.line for drift in lines if not drift.present),
        )


def _joined(switches_by_difference: Mapping[Differing, tuple[str, ...]]) -> Iterator[tuple[Differing, tuple[str, ...]]]:
    """Join switches with equal lines whose sections differ only in a number.

    `router bgp 65001` and `router bgp 65002` count as one section here.
    """
    joined: dict[Differing, list[Differing]] = {}
    for differing in switches_by_difference:
        hunks = tuple(hunk._replace(section=tuple(map(_without_number, hunk.section))) for hunk in differing.hunks)
        joined.setdefault(differing._replace(hunks=hunks), []).append(differing)
    for key, group in joined.items():
        devices = (device for differing in group for device in switches_by_difference[differing])
        yield (key if len(group) > 1 else group[0]), tuple(sorted(devices, key=natural))


def _without_number(line: str) -> str:
    return " ".join(STAR if word.isdigit() else word for word in line.split(" "))


def _class(
    differing: Differing, devices: tuple[str, ...], reading: _Reading, blast: Callable[[tuple[str, ...]], Blast]
) -> TextClass:
    return TextClass(
        artifact=differing.artifact,
        cause=differing.cause,
        devices=devices,
        hunks=differing.hunks,
        risk=reading.risk,
        blast=blast(devices),
        kinds=reading.kinds,
    )


def _reading(switch_hunks: Iterable[Hunk], known: PlatformTables) -> _Reading:
    """Changes in the lines, as far as the table matches them. A line without a match makes the risk unknown.

    A kind that loses and gains lines in one section is changed there.
    """
    found: set[tuple[str, ChangeOp]] = set()
    is_whole = True
    for hunk in switch_hunks:
        removed_kinds = {known.kind(hunk.section, line) for line in hunk.removed}
        added_kinds = {known.kind(hunk.section, line) for line in hunk.added}
        is_whole = is_whole and None not in removed_kinds | added_kinds
        for kind in removed_kinds | added_kinds:
            if kind is not None:
                found.add((kind, _change(is_gone=kind in removed_kinds, is_new=kind in added_kinds)))
    words = [f"{kind} {change.value}" for kind, change in sorted(found)]
    risks = [_risk(known.costs[kind], change) for kind, change in found]
    if not is_whole:
        return _Reading((UNKNOWN, *words), max([*risks, Risk.UNKNOWN]))
    return _Reading(tuple(words), max(risks))


def _risk(cost: Cost, change: ChangeOp) -> Risk:
    """Risk of a change read from lines: removed and added lines may be one thing that changed, or two things."""
    if change is not ChangeOp.CHANGED:
        return cost.of(change)
    risks = cost.added, cost.changed, cost.removed, cost.raised, cost.lowered
    return max((risk for risk in risks if risk is not None), default=Risk.UNKNOWN)


def _change(*, is_gone: bool, is_new: bool) -> ChangeOp:
    if is_gone and is_new:
        return ChangeOp.CHANGED
    return ChangeOp.ADDED if is_new else ChangeOp.REMOVED
