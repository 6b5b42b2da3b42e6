"""What proving one switch is about. Values; nothing here acts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.proof import ProofTable, Trial
from fabricgen.platforms.base.live.reader import Outputs, Reader
from fabricgen.push.switch.switch import Candidate


class ClaimOutcome(StrEnum):
    """What came of a claim."""

    HELD = "held"
    FAILED = "did not hold"
    UNTRIED = "not tried"


STOPPED, BROKEN = "stopped", "failed"
OUTCOMES = (ClaimOutcome.HELD.value, ClaimOutcome.FAILED.value, STOPPED, BROKEN)
"""Of a whole proof: stopped by hand, or the switch failed."""


class Measure(NamedTuple):
    """What a trial showed.

    ok       it went as claimed, but for the seconds and for what must be shown
    words    what was seen
    seconds  that were measured; None where none are
    shows    see PlatformClaim
    """

    ok: bool
    words: str
    seconds: float | None = None
    shows: frozenset[str] = frozenset()


class ClaimVerdict(NamedTuple):
    """One claim, tried or not.

    claim    the platform's name and the trial's, e.g. frr.timer
    says     the claim; how: the way in which it is tried; source: of the claim
    outcome  what came of it; why: what was seen, or why it was not tried
    seconds  that were measured; allowed: those of the claim
    """

    claim: str
    trial: Trial
    says: str
    how: str
    source: str
    outcome: ClaimOutcome
    why: str
    seconds: float | None
    allowed: float | None


class ProofSettings(NamedTuple):
    """What was asked for.

    hold     seconds after which the switch reverts what is not confirmed
    port     that may be shut, and the peer whose session may be; "" for none
    confirm  a commit may be confirmed, and taken back
    skip     steps that are left out
    slack    seconds beyond its time in which a switch must have gone back
    poll     seconds between two looks
    """

    hold: int
    port: str = ""
    session: str = ""
    confirm: bool = False
    skip: frozenset[str] = frozenset()
    slack: float = 120
    poll: float = 1


class ProofMoment(NamedTuple):
    """What the switch showed at one time. at: seconds since the beginning."""

    name: str
    at: float
    outputs: Outputs


class Timing(NamedTuple):
    """One thing that was done. at: seconds since the beginning; seconds: that it took; ended: "" or what went wrong."""

    what: str
    at: float
    seconds: float
    ended: str


class First(NamedTuple):
    """A reading of both configurations, secrets in place: never to be shown or kept.

    running, files  see push/switch/switch.py, Candidate
    startup         None where it cannot be read
    """

    running: str
    files: Mapping[str, str]
    startup: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeSwitch:
    """The switch as an intent has it.

    candidate  its rendered configuration; hidden: secrets in it
    differs    asks the switch again → findings of verify about its configuration, and how many others there are
    drained    itself, drained
    peers      names of those in the inventory that must hear of it
    names      of the site, and of the domain of its switches
    heard      (addresses of peers whose sessions stood) → what a peer lacks; "" where each has heard
    """

    device: Device
    candidate: Candidate
    differs: Callable[[], tuple[tuple[str, ...], int]]
    drained: Device
    peers: tuple[str, ...]
    names: tuple[str, str]
    heard: Callable[[], str]


class ProofSubject(NamedTuple):
    """The one switch.

    driver  NAPALM's name of its driver
    vrfs    VRF on the switch → VRF of the plan; none without an intent
    """

    name: str
    driver: str
    table: ProofTable
    reader: Reader
    vrfs: Mapping[str, str]
    whole: WholeSwitch | None = None
