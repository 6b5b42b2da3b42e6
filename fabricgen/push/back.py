"""The way back of one wave: what waits is reverted, what was drained comes back into service."""

from dataclasses import dataclass, field

from fabricgen.push.approval import fingerprint
from fabricgen.push.box import Box, BoxError, Candidate
from fabricgen.push.model import StageName
from fabricgen.push.steps import Steps

UNSAVED = "it runs the change, which is not saved: make room there, and save it"
OTHER = "it does not run what it ran before"


@dataclass(slots=True)
class Held:
    """What a wave has begun and not ended.

    tokens        switch → token of its commit that waits, or that failed and may have begun there
    committed     switches whose commit ended
    ran           switch → fingerprint of what it ran before its last commit
    unsaved       switches that could not save what they confirmed
    before_drain  switch → what it ran before it was drained
    """

    tokens: dict[str, str] = field(default_factory=dict)
    committed: set[str] = field(default_factory=set)
    ran: dict[str, str] = field(default_factory=dict)
    unsaved: set[str] = field(default_factory=set)
    before_drain: dict[str, Candidate] = field(default_factory=dict)


def go_back(steps: Steps, held: Held, message: str) -> None:
    """Revert and undrain; what fails here is told, and left to the switch. message: of the commits of it."""
    tokens = dict(held.tokens)

    def revert(box: Box) -> str:
        waits = box.pending() == tokens[box.name] if box.manner.timed else box.name in held.committed
        if waits:
            box.revert(tokens[box.name])
        if held.ran.get(box.name) not in (None, fingerprint(box.running())):
            raise BoxError("lost", UNSAVED if box.name in held.unsaved else OTHER)
        return "reverted: it runs what it ran before" if waits else "nothing of it was left there"

    steps.undo("", tokens, revert)
    held.tokens.clear()

    def undrain(box: Box) -> str:
        candidate = held.before_drain[box.name]
        if box.compare(candidate):
            box.load(candidate, f"{message} {box.name} back")
            box.commit(None)
        return "undrained: it runs what it ran before"

    steps.undo(StageName.DRAIN, tuple(held.before_drain), undrain)
