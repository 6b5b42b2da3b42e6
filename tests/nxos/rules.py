"""What NX-OS text must keep beyond single lines, each rule by its name; `broken` names those that a text breaks."""

import re
from collections.abc import Callable, Iterator, Mapping

from tests.nxos.lines import walk

Block = tuple[str, ...]
Text = Mapping[Block, list[str]]
"""Headings → the lines right below them; no headings: the top."""


def blocks(text: str) -> Text:
    found: dict[Block, list[str]] = {(): []}
    for seen in walk(text):
        found.setdefault(seen.above, []).append(seen.text)
        found.setdefault((*seen.above, seen.text), [])
    return found


def interfaces(text: Text, start: str = "interface Ethernet") -> Iterator[tuple[str, list[str]]]:
    for above, lines in text.items():
        if len(above) == 1 and above[0].startswith(start):
            yield above[0].removeprefix("interface "), lines


NEEDS = {
    r"router bgp .*": "feature bgp",
    r"interface Vlan.*": "feature interface-vlan",
    r"vn-segment .*": "feature vn-segment-vlan-based",
    r"interface nve1": "feature nv overlay",
    r"address-family l2vpn evpn": "nv overlay evpn",
    r"fabric forwarding .*": "feature fabric forwarding",
    r"(ip|ipv6) dhcp relay.*|service dhcp": "feature dhcp",
    r"bfd( multihop)?": "feature bfd",
    r"tacacs-server .*|aaa group server tacacs\+ .*": "feature tacacs+",
    r"sflow .*": "feature sflow",
    r"grpc .*": "feature grpc",
    r"nxapi .*": "feature nxapi",
}


def feature_missing(text: Text) -> bool:
    """A command whose feature is not on, or that stands before it."""
    top = text[()]
    order = [line for lines in text.values() for line in lines]
    on = {line for line in top if line.startswith(("feature ", "nv overlay"))}
    wanted = {feature for line in order for pattern, feature in NEEDS.items() if re.fullmatch(pattern, line)}
    first = next((at for at, line in enumerate(top) if line not in on and not line.startswith("hostname ")), len(top))
    return bool(wanted - on) or any(top.index(feature) > first for feature in on)


def feature_idle(text: Text) -> bool:
    """A feature that is on for nothing."""
    order = [line for lines in text.values() for line in lines]
    wanted = {feature for line in order for pattern, feature in NEEDS.items() if re.fullmatch(pattern, line)}
    on = {line for line in text[()] if line.startswith(("feature ", "nv overlay"))}
    own = {"feature lldp"} | ({"feature nv overlay"} if "nv overlay evpn" in on else set())
    own |= {"feature fabric forwarding", "feature vn-segment-vlan-based"} if "interface nve1" in text[()] else set()
    return bool(on - wanted - own)


def address_too_early(text: Text) -> bool:
    """An address before `no switchport` is refused, and one before `vrf member` is lost."""
    for name, lines in interfaces(text, "interface "):
        first = next((at for at, line in enumerate(lines) if re.match(r"(ip|ipv6) address", line)), None)
        after = lines[first:] if first is not None else []
        if any(line == "no switchport" or line.startswith("vrf member") for line in after):
            return True
        whole = re.fullmatch(r"Ethernet[\d/]+", name)
        if whole and first is not None and "no switchport" not in lines:
            return True
    return False


def _queue_policies(text: Text) -> Iterator[tuple[str, dict[str, list[str]]]]:
    for above in text:
        if len(above) == 1 and above[0].startswith("policy-map type queuing "):
            yield above[0].split()[-1], {line.split()[-1]: text[(*above, line)] for line in text[above]}


def _paused(text: Text) -> dict[str, str]:
    """Group that a pause is told for → priority."""
    found = {}
    for above, lines in text.items():
        match = re.fullmatch(r"class type network-qos c-8q-nq(\d)", above[-1]) if above else None
        for line in lines if match else ():
            if match and line.startswith("pause pfc-cos"):
                found[match[1]] = line.split()[-1]
    return found


def paused_not_marked(text: Text) -> bool:
    """A paused class that no packet is put into, or whose group is another than its priority."""
    groups = {line.split()[-1] for above, lines in text.items() for line in lines if line.startswith("set qos-group")}
    return any(group not in groups or group != priority for group, priority in _paused(text).items())


def paused_not_queued(text: Text) -> bool:
    """A paused class whose queue does not mark, or has no share in a policy of a lossless port."""
    policies = dict(_queue_policies(text))
    for _, lines in interfaces(text):
        if "priority-flow-control mode on" not in lines:
            continue
        used = [line.split()[-1] for line in lines if line.startswith("service-policy type queuing output")]
        if not used:
            return True
        for group in _paused(text):
            queue = policies[used[0]].get(f"c-out-8q-q{group}", [])
            if not any(line.endswith(" ecn") for line in queue) or not any("percent" in line for line in queue):
                return True
    return False


def pause_half_told(text: Text) -> bool:
    """Ports that pause, the watchdog on them and on the box, the marks and the classes of the box come together."""
    box = "priority-flow-control watch-dog-interval on" in text[()]
    network = any(lines for above, lines in text.items() if above == ("system qos",))
    for _, lines in interfaces(text):
        pauses = "priority-flow-control mode on" in lines
        watched = any(line.startswith("priority-flow-control watch-dog") for line in lines)
        marks = any(line.startswith("service-policy type qos input") for line in lines)
        if pauses != watched or (pauses and not (box and network and marks and _paused(text))):
            return True
    return False


def shares(text: Text) -> bool:
    """Shares that are not 100 together, or levels of strict queues that are not 1, 2, ... from the highest queue."""
    for _, queues in _queue_policies(text):
        lines = [line for found in queues.values() for line in found]
        percent = sum(int(line.split()[-1]) for line in lines if line.startswith("bandwidth remaining"))
        levels = [int(line.split()[-1]) for line in lines if line.startswith("priority level")]
        numbers = [name for name, found in queues.items() if any(line.startswith("priority") for line in found)]
        if percent != 100 or levels != [*range(1, len(levels) + 1)] or numbers != sorted(numbers, reverse=True):
            return True
    return False


def thresholds(text: Text) -> bool:
    """Marking that ends no later than it starts."""
    lines = [line for found in text.values() for line in found if line.startswith("random-detect")]
    return any(int(line.split()[2]) >= int(line.split()[5]) for line in lines)


def _evpn_maps(text: Text) -> set[str]:
    """Maps that EVPN sessions take on the way out."""
    found = set()
    for above, lines in text.items():
        if len(above) > 2 and above[-1] == "address-family l2vpn evpn":
            found |= {line.split()[1] for line in lines if line.startswith("route-map") and line.endswith("out")}
    return found


def next_hop_changed(text: Text) -> bool:
    """A switch without tunnels that puts itself in place of the far tunnel's end, or drops targets it does not use."""
    if "interface nve1" in text[()] or "nv overlay evpn" not in text[()]:
        return False
    kept = any("retain route-target all" in lines for above, lines in text.items() if above[-1:] == (EVPN,))
    for name in _evpn_maps(text):
        for above, lines in text.items():
            permits = len(above) == 1 and above[0].startswith(f"route-map {name} permit")
            if permits and "set ip next-hop unchanged" not in lines:
                return True
    return not kept


EVPN = "address-family l2vpn evpn"


def communities_lost(text: Text) -> bool:
    """An EVPN session that sends no route targets, or a session that sends no communities."""
    for above, lines in text.items():
        if len(above) < 2 or not above[-1].startswith("address-family") or not above[-2].startswith("neighbor"):
            continue
        if "send-community" not in lines or (above[-1] == EVPN and "send-community extended" not in lines):
            return True
    return False


def tunnel_end_hidden(text: Text) -> bool:
    """A tunnel whose source has no address, or one that BGP does not tell."""
    lines = text.get(("interface nve1",), [])
    for source in (line.split()[-1] for line in lines if line.startswith("source-interface")):
        own = text.get((f"interface {source}",), [])
        addresses = [line.split()[-1] for line in own if line.startswith("ip address")]
        told = [line for above, found in text.items() if len(above) == 2 and "router bgp" in above[0] for line in found]
        if not addresses or any(f"network {address}" not in told for address in addresses):
            return True
    return False


def balanced_not_routed(text: Text) -> bool:
    """Dynamic load balancing of a port that is not routed."""
    routed = {name for name, lines in interfaces(text) if "no switchport" in lines}
    listed = [line for lines in text.values() for line in lines if line.startswith("dlb-interface")]
    names = {f"Ethernet{name.removeprefix('Eth')}" for line in listed for name in line.split()[1].split(",")}
    return bool(names - routed)


RULES: Mapping[str, Callable[[Text], bool]] = {
    rule.__name__: rule
    for rule in (
        feature_missing,
        feature_idle,
        address_too_early,
        paused_not_marked,
        paused_not_queued,
        pause_half_told,
        shares,
        thresholds,
        next_hop_changed,
        communities_lost,
        tunnel_end_hidden,
        balanced_not_routed,
    )
}


def broken(text: str) -> list[str]:
    """Names of the rules that a text breaks."""
    read = blocks(text)
    return [name for name, rule in RULES.items() if rule(read)]
