"""The routing of either release in real FRR: the file of one, and what the other's daemon makes of the tables."""

import re
from collections.abc import Iterator
from functools import cache

import pytest

from fabricgen.platforms.sonic.lab import frrcfgd
from tests.judges import frr
from tests.sonic import sites

needs_frr = frr.needed(frr.NEWER)
"""FRR 10.3, which 202505 has; 202511 and later have newer ones."""

SWITCHES = (("managed", 0), ("bare", 1), ("frontend", 0), ("drained", 0))
"""Dual stack; unnumbered, above a drained leaf; EVPN between others; a drained link."""
TIMERS = re.compile(r"neighbor \S+ timers|timers bgp")
HEAD = ("frr defaults", "log ", "ip router-id")
"""Lines of the whole daemon, which frrcfgd does not write."""


MODULE = "\nagentx\n"
"""A line of FRR's module for SNMP, which SONiC starts its daemons with (`-M snmp`); those of the judge have none."""


@cache
def loaded(text: str) -> tuple[tuple[str, ...], str]:
    """Complaints of real daemons, and what they run."""
    with frr.load(text.replace(MODULE, "\n"), daemons=frr.NEWER) as found:
        return found.complaints, found.running


@needs_frr
@pytest.mark.parametrize(("name", "index"), SWITCHES)
def test_the_file_is_taken_and_read_back(name: str, index: int) -> None:
    text = sites.files(name, "202505", index)["frr.conf"]
    complaints, running = loaded(text)
    assert complaints == ()
    judged = text.replace(MODULE, "\n")
    assert [line for line in frr.differences(judged, running) if not is_known(line)] == []


def is_known(line: str) -> bool:
    """Lines that FRR says in another way, and its profile here, which is not the one of this system."""
    return bool(TIMERS.search(line)) or line in ("+ frr defaults datacenter", "- frr defaults traditional")


@needs_frr
@pytest.mark.parametrize(("name", "index"), SWITCHES)
def test_both_releases_run_the_same(name: str, index: int) -> None:
    """Policy, sessions and families agree line by line in what FRR runs; only timers stand elsewhere."""
    complaints, running = loaded(frrcfgd.text(sites.tables(name, "master", index)))
    assert complaints == ()
    other = loaded(sites.files(name, "202505", index)["frr.conf"])[1]
    assert frozenset(compared(running)) == frozenset(compared(other))
    assert len(frozenset(compared(running))) > 30


MARK = "bgp session-dscp"
"""A line of frr.conf alone: SONiC's tables have no field for it."""


def compared(running: str) -> Iterator[tuple[str, ...]]:
    """Lines that say the same in both. Sequence numbers of lists are FRR's own in one of them."""
    for path in frr.paths(running):
        if not TIMERS.search(path[-1]) and not path[-1].startswith((*HEAD, MARK)):
            yield tuple(re.sub(r" seq \d+", "", word) for word in path)


def test_the_daemon_of_the_tables_says_every_row_to_frr() -> None:
    """What the double says of a switch names everything that its tables name: no row is for nobody."""
    for name, index in SWITCHES:
        found, text = sites.tables(name, "master", index), frrcfgd.text(sites.tables(name, "master", index))
        for table in (
            "PREFIX",
            "ROUTE_MAP",
            "COMMUNITY_SET",
            "BGP_PEER_GROUP",
            "BGP_NEIGHBOR",
            "BGP_GLOBALS_AF_NETWORK",
        ):
            for key in found.get(table, {}):
                words = key.removeprefix("default|").split("|")
                assert all(
                    word in text for word in words if word not in (*frrcfgd.UNICAST, "exact") and ".." not in word
                )


def test_a_release_that_restores_by_its_template_forgets_preferences() -> None:
    """bgpd.conf.db.route_map.j2 of 086b03bd asks for set_local_preference; the model has set_local_pref."""
    found = sites.tables("drained", "master", 0)
    assert " set local-preference 0\n" in frrcfgd.text(found)
    found["DEVICE_METADATA"]["localhost"]["use_template_render_for_restore"] = "true"
    assert " set local-preference" not in frrcfgd.text(found)


@needs_frr
def test_frr_refuses_what_is_wrong() -> None:
    text = sites.files("managed", "202505", 0)["frr.conf"]
    assert loaded(text.replace("peer-group SPINES-IPV4\n", "peer-group NOPE\n", 2))[0]
    assert loaded(text.replace("maximum-prefix ", "maximum-prefixes "))[0]


@needs_frr
def test_vteps_are_taken_and_read_back() -> None:
    """A border leaf with an outside session, and a leaf: RDs, targets and VNIs are the Device's."""
    for index, device in enumerate(sites.fleet("tenants", "master")[:2]):
        text = sites.filled(sites.files("tenants", "master", index)["frr.conf"])
        assert device.evpn is not None
        names = tuple(f"Vrf_{vrf.name}" for vrf in device.evpn.vrfs)
        with frr.load(text, names, frr.NEWER) as found:
            assert found.complaints == ()
            differing = [line for line in frr.differences(text, found.running) if not is_known(line)]
        assert [line for line in differing if "/run/netns/" not in line] == []
        for vlan in device.evpn.vlans:
            assert f"  vni {vlan.vni}\n   rd {vlan.rd}\n   route-target import {vlan.route_target}\n" in text
        for vrf in device.routing.bgp.vrfs:
            assert f"  rd {vrf.rd}\n  route-target import {vrf.export_target}\n" in text


LAST = "254"
"""Distance of the route that ends each lookup in a VRF; zebra installs none of 255 (zebra_rib.c, DISTANCE_INFINITY)."""


def fib(text: str, vrf: str) -> list[str]:
    """What zebra has put into the forwarding table of a VRF as default route, and that of BGP beside it."""
    with frr.load(text, (vrf,), frr.NEWER) as found:
        assert found.complaints == ()
        families = (found.show(f"show {family} route vrf {vrf}") for family in ("ip", "ipv6"))
        routes = [line.partition(",")[0] for shown in families for line in shown.splitlines() if "unreachable" in line]
        assert "No BGP prefixes displayed, 0 exist" in found.show(f"show bgp vrf {vrf} ipv4 unicast")
        return routes


@needs_frr
def test_a_lookup_in_a_vrf_ends_there() -> None:
    """Else Linux goes on in the default VRF (docs.kernel.org, networking/vrf; sonic-swss, vrfmgr.cpp adds no route).

    Nobody hears of the route by BGP, and it is no route with the distance by which it would never be installed.
    """
    index, device = next((at, one) for at, one in enumerate(sites.fleet("tenants", "master")) if one.role == "leaf")
    assert device.evpn is not None
    vrf = f"Vrf_{device.evpn.vrfs[0].name}"
    text = sites.filled(sites.files("tenants", "master", index)["frr.conf"])
    shown = ["0.0.0.0/0 [254/0] unreachable (ICMP unreachable)", "::/0 [254/0] unreachable (ICMP unreachable)"]
    assert fib(text, vrf) == [f"S>* {row}" for row in shown]
    assert fib(text.replace(f"reject {LAST}\n", "reject 255\n"), vrf) == [
        f"S   {row.replace('254', '255')}" for row in shown
    ]
    assert fib(re.sub(r" ip(v6)? route \S+ reject \d+\n", "", text), vrf) == []


def test_frr_speaks_to_the_snmp_agent_where_there_is_one() -> None:
    """dockers/docker-fpm-frr/frr/frr.conf.j2 of 086b03bd prints it for whatever FRR's file SONiC makes by itself."""
    told: dict[bool, int] = {}
    for name, release, index in sites.samples():
        text, management = sites.files(name, release, index)["frr.conf"], sites.fleet(name, release)[index].management
        if "router bgp" in text:
            assert (MODULE in text) == (management.snmp is not None)
            told[MODULE in text] = told.get(MODULE in text, 0) + 1
    assert told[True] >= 2
    assert told[False] >= 2


def test_outside_peers_are_asked_again_each_second() -> None:
    """FRR's own are 120 s where it is built without the profile of data centers (bgpd.h, BGP_DEFAULT_CONNECT_RETRY)."""
    (border,) = (device for device in sites.fleet("tenants", sites.TABLES) if device.role == "border-leaf")
    peers = [peer for vrf in border.routing.bgp.vrfs for peer in vrf.neighbors]
    assert peers
    text = sites.rendered(border)["frr.conf"]
    assert all(f" neighbor {peer.address} timers connect 1\n" in text for peer in peers)


def test_the_same_maps_the_same_peers() -> None:
    """Without FRR too: each session, its AS number and its maps are in both files."""
    for name in (one for one in sites.NAMES if one != "tenants"):
        for index, device in enumerate(sites.fleet(name, "master")):
            tables, text = sites.tables(name, "master", index), sites.files(name, "202505", index)["frr.conf"]
            for row in device.routing.bgp.neighbors:
                assert tables["BGP_NEIGHBOR"][f"default|{row.peer}"]["asn"] == str(row.remote_as)
                assert f" neighbor {row.peer} remote-as {row.remote_as}\n" in text
            for found in device.routing.policy.route_maps:
                assert f"route-map {found.name} " in text
                assert found.name in tables["ROUTE_MAP_SET"]
