"""Cumulus Linux: startup.yaml → a switch. Forms: NVUE command reference of 5.11.

Lists of the control plane and the default firewall filter what comes in, whatever the VRF (tests/cumulus/
test_cumulus_access.py). SSH and the API are taken to answer in every VRF: no page says that they do not. A lookup in
a VRF ends: each has an unreachable default route (NVIDIA's pages show `K>* 0.0.0.0/0 [255/8192] unreachable`).
"""

from collections.abc import Iterator
from typing import Any

from tests.cumulus import test_cumulus_access as firewall
from tests.cumulus.reading import at, tree
from tests.isolation.model import DISCARD, Frame, Interface, Packet, Switch, Vlan, Vrf
from tests.isolation.words import BFD, BGP, VXLAN, vrf_name

Node = dict[str, Any]
MANAGEMENT = "mgmt"


def read(files: dict[str, str]) -> Switch:
    (text,) = files.values()
    root = tree(text)
    rows: dict[str, Node] = root["interface"]
    interfaces = {name: _interface(row) for name, row in rows.items()}
    bridged = {frame: vlan for name, row in rows.items() for frame, vlan in _bridged(name, row)}
    routed = {_frame(name, row): name for name, row in rows.items() if row["type"] in ("swp", "sub", "eth")}
    return Switch(
        bridged,
        {frame: name for frame, name in routed.items() if frame not in bridged},
        {vlan: _vlan(vlan, root) for vlan in bridged.values()},
        {name: row for name, row in interfaces.items() if row.addresses},
        {vrf_name(name): _vrf(name, root, interfaces) for name in (*root["vrf"], MANAGEMENT)},
        lambda vrf, packet: _takes(text, root, vrf, packet),
    )


def _interface(row: Node) -> Interface:
    ip = row.get("ip", {})
    vrf = ip.get("vrf", "")
    return Interface(vrf_name(vrf), tuple(ip.get("address", {})))


def _bridged(name: str, row: Node) -> Iterator[tuple[Frame, str]]:
    domain = row.get("bridge", {}).get("domain", {}).get("br_default", {})
    if "access" in domain:
        yield (name, 0), str(domain["access"])
    yield from (((name, int(vlan)), str(vlan)) for vlan in domain.get("vlan", {}))


def _frame(name: str, row: Node) -> Frame:
    return (row["base-interface"], int(row["vlan"])) if row["type"] == "sub" else (name, 0)


def _vlan(name: str, root: Node) -> Vlan:
    vlans = root["bridge"]["domain"]["br_default"]["vlan"]
    (vni,) = vlans[name]["vni"]
    targets = root["evpn"]["vni"][vni]["route-target"]
    return Vlan(f"vlan{name}", frozenset(targets["import"]), frozenset(targets["export"]))


def _vrf(name: str, root: Node, interfaces: dict[str, Interface]) -> Vrf:
    bgp = at(root, "vrf", name, "router", "bgp")
    own = vrf_name(name)
    families = [at(bgp, "address-family", f"{family}-unicast") for family in ("ipv4", "ipv6")]
    connected = [address for row in interfaces.values() if row.vrf == own for address in row.addresses]
    redistributes = any(at(family, "redistribute", "connected") for family in families)
    networks = [prefix for family in families for prefix in at(family, "network")]
    statics = at(root, "vrf", name, "router", "static")
    return Vrf(
        frozenset(at(bgp, "route-import", "from-evpn", "route-target")),
        frozenset(at(bgp, "route-export", "to-evpn", "route-target")),
        frozenset((*networks, *(connected if redistributes else ()))),
        frozenset(_outside(bgp, root)) if own else frozenset(),
        {"0.0.0.0/0": name} if name == MANAGEMENT else {prefix: _there(row, own) for prefix, row in statics.items()},
        frozenset(vrf_name(vrf) for family in families for vrf in at(family, "route-import", "from-vrf", "list")),
    )


def _there(route: Node, own: str) -> str:
    """The VRF of a static route's next hop (`via ADDRESS vrf VRF`)."""
    hops = route.get("via", {})
    if "blackhole" in hops:
        return DISCARD
    return "" if "default" in [hop.get("vrf", own) for hop in hops.values()] else own


def _outside(bgp: Node, root: Node) -> Iterator[str]:
    for row in bgp.get("neighbor", {}).values():
        for family in row.get("address-family", {}).values():
            name = at(family, "policy", "inbound").get("route-map")
            for rule in at(root, "router", "policy", "route-map", str(name), "rule").values():
                entries = at(root, "router", "policy", "prefix-list", rule["match"]["ip-prefix-list"], "rule")
                yield from (prefix for entry in entries.values() for prefix in entry["match"])


def _takes(text: str, root: Node, vrf: str, packet: Packet) -> str:
    if packet.protocol == "icmp":
        return "answered"
    if not firewall.accepts(text, firewall.Packet(packet.source, packet.destination, packet.port, packet.protocol)):
        return "filter"
    ntp = {name for name, row in at(root, "service", "ntp").items() if row.get("server")}
    answering = {
        ("tcp", 22): True,
        ("tcp", 443): True,
        ("tcp", 8765): True,
        ("tcp", BGP): bool(at(root, "vrf", vrf or "default", "router", "bgp")),
        ("udp", BFD): not vrf and "bfd" in text,
        ("udp", 123): (vrf or "default") in ntp,
        ("udp", VXLAN): not vrf and bool(at(root, "nve", "vxlan")),
    }
    return "answered" if answering.get((packet.protocol, packet.port)) else "service"
