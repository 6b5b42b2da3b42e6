"""`fabricgen push --json`, and the file of `--report FILE.json`. Times are UTC, durations seconds."""

from typing import Literal, TypedDict

from fabricgen.cli.contracts.common import Problems, RiskWord, Versioned
from fabricgen.cli.contracts.diff import DiffDocument
from fabricgen.push.model import Need, RunOutcome, StepName, StepState
from fabricgen.push.report.model import SwitchOutcome
from fabricgen.push.report.steps import CheckReport


class WavePlan(TypedDict):
    """Switches that would change together. keeps: least share of its uplinks that a switch below them has left."""

    number: int
    fabric: str
    role: str
    canary: bool
    devices: list[str]
    keeps: str


class DecisionRow(TypedDict):
    """How one switch would be changed, and why so."""

    device: str
    need: Need
    why: str
    risk: RiskWord


class WaveSeconds(TypedDict):
    """Seconds that one wave is to take, and of what: switches at work, proofs that wait, drains, rest behind it."""

    number: int
    seconds: float
    work: float
    pauses: float
    drains: float
    soak: float


class PaceRow(TypedDict):
    """Seconds of one switch by NAPALM driver: to an answer, of a commit, until it is quiet; and how that is known."""

    driver: str
    answer: float
    commit: float
    quiet: float
    source: str


class ForecastRow(TypedDict):
    """How long a push is to take. ends: of what is done once before and behind all waves; told: in a sentence."""

    seconds: float
    ends: float
    waves: list[WaveSeconds]
    paces: list[PaceRow]
    told: str


class DryRun(Versioned):
    """What a push would do. approval: its id, forecast: its seconds; null where there is nothing to push."""

    difference: DiffDocument
    waves: list[WavePlan]
    switches: list[DecisionRow]
    notes: list[str]
    approval: str | None
    forecast: ForecastRow | None


class UnreachedRow(TypedDict):
    """A switch that could not be asked. kind: unreachable, login, host-key, and so on, as push names failures."""

    device: str
    kind: str
    reason: str


class Unreached(Versioned):
    """Switches that could not be asked; nothing was changed. Exit code 5."""

    unreached: list[UnreachedRow]


class NoRun(Versioned):
    """The journal has no run to show."""

    run: Literal[None]


class WaitingRow(TypedDict):
    """A commit of an unfinished run that reverts by itself after `seconds`, `until` at the latest."""

    device: str
    seconds: int | None
    until: str | None
    is_sure: bool


class HandRow(TypedDict):
    """What hands did on a switch while a commit waited: typed lines are gone with the revert, removed ones are back.

    unknown  why it is not known what was typed; empty where it is
    """

    device: str
    typed: list[str]
    removed: list[str]
    unknown: str


class CauseRow(TypedDict):
    """One cause of what is new. elsewhere: neither end of it is a switch of the wave.

    consequences  how many findings follow from it; by_check: check → of them; devices: on which they are
    new           what the push has to answer for of all that, a sentence each
    """

    told: str
    elsewhere: bool
    consequences: int
    by_check: dict[str, int]
    devices: list[str]
    new: list[str]


class ChecksRow(TypedDict):
    """What was seen before and after; new: what the push has to answer for; told: all of it in a sentence.

    causes the same, each cause once; empty where the journal has none
    waits  how many findings after it are not new; null where that is not told
    pending, excused  those of them that wait for something, and those that the push has no part in: sentences with why
    """

    before: CheckReport | None
    after: CheckReport | None
    new: list[str]
    causes: list[CauseRow]
    waits: int | None
    pending: list[str]
    excused: list[str]
    told: str


class StepRow(TypedDict):
    """One step of one switch. how: begun where no end is recorded."""

    stage: str
    step: StepName
    how: StepState
    at: str
    seconds: float | None
    told: str


class SwitchReport(TypedDict):
    """One switch of a run. need and risk are empty where the journal has no plan of it; difference: secrets masked."""

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
    """Packets over every equal-cost path behind a wave. passed: paths without loss; new, before: what loses packets."""

    passed: int
    new: list[str]
    before: list[str]
    not_probed: list[str]
    told: str


class CountersRow(TypedDict):
    """What ports counted around a wave, against before. before, after: least and most seconds of a switch.

    compared      counter → ports
    broke         what rose above a limit that takes the wave back
    not_compared  what no reader has, or a switch did not show, and why
    """

    before: tuple[float, float] | None
    after: tuple[float, float] | None
    compared: dict[str, int]
    broke: list[str]
    warned: list[str]
    exempt: list[str]
    not_compared: list[str]
    told: str


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
    """A line of the journal. detail: what that step saw or needs again; its keys are no part of this contract."""

    at: str
    device: str
    stage: str
    step: StepName
    how: StepState
    detail: dict[str, object]


class Forecasted(TypedDict):
    """What a run was to take by what was printed before it. told: in a sentence."""

    seconds: float
    told: str


class PushReport(Versioned):
    """Everything that the journal has of a run.

    run      its number; ended and outcome are null while it is not finished
    resume   what to type to go on, else empty
    waiting  commits that revert by themselves
    by_hand  what was typed by hand while commits waited, and is undone
    to_do    what it asks of a person, in this order
    counts   how a switch ended → how many
    forecast what was printed before it, to be held against seconds; null where nobody said
    resumed  when it was killed and typed again, each time
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
