"""Nokia SR Linux: config.json.

Sources: Nokia SR Linux 25.3 documentation (documentation.nokia.com/srlinux): interfaces guide (MTU, subinterfaces),
routing protocols guide (BGP, BFD), VXLAN and EVPN guides (bgp-vpn, import policies), quality of service guide (DSCP
classifiers, PFC); descriptions in the models of 25.3.1 (github.com/nokia/srlinux-yang-models).
MTU: that of a port counts the Ethernet header and no check sequence, ip-mtu of a subinterface the largest IP packet;
the smaller one holds (srl_nokia-interfaces, mtu and ip-mtu); 9232 and 1500 where nothing is said (interfaces guide).
BGP: a neighbor has what its group has, a family is on where the group or the neighbor turns it on, or the speaker
does; 90 seconds of hold time, keepalives each third of it, one hop where nothing is said (srl_nokia-bgp, hold-time,
keepalive-interval and maximum-hops).
BFD needs the subinterface under `bfd` as well (routing protocols guide, BFD).
A next hop of EVPN routes is kept by a router that hands them on as `inter-as-vpn` (routing protocols guide, BGP).
Unnumbered: dynamic neighbors of an interface, which sends router advertisements (routing protocols guide, BGP
unnumbered); each has an AS that it may be of.
Segments: octets 2 to 7 of an ESI make the ES-Import target (learn.srlinux.dev, EVPN multihoming).
Gateways: subinterfaces of irb with `anycast-gw`, and the MAC address that they say (EVPN guide).
Import targets are those that an import policy names, where a VPN has one (srl_nokia-bgp-vpn, from-import-policy).
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from tests.pairs.view import (
    DSCPS,
    EVPN,
    IPV4,
    IPV6,
    Gateway,
    Port,
    Segment,
    Session,
    Targets,
    View,
    address,
    first,
    gateway,
    parsed,
    segment,
)

HEADER, PORT_MTU, IP_MTU = 14, 9232, 1500
FAMILIES = {"ipv4-unicast": IPV4, "ipv6-unicast": IPV6, "evpn": EVPN}
Tree = Mapping[str, Any]
Pauses = tuple[tuple[int, int], ...]


def read(files: Mapping[str, str]) -> View:
    """Read the one file of a switch."""
    root: Tree = _bare(json.loads(next(iter(files.values()))))
    instances = {row["name"]: row for row in root.get("network-instance", ())}
    own = instances["default"]
    bgp = _at(own, "protocols", "bgp")
    subs = {f"{port['name']}.{sub['index']}": sub for port in root["interface"] for sub in port.get("subinterface", ())}
    inside = {row["name"] for row in own["interface"]}
    return View(
        asn=int(bgp["autonomous-system"]),
        ports=dict(_ports(root, inside)),
        loopbacks=frozenset(
            address(one) for name in inside if name.startswith(("lo", "system")) for one in _addresses(subs[name])
        ),
        sessions={session.peer: session for session in _sessions(root, bgp, {name: subs[name] for name in inside})},
        vtep=_vtep(root, subs),
        bridged=_vpns(root, instances, "mac-vrf"),
        routed=_vpns(root, instances, "ip-vrf"),
        gateways=dict(_gateways(root, instances, subs)),
        segments=frozenset(_segments(root)),
    )


def _segments(root: Tree) -> Iterator[Segment]:
    lags = {row["name"]: _at(row, "lag", "lacp") for row in root["interface"]}
    evpn = _at(root, "system", "network-instance", "protocols", "evpn", "ethernet-segments")
    for instance in evpn.get("bgp-instance", ()):
        for row in instance["ethernet-segment"]:
            (port,) = row["interface"]
            yield segment(row["esi"], lags[port["ethernet-interface"]]["system-id-mac"])


def _gateways(root: Tree, instances: Mapping[str, Tree], subs: Mapping[str, Tree]) -> Iterator[tuple[int, Gateway]]:
    vnis = _vnis(root)
    for row in instances.values():
        names = [one["name"] for one in row.get("interface", ()) if one["name"].startswith("irb")]
        tunnels = [vnis[one["name"]] for one in row.get("vxlan-interface", ())] if row.get("type") == "mac-vrf" else []
        for vni, name in zip(tunnels, names, strict=False):
            families = [one for family in ("ipv4", "ipv6") for one in _at(subs[name], family).get("address", ())]
            shared = [one["ip-prefix"] for one in families if one.get("anycast-gw")]
            yield vni, gateway(str(_at(subs[name], "anycast-gw").get("anycast-gw-mac", "")), shared)


def _vnis(root: Tree) -> dict[str, int]:
    """VXLAN interface → VNI."""
    return {
        f"{tunnel['name']}.{row['index']}": int(_at(row, "ingress")["vni"])
        for tunnel in root.get("tunnel-interface", ())
        for row in tunnel["vxlan-interface"]
    }


def _bare(value: Any) -> Any:  # noqa: ANN401  # JSON
    """The same without the names of modules (RFC 7951), which stand before keys and identities."""
    if isinstance(value, dict):
        return {key.rpartition(":")[2]: _bare(one) for key, one in value.items()}
    if isinstance(value, list):
        return [_bare(one) for one in value]
    return value.partition(":")[2] if isinstance(value, str) and value.startswith("srl_nokia-") else value


def _at(tree: Tree, *path: str) -> Tree:
    for key in path:
        tree = tree.get(key) or {}
    return tree


def _on(tree: Tree) -> bool:
    return tree.get("admin-state") == "enable"


def _addresses(sub: Tree) -> list[str]:
    return [row["ip-prefix"] for family in ("ipv4", "ipv6") for row in _at(sub, family).get("address", ())]


def _ports(root: Tree, inside: set[str]) -> Iterator[tuple[str, Port]]:
    """Subinterfaces of the default instance on ports of the panel."""
    for port in root["interface"]:
        for sub in port.get("subinterface", ()):
            name = f"{port['name']}.{sub['index']}"
            if not name.startswith("ethernet-") or name not in inside:
                continue
            addresses = _addresses(sub)
            classes, sends, obeys = _marks(_at(root, "qos"), port["name"], name)
            yield (
                port["name"],
                Port(
                    ipv4=first(addresses, 4),
                    ipv6=first(addresses, 6),
                    mtu=min(int(port.get("mtu", PORT_MTU)) - HEADER, int(sub.get("ip-mtu", IP_MTU))),
                    enabled=_on(port) and _on(sub),
                    classes=classes,
                    sends=sends,
                    obeys=obeys,
                    advertises=_on(_at(sub, "ipv6", "router-advertisement", "router-role")),
                ),
            )


def _marks(qos: Tree, port: str, sub: str) -> tuple[tuple[int, ...], Pauses, Pauses]:
    """By the classifier of the subinterface and the PFC profile of the port; queues are named, classes numbered."""
    rows = {row["interface-id"]: row for row in _at(qos, "interfaces").get("interface", ())}
    policy = _at(rows.get(sub, {}), "input", "classifiers").get("dscp-policy")
    policies = {row["name"]: row for row in _at(qos, "classifiers").get("dscp-policy", ())}
    if policy not in policies:
        return (), (), ()
    kinds = {row["name"]: row for row in _at(qos, "forwarding-classes")["forwarding-class"]}
    said = {int(row["value"]): row["forwarding-class"] for row in policies[policy]["dscp"]}
    of = [said.get(dscp, "fc0") for dscp in DSCPS]
    number = {name: int(row.get("forwarding-class-index", name[2:])) for name, row in kinds.items()}
    classes = tuple(number[name] for name in of)
    pfc = _at(rows.get(port, {}), "pfc")
    profiles = {row["name"]: row for row in qos.get("pfc-mapping-profile", ())}
    profile = profiles.get(pfc.get("pfc-mapping-profile"), {}) if pfc.get("pfc-enable") else {}
    full = {
        name: int(row["pfc-pause-frame-priority"])
        for row in _at(profile, "received-traffic", "unicast-mapping").get("pfc-queue", ())
        for name in row["forwarding-class"]
    }
    stopped = {
        row["queue-name"]: int(row["pfc-pause-frame-priority"])
        for row in _at(profile, "received-pfc-pause-frames").get("queue", ())
        if row.get("enable-pfc")
    }
    queues = [_at(kinds[name], "output").get("unicast-queue") for name in of]
    sends = tuple((dscp, full[name]) for dscp, name in enumerate(of) if name in full)
    return classes, sends, tuple((dscp, stopped[name]) for dscp, name in enumerate(queues) if name in stopped)


def _sessions(root: Tree, bgp: Tree, subs: Mapping[str, Tree]) -> Iterator[Session]:
    groups = {row["group-name"]: row for row in bgp.get("group", ())}
    watched = {row["id"] for row in _at(root, "bfd").get("subinterface", ()) if _on(row)}
    for row in bgp.get("neighbor", ()):
        found = _session((row, groups[row["peer-group"]], bgp), address(row["peer-address"]))
        yield found._replace(bfd=found.bfd and _leaves_by(subs, found.peer, found.source) in watched)
    for row in _at(bgp, "dynamic-neighbors").get("interface", ()):
        name = row["interface-name"]
        found = _session(({}, groups[row["peer-group"]], bgp), name.removesuffix(".0"))
        (asn,) = row["allowed-peer-as"]
        yield found._replace(bfd=found.bfd and name in watched, remote_as=int(asn))


def _session(levels: tuple[Tree, Tree, Tree], peer: str) -> Session:
    """By what is said of a neighbor, its group and the speaker; whether BFD has the subinterface is not asked."""
    row, group, bgp = levels
    timers = {**_at(group, "timers"), **_at(row, "timers")}
    hold = int(timers.get("hold-time", 90))
    multihop = {**_at(group, "multihop"), **_at(row, "multihop")}
    detection = {**_at(group, "failure-detection"), **_at(row, "failure-detection")}
    return Session(
        peer=peer,
        remote_as=int(next((one["peer-as"] for one in (row, group) if "peer-as" in one), 0)),
        families=frozenset(FAMILIES[name] for name in FAMILIES if _is_active(name, levels)),
        keepalive=int(timers.get("keepalive-interval", hold // 3)),
        hold=hold,
        bfd=bool(detection.get("enable-bfd")),
        multihop=int(multihop.get("maximum-hops", 1)) if _on(multihop) else 1,
        source=str({**_at(group, "transport"), **_at(row, "transport")}.get("local-address", "")),
        extended=_is_extended(levels),
        kept=any(_at(one, "evpn").get("inter-as-vpn") for one in bgp.get("afi-safi", ())),
        ipv6_hops=_has_ipv6_hops(levels),
    )


def _has_ipv6_hops(levels: tuple[Tree, ...]) -> bool:
    """Both ways: what is sent and what is taken (srl_nokia-bgp, of ipv4-unicast)."""
    told = [one for level in levels for one in level.get("afi-safi", ()) if one["afi-safi-name"] == "ipv4-unicast"]
    words = ("advertise-ipv6-next-hops", "receive-ipv6-next-hops")
    rows = [_at(one, "ipv4-unicast") for one in told]
    return all(next((row[word] for row in rows if word in row), False) for word in words)


def _is_extended(levels: tuple[Tree, ...]) -> bool:
    """All kinds of communities are sent where none is named (srl_nokia-bgp, send-community-type)."""
    for level in levels:
        for row in level.get("afi-safi", ()):
            if row["afi-safi-name"] == "evpn" and "send-community-type" in row:
                return "extended" in row["send-community-type"] and "none" not in row["send-community-type"]
    return True


def _is_active(name: str, levels: tuple[Tree, ...]) -> bool:
    for level in levels:
        for row in level.get("afi-safi", ()):
            if row["afi-safi-name"] == name and "admin-state" in row:
                return _on(row)
    return False


def _leaves_by(subs: Mapping[str, Tree], peer: str, source: str) -> str:
    """The subinterface that a session has its own address on."""
    for name, sub in subs.items():
        for one in _addresses(sub):
            if address(one) == source or (not source and parsed(peer).ip in parsed(one).network):
                return name
    return ""


def _vtep(root: Tree, subs: Mapping[str, Tree]) -> str:
    """Tunnels start at the IPv4 address of system0.0 (VXLAN guide, source-ip)."""
    rows = [row for tunnel in root.get("tunnel-interface", ()) for row in tunnel["vxlan-interface"]]
    used = {_at(row, "egress").get("source-ip") for row in rows}
    found = first(_addresses(subs.get("system0.0", {})), 4)
    return address(found) if used == {"use-system-ipv4-address"} and found else ""


def _vpns(root: Tree, instances: Mapping[str, Tree], kind: str) -> dict[int, Targets]:
    vnis = _vnis(root)
    found: dict[int, Targets] = {}
    for row in instances.values():
        if row.get("type") != kind or not row.get("vxlan-interface"):
            continue
        (evpn,) = _at(row, "protocols", "bgp-evpn")["bgp-instance"]
        (vpn,) = _at(row, "protocols", "bgp-vpn")["bgp-instance"]
        told = _at(vpn, "route-target")
        imports = {told.get("import-rt", "")}
        if policies := vpn.get("import-policy"):
            imports = {one for name in policies for one in _taken(_at(root, "routing-policy"), name)}
        exports = frozenset({_target(told.get("export-rt", ""))})
        found[vnis[evpn["vxlan-interface"]]] = Targets(frozenset(map(_target, imports)), exports)
    return found


def _target(text: str) -> str:
    return text.removeprefix("target:")


def _taken(routing: Tree, name: str) -> Iterator[str]:
    sets = {row["name"]: row["member"] for row in routing.get("community-set", ())}
    for policy in routing.get("policy", ()):
        for row in policy.get("statement", ()) if policy["name"] == name else ():
            if _at(row, "action").get("policy-result") == "accept":
                yield from sets.get(_at(row, "match", "bgp").get("community-set"), ())
