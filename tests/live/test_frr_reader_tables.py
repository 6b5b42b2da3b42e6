"""Entries that somebody set by hand in the kernel's tables, from rows that iproute2 6.1.0 printed on Linux 6.18."""

import copy
import json
from typing import Any

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.state.state import State, StaticMac, StaticNeighbor
from tests.live.frr_kernel import DEVICES, FLOOD
from tests.live.frr_said import NAMES, NO_NAMESPACE, outputs

FDB, NEIGHBORS = "bridge -j fdb show", "ip -j neigh show nud permanent nud noarp"

LEARNED: list[dict[str, Any]] = json.loads("""[
{"mac":"33:33:00:00:00:01","ifname":"bridge","flags":["self"],"state":"permanent"},
{"mac":"01:00:5e:00:00:01","ifname":"swp3","flags":["self"],"state":"permanent"},
{"mac":"02:00:00:00:00:0a","ifname":"vni10001","flags":["extern_learn"],"master":"bridge","state":""},
{"mac":"02:00:00:00:00:0a","ifname":"vni10001","dst":"10.0.0.9","flags":["self","extern_learn"],"state":"permanent"},
{"mac":"00:00:00:00:00:00","ifname":"vni10001","dst":"10.0.0.9","flags":["self"],"state":"permanent"},
{"mac":"02:00:00:00:00:0c","ifname":"vni10001","dst":"10.0.0.9","flags":["self","sticky"],"state":"static"},
{"mac":"02:00:00:00:00:0d","ifname":"bond1","vlan":110,"flags":[],"master":"bridge","state":"static"},
{"mac":"02:00:00:00:00:0b","ifname":"swp3","vlan":110,"flags":[],"master":"bridge","state":""}]""")
"""What the kernel, a server and zebra make; zebra's flags as netlink_macfdb_update_ctx (rt_netlink.c) sets them."""

BY_HAND: dict[str, tuple[dict[str, Any], StaticMac]] = {
    "bridge fdb replace MAC dev swp3 master static": (
        {"mac": "02:00:00:00:00:09", "ifname": "swp3", "flags": [], "master": "bridge", "state": "static"},
        StaticMac("swp3", 0, "02:00:00:00:00:09"),
    ),
    "bridge fdb replace MAC dev swp3 master static sticky": (
        {"mac": "02:00:00:00:00:09", "ifname": "swp3", "flags": ["sticky"], "master": "bridge", "state": "static"},
        StaticMac("swp3", 0, "02:00:00:00:00:09"),
    ),
    "bridge fdb add MAC dev swp3 master vlan 110": (
        {
            "mac": "02:00:00:00:00:09",
            "ifname": "swp3",
            "vlan": 110,
            "flags": [],
            "master": "bridge",
            "state": "permanent",
        },
        StaticMac("swp3", 110, "02:00:00:00:00:09"),
    ),
    "bridge fdb add MAC dev vni10001 dst 10.0.0.7": (
        {"mac": "02:00:00:00:00:09", "ifname": "vni10001", "dst": "10.0.0.7", "flags": ["self"], "state": "permanent"},
        StaticMac("vni10001", 0, "02:00:00:00:00:09"),
    ),
}


def changed(command: str, value: object, error: str = "") -> State:
    """State where one command gave something else."""
    return FRR.state(outputs() | {command: Output(value, error)}, NAMES)


def test_what_was_learned_is_not_by_hand() -> None:
    assert FRR.state(outputs(), NAMES).static_macs == ()
    assert changed(FDB, [*FLOOD, *LEARNED]).static_macs == ()


def test_the_address_of_an_interface_is_the_kernel_s_own_entry() -> None:
    mine = next(row["address"] for row in DEVICES if "address" in row)
    row = {"mac": mine, "ifname": "swp3", "vlan": 1, "flags": [], "master": "bridge", "state": "permanent"}
    assert changed(FDB, [*FLOOD, row]).static_macs == ()


@pytest.mark.parametrize("typed", BY_HAND)
def test_an_entry_by_hand_is_told(typed: str) -> None:
    row, entry = BY_HAND[typed]
    assert changed(FDB, [*FLOOD, *LEARNED, row]).static_macs == (entry,)


MINE = {"dst": "172.18.0.2", "dev": "vlan110", "lladdr": "02:de:ad:00:00:01", "state": ["PERMANENT"]}


def test_a_neighbor_by_hand_is_told_in_its_vrf() -> None:
    """As `ip neigh replace 172.18.0.2 lladdr 02:de:ad:00:00:01 dev vlan110 nud permanent` makes it."""
    found = changed(NEIGHBORS, [MINE, {**MINE, "dst": "fd01:0::9", "dev": "swp1"}]).static_neighbors
    assert found == (
        StaticNeighbor("", "swp1", "fd01::9", "02:de:ad:00:00:01"),
        StaticNeighbor("research", "vlan110", "172.18.0.2", "02:de:ad:00:00:01"),
    )


def test_neighbors_of_a_namespace_that_stands_for_a_vrf() -> None:
    there = changed("ip -n storage -j neigh show nud permanent nud noarp", [{**MINE, "dev": "vlan9"}]).static_neighbors
    assert there == (StaticNeighbor("storage", "vlan9", "172.18.0.2", "02:de:ad:00:00:01"),)
    assert changed("ip -n mgmt -j neigh show nud permanent nud noarp", None, NO_NAMESPACE).static_neighbors == ()


SILENT = {**MINE, "state": ["NOARP"]}
"""As `ip neigh add ADDRESS lladdr MAC dev DEVICE nud noarp` makes it."""


def test_a_neighbor_that_is_not_asked_for_is_by_hand_too() -> None:
    cluster = {**SILENT, "dst": "172.18.0.3", "lladdr": "01:00:5e:7f:00:03"}  # a group's MAC, but of one address
    assert changed(NEIGHBORS, [SILENT, cluster]).static_neighbors == (
        StaticNeighbor("research", "vlan110", "172.18.0.2", "02:de:ad:00:00:01"),
        StaticNeighbor("research", "vlan110", "172.18.0.3", "01:00:5e:7f:00:03"),
    )


OWN = next(row["address"] for row in DEVICES if "address" in row)
WHOSE = next(row["ifname"] for row in DEVICES if "address" in row)
OF_NOBODY: dict[str, dict[str, Any]] = {
    "a group of IPv6": {"dst": "ff02::16", "dev": "swp1", "lladdr": "33:33:00:00:00:16", "state": ["NOARP"]},
    "a group of IPv4": {"dst": "224.0.0.5", "dev": "swp1", "lladdr": "01:00:5e:00:00:05", "state": ["NOARP"]},
    "broadcast": {"dst": "10.0.0.255", "dev": "swp1", "lladdr": "ff:ff:ff:ff:ff:ff", "state": ["NOARP"]},
    "the loopback": {"dst": "::1", "dev": "lo", "lladdr": "00:00:00:00:00:00", "state": ["NOARP"]},
    "a device without ARP": {"dst": "10.6.0.9", "dev": WHOSE, "lladdr": OWN, "state": ["NOARP"]},
    "EVPN": {**SILENT, "extern_learn": None, "protocol": "zebra"},
}
"""Rows of a leaf of the lab, and of a namespace, 2026-11-28. The state of zebra's is that of the kernel's."""


@pytest.mark.parametrize("whose", OF_NOBODY)
def test_neighbors_without_arp_of_kernel_and_evpn_are_not_by_hand(whose: str) -> None:
    assert changed(NEIGHBORS, [OF_NOBODY[whose]]).static_neighbors == ()


def test_a_permanent_neighbor_is_by_hand_whatever_it_leads_to() -> None:
    rows = [{**row, "state": ["PERMANENT"]} for whose, row in OF_NOBODY.items() if whose != "EVPN"]
    assert len(changed(NEIGHBORS, rows).static_neighbors or ()) == len(rows)


@pytest.mark.parametrize(
    "row",
    [
        {**MINE, "dst": "169.254.0.1", "dev": "swp1", "protocol": "zebra"},
        {**MINE, "extern_learn": None},
        {"dst": "172.18.0.9", "dev": "vlan110", "state": ["PERMANENT"]},
    ],
)
def test_neighbors_of_zebra_and_those_without_a_mac_are_not_by_hand(row: dict[str, Any]) -> None:
    assert changed(NEIGHBORS, [row]).static_neighbors == ()


@pytest.mark.parametrize("value", [None, "no", [7], [{"dst": "nowhere", "dev": "swp1", "lladdr": "02:de:ad:00:00:01"}]])
def test_neighbors_that_are_not_understood_are_unread(value: object) -> None:
    state = changed(NEIGHBORS, value, "refused")
    assert state.static_neighbors is None
    assert state.unread["static_neighbors"]


@pytest.mark.parametrize(("flag", "learning"), [({"learning": True}, True), ({"learning": False}, False), ({}, None)])
def test_whether_a_tunnel_learns_is_the_flag_of_its_bridge_port(flag: dict[str, bool], learning: bool | None) -> None:
    devices = copy.deepcopy(DEVICES)
    (tunnel,) = (row for row in devices if row["ifname"] == "vni10001")
    tunnel["linkinfo"] = {"info_kind": "vxlan", "info_data": {"id": 10001}, "info_slave_data": flag}
    assert {vni.vni: vni.learning for vni in changed("ip -j -d addr show", devices).vnis or ()}[10001] is learning
