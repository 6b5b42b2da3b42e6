"""NVIDIA Cumulus Linux with NVUE: startup.yaml, a list whose `set` is the whole configuration.

Source: NVIDIA Cumulus Linux 5.11 user guide and its NVUE reference (docs.nvidia.com/networking-ethernet-software):
switch port attributes, BGP (optional configuration: peer groups, timers, multihop), EVPN (basic configuration, inter
subnet routing), quality of service (PFC, marking, RoCE).
MTU: that of a Linux link, without the Ethernet header (user guide, MTU); 9216 where it is not said.
DSCP: `qos mapping … dscp … switch-priority`, eight values a priority where it is not said; a profile of PFC names
switch priorities, which are the priorities of what is sent and obeyed; `egress-queue-mapping` puts a switch priority
into a traffic class, its own number where it is not said (user guide, quality of service).
Timers: 3 and 9 where nothing is said (user guide, BGP timers).
Communities are sent unless `community-advertise` turns a kind off (NVUE reference, BGP neighbor address family).
The next hop of EVPN routes is kept, as FRR does it, unless `nexthop-setting` is self-force (NVUE reference, BGP).
Unnumbered: a neighbor of type unnumbered is a port; FRR sends advertisements there (user guide, BGP unnumbered).
Segments: of bonds, the MAC address is LACP's system id (user guide, EVPN multihoming); the target is FRR's.
Gateways: an SVI's addresses, and its MAC address where it is said (user guide, EVPN inter subnet routing).
A VRF that takes routes `from-vrf` takes what the other VRF imports.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import yaml

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
    segment,
)

FAMILIES = {"ipv4-unicast": IPV4, "ipv6-unicast": IPV6, "l2vpn-evpn": EVPN}
EVPN_FAMILY = ("address-family", "l2vpn-evpn")
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
Tree = Mapping[str, Any]


def read(files: Mapping[str, str]) -> View:
    """Read the one file of a switch."""
    parts = yaml.load(next(iter(files.values())), Loader=LOADER)  # noqa: S506  # a safe loader either way
    root: Tree = next(part["set"] for part in parts if "set" in part)
    bgp = at(root, "vrf", "default", "router", "bgp")
    asn = int(bgp.get("autonomous-system") or at(root, "router", "bgp").get("autonomous-system", 0))
    interfaces = at(root, "interface")
    return View(
        asn=asn,
        ports={name: _port(root, row) for name, row in interfaces.items() if row.get("type") == "swp"},
        loopbacks=frozenset(address(one) for one in at(interfaces, "lo", "ip", "address")),
        sessions={one.peer: one for one in (_session(bgp, *row) for row in at(bgp, "neighbor").items())},
        vtep=str(at(root, "nve", "vxlan", "source").get("address", "")),
        bridged=_bridged(root),
        routed=_routed(root),
        gateways=dict(_gateways(root)),
        segments=frozenset(_segments(interfaces)),
    )


def _segments(interfaces: Tree) -> Iterator[Segment]:
    for row in interfaces.values():
        if _is_on((told := at(row, "evpn", "multihoming", "segment")).get("enable")):
            yield segment(str(told["identifier"]), str(told["mac-address"]))


def _gateways(root: Tree) -> Iterator[tuple[int, Gateway]]:
    domains = at(root, "bridge", "domain").values()
    vnis = {str(vlan): int(vni) for one in domains for vlan, row in at(one, "vlan").items() for vni in at(row, "vni")}
    for row in at(root, "interface").values():
        vni = vnis.get(str(row.get("vlan", ""))) if row.get("type") == "svi" else None
        if vni is not None and (own := at(row, "ip", "address")):
            yield vni, gateway(str(at(row, "link").get("mac-address", "")), own)


def at(tree: Tree, *path: str) -> Tree:
    """What stands below a path; empty where nothing does."""
    for key in path:
        tree = tree.get(key) or {}
    return tree


def _is_on(value: object) -> bool:
    return value in (True, "on", "enable")


def _port(root: Tree, row: Tree) -> Port:
    addresses = list(at(row, "ip", "address"))
    qos = at(root, "qos")
    told = at(qos, "mapping", str(at(row, "qos", "mapping").get("profile", "default-global")))
    priorities = _priorities(told) if told.get("trust") in ("l3", "both") else ()
    queued = at(qos, "egress-queue-mapping", "default-global", "switch-priority")
    profile = at(qos, "pfc", str(at(row, "qos", "pfc").get("profile", "default-global")))
    paused = {int(priority) for priority in at(profile, "switch-priority")}
    pauses = tuple((dscp, one) for dscp, one in enumerate(priorities) if one in paused)
    return Port(
        ipv4=first(addresses, 4),
        ipv6=first(addresses, 6),
        mtu=int(at(row, "link").get("mtu", 9216)),
        enabled=at(row, "link").get("state") in (None, {"up": {}}, "up"),
        classes=tuple(int(at(queued, str(one)).get("traffic-class", one)) for one in priorities),
        sends=pauses if _is_on(profile.get("tx")) else (),
        obeys=pauses if _is_on(profile.get("rx")) else (),
        advertises=_is_on(at(row, "ip", "neighbor-discovery", "router-advertisement").get("enable", "on")),
    )


def _priorities(told: Tree) -> tuple[int, ...]:
    said = {int(dscp): int(row["switch-priority"]) for dscp, row in at(told, "dscp").items()}
    return tuple(said.get(dscp, dscp // 8) for dscp in DSCPS)


def _session(bgp: Tree, peer: str, row: Tree) -> Session:
    group = at(bgp, "peer-group", str(row.get("peer-group", "")))
    timers = {**at(bgp, "timers"), **at(group, "timers"), **at(row, "timers")}
    both = (row, group)
    return Session(
        peer=peer if row.get("type") == "unnumbered" else address(peer),
        remote_as=int(next((one["remote-as"] for one in both if "remote-as" in one), 0)),
        families=frozenset(FAMILIES[name] for name in FAMILIES if _is_active(bgp, name, both)),
        keepalive=int(timers.get("keepalive", 3)),
        hold=int(timers.get("hold", 9)),
        bfd=_is_on(next((one["bfd"]["enable"] for one in both if "enable" in at(one, "bfd")), None)),
        multihop=int(next((one["multihop-ttl"] for one in both if "multihop-ttl" in one), 1)),
        source=str(next((one["update-source"] for one in both if "update-source" in one), "")),
        extended=all(_is_on(part.get("extended", "on")) for part in (_told(one) for one in both)),
        ipv6_hops=any(_is_on(at(one, "capabilities").get("extended-nexthop")) for one in both),
        kept=not any(at(one, *EVPN_FAMILY).get("nexthop-setting") == "self-force" for one in both),
    )


def _told(level: Tree) -> Tree:
    return at(level, *EVPN_FAMILY, "community-advertise")


def _is_active(bgp: Tree, name: str, both: tuple[Tree, Tree]) -> bool:
    """A family must be on in the VRF; IPv4 is on for a neighbor unless it says otherwise."""
    said = [part["enable"] for one in both if "enable" in (part := at(one, "address-family", name))]
    on = _is_on(said[0]) if said else name == "ipv4-unicast"
    return on and _is_on(at(bgp, "address-family", name).get("enable"))


def _bridged(root: Tree) -> dict[int, Targets]:
    """VNIs of VLANs of a bridge, with the targets that `evpn vni` says."""
    vlans = [vlan for domain in at(root, "bridge", "domain").values() for vlan in at(domain, "vlan").values()]
    vnis = {vni for vlan in vlans for vni in at(vlan, "vni")}
    on = _is_on(at(root, "evpn").get("enable"))
    said = {vni: at(row, "route-target") for vni, row in at(root, "evpn", "vni").items() if on and vni in vnis}
    return {int(vni): Targets(frozenset(at(row, "import")), frozenset(at(row, "export"))) for vni, row in said.items()}


def _routed(root: Tree) -> dict[int, Targets]:
    vrfs = {name: row for name, row in at(root, "vrf").items() if at(row, "evpn", "vni")}
    own = {name: _targets(at(row, "router", "bgp")) for name, row in vrfs.items()}
    found: dict[int, Targets] = {}
    for name, row in vrfs.items():
        families = at(row, "router", "bgp", "address-family").values()
        more = {other for family in families for other in at(family, "route-import", "from-vrf", "list")}
        taken = frozenset[str]().union(*(own[other].imports for other in more if other in own))
        (vni,) = at(row, "evpn", "vni")
        found[int(vni)] = Targets(own[name].imports | taken, own[name].exports)
    return found


def _targets(bgp: Tree) -> Targets:
    return Targets(
        frozenset(at(bgp, "route-import", "from-evpn", "route-target")),
        frozenset(at(bgp, "route-export", "to-evpn", "route-target")),
    )
