"""The approval of a push: kept by a dry run, and held against what a commit would do, who signed it, and its age."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from fabricgen.cli.push.operator import accounts
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.preview import Preview
from fabricgen.operation.push.resume import other_rules, terms_of_run
from fabricgen.operation.push.site import PushSite
from fabricgen.push.journal.journal import Journal
from fabricgen.push.model import Approval, RunRecord
from fabricgen.push.plan.approval import moved
from fabricgen.push.plan.impact import few
from fabricgen.push.plan.signature import SIGN, SignaturePolicy, expired, policy_of, signer_of, statement
from fabricgen.push.plan.site_rules import FILE, INTERRUPTION, as_approved, changed, lifted


def keep_approval(ground: PushSite, journal: Journal, shown: Preview) -> None:
    """Keep what a dry run shows, and write what is to be signed where the inventory asks for that.

    The same that was shown before keeps its age and its signature, until it is too old or a freeze of it is lifted.
    """
    policy, terms, now = _policy(ground), shown.approval.terms, datetime.now(UTC)
    kept = journal.approval(shown.approval.id)
    if kept is None or expired(kept, policy, now) or any(lifted(kept.terms, terms, now)):
        journal.approve(shown.approval)
        kept = shown.approval
    kept = kept._replace(terms=as_approved(kept.terms, terms))
    if policy.signers is None:
        return
    path = _text(ground, kept)
    try:
        path.write_text(statement(kept, ground.inventory), encoding="utf-8")
    except OSError as error:
        problem = Problem(
            code="approval-write",
            what=f"{path} cannot be written",
            why=error.strerror or str(error),
            fix="free disk space, correct the permissions, or use another --journal",
        )
        raise FabricError([problem]) from None
    click.echo(f"a second person approves it with: {SIGN} {path}", err=True)


def check_approval(ground: PushSite, journal: Journal, shown: Preview) -> str:
    """Who signed what is to be committed; empty where the inventory asks for no signature. Raises FabricError."""
    options, policy = ground.options, _policy(ground)
    if not options.commit or not shown.planned:
        return ""
    if options.approval is None:
        if policy != SignaturePolicy(None, None):
            raise FabricError([_missing(ground)])
        return ""
    approval = journal.approval(options.approval)
    if approval is None:
        raise FabricError([_unknown(ground)])
    problems = moved(approval, {one.device: (one.before, one.artifact) for one in shown.planned})
    problems = problems or _other(ground, approval, shown.approval)
    problems = problems or expired(approval, policy, datetime.now(UTC))
    if problems:
        raise FabricError(problems)
    return _signer(ground, approval._replace(terms=as_approved(approval.terms, shown.approval.terms)))


def check_begun(ground: PushSite, journal: Journal, record: RunRecord) -> None:
    """Raise FabricError where a killed run is to go on that nobody signed, and the inventory asks for that.

    Who types a push may write to its journal: a run that stands there unfinished is no proof that it was begun.
    """
    if _policy(ground).signers is None:
        return
    approval = journal.approval(record.head.approval)
    begun = {one.device: (one.before, one.artifact) for one in record.planned}
    if approval is None or approval.switches != begun:
        raise FabricError([_never_shown(ground, record)])
    terms = terms_of_run(ground, record).shown()
    if found := tuple(lifted(approval.terms, terms, datetime.now(UTC))):
        raise FabricError([other_rules(ground, record.number, found)])
    _signer(ground, approval._replace(terms=as_approved(approval.terms, terms)))


def _signer(ground: PushSite, approval: Approval) -> str:
    """Who signed it; empty where the inventory asks for no signature. Raises FabricError."""
    signers = _policy(ground).signers
    if signers is None:
        return ""
    signature = ground.options.signature or Path(f"{_text(ground, approval)}.sig")
    return signer_of(approval, ground.inventory, signature, signers, accounts())


def _policy(ground: PushSite) -> SignaturePolicy:
    return policy_of(ground.site.folder, ground.site.nornir.defaults.data)


def _text(ground: PushSite, approval: Approval) -> Path:
    """What is signed, beside the journal; ssh-keygen writes the signature behind it."""
    return ground.options.journal_path.with_name(f"approval-{approval.id}.txt")


def _missing(ground: PushSite) -> Problem:
    return Problem(
        code="approval-missing",
        what="this inventory requires an approval before --commit",
        why=f"{ground.site.folder}/defaults.yaml requires it in data.approval",
        fix="run it without --commit, have that approved, and add --approval with the id that it prints",
    )


def _unknown(ground: PushSite) -> Problem:
    return Problem(
        code="approval-unknown",
        what=f"no dry run in {ground.options.journal_path} has the approval {ground.options.approval}",
        why="approvals are kept in the journal of the dry run",
        fix="run the push without --commit, then use the approval that it prints",
    )


def _never_shown(ground: PushSite, record: RunRecord) -> Problem:
    return Problem(
        code="approval-unsigned",
        what=f"run {record.number} was interrupted, and its approval {record.head.approval} is of no dry run",
        why=f"{ground.site.folder}/defaults.yaml requires a second person, and {ground.options.journal_path} has "
        "nothing that one could have signed",
        fix="add --abandon: unconfirmed commits revert by themselves",
    )


def _other(ground: PushSite, approval: Approval, now: Approval) -> tuple[Problem, ...]:
    """The problem of a push that would go otherwise than was approved, with the rules of it where those are known."""
    found = (*changed(approval.terms, now.terms), *lifted(approval.terms, now.terms, datetime.now(UTC)))
    if found:
        return (_other_rules(ground, found),)
    return (_other_waves(),) if approval.id != now.id else ()


def _other_rules(ground: PushSite, found: Sequence[str]) -> Problem:
    return Problem(
        code="approval-rules",
        what=f"the rules of the push differ from the approved ones: {few(found)}",
        why=f"they are in {ground.site.folder / FILE}, {INTERRUPTION} in the inventory's data; "
        "they are part of what is approved and signed",
        fix="restore them; or run the push without --commit and --approval, and have that approved",
    )


def _other_waves() -> Problem:
    return Problem(
        code="approval-waves",
        what="switches, waves or checks differ from the approved dry run",
        why="another inventory, --floor, --quiet-below, --soak, --paths, --undo, --wave, --together, --workers, "
        "--devices, --against, --accept-loss or list of hosts decides otherwise",
        fix="repeat all options of the dry run, with --commit --approval; or have a new one approved",
    )
