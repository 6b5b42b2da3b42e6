"""FRR on Linux: frr.conf, and the file of ifupdown2 that makes the interfaces.

Sources: docs.frrouting.org (BGP, EVPN, Zebra: `vrf NAME` with `vni`); interfaces(5) of ifupdown2 and its addons
(address, mtu, vxlan); a recorded pair of Cumulus Linux with FRR (github.com/batfish/lab-validation dbe21f0), which a
test reads too.
MTU: that of a Linux link counts no Ethernet header (ip-link(8)), so it is the largest IP packet; 1500 unless it is
said.
Timers: 60 and 180, with `frr defaults datacenter` 3 and 9 (docs.frrouting.org, basic setup: profiles).
Communities of all kinds are sent unless `no … send-community` stands (BGP, send-community). The next hop of EVPN routes
is kept by itself (bgpd/bgpd.c, flags of a new peer for L2VPN EVPN), unless `next-hop-self force` stands.
Unnumbered: `neighbor PORT interface …`; bgpd makes zebra send advertisements there (BGP, peers over interfaces).
Gateways: addresses of a VLAN's interface and its `hwaddress` (interfaces(5)); a VXLAN interface has its VLAN in
`bridge-access`.
A VRF that has `import vrf X` takes what X imports (docs.frrouting.org, VRF route leaking).
"""

from collections.abc import Iterator, Mapping

from tests.pairs.lines import Line, tree
from tests.pairs.neighbors import Flat, family, flat, sessions
from tests.pairs.view import EVPN, Gateway, Port, Session, Targets, View, address, first, gateway


def read(files: Mapping[str, str]) -> View:
    """Read frr.conf and the file interfaces."""
    links = {line.words[1]: line for line in _stanzas(files["interfaces"])}
    loopbacks = frozenset(address(rest[0]) for rest in links["lo"].rests("address"))
    root = tree(files["frr.conf"])
    found = speaker(root)
    return View(
        asn=found.asn,
        ports={name: _port(line, root) for name, line in links.items() if _is_port(line)},
        loopbacks=loopbacks,
        sessions=found.sessions,
        vtep=links["lo"].value("vxlan-local-tunnelip"),
        bridged=found.bridged,
        routed=found.routed,
        gateways=_gateways(links),
    )


def _gateways(links: Mapping[str, Line]) -> dict[int, Gateway]:
    tunnels = [line for line in links.values() if line.value("vxlan-id")]
    vnis = {line.value("bridge-access"): int(line.value("vxlan-id")) for line in tunnels}
    found: dict[int, Gateway] = {}
    for line in links.values():
        vlan, own = line.value("vlan-id"), [rest[0] for rest in line.rests("address")]
        if vlan in vnis and own:
            found[vnis[vlan]] = gateway(line.value("hwaddress"), own)
    return found


def _stanzas(text: str) -> Iterator[Line]:
    return tree(text, "#").all("iface")


def _is_port(line: Line) -> bool:
    """Whether it is a port of the panel: neither made of others nor the way to the management."""
    made = ("vlan-raw-device", "vxlan-id", "vrf-table", "bridge-ports")
    name = line.words[1]
    return name.startswith("swp") and not any(line.value(word) for word in made)


def _port(line: Line, root: Line) -> Port:
    own = next(root.all("interface", line.words[1]), Line(()))
    addresses = [rest[0] for rest in line.rests("address")]
    return Port(
        ipv4=first(addresses, 4),
        ipv6=first(addresses, 6),
        mtu=int(line.value("mtu", default="1500")),
        enabled=line.value("link-down") != "yes",
        advertises=not own.has("ipv6", "nd", "suppress-ra"),
    )


def speaker(root: Line) -> View:
    """Sessions and route targets of a frr.conf; no ports."""
    blocks = list(root.all("router", "bgp"))
    own = next((line for line in blocks if len(line.words) == 3), Line(()))
    return View(
        asn=int(own.words[2]) if own.words else 0,
        ports={},
        loopbacks=frozenset(),
        sessions=_sessions(root, own),
        bridged=_bridged(own),
        routed=_routed(root, {line.words[4]: line for line in blocks if line.words[3:4] == ("vrf",)}),
    )


def _sessions(root: Line, own: Line) -> dict[str, Session]:
    centre = root.has("frr", "defaults", "datacenter")
    found: Flat = flat(own, (3, 9) if centre else (60, 180), extended=True, kept=True)
    return sessions(found, {})


def _evpn(bgp: Line) -> Line:
    return next((line for line in bgp.all("address-family") if family(line.words[1:]) == EVPN), Line(()))


def _bridged(own: Line) -> dict[int, Targets]:
    evpn = _evpn(own)
    if not evpn.has("advertise-all-vni"):
        return {}
    return {int(line.words[1]): _targets(line) for line in evpn.all("vni")}


def _targets(line: Line) -> Targets:
    found: dict[str, set[str]] = {"import": set(), "export": set()}
    for rest in line.rests("route-target"):
        for way in found if rest[0] == "both" else {rest[0]}:
            found[way] |= set(rest[1:])
    return Targets(frozenset(found["import"]), frozenset(found["export"]))


def _routed(root: Line, speakers: Mapping[str, Line]) -> dict[int, Targets]:
    vnis = {line.words[1]: int(line.value("vni")) for line in root.all("vrf") if line.value("vni")}
    own = {name: _targets(_evpn(speakers[name])) for name in vnis if name in speakers}
    found: dict[int, Targets] = {}
    for name, targets in own.items():
        more = {other for part in speakers[name].all("address-family") for other in _leaks(part)}
        taken = frozenset[str]().union(*(own[other].imports for other in more if other in own))
        found[vnis[name]] = Targets(targets.imports | taken, targets.exports)
    return found


def _leaks(part: Line) -> Iterator[str]:
    return (rest[0] for rest in part.rests("import", "vrf") if rest[0] != "route-map")
