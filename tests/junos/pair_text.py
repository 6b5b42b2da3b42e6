"""Juniper Junos on QFX: the configuration in braces.

Sources: Junos OS documentation (juniper.net/documentation): CLI guide (form of a configuration), interfaces (mtu:
media and protocol MTU), BGP (group, hold-time, multihop), EVPN (mac-vrf, ip-prefix-routes, vrf-target), class of
service (classifiers, forwarding-classes, congestion-notification-profile); the models of 24.4R1
(github.com/Juniper/yang).
MTU: that of a port counts the Ethernet header of 14 octets and no check sequence, that of a family is the largest
packet of it; the smaller one holds. Without any, 1500 (interfaces, Configuring the Media MTU).
Timers: `hold-time` alone is said, keepalives go out three times in it; 90 where nothing is said (BGP, hold-time).
A next hop is kept where `no-nexthop-change` stands below multihop (BGP, multihop).
Unnumbered: a dynamic-neighbor of a group is found by IPv6 neighbor discovery on its interface (BGP auto-discovered
neighbors), where protocols router-advertisement names it; `extended-nexthop` of family inet.
Segments: `esi` of an aggregate, and the system id of its LACP (EVPN multihoming).
Gateways: addresses of a unit of irb, with the MAC address that it says (EVPN, default gateway); a VLAN names the unit.
BGP: a group has families, IPv4 alone where it names none; a neighbor has what its group has unless it says otherwise.
PFC: input names code points, and the priority is that of their forwarding class; output names the queue that a
priority stops (class of service: PFC using DSCP at layer 3, congestion-notification-profile).
"""

import re
from collections.abc import Iterator, Mapping

from tests.pairs.lines import Line
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

HEADER = 14
FAMILIES = {"inet": IPV4, "inet6": IPV6, "evpn": EVPN}
NONE = Line(())
PARTS = re.compile(r'"(?:[^"\\]|\\.)*"|[{};]|[^\s{};]+')
COMMENT = re.compile(r"^\s*(?:#.*|/\*.*?\*/)", re.MULTILINE)
Pauses = tuple[tuple[int, int], ...]


def read(files: Mapping[str, str]) -> View:
    """Read the one file of a switch."""
    root = parse(next(iter(files.values())))
    bgp, options = _at(root, "protocols", "bgp"), _at(root, "routing-options")
    loopback = _at(root, "interfaces", "lo0", "unit 0")
    return View(
        asn=int(options.value("autonomous-system", default="0")),
        ports={name: _port(root, name, line) for name, line in _ports(root)},
        loopbacks=frozenset(address(one) for one in _addresses(loopback)),
        sessions={session.peer: session for session in _sessions(bgp)},
        vtep=_vtep(root, loopback),
        bridged=_bridged(root),
        routed=_routed(root),
        gateways=dict(_gateways(root)),
        segments=frozenset(_segments(root)),
    )


def _segments(root: Line) -> Iterator[Segment]:
    for line in _at(root, "interfaces").below:
        told = next((one.words[0] for one in _at(line, "esi").below if ":" in one.words[0]), "")
        if told:
            yield segment(told, _at(line, "aggregated-ether-options", "lacp").value("system-id"))


def _gateways(root: Line) -> Iterator[tuple[int, Gateway]]:
    for line in _instances(root, "mac-vrf"):
        for vlan in _at(line, "vlans").below:
            name, _, number = vlan.value("l3-interface").partition(".")
            unit = _at(root, "interfaces", name, f"unit {number}") if number else NONE
            if vni := _at(vlan, "vxlan").value("vni") if _addresses(unit) else "":
                yield int(vni), gateway(unit.value("mac"), _addresses(unit))


def parse(text: str) -> Line:
    """Statements as lines: what ends in a semicolon has nothing below, what opens a brace has."""
    root = Line(())
    above, words = [root], list[str]()
    for part in PARTS.findall(COMMENT.sub("", text)):
        if part == "}":
            above.pop()
        elif part in "{;":
            line = Line(tuple(words))
            above[-1].below.append(line)
            above += [line] if part == "{" else []
            words = []
        else:
            words.append(part.strip('"'))
    return root


def _at(line: Line, *path: str) -> Line:
    """What stands below statements of these words, one after the other."""
    for step in path:
        line = next(line.all(*step.split()), NONE)
    return line


def _listed(line: Line, *words: str) -> list[str]:
    """Words of a statement that may have one value or several in brackets."""
    return [word for rest in line.rests(*words) for word in rest if word not in "[]"]


def _ports(root: Line) -> Iterator[tuple[str, Line]]:
    for line in _at(root, "interfaces").below:
        unit = _at(line, "unit 0")
        if line.words[0].startswith("et-") and (unit.value("family") in FAMILIES):
            yield line.words[0], line


def _addresses(unit: Line) -> list[str]:
    return [one for family in ("family inet", "family inet6") for one in _values(_at(unit, family), "address")]


def _values(line: Line, word: str) -> list[str]:
    return [rest[0] for rest in line.rests(word)]


def _port(root: Line, name: str, line: Line) -> Port:
    unit, own = _at(line, "unit 0"), int(line.value("mtu", default=str(1500 + HEADER)))
    families = [int(value) for family in unit.all("family") if (value := family.value("mtu"))]
    addresses = _addresses(unit)
    cos = _at(root, "class-of-service")
    classes, sends, obeys = _marks(cos, name)
    told = _at(root, "protocols", "router-advertisement")
    return Port(
        ipv4=first(addresses, 4),
        ipv6=first(addresses, 6),
        mtu=min(own - HEADER, *families) if families else own - HEADER,
        enabled=not line.has("disable") and not unit.has("disable"),
        classes=classes,
        sends=sends,
        obeys=obeys,
        advertises=any(unit.all("family", "inet6")) and any(told.all("interface", f"{name}.0")),
    )


def _marks(cos: Line, name: str) -> tuple[tuple[int, ...], Pauses, Pauses]:
    """Queue of each DSCP, and what is paused by it: a class of traffic is a queue here."""
    port = _at(cos, "interfaces", name)
    said = _at(cos, "classifiers", f"dscp {_at(port, 'unit 0', 'classifiers').value('dscp')}")
    if said is NONE:
        return (), (), ()
    kinds = {line.words[1]: line.words[2:] for line in _at(cos, "forwarding-classes").all("class")}
    queue = {kind: int(words[words.index("queue-num") + 1]) for kind, words in kinds.items()}
    priority = {kind: int(words[-1]) for kind, words in kinds.items() if words[-2:-1] == ("pfc-priority",)}
    of = {dscp: line.words[1] for line in said.all("forwarding-class") for dscp in _points(line)}
    profile = _at(cos, "congestion-notification-profile", port.value("congestion-notification-profile", default="-"))
    heard = [int(line.words[1], 2) for line in _at(profile, "input", "dscp").all("code-point")]
    stopped = {
        int(value): int(line.words[1], 2)
        for line in _at(profile, "output", "ieee-802.1").all("code-point")
        for value in _listed(line, "flow-control-queue")
    }
    classes = tuple(queue[of[dscp]] if dscp in of else 0 for dscp in DSCPS)
    sends = tuple((dscp, priority[of[dscp]]) for dscp in sorted(heard) if of.get(dscp) in priority)
    return classes, sends, tuple((dscp, stopped[one]) for dscp, one in enumerate(classes) if one in stopped)


def _points(line: Line) -> Iterator[int]:
    """Code points in binary, of `loss-priority low code-points [ … ]`."""
    for row in line.all("loss-priority"):
        words = row.words[row.words.index("code-points") + 1 :] if "code-points" in row.words else ()
        yield from (int(word, 2) for word in words if word not in "[]")


def _sessions(bgp: Line) -> Iterator[Session]:
    for group in bgp.all("group"):
        for line in group.all("neighbor"):
            yield _session(address(line.words[1]), (line, group, bgp))
        for line in group.all("dynamic-neighbor"):
            found = _at(line, "peer-auto-discovery")
            if _at(found, "family inet6").has("ipv6-nd"):
                yield _session(found.value("interface").removesuffix(".0"), (NONE, group, bgp))


def _session(peer: str, both: tuple[Line, ...]) -> Session:
    """By what is said of a neighbor, its group and the speaker."""
    hold = int(_said(both, "hold-time") or 90)
    ipv4 = [_at(one, "family inet", "unicast") for one in both]
    return Session(
        peer=peer,
        remote_as=int(_said(both, "peer-as") or 0),
        families=next((found for one in both if (found := _families(one))), frozenset({IPV4})),
        keepalive=hold // 3,
        hold=hold,
        bfd=any(True for one in both for _ in one.all("bfd-liveness-detection")),
        multihop=_hops(both),
        source=_said(both, "local-address"),
        kept=any(one.has("no-nexthop-change") for each in both for one in each.all("multihop")),
        ipv6_hops=any(one.has("extended-nexthop") for one in ipv4),
    )


def _said(lines: tuple[Line, ...], word: str) -> str:
    return next((value for line in lines if (value := line.value(word))), "")


def _families(line: Line) -> frozenset[str]:
    return frozenset(FAMILIES[words[0]] for words in line.rests("family") if words[0] in FAMILIES)


def _hops(lines: tuple[Line, ...]) -> int:
    """`multihop` alone means 64 hops (BGP, multihop: ttl)."""
    found = next((one for line in lines for one in line.all("multihop")), None)
    return int(found.value("ttl", default="64")) if found else 1


def _instances(root: Line, kind: str) -> list[Line]:
    return [line for line in _at(root, "routing-instances").below if line.value("instance-type") == kind]


def _vtep(root: Line, loopback: Line) -> str:
    """The primary address of the unit that tunnels start at (documentation, primary): that of prefix routes, too."""
    routes = (_at(line, "protocols", "evpn", "ip-prefix-routes") for line in _instances(root, "vrf"))
    tunnels = any(line.value("encapsulation") == "vxlan" for line in routes)
    if not tunnels and not any(one.value("vtep-source-interface") == "lo0.0" for one in _instances(root, "mac-vrf")):
        return ""
    rows = list(_at(loopback, "family inet").all("address"))
    primary = next((line for line in rows if line.has("primary")), rows[0])
    return address(primary.words[1])


def _target(word: str) -> str:
    return word.removeprefix("target:")


def _bridged(root: Line) -> dict[int, Targets]:
    found: dict[int, Targets] = {}
    for line in _instances(root, "mac-vrf"):
        target = frozenset({_target(line.value("vrf-target"))})
        for vlan in _at(line, "vlans").below:
            vni = _at(vlan, "vxlan").value("vni")
            found.update({int(vni): Targets(target, target)} if vni else {})
    return found


def _routed(root: Line) -> dict[int, Targets]:
    policies = _at(root, "policy-options")
    found: dict[int, Targets] = {}
    for line in _instances(root, "vrf"):
        vni = _at(line, "protocols", "evpn", "ip-prefix-routes").value("vni")
        if not vni:
            continue
        both = _at(line, "vrf-target")
        exports = _target(both.value("export") or line.value("vrf-target"))
        imports = {_target(both.value("import") or line.value("vrf-target"))}
        if names := _listed(line, "vrf-import"):
            imports = {target for name in names for target in _taken(policies, name)}
        found[int(vni)] = Targets(frozenset(imports - {""}), frozenset({exports} - {""}))
    return found


def _taken(policies: Line, name: str) -> Iterator[str]:
    """Route targets that a policy accepts: an import policy stands in place of the target of the instance."""
    members = {line.words[1]: line.words[3:] for line in policies.all("community") if "members" in line.words}
    for term in _at(policies, f"policy-statement {name}").all("term"):
        if _at(term, "then").has("accept") or term.has("then", "accept"):
            for community in _listed(_at(term, "from"), "community"):
                yield from (_target(one) for one in members[community] if one.startswith("target:"))
