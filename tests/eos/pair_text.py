"""Arista EOS: the running configuration.

Sources: Arista EOS user manual (Ethernet ports; BGP; VXLAN; QoS and priority flow control); recorded configurations
of EOS 4.23 and 4.36 (github.com/batfish/lab-validation dbe21f0), which a test reads too.
MTU: `mtu` of a routed port is the size of the largest IP packet, 1500 where it is not said
(arista.com/um-eos, layer 3 MTU: the header comes on top).
DSCP: routed ports trust DSCP; `qos map dscp … to traffic-class` changes a map whose default is eight values a class,
the first two eights the other way round (manual, QoS: default DSCP to traffic class map).
PFC: a traffic class and its priority have one number (docs.habana.ai, Expected Switch Configuration, 7060PX5-64E).
Timers: 60 and 180 where nothing is said (manual, timers bgp). Communities are sent where it is said, and all kinds
where none is named (manual, neighbor send-community). A next hop is kept where `next-hop-unchanged` stands (manual).
Unnumbered: `neighbor interface … peer-group … remote-as`, `ipv6 enable` on the port, which then sends advertisements,
`neighbor … next-hop address-family ipv6 originate` (manual, RFC 5549).
Segments: `evpn ethernet-segment` of a port-channel, which is told its ES-Import target (manual, EVPN multihoming).
Gateways: `ip address virtual` of a VLAN, with the one MAC address of `ip virtual-router mac-address` (manual, VARP).
"""

from collections.abc import Iterable, Iterator, Mapping

from tests.pairs.lines import Line, tree
from tests.pairs.neighbors import Flat, flat, sessions
from tests.pairs.view import (
    DSCPS,
    Gateway,
    Port,
    Segment,
    Targets,
    View,
    address,
    first,
    gateway,
    numbers,
    segment,
)

Pauses = tuple[tuple[int, int], ...]


def read(files: Mapping[str, str]) -> View:
    """Read the one file of a switch."""
    root = tree(next(iter(files.values())))
    named = {line.words[1]: line for line in root.all("interface") if len(line.words) == 2 and not line.value("vrf")}
    loopbacks = {name: tuple(_addresses(line)) for name, line in named.items() if name.startswith("Loopback")}
    ipv4 = {name: address(first(found, 4)) for name, found in loopbacks.items() if first(found, 4)}
    bgp = next(root.all("router", "bgp"), Line(()))
    vxlan = named.get("Vxlan1", Line(()))
    return View(
        asn=int(bgp.words[2]) if bgp.words else 0,
        ports=_ports(root, named),
        loopbacks=frozenset(address(one) for found in loopbacks.values() for one in found),
        sessions=sessions(_speaker(bgp), ipv4),
        vtep=ipv4.get(vxlan.value("vxlan", "source-interface"), ""),
        bridged=_bridged(bgp, vxlan),
        routed=_routed(bgp, vxlan),
        gateways=_gateways(root, _vnis(vxlan)),
        segments=frozenset(_segments(named)),
    )


def _speaker(bgp: Line) -> Flat:
    return flat(bgp, (60, 180), extended=False, kept=False)


def _addresses(line: Line) -> Iterable[str]:
    """Addresses of an interface; those of a virtual router have a word between."""
    yield from (rest[0] for rest in line.rests("ip", "address") if "/" in rest[0])
    yield from (rest[0] for rest in line.rests("ipv6", "address") if "/" in rest[0])


def _ports(root: Line, named: Mapping[str, Line]) -> dict[str, Port]:
    defaults = [ethernet for line in root.all("interface", "defaults") for ethernet in line.all("ethernet")]
    dark = any(line.has("shutdown") for line in defaults)
    classes = _classes(root)
    profiles = {line.words[2]: line for line in root.all("qos", "profile")}
    found: dict[str, Port] = {}
    for name, line in named.items():
        if not name.startswith(("Ethernet", "Port-Channel")) or not line.has("no", "switchport"):
            continue
        addresses = tuple(_addresses(line))
        pauses = _pauses((line, profiles.get(line.value("service-profile"), Line(()))), classes)
        found[name] = Port(
            ipv4=first(addresses, 4),
            ipv6=first(addresses, 6),
            mtu=int(line.value("mtu", default="1500")),
            enabled=not line.has("shutdown") and (not dark or line.has("no", "shutdown")),
            classes=classes,
            sends=pauses,
            obeys=pauses,
            advertises=line.has("ipv6", "enable") and not line.has("ipv6", "nd", "ra", "disabled"),
        )
    return found


def _classes(root: Line) -> tuple[int, ...]:
    found = [{0: 1, 1: 0}.get(dscp // 8, dscp // 8) for dscp in DSCPS]
    for rest in root.rests("qos", "map", "dscp"):
        at = rest.index("to")
        for dscp in (one for text in rest[:at] for one in numbers(text)):
            found[dscp] = int(rest[at + 2])
    return tuple(found)


def _pauses(lines: Iterable[Line], classes: tuple[int, ...]) -> Pauses:
    paused = {
        number
        for line in lines
        if line.has("priority-flow-control", "on")
        for rest in line.rests("priority-flow-control", "priority")
        if rest[1] == "no-drop"
        for number in numbers(rest[0])
    }
    return tuple((dscp, classes[dscp]) for dscp in DSCPS if classes[dscp] in paused)


def _vnis(vxlan: Line) -> dict[int, int]:
    """VLAN → VNI."""
    found: dict[int, int] = {}
    for rest in vxlan.rests("vxlan", "vlan"):
        words = rest[1:] if rest[0] == "add" else rest
        found.update(zip(numbers(words[0]), numbers(words[2]), strict=True))
    return found


def _gateways(root: Line, vnis: Mapping[int, int]) -> dict[int, Gateway]:
    mac = root.value("ip", "virtual-router", "mac-address")
    found: dict[int, Gateway] = {}
    for vlan, vni in vnis.items():
        line = next(root.all("interface", f"Vlan{vlan}"), Line(()))
        virtual = [rest[0] for word in ("ip", "ipv6") for rest in line.rests(word, "address", "virtual")]
        found.update({vni: gateway(mac, virtual)} if virtual else {})
    return found


def _segments(named: Mapping[str, Line]) -> Iterator[Segment]:
    for line in named.values():
        for part in line.all("evpn", "ethernet-segment"):
            system = line.value("lacp", "system-id")
            yield segment(part.value("identifier"), system, part.value("route-target", "import"))


def _bridged(bgp: Line, vxlan: Line) -> dict[int, Targets]:
    """A VLAN has route targets of its own, or shares those of a bundle."""
    vnis = _vnis(vxlan)
    found: dict[int, Targets] = {}
    for line in (*bgp.all("vlan"), *bgp.all("vlan-aware-bundle")):
        members = line.value("vlan") if line.words[0] == "vlan-aware-bundle" else line.words[1]
        found.update({vnis[vlan]: _targets(line) for vlan in numbers(members) if vlan in vnis})
    return found


def _routed(bgp: Line, vxlan: Line) -> dict[int, Targets]:
    vnis = {rest[0]: int(rest[2]) for rest in vxlan.rests("vxlan", "vrf")}
    return {vnis[line.words[1]]: _targets(line) for line in bgp.all("vrf") if line.words[1] in vnis}


def _targets(line: Line) -> Targets:
    found: dict[str, set[str]] = {"import": set(), "export": set()}
    for rest in line.rests("route-target"):
        target = next((word for word in rest[1:] if ":" in word), "")
        for way in found if rest[0] == "both" else {rest[0]} & set(found):
            found[way] |= {target} - {""}
    return Targets(frozenset(found["import"]), frozenset(found["export"]))
