"""EOS: a running configuration → a switch. Forms: EOS manual (VRF, ACL, management), PyAVD 6.4.0.

A service answers in the default VRF unless the text says otherwise: SSH unless `management ssh` has `shutdown`; eAPI
where no VRF is named (a recorded switch with `no shutdown` and `vrf MGMT`, `no shutdown` shows `VRFs: MGMT`); gNMI
where the transport has no `vrf`; SNMP unless `no snmp-server vrf default`. NTP answers nobody without `ntp serve`. The
built-in control-plane list takes all of these from any source.
"""

from collections.abc import Iterable, Iterator
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


def read(files: dict[str, str]) -> Switch:
    (text,) = files.values()
    paths = indented(text)
    bridged, routed, interfaces = ports(paths, _interface, _is_bridged, "encapsulation dot1q vlan ", "Management")
    bgp = below(paths, "router bgp ")
    return Switch(
        bridged,
        routed,
        {vlan: _vlan(vlan, below(bgp, f"vlan {vlan}")) for vlan in bridged.values()},
        interfaces,
        {name: _vrf(name, paths, bgp) for name in ("", *names(paths, "vrf instance "))},
        lambda vrf, packet: _takes(paths, vrf, packet),
    )


def _interface(body: list[Path]) -> Interface:
    found = [*values(body, "ip address "), *values(body, "ipv6 address ")]
    return Interface("".join(values(body, "vrf ")), tuple(text.removeprefix("virtual ") for text in found))


def _is_bridged(body: list[Path]) -> bool:
    return ("switchport",) in body or ("no switchport",) not in body


def _vlan(name: str, body: list[Path]) -> Vlan:
    both = values(body, "route-target both ")
    return Vlan(
        f"Vlan{name}",
        frozenset((*both, *values(body, "route-target import "))),
        frozenset((*both, *values(body, "route-target export "))),
    )


def _vrf(name: str, paths: list[Path], bgp: list[Path]) -> Vrf:
    body = below(bgp, f"vrf {name}") if name else bgp
    families = (*below(body, "address-family ipv4"), *below(body, "address-family ipv6"))
    general = below(paths, "router general", f"vrf {name or 'default'}")
    return Vrf(
        frozenset(values(body, "route-target import evpn ")),
        frozenset(values(body, "route-target export evpn ")),
        frozenset(values(families, "network ")),
        frozenset(from_outside(body, paths)) if name else frozenset(),
        dict(_statics(name, values(paths, "ip route "))),
        frozenset(vrf_name(text.split()[0]) for text in values(general, "leak routes source-vrf ")),
    )


def _statics(vrf: str, lines: Iterable[str]) -> Iterator[tuple[str, str]]:
    """`ip route [vrf V] PREFIX [egress-vrf V] NEXT-HOP`."""
    for line in lines:
        words = line.split()
        own = words[1] if words[0] == "vrf" else ""
        rest = words[2:] if own else words
        if own == vrf:
            there = vrf_name(rest[2]) if rest[1] == "egress-vrf" else vrf
            yield rest[0], DISCARD if rest[1] == "Null0" else there


def _takes(paths: list[Path], vrf: str, packet: Packet) -> str:
    if packet.protocol == "icmp":
        return "answered"
    key = (packet.protocol, packet.port)
    bgp = below(paths, "router bgp ")
    if key == ("tcp", BGP):
        return "answered" if not vrf or below(bgp, f"vrf {vrf}") else "service"
    if key == ("udp", BFD):
        return "answered" if not vrf and any(path[-1].endswith(" bfd") for path in bgp) else "service"
    if key == ("udp", VXLAN):
        loopback = "".join(values(below(paths, "interface Vxlan1"), "vxlan source-interface "))
        return "answered" if loopback and not vrf else "service"
    for where, lists in _services(paths, key):
        if where == vrf:
            return "answered" if all(_permits(paths, name, packet.source) for name in lists) else "filter"
    return "service"


def _services(paths: list[Path], key: tuple[str, int]) -> Iterator[tuple[str, list[str]]]:
    """VRFs that a service answers in, each with the names of its lists."""
    if key == ("tcp", 22):
        yield from _ssh(below(paths, "management ssh"))
    elif key == ("tcp", 443):
        yield from _api(below(paths, "management api http-commands"))
    elif key == ("udp", 161):
        yield from _snmp([path[0] for path in paths if len(path) == 1])
    elif key == ("udp", 123) and any(line.split()[0] == "serve" for line in values(paths, "ntp ")):
        yield "", []
    grpc = below(paths, "management api gnmi", "transport grpc ")
    if key[0] == "tcp" and (f"port {key[1]}",) in grpc:
        yield "".join(values(grpc, "vrf ")), values(grpc, "ip access-group ")


def _ssh(body: list[Path]) -> Iterator[tuple[str, list[str]]]:
    lists = [line.split() for line in values(body, "ip access-group ")]
    if ("shutdown",) not in body:
        yield "", [words[0] for words in lists if words[1:2] != ["vrf"]]
    for vrf in names(body, "vrf "):
        if ("no shutdown",) in below(body, f"vrf {vrf}"):
            yield vrf_name(vrf), [words[0] for words in lists if words[1:3] == ["vrf", vrf]]


def _api(body: list[Path]) -> Iterator[tuple[str, list[str]]]:
    if ("no shutdown",) in body:
        vrfs = [vrf for vrf in names(body, "vrf ") if ("no shutdown",) in below(body, f"vrf {vrf}")]
        yield from ((vrf_name(vrf), values(below(body, f"vrf {vrf}"), "ip access-group ")) for vrf in vrfs)
        if not vrfs:
            yield "", values(body, "ip access-group ")


def _snmp(lines: list[str]) -> Iterator[tuple[str, list[str]]]:
    own = [line.removeprefix("snmp-server ") for line in lines if line.startswith("snmp-server ")]
    lists = {line.split()[-1]: [line.split()[2]] for line in own if line.startswith("ipv4 access-list ")}
    for vrf in {line.split()[1] for line in own if line.startswith("vrf ")}:
        yield vrf, lists.get(vrf, [])
    if own and "no snmp-server vrf default" not in lines:
        yield "", []


def _permits(paths: list[Path], name: str, source: str) -> bool:
    """Whether a standard list permits a source; what no entry permits is denied."""
    entries = [path[0].split() for path in below(paths, f"ip access-list standard {name}")]
    at = ip_address(source)
    return any(
        at in ip_network("0.0.0.0/0" if words[2] == "any" else words[2])
        for words in entries
        if words[1] == "permit" and at.version == 4
    )
