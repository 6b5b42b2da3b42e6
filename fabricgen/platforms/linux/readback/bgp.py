"""BGP as FRR takes it, by whatever text: neighbors with what they inherit of their groups, as rows.

Sources: docs.frrouting.org, BGP: peer groups, `bgp default ipv4-unicast`, send-community (all kinds by default),
`bgp ebgp-requires-policy`; bgpd/bgpd.c: a neighbor of a port announces extended next hops by itself
(PEER_FLAG_CAPABILITY_ENHE where conf_if is), routes of EVPN keep their next hop by themselves (flags of a new peer), a
group's description is not that of its members; bgp_vty.c, peer_group_bind: what a member has itself counts.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import starmap

from fabricgen.platforms.linux.readback.policy import DENY, NO_MAP, Policies
from fabricgen.platforms.linux.readback.words import host, rare, rare_row
from fabricgen.readback.intended import in_vrf
from fabricgen.readback.policy import Lines, each_line
from fabricgen.readback.rows import FAMILIES, NOTHING, Key, Part, Reading, Row, Value, new

Said = tuple[Value, int]
"""A value and its line."""
RELAXED = "bgp bestpath as-path multipath-relax"
"""Paths by other AS numbers are as good."""
LOOPS: tuple[tuple[str, Value], ...] = (("own-as", 0), ("as-override", False), ("remove-private-as", False))
"""What weakens the check of AS loops in a family, and what it is where nothing is said."""
OWN_AS = 3
"""Times that the own AS number may be in a path by `allowas-in` alone (bgpd/bgp_vty.c, neighbor_allowas_in)."""
ANY_OWN_AS = 10
"""The most that `allowas-in` can say; `origin` takes routes of the own AS without a count."""
MOST_HOPS = 255
"""Hops of `ebgp-multihop` without a number."""
UNTIL_CLEARED = "until it is cleared"
"""How long a session with too many routes stays closed where nothing else is said."""
AUTOMATIC = "automatic"
"""A route distinguisher that FRR makes by itself: router id and a number that is free."""
UNICAST = ("ipv4", "ipv6")
ORDER = {"ipv4": 0, "ipv6": 1, "evpn": 2}


@dataclass(slots=True)
class Peer:
    """A neighbor or a group of neighbors.

    own       setting → value
    families  (family, setting) → value
    blocks    family → line where what it says of it begins
    port      its sessions run over a port, without addresses
    """

    line: int
    is_group: bool = False
    port: bool = False
    group: str = ""
    own: dict[str, Said] = field(default_factory=dict)
    families: dict[tuple[str, str], Said] = field(default_factory=dict)
    blocks: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Speaker:
    """BGP of one VRF; the default one has an empty name.

    activates_ipv4  neighbors speak IPv4 unless they are told otherwise
    in_order        of two lines the later one counts; else lines have no order
    relaxed         whether paths by other AS numbers are as good
    needs_policy    without a map no route passes
    speaks          families that any neighbor may speak; turned_off: the lines of others that are turned off
    blocks          family → line where it begins; paths: its equal paths
    leaks           VRF whose routes are taken over → family → line; import_maps: family → map for all of them
    """

    vrf: str
    line: int
    file: str
    asn: int = 0
    router_id: Said = ("", 0)
    timers: tuple[int, int, int] = (60, 180, 0)
    connect: int = 120
    activates_ipv4: bool = True
    needs_policy: bool = True
    in_order: bool = True
    relaxed: Said = (False, 0)
    speaks: frozenset[str] = frozenset(FAMILIES)
    turned_off: dict[str, int] = field(default_factory=dict)
    wait_install: Said = (False, 0)
    blocks: dict[str, int] = field(default_factory=dict)
    paths: dict[str, Said] = field(default_factory=dict)
    peers: dict[str, Peer] = field(default_factory=dict)
    networks: list[tuple[str, int]] = field(default_factory=list)
    redistributes: list[tuple[str, str, str, int]] = field(default_factory=list)
    rd: Said = ("", 0)
    imports: list[tuple[str, int]] = field(default_factory=list)
    exports: list[tuple[str, int]] = field(default_factory=list)
    leaks: dict[str, dict[str, int]] = field(default_factory=dict)
    import_maps: dict[str, Said] = field(default_factory=dict)

    def peer(self, name: str, line: int) -> Peer:
        """A neighbor or group by name, made where it is new."""
        found = self.peers.get(name)
        if found is None:
            found = self.peers[name] = Peer(line, port=not host(name))
        return found


def put_speakers(speakers: Iterable[Speaker], policies: Policies, reading: Reading) -> None:
    """Rows of all VRFs: their own, their networks, their sessions; and maps that nobody names."""
    rows = list(speakers)
    for speaker in rows:
        _put_own(speaker, reading)
        for text, line in speaker.networks:
            reading.put("network", in_vrf(speaker.vrf, text), "originated", True, speaker.file, line)
        for redistributed in speaker.redistributes:
            _put_redistributed(speaker, policies, reading, redistributed)
        shared: Shared = {}
        for name, peer in speaker.peers.items():
            if not peer.is_group:
                _Session(speaker, name, peer, policies, reading).put(shared)
    _put_paths(rows, reading)
    by_vrf = {speaker.vrf: speaker for speaker in rows}
    for speaker in rows:
        if speaker.vrf:
            _put_vrf(speaker, by_vrf, policies, reading)
        else:
            _put_shared(speaker, reading)


def _put_paths(rows: list[Speaker], reading: Reading) -> None:
    """Equal paths: if one family has another number, that one. Without a number it is that of FRR's build."""
    for setting, of_tenants in (("maximum-paths", False), ("overlay-paths", True)):
        found = [
            (speaker.paths.get(family, ("those of the build", line)), speaker.file)
            for speaker in rows
            if bool(speaker.vrf) is of_tenants
            for family, line in (speaker.blocks | {family: line for family, (_, line) in speaker.paths.items()}).items()
            if family != "evpn"
        ]
        row = rare_row((said for said, _ in found), found[0][1]) if found else None
        if row is not None:
            reading.add(Key("bgp", "", setting), row)


def put_unused(policies: Policies, reading: Reading, file: str) -> None:
    """Maps that nobody names, once all that name some are read."""
    for name, entries in policies.maps.items():
        if name not in policies.used:
            line = min((entry.line for entry in entries.values()), default=0)
            reading.put("policy", name, "terms", policies.whole(name), file, line)


def _put_own(speaker: Speaker, reading: Reading) -> None:
    file, (router_id, line) = speaker.file, speaker.router_id
    relaxed, at = speaker.relaxed
    reading.put("line", in_vrf(speaker.vrf, RELAXED), "present", relaxed, file, at or speaker.line)
    if speaker.vrf:
        text = f"{speaker.vrf}: router bgp {speaker.asn}, router id {router_id}"
        reading.put("line", text, "present", True, file, line or speaker.line)
        return
    reading.put("bgp", "", "asn", speaker.asn, file, speaker.line)
    reading.put("bgp", "", "router-id", router_id, file, line or speaker.line)
    reading.put("bgp", "", "wait-install", speaker.wait_install[0], file, speaker.wait_install[1] or speaker.line)


def _put_redistributed(speaker: Speaker, policies: Policies, reading: Reading, row: tuple[str, str, str, int]) -> None:
    """Connected routes that a map of single prefixes permits are those that the switch originates."""
    source, family, name, line = row
    prefixes = policies.exact(name, family) if name and source == "connected" else None
    if prefixes is None:
        words = " ".join(filter(None, (source, family, name)))
        prefixes = [(words, line)]
    for text, at in prefixes:
        reading.put("network", in_vrf(speaker.vrf, text), "originated", True, speaker.file, at)


def _put_vrf(speaker: Speaker, by_vrf: Mapping[str, Speaker], policies: Policies, reading: Reading) -> None:
    """Route targets: those of the VRF, and those of VRFs of this switch whose routes it takes over."""
    vrf, file = speaker.vrf, speaker.file
    imports: dict[Part, Lines] = dict(_targets(speaker, by_vrf))
    exports: dict[Part, Lines] = dict(speaker.exports)
    reading.put("vrf", vrf, "rd", speaker.rd[0] or AUTOMATIC, file, speaker.rd[1] or speaker.line)
    for setting, parts in (("imports", imports), ("exports", exports)):
        last = max((line for lines in parts.values() for line in each_line(lines)), default=0)
        line = last or speaker.blocks.get("evpn", speaker.line)
        reading.add(Key("vrf", vrf, setting), Row(frozenset(map(str, parts)), file, line, parts))
    maps = [_import_map(speaker, family, policies) for family in UNICAST if family in speaker.import_maps]
    maps += [(NO_MAP, line) for family, line in _leaking(speaker).items() if family not in speaker.import_maps]
    row = rare_row(maps, file) if speaker.import_maps else None
    if row is not None:
        reading.add(Key("vrf", vrf, "import-policy"), row)


def _put_shared(speaker: Speaker, reading: Reading) -> None:
    """What the default VRF has of tenants: targets, an RD, routes of a VRF. Nothing of it is planned."""
    said = [(f"imports {target}", line) for target, line in speaker.imports]
    said += [(f"exports {target}", line) for target, line in speaker.exports]
    said += [(f"RD {speaker.rd[0]}", speaker.rd[1])] if speaker.rd[0] else []
    for name, families in speaker.leaks.items():
        said += [(f"takes over {family} routes of VRF {name}", line) for family, line in families.items()]
    said += [(f"takes over {family} routes by {name}", line) for family, (name, line) in speaker.import_maps.items()]
    for text, line in said:
        reading.put("line", f"default VRF: {text}", "present", True, speaker.file, line)


def _targets(speaker: Speaker, by_vrf: Mapping[str, Speaker]) -> Iterator[tuple[str, Lines]]:
    """Targets of routes that a VRF takes, each with its line.

    A map for routes of other VRFs of the switch is not for what comes in by a target, so a target both ways is said.
    """
    own = dict(speaker.imports)
    yield from own.items()
    for name, families in speaker.leaks.items():
        other = by_vrf.get("" if name == "default" else name)
        targets = dict.fromkeys(text for text, _ in other.imports) if other is not None else {}
        lines: Lines = tuple(families.values())
        end = ""
        if len(families) < len(UNICAST):
            lacking = (speaker.blocks.get(family, 0) for family in UNICAST if family not in families)
            lines, end = (*filter(None, lacking), *families.values()), f", {' '.join(families)} alone"
        yield from ((f"{text}{end}", lines) for text in (targets or {f"vrf {name}": None}) if end or text not in own)
        exports = dict(other.exports) if other is not None else {}
        yield from ((f"{text}, from EVPN as well", own[text]) for text in exports if text in own)


def _leaking(speaker: Speaker) -> dict[str, int]:
    """Families in which a VRF takes over routes, each with a line that says so."""
    return {family: line for families in speaker.leaks.values() for family, line in families.items()}


def _import_map(speaker: Speaker, family: str, policies: Policies) -> Said:
    name, line = speaker.import_maps[family]
    policies.used.add(str(name))
    return policies.whole(str(name)), line


DEFAULTS: tuple[tuple[str, Value], ...] = (
    ("enabled", True),
    ("bfd", False),
    ("multihop", 0),
    ("ttl-hops", 0),
    ("source", -1),
    ("password", ""),
)
"""Settings of a session, and what they are where nothing is said."""
SaidRow = tuple[str, Value, int, Mapping[Part, Lines] | None]
"""Setting, value, line, lines of parts."""
Shared = dict[tuple[str, str, bool], tuple[tuple[SaidRow, tuple[str, Row]], ...]]
"""Group, kind of rows and whether members are ports → what is said of members that say nothing themselves, and rows."""
OWN_ALONE = frozenset({"description", "remote-as"})
"""Settings of a neighbor that leave all others to its group."""


def needs_no_link(name: str) -> str:
    """What `disable-connected-check` of a session or its group says."""
    return f"{name}: the peer need not be on a link"


class _Session:
    """One neighbor with what it inherits. A row that says as much as no row is written if a line says it."""

    def __init__(self, speaker: Speaker, name: str, peer: Peer, policies: Policies, reading: Reading) -> None:
        self._speaker, self._peer, self._policies, self._reading = speaker, peer, policies, reading
        self._name = in_vrf(speaker.vrf, host(name) or name)
        self._group = speaker.peers.get(peer.group)

    def put(self, shared: Shared) -> None:
        """All rows of the session."""
        speaker, line = self._speaker, self._peer.line
        self._reading.add_all("session", self._name, self._of_itself(shared))
        connect, at = self._own("connect", speaker.connect)
        text = f"{self._name}: tries again after {connect} s"
        self._reading.put("line", text, "present", True, speaker.file, at or line)
        apart, at = self._own("unconnected", False)
        if apart:
            self._reading.put("line", needs_no_link(self._name), "present", True, speaker.file, at)
        self._reading.add_all("session", self._name, self._of_families(shared))

    def _of_itself(self, shared: Shared) -> Iterator[tuple[str, Row]]:
        """Rows that are of no family."""
        own = self._peer.own
        yield self._row("description", *own.get("description", ("", 0)))
        value, at = self._own("remote-as", 0)
        if at or value:
            yield self._row("remote-as", value, at)
        yield from self._shared(shared, "", self._own_rows, alike=OWN_ALONE.issuperset(own))

    def _own_rows(self) -> Iterator[SaidRow]:
        """Rows of no family that members of a group have alike."""
        speaker = self._speaker
        for setting, default in DEFAULTS:
            value, at = self._own(setting, default)
            if at or value not in NOTHING:
                yield setting, value, at, None
        # It says something about IPv4 prefixes alone (RFC 8950).
        extended, at = self._own("extended-next-hop", self._peer.port)
        yield "extended-next-hop", bool(extended) and self._speaks("ipv4")[0], at, None
        for setting, default in (("keepalive", speaker.timers[0]), ("hold", speaker.timers[1])):
            value, at = self._own(setting, default)
            yield setting, value, at or speaker.timers[2], None

    def _of_families(self, shared: Shared) -> Iterable[tuple[str, Row]]:
        """Rows of families."""
        return self._shared(shared, "families", self._family_rows, alike=not self._peer.families)

    def _shared(
        self, shared: Shared, kind: str, said: Callable[[], Iterable[SaidRow]], *, alike: bool
    ) -> Iterable[tuple[str, Row]]:
        """Rows of what is said: those of the group, worked out once, if this member is like others."""
        group = self._peer.group
        if not alike or not group:
            return starmap(self._row, said())
        key = (group, kind, self._peer.port)
        if key not in shared:
            shared[key] = tuple((one, self._row(*one)) for one in said())
        # A row that no line says has that of the member.
        return (row if one[2] else self._row(*one) for one, row in shared[key])

    def _row(self, setting: str, value: Value, line: int, parts: Mapping[Part, Lines] | None = None) -> tuple[str, Row]:
        return setting, new(Row, (value, self._speaker.file, line or self._peer.line, parts))

    def _own(self, setting: str, default: Value) -> Said:
        found = self._peer.own.get(setting)
        if found is None and self._group is not None:
            found = self._group.own.get(setting)
        return (default, 0) if found is None else found

    def _of(self, family: str, setting: str, default: Value) -> Said:
        found = self._peer.families.get((family, setting))
        if found is None and self._group is not None:
            found = self._group.families.get((family, setting))
        return (default, 0) if found is None else found

    def _block(self, family: str) -> int:
        """Where what is said of a family begins: the member's own, or its group's."""
        blocks = self._group.blocks if self._group is not None else {}
        return self._peer.blocks.get(family) or blocks.get(family, 0)

    def _speaks(self, family: str) -> Said:
        """Whether the session speaks a family.

        A group that is turned off turns its members off (bgpd.c, peer_deactivate); one that is turned on later is on.
        """
        said = self._of(family, "activate", family == "ipv4" and self._speaker.activates_ipv4)
        of_group = self._group.families.get((family, "activate")) if self._group is not None else None
        if of_group is not None and not of_group[0] and not (self._speaker.in_order and said[1] > of_group[1]):
            return of_group
        return said

    def _active(self) -> tuple[dict[str, int], dict[Part, Lines]]:
        """Families that the session speaks, with the line that says so; and where each is said, or would be."""
        found: dict[str, int] = {}
        parts: dict[Part, Lines] = {}
        for family in ORDER:
            speaks, line = self._speaks(family)
            off = self._speaker.turned_off.get(family, 0) if speaks else 0
            if off or line or self._block(family):
                parts[family] = off or line or self._block(family)
            if speaks and family in self._speaker.speaks:
                found[family] = line
        return found, parts

    def _loops(self, family: str) -> Iterator[SaidRow]:
        """What weakens the check of AS loops."""
        for setting, default in LOOPS:
            value, at = self._of(family, setting, default)
            if at:
                yield f"{setting}.{family}", value, at, None

    def _family_rows(self) -> Iterator[SaidRow]:
        """Rows of all families; line 0 is that of the neighbor."""
        nobody = NO_MAP if not self._speaker.needs_policy else DENY
        families, parts = self._active()
        lines = families.values() or [line for lines in parts.values() for line in each_line(lines)]
        yield "families", frozenset(families), max(lines, default=0), parts
        closes: list[Said] = []
        extended: list[Said] = []
        unchanged: list[Said] = []
        for family in families:
            block = self._block(family)
            for way in ("in", "out"):
                name, at = self._of(family, f"map-{way}", "")
                found = self._policies.of(str(name), family) if name else nobody
                yield f"policy-{way}.{family}", found, at or block, None
            yield from self._loops(family)
            limit, at = self._of(family, "maximum", 0)
            if at:
                yield f"maximum-routes.{family}", limit, at, None
            if limit:
                closes.append(self._of(family, "restart", 0))
            for rows, (value, at) in (
                (extended, self._of(family, "extended", True)),
                (unchanged, self._of(family, "unchanged", family == "evpn")),
            ):
                rows.append((value, at or block))
        for setting, rows in (
            ("restart", closes),
            ("extended-communities", extended),
            ("next-hop-unchanged", unchanged),
        ):
            odd = rare(rows)
            if odd is not None:
                yield setting, odd[0], odd[1], None
