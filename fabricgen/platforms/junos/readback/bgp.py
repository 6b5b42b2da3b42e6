"""BGP: sessions of the default table and of VRFs, with what each inherits from its group and from BGP itself.

Sources: BGP User Guide. A neighbor has what its group has unless it says otherwise, and a group what `protocols bgp`
has; a policy list of a neighbor replaces that of its group (import, export). `hold-time`: 90, and keepalives are a
third of it. `multihop` alone is 64 hops. Without a family a session has IPv4. `multipath` allows equal paths. `loops N`
of a family takes the own AS number N times in a path, and wins over that of `autonomous-system`, which takes it N - 1
times (CLI reference, loops: BGP Address Family, Autonomous System). `as-override` and `remove-private` are of a group
or a neighbor, the latter of `protocols bgp` as well (CLI reference).
"""

from collections.abc import Callable, Iterator
from typing import NamedTuple, TypedDict

from fabricgen.platforms.junos.readback.config import Config
from fabricgen.platforms.junos.readback.policy import Policies, Ranges
from fabricgen.platforms.junos.readback.text import Tree
from fabricgen.platforms.junos.readback.tree import (
    block,
    blocks,
    digit,
    flag,
    flat,
    line_of,
    number,
    only,
    value,
    values,
)
from fabricgen.readback.addresses import host
from fabricgen.readback.intended import in_vrf
from fabricgen.readback.policy import PERMIT_ALL, Policy
from fabricgen.readback.rows import NOTHING, Value, reference

FAMILIES = {"inet": ("ipv4", "unicast"), "inet6": ("ipv6", "unicast"), "evpn": ("evpn", "signaling")}
HOLD = 90
HOPS = 64
MULTIPLIER = 3
"""Packets that may be lost where nothing is said (manual, bfd-liveness-detection)."""
LEARNED = {False: frozenset({"bgp"}), True: frozenset({"bgp", "evpn"})}
"""Protocols of routes that a session hands on: in a VRF those of the fabric are EVPN's (manual, protocol)."""
EVERYTHING = Policy((PERMIT_ALL,), (0,))
"""Of a session without a policy."""

Said = tuple[Value, int]
"""A value and its line."""
Chain = tuple[tuple[str, ...], int]
"""Names of policies, and the line of the first."""


class Family(NamedTuple):
    """A family of a session. `extended` is the line of `extended-nexthop`, or 0; `loops` the value of its statement."""

    line: int
    limit: Said
    restart: Said
    extended: int
    loops: Said | None = None


DEFAULT_FAMILY = {"ipv4": Family(0, (0, 0), (0, 0), 0)}
"""What a session without a family has."""


class Settings(TypedDict, total=False):
    """What one level says; what it does not say, the level above does. `begins` is the line of the group."""

    description: Said
    peer_as: Said
    internal: int
    hold: tuple[int, int]
    source: tuple[str, int]
    imports: Chain
    exports: Chain
    families: dict[str, Family]
    hops: Said
    ttl: Said
    unchanged: int
    multipath: tuple[bool, int]
    bfd: int
    detects: tuple[str, int]
    password: Said
    vpn: int
    overrides: int
    removes: int
    shut: int
    begins: int


NAMING = frozenset({"description", "peer_as"})
"""What a neighbor says of itself alone."""


class Sessions:
    """Reads sessions, and notes what is true of all of them together.

    own_as  times that a path may have the own AS number where a family does not say it, and its line
    single  lines of groups whose sessions take one path of equal ones, by VRF
    """

    def __init__(self, config: Config, policies: Policies, asn: int, own_as: Said) -> None:
        self._config = config
        self._own_as = own_as
        self._policies = policies
        self._asn = asn
        self.single: dict[str, int] = {}

    def read(self, bgp: Tree, vrf: str = "") -> list[Ranges]:
        """Rows of the sessions of one table. Returns what each of their export chains originates."""
        config, where = self._config, f"VRF {vrf}: " if vrf else ""
        config.need(f"{where}bgp log-updown", flag(bgp, "log-updown"))
        config.need(f"{where}bgp precision-timers", flag(bgp, "precision-timers"))
        top = _level(bgp)
        chains: dict[tuple[str, ...], Ranges] = {}
        for _, group, line in blocks(bgp, "group"):
            settings: Settings = {"begins": line, **top, **_level(group)}
            for names in self._group(group, settings, vrf):
                if names not in chains:
                    chains[names] = self._policies.originated(names)
                    config.need(f"{where}all own routes are announced", self._policies.whole_tables(names))
        return list(chains.values())

    def networks(self, vrf: str, announced: list[Ranges]) -> None:
        """Rows of the prefixes that every one of some policies originates."""
        for row, line in announced[0].items() if announced else ():
            if all(row in ranges for ranges in announced[1:]) and str(row) == row.prefix:
                self._config.put("network", in_vrf(vrf, row.prefix), "originated", True, line)

    def _group(self, group: Tree, settings: Settings, vrf: str) -> Iterator[tuple[str, ...]]:
        """Rows of the sessions of a group. Yields the export chains of those with prefixes."""
        shared = [*self._rows(settings, vrf)]
        for address, own, line in blocks(group, "neighbor"):
            said = _level(own)
            merged: Settings = {**settings, **said}
            rows = shared if said.keys() <= NAMING else [*self._rows(merged, vrf)]
            yield from self._session(in_vrf(vrf, host(address)), merged, line, vrf, rows)
        for _, own, line in blocks(group, "dynamic-neighbor"):
            found = block(own, "peer-auto-discovery")
            port = value(found, "interface")
            if port is not None and flag(block(found, "family", "inet6"), "ipv6-nd"):
                name = in_vrf(vrf, port.text.removesuffix(".0"))
                guard: Settings = {}
                _password(guard, own)
                rows = [*self._rows({**settings, **guard}, vrf)] if guard else shared
                yield from self._session(name, settings, port.line or line, vrf, rows)

    def _session(
        self, name: str, said: Settings, line: int, vrf: str, rows: list[tuple[str, Value, int]]
    ) -> Iterator[tuple[str, ...]]:
        put = self._config.put
        put("session", name, "description", *said.get("description", ("", line)))
        remote = (self._asn, said["internal"]) if "internal" in said else (0, line)
        put("session", name, "remote-as", *said.get("peer_as", remote))
        put("session", name, "enabled", "shut" not in said, said.get("shut", line))
        for setting, one, begins in rows:
            put("session", name, setting, one, begins or line)
        families = said.get("families", DEFAULT_FAMILY)
        if "detects" in said:
            self._config.need(*said["detects"])
        if "evpn" in families and "vpn" in said:
            self._config.need(f"session {name}: vpn-apply-export", said["vpn"])
        several, begins = said.get("multipath", (False, said["begins"]))
        if not several:
            self.single.setdefault(vrf, begins)
        if families.keys() - {"evpn"}:
            yield said["exports"][0] if "exports" in said else ()

    def _rows(self, said: Settings, vrf: str) -> Iterator[tuple[str, Value, int]]:
        """What sessions of a group have alike. Line 0: that of the session."""
        families = said.get("families", DEFAULT_FAMILY)
        yield "families", frozenset(families), next(iter(families.values())).line
        for name, family in families.items():
            yield from self._of_family(said, name, family, LEARNED[bool(vrf)])
        yield "restart", *_same([family.restart for family in families.values()])
        hold, begins = said.get("hold", (HOLD, 0))
        yield "keepalive", hold // 3, begins
        yield "hold", hold, begins
        yield "multihop", *said.get("hops", said.get("ttl", (0, 0)))
        for setting, line in (("bfd", said.get("bfd")), ("next-hop-unchanged", said.get("unchanged"))):
            if line:
                yield setting, True, line
        if "source" in said:
            address, begins = said["source"]
            yield "source", self._config.loopbacks.get(address, address), begins
        elif "hops" in said:
            yield "source", "no loopback", 0  # a row of -1 would say as much as loopback 0
        if "password" in said:
            yield "password", *said["password"]

    def _of_family(
        self, said: Settings, name: str, family: Family, learned: frozenset[str]
    ) -> Iterator[tuple[str, Value, int]]:
        for way, chain in (("in", said.get("imports")), ("out", said.get("exports"))):
            terms = self._policies.chain(chain[0], learned, name) if chain is not None else EVERYTHING
            yield f"policy-{way}.{name}", terms, chain[1] if chain is not None else 0
        yield f"maximum-routes.{name}", *family.limit
        if family.extended:
            yield "extended-next-hop", True, family.extended
        times, line = family.loops or self._own_as
        if line:
            yield f"own-as.{name}", times, line
        for word, at in (("as-override", said.get("overrides")), ("remove-private-as", said.get("removes"))):
            if at:
                yield f"{word}.{name}", True, at


def _same(said: list[Said]) -> Said:
    """The one value of several families; of different ones a text that has them all."""
    different = {one for one, _ in said}
    if len(different) <= 1:
        return said[0]
    return ", ".join(str(one) for one, _ in said), next(line for one, line in said if one not in NOTHING)


def _level(tree: Tree) -> Settings:
    """What one level says."""
    found: Settings = {}
    for word in [*tree]:
        if (reader := _READERS.get(word)) is not None:
            reader(found, tree)
    return found


def _description(found: Settings, tree: Tree) -> None:
    if (word := value(tree, "description")) is not None:
        found["description"] = word


def _peer_as(found: Settings, tree: Tree) -> None:
    if (asn := number(tree, "peer-as")) is not None:
        found["peer_as"] = asn


def _type(found: Settings, tree: Tree) -> None:
    if (word := only(tree, "type", "internal", "external")) is not None and word.text == "internal":
        found["internal"] = word.line


def _hold(found: Settings, tree: Tree) -> None:
    if (hold := number(tree, "hold-time")) is not None:
        found["hold"] = hold


def _source(found: Settings, tree: Tree) -> None:
    if (word := value(tree, "local-address")) is not None:
        found["source"] = host(word.text), word.line


def _chain(tree: Tree, name: str) -> Chain | None:
    """A list of policies. `( A )` is A alone; other expressions stay unread (manual, policy expressions)."""
    raw = tree.get(name)
    if type(raw) is dict and "(" in raw:
        words = flat(raw)
        if len(words) != 3 or words[2] != ")":
            return None
        return (words[1],), line_of(tree.pop(name))
    found = values(tree, name)
    return (tuple(word.text for word in found), found[0].line) if found else None


def _imports(found: Settings, tree: Tree) -> None:
    if (chain := _chain(tree, "import")) is not None:
        found["imports"] = chain


def _exports(found: Settings, tree: Tree) -> None:
    if (chain := _chain(tree, "export")) is not None:
        found["exports"] = chain


def _families(found: Settings, tree: Tree) -> None:
    families: dict[str, Family] = {}
    for name, below, line in blocks(tree, "family"):
        known = FAMILIES.get(name)
        if known is None or known[1] not in below:
            below[None] = line
        else:
            families[known[0]] = _family(block(below, known[1]), line, name)
    if families:
        found["families"] = families


def _family(below: Tree, line: int, name: str) -> Family:
    limits = block(below, "prefix-limit")
    limit = number(limits, "maximum") or (0, line)
    restart = _closed(limits) if "teardown" in limits else (0, line)
    extended = flag(below, "extended-nexthop") if name == "inet" else 0
    return Family(line, limit, restart, extended, number(below, "loops"))


def _closed(limits: Tree) -> Said:
    """`teardown` closes the session, and opens it at once without `idle-timeout` (manual, prefix-limit).

    A number behind it is the percentage that is warned of. The timeout is beside or behind that.
    """
    line = line_of(limits["teardown"])
    rest = block(limits, "teardown")
    minutes = number(rest, "idle-timeout")
    for percent, below, _ in blocks({"": rest}, ""):
        if digit(percent) >= 0:
            minutes = number(below, "idle-timeout") or minutes
    return minutes or ("at once", line)


def _multihop(found: Settings, tree: Tree) -> None:
    line = line_of(tree["multihop"])
    below = block(tree, "multihop")
    found["hops"] = number(below, "ttl") or (HOPS, line)
    if begins := flag(below, "no-nexthop-change"):
        found["unchanged"] = begins


def _ttl(found: Settings, tree: Tree) -> None:
    """`ttl` of a direct session; 1 is what it has anyway."""
    said = number(tree, "ttl")
    if said is not None and said[0] > 1:
        found["ttl"] = said


def _multipath(found: Settings, tree: Tree) -> None:
    line = line_of(tree["multipath"])
    found["multipath"] = bool(flag(block(tree, "multipath"), "multiple-as")), line


def _bfd(found: Settings, tree: Tree) -> None:
    below = block(tree, "bfd-liveness-detection")
    every, lost = number(below, "minimum-interval"), number(below, "multiplier")
    if every is not None:
        found["bfd"] = every[1]
        found["detects"] = f"bfd {every[0]} ms by {lost[0] if lost is not None else MULTIPLIER}", every[1]


def _password(found: Settings, tree: Tree) -> None:
    if (word := value(tree, "authentication-key")) is not None:
        found["password"] = reference(word.text), word.line


def _vpn(found: Settings, tree: Tree) -> None:
    if line := flag(tree, "vpn-apply-export"):
        found["vpn"] = line


def _overrides(found: Settings, tree: Tree) -> None:
    if line := flag(tree, "as-override"):
        found["overrides"] = line


def _removes(found: Settings, tree: Tree) -> None:
    """`remove-private [all [replace [nearest]]]`."""
    line = line_of(tree["remove-private"])
    below = block(tree, "remove-private")
    flag(block(below, "all", "replace"), "nearest")
    for words in (("all",), ()):
        flag(block(below, *words), "replace" if words else "all")
    found["removes"] = line


def _shut(found: Settings, tree: Tree) -> None:
    if line := flag(tree, "shutdown") or flag(tree, "disable"):
        found["shut"] = line


_READERS: dict[str | None, Callable[[Settings, Tree], None]] = {
    "description": _description,
    "peer-as": _peer_as,
    "type": _type,
    "hold-time": _hold,
    "local-address": _source,
    "import": _imports,
    "export": _exports,
    "family": _families,
    "multihop": _multihop,
    "ttl": _ttl,
    "multipath": _multipath,
    "bfd-liveness-detection": _bfd,
    "authentication-key": _password,
    "vpn-apply-export": _vpn,
    "as-override": _overrides,
    "remove-private": _removes,
    "shutdown": _shut,
    "disable": _shut,
}
