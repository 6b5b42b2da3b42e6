"""Verdicts for people and for machines: text, plain values for JSON, counts, and changes between two rounds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.base.schema_version import VERSIONED
from fabricgen.base.text import counted, listed, printable
from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.verify.causes.causes import key_of
from fabricgen.verify.collect.store import ABSENT
from fabricgen.verify.finding import BEYOND, CHECKS, NO_LINE, NOWHERE, Finding, Key, SwitchVerdict, Unchecked

_NO_SWITCHES = {"paths", "servers"}  # verdicts of the whole site
_NAMED = 3  # switches that are named with a reason; more are counted
_LINE = 80  # characters of a configuration line that it repeats
_FIRST = 5  # causes in the list of actions at the beginning of the report
MENDS = {found.code: found.fix for check in LIVE_CHECKS for found in check.codes}
_WORDS = ("device", "check", "code", "subject", "problem", "expected", "actual", "explained")
_ORDER = {check: number for number, check in enumerate(CHECKS)}


class RoundCounts(NamedTuple):
    """Counts of one round.

    switches   judged; reached: those of them that answered
    planned    switches that exist, in the plan or in the lab
    servers    whose pings were sent
    faulty     switches and servers with findings
    passed     comparisons that passed
    findings   of all kinds; consequences: those of them that only follow from another
    unchecked  checks of a switch that could not be judged
    """

    switches: int
    reached: int
    planned: int
    servers: int
    faulty: int
    passed: int
    findings: int
    unchecked: int
    consequences: int = 0


def summarize(verdicts: Iterable[SwitchVerdict], planned: int = 0) -> RoundCounts:
    """The counts of these verdicts. planned: switches that exist, if not all of them are judged."""
    all_verdicts = tuple(verdicts)
    switches = [verdict for verdict in all_verdicts if not _checks(verdict).intersection(BEYOND)]
    return RoundCounts(
        switches=len(switches),
        reached=sum(1 for verdict in switches if not any(entry.code in ABSENT for entry in verdict.findings)),
        planned=max(planned, len(switches)),
        servers=sum(1 for entry in all_verdicts if _checks(entry) == {"pings"} and (entry.passed or entry.findings)),
        faulty=sum(1 for verdict in all_verdicts if verdict.findings),
        passed=sum(count for verdict in all_verdicts for _, count in verdict.passed),
        findings=sum(len(verdict.findings) for verdict in all_verdicts),
        unchecked=sum(len(verdict.unchecked) for verdict in all_verdicts),
        consequences=sum(1 for verdict in all_verdicts for entry in verdict.findings if entry.cause),
    )


def _checks(verdict: SwitchVerdict) -> set[str]:
    """The checks in a verdict. A server's pings and the probes of all paths have verdicts of their own."""
    checks = {check for check, _ in verdict.passed} | {entry.check for entry in verdict.unchecked}
    return checks | {entry.check for entry in verdict.findings}


def order(check: str) -> int:
    """Position of a check in the order of the report."""
    return _ORDER.get(check, len(_ORDER))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of one switch in the order of the report: by check, then as they were found."""
    return sorted(findings, key=lambda finding: order(finding.check))


def text(verdicts: Iterable[SwitchVerdict], *, verbose: bool, planned: int = 0) -> Iterator[str]:
    """Lines of a report: what to do, then each cause with its consequences.

    verbose  with each consequence, and what passed, by switch and check; planned: as in `summarize`
    """
    all_verdicts = tuple(verdicts)
    consequences_of = consequences(all_verdicts)
    yield from _to_do(all_verdicts, consequences_of)
    for verdict in all_verdicts:
        for finding in in_order(verdict.findings):
            if not finding.cause:
                yield from finding_lines(finding)
                yield from _consequence_lines(finding, consequences_of.get(key_of(finding), ()), verbose=verbose)
        if verbose:
            passed = sorted(verdict.passed, key=lambda pair: order(pair[0]))
            if passed:
                counts = ", ".join(f"{check} {count}" for check, count in passed)
                yield printable(f"{verdict.device}  passed: {counts}")
    yield from _unchecked_lines(unchecked for verdict in all_verdicts for unchecked in verdict.unchecked)
    yield summary_line(summarize(all_verdicts, planned))


def consequences(verdicts: Iterable[SwitchVerdict]) -> Mapping[Key, tuple[Finding, ...]]:
    """Cause → its consequences, in the order of the report."""
    by_cause: dict[Key, tuple[Finding, ...]] = {}
    for verdict in verdicts:
        for finding in in_order(verdict.findings):
            if finding.cause:
                by_cause[finding.cause] = (*by_cause.get(finding.cause, ()), finding)
    return by_cause


def _to_do(verdicts: Iterable[SwitchVerdict], follow: Mapping[Key, tuple[Finding, ...]]) -> Iterator[str]:
    """What to do, causes with most consequences first."""
    causes = [finding for verdict in verdicts for finding in in_order(verdict.findings) if not finding.cause]
    ordered = sorted(causes, key=lambda finding: (-len(follow.get(key_of(finding), ())), order(finding.check)))
    groups = grouped((finding.code if finding.code in ABSENT else key_of(finding), finding) for finding in ordered)
    if groups:
        yield "fix:" if len(groups) == 1 else f"fix in this order ({len(groups)} causes):"
    for number, (finding, *others) in enumerate(list(groups.values())[:_FIRST], start=1):
        explanation = f" {finding.explained[0].upper()}{finding.explained[1:]}." if finding.explained else ""
        remedy = MENDS.get(finding.code, "")
        devices = listed([finding.device, *(other.device for other in others)])
        yield printable(
            f"  {number}. {devices}: {finding.subject} {finding.problem}{_line_of(finding)}.{explanation} {remedy}"
        )
    if len(groups) > _FIRST:
        yield f"  and {counted(len(groups) - _FIRST, 'more cause')}, see below"
    if groups:
        yield ""


def _line_of(finding: Finding) -> str:
    """` (shutdown)`: the configuration line of a finding; of several lines the beginning."""
    unexpected, missing = (text if text != NO_LINE else "" for text in (finding.actual, finding.expected))
    text = unexpected or f"without {missing}"
    if finding.check != "drift" or not (unexpected or missing):
        return ""
    return f" ({text if len(text) <= _LINE else f'{text[: _LINE - 1]}…'})"


def _consequence_lines(cause: Finding, consequence_findings: tuple[Finding, ...], *, verbose: bool) -> Iterator[str]:
    if not consequence_findings:
        return
    margin = " " * len(cause.device)
    checks = Counter(consequence.check for consequence in consequence_findings)
    kinds = ", ".join(f"{check} {checks[check]}" for check in sorted(checks, key=order))
    devices = list(dict.fromkeys(consequence.device for consequence in consequence_findings))
    where = ", ".join(devices) if len(devices) <= _NAMED else f"{len(devices)} devices"
    yield printable(f"{margin}  {counted(len(consequence_findings), 'consequence')}: {kinds} (on {where})")
    if verbose:
        for consequence in consequence_findings:
            yield from (f"{margin}    {line}" for line in finding_lines(consequence))


def finding_lines(finding: Finding) -> Iterator[str]:
    """A finding on one line, and its explanation on a second."""
    values = (("Expected", finding.expected), ("Actual", finding.actual))
    compared = "".join(f" {word}: {value}." for word, value in values if value)
    yield printable(f"{finding.device}  {finding.check}: {finding.subject} {finding.problem}.{compared}")
    if finding.explained:
        yield printable(f"{' ' * len(finding.device)}  ↳ {finding.explained}")


def summary_line(summary: RoundCounts) -> str:
    """The counts as a sentence."""
    causes = summary.findings - summary.consequences
    follow = f" with {counted(summary.consequences, 'consequence')}" if summary.consequences else ""
    findings = (
        f"{counted(causes, 'finding')}{follow} on {counted(summary.faulty, 'device')}"
        if summary.findings
        else "no findings"
    )
    servers = f", {counted(summary.servers, 'server')} pinging" if summary.servers else ""
    switches = "switch" if summary.planned == 1 else "switches"
    share = f"{summary.switches} of " if summary.switches < summary.planned else ""
    return (
        f"{share}{summary.planned} {switches}, {summary.reached} reached{servers}: {findings},"
        f" {counted(summary.passed, 'comparison')} OK, {counted(summary.unchecked, 'check')} not possible"
    )


def _unchecked_lines(unchecked: Iterable[Unchecked]) -> Iterator[str]:
    """Each reason once, with its checks and switches."""
    groups = grouped(((entry.check, entry.reason), entry.device) for entry in unchecked)
    if groups:
        yield "not checked:"
    by_devices: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (check, reason), devices in sorted(groups.items(), key=lambda pair: (order(pair[0][0]), pair[0])):
        by_devices.setdefault((reason, tuple(dict.fromkeys(devices))), []).append(check)
    for (reason, names), checks in by_devices.items():
        where = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} devices"
        of = "" if set(names) <= _NO_SWITCHES else f" ({where})"
        yield printable(f"  {', '.join(checks)}: {reason}{of}")


def plain(verdicts: Iterable[SwitchVerdict], planned: int = 0) -> dict[str, object]:
    """The verdicts as values for JSON. `planned`: as in `summarize`."""
    all_verdicts = tuple(verdicts)
    follow = consequences(all_verdicts)
    return VERSIONED | {
        "summary": summarize(all_verdicts, planned)._asdict(),
        "switches": [
            {
                "device": verdict.device,
                "passed": dict(sorted(verdict.passed, key=lambda pair: order(pair[0]))),
                "findings": [_plain_cause(finding, follow) for finding in in_order(verdict.findings)],
                "unchecked": [
                    unchecked._asdict()
                    for unchecked in sorted(verdict.unchecked, key=lambda unchecked: order(unchecked.check))
                ],
            }
            for verdict in all_verdicts
        ],
    }


def _plain_cause(finding: Finding, consequences_of: Mapping[Key, tuple[Finding, ...]]) -> dict[str, object]:
    number = len(consequences_of.get(key_of(finding), ()))
    return plain_finding(finding) | ({"consequences": number} if number else {})


def plain_finding(finding: Finding) -> dict[str, object]:
    """A finding's texts for JSON, and those of its values that are set; `far` and `heard` as `system` and `port`.

    cause  of a consequence: `device`, `code` and `subject` of the finding that it follows from
    """
    texts = {name: value for name, value in finding._asdict().items() if name in _WORDS}
    ends = {"far": finding.far, "heard": finding.heard}
    values = {"port": finding.port, "family": finding.family, "prefix": finding.prefix}
    return (
        texts
        | {name: value for name, value in values.items() if value}
        | {name: end._asdict() for name, end in ends.items() if end != NOWHERE}
        | ({"cause": dict(zip(("device", "code", "subject"), finding.cause, strict=True))} if finding.cause else {})
    )


class RoundChanges(NamedTuple):
    """Findings that one round has and the other does not have, each as often as the difference."""

    appeared: tuple[Finding, ...]
    gone: tuple[Finding, ...]


def changes(before: Iterable[SwitchVerdict], after: Iterable[SwitchVerdict]) -> RoundChanges:
    """Compare two rounds, each in the order of its report, without regard to causes."""
    old, new = (
        Counter(finding._replace(cause=None) for verdict in verdicts for finding in in_order(verdict.findings))
        for verdicts in (before, after)
    )
    return RoundChanges(appeared=tuple((new - old).elements()), gone=tuple((old - new).elements()))
