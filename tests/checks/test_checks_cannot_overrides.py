"""What a switch cannot do by an override is placed at the line that makes the difference, with that line's remedy."""

from collections.abc import Mapping
from typing import Any

import pytest

from fabricgen.checks.catalogue import run_plan_checks
from fabricgen.checks.support.capabilities import capabilities
from fabricgen.errors import Problem
from tests.checks.test_checks_away import made
from tests.typing_remedies import choices

FRR = "frr-8.4"
OWN_USERS = {"users": {"watch": {"role": "network-admin", "password": "${env:WATCH_HASH}"}}}


def cannot(overrides: dict[str, Any]) -> dict[str, Problem]:
    """Feature → what is said of it."""
    found = [one for one in run_plan_checks(made(overrides)) if one.code == "platform-cannot"]
    return {one.what.partition(" does not support ")[2].partition(",")[0]: one for one in found}


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"load_balancing": "dlb-per-packet"},
        {"bgp": {"keepalive_seconds": 2}},
        {"management": OWN_USERS},
        {"mtu": 9000, "roce": {"alpha": "1/4"}},
    ],
)
@pytest.mark.parametrize("selector", ["be-leaf-001", "backend/spine"])
def test_another_system_is_removed_where_it_stands(selector: str, more: dict[str, Any]) -> None:
    """PFC and the SNMP user are asked of the fabric: no other key of the override has anything to do with them."""
    found = cannot({selector: {**more, "os": FRR}})
    assert {"pfc", "snmp", "gnmi"} <= set(found)
    for feature in ("pfc", "ecn", "snmp", "gnmi"):
        assert found[feature].where == ("overrides", selector, "os")
        assert found[feature].fix == "remove this `os`, or run Arista EOS on these switches"
    if "load_balancing" in more:
        assert found["dlb-per-packet"].where == ("overrides", selector, "load_balancing")
        assert found["dlb-per-packet"].fix == "write load_balancing: ecmp"
    if "management" in more:
        assert found["users"].where == ("overrides", selector, "management", "users")
        assert found["users"].fix.startswith("remove `users`")


@pytest.mark.parametrize("more", [{}, {"bgp": {"keepalive_seconds": 2}}])
def test_the_remedy_that_is_printed_helps(more: dict[str, Any]) -> None:
    assert cannot({"be-leaf-001": {**more, "os": FRR}})
    assert cannot({"be-leaf-001": more} if more else {}) == {}


def test_no_remedy_is_empty() -> None:
    for overrides in ({"be-leaf-001": {"os": FRR}}, {"fe-spine-00": {"os": FRR, "mtu": 9000}}):
        assert all(one.fix for one in cannot(overrides).values())


NEXUS = {"model": "cisco-n9332d-gx2b", "os": "nxos-10.5"}
BARE = {"multihoming": "active-backup", "lacp_fallback": False, "uplink_tracking": False}
PORT = "fe-leaf-000/Ethernet1/1"


@pytest.mark.parametrize(("limit", "refused"), [(50, True), ("auto", False), ("none", False)])
def test_a_port_has_no_limit_of_addresses_that_its_system_lacks(limit: object, refused: bool) -> None:
    """A number that is asked for one port is refused, as it is for the fabric: it would be in no file."""
    key = ("server_ports", "mac_limit")
    keys = {f"fabrics.frontend.{part}": NEXUS for part in ("leaf", "spine")} | {"fabrics.frontend.server_ports": BARE}
    overrides = {PORT: {"server_ports": {"mac_limit": limit}}}
    found = [one for one in capabilities(made(overrides, **keys)) if PORT.replace("/", " ", 1) in one.what]
    assert [(one.code, one.where) for one in found] == [("platform-cannot", ("overrides", PORT, *key))] * refused
    assert all(one.fix == "write mac_limit: none" for one in found)
    assert list(capabilities(made({PORT: {"server_ports": {"mac_limit": limit}}}))) == []


FRR_BACKEND = {
    **{f"fabrics.backend.{part}.os": FRR for part in ("leaf", "spine")},
    "fabrics.backend.transport": "best-effort",
    "fabrics.backend.load_balancing": "ecmp",
}


def refused_for(overrides: dict[str, Any], keys: Mapping[str, object]) -> list[Problem]:
    """Services of management that some switch lacks."""
    return [one for one in capabilities(made(overrides, **keys)) if one.where[0] == "management"]


@pytest.mark.parametrize(
    ("keys", "selector"),
    [
        (FRR_BACKEND, "backend"),
        ({key: value for key, value in FRR_BACKEND.items() if ".leaf." not in key}, "backend/spine"),
    ],
)
def test_a_service_of_the_site_is_turned_off_where_it_is_not_supported(
    keys: Mapping[str, object], selector: str
) -> None:
    """The other switches keep their users and services; without `users` nobody could log in to them."""
    found = refused_for({}, keys)
    assert {one.where[1] for one in found} >= {"users", "snmp", "gnmi"}
    override: dict[str, Any] = {}
    for one in found:
        ((name, value),) = choices(one.fix).typed[0].value.items()  # type: ignore[attr-defined]
        assert name == selector
        override |= value["management"]
    overrides = {selector: {"management": override}}
    assert refused_for(overrides, keys) == []
    assert [one.code for one in run_plan_checks(made(overrides, **keys)) if one.code == "no-account"] == []
    part = {"be-leaf-000" if selector == "backend" else "be-spine-00": {"management": override}}
    assert {one.where[1] for one in refused_for(part, keys)} >= {"users", "snmp", "gnmi"}


def test_a_service_that_no_switch_supports_is_removed() -> None:
    keys = FRR_BACKEND | {f"fabrics.frontend.{part}.os": FRR for part in ("leaf", "spine")}
    assert {one.fix for one in refused_for({}, keys) if one.where[-1] == "users"} == {
        "remove `users`, or run Arista EOS on these switches"
    }


def on_all(os: str, **more: object) -> dict[str, object]:
    """Both roles of the backend on an SN5600 with this system."""
    switch = {"model": "nvidia-sn5600", "os": os}
    return {"fabrics.backend.leaf": switch, "fabrics.backend.spine": switch, **more}


@pytest.mark.parametrize("os", ["cumulus-5.11", "sonic-202505"])
def test_a_system_that_lacks_something_else_is_not_offered(os: str) -> None:
    """SONiC has SNMP but no local users, Cumulus has users but no SNMP: each was the remedy of the other."""
    found = [one for one in capabilities(made({}, **on_all(os))) if one.code == "platform-cannot"]
    assert found
    assert [one.fix for one in found if "on these switches" in one.fix] == []


def test_all_services_of_one_role_are_turned_off_there() -> None:
    """Flows are sampled on leaves only: what is typed for it must not turn it off on the spines of another system."""
    leaf = {f"fabrics.backend.{key}": value for key, value in (("leaf.os", FRR), ("transport", "best-effort"))}
    found = refused_for({}, leaf | {"fabrics.backend.load_balancing": "ecmp"})
    assert len(found) == 5
    assert {next(iter(choices(one.fix).typed[0].value)) for one in found} == {"backend/leaf"}  # type: ignore[call-overload]
