"""What the paths alone do not show: names that lead nowhere, numbers used twice. Each fault is one line of words."""

import re
from collections import Counter
from collections.abc import Iterator

from tests.cumulus.reading import Node, at, leaves, tree

RESERVED = range(3725, 4000)
"""VLANs of the chip (511 VLAN-aware Bridge Mode); those after them are NVUE's with MLAG only."""
_SNIPPET = re.compile(r"^route-map (\S+) (permit|deny) (\d+)$")


def dangling(text: str) -> list[str]:
    """Faults of a whole file."""
    root = tree(text)
    checks = (_links, _vrfs, _vlans, _policy, _groups, _profiles, _snippet, _relays, _logins)
    return sorted(fault for check in checks for fault in check(root))


def _links(root: Node) -> Iterator[str]:
    rows = root["interface"]
    members = Counter(member for row in rows.values() for member in at(row, "bond", "member"))
    for name, count in members.items():
        if name not in rows:
            yield f"{name} is in a bond and is no interface"
        elif count > 1 or rows[name].get("bridge") or rows[name].get("ip"):
            yield f"{name} is in a bond and something else too"
    for name, row in rows.items():
        if row.get("type") == "sub" and (row["base-interface"] not in rows or name.split(".")[1] != row["vlan"]):
            yield f"{name} has no base interface of its name"
        cage = re.fullmatch(r"(swp\d+)s(\d)", name)
        if cage and int(cage[2]) >= _parts(rows, cage[1]):
            yield f"{name} is no part of {cage[1]}"
        if not cage and row.get("ip") and _parts(rows, name):
            yield f"{name} is divided and has addresses"
    numbered = Counter(a for row in rows.values() for a in at(row, "ip", "address"))
    yield from (f"{address} is on two interfaces" for address, count in numbered.items() if count > 1)


def _parts(rows: Node, cage: str) -> int:
    modes = at(rows, cage, "link", "breakout")
    return max((int(mode[0]) for mode in modes if mode[0].isdecimal()), default=0)


def _vrfs(root: Node) -> Iterator[str]:
    known = {*root["vrf"], "mgmt"}
    for path, value in leaves(root):
        if (path[0] == "interface" and path[-2:] == ("ip", "vrf")) and value not in known:
            yield f"{path[1]} is in VRF {value}, which is not there"
        if "from-vrf" in path and path[-2] == "list" and path[-1] not in known:
            yield f"{path[1]} takes routes of VRF {path[-1]}, which is not there"
    targets = Counter(
        t
        for vrf in root["vrf"].values()
        for t in at(vrf, *["router", "bgp", "route-export", "to-evpn"]).get("route-target", {})
    )
    yield from (f"route target {target} is exported by two VRFs" for target, count in targets.items() if count > 1)
    for name, vrf in root["vrf"].items():
        if at(vrf, "evpn", "vni") and "rd" not in at(vrf, "router", "bgp"):
            yield f"VRF {name} has an L3 VNI and no RD"


def _vlans(root: Node) -> Iterator[str]:
    bridged = at(root, "bridge", "domain", "br_default", "vlan")
    for name, row in root["interface"].items():
        domain = at(row, "bridge", "domain", "br_default")
        wanted = {*domain.get("vlan", {}), *([domain["access"]] if "access" in domain else [])}
        wanted |= {row["vlan"]} if row.get("type") == "svi" else set()
        yield from (f"{name} has VLAN {vlan}, which the bridge has not" for vlan in sorted(wanted - set(bridged)))
    l2 = [vni for row in bridged.values() for vni in row["vni"]]
    l3 = [vni for vrf in root["vrf"].values() for vni in at(vrf, "evpn", "vni")]
    if sorted(l2) != sorted(at(root, "evpn", "vni")):
        yield "VNIs of the bridge and of EVPN differ"
    yield from (f"VNI {vni} is there twice" for vni, count in Counter(l2 + l3).items() if count > 1)
    carriers = [vrf["evpn"]["vlan"] for vrf in root["vrf"].values() if "evpn" in vrf]
    for vlan, count in Counter([*bridged, *carriers]).items():
        if count > 1 or int(vlan) in RESERVED:
            yield f"VLAN {vlan} is taken"
    if (l2 or l3) and "address" not in at(root, "nve", "vxlan", "source"):
        yield "VNIs, and no tunnel"


def _policy(root: Node) -> Iterator[str]:
    policy = at(root, "router", "policy")
    places = {"route-map": "route-map", "community-list": "community-list", "ip-prefix-list": "prefix-list"}
    for path, value in leaves(root):
        kind = places.get(path[-1])
        if kind and path[:2] != ("router", kind) and value is not None and value not in policy.get(kind, {}):
            yield f"{' '.join(path)}: {value} is not there"
    for name, found in policy.get("route-map", {}).items():
        for number, rule in found["rule"].items():
            match = rule.get("match", {})
            listed = at(policy, "prefix-list").get(match.get("ip-prefix-list", ""), {})
            if listed and listed["type"] != match.get("type"):
                yield f"route map {name} {number}: family of its list"


def _groups(root: Node) -> Iterator[str]:
    for name, vrf in root["vrf"].items():
        bgp = at(vrf, "router", "bgp")
        for peer, row in bgp.get("neighbor", {}).items():
            if row.get("peer-group", "") not in {"", *bgp.get("peer-group", {})}:
                yield f"{peer}: no peer group {row['peer-group']}"
            if row["type"] == "unnumbered" and peer not in root["interface"]:
                yield f"{peer}: no such port"
        alone = {peer: row for peer, row in bgp.get("neighbor", {}).items() if "peer-group" not in row}
        for peer, row in {**bgp.get("peer-group", {}), **alone}.items():
            for family, body in row["address-family"].items():
                if body["enable"] == "on" and set(body.get("policy", {})) != {"inbound", "outbound"}:
                    yield f"{name} {peer} {family}: not both policies"


def _profiles(root: Node) -> Iterator[str]:
    for path, value in leaves(at(root, "interface")):
        if "qos" in path and path[-1] == "profile" and value not in at(root, "qos", path[-2]):
            yield f"{path[0]}: no {path[-2]} profile {value}"


def _snippet(root: Node) -> Iterator[str]:
    """Lines of FRR's own complete rules that NVUE writes; one that stands alone would permit what nothing else does."""
    maps = at(root, "router", "policy", "route-map")
    text = at(root, "system", "config", "snippet").get("frr.conf", "")
    if text.count("route-map ") != text.count("\nexit"):
        yield "snippet: a rule that does not end"
    for line in text.splitlines():
        found = _SNIPPET.match(line)
        if found and found[2] not in at(maps, found[1], "rule", found[3], "action"):
            yield f"snippet: no rule {found[1]} {found[2]} {found[3]}"


def _relays(root: Node) -> Iterator[str]:
    for service in ("dhcp-relay", "dhcp-relay6"):
        for name, relay in at(root, "service", service).items():
            vrf = root["vrf"].get(name)
            if vrf is None:
                yield f"{service}: no VRF {name}"
                continue
            l3 = f"vlan{vrf['evpn']['vlan']}_l3"
            found = relay["interface"]
            ports = [*found.get("downstream", {}), *found.get("upstream", {})] if service[-1] == "6" else [*found]
            served = [port for port, row in found.get("upstream", {}).items() if row]
            if service[-1] == "6" and served != [name]:
                yield f"{service} {name}: its servers are not behind the VRF"
            for port in ports:
                if port in {l3, name} or _is_uplink(root, port):
                    continue
                if at(root, "interface", port, "ip").get("vrf") != name:
                    yield f"{service} {name}: {port} is none of its VLANs"


def _logins(root: Node) -> Iterator[str]:
    order = at(root, "system", "aaa", "authentication-order")
    yield from (f"logins ask {word} twice" for word, count in Counter(order.values()).items() if count > 1)


def _is_uplink(root: Node, port: str) -> bool:
    """Whether a port is routed in the default VRF: the manual's relays of a tenant listen there too."""
    row = at(root, "interface", port)
    return row.get("type") == "swp" and "vrf" not in row.get("ip", {}) and "bridge" not in row
