"""What switches run against what would be rendered: lines under their sections, in classes of switches alike.

Text is all that a switch shows. A line is called a fact only where a sourced table of its platform knows its form;
the risk of a class, which is that of a push of the rendered text, is known only where all of its lines are.
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

UNKNOWN = "lines that no table knows"


class Running(NamedTuple):
    """One switch that was read: its platform, the artifact compared, and the lines that differ."""

    device: str
    system: str
    artifact: str
    drifts: tuple[Drift, ...]


class FileBeside(NamedTuple):
    """A file beside the main one of a switch: its path there, as it stands and as it is rendered. Without secrets."""

    device: str
    path: str
    stands: str
    rendered: str


class PlatformTables(NamedTuple):
    """What a platform's tables say: the kind of a line under its sections, if any, and what a kind costs."""

    kind: Callable[[tuple[str, ...], str], str | None]
    costs: Mapping[str, Cost]


class _Reading(NamedTuple):
    """What the lines of a switch say as far as the tables know them, and what a push of them costs."""

    facts: tuple[str, ...]
    risk: Risk


def live_classes(
    switches: tuple[Running, ...], known: Mapping[str, PlatformTables], blast: Callable[[tuple[str, ...]], Blast]
) -> tuple[TextClass, ...]:
    """Classes of switches on which a push would change the same lines, the worst first.

    known  by platform; blast: whom these switches reach
    """
    alike: dict[tuple[str, _Reading], list[tuple[str, Differing]]] = {}
    for one in switches:
        if one.drifts:
            found = tuple(hunks(one.drifts))
            key = one.system, _reading(found, known[one.system])
            alike.setdefault(key, []).append((one.device, Differing(one.artifact, TextCause.LIVE, folded(found))))
    classes = (
        _class(differing, devices, reading, blast)
        for (_, reading), group in alike.items()
        for differing, devices in _joined(same_hunks(group))
    )
    return worst_first(classes)


def beside_classes(files: Iterable[FileBeside], blast: Callable[[tuple[str, ...]], Blast]) -> tuple[TextClass, ...]:
    """Classes of switches whose files beside the main one a push would change alike. No table knows lines of these."""
    found = (
        (one.device, Differing(one.path, TextCause.LIVE, folded(text.hunks(one.stands, one.rendered, ""))))
        for one in files
    )
    reading = _Reading((UNKNOWN,), Risk.UNKNOWN)
    return tuple(_class(differing, devices, reading, blast) for differing, devices in same_hunks(found).items())


def worst_first(classes: Iterable[TextClass]) -> tuple[TextClass, ...]:
    """Order of a report."""
    return tuple(sorted(classes, key=lambda one: (-one.risk, -len(one.devices), one.devices, one.artifact)))


def reach_of(plan: Plan) -> Callable[[tuple[str, ...]], Blast]:
    """What tells whom switches of a plan reach, by their names: nobody knows which part of them a line touches."""
    sites, radius = Sites(plan, plan), Radius(plan, plan)
    twins = {pair.name_after: DevicePair(sites, pair) for pair in pairs(plan, plan)}
    return lambda devices: radius.of(twins[device].whole() for device in devices)


def worst_reached(classes: Iterable[TextClass], blast: Callable[[tuple[str, ...]], Blast]) -> Blast:
    """Whom the classes of the worst risk reach together."""
    found = tuple(classes)
    worst = max((one.risk for one in found), default=Risk.NONE)
    return blast(tuple(device for one in found if one.risk is worst for device in one.devices))


def hunks(drifts: tuple[Drift, ...]) -> Iterator[Hunk]:
    """Lines that differ, section by section: what runs is taken away, what is rendered is added."""
    ordered = sorted(drifts, key=lambda drift: tuple(map(natural, drift.section)))
    for section, group in groupby(ordered, key=lambda drift: drift.section):
        lines = tuple(group)
        yield Hunk(
            section=section,
            removed=tuple(drift.line for drift in lines if drift.present),
            added=tuple(drift.line for drift in lines if not drift.present),
        )


def _joined(found: Mapping[Differing, tuple[str, ...]]) -> Iterator[tuple[Differing, tuple[str, ...]]]:
    """Put switches together whose lines are equal, though each stands under a section with a number of its own.

    `router bgp 65001` and `router bgp 65002` are one section here.
    """
    alike: dict[Differing, list[Differing]] = {}
    for one in found:
        hunks = tuple(hunk._replace(section=tuple(map(_without_number, hunk.section))) for hunk in one.hunks)
        alike.setdefault(one._replace(hunks=hunks), []).append(one)
    for key, group in alike.items():
        devices = (device for one in group for device in found[one])
        yield (key if len(group) > 1 else group[0]), tuple(sorted(devices, key=natural))


def _without_number(line: str) -> str:
    return " ".join(STAR if word.isdigit() else word for word in line.split(" "))


def _class(
    found: Differing, devices: tuple[str, ...], reading: _Reading, blast: Callable[[tuple[str, ...]], Blast]
) -> TextClass:
    return TextClass(
        artifact=found.artifact,
        cause=found.cause,
        devices=devices,
        hunks=found.hunks,
        risk=reading.risk,
        blast=blast(devices),
        facts=reading.facts,
    )


def _reading(found: Iterable[Hunk], known: PlatformTables) -> _Reading:
    """What the lines state, as far as the table knows them. One that it does not know makes the risk unknown.

    One kind that loses and gains lines in a section is changed there.
    """
    facts: set[tuple[str, ChangeOp]] = set()
    is_whole = True
    for hunk in found:
        gone = {known.kind(hunk.section, line) for line in hunk.removed}
        new = {known.kind(hunk.section, line) for line in hunk.added}
        is_whole = is_whole and None not in gone | new
        for kind in gone | new:
            if kind is not None:
                facts.add((kind, _change(is_gone=kind in gone, is_new=kind in new)))
    words = [f"{kind} {change.value}" for kind, change in sorted(facts)]
    risks = [_risk(known.costs[kind], change) for kind, change in facts]
    if not is_whole:
        return _Reading((UNKNOWN, *words), max([*risks, Risk.UNKNOWN]))
    return _Reading(tuple(words), max(risks))


def _risk(cost: Cost, change: ChangeOp) -> Risk:
    """What a fact costs that lines tell of: lines that come and go may be one thing changed, or two things."""
    if change is not ChangeOp.CHANGED:
        return cost.of(change)
    every = cost.added, cost.changed, cost.removed, cost.raised, cost.lowered
    return max((risk for risk in every if risk is not None), default=Risk.UNKNOWN)


def _change(*, is_gone: bool, is_new: bool) -> ChangeOp:
    if is_gone and is_new:
        return ChangeOp.CHANGED
    return ChangeOp.ADDED if is_new else ChangeOp.REMOVED
