"""The approval of a push: saved by a dry run, and compared with a commit; its signature and its age."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from fabricgen.base.text import listed
from fabricgen.cli.push.operator import accounts
from fabricgen.errors import FabricError, Problem
from fabricgen.operation.push.preview import Preview
from fabricgen.operation.push.resume import other_rules, terms_of_run
from fabricgen.operation.push.site import PushSite
from fabricgen.push.journal.journal import Journal
from fabricgen.push.model import Approval, RunRecord
from fabricgen.push.plan.approval import moved
from fabricgen.push.plan.signature import SIGN, SignaturePolicy, expired, policy_of, signer_of, statement
from fabricgen.push.plan.site_rules import FILE, INTERRUPTION, as_approved, changed, lifted


def keep_approval(push_site: PushSite, journal: Journal, shown: Preview) -> None:
    """Save the approval of a dry run, and write the text to sign if the inventory requires a signature.

    The same approval keeps its age and signature until it expires or a freeze of it is lifted.
    """
    policy, terms, now = _policy(push_site), shown.approval.terms, datetime.now(UTC)
    stored = journal.approval(shown.approval.id)
    if stored is None or expired(stored, policy, now) or any(lifted(stored.terms, terms, now)):
        journal.approve(shown.approval)
        stored = shown.approval
    stored = stored._replace(terms=as_approved(stored.terms, terms))
    if policy.signers is None:
        return
    path = _text(push_site, stored)
    try:
        path.write_text(statement(stored, push_site.inventory), encoding="utf-8")
    except OSError as error:
        raise FabricError.of(
            code="approval-write",
            what=f"{path} cannot be written",
            why=error.strerror or str(error),
            fix="free disk space, correct the permissions, or use another --journal",
        ) from None
    click.echo(f"a second person approves it with: {SIGN} {path}", err=True)


def check_approval(push_site: PushSite, journal: Journal, shown: Preview) -> str:
    """Signer of the changes to commit; empty where the inventory requires no signature. Raises FabricError."""
    options, policy = push_site.options, _policy(push_site)
    if not options.commit or not shown.planned:
        return ""
    if options.approval is None:
        if policy != SignaturePolicy(None, None):
            raise FabricError.of(
                code="approval-missing",
                what="this inventory requires an approval before --commit",
                why=f"{push_site.site.folder}/defaults.yaml requires it in data.approval",
                fix="run it without --commit, have that approved, and add --approval with the id that it prints",
            )
        return ""
    approval = journal.approval(options.approval)
    if approval is None:
        raise FabricError.of(
            code="approval-unknown",
            what=f"no dry run in {push_site.options.journal_path} has the approval {push_site.options.approval}",
            why="approvals are kept in the journal of the dry run",
            fix="run the push without --commit, then use the approval that it prints",
        )
    problems = moved(approval, {switch.device: (switch.before, switch.artifact) for switch in shown.planned})
    problems = problems or _other(push_site, approval, shown.approval)
    problems = problems or expired(approval, policy, datetime.now(UTC))
    if problems:
        raise FabricError(problems)
    return _signer(push_site, approval._replace(terms=as_approved(approval.terms, shown.approval.terms)))


def check_begun(push_site: PushSite, journal: Journal, record: RunRecord) -> None:
    """Raise FabricError if a killed run to resume was not signed, and the inventory requires a signature.

    A user who pushes may also write to the journal: an unfinished run in it does not prove that it was approved.
    """
    if _policy(push_site).signers is None:
        return
    approval = journal.approval(record.head.approval)
    begun = {switch.device: (switch.before, switch.artifact) for switch in record.planned}
    if approval is None or approval.switches != begun:
        raise FabricError.of(
            code="approval-unsigned",
            what=f"run {record.number} was interrupted, and its approval {record.head.approval} is not from a dry run",
            why=f"{push_site.site.folder}/defaults.yaml requires a second person, and {push_site.options.journal_path} "
            "has no dry run that could have been signed",
            fix="add --abandon: unconfirmed commits revert by themselves",
        )
    terms = terms_of_run(push_site, record).shown()
    if lifted_rules := tuple(lifted(approval.terms, terms, datetime.now(UTC))):
        raise FabricError([other_rules(push_site, record.number, lifted_rules)])
    _signer(push_site, approval._replace(terms=as_approved(approval.terms, terms)))


def _signer(push_site: PushSite, approval: Approval) -> str:
    """Signer of an approval; empty where the inventory requires no signature. Raises FabricError."""
    signers = _policy(push_site).signers
    if signers is None:
        return ""
    signature = push_site.options.signature or Path(f"{_text(push_site, approval)}.sig")
    return signer_of(approval, push_site.inventory, signature, signers, accounts())


def _policy(push_site: PushSite) -> SignaturePolicy:
    return policy_of(push_site.site.folder, push_site.site.nornir.defaults.data)


def _text(push_site: PushSite, approval: Approval) -> Path:
    """File to sign, next to the journal; ssh-keygen adds .sig for the signature."""
    return push_site.options.journal_path.with_name(f"approval-{approval.id}.txt")


def _other(push_site: PushSite, approval: Approval, now: Approval) -> tuple[Problem, ...]:
    """Problem of a push that differs from the approved one, with the changed rules if they are known."""
    differences = (*changed(approval.terms, now.terms), *lifted(approval.terms, now.terms, datetime.now(UTC)))
    if differences:
        return (_other_rules(push_site, differences),)
    return (_other_waves(),) if approval.id != now.id else ()


def _other_rules(push_site: PushSite, differences: Sequence[str]) -> Problem:
    return Problem(
        code="approval-rules",
        what=f"the rules of the push differ from the approved ones: {listed(differences)}",
        why=f"they are in {push_site.site.folder / FILE}, {INTERRUPTION} in the inventory's data; "
        "they are part of what is approved and signed",
        fix="restore them; or run the push without --commit and --approval, and have that approved",
    )


def _other_waves() -> Problem:
    return Problem(
        code="approval-waves",
        what="switches, waves or checks differ from the approved dry run",
        why="one of these is different: the inventory, --floor, --quiet-below, --soak, --paths, --undo, --wave, "
        "--together, --workers, "
        "--devices, --against, --accept-loss or the list of drained hosts",
        fix="repeat all options of the dry run, with --commit --approval; or have a new one approved",
    )
