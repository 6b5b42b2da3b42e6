"""Verdicts for people and for machines: text, JSON's plain values, counts, and what changed between two rounds."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.verify.finding import CHECKS, NOWHERE, Finding, Unchecked, Verdict
from fabricgen.verify.store import ABSENT
from fabricgen.wording import printable

_NAMED = 3  # switches that are named beside a reason; more are counted
_WORDS = ("device", "check", "code", "subject", "problem", "expected", "actual", "explained")
_ORDER = {check: number for number, check in enumerate(CHECKS)}


class Summary(NamedTuple):
    """Counts of one round.

    switches   judged; reached: of them
    planned    switches that there are, in the plan or in the lab
    servers    whose pings were sent
    faulty     switches and servers with findings
    passed     things compared and found right
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


def summarize(verdicts: Iterable[Verdict], planned: int = 0) -> Summary:
    """Count. planned: switches that there are, where not all of them are judged."""
    found = tuple(verdicts)
    switches = [verdict for verdict in found if not _is_server(verdict)]
    return Summary(
        switches=len(switches),
        reached=sum(1 for verdict in switches if not any(one.code in ABSENT for one in verdict.findings)),
        planned=max(planned, len(switches)),
        servers=sum(1 for verdict in found if _is_server(verdict) and (verdict.passed or verdict.findings)),
        faulty=sum(1 for verdict in found if verdict.findings),
        passed=sum(count for verdict in found for _, count in verdict.passed),
        findings=sum(len(verdict.findings) for verdict in found),
        unchecked=sum(len(verdict.unchecked) for verdict in found),
    )


def _is_server(verdict: Verdict) -> bool:
    """Whether it is about a server's pings and nothing else."""
    checks = {check for check, _ in verdict.passed} | {one.check for one in verdict.unchecked}
    return checks | {one.check for one in verdict.findings} == {"pings"}


def order(check: str) -> int:
    """Place of a check in the order in which checks are shown."""
    return _ORDER.get(check, len(_ORDER))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of one switch as they are shown: by check, then as they were found."""
    return sorted(findings, key=lambda finding: order(finding.check))


def text(verdicts: Iterable[Verdict], *, verbose: bool, planned: int = 0) -> Iterator[str]:
    """Lines of a report. `verbose`: with what passed, by switch and check; `planned`: as `summarize` has it."""
    found = tuple(verdicts)
    for verdict in found:
        for finding in in_order(verdict.findings):
            yield from finding_lines(finding)
        if verbose:
            passed = sorted(verdict.passed, key=lambda pair: order(pair[0]))
            words = ", ".join(f"{check} {count}" for check, count in passed) or "nothing"
            yield printable(f"{verdict.device}  passed: {words}")
    yield from _unchecked_lines(one for verdict in found for one in verdict.unchecked)
    yield summary_line(summarize(found, planned))


def finding_lines(finding: Finding) -> Iterator[str]:
    """A finding on a line of its own, and its explanation on a second."""
    told = (("Expected", finding.expected), ("Actual", finding.actual))
    compared = "".join(f" {word}: {value}." for word, value in told if value)
    yield printable(f"{finding.device}  {finding.check}: {finding.subject} {finding.problem}.{compared}")
    if finding.explained:
        yield printable(f"{' ' * len(finding.device)}  ↳ {finding.explained}")


def summary_line(summary: Summary) -> str:
    """Counts as a sentence."""
    found = f"{_count(summary.findings, 'finding')} on {summary.faulty} of them" if summary.findings else "no findings"
    servers = f", {_count(summary.servers, 'server')} pinging" if summary.servers else ""
    some = f"{summary.switches} of " if summary.switches < summary.planned else ""
    return (
        f"{some}{_count(summary.planned, 'switch', 'switches')}, {summary.reached} reached{servers}: {found},"
        f" {_count(summary.passed, 'comparison')} right, {_count(summary.unchecked, 'check')} not checkable here"
    )


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _unchecked_lines(unchecked: Iterable[Unchecked]) -> Iterator[str]:
    """Each check and reason once, with the switches that it is about."""
    groups: dict[tuple[str, str], list[str]] = {}
    for one in unchecked:
        groups.setdefault((one.check, one.reason), []).append(one.device)
    if groups:
        yield "not checkable here:"
    for (check, reason), devices in sorted(groups.items(), key=lambda pair: (order(pair[0][0]), pair[0])):
        names = list(dict.fromkeys(devices))
        where = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} devices"
        yield printable(f"  {check}: {reason} ({where})")


def plain(verdicts: Iterable[Verdict], planned: int = 0) -> dict[str, object]:
    """The whole of it as values for JSON. `planned`: as `summarize` has it."""
    found = tuple(verdicts)
    return {
        "summary": summarize(found, planned)._asdict(),
        "switches": [
            {
                "device": verdict.device,
                "passed": dict(sorted(verdict.passed, key=lambda pair: order(pair[0]))),
                "findings": [plain_finding(finding) for finding in in_order(verdict.findings)],
                "unchecked": [one._asdict() for one in sorted(verdict.unchecked, key=lambda one: order(one.check))],
            }
            for verdict in found
        ],
    }


def plain_finding(finding: Finding) -> dict[str, object]:
    """Its words for JSON, and those of its values that are set; `far` and `heard` as `system` and `port`."""
    words = {name: value for name, value in finding._asdict().items() if name in _WORDS}
    ends = {"far": finding.far, "heard": finding.heard}
    values = {"port": finding.port, "family": finding.family, "prefix": finding.prefix}
    return (
        words
        | {name: value for name, value in values.items() if value}
        | {name: end._asdict() for name, end in ends.items() if end != NOWHERE}
    )


class Changes(NamedTuple):
    """Findings that one round had and the other had not, each as often as it was more."""

    appeared: tuple[Finding, ...]
    gone: tuple[Finding, ...]


def changes(before: Iterable[Verdict], after: Iterable[Verdict]) -> Changes:
    """Compare two rounds, each in the order of its report."""
    old = Counter(finding for verdict in before for finding in in_order(verdict.findings))
    new = Counter(finding for verdict in after for finding in in_order(verdict.findings))
    return Changes(appeared=tuple((new - old).elements()), gone=tuple((old - new).elements()))
