"""Draining a SONiC switch: rows for frrcfgd, or lines for vtysh; and where its peers see it."""

import json
from functools import cache

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.sonic.live.drain import SIGNS, drain, draining_peers
from fabricgen.resolve.device import devices
from tests.sonic import sites

SPINE = "be-spine-00"


@cache
def spine(release: str, state: str = "active") -> Device:
    """A spine of a small backend, active or drained."""
    exceptions = Exceptions(devices={SPINE: state}) if state != "active" else None
    plan = sites.plan_of(sites.text_of("best-effort", release, LINKS="[ipv4]"), exceptions)
    return next(device for device in devices(plan) if device.name == SPINE)


def running(release: str, lost: str = "") -> str:
    """What it runs, as `show runningconfiguration all` has it; FRR's text is that of 202505. lost: a line of it."""
    tables = json.loads(sites.rendered(spine(release))["config_db.json"])
    text = sites.rendered(spine("202505"))["frr.conf"]
    assert not lost or lost in text
    return json.dumps({**tables, "bgpraw": text.replace(lost, "") if lost else text})


PEERS = tuple(row.address for row in spine("202505").routing.bgp.neighbors)


def test_lines_where_frr_conf_is_ours() -> None:
    found = drain(spine("202505", "drained"), running("202505")).splitlines()
    assert found[:2] == [f"router bgp {spine('202505').routing.bgp.asn}", " address-family ipv4 unicast"]
    assert f"  neighbor {PEERS[0]} route-map RM-LEAVES-IPV4-DRAINED-IN in" in found
    assert len([line for line in found if line.endswith(" out")]) == len(PEERS)


def test_rows_where_frrcfgd_makes_it() -> None:
    found = json.loads(drain(spine("master", "drained"), running("master")))
    rows = found["BGP_NEIGHBOR_AF"]
    assert list(found) == ["BGP_NEIGHBOR_AF"]
    assert set(rows) == {f"default|{peer}|ipv4_unicast" for peer in PEERS}
    wanted = json.loads(sites.rendered(spine("master", "drained"))["config_db.json"])["BGP_NEIGHBOR_AF"]
    assert rows == wanted


@pytest.mark.parametrize("release", ["202505", "master"])
def test_nothing_where_it_can_not_be_done(release: str) -> None:
    drained = spine(release, "drained")
    assert drain(drained, running(release, " set local-preference 0\n")) == ""
    for text in (
        "",
        "{",
        "[]",
        "{}",
        json.dumps({"bgpraw": "router bgp 1\n"}),
        running(release).replace("bgpraw", "x"),
    ):
        assert drain(drained, text) == ""


def test_where_it_is_seen() -> None:
    ipv4, ipv6, neighbors = (read.command for read in SIGNS)
    assert ipv4 == "vtysh -c 'show bgp ipv4 unicast community 65535:0 json'"
    table = {"routes": {"10.9.0.0/24": [{"peerId": "10.0.0.1"}, {"peerId": "(unspec)"}]}}
    assert draining_peers({ipv4: Output(table), ipv6: Output(None, "refused")}) == {"10.0.0.1"}
    link = {"default": {"Ethernet8": {"bgpNeighborAddr": "fe80::1"}}}
    table = {"routes": {"2001:db8::/64": [{"peerId": "fe80::1"}]}}
    assert draining_peers({ipv6: Output(table), neighbors: Output(link)}) == {"Ethernet8"}
    assert draining_peers({ipv4: Output("garbage"), ipv6: Output([])}) == frozenset()


@cache
def front(name: str, state: str = "active") -> Device:
    """A switch of a frontend whose leaves route for tenants, active or drained."""
    exceptions = Exceptions(devices={name: state}) if state != "active" else None
    plan = sites.plan_of(sites.text_of("tenants", "master"), exceptions)
    return next(device for device in devices(plan) if device.name == name)


@pytest.mark.parametrize("name", ["fe-leaf-000", "fe-spine-00"])
def test_a_leaf_marks_what_it_announces_in_the_overlay_and_a_spine_does_not(name: str) -> None:
    """A switch with an overlay runs an frr.conf of ours."""
    files = sites.rendered(front(name))
    found = drain(
        front(name, "drained"), json.dumps({**json.loads(files["config_db.json"]), "bgpraw": files["frr.conf"]})
    )
    assert set(found.splitlines()) - {"exit"} <= set(sites.rendered(front(name, "drained"))["frr.conf"].splitlines())
    bgp = front(name, "drained").routing.bgp
    overlay = {group.name for group in bgp.groups if "evpn" in group.families}
    peers = [row.address for row in bgp.neighbors if row.group in overlay]
    wanted = [f"  neighbor {peer} route-map RM-SPINES-EVPN-DRAINED-OUT out" for peer in peers if "leaf" in name]
    assert peers
    assert [line for line in found.splitlines() if any(peer in line.split() for peer in peers)] == wanted
