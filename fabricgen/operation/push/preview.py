"""What a push would do: every switch asked, what differs priced, and put into waves. Changes nothing."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.checks.capacity.drains import Leaving, lost_subnets
from fabricgen.device.device import Device
from fabricgen.diff.blast import Radius
from fabricgen.diff.classes import in_order, make_class
from fabricgen.diff.groups import ChangedSwitch, Groups
from fabricgen.diff.live import (
    FileBeside,
    PlatformTables,
    Running,
    beside_classes,
    live_classes,
    reach_of,
    worst_first,
    worst_reached,
)
from fabricgen.diff.model import Difference, TextClass
from fabricgen.diff.words import named
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.intended import artifact_of
from fabricgen.operation.push.options import PushOptions
from fabricgen.operation.push.site import PushSite
from fabricgen.plan.fabric import place_of
from fabricgen.plan.moved_values import moved
from fabricgen.plan.plan import Plan
from fabricgen.plan.renamed import former_names
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.base.live.line_fact import kind_of
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.base.live.standing import Phase, armed_words
from fabricgen.platforms.commit_profiles import commit_profile_of
from fabricgen.platforms.readers import READERS, reader_of
from fabricgen.push.act.dead_programs import dead_of, held_back
from fabricgen.push.act.forecast import Forecast
from fabricgen.push.act.survey import Surveyed
from fabricgen.push.act.work import is_above
from fabricgen.push.model import Approval, Decision, Need, PlannedSwitch, SwitchToChange, Wave
from fabricgen.push.plan import site_rules
from fabricgen.push.plan.approval import Terms, approval_of
from fabricgen.push.plan.decide import AllowedRisk, decide
from fabricgen.push.plan.risk import facts_between, secrets_between, subject_by_facts, subject_of, with_unseen
from fabricgen.push.plan.waves import Together, Width, waves
from fabricgen.push.switch.switch import SwitchError
from fabricgen.verify.collect.redact_config import without_secrets

ARMED_FIX = (
    "if it is a killed push of yours, type that push again with --commit (it goes on) or --commit --abandon (it goes "
    "back); else wait until it is confirmed or has gone back"
)
ARMED_FIXES = {
    Phase.LOST: "type the push that made it again with --commit, which puts back what ran before and goes on; or any "
    "with --commit --take-over"
}
"""What can be done about a commit that is armed, by its phase."""

LOSING = (Need.DRAIN, Need.IDLE, Need.ACCEPTED)
"""Of switches whose change loses packets that somebody sends."""

NOT_KNOWN = "its running state is unknown"
NO_MATCH = "its running configuration differs from --against"
OTHER_SECRET = "a secret of its sessions differs, and the drain itself would change it"  # noqa: S105 - words
FIXES = {
    NOT_KNOWN: "add --against with what it runs (an intent, a rendered folder or a git revision); "
    "or drain it in the intent and push that first; or ",
    NO_MATCH: "use --against with what it runs, or undo the lines that differ first; or ",
    OTHER_SECRET: "change it where packets may be lost: ",
}
"""Why a leaf cannot be drained first → what else can be done."""


class Preview(NamedTuple):
    """What a push would do.

    difference  lines that differ, in classes
    notes       to be known beside it
    forecast    how long it takes; None where nobody has said yet, or nothing changes
    """

    difference: Difference
    decisions: tuple[Decision, ...]
    waves: tuple[Wave, ...]
    planned: tuple[PlannedSwitch, ...]
    approval: Approval
    notes: tuple[str, ...]
    forecast: Forecast | None = None


def terms_of(ground: PushSite, planned: Iterable[PlannedSwitch], undone: Iterable[str]) -> Terms:
    """What an approval holds for, beside switches and waves. undone: lines typed by hand that it names."""
    options, interruption = ground.options, {one.device: ground.given.get(one.device) for one in planned}
    site, freezes = site_rules.plain(ground.rules, interruption), site_rules.freezes(ground.rules)
    return Terms(
        ground.inventory, options.floor, options.limit, options.soak, options.paths, tuple(undone), site, freezes
    )


def plan_push(ground: PushSite, found: Mapping[str, Surveyed], undone: Iterable[str]) -> Preview:
    """Decide what is done to the switches that differ. Raises FabricError with all that stands against it.

    undone  lines typed by hand that it undoes by name
    """
    foreign = (*_strangers(found.values()), *_waiting(found.values()))
    if foreign:
        raise FabricError(foreign)
    differing = [one for one in found.values() if one.difference]
    known = _known(ground, differing)
    by_lines = [one for one in differing if one.device not in known]
    classes = _classes(ground, by_lines)
    dead = {name: dead_of(ground.devices[name], one) for name, one in found.items()}
    subjects, lame = held_back(_subjects(ground, differing, known, classes), dead, ground.options.accepted)
    allowed = AllowedRisk(frozenset(ground.options.accepted), ground.options.drained_hosts())
    decided, problems = decide(ground.meant.plan, subjects, allowed)
    decisions = tuple(_accepted(ground, found, decided))
    ordered, more = waves(ground.meant.plan, decisions, ground.options.floor, _width(ground.options))
    hard = tuple(_drainable(ground, found, decisions))
    against = (*lame, *problems, *hard, *more)
    if against:
        raise FabricError(against)
    decisions, alone = _with_loss(ground, decisions, ordered)
    planned = tuple(_planned(ground, found, decisions, ordered))
    return Preview(
        difference=_difference(ground, found, known, worst_first((*classes, *_beside(ground, by_lines)))),
        decisions=decisions,
        waves=ordered,
        planned=planned,
        approval=approval_of(planned, ordered, terms_of(ground, planned, undone), datetime.now(UTC)),
        notes=(*alone, *_notes(ground, found)),
    )


def _width(options: PushOptions) -> Width:
    return Width(options.largest, options.workers, frozenset(map(Together, options.together)))


def _with_loss(
    ground: PushSite, decisions: tuple[Decision, ...], ordered: Iterable[Wave]
) -> tuple[tuple[Decision, ...], tuple[str, ...]]:
    """Decisions that say which subnets of a leaf no other leaf has meanwhile, drained first or not; notes on those."""
    found = (one.subject.name for one in decisions if one.need in LOSING)
    leaves = frozenset(name for name in found if not is_above(ground.devices[name]))
    leaving = (Leaving(wave.devices, leaves.intersection(wave.devices)) for wave in ordered)
    lost = dict(lost_subnets(ground.meant.plan, leaving))
    options = {name: f"no other leaf in service has {subnets}: lost meanwhile" for name, subnets in lost.items()}
    told = (one._replace(why="; ".join(filter(None, (one.why, options.get(one.subject.name))))) for one in decisions)
    return tuple(told), tuple(f"{name}: {said} (subnet-alone)" for name, said in options.items())


def _classes(ground: PushSite, differing: Iterable[Surveyed]) -> tuple[TextClass, ...]:
    artifact, devices = artifact_of(ground.renderer, ground.where), ground.devices
    running = tuple(
        Running(
            one.device,
            devices[one.device].system,
            PLATFORMS[devices[one.device].system].main,
            _drifts(devices[one.device].system, artifact(devices[one.device]), one.running),
        )
        for one in differing
    )
    known = {
        name: PlatformTables(partial(kind_of, reader.lines), PLATFORMS[name].costs) for name, reader in READERS.items()
    }
    return live_classes(running, known, reach_of(ground.meant.plan))


def _beside(ground: PushSite, differing: Iterable[Surveyed]) -> tuple[TextClass, ...]:
    """Files beside the main one that a commit would change."""
    files = (
        FileBeside(one.device, path, *_plain(one.standing[path], wanted[path]))
        for one in differing
        for wanted in (ground.goal(ground.devices[one.device]).candidate.files,)
        for path in one.beside
    )
    return beside_classes(files, reach_of(ground.meant.plan))


def _plain(*texts: str) -> Iterator[str]:
    return (str(without_secrets(text)) for text in texts)


def _drifts(system: str, wanted: str, running: str) -> tuple[Drift, ...]:
    return reader_of(system).drift(*_plain(wanted, running))


def _known(ground: PushSite, differing: Iterable[Surveyed]) -> dict[str, tuple[DeviceChange, ...]]:
    """Switches that run what the old side says → the facts that differ."""
    old = ground.before()
    return {
        one.device: facts_between(old[one.device], ground.devices[one.device])
        for one in differing
        if one.device in old and _runs(ground, old[one.device], one)
    }


def _subjects(
    ground: PushSite,
    differing: Iterable[Surveyed],
    known: Mapping[str, tuple[DeviceChange, ...]],
    classes: tuple[TextClass, ...],
) -> Iterator[SwitchToChange]:
    by_lines = {device: one for one in classes for device in one.devices}
    for one in differing:
        device = ground.devices[one.device]
        if one.device in known:
            costs = PLATFORMS[device.system].costs
            facts = known[one.device]
            subject, is_told = subject_by_facts(device, facts, costs, str(ground.options.against)), bool(facts)
        else:
            lines = by_lines.get(one.device)
            subject, is_told = (
                subject_of(device, lines, one.beside, _said(ground, one)),
                lines is not None or bool(one.beside),
            )
        yield with_unseen(subject, one.difference, partial(_secret_price, device.system), is_told=is_told)


def _said(ground: PushSite, found: Surveyed) -> str | None:
    """The old side, where it was said and has this switch."""
    return ground.options.against if found.device in ground.before() else None


def _secret_price(system: str, line: str) -> Risk:
    """What it costs to change the secret of a line at top level; unknown for one that no table knows there."""
    known, costs = reader_of(system), PLATFORMS[system].costs
    kinds = [kind_of(known.lines, drift.section, drift.line) for drift in known.drift("", line)]
    risks = [costs[kind].of(ChangeOp.CHANGED) if kind is not None else Risk.UNKNOWN for kind in kinds]
    return max(risks, default=Risk.UNKNOWN)


def _runs(ground: PushSite, device: Device, found: Surveyed) -> bool:
    """Whether a switch runs what this Device is written as, the files beside the main one as well."""
    if _drifts(device.system, artifact_of(ground.renderer, ground.where)(device), found.running):
        return False
    files = ground.goal(device).candidate.files
    return all(found.standing.get(path, "") == text for path, text in files.items())


def _accepted(ground: PushSite, found: Mapping[str, Surveyed], decisions: Iterable[Decision]) -> Iterator[Decision]:
    """The same; what cannot be drained first is changed at once where somebody accepts its loss."""
    old = ground.before()
    for one in decisions:
        name = one.subject.name
        hindrance = _hindrance(ground, old, found[name], one) if name in ground.options.accepted else None
        options = f"its loss is accepted by name; it cannot be drained first, as {hindrance}"
        yield one if hindrance is None else Decision(one.subject, Need.ACCEPTED, options)


def _drainable(ground: PushSite, found: Mapping[str, Surveyed], decisions: Iterable[Decision]) -> Iterator[Problem]:
    """Problems with leaves that are to be drained first, and cannot be."""
    old = ground.before()
    for one in decisions:
        name = one.subject.name
        hindrance = _hindrance(ground, old, found[name], one)
        if hindrance is not None:
            yield Problem(
                code="push-drain-leaf",
                what=f"{name} must be drained first, but {hindrance}",
                why=f"{one.subject.risk.words}: {one.subject.why}; the ports of its servers must go down first",
                fix=f"{FIXES[hindrance]}--accept-loss {name}",
            )


def _hindrance(ground: PushSite, old: Mapping[str, Device], found: Surveyed, decision: Decision) -> str | None:
    """Why a switch that is to be drained first cannot be; None where it can, or need not.

    A leaf's traffic leaves it only when its servers' ports go down, which takes more than maps at its sessions: what
    it runs, drained. That would have the secrets of now.
    """
    name = found.device
    if decision.need is not Need.DRAIN or is_above(ground.devices[name]):
        return None
    if name not in old:
        return NOT_KNOWN
    if not _runs(ground, old[name], found):
        return NO_MATCH
    costs = (_secret_price(ground.devices[name].system, line) for line in secrets_between(found.difference))
    return OTHER_SECRET if any(risk.is_disruptive for risk in costs) else None


def _planned(
    ground: PushSite, found: Mapping[str, Surveyed], decisions: Iterable[Decision], ordered: Iterable[Wave]
) -> Iterator[PlannedSwitch]:
    numbers = {name: wave.number for wave in ordered for name in wave.devices}
    for one in decisions:
        name = one.subject.name
        yield PlannedSwitch(
            device=name,
            wave=numbers[name],
            need=one.need,
            why=one.why,
            risk=one.subject.risk.words,
            before=found[name].fingerprint,
            artifact=ground.goal(ground.devices[name]).digest,
            difference=found[name].difference,
            accepted=name in ground.options.accepted,
        )


def _difference(
    ground: PushSite,
    found: Mapping[str, Surveyed],
    known: Mapping[str, tuple[DeviceChange, ...]],
    classes: tuple[TextClass, ...],
) -> Difference:
    old, new = ground.before_plan(), ground.meant.plan
    changed = [_changed(ground.devices[name], new, facts) for name, facts in known.items() if facts]
    radius = Radius(old or new, new)
    meaning = [make_class(group, PLATFORMS[group.key.system].costs, radius.of(group)) for group in Groups(changed)]
    return Difference(
        notes=(),
        is_whole=True,
        before=len(found),
        after=len(ground.targets),
        equal=sum(1 for one in found.values() if not one.difference),
        meaning=in_order(meaning),
        text=classes,
        reached=worst_reached(classes, reach_of(new)) if classes else radius.of(changed),
        moved=tuple(moved(old, new, former_names(old.intent, new.intent))) if old is not None else (),
        unread=() if classes and not meaning else None,
    )


def _changed(device: Device, plan: Plan, facts: tuple[DeviceChange, ...]) -> ChangedSwitch:
    place = place_of(plan.fabrics[device.fabric], device.name)
    return ChangedSwitch(device.name, device.fabric, device.role, device.system, place, place, facts)


def _strangers(found: Iterable[Surveyed]) -> Iterator[Problem]:
    for one in found:
        name = one.facts.hostname.partition(".")[0] if one.facts is not None else ""
        if name and name.lower() != one.device.lower():
            yield Problem(
                code="push-stranger",
                what=f"the switch at the address of {one.device} has the hostname {name}",
                why="it would get the configuration of another switch",
                fix="correct its address in the inventory, or its hostname",
            )


def _waiting(found: Iterable[Surveyed]) -> Iterator[Problem]:
    for one in found:
        if one.armed is not None:
            yield Problem(
                code="push-locked",
                what=f"on {one.device} {armed_words(one.armed)}",
                why="its running configuration will change by itself: somebody, or an interrupted push, is changing it",
                fix=ARMED_FIXES.get(one.armed.phase, ARMED_FIX),
            )


def unreached(failed: Mapping[str, SwitchError]) -> Iterator[str]:
    """Lines on switches that could not be asked."""
    return (f"{name}: {error.reason} ({error.kind})" for name, error in sorted(failed.items()))


def _notes(ground: PushSite, found: Mapping[str, Surveyed]) -> Iterator[str]:
    """What an operator should know: releases that are not the plan's, dead programs, files that are not pushed."""
    devices = ground.devices
    told: dict[str, list[str]] = {}
    for one in found.values():
        device = devices[one.device]
        version = one.facts.version if one.facts is not None else ""
        if version and not version.startswith(device.version):
            told.setdefault(f"runs release {version}, but the intent has {device.version}", []).append(one.device)
        if dead := dead_of(device, one):
            told.setdefault(f"{', '.join(dead)} not running: its configuration lines look missing", []).append(
                one.device
            )
    yield from (f"{named(names)}: {options}" for options, names in told.items())
    yield from _left(ground, [devices[name] for name, one in found.items() if one.difference])
    if ground.options.verbose:
        for system in sorted({devices[name].system for name in found}):
            limits = commit_profile_of(reader_of(system).driver).limits
            yield from (f"{PLATFORMS[system].title}: {limit}" for limit in limits)


def _left(ground: PushSite, devices: Iterable[Device]) -> Iterator[str]:
    """Files that are not pushed, one line a system whatever the roles of its switches."""
    left: dict[str, set[str]] = {}
    for device in devices:
        left.setdefault(device.system, set()).update(ground.goal(device).left)
    for system, files in sorted(left.items()):
        if files:
            yield f"{PLATFORMS[system].title}: not pushed, install by other means: {', '.join(sorted(files))}"
