"""Route maps of systems whose language is like IOS: statements with lists by name, resolved to a Policy.

What a statement says has these keys in its State: community, target, ipv4 and ipv6 (names of lists), set (communities
and whether they replace), preference. The heading is name, permit, sequence.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from fabricgen.readback.addresses import family_of, prefix
from fabricgen.readback.forms import State, merged
from fabricgen.readback.policy import (
    HOST,
    PERMIT_ALL,
    Policy,
    PrefixRange,
    Term,
    TermLines,
    TermPart,
    of_family,
    policy,
)

WELL_KNOWN = {"no-export": "65535:65281", "no-advertise": "65535:65282", "local-as": "65535:65283"}
"""Words of communities (RFC 1997, as IOS names them)."""
NOWHERE = frozenset({"a list that is not there"})
Ranges = Mapping[PrefixRange, int]
"""Ranges of a prefix list, each with its line."""
Members = Mapping[str, int]
"""Members of another list, each with its line."""
Entry = tuple[str, int | None, PrefixRange]
"""Name of a prefix list, number of an entry, and its range."""


def community(text: str, words: Mapping[str, str]) -> str | None:
    """A standard community, by number or word."""
    known = words.get(text.lower()) or WELL_KNOWN.get(text.lower())
    if known is not None:
        return known
    high, sign, low = text.partition(":")
    if not sign or not high or not low or len(text) > 21:
        return None
    digits = high + low
    return f"{int(high)}:{int(low)}" if digits.isascii() and digits.isdigit() else None


def range_of(where: str, shortest: int | None, longest: int | None) -> PrefixRange | None:
    """A range: `ge` alone reaches to the longest prefix of the family, `le` alone begins at the prefix."""
    whole = prefix(where)
    if whole is None:
        return None
    length = int(whole.rpartition("/")[2])
    last = HOST[family_of(whole)] if shortest is not None and longest is None else longest
    return PrefixRange(whole, length if shortest is None else shortest, length if last is None else last)


def communities(
    by_word: Callable[[str], str | None],
) -> Callable[[str, str | None], tuple[frozenset[str], bool] | None]:
    """What `set community A B additive` sets, and whether it replaces what the route has."""

    def read(text: str, additive: str | None) -> tuple[frozenset[str], bool] | None:
        found = [by_word(word) for word in text.split()]
        return None if None in found or not found else (frozenset(filter(None, found)), additive is None)

    return read


def statement(name: str, action: str | None, sequence: int | None) -> tuple[str, bool, int]:
    """The heading of a statement: `permit` and 10 where they are not said."""
    return name, action != "deny", 10 if sequence is None else sequence


def members(state: State, key: str) -> dict[str, dict[str, int]]:
    """Name of a list → its members, from lines that each have a name and a member."""
    found: dict[str, dict[str, int]] = {}
    for (name, member), line in state.all(key):
        found.setdefault(name, {})[member] = line
    return found


def prefix_lists(
    entries: Iterable[tuple[Entry, int]], refuse: Callable[[int], None]
) -> dict[tuple[str, str], dict[PrefixRange, int]]:
    """Family and name → ranges: lists of the two families have names of their own.

    An entry with the number of another one is refused: a switch has one of the two.
    """
    found: dict[tuple[str, str], dict[PrefixRange, int]] = {}
    numbered: dict[tuple[str, str, int], PrefixRange] = {}
    for (name, number, entry), line in entries:
        family = family_of(entry.prefix)
        if number is not None and numbered.setdefault((family, name, number), entry) != entry:
            refuse(line)
        else:
            found.setdefault((family, name), {})[entry] = line
    return found


class RouteMaps:
    """Route maps with the names in them replaced by what they name. Each map is worked out once.

    A map that is not there permits every route, a list that is not there matches none.
    """

    def __init__(
        self,
        states: list[State],
        prefixes: Mapping[tuple[str, str], Ranges],
        communities_of: Mapping[str, Members],
        targets_of: Mapping[str, Members],
    ) -> None:
        self._prefixes, self._communities, self._targets = prefixes, communities_of, targets_of
        self._statements: dict[str, dict[int, State]] = {}
        for (name, _, sequence), state in merged(states).items():
            self._statements.setdefault(name, {})[sequence] = state
        self._whole: dict[str, Policy] = {}
        self._families: dict[tuple[str, str], Policy] = {}

    def names(self) -> Iterator[tuple[str, int]]:
        """Every map and the line that it begins on."""
        for name in self._statements:
            yield name, min(state.number for state in self.statements(name))

    def statements(self, name: str) -> list[State]:
        """Statements of a map in their order."""
        found = self._statements.get(name, {})
        return [found[sequence] for sequence in sorted(found)]

    def whole(self, name: str) -> Policy:
        """A map for all families."""
        if name not in self._whole:
            self._whole[name] = self._policy(name)
        return self._whole[name]

    def of(self, name: str, family: str) -> Policy:
        """A map as routes of one family meet it."""
        if (name, family) not in self._families:
            self._families[name, family] = of_family(self.whole(name), family)
        return self._families[name, family]

    def _policy(self, name: str) -> Policy:
        if name not in self._statements:
            return policy([(PERMIT_ALL, 0)])
        return policy((self._term(state), self._lines(state)) for state in self.statements(name))

    def _term(self, state: State) -> Term:
        said, replaces = state.get("set", (frozenset(), False))
        ipv4, ipv6 = state.get("ipv4"), state.get("ipv6")
        return Term(
            permit=state.value[1],
            communities=_named(self._communities, state.get("community")),
            route_targets=_named(self._targets, state.get("target")),
            prefixes_ipv4=None if ipv4 is None else frozenset(self._prefixes.get(("ipv4", ipv4), ())),
            prefixes_ipv6=None if ipv6 is None else frozenset(self._prefixes.get(("ipv6", ipv6), ())),
            set_communities=said,
            replace=replaces,
            local_preference=state.get("preference", -1),
        )

    def _lines(self, state: State) -> TermLines:
        """Where each part is said: members of lists in the lists, all others in the statement."""
        parts: dict[TermPart, int] = {SAID_BY.get(key, key): line for key, (_, line) in state.one.items()}
        parts["replace"] = parts.get("set_communities", state.number)
        for key, field, lists in (
            ("community", "communities", self._communities),
            ("target", "route_targets", self._targets),
        ):
            found = lists.get(state.get(key, ""))
            if found:
                parts[field] = next(iter(found.values()))
        for family in ("ipv4", "ipv6"):
            for found_range, line in self._prefixes.get((family, state.get(family, "")), {}).items():
                parts[found_range] = line
        return TermLines(state.number, parts)


SAID_BY = {
    "community": "match community",
    "target": "match route target",
    "ipv4": "prefixes_ipv4",
    "ipv6": "prefixes_ipv6",
    "set": "set_communities",
    "preference": "local_preference",
}
"""Key of a statement → field of Term whose line it is."""


def _named(lists: Mapping[str, Members], name: str | None) -> frozenset[str]:
    return frozenset() if name is None else frozenset(lists.get(name, NOWHERE))
