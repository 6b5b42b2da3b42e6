"""What a push is made of: switches to change, stages of each, waves, and what the journal keeps. Nothing here acts."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.platforms.base.cost import Risk


class SwitchToChange(NamedTuple):
    """One switch that is to change.

    name, fabric, role, system  of its Device
    risk      of the change while it is made
    why       what the risk rests on, in words: "2 lines that no table knows"
    """

    name: str
    fabric: str
    role: str
    system: str
    risk: Risk
    why: str


class Need(StrEnum):
    """How a switch may be changed.

    PLAIN     at once: nothing is lost
    DRAIN     after its traffic has gone another way
    ABSENT    at once: no server stands behind it, by the intent
    IDLE      at once: the hosts behind it are drained, by the list given
    ACCEPTED  at once: somebody accepts the loss, by name
    """

    PLAIN = "plain"
    DRAIN = "drain"
    ABSENT = "absent"
    IDLE = "idle"
    ACCEPTED = "accepted"


class Decision(NamedTuple):
    """What was decided of one switch, and why, in one sentence for a report."""

    subject: SwitchToChange
    need: Need
    why: str


class Wave(NamedTuple):
    """Switches that change at the same time; of one fabric, role and system.

    number  from 1
    canary  the first of its kind, alone
    keeps   least share of its uplinks that any switch below them has left while all of them are away; 1 where none
            of them has others below
    """

    number: int
    fabric: str
    role: str
    canary: bool
    devices: tuple[str, ...]
    keeps: Fraction


class StageName(StrEnum):
    """Parts of the change of one switch, each a timed commit that is proven and confirmed.

    MARK     of a leaf: what it runs, its sessions drained, its servers' ports as they are
    DRAIN    the drained maps at the sessions that stand, merged into what runs; of a leaf what it runs, drained
    CHANGE   the rendered configuration; of a switch that was drained first, that of its drained Device
    PORTS    of a leaf: the rendered configuration, its sessions still drained, its servers' ports in use again
    UNDRAIN  the rendered configuration, after CHANGE while drained
    """

    MARK = "mark"
    DRAIN = "drain"
    CHANGE = "change"
    PORTS = "ports"
    UNDRAIN = "undrain"


class StepName(StrEnum):
    """What the journal tells of one switch, in order. Those of a stage come again for each stage.

    APPROVE  of the whole run: who signed its approval
    COUNTERS  of a wave: what ports counted, against before
    PATHS    of a wave, or before all: which equal-cost paths lose packets
    UNDO     of the whole run: which lines that somebody typed by hand it undoes, by name;
             of a switch: which ones a revert undid
    FORECAST  of the whole run: how long it was to take, as it began
    RESUME   of the whole run: it was killed, and the same command was typed again
    """

    APPROVE = "approve"
    READ = "read"
    LOAD = "load"
    COMMIT = "commit"
    QUIET = "quiet"
    CHECK = "check"
    COMPARE = "compare"
    COUNTERS = "counters"
    PATHS = "paths"
    CONFIRM = "confirm"
    REVERT = "revert"
    FREEZE = "freeze"
    HOOK = "hook"
    UNDO = "undo"
    FORECAST = "forecast"
    RESUME = "resume"
    SOAK = "soak"
    DONE = "done"


class StepState(StrEnum):
    """How far a step is. BEGUN is written before anything is done, the others after."""

    BEGUN = "begun"
    ENDED = "ended"
    FAILED = "failed"


class RunOutcome(StrEnum):
    """How a run ended.

    DONE         every switch that was to change runs what was rendered, and the checks hold
    STOPPED      it was stopped before the next switch: by a person, a freeze, the end of its time, or a hook
    FAILED       something failed: what had been committed and not confirmed was reverted, as far as the switch answered
    ABANDONED    another run took its place
    """

    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    ABANDONED = "abandoned"


class PlannedSwitch(NamedTuple):
    """One switch of a run, as the journal keeps it.

    wave       its wave's number
    need, why, risk  as decided; risk in words
    before     fingerprint of what ran when the run was planned, without secrets
    artifact   SHA-256, in hexadecimal, of what is to run, before secrets are put in
    difference what a commit would change, in the driver's words, secrets masked
    accepted   somebody accepts its loss by name, whether or not it is drained first
    """

    device: str
    wave: int
    need: Need
    why: str
    risk: str
    before: str
    artifact: str
    difference: str
    accepted: bool = False


class Head(NamedTuple):
    """A run, as the journal keeps it.

    token      hexadecimal; in the message of each of its commits
    approval   what was approved, a digest; see push/plan/approval.py
    who        user@host
    """

    token: str
    intent: str
    inventory: str
    approval: str
    who: str


class Event(NamedTuple):
    """One line of the journal.

    at      UTC
    device  empty for the whole run
    stage   empty outside of stages
    detail  JSON: what the step needs again, or what it saw; never a secret
    """

    at: datetime
    device: str
    stage: str
    step: StepName
    how: StepState
    detail: Mapping[str, object]


class Took(NamedTuple):
    """What one step on one switch took. seconds: from its beginning to its end."""

    device: str
    step: StepName
    seconds: float


class RunRecord(NamedTuple):
    """All that the journal has of one run. `ended` and `outcome` None while it is not finished."""

    number: int
    head: Head
    started: datetime
    ended: datetime | None
    outcome: RunOutcome | None
    waves: tuple[Wave, ...]
    planned: tuple[PlannedSwitch, ...]
    events: tuple[Event, ...]


class Approval(NamedTuple):
    """What a dry run showed.

    switches  name → (fingerprint of what ran, digest of what is to run)
    terms     see push/plan/approval.py; empty where the journal is of a release that did not keep them
    """

    id: str
    at: datetime
    switches: Mapping[str, tuple[str, str]]
    terms: Mapping[str, object] = MappingProxyType({})
