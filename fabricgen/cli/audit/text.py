"""The report of an audit as lines of text."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from fabricgen.audit.properties import NAMES
from fabricgen.audit.switch import SwitchAudit
from fabricgen.audit.total import AuditTotal
from fabricgen.audit.violations import ViolationGroup
from fabricgen.audit.words import finding_text, place_text
from fabricgen.base.grouping import grouped
from fabricgen.base.text import counted, listed, printable

MOST_UNREAD = 20
"""Lines of one switch that are listed; --json has all."""
MOST_OTHERS = 10
MOST_VIOLATIONS = 50


class AuditReport(NamedTuple):
    """Everything that an audit has to say.

    shown       switches that are not as planned
    others      entries of the folder that belong to no switch
    properties  names of those that were tried; none where some switches were picked, or no text is there
    not_judged  name → why it was not tried, or not in every fabric
    """

    site: str
    shown: tuple[SwitchAudit, ...]
    total: AuditTotal
    others: tuple[str, ...]
    properties: tuple[str, ...]
    not_judged: Mapping[str, str]
    violations: tuple[ViolationGroup, ...]

    def is_clean(self, *, allow_unread: bool) -> bool:
        """Whether every configuration is there and as planned, and every property holds."""
        total = self.total
        unread = 0 if allow_unread else total.unread
        return not (total.differing or total.absent or total.faulty or unread or self.violations)


def text(report: AuditReport, folder: Path) -> Iterator[str]:
    """All lines of the report."""
    for audit in report.shown:
        yield from switch_lines(audit)
    yield from _violations(report.violations)
    yield from _properties(report)
    yield from _totals(report.total, report.others, folder)


def _violations(rows: tuple[ViolationGroup, ...]) -> Iterator[str]:
    """A line per switch and consequence, with the first place; the consequence once. --json has every place."""
    by_consequence: dict[tuple[str, str], dict[str, list[ViolationGroup]]] = {}
    for row in rows:
        by_consequence.setdefault((row.property, row.why), {}).setdefault(row.switch, []).append(row)
    left = MOST_VIOLATIONS
    for (_, why), by_switch in by_consequence.items():
        shown = [*by_switch.values()][: max(left, 0)]
        yield from map(_violation_line, shown)
        if shown:
            yield printable(f"  why it matters: {why}")
        left -= len(by_switch)
    if left < 0:
        yield f"and {-left} more, see --json"


def _violation_line(rows: list[ViolationGroup]) -> str:
    first, others = rows[0], sum(len(row.what) for row in rows) - 1
    at = first.at
    place = f" {at.file}{f':{at.line}' if at.line else ''}" if at.file else ""
    kinds = f"{counted(others, 'more difference')} of this kind"
    more = f" (and {kinds}{', see --json' * (len(rows) > 1)})" if others else ""
    return printable(f"{first.switch}{place}: {first.property}: {first.what[0]}{more}")


def _properties(report: AuditReport) -> Iterator[str]:
    broken = {row.property for row in report.violations}
    holding = [name for name in report.properties if name not in broken]
    total = report.total
    texts = f"{total.read} of {total.switches} " if total.read < total.switches else "the "
    understood = " as far as their lines were understood" if total.unread or total.added else ""
    if holding:
        yield f"Properties that hold, judged from {texts}configurations{understood}: {', '.join(holding)}"
    if broken:
        yield f"Properties that do not hold: {', '.join(sorted(broken))}"
    for why, names in grouped((why, name) for name, why in report.not_judged.items()).items():
        if len(names) == len(NAMES):
            yield f"No property is judged, as {why}"
        else:
            yield f"Properties that are not judged, as {why}: {', '.join(names)}"


def switch_lines(audit: SwitchAudit) -> Iterator[str]:
    """Lines about one switch."""
    nothing = _nothing_read(audit)
    if nothing:
        yield printable(nothing)
        return
    yield f"{audit.name} ({audit.system}): {_difference_counts(audit)}"
    for finding in audit.findings:
        own = " (a line that the intent adds)" if finding.by_user else ""
        place = place_text(finding)
        yield printable(f"  {place}{': ' if place else ''}{finding_text(finding)}{own}")
    for line in audit.unread[:MOST_UNREAD]:
        yield printable(f"  {line.file}:{line.line}: not understood: {line.text.strip()}")
    if len(audit.unread) > MOST_UNREAD:
        yield f"  and {len(audit.unread) - MOST_UNREAD} more lines that were not understood"
    for line in audit.added[:MOST_UNREAD]:
        yield printable(f"  {line.file}:{line.line}: not understood: {line.text.strip()} (a line that the intent adds)")
    if len(audit.added) > MOST_UNREAD:
        yield f"  and {len(audit.added) - MOST_UNREAD} more lines that the intent adds and that were not understood"


def _nothing_read(audit: SwitchAudit) -> str:
    """Why nothing of a switch is compared; empty where something is."""
    if not audit.has_config:
        return f"{audit.name}: no configuration"
    if not audit.lines.all:
        return f"{audit.name} ({audit.system}): the configuration is empty"
    if audit.fault is None:
        return ""
    fault = audit.fault
    return (
        f"{audit.name}: {fault.file}:{fault.line}: no line of it is a configuration of {audit.system}, so nothing is "
        f"compared: {fault.text.strip()}"
    )


def _difference_counts(audit: SwitchAudit) -> str:
    parts = []
    if audit.findings:
        parts.append(counted(len(audit.findings), "difference"))
    if audit.unread or audit.added:
        parts.append(f"{counted(len(audit.unread) + len(audit.added), 'line')} not understood")
    return ", ".join(parts)


def _totals(total: AuditTotal, others: tuple[str, ...], folder: Path) -> Iterator[str]:
    """What was read in all, and the shares of lines."""
    if others:
        yield printable(f"Entries of {folder} that belong to no planned switch: {listed(others, most=MOST_OTHERS)}")
        inner = next((name for name in others if (folder / name).is_dir()), "")
        if inner and total.absent == total.switches:
            yield printable(f"fix: if {inner} has the configurations, use --configs {folder / inner}")
    for system, count in total.lines.items():
        if not count.all:
            yield f"{system}: every file is empty"
            continue
        yield (
            f"{system}: {count.all} lines, {count.all - count.unread - count.idle} compared, {count.idle} without a "
            f"value to compare (such as a banner), {count.unread} not understood; "
            f"{share(count.all - count.unread, count.all)} understood"
        )
    plural = "es" if total.switches != 1 else ""
    words = [f"{total.switches} switch{plural} audited"]
    words += [f"{total.differing} differ{'s' if total.differing == 1 else ''} from the plan"] if total.differing else []
    words += [f"{total.absent} without a configuration"] if total.absent else []
    words += [f"{total.faulty} with a file that is no configuration"] if total.faulty else []
    if not total.differing and total.read == total.switches:
        but = f" but {total.changes} by lines that the intent adds" if total.changes else ""
        in_lines = " in the lines that were understood" if total.unread or total.added else ""
        words.append(f"no difference from the plan{but}{in_lines}")
    yield ", ".join(words)


def share(part: int, whole: int) -> str:
    """Percent with two digits, never rounded up to 100."""
    hundredths = 10_000 * part // whole if whole else 10_000
    return f"{hundredths // 100}.{hundredths % 100:02d} %"
