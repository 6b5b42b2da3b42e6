"""Cumulus Linux as it is read: answers in the cited forms, and a whole fabric that says what its plan says."""

import json

import pytest

from fabricgen.platforms.base.live.reader import JSON, TEXT, Output
from fabricgen.platforms.cumulus.live.reader import CUMULUS, SOURCES
from fabricgen.state.state import (
    PARTS,
    BfdSession,
    Daemon,
    Facts,
    FamilyState,
    Hop,
    Interface,
    PolicyRule,
    Route,
    Session,
    Vni,
)
from tests.cumulus.shown_fabric import NUMBERED, UNNUMBERED, findings, outputs, site, state
from tests.live.frr_kernel import address, device

NAMES = {"RED": "research", "mgmt": "oob"}
BOND = {"ad_info": {"aggregator": 2, "num_ports": 1}, "mode": "802.3ad"}


def port(name: str, aggregator: int, status: str = "UP") -> dict[str, object]:
    """A port of bond1, with the words of iproute2 for it."""
    slave = {"state": "ACTIVE", "mii_status": status, "ad_aggregator_id": aggregator}
    return device(name, master="bond1") | {"linkinfo": {"info_slave_kind": "bond", "info_slave_data": slave}}


DEVICES = [
    device("lo", flags=["LOOPBACK", "UP", "LOWER_UP"], mtu=65536, operstate="UNKNOWN", link_type="loopback",
           addr_info=[address("127.0.0.1/8", "host"), address("10.0.1.12/32")]),
    device("eth0", mtu=1500, master="mgmt", addr_info=[address("10.0.0.31/24")]),
    device("swp51", mtu=9216, addr_info=[address("10.1.0.0/31")]),
    port("swp1", 2), port("swp2", 1), port("swp3", 2, "DOWN"),
    device("bond1", "bond", mtu=9100, master="br_default", info=BOND),
    device("br_default", "bridge", info={"vlan_filtering": 1}),
    device("mgmt", "vrf", info={"table": 1001}, addr_info=[address("127.0.0.1/8", "host"), address("::1/128", "host")]),
    device("RED", "vrf", mtu=65575, info={"table": 1002},
           addr_info=[address("127.0.0.1/8", "host"), address("172.30.0.1/32")]),
    device("vlan10", "vlan", mtu=9000, link="br_default", master="RED", info={"id": 10},
           addr_info=[address("10.1.10.1/24")]),
    device("vlan4001_l3", "vlan", link="br_l3vni", master="RED", info={"id": 4001}),
    device("vxlan48", "vxlan", master="br_default", operstate="UNKNOWN", info={"external": True}),
    device("br_l3vni", "bridge", info={"vlan_filtering": 1}),
    device("vxlan99", "vxlan", master="br_l3vni", operstate="UNKNOWN", info={"external": True}),
]  # fmt: skip
FLOODED = {"mac": "00:00:00:00:00:00", "ifname": "vxlan48", "flags": ["self"], "state": "permanent"}
FLOOD = [
    {**FLOODED, "dst": "10.0.1.34", "src_vni": 10},
    {**FLOODED, "dst": "10.0.1.33", "src_vni": 10},
    {**FLOODED, "dst": "10.0.1.34", "src_vni": 20},
    {"mac": "44:38:39:22:01:8a", "ifname": "vxlan48", "dst": "10.0.1.35", "src_vni": 10, "flags": ["self"]},
    {"mac": "44:38:39:22:01:8a", "ifname": "vxlan48", "vlan": 10, "flags": [], "master": "br_default"},
]
VNIS = json.dumps([
    {"vni": 10, "type": "L2", "vlan": 10, "bridge": "br_default", "tenantVrf": "RED", "vxlanInterface": "vxlan48",
     "ifindex": 61, "sviInterface": "vlan10", "vtepIp": "10.0.1.12", "numMacs": 9},
    {"vni": 20, "type": "L2", "vlan": 20, "vrf": "RED", "vxlanInterface": "vxlan48", "vtepIp": "10.0.1.12"},
    {"vni": 4001, "type": "L3", "vrf": "RED", "vxlanIntf": "vxlan99", "sviIntf": "vlan4001_l3", "state": "Up"},
])  # fmt: skip
UNICAST = {"ipv4Unicast": {"advertisedAndReceived": True}}
NEIGHBORS = {
    "default": {
        "vrfId": 0,
        "vrfName": "default",
        "swp51": {
            "remoteAs": 65199,
            "localAs": 65101,
            "localRouterId": "10.10.10.1",
            "bgpState": "Established",
            "neighborCapabilities": {"multiprotocolExtensions": UNICAST},
            "addressFamilyInfo": {"ipv4Unicast": {"acceptedPrefixCounter": 7}},
            "peerBfdInfo": {"type": "single hop", "status": "Up"},
        },
        "10.10.10.102": {
            "remoteAs": 65199,
            "localAs": 65101,
            "localRouterId": "10.10.10.1",
            "bgpState": "Active",
            "peerBfdInfo": {"type": "multi hop", "status": "Down"},
        },
    },
    "RED": {"vrfId": 7, "vrfName": "RED", "172.31.0.1": {"remoteAs": 64601, "localAs": 65101, "bgpState": "Idle"}},
}
ROUTES = [
    {"dst": "10.10.10.2", "nhid": 20, "protocol": "186", "metric": 20, "flags": []},
    {"dst": "10.10.10.3", "nhid": 11, "protocol": "186", "metric": 20, "flags": []},
    {"dst": "10.10.10.4", "nhid": 20, "protocol": "186", "metric": 20, "flags": [],
     "nexthops": [{"gateway": "10.1.0.1", "dev": "swp51", "weight": 1, "flags": []}]},
    {"dst": "10.64.0.0/16", "nhid": 14, "protocol": "196", "metric": 20, "flags": []},
    {"type": "7", "dst": "default", "table": "1002", "metric": 4278198272, "flags": []},
    {"dst": "10.1.20.0/24", "gateway": "10.0.1.34", "dev": "vlan4001_l3", "table": "1002", "protocol": "186",
     "metric": 20, "flags": ["onlink"]},
    {"dst": "default", "gateway": "10.0.0.1", "dev": "eth0", "table": "1001", "protocol": "4", "flags": []},
]  # fmt: skip
NEXTHOPS = [
    {"id": 11, "gateway": "10.1.0.1", "dev": "swp51", "scope": "253", "protocol": "11", "flags": []},
    {"id": 12, "gateway": "fe80::2", "dev": "swp52", "protocol": "11", "flags": []},
    {"id": 14, "blackhole": None, "protocol": "11", "flags": []},
    {"id": 20, "group": [{"id": 11}, {"id": 12, "weight": 3}], "protocol": "11", "flags": []},
]
PLAIN_RULES = [
    {"priority": 0, "src": "all", "table": "local"},
    {"priority": 1000, "src": "all", "l3mdev": None},
    {"priority": 32766, "src": "all", "table": "main"},
]
SAID = {
    "nv show system -o json": {"hostname": "leaf01", "product-release": "5.11.1", "build": "Cumulus Linux 5.11.1"},
    "ip -j -d addr show": DEVICES,
    "bridge -j vlan show": [
        {"ifname": "bond1", "vlans": [{"vlan": 10, "flags": ["PVID", "Egress Untagged"]}, {"vlan": 20, "flags": []}]},
        {"ifname": "vxlan48", "vlans": [{"vlan": 10, "flags": []}]},
    ],
    "show evpn vni detail json": VNIS,
    "bridge -j fdb show": FLOOD,
    "show bgp vrf all neighbors json": NEIGHBORS,
    "ip -j -N route show table all": ROUTES,
    "ip -j -N nexthop show": NEXTHOPS,
    "ip -j rule show": [*PLAIN_RULES, {"priority": 99, "src": "all", "dst": "10.0.0.2", "table": "mgmt"},
                        {"priority": 98, "src": "10.9.0.0", "srclen": 16, "table": "77"}],
    "ip -j -6 rule show": PLAIN_RULES,
    "show daemons": " zebra bgpd watchfrr staticd\n",
    "nv show system maintenance -o json": {"mode": "enabled", "ports": "enabled"},
    "nv config show": "- header:\n    model: VX\n- set:\n    system:\n      hostname: leaf01\n",
}  # fmt: skip
SAYS = CUMULUS.state({command: Output(value) for command, value in SAID.items()}, NAMES)


def one(name: str) -> Interface:
    return next(row for row in SAYS.interfaces or () if row.name == name)


def test_who_answers() -> None:
    assert SAYS.facts == Facts("leaf01", "5.11.1", "", "")


def test_later_releases_say_their_number_elsewhere() -> None:
    said = {"nv show system -o json": Output({"hostname": "leaf01", "version": {"product-release": "5.14.0"}})}
    assert CUMULUS.state(said, {}).facts == Facts("leaf01", "5.14.0", "", "")


def test_interfaces_and_their_vrfs() -> None:
    assert one("lo") == Interface("lo", "loopback", True, True, 65536, ("10.0.1.12/32",))
    assert one("eth0") == Interface("eth0", "ethernet", True, True, 1500, ("10.0.0.31/24",), "oob", vlans=())
    assert one("swp51") == Interface("swp51", "ethernet", True, True, 9216, ("10.1.0.0/31",), vlans=())
    assert one("vlan10") == Interface("vlan10", "svi", True, True, 9000, ("10.1.10.1/24",), "research", 10)
    assert one("vlan4001_l3")[:2] == ("vlan4001_l3", "svi")
    assert one("vlan4001_l3").vlan_id == 4001


def test_a_tenants_own_address_stands_on_its_vrf_device() -> None:
    assert one("RED") == Interface("RED", "loopback", True, True, 65575, ("172.30.0.1/32",), "research")
    assert one("mgmt").kind == "other"


def test_a_port_is_a_port_whatever_the_driver_of_the_chip_calls_its_device() -> None:
    """A virtual machine's have no kind of link, those of the chip's own driver have one of their own."""
    switch = site()["fe-leaf-000"]
    said = switch.says()
    for row in said["ip -j -d addr show"]:
        if row["ifname"].startswith("swp"):
            row["linkinfo"] = {"info_kind": "sx_netdev", **row.get("linkinfo", {})}
    assert findings(switch, said, drift=False) == ()
    assert next(row for row in state(switch, outputs(said)).interfaces or () if row.name == "swp1").kind == "ethernet"


@pytest.mark.parametrize("answer", [{}, {"maintenance": {"mode": "enabled"}}, {"ports": {"state": "disabled"}}])
def test_maintenance_of_another_form_is_not_taken_for_none(answer: object) -> None:
    found = CUMULUS.state({"nv show system maintenance -o json": Output(answer)}, {})
    assert found.maintenance is None
    assert "maintenance" in found.unread


def test_a_bond_bundles_the_ports_of_its_aggregator_that_have_a_link() -> None:
    assert one("bond1") == Interface("bond1", "lag", True, True, 9100, (), members=("swp1",), vlans=((0, 10), (20, 20)))


def test_vnis_of_one_device_have_flood_lists_of_their_own() -> None:
    assert SAYS.vnis == (
        Vni(10, "l2", 10, "research", ("10.0.1.33", "10.0.1.34"), True),
        Vni(20, "l2", 20, "research", ("10.0.1.34",), True),
        Vni(4001, "l3", 4001, "research", (), True),
    )


def test_a_device_for_each_vni_floods_without_a_number() -> None:
    flood = [{**FLOODED, "ifname": "vni10", "dst": "10.10.10.4"}]
    devices = [*DEVICES, device("vni10", "vxlan", master="br_default", operstate="UNKNOWN", info={"id": 10})]
    vnis = json.dumps([{"vni": 10, "type": "L2", "vrf": "RED", "vxlanInterface": "vni10", "sviInterface": "vlan10"}])
    said = {**SAID, "bridge -j fdb show": flood, "ip -j -d addr show": devices, "show evpn vni detail json": vnis}
    found = CUMULUS.state({command: Output(value) for command, value in said.items()}, NAMES).vnis
    assert found == (Vni(10, "l2", 10, "research", ("10.10.10.4",), True),)


def test_sessions_and_their_bfd() -> None:
    assert SAYS.bgp is not None
    assert (SAYS.bgp.asn, SAYS.bgp.router_id) == (65101, "10.10.10.1")
    assert SAYS.bgp.sessions == (
        Session("", "10.10.10.102", 65199, "Active", ()),
        Session("", "swp51", 65199, "Established", (FamilyState("ipv4", 7),)),
        Session("research", "172.31.0.1", 64601, "Idle", ()),
    )
    assert SAYS.bfd == (BfdSession("", "10.10.10.102", False), BfdSession("", "swp51", True))


def test_routes_that_name_an_object_have_its_next_hops() -> None:
    both = (Hop("10.1.0.1", "swp51"), Hop("fe80::2", "swp52", 3))
    assert SAYS.routes == (
        Route("", "10.10.10.2/32", "bgp", both),
        Route("", "10.10.10.3/32", "bgp", (Hop("10.1.0.1", "swp51"),)),
        Route("", "10.10.10.4/32", "bgp", (Hop("10.1.0.1", "swp51"),)),
        Route("", "10.64.0.0/16", "static", ()),
        Route("oob", "0.0.0.0/0", "static", (Hop("10.0.0.1", "eth0"),)),
        Route("research", "0.0.0.0/0", "boot", ()),
        Route("research", "10.1.20.0/24", "bgp", (Hop("10.0.1.34", "vlan4001_l3"),)),
    )


@pytest.mark.parametrize("nexthops", [[], [{"id": 20, "group": [{"id": 11}]}]])
def test_an_object_that_is_not_shown_is_not_guessed(nexthops: list[object]) -> None:
    said = {**SAID, "ip -j -N nexthop show": nexthops}
    found = CUMULUS.state({command: Output(value) for command, value in said.items()}, NAMES)
    assert found.routes is None
    assert "20" in found.unread["routes"] or "11" in found.unread["routes"]


def test_rules_of_the_systems_own_are_no_strays() -> None:
    assert SAYS.rules == (PolicyRule("", 98, "IPv4 src 10.9.0.0 srclen 16 table 77"),)


def test_daemons_without_the_one_that_cumulus_does_not_run() -> None:
    assert [(row.name, row.running) for row in SAYS.daemons or ()] == [
        ("zebra", True),
        ("bgpd", True),
        ("staticd", True),
    ]
    dead = {**SAID, "show daemons": " zebra staticd watchfrr\n"}
    found = CUMULUS.state({command: Output(value) for command, value in dead.items()}, NAMES).daemons or ()
    assert Daemon("bgpd", False, ("sessions", "evpn")) in found


def test_maintenance() -> None:
    assert SAYS.maintenance == ("the system: maintenance mode is enabled",)
    ports = {"nv show system maintenance -o json": Output({"mode": "disabled", "ports": "disabled"})}
    assert CUMULUS.state(ports, {}).maintenance == ("all ports: disabled for maintenance",)
    none = {"nv show system maintenance -o json": Output({"mode": "disabled", "ports": "enabled"})}
    assert CUMULUS.state(none, {}).maintenance == ()
    refused = {"nv show system maintenance -o json": Output(None, "leaf01: nv show system maintenance: Error")}
    assert CUMULUS.state(refused, {}).maintenance is None


UNIT = "nv show system maintenance -o json"


@pytest.mark.parametrize("word", ["mode: enabled", "state: maintenance"])
def test_maintenance_is_configured_from_5_13_on(word: str) -> None:
    """514 Maintenance Mode; 513 What's New. The command of 5.12 is gone."""
    text = f"- set:\n    maintenance:\n      unit:\n        all-protocols:\n          {word}\n"
    gone = {UNIT: Output(None, "leaf01: nv show system maintenance: Error")}
    found = CUMULUS.state({**gone, "nv config show": Output(text)}, {})
    assert found.maintenance == ("all-protocols: maintenance is configured",)
    idle = CUMULUS.state({**gone, "nv config show": Output(text.replace(word, "mode: disabled"))}, {})
    assert idle.maintenance == ()


def test_every_command_has_a_source_and_every_part_is_read_or_called_unseen() -> None:
    reads = CUMULUS.reads(["RED"])
    assert {read.command for read in reads} == {command for _, command, _ in SOURCES}
    assert len({read.command for read in reads}) == len(reads)
    assert all(source for _, _, source in SOURCES)
    assert {part for part, _, _ in SOURCES} | CUMULUS.unseen.keys() >= set(PARTS)
    assert {read.command: (read.encoding, read.call) for read in reads if read.command.startswith("nv ")} == {
        "nv show system -o json": (JSON, 0),
        "nv config show": (TEXT, 0),
        "nv show system maintenance -o json": (JSON, 0),
    }


def test_vrfs_by_the_names_that_they_have_there() -> None:
    found = CUMULUS.vrf_names(site()["fe-leaf-000"].device)
    assert found == {"mgmt": "mgmt", "storage": "storage", "research": "research", "serving": "serving"}


@pytest.mark.parametrize("kind", [NUMBERED, UNNUMBERED])
def test_a_fabric_that_says_what_its_plan_says_is_right(kind: str) -> None:
    """What is not judged is what the platform does not show, or no plan knows."""
    for switch in site(kind).values():
        said = switch.says()
        found = state(switch, outputs(said))
        assert set(found.unread) == set(CUMULUS.unseen), switch.device.name
        assert findings(switch, said, drift=kind == NUMBERED) == (), switch.device.name
