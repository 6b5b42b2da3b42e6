"""What is asked of a backend that tenants share: apart on every switch, sized, and lossless only where a chip can."""

import pytest

from fabricgen.checks.catalogue import run_checks
from fabricgen.checks.routing.shared_backend import faults
from fabricgen.resolve.device import devices
from tests.checks import shared
from tests.checks.intents import codes, only, plan, with_asic


def test_the_shared_demo_is_sound() -> None:
    assert run_checks(shared.shared()) == ()


def test_lossless_inside_a_tunnel_is_refused_where_no_source_knows_the_chip() -> None:
    problem = only(plan(shared.LOSSLESS))
    assert (problem.code, problem.where) == ("platform-cannot", ("fabrics", "backend", "tenancy"))
    assert problem.what == "Arista EOS does not support roce-over-vxlan, which backend leaf needs"
    assert "arista.com/en/um-eos/eos-vxlan-dscp-mapping" in problem.why
    assert 'write vxlan_qos: "yes" under spellings.eos' in problem.fix


def test_a_hardware_file_of_the_user_lifts_the_refusal() -> None:
    assert run_checks(shared.vouched()) == ()


def test_all_chips_of_a_role_must_be_vouched_for() -> None:
    """A word under another operating system is none."""
    made = plan(shared.LOSSLESS, hardware=with_asic(spellings={"frr": {"vxlan_qos": "yes"}}))
    assert "platform-cannot" in codes(made)


def test_fifty_octets_are_what_a_tunnel_takes() -> None:
    assert codes(shared.shared(fabrics__backend__mtu=9050)) == []
    problem = only(shared.shared(fabrics__backend__mtu=9049))
    assert (problem.code, problem.fix) == ("tunnel-mtu", "write mtu: 9214 (9050 or more is enough)")


def test_the_widest_leaf_is_counted() -> None:
    """All 32 servers stand in one unit: 8 NICs of each, two loopbacks of each of 24 planned leaves, one a spine.

    The demo plans 192 servers, so six units of four leaves, and 16 spines.
    """
    routes = 32 * 8 + 6 * 4 * 2 + 16
    assert codes(plan(shared.SHARED, hardware=with_asic(routes_ipv4=routes))) == []
    problem = only(plan(shared.SHARED, hardware=with_asic(routes_ipv4=routes - 1)))
    assert problem.what == f"a leaf of backend would need {routes} ipv4 routes"
    assert codes(plan(shared.SHARED, hardware=with_asic(routes_ipv6=1))) == []


@pytest.mark.parametrize("edit", [shared.meeting, shared.one_target])
def test_a_target_that_two_tenants_share_is_told(edit: object) -> None:
    leaf = next(device for device in devices(shared.shared()) if device.name == "be-leaf-000")
    assert callable(edit)
    assert [fault.code for fault in faults(leaf)] == []
    assert {fault.code for fault in faults(edit(leaf))} == {"tenants-meet"}
