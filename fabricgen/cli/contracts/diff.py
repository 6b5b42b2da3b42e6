"""`fabricgen diff --json`."""

from typing import NotRequired, TypedDict

from fabricgen.changes.change import ChangeOp
from fabricgen.cli.contracts.common import BlastRow, Problems, RiskWord, Versioned
from fabricgen.diff.model import TextCause
from fabricgen.plan.moved_values import Moved


class DefaultRow(TypedDict):
    """One default that differs between the versions. places: keys of the intent that use it."""

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
    """Number of switches on each side, and of those that do not differ."""

    before: int
    after: int
    equal: int


class LineRow(TypedDict):
    """Changes of one kind that all switches of a class share, `each` of them per switch."""

    kind: str
    change: ChangeOp
    each: int
    before: str
    after: str
    subjects: list[str]
    peers: list[str]
    risk: RiskWord
    source: str


class DeviceChangeRow(TypedDict):
    """One change of one switch."""

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
    """Switches with the same changes by the intent. device_changes: switch → all of its changes."""

    risk: RiskWord
    fabric: str
    role: str
    system: str
    devices: list[str]
    changes: list[LineRow]
    reaches: BlastRow
    device_changes: dict[str, list[DeviceChangeRow]]


class HunkRow(TypedDict):
    """Adjacent lines below the same sections, outermost first; `sections` if several sections share them."""

    section: list[str]
    removed: list[str]
    added: list[str]
    sections: list[list[str]]


class TextRow(TypedDict):
    """Switches whose artifact has the same changed lines, for another reason than changes of the intent."""

    risk: RiskWord
    artifact: str
    cause: TextCause
    devices: list[str]
    hunks: list[HunkRow]
    kinds: list[str]
    reaches: BlastRow


class UnexpectedRow(TypedDict):
    """A change that is not in the file of --expect."""

    what: str
    risk: RiskWord
    devices: list[str]


class DifferenceBody(TypedDict):
    """All differences.

    whole   both sides could be read; unread: switches of a live fabric that did not show their configuration
    risk    the highest of all classes
    hunks   switch → lines, of --devices
    unexpected, unused  with --expect: changes that it does not allow, and numbers of its rows that match no change
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
    """Effect of a change of the intent, or differences from the running switches."""


DOCUMENTS = (DiffDocument, Problems)
