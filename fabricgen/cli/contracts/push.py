"""`fabricgen push --json`, and the file of `--report FILE.json`. Times are UTC, durations seconds."""

from typing import Literal, TypedDict

from fabricgen.cli.contracts.common import Problems, RiskWord, Versioned
from fabricgen.cli.contracts.diff import DiffDocument
from fabricgen.push.model import Need, RunOutcome, StepName, StepState
from fabricgen.push.report.model import SwitchOutcome
from fabricgen.push.report.steps import CheckReport


class WavePlan(TypedDict):
    """Switches that would change together. keeps: least remaining share of its uplinks of a switch below them."""

    number: int
    fabric: str
    role: str
    canary: bool
    devices: list[str]
    keeps: str


class DecisionRow(TypedDict):
    """How one switch would be changed, and why."""

    device: str
    need: Need
    why: str
    risk: RiskWord


class WaveSeconds(TypedDict):
    """Forecast seconds of one wave: work on switches, waits of proofs, drains, and the soak time after it."""

    number: int
    seconds: float
    work: float
    pauses: float
    drains: float
    soak: float


class PaceRow(TypedDict):
    """Seconds per switch of a NAPALM driver: to an answer, of a commit, until counters are idle; and their source."""

    driver: str
    answer: float
    commit: float
    quiet: float
    source: str


class ForecastRow(TypedDict):
    """Forecast of a push. ends: seconds before the first and after the last wave; summary: in a sentence."""

    seconds: float
    ends: float
    waves: list[WaveSeconds]
    paces: list[PaceRow]
    summary: str


class DryRun(Versioned):
    """Actions of a push. approval: its id, forecast: its seconds; null where there is nothing to push."""

    difference: DiffDocument
    waves: list[WavePlan]
    switches: list[DecisionRow]
    notes: list[str]
    approval: str | None
    forecast: ForecastRow | None


class UnreachedRow(TypedDict):
    """A switch that did not answer. kind: unreachable, login, host-key, and so on, as push names failures."""

    device: str
    kind: str
    reason: str


class Unreached(Versioned):
    """Switches that did not answer; nothing was changed. Exit code 5."""

    unreached: list[UnreachedRow]


class NoRun(Versioned):
    """The journal has no run to show."""

    run: Literal[None]


class WaitingRow(TypedDict):
    """A commit of an unfinished run that reverts automatically after `seconds`, at `until` at the latest."""

    device: str
    seconds: int | None
    until: str | None
    is_sure: bool


class HandRow(TypedDict):
    """Manual changes on a switch while a commit waited: the revert removed typed lines and restored removed ones.

    unknown  why it is not known what was typed; empty where it is
    """

    device: str
    typed: list[str]
    removed: list[str]
    unknown: str


class CauseRow(TypedDict):
    """One cause of new findings. elsewhere: neither end of it is a switch of the wave.

    consequences  number of findings that follow from it; by_check: check → number; devices: their switches
    new           the findings among them that are attributed to the push, one sentence each
    """

    summary: str
    elsewhere: bool
    consequences: int
    by_check: dict[str, int]
    devices: list[str]
    new: list[str]


class ChecksRow(TypedDict):
    """Checks before and after; new: findings that are attributed to the push; summary: in a sentence.

    causes the same, each cause once; empty where the journal has none
    waits  number of later findings that are not new; null where it is unknown
    pending, excused  those of them that wait for something, and those not attributed to it: sentences with reasons
    """

    before: CheckReport | None
    after: CheckReport | None
    new: list[str]
    causes: list[CauseRow]
    waits: int | None
    pending: list[str]
    excused: list[str]
    summary: str


class StepRow(TypedDict):
    """One step of one switch. how: "begun" where no end is recorded."""

    stage: str
    step: StepName
    how: StepState
    at: str
    seconds: float | None
    summary: str


class SwitchReport(TypedDict):
    """One switch of a run. need and risk are empty if the journal has no plan of it; difference: secrets masked."""

    device: str
    end: SwitchOutcome
    reason: str
    need: Need | Literal[""]
    why: str
    risk: RiskWord | Literal[""]
    lines: int | None
    difference: str
    changed: str | None
    seconds: float | None
    checks: ChecksRow
    steps: list[StepRow]


class PathsRow(TypedDict):
    """Probes of every equal-cost path after a wave. passed: paths without loss; new, before: where packets are lost."""

    passed: int
    new: list[str]
    before: list[str]
    not_probed: list[str]
    summary: str


class CountersRow(TypedDict):
    """Port counters after a wave, compared with those before. before, after: least and most seconds of a switch.

    compared      counter → ports
    broke         counters above a limit that reverts the wave
    not_compared  counters that no reader has, or that a switch did not show, with the reason
    """

    before: tuple[float, float] | None
    after: tuple[float, float] | None
    compared: dict[str, int]
    broke: list[str]
    warned: list[str]
    exempt: list[str]
    not_compared: list[str]
    summary: str


class WaveReport(TypedDict):
    """One wave and its switches. counters, paths: null where none were compared, or probed."""

    number: int
    fabric: str
    role: str
    canary: bool
    keeps: str
    started: str | None
    seconds: float | None
    counters: CountersRow | None
    paths: PathsRow | None
    switches: list[SwitchReport]


class EventRow(TypedDict):
    """A line of the journal. detail: what that step saw or needs later; its keys are no part of this contract."""

    at: str
    device: str
    stage: str
    step: StepName
    how: StepState
    detail: dict[str, object]


class Forecasted(TypedDict):
    """The forecast that was printed before the run. summary: in a sentence."""

    seconds: float
    summary: str


class PushReport(Versioned):
    """Everything that the journal has of a run.

    run      its number; ended and outcome are null while it is not finished
    resume   command to continue, else empty
    waiting  commits that revert automatically
    by_hand  lines that were typed by hand while commits waited, and are undone
    to_do    actions for a person, in this order
    counts   how a switch ended → number
    forecast the printed forecast, to compare with seconds; null if there was none
    resumed  times at which a killed run was started again
    """

    run: int
    token: str
    intent: str
    inventory: str
    approval: str
    who: str
    started: str
    ended: str | None
    seconds: float | None
    resumed: list[str]
    forecast: Forecasted | None
    outcome: RunOutcome | None
    verdict: str
    resume: str
    waiting: list[WaitingRow]
    by_hand: list[HandRow]
    to_do: list[str]
    reasons: list[str]
    counts: dict[str, int]
    checks: ChecksRow
    waves: list[WaveReport]
    events: list[EventRow]


DOCUMENTS = (DryRun, PushReport, Unreached, NoRun, Problems)
