"""`fabricgen audit --json`."""

from typing import TypedDict

from fabricgen.audit.switch import Finding, SwitchAudit
from fabricgen.audit.violations import ViolationGroup
from fabricgen.audit.words import value_text
from fabricgen.base.schema_version import VERSIONED
from fabricgen.cli.audit.text import AuditReport
from fabricgen.cli.contracts.common import Problems, Versioned


class FindingRow(TypedDict):
    """One difference.

    file     of the switch; null where nothing of the thing is in a file; line: from 1, 0: no line is it
    near     lines of what a missing part belongs to; empty where `line` is the one
    setting  empty for a thing that is missing or not planned as a whole
    planned, read  values as text
    by_user  the line is one that the intent adds
    """

    kind: str
    file: str | None
    line: int
    near: list[int]
    thing: str
    names: list[str]
    setting: str
    planned: str
    read: str
    by_user: bool


class UnreadRow(TypedDict):
    """A line that was not understood. by_user: it is one that the intent adds."""

    file: str
    line: int
    text: str
    by_user: bool


class SwitchRow(TypedDict):
    """A switch that is not as planned.

    is_read  false where no line of its file is a configuration of its system: all are in unread, none is compared
    """

    switch: str
    fabric: str
    system: str
    has_config: bool
    is_read: bool
    findings: list[FindingRow]
    unread: list[UnreadRow]


class LineRow(TypedDict):
    """Lines of the files of one system: all, of them known to have no meaning for a fabric, and not understood."""

    all: int
    idle: int
    unread: int


class ViolationRow(TypedDict):
    """A property that does not hold at a switch. file: null and line 0 where no line says it."""

    property: str
    switch: str
    file: str | None
    line: int
    what: list[str]
    why: str


class Audit(Versioned):
    """The audit.

    lines       by operating system
    others      entries of the folder that belong to no planned switch
    properties  name → whether it holds; empty where some switches were picked, or no text is there
    not_judged  name → why it was not judged, or in which fabric it was not
    """

    site: str
    audited: int
    switches: list[SwitchRow]
    lines: dict[str, LineRow]
    others: list[str]
    properties: dict[str, bool]
    not_judged: dict[str, str]
    violations: list[ViolationRow]


DOCUMENTS = (Audit, Problems)


def plain(report: AuditReport) -> dict[str, object]:
    """The document as plain values."""
    lines = {
        system: LineRow(all=row.all, idle=row.idle, unread=row.unread) for system, row in report.total.lines.items()
    }
    broken = {row.property for row in report.violations}
    return VERSIONED | {
        "site": report.site,
        "audited": report.total.switches,
        "switches": [_switch(audit) for audit in report.shown],
        "lines": lines,
        "others": [*report.others],
        "properties": {name: name not in broken for name in report.properties},
        "not_judged": {**report.not_judged},
        "violations": [_violation(row) for row in report.violations],
    }


def _violation(row: ViolationGroup) -> ViolationRow:
    return ViolationRow(
        property=row.property,
        switch=row.switch,
        file=row.at.file or None,
        line=row.at.line,
        what=[*row.what],
        why=row.why,
    )


def _switch(audit: SwitchAudit) -> SwitchRow:
    return SwitchRow(
        switch=audit.name,
        fabric=audit.fabric,
        system=audit.system,
        has_config=audit.has_config,
        is_read=audit.has_config and audit.fault is None,
        findings=[_finding(finding) for finding in audit.findings],
        unread=[
            UnreadRow(file=line.file, line=line.line, text=line.text, by_user=by_user)
            for by_user, lines in ((False, audit.unread), (True, audit.added))
            for line in lines
        ],
    )


def _finding(finding: Finding) -> FindingRow:
    row = finding.difference
    return FindingRow(
        kind=row.kind.value,
        file=row.file or None,
        line=row.line,
        near=[*row.near],
        thing=row.thing,
        names=[*finding.names],
        setting=row.setting,
        planned=value_text(row.intended),
        read=value_text(row.read),
        by_user=finding.by_user,
    )
