"""Switches that are dead or absent: left out of a push and of verify, and nobody leans on them."""

import pytest

from fabricgen.errors import Problem
from fabricgen.operation.intended import intended
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.platforms.base.cost import Risk
from fabricgen.push.act.dead_programs import BFD, dead_of, without_dead
from fabricgen.push.act.survey import Surveyed
from fabricgen.push.model import Decision, Need
from fabricgen.push.plan.capacity_floor import UplinkCapacity
from fabricgen.push.plan.decide import AllowedRisk, decide
from fabricgen.state.state import Daemon
from fabricgen.verify.expect.ports import bfd
from tests.checks.intents import plan as demo_plan
from tests.push.push_plans import names, subject
from tests.verify.sites import healthy

DEMO = demo_plan()


def stated(state: str, *switches: str) -> Plan:
    return with_exceptions(DEMO, Exceptions(devices=dict.fromkeys(switches, state)))


def one(plan: Plan, name: str) -> Decision | Problem:
    decisions, problems = decide(plan, [subject(plan, name, Risk.TRAFFIC_LOSS)], AllowedRisk())
    return decisions[0] if decisions else problems[0]


@pytest.mark.parametrize("state", ["dead", "absent"])
def test_neither_is_asked_or_changed_and_both_may_be_in_the_inventory(state: str) -> None:
    meant = intended(stated(state, "be-leaf-003"), None, "*")
    assert "be-leaf-003" not in meant.targets
    assert "be-leaf-003" not in {device.name for device in meant.devices}
    assert "be-leaf-003" in meant.known
    assert len(meant.targets) == len(names(DEMO)) - 1
    assert meant.is_whole


def test_a_drained_switch_is_asked_and_changed() -> None:
    assert "be-leaf-003" in intended(stated("drained", "be-leaf-003"), None, "*").targets


@pytest.mark.parametrize("state", ["drained", "dead", "absent"])
def test_a_leaf_whose_mate_is_away_has_nobody_to_lean_on(state: str) -> None:
    free = one(DEMO, "fe-leaf-000")
    assert isinstance(free, Decision)
    assert free.need is Need.DRAIN
    refused = one(stated(state, "fe-leaf-001"), "fe-leaf-000")
    assert isinstance(refused, Problem)
    assert refused.code == "push-interrupts"


@pytest.mark.parametrize("state", ["dead", "absent"])
def test_uplinks_to_what_is_away_carry_nothing(state: str) -> None:
    fabric, place = names(stated(state, "be-spine-00"))["be-leaf-000"]
    assert UplinkCapacity(fabric).share(place) * 4 == 3
    broken = with_exceptions(DEMO, Exceptions(broken=frozenset({PortKey("be-leaf-000", "Ethernet33/1")})))
    fabric, place = names(broken)["be-leaf-000"]
    assert UplinkCapacity(fabric).share(place) * 64 == 63


FOUND = Surveyed("be-leaf-003", None, b"", "", "", (), None, (Daemon("zebra", False, ("routes",)),))
DEVICES = {device.name: device for device in healthy()}


def test_a_program_that_does_not_run_comes_before_any_leave() -> None:
    """Its lines look missing: the change was called one of unknown risk, and the loss of it was offered."""
    both = [subject(DEMO, name, Risk.UNKNOWN) for name in ("be-leaf-002", "be-leaf-003")]
    dead = {name: dead_of(DEVICES["be-leaf-000"], FOUND) for name in ("be-leaf-003",)}
    alive, problems = without_dead(both, dead, ())
    assert [one.name for one in alive] == ["be-leaf-002"]
    (problem,) = problems
    assert (problem.code, problem.what) == ("push-dead", "zebra does not run on be-leaf-003")
    assert "accept" not in problem.fix
    assert without_dead(both, dead, ["be-leaf-003"]) == (both, [])


def test_what_interrupts_nothing_goes_on_beside_a_dead_program() -> None:
    mild = [subject(DEMO, "be-leaf-003", Risk.HITLESS)]
    assert without_dead(mild, {"be-leaf-003": ("zebra",)}, ()) == (mild, [])


def test_a_program_that_serves_bfd_alone_is_not_missed_where_no_bfd_is_planned() -> None:
    found = FOUND._replace(dead=(Daemon("bfdd", False, BFD),))
    assert all(bool(dead_of(device, found)) == any(bfd(device)) for device in DEVICES.values())
