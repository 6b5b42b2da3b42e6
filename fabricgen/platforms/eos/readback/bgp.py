"""BGP of EOS: sessions as they are after their peer groups.

Sources: manual, BGP: a neighbor has the settings of its peer group where it has none of its own, `no neighbor` takes a
group's setting back; `timers bgp` 60 and 180; `neighbor maximum-routes` 12000; `maximum-paths` 1; `ebgp-multihop` alone
is 255; `send-community` alone sends all kinds; IPv4 is activated for every neighbor until `no bgp default
ipv4-unicast`. A route map of the neighbor acts on every family that is active; one in a family on that family alone
(PyAVD 6.4.0, router_bgp). A session without a map permits every route (TOI of 2017, default policy). Batfish lets the
neighbor's map win over one of its group in the family; so does this module, and a map of the family wins over one of
the same neighbor [unsure: no text on EOS says it]. `allowas-in [N]` takes the own AS number in paths, 3 times without
N; it and `remove-private-as` are of the neighbor (PyAVD 6.4.0, router_bgp) or of a family, `as-path remote-as replace
out` puts the own AS number in place of the peer's (netlab, extra/ebgp.utils/eos.j2).
`neighbor interface Et1 peer-group G remote-as N` is a session over a link without addresses; the AS number may be the
group's, and ranges of ports are one line (recorded cEOS 4.36; PyAVD 6.4.0, neighbor_interfaces).
"""

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from fabricgen.platforms.eos.readback.names import loopback, port
from fabricgen.readback import addresses
from fabricgen.readback.forms import Forms, Reader, Said, State, add, idle, merged, opens, put
from fabricgen.readback.intended import in_vrf
from fabricgen.readback.policy import without_policy
from fabricgen.readback.route_maps import RouteMaps
from fabricgen.readback.rows import FAMILIES, Key, Part, Row, Value, reference
from fabricgen.readback.words import asn, odd_one, target

KEEPALIVE, HOLD = 60, 180
MAXIMUM_ROUTES = 12000
MULTIHOP = 255
OWN_AS = 3
"""Times that the own AS number may be in a path by `allowas-in` alone (manual, neighbor allowas-in)."""
LOOPS = ("own-as", "as-override", "remove-private-as")
"""What weakens the check of AS loops, of a neighbor or of a family of it."""
UNTIL_CLEARED = "until it is cleared"

Peer = dict[str, Said]
Rows = Iterator[tuple[str, Value, int]]


def _kinds(text: str | None) -> frozenset[str] | None:
    """Kinds of communities that are sent."""
    words = (text or "").split()
    known = {"standard", "extended", "large"}
    return None if not known.issuperset(words) else frozenset(words or known)


def _source(text: str) -> int | None:
    return loopback(text)


PEER = Forms(
    {
        "peer group": put("is-group", True),
        "peer group <w>": put("group"),
        "peer-group": put("is-group", True),
        "peer-group <w>": put("group"),
        "remote-as <w>": put("remote-as", by=asn),
        "description <l>": put("description"),
        "shutdown": put("enabled", False),
        "timers <n> <n>": put("timers"),
        "route-map <w> (in|out)": put("route-map"),
        "send-community(?: ((?:standard|extended|large)(?: (?:standard|extended|large))*))?": put(
            "communities", by=_kinds
        ),
        "bfd": put("bfd", True),
        "fall-over bfd": put("bfd", True),
        "ebgp-multihop": put("multihop", MULTIHOP),
        "ebgp-multihop <n>": put("multihop"),
        "ttl maximum-hops <n>": put("ttl-hops"),
        "update-source <w>": put("source", by=_source),
        "maximum-routes <n>( warning-only)?": put("maximum"),
        r"maximum-routes <n> warning-limit \d+(?: percent)?( warning-only)?": put("maximum"),
        "idle-restart-timer <n>": put("idle"),
        "next-hop-unchanged": put("unchanged", True),
        "activate": put("active", True),
        "allowas-in": put("own-as", OWN_AS),
        "allowas-in <n>": put("own-as"),
        "as-path remote-as replace out": put("as-override", True),
        "remove-private-as(?: all(?: replace-as)?)?": put("remove-private-as", True),
        "next-hop address-family ipv6 originate": put("extended", True),
    },
    keep=True,
)
TAKEN_BACK: dict[str, tuple[str, Any]] = {
    "shutdown": ("enabled", True),
    "bfd": ("bfd", False),
    "fall-over bfd": ("bfd", False),
    "activate": ("active", False),
    "allowas-in": ("own-as", 0),
    "as-path remote-as replace out": ("as-override", False),
    "remove-private-as": ("remove-private-as", False),
    "next-hop-unchanged": ("unchanged", False),
    "send-community": ("communities", frozenset()),
    "route-map in": ("route-map-in", ""),
    "route-map out": ("route-map-out", ""),
    "ebgp-multihop": ("multihop", 0),
    "ttl maximum-hops": ("ttl-hops", 0),
    "update-source": ("source", -1),
    "timers": ("timers", (KEEPALIVE, HOLD)),
    "maximum-routes": ("maximum", (MAXIMUM_ROUTES, None)),
    "next-hop address-family ipv6 originate": ("extended", False),
}
"""What `no neighbor X` of these words sets."""


def _paths(count: int, ecmp: int | None) -> int:
    """A prefix has at most this many paths, and at most so many of one metric (manual, maximum-paths)."""
    return count if ecmp is None else min(count, ecmp)


def _network(text: str) -> str | None:
    return addresses.prefix(text)


def _masked_network(text: str, mask: str) -> str | None:
    whole = addresses.slashed(text, mask)
    return None if whole is None else addresses.prefix(whole)


def _target(way: str, text: str) -> tuple[str, str] | None:
    found = target(text)
    return None if found is None else (way, found)


def _setting_line(name: str, rest: str) -> tuple[str, str, str]:
    return "", name, rest


def _removed_setting(name: str, rest: str) -> tuple[str, str, str]:
    return "no", name, rest


NEIGHBORS = {
    r"neighbor (?!interface )<w> (\S.*)": add("peer", by=_setting_line),
    r"no neighbor <w> (\S.*)": add("peer", by=_removed_setting),
}
NETWORKS = {"network <p>": add("network", by=_network), "network <a> mask <a>": add("network", by=_masked_network)}


def _flaps(window: int, moves: int, expiry: int | None) -> tuple[int, int, int]:
    return moves, window, expiry or 0


FAMILY = Forms(
    {
        **NEIGHBORS,
        **NETWORKS,
        "host-flap detection window <n> threshold <n>(?: expiry timeout <n> seconds)?": put("flaps", by=_flaps),
    }
)
MAC_VRF = {
    "rd <w>": put("rd"),
    "route-target (both|import|export) <w>": add("target", by=_target),
    "redistribute learned": put("learned", True),
}
SPEAKER = {
    **NEIGHBORS,
    r"router-id ([\d.]+)": put("router-id"),
    "maximum-paths <n>(?: ecmp <n>)?": put("paths", by=_paths),
    "timers bgp <n> <n>": put("timers"),
    "bgp default ipv4-unicast": put("ipv4", True),
    "no bgp default ipv4-unicast": put("ipv4", False),
    "address-family (ipv4|ipv6|evpn)": opens("family", FAMILY),
    **NETWORKS,
}
VRF = Forms(
    SPEAKER,
    {
        "rd <w>": put("rd"),
        "route-target (both|import|export) (?:evpn )?(?!route-map )<w>": add("target", by=_target),
        "route-target import evpn route-map <w>": put("import-map"),
    },
)
BGP = Forms(
    SPEAKER,
    {
        "update wait-install(?: batch)?": put("wait-install", True),
        "distance bgp <n> <n> <n>": put("distance"),
        "neighbor interface <w> peer-group <w>(?: remote-as <w>)?": add("link"),
        "vlan <n>": opens("vlan", Forms(MAC_VRF)),
        "vlan-aware-bundle <w>": opens("bundle", Forms(MAC_VRF, {"vlan ([0-9,-]+)": put("vlans")})),
        "vrf <w>": opens("vrf", VRF),
        "neighbor default encapsulation vxlan": idle("the system's default"),
    },
)
ROOT = {"router bgp <w>": opens("bgp", BGP, by=asn)}
"""Forms of the top level."""


class Speaker:
    """The sessions and networks of one VRF, or of the default one."""

    def __init__(self, state: State, vrf: str, reader: Reader, above: "Speaker | None" = None) -> None:
        self.state, self.vrf, self._reader, self._above = state, vrf, reader, above
        self.peers = self._read(state)
        self.families: dict[str, dict[str, Peer]] = {}
        for part in state.states("family"):
            self.families.setdefault(part.value, {}).update(self._read(part))
        self._of_group: dict[tuple[Any, ...], list[tuple[str, Row]]] = {}

    def _read(self, state: State) -> dict[str, Peer]:
        """Name of a peer or a group → what it says."""
        found: dict[str, Peer] = {}
        for (no, name, rest), line in state.all("peer"):
            peer = found.setdefault(name, {})
            if not no and rest.startswith("password "):
                peer["password"] = (_password(rest), line)
                continue
            if no:
                said = TAKEN_BACK.get(rest)
                if said is None:
                    self._reader.unread_line(line)
                else:
                    peer[said[0]] = (said[1], line)
                continue
            known = PEER.once(rest)
            if known is None:
                self._reader.unread_line(line)
                continue
            key, value = known.key, known.value
            if key == "route-map":
                key, value = f"route-map-{value[1]}", value[0]
            peer[key] = (value, line)
        return found

    @property
    def default_ipv4(self) -> bool:
        """Whether IPv4 is active without a word."""
        own = self.state.one.get("ipv4")
        if own is None and self._above is not None:
            return self._above.default_ipv4
        return own is None or bool(own[0])

    def group(self, name: str) -> Peer:
        """Settings of a group; groups of the default VRF are known in all."""
        return self.peers.get(name) or (self._above.group(name) if self._above is not None else {})

    def sessions(self) -> Iterator[tuple[str, int, Peer]]:
        """Far end, line and own settings of each session."""
        for name, peer in self.peers.items():
            far = addresses.address(name)
            if far is not None:
                yield far, _first_line(peer), peer
            elif "is-group" not in peer:
                for _, line in peer.values():
                    self._reader.unread_line(line)
        yield from self._links()

    def _links(self) -> Iterator[tuple[str, int, Peer]]:
        """Sessions over links without addresses."""
        for (ports, group, remote), line in self.state.all("link"):
            own: Peer = {"group": (group, line)}
            if remote is not None:
                own["remote-as"] = (asn(remote), line)
            if own.get("remote-as", (0,))[0] is None:
                self._reader.unread_line(line)
                continue
            for name in _ports(ports):
                yield name, line, own

    def rows(self, policies: RouteMaps) -> None:
        """Rows of all sessions and networks."""
        reading = self._reader.reading
        for name, line, peer in self.sessions():
            thing = in_vrf(self.vrf, name)
            reading.add_all("session", thing, self._session(name, line, peer, policies))
            self._needs(thing, peer)
        for said, line in chain(self.state.all("network"), *map(self._networks, self.state.states("family"))):
            self._reader.put("network", in_vrf(self.vrf, said), "originated", True, line)
        for family in self.state.states("family"):
            if "flaps" in family.one and family.value == "evpn" and not self.vrf:
                self._reader.put("vtep", "", "duplicate-mac", *family.one["flaps"])
            elif "flaps" in family.one:
                self._reader.unread_line(family.line("flaps"))

    def _networks(self, family: State) -> Iterator[Said]:
        """Networks of a family; one of another is not understood [unsure: no text says that EOS refuses it]."""
        for said, line in family.all("network"):
            if addresses.family_of(said) == family.value:
                yield said, line
            else:
                self._reader.unread_line(line)

    def _needs(self, thing: str, peer: Peer) -> None:
        group = self.group(peer["group"][0]) if "group" in peer else {}
        said = peer.get("communities") or group.get("communities")
        if said is not None and "standard" in said[0]:
            self._reader.needed(f"{thing}: sends standard communities", said[1])

    def _session(self, name: str, line: int, peer: Peer, policies: RouteMaps) -> list[tuple[str, Row]]:
        """Rows of a session. Those that its group alone decides are made once for all that are alike."""
        file = self._reader.file
        group_name = peer["group"][0] if "group" in peer else ""
        of_group = self.group(group_name)
        rows: list[tuple[str, Row]] = []
        for setting in ("description", "remote-as"):
            own = peer.get(setting) or of_group.get(setting)
            if own is not None:
                rows.append((setting, Row(own[0], file, own[1])))
        alike = OWN_ALONE.issuperset(peer) and not any(name in peers for peers in self.families.values())
        key = (group_name,) if alike and group_name else (group_name, name)
        if key not in self._of_group:
            both = {**of_group, **peer}
            self._of_group[key] = [
                self._families_row(name, group_name, line),
                *(
                    (setting, Row(value, file, said))
                    for setting, value, said in self._effective(name, group_name, both, line, policies)
                ),
            ]
        return rows + self._of_group[key]

    def _effective(self, name: str, group: str, both: Peer, line: int, policies: RouteMaps) -> Rows:
        families = [family for family in FAMILIES if self._active(name, group, family)]
        enabled = both.get("enabled", (True, line))
        yield "enabled", *enabled
        for family in families:
            yield from self._policies(name, group, family, both, line, policies)
            yield from self._loops(name, group, family, both)
        yield from self._limit(families, both, line)
        (keepalive, hold), said = both.get("timers") or self._timers(line)
        yield "keepalive", keepalive, said
        yield "hold", hold, said
        for key, setting in (
            ("bfd", "bfd"),
            ("multihop", "multihop"),
            ("ttl-hops", "ttl-hops"),
            ("source", "source"),
            ("unchanged", "next-hop-unchanged"),
        ):
            if key in both:
                yield setting, *both[key]
        if "password" in both:
            yield "password", *both["password"]
        if "communities" in both:
            kinds, said = both["communities"]
            yield "extended-communities", "extended" in kinds, said
        extended = self._of_family("ipv4", name, group, "extended")
        if extended is not None:
            yield "extended-next-hop", *extended

    def _timers(self, line: int) -> Said:
        own = self.state.one.get("timers")
        if own is None and self._above is not None:
            own = self._above.state.one.get("timers")
        return own or ((KEEPALIVE, HOLD), line)

    def _of_family(self, family: str, name: str, group: str, key: str) -> Said | None:
        peers = self.families.get(family, {})
        said = peers.get(name, {}).get(key) or peers.get(group, {}).get(key)
        if said is None and self._above is not None and group and group not in self.peers:
            return self._above._of_family(family, "", group, key)
        return said

    def _active(self, name: str, group: str, family: str) -> bool:
        said = self._of_family(family, name, group, "active")
        return bool(said[0]) if said is not None else family == "ipv4" and self.default_ipv4

    def _families_row(self, name: str, group: str, line: int) -> tuple[str, Row]:
        """Families that are active. A family without a line of the session has that of its block."""
        found = {family: self._of_family(family, name, group, "active") for family in FAMILIES}
        said: dict[Part, int] = {family: one[1] for family, one in found.items() if one is not None}
        blocks: dict[Part, int] = {state.value: state.number for state in self.state.states("family")}
        active = [family for family in FAMILIES if self._active(name, group, family)]
        first = next((said[family] for family in active if family in said), line)
        return "families", Row(frozenset(active), self._reader.file, first, {**blocks, **said})

    def _policies(self, name: str, group: str, family: str, both: Peer, line: int, policies: RouteMaps) -> Rows:
        peers, own = self.families.get(family, {}), self.peers.get(name, {})
        for way in ("in", "out"):
            key = f"route-map-{way}"
            said = peers.get(name, {}).get(key) or own.get(key) or peers.get(group, {}).get(key) or both.get(key)
            if said is None or not said[0]:
                yield f"policy-{way}.{family}", without_policy(), line
            else:
                yield f"policy-{way}.{family}", policies.of(said[0], family), said[1]

    def _loops(self, name: str, group: str, family: str, both: Peer) -> Rows:
        for key in LOOPS:
            said = self._of_family(family, name, group, key) or both.get(key)
            if said is not None:
                yield f"{key}.{family}", *said

    def _limit(self, families: list[str], both: Peer, line: int) -> Rows:
        (most, warning), said = both.get("maximum", ((MAXIMUM_ROUTES, None), line))
        for family in families:
            yield f"maximum-routes.{family}", most, said
        if warning is None and most:
            seconds, said = both.get("idle", (0, said))
            yield "restart", _minutes(seconds), said


OWN_ALONE = frozenset({"group", "remote-as", "description"})
"""Settings of a neighbor that leave all others to its group."""


def _first_line(peer: Peer) -> int:
    said = peer.get("remote-as")
    return said[1] if said is not None else min((line for _, line in peer.values()), default=0)


def _minutes(seconds: int) -> Value:
    if not seconds:
        return UNTIL_CLEARED
    return f"{seconds} s" if seconds % 60 else seconds // 60


def _password(rest: str) -> str:
    """A reference, or that a value is there: `password [0 | 7 | 8a] SECRET`."""
    return reference(re.sub(r"password (?:(?:0|7|8a) )?", "", " ".join(rest.split()), count=1))


def _ports(text: str) -> Iterator[str]:
    """Et1-4, Et49/1: ranges are of the last number (PyAVD 6.4.0, neighbor_interfaces)."""
    for part in text.split(","):
        first, sign, last = part.rpartition("-")
        name = port(first if sign and last.isdigit() else part)
        if name is None:
            continue
        begin = name[len(name.rstrip("0123456789")) :]
        if not sign or not last.isdigit() or not begin or len(last) > 4:
            yield name
            continue
        stem = name[: -len(begin)]
        yield from (f"{stem}{number}" for number in range(int(begin), min(int(last), int(begin) + 1024) + 1))


def rows(root: State, policies: RouteMaps, reader: Reader) -> State:
    """All of BGP; gives back the block for what the overlay needs."""
    found = merged(root.states("bgp"))
    state = next(iter(found.values()), State())
    for other in list(found.values())[1:]:
        reader.unread_line(other.number)
    if not state.number:
        return state
    reader.put("bgp", "", "asn", state.value, state.number)
    for key, setting in (("router-id", "router-id"), ("wait-install", "wait-install")):
        if key in state.one:
            reader.put("bgp", "", setting, *state.one[key])
    reader.put("bgp", "", "maximum-paths", state.get("paths", 1), state.line("paths"))
    if "distance" in state.one:
        numbers, line = state.one["distance"]
        reader.needed(f"distance bgp {' '.join(map(str, numbers))}", line)
    speaker = Speaker(state, "", reader)
    speaker.rows(policies)
    _vrfs(state, speaker, policies, reader)
    return state


def _vrfs(state: State, speaker: Speaker, policies: RouteMaps, reader: Reader) -> None:
    paths: list[tuple[int, int]] = []
    for name, vrf in merged(state.states("vrf")).items():
        Speaker(vrf, name, reader, speaker).rows(policies)
        paths.append((vrf.get("paths", 1), vrf.line("paths")))
        if "router-id" in vrf.one and vrf.get("router-id") != state.get("router-id"):
            reader.unread_line(vrf.line("router-id"))
        if "rd" in vrf.one:
            reader.put("vrf", name, "rd", *vrf.one["rd"])
        for way, setting in (("import", "imports"), ("export", "exports")):
            targets(reader, Key("vrf", name, setting), vrf, way)
        if "import-map" in vrf.one:
            named, line = vrf.one["import-map"]
            reader.put("vrf", name, "import-policy", policies.whole(named), line)
    if paths:
        reader.put("bgp", "", "overlay-paths", *odd_one(paths))


def targets(reader: Reader, key: Key, state: State, way: str) -> None:
    """Route targets of one way."""
    rows = ((said, line) for (direction, said), line in state.all("target") if direction in (way, "both"))
    reader.put_set(key, rows)
