"""A double of what a Cumulus switch says: answers in the cited forms, for one switch of a planned fabric.

It is no switch. Its interfaces, VLANs and configuration are those of its startup.yaml, read by tests/cumulus/reading.py
and not by the reader under test; sessions, routes, VNIs and neighbors are what the plan says that there must be. Forms:
fabricgen/platforms/cumulus/live/reader.py, SOURCES; iproute2's as recorded in tests/live/frr_kernel.py.
"""

import json
from collections.abc import Iterator, Mapping
from ipaddress import ip_network
from typing import Any

from fabricgen.device.device import Device
from fabricgen.platforms.cumulus.names import L3_VLANS, vrf_names
from fabricgen.platforms.linux.interfaces import l3_vlans
from fabricgen.verify.expect.model import Expected, ExpectedRoute
from tests.cumulus.reading import tree
from tests.live.frr_kernel import address, device
from tests.live.frr_said import RULES, path

DOWN = ["BROADCAST", "MULTICAST"]
FAMILIES = {"ipv4": "ipv4Unicast", "ipv6": "ipv6Unicast", "evpn": "l2VpnEvpn"}
HEADER = (
    "- header:\n    model: SN5600\n    nvue-api-version: nvue_v1\n    rev-id: 1.0\n    version: Cumulus Linux 5.11.0\n"
)
L3_BRIDGE = "br_l3vni"
Shown = dict[str, Any]
"""Command → what is printed, JSON parsed."""


def shown(found: Device, text: str, expected: Expected) -> Shown:
    """All that a switch says that is what its plan says. A new value that may be spoilt."""
    node = tree(text)
    names = {tenant: there for tenant, there in vrf_names(found).items()}
    found_: Shown = json.loads(json.dumps({
        "nv show system -o json": {"hostname": found.name, "product-release": "5.11.0", "uptime": 100},
        "ip -j -d addr show": [*_devices(node)],
        "lldpcli -f json0 show neighbors details": _lldp(expected),
        "show bgp vrf all neighbors json": _neighbors(expected, names),
        "ip -j -N route show table all": [*_routes(found, node, expected, names)],
        "ip -j -N nexthop show": [],
        "show evpn vni detail json": json.dumps([*_vnis(found, node, expected, names)]),
        "bridge -j fdb show": [*_flood(expected)],
        "bridge -j vlan show": [*_bridged(node)],
        "show bgp l2vpn evpn json": _evpn(expected),
        "nv config show": HEADER + text,
        "ip -j rule show": [*RULES, {"priority": 99, "src": "all", "dst": "10.0.0.2", "table": "mgmt"}],
        "ip -j -6 rule show": RULES[:-1],
        "show daemons": " zebra bgpd watchfrr staticd\n",
        "nv show system maintenance -o json": {"mode": "disabled", "ports": "enabled"},
        "ip -j -d -s -s link show": [*_counted(found)],
    }))  # fmt: skip
    return found_


def _counted(found: Device) -> Iterator[dict[str, object]]:
    """Each port came up once."""
    for row in found.interfaces.ethernet:
        yield {"ifname": row.name, "link_type": "ether", "stats64": {"rx": {}, "tx": {"carrier_changes": 1}}}


def tables(node: Mapping[str, Any]) -> dict[str, int]:
    """VRF device → its table; Cumulus counts from 1001 (511 VRF)."""
    return {name: 1001 + at for at, name in enumerate(["mgmt", *(name for name in node["vrf"] if name != "default")])}


def _devices(node: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    interfaces = node["interface"]
    member_of = {port: name for name, row in interfaces.items() for port in row.get("bond", {}).get("member", {})}
    for name, row in interfaces.items():
        if "breakout" not in row.get("link", {}):
            yield _device(name, row, member_of.get(name, ""))
    for name, table in tables(node).items():
        own = node["vrf"].get(name, {}).get("loopback", {}).get("ip", {}).get("address", {})
        flags = ["NOARP", "MASTER", "UP", "LOWER_UP"]
        inner = [address("127.0.0.1/8", "host"), *(address(text) for text in own)]
        yield device(name, "vrf", flags=flags, mtu=65575, info={"table": table}, addr_info=inner)
    if "nve" in node:
        yield device("br_default", "bridge", info={"vlan_filtering": 1})
        yield device("vxlan48", "vxlan", master="br_default", operstate="UNKNOWN", info={"external": True})
        yield device(L3_BRIDGE, "bridge", info={"vlan_filtering": 1})
        yield device("vxlan99", "vxlan", master=L3_BRIDGE, operstate="UNKNOWN", info={"external": True})
        for name, row in node["vrf"].items():
            if "evpn" in row:
                vlan = int(row["evpn"]["vlan"])
                yield device(f"vlan{vlan}_l3", "vlan", link=L3_BRIDGE, master=name, info={"id": vlan})


def _device(name: str, row: Mapping[str, Any], bond: str) -> dict[str, object]:
    ip, link = row.get("ip", {}), row.get("link", {})
    more: dict[str, Any] = {
        "mtu": int(link.get("mtu", 9216)),
        "addr_info": [address(text) for text in ip.get("address", {})],
    }
    if "down" in link.get("state", {}):
        more |= {"flags": DOWN, "operstate": "DOWN"}
    if row["type"] == "loopback":
        more |= {"mtu": 65536, "operstate": "UNKNOWN", "link_type": "loopback"}
        more["addr_info"].append(address("127.0.0.1/8", "host"))
    if row["type"] in ("svi", "sub"):
        more |= {
            "link": row.get("base-interface", "br_default"),
            "info": {"protocol": "802.1Q", "id": int(row["vlan"])},
        }
    master = bond or ip.get("vrf", "") or ("br_default" if "bridge" in row else "")
    if row["type"] == "bond":
        more["info"] = {"mode": "802.3ad", "ad_info": {"aggregator": 1, "num_ports": 1}}
    kind = {"svi": "vlan", "sub": "vlan", "bond": "bond"}.get(row["type"], "")
    found = device(name, kind, **more, **({"master": master} if master else {}))
    if bond:
        found["linkinfo"] = {"info_slave_kind": "bond", "info_slave_data": {"mii_status": "UP", "ad_aggregator_id": 1}}
    return found


def _bridged(node: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    for name, row in node["interface"].items():
        domain = row.get("bridge", {}).get("domain", {}).get("br_default")
        if domain is not None:
            tagged = [{"vlan": int(vlan), "flags": []} for vlan in domain.get("vlan", {})]
            access = (
                [{"vlan": int(domain["access"]), "flags": ["PVID", "Egress Untagged"]}] if "access" in domain else []
            )
            yield {"ifname": name, "vlans": [*access, *tagged]}


def _lldp(expected: Expected) -> dict[str, object]:
    rows = [
        {
            "name": one.port,
            "via": "LLDP",
            "chassis": [{"id": [{"type": "mac", "value": "0"}], "name": [{"value": one.system}]}],
            "port": [{"id": [{"type": "ifname", "value": one.port_id}]}],
        }
        for one in expected.adjacencies
    ]
    return {"lldp": [{"interface": rows}]}


def _neighbors(expected: Expected, names: Mapping[str, str]) -> dict[str, Any]:
    watched = {(one.vrf, one.peer) for one in expected.bfd}
    found: dict[str, Any] = {"default": {"vrfId": 0, "vrfName": "default"}}
    for one in expected.sessions:
        name = names.get(one.vrf, "default")
        row: dict[str, Any] = {
            "remoteAs": one.remote_as,
            "localAs": expected.asn,
            "localRouterId": expected.router_id,
            "bgpState": "Established",
            "neighborCapabilities": {
                "multiprotocolExtensions": {
                    FAMILIES[family]: {"advertisedAndReceived": True} for family in one.families
                }
            },
            "addressFamilyInfo": {FAMILIES[family]: {"acceptedPrefixCounter": 3} for family in one.families},
        }
        if (one.vrf, one.peer) in watched:
            row["peerBfdInfo"] = {
                "type": "single hop",
                "detectMultiplier": 3,
                "status": "Up",
                "lastUpdate": "0:00:10:00",
            }
        found.setdefault(name, {"vrfId": 9, "vrfName": name})[one.peer] = row
    return found


def _routes(
    found: Device, node: Mapping[str, Any], expected: Expected, names: Mapping[str, str]
) -> Iterator[dict[str, object]]:
    vlans = l3_vlans(found.evpn, L3_VLANS) if found.evpn else {}
    for vrf, table in tables(node).items():
        more = {"table": str(table), "metric": 4278198272, "flags": []}
        yield {"type": "7", "dst": "default", **more}
        yield {"dst": "127.0.0.0/8", "dev": vrf, "table": str(table), "protocol": "2", "flags": []}
    for one in expected.routes:
        row: dict[str, object] = {"dst": _prefix(one.prefix), "protocol": "186", "metric": 20, "flags": []}
        if one.vrf:
            row["table"] = str(tables(node)[names[one.vrf]])
        if ":" in one.prefix:
            row["pref"] = "medium"
        yield row | _hops(one, f"vlan{vlans.get(one.vrf, 0)}_l3")


def _prefix(text: str) -> str:
    network = ip_network(text)
    if network.prefixlen == 0:
        return "default"
    return str(network.network_address) if network.prefixlen == network.max_prefixlen else text


def _hops(one: ExpectedRoute, l3: str) -> dict[str, object]:
    if one.discard:
        return {"type": "6", "protocol": "196"}
    if one.vlan_id:
        return {"dev": f"vlan{one.vlan_id}", "protocol": "2"}
    ports = one.interfaces or (l3,) * (len(one.addresses) or one.width or 1)
    if not one.interfaces and not one.addresses:
        ports = tuple(f"swp{number + 1}" for number in range(one.width or 1))
    gateways = one.addresses or ("",) * len(ports)
    hops = [
        {"dev": port, "weight": 1, "flags": [], **_gateway(hop, one.prefix)}
        for port, hop in zip(ports, gateways, strict=True)
    ]
    return hops[0] if len(hops) == 1 else {"nexthops": hops}


def _gateway(hop: str, prefix: str) -> dict[str, object]:
    if not hop:
        return {}
    if ":" in prefix and ":" not in hop:
        return {"gateway": f"::ffff:{hop}"}
    return {"gateway": hop} if (":" in prefix) == (":" in hop) else {"via": {"family": "inet6", "host": hop}}


def _vnis(
    found: Device, node: Mapping[str, Any], expected: Expected, names: Mapping[str, str]
) -> Iterator[dict[str, object]]:
    vlans = l3_vlans(found.evpn, L3_VLANS) if found.evpn else {}
    for one in expected.vnis:
        tenant = names[one.vrf]
        if one.kind == "l3":
            svi = f"vlan{vlans[one.vrf]}_l3"
            yield {"vni": one.vni, "type": "L3", "vrf": tenant, "vxlanIntf": "vxlan99", "sviIntf": svi, "state": "Up"}
            continue
        routed = {"sviInterface": f"vlan{one.vlan_id}"} if f"vlan{one.vlan_id}" in node["interface"] else {}
        yield {
            "vni": one.vni, "type": "L2", "vlan": one.vlan_id, "bridge": "br_default", "tenantVrf": tenant,
            "vxlanInterface": "vxlan48", "ifindex": 61, **routed, "numMacs": 9, "numArpNd": 4,
        }  # fmt: skip


def _flood(expected: Expected) -> Iterator[dict[str, object]]:
    for one in expected.vnis:
        for vtep in one.vteps:
            yield {
                "mac": "00:00:00:00:00:00", "ifname": "vxlan48", "dst": vtep, "src_vni": one.vni, "flags": ["self"],
                "state": "permanent",
            }  # fmt: skip


def _evpn(expected: Expected) -> dict[str, Any]:
    found: dict[str, Any] = {"bgpTableVersion": 2, "bgpLocalRouterId": expected.router_id, "numPrefix": 5}
    for one in expected.evpn:
        rd = one.rd or "192.0.2.1:9"
        name = {1: f"[1]:[0]:[{_esi(one.key)}]:[32]:[0.0.0.0]:[0]", 3: f"[3]:[0]:[32]:[{one.key}]",
                4: f"[4]:[{_esi(one.key)}]:[32]:[10.0.0.9]"}.get(one.route_type, "")  # fmt: skip
        if one.route_type == 5:
            network = ip_network(one.key)
            name = f"[5]:[0]:[{network.prefixlen}]:[{network.network_address}]"
        row = found.setdefault(rd, {"rd": rd}).setdefault(name, {"prefixLen": 352, "paths": []})
        row["paths"].append(path("10.0.0.12", one.next_hop) if one.next_hop else path("(unspec)", "10.0.0.4"))
    return found


def _esi(key: str) -> str:
    digits = key.replace(":", "")
    return ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))
