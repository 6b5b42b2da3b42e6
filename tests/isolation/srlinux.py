"""SR Linux: config.json → a switch. Forms: Nokia's YANG models of 25.3.1.

A service answers in the network instance that its server names. The CPM filter stands in front of all of them. What a
VRF's policy hands to BGP is not read: all that is connected counts as handed out, which is more.
"""

import json
from collections.abc import Iterator
from typing import Any

from tests.isolation.model import DISCARD, Frame, Interface, Packet, Switch, Vlan, Vrf
from tests.isolation.words import BFD, BGP, VXLAN, vrf_name
from tests.srlinux import test_srlinux_control_plane as cpm

Json = dict[str, Any]


def read(files: dict[str, str]) -> Switch:
    (text,) = files.values()
    tree = json.loads(text)
    instances = {row["name"]: row for row in tree["srl_nokia-network-instance:network-instance"]}
    members = {row["name"]: name for name, one in instances.items() for row in one.get("interface", ())}
    bridges = {name for name, one in instances.items() if one["type"].endswith(":mac-vrf")}
    subs = dict(_subinterfaces(tree))
    interfaces = {
        name: Interface(vrf_name(_routed(members, bridges, name, instances)), tuple(_addresses(sub)))
        for name, sub in subs.items()
    }
    frames = {_frame(name, sub): name for name, sub in subs.items() if name.startswith(("ethernet", "mgmt"))}
    return Switch(
        {frame: members[name] for frame, name in frames.items() if members.get(name) in bridges},
        {frame: name for frame, name in frames.items() if members.get(name) not in bridges},
        {name: _vlan(instances[name]) for name in bridges},
        {name: row for name, row in interfaces.items() if row.addresses},
        {vrf_name(name): _vrf(name, tree, instances, interfaces) for name in instances if name not in bridges},
        lambda vrf, packet: _takes(text, tree, instances, vrf, packet),
    )


def _routed(members: dict[str, str], bridges: set[str], name: str, instances: dict[str, Json]) -> str:
    """The instance that routes a subinterface; one of an IRB is in a MAC-VRF, too."""
    own = [key for key, one in instances.items() if any(row["name"] == name for row in one.get("interface", ()))]
    return next((key for key in own if key not in bridges), members.get(name, "none"))


def _subinterfaces(tree: Json) -> Iterator[tuple[str, Json]]:
    for row in tree["srl_nokia-interfaces:interface"]:
        yield from ((f"{row['name']}.{sub['index']}", sub) for sub in row.get("subinterface", ()))


def _addresses(sub: Json) -> Iterator[str]:
    for family in ("ipv4", "ipv6"):
        yield from (row["ip-prefix"] for row in sub.get(family, {}).get("address", ()))


def _frame(name: str, sub: Json) -> Frame:
    encap = sub.get("srl_nokia-interfaces-vlans:vlan", {}).get("encap", {})
    return name.rpartition(".")[0], int(encap.get("single-tagged", {}).get("vlan-id", 0))


def _targets(instance: Json) -> tuple[frozenset[str], frozenset[str]]:
    rows = instance.get("protocols", {}).get("srl_nokia-bgp-vpn:bgp-vpn", {}).get("bgp-instance", ())
    found = [row.get("route-target", {}) for row in rows]
    ways = ([row[f"{way}-rt"] for row in found if f"{way}-rt" in row] for way in ("import", "export"))
    imports, exports = (frozenset(ways_of) for ways_of in ways)
    return imports, exports


def _vlan(instance: Json) -> Vlan:
    irb = [row["name"] for row in instance["interface"] if row["name"].startswith("irb")]
    return Vlan("".join(irb), *_targets(instance))


def _vrf(name: str, tree: Json, instances: dict[str, Json], interfaces: dict[str, Interface]) -> Vrf:
    own = instances[name]
    imports, exports = _targets(own)
    rows = own.get("protocols", {}).get("srl_nokia-bgp-vpn:bgp-vpn", {}).get("bgp-instance", ())
    for policy in (word for row in rows for word in row.get("import-policy", ())):
        imports |= _of_policy(tree, policy)
    groups = {row["name"]: row for row in own.get("srl_nokia-next-hop-groups:next-hop-groups", {}).get("group", ())}
    routes = own.get("srl_nokia-static-routes:static-routes", {}).get("route", ())
    connected = frozenset(at for row in interfaces.values() if row.vrf == vrf_name(name) for at in row.addresses)
    bgp = own.get("protocols", {}).get("srl_nokia-bgp:bgp", {})
    policies = [policy for row in bgp.get("neighbor", ()) for policy in row.get("import-policy", ())]
    outside = frozenset(prefix for policy in policies for prefix in _prefixes(tree, policy))
    return Vrf(
        imports,
        exports,
        connected,
        outside if name != "default" else frozenset(),
        {row["prefix"]: _hop(groups[row["next-hop-group"]], vrf_name(name)) for row in routes},
        _leaks(instances, name),
    )


def _hop(group: Json, name: str) -> str:
    """Next hops are looked up in the network instance itself (srl_nokia-next-hop-groups)."""
    return DISCARD if "blackhole" in group else name


def _leaks(instances: dict[str, Json], name: str) -> frozenset[str]:
    """A route goes from an instance with an export policy to one with an import policy (srl_nokia-network-instance)."""
    applied = {key: one.get("inter-instance-policies", {}).get("apply-policy", {}) for key, one in instances.items()}
    if "import-policy" not in applied[name]:
        return frozenset()
    return frozenset(vrf_name(key) for key, row in applied.items() if "export-policy" in row)


def _policy(tree: Json, name: str) -> Iterator[Json]:
    for row in tree["srl_nokia-routing-policy:routing-policy"].get("policy", ()):
        if row["name"] == name:
            yield from (one.get("match", {}) for one in row.get("statement", ()))


def _of_policy(tree: Json, name: str) -> frozenset[str]:
    sets = {match["bgp"]["community-set"] for match in _policy(tree, name) if "community-set" in match.get("bgp", {})}
    rows = tree["srl_nokia-routing-policy:routing-policy"].get("community-set", ())
    return frozenset(member for row in rows if row["name"] in sets for member in row["member"] if "target:" in member)


def _prefixes(tree: Json, policy: str) -> Iterator[str]:
    sets = {match["prefix"]["prefix-set"] for match in _policy(tree, policy) if "prefix" in match}
    for row in tree["srl_nokia-routing-policy:routing-policy"]["prefix-set"]:
        if row["name"] in sets:
            yield from (one["ip-prefix"] for one in row["prefix"])


SERVERS = {
    ("tcp", 22): ("srl_nokia-ssh:ssh-server", "network-instance"),
    ("tcp", 50051): ("srl_nokia-grpc:grpc-server", "network-instance"),
}


def _takes(text: str, tree: Json, instances: dict[str, Json], vrf: str, packet: Packet) -> str:
    family = "ipv6" if ":" in packet.source else "ipv4"
    if (packet.protocol, packet.port) == ("udp", VXLAN) and not vrf:
        tunnels = tree.get("srl_nokia-tunnel-interfaces:tunnel-interface")
        if tunnels:
            return "answered"
    icmp = {"ipv4": ("icmp", "echo"), "ipv6": ("icmp6", "echo-request")}[family]
    protocol, kind = icmp if packet.protocol == "icmp" else (packet.protocol, "")
    entries = cpm.acls(text).get(family, [])
    # The reader of entries knows sources of IPv4; those of IPv6 have none.
    assert family == "ipv4" or "source-ip" not in json.dumps(entries)
    address = packet.source if family == "ipv4" else "203.0.113.1"
    judged = cpm.Packet(protocol, destination=packet.port or 40000, kind=kind, address=address)
    if not cpm.is_accepted(entries, judged):
        return "filter"
    name = vrf or "default"
    if packet.protocol == "icmp":
        return "answered"
    if packet.port == BGP:
        return "answered" if "srl_nokia-bgp:bgp" in instances[name].get("protocols", {}) else "service"
    if packet.port == BFD:
        return "answered" if tree.get("srl_nokia-bfd:bfd") and not vrf else "service"
    return "answered" if name in _instances(tree["srl_nokia-system:system"], packet) else "service"


def _instances(system: Json, packet: Packet) -> set[str]:
    key = (packet.protocol, packet.port)
    if key in SERVERS:
        rows = system.get(SERVERS[key][0], ())
        return {row["network-instance"] for row in rows if row["admin-state"] == "enable"}
    if key == ("tcp", 443):
        rows = system.get("srl_nokia-json-rpc:json-rpc-server", {}).get("network-instance", ())
        return {row["name"] for row in rows}
    if key == ("udp", 161):
        return {row["name"] for row in system.get("srl_nokia-system-snmp:snmp", {}).get("network-instance", ())}
    if key == ("udp", 123):
        return {str(system.get("srl_nokia-ntp:ntp", {}).get("network-instance", ""))}
    return set()
