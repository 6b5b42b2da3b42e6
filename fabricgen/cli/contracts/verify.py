"""`fabricgen verify --json`. With --watch one document per line: first a round, then changes."""

from typing import Annotated, NotRequired, TypedDict

from fabricgen.cli.contracts.common import Problems, Versioned
from fabricgen.cli.contracts.form import AllowedValues
from fabricgen.verify.finding import CHECKS, FindingEnd, Unchecked
from fabricgen.verify.report.text import RoundCounts

CheckName = Annotated[str, AllowedValues(CHECKS)]


class CauseRow(TypedDict):
    """The finding that another one follows from."""

    device: str
    code: str
    subject: str


class FindingRow(TypedDict):
    """One difference from the plan: text, then values, which exist only if they are known.

    code       unique to the problem; `fabricgen explain CODE`
    explained  the likely cause, if other findings show it
    port       the switch's own
    family     IP version of a session
    far        planned end of the cable or session; of missing routes the switch that should announce them
    heard      LLDP neighbor there instead
    cause      the finding that this one follows from; absent if this is a cause
    consequences  of a cause: number of findings that follow from it
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
    """One switch, or one server of a lab. passed: check → number of comparisons that were right."""

    device: str
    passed: dict[str, int]
    findings: list[FindingRow]
    unchecked: list[Unchecked]


class VerifyRound(Versioned):
    """Live state compared with the plan."""

    summary: RoundCounts
    switches: list[SwitchRow]


class VerifyChanges(Versioned):
    """A later round of --watch: findings that are new since the previous round, and those that are gone."""

    summary: RoundCounts
    appeared: list[FindingRow]
    gone: list[FindingRow]


class CommandRow(TypedDict):
    """A command to type on a switch, and the file in its folder for the output."""

    switch: str
    file: str
    command: str


class Commands(Versioned):
    """Output of --commands: all commands whose output is collected for --from."""

    commands: list[CommandRow]


DOCUMENTS = (VerifyRound, VerifyChanges, Commands, Problems)
