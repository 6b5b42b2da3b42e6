"""Routing policy of FRR, by whatever text it is configured: lists and maps by name, and what a map does.

Sources: docs.frrouting.org, Filtering and Route Maps: entries in order of sequence; a list that is not there matches
nothing; a map that is named and is not there denies everything; what no entry permits is denied.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from fabricgen.platforms.linux.readback.words import is_ipv6, prefix
from fabricgen.readback.policy import (
    GRACEFUL_SHUTDOWN,
    HOST,
    PERMIT_ALL,
    Lines,
    Policy,
    PrefixRange,
    Term,
    TermLines,
    TermPart,
    of_family,
    policy,
)

KNOWN_COMMUNITIES = {"graceful-shutdown": GRACEFUL_SHUTDOWN}
"""Names of well-known communities, in their numbers (docs.frrouting.org, BGP, Community Lists). Others keep theirs."""
OCTETS_A_PATH = 125_000
"""Octets a second of 1 Mbit/s, which `num-multipaths` counts for each path (FRR, bgpd/bgp_ecommunity.c)."""
_PATHS = re.compile(r"LB:\[0-9\]\+:\((\d+(?:\|\d+)*)\)_")


@dataclass(slots=True)
class Statement:
    """One entry of a route map; fields with names of lists that must all match.

    matches  name of a list → line that names it
    parts    field of Term → line that says it
    """

    permit: bool
    line: int
    matches: dict[str, int] = field(default_factory=dict)
    parts: dict[TermPart, Lines] = field(default_factory=dict)
    communities: list[str] = field(default_factory=list)
    extended: list[str] = field(default_factory=list)
    prefixes: list[tuple[str, str]] = field(default_factory=list)
    set_communities: frozenset[str] = frozenset()
    replace: bool = False
    local_preference: int = -1
    set_paths: bool = False
    never: bool = False

    @property
    def of_both(self) -> bool:
        """It asks for a prefix of each family, which no route has."""
        return len({family for family, _ in self.prefixes}) > 1

    def match_community(self, name: str, line: int) -> None:
        """Routes with a community of a list, in place of another one (routemap.c, route_map_add_match)."""
        self.communities = [name]
        self.matches[name] = line

    def match_prefixes(self, family: str, name: str, line: int) -> None:
        """Routes within a prefix list, in place of another one of the family."""
        self.prefixes = [*(row for row in self.prefixes if row[0] != family), (family, name)]
        self.matches[name] = line

    def set_all(self, communities: Mapping[str, int], line: int, *, replace: bool) -> None:
        """What communities a route gets, each with its line."""
        names = {KNOWN_COMMUNITIES.get(word, word): at for word, at in communities.items()}
        self.set_communities, self.replace = frozenset(names), replace
        self.parts |= {"set_communities": line, "replace": line}
        self.parts.update(names)


def prefix_range(text: str, shortest: int | None, longest: int | None) -> PrefixRange | None:
    """An entry of a prefix list with its `ge` and `le`. With `ge` alone all longer prefixes match, too."""
    found = prefix(text)
    if not found:
        return None
    family, length = ("ipv6" if is_ipv6(found) else "ipv4"), int(found.rpartition("/")[2])
    if longest is None:
        longest = length if shortest is None else HOST[family]
    return PrefixRange(found, length if shortest is None else shortest, longest)


def fewer_paths(expression: str) -> int:
    """Of an expression on a link bandwidth that names 1 to n paths: n + 1. 0 for any other expression."""
    match = _PATHS.fullmatch(expression)
    if match is None:
        return 0
    rates = [int(text) for text in match[1].split("|")]
    counted = [OCTETS_A_PATH * count for count in range(1, len(rates) + 1)]
    return len(rates) + 1 if rates == counted else 0


@dataclass(slots=True)
class Policies:
    """All policy objects of a switch.

    prefix_lists  (family, name) → entries that permit
    communities, targets  name → what its entries permit, each with its line
    paths         name → fewer paths than its entries permit
    maps          name → sequence → entry
    used          maps that something names
    """

    prefix_lists: dict[tuple[str, str], list[PrefixRange]] = field(default_factory=dict)
    prefix_lines: dict[tuple[str, str], list[int]] = field(default_factory=dict)
    communities: dict[str, dict[str, int]] = field(default_factory=dict)
    targets: dict[str, dict[str, int]] = field(default_factory=dict)
    paths: dict[str, int] = field(default_factory=dict)
    maps: dict[str, dict[int, Statement]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    _whole: dict[str, Policy] = field(default_factory=dict)
    _family: dict[tuple[str, str], Policy] = field(default_factory=dict)

    def add_prefix(self, family: str, name: str, entry: PrefixRange, line: int) -> None:
        """An entry of a prefix list."""
        self.prefix_lists.setdefault((family, name), []).append(entry)
        self.prefix_lines.setdefault((family, name), []).append(line)

    def statement(self, name: str, sequence: int, line: int, *, permit: bool) -> Statement:
        """The entry of a map with a sequence number, made where there is none of its kind (routemap.c)."""
        entries = self.maps.setdefault(name, {})
        entry = entries.get(sequence)
        if entry is None or entry.permit is not permit:
            entry = entries[sequence] = Statement(permit, line)
        entry.parts["permit"] = line
        return entry

    def whole(self, name: str) -> Policy:
        """What a map does."""
        if name not in self._whole:
            entries = sorted(self.maps.get(name, {}).items())
            terms = [(self._term(entry), entry) for _, entry in entries]
            self._whole[name] = policy((term, self._lines(entry)) for term, entry in terms if term is not None)
        return self._whole[name]

    def of(self, name: str, family: str) -> Policy:
        """What a map does to routes of one family."""
        self.used.add(name)
        if (name, family) not in self._family:
            self._family[name, family] = of_family(self.whole(name), family)
        return self._family[name, family]

    def exact(self, name: str, family: str) -> list[tuple[str, int]] | None:
        """Prefixes that a map permits, with their lines, if it permits single prefixes alone; None if it does more."""
        self.used.add(name)
        found: list[tuple[str, int]] = []
        for _, entry in sorted(self.maps.get(name, {}).items()):
            names = [listed for of, listed in entry.prefixes if of == family]
            if entry.of_both or (entry.prefixes and not names):
                continue
            if not entry.permit or entry.communities or entry.extended or len(names) != 1:
                return None
            key = (family, names[0])
            rows = list(zip(self.prefix_lists.get(key, ()), self.prefix_lines.get(key, ()), strict=True))
            if any(row.shortest != row.longest or not row.prefix.endswith(f"/{row.shortest}") for row, _ in rows):
                return None
            found += [(row.prefix, line) for row, line in rows]
        return found

    def _lines(self, entry: Statement) -> TermLines:
        """Where each part is said: members of lists there and where the list is named, all others in the entry."""
        parts = dict(entry.parts)
        for lists, names in ((self.communities, entry.communities), (self.targets, entry.extended)):
            parts |= {
                member: (line, entry.matches[name]) for name in names for member, line in lists.get(name, {}).items()
            }
        for key in entry.prefixes:
            rows = zip(self.prefix_lists[key], self.prefix_lines[key], strict=True)
            parts |= {row: (line, entry.matches[key[1]]) for row, line in rows}
        return TermLines(entry.line, parts)

    def _term(self, entry: Statement) -> Term | None:
        """The entry with its names resolved; None if it matches no route."""
        communities = self._any(self.communities, entry.communities)
        extended = [name for name in entry.extended if name not in self.paths]
        targets = self._any(self.targets, extended)
        missing = [row for row in entry.prefixes if row not in self.prefix_lists]
        if entry.never or communities is None or targets is None or missing or entry.of_both:
            return None
        paths = [self.paths[name] for name in entry.extended if name in self.paths]
        return Term(
            permit=entry.permit,
            communities=communities,
            route_targets=targets,
            prefixes_ipv4=self._ranges(entry, "ipv4"),
            prefixes_ipv6=self._ranges(entry, "ipv6"),
            fewer_paths=min(paths, default=0),
            set_communities=entry.set_communities,
            replace=entry.replace,
            local_preference=entry.local_preference,
            set_paths=entry.set_paths,
        )

    @staticmethod
    def _any(lists: Mapping[str, Mapping[str, int]], names: list[str]) -> frozenset[str] | None:
        """What any of the named lists permits; None if one is not there."""
        if any(name not in lists for name in names):
            return None
        return frozenset(member for name in names for member in lists[name])

    def _ranges(self, entry: Statement, family: str) -> frozenset[PrefixRange] | None:
        names = [name for of, name in entry.prefixes if of == family]
        return frozenset(row for name in names for row in self.prefix_lists[family, name]) if names else None


NO_MAP = Policy((PERMIT_ALL,), (0,))
DENY = Policy(())
