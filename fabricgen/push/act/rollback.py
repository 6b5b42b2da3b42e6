"""Rollback of one wave: pending commits are reverted, drained switches are undrained."""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field

from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.run_marks import Phase
from fabricgen.push.act.leases import claimed
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.window import Window
from fabricgen.push.model import StageName
from fabricgen.push.plan.approval import fingerprint
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import Candidate, SwitchError

UNSAVED = "it runs the change, but has not saved it: free disk space on it, and save the configuration"
UNKNOWN = "its configuration before the last commit is unknown: check what it runs"
OTHER = "it does not run its previous configuration"
GUESSED = (
    "--against is no longer its previous configuration, so it is not undrained: it may still be drained; push it "
    "again, or push its previous configuration"
)
TRIAL_SECONDS = 60
"""Seconds after which a commit of what a switch is said to have run reverts by itself, unless it proves to be that."""
TYPED = (
    "it was changed manually since it was drained, so it stays drained with these changes; push it, or push its "
    "previous configuration"
)


@dataclass(slots=True)
class Rollback:
    """What a wave has begun and not ended.

    tokens        switch → token of its pending commit, or of one that failed and may have begun there
    committed     switches whose commit ended
    adopted       switches whose commit was made by a killed process
    ran           switch → fingerprint of its configuration before its last commit, where known
    unsaved       switches that could not save what they confirmed
    before_drain  switch → its configuration before it was drained
    out           those of them for which this process confirmed a commit that took them out of service
    guessed       those of them whose process is gone, so that the earlier configuration is the one that --against gives
                  now
    began         switch → fingerprint of its configuration before the run
    known         switch → fingerprints of its configurations by this run, and before; any other was made by hand
    window        manual changes made there while a commit was pending
    changed_before  switches that somebody changed right before our commit → their configuration before that, if known
    """

    window: Window
    tokens: dict[str, str] = field(default_factory=dict)
    committed: set[str] = field(default_factory=set)
    adopted: set[str] = field(default_factory=set)
    ran: dict[str, str] = field(default_factory=dict)
    unsaved: set[str] = field(default_factory=set)
    before_drain: dict[str, Candidate] = field(default_factory=dict)
    out: set[str] = field(default_factory=set)
    guessed: set[str] = field(default_factory=set)
    began: Mapping[str, str] = field(default_factory=dict)
    known: Mapping[str, AbstractSet[str]] = field(default_factory=dict)
    changed_before: dict[str, str | None] = field(default_factory=dict)


def go_back(
    steps: RunSteps, rollback: Rollback, message: str, settled: Callable[[str], None], claim: RunClaim | None = None
) -> None:
    """Revert and undrain. A failure here is reported, and left to the switch. message: of the commits of the undrain.

    settled  called with each switch that runs its earlier configuration again; the journal may be unable to record it

    A switch that another run has taken over is not undrained: that run decides its configuration.
    """
    tokens = dict(rollback.tokens)

    def revert(switch: SwitchConnection) -> str:
        was_pending = _ended(switch, rollback, tokens[switch.name])
        running = switch.running()
        differs = rollback.ran.get(switch.name) != fingerprint(running)
        # If its commit was no longer pending, somebody or its timer ended it: it is unknown whether the change is gone.
        if differs and not (was_pending and switch.name in rollback.changed_before):
            raise SwitchError(*_unlike(rollback, switch.name))
        if differs and switch.name not in rollback.out | rollback.guessed:
            rollback.before_drain.pop(
                switch.name, None
            )  # it was not taken out of service, so there is nothing to undrain
        if switch.name not in rollback.before_drain:
            with suppress(FabricError):  # a full disk must not keep a switch drained
                settled(switch.name)
        result = "reverted: it runs its previous configuration" if was_pending else "nothing was left to revert"
        return result + (
            rollback.window.changes_before(switch, rollback.changed_before[switch.name], running) if differs else ""
        )

    steps.undo("", tokens, revert)
    rollback.tokens.clear()

    def undrain(switch: SwitchConnection) -> str:
        _undrained(switch, rollback, message, claim)
        with suppress(FabricError):
            settled(switch.name)
        return "undrained: it runs its previous configuration"

    steps.undo(StageName.DRAIN, tuple(rollback.before_drain), undrain)


def _undrained(switch: SwitchConnection, rollback: Rollback, message: str, claim: RunClaim | None) -> None:
    """Restore a switch's configuration from before its drain. Raises SwitchError if it fails, or must not be done."""
    candidate, is_guessed = rollback.before_drain[switch.name], switch.name in rollback.guessed
    claimed(switch, claim)
    if not switch.compare(candidate):
        if is_guessed and fingerprint(switch.running()) != rollback.began[switch.name]:
            raise SwitchError("differs", GUESSED)
        return
    if fingerprint(switch.running()) not in rollback.known[switch.name]:
        raise SwitchError("moved", TYPED)
    token = switch.load(candidate, f"{message} {switch.name} back")
    if is_guessed:
        _try(switch, token, rollback.began[switch.name])
        return
    switch.commit(None)
    if fingerprint(switch.running()) != rollback.began[switch.name]:
        raise SwitchError("differs", OTHER)


def _try(switch: SwitchConnection, token: str, fingerprint_before: str) -> None:
    """Commit what a switch is said to have run; keep it if it is that. Raises SwitchError `differs`, `unable`."""
    if not switch.profile.timed:
        raise SwitchError("unable", GUESSED)
    switch.commit(TRIAL_SECONDS)
    if fingerprint(switch.running()) != fingerprint_before:
        switch.revert(token)
        raise SwitchError("differs", GUESSED)
    switch.confirm(token)


def _unlike(rollback: Rollback, name: str) -> tuple[str, str]:
    """Kind and reason of a switch that is not seen to run its configuration from before its last commit."""
    if name in rollback.unsaved:
        return "unsaved", UNSAVED
    return "differs", OTHER if name in rollback.ran else UNKNOWN


def _ended(switch: SwitchConnection, rollback: Rollback, token: str) -> bool:
    """Revert the pending commit with this token, and record lost manual changes. Return whether there was one."""
    # From its beginning on: a commit whose client broke off reverts only at the end of its timer.
    armed = switch.run_marks().armed
    is_armed = armed is not None and armed.token == token
    was_pending = is_armed if switch.profile.timed else switch.name in rollback.committed
    if was_pending:
        with rollback.window.reverting(switch, is_whole=armed is None or armed.phase is Phase.WAITS):
            switch.revert(token)
    elif switch.name in rollback.committed | rollback.adopted:  # it was pending, by this process or the killed one
        rollback.window.note_unseen(switch.name)
    return was_pending
