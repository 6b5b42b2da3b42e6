"""`fabricgen verify --json`. With --watch one document per line: the first a round, then what changed."""

from typing import Annotated, NotRequired, TypedDict

from fabricgen.cli.contracts.common import Problems, Versioned
from fabricgen.cli.contracts.form import AllowedValues
from fabricgen.verify.finding import CHECKS, FindingEnd, Unchecked
from fabricgen.verify.report.text import RoundCounts

CheckName = Annotated[str, AllowedValues(CHECKS)]


class CauseRow(TypedDict):
    """Which finding another one follows from."""

    device: str
    code: str
    subject: str


class FindingRow(TypedDict):
    """One thing that is not as planned: words for people, then values, which are there only where they are known.

    code       unique to the problem; `fabricgen explain CODE`
    explained  the likely cause, where other findings tell it
    port       the switch's own
    family     IP version of a session
    far        planned end of the cable or session; of missing routes the switch that should announce them
    heard      what LLDP heard there instead
    cause      of a consequence: the finding that it follows from; it is not there where this is a cause
    consequences  of a cause: how many findings follow from it
    """

    device: str
    check: CheckName
    code: str
    subject: str
    problem: str
    expected: str
    actual: str
    explained: str
    port: NotRequired[str]
    family: NotRequired[int]
    prefix: NotRequired[str]
    far: NotRequired[FindingEnd]
    heard: NotRequired[FindingEnd]
    cause: NotRequired[CauseRow]
    consequences: NotRequired[int]


class SwitchRow(TypedDict):
    """One switch, or one server of a lab. passed: check → how many things were compared and found right."""

    device: str
    passed: dict[str, int]
    findings: list[FindingRow]
    unchecked: list[Unchecked]


class VerifyRound(Versioned):
    """Live state against the plan."""

    summary: RoundCounts
    switches: list[SwitchRow]


class VerifyChanges(Versioned):
    """A later round of --watch: findings that the round before had not, and that it had and this one has not."""

    summary: RoundCounts
    appeared: list[FindingRow]
    gone: list[FindingRow]


class CommandRow(TypedDict):
    """What to type on a switch, and the file in its folder that takes what it prints."""

    switch: str
    file: str
    command: str


class Commands(Versioned):
    """What --commands prints: all that a person collects for --from."""

    commands: list[CommandRow]


DOCUMENTS = (VerifyRound, VerifyChanges, Commands, Problems)
