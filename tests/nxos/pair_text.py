"""Cisco NX-OS: the running configuration.

Sources: Cisco Nexus 9000 NX-OS guides, Release 10.5(x): interfaces, unicast routing, VXLAN, quality of service;
recorded configurations of 9.2(3) and 10.3(9) (github.com/batfish/lab-validation dbe21f0), which a test reads too.
MTU: `mtu` of a routed port is the size of its largest IP packet, 1500 where it is not said (interfaces guide, MTU;
Cisco Live BRKDCN-1100: it counts no Ethernet header).
DSCP: a policy of type qos puts classes into qos groups; group n is class c-8q-nqn of a policy of type network-qos,
whose `pause pfc-cos` is the priority of what it sends and obeys (quality of service guide: classification, network
QoS, PFC).
Timers: 60 and 180 where nothing is said (unicast routing guide, timers). Communities are sent where it is said, each
kind by a line of its own (the same, send-community). A next hop is kept where the route map of what goes out says so
(VXLAN guide, spines of eBGP: set ip next-hop unchanged).
Gateways: VLAN interfaces of `fabric forwarding mode anycast-gateway`, with the switch's one MAC address (VXLAN guide).
"""

from collections.abc import Iterable, Iterator, Mapping

from tests.pairs.lines import Line, tree
from tests.pairs.view import (
    DSCPS,
    EVPN,
    IPV4,
    IPV6,
    Gateway,
    Port,
    Session,
    Targets,
    View,
    address,
    first,
    gateway,
    numbers,
)

FAMILIES = {("ipv4", "unicast"): IPV4, ("ipv6", "unicast"): IPV6, ("l2vpn", "evpn"): EVPN}
Pauses = tuple[tuple[int, int], ...]


def read(files: Mapping[str, str]) -> View:
    """Read the one file of a switch."""
    root = tree(next(iter(files.values())))
    named = {line.words[1].lower(): line for line in root.all("interface") if not line.value("vrf", "member")}
    loopbacks = {name: _addresses(line) for name, line in named.items() if name.startswith("loopback")}
    ipv4 = {name: address(first(found, 4)) for name, found in loopbacks.items() if first(found, 4)}
    bgp = next(root.all("router", "bgp"), Line(()))
    tunnel = named.get("nve1", Line(()))
    return View(
        asn=int(bgp.words[2]) if bgp.words else 0,
        ports=_ports(root),
        loopbacks=frozenset(address(one) for found in loopbacks.values() for one in found),
        sessions=_sessions(root, bgp, ipv4),
        vtep=ipv4.get(tunnel.value("source-interface").lower(), ""),
        bridged=_bridged(root, tunnel),
        routed=_routed(root, tunnel),
        gateways=dict(_gateways(root)),
    )


def _gateways(root: Line) -> Iterator[tuple[int, Gateway]]:
    mac = root.value("fabric", "forwarding", "anycast-gateway-mac")
    vnis = {line.words[1]: int(vni) for line in root.all("vlan") if (vni := line.value("vn-segment"))}
    for line in root.all("interface"):
        vlan = line.words[1].removeprefix("Vlan")
        if vlan in vnis and line.has("fabric", "forwarding", "mode", "anycast-gateway"):
            yield vnis[vlan], gateway(mac, _addresses(line))


def _addresses(line: Line) -> list[str]:
    rests = (*line.rests("ip", "address"), *line.rests("ipv6", "address"))
    return [rest[0] for rest in rests if "/" in rest[0]]


def _ports(root: Line) -> dict[str, Port]:
    found: dict[str, Port] = {}
    for line in root.all("interface"):
        name = line.words[1]
        if not name.startswith("Ethernet") or not line.has("no", "switchport"):
            continue
        addresses = _addresses(line)
        classes = _classes(root, line)
        pauses = _pauses(root, classes) if line.has("priority-flow-control", "mode", "on") else ()
        found[name] = Port(
            ipv4=first(addresses, 4),
            ipv6=first(addresses, 6),
            mtu=int(line.value("mtu", default="1500")),
            enabled=line.has("no", "shutdown"),
            classes=classes,
            sends=pauses,
            obeys=pauses,
        )
    return found


def _classes(root: Line, port: Line) -> tuple[int, ...]:
    """The qos group of each DSCP, by the policy of the port; group 0 for what no class of it matches."""
    name = port.value("service-policy", "type", "qos", "input")
    policy = next(root.all("policy-map", "type", "qos", name), None)
    if policy is None:
        return ()
    marks = {line.words[-1]: line.value("match", "dscp") for line in root.all("class-map", "type", "qos")}
    rows = [(line.words[1], int(line.value("set", "qos-group", default="0"))) for line in policy.all("class")]
    found = [dict(rows).get("class-default", 0)] * len(DSCPS)
    for name, group in reversed(rows):
        for dscp in numbers(marks[name]) if marks.get(name) else ():
            found[dscp] = group
    return tuple(found)


def _pauses(root: Line, classes: tuple[int, ...]) -> Pauses:
    """By the policy of type network-qos that the whole switch has."""
    name = next((line.value("service-policy", "type", "network-qos") for line in root.all("system", "qos")), "")
    policy = next(root.all("policy-map", "type", "network-qos", name), Line(()))
    found: dict[int, int] = {}
    for line in policy.all("class", "type", "network-qos"):
        priority = line.value("pause", "pfc-cos")
        group = line.words[-1].removeprefix("c-8q-nq")
        if priority and group.isdigit():
            found[int(group)] = int(priority)
    return tuple((dscp, found[group]) for dscp, group in enumerate(classes) if group in found)


def _sessions(root: Line, bgp: Line, loopbacks: Mapping[str, str]) -> dict[str, Session]:
    templates = {line.words[2]: line for line in bgp.all("template", "peer")}
    maps = [line.words[1] for line in root.all("route-map") if line.has("set", "ip", "next-hop", "unchanged")]
    found = (_session(line, templates, loopbacks) for line in bgp.all("neighbor"))
    rows = ((session, _maps_out(bgp, templates, session.peer)) for session in found)
    return {session.peer: session._replace(kept=bool({*maps} & names)) for session, names in rows}


def _maps_out(bgp: Line, templates: Mapping[str, Line], peer: str) -> set[str]:
    """Route maps of the EVPN routes that go out to a peer."""
    line = next(one for one in bgp.all("neighbor") if address(one.words[1]) == peer)
    both = (line, templates.get(line.value("inherit", "peer"), Line(())))
    parts = (part for one in both for part in one.all("address-family", "l2vpn", "evpn"))
    return {rest[0] for part in parts for rest in part.rests("route-map") if rest[-1] == "out"}


def _session(line: Line, templates: Mapping[str, Line], loopbacks: Mapping[str, str]) -> Session:
    both = (line, templates.get(line.value("inherit", "peer"), Line(())))
    remote = line.words[3] if line.words[2:3] == ("remote-as",) else _of(both, "remote-as")
    timers = next((rest for one in both for rest in one.rests("timers")), ("60", "180"))
    source = _of(both, "update-source")
    return Session(
        peer=address(line.words[1]),
        remote_as=int(remote or 0),
        families=frozenset(_families(both)),
        keepalive=int(timers[0]),
        hold=int(timers[1]),
        bfd=any(True for one in both for _ in one.all("bfd")),
        multihop=int(_of(both, "ebgp-multihop") or 1),
        source=loopbacks.get(source.lower(), source),
        extended=any(_is_extended(part) for one in both for part in one.all("address-family", "l2vpn", "evpn")),
    )


def _is_extended(part: Line) -> bool:
    return part.has("send-community", "extended") or part.has("send-community", "both")


def _of(lines: Iterable[Line], word: str) -> str:
    return next((value for line in lines if (value := line.value(word))), "")


def _families(lines: Iterable[Line]) -> Iterator[str]:
    for line in lines:
        for words in line.rests("address-family"):
            if words in FAMILIES:
                yield FAMILIES[words]


def _bridged(root: Line, tunnel: Line) -> dict[int, Targets]:
    """VNIs of VLANs that the tunnel has, with what `evpn` says of each."""
    vlans = {int(line.value("vn-segment")) for line in root.all("vlan") if line.value("vn-segment")}
    members = {vni for rest in tunnel.rests("member", "vni") if "associate-vrf" not in rest for vni in numbers(rest[0])}
    blocks = [line for part in root.all("evpn") for line in part.all("vni")]
    said = {int(line.words[1]): line for line in blocks if line.words[2:] == ("l2",)}
    return {vni: _targets(said[vni].rests("route-target")) for vni in sorted(vlans & members & set(said))}


def _routed(root: Line, tunnel: Line) -> dict[int, Targets]:
    members = {vni for rest in tunnel.rests("member", "vni") if "associate-vrf" in rest for vni in numbers(rest[0])}
    found: dict[int, Targets] = {}
    for line in root.all("vrf", "context"):
        vni = int(line.value("vni", default="0"))
        families = [_targets(_of_evpn(part)) for part in line.all("address-family")]
        if vni in members and families:
            imports = frozenset[str].intersection(*(each.imports for each in families))
            found[vni] = Targets(imports, frozenset[str].intersection(*(each.exports for each in families)))
    return found


def _of_evpn(part: Line) -> Iterator[tuple[str, ...]]:
    return (rest for rest in part.rests("route-target") if rest[-1] == "evpn")


def _targets(rests: Iterable[tuple[str, ...]]) -> Targets:
    rows = [(rest[0], rest[1]) for rest in rests]
    return Targets(
        frozenset(target for way, target in rows if way in ("import", "both")),
        frozenset(target for way, target in rows if way in ("export", "both")),
    )
