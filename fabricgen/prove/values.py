"""Data of a proof on one switch. Values; nothing here acts."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.proof import ProofTable, Trial
from fabricgen.platforms.base.live.reader import Outputs, Reader
from fabricgen.push.switch.switch import Candidate


class ClaimOutcome(StrEnum):
    """Outcome of a claim."""

    HELD = "held"
    FAILED = "did not hold"
    UNTRIED = "not tried"


STOPPED, BROKEN = "stopped", "failed"
OUTCOMES = (ClaimOutcome.HELD.value, ClaimOutcome.FAILED.value, STOPPED, BROKEN)
"""Outcomes of a whole proof: also stopped by hand, or the switch failed."""


class Measure(NamedTuple):
    """Result of a trial.

    ok       it went as claimed, apart from the seconds and the items that must be shown
    words    what was observed
    seconds  measured; None without a measurement
    shows    see PlatformClaim
    """

    ok: bool
    words: str
    seconds: float | None = None
    shows: frozenset[str] = frozenset()


class ClaimVerdict(NamedTuple):
    """One claim, tested or not.

    claim    the platform's name and the trial's, e.g. frr.timer
    says     the claim; how: how it is tested; source: of the claim
    outcome  of the test; why: what was observed, or why it was not tested
    seconds  measured; allowed: claimed
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
    """Options of a proof.

    hold     seconds after which the switch reverts an unconfirmed commit
    port     that may be shut down, and the peer whose session may be; "" for none
    confirm  a commit may be confirmed, and then undone
    skip     steps to skip
    slack    seconds after its timer within which a switch must have reverted
    poll     seconds between two reads
    """

    hold: int
    port: str = ""
    session: str = ""
    confirm: bool = False
    skip: frozenset[str] = frozenset()
    slack: float = 120
    poll: float = 1


class ProofMoment(NamedTuple):
    """Outputs of the switch at one time. at: seconds since the beginning."""

    name: str
    at: float
    outputs: Outputs


class Timing(NamedTuple):
    """One action. at: seconds since the beginning; seconds: duration; ended: "" or the error."""

    what: str
    at: float
    seconds: float
    ended: str


class First(NamedTuple):
    """A reading of both configurations, with secrets: must never be shown or kept.

    running, files  see push/switch/switch.py, Candidate
    startup         None where it cannot be read
    """

    running: str
    files: Mapping[str, str]
    startup: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class WholeSwitch:
    """The switch according to an intent.

    candidate  its rendered configuration; hidden: secrets in it
    differs    reads the switch again → findings of verify about its configuration, and the number of other findings
    drained    its drained Device
    peers      names of the switches in the inventory that must receive the drained routes
    names      of the site, and of the domain of its switches
    drain_fault  reads the peers → what a peer lacks; "" if each has the drained routes
    """

    device: Device
    candidate: Candidate
    differs: Callable[[], tuple[tuple[str, ...], int]]
    drained: Device
    peers: tuple[str, ...]
    names: tuple[str, str]
    drain_fault: Callable[[], str]


class ProofSubject(NamedTuple):
    """The switch of a proof.

    driver  name of its driver in NAPALM
    vrfs    VRF on the switch → VRF of the plan; none without an intent
    """

    name: str
    driver: str
    table: ProofTable
    reader: Reader
    vrfs: Mapping[str, str]
    whole: WholeSwitch | None = None
