"""Junos: a configuration in braces → a switch. Forms: Juniper's manuals and YANG models.

SSH and NETCONF answer in every routing instance; the filter of lo0 comes first, each instance has that of
its own unit, and what no term takes is discarded. gRPC answers in its routing instance, SNMP in those that
`routing-instance-access` opens: with it in all. The management port's table is mgmt_junos.
"""

from collections import defaultdict
from collections.abc import Iterator

from tests.isolation.model import DISCARD, Frame, Interface, Packet, Switch, Vlan, Vrf
from tests.isolation.words import BFD, BGP, VXLAN
from tests.junos.reading import Path, paths
from tests.junos.test_junos_control_plane import OWN, is_accepted
from tests.junos.test_junos_control_plane import Packet as Judged

MANAGEMENT = "mgmt_junos"


def read(files: dict[str, str]) -> Switch:
    (text,) = files.values()
    lines = paths(text)
    instances = {line[1]: line for line in lines if line[0] == "routing-instances"}
    kinds = {line[1]: line[3] for line in lines if line[0] == "routing-instances" and line[2] == "instance-type"}
    members = {line[3]: line[1] for line in lines if line[0] == "routing-instances" and line[2] == "interface"}
    bridges = [name for name, kind in kinds.items() if kind == "mac-vrf"]
    vlans = {vlan: row for name in bridges for vlan, row in _vlans(lines, name)}
    tags = {line[5]: line[1] for name in bridges for line in lines if _vlan_id(line, name)}
    bridged = dict(_bridged(lines, members, tags, bridges))
    interfaces = dict(_interfaces(lines, members))
    routed = {frame: name for name in interfaces for frame in _frames(lines, name)}
    vrfs = ("", *(name for name in instances if name not in bridges))
    return Switch(
        bridged,
        routed,
        vlans,
        {name: row for name, row in interfaces.items() if row.addresses},
        {name: _vrf(lines, name) for name in vrfs},
        lambda vrf, packet: _takes(lines, interfaces, vrf, packet),
    )


def _vlan_id(line: Path, name: str) -> bool:
    return line[:3] == ("routing-instances", name, "vlans") and line[4] == "vlan-id"


def _targets(lines: list[Path], instance: str) -> tuple[frozenset[str], frozenset[str]]:
    """Import and export: `vrf-target`, one of both or one of each way, or policies with communities."""
    found: dict[str, set[str]] = {"import": set(), "export": set()}
    for line in lines:
        if line[:2] != ("routing-instances", instance):
            continue
        if line[2] == "vrf-target":
            ways = (line[3],) if line[3] in found else tuple(found)
            for way in ways:
                found[way].add(line[-1])
        if line[2] in ("vrf-import", "vrf-export"):
            found[line[2].removeprefix("vrf-")] |= _of_policies(lines, line[3].split())
    return frozenset(found["import"]), frozenset(found["export"])


def _of_policies(lines: list[Path], policies: list[str]) -> set[str]:
    communities = {
        word
        for line in lines
        if line[:2] == ("policy-options", "policy-statement") and line[2] in policies and "community" in line
        for word in line[-1].split()
    }
    return {line[-1] for line in lines if line[:2] == ("policy-options", "community") and line[2] in communities}


def _vlans(lines: list[Path], instance: str) -> Iterator[tuple[str, Vlan]]:
    gateways = [line for line in lines if line[:3] == ("routing-instances", instance, "vlans")]
    routed = {line[3]: line[5] for line in gateways if line[4] == "l3-interface"}
    for line in gateways:
        if line[4] == "vlan-id":
            yield f"{instance} {line[5]}", Vlan(routed.get(line[3], ""), *_targets(lines, instance))


def _bridged(
    lines: list[Path], members: dict[str, str], tags: dict[str, str], bridges: list[str]
) -> Iterator[tuple[Frame, str]]:
    for name, instance in members.items():
        if instance in bridges:
            port, _, unit = name.partition(".")
            own = [
                line[-1] for line in lines if line[:4] == ("interfaces", port, "unit", unit) and line[4] == "vlan-id"
            ]
            vlan = next(tag for tag, owner in tags.items() if owner == instance)
            yield (port, int(own[0]) if own else 0), f"{instance} {vlan}"


def _interfaces(lines: list[Path], members: dict[str, str]) -> Iterator[tuple[str, Interface]]:
    found: dict[str, list[str]] = defaultdict(list)
    for line in lines:
        if line[0] == "interfaces" and line[2:3] == ("unit",) and line[4:5] == ("family",) and "address" in line[6:7]:
            found[f"{line[1]}.{line[3]}"].append(line[7])
    for name, addresses in found.items():
        vrf = MANAGEMENT if name.startswith(("re0:mgmt", "em", "fxp")) else members.get(name, "")
        yield name, Interface(vrf, tuple(addresses))


def _frames(lines: list[Path], name: str) -> Iterator[Frame]:
    port, _, unit = name.partition(".")
    tags = [line[-1] for line in lines if line[:5] == ("interfaces", port, "unit", unit, "vlan-id")]
    if port not in ("irb", "lo0"):
        yield port, int(tags[0]) if tags else 0


def _vrf(lines: list[Path], name: str) -> Vrf:
    start = ("routing-instances", name) if name else ()
    own = [line[len(start) :] for line in lines if line[: len(start)] == start]
    routes = {line[3]: line for line in own if line[:3] == ("routing-options", "static", "route")}
    imports = {line[-1] for line in own if line[:2] == ("routing-options", "instance-import")}
    leaks = {
        line[-1] for line in lines if line[1:2] == ("policy-statement",) and line[2] in imports and "instance" in line
    }
    tables = {key: line[5].removesuffix(".inet.0") for key, line in routes.items() if line[4:5] == ("next-table",)}
    return Vrf(
        *_targets(lines, name),
        _originated(lines, own, name),
        frozenset(_outside(lines, own)) if name else frozenset(),
        {key: DISCARD if line[4] == "discard" else _default(tables.get(key, name)) for key, line in routes.items()},
        frozenset(map(_default, leaks)),
    )


def _default(name: str) -> str:
    return "" if name in ("inet.0", "master") else name


def _originated(lines: list[Path], own: list[Path], name: str) -> frozenset[str]:
    """Prefixes of the lists of its export: of prefix routes in a VRF, of BGP in the default instance."""
    at = ("protocols", "evpn", "ip-prefix-routes", "export") if name else ("protocols", "bgp")
    policies = {word for line in own if line[: len(at)] == at for word in line[-1].split()}
    return frozenset(_prefixes(lines, policies, "direct"))


def _outside(lines: list[Path], own: list[Path]) -> Iterator[str]:
    bgp = [line for line in own if line[:2] == ("protocols", "bgp") and "import" in line]
    policies = {word for line in bgp for word in line[-1].split()}
    yield from _prefixes(lines, policies, "")


def _prefixes(lines: list[Path], policies: set[str], protocol: str) -> Iterator[str]:
    """Prefixes of the lists that terms of the policies permit, of those with a protocol where one is named."""
    mine = [line for line in lines if line[:2] == ("policy-options", "policy-statement") and line[2] in policies]
    with_protocol = {line[2:5] for line in mine if "protocol" in line and protocol in line[-1].split()}
    lists = {line[-1] for line in mine if "route-filter-list" in line and (not protocol or line[2:5] in with_protocol)}
    for line in lines:
        if line[:2] == ("policy-options", "route-filter-list") and line[2] in lists:
            yield line[3]


def _takes(lines: list[Path], interfaces: dict[str, Interface], vrf: str, packet: Packet) -> str:
    if (packet.protocol, packet.port) == ("udp", VXLAN) and not vrf:
        # The forwarding engine takes it before any filter of lo0 sees it.
        ends = any("vtep-source-interface" in line for line in lines)
        return "answered" if ends else "filter" if _refuses(lines, interfaces, vrf, packet) else "service"
    if _refuses(lines, interfaces, vrf, packet):
        return "filter"
    if packet.protocol == "icmp":
        return "answered"
    own = ("routing-instances", vrf, "protocols", "bgp") if vrf else ("protocols", "bgp")
    bgp = [line for line in lines if line[: len(own)] == own]
    if packet.port == BGP or (packet.protocol, packet.port) == ("udp", BFD):
        return "answered" if bgp and (packet.port == BGP or _has_bfd(bgp)) else "service"
    grpc = ("system", "services", "extension-service", "request-response", "grpc")
    open_in = {
        ("tcp", 22): {vrf},
        ("tcp", 830): {vrf} if ("system", "services", "netconf", "ssh") in lines else set[str](),
        ("udp", 161): {vrf} if ("snmp", "routing-instance-access") in lines else {""},
        ("tcp", 50051): {line[-1] for line in lines if line[:6] == (*grpc, "routing-instance")} or {vrf},
    }
    return "answered" if vrf in open_in.get((packet.protocol, packet.port), set()) else "service"


def _has_bfd(bgp: list[Path]) -> bool:
    return any("bfd-liveness-detection" in line for line in bgp)


def _refuses(lines: list[Path], interfaces: dict[str, Interface], vrf: str, packet: Packet) -> bool:
    family, icmp = ("inet6", "icmp6") if ":" in packet.source else ("inet", "icmp")
    units = _units(lines, vrf)
    bound = [
        line for line in lines if line[:3] == ("interfaces", "lo0", "unit") and line[3] in units and line[5] == family
    ]
    if not any(line[6:8] == ("filter", "input") for line in bound):
        return False
    own = [at for row in interfaces.values() if row.vrf == MANAGEMENT for at in row.addresses]
    to = OWN if packet.destination in [at.partition("/")[0] for at in own] else ""
    protocol = icmp if packet.protocol == "icmp" else packet.protocol
    judged = Judged(protocol, destination=packet.port or 40000, to=to, by=packet.source)
    return not is_accepted(lines, family, judged)


def _units(lines: list[Path], vrf: str) -> set[str]:
    """Units of lo0 of an instance. The one of the default instance filters mgmt_junos, too."""
    if vrf in ("", MANAGEMENT):
        return {"0"}
    return {
        line[3].removeprefix("lo0.")
        for line in lines
        if line[:3] == ("routing-instances", vrf, "interface") and line[3].startswith("lo0.")
    }
