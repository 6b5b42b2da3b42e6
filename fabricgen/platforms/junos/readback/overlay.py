"""Routing instances: MAC-VRFs and their VLANs, VRFs, DHCP relays; and gateways, which are units of irb.

Sources: EVPN User Guide (mac-vrf, extended-vni-list, ip-prefix-routes, vrf-target, vtep-source-interface); JVD 5-stage,
storage-leaf1_qfx5130-32cd.conf.
"""

from collections.abc import Mapping

from fabricgen.platforms.junos.readback.bgp import Sessions
from fabricgen.platforms.junos.readback.config import BRIDGED, MANAGEMENT, ROUTED, Config, Instance, Vlan
from fabricgen.platforms.junos.readback.policy import TARGET, Policies
from fabricgen.platforms.junos.readback.static import static_routes
from fabricgen.platforms.junos.readback.text import Tree
from fabricgen.platforms.junos.readback.tree import (
    Word,
    block,
    blocks,
    digit,
    flag,
    leaves,
    line_of,
    number,
    only,
    value,
    values,
)
from fabricgen.readback.addresses import host
from fabricgen.readback.policy import Lines, of_vrf
from fabricgen.readback.rows import Key, Part, Value
from fabricgen.readback.words import rarest

MOVES, WINDOW = 5, 180
"""Moves and seconds that make an address a duplicate where nothing is said (manual, duplicate-mac-detection)."""
Instances = Mapping[str, tuple[Tree, int]]


def instances(config: Config) -> Instances:
    """Note which units and VLANs each instance has: interfaces are read by it. Returns what is left of them."""
    found: dict[str, tuple[Tree, int]] = {}
    for name, below, line in blocks(config.tree, "routing-instances"):
        kind = only(below, "instance-type", BRIDGED, *ROUTED)
        if kind is None and name != MANAGEMENT:
            below[None] = line
            continue
        found[name] = below, line
        instance = config.instances[name] = Instance(kind.text if kind is not None else "")
        for unit in values(below, "interface"):
            if kind is None or config.instance_of.get(unit.text, name) != name:
                # Nothing joins the instance of management, and no unit is in two.
                config.unread(unit.line)
                continue
            config.instance_of[unit.text] = name
            config.joined[unit.text] = unit.line
        if instance.kind == BRIDGED:
            _vlans(config, name, instance, below)
    return found


def _vlans(config: Config, name: str, instance: Instance, below: Tree) -> None:
    for vlan, rest, _ in blocks(below, "vlans"):
        tag = number(rest, "vlan-id")
        units = frozenset(unit.text for unit in values(rest, "interface"))
        instance.vlans[vlan] = Vlan(tag[0] if tag is not None else 0, units)
        config.instance_of.update(dict.fromkeys(units, name))
        gateway = value(rest, "l3-interface")
        if gateway is not None and tag is not None:
            config.gateway_of[gateway.text] = tag[0]
    for unit, rest, _ in blocks(below, "switch-options", "interface"):
        limit = block(rest, "interface-mac-limit")
        most = next((word for word in limit if word is not None and digit(word) >= 0), None)
        if most is not None and only(limit, "packet-action", "drop") is not None:
            config.limits[unit] = digit(most), flag(limit, most)


def overlay(config: Config, found: Instances, policies: Policies, sessions: Sessions) -> None:
    """Rows of all instances."""
    duplicates: list[tuple[tuple[int, ...], int]] = []
    for name, (below, line) in found.items():
        kind = config.instances[name].kind
        if kind == BRIDGED:
            duplicates.append(_duplicates(block(below, "protocols", "evpn"), line))
            _bridged(config, name, below, line)
        elif kind:
            _routed(config, name, below, line, policies, sessions)
    if duplicates:
        config.put("vtep", "", "duplicate-mac", *rarest(duplicates))


def _duplicates(evpn: Tree, line: int) -> tuple[tuple[int, ...], int]:
    """Moves, window and recovery in seconds; nothing is the system's own (manual, duplicate-mac-detection)."""
    detection = block(evpn, "duplicate-mac-detection")
    moves, window = number(detection, "detection-threshold"), number(detection, "detection-window")
    recovery = number(detection, "auto-recovery-time")
    if moves is None and window is None and recovery is None:
        return (), line
    at = next(found[1] for found in (moves, window, recovery) if found is not None)
    said = (moves[0] if moves else MOVES, window[0] if window else WINDOW, 60 * recovery[0] if recovery else 0)
    return said, at


def _bridged(config: Config, name: str, below: Tree, line: int) -> None:
    instance = config.instances[name]
    evpn = block(below, "protocols", "evpn")
    encapsulated = only(evpn, "encapsulation", "vxlan")
    listed = {word.text for word in values(evpn, "extended-vni-list")}
    hidden = only(evpn, "default-gateway", "do-not-advertise")
    source = value(below, "vtep-source-interface")
    kind = value(below, "service-type")
    rd = value(below, "route-distinguisher")
    imports, exports = _targets(below)
    options = {digit(vni): _targets(rest) for vni, rest, _ in blocks(evpn, "vni-options", "vni")}
    if source is not None:
        _source(config, *(config.primary if source.text == "lo0.0" else (source.text, source.line)))
    for vlan, rest, begins in blocks(below, "vlans"):
        tag = str(instance.vlans[vlan].number)
        vni = number(block(rest, "vxlan"), "vni")
        config.put("vlan", tag, "name", vlan, begins)
        if vni is not None:
            tunnels = encapsulated is not None and source is not None and not listed.isdisjoint({"all", str(vni[0])})
            config.put("vlan", tag, "vni", vni[0] if tunnels else 0, vni[1] if tunnels else line)
        if rd is not None:
            config.put("vlan", tag, "rd", rd.text, rd.line)
        own = options.get(vni[0] if vni is not None else 0, (imports, exports))
        config.several(Key("vlan", tag, "imports"), *(own[0] if own[0][0] else imports))
        config.several(Key("vlan", tag, "exports"), *(own[1] if own[1][0] else exports))
        if (text := value(rest, "description")) is not None:
            config.idle(text.line, "text of a VLAN, which has a name")
        if hidden is not None:
            config.need(f"VLAN {tag}: default-gateway do-not-advertise", hidden.line)
        if kind is not None:
            config.need(f"VLAN {tag}: service-type {kind.text}", kind.line)


def _source(config: Config, address: str, line: int) -> None:
    """Where tunnels start: of different sources the one that is not the primary address of lo0.0."""
    key = Key("vtep", "", "address")
    if address and (key not in config.reading.rows or address != config.primary[0]):
        config.put(*key, address, line)


Targets = tuple[Mapping[str, Lines], int]
"""Route targets with the lines of each, and their line."""


def _targets(below: Tree) -> tuple[Targets, Targets]:
    """Route targets of `vrf-target`: one for both ways, and one each way, which wins."""
    raw = below.get("vrf-target")
    line = line_of(raw)
    ways = {way: value(raw, way) for way in ("import", "export") if isinstance(raw, dict) and way in raw}
    both = value(below, "vrf-target") if raw else None
    if ways and isinstance(raw, dict):
        block(below, "vrf-target")
        rest = [word for word in raw if word is not None]
        both = Word(rest[0], flag(raw, rest[0])) if len(rest) == 1 else None
    return _target(ways.get("import") or both, line), _target(ways.get("export") or both, line)


def _target(word: Word | None, line: int) -> Targets:
    if word is None:
        return {}, line
    return {word.text.removeprefix(TARGET): word.line}, word.line


def _routed(config: Config, name: str, below: Tree, line: int, policies: Policies, sessions: Sessions) -> None:
    protocols = block(below, "protocols")
    _table(config, name, block(below, "routing-options"))
    if (rd := value(below, "route-distinguisher")) is not None:
        config.put("vrf", name, "rd", rd.text, rd.line)
    exported = _prefix_routes(config, name, block(protocols, "evpn", "ip-prefix-routes"), line)
    _route_targets(config, name, below, line, policies)
    config.need(f"VRF {name}: all own routes become prefix routes", policies.whole_tables(exported))
    for one in exported:
        config.need(f"VRF {name}: prefix routes of bgp", policies.passes(one, "bgp"))
        config.need(f"VRF {name}: a policy chooses prefix routes", policies.lines().get(one, 0))
    announced = [policies.originated(exported), *sessions.read(block(protocols, "bgp"), name)]
    sessions.networks(name, announced)
    _relays(config, name, block(below, "forwarding-options", "dhcp-relay"))
    if any(unit.startswith("lo0.") for unit, instance in config.instance_of.items() if instance == name):
        config.need(f"VRF {name}: a unit of lo0", line)


def _table(config: Config, name: str, options: Tree) -> None:
    if (router := value(options, "router-id")) is not None:
        config.need(f"VRF {name}: router-id {router.text}", router.line)
    config.need(f"VRF {name}: multipath of inet", flag(options, "multipath"))
    config.need(f"VRF {name}: auto-export", flag(options, "auto-export"))
    static_routes(config, name, options)
    for rib, rest, line in blocks(options, "rib"):
        if rib == f"{name}.inet6.0":
            config.need(f"VRF {name}: multipath of inet6", flag(rest, "multipath"))
            static_routes(config, name, rest)
        else:
            rest[None] = line


def _prefix_routes(config: Config, name: str, routes: Tree, line: int) -> tuple[str, ...]:
    """The VNI of prefix routes (type 5). Returns the policies that choose them."""
    vni = number(routes, "vni")
    advertised, encapsulated = only(routes, "advertise", "direct-nexthop"), only(routes, "encapsulation", "vxlan")
    if vni is not None:
        works = advertised is not None and encapsulated is not None
        config.put("vrf", name, "vni", vni[0] if works else 0, vni[1] if works else line)
        _source(config, *config.primary)
    return tuple(word.text for word in values(routes, "export"))


def _route_targets(config: Config, name: str, below: Tree, line: int, policies: Policies) -> None:
    own = line_of(below.get("vrf-import"))
    taken = tuple(word.text for word in values(below, "vrf-import"))
    given, begins = tuple(word.text for word in values(below, "vrf-export")), line_of(below.get("vrf-export"))
    imports, exports = _targets(below)
    if taken:
        every = policies.targets(taken)
        imports = every, own
        config.put("vrf", name, "import-policy", of_vrf(policies.imports(taken), frozenset(every)), own)
    if given:
        exports = policies.added(given), begins or line
    config.several(Key("vrf", name, "imports"), *imports)
    config.several(Key("vrf", name, "exports"), *exports)


def _relays(config: Config, name: str, below: Tree) -> None:
    """DHCP relays by family (manual, dhcp-relay; JVD 5-stage): a group has units and the servers that they ask."""
    sources: dict[str, list[tuple[Value, int]]] = {}
    for family, rest in (("dhcpv6", block(below, "dhcpv6")), ("dhcp", below)):
        config.need(f"VRF {name}: {family} forward-only", flag(rest, "forward-only"))
        servers = {group: _servers(have) for group, have, _ in blocks(rest, "server-group")}
        for _, group, line in blocks(rest, "group"):
            asked = value(group, "active-server-group")
            overrides = flag(block(group, "relay-option-82"), "server-id-override")
            for unit, own, begins in blocks(group, "interface"):
                source = value(block(own, "overrides"), "relay-source")
                vlan = str(config.gateway_of.get(unit, unit))
                config.need(f"VLAN {vlan}: server-id-override", overrides)
                found = servers.get(asked.text, {}) if asked is not None else {}
                _add(config, vlan, found, asked.line if asked is not None else line)
                own_source = _loopback(source.text) if source is not None else "none"
                sources.setdefault(vlan, []).append((own_source, source.line if source is not None else begins))
    for vlan, found_sources in sources.items():
        different = list(dict.fromkeys(found_sources))
        names = dict.fromkeys(name for name, _ in different)
        said = different[0][0] if len(names) == 1 else ", ".join(map(str, names))
        config.put("gateway", vlan, "relay-source", said, different[-1][1])


def _servers(have: Tree) -> dict[Part, Lines]:
    return {host(word.text): word.line for word in leaves(have)}


def _add(config: Config, vlan: str, servers: Mapping[Part, Lines], line: int) -> None:
    row = config.reading.rows.get(Key("gateway", vlan, "relays"))
    parts = {**(row.parts or {}), **servers} if row is not None else servers
    config.put("gateway", vlan, "relays", frozenset(map(str, parts)), line, parts)


def _loopback(text: str) -> Value:
    name, _, unit = text.partition(".")
    return digit(unit) if name == "lo0" and digit(unit) >= 0 else text
