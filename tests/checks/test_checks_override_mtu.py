"""MTU by override: never below what the hosts send through a port, never above what its fabric carries of it."""

from typing import Any

import pytest

from fabricgen.checks.catalogue import examine_plan, run_checks
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.plan import Plan, with_exceptions
from tests.checks.intents import Edits, plan
from tests.checks.shared import SHARED
from tests.typing_remedies import choices

UPLINK = "link:be-leaf-000/Ethernet57/1"
HOST = "be-leaf-000/Ethernet1/1"
BEST_EFFORT: Edits = {"fabrics.backend.transport": "best-effort"}
ON_HOSTS = ("fabrics", "backend", "roce", "host_mtu")


def made(overrides: dict[str, Any], edits: Edits) -> Plan:
    bare = plan({"overrides": overrides, **edits})
    return with_exceptions(bare, resolve_inputs(bare.intent, bare.fabrics))


def judged(overrides: dict[str, Any], edits: Edits = {}) -> list[Problem]:  # noqa: B006
    return list(examine_plan(made(overrides, edits)).problems)


def ports(overrides: dict[str, Any], edits: Edits = {}) -> list[tuple[str, tuple[str | int, ...]]]:  # noqa: B006
    return [(problem.code, problem.where) for problem in judged(overrides, edits)]


def test_hosts_packets_grow_by_50_octets_inside_an_overlay() -> None:
    """RFC 7348 section 5: 9000 octets of a host are 9050 between VTEPs over IPv4."""
    refused = judged({UPLINK: {"mtu": 9049}}, SHARED)
    assert {(one.code, one.where) for one in refused} == {("port-mtu", ("overrides", UPLINK, "mtu"))}
    assert "9050" in refused[0].why
    assert refused[0].fix.startswith("write mtu: 9050 or more, up to ")
    assert judged({UPLINK: {"mtu": 9050}}, SHARED) == []


def test_a_host_port_of_an_overlay_takes_no_more_than_its_fabric_carries() -> None:
    """The fabric's MTU is 9214: 9164 are left inside VXLAN."""
    (problem,) = judged({HOST: {"mtu": 9214}}, SHARED)
    assert (problem.code, problem.fix) == ("port-mtu", "write mtu: 9000 or more, up to 9164")
    assert judged({HOST: {"mtu": 9164}}, SHARED) == []
    assert judged({HOST: {"mtu": 9000}}, SHARED) == []
    assert [one.code for one in judged({HOST: {"mtu": 8999}}, SHARED)] == ["port-mtu"]


def test_a_best_effort_backend_has_hosts_too() -> None:
    assert {code for code, _ in ports({UPLINK: {"mtu": 68}}, BEST_EFFORT)} == {"port-mtu"}
    assert {code for code, _ in ports({UPLINK: {"mtu": 8999}}, BEST_EFFORT)} == {"port-mtu"}
    assert judged({UPLINK: {"mtu": 9000}}, BEST_EFFORT) == []


@pytest.mark.parametrize("edits", [BEST_EFFORT, SHARED])
def test_a_best_effort_fabric_carries_what_its_hosts_send(edits: Edits) -> None:
    (problem,) = judged({}, {**edits, "fabrics.backend.mtu": 1500})
    assert (problem.code, problem.where) == ("host-mtu", ("fabrics", "backend", "mtu"))
    assert problem.fix == f"write mtu: 9214 ({9000 if edits is BEST_EFFORT else 9050} or more is enough)"
    low = {**edits, "fabrics.backend.mtu": 1500, "fabrics.backend.roce": {"host_mtu": 1450}}
    assert judged({}, low) == []


def test_ipv6_asks_for_1280_octets() -> None:
    """RFC 8200 section 5; Linux turns IPv6 off on an interface below."""
    low = {**BEST_EFFORT, "fabrics.backend.roce": {"host_mtu": 576}}
    (problem,) = judged({}, low)
    assert (problem.code, problem.where, problem.fix) == ("host-mtu", ON_HOSTS, "write host_mtu: 1280 or more")
    only4 = {"fabrics.backend.addressing.links": ["ipv4"], "fabrics.backend.addressing.hosts": "ipv4"}
    assert judged({}, {**low, **only4}) == []


def test_a_port_is_judged_by_the_hosts_of_its_own_leaf() -> None:
    small = {"be-leaf-000": {"roce": {"host_mtu": 4500}}}
    assert judged({**small, HOST: {"mtu": 4500}}) == []
    assert judged({**small, UPLINK: {"mtu": 4500}}) == []
    assert {code for code, _ in ports({HOST: {"mtu": 4500}})} == {"port-mtu"}
    assert {code for code, _ in ports({**small, HOST: {"mtu": 4499}})} == {"port-mtu"}
    assert {code for code, _ in ports({**small, "link:be-leaf-001/Ethernet57/1": {"mtu": 4500}})} == {"port-mtu"}


@pytest.mark.parametrize("edits", [{}, BEST_EFFORT])
@pytest.mark.parametrize("selector", ["backend", "backend/leaf", "be-leaf-000", "be-*", "*"])
def test_hosts_mtu_is_overridden_where_hosts_are(selector: str, edits: Edits) -> None:
    assert judged({selector: {"roce": {"host_mtu": 8000}}}, edits) == []


def test_both_mtus_of_a_fabric_are_overridden_at_once() -> None:
    assert judged({"backend": {"mtu": 4500, "roce": {"host_mtu": 4500}}}) == []
    assert ports({"backend": {"mtu": 4499, "roce": {"host_mtu": 4500}}})[0][0] == "host-mtu"


@pytest.mark.parametrize("selector", ["backend/spine", "be-spine-00", "frontend", "fe-leaf-000"])
def test_hosts_mtu_means_nothing_elsewhere(selector: str) -> None:
    with pytest.raises(FabricError) as caught:
        made({selector: {"roce": {"host_mtu": 8000}}}, {})
    (problem,) = caught.value.problems
    assert (problem.code, problem.where) == ("override-meaningless", ("overrides", selector, "roce", "host_mtu"))


def test_the_rest_of_roce_is_of_lossless_backends() -> None:
    with pytest.raises(FabricError) as caught:
        made({"backend": {"roce": {"alpha": "2"}}}, BEST_EFFORT)
    assert [one.code for one in caught.value.problems] == ["override-meaningless"]


LINK = "link:fe-leaf-000/Ethernet32/1"


def test_gateways_are_held_against_the_link_that_an_override_narrows() -> None:
    (problem,) = run_checks(made({LINK: {"mtu": 9000}}, {}))
    assert (problem.code, problem.where) == ("gateway-mtu", ("overrides", LINK, "mtu"))
    (low,) = {(one.code, one.where) for one in judged({LINK: {"mtu": 1549}})}
    assert low == ("port-mtu", ("overrides", LINK, "mtu"))


def test_a_cable_that_nothing_can_be_is_told_where_it_is_said() -> None:
    (problem,) = judged({UPLINK: {"length_m": 90000}})
    assert (problem.code, problem.where) == ("no-medium", ("overrides", UPLINK, "length_m"))
    kinds = [(one.code, one.where) for one in judged({UPLINK: {"length_m": 300, "medium": "dac"}})]
    assert kinds == [("no-medium", ("overrides", UPLINK, "medium"))]


@pytest.mark.parametrize("selector", ["be-leaf-000", "backend/leaf"])
def test_an_mtu_of_one_end_of_many_links_is_removed_or_made_that_of_the_fabric(selector: str) -> None:
    """An override per link was the remedy: 64 of them, or 256."""
    (problem,) = run_checks(made({selector: {"mtu": 9000}}, {}))
    assert problem.code == "mtu-differs"
    assert problem.fix.startswith(f"remove mtu from the override of {selector}, or remove it there and write ")
    for_all = choices(problem.fix).typed[-1]
    assert (for_all.key, for_all.value) == (("fabrics", "backend", "mtu"), 9000)
    assert run_checks(made({}, {"fabrics.backend.mtu": 9000})) == ()
