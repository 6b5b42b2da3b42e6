"""Network instances: the default one, VLANs as mac-vrf, VRFs as ip-vrf; tunnels and static routes.

Sources: EVPN guides; YANG srl_nokia-network-instance, srl_nokia-bgp-evpn, srl_nokia-bgp-vpn, and of tunnels
srl_nokia-tunnel-interfaces. A mac-vrf has no VLAN of its own: its EVI is the VLAN, which the election of the designated
forwarder takes (RFC 7432, 8.5).
"""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.platforms.srlinux.readback.bgp import Sessions
from fabricgen.platforms.srlinux.readback.config import BRIDGED, DEFAULT, ROUTED, Config, Instance
from fabricgen.platforms.srlinux.readback.document import Tree
from fabricgen.platforms.srlinux.readback.policy import TARGET, Policies
from fabricgen.platforms.srlinux.readback.tree import block, flag, flat, number, only, rows, state, text, texts
from fabricgen.readback.addresses import family_of, host, prefix
from fabricgen.readback.intended import in_vrf
from fabricgen.readback.policy import Lines, of_vrf
from fabricgen.readback.rows import Part, Value
from fabricgen.readback.words import rarest

MOVES, WINDOW = 5, 3
"""Moves and minutes that make a MAC address a duplicate where nothing is said (YANG, mac-duplication)."""
DEFAULT_PREFIXES = ("0.0.0.0/0", "::/0")


class Found(NamedTuple):
    """An instance that is to be read: its tree and its line."""

    name: str
    tree: Tree
    line: int


def instances(config: Config) -> list[Found]:
    """Note the type of each instance and which subinterfaces it has: interfaces are read by it."""
    found: list[Found] = []
    for row, line in rows(config.tree, "network-instance"):
        name, kind = text(row, "name"), only(row, "type", DEFAULT, ROUTED, BRIDGED)
        if name is None:
            row[None] = line
            continue
        instance = config.instances[name[0]] = Instance(kind[0] if kind is not None else ROUTED)
        on = state(row)
        if not on[0]:
            config.need(f"network-instance {name[0]} is disabled", on[1])
        _members(config, name[0], row)
        if instance.kind == BRIDGED:
            for evpn, _ in rows(row, "protocols", "bgp-evpn", "bgp-instance"):
                instance.vlan = (number(evpn, "evi") or (0, 0))[0]
        found.append(Found(name[0], row, name[1]))
    _tunnels(config)
    return found


def _members(config: Config, name: str, row: Tree) -> None:
    for member, line in rows(row, "interface"):
        sub = text(member, "name")
        if sub is None:
            member[None] = line
            continue
        config.members.setdefault(sub[0], []).append(name)
        config.joined[sub[0], name] = sub[1]
        if sub[0].startswith("mgmt"):
            config.management = name


def _tunnels(config: Config) -> None:
    """VXLAN interfaces: each has the VNI of packets that come in, and the source of those that go out."""
    for tunnel, _ in rows(config.tree, "tunnel-interface"):
        name = text(tunnel, "name")
        for row, line in rows(tunnel, "vxlan-interface"):
            index = number(row, "index")
            vni = number(block(row, "ingress"), "vni")
            source = text(block(row, "egress"), "source-ip")
            kind = text(row, "type")
            if name is None or index is None or vni is None:
                row[None] = line
                continue
            from_system = source is None or source[0] == "use-system-ipv4-address"
            config.vnis[f"{name[0]}.{index[0]}"] = vni if from_system else (0, source[1] if source else line)
            if kind is not None and kind[0] not in ("bridged", "routed"):
                config.need(f"vxlan-interface {index[0]} {kind[0]}", kind[1])


def read_instances(config: Config, found: list[Found], policies: Policies, sessions: Sessions) -> None:
    """Rows of all instances. Interfaces have been read."""
    for instance in found:
        kind = config.instances[instance.name].kind
        if instance.name == DEFAULT:
            _default(config, instance, sessions)
        elif instance.name == config.management:
            _management(config, instance)
        elif kind == BRIDGED:
            _bridged(config, instance)
        elif kind == ROUTED:
            _Vrf(config, instance, policies, sessions).read()
        else:
            instance.tree[None] = instance.line
    if config.duplicates:
        config.put("vtep", "", "duplicate-mac", *rarest(config.duplicates))


def _default(config: Config, instance: Found, sessions: Sessions) -> None:
    tree = instance.tree
    if (router := text(tree, "router-id")) is not None:
        config.need(f"router-id {host(router[0])}", router[1])
    checked, at = flag(block(tree, "ip-forwarding"), "receive-ipv4-check", default=True)
    if not checked:
        config.need("ip-forwarding receive-ipv4-check false", at)
    _static_routes(config, tree, "")
    _vrf_free_text(config, tree)
    chains = sessions.read(block(tree, "protocols", "bgp"), "", instance.line)
    sessions.networks("", chains, [])


def _vrf_free_text(config: Config, tree: Tree) -> None:
    if (title := text(tree, "description")) is not None:
        config.idle(title[1], "text of a network instance that has a name")


def _management(config: Config, instance: Found) -> None:
    tree = instance.tree
    _vrf_free_text(config, tree)
    for said, at in flat(block(tree, "protocols", "linux")):
        config.need(f"{instance.name}: linux {said}", at)
    for route, hop, line, at in _routes(tree):
        if route in DEFAULT_PREFIXES and family_of(route) == family_of(hop):
            config.put("management", "", "gateway", hop, at, {"route": line})
        else:
            config.put("static-route", in_vrf(instance.name, route), "next-hop", hop, line, {"hop": at})


def _routes(tree: Tree) -> Iterator[tuple[str, str, int, int]]:
    """Static routes, the one next hop of their group (YANG, next-hop-groups), and both lines; `discard`: blackhole."""
    hops: dict[str, tuple[str, int]] = {}
    for row, line in rows(tree, "next-hop-groups", "group"):
        name = text(row, "name")
        every = [text(one, "ip-address") for one, _ in rows(row, "nexthop") if number(one, "index") is not None]
        hole = "blackhole" in row
        block(row, "blackhole")
        if name is not None and hole:
            hops[name[0]] = "discard", name[1]
        elif name is not None and len(every) == 1 and every[0] is not None:
            hops[name[0]] = host(every[0][0]), every[0][1]
        else:
            row[None] = line
    for row, line in rows(tree, "static-routes", "route"):
        route, group, on = text(row, "prefix"), text(row, "next-hop-group"), state(row)
        network = prefix(route[0]) if route is not None else None
        if network is None or group is None or not on[0]:
            row[None] = line
        else:
            hop, at = hops.get(group[0], group)
            yield network, hop, group[1], at


def _static_routes(config: Config, tree: Tree, vrf: str) -> None:
    for route, hop, line, at in _routes(tree):
        config.put("static-route", in_vrf(vrf, route), "next-hop", hop, line, {"hop": at})


class Overlay(NamedTuple):
    """EVPN of an instance: VNI, paths of aliased segments or prefixes, RD and route targets."""

    vni: tuple[int, int]
    paths: tuple[int, int]
    rd: tuple[str, int]
    imports: tuple[frozenset[str], int]
    exports: tuple[frozenset[str], int]
    import_policy: list[tuple[str, int]]
    export_policy: list[tuple[str, int]]


def _overlay(config: Config, instance: Found) -> Overlay:
    tree, line = instance.tree, instance.line
    named = {text_[0] for row, _ in rows(tree, "vxlan-interface") if (text_ := text(row, "name")) is not None}
    vni, paths = (0, line), (1, line)
    for row, begins in rows(tree, "protocols", "bgp-evpn", "bgp-instance"):
        number(row, "id")
        on, kind, tunnel = state(row), text(row, "encapsulation-type"), text(row, "vxlan-interface")
        paths = number(row, "ecmp") or (1, begins or line)
        if (evi := number(row, "evi")) is not None:
            config.idle(evi[1], "EVI of a VRF: RD and route targets are said")
        works = on[0] and (kind is None or kind[0] == "vxlan") and tunnel is not None and tunnel[0] in named
        vni = config.vnis.get(tunnel[0], (0, tunnel[1])) if tunnel is not None and works else (0, on[1] or line)
    for row, _ in rows(tree, "protocols", "bgp-vpn", "bgp-instance"):
        number(row, "id")
        rd = text(block(row, "route-distinguisher"), "rd")
        targets = block(row, "route-target")
        imported, exported = text(targets, "import-rt"), text(targets, "export-rt")
        return Overlay(
            vni,
            paths,
            rd or ("", line),
            _target(imported, line),
            _target(exported, line),
            texts(row, "import-policy"),
            texts(row, "export-policy"),
        )
    nothing = frozenset[str](), line
    return Overlay(vni, paths, ("", line), nothing, nothing, [], [])


def _target(found: tuple[str, int] | None, line: int) -> tuple[frozenset[str], int]:
    return (frozenset({found[0].removeprefix(TARGET)}), found[1]) if found is not None else (frozenset(), line)


def _bridged(config: Config, instance: Found) -> None:
    found = _overlay(config, instance)
    name = str(config.instances[instance.name].vlan)
    title = text(instance.tree, "description")
    config.put("vlan", name, "name", *(title or (instance.name, instance.line)))
    config.put("vlan", name, "vni", *found.vni)
    config.put("vlan", name, "rd", *found.rd)
    config.put("vlan", name, "imports", *found.imports)
    config.put("vlan", name, "exports", *found.exports)
    config.need(f"VLAN {name}: ecmp {found.paths[0]}", found.paths[1])
    config.duplicates.append(_duplicates(instance))
    limit = number(block(instance.tree, "bridge-table", "mac-limit"), "maximum-entries")
    if limit is not None:
        config.put("vlan", name, "mac-limit", *limit)


def _duplicates(instance: Found) -> tuple[tuple[int, ...], int]:
    """Moves, window and recovery in seconds; nothing is the system's own."""
    tree = block(instance.tree, "bridge-table", "mac-duplication")
    on = state(tree)
    words = (("num-moves", MOVES), ("monitoring-window", WINDOW), ("hold-down-time", 0))
    said = {word: number(tree, word) for word, _ in words}
    found = [value for value in said.values() if value is not None]
    if not found or not on[0]:
        return (), on[1] or instance.line
    moves, window, recovery = (value[0] if (value := said[word]) else default for word, default in words)
    return (moves, window * 60, recovery * 60), found[0][1]


class _Vrf:
    """Reads one VRF."""

    def __init__(self, config: Config, instance: Found, policies: Policies, sessions: Sessions) -> None:
        self._config = config
        self._instance = instance
        self._policies = policies
        self._sessions = sessions

    def read(self) -> None:
        """Rows of the VRF, its routes and its sessions."""
        name, config = self._instance.name, self._config
        found = _overlay(config, self._instance)
        _vrf_free_text(config, self._instance.tree)
        config.put("vrf", name, "vni", *found.vni)
        config.put("vrf", name, "rd", *found.rd)
        self._sessions.paths.setdefault(name, {})["routes"] = found.paths
        exported = tuple(policy for policy, _ in found.export_policy)
        self._targets(found, exported)
        if at := self._policies.passes(exported, "bgp"):
            config.need(f"VRF {name}: routes of bgp become EVPN routes", at)
        if at := self._policies.undecided(exported):
            config.need(f"VRF {name}: no default action of what becomes EVPN routes", at)
        _static_routes(config, self._instance.tree, name)
        bgp = block(self._instance.tree, "protocols", "bgp")
        chains = self._sessions.read(bgp, name, self._instance.line) if bgp else []
        self._sessions.networks(name, chains, [self._policies.originated(exported)] if exported else [])

    def _targets(self, found: Overlay, exported: tuple[str, ...]) -> None:
        """Import targets of a policy are those that it accepts; each statement of an export policy adds its own."""
        name, config = self._instance.name, self._config
        imports, at = found.imports
        if found.import_policy:
            taken = tuple(policy for policy, _ in found.import_policy)
            whole = self._policies.chain(taken, frozenset())
            every = frozenset(target for term in whole.terms if term.permit for target in term.route_targets)
            imports, at = imports | every, found.import_policy[0][1]
            config.put("vrf", name, "import-policy", of_vrf(whole, every), at)
        config.put("vrf", name, "imports", imports, at)
        exports: Value = found.exports[0]
        parts: dict[Part, Lines] = {"export-rt": found.exports[1]}
        for added, lines in self._policies.added(exported):
            targets = frozenset(one.removeprefix(TARGET) for one in added if one.startswith(TARGET))
            if targets != exports:
                exports = f"{', '.join(sorted(targets)) or 'none'} by policy"
                parts |= {"set": lines, "export-policy": found.export_policy[0][1]}
        config.put("vrf", name, "exports", exports, found.exports[1], parts)
