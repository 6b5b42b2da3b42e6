"""Features that work only where the far end has them: mixed systems, models and overrides; each remedy is typed."""

from collections.abc import Mapping

import pytest

from fabricgen.checks.catalogue import run_plan_checks
from fabricgen.checks.support import far_ends as far_end
from fabricgen.checks.support.far_ends import far_ends
from fabricgen.errors import Problem
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes, with_exceptions
from fabricgen.platforms import ADAPTERS, PLATFORMS
from fabricgen.platforms.base.platform import Capability, FeatureScope
from fabricgen.resolve.needs import parties
from tests.checks.intents import plan
from tests.nxos import fleet as nxos
from tests.pairs import sites

NEXUS = {"model": "cisco-n9364d-gx2a", "os": "nxos-10.5"}
QFX = {"model": "juniper-qfx5240-64od", "os": "junos-24.4"}
BACKEND = "fabrics.backend"
LOAD = f"{BACKEND}.load_balancing"


def nexus(**edits: object) -> Plan:
    """The demo's backend on Nexus with dynamic load balancing; a double underscore stands for the dot."""
    base: dict[str, object] = {
        f"{BACKEND}.leaf": NEXUS,
        f"{BACKEND}.spine": NEXUS,
        f"{BACKEND}.topology.spines": {"now": 2, "planned": 32},
        f"{BACKEND}.transport": "best-effort",
        LOAD: "dlb-flowlet",
    }
    edited = {key.replace("__", "."): value for key, value in edits.items()}
    bare = plan({**base, **{f"{BACKEND}.roce": None}, **edited})
    return with_exceptions(bare, resolve_inputs(bare.intent, bare.fabrics)) if bare.intent.overrides else bare


def said(made: Plan) -> list[Problem]:
    return list(far_ends(made))


@pytest.mark.parametrize("mode", ["dlb-flowlet", "dlb-per-packet"])
@pytest.mark.parametrize(("near", "far"), [("leaf", "spine"), ("spine", "leaf")])
def test_nexus_that_balances_dynamically_beside_another_system(mode: str, near: str, far: str) -> None:
    edits = {LOAD: mode, f"{BACKEND}.{far}": QFX}
    (problem,) = said(nexus(**edits))
    assert (problem.code, problem.where) == ("one-sided", ("fabrics", "backend", "load_balancing"))
    assert problem.what == f"Cisco NX-OS has {mode} on backend {near}, and backend {far} runs Juniper Junos"
    assert "drops them" in problem.why
    assert problem.fix == "write load_balancing: ecmp"
    assert said(nexus(**{**edits, LOAD: "ecmp"})) == []


def test_nexus_everywhere_is_sound() -> None:
    assert said(nexus()) == []


@pytest.mark.parametrize("selector", ["be-spine-00", "be-leaf-003"])
def test_one_switch_that_is_set_to_balance_otherwise(selector: str) -> None:
    own = {selector: {"load_balancing": "ecmp"}}
    (problem,) = said(nexus(overrides=own))
    assert problem.where == ("overrides", selector, "load_balancing")
    assert f"and {selector} lacks it" in problem.what
    assert problem.fix.startswith("remove this override, or write fabrics.backend.load_balancing: ecmp")
    assert said(nexus(overrides={})) == []
    assert said(nexus(**{"overrides": own, LOAD: "ecmp"})) == []


def test_one_switch_alone_that_is_set_to_balance_dynamically() -> None:
    own = {"be-leaf-003": {"load_balancing": "dlb-flowlet"}}
    (problem,) = said(nexus(**{LOAD: "ecmp", "overrides": own}))
    assert problem.where == ("overrides", "be-leaf-003", "load_balancing")
    assert problem.fix == "write load_balancing: ecmp"
    changed = {"be-leaf-003": {"load_balancing": "ecmp"}}
    assert said(nexus(**{LOAD: "ecmp", "overrides": changed})) == []


def test_overrides_of_every_switch_are_the_fabric_itself() -> None:
    """No switch is left that has the block's own setting."""
    assert said(nexus(**{LOAD: "ecmp", "overrides": {"backend": {"load_balancing": "dlb-flowlet"}}})) == []
    assert said(nexus(overrides={"backend": {"load_balancing": "ecmp"}})) == []


def test_other_systems_balance_each_by_itself() -> None:
    """Only NX-OS sends packets to an address that the far end has to know."""
    assert said(nexus(**{f"{BACKEND}.leaf": QFX, f"{BACKEND}.spine": QFX})) == []


def test_the_demo_of_nexus_is_checked_with_all_else() -> None:
    found = [row.code for row in run_plan_checks(nxos.planned("wide", {f"{BACKEND}.spine": QFX}))]
    assert "one-sided" in found


def bonded(overrides: Mapping[str, object]) -> Plan:
    """A frontend of Cumulus whose servers have bonds over two leaves."""
    value = {**sites.intent("cumulus", "cumulus", "bonds").model_dump(mode="json", exclude_unset=True)}
    made = Intent.model_validate({**value, "overrides": overrides})
    bare = make_plan(made, sites.catalog(), make_shapes(made, sites.catalog()), Lock(), Exceptions())
    return with_exceptions(bare, resolve_inputs(made, bare.fabrics))


def test_both_leaves_of_a_server_elect_alike() -> None:
    """FRR's zebra knows one election: a leaf of another system beside it is no mate, two of them are a pair."""
    assert said(bonded({"fe-leaf-000": {"mtu": 9000}})) == []
    (problem,) = said(bonded({"fe-leaf-000": {"os": "sonic-master"}}))
    assert (
        problem.what
        == "NVIDIA Cumulus Linux has esi-multihoming on frontend leaf, and fe-leaf-000 runs community SONiC"
    )
    assert problem.where == ("overrides", "fe-leaf-000", "os")
    assert "elects by preference alone" in problem.why
    assert said(bonded({f"fe-leaf-00{number}": {"os": "sonic-master"} for number in (0, 1)})) == []


def with_scope(
    monkeypatch: pytest.MonkeyPatch, system: str, feature: str, scope: FeatureScope, alike: str = ""
) -> None:
    """The platform, its row of a feature with another scope."""

    def changed(row: Capability) -> Capability:
        return row._replace(scope=scope, alike=alike) if row.feature == feature else row

    platform = PLATFORMS[system]
    made = platform._replace(capabilities=tuple(map(changed, platform.capabilities)))
    monkeypatch.setitem(ADAPTERS, system, lambda: made)


def test_who_meets_whom() -> None:
    """A link joins a leaf and a spine, never two leaves; a fabric joins all."""
    made = nexus(overrides={"be-leaf-001": {"load_balancing": "ecmp"}})
    fabric = made.fabrics["backend"]
    leaf, spine, own = parties(made, "backend")
    assert [(party.role, party.variant is not None) for party in (leaf, spine, own)] == [
        ("leaf", False),
        ("spine", False),
        ("leaf", True),
    ]
    for scope, pairs in ((FeatureScope.LINK, (True, True, False)), (FeatureScope.FABRIC, (True, True, True))):
        found = (far_end.meets(fabric, scope, *two) for two in ((leaf, spine), (spine, own), (leaf, own)))
        assert tuple(found) == pairs
    assert not far_end.meets(fabric, FeatureScope.FABRIC, leaf, leaf)


def test_a_feature_of_the_switch_alone_asks_nothing_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    own = {"be-leaf-001": {"load_balancing": "ecmp"}}
    assert len(said(nexus(overrides=own))) == 1
    with_scope(monkeypatch, "nxos", "dlb-flowlet", FeatureScope.SWITCH)
    assert said(nexus(overrides=own)) == []


@pytest.mark.parametrize("system", PLATFORMS)
def test_a_scope_says_why(system: str) -> None:
    for row in PLATFORMS[system].capabilities:
        assert row.scope is not FeatureScope.SWITCH or not row.alike
        assert row.scope is FeatureScope.SWITCH or row.alike or row.limit
