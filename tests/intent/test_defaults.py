"""Versions of the defaults: the table, what it fills in, and what it leaves as it was written."""

import copy
from typing import Any

import pytest

from fabricgen.intent.completion import chosen_version, completed, open_places
from fabricgen.intent.defaults import DEFAULTS, NEWEST, OLDEST, Default, Table, changed_between, values_at
from fabricgen.intent.fabric import Backend, Roce
from fabricgen.intent.model import Intent
from tests.intent.test_intent_rules import VALUE

MTU, ECN = ("fabrics", "*", "mtu"), ("fabrics", "*", "roce", "ecn")
LLDP, SAMPLE = ("management", "lldp"), ("management", "sflow", "sample")
TABLE: Table = {
    1: (Default(MTU, 9100, "a"), Default(ECN, "formula", "b"), Default(LLDP, True, "c"), Default(SAMPLE, 4096, "d")),
    2: (Default(ECN, "nvidia", "measured"),),
    3: (Default(MTU, 9000, "shorter"), Default(ECN, "formula", "back")),
}

BACKEND_MTU, ROCE = ("fabrics", "backend", "mtu"), ("fabrics", "backend", "roce")


def edited(*edits: tuple[tuple[str, ...], object]) -> Intent:
    """The demo's intent, without the sections that this is about, and with these keys."""
    value: Any = copy.deepcopy(VALUE)
    value["fabrics"]["backend"].pop("roce", None)
    value["management"].pop("sflow", None)
    for path, new in edits:
        at = value
        for part in path[:-1]:
            at = at.setdefault(part, {})
        at[path[-1]] = new
    return Intent.model_validate(value)


def ecn(intent: Intent) -> object:
    backend = intent.fabrics["backend"]
    assert isinstance(backend, Backend)
    return backend.roce.ecn


def test_a_key_has_the_value_of_the_last_version_that_lists_it() -> None:
    assert values_at(1, TABLE) == {MTU: 9100, ECN: "formula", LLDP: True, SAMPLE: 4096}
    assert values_at(2, TABLE)[ECN] == "nvidia"
    assert values_at(3, TABLE) == {MTU: 9000, ECN: "formula", LLDP: True, SAMPLE: 4096}
    with pytest.raises(KeyError):
        values_at(4, TABLE)


def test_what_differs_between_two_versions() -> None:
    assert changed_between(1, 2, TABLE) == (Default(ECN, "nvidia", "measured"),)
    assert [(row.path, row.value) for row in changed_between(2, 1, TABLE)] == [(ECN, "formula")]
    assert [(row.path, row.value) for row in changed_between(1, 3, TABLE)] == [(MTU, 9000)]
    assert changed_between(3, 3, TABLE) == ()


def test_what_the_intent_says_stays() -> None:
    intent = edited((BACKEND_MTU, 9190), ((*ROCE, "marking"), "nvidia"))
    old = completed(intent, 1, values_at(1, TABLE))
    assert (old.defaults, old.fabrics["backend"].mtu, ecn(old)) == (1, 9190, "formula")
    assert ecn(completed(intent, 2, values_at(2, TABLE))) == "nvidia"
    said = edited(((*ROCE, "ecn"), "cisco-400"))
    assert ecn(completed(said, 2, values_at(2, TABLE))) == "cisco-400"


def test_a_default_that_nothing_has_is_left_out() -> None:
    """A best-effort frontend has no lossless class, and management without sFlow has no rate."""
    intent = edited()
    found = completed(intent, 2, values_at(2, TABLE))
    assert found.management.sflow is None
    assert found.fabrics["frontend"].roce.ecn == Roce.model_fields["ecn"].default
    assert found.fabrics["frontend"].mtu == 9100


def test_completing_can_be_repeated() -> None:
    intent = edited()
    once = completed(intent, 3, values_at(3, TABLE))
    assert completed(once, 1, values_at(1, TABLE)) == completed(intent, 1, values_at(1, TABLE))
    assert once.fabrics["backend"].model_fields_set == intent.fabrics["backend"].model_fields_set
    assert completed(once, 3, values_at(3, TABLE)) == once
    assert intent == edited(), "a frozen value was changed in place"


def test_where_a_default_is_in_force() -> None:
    intent = edited((BACKEND_MTU, 9190))
    assert open_places(intent, MTU) == (("fabrics", "frontend", "mtu"),)
    assert open_places(intent, ECN) == (("fabrics", "backend", "roce", "ecn"),)
    lossless = edited((("fabrics", "frontend", "transport"), "roce-lossless"))
    assert open_places(lossless, ECN) == tuple(("fabrics", name, "roce", "ecn") for name in ("backend", "frontend"))
    assert open_places(intent, SAMPLE) == ()
    assert open_places(completed(intent, 3, values_at(3, TABLE)), MTU) == (("fabrics", "frontend", "mtu"),)


@pytest.mark.parametrize(
    ("said", "recorded", "version"),
    [(None, None, NEWEST), (None, 1, 1), (None, 2, 2), (1, None, 1), (2, 1, 2), (1, 2, 1)],
)
def test_which_version_is_in_force(said: int | None, recorded: int | None, version: int) -> None:
    intent = edited() if said is None else edited((("defaults",), said))
    assert chosen_version(intent, recorded) == version


def test_the_newest_version_is_what_the_schema_has() -> None:
    """So that tests, tools and pages that read the schema see what a new site gets."""
    bare = edited((("security",), "lab"))
    assert completed(bare, NEWEST, values_at(NEWEST)).fabrics == bare.fabrics
    assert completed(bare, NEWEST, values_at(NEWEST)).management == bare.management
    assert completed(bare, NEWEST, values_at(NEWEST)).cables == bare.cables


def test_version_1_lists_every_key_that_changes_later() -> None:
    first = {row.path for row in DEFAULTS[OLDEST]}
    later = {row.path for number, rows in DEFAULTS.items() if number > OLDEST for row in rows}
    assert later <= first
    assert sorted(DEFAULTS) == list(range(OLDEST, NEWEST + 1))


def test_every_row_says_why_and_changes_something() -> None:
    for number in range(OLDEST + 1, NEWEST + 1):
        assert {row.path for row in changed_between(number - 1, number)} == {row.path for row in DEFAULTS[number]}
    assert all(row.why for rows in DEFAULTS.values() for row in rows)
