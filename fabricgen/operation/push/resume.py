"""Conditions for resuming a killed run: the same inventory and the same checks."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from fabricgen.base.text import listed
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.preview import terms_of
from fabricgen.operation.push.site import PushSite
from fabricgen.push.act.unfinished_run import RunProgress
from fabricgen.push.journal.journal import JournalReader
from fabricgen.push.model import RunRecord, StepName
from fabricgen.push.plan.approval import Terms, approval_of
from fabricgen.push.plan.site_rules import FILE, INTERRUPTION, changed, lifted


def refuse_elsewhere(push_site: PushSite, record: RunRecord) -> None:
    """Raise FabricError if a killed run used another inventory, which has other switches and approvers."""
    run_inventory = record.head.inventory
    if Path(run_inventory).resolve() == push_site.inventory:
        return
    problem = Problem(
        code="push-unfinished",
        what=f"run {record.number} was interrupted, and its inventory is not -i {push_site.options.inventory}",
        why=f"it was started with -i {run_inventory}: switches of the same names there may be half changed",
        fix=f"use -i {run_inventory} to resume or --abandon it; or use another --journal for this inventory",
    )
    raise FabricError([problem])


def terms_of_run(push_site: PushSite, record: RunRecord) -> Terms:
    """The terms that a run would have if it were resumed now."""
    undone_lists = (event.detail.get("lines") for event in record.events if event.step is StepName.UNDO)
    return terms_of(
        push_site,
        record.planned,
        tuple(str(line) for lines in undone_lists if isinstance(lines, list) for line in lines),
    )


def refuse_other_proof(push_site: PushSite, journal: JournalReader, record: RunRecord) -> None:
    """Raise FabricError if a killed run would be resumed with other checks than it began and was approved with."""
    if RunProgress(record).has_probed not in (None, push_site.options.paths):
        raise FabricError([_other_paths(record.number, is_probed=not push_site.options.paths)])
    terms, approved_terms = terms_of_run(push_site, record), journal.terms(record.head.token)
    present_terms = terms.shown()
    rules = (*changed(approved_terms, present_terms), *lifted(approved_terms, present_terms, datetime.now(UTC)))
    if rules:
        raise FabricError([other_rules(push_site, record.number, rules)])
    if approval_of(record.planned, record.waves, terms, record.started).id == record.head.approval:
        return
    problem = Problem(
        code="push-unfinished",
        what=f"run {record.number} was interrupted, and the options for its checks differ now",
        why="--floor, --quiet-below, --soak or --paths is not the same, or the run is from another release of "
        "fabricgen",
        fix="use the same options as then, or add --abandon: unconfirmed commits revert by themselves",
    )
    raise FabricError([problem])


def other_rules(push_site: PushSite, number: int, rules: Sequence[str]) -> Problem:
    """The problem of a killed run that would be resumed by other rules than it began with, or was signed with."""
    return Problem(
        code="push-unfinished",
        what=f"run {number} was interrupted, and the rules of the push have changed: {listed(rules)}",
        why=f"they are in {push_site.site.folder / FILE}, {INTERRUPTION} in the inventory's data; "
        "a run resumes only with the rules that it started with",
        fix="restore them, or add --abandon: unconfirmed commits revert by themselves",
    )


def _other_paths(number: int, *, is_probed: bool) -> Problem:
    with_ = "with" if is_probed else "without"
    return Problem(
        code="push-unfinished",
        what=f"run {number} was interrupted, and was started {with_} --paths",
        why="a wave's packet loss is known only with probes from before the first wave",
        fix=f"repeat it {with_} --paths, or add --abandon: unconfirmed commits revert by themselves",
    )
