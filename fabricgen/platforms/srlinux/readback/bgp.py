"""BGP: sessions of the default instance and of VRFs, with what each inherits from its group and from its instance.

Sources: routing protocols guide, BGP; YANG srl_nokia-bgp: a neighbor has what its group has unless it says otherwise;
hold-time 90, keepalive-interval 30, connect-retry 120, minimum-advertisement-interval 5, maximum-hops 255,
maximum-paths 1 where nothing is said; a family is on where the nearest level that says so enables it; all kinds of
communities are sent where none is named. BFD needs the subinterface under `/bfd` as well. Without a policy nothing
passes (ebgp-default-policy). `as-path-options` of BGP, a group or a neighbor: `allow-own-as` times that a path may have
the own AS number, 0 where nothing is said; `replace-peer-as`; `remove-private-as`, which has a mode.
"""

from collections.abc import Iterator, Mapping
from functools import cached_property
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_interface
from typing import Any, NamedTuple

from fabricgen.platforms.srlinux.readback.config import Config
from fabricgen.platforms.srlinux.readback.document import Leaf, Tree
from fabricgen.platforms.srlinux.readback.policy import LEARNED, LEARNED_IN_VRF, Policies, Ranges, covers
from fabricgen.platforms.srlinux.readback.tree import block, flag, number, only, rows, state, text, texts
from fabricgen.readback.addresses import host
from fabricgen.readback.intended import in_vrf
from fabricgen.readback.policy import PERMIT_ALL, Lines, Policy, PrefixRange, TermLines, each_line
from fabricgen.readback.rows import Part, Value, reference

FAMILIES = {"ipv4-unicast": "ipv4", "ipv6-unicast": "ipv6", "evpn": "evpn"}
HOLD, KEEPALIVE, RETRY, ADVERTISED, HOPS, PATHS = 90, 30, 120, 5, 255, 1
MINUTE = 60
ALIKE = "equal paths: one number for all peers"
"""The line of releases before 25.3, where 25.3 has a number for each kind of peer (YANG)."""
LOOPS = ("own-as", "as-override", "remove-private-as")
"""What weakens the check of AS loops, in all families."""
OWN = frozenset({"remote-as", "description", "enabled"})
"""Settings of the neighbor itself. Others that nothing says would be in its group: they have the line that names it."""

Said = dict[str, tuple[Any, int]]
"""What one level says, by setting, with its line. `line` has those that name the group and the neighbor."""
Setting = tuple[str, Value, int, Mapping[Part, Lines] | None]


class Chains(NamedTuple):
    """The export policies of a session, and its families."""

    exports: tuple[str, ...]
    families: tuple[str, ...]
    learned: frozenset[str]


class Sessions:
    """Reads the BGP of instances."""

    def __init__(self, config: Config, policies: Policies) -> None:
        self._config = config
        self._policies = policies
        self.paths: dict[str, dict[str, tuple[int, int]]] = {}

    def read(self, bgp: Tree, vrf: str, line: int) -> list[Chains]:
        """Rows of the sessions of one instance, and what they export."""
        where = f"VRF {vrf}: " if vrf else ""
        on = state(bgp)
        if not on[0]:
            self._config.need(f"{where}bgp is disabled", on[1])
        self._speaker(bgp, vrf, where)
        defaults = block(bgp, "ebgp-default-policy")
        rejects = {way: flag(defaults, f"{way}-reject-all", default=True) for way in ("import", "export")}
        for way, (rejected, at) in rejects.items():
            self._config.need(f"{where}bgp {way}-reject-all {str(rejected).lower()}", at or line)
        top: Said = {**dict(_families(bgp)), **dict(_loops(bgp))}
        self._paths(top, vrf)
        groups: dict[str, Said] = {}
        for row, begins in rows(bgp, "group"):
            if (name := text(row, "group-name")) is not None:
                groups[name[0]] = {**top, **_level(row), "group": (name[0], begins)}
            else:
                row[None] = begins
        chains = [*self._neighbors(bgp, groups, vrf, rejects), *self._links(bgp, groups, vrf, rejects)]
        begins = next((at for setting, (_, at) in top.items() if setting.startswith("on ")), line)
        for family in dict.fromkeys(family for chain in chains for family in chain.families):
            at = top.get(f"on {family}", (True, begins))[1]
            self.paths.setdefault(vrf, {}).setdefault(family, (PATHS, at))
        return chains

    def _speaker(self, bgp: Tree, vrf: str, where: str) -> None:
        asn, router = number(bgp, "autonomous-system") or (0, 0), text(bgp, "router-id") or ("", 0)
        if vrf:
            self._config.need(f"{where}bgp autonomous-system {asn[0]}", asn[1])
            self._config.need(f"{where}bgp router-id {host(router[0])}", router[1])
        else:
            self._config.put("bgp", "", "asn", *asn)
            self._config.put("bgp", "", "router-id", host(router[0]), router[1])
        advertised = block(bgp, "route-advertisement")
        rapid, at = flag(advertised, "rapid-withdrawal")
        if rapid:
            self._config.need(f"{where}bgp rapid-withdrawal", at)
        waits, at = flag(advertised, "wait-for-fib-install")
        if at and not vrf:
            self._config.put("bgp", "", "wait-install", waits, at)

    def _paths(self, top: Said, vrf: str) -> None:
        for family in FAMILIES.values():
            if f"paths {family}" in top:
                self.paths.setdefault(vrf, {})[family] = top[f"paths {family}"]
        if "alike" in top:
            self._config.need(ALIKE, top["alike"][1])
        rapid, at = top.get("rapid-update", (False, 0))
        if rapid:
            self._config.need("evpn rapid-update", at)

    def _neighbors(
        self, bgp: Tree, groups: dict[str, Said], vrf: str, rejects: dict[str, tuple[bool, int]]
    ) -> Iterator[Chains]:
        for row, line in rows(bgp, "neighbor"):
            peer, group = text(row, "peer-address"), text(row, "peer-group")
            if peer is None:
                row[None] = line
                continue
            named = group[1] if group is not None else peer[1]
            said = {**groups.get(group[0] if group is not None else "", {}), **_level(row), "line": (named, peer[1])}
            yield self._session(in_vrf(vrf, host(peer[0])), said, vrf, rejects, host(peer[0]))

    def _links(
        self, bgp: Tree, groups: dict[str, Said], vrf: str, rejects: dict[str, tuple[bool, int]]
    ) -> Iterator[Chains]:
        """Sessions of unnumbered links: dynamic neighbors of an interface."""
        for row, line in rows(bgp, "dynamic-neighbors", "interface"):
            name, group = text(row, "interface-name"), text(row, "peer-group")
            allowed = texts(row, "allowed-peer-as")
            if name is None or len(allowed) != 1:
                row[None] = line
                continue
            said: Said = {**groups.get(group[0] if group is not None else "", {}), "line": (name[1], name[1])}
            asn, at = allowed[0]
            said["peer-as"] = (int(asn) if asn.isdigit() and len(asn) < 11 else 0, at)
            yield self._session(in_vrf(vrf, name[0].removesuffix(".0")), said, vrf, rejects, name[0])

    def _session(self, name: str, said: Said, vrf: str, rejects: dict[str, tuple[bool, int]], far: str) -> Chains:
        named, line = said["line"]
        families = tuple(family for family in FAMILIES.values() if said.get(f"on {family}", (False, 0))[0])
        for setting, value, at, parts in self._rows(said, families, vrf, rejects, far):
            self._config.put("session", name, setting, value, at or (line if setting in OWN else named), parts)
        where = f"VRF {vrf}: " if vrf else ""
        retry, every = said.get("retry", (RETRY, line)), said.get("advertised", (ADVERTISED, line))
        self._config.need(f"{where}bgp connect-retry {retry[0]}", retry[1])
        self._config.need(f"{where}bgp minimum-advertisement-interval {every[0]}", every[1])
        exports: tuple[str, ...] = said.get("exports", ((), 0))[0]
        if families != ("evpn",) and (at := self._policies.every_protocol(exports)):
            self._config.need(f"{where}own routes of all kinds are announced", at)
        return Chains(exports, families, LEARNED_IN_VRF if vrf else LEARNED)

    def _rows(
        self, said: Said, families: tuple[str, ...], vrf: str, rejects: dict[str, tuple[bool, int]], far: str
    ) -> Iterator[Setting]:
        yield "remote-as", *said.get("peer-as", (0, 0)), None
        yield "description", *said.get("description", ("", 0)), None
        yield "enabled", *said.get("enabled", (True, 0)), None
        switched: dict[Part, Lines] = {one: said[f"on {one}"][1] for one in FAMILIES.values() if f"on {one}" in said}
        first = families[0] if families else next(reversed(switched), "")
        yield "families", frozenset(families), each_line(switched.get(first, 0))[0], switched
        for family in families:
            for row in self._of_family(said, family, LEARNED_IN_VRF if vrf else LEARNED, rejects):
                yield *row, None
        yield "restart", *_restart(said, families), None
        keepalive, hold = said.get("keepalive", (KEEPALIVE, 0)), said.get("hold", (HOLD, 0))
        yield "keepalive", *keepalive, None
        yield "hold", *hold, None
        yield "multihop", *said.get("hops", (0, 0)), None
        for row in self._bfd(said, far):
            yield *row, None
        if "source" in said:
            address, at = said["source"]
            number_of: Value = self._config.loopbacks.get(address, -1)
            yield "source", address if number_of == -1 else number_of, at, None
        elif said.get("hops", (0, 0))[0] and "evpn" in families:
            yield "source", "no loopback", 0, None  # a row of -1 would say as much as loopback 0
        if "password" in said:
            yield "password", *said["password"], None

    def _of_family(
        self, said: Said, family: str, learned: frozenset[str], rejects: dict[str, tuple[bool, int]]
    ) -> Iterator[tuple[str, Value, int]]:
        for way, key in (("in", "import"), ("out", "export")):
            names, at = said.get(f"{key}s", (tuple[str, ...](), 0))
            passed = learned if way == "out" else frozenset[str]()
            terms = self._policies.chain(names, passed, family) if names else _unfiltered(said, *rejects[key])
            yield f"policy-{way}.{family}", terms, at
        for key in LOOPS:
            if key in said:
                yield f"{key}.{family}", *said[key]
        yield f"maximum-routes.{family}", *said.get(f"limit {family}", (0, 0))
        kinds, at = said.get(f"kinds {family}", (("standard", "extended"), 0))
        if "extended" in kinds:
            yield "extended-communities", True, at
        if "standard" not in kinds:
            yield "extended-communities", "no standard ones", at
        if family == "evpn" and "inter-as-vpn" in said:
            yield "next-hop-unchanged", *said["inter-as-vpn"]
        ways = [said.get(f"{way}-ipv6-next-hops", (False, 0)) for way in ("advertise", "receive")]
        if family == "ipv4" and all(one for one, _ in ways):
            yield "extended-next-hop", True, ways[0][1]

    def _bfd(self, said: Said, far: str) -> Iterator[tuple[str, Value, int]]:
        on, at = said.get("bfd", (False, 0))
        if on:
            sub = self._leaves_by(far, str(said.get("source", ("", 0))[0]))
            yield "bfd", *self._config.watched.get(sub, (False, at))
        elif at:
            yield "bfd", False, at

    def _leaves_by(self, far: str, source: str) -> str:
        """The subinterface that a session has its own address on."""
        if "-" in far:
            return far
        try:
            if source:
                return self._addressed.get(ip_address(source), "")
            there = ip_address(far)
        except ValueError:
            return ""
        lengths = sorted({one.prefixlen for one in self._networked if one.version == there.version}, reverse=True)
        around = (ip_interface((there, length)).network for length in lengths)
        return next((self._networked[one] for one in around if one in self._networked), "")

    @cached_property
    def _addressed(self) -> dict[IPv4Address | IPv6Address, str]:
        """Address → the first subinterface that has it."""
        return {
            ip_interface(one).ip: name
            for name, addresses in reversed(self._config.subnets.items())
            for one in addresses
        }

    @cached_property
    def _networked(self) -> dict[IPv4Network | IPv6Network, str]:
        """Network of an address → the first subinterface that has it."""
        return {
            ip_interface(one).network: name for name, every in reversed(self._config.subnets.items()) for one in every
        }

    def networks(self, vrf: str, chains: list[Chains], extra: list[Ranges]) -> None:
        """Rows of own prefixes: each that some policy originates, and none that would let it on leaves out."""
        found: Ranges = {}
        lists = [(self._policies.originated(one.exports), one) for one in dict.fromkeys(chains)]
        for ranges in (*extra, *(ranges for ranges, _ in lists)):
            found |= {entry: lines for entry, lines in ranges.items() if entry not in found}
        for entry, (line, _) in found.items():
            everywhere = all(entry in ranges for ranges in extra)
            if everywhere and all(entry in ranges or not self._lets_on(one, entry) for ranges, one in lists):
                self._config.put("network", in_vrf(vrf, entry.prefix), "originated", True, line)

    def _lets_on(self, one: Chains, entry: PrefixRange) -> bool:
        """Whether a session would hand on a learned route of this prefix."""
        family = "ipv6" if ":" in entry.prefix else "ipv4"
        if family not in one.families:
            return False
        terms = self._policies.chain(one.exports, one.learned, family).terms
        for term in terms:
            ranges = getattr(term, f"prefixes_{family}") or ()
            if term.permit and any(covers(outer, entry) for outer in ranges):
                return True
        return False


def _unfiltered(said: Said, rejected: bool, line: int) -> Policy:
    """What passes without a policy. One could be in the group or in the neighbor; the default has a line of its own."""
    around = [at for at in (*said["line"], said.get("group", ("", 0))[1], line) if at]
    lines = TermLines(around[0], {"permit": tuple(around)})
    return Policy(() if rejected else (PERMIT_ALL,), (lines,))


def _level(row: Tree) -> Said:
    """What a group or a neighbor says."""
    timers, several = block(row, "timers"), block(row, "multihop")
    found = {
        "description": text(row, "description"),
        "peer-as": number(row, "peer-as"),
        "hold": number(timers, "hold-time"),
        "keepalive": number(timers, "keepalive-interval"),
        "retry": number(timers, "connect-retry"),
        "advertised": number(timers, "minimum-advertisement-interval"),
        "restart": number(timers, "prefix-limit-restart-timer"),
        "source": _source(row),
        "imports": _names(row, "import-policy"),
        "exports": _names(row, "export-policy"),
        "password": _password(row),
    }
    said: Said = {key: one for key, one in found.items() if one is not None}
    if "admin-state" in row:
        said["enabled"] = state(row)
    if several:
        on, at = state(several, default=False)
        hops = number(several, "maximum-hops") or (HOPS, at)
        said["hops"] = hops if on else (0, at)
    watched, at = flag(block(row, "failure-detection"), "enable-bfd")
    if at:
        said["bfd"] = watched, at
    said.update(_loops(row))
    said.update(_families(row))
    return said


def _loops(row: Tree) -> Iterator[tuple[str, tuple[Any, int]]]:
    """What a level says that weakens the check of AS loops."""
    options = block(row, "as-path-options")
    if (times := number(options, "allow-own-as")) is not None:
        yield "own-as", times
    replaces, at = flag(options, "replace-peer-as")
    if at:
        yield "as-override", (replaces, at)
    removed = block(options, "remove-private-as")
    if (mode := only(removed, "mode", "delete", "disabled", "replace")) is not None:
        yield "remove-private-as", (mode[0] != "disabled", mode[1])
        for word in ("ignore-peer-as", "leading-only"):
            flag(removed, word)


def _source(row: Tree) -> tuple[str, int] | None:
    found = text(block(row, "transport"), "local-address")
    return (host(found[0]), found[1]) if found is not None else None


def _password(row: Tree) -> tuple[str, int] | None:
    found = text(block(row, "authentication"), "password")
    return (reference(found[0]), found[1]) if found is not None else None


def _names(row: Tree, key: str) -> tuple[tuple[str, ...], int] | None:
    """A list of policies; before release 24.3 it was one name (YANG)."""
    alone = text(row, key)
    found = [alone] if alone is not None else texts(row, key)
    return (tuple(name for name, _ in found), found[0][1]) if found else None


def _families(row: Tree) -> Iterator[tuple[str, tuple[Any, int]]]:
    """What a level says of families."""
    for own, line in rows(row, "afi-safi"):
        name = text(own, "afi-safi-name")
        family = FAMILIES.get(name[0]) if name is not None else None
        if name is None or family is None:
            own[None] = line
            continue
        yield from _family(own, family, line)
        words = block(own, name[0])
        limit = block(words, "prefix-limit-received")
        if (most := number(limit, "max-received-routes")) is not None:
            yield f"limit {family}", most
        for key, tree, word in ((f"stays {family}", limit, "prevent-teardown"), *((key, words, key) for key in _FLAGS)):
            on, at = flag(tree, word)
            if at:
                yield key, (on, at)


def _family(own: Tree, family: str, line: int) -> Iterator[tuple[str, tuple[Any, int]]]:
    if "admin-state" in own:
        yield f"on {family}", state(own, default=False)
    if kinds := texts(own, "send-community-type"):
        yield f"kinds {family}", (tuple(kind for kind, _ in kinds), kinds[0][1])
    if "multipath" in own:
        paths = block(own, "multipath")
        if "ebgp" not in paths and type(alike := paths.get("maximum-paths")) is Leaf:
            yield "alike", (True, alike.line)
        yield f"paths {family}", _several(paths, line)


_FLAGS = ("advertise-ipv6-next-hops", "receive-ipv6-next-hops", "inter-as-vpn", "rapid-update")


def _several(tree: Tree, line: int) -> tuple[int, int]:
    """Equal paths over neighbors of several AS."""
    allowed, at = flag(tree, "allow-multiple-as")
    paths = number(block(tree, "ebgp"), "maximum-paths") or number(tree, "maximum-paths")
    return paths if paths is not None and allowed else (PATHS, at or line)


def _restart(said: Said, families: tuple[str, ...]) -> tuple[Value, int]:
    """Minutes that a session stays closed, where a family of it has a limit that closes it."""
    closes = [one for one in families if f"limit {one}" in said and not said.get(f"stays {one}", (False, 0))[0]]
    if not closes:
        return 0, 0
    seconds, at = said.get("restart", (0, said[f"limit {closes[0]}"][1]))
    if len(closes) < sum(f"limit {one}" in said for one in families):
        return f"{', '.join(closes)} alone", at
    return (seconds // MINUTE if seconds and seconds % MINUTE == 0 else f"{seconds} s"), at
