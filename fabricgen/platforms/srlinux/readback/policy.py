"""Routing policies of SR Linux → the terms that a session has.

Sources: YANG, srl_nokia-routing-policy: statements in their order, the default action behind them; a prefix set matches
by `mask-length-range`, a community set any of its members, or all. Routing protocols guide: an export policy sees the
whole route table, so what BGP has learned is let on by `protocol`, and what is the switch's own by its prefix. The
same guide, specifying a default action, and YANG, policy-result: a policy without a default action hands on to the next
one, and behind the last one the protocol decides: BGP imports every route, and exports some.
"""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.platforms.srlinux.readback.config import Config
from fabricgen.platforms.srlinux.readback.document import Leaf, Tree
from fabricgen.platforms.srlinux.readback.tree import block, digit, number, once, only, rows, text, texts
from fabricgen.readback.addresses import prefix
from fabricgen.readback.policy import (
    HOST,
    PERMIT_ALL,
    Lines,
    Policy,
    PrefixRange,
    Term,
    TermLines,
    TermPart,
    each_line,
    of_family,
    policy,
)

Ranges = dict[PrefixRange, tuple[int, int]]
"""Ranges of a set, with the lines of the prefix and of its lengths."""
Parts = dict[TermPart, Lines]
"""Lines of the parts of a term."""
TARGET = "target:"
LEARNED = frozenset({"bgp"})
LEARNED_IN_VRF = frozenset({"bgp", "bgp-evpn"})


class Rule(NamedTuple):
    """A statement. `protocol` is empty where it matches routes of any; not `known`: something of it was not read."""

    term: Term
    protocol: str
    ranges: Ranges
    known: bool
    line: int
    lines: TermLines


class Named(NamedTuple):
    """A policy; `default` is accept, reject, or empty where the next one decides; `last` is the line of it."""

    rules: tuple[Rule, ...]
    default: str
    line: int
    last: int


class Policies:
    """All policies of a switch. Each chain is worked out once."""

    def __init__(self, config: Config) -> None:
        tree = block(config.tree, "routing-policy")
        self._prefixes = dict(_prefix_sets(tree))
        self._members: dict[str, dict[str, int]] = {}
        self._all: set[str] = set()
        self._community_sets(tree)
        self._policies = dict(self._named(tree))
        self._chains: dict[tuple[tuple[str, ...], frozenset[str], str], Policy] = {}
        self.used: set[str] = set()

    def _community_sets(self, tree: Tree) -> None:
        """Sets by name, and those of which a route must have all members."""
        for row, _ in rows(tree, "community-set"):
            name, wants = text(row, "name"), only(row, "match-set-options", "any", "all")
            if name is not None:
                self._members[name[0]] = dict(texts(row, "member"))
                if wants is not None and wants[0] == "all":
                    self._all.add(name[0])

    def lines(self) -> dict[str, int]:
        """Name and line of each policy."""
        return {name: row.line for name, row in self._policies.items()}

    def chain(self, names: tuple[str, ...], learned: frozenset[str], family: str = "") -> Policy:
        """What policies do with routes that these protocols have learned; none: with routes of any protocol."""
        key = names, learned, family
        if key not in self._chains:
            if family:
                self._chains[key] = of_family(self.chain(names, learned), family)
            else:
                self.used.update(names)
                self._chains[key] = policy(self._terms(names, learned))
        return self._chains[key]

    def _terms(self, names: tuple[str, ...], learned: frozenset[str]) -> Iterator[tuple[Term, int | TermLines]]:
        """Terms of a chain. Equal statements for each protocol are one term; what an earlier one decides is none."""
        said: list[Term] = []
        some: dict[Term, tuple[set[str], TermLines]] = {}
        reached = self._reached(names)
        for found in reached:
            for rule in found.rules:
                lines = rule.lines
                if rule.protocol and learned:
                    protocols, lines = some.setdefault(rule.term, (set(), rule.lines))
                    protocols.add(rule.protocol)
                    if not protocols >= learned:
                        continue
                if rule.known and not any(_decides(term, rule.term) for term in said):
                    said.append(rule.term)
                    yield rule.term, lines
        if reached and reached[-1].default != "reject":
            yield PERMIT_ALL, reached[-1].last

    def _reached(self, names: tuple[str, ...]) -> list[Named]:
        """The policies of a chain up to the one that decides on every route."""
        found = [self._policies[name] for name in names if name in self._policies]
        end = next((at for at, row in enumerate(found, 1) if row.default), len(found))
        return found[:end]

    def undecided(self, names: tuple[str, ...]) -> int:
        """The line of the last policy of a chain, where none of them has a default action; else 0."""
        reached = self._reached(names)
        return reached[-1].last if reached and not reached[-1].default else 0

    def originated(self, names: tuple[str, ...]) -> Ranges:
        """Prefixes that a chain lets on whatever protocol they are of: the switch's own."""
        self.used.update(names)
        return {
            entry: line
            for found in self._reached(names)
            for rule in found.rules
            if rule.term.permit and not rule.protocol
            for entry, line in rule.ranges.items()
            if str(entry) == entry.prefix
        }

    def every_protocol(self, names: tuple[str, ...]) -> int:
        """The line of the statement that accepts routes of any protocol and of more than one prefix; 0: there is none.

        One that wants a community accepts no route of the switch's own.
        """
        rules = (rule for found in self._reached(names) for rule in found.rules)
        wide = (rule for rule in rules if rule.term.permit and not rule.protocol and _is_wide(rule))
        return next((each_line(rule.lines.parts.get("prefixes_ipv4", rule.line))[0] for rule in wide), 0)

    def passes(self, names: tuple[str, ...], protocol: str) -> int:
        """The line of the statement that accepts all routes of a protocol; 0 where there is none."""
        rules = (rule for found in self._reached(names) for rule in found.rules)
        return next((rule.line for rule in rules if rule.protocol == protocol and rule.term.permit), 0)

    def added(self, names: tuple[str, ...]) -> list[tuple[frozenset[str], Lines]]:
        """Communities that each accepting statement of a chain adds, with their lines."""
        self.used.update(names)
        rules = (rule for found in self._reached(names) for rule in found.rules)
        return [
            (rule.term.set_communities, rule.lines.parts.get("set_communities", rule.line))
            for rule in rules
            if rule.term.permit
        ]

    def _named(self, tree: Tree) -> Iterator[tuple[str, Named]]:
        for row, line in rows(tree, "policy"):
            name = text(row, "name")
            default = only(block(row, "default-action"), "policy-result", "accept", "reject")
            if name is not None:
                found = tuple(self._rule(one, begins) for one, _, begins in once(rows(row, "statement"), "name"))
                action, last = default or ("", line)
                yield name[0], Named(found, action, name[1] or line, last)

    def _rule(self, row: Tree, begins: int) -> Rule:
        match, action = block(row, "match"), block(row, "action")
        protocol = text(match, "protocol")
        term, ranges, parts = PERMIT_ALL, Ranges(), Parts()
        # before release 25.3 the set was in `match` itself (YANG)
        chosen = text(block(match, "prefix"), "prefix-set") or text(match, "prefix-set")
        if chosen is not None:
            ranges = self._prefixes.get(chosen[0], {})
            ipv4 = frozenset(entry for entry in ranges if ":" not in entry.prefix)
            ipv6 = frozenset(entry for entry in ranges if ":" in entry.prefix)
            parts.update(ranges.items())
            parts["prefixes_ipv4"] = parts["prefixes_ipv6"] = (
                chosen[1],
                *(line for lines in ranges.values() for line in lines),
            )
            term = term._replace(prefixes_ipv4=ipv4 if ipv4 or not ipv6 else None, prefixes_ipv6=ipv6 or None)
        communities = text(block(match, "bgp"), "community-set")
        several = False
        if communities is not None:
            members = self._members.get(communities[0], {"": communities[1]})
            parts["communities"] = parts["route_targets"] = *members.values(), communities[1]
            several = len(members) > 1 and communities[0] in self._all
            targets = frozenset(one.removeprefix(TARGET) for one in members if one.startswith(TARGET))
            plain = frozenset(one for one in members if not one.startswith(TARGET))
            term = term._replace(communities=plain, route_targets=targets)
        result = text(action, "policy-result")
        if result is not None:
            parts["permit"] = result[1]
        permit = result is not None and result[0] == "accept"
        term = self._sets(block(action, "bgp"), term._replace(permit=permit), parts)
        if several and communities is not None:
            match["bgp"] = {"community-set": Leaf(*communities)}
        known = not _left(match) and result is not None and result[0] in ("accept", "reject")
        return Rule(term, protocol[0] if protocol is not None else "", ranges, known, begins, TermLines(begins, parts))

    def _sets(self, action: Tree, term: Term, parts: Parts) -> Term:
        if (preference := number(block(action, "local-preference"), "set")) is not None:
            term = term._replace(local_preference=preference[0])
            parts["local_preference"] = preference[1]
        change = block(action, "communities")
        for word in ("add", "replace"):
            if (name := text(change, word)) is not None:
                members = self._members.get(name[0], {})
                term = term._replace(set_communities=frozenset(members), replace=word == "replace")
                parts["set_communities"] = *members.values(), name[1]
                parts["replace"] = name[1]
        return term


def _is_wide(rule: Rule) -> bool:
    term = rule.term
    every = term.prefixes_ipv4 is None and term.prefixes_ipv6 is None
    ranged = any(str(entry) != entry.prefix for entry in rule.ranges)
    return (every or ranged) and not term.communities and not term.route_targets


def _left(tree: Tree) -> bool:
    """Whether something of a tree was not read."""
    return any(_left(below) if type(below) is dict else key is not None for key, below in tree.items())


def _decides(first: Term, term: Term) -> bool:
    """Whether a term before decides alike on every route that a term matches."""
    alike = first._replace(prefixes_ipv4=None, prefixes_ipv6=None)
    if alike != term._replace(prefixes_ipv4=None, prefixes_ipv6=None):
        return False
    whole = first.prefixes_ipv4 is None and first.prefixes_ipv6 is None
    pairs = (first.prefixes_ipv4, term.prefixes_ipv4), (first.prefixes_ipv6, term.prefixes_ipv6)
    limited = term.prefixes_ipv4 is not None or term.prefixes_ipv6 is not None
    return whole or (limited and all(_covers(outer or frozenset(), inner or frozenset()) for outer, inner in pairs))


def _covers(outer: frozenset[PrefixRange], inner: frozenset[PrefixRange]) -> bool:
    return all(any(covers(one, entry) for one in outer) for entry in inner)


def covers(outer: PrefixRange, inner: PrefixRange) -> bool:
    """Whether a range has all prefixes of another."""
    length = int(outer.prefix.rpartition("/")[2])
    within = prefix(f"{inner.prefix.rpartition('/')[0]}/{length}") == outer.prefix
    return within and outer.shortest <= inner.shortest and inner.longest <= outer.longest


def _prefix_sets(tree: Tree) -> Iterator[tuple[str, Ranges]]:
    for row, _ in rows(tree, "prefix-set"):
        name, found = text(row, "name"), Ranges()
        for entry, line in rows(row, "prefix"):
            found |= _range(entry, line)
        if name is not None:
            yield name[0], found


def _range(entry: Tree, line: int) -> Ranges:
    """A prefix and its lengths: `exact`, or `16..32` (YANG, mask-length-range)."""
    own, lengths = text(entry, "ip-prefix"), text(entry, "mask-length-range")
    one = prefix(own[0]) if own is not None else None
    if own is None or one is None:
        entry[None] = line
        return {}
    length = int(one.rpartition("/")[2])
    if lengths is None or lengths[0] == "exact":
        return {PrefixRange(one, length, length): (own[1], lengths[1] if lengths is not None else own[1])}
    shortest, _, longest = lengths[0].partition("..")
    low, high = digit(shortest), digit(longest)
    most = HOST["ipv6" if ":" in one else "ipv4"]
    if not 0 <= low <= high <= most:
        entry[None] = line
        return {}
    return {PrefixRange(one, max(low, length), high): (own[1], lengths[1])}
