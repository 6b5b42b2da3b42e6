"""No remedy offers a waiver that the intent's own rules refuse: by a case of each check, and by every text there is."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import fabricgen
from fabricgen.checks.catalogue import CHECKS, NOTES
from fabricgen.checks.lossless import ecn_thresholds
from fabricgen.checks.lossless.buffers import PUBLISHED_LATE
from fabricgen.checks.lossless.lossless_switches import boxes
from fabricgen.intent.waivers import Waiver, waiver_rules
from tests.checks import cases, test_checks_notes
from tests.checks.intents import plan

NAMED = re.compile(r"waivers: \[\{code: ([a-z0-9-]+)|\bwaive ([a-z0-9]+(?:-[a-z0-9]+)+)")
"""A code that a text says to waive."""
OWN = re.compile(r"\bwaive it\b|\bwaiver\b")
"""The text is of a problem, whose own code it says to waive."""


def offered(fix: str, code: str) -> set[str]:
    """Codes that a remedy of a problem says to waive."""
    named = {first or second for first, second in NAMED.findall(fix)}
    return named | ({code} if OWN.search(fix) else set())


def refused(codes: set[str]) -> set[str]:
    """Those of which the rules of the intent refuse a waiver."""
    return {code for code in codes if list(waiver_rules((Waiver(code=code, reason="seen on the switches"),)))}


@pytest.mark.parametrize("code", [*cases.CASES, *test_checks_notes.CASES])
def test_the_remedy_of_a_check_offers_no_waiver_that_is_refused(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = cases.CASES[code](monkeypatch) if code in cases.CASES else test_checks_notes.CASES[code]()
    check = next(check for check in (*CHECKS, *NOTES) if code in check.codes)
    found = [problem for problem in check.run(made) if problem.code == code]
    assert found
    assert {problem.fix: refused(offered(problem.fix, code)) for problem in found} == {
        problem.fix: set() for problem in found
    }


def calls() -> Iterator[tuple[str, str, str]]:
    """Each `Problem(code=..., fix=...)` of the package whose remedy speaks of waivers: place, code, remedy.

    A code that is no text is looked up among the names of its module. What is filled in is left out.
    """
    root = Path(fabricgen.__file__).parent
    for path in sorted(root.rglob("*.py")):
        if "waive" not in (text := path.read_text()):
            continue
        tree = ast.parse(text)
        constants = {target.id: node.value for node in tree.body if isinstance(node, ast.Assign)
                     for target in node.targets if isinstance(target, ast.Name)}  # fmt: skip
        for node in ast.walk(tree):
            if not isinstance(node, ast.Call):
                continue
            words = {key.arg: key.value for key in node.keywords}
            if "fix" not in words or "code" not in words:
                continue
            fix = "".join(texts(words["fix"]))
            code = words["code"]
            code = constants.get(code.id, code) if isinstance(code, ast.Name) else code
            if "waive" in fix:
                yield f"{path.relative_to(root)}:{node.lineno}", "".join(texts(code)), fix


def texts(node: ast.AST) -> Iterator[str]:
    """The constant texts in an expression, in their order."""
    yield from (part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str))


def test_no_remedy_in_the_package_offers_a_waiver_that_is_refused() -> None:
    found = list(calls())
    assert len(found) >= 8
    assert {place: (code, refused(offered(fix, code))) for place, code, fix in found if code} == {
        place: (code, set()) for place, code, _ in found if code
    }
    assert [place for place, code, _ in found if not code] == []


@pytest.mark.parametrize("code", [ecn_thresholds.MISSING, ecn_thresholds.BROKEN, ecn_thresholds.LATE, PUBLISHED_LATE])
def test_thresholds_without_a_way_out_offer_a_waiver_only_of_what_can_be_waived(
    code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thresholds that cannot work, and none at all, are another model's: the switch cannot be run with them."""
    monkeypatch.setattr(ecn_thresholds, "_works", lambda *_, **__: False)
    fix = ecn_thresholds.instead(list(boxes(plan())), code)
    assert refused(offered(fix, code)) == set()
    assert bool(offered(fix, code)) == (code in {ecn_thresholds.LATE, PUBLISHED_LATE})


def test_a_waiver_that_is_refused_is_seen() -> None:
    """A waiver of thresholds that cannot work, as it was once offered; by its name in prose; and as `it`."""
    pasted = 'accept it with waivers: [{code: ecn-thresholds, where: fabrics.backend, reason: "measured in the lab"}]'
    assert refused(offered(pasted, "ecn-thresholds")) == {"ecn-thresholds"}
    assert refused(offered("bring it back, or waive name-twice", "outside-lost")) == {"name-twice"}
    assert refused(offered("add a part, or waive it with the reason", "asn-twice")) == {"asn-twice"}
    assert refused(offered("bring one back, or waive outside-lost", "outside-lost")) == set()
