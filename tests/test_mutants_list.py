"""The list of mutants cannot rot: every place and every test is there, and each theme of the product has one."""

import re

import pytest

from tests.mutant_changes import (
    ROOT,
    Change,
    MisfitError,
    Mutant,
    broken,
    condition,
    literal,
    named,
    returns,
    value,
    words,
)
from tests.mutant_list import MUTANTS

LEAST, MOST = 60, 80
"""Of two that the same carelessness would bring in, one says enough, and each takes a quarter of a minute."""
HOST_SPACE = "fabricgen.plan.fabric:host_space"
TEMPLATE = "templates/eos/qos-profiles.j2"


@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_a_mutant_has_its_place_and_its_tests(mutant: Mutant) -> None:
    assert broken(mutant).broken
    assert [test for test in mutant.tests if not _is_there(*test.split("::"))] == []


def _is_there(path: str, name: str = "") -> bool:
    """Whether a file or folder of tests is there, and the single test in it."""
    found = ROOT / path
    return found.exists() and (not name or f"\ndef {name}(" in found.read_text())


def test_there_is_one_of_a_theme() -> None:
    assert LEAST <= len(MUTANTS) <= MOST
    assert len({mutant.name for mutant in MUTANTS}) == len(MUTANTS)
    assert [mutant.name for mutant in MUTANTS if not re.fullmatch(r"[a-z]+(-[a-z]+)*", mutant.name)] == []


def test_every_folder_of_the_product_has_some() -> None:
    folders = {"napalm_frr", *(f"fabricgen/{part}" for part in folders_in("fabricgen"))}
    folders |= {f"fabricgen/platforms/{part}" for part in folders_in("fabricgen/platforms")}
    assert sorted(part for part in folders if not any(one.path.startswith(f"{part}/") for one in MUTANTS)) == []


def folders_in(path: str) -> list[str]:
    return [found.parent.name for found in (ROOT / path).glob("*/__init__.py")]


@pytest.mark.parametrize(
    ("place", "change", "why"),
    [
        ("fabricgen.plan.fabric:no_such", returns("0"), "no_such of no_such is there 0 times"),
        ("fabricgen.plan.wiring:Above.no_such", returns("0"), "no_such of Above.no_such is there 0 times"),
        (HOST_SPACE, condition("False", about="tenants"), "a condition about tenants is there 0 times"),
        (
            "fabricgen.checks.switches.tally:Tally.herds",
            returns("it", about="join"),
            "a returned value about join is there 0",
        ),
        ("fabricgen.resolve.routing:aggregates", returns("()"), "a returned value is there 4 times"),
        ("fabricgen.plan.no_such:host_space", returns("0"), "there is no such file"),
        (HOST_SPACE, returns("it"), "the change changes nothing"),
        (HOST_SPACE, returns("no_such(it)"), "fabricgen/plan/fabric.py has no no_such"),
        (HOST_SPACE, literal("0", "1"), "a literal '0' is there 0 times"),
        (HOST_SPACE, named("min", "max"), "a use of min is there 0 times"),
        (HOST_SPACE, value("mtu", "0"), "a value of mtu is there 0 times"),
        (TEMPLATE, words("no such line", ""), "'no such line' is there 0 times"),
        (TEMPLATE, words("priority", ""), r"'priority' is there \d+ times"),
        (TEMPLATE, returns("0"), "has no tree of Python"),
    ],
)
def test_what_is_no_longer_there_is_an_error(place: str, change: Change, why: str) -> None:
    with pytest.raises(MisfitError, match=why):
        broken(MUTANTS[0]._replace(place=place, change=change))
