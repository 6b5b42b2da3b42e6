"""Verdicts as JUnit XML, the report that CI systems show.

One suite a switch, one case a check: findings fail it, what could not be judged skips it, and only what was wholly
compared and found right passes. Elements and attributes are those of Jenkins' junit-10.xsd (xunit plugin); `time` is
left out, as a verdict takes none.
"""

import re
from collections.abc import Iterable
from xml.etree.ElementTree import Element, ElementTree, SubElement, indent, tostring

from fabricgen.verify.finding import Finding, Verdict
from fabricgen.verify.report import finding_lines, in_order, order

# Characters that XML 1.0 has no way to write (its production 2, Char).
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(verdicts: Iterable[Verdict], name: str) -> str:
    """The report's text. `name`: of the whole."""
    root = Element("testsuites", name=_xml(name))
    counts = [_suite(root, verdict) for verdict in verdicts]
    root.set("tests", str(sum(tests for tests, _ in counts)))
    root.set("failures", str(sum(failures for _, failures in counts)))
    root.set("errors", "0")
    indent(ElementTree(root), space=" ")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{tostring(root, encoding="unicode")}\n'


def _suite(root: Element, verdict: Verdict) -> tuple[int, int]:
    """Write one switch; return its cases and how many of them failed."""
    findings: dict[str, list[Finding]] = {}
    for finding in in_order(verdict.findings):
        findings.setdefault(finding.check, []).append(finding)
    reasons: dict[str, list[str]] = {}
    for one in verdict.unchecked:
        reasons.setdefault(one.check, []).append(one.reason)
    checks = sorted(
        {*findings, *reasons, *(check for check, _ in verdict.passed)}, key=lambda name: (order(name), name)
    )
    skipped = sum(1 for check in reasons if check not in findings)
    counts = {"tests": len(checks), "failures": len(findings), "errors": 0, "skipped": skipped}
    words = {"name": _xml(verdict.device)} | {word: str(count) for word, count in counts.items()}
    suite = SubElement(root, "testsuite", words)
    for check in checks:
        _case(suite, verdict.device, check, findings.get(check, []), reasons.get(check, []))
    return len(checks), len(findings)


def _case(suite: Element, device: str, check: str, findings: list[Finding], reasons: list[str]) -> None:
    case = SubElement(suite, "testcase", name=check, classname=_xml(device))
    untold = [f"not checkable here: {reason}" for reason in reasons]
    if findings:
        lines = [line for finding in findings for line in finding_lines(finding)]
        first, more = findings[0], len(findings) - 1
        message = f"{first.subject} {first.problem}" + (f", and {more} more" if more else "")
        failure = SubElement(case, "failure", message=_xml(message), type=first.code)
        failure.text = _xml("\n".join([*lines, *untold]))
    elif reasons:
        SubElement(case, "skipped", message=_xml("; ".join(dict.fromkeys(reasons))))


def _xml(words: str) -> str:
    return _NO_XML.sub(lambda found: f"\\x{ord(found[0]):02x}", words)
