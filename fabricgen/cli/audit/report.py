"""The audit of a folder: each switch by itself, then all of them together."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from fabricgen.audit.folder import ConfigFolder
from fabricgen.audit.properties import NAMES, not_judged, tried, violations
from fabricgen.audit.switch import SwitchAudit
from fabricgen.audit.violations import ViolationGroup
from fabricgen.cli.audit.text import AuditReport
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.fabric import name_of, present_places
from fabricgen.plan.name_patterns import name_advice
from fabricgen.plan.plan import Plan
from fabricgen.workers.audit import audit_folder, without_collector

NO_TEXTS = {True: "no configuration was read", False: "they are about all switches, and --device picks some"}
"""Why no property is judged, by whether all switches are audited."""


def audit_report(plan: Plan, folder: Path, typed: tuple[str, ...] = (), jobs: int | None = None) -> AuditReport:
    """Read every switch, and hold them together to the properties unless some were picked.

    jobs  processes; None: by the size of the plan

    Raises FabricError for a folder that is none, a name that the plan does not have, and a file that cannot be read.
    """
    roles = {
        name_of(fabric, place): place.tier.value for fabric in plan.fabrics.values() for place in present_places(fabric)
    }
    wanted = _wanted(typed, [*roles])
    configs = ConfigFolder(folder)
    is_whole = wanted is None
    with without_collector():
        found = audit_folder(plan, configs, roles, wanted, jobs)
        total, has_texts = found.total, found.total.read > 0
        read, planned = found.site.sides()
        representatives, _ = found.representatives.sides()
        names = tried(read, representatives, has_nics=found.has_nics) if is_whole and has_texts else ()
        return AuditReport(
            site=plan.intent.site,
            shown=tuple(_under_name(audit, configs.file_of(audit.name)) for audit in found.shown),
            total=total,
            others=configs.others(roles) if is_whole else (),
            properties=names,
            not_judged=not_judged(read, planned, names) if names else dict.fromkeys(NAMES, NO_TEXTS[is_whole]),
            violations=tuple(_under_names(violations(read, planned, representatives), configs)) if is_whole else (),
        )


def _under_name(audit: SwitchAudit, file: str) -> SwitchAudit:
    """The audit with the name of its one file in the folder. It was read under the name that the system gives it."""
    if not file:
        return audit
    findings = tuple(
        row._replace(difference=row.difference._replace(file=file)) if row.difference.file else row
        for row in audit.findings
    )
    unread, added = (tuple(line._replace(file=file) for line in lines) for lines in (audit.unread, audit.added))
    fault = audit.fault._replace(file=file) if audit.fault is not None else None
    return audit._replace(findings=findings, unread=unread, added=added, fault=fault)


def _under_names(rows: Iterable[ViolationGroup], configs: ConfigFolder) -> Iterator[ViolationGroup]:
    for row in rows:
        file = configs.file_of(row.switch) if row.at.file else ""
        yield row._replace(at=row.at._replace(file=file)) if file else row


def _wanted(typed: tuple[str, ...], names: list[str]) -> frozenset[str] | None:
    """Names of the switches to read; None: all. Raises FabricError for a name that the plan does not have."""
    problems = [
        Problem(
            code="unknown-name",
            what=f"unknown switch {name}",
            why=f"the plan has {len(names)} switches, and none of this name",
            fix=name_advice(name, names),
        )
        for name in typed
        if name not in names
    ]
    if problems:
        raise FabricError(problems)
    return frozenset(typed) if typed else None
