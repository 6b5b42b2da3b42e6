"""NX-OS: a running configuration → a switch. Forms: Cisco's command references, nxos_* of cisco.nxos.

SSH is on in every VRF; lists of `line vty` filter it by the source alone. NX-API listens in every VRF until one is
named, gRPC in the VRF management, and in the default one with `grpc use-vrf default`. The agent of SNMP answers the
users that the text has, in every VRF. Lists of mgmt0 see what comes in there.
"""

from ipaddress import ip_address, ip_network

from tests.isolation.model import DISCARD, Interface, Packet, Switch, Vlan, Vrf
from tests.isolation.words import (
    BFD,
    BGP,
    VXLAN,
    Path,
    below,
    from_outside,
    indented,
    names,
    ports,
    values,
    vrf_name,
)

PORTS = {"snmp": 161}


def read(files: dict[str, str]) -> Switch:
    (text,) = files.values()
    paths = indented(text)
    bridged, routed, interfaces = ports(paths, _interface, _is_bridged, "encapsulation dot1q ", "mgmt0")
    return Switch(
        bridged,
        routed,
        {vlan: _vlan(vlan, paths) for vlan in bridged.values()},
        interfaces,
        {name: _vrf(name, paths) for name in ("", *names(paths, "vrf context "))},
        lambda vrf, packet: _takes(paths, vrf, packet),
    )


def _interface(body: list[Path]) -> Interface:
    found = (*values(body, "ip address "), *values(body, "ipv6 address "))
    return Interface("".join(values(body, "vrf member ")), tuple(found))


def _is_bridged(body: list[Path]) -> bool:
    return ("switchport",) in body


def _vlan(name: str, paths: list[Path]) -> Vlan:
    vni = "".join(values(below(paths, f"vlan {name}"), "vn-segment "))
    body = below(paths, "evpn", f"vni {vni} l2")
    return Vlan(
        f"Vlan{name}",
        frozenset(values(body, "route-target import ")),
        frozenset(values(body, "route-target export ")),
    )


def _vrf(name: str, paths: list[Path]) -> Vrf:
    context = below(paths, f"vrf context {name}") if name else []
    bgp = below(paths, "router bgp ")
    body = below(bgp, f"vrf {name}") if name else bgp
    of_context = [path for family in ("ipv4", "ipv6") for path in below(context, f"address-family {family} unicast")]
    families = [path for family in ("ipv4", "ipv6") for path in below(body, f"address-family {family} unicast")]
    statics = [line.split() for line in values(context if name else paths, "ip route ")]
    return Vrf(
        _targets(of_context, "import"),
        _targets(of_context, "export"),
        frozenset(values(families, "network ")),
        frozenset(from_outside(body, paths)) if name else frozenset(),
        {words[0]: _there(words, name) for words in statics},
        frozenset(vrf_name(line.split()[1]) for line in values(of_context, "import ") if line.startswith("vrf ")),
    )


def _targets(body: list[Path], way: str) -> frozenset[str]:
    """Route targets of EVPN; those without the word are of VPNs over MPLS."""
    return frozenset(line.split()[0] for line in values(body, f"route-target {way} ") if line.endswith(" evpn"))


def _there(words: list[str], own: str) -> str:
    """`ip route PREFIX NEXT-HOP [vrf V]`: the VRF of the next hop."""
    there = vrf_name(words[words.index("vrf") + 1]) if "vrf" in words else own
    return DISCARD if words[1] == "Null0" else there


def _takes(paths: list[Path], vrf: str, packet: Packet) -> str:
    if packet.by == "mgmt0" and not _permits(paths, _bound(paths, packet), packet):
        return "filter"
    if packet.protocol == "icmp":
        return "answered"
    key = (packet.protocol, packet.port)
    bgp = below(paths, "router bgp ")
    if key == ("tcp", BGP):
        return "answered" if not vrf or below(bgp, f"vrf {vrf}") else "service"
    if key == ("udp", BFD):
        return "answered" if not vrf and any(path[-1].split()[0] == "bfd" for path in bgp) else "service"
    if key == ("udp", VXLAN):
        return "answered" if not vrf and below(paths, "interface nve1") else "service"
    return _of_management(paths, vrf, packet)


def _of_management(paths: list[Path], vrf: str, packet: Packet) -> str:
    key, version = (packet.protocol, packet.port), ip_address(packet.source).version
    lines = [path[0] for path in paths]
    if key == ("tcp", 22):
        start, end = ("access-class ", " in") if version == 4 else ("ipv6 access-class ", " in")
        lists = [line.removesuffix(end) for line in values(below(paths, "line vty"), start)]
        return "answered" if all(_permits(paths, name, packet) for name in lists) else "filter"
    if key == ("udp", 161):
        users = [line.split() for line in values(paths, "snmp-server user ")]
        word = f"use-ipv{version}acl"
        lists = [words[words.index(word) + 1] for words in users if word in words]
        if not users:
            return "service"
        return "answered" if all(_permits(paths, name, packet) for name in lists) else "filter"
    if key == ("tcp", 443):
        named = values(paths, "nxapi use-vrf ")
        on = "feature nxapi" in lines and vrf in (named or [vrf])
        return "answered" if on else "service"
    if packet.protocol == "tcp" and f"grpc port {packet.port}" in lines:
        return "answered" if vrf in ("management", *map(vrf_name, values(paths, "grpc use-vrf "))) else "service"
    return "service"


def _bound(paths: list[Path], packet: Packet) -> str:
    start = "ip access-group " if ip_address(packet.source).version == 4 else "ipv6 traffic-filter "
    return "".join(line.removesuffix(" in") for line in values(below(paths, "interface mgmt0"), start))


def _permits(paths: list[Path], name: str, packet: Packet) -> bool:
    """By the first entry that matches; what no entry matches is denied. Without a list all is permitted."""
    if not name:
        return True
    family = "ip" if ip_address(packet.source).version == 4 else "ipv6"
    for path in below(paths, f"{family} access-list {name}"):
        _, action, protocol, source, _, *more = path[0].split()
        same = protocol in (packet.protocol, family)
        from_there = source == "any" or ip_address(packet.source) in ip_network(source)
        to_port = not more or str(packet.port) in (more[1], str(PORTS.get(more[1])))
        if same and from_there and to_port:
            return action == "permit"
    return False
