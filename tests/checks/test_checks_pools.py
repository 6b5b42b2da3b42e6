"""Prefixes too small on a first render, when no number is recorded yet, and on a later one."""

import pytest

from fabricgen.checks.pools import oob_size, pool_sizes
from tests.checks.intents import codes, only, plan

IPV4 = "fabrics.backend.addressing.ipv4"


@pytest.mark.parametrize("prefix", ["10.64.0.0/20", "10.64.0.0/26", "10.64.0.0/29", "10.64.0.0/32"])
def test_a_first_render_names_the_demand_and_the_prefix_to_write(prefix: str) -> None:
    """24 leaves of 64 host links and 64 uplinks, two addresses each, are 24 blocks of /24: three quarters of a /19."""
    problem = only(plan({IPV4: prefix}))
    assert problem.code == "pool-exhausted"
    assert problem.what == f"{prefix} is too small for backend"
    assert "the lock" not in problem.why
    assert "renumber" not in problem.fix
    wider = problem.fix.removeprefix("write ").partition(" ")[0]
    assert wider == "10.64.0.0/19"
    assert codes(plan({IPV4: wider})) == []


def test_the_second_family_is_told_too() -> None:
    problem = only(plan({"fabrics.backend.addressing.ipv6": "fd5e:8c1f:2a00::/120"}))
    assert (problem.code, problem.where[-1]) == ("pool-exhausted", "ipv6")
    assert "the lock" not in problem.why


def test_growth_past_the_prefix_is_told_as_growth() -> None:
    """What is recorded lies inside; the second group that is new would begin behind the end of the prefix."""
    small = {IPV4: "10.64.0.0/21", "servers.train.planned": 32, "fabrics.backend.topology.spines.now": 16}
    grown = {
        **small,
        "servers.train.planned": 128,
        "servers.serve": {"model": "hgx-b200", "slots": "0-31"},
        "fabrics.backend.connects": {"train": "compute", "serve": "compute"},
    }
    assert list(pool_sizes(plan(small))) == []
    (problem,) = pool_sizes(plan(grown, recorded=plan(small).lock))
    assert problem.code == "pool-exhausted"
    assert "render --renumber backend" in problem.fix


def test_a_recorded_run_outside_is_told_under_a_new_name_of_its_fabric() -> None:
    lock = plan().lock
    old = tuple(s._replace(fabric="old") if s.fabric == "backend" else s for s in lock.segments)
    made = plan({IPV4: "10.96.0.0/12", "fabrics.backend.was": "old"}, recorded=lock._replace(segments=old))
    assert [problem.code for problem in pool_sizes(made)] == ["outside-pool"]


@pytest.mark.parametrize(("prefix", "left"), [("10.0.0.0/28", 0), ("10.0.0.0/27", 15)])
def test_a_first_management_prefix_that_is_too_small(prefix: str, left: int) -> None:
    problem = only(plan({"management.oob": prefix}))
    assert problem.code == "oob-exhausted"
    assert problem.why.endswith(f"and {left} are left after 16 reserved ones")
    wider = problem.fix.removeprefix("write ")
    assert codes(plan({"management.oob": wider})) == []
    half = wider.replace(wider.partition("/")[2], str(int(wider.partition("/")[2]) + 1))
    assert codes(plan({"management.oob": half})) == ["oob-exhausted"]


def test_recorded_management_addresses_outside_are_still_told() -> None:
    (problem,) = oob_size(plan({"management.oob": "10.9.0.0/20"}, recorded=plan().lock))
    assert problem.code == "oob-moved"
