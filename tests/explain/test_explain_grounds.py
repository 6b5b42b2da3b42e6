"""A plan that breaks a rule is refused, or explained without a fault of ours: never a traceback."""

import pytest

from fabricgen.checks.catalogue import PLAN_CHECKS
from fabricgen.errors import FabricError
from fabricgen.explain.explain import GROUNDS, explain, ungrounded
from fabricgen.explain.known import KnownSite
from fabricgen.explain.parse import Question
from fabricgen.plan.plan import Plan
from tests.checks.cases import CASES
from tests.some import some

WORDS = (
    "be-leaf-003",
    "be-leaf-003/Ethernet7/1",
    "be-spine-00/Ethernet1/1",
    "10.64.3.25",
    "10.64.2.128",
    "10.64.0.0/12",
    "fe-leaf-002",
    "fe-leaf-002/Ethernet1/1",
    "fe-border-00/Ethernet1/1",
    "fe-border-00/swp1.900",
    "fw1",
    "train[3]",
    "serving",
    "backend",
    "900",
)


def test_the_grounds_are_checks_by_arithmetic() -> None:
    assert set(GROUNDS) <= {check.name for check in PLAN_CHECKS}


@pytest.mark.parametrize("code", some(CASES))
def test_a_broken_plan_is_refused_or_explained(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = CASES[code](monkeypatch)
    told = {problem.code for problem in ungrounded(plan)}
    carrier = next((check.name for check in PLAN_CHECKS if code in check.codes), "")
    assert (code in told) == (carrier in GROUNDS)
    for word in WORDS if not told else ():
        assert _codes(plan, word) <= {"unknown-name", "unknown-port", "unknown-number", "address-outside"}


def _codes(plan: Plan, word: str) -> set[str]:
    try:
        explain(KnownSite(plan=plan), Question("", word))
    except FabricError as error:
        return {problem.code for problem in error.problems}
    return set()
