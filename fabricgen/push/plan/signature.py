"""Who may approve a push, and for how long: OpenSSH signatures (ssh-keygen(1), `-Y`; PROTOCOL.sshsig) and an age.

The inventory configures it in `defaults.yaml`: `data: {approval: {signers: allowed_signers, hours: 8}}`, either or
both.
"""

import json
import re
import subprocess
from collections.abc import Collection, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.push.model import Approval

NAMESPACE = "fabricgen-push"
"""Namespace of the signatures: one that was made for mail or git is rejected."""

KEY = "approval"
SECONDS = 30
SKEW = timedelta(minutes=1)
"""Allowed clock difference of two hosts that share a journal."""
SIGN = f"ssh-keygen -Y sign -n {NAMESPACE} -f KEY"


_HOURS = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
"""In YAML as read here, a number with a decimal point is text."""


class SignaturePolicy(NamedTuple):
    """signers: file of allowed signers for ssh-keygen; hours: maximum age of an approval. None: not required."""

    signers: Path | None
    hours: float | None


def policy_of(folder: Path, data: Mapping[str, object]) -> SignaturePolicy:
    """The policy of an inventory. Raises FabricError for an invalid value: a slip must not disable it."""
    policy = data.get(KEY, {})
    if not isinstance(policy, dict) or policy.keys() - {"signers", "hours"}:
        raise FabricError([_bad(folder, f"data.{KEY} has the keys signers and hours")])
    signers, hours = policy.get("signers"), policy.get("hours")
    if signers is not None and (not isinstance(signers, str) or not (folder / signers).is_file()):
        raise FabricError([_bad(folder, f"data.{KEY}.signers is not a file below the inventory: {signers}")])
    if hours is not None and not (_HOURS.fullmatch(str(hours)) and float(str(hours)) > 0):
        raise FabricError([_bad(folder, f"data.{KEY}.hours is not a number of hours: {hours}")])
    return SignaturePolicy(
        folder / signers if isinstance(signers, str) else None, None if hours is None else float(str(hours))
    )


def _bad(folder: Path, fault: str) -> Problem:
    return Problem(
        code="approval-policy",
        what=fault,
        why=f"{folder}/defaults.yaml has the approvers and the validity of an approval",
        fix=f"write data: {{{KEY}: {{signers: allowed_signers, hours: 8}}}}, or remove the key",
    )


def statement(approval: Approval, inventory: Path) -> str:
    """The text to sign: the approval, its inventory, time and terms, and digests of each switch's configurations.

    inventory  its folder, resolved
    """
    rows = (f"{name} {before} {artifact}\n" for name, (before, artifact) in sorted(approval.switches.items()))
    inventory_line = f"inventory {json.dumps(str(inventory))}"
    terms_line = f"terms {json.dumps(approval.terms, sort_keys=True)}"
    head = f"fabricgen push approval {approval.id}\n{inventory_line}\nshown {approval.at.isoformat()}\n{terms_line}\n"
    return f"{head}{''.join(rows)}"


def expired(approval: Approval, policy: SignaturePolicy, now: datetime) -> tuple[Problem, ...]:
    """The problem of an approval that is too old, or dated in the future; none of any other."""
    if policy.hours is None or -SKEW <= now - approval.at <= timedelta(hours=policy.hours):
        return ()
    is_old = now > approval.at
    validity = f"approvals are valid for {policy.hours:g} hours in this inventory"
    problem = Problem(
        code="approval-expired",
        what=f"approval {approval.id} is of {approval.at:%Y-%m-%d %H:%M} UTC{'' if is_old else ', in the future'}",
        why=validity
        if is_old
        else f"{validity}, and this one would be valid for longer: a clock was wrong then, or is now",
        fix="run the push without --commit and --approval, and have the new dry run approved",
    )
    return (problem,)


def signer_of(approval: Approval, inventory: Path, signature: Path, signers: Path, users: Collection[str]) -> str:
    """Name of the person who signed an approval of this inventory.

    Raises FabricError if only the pushing user did, or nobody.

    users  names of that user, in any case
    """
    if not signature.is_file():
        raise FabricError([_unsigned(approval, f"there is no {signature}")])
    names = _keygen("find-principals", "-s", str(signature), "-f", str(signers)).strip().splitlines()
    signer_names = [name for line in names for name in line.split(",") if name]
    user_names = {user.casefold() for user in users}
    own_names = [name for name in signer_names if user_names & {name.casefold(), name.partition("@")[0].casefold()}]
    if own_names:
        raise FabricError(
            [_unsigned(approval, f"{signature} is from {own_names[0]}, who runs the push: another person has to sign")]
        )
    for name in signer_names:
        options = ("-f", str(signers), "-I", name, "-n", NAMESPACE, "-s", str(signature))
        if _keygen("verify", *options, text=statement(approval, inventory)):
            return name
    raise FabricError(
        [_unsigned(approval, f"{signature} is not a signature of this approval by a signer in {signers}")]
    )


def _keygen(action: str, *words: str, text: str = "") -> str:
    """Output of ssh-keygen; empty if it failed."""
    command = ["ssh-keygen", "-Y", action, *words]
    try:
        process = subprocess.run(  # noqa: S603 - words of our own and paths
            command, input=text, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise FabricError.of(
            code="approval-keygen",
            what="the signature cannot be checked",
            why=f"ssh-keygen: {error}",
            fix="install OpenSSH 8.2 or later on this machine",
        ) from None
    return process.stdout if process.returncode == 0 else ""


def _unsigned(approval: Approval, reason: str) -> Problem:
    return Problem(
        code="approval-unsigned",
        what=f"approval {approval.id} is not signed by a second person",
        why=reason,
        fix=f"ask one of the signers to run: {SIGN} approval-{approval.id}.txt",
    )
