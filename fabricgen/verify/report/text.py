"""Verdicts for people and for machines: text, JSON's plain values, counts, and what changed between two rounds."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from fabricgen.base.schema_version import VERSIONED
from fabricgen.base.text import printable
from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.verify.causes.causes import key_of
from fabricgen.verify.collect.store import ABSENT
from fabricgen.verify.finding import BEYOND, CHECKS, NO_LINE, NOWHERE, Finding, Key, SwitchVerdict, Unchecked

_NAMED = 3  # switches that are named beside a reason; more are counted
_LINE = 80  # characters of a line that it repeats
_FIRST = 5  # causes of which the report begins with what to do
MENDS = {found.code: found.mend for check in LIVE_CHECKS for found in check.codes}
_WORDS = ("device", "check", "code", "subject", "problem", "expected", "actual", "explained")
_ORDER = {check: number for number, check in enumerate(CHECKS)}


class RoundCounts(NamedTuple):
    """Counts of one round.

    switches   judged; reached: of them
    planned    switches that there are, in the plan or in the lab
    servers    whose pings were sent
    faulty     switches and servers with findings
    passed     things compared and found right
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
    """Count. planned: switches that there are, where not all of them are judged."""
    found = tuple(verdicts)
    switches = [verdict for verdict in found if not _checks(verdict).intersection(BEYOND)]
    return RoundCounts(
        switches=len(switches),
        reached=sum(1 for verdict in switches if not any(one.code in ABSENT for one in verdict.findings)),
        planned=max(planned, len(switches)),
        servers=sum(1 for one in found if _checks(one) == {"pings"} and (one.passed or one.findings)),
        faulty=sum(1 for verdict in found if verdict.findings),
        passed=sum(count for verdict in found for _, count in verdict.passed),
        findings=sum(len(verdict.findings) for verdict in found),
        unchecked=sum(len(verdict.unchecked) for verdict in found),
        consequences=sum(1 for verdict in found for one in verdict.findings if one.cause),
    )


def _checks(verdict: SwitchVerdict) -> set[str]:
    """What it is about. A server's pings and the probes of all paths have verdicts of their own."""
    checks = {check for check, _ in verdict.passed} | {one.check for one in verdict.unchecked}
    return checks | {one.check for one in verdict.findings}


def order(check: str) -> int:
    """Place of a check in the order in which checks are shown."""
    return _ORDER.get(check, len(_ORDER))


def in_order(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of one switch as they are shown: by check, then as they were found."""
    return sorted(findings, key=lambda finding: order(finding.check))


def text(verdicts: Iterable[SwitchVerdict], *, verbose: bool, planned: int = 0) -> Iterator[str]:
    """Lines of a report: what to do, then each cause with what follows from it.

    verbose  with each consequence, and what passed, by switch and check; planned: as `summarize` has it
    """
    found = tuple(verdicts)
    follow = consequences(found)
    yield from _to_do(found, follow)
    for verdict in found:
        for finding in in_order(verdict.findings):
            if not finding.cause:
                yield from finding_lines(finding)
                yield from _consequence_lines(finding, follow.get(key_of(finding), ()), verbose=verbose)
        if verbose:
            passed = sorted(verdict.passed, key=lambda pair: order(pair[0]))
            words = ", ".join(f"{check} {count}" for check, count in passed) or "nothing"
            yield printable(f"{verdict.device}  passed: {words}")
    yield from _unchecked_lines(one for verdict in found for one in verdict.unchecked)
    yield summary_line(summarize(found, planned))


def consequences(verdicts: Iterable[SwitchVerdict]) -> Mapping[Key, tuple[Finding, ...]]:
    """Cause → what follows from it, in the order of the report."""
    found: dict[Key, tuple[Finding, ...]] = {}
    for verdict in verdicts:
        for one in in_order(verdict.findings):
            if one.cause:
                found[one.cause] = (*found.get(one.cause, ()), one)
    return found


def _to_do(verdicts: Iterable[SwitchVerdict], follow: Mapping[Key, tuple[Finding, ...]]) -> Iterator[str]:
    """What to do, what has most consequences first."""
    causes = [one for verdict in verdicts for one in in_order(verdict.findings) if not one.cause]
    ordered = sorted(causes, key=lambda one: (-len(follow.get(key_of(one), ())), order(one.check)))
    alike: dict[object, list[Finding]] = {}
    for one in ordered:
        alike.setdefault(one.code if one.code in ABSENT else key_of(one), []).append(one)
    if alike:
        yield "fix:" if len(alike) == 1 else f"fix in this order ({len(alike)} causes):"
    for number, (one, *others) in enumerate(list(alike.values())[:_FIRST], start=1):
        known = f" {one.explained[0].upper()}{one.explained[1:]}." if one.explained else ""
        mend = MENDS.get(one.code, "")
        devices = _named([one.device, *(other.device for other in others)])
        yield printable(f"  {number}. {devices}: {one.subject} {one.problem}{_line_of(one)}.{known} {mend}")
    if len(alike) > _FIRST:
        yield f"  and {_count(len(alike) - _FIRST, 'more cause')}, see below"
    if alike:
        yield ""


def _named(devices: Sequence[str]) -> str:
    """Names of the first devices, and how many more there are."""
    more = len(devices) - _NAMED
    return ", ".join(devices) if more <= 0 else f"{', '.join(devices[:_NAMED])} and {more} more"


def _line_of(finding: Finding) -> str:
    """` (shutdown)`: which line of a configuration it is; of several the beginning."""
    there, gone = (text if text != NO_LINE else "" for text in (finding.actual, finding.expected))
    text = there or f"without {gone}"
    if finding.check != "drift" or not (there or gone):
        return ""
    return f" ({text if len(text) <= _LINE else f'{text[: _LINE - 1]}…'})"


def _consequence_lines(cause: Finding, found: tuple[Finding, ...], *, verbose: bool) -> Iterator[str]:
    if not found:
        return
    margin = " " * len(cause.device)
    checks = Counter(one.check for one in found)
    kinds = ", ".join(f"{check} {checks[check]}" for check in sorted(checks, key=order))
    devices = list(dict.fromkeys(one.device for one in found))
    where = ", ".join(devices) if len(devices) <= _NAMED else f"{len(devices)} devices"
    yield printable(f"{margin}  {_count(len(found), 'consequence')}: {kinds} (on {where})")
    if verbose:
        for one in found:
            yield from (f"{margin}    {line}" for line in finding_lines(one))


def finding_lines(finding: Finding) -> Iterator[str]:
    """A finding on a line of its own, and its explanation on a second."""
    told = (("Expected", finding.expected), ("Actual", finding.actual))
    compared = "".join(f" {word}: {value}." for word, value in told if value)
    yield printable(f"{finding.device}  {finding.check}: {finding.subject} {finding.problem}.{compared}")
    if finding.explained:
        yield printable(f"{' ' * len(finding.device)}  ↳ {finding.explained}")


def summary_line(summary: RoundCounts) -> str:
    """Counts as a sentence."""
    causes = summary.findings - summary.consequences
    follow = f" with {_count(summary.consequences, 'consequence')}" if summary.consequences else ""
    found = (
        f"{_count(causes, 'finding')}{follow} on {_count(summary.faulty, 'device')}"
        if summary.findings
        else "no findings"
    )
    servers = f", {_count(summary.servers, 'server')} pinging" if summary.servers else ""
    some = f"{summary.switches} of " if summary.switches < summary.planned else ""
    return (
        f"{some}{_count(summary.planned, 'switch', 'switches')}, {summary.reached} reached{servers}: {found},"
        f" {_count(summary.passed, 'comparison')} OK, {_count(summary.unchecked, 'check')} not possible"
    )


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number} {one if number == 1 else many or f'{one}s'}"


def _unchecked_lines(unchecked: Iterable[Unchecked]) -> Iterator[str]:
    """Each reason once, with the checks and the switches that it is about."""
    groups: dict[tuple[str, str], list[str]] = {}
    for one in unchecked:
        groups.setdefault((one.check, one.reason), []).append(one.device)
    if groups:
        yield "not checked:"
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (check, reason), devices in sorted(groups.items(), key=lambda pair: (order(pair[0][0]), pair[0])):
        alike.setdefault((reason, tuple(dict.fromkeys(devices))), []).append(check)
    for (reason, names), checks in alike.items():
        where = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} devices"
        yield printable(f"  {', '.join(checks)}: {reason} ({where})")


def plain(verdicts: Iterable[SwitchVerdict], planned: int = 0) -> dict[str, object]:
    """The whole of it as values for JSON. `planned`: as `summarize` has it."""
    found = tuple(verdicts)
    follow = consequences(found)
    return VERSIONED | {
        "summary": summarize(found, planned)._asdict(),
        "switches": [
            {
                "device": verdict.device,
                "passed": dict(sorted(verdict.passed, key=lambda pair: order(pair[0]))),
                "findings": [_plain_cause(finding, follow) for finding in in_order(verdict.findings)],
                "unchecked": [one._asdict() for one in sorted(verdict.unchecked, key=lambda one: order(one.check))],
            }
            for verdict in found
        ],
    }


def _plain_cause(finding: Finding, follow: Mapping[Key, tuple[Finding, ...]]) -> dict[str, object]:
    number = len(follow.get(key_of(finding), ()))
    return plain_finding(finding) | ({"consequences": number} if number else {})


def plain_finding(finding: Finding) -> dict[str, object]:
    """Its words for JSON, and those of its values that are set; `far` and `heard` as `system` and `port`.

    cause  of a consequence: `device`, `code` and `subject` of the finding that it follows from
    """
    words = {name: value for name, value in finding._asdict().items() if name in _WORDS}
    ends = {"far": finding.far, "heard": finding.heard}
    values = {"port": finding.port, "family": finding.family, "prefix": finding.prefix}
    return (
        words
        | {name: value for name, value in values.items() if value}
        | {name: end._asdict() for name, end in ends.items() if end != NOWHERE}
        | ({"cause": dict(zip(("device", "code", "subject"), finding.cause, strict=True))} if finding.cause else {})
    )


class RoundChanges(NamedTuple):
    """Findings that one round had and the other had not, each as often as it was more."""

    appeared: tuple[Finding, ...]
    gone: tuple[Finding, ...]


def changes(before: Iterable[SwitchVerdict], after: Iterable[SwitchVerdict]) -> RoundChanges:
    """Compare two rounds, each in the order of its report. What a finding follows from is none of its own."""
    old, new = (
        Counter(one._replace(cause=None) for verdict in found for one in in_order(verdict.findings))
        for found in (before, after)
    )
    return RoundChanges(appeared=tuple((new - old).elements()), gone=tuple((old - new).elements()))
