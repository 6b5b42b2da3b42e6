"""Rules that a superspine, or a spine below it, can break by itself, on the three tiers of `tests.resolve.tiers`."""

from dataclasses import replace

import pytest

from fabricgen.checks.capacity.balancing import dynamic_groups, ecmp_width
from fabricgen.checks.capacity.pods import pods_joined
from fabricgen.checks.catalogue import run_checks
from fabricgen.checks.numbers.asns import asn_runs, asns_unique
from fabricgen.errors import Problem
from fabricgen.hardware.model import Asic
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.plan import Plan
from fabricgen.policy.load_balancing import DLB_GROUPS
from tests.resolve import tiers


def chip(plan: Plan, **changes: object) -> Plan:
    """The plan whose superspines have another chip."""
    fabric = plan.fabrics["backend"]
    core = fabric.shape.core
    assert core is not None
    asic: Asic = core.asic.model_copy(update=changes)
    switch = core.switch.model_copy(update={"headroom_pool_octets": None, "headroom": ()})
    other = core._replace(asic=asic, switch=switch)
    return plan._replace(fabrics={"backend": replace(fabric, shape=fabric.shape._replace(core=other))})


def test_three_tiers_and_planes_are_sound() -> None:
    for plan in (
        tiers.lossless(),
        tiers.three_tiers(tiers.FRR),
        tiers.overlay(),
        tiers.planes(),
    ):
        assert run_checks(plan) == ()


def only(problems: tuple[Problem, ...]) -> Problem:
    (problem,) = problems
    return problem


def test_a_superspine_chip_of_unknown_buffer_is_named() -> None:
    problem = only(run_checks(chip(tiers.lossless(), buffer_octets=None)))
    assert (problem.code, problem.where) == ("headroom-unknown", ("fabrics", "backend", "superspine", "model"))


def test_headroom_of_a_superspine_is_in_its_own_pool() -> None:
    codes = {problem.code for problem in run_checks(chip(tiers.lossless(), headroom_pool_octets=100_000))}
    assert "headroom-pool" in codes


def test_a_superspine_chip_too_narrow_for_parallel_links() -> None:
    assert not list(ecmp_width(tiers.three_tiers(cores=2)))
    problem = only(tuple(ecmp_width(chip(tiers.three_tiers(cores=2), ecmp_width=1))))
    assert problem.where == ("fabrics", "backend", "superspine", "model")
    assert "all 2 equal paths of a superspine" in problem.what


@pytest.mark.parametrize(("pods", "codes"), [(DLB_GROUPS, []), (DLB_GROUPS + 1, ["dynamic-groups"])])
def test_dynamic_groups_of_superspines_are_pods_with_parallel_links(pods: int, codes: list[str]) -> None:
    plan = tiers.three_tiers(balancing="dlb-flowlet")
    fabric = plan.fabrics["backend"]
    grown = plan._replace(fabrics={"backend": replace(fabric, shape=fabric.shape._replace(pods=pods))})
    found = list(dynamic_groups(grown))
    assert [problem.code for problem in found] == codes
    assert all(problem.what.startswith("superspines of backend") for problem in found)
    assert all("topology.superspines.planned: 4" in problem.fix for problem in found)


def test_superspines_of_a_plane_share_a_number_on_purpose_and_with_nobody_else() -> None:
    plan = tiers.three_tiers()
    assert not list(asns_unique(plan))
    runs = {run.segment.tier.value: run for run in asn_runs(plan, "backend")}
    assert (runs["superspine"].end - runs["superspine"].start, runs["spine"].end - runs["spine"].start) == (1, 2)
    clash = runs["superspine"].segment._replace(asn=runs["spine"].start)
    segments = tuple(clash if one == runs["superspine"].segment else one for one in plan.lock.segments)
    problem = only(tuple(asns_unique(plan._replace(lock=plan.lock._replace(segments=segments)))))
    assert problem.code == "asn-twice"


@pytest.mark.parametrize(
    ("drained", "codes"),
    [
        (("be-super-00", "be-super-01", "be-super-02"), []),  # group 1 has one left
        (("be-super-00", "be-super-01", "be-super-02", "be-super-03"), ["pods-apart"]),
        (("be-spine-00", "be-spine-02"), []),
        (("be-spine-00", "be-spine-03"), ["pods-apart"]),  # spine 1 of the first pod, spine 0 of the second
        (("be-spine-00", "be-super-02", "be-super-03"), ["pods-apart"]),
        (("be-spine-00", "be-super-00"), []),
    ],
)
def test_pods_need_spines_of_one_number_below_an_active_superspine(drained: tuple[str, ...], codes: list[str]) -> None:
    plan = tiers.lossless(Exceptions(devices=dict.fromkeys(drained, "drained")))
    assert [problem.code for problem in pods_joined(plan)] == codes
