"""The text of frr.conf, line by line, as vtysh reads it: a line belongs to the innermost block that knows its words.

Indentation means nothing (docs.frrouting.org, vtysh: a line that a block does not know is tried in the blocks around
it). Sources of the words: docs.frrouting.org, BGP, EVPN, Filtering, Route Maps, Static Routes, Zebra, Basic Setup;
FRR's source where a comment says so.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from fabricgen.platforms.linux.frr_releases import LAST_DISTANCE
from fabricgen.platforms.linux.readback.bgp import ANY_OWN_AS, MOST_HOPS, OWN_AS, UNTIL_CLEARED, Peer, Speaker
from fabricgen.platforms.linux.readback.policy import (
    KNOWN_COMMUNITIES,
    Policies,
    Statement,
    fewer_paths,
    prefix_range,
)
from fabricgen.platforms.linux.readback.words import host, interface, is_link_local, number, prefix
from fabricgen.readback.addresses import family_of
from fabricgen.readback.intended import in_vrf
from fabricgen.readback.rows import Reading, TextLine, reference

Words = Sequence[str]
PROFILES = {"datacenter": ((3, 9), 10, False), "traditional": ((60, 180), 120, True)}
"""Keepalive and hold, seconds until a closed session is tried again, whether a session outside needs a policy
(docs.frrouting.org, Basic Setup: profiles; bgpd/bgp_vty.c, FRR_CFG_DEFAULT_ULONG and _BOOL)."""
IDLE: Mapping[str, Mapping[tuple[str, ...], str]] = {
    "top": {
        ("Building", "configuration..."): "what vtysh prints ahead of a configuration",
        ("Current", "configuration:"): "what vtysh prints ahead of a configuration",
        ("frr", "version"): "release that wrote the file",
        ("log",): "where FRR logs to",
        ("no", "log"): "where FRR logs to",
        ("service", "integrated-vtysh-config"): "FRR keeps all in one file",
        ("no", "service", "integrated-vtysh-config"): "FRR keeps each daemon's part in its own file",
        ("service", "password-encryption"): "how FRR shows its own passwords",
        ("debug",): "what FRR logs",
        ("no", "debug"): "what FRR logs",
        ("password",): "a password of FRR's own terminal",
        ("enable", "password"): "a password of FRR's own terminal",
        ("username",): "an account of FRR's own terminal",
        ("agentx",): "FRR answers SNMP questions",
        ("line", "vty"): "FRR's own terminal",
        ("ip", "forwarding"): "packets are forwarded, which is the default",
        ("ipv6", "forwarding"): "packets are forwarded, which is the default",
        ("ip", "nht", "resolve-via-default"): "what next hops are resolved by, the default of datacenter",
        ("ipv6", "nht", "resolve-via-default"): "what next hops are resolved by, the default of datacenter",
        ("no", "ipv6", "forwarding"): "",
        ("bgp", "route-map", "delay-timer"): "how soon a changed map counts",
        ("route-map", "optimization"): "how a map is looked up",
    },
    "router": {
        ("bgp", "log-neighbor-changes"): "what FRR logs",
        ("no", "bgp", "log-neighbor-changes"): "what FRR logs",
        ("bgp", "network", "import-check"): "the default",
        ("bgp", "deterministic-med"): "the default of datacenter: equal routes of one AS",
    },
    "family": {},
    "interface": {
        ("ipv6", "nd", "ra-interval"): "how often a router advertisement is sent",
        ("no", "ipv6", "nd", "suppress-ra"): "router advertisements are sent",
    },
}
"""Lines without a meaning for a fabric, by block, and why."""
OTHER_BLOCKS = frozenset({"bfd", "key", "nexthop-group", "pbr-map", "rpki", "segment-routing", "mpls"})
"""Blocks of lines that are not read."""
FAMILIES = {("ipv4",): "ipv4", ("ipv4", "unicast"): "ipv4", ("ipv6",): "ipv6", ("ipv6", "unicast"): "ipv6"}
FAMILIES |= {("l2vpn", "evpn"): "evpn", ("evpn",): "evpn"}


@dataclass(slots=True)
class PortLines:
    """What frr.conf says of an interface."""

    line: int
    description: tuple[str, int] = ("", 0)
    shut: int = 0
    vrf: str = ""
    addresses: list[tuple[str, int]] = field(default_factory=list)
    suppresses: int = 0
    segment: tuple[str, int] = ("", 0)
    system: tuple[str, int] = ("", 0)
    preference: tuple[int, int] = (0, 0)
    uplink: int = 0


@dataclass(slots=True)
class Vni:
    """A `vni` block."""

    line: int
    rd: tuple[str, int] = ("", 0)
    imports: list[tuple[str, int]] = field(default_factory=list)
    exports: list[tuple[str, int]] = field(default_factory=list)


@dataclass(slots=True)
class FrrConf:
    """What a frr.conf says, as it is there.

    needed  lines that the fabric needs, by their text
    duplicates  of duplicate addresses: `moves` with a number and seconds, `freeze` with seconds; each with its line
    vrfs  VRF → its L3 VNI
    numbered  list and number of an entry → its words
    """

    file: str
    profile: str = "traditional"
    hostname: tuple[str, int] = ("", 0)
    duplicates: dict[str, tuple[tuple[int, ...], int]] = field(default_factory=dict)
    speakers: dict[str, Speaker] = field(default_factory=dict)
    policies: Policies = field(default_factory=Policies)
    vrfs: dict[str, tuple[int, int]] = field(default_factory=dict)
    vnis: dict[int, Vni] = field(default_factory=dict)
    ports: dict[str, PortLines] = field(default_factory=dict)
    routes: list[tuple[str, str, int]] = field(default_factory=list)
    needed: dict[str, int] = field(default_factory=dict)
    numbered: dict[tuple[str, ...], tuple[str, ...]] = field(default_factory=dict)

    def port(self, name: str, line: int) -> PortLines:
        """An interface by name, made where it is new."""
        found = self.ports.get(name)
        if found is None:
            found = self.ports[name] = PortLines(line)
        return found


Handler = Callable[["_Reader", Words, bool, int], bool]
"""Reads a line: its words without `no`, whether it had one, its number. False: not understood."""


@dataclass(slots=True)
class _Block:
    """An open block: what kind it is, and what its lines are about."""

    kind: str
    thing: object = None
    family: str = ""


def frr_conf(text: str, file: str, reading: Reading, profile: str = "traditional") -> FrrConf:
    """Read a frr.conf; lines that are not understood go into the reading. profile: what FRR is started with."""
    conf = FrrConf(file, profile)
    add_lines(conf, text, reading)
    return conf


def add_lines(conf: FrrConf, text: str, reading: Reading, first: int = 1) -> None:
    """Read lines into what is known already; `first` is the number of the first of them."""
    reader = _Reader(conf, reading)
    for line, raw in enumerate(text.split("\n"), first):
        words = raw.split()
        if words and words[0][0] not in "!#":
            reader.take(raw, words, line)


class _Reader:
    """Reads lines one after the other."""

    def __init__(self, conf: FrrConf, reading: Reading) -> None:
        self.conf = conf
        self.reading = reading
        self.blocks = [_Block("top")]

    @property
    def here(self) -> _Block:
        """The innermost block."""
        return self.blocks[-1]

    def take(self, raw: str, words: list[str], line: int) -> None:
        """Read one line."""
        first = words[0]
        if first in ENDS and len(words) == 1:
            self.leave(first)
            return
        no = first == "no" and len(words) > 1
        rest = words[1:] if no else words
        for depth in range(len(self.blocks) - 1, -1, -1):
            handler = HANDLERS[self.blocks[depth].kind].get(rest[0])
            if handler is None:
                continue
            inner = self.blocks[depth + 1 :]
            del self.blocks[depth + 1 :]
            if handler(self, rest, no, line) or self.is_idle(raw, words, line):
                return
            del self.blocks[depth + 1 :]
            self.blocks += inner
        if self.is_idle(raw, words, line):
            return
        self.reading.unread.append(TextLine(self.conf.file, line, raw.strip()))
        if first in OTHER_BLOCKS or (first == "router" and not no):
            self.blocks[1:] = [_Block("other")]

    def is_idle(self, raw: str, words: list[str], line: int) -> bool:
        """Whether the line is known to have no meaning."""
        rows = IDLE.get(self.here.kind, {})
        why = next((why for start, why in rows.items() if tuple(words[: len(start)]) == start), "")
        if not why and self.here.kind != "top":
            rows = IDLE["top"]
            why = next((why for start, why in rows.items() if tuple(words[: len(start)]) == start), "")
        if why:
            self.reading.idle.append(TextLine(self.conf.file, line, raw.strip(), why))
        return bool(why)

    def leave(self, word: str) -> None:
        """A word that ends a block."""
        if word == "end":
            del self.blocks[1:]
        elif word == "exit-address-family":
            kinds = [block.kind for block in self.blocks]
            if "family" in kinds:
                del self.blocks[kinds.index("family") :]
        elif len(self.blocks) > 1:
            self.blocks.pop()

    def enter(self, kind: str, thing: object = None, family: str = "") -> bool:
        """Open a block inside the one that is open."""
        self.blocks.append(_Block(kind, thing, family))
        return True

    def say(self, text: str, line: int) -> bool:
        """A line that the fabric needs."""
        self.conf.needed[text] = line
        return True


LAST = ["reject", str(LAST_DISTANCE)]
"""Behind a default route of a VRF: it ends each lookup that found nothing."""
ENDS = frozenset({"exit", "end", "exit-address-family", "exit-vrf", "exit-vni", "exit-route-map", "quit"})
"""Words that leave a block. Behind `end` vtysh goes on at the top (tried: FRR 8.4, vtysh -C)."""


# --- top ------------------------------------------------------------------------------------------------------------


def _frr(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    if words[1:2] == ["defaults"] and len(words) == 3 and words[2] in PROFILES and not no:
        reader.conf.profile = words[2]
        return reader.say(" ".join(words), line)
    return False


def _hostname(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    if len(words) != 2 or no:
        return False
    reader.conf.hostname = (words[1], line)
    return True


def _zebra(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    if len(words) < 2:
        return False
    return reader.say(" ".join((*(("no",) if no else ()), *words)), line)


def _vrf(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    if no or len(words) != 2:
        return False
    reader.conf.vrfs.setdefault(words[1], (0, line))
    return reader.enter("vrf", words[1])


def _vrf_vni(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    count = number(words[1]) if len(words) == 2 else None
    if count is None or no:
        return False
    reader.conf.vrfs[str(reader.here.thing)] = (count, line)
    return True


def _interface(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    if no or len(words) not in (2, 4) or (len(words) == 4 and words[2] != "vrf"):
        return False
    port = reader.conf.port(words[1], line)
    port.vrf = words[3] if len(words) == 4 else port.vrf
    return reader.enter("interface", port)


def _ip(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    if len(words) < 3 or no:
        return False
    family = "ipv6" if words[0] == "ipv6" else "ipv4"
    if words[1] == "prefix-list":
        return _prefix_list(reader, family, words[2:], line)
    if words[1] == "route":
        vrf = str(reader.here.thing) if reader.here.kind == "vrf" else ""
        return _route(reader, vrf, words[2:], line)
    if words[1] == "router-id" and len(words) == 3 and host(words[2]) and reader.here.kind == "top":
        return reader.say(f"ip router-id {host(words[2])}", line)
    return False


def _route(reader: _Reader, vrf: str, words: Words, line: int) -> bool:
    text = prefix(words[0])
    if vrf and text in ("0.0.0.0/0", "::/0") and list(words[1:]) == LAST:
        return reader.say(f"VRF {vrf}: lookups end ({'IPv6' if ':' in text else 'IPv4'})", line)
    if len(words) == 4 and words[2] == "vrf" and not vrf:
        vrf, words = words[3], words[:2]
    if not text or len(words) != 2:
        return False
    hop = "discard" if words[1].lower() in ("blackhole", "null0", "reject") else host(words[1]) or words[1]
    reader.conf.routes.append((in_vrf(vrf, text), hop, line))
    return True


def _prefix_list(reader: _Reader, family: str, words: Words, line: int) -> bool:
    name, rest = words[0], list(words[1:])
    if not _numbered(reader, f"{family} prefix-list {name}", rest) or rest[:1] != ["permit"] or len(rest) % 2:
        return False
    if rest[1] == "any":
        rest[1:2] = ["0.0.0.0/0" if family == "ipv4" else "::/0", "le", "32" if family == "ipv4" else "128"]
    bounds = dict(zip(rest[2::2], map(number, rest[3::2]), strict=True))
    entry = prefix_range(rest[1], bounds.get("ge"), bounds.get("le"))
    if not bounds.keys() <= {"ge", "le"} or entry is None or None in bounds.values():
        return False
    reader.conf.policies.add_prefix(family, name, entry, line)
    return True


def _numbered(reader: _Reader, name: str, entry: list[str]) -> bool:
    """Take the number off an entry of a list; False where another entry has it, whose place it takes (plist.c)."""
    if entry[:1] != ["seq"]:
        return True
    key = name, *entry[1:2]
    del entry[:2]
    return reader.conf.numbered.setdefault(key, tuple(entry)) == tuple(entry)


def _list(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    """`bgp community-list` and `bgp extcommunity-list`, an entry of one member; `bgp session-dscp`."""
    if words[1:2] == ["session-dscp"] and len(words) == 3 and not no:
        return reader.say(" ".join(words), line)
    if no or len(words) < 5 or words[1] not in ("community-list", "extcommunity-list"):
        return False
    rest = list(words[2:])
    kind = rest.pop(0) if rest[0] in ("standard", "expanded") else "standard"
    name = rest.pop(0)
    if not _numbered(reader, f"{words[1]} {name}", rest):
        return False
    return rest[:1] == ["permit"] and _member(reader.conf.policies, f"{words[1]} {kind}", name, rest[1:], line)


def _member(policies: Policies, kind: str, name: str, members: list[str], line: int) -> bool:
    if kind == "community-list standard" and len(members) == 1:
        policies.communities.setdefault(name, {})[KNOWN_COMMUNITIES.get(members[0], members[0])] = line
        return True
    if kind == "extcommunity-list standard" and len(members) == 2 and members[0] == "rt":
        policies.targets.setdefault(name, {})[members[1]] = line
        return True
    count = fewer_paths(members[0]) if kind == "extcommunity-list expanded" and len(members) == 1 else 0
    if count:
        policies.paths[name] = max(policies.paths.get(name, 0), count)
    return count > 0


def _route_map(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    sequence = number(words[3]) if len(words) == 4 else None
    if no or sequence is None or words[2] not in ("permit", "deny"):
        return False
    entry = reader.conf.policies.statement(words[1], sequence, line, permit=words[2] == "permit")
    return reader.enter("map", entry)


def _router(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    asn = number(words[2]) if len(words) in (3, 5) and words[1] == "bgp" else None
    if no or asn is None or (len(words) == 5 and words[3] != "vrf"):
        return False
    vrf = words[4] if len(words) == 5 else ""
    speaker = reader.conf.speakers.get(vrf)
    if speaker is None:
        (keepalive, hold), connect, needs_policy = PROFILES[reader.conf.profile]
        timers = (keepalive, hold, 0)
        speaker = Speaker(vrf, line, reader.conf.file, timers=timers, connect=connect, needs_policy=needs_policy)
        reader.conf.speakers[vrf] = speaker
    speaker.asn = asn
    return reader.enter("router", speaker)


# --- route maps -----------------------------------------------------------------------------------------------------


def _match(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    entry = reader.here.thing
    if not isinstance(entry, Statement) or no or len(words) < 3:
        return False
    if words[1] == "community" and len(words) == 3:
        entry.match_community(words[2], line)
    elif words[1] == "extcommunity" and len(words) == 3:
        entry.extended = [words[2]]
        entry.matches[words[2]] = line
    elif words[1] in ("ip", "ipv6") and list(words[2:4]) == ["address", "prefix-list"] and len(words) == 5:
        entry.match_prefixes("ipv6" if words[1] == "ipv6" else "ipv4", words[4], line)
    else:
        return False
    return True


def _set(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    entry = reader.here.thing
    if not isinstance(entry, Statement) or no or len(words) < 3:
        return False
    if words[1] == "community":
        rest = [word for word in words[2:] if word != "additive"]
        if not rest or rest == ["none"]:
            return False
        entry.set_all(dict.fromkeys(rest, line), line, replace="additive" not in words)
    elif words[1] == "local-preference" and len(words) == 3 and (count := number(words[2])) is not None:
        entry.local_preference = count
        entry.parts["local_preference"] = line
    elif list(words[1:]) == ["extcommunity", "bandwidth", "num-multipaths"]:
        entry.set_paths = True
        entry.parts["set_paths"] = line
    else:
        return False
    return True


# --- router bgp -----------------------------------------------------------------------------------------------------


def _speaker(reader: _Reader) -> Speaker:
    found = next(block.thing for block in reversed(reader.blocks) if block.kind == "router")
    if not isinstance(found, Speaker):
        raise TypeError(found)
    return found


def _bgp(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    speaker, rest = _speaker(reader), list(words[1:])
    if rest[:1] == ["router-id"] and len(rest) == 2 and host(rest[1]) and not no:
        speaker.router_id = (host(rest[1]), line)
    elif rest == ["default", "ipv4-unicast"]:
        speaker.activates_ipv4 = not no
    elif rest == ["bestpath", "as-path", "multipath-relax"]:
        speaker.relaxed = (not no, line)
    elif rest == ["suppress-fib-pending"]:
        speaker.wait_install = (not no, line)
    elif rest == ["ebgp-requires-policy"]:
        speaker.needs_policy = not no
    else:
        return False
    return True


def _timers(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    counts = [number(word) for word in words[2:]]
    if no or words[1:2] != ["bgp"] or len(counts) != 2 or counts[0] is None or counts[1] is None:
        return False
    _speaker(reader).timers = (counts[0], counts[1], line)
    return True


def _address_family(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    family = FAMILIES.get(tuple(words[1:]))
    if no or family is None:
        return False
    _speaker(reader).blocks.setdefault(family, line)
    return reader.enter("family", _speaker(reader), family)


def _family_of(reader: _Reader) -> str:
    """The family of the block; a line of `router bgp` itself is of IPv4 (bgpd, BGP_NODE)."""
    return reader.here.family or "ipv4"


def _network(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    """A prefix of another family is of the block around, or refused (tried: FRR 8.4, vtysh -f)."""
    text = prefix(words[1]) if len(words) == 2 else ""
    if no or not text or family_of(text) != _family_of(reader):
        return False
    _speaker(reader).networks.append((text, line))
    return True


def _maximum_paths(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    count = number(words[1]) if len(words) == 2 else None
    if no or count is None:
        return False
    _speaker(reader).paths[_family_of(reader)] = (count, line)
    return True


def _redistribute(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    if no or len(words) not in (2, 4) or (len(words) == 4 and words[2] != "route-map"):
        return False
    name = words[3] if len(words) == 4 else ""
    _speaker(reader).redistributes.append((words[1], _family_of(reader), name, line))
    return True


def _import(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    speaker = _speaker(reader)
    if no or list(words[1:2]) != ["vrf"]:
        return False
    if list(words[2:3]) == ["route-map"] and len(words) == 4:
        speaker.import_maps[_family_of(reader)] = (words[3], line)
    elif len(words) == 3:
        speaker.leaks.setdefault(words[2], {})[_family_of(reader)] = line
    else:
        return False
    return True


def _advertise(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    if no or len(words) != 3 or words[1] not in ("ipv4", "ipv6") or words[2] != "unicast":
        return False
    return reader.say(in_vrf(_speaker(reader).vrf, " ".join(words)), line)


def _advertise_all(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    return not no and len(words) == 1 and reader.say(words[0], line)


def _duplicates(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    """`dup-addr-detection max-moves N time SECONDS`, `dup-addr-detection freeze SECONDS`; other forms are not read."""
    found = reader.conf.duplicates
    numbers = [number(word) for word in words[2::2]]
    said = tuple(one for one in numbers if one is not None)
    if no or reader.here.family != "evpn" or len(said) != len(numbers):
        return False
    if len(words) == 5 and (words[1], words[3]) == ("max-moves", "time"):
        found["moves"] = said, line
    elif len(words) == 3 and words[1] == "freeze":
        found["freeze"] = said, line
    else:
        return False
    return True


def _vni(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    count = number(words[1]) if len(words) == 2 else None
    if no or count is None or reader.here.family != "evpn":
        return False
    return reader.enter("vni", reader.conf.vnis.setdefault(count, Vni(line)))


def _rd(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    thing = reader.here.thing
    if no or len(words) != 2 or not isinstance(thing, Vni | Speaker):
        return False
    thing.rd = (words[1], line)
    return True


def _route_target(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    thing = reader.here.thing
    if no or len(words) < 3 or words[1] not in ("import", "export", "both") or not isinstance(thing, Vni | Speaker):
        return False
    for ways, found in ((("import", "both"), thing.imports), (("export", "both"), thing.exports)):
        if words[1] in ways:
            found.extend((text, line) for text in words[2:])
    return True


# --- neighbors ------------------------------------------------------------------------------------------------------


def _neighbor(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    """A line of a neighbor; what belongs to a family may be in `router bgp` itself, and is of IPv4 there."""
    speaker = _speaker(reader)
    if len(words) < 3 or not _is_in_order(speaker, words):
        return False
    if reader.here.kind == "router" and words[2] in OF_NEIGHBORS:
        return OF_NEIGHBORS[words[2]](speaker.peer(words[1], line), words[3:], no, line)
    handler = OF_FAMILIES.get(words[2])
    if handler is None:
        return False
    peer, family = speaker.peer(words[1], line), _family_of(reader)
    peer.blocks.setdefault(family, speaker.blocks.get(family, line))
    return handler(peer, family, words[3:], no, line)


def _is_in_order(speaker: Speaker, words: Words) -> bool:
    """Whether the neighbor and the group of a line exist, or the line makes the neighbor (tried: FRR 8.4, vtysh -f).

    An address comes with its AS number or group, a port with `interface`, and a group before its members.
    """
    name, word, rest = words[1], words[2], list(words[3:])
    if name not in speaker.peers:
        makes = word == "remote-as" or (word == "peer-group" and rest) if host(name) else word == "interface"
        if not makes and (word, rest) != ("peer-group", []):
            return False
    if word == "peer-group":
        named = rest[:1]
    else:
        named = rest[rest.index("peer-group") + 1 :][:1] if word == "interface" and "peer-group" in rest else []
    return all(group in speaker.peers and speaker.peers[group].is_group for group in named)


def _peer_group(peer: Peer, words: Words, no: bool, line: int) -> bool:
    if no or len(words) > 1:
        return False
    if words:
        peer.group = words[0]
    else:
        peer.is_group, peer.port = True, False
    return True


def _peer_port(peer: Peer, words: Words, no: bool, line: int) -> bool:
    """`neighbor PORT interface [v6only] [peer-group G] [remote-as N]`."""
    rest = [word for word in words if word != "v6only"]
    if no or len(rest) % 2:
        return False
    peer.port = True
    pairs = list(zip(rest[::2], rest[1::2], strict=True))
    if not {word for word, _ in pairs} <= {"peer-group", "remote-as"}:
        return False
    return all(OF_NEIGHBORS[word](peer, (value,), False, line) for word, value in pairs)


def _remote_as(peer: Peer, words: Words, no: bool, line: int) -> bool:
    if no or len(words) != 1:
        return False
    count = number(words[0])
    peer.own["remote-as"] = (words[0] if count is None else count, line)
    return True


def _description(peer: Peer, words: Words, no: bool, line: int) -> bool:
    peer.own["description"] = ("" if no else " ".join(words), line)
    return True


def _bfd(peer: Peer, words: Words, no: bool, line: int) -> bool:
    if words:
        return False
    peer.own["bfd"] = (not no, line)
    return True


def _multihop(peer: Peer, words: Words, no: bool, line: int) -> bool:
    count = number(words[0]) if len(words) == 1 else MOST_HOPS
    if len(words) > 1 or count is None:
        return False
    peer.own["multihop"] = (0 if no else count, line)
    return True


def _ttl_hops(peer: Peer, words: Words, no: bool, line: int) -> bool:
    """`ttl-security hops N`: 255 is sent, and at least 256 - N received (bgpd.c, peer_ttl_security_hops_set)."""
    count = number(words[1]) if len(words) == 2 and words[0] == "hops" else None
    if count is None:
        return False
    peer.own["ttl-hops"] = (0 if no else count, line)
    return True


def _unconnected(peer: Peer, words: Words, no: bool, line: int) -> bool:
    if words:
        return False
    peer.own["unconnected"] = (not no, line)
    return True


def _source(peer: Peer, words: Words, no: bool, line: int) -> bool:
    if no:
        peer.own["source"] = (-1, line)
        return True
    if len(words) != 1:
        return False
    peer.own["source"] = (host(words[0]) or words[0], line)
    return True


def _peer_timers(peer: Peer, words: Words, no: bool, line: int) -> bool:
    counts = [number(word) for word in words[words[:1] == ["connect"] :]]
    if no or not counts or None in counts:
        return False
    if words[0] == "connect" and len(counts) == 1:
        peer.own["connect"] = (counts[0] or 0, line)
        return True
    if len(counts) != 2:
        return False
    peer.own["keepalive"], peer.own["hold"] = (counts[0] or 0, line), (counts[1] or 0, line)
    return True


def _capability(peer: Peer, words: Words, no: bool, line: int) -> bool:
    if list(words) != ["extended-nexthop"]:
        return False
    peer.own["extended-next-hop"] = (not no, line)
    return True


def _password(peer: Peer, words: Words, no: bool, line: int) -> bool:
    if not words and not no:
        return False
    peer.own["password"] = ("" if no else reference(" ".join(words)), line)
    return True


def _shutdown(peer: Peer, words: Words, no: bool, line: int) -> bool:
    if words and words[0] != "message":  # `rtt` shuts the session later, once it is slow
        return False
    peer.own["enabled"] = (no, line)
    return True


def _activate(peer: Peer, family: str, words: Words, no: bool, line: int) -> bool:
    peer.families[family, "activate"] = (not no, line)
    return not words


def _peer_map(peer: Peer, family: str, words: Words, no: bool, line: int) -> bool:
    if len(words) != 2 or words[1] not in ("in", "out"):
        return False
    peer.families[family, f"map-{words[1]}"] = ("" if no else words[0], line)
    return True


def _maximum(peer: Peer, family: str, words: Words, no: bool, line: int) -> bool:
    """`maximum-prefix N [PERCENT] [warning-only | restart MINUTES]`."""
    rest = list(words)
    count = number(rest.pop(0)) if rest else None
    if no or count is None:
        return False
    if rest and number(rest[0]) is not None:
        rest.pop(0)
    minutes = number(rest[1]) if rest[:1] == ["restart"] and len(rest) == 2 else None
    if rest and rest != ["warning-only"] and minutes is None:
        return False
    peer.families[family, "maximum"] = (count, line)
    peer.families[family, "restart"] = (0 if rest == ["warning-only"] else minutes or UNTIL_CLEARED, line)
    return True


def _send_community(peer: Peer, family: str, words: Words, no: bool, line: int) -> bool:
    kinds = {(): "standard", ("both",): "extended", ("all",): "extended", ("extended",): "extended"}
    kind = kinds.get(tuple(words), "" if words not in (["standard"], ["large"]) else "standard")
    if kind == "extended":
        peer.families[family, "extended"] = (not no, line)
    return kind == "extended" or (not no and bool(kind))


def _next_hop_self(peer: Peer, family: str, words: Words, no: bool, line: int) -> bool:
    if words and list(words) not in (["force"], ["all"]):
        return False
    if no:
        peer.families.pop((family, "unchanged"), None)
    else:
        peer.families[family, "unchanged"] = (False, line)
    return True


def _unchanged(peer: Peer, family: str, words: Words, no: bool, line: int) -> bool:
    if list(words) != ["next-hop"]:
        return False
    peer.families[family, "unchanged"] = (not no, line)
    return True


def _own_as(peer: Peer, family: str, words: Words, no: bool, line: int) -> bool:
    """`allowas-in [N | origin]` (docs.frrouting.org, BGP)."""
    count = OWN_AS if not words else ANY_OWN_AS if words[0] == "origin" else number(words[0])
    if len(words) > 1 or count is None:
        return False
    peer.families[family, "own-as"] = (0 if no else count, line)
    return True


def _as_override(peer: Peer, family: str, words: Words, no: bool, line: int) -> bool:
    peer.families[family, "as-override"] = (not no, line)
    return not words


def _remove_private(peer: Peer, family: str, words: Words, no: bool, line: int) -> bool:
    """`remove-private-AS [all] [replace-AS]`."""
    peer.families[family, "remove-private-as"] = (not no, line)
    return list(words) in ([], ["all"], ["replace-AS"], ["all", "replace-AS"])


def _kept(peer: Peer, family: str, words: Words, no: bool, line: int) -> bool:
    """Routes are kept as they came, for display and for new maps."""
    return list(words) == ["inbound"]


OF_NEIGHBORS: Mapping[str, Callable[[Peer, Words, bool, int], bool]] = {
    "peer-group": _peer_group,
    "interface": _peer_port,
    "remote-as": _remote_as,
    "description": _description,
    "bfd": _bfd,
    "ebgp-multihop": _multihop,
    "ttl-security": _ttl_hops,
    "disable-connected-check": _unconnected,
    "update-source": _source,
    "timers": _peer_timers,
    "capability": _capability,
    "password": _password,
    "shutdown": _shutdown,
}
OF_FAMILIES: Mapping[str, Callable[[Peer, str, Words, bool, int], bool]] = {
    "activate": _activate,
    "route-map": _peer_map,
    "maximum-prefix": _maximum,
    "send-community": _send_community,
    "next-hop-self": _next_hop_self,
    "attribute-unchanged": _unchanged,
    "allowas-in": _own_as,
    "as-override": _as_override,
    "remove-private-AS": _remove_private,
    "soft-reconfiguration": _kept,
}


# --- interfaces -----------------------------------------------------------------------------------------------------


def _port_lines(reader: _Reader) -> PortLines:
    found = reader.here.thing
    if not isinstance(found, PortLines):
        raise TypeError(found)
    return found


def _port_description(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    _port_lines(reader).description = ("" if no else " ".join(words[1:]), line)
    return True


def _port_shutdown(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    _port_lines(reader).shut = 0 if no else line
    return len(words) == 1


def _port_ip(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    port = _port_lines(reader)
    if words[1:] == ["nd", "suppress-ra"]:
        port.suppresses = 0 if no else line
        return True
    text = interface(words[2]) if len(words) == 3 and words[1] == "address" else ""
    if no or not text:
        return False
    if not is_link_local(text):
        port.addresses.append((text, line))
    return True


def _evpn(reader: _Reader, words: Words, no: bool, line: int) -> bool:
    port, rest = _port_lines(reader), list(words[2:])
    if no or words[1:2] != ["mh"]:
        return False
    if rest == ["uplink"]:
        port.uplink = line
    elif len(rest) != 2:
        return False
    elif rest[0] == "es-id":
        port.segment = (rest[1], line)
    elif rest[0] == "es-sys-mac":
        port.system = (rest[1], line)
    elif rest[0] == "es-df-pref" and (count := number(rest[1])) is not None:
        port.preference = (count, line)
    else:
        return False
    return True


_BGP: Mapping[str, Handler] = {"neighbor": _neighbor, "network": _network, "maximum-paths": _maximum_paths}
HANDLERS: Mapping[str, Mapping[str, Handler]] = {
    "top": {
        "frr": _frr,
        "hostname": _hostname,
        "zebra": _zebra,
        "vrf": _vrf,
        "interface": _interface,
        "ip": _ip,
        "ipv6": _ip,
        "bgp": _list,
        "route-map": _route_map,
        "router": _router,
    },
    "other": {},
    "vrf": {"vni": _vrf_vni, "ip": _ip, "ipv6": _ip},
    "interface": {
        "description": _port_description,
        "shutdown": _port_shutdown,
        "ip": _port_ip,
        "ipv6": _port_ip,
        "evpn": _evpn,
    },
    "map": {"match": _match, "set": _set},
    "router": {
        **_BGP,
        "bgp": _bgp,
        "timers": _timers,
        "address-family": _address_family,
        "redistribute": _redistribute,
    },
    "family": {
        **_BGP,
        "redistribute": _redistribute,
        "import": _import,
        "advertise": _advertise,
        "advertise-all-vni": _advertise_all,
        "dup-addr-detection": _duplicates,
        "vni": _vni,
        "rd": _rd,
        "route-target": _route_target,
    },
    "vni": {"rd": _rd, "route-target": _route_target},
}
