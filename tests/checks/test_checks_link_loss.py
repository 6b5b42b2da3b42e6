"""Links that are lost, and flows that are placed, where overrides make switches of one fabric differ."""

from dataclasses import replace
from typing import Any

import pytest

from fabricgen.checks.capacity.balancing import modes
from fabricgen.checks.catalogue import examine_plan
from fabricgen.checks.dimensions.link_loss import link_loss, pairs_short
from fabricgen.checks.settings.override_settings import in_force
from fabricgen.errors import FabricError, Problem
from fabricgen.intent.overrides import Override
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import Plan, with_exceptions
from tests.checks.intents import plan
from tests.resolve import tiers

BACKEND = "fabrics.backend"


def made(overrides: dict[str, Any], **edits: object) -> Plan:
    eight = {f"{BACKEND}.topology.spines": {"now": 8, "planned": 16}}
    bare = plan({"overrides": overrides, **eight, **{f"{BACKEND}.{key}": value for key, value in edits.items()}})
    return with_exceptions(bare, resolve_inputs(bare.intent, bare.fabrics))


@pytest.mark.parametrize("selector", ["backend/leaf", "backend/spine", "be-leaf-003", "be-*"])
def test_all_switches_take_part_or_none(selector: str) -> None:
    with pytest.raises(FabricError) as caught:
        made({selector: {"link_loss": "withdraw"}})
    (problem,) = caught.value.problems
    assert (problem.code, problem.where) == ("override-scope", ("overrides", selector, "link_loss"))
    assert "leaves use it" in problem.fix


def test_a_whole_fabric_takes_part() -> None:
    given = made({"backend": {"link_loss": "withdraw"}})
    assert list(link_loss(in_force(given))) == []
    assert "link-loss" not in {one.code for one in examine_plan(given).problems}


def test_three_tiers_are_refused_by_override_too() -> None:
    bare = tiers.three_tiers()
    overrides = {"backend": Override.model_validate({"link_loss": "withdraw"})}
    bare = bare._replace(intent=bare.intent.model_copy(update={"overrides": overrides}))
    given = with_exceptions(bare, resolve_inputs(bare.intent, bare.fabrics))
    found = [(one.code, one.where) for one in examine_plan(given).problems]
    assert ("link-loss", ("overrides", "backend", "link_loss")) in found


def short(overrides: dict[str, Any], **edits: object) -> list[str]:
    return [note.code for note in pairs_short(in_force(made(overrides, **edits))) if note.where[1] == "backend"]


@pytest.mark.parametrize(
    ("transport", "words"), [("roce-lossless", "is paused by PFC or dropped"), ("best-effort", "is dropped")]
)
def test_pfc_pauses_the_lossless_class_alone(transport: str, words: str) -> None:
    notes = {note.where[1]: note.why for note in pairs_short(in_force(made({}, transport=transport)))}
    assert notes["backend"].endswith(words)
    assert notes.get("frontend", "and is dropped").endswith("and is dropped")


def test_notes_are_of_what_holds() -> None:
    """Two links a pair: losing one goes by unseen, unless the override has switches look."""
    assert "pair-short" in short({})
    assert "pair-short" not in short({"backend": {"link_loss": "withdraw"}})
    assert "pair-short" in short({"backend": {"link_loss": "keep"}}, link_loss="withdraw")


SPINES_32 = "fabrics.backend.topology.spines: {now: 32, planned: 32} (24 more switches"
SPINES_64 = "fabrics.backend.topology.spines: {now: 64, planned: 64} (56 more switches"
SYSTEMS = {"leaf.os": "frr-8.4", "spine.os": "frr-8.4", "transport": "best-effort", "load_balancing": "ecmp"}


@pytest.mark.parametrize(
    ("edits", "fix"),
    [
        ({}, f"write {SPINES_64}"),
        # 64 paths: weights in hundredths are too coarse.
        (
            SYSTEMS,
            f"write link_loss: withdraw, or {SPINES_64}",
        ),
        (
            {**SYSTEMS, "topology.servers_per_unit": 16},
            f"write link_loss: weighted or withdraw, or {SPINES_32}",
        ),
        (
            {**SYSTEMS, "spine.os": "eos-4.34"},
            f"write {SPINES_64}",
        ),
    ],
)
def test_a_short_pair_is_told_what_its_switches_can_do(edits: dict[str, Any], fix: str) -> None:
    (note,) = pairs_short(made({}, **edits))
    assert note.fix.startswith(fix), note.fix


def test_nothing_else_is_offered_above_two_tiers() -> None:
    made_of_three = tiers.three_tiers(tiers.FRR)
    fixes = {note.fix for note in pairs_short(made_of_three)}
    assert fixes
    assert not any("link_loss" in fix for fix in fixes)
    fabric = made_of_three.fabrics["backend"]
    weighted = replace(fabric, fabric=fabric.fabric.model_copy(update={"link_loss": "weighted"}))
    (problem,) = link_loss(made_of_three._replace(fabrics={"backend": weighted}))
    assert problem.what == "link_loss: weighted is for two tiers, and backend has three"


def test_notes_that_are_told_are_of_what_holds() -> None:
    def codes(overrides: dict[str, Any]) -> list[str]:
        found = examine_plan(made(overrides, load_balancing="ecmp"))
        assert found.problems == ()
        return [note.code for note in found.notes if note.where == ("fabrics", "backend", "load_balancing")]

    assert codes({}) == ["few-flows"]
    assert codes({"backend": {"load_balancing": "dlb-flowlet"}}) == []


def of_modes(selector: str, **edits: object) -> list[Problem]:
    return list(modes(made({selector: {"load_balancing": "cluster"}}, **edits)))


def test_only_leaves_place_flows() -> None:
    (problem,) = of_modes("backend/spine")
    assert (problem.code, problem.where) == ("balancing-mode", ("overrides", "backend/spine", "load_balancing"))
    assert "only a leaf places flows" in problem.why
    assert of_modes("backend/leaf") == []
    assert of_modes("backend") == []
    assert of_modes("backend/spine", load_balancing="cluster") == []
