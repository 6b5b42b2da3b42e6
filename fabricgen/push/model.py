"""The data of a push: switches to change, their stages, waves, and the records of the journal. Nothing here acts."""

from collections.abc import Mapping
from datetime import datetime
from enum import StrEnum
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.platforms.base.cost import Risk


class SwitchToChange(NamedTuple):
    """One switch whose configuration changes.

    name, fabric, role, system  from its Device
    risk      while the change is made
    why       the reason for the risk: "2 lines whose cost is unknown"
    """

    name: str
    fabric: str
    role: str
    system: str
    risk: Risk
    why: str


class Need(StrEnum):
    """How a switch may be changed.

    PLAIN     at once: the change loses no traffic
    DRAIN     after its traffic has moved to other paths
    ABSENT    at once: no server is attached to it, according to the intent
    IDLE      at once: the hosts attached to it are drained, according to the given list
    ACCEPTED  at once: a named person accepts the loss
    """

    PLAIN = "plain"
    DRAIN = "drain"
    ABSENT = "absent"
    IDLE = "idle"
    ACCEPTED = "accepted"


class Decision(NamedTuple):
    """The decision on one switch, and its reason in one sentence for a report."""

    subject: SwitchToChange
    need: Need
    why: str


class Wave(NamedTuple):
    """Switches that change at the same time; all of one fabric, role and system.

    number  from 1
    canary  the first of its kind, alone
    keeps   minimum share of its uplinks that any switch below them has left while all of them are down; 1 where none of
            them has switches below
    """

    number: int
    fabric: str
    role: str
    canary: bool
    devices: tuple[str, ...]
    keeps: Fraction


class StageName(StrEnum):
    """Stages of the change of one switch. Each is a timed commit that is verified and confirmed.

    MARK     a leaf: its running configuration, its sessions drained, its server ports unchanged
    DRAIN    the drained route maps on the established sessions, merged into the running configuration; on a leaf: the
             running configuration, drained
    CHANGE   the rendered configuration; on a switch that was drained first: the one of its drained Device
    PORTS    a leaf: the rendered configuration, its sessions still drained, its server ports in use again
    UNDRAIN  the rendered configuration, after CHANGE while drained
    """

    MARK = "mark"
    DRAIN = "drain"
    CHANGE = "change"
    PORTS = "ports"
    UNDRAIN = "undrain"


class StepName(StrEnum):
    """Steps of one switch in the journal, in order. Those of a stage repeat for each stage.

    APPROVE   of the whole run: who signed its approval
    LOGIN     a new connection to a switch, before its commit is confirmed
    COUNTERS  of a wave: port counters compared with those before
    PATHS     of a wave, or before all waves: which equal-cost paths lose packets
    UNDO      of the whole run: names of the manual lines that it removes; of a switch: those that a revert removed
    FORECAST  of the whole run: the expected duration, at its start
    RESUME    of the whole run: it was killed, and the same command was typed again
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
    LOGIN = "login"
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
    """State of a step. BEGUN is written before anything is done, the others after."""

    BEGUN = "begun"
    ENDED = "ended"
    FAILED = "failed"


class RunOutcome(StrEnum):
    """How a run ended.

    DONE         every switch to change runs its rendered configuration, and the checks pass
    STOPPED      it was stopped before the next switch: by a person, a freeze, the end of its window, or a hook
    FAILED       something failed: commits not yet confirmed were reverted, as far as the switches answered
    ABANDONED    another run took its place
    """

    DONE = "done"
    STOPPED = "stopped"
    FAILED = "failed"
    ABANDONED = "abandoned"


class PlannedSwitch(NamedTuple):
    """One switch of a run, as the journal keeps it.

    wave       number of its wave
    need, why, risk  as decided; risk in words
    before     fingerprint, without secrets, of the running configuration when the run was planned
    artifact   SHA-256, in hexadecimal, of the configuration to push, before secrets are filled in
    difference what a commit would change, as the driver prints it, secrets masked
    accepted   a named person accepts its loss, whether or not it is drained first
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
    approval   digest of what was approved; see push/plan/approval.py
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
    detail  JSON: what the step needs when it is resumed, or what it observed; never a secret
    """

    at: datetime
    device: str
    stage: str
    step: StepName
    how: StepState
    detail: Mapping[str, object]


class Took(NamedTuple):
    """Duration of one step on one switch. seconds: from its beginning to its end."""

    device: str
    step: StepName
    seconds: float


class RunRecord(NamedTuple):
    """All that the journal has of one run. `ended` and `outcome` are None while it is not finished."""

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

    switches  name → (fingerprint of the running configuration, digest of the configuration to push)
    terms     see push/plan/approval.py; empty where the journal was written by a release that did not keep them
    """

    id: str
    at: datetime
    switches: Mapping[str, tuple[str, str]]
    terms: Mapping[str, object] = MappingProxyType({})
