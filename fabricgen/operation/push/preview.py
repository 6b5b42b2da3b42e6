"""Preview of a push: every switch is read, differences are rated, and put into waves. Changes nothing."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.checks.capacity.drains import Leaving, lost_subnets
from fabricgen.device.device import Device
from fabricgen.diff.blast import Radius
from fabricgen.diff.classes import in_order, make_class
from fabricgen.diff.groups import ChangedSwitch, Groups
from fabricgen.diff.live import (
    ExtraFile,
    PlatformTables,
    Running,
    extra_file_classes,
    live_classes,
    reach_of,
    worst_first,
    worst_reached,
)
from fabricgen.diff.model import Difference, TextClass
from fabricgen.diff.words import named
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.intended import artifact_of
from fabricgen.operation.push.site import PushSite
from fabricgen.plan.fabric import place_of
from fabricgen.plan.moved_values import moved
from fabricgen.plan.plan import Plan
from fabricgen.plan.renamed import former_names
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.cost import Risk
from fabricgen.platforms.base.live.line_kind import kind_of
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.base.live.run_marks import Phase, armed_words
from fabricgen.platforms.base.release import runs
from fabricgen.platforms.commit_profiles import commit_profile_of
from fabricgen.platforms.readers import READERS, reader_of
from fabricgen.push.act.dead_programs import dead_of, without_dead
from fabricgen.push.act.forecast import Forecast
from fabricgen.push.act.survey import Surveyed
from fabricgen.push.act.work import is_above
from fabricgen.push.model import Approval, Decision, Need, PlannedSwitch, SwitchToChange, Wave
from fabricgen.push.plan import site_rules
from fabricgen.push.plan.approval import Terms, approval_of
from fabricgen.push.plan.decide import AllowedRisk, decide
from fabricgen.push.plan.lockout import Arrival, lockouts
from fabricgen.push.plan.risk import all_changes, secrets_between, subject_by_changes, subject_of, with_unseen
from fabricgen.push.plan.waves import Together, Width, waves
from fabricgen.push.switch.switch import SwitchError
from fabricgen.verify.collect.redact_config import without_secrets

ARMED_FIX = (
    "if it is your own killed push, repeat that command with --commit (resume) or --commit --abandon (roll back); "
    "else wait until it is confirmed or rolled back"
)
ARMED_FIXES = {
    Phase.LOST: "repeat the push that made it with --commit, which restores the previous configuration and resumes; "
    "or use any push with --commit --take-over"
}
"""Phase of an armed commit → what can be done about it, where it is not ARMED_FIX."""

LOSING = (Need.DRAIN, Need.IDLE, Need.ACCEPTED)
"""Needs whose change loses packets."""

NOT_KNOWN = "the configuration that it runs is not known"
NO_MATCH = "the configuration that it runs differs from --against"
OTHER_SECRET = "a secret of its sessions differs, and the drain itself would change it"  # noqa: S105 - words
FIXES = {
    NOT_KNOWN: "add --against with the intent, the rendered folder or the git revision that it runs, e.g. --against "
    "HEAD; or drain it in the intent and push that first; or accept the loss: ",
    NO_MATCH: "use --against with the state that it runs, or undo the lines that differ first; or accept the loss: ",
    OTHER_SECRET: "accept packet loss: ",
}
"""Why a leaf cannot be drained first → what else can be done."""


class Preview(NamedTuple):
    """The preview of a push.

    difference  lines that differ, in classes
    notes       further remarks
    forecast    expected duration; None where it is not computed yet, or nothing changes
    manual      ids of manual lines that the push would undo and that are not allowed by name: it cannot be committed
    """

    difference: Difference
    decisions: tuple[Decision, ...]
    waves: tuple[Wave, ...]
    planned: tuple[PlannedSwitch, ...]
    approval: Approval
    notes: tuple[str, ...]
    forecast: Forecast | None = None
    manual: tuple[str, ...] = ()


def terms_of(push_site: PushSite, planned: Iterable[PlannedSwitch], undone: Iterable[str]) -> Terms:
    """The terms of an approval, in addition to switches and waves. undone: manual lines that it names."""
    options, interruption = push_site.options, {switch.device: push_site.given.get(switch.device) for switch in planned}
    site, freezes = site_rules.plain(push_site.rules, interruption), site_rules.freezes(push_site.rules)
    return Terms(
        push_site.inventory, options.floor, options.limit, options.soak, options.paths, tuple(undone), site, freezes
    )


def plan_push(push_site: PushSite, surveyed: Mapping[str, Surveyed], undone: Iterable[str]) -> Preview:
    """Decide how the differing switches are changed. Raises FabricError with all obstacles.

    undone  manual lines that it undoes by name
    """
    differing = [switch for switch in surveyed.values() if switch.difference]
    others = () if push_site.intended.lab is not None else _other_releases(push_site.devices, differing)
    foreign = (*_other_switches(surveyed.values()), *_waiting(surveyed.values()), *others)
    if foreign:
        raise FabricError(foreign)
    lost = (*lockouts(_arrivals(push_site, differing)), *_missing(differing))
    if lost:
        raise FabricError(lost)
    changes_of = _known(push_site, differing)
    by_lines = [switch for switch in differing if switch.device not in changes_of]
    classes = _classes(push_site, by_lines)
    dead = {name: dead_of(push_site.devices[name], switch) for name, switch in surveyed.items()}
    options, plan = push_site.options, push_site.intended.plan
    all_subjects = _subjects(push_site, differing, changes_of, classes)
    subjects, dead_problems = without_dead(all_subjects, dead, options.accepted)
    decided, problems = decide(plan, subjects, AllowedRisk(frozenset(options.accepted), options.drained_hosts()))
    decisions = tuple(_accepted(push_site, surveyed, decided))
    width = Width(options.largest, options.workers, frozenset(map(Together, options.together)))
    ordered, wave_problems = waves(plan, decisions, options.floor, width)
    undrainable = tuple(_drainable(push_site, surveyed, decisions))
    obstacles = (*dead_problems, *problems, *undrainable, *wave_problems)
    if obstacles:
        raise FabricError(obstacles)
    decisions, loss_notes = _with_loss(push_site, decisions, ordered)
    planned = tuple(_planned(push_site, surveyed, decisions, ordered))
    return Preview(
        difference=_difference(
            push_site, surveyed, changes_of, worst_first((*classes, *_file_classes(push_site, by_lines)))
        ),
        decisions=decisions,
        waves=ordered,
        planned=planned,
        approval=approval_of(planned, ordered, terms_of(push_site, planned, undone), datetime.now(UTC)),
        notes=(*loss_notes, *_notes(push_site, surveyed)),
    )


def _arrivals(push_site: PushSite, differing: Iterable[Surveyed]) -> Iterator[Arrival]:
    for switch in differing:
        device = push_site.devices[switch.device]
        profile = commit_profile_of(reader_of(device.system).driver)
        yield Arrival(device, profile, switch.entry, push_site.goal(device).candidate.text)


def _missing(differing: Iterable[Surveyed]) -> Iterator[Problem]:
    """Problems of what new configurations name and switches do not have."""
    for item, names in grouped((item, switch.device) for switch in differing for item in switch.missing).items():
        yield Problem(
            code="push-missing",
            what=f"{item.what} is not on {named(names)}, and {item.setting} names it",
            why="it is no part of the configuration, and an API that uses it does not come up without it",
            fix=item.make,
        )


def _with_loss(
    push_site: PushSite, decisions: tuple[Decision, ...], ordered: Iterable[Wave]
) -> tuple[tuple[Decision, ...], tuple[str, ...]]:
    """Decisions that name the subnets of a leaf that no other leaf has meanwhile, drained or not; and notes on them."""
    losing = (decision.subject.name for decision in decisions if decision.need in LOSING)
    leaves = frozenset(name for name in losing if not is_above(push_site.devices[name]))
    leaving = (Leaving(wave.devices, leaves.intersection(wave.devices)) for wave in ordered)
    lost = dict(lost_subnets(push_site.intended.plan, leaving))
    loss_texts = {
        name: f"no other leaf in service has {subnets}: they are unreachable during the change"
        for name, subnets in lost.items()
    }
    with_loss = (
        decision._replace(why="; ".join(filter(None, (decision.why, loss_texts.get(decision.subject.name)))))
        for decision in decisions
    )
    return tuple(with_loss), tuple(f"{name}: {text} (subnet-alone)" for name, text in loss_texts.items())


def _classes(push_site: PushSite, differing: Iterable[Surveyed]) -> tuple[TextClass, ...]:
    artifact, devices = artifact_of(push_site.renderer, push_site.where), push_site.devices
    running = tuple(
        Running(
            switch.device,
            devices[switch.device].system,
            PLATFORMS[devices[switch.device].system].main,
            _drifts(devices[switch.device].system, artifact(devices[switch.device]), switch.running),
        )
        for switch in differing
    )
    tables = {
        name: PlatformTables(partial(kind_of, reader.lines), PLATFORMS[name].costs) for name, reader in READERS.items()
    }
    return live_classes(running, tables, reach_of(push_site.intended.plan))


def _file_classes(push_site: PushSite, differing: Iterable[Surveyed]) -> tuple[TextClass, ...]:
    """Classes of differing files in addition to the main one."""
    files = (
        ExtraFile(switch.device, path, *_plain(switch.files[path], goal_files[path]))
        for switch in differing
        for goal_files in (push_site.goal(push_site.devices[switch.device]).candidate.files,)
        for path in switch.other_files
    )
    return extra_file_classes(files, reach_of(push_site.intended.plan))


def _plain(*texts: str) -> Iterator[str]:
    return (str(without_secrets(text)) for text in texts)


def _drifts(system: str, rendered: str, running: str) -> tuple[Drift, ...]:
    return reader_of(system).drift(*_plain(rendered, running))


def _known(push_site: PushSite, differing: Iterable[Surveyed]) -> dict[str, tuple[DeviceChange, ...]]:
    """Switches that run the baseline → their changes."""
    baseline = push_site.before()
    return {
        switch.device: all_changes(baseline[switch.device], push_site.devices[switch.device])
        for switch in differing
        if switch.device in baseline and _runs(push_site, baseline[switch.device], switch)
    }


def _subjects(
    push_site: PushSite,
    differing: Iterable[Surveyed],
    changes_of: Mapping[str, tuple[DeviceChange, ...]],
    classes: tuple[TextClass, ...],
) -> Iterator[SwitchToChange]:
    by_lines = {device: item for item in classes for device in item.devices}
    for item in differing:
        device = push_site.devices[item.device]
        if item.device in changes_of:
            costs = PLATFORMS[device.system].costs
            changes = changes_of[item.device]
            subject = subject_by_changes(device, changes, costs, str(push_site.options.against))
            has_changes = bool(changes)
        else:
            lines = by_lines.get(item.device)
            subject, has_changes = (
                subject_of(device, lines, item.other_files, _baseline_name(push_site, item)),
                lines is not None or bool(item.other_files),
            )
        yield with_unseen(subject, item.difference, partial(_secret_price, device.system), has_changes=has_changes)


def _baseline_name(push_site: PushSite, switch: Surveyed) -> str | None:
    """Name of the baseline, if it was given and has this switch."""
    return push_site.options.against if switch.device in push_site.before() else None


def _secret_price(system: str, line: str) -> Risk:
    """Risk of changing the secret of a line at top level; unknown if no table has the line."""
    reader, costs = reader_of(system), PLATFORMS[system].costs
    kinds = [kind_of(reader.lines, drift.section, drift.line) for drift in reader.drift("", line)]
    risks = [costs[kind].of(ChangeOp.CHANGED) if kind is not None else Risk.UNKNOWN for kind in kinds]
    return max(risks, default=Risk.UNKNOWN)


def _runs(push_site: PushSite, device: Device, switch: Surveyed) -> bool:
    """Whether a switch runs what this Device renders to, files in addition to the main one included."""
    if _drifts(device.system, artifact_of(push_site.renderer, push_site.where)(device), switch.running):
        return False
    files = push_site.goal(device).candidate.files
    return all(switch.files.get(path, "") == text for path, text in files.items())


def _accepted(
    push_site: PushSite, surveyed: Mapping[str, Surveyed], decisions: Iterable[Decision]
) -> Iterator[Decision]:
    """The decisions; a switch that cannot be drained first is changed at once if a person accepts its loss."""
    baseline = push_site.before()
    for decision in decisions:
        name = decision.subject.name
        hindrance = (
            _hindrance(push_site, baseline, surveyed[name], decision) if name in push_site.options.accepted else None
        )
        reason = f"its traffic loss is accepted by --accept-loss; it cannot be drained first: {hindrance}"
        yield decision if hindrance is None else Decision(decision.subject, Need.ACCEPTED, reason)


def _drainable(
    push_site: PushSite, surveyed: Mapping[str, Surveyed], decisions: Iterable[Decision]
) -> Iterator[Problem]:
    """Problems of leaves that must be drained first, and cannot be."""
    baseline = push_site.before()
    for decided in decisions:
        name = decided.subject.name
        hindrance = _hindrance(push_site, baseline, surveyed[name], decided)
        if hindrance is not None:
            yield Problem(
                code="push-drain-leaf",
                what=_undrainable(name, hindrance),
                why=f"the risk is {decided.subject.risk.words} ({decided.subject.why}); with such a risk a leaf is "
                "drained first: the ports of its servers go down",
                fix=f"{FIXES[hindrance]}--accept-loss {name}",
            )


def _undrainable(name: str, hindrance: str) -> str:
    if hindrance == NOT_KNOWN:
        return f"the change of {name} cannot be rated, as {hindrance}"
    return f"{name} must be drained first, but {hindrance}"


def _hindrance(push_site: PushSite, baseline: Mapping[str, Device], switch: Surveyed, decision: Decision) -> str | None:
    """Why a switch that must be drained first cannot be; None where it can, or need not be.

    A leaf's traffic leaves it only when its server ports go down, which takes more than route maps on its sessions: its
    present configuration, drained. That would contain the present secrets.
    """
    name = switch.device
    if decision.need is not Need.DRAIN or is_above(push_site.devices[name]):
        return None
    if name not in baseline:
        return NOT_KNOWN
    if not _runs(push_site, baseline[name], switch):
        return NO_MATCH
    costs = (_secret_price(push_site.devices[name].system, line) for line in secrets_between(switch.difference))
    return OTHER_SECRET if any(risk.is_disruptive for risk in costs) else None


def _planned(
    push_site: PushSite, surveyed: Mapping[str, Surveyed], decisions: Iterable[Decision], ordered: Iterable[Wave]
) -> Iterator[PlannedSwitch]:
    numbers = {name: wave.number for wave in ordered for name in wave.devices}
    for decision in decisions:
        name = decision.subject.name
        yield PlannedSwitch(
            device=name,
            wave=numbers[name],
            need=decision.need,
            why=decision.why,
            risk=decision.subject.risk.words,
            before=surveyed[name].fingerprint,
            artifact=push_site.goal(push_site.devices[name]).digest,
            difference=surveyed[name].difference,
            accepted=name in push_site.options.accepted,
        )


def _difference(
    push_site: PushSite,
    surveyed: Mapping[str, Surveyed],
    changes_of: Mapping[str, tuple[DeviceChange, ...]],
    classes: tuple[TextClass, ...],
) -> Difference:
    old, new = push_site.before_plan(), push_site.intended.plan
    changed = [_changed(push_site.devices[name], new, changes) for name, changes in changes_of.items() if changes]
    radius = Radius(old or new, new)
    meaning = [make_class(group, PLATFORMS[group.key.system].costs, radius.of(group)) for group in Groups(changed)]
    return Difference(
        notes=(),
        is_whole=True,
        before=len(surveyed),
        after=len(push_site.targets),
        equal=sum(1 for switch in surveyed.values() if not switch.difference),
        meaning=in_order(meaning),
        text=classes,
        reached=worst_reached(classes, reach_of(new)) if classes else radius.of(changed),
        moved=tuple(moved(old, new, former_names(old.intent, new.intent))) if old is not None else (),
        unread=() if classes and not meaning else None,
    )


def _changed(device: Device, plan: Plan, changes: tuple[DeviceChange, ...]) -> ChangedSwitch:
    place = place_of(plan.fabrics[device.fabric], device.name)
    return ChangedSwitch(device.name, device.fabric, device.role, device.system, place, place, changes)


def _other_switches(surveyed: Iterable[Surveyed]) -> Iterator[Problem]:
    for switch in surveyed:
        name = switch.facts.hostname.partition(".")[0] if switch.facts is not None else ""
        if name and name.lower() != switch.device.lower():
            yield Problem(
                code="push-stranger",
                what=f"the switch at the address of {switch.device} has the hostname {name}",
                why="it would get the configuration of another switch",
                fix="correct its address in the inventory, or its hostname",
            )


def _other_releases(devices: Mapping[str, Device], differing: Iterable[Surveyed]) -> Iterator[Problem]:
    """Switches that run another release than their text is for. Those of a lab run what its host has."""
    for switch in differing:
        device, version = devices[switch.device], _version(switch)
        if not _is_other(device, version):
            continue
        own = [name for name in PLATFORMS[device.system].versions if runs(version, name)]
        keep = f", or write os: {device.system}-{own[-1]} for {switch.device} in overrides" if own else ""
        yield Problem(
            code="push-release",
            what=f"{switch.device} runs {version}, but its configuration is for {device.version}",
            why="the lines of another release may be refused there, or mean something else",
            fix=f"install {device.version} on it first (`fabricgen plan --steps` prints the vendor's commands){keep}",
        )


def _is_other(device: Device, version: str) -> bool:
    return runs(version, device.version, PLATFORMS[device.system].versions) is False


def _version(switch: Surveyed) -> str:
    return switch.facts.version if switch.facts is not None else ""


def _waiting(surveyed: Iterable[Surveyed]) -> Iterator[Problem]:
    for switch in surveyed:
        if switch.armed is not None:
            yield Problem(
                code="push-locked",
                what=f"on {switch.device} {armed_words(switch.armed)}",
                why="its running configuration will change by itself: another person or an interrupted push is "
                "changing it",
                fix=ARMED_FIXES.get(switch.armed.phase, ARMED_FIX),
            )


KIND_WORDS = {"host-key": "certificate or host key not trusted"}
"""Kind of a failure → its words, if the kind itself does not say enough."""
HOST_KEY_FIX = (
    "fix: in hosts.yaml, use a name or address that the certificate has; name the file of your own CA as ca_file in "
    "defaults.yaml; for SSH, add the switch to known_hosts"
)


def unreached(failed: Mapping[str, SwitchError]) -> Iterator[str]:
    """Lines about switches that could not be read, and what to do about certificates that are not trusted."""
    for name, error in sorted(failed.items()):
        yield f"{name}: {error.reason} ({KIND_WORDS.get(error.kind, error.kind)})"
    if any(error.kind == "host-key" for error in failed.values()):
        yield HOST_KEY_FIX


def _notes(push_site: PushSite, surveyed: Mapping[str, Surveyed]) -> Iterator[str]:
    """Remarks for an operator: releases that are not the plan's, dead programs, files that are not pushed."""
    devices = push_site.devices
    names_by_note: dict[str, list[str]] = {}
    for switch in surveyed.values():
        device = devices[switch.device]
        version = _version(switch)
        if _is_other(device, version):
            names_by_note.setdefault(f"runs release {version}, but the intent has {device.version}", []).append(
                switch.device
            )
        if dead := dead_of(device, switch):
            names_by_note.setdefault(
                f"{', '.join(dead)} not running: their configuration lines look missing", []
            ).append(switch.device)
        for unseen in switch.unseen if switch.difference else ():
            names_by_note.setdefault(f"cannot check {unseen}", []).append(switch.device)
    yield from (f"{named(names)}: {note}" for note, names in names_by_note.items())
    yield from _left(push_site, [devices[name] for name, switch in surveyed.items() if switch.difference])
    if push_site.options.verbose:
        for system in sorted({devices[name].system for name in surveyed}):
            limits = commit_profile_of(reader_of(system).driver).limits
            yield from (f"{PLATFORMS[system].title}: {limit}" for limit in limits)


def _left(push_site: PushSite, devices: Iterable[Device]) -> Iterator[str]:
    """Files that are not pushed, one line per system whatever the roles of its switches."""
    not_pushed: dict[str, set[str]] = {}
    for device in devices:
        not_pushed.setdefault(device.system, set()).update(push_site.goal(device).left)
    for system, files in sorted(not_pushed.items()):
        if files:
            yield f"{PLATFORMS[system].title}: not pushed, install by other means: {', '.join(sorted(files))}"
