"""BGP, policies, static routes.

Sources: NVUE reference, BGP, Policy, Router; 5.11 user guide, Basic and Optional BGP Configuration: timers 3 and 9, 10
s until a session is tried again, IPv4 is on for a neighbor unless it says otherwise, a family must be on in the VRF,
`reestablish-wait` in seconds; VRF route leaking. FRR is started with the profile datacenter there: no policy, no
refusal.
"""

from collections.abc import Callable, Iterator, Mapping

from fabricgen.platforms.cumulus.readback.nvue import Nvue
from fabricgen.platforms.cumulus.readback.tree import ON, Tree
from fabricgen.platforms.linux.readback.bgp import ANY_OWN_AS, OWN_AS, UNTIL_CLEARED, Peer, Speaker
from fabricgen.platforms.linux.readback.policy import KNOWN_COMMUNITIES, Statement, prefix_range
from fabricgen.platforms.linux.readback.words import host, number, prefix
from fabricgen.readback.intended import in_vrf
from fabricgen.readback.rows import Value, reference

FAMILIES = {"ipv4-unicast": "ipv4", "ipv6-unicast": "ipv6", "l2vpn-evpn": "evpn"}
SECONDS = 60
TIMERS, CONNECT = (3, 9, 0), 10
BFD_DEFAULTS = {"detect-multiplier": 3, "min-rx-interval": 300, "min-tx-interval": 300}


def put_routing(nvue: Nvue) -> None:
    """Read `vrf` and `router` into speakers and policies; static routes are rows at once."""
    whole = nvue.root.take("router", "bgp")
    nvue.leaf(whole, "router bgp", nvue.switch)
    _bfd(nvue, nvue.root.take("router", "bfd"))
    for name, row in nvue.root.take("vrf").each():
        vrf = "" if name == "default" else name
        _static(nvue, vrf, row.take("router", "static"))
        bgp = row.take("router", "bgp")
        if nvue.on(bgp).is_on:
            nvue.conf.speakers[vrf] = _speaker(nvue, vrf, bgp, whole)
    _policies(nvue, nvue.root.take("router", "policy"))


def _bfd(nvue: Nvue, bfd: Tree) -> None:
    """BFD and its profiles, from 5.15 on: 300 ms by 3 by itself (515 BFD)."""
    nvue.leaf(bfd, "router bfd", "state")
    for name, row in bfd.take("profile").each():
        times = [nvue.number(row.take(key), default) for key, default in BFD_DEFAULTS.items()]
        if times == [*BFD_DEFAULTS.values()]:
            nvue.bfd_profiles.add(name)
        else:
            row.refuse()
        nvue.leaf(row, f"router bfd profile {name}", "minimum-ttl")


def _static(nvue: Nvue, vrf: str, tree: Tree) -> None:
    for text, row in tree.each():
        name, hops = prefix(text), [(hop, said) for hop, said in row.take("via").each()]
        family = row.take("address-family")
        if family.value not in ("ipv6-unicast" if ":" in name else "ipv4-unicast", ""):
            family.refuse()
        if not name or len(hops) != 1:
            row.refuse()
            continue
        hop, said = hops[0]
        kind = said.text("type")
        discard = hop == "blackhole" or kind == "blackhole"
        nvue.put("static-route", in_vrf(vrf, name), "next-hop", "discard" if discard else host(hop) or hop, said.line)


def _speaker(nvue: Nvue, vrf: str, bgp: Tree, whole: Tree) -> Speaker:
    speaker = Speaker(vrf, bgp.line, nvue.file, timers=TIMERS, connect=CONNECT, needs_policy=False, in_order=False)
    asn = bgp.take("autonomous-system") or whole.take("autonomous-system")
    speaker.asn, speaker.line = nvue.number(asn), asn.line or bgp.line
    router_id = bgp.take("router-id") or whole.take("router-id")
    speaker.router_id = (host(router_id.value), router_id.line)
    wait = whole.take("wait-for-install")
    speaker.wait_install = (wait.is_on, wait.line)
    timers = bgp.take("timers")
    keepalive, hold = timers.take("keepalive"), timers.take("hold")
    speaker.timers = (nvue.number(keepalive, TIMERS[0]), nvue.number(hold, TIMERS[1]), timers.line)
    paths = bgp.take("path-selection", "multipath")
    relaxed = paths.take("aspath-ignore")
    speaker.relaxed = (relaxed.is_on, relaxed.line or paths.line)
    nvue.leaf(paths, in_vrf(vrf, "multipath"), "bandwidth")
    families = dict(bgp.take("address-family").each())
    enabled = {FAMILIES[name]: nvue.on(row) for name, row in families.items() if name in FAMILIES}
    speaker.speaks = frozenset(family for family, said in enabled.items() if said.is_on)
    speaker.turned_off = {family: said.line for family, said in enabled.items() if not said.is_on}
    for name, row in families.items():
        _family(nvue, speaker, name, row)
    _targets(speaker, bgp)
    for name, row in bgp.take("peer-group").each():
        peer = speaker.peer(name, row.line)
        peer.is_group, peer.port = True, False
        _peer(nvue, peer, row)
    for name, row in bgp.take("neighbor").each():
        peer = speaker.peer(name, row.line)
        _peer(nvue, peer, row)
        kind = row.take("type")
        peer.port = kind.value == "unnumbered"
        if kind.value not in ("numbered", "unnumbered", ""):
            kind.refuse()
    return speaker


def _family(nvue: Nvue, speaker: Speaker, name: str, row: Tree) -> None:
    family = FAMILIES.get(name)
    if family is None:
        row.refuse()
        return
    paths = row.take("multipaths", "ebgp")
    speaker.blocks[family] = row.line
    if paths:
        speaker.paths[family] = (nvue.number(paths), paths.line)
    _networks(speaker, row.take("network"))
    for source, said in row.take("redistribute").each():
        if nvue.on(said).is_on:
            speaker.redistributes.append((source, family, said.text("route-map"), said.line))
    if nvue.on(row, "route-export", "to-evpn").is_on:
        nvue.say(in_vrf(speaker.vrf, f"advertise {family} unicast"), row.line)
    _leaks(nvue, speaker, family, row.take("route-import", "from-vrf"))


def _leaks(nvue: Nvue, speaker: Speaker, family: str, leaks: Tree) -> None:
    """VRFs of this switch whose routes are taken over."""
    said = nvue.on(leaks)
    if leaks and (said.is_on or not said):
        for other, said in leaks.take("list").each():
            speaker.leaks.setdefault(other, {})[family] = said.line
        chosen = leaks.take("route-map")
        if chosen:
            speaker.import_maps[family] = (chosen.value, chosen.line)


def _networks(speaker: Speaker, tree: Tree) -> None:
    for text, said in tree.each():
        found = prefix(text)
        if found:
            speaker.networks.append((found, said.line))
        else:
            said.refuse()


def _targets(speaker: Speaker, bgp: Tree) -> None:
    rd = bgp.take("rd")
    speaker.rd = (rd.value, rd.line)
    for path, found in (
        (("route-import", "from-evpn", "route-target"), speaker.imports),
        (("route-export", "to-evpn", "route-target"), speaker.exports),
    ):
        found += [(text, said.line) for text, said in bgp.take(*path).each()]


def _peer(nvue: Nvue, peer: Peer, row: Tree) -> None:
    peer.group = row.text("peer-group")
    for key, setting in TEXTS.items():
        text = row.take(key)
        if text:
            peer.own[setting] = (TAKEN.get(setting, str)(text.value), text.line)
    for flags, setting in FLAGS.items():
        flag = row.take(*flags)
        if flag:
            peer.own[setting] = (flag.is_on is not (setting == "enabled"), flag.line)
    bfd = row.take("bfd", "profile") if nvue.is_renamed else nvue.on(row, "bfd")
    if bfd:
        is_known = bfd.value in nvue.bfd_profiles if nvue.is_renamed else bfd.is_on
        peer.own["bfd"] = (is_known, bfd.line)
    _peer_numbers(nvue, peer, row)
    _peer_families(nvue, peer, row)


def _peer_numbers(nvue: Nvue, peer: Peer, row: Tree) -> None:
    """What is a count; hops of TTL security count where it is on."""
    for path, setting in NUMBERS.items():
        count = row.take(*path)
        if count:
            peer.own[setting] = (nvue.number(count), count.line)
    if not nvue.on(row, "ttl-security").is_on:
        peer.own.pop("ttl-hops", None)


def _peer_families(nvue: Nvue, peer: Peer, row: Tree) -> None:
    for name, said in row.take("address-family").each():
        family = FAMILIES.get(name)
        if family is None:
            said.refuse()
        else:
            _peer_family(nvue, peer, family, said)


def _asn(text: str) -> Value:
    found = number(text)
    return text if found is None else found


def _address(text: str) -> Value:
    return host(text) or text


TEXTS = {
    "remote-as": "remote-as",
    "description": "description",
    "update-source": "source",
    "password": "password",
}
TAKEN: Mapping[str, Callable[[str], Value]] = {"remote-as": _asn, "source": _address, "password": reference}
FLAGS: Mapping[tuple[str, ...], str] = {
    ("capabilities", "extended-nexthop"): "extended-next-hop",
    ("shutdown",): "enabled",
}
NUMBERS: Mapping[tuple[str, ...], str] = {
    ("multihop-ttl",): "multihop",
    ("ttl-security", "hops"): "ttl-hops",
    ("timers", "keepalive"): "keepalive",
    ("timers", "hold"): "hold",
    ("timers", "connection-retry"): "connect",
}


def _peer_family(nvue: Nvue, peer: Peer, family: str, row: Tree) -> None:
    peer.blocks[family] = row.line
    enabled = nvue.on(row)
    if enabled:
        peer.families[family, "activate"] = (enabled.is_on, enabled.line)
    for way, setting in (("inbound", "map-in"), ("outbound", "map-out")):
        name = row.take("policy", way, "route-map")
        if name:
            peer.families[family, setting] = (name.value, name.line)
    limit = row.take("prefix-limits", "inbound", "maximum")
    if limit and limit.value != "none":
        peer.families[family, "maximum"] = (nvue.number(limit), limit.line)
        wait = row.take("prefix-limits", "inbound", "reestablish-wait")
        only = row.take("prefix-limits", "inbound", "warning-only").is_on
        closed = nvue.number(wait) // SECONDS if wait else UNTIL_CLEARED
        peer.families[family, "restart"] = (0 if only else closed, wait.line or limit.line)
    hop = row.take("nexthop-setting")
    if hop:
        peer.families[family, "unchanged"] = (hop.value in ("auto",) and family == "evpn", hop.line)
    kept = row.take("attribute-mod", "nexthop")
    if kept:
        peer.families[family, "unchanged"] = (not kept.is_on, kept.line)
    _loops(nvue, peer, family, row.take("aspath"))
    extended = row.take("community-advertise", "extended")
    if extended:
        peer.families[family, "extended"] = (extended.is_on, extended.line)


def _loops(nvue: Nvue, peer: Peer, family: str, path: Tree) -> None:
    """What weakens the check of AS loops (NVUE reference, BGP: aspath; FRR's default of 3 times)."""
    takes = path.take("allow-my-asn")
    on, origin = nvue.on(takes), takes.take("origin")
    times = nvue.number(takes.take("occurrences"), OWN_AS)
    if on or takes:
        is_taken = on.is_on if on else True
        most = ANY_OWN_AS if origin and origin.is_on else times
        peer.families[family, "own-as"] = (most if is_taken else 0, on.line or takes.line)
    replaced, private = path.take("replace-peer-as"), path.take("private-as")
    if replaced:
        peer.families[family, "as-override"] = (replaced.is_on, replaced.line)
    if private.value in ("none", "remove", "replace"):
        peer.families[family, "remove-private-as"] = (private.value != "none", private.line)
    elif private:
        private.refuse()


# --- policies -------------------------------------------------------------------------------------------------------


def _policies(nvue: Nvue, tree: Tree) -> None:
    found = nvue.conf.policies
    for name, row in tree.take("community-list").each():
        for _, rule in _rules(row):
            members = {text: said.line for text, said in rule.take("community").each()}
            if rule.text("action") != "permit" or len(members) != 1:
                rule.refuse()
                continue
            known = {KNOWN_COMMUNITIES.get(text, text): line for text, line in members.items()}
            found.communities.setdefault(name, {}).update(known)
    _prefixes(nvue, tree.take("prefix-list"))
    for name, row in tree.take("route-map").each():
        for sequence, rule in _rules(row):
            _map_rule(nvue, name, sequence, rule)


def _prefixes(nvue: Nvue, tree: Tree) -> None:
    for name, row in tree.each():
        family = row.text("type") or "ipv4"
        for _, rule in _rules(row):
            for text, said in rule.take("match").each():
                longest, shortest = number(said.text("max-prefix-len")), number(said.text("min-prefix-len"))
                entry = prefix_range(text, shortest, longest)
                if rule.text("action") != "permit" or entry is None:
                    rule.refuse()
                else:
                    nvue.conf.policies.add_prefix(family, name, entry, said.line)


def _rules(row: Tree) -> Iterator[tuple[int, Tree]]:
    """Rules in the order of their numbers."""
    rows = [(number(key), rule) for key, rule in row.take("rule").each()]
    for sequence, rule in rows:
        if sequence is None:
            rule.refuse()
    yield from sorted(((key, rule) for key, rule in rows if key is not None), key=lambda found: found[0])


def _map_rule(nvue: Nvue, name: str, sequence: int, rule: Tree) -> None:
    said = {key: row.line for key, row in rule.take("action").each()}
    actions = list(said) or [rule.text("action")]
    if actions not in (["permit"], ["deny"]):
        rule.refuse()
        return
    entry = nvue.conf.policies.statement(name, sequence, rule.line, permit=actions == ["permit"])
    entry.parts["permit"] = said.get(actions[0], rule.take("action").line)
    match = rule.take("match")
    community, prefixes = match.take("community-list"), match.take("ip-prefix-list")
    family = match.text("type") or "ipv4"
    if community:
        entry.match_community(community.value, community.line)
    if prefixes:
        entry.match_prefixes(family, prefixes.value, prefixes.line)
    _sets(nvue, f"{name} {sequence}", entry, rule.take("set"))


def _sets(nvue: Nvue, name: str, entry: Statement, sets: Tree) -> None:
    communities = {text: said.line for text, said in sets.take("community").each()}
    if communities:
        entry.set_all(communities, sets.take("community").line, replace=True)
    preference = sets.take("local-preference")
    if preference:
        entry.local_preference = nvue.number(preference, -1)
        entry.parts["local_preference"] = preference.line
    bandwidth = sets.take("ext-community-bw")
    if bandwidth.value == "multipaths":
        entry.set_paths = True
        entry.parts["set_paths"] = bandwidth.line
    elif bandwidth:
        bandwidth.refuse()
    hop = sets.take("ipv6-nexthop-prefer-global")
    if hop.value in ON:
        nvue.say(f"{name}: ipv6-nexthop-prefer-global", hop.line)
