"""`fabricgen diff --json`."""

from typing import NotRequired, TypedDict

from fabricgen.changes.change import ChangeOp
from fabricgen.cli.contracts.common import BlastRow, Problems, RiskWord, Versioned
from fabricgen.diff.model import TextCause
from fabricgen.plan.moved_values import Moved


class DefaultRow(TypedDict):
    """One default that another version of the defaults changes. places: keys of the intent that are left to it."""

    places: list[str]
    before: str
    after: str
    why: str
    risk: RiskWord
    devices: list[str]


class Defaults(TypedDict):
    """Another version of the defaults, default by default."""

    before: int
    after: int
    changes: list[DefaultRow]


class Switches(TypedDict):
    """How many switches each side has, and how many do not differ."""

    before: int
    after: int
    equal: int


class LineRow(TypedDict):
    """Facts of one kind that every switch of a class has alike, `each` of them per switch."""

    kind: str
    change: ChangeOp
    each: int
    before: str
    after: str
    subjects: list[str]
    peers: list[str]
    risk: RiskWord
    source: str


class FactRow(TypedDict):
    """One fact of one switch that differs."""

    kind: str
    change: ChangeOp
    subject: str
    before: str
    after: str
    port: str
    peer: str
    vrf: str
    risk: RiskWord


class MeaningRow(TypedDict):
    """Switches on which the intent changes the same. facts: switch → every fact."""

    risk: RiskWord
    fabric: str
    role: str
    system: str
    devices: list[str]
    changes: list[LineRow]
    reaches: BlastRow
    facts: dict[str, list[FactRow]]


class HunkRow(TypedDict):
    """Lines that stand together under the same sections, outermost first; `sections` where several have them alike."""

    section: list[str]
    removed: list[str]
    added: list[str]
    sections: list[list[str]]


class TextRow(TypedDict):
    """Switches whose artifact differs by the same lines, for another reason than the intent's facts."""

    risk: RiskWord
    artifact: str
    cause: TextCause
    devices: list[str]
    hunks: list[HunkRow]
    facts: list[str]
    reaches: BlastRow


class UnexpectedRow(TypedDict):
    """What changes without being in the file of --expect."""

    what: str
    risk: RiskWord
    devices: list[str]


class DifferenceBody(TypedDict):
    """What differs.

    whole   both sides could be read; unread: switches of a live fabric that did not show what they run
    risk    the worst of all classes
    hunks   switch → lines, of --devices
    unexpected, unused  with --expect: what it does not allow, and the numbers of its rows that meet nothing
    """

    verdict: str
    notes: list[str]
    whole: bool
    unread: list[str]
    risk: RiskWord
    defaults: Defaults | None
    switches: Switches
    meaning: list[MeaningRow]
    text: list[TextRow]
    moved: list[Moved]
    recabled: list[str]
    hunks: dict[str, list[HunkRow]]
    unexpected: NotRequired[list[UnexpectedRow]]
    unused: NotRequired[list[int]]


class DiffDocument(DifferenceBody, Versioned):
    """What a change of the intent does, or what switches run beside it."""


DOCUMENTS = (DiffDocument, Problems)
