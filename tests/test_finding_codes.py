"""The table of finding codes holds every code that verify can tell, under the check that tells it, and no other."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.verify.collect.store import ABSENT
from fabricgen.verify.finding import CHECKS
from fabricgen.verify.judge.device import judge
from tests.verify.judge_cases_ports import PORTS
from tests.verify.judge_cases_routes import ROUTES
from tests.verify.leaf import LEAF, RIGHT

VERIFY = Path(__file__).parents[1] / "fabricgen" / "verify"
CODE = re.compile(r"[a-z]+(-[a-z]+)+")
POSITIONAL = ("Failure", "Fault", "Finding", "_failed")
"""What is called with a code that has no keyword before it."""
TABLE = {found.code: (check.name, found) for check in LIVE_CHECKS for found in check.codes}


def codes_in(text: str) -> Iterator[str]:
    """Codes of findings in a source text. A `Problem` is the operator's: it says why and what to type by itself."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call):
            name = getattr(node.func, "id", getattr(node.func, "attr", ""))
            told = [word.value for word in node.keywords if word.arg == "code" and name not in ("Problem", "of")]
            told += node.args if name in POSITIONAL else []
            for value in told:
                assert not isinstance(value, ast.JoinedStr), f"line {value.lineno}: a code is one literal"
                yield from _literals(value)


def _literals(value: ast.expr) -> Iterator[str]:
    """A literal, or both of a choice."""
    for part in (value.body, value.orelse) if isinstance(value, ast.IfExp) else (value,):
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and CODE.fullmatch(part.value):
            yield part.value


def test_codes_are_found_in_a_source() -> None:
    text = """
Problem(code="of-an-intent")
FabricError.of(code="of-an-intent")
make(code="by-keyword", problem="is not")
Finding(code="one-way" if x else "other-way", check="mtu")
Fault("by-position", "marks at other thresholds")
_failed(target, "failed-so", reason)
Finding(code=failure.code)
"""
    assert list(codes_in(text)) == ["by-keyword", "one-way", "other-way", "by-position", "failed-so"]
    with pytest.raises(AssertionError, match="one literal"):
        list(codes_in('Finding(code=f"{kind}-missing")'))


def test_the_table_is_complete_and_has_nothing_else() -> None:
    found = {code for path in VERIFY.rglob("*.py") for code in codes_in(path.read_text())} | set(ABSENT)
    assert sorted(found - set(TABLE)) == [], "verify tells codes that fabricgen/finding_codes does not explain"
    assert sorted(set(TABLE) - found) == [], "fabricgen/finding_codes explains codes that verify does not tell"


def test_the_checks_are_those_of_verify_in_their_order() -> None:
    assert tuple(check.name for check in LIVE_CHECKS) == CHECKS
    assert len(TABLE) == sum(len(check.codes) for check in LIVE_CHECKS), "a code stands twice"


@pytest.mark.parametrize("name", [*PORTS, *ROUTES])
def test_a_code_stands_under_the_check_that_tells_it(name: str) -> None:
    cases = {**PORTS, **ROUTES}
    findings = judge(LEAF, cases[name].edit(RIGHT), lambda _, __: ()).findings
    assert findings
    assert {finding.code: finding.check for finding in findings} == {
        finding.code: TABLE[finding.code][0] for finding in findings
    }


def test_texts_are_whole_sentences_that_fit_a_table() -> None:
    texts = [check.compares for check in LIVE_CHECKS]
    texts += [text for _, found in TABLE.values() for text in (found.means, found.fix)]
    assert [text for text in texts if not text.endswith(".") or "|" in text or "  " in text] == []
