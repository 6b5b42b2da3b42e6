"""Conditions for resuming a killed run: the same inventory, approval, configurations and checks."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from fabricgen.base.text import listed
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.preview import terms_of
from fabricgen.operation.push.site import PushSite
from fabricgen.push.act.unfinished_run import RunProgress
from fabricgen.push.journal.detail import texts
from fabricgen.push.journal.journal import JournalReader
from fabricgen.push.model import PlannedSwitch, RunRecord, StepName
from fabricgen.push.plan.approval import Terms, approval_of
from fabricgen.push.plan.site_rules import FILE, INTERRUPTION, changed, lifted

ABANDON = "add --abandon: unconfirmed commits revert by themselves"


def refuse_elsewhere(push_site: PushSite, record: RunRecord) -> None:
    """Raise FabricError if a killed run used another inventory, which has other switches and approvers."""
    run_inventory = record.head.inventory
    if Path(run_inventory).resolve() != push_site.inventory:
        reason = f"its inventory is not -i {push_site.options.inventory}"
        why = f"it was started with -i {run_inventory}: switches of the same names there may be half changed"
        fix = f"use -i {run_inventory} to resume or --abandon it; or use another --journal for this inventory"
        raise FabricError([_unfinished(record.number, reason, why, fix)])


def refuse_other_approval(push_site: PushSite, record: RunRecord) -> None:
    """Raise FabricError if a killed run does not have the given approval."""
    given, approval = push_site.options.approval, record.head.approval
    if given is not None and not approval.startswith(given):
        why, fix = (
            f"it was begun with {approval}, and must be resumed first",
            f"use that approval, or none; or {ABANDON}",
        )
        raise FabricError([_unfinished(record.number, "--approval names another approval", why, fix)])


def refuse_other_intent(push_site: PushSite, record: RunRecord) -> None:
    """Raise FabricError if a killed run had other target configurations than the intent now gives."""
    missing = [planned.device for planned in record.planned if planned.device not in push_site.targets]
    if missing:
        reason, why = f"{missing[0]} is not among the selected switches", "it is resumed with all its switches"
        fix = f"use the same --devices as then, or {ABANDON}"
        raise FabricError([_unfinished(record.number, reason, why, fix)])
    changed_switches = [planned.device for planned in record.planned if not is_same(push_site, planned)]
    if changed_switches:
        why = f"{listed(changed_switches, most=1)} would get other lines now"
        fix = f"resume it with the same intent, or {ABANDON}"
        raise FabricError([_unfinished(record.number, "the intent has changed since", why, fix)])


def is_same(push_site: PushSite, planned: PlannedSwitch) -> bool:
    """Whether a switch would now get the configuration that a killed run had for it."""
    if planned.device not in push_site.targets:
        return False
    return push_site.goal(push_site.devices[planned.device]).digest == planned.artifact


def terms_of_run(push_site: PushSite, record: RunRecord) -> Terms:
    """The terms that a run would have if it were resumed now."""
    undone = (line for event in record.events if event.step is StepName.UNDO for line in texts(event.detail, "lines"))
    return terms_of(push_site, record.planned, undone)


def refuse_other_proof(push_site: PushSite, journal: JournalReader, record: RunRecord) -> None:
    """Raise FabricError if a killed run would be resumed with other checks than it began and was approved with."""
    if RunProgress(record).has_probed not in (None, push_site.options.paths):
        with_ = "without" if push_site.options.paths else "with"
        why = "a wave's packet loss is known only with probes from before the first wave"
        fix = f"repeat it {with_} --paths, or {ABANDON}"
        raise FabricError([_unfinished(record.number, f"was started {with_} --paths", why, fix)])
    terms, approved_terms = terms_of_run(push_site, record), journal.terms(record.head.token)
    present_terms = terms.shown()
    rules = (*changed(approved_terms, present_terms), *lifted(approved_terms, present_terms, datetime.now(UTC)))
    if rules:
        raise FabricError([other_rules(push_site, record.number, rules)])
    if approval_of(record.planned, record.waves, terms, record.started).id != record.head.approval:
        why = (
            "--floor, --quiet-below, --soak or --paths is not the same, or the run is from another release of fabricgen"
        )
        fix = f"use the same options as then, or {ABANDON}"
        raise FabricError([_unfinished(record.number, "the options for its checks differ now", why, fix)])


def other_rules(push_site: PushSite, number: int, rules: Sequence[str]) -> Problem:
    """The problem of a killed run that would be resumed by other rules than it began with, or was signed with."""
    why = (
        f"they are in {push_site.site.folder / FILE}, {INTERRUPTION} in the inventory's data; "
        "a run resumes only with the rules that it started with"
    )
    return _unfinished(
        number, f"the rules of the push have changed: {listed(rules)}", why, f"restore them, or {ABANDON}"
    )


def _unfinished(number: int, reason: str, why: str, fix: str) -> Problem:
    return Problem(code="push-unfinished", what=f"run {number} was interrupted, and {reason}", why=why, fix=fix)
