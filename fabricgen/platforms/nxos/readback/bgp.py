"""BGP of NX-OS: sessions as they are after their templates.

Sources: unicast routing guide, peer templates: a neighbor's own settings win over those that it inherits from `template
peer`, and those over what the template inherits from `template peer-session`; a family's own over `inherit
peer-policy`, where "the lowest number is preferred over higher numbers".
Timers 60 and 180; no limit of prefixes until `maximum-prefix`, which closes the session until `clear` unless it says
`restart` or `warning-only`; communities are sent by kind where it is said; one path until `maximum-paths`. `bfd` is for
peers on the link, `bfd multihop` for others (cisco.nxos, rm_templates/bgp_global.py). A family is active by its block.
`allowas-in [N]` takes the own AS number in paths, 3 times without N; it and `as-override` are of a family of a neighbor
or of `template peer-policy` (pyATS, genie.libs.conf bgp/nxos; cisco.nxos, nxos_bgp_neighbor_af), `remove-private-as` is
of a neighbor (cisco.nxos, rm_templates/bgp_global.py).
"""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.platforms.nxos.readback.names import loopback
from fabricgen.platforms.nxos.readback.policy import changes_next_hop
from fabricgen.platforms.nxos.readback.values import in_all
from fabricgen.readback import addresses
from fabricgen.readback.forms import Forms, Reader, Said, State, add, idle, merged, opens, put
from fabricgen.readback.intended import in_vrf
from fabricgen.readback.policy import without_policy
from fabricgen.readback.route_maps import RouteMaps
from fabricgen.readback.rows import Value, reference
from fabricgen.readback.words import asn, odd_one, target

KEEPALIVE, HOLD = 60, 180
OWN_AS = 3
"""Times that the own AS number may be in a path by `allowas-in` alone (command reference, allowas-in)."""
LOOPS = ("own-as", "as-override", "remove-private-as")
"""What weakens the check of AS loops."""
UNTIL_CLEARED = "until it is cleared"
FAMILIES = {"ipv4 unicast": "ipv4", "ipv6 unicast": "ipv6", "l2vpn evpn": "evpn"}
Rows = Iterator[tuple[str, Value, int]]


class Limit(NamedTuple):
    """A limit of prefixes, and what happens beyond it: minutes until the session comes back."""

    most: int
    then: Value


def _limit(most: int, warning: str | None, minutes: int | None) -> Limit:
    return Limit(most, 0 if warning else UNTIL_CLEARED if minutes is None else minutes)


def _family(text: str) -> str:
    return FAMILIES[text]


def _far(text: str) -> str | None:
    return addresses.address(text)


def _far_with_as(text: str, remote: str) -> tuple[str, int] | None:
    far, number = addresses.address(text), asn(remote)
    return None if far is None or number is None else (far, number)


def _network(text: str) -> str | None:
    return addresses.prefix(text)


def _masked_network(text: str, mask: str) -> str | None:
    whole = addresses.slashed(text, mask)
    return None if whole is None else addresses.prefix(whole)


def _kinds(word: str | None) -> tuple[str, ...]:
    return ("standard", "extended") if word == "both" else (word or "standard",)


FAMILY_WORD = "address-family (ipv4 unicast|ipv6 unicast|l2vpn evpn)"
OF_FAMILY = Forms(
    {
        "send-community(?: (standard|extended|both))?": add("communities", by=_kinds),
        "route-map <w> in": put("in"),
        "route-map <w> out": put("out"),
        r"maximum-prefix <n>(?: \d+)?(?: (warning-only)| restart <n>)?": put("limit", by=_limit),
        "inherit peer-policy <w> <n>": add("inherits"),
        "allowas-in": put("own-as", OWN_AS),
        "allowas-in <n>": put("own-as"),
        "as-override": put("as-override", True),
        "soft-reconfiguration inbound(?: always)?": idle("routes of the peer are kept as they came"),
    },
    keep=True,
)
SESSION = {
    "remote-as <w>": put("remote-as", by=asn),
    "description <l>": put("description"),
    "update-source <w>": put("source", by=loopback),
    "ebgp-multihop <n>": put("multihop"),
    "ttl-security hops <n>": put("ttl-hops"),
    "disable-connected-check": put("unconnected", True),
    "timers <n> <n>": put("timers"),
    "bfd": put("bfd", "single hop"),
    "bfd singlehop": put("bfd", "single hop"),
    "bfd multihop": put("bfd", "multihop"),
    "remove-private-as(?: all| replace-as)?": put("remove-private-as", True),
    "shutdown": put("enabled", False),
    "no shutdown": put("enabled", True),
    r"password (?:[0-9]+ )?(\S+)": put("password", by=reference),
    "inherit peer-session <w>": put("inherits-session"),
    "inherit peer <w>": put("inherits"),
    FAMILY_WORD: opens("family", OF_FAMILY, by=_family),
}
NEIGHBOR = Forms(SESSION)
ROUTES = Forms(
    {
        "network <p>": add("network", by=_network),
        "network <a> mask <a>": add("network", by=_masked_network),
        "maximum-paths <n>": put("paths"),
        "retain route-target all": put("retain", True),
        "advertise l2vpn evpn": put("advertise", True),
    }
)
SPEAKER = {
    r"router-id ([\d.]+)": put("router-id"),
    "bestpath as-path multipath-relax": put("relax", True),
    "log-neighbor-changes": idle("the log"),
    "timers bgp <n> <n>": put("timers"),
    FAMILY_WORD: opens("routes", ROUTES, by=_family),
    "neighbor <a>": opens("neighbor", NEIGHBOR, by=_far),
    "neighbor <a> remote-as <w>": opens("neighbor-as", NEIGHBOR, by=_far_with_as),
}
BGP = Forms(
    SPEAKER,
    {
        "suppress-fib-pending": put("wait-install", True),
        "no suppress-fib-pending": put("wait-install", False),
        "template peer <w>": opens("peer", NEIGHBOR),
        "template peer-session <w>": opens("peer-session", NEIGHBOR),
        "template peer-policy <w>": opens("peer-policy", OF_FAMILY),
        "vrf <w>": opens("vrf", Forms(SPEAKER)),
    },
)
MAC_VRF = Forms(
    {
        "rd <w>": put("rd"),
        "route-target (both|import|export) <w>": add("target", by=lambda way, text: _target(way, text, "evpn")),
    }
)


def _target(way: str, text: str, evpn: str | None) -> tuple[str, str, bool] | None:
    found = target(text)
    return None if found is None else (way, found, bool(evpn))


VRF_FAMILY = Forms({"route-target (both|import|export) <w>( evpn)?": add("target", by=_target)})
ROOT = {
    "router bgp <w>": opens("bgp", BGP, by=asn),
    "evpn": opens("evpn", Forms({"vni <n> l2": opens("vni", MAC_VRF)})),
}
"""Forms of the top level."""


class Speaker:
    """The sessions and networks of one VRF, or of the default one."""

    def __init__(self, state: State, vrf: str, bgp: State, maps: RouteMaps, reader: Reader) -> None:
        self.state, self._vrf, self._bgp, self._maps, self._reader = state, vrf, bgp, maps, reader
        self.spoken: set[str] = set()
        self._templates = {key: merged(bgp.states(key)) for key in ("peer", "peer-session", "peer-policy")}

    def rows(self) -> None:
        """Rows of all sessions and networks."""
        for name, state in self._sessions().items():
            thing = in_vrf(self._vrf, name)
            for setting, value, line in self._session(thing, state):
                self._reader.put("session", thing, setting, value, line)
        for part in self.state.states("routes"):
            for said, line in part.all("network"):
                if addresses.family_of(said) == part.value:
                    self._reader.put("network", in_vrf(self._vrf, said), "originated", True, line)
                else:  # of another family [unsure: no text says that NX-OS refuses it]
                    self._reader.unread_line(line)

    def _sessions(self) -> dict[str, State]:
        for state in self.state.states("neighbor-as"):
            state.one.setdefault("remote-as", (state.value[1], state.number))
            state.value = state.value[0]
        return merged([*self.state.states("neighbor"), *self.state.states("neighbor-as")])

    def _above(self, state: State) -> list[State]:
        """The session and what it inherits, nearest first."""
        found = [state]
        peer = self._templates["peer"].get(state.get("inherits"))
        found += [peer] if peer is not None else []
        for one in list(found):
            seen: set[str] = set()
            here = one
            while (name := here.get("inherits-session")) and name not in seen:
                seen.add(name)
                here = self._templates["peer-session"].get(name, State())
                found.append(here)
        return found

    def _session(self, thing: str, state: State) -> Rows:
        above = self._above(state)
        one = (
            above[0].one
            if len(above) == 1
            else {key: said for part in reversed(above) for key, said in part.one.items()}
        )
        line = state.number
        for key in ("description", "remote-as", "source", "multihop", "ttl-hops", "password"):
            if key in one:
                yield key, *one[key]
        if "unconnected" in one:
            self._reader.needed(f"{thing}: the peer need not be on a link", one["unconnected"][1])
        enabled, said = one.get("enabled", (True, line))
        yield "enabled", enabled, said
        (keepalive, hold), said = one.get("timers") or self.state.one.get("timers") or ((KEEPALIVE, HOLD), line)
        yield "keepalive", keepalive, said
        yield "hold", hold, said
        if "bfd" in one:
            kind, said = one["bfd"]
            yield (
                "bfd",
                True if kind == ("multihop" if "multihop" in one or "unconnected" in one else "single hop") else kind,
                said,
            )
        families: dict[str, list[State]] = {}
        for part in above:
            for family in part.states("family"):
                families.setdefault(family.value, []).extend([family, *self._inherited(family)])
        self.spoken |= families.keys()
        yield "families", frozenset(families), next((row[0].number for row in families.values()), line)
        for name, parts in families.items():
            yield from self._family(thing, name, parts)
            yield from _loops(name, [*parts, *above])

    def _inherited(self, family: State) -> Iterator[State]:
        for (name, _), _line in sorted(family.all("inherits"), key=lambda row: row[0][1]):
            found = self._templates["peer-policy"].get(name)
            if found is not None:
                yield found

    def _family(self, thing: str, family: str, parts: list[State]) -> Rows:
        line = parts[0].number
        for way in ("in", "out"):
            said = next((part.one[way] for part in parts if way in part.one), None)
            if said is None:
                yield f"policy-{way}.{family}", without_policy(), line
            else:
                yield f"policy-{way}.{family}", self._maps.of(said[0], family), said[1]
                if way == "out":
                    yield from self._next_hop(said, family)
        limit = next((part.one["limit"] for part in parts if "limit" in part.one), None)
        if limit is not None:
            yield f"maximum-routes.{family}", limit[0].most, limit[1]
            yield "restart", limit[0].then, limit[1]
        kinds = {kind: said for part in reversed(parts) for words, said in part.all("communities") for kind in words}
        if "extended" in kinds:
            yield "extended-communities", True, kinds["extended"]
        if "standard" in kinds:
            self._reader.needed(f"{thing}: sends standard communities of {family}", kinds["standard"])

    def _next_hop(self, said: Said, family: str) -> Rows:
        """Whether a map keeps the next hop; where one of EVPN does not, on the line of the statement that lets it."""
        changes = changes_next_hop(self._maps, said[0])
        if changes is None:
            yield "next-hop-unchanged", True, said[1]
        elif family == "evpn":
            yield "next-hop-unchanged", False, changes or said[1]


def _loops(family: str, parts: list[State]) -> Rows:
    """What weakens the check of AS loops in a family: the nearest that says it."""
    for key in LOOPS:
        said = next((part.one[key] for part in parts if key in part.one), None)
        if said is not None:
            yield f"{key}.{family}", *said


def rows(root: State, maps: RouteMaps, reader: Reader) -> State:
    """All of BGP; gives back the block."""
    found = merged(root.states("bgp"))
    state = next(iter(found.values()), State())
    for other in list(found.values())[1:]:
        reader.unread_line(other.number)
    if not state.number:
        return state
    reader.put("bgp", "", "asn", state.value, state.number)
    for key in ("router-id", "wait-install"):
        if key in state.one:
            reader.put("bgp", "", key, *state.one[key])
    _relaxed(reader, "", state)
    for part in state.states("routes"):
        if part.get("retain"):
            reader.needed("routes of all VRFs are kept", part.line("retain"))
    speaker = Speaker(state, "", state, maps, reader)
    speaker.rows()
    _paths(reader, "maximum-paths", [speaker])
    speakers: list[Speaker] = []
    for name, vrf in merged(state.states("vrf")).items():
        _vrf(reader, name, vrf, state)
        speakers.append(Speaker(vrf, name, state, maps, reader))
        speakers[-1].rows()
    _paths(reader, "overlay-paths", speakers)
    return state


def _vrf(reader: Reader, name: str, vrf: State, bgp: State) -> None:
    _relaxed(reader, f"{name}: ", vrf)
    if "router-id" in vrf.one and vrf.get("router-id") != bgp.get("router-id"):
        reader.unread_line(vrf.line("router-id"))
    for part in vrf.states("routes"):
        if part.get("advertise"):
            reader.needed(f"{name}: {part.value} routes go into EVPN", part.line("advertise"))


def _relaxed(reader: Reader, of: str, state: State) -> None:
    text = f"{of}paths through different AS numbers are equal"
    if state.get("relax"):
        reader.needed(text, state.line("relax"))
    else:
        reader.lacks(text, state.number)


def _paths(reader: Reader, setting: str, speakers: list[Speaker]) -> None:
    """Equal paths, which every family must say alike; one path of a family that sessions speak and no block is of."""
    found: list[tuple[int, int]] = []
    for speaker in speakers:
        parts = {part.value: part for part in speaker.state.states("routes")}
        for family in sorted((parts.keys() | speaker.spoken) - {"evpn"}):
            part = parts.get(family)
            found.append((part.get("paths", 1), part.line("paths")) if part else (1, speaker.state.number))
    if found:
        reader.put("bgp", "", setting, *odd_one(found))


def vrf_targets(reader: Reader, name: str, families: dict[str, State]) -> None:
    """Route targets of a VRF: of EVPN, and those of routes that are no EVPN's."""
    for way, setting in (("import", "imports"), ("export", "exports")):
        found: dict[str, list[Said]] = {}
        for family, state in families.items():
            rows = [row for row in state.all("target") if row[0][0] in (way, "both")]
            found[family] = [(text, line) for (_, text, evpn), line in rows if evpn]
            for (_, text, evpn), line in rows:
                if not evpn:
                    reader.needed(f"vrf {name}: {way}s {text} of {family}", line)
        in_all(reader, ("vrf", name, setting), found)
