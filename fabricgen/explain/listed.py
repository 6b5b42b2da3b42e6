"""Every code that `explain` knows, one row each: severity, what finds it, and a one-line meaning."""

import re
from collections.abc import Iterator
from enum import StrEnum
from typing import NamedTuple

from fabricgen.checks.catalogue import CHECKS, NOTES
from fabricgen.explain.analysis import failure_notes, properties
from fabricgen.explain.meanings import OF_CHECKS
from fabricgen.explain.problem import input_meanings, problem_codes
from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.finding_codes.hosts import HOST_CODES


class Severity(StrEnum):
    """Effect of a code on the command that prints it.

    ERROR    the command stops: exit code 1
    WARNING  it is printed and stops nothing
    FINDING  the fabric, a server or a configuration is not as planned: exit code 4 of `verify`, 3 of `audit`
    """

    ERROR = "error"
    WARNING = "warning"
    FINDING = "finding"


class FoundBy(StrEnum):
    """What finds the problem.

    PLAN    a check of the plan
    LIVE    a check of `verify`
    SERVER  an agent on a server, with expected.json of `export hosts`
    AUDIT   `audit`, from the configurations of all switches
    WHAT_IF  `what-if`, from the plan
    INPUT   code that reads a file or runs a command
    """

    PLAN = "plan"
    LIVE = "live"
    SERVER = "server"
    AUDIT = "audit"
    WHAT_IF = "what-if"
    INPUT = "input"


class ListedCode(NamedTuple):
    """One code. check: the check that has it; empty for none."""

    code: str
    severity: Severity
    found_by: FoundBy
    check: str
    meaning: str


def listed_codes() -> tuple[ListedCode, ...]:
    """All codes: by what finds them, then by code."""
    rows = (*_of_plans(), *_of_fabrics(), *_of_servers(), *_of_analyses())
    order = list(FoundBy)
    input_rows = _of_inputs({row.code for row in rows})
    return tuple(sorted((*rows, *input_rows), key=lambda row: (order.index(row.found_by), row.code)))


def _of_plans() -> Iterator[ListedCode]:
    """The meaning of each code of a check; `explain CHECK` prints the rule."""
    for severity, checks in ((Severity.ERROR, CHECKS), (Severity.WARNING, NOTES)):
        for check in checks:
            for code in check.codes:
                yield ListedCode(code, severity, FoundBy.PLAN, check.name, OF_CHECKS[code])


def _of_fabrics() -> Iterator[ListedCode]:
    for check in LIVE_CHECKS:
        for finding in check.codes:
            yield ListedCode(finding.code, Severity.FINDING, FoundBy.LIVE, check.name, _sentence(finding.means))


def _of_servers() -> Iterator[ListedCode]:
    for code, meaning in HOST_CODES.items():
        yield ListedCode(code, Severity.FINDING, FoundBy.SERVER, "", meaning)


def _of_analyses() -> Iterator[ListedCode]:
    for name, holds in properties().items():
        yield ListedCode(name, Severity.FINDING, FoundBy.AUDIT, "", holds)
    for name, meaning in failure_notes().items():
        yield ListedCode(name, Severity.WARNING, FoundBy.WHAT_IF, "", meaning)


def _of_inputs(others: set[str]) -> Iterator[ListedCode]:
    meanings = input_meanings()
    for code in problem_codes() - others:
        yield ListedCode(code, Severity.ERROR, FoundBy.INPUT, "", meanings[code])


def _sentence(text: str) -> str:
    """The first sentence, without the full stop."""
    return re.split(r"(?<=[A-Za-z0-9)])[.](?=\s|$)", text, maxsplit=1)[0]
