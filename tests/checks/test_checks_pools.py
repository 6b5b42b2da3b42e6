"""Prefixes too small on a first render, when no number is recorded yet, and on a later one."""

from ipaddress import IPv4Address

import pytest

from fabricgen.checks.numbers.asns import asn_ranges
from fabricgen.checks.numbers.pools import oob_services, oob_size, pool_sizes
from fabricgen.errors import FabricError
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import with_exceptions
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
    assert "fabricgen render INTENT --renumber backend -o out" in problem.fix


def test_a_recorded_run_outside_is_told_under_a_new_name_of_its_fabric() -> None:
    lock = plan().lock
    old = tuple(s._replace(fabric="old") if s.fabric == "backend" else s for s in lock.segments)
    made = plan({IPV4: "10.96.0.0/12", "fabrics.backend.was": "old"}, recorded=lock._replace(segments=old))
    (problem,) = pool_sizes(made)
    # --renumber takes the new name, which the lock does not have: it would change nothing.
    assert (problem.code, problem.fix) == ("outside-pool", "write 10.64.0.0/12")


@pytest.mark.parametrize(("prefix", "left"), [("10.0.0.0/28", "none"), ("10.0.0.0/27", "15")])
def test_a_first_management_prefix_that_is_too_small(prefix: str, left: str) -> None:
    problem = only(plan({"management.oob": prefix}))
    assert problem.code == "oob-exhausted"
    assert problem.why.endswith(f", and {prefix} has {left}")
    wider = problem.fix.removeprefix("write ")
    assert codes(plan({"management.oob": wider})) == []
    half = wider.replace(wider.partition("/")[2], str(int(wider.partition("/")[2]) + 1))
    assert codes(plan({"management.oob": half})) == ["oob-exhausted"]


@pytest.mark.parametrize("asns", ["4203000000-4203999999", "4201500000-4201999999"])
def test_a_range_that_moved_is_offered_up_to_that_of_the_next_fabric(asns: str) -> None:
    """The frontend's numbers begin at 4202000000: a range beyond would be the next problem."""
    (problem,) = asn_ranges(plan({"fabrics.backend.asns": asns}, recorded=plan().lock))
    assert (problem.code, problem.fix) == ("asns-moved", "write asns: 4201000000-4201999999")


def test_a_prefix_of_another_fabric_is_not_offered_with_new_numbers() -> None:
    """Renumbering would stop there: both fabrics would have 10.64.0.0/12."""
    problems = pool_sizes(plan({"fabrics.frontend.addressing.ipv4": "10.64.0.0/12"}, recorded=plan().lock))
    assert [(problem.code, problem.fix) for problem in problems] == [("outside-pool", "write 10.128.0.0/12")]


def test_rails_that_do_not_divide_are_told_the_nic_group_that_does() -> None:
    """A dgx-h100 has 1 rail of storage and 8 of compute."""
    with pytest.raises(FabricError) as caught:
        plan({"fabrics.backend.connects": {"train": "storage"}})
    (problem,) = caught.value.problems
    assert (problem.code, problem.fix) == ("odd-rails", "write rails_per_leaf: 1, or connect train: compute")


def test_a_range_below_recorded_numbers_is_not_called_too_small() -> None:
    """The frontend needs 21 numbers from 4202000000 up, and the range has 101."""
    (problem,) = asn_ranges(plan({"fabrics.frontend.asns": "65000-65100"}, recorded=plan().lock))
    assert (problem.code, problem.what, problem.fix) == (
        "asns-moved",
        "AS numbers of frontend in the lock go beyond 65000-65100",
        "write asns: 4202000000-4202000020",
    )


def test_recorded_management_addresses_outside_are_still_told() -> None:
    (problem,) = oob_size(plan({"management.oob": "10.9.0.0/20"}, recorded=plan().lock))
    assert problem.code == "oob-moved"
    assert problem.fix == "write oob: 10.0.0.0/20, a prefix with all of them"
    wider = {"management.oob": "10.9.0.0/27", "management.gateway": "10.9.0.1"}
    (problem,) = oob_size(plan(wider, recorded=plan().lock))
    assert problem.fix == "write oob: 10.0.0.0/25, a prefix with all of them", "/26 ends before the last switch"


def test_servers_that_overrides_name_are_not_switches_either() -> None:
    overrides = {
        "be-leaf-001": {"management": {"ntp": ["10.0.0.5", "10.0.0.87"]}},
        "frontend": {"management": {"snmp": {"traps": ["10.0.0.40"]}}},
        "be-spine-*": {"management": {"syslog": ["10.0.0.88"]}},
    }
    made = plan({"overrides": overrides})
    found = list(oob_services(with_exceptions(made, resolve_inputs(made.intent, made.fabrics))))
    assert [(one.code, one.where) for one in found] == [
        ("oob-server", ("overrides", "be-leaf-001", "management", "ntp", 1)),
        ("oob-server", ("overrides", "frontend", "management", "snmp", "traps", 0)),
    ]
    assert found[0].what == "the NTP server 10.0.0.87 is also the management address of a switch"


def test_a_server_on_a_loopback_of_a_switch_is_refused() -> None:
    segment = plan().lock.segments[0]
    loopback = str(IPv4Address(segment.identifiers.start))
    (problem,) = oob_services(plan({"management.dns": [loopback]}))
    assert (problem.code, problem.where) == ("oob-server", ("management", "dns", 0))
    assert problem.what == f"the DNS server {loopback} is also the loopback address of a switch"
    assert problem.why == f"backend leaf switches have 24 addresses from {loopback} up"
    (problem,) = oob_services(plan({"tenants.research.networks.hosts.dhcp_relay": [loopback]}))
    assert problem.where == ("tenants", "research", "networks", "hosts", "dhcp_relay", 0)
