"""The way to a switch is not touched: which lines of a difference are by which it is managed, system by system."""

import re

import pytest

from fabricgen.platforms.proofs import PROOFS
from fabricgen.prove.whole_config import touching
from tests.platform_cases import CASES


@pytest.mark.parametrize(
    ("name", "difference"), [(name, text) for name, case in CASES.items() for text in case.touching]
)
def test_a_difference_in_how_it_is_managed_is_found(name: str, difference: str) -> None:
    assert touching(difference, PROOFS[name].access)


@pytest.mark.parametrize(("name", "difference"), [(name, case.harmless) for name, case in CASES.items()])
def test_any_other_is_none(name: str, difference: str) -> None:
    assert touching(difference, PROOFS[name].access) == ""


@pytest.mark.parametrize(("name", "ports"), [(name, case.management_ports) for name, case in CASES.items()])
def test_ports_of_management_are_known_by_their_names(name: str, ports: tuple[str, str]) -> None:
    pattern = PROOFS[name].management
    assert [bool(re.fullmatch(pattern, port, re.IGNORECASE)) for port in ports] == [True, False]


def test_each_platform_has_cases() -> None:
    assert set(PROOFS) == set(CASES)
