"""`fabricgen plan --json`: the page, with --cables the cabling plan, with --steps the sequence."""

from dataclasses import dataclass
from typing import Literal, TypedDict

from fabricgen.checks.support.left_to_system import SystemDefault
from fabricgen.cli.contracts.common import Problems, RiskWord, Versioned
from fabricgen.plan.cable import Cable
from fabricgen.plan.growth import Recabling
from fabricgen.steps.model import Base
from fabricgen.summary.page import Page


class MoveRow(TypedDict):
    """A range of servers that moves between tenants, as in an intent; `before` or `after` is empty for none."""

    what: str
    before: str
    after: str


class TransitionRow(TypedDict):
    """Change from one scenario to another. switches: that change, of `total`; gpus: affected at the highest risk."""

    before: str
    after: str
    switches: list[str]
    total: int
    risk: RiskWord
    gpus: int
    moves: list[MoveRow]


class WaivedRow(TypedDict):
    """A problem that a waiver of the intent accepts; waiver: its number there, from 0."""

    code: str
    what: str
    path: str
    reason: str
    waiver: int


class NoteRow(TypedDict):
    """A warning."""

    code: str
    what: str
    path: str
    why: str
    fix: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanPage(Page):
    """Design summary of an intent.

    scenario      of the page; transitions: between each two scenarios
    waived       problems that waivers accept; notes: warnings
    left         settings that are in no file, as the operating system applies them by default
    """

    schema_version: Literal[0]
    scenario: str
    transitions: list[TransitionRow]
    waived: list[WaivedRow]
    notes: list[NoteRow]
    left: list[SystemDefault]


class CablingPlan(Versioned):
    """Every cable of a site."""

    cables: list[Cable]


class RailShare(TypedDict):
    """Leaves of a unit that one NIC port may use, and the share of their uplinks that carries traffic, e.g. 3/4."""

    fabric: str
    group: str
    plane: int
    pod: int
    su: int
    rail: int
    share: str


class Capacity(TypedDict):
    """The minimum share of all rails, and the rails with less than all uplinks."""

    least: str
    rails: int
    less: list[RailShare]


class StepRow(TypedDict):
    """One state. base: the intent that it is made from; command: renders it; risk: of the step to it.

    overrides  selector → state; releases: switch → release of its operating system
    """

    step: int
    base: Base
    overlay: str
    overrides: dict[str, str]
    releases: dict[str, str]
    command: str
    capacity: Capacity
    risk: RiskWord
    switches_changed: int
    do: str
    check: str


class Steps(Versioned):
    """Sequence from one intent to the next. floors: fabric → share that every rail keeps; start: current capacity."""

    kind: str
    title: str
    before: str
    after: str
    floors: dict[str, str]
    cables: list[Recabling]
    start: Capacity
    steps: list[StepRow]


DOCUMENTS = (PlanPage, CablingPlan, Steps, Problems)
