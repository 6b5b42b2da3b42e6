"""Every code of every check is tripped by a case, and the demo trips none."""

import pytest

from fabricgen.checks.catalogue import CHECKS, run_checks
from tests.checks.cases import CASES
from tests.checks.intents import codes, plan


def test_demo_is_sound() -> None:
    assert run_checks(plan()) == ()


def test_every_code_has_a_case() -> None:
    declared = [code for check in CHECKS for code in check.codes]
    assert len(set(declared)) == len(declared)
    assert set(CASES) == set(declared)


@pytest.mark.parametrize("code", CASES)
def test_case_trips_its_code(code: str, monkeypatch: pytest.MonkeyPatch) -> None:
    made = CASES[code](monkeypatch)
    found = codes(made)
    assert code in found
    check = next(check for check in CHECKS if code in check.codes)
    assert {problem.code for problem in check.run(made)} <= set(check.codes)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_check_says_its_rule(check: object) -> None:
    from fabricgen.checks.engine.check import Check  # noqa: PLC0415

    assert isinstance(check, Check)
    assert check.run.__doc__
    assert check.codes
