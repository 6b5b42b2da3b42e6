"""The way back of one wave: what waits is reverted, what was drained comes back into service."""

from collections.abc import Callable, Mapping
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass, field

from fabricgen.errors import FabricError
from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.standing import Phase
from fabricgen.push.act.leases import claimed
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.window import Window
from fabricgen.push.model import StageName
from fabricgen.push.plan.approval import fingerprint
from fabricgen.push.switch.switch import Candidate, SwitchConnection, SwitchError

UNSAVED = "it runs the change, which is not saved: make room there, and save it"
UNKNOWN = "what it ran before its last commit is not known: look at what it runs"
OTHER = "it does not run what it ran before"
GUESSED = (
    "what --against says now is not what it ran before, so that it is not led back: it may be drained still; push it "
    "again, or what it ran"
)
TRIAL_SECONDS = 60
"""A commit of what somebody says that a switch ran reverts by itself behind so many, unless it is seen to be that."""
TYPED = "somebody has changed it since it was drained: it stays so, with what was typed there; push it, or what it ran"


@dataclass(slots=True)
class Rollback:
    """What a wave has begun and not ended.

    tokens        switch → token of its commit that waits, or that failed and may have begun there
    committed     switches whose commit ended
    adopted       switches whose commit is one of a killed process
    ran           switch → fingerprint of what it ran before its last commit, where that is known
    unsaved       switches that could not save what they confirmed
    before_drain  switch → what it ran before it was drained
    out           those of them of which a commit that led them out of service was confirmed by this process
    guessed       those of them whose process is gone, so that what they ran is what somebody says now
    began         switch → fingerprint of what it ran before the run
    known         switch → fingerprints of what it ran by this run, and before; another one is somebody's hand
    window        what hands did there while a commit waited
    beside        switches that somebody changed right before our commit → what they ran before that, where it is known
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
    beside: dict[str, str | None] = field(default_factory=dict)


def go_back(
    steps: RunSteps, held: Rollback, message: str, settled: Callable[[str], None], claim: RunClaim | None = None
) -> None:
    """Revert and undrain; what fails here is told, and left to the switch. message: of the commits of it.

    settled  is told of each switch that runs again what it ran before, as far as the journal still takes it

    A switch that another run has taken over meanwhile is not undrained: it is that one's to say what it runs.
    """
    tokens = dict(held.tokens)

    def revert(box: SwitchConnection) -> str:
        waits = _ended(box, held, tokens[box.name])
        runs = box.running()
        beside = held.ran.get(box.name) != fingerprint(runs)
        # Where its commit did not wait any more, somebody or its timer ended it: nothing tells that the change is gone.
        if beside and not (waits and box.name in held.beside):
            raise SwitchError(*_unlike(held, box.name))
        if beside and box.name not in held.out | held.guessed:
            held.before_drain.pop(box.name, None)  # it was not led out of service: there is no way back to go
        if box.name not in held.before_drain:
            with suppress(FabricError):  # a disk that is full keeps no switch drained
                settled(box.name)
        told = "reverted: it runs what it ran before" if waits else "nothing of it was left there"
        return told + (held.window.beside(box, held.beside[box.name], runs) if beside else "")

    steps.undo("", tokens, revert)
    held.tokens.clear()

    def undrain(box: SwitchConnection) -> str:
        _undrained(box, held, message, claim)
        with suppress(FabricError):
            settled(box.name)
        return "undrained: it runs what it ran before"

    steps.undo(StageName.DRAIN, tuple(held.before_drain), undrain)


def _undrained(box: SwitchConnection, held: Rollback, message: str, claim: RunClaim | None) -> None:
    """Have a switch run what it ran before it was drained. Raises BoxError where it does not, or is not to."""
    candidate, is_guessed = held.before_drain[box.name], box.name in held.guessed
    claimed(box, claim)
    if not box.compare(candidate):
        if is_guessed and fingerprint(box.running()) != held.began[box.name]:
            raise SwitchError("differs", GUESSED)
        return
    if fingerprint(box.running()) not in held.known[box.name]:
        raise SwitchError("moved", TYPED)
    token = box.load(candidate, f"{message} {box.name} back")
    if is_guessed:
        _try(box, token, held.began[box.name])
        return
    box.commit(None)
    if fingerprint(box.running()) != held.began[box.name]:
        raise SwitchError("differs", OTHER)


def _try(box: SwitchConnection, token: str, began: str) -> None:
    """Commit what a switch is said to have run, and keep it where it is that. Raises BoxError `differs`, `unable`."""
    if not box.profile.timed:
        raise SwitchError("unable", GUESSED)
    box.commit(TRIAL_SECONDS)
    if fingerprint(box.running()) != began:
        box.revert(token)
        raise SwitchError("differs", GUESSED)
    box.confirm(token)


def _unlike(held: Rollback, name: str) -> tuple[str, str]:
    """Kind and words of a switch that is not seen to run what it ran before its last commit."""
    if name in held.unsaved:
        return "unsaved", UNSAVED
    return "differs", OTHER if name in held.ran else UNKNOWN


def _ended(box: SwitchConnection, held: Rollback, token: str) -> bool:
    """Revert what waits there by this token, and keep what that undoes of a hand; whether there was something."""
    # From its beginning on: one whose client broke off reverts by itself only at the end of its time.
    armed = box.standing().armed
    is_armed = armed is not None and armed.token == token
    waits = is_armed if box.profile.timed else box.name in held.committed
    if waits:
        with held.window.over(box, is_whole=armed is None or armed.phase is Phase.WAITS):
            box.revert(token)
    elif box.name in held.committed | held.adopted:  # it waited: by this process, or the killed one
        held.window.missed(box.name)
    return waits
