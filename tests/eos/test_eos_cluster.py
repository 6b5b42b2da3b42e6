"""Flows of a cluster placed by its leaves, in EOS's words: against pyavd's, on the models that have it."""

from functools import cache
from ipaddress import ip_network

import pytest

from fabricgen.checks.capacity.balancing import modes
from fabricgen.checks.support.capabilities import capabilities
from fabricgen.device.device import Device
from fabricgen.plan.fabric import place_of
from fabricgen.plan.plan import Plan
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from tests.checks.intents import Edits, catalog, plan, with_switch
from tests.eos.fleet import render
from tests.eos.in_order import assert_pyavds_in_its_order
from tests.eos.oracle import paths
from tests.some import some

MODE = "fabrics.backend.load_balancing"
CLUSTER: Edits = {MODE: "cluster"}
HEADING = "load-balance cluster"


@cache
def made() -> Plan:
    return plan(CLUSTER)


@cache
def switch(name: str, fabric: str = "backend") -> Device:
    site = make_site(made(), fabric)
    place = place_of(site.fabric, name)
    assert place is not None
    return resolve(site, place)


def block(device: Device) -> list[tuple[str, ...]]:
    return [path[1:] for path in paths(render(device)) if path[0] == HEADING and len(path) > 1]


@pytest.mark.parametrize("name", some(["be-leaf-000", "be-spine-00"], of=2))
def test_every_line_is_pyavds_in_its_order(name: str) -> None:
    assert_pyavds_in_its_order(switch(name))


def test_a_leaf_knows_its_hosts_and_their_neighbors() -> None:
    """All of its ports for hosts and no other; destinations behind one leaf are one group: the leaf's aggregate."""
    device = switch("be-leaf-000")
    hosts = [row.name for row in device.interfaces.ethernet if row.profile.role == "host"]
    (aggregate,) = [ip_network(one) for one in device.routing.bgp.networks_ipv4 if not one.endswith("/32")]
    told = dict(path[-1].rsplit(" ", 1) for path in block(device))
    assert told["destination grouping prefix length"] == str(aggregate.prefixlen)
    assert told["interface"].removeprefix("Ethernet").split(",") == [one.removeprefix("Ethernet") for one in hosts]
    assert ("flow source learning", "aging timeout 300 seconds") in block(device)
    assert ("load-balance method flow round-robin",) in block(device)


def test_what_is_no_leaf_of_the_backend_hashes() -> None:
    """A spine keeps its own seed; dynamic balancing, which it had instead, is gone on both."""
    for device in (switch("be-spine-00"), switch("fe-leaf-000", "frontend")):
        assert (device.load_balancing.mode, device.load_balancing.cluster) == ("ecmp", None)
        assert block(device) == []
    assert "ip hardware fib load-balance" not in render(switch("be-spine-00")) + render(switch("be-leaf-000"))
    assert "ip load-sharing trident 1" in render(switch("be-spine-00"))


def told(edits: Edits) -> list[str]:
    return [problem.why.partition(";")[0] for problem in modes(plan({**CLUSTER, **edits}))]


@pytest.mark.parametrize(
    ("edits", "words"),
    [
        ({}, []),
        ({"fabrics.backend.addressing.hosts": "ipv6"}, ["it places IPv4 flows, and the hosts have IPv6"]),
        ({"fabrics.backend.addressing.links": ["unnumbered"]}, ["whether it places IPv4 flows on links without IPv4"]),
        ({"fabrics.backend.tenancy": "evpn-type5"}, ["it places routed flows"]),
        ({"fabrics.frontend.load_balancing": "cluster"}, ["it places routed flows"]),
    ],
)
def test_where_flows_can_not_be_placed(edits: Edits, words: list[str]) -> None:
    found = told(edits)
    assert len(found) == len(words)
    assert all(why.startswith(word) for why, word in zip(found, words, strict=True))


def test_a_model_that_nobody_names_is_refused() -> None:
    spellings = {"eos": {key: word for key, word in words().items() if key != "cluster"}}
    assert [problem.code for problem in capabilities(plan(CLUSTER))] == []
    (problem,) = capabilities(plan(CLUSTER, hardware=with_switch(spellings=spellings)))
    assert (problem.code, problem.where) == ("platform-cannot", ("fabrics", "backend", "load_balancing"))
    assert "backend leaf" in problem.what
    assert "spine" not in problem.what
    assert "7060X6" in problem.why
    assert 'write cluster: "yes" under spellings.eos' in problem.fix


def test_a_release_is_offered_only_where_the_model_has_the_feature_then() -> None:
    spellings = {"eos": {key: word for key, word in words().items() if key != "cluster"}}
    old = {**CLUSTER, "fabrics.backend.leaf.os": "eos-4.33"}
    (problem,) = capabilities(plan(old, hardware=with_switch(spellings=spellings)))
    assert "7060X6" in problem.why
    assert "os:" not in problem.fix


def test_a_release_before_the_feature_is_refused_by_the_one_that_has_it() -> None:
    older: Edits = {f"fabrics.backend.{role}.os": "eos-4.33.4M" for role in ("leaf", "spine")}
    (problem,) = capabilities(plan({**CLUSTER, **older}))
    assert (problem.code, problem.where) == ("platform-cannot", ("fabrics", "backend", "load_balancing"))
    assert problem.why.startswith("Arista EOS has it from 4.34 on")
    assert problem.fix.startswith("write os: eos-4.34")


def words() -> dict[str, str]:
    return dict(catalog().switches["arista-7060x6-64pe"].spellings["eos"])
