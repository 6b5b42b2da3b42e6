"""Verdicts as JUnit XML, the report format of CI systems.

One suite per switch, one case per check: findings fail it, and it passes if all comparisons pass. The part of a check
that could not be judged is a separate case, `drift (not checkable)`, which is skipped; a check that could not be judged
at all is skipped itself. Elements and attributes are those that Jenkins' junit-10.xsd (xunit plugin) and, suite by
suite, Maven Surefire's surefire-test-report.xsd allow. The latter requires a time, and a verdict takes none.
"""

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent, tostring

from fabricgen.base.grouping import grouped
from fabricgen.verify.finding import Finding, SwitchVerdict
from fabricgen.verify.report.text import finding_lines, in_order, order

# Characters that XML 1.0 cannot represent (its production 2, Char).
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(verdicts: Iterable[SwitchVerdict], name: str) -> str:
    """The report's text. `name`: of the whole report."""
    root = Element("testsuites", name=_xml(name))
    counts = [_suite(root, verdict) for verdict in verdicts]
    root.set("tests", str(sum(tests for tests, _ in counts)))
    root.set("failures", str(sum(failures for _, failures in counts)))
    root.set("errors", "0")
    indent(ElementTree(root), space=" ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _suite(root: Element, verdict: SwitchVerdict) -> tuple[int, int]:
    """Add one switch. Return the number of its cases and of the failed ones."""
    findings = grouped((finding.check, finding) for finding in in_order(verdict.findings))
    reasons = grouped((unchecked.check, unchecked.reason) for unchecked in verdict.unchecked)
    compared = {*findings, *(check for check, count in verdict.passed if count)}
    checks = sorted({*compared, *reasons}, key=lambda name: (order(name), name))
    suite = SubElement(root, "testsuite", name=_xml(verdict.device))
    for check in checks:
        if check in compared:
            _compared(_case(suite, verdict.device, check), findings.get(check, []))
        if check in reasons:
            name = f"{check} (not checkable)" if check in compared else check
            message = _xml("; ".join(dict.fromkeys(reasons[check])))
            SubElement(_case(suite, verdict.device, name), "skipped", message=message)
    counts = {"tests": len(suite), "failures": len(findings), "errors": 0, "skipped": len(reasons)}
    for word, count in counts.items():
        suite.set(word, str(count))
    return counts["tests"], counts["failures"]


def _case(suite: Element, device: str, name: str) -> Element:
    return SubElement(suite, "testcase", name=name, classname=_xml(device), time="0")


def _compared(case: Element, findings: list[Finding]) -> None:
    """Fail a case if there are findings."""
    if findings:
        lines = [line for finding in findings for line in finding_lines(finding)]
        first, others = findings[0], len(findings) - 1
        message = f"{first.subject} {first.problem}" + (f", and {others} more" if others else "")
        failure = SubElement(case, "failure", message=_xml(message), type=first.code)
        failure.text = _xml("\n".join(lines))


def _xml(text: str) -> str:
    return _NO_XML.sub(lambda match: f"\\x{ord(match[0]):02x}", text)
