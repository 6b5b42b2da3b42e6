"""Routing policies of Junos: chains of policy statements → the terms that one session has.

Sources: Routing Policies User Guide: a term matches where all kinds of its conditions match, and of one kind any value;
policies of a chain follow each other (`next policy`); what none decides on has the protocol's default, and BGP accepts.
`community [ A B ]` matches a route with any of them, a community with several members one that has all of them.
"""

from collections.abc import Iterator
from ipaddress import ip_network
from typing import NamedTuple

from fabricgen.platforms.junos.readback.config import Config
from fabricgen.platforms.junos.readback.text import Tree
from fabricgen.platforms.junos.readback.tree import (
    Word,
    block,
    blocks,
    digit,
    flag,
    leaves,
    line_of,
    number,
    only,
    values,
)
from fabricgen.readback.intended import full_range
from fabricgen.readback.policy import (
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

Ranges = dict[PrefixRange, int]
"""Ranges of a list, with the line of each."""
OWN = frozenset({"direct", "static"})
TARGET = "target:"
FILTERS = frozenset({"route-filter-list", "prefix-list", "prefix-list-filter", "route-filter"})
DEFAULT = (PERMIT_ALL, 0)
"""BGP imports all routes and exports those that it has learned (manual, default routing policies)."""


IPV4, IPV6 = "ipv4", "ipv6"
Parts = dict[TermPart, Lines]
"""Lines of the parts of a term."""


class Community(NamedTuple):
    """A community by its members, and their line."""

    members: tuple[str, ...]
    line: int


NO_COMMUNITY = Community((), 0)


class Rule(NamedTuple):
    """A term as it is written. `then` is accept, reject, next policy, or empty: it goes on with the next term.

    protocols  None: of any protocol
    """

    term: Term
    then: str
    protocols: frozenset[str] | None
    ranges: Ranges
    line: int
    lines: TermLines


class Statement(NamedTuple):
    """A policy statement. `balances` has the line of `load-balance per-packet` without a condition."""

    rules: tuple[Rule, ...]
    line: int
    balances: int = 0


class Policies:
    """All policies of a switch. Each chain is worked out once."""

    def __init__(self, config: Config) -> None:
        options = block(config.tree, "policy-options")
        self._lists = dict(_lists(options))
        self.communities = dict(_communities(options))
        self._statements = {
            name: self._statement(below, line) for name, below, line in blocks(options, "policy-statement")
        }
        self._chains: dict[tuple[tuple[str, ...], frozenset[str], str], Policy] = {}
        self.used: set[str] = set()

    def prefixes(self, name: str) -> dict[str, int]:
        """Prefixes of a prefix list, with their lines; none where there is no such list."""
        return {row.prefix: line for row, line in self._lists.get(("prefix-list", name), {}).items()}

    def lines(self) -> dict[str, int]:
        """Name and line of each policy."""
        return {name: row.line for name, row in self._statements.items()}

    def chain(self, names: tuple[str, ...], protocols: frozenset[str], family: str = "") -> Policy:
        """What a chain of policies does with routes that were learned by these protocols."""
        key = names, protocols, family
        if key not in self._chains:
            if family:
                self._chains[key] = of_family(self.chain(names, protocols), family)
            else:
                self.used.update(names)
                self._chains[key] = policy(self._terms(names, protocols))
        return self._chains[key]

    def _terms(self, names: tuple[str, ...], protocols: frozenset[str]) -> Iterator[tuple[Term, int | TermLines]]:
        """Terms of a chain. One for some of the protocols is left out: it does not hold for all routes."""
        for name in names:
            statement = self._statements.get(name)
            for rule in statement.rules if statement is not None else ():
                if rule.protocols is not None and not rule.protocols >= protocols:
                    continue
                if rule.then == "next policy" and rule.term == PERMIT_ALL:
                    break
                if rule.then in ("accept", "reject"):
                    yield rule.term, rule.lines
        yield DEFAULT

    def originated(self, names: tuple[str, ...]) -> Ranges:
        """Prefixes of the switch's own that the first policy of a chain lets on, with their lines.

        A route of the switch's own is direct or static. It is let on by a term for both.
        """
        self.used.update(names)
        found: Ranges = {}
        for rule in self._rules(names[:1]):
            if rule.then in ("accept", "next policy") and rule.protocols is not None and rule.protocols >= OWN:
                found |= rule.ranges
        return found

    def whole_tables(self, names: tuple[str, ...]) -> int:
        """The line on which the first policy of a chain lets on every route of the switch's own; 0: it does not."""
        line = 0
        for rule in self._rules(names[:1]):
            line = line or rule.line
            own = rule.protocols is None or not OWN.isdisjoint(rule.protocols)
            if own and _matches_all(rule.term._replace(permit=True)) and rule.then:
                return 0 if rule.then == "reject" else rule.line
        return line

    def _rules(self, names: tuple[str, ...]) -> Iterator[Rule]:
        for name in names:
            if name in self._statements:
                yield from self._statements[name].rules

    def passes(self, name: str, protocol: str) -> int:
        """The line of the term that accepts all routes of a protocol; 0 where there is none."""
        self.used.add(name)
        for rule in self._rules((name,)):
            if rule.protocols is not None and protocol in rule.protocols and rule.then == "accept":
                return rule.line if rule.term == PERMIT_ALL else 0
        return 0

    def whole(self, name: str) -> Policy:
        """A policy by itself."""
        return self.chain((name,), frozenset())

    def balances(self, name: str) -> int:
        """The line on which a policy takes all equal paths; 0 where it does not."""
        self.used.add(name)
        return self._statements[name].balances if name in self._statements else 0

    def imports(self, names: tuple[str, ...]) -> Policy:
        """What a chain imports into a VRF: nothing but what it accepts (manual, vrf-import)."""
        whole = self.chain(names, frozenset())
        count = len(whole.terms)
        rows = zip(whole.terms, whole.lines[:count], strict=True)
        own = policy((term, line) for term, line in rows if (term, line) != DEFAULT)
        return Policy(own.terms, (*own.lines, *whole.lines[count:]))

    def targets(self, names: tuple[str, ...]) -> dict[str, Lines]:
        """Route targets of routes that a chain accepts, with their lines."""
        return _field_lines(self.imports(names), "route_targets")

    def added(self, names: tuple[str, ...]) -> dict[str, Lines]:
        """Route targets that a chain puts on routes, with their lines."""
        found = _field_lines(self.chain(names, frozenset()), "set_communities")
        return {name.removeprefix(TARGET): at for name, at in found.items() if name.startswith(TARGET)}

    def _statement(self, below: Tree, line: int) -> Statement:
        rules: list[Rule] = []
        kept = PERMIT_ALL
        for _, term, begins in blocks(below, "term"):
            rule = self._rule(term, begins, kept)
            rules.append(rule)
            if not rule.then and _matches_all(rule.term):
                kept = rule.term
        balances = 0
        if (last := below.get("then")) is not None:
            begins = line_of(last)
            balances = _balances(block(below, "then"))
            rules.append(self._rule(below, begins, kept))
        return Statement(tuple(rules), line, balances)

    def _rule(self, below: Tree, line: int, kept: Term) -> Rule:
        """A term. `kept` has what terms before it set without an end: of all routes, or no row can say it."""
        start, then = block(below, "from"), block(below, "then")
        parts: Parts = {}
        protocols = frozenset(word.text for word in values(start, "protocol")) or None
        limited = not FILTERS.isdisjoint(start)
        filters = tuple(line_of(start[kind]) for kind in start if kind in FILTERS)
        ranges = dict(self._ranges(start))
        if limited:
            parts.update(ranges.items())
            parts["prefixes_ipv4"] = parts["prefixes_ipv6"] = *filters, *ranges.values()
        matched = self._communities_of(start, kept, parts)
        if limited:
            matched = matched._replace(prefixes_ipv4=_of(ranges, IPV4), prefixes_ipv6=_of(ranges, IPV6))
            if ranges and not (matched.prefixes_ipv4 and matched.prefixes_ipv6):
                matched = matched._replace(
                    prefixes_ipv4=matched.prefixes_ipv4 or None, prefixes_ipv6=matched.prefixes_ipv6 or None
                )
        matched = _family(start, matched)
        end, at = _end(then)
        if at:
            parts["permit"] = at
        term = self._sets(then, matched._replace(permit=end != "reject"), parts)
        known = not start and (bool(end) or term == matched or _matches_all(matched))
        return Rule(term, end if known else "", protocols, ranges, line, TermLines(line, parts))

    def _communities_of(self, start: Tree, kept: Term, parts: Parts) -> Term:
        """A term of communities: each of one member, and all of one kind; else the statement stays unread."""
        found = values(start, "community")
        if not found:
            return kept
        members = [self.communities.get(word.text, NO_COMMUNITY).members for word in found]
        parts["communities"] = parts["route_targets"] = self._named(found)
        names = {row[0] for row in members if len(row) == 1}
        targets = frozenset(name.removeprefix(TARGET) for name in names if name.startswith(TARGET))
        plain = frozenset(name for name in names if not name.startswith(TARGET))
        if (targets and plain) or not all(len(row) == 1 for row in members):
            start["community"] = {word.text: word.line for word in found}
        return kept._replace(communities=plain, route_targets=targets)

    def _named(self, found: list[Word]) -> tuple[int, ...]:
        """Lines of communities, and of where they are named."""
        return *(self.communities.get(word.text, NO_COMMUNITY).line for word in found), *(word.line for word in found)

    def _ranges(self, start: Tree) -> Iterator[tuple[PrefixRange, int]]:
        for kind in ("route-filter-list", "prefix-list"):
            for word in values(start, kind):
                yield from self._lists.get((kind, word.text), {}).items()
        for name, rest, _ in blocks(start, "prefix-list-filter"):
            way = dict(rest)
            for entry, line in self._lists.get(("prefix-list", name), {}).items():
                rest.clear()
                rest.update(way)
                if (found := _range(entry.prefix, rest)) is not None:
                    yield found, line
        yield from _filters(block(start, "route-filter"))

    def _sets(self, then: Tree, term: Term, parts: Parts) -> Term:
        """What a term sets: `set` replaces communities, `add` adds one."""
        if (preference := number(then, "local-preference")) is not None:
            term = term._replace(local_preference=preference[0])
            parts["local_preference"] = preference[1]
        change = block(then, "community")
        named: list[Word] = []
        for word in ("set", "add"):
            for name in values(change, word):
                named.append(name)
                members = frozenset(self.communities.get(name.text, NO_COMMUNITY).members)
                term = term._replace(
                    set_communities=members if word == "set" else term.set_communities | members,
                    replace=term.replace or word == "set",
                )
        if named:
            parts["set_communities"] = self._named(named)
            parts["replace"] = tuple(name.line for name in named)
        return term


def _field_lines(whole: Policy, field: str) -> dict[str, Lines]:
    """Members of one set of all terms that permit, each with the lines of the first that has it."""
    found: dict[str, Lines] = {}
    for term, lines in zip(whole.terms, whole.lines, strict=False):
        if term.permit:
            at = lines if isinstance(lines, int) else lines.parts.get(field, lines.begins)
            found = dict.fromkeys(sorted(getattr(term, field)), at) | found
    return found


def _end(then: Tree) -> tuple[str, int]:
    """What ends a term, and its line; empty: the next term follows."""
    ends = [(word, line) for word in ("accept", "reject") if (line := flag(then, word))]
    if (word := only(then, "next", "policy", "term")) is not None and word.text == "policy":
        ends.append(("next policy", word.line))
    return ends[-1] if ends else ("", 0)


def _matches_all(term: Term) -> bool:
    return term._replace(set_communities=frozenset(), replace=False, local_preference=-1) == PERMIT_ALL


def _family(start: Tree, term: Term) -> Term:
    """`family inet` alone matches each route of the family."""
    word = only(start, "family", "inet", "inet6")
    if word is None:
        return term
    if word.text == "inet":
        return term._replace(prefixes_ipv4=_every(term.prefixes_ipv4, IPV4), prefixes_ipv6=None)
    return term._replace(prefixes_ipv6=_every(term.prefixes_ipv6, IPV6), prefixes_ipv4=None)


def _every(ranges: frozenset[PrefixRange] | None, family: str) -> frozenset[PrefixRange]:
    return full_range(family) if ranges is None else ranges


def _balances(then: Tree) -> int:
    """By flow, in spite of its first name (manual, load-balance per-packet; per-flow is newer)."""
    rest = block(then, "load-balance")
    return flag(rest, "per-packet") or flag(rest, "per-flow")


def _of(ranges: Ranges, family: str) -> frozenset[PrefixRange]:
    return frozenset(row for row in ranges if (":" in row.prefix) == (family == IPV6))


def _lists(options: Tree) -> Iterator[tuple[tuple[str, str], Ranges]]:
    for name, below, _ in blocks(options, "route-filter-list"):
        yield ("route-filter-list", name), dict(_filters(below))
    for name, below, _ in blocks(options, "prefix-list"):
        found: Ranges = {}
        for word in leaves(below):
            if (row := _exactly(word.text)) is not None:
                found[row] = word.line
            else:
                below[word.text] = word.line
        yield ("prefix-list", name), found


def _filters(tree: Tree) -> Iterator[tuple[PrefixRange, int]]:
    """Prefixes of a block with their match types."""
    for prefix, rest in list(tree.items()):
        if prefix is None or type(rest) is not dict:
            continue
        line = line_of(rest)
        if (found := _range(prefix, rest)) is not None:
            rest.pop(None, None)
            yield found, line


def _exactly(text: str) -> PrefixRange | None:
    try:
        prefix = ip_network(text, strict=False)
    except ValueError:
        return None
    return PrefixRange(str(prefix), prefix.prefixlen, prefix.prefixlen)


def _range(text: str, rest: Tree) -> PrefixRange | None:
    """A prefix and its match type (manual, route-filter): exact, orlonger, longer, upto, prefix-length-range."""
    exact = _exactly(text)
    if exact is None:
        return None
    most = HOST["ipv6" if ":" in exact.prefix else "ipv4"]
    if flag(rest, "exact"):
        return exact
    if flag(rest, "orlonger"):
        return exact._replace(longest=most)
    if flag(rest, "longer"):
        return exact._replace(shortest=exact.shortest + 1, longest=most)
    for word in ("upto", "prefix-length-range"):
        found = values(rest, word)
        ends = [digit(end.removeprefix("/")) for end in found[0].text.split("-")] if len(found) == 1 else []
        if ends and all(0 <= end <= most for end in ends) and len(ends) == (1 if word == "upto" else 2):
            return exact._replace(shortest=ends[0] if word != "upto" else exact.shortest, longest=ends[-1])
        for one in found:
            rest[word] = {one.text: one.line}
    return None


def _communities(options: Tree) -> Iterator[tuple[str, Community]]:
    for name, below, line in blocks(options, "community"):
        members = values(below, "members")
        yield name, Community(tuple(word.text for word in members), members[0].line if members else line)
