"""SONiC: config_db.json and frr.conf → a switch. Forms: sonic-yang-models, FRR's manual.

caclmgrd's chain filters what comes in, whatever the VRF (tests/sonic/cacl.py). SSH and BGP answer in every VRF
(tcp_l3mdev_accept, templates/sonic/NOTES.md), gNMI, SNMP and NTP in the one that their tables name. A VRF's table has
no route of its own that ends a lookup: rule 1001 looks in the table `local`, 32766 in `main` (sonic-swss, vrfmgr.cpp).
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from tests.isolation.model import DISCARD, Frame, Interface, Packet, Switch, Vlan, Vrf
from tests.isolation.words import BFD, BGP, VXLAN, Path, below, from_outside, indented, values, vrf_name
from tests.sonic import cacl

Tables = dict[str, dict[str, dict[str, Any]]]
MANAGEMENT = "mgmt"
NEVER = 255
"""Distance with which zebra installs no route (zebra/zebra_rib.c, DISTANCE_INFINITY)."""
ROUTED = ("INTERFACE", "LOOPBACK_INTERFACE", "VLAN_INTERFACE", "VLAN_SUB_INTERFACE")


def read(files: dict[str, str]) -> Switch:
    tables: Tables = json.loads(files["config_db.json"])
    paths = indented(files["frr.conf"])
    interfaces = dict(_interfaces(tables))
    bridged: dict[Frame, str] = {}
    for key, row in tables.get("VLAN_MEMBER", {}).items():
        vlan, port = key.split("|")
        bridged[port, 0 if row["tagging_mode"] == "untagged" else int(vlan.removeprefix("Vlan"))] = vlan
    routed: dict[Frame, str] = {(name, 0): name for name in interfaces if not name.startswith(("Vlan", "Loopback"))}
    for name, row in tables.get("VLAN_SUB_INTERFACE", {}).items():
        if "|" not in name:
            routed.pop((name, 0), None)
            routed[name.partition(".")[0], int(row["vlan"])] = name
    chain = cacl.rules(tables)
    names = ("", MANAGEMENT, *tables.get("VRF", {}))
    return Switch(
        bridged,
        routed,
        {vlan: _vlan(vlan, tables, paths) for vlan in bridged.values()},
        {name: row for name, row in interfaces.items() if row.addresses},
        {name: _with_tables(name, tables, _vrf(name, paths, interfaces)) for name in names},
        lambda vrf, packet: _takes(tables, paths, chain, vrf, packet),
    )


def _interfaces(tables: Tables) -> Iterator[tuple[str, Interface]]:
    for table in ROUTED:
        rows = tables.get(table, {})
        for name, row in rows.items():
            if "|" not in name:
                addresses = tuple(key.split("|")[1] for key in rows if key.startswith(f"{name}|"))
                yield name, Interface(row.get("vrf_name", ""), addresses)
    on = tables.get("MGMT_VRF_CONFIG", {}).get("vrf_global", {}).get("mgmtVrfEnabled") == "true"
    addresses = tuple(key.split("|")[1] for key in tables["MGMT_INTERFACE"])
    yield "eth0", Interface(MANAGEMENT if on else "", addresses)


def _vlan(name: str, tables: Tables, paths: list[Path]) -> Vlan:
    vnis = [row["vni"] for row in tables.get("VXLAN_TUNNEL_MAP", {}).values() if row["vlan"] == name]
    body = below(paths, "router bgp ", "address-family l2vpn evpn", f"vni {''.join(vnis)}")
    return Vlan(
        name,
        frozenset(values(body, "route-target import ")),
        frozenset(values(body, "route-target export ")),
    )


def _vrf(name: str, paths: list[Path], interfaces: dict[str, Interface]) -> Vrf:
    speakers = [path[0] for path in paths if len(path) == 1 and path[0].startswith("router bgp ")]
    ending = f" vrf {name}" if name else ""
    body = [
        row
        for speaker in speakers
        if (speaker.endswith(ending) if name else " vrf " not in speaker)
        for row in below(paths, speaker)
    ]
    families = [row for family in ("ipv4", "ipv6") for row in below(body, f"address-family {family} unicast")]
    evpn = below(body, "address-family l2vpn evpn")
    connected = [at for row in interfaces.values() if row.vrf == name for at in row.addresses]
    redistributes = any(line.split()[0] == "connected" for line in values(families, "redistribute "))
    return Vrf(
        frozenset(values(evpn, "route-target import ")),
        frozenset(values(evpn, "route-target export ")),
        frozenset((*values(families, "network "), *(connected if redistributes else ()))),
        frozenset(from_outside(families, paths)) if name else frozenset(),
        {"0.0.0.0/0": MANAGEMENT} if name == MANAGEMENT else dict(_statics(name, paths)),
        frozenset(vrf_name(vrf) for vrf in values(families, "import vrf ") if "route-map" not in vrf),
        goes_on=name not in ("", MANAGEMENT) and not _ends(name, paths),
    )


def _with_tables(name: str, tables: Tables, vrf: Vrf) -> Vrf:
    """Networks and discard routes of the default VRF, where config_db.json has BGP and not frr.conf."""
    networks = {key.split("|")[2] for key in tables.get("BGP_GLOBALS_AF_NETWORK", {}) if key.startswith("default|")}
    discarded = {key.split("|")[1]: DISCARD for key in tables.get("STATIC_ROUTE", {}) if key.startswith("default|")}
    return vrf if name else replace(vrf, originated=vrf.originated | networks, statics={**vrf.statics, **discarded})


def _ends(name: str, paths: list[Path]) -> bool:
    """Whether both families have a route that ends each lookup in a VRF."""
    body = below(paths, f"vrf {name}")
    ends = [words for words in (row[0].split() for row in body) if words[1:2] == ["route"] and words[3] == "reject"]
    routes = {(words[0], words[2]) for words in ends if int((*words[4:], "1")[0]) < NEVER}
    return {("ip", "0.0.0.0/0"), ("ipv6", "::/0")} <= routes


def _statics(name: str, paths: list[Path]) -> Iterator[tuple[str, str]]:
    """`ip route PREFIX NEXT-HOP [nexthop-vrf VRF]` of a VRF's block."""
    lines = below(paths, f"vrf {name}") if name else paths
    for path in lines:
        words = path[0].split()
        if len(path) == 1 and words[0] in ("ip", "ipv6") and words[1:2] == ["route"] and words[3] != "reject":
            there = words[words.index("nexthop-vrf") + 1] if "nexthop-vrf" in words else name
            there = DISCARD if words[3] in ("blackhole", "Null0") else there
            yield words[2], vrf_name(there)


def _takes(tables: Tables, paths: list[Path], chain: list[cacl.Rule], vrf: str, packet: Packet) -> str:
    kind = "echo-request" if packet.protocol == "icmp" else ""
    by = packet.by if packet.by == "eth0" else "Ethernet0"
    judged = cacl.Packet(packet.source, packet.destination, packet.protocol, packet.port or 40000, by, kind=kind)
    if not cacl.accepts(chain, judged):
        return "filter"
    if packet.protocol == "icmp":
        return "answered"
    gnmi = tables.get("GNMI", {}).get("gnmi", {})
    snmp = [key.split("|") for key in tables.get("SNMP_AGENT_ADDRESS_CONFIG", {})]
    answering: dict[tuple[str, int], bool] = {
        ("tcp", 22): True,
        ("tcp", BGP): "BGP_GLOBALS" in tables or any(path[0].startswith("router bgp ") for path in paths),
        ("udp", BFD): not vrf,
        ("udp", 161): any(key[2] in (vrf, "") for key in snmp) if snmp else "SNMP" in tables,
        ("udp", 123): tables.get("NTP", {}).get("global", {}).get("vrf", "default") == (vrf or "default"),
        ("udp", VXLAN): bool(tables.get("VXLAN_TUNNEL")) and not vrf,
        ("tcp", int(gnmi.get("port", 0))): gnmi.get("vrf", vrf) == vrf,
    }
    return "answered" if answering.get((packet.protocol, packet.port)) else "service"
