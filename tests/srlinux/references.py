"""What Nokia's models do not see of a configuration: names that lead nowhere, things in two places, sizes that clash.

Written from the descriptions of the models (25.3.1), not from our templates. Each rule yields what is wrong, in words.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, cast

Tree = dict[str, Any]
FRAME = 14


def bare(value: object) -> object:
    """The document without the modules' names before its members and identities."""
    if isinstance(value, dict):
        return {key.rpartition(":")[2]: bare(below) for key, below in value.items()}
    if isinstance(value, list):
        return [bare(one) for one in value]
    is_identity = isinstance(value, str) and value.startswith("srl_nokia-")
    return value.partition(":")[2] if is_identity and isinstance(value, str) else value


def read(text: str) -> Tree:
    """A configuration as a tree of plain names."""
    return cast("Tree", bare(json.loads(text)))


def interfaces(tree: Tree) -> dict[str, Tree]:
    return {found["name"]: found for found in tree["interface"]}


def instances(tree: Tree) -> dict[str, Tree]:
    return {found["name"]: found for found in tree["network-instance"]}


def subs(tree: Tree) -> dict[str, Tree]:
    """Name of a subinterface, e.g. irb0.110 → its node."""
    return {
        f"{name}.{sub['index']}": sub
        for name, interface in interfaces(tree).items()
        for sub in interface.get("subinterface", ())
    }


def members(tree: Tree) -> Iterator[tuple[str, str]]:
    for name, instance in instances(tree).items():
        for member in instance.get("interface", ()):
            yield name, member["name"]


def subinterfaces_are_there(tree: Tree) -> Iterator[str]:
    known = subs(tree)
    for name, member in members(tree):
        if member not in known:
            yield f"{name} has {member}, which is no subinterface"


def subinterfaces_have_one_place(tree: Tree) -> Iterator[str]:
    """A subinterface is in one network instance; a gateway in its mac-vrf and its ip-vrf."""
    types = {name: found["type"] for name, found in instances(tree).items()}
    places: dict[str, list[str]] = {name: [] for name in subs(tree)}
    for name, member in members(tree):
        places.setdefault(member, []).append(types[name])
    for member, found in places.items():
        wanted = ["ip-vrf", "mac-vrf"] if member.startswith("irb") else found[:1]
        if not found or sorted(found) != wanted:
            yield f"{member} is in {sorted(found)}"


def bridged_and_routed(tree: Tree) -> Iterator[str]:
    """What is bridged has no address and is in a mac-vrf; what is routed is not."""
    types = {name: found["type"] for name, found in instances(tree).items()}
    known = subs(tree)
    for name, member in members(tree):
        sub, is_bridged = known.get(member, {}), known.get(member, {}).get("type") == "bridged"
        if is_bridged and ("ipv4" in sub or "ipv6" in sub):
            yield f"{member} is bridged and has an address"
        if not member.startswith("irb") and is_bridged != (types[name] == "mac-vrf"):
            yield f"{member} is in {name}, a {types[name]}"


def gateways_answer_alone(tree: Tree) -> Iterator[str]:
    """Where a gateway is, the bridge answers for no host (a `must` of the models on each interface of a mac-vrf)."""
    found = instances(tree)
    for name, member in members(tree):
        proxies = {"proxy-arp", "proxy-nd"} & set(found[name].get("bridge-table", ()))
        if member.startswith("irb") and proxies:
            yield f"{name} has {member} and {sorted(proxies)}"


def tagged_alike(tree: Tree) -> Iterator[str]:
    """Tags stand where the interface has vlan-tagging, all different; without it there is one subinterface."""
    for name, interface in interfaces(tree).items():
        found = [sub.get("vlan", {}).get("encap", {}) for sub in interface.get("subinterface", ())]
        if name.startswith(("lo", "irb", "system", "mgmt")):
            continue
        if interface.get("vlan-tagging") is not True and (len(found) > 1 or any(found)):
            yield f"{name} has tags and no vlan-tagging"
        tags = [json.dumps(encap) for encap in found]
        if interface.get("vlan-tagging") is True and (not all(found) or len(set(tags)) < len(tags)):
            yield f"{name} has subinterfaces of one tag, or none"


def packets_fit(tree: Tree) -> Iterator[str]:
    """A port's MTU holds its subinterfaces' packets with their Ethernet header, and their tag where they have one."""
    for name, interface in interfaces(tree).items():
        if "mtu" not in interface:
            continue
        for sub in interface.get("subinterface", ()):
            tag = 4 if "vlan" in sub else 0
            need = sub.get("l2-mtu", sub.get("ip-mtu", 0) + FRAME + tag)
            if need > interface["mtu"]:
                yield f"{name}.{sub['index']} needs {need} octets of {interface['mtu']}"
        if interface["mtu"] > 9412:
            yield f"{name} is told {interface['mtu']} octets, and a 7220 IXR has 9412"


def aggregates_are_whole(tree: Tree) -> Iterator[str]:
    """A member has an aggregate and nothing of its own; an Ethernet segment has one with an LACP identity."""
    known = interfaces(tree)
    used = {interface.get("ethernet", {}).get("aggregate-id", "") for interface in known.values()}
    for name, interface in known.items():
        if interface.get("ethernet", {}).get("aggregate-id") and ("subinterface" in interface or "mtu" in interface):
            yield f"{name} is in an aggregate and has settings of its own"
        if name.startswith("lag") and name not in used:
            yield f"{name} has no member"
    for segment in segments(tree):
        for one in segment["interface"]:
            lacp = known.get(one["ethernet-interface"], {}).get("lag", {}).get("lacp", {})
            if not {"admin-key", "system-id-mac"} <= set(lacp):
                yield f"segment {segment['name']} has no aggregate with an LACP identity"


def segments(tree: Tree) -> list[Tree]:
    evpn = tree["system"].get("network-instance", {}).get("protocols", {}).get("evpn", {})
    return [
        one for found in evpn.get("ethernet-segments", {}).get("bgp-instance", ()) for one in found["ethernet-segment"]
    ]


def segments_have_numbers(tree: Tree) -> Iterator[str]:
    """Octets 2 to 7 of an ESI make the ES-Import target: not all 0 (a `must` of the models). No ESI twice."""
    found = [segment["esi"] for segment in segments(tree)]
    for esi in found:
        if esi.split(":")[1:7] == ["00"] * 6:
            yield f"{esi} makes no ES-Import target"
    for esi, times in Counter(found).items():
        if times > 1:
            yield f"{esi} stands {times} times"


def tunnels_are_used_once(tree: Tree) -> Iterator[str]:
    """Every vxlan interface is in one instance of its kind, and its EVPN instance names it."""
    kinds = {
        f"{found['name']}.{row['index']}": row["type"]
        for found in tree.get("tunnel-interface", ())
        for row in found["vxlan-interface"]
    }
    places: Counter[str] = Counter()
    for name, instance in instances(tree).items():
        for row in instance.get("vxlan-interface", ()):
            places[row["name"]] += 1
            wanted = "bridged" if instance["type"] == "mac-vrf" else "routed"
            evpn = instance.get("protocols", {}).get("bgp-evpn", {}).get("bgp-instance", [{}])[0]
            if kinds.get(row["name"]) != wanted or evpn.get("vxlan-interface") != row["name"]:
                yield f"{row['name']} is no tunnel of {name}"
    for name in kinds:
        if places[name] != 1:
            yield f"{name} is in {places[name]} instances"


def instances_have_identities(tree: Tree) -> Iterator[str]:
    """EVIs and route distinguishers are explicit, and none stands twice."""
    evis, rds = Counter[int](), Counter[str]()
    for name, instance in instances(tree).items():
        protocols = instance.get("protocols", {})
        for row in protocols.get("bgp-evpn", {}).get("bgp-instance", ()):
            evis[row["evi"]] += 1
            limit = 8 if instance["type"] == "mac-vrf" else 64
            if row["ecmp"] > limit:
                yield f"{name} wants {row['ecmp']} paths of {limit}"
        for row in protocols.get("bgp-vpn", {}).get("bgp-instance", ()):
            rds[row.get("route-distinguisher", {}).get("rd", "auto")] += 1
            if set(row.get("route-target", ())) != {"export-rt", "import-rt"}:
                yield f"{name} has no route targets of its own"
    for value, times in (*evis.items(), *rds.items()):
        if times > 1 or value == "auto":
            yield f"{value} stands {times} times"


def speakers(tree: Tree) -> Iterator[tuple[str, Tree]]:
    for name, instance in instances(tree).items():
        if "bgp" in instance.get("protocols", {}):
            yield name, instance["protocols"]["bgp"]


def sessions_have_policies(tree: Tree) -> Iterator[str]:
    """Each session has a policy each way, its own or its group's, and nothing passes without."""
    for name, bgp in speakers(tree):
        if bgp.get("ebgp-default-policy") != {"import-reject-all": True, "export-reject-all": True}:
            yield f"{name} takes routes without a policy"
        groups = {group["group-name"]: group for group in bgp.get("group", ())}
        rows = [*bgp.get("neighbor", ()), *bgp.get("dynamic-neighbors", {}).get("interface", ())]
        for row in rows:
            told = {**groups.get(row["peer-group"], {}), **row}
            who = row.get("peer-address", row.get("interface-name"))
            if not told.get("import-policy") or not told.get("export-policy"):
                yield f"{name} {who} has a way without a policy"


def sessions_have_families(tree: Tree) -> Iterator[str]:
    """A group says of every family of its instance whether it carries it, and one is on."""
    for name, bgp in speakers(tree):
        known = {family["afi-safi-name"] for family in bgp["afi-safi"]}
        for group in bgp.get("group", ()):
            found = {family["afi-safi-name"]: family.get("admin-state") for family in group["afi-safi"]}
            if set(found) != known or "enable" not in found.values():
                yield f"group {group['group-name']} of {name} carries {found}"


def policies_end(tree: Tree) -> Iterator[str]:
    """What no statement takes is rejected."""
    for policy in tree["routing-policy"]["policy"]:
        if policy.get("default-action") != {"policy-result": "reject"}:
            yield f"policy {policy['name']} lets through what it does not name"


def links_are_found(tree: Tree) -> Iterator[str]:
    """A session over an unnumbered link has a subinterface that sends router advertisements; IPv4 comes over it."""
    known = subs(tree)
    for name, bgp in speakers(tree):
        for row in bgp.get("dynamic-neighbors", {}).get("interface", ()):
            role = known.get(row["interface-name"], {}).get("ipv6", {}).get("router-advertisement", {})
            if role.get("router-role", {}).get("admin-state") != "enable":
                yield f"{row['interface-name']} sends no router advertisements"
            if instances(tree)[name].get("ip-forwarding", {}).get("receive-ipv4-check") is not False:
                yield f"{name} takes no IPv4 over links without addresses"


def bfd_is_on_both(tree: Tree) -> Iterator[str]:
    """BFD runs on subinterfaces that are there, and where a group asks for it."""
    watched = {row["id"] for row in tree.get("bfd", {}).get("subinterface", ())}
    for name in watched - set(subs(tree)):
        yield f"BFD watches {name}, which is not there"
    asks = any(
        "enable-bfd" in group.get("failure-detection", ())
        for _, bgp in speakers(tree)
        for group in bgp.get("group", ())
    )
    if asks != bool(watched):
        yield f"BFD is asked for: {asks}, and watches {len(watched)}"


def originated_routes_are_there(tree: Tree) -> Iterator[str]:
    """What a switch announces as its own it has: an address of its own, or a route of its own."""
    known = {
        row["prefix"]
        for instance in instances(tree).values()
        for row in instance.get("static-routes", {}).get("route", ())
    }
    addresses = {
        row["ip-prefix"]
        for sub in subs(tree).values()
        for family in ("ipv4", "ipv6")
        for row in sub.get(family, {}).get("address", ())
    }
    for found in tree["routing-policy"].get("prefix-set", ()):
        if found["name"].endswith("OWN-IPV4-ORIGINATED") or found["name"].endswith("OWN-IPV6-ORIGINATED"):
            for row in found["prefix"]:
                if row["ip-prefix"] not in known | addresses:
                    yield f"{row['ip-prefix']} is announced and is nowhere"


RULES: tuple[Callable[[Tree], Iterator[str]], ...] = (
    subinterfaces_are_there,
    subinterfaces_have_one_place,
    bridged_and_routed,
    gateways_answer_alone,
    tagged_alike,
    packets_fit,
    aggregates_are_whole,
    segments_have_numbers,
    tunnels_are_used_once,
    instances_have_identities,
    sessions_have_policies,
    sessions_have_families,
    policies_end,
    links_are_found,
    bfd_is_on_both,
    originated_routes_are_there,
)


def faults(text: str) -> list[str]:
    """All that is wrong with a configuration."""
    tree = read(text)
    return [fault for rule in RULES for fault in rule(tree)]
