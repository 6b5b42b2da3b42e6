"""A routing policy without its names: what each term matches, and what it sets.

Two policies are equal if they decide alike term by term. Names of maps, lists and communities do not count, and neither
does a last term that denies everything: what no term permits is denied (Device: RouteMap).
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

GRACEFUL_SHUTDOWN = "65535:0"
"""The well-known community of a link that will go down (RFC 8326)."""
HOST = {"ipv4": 32, "ipv6": 128}


class PrefixRange(NamedTuple):
    """Prefixes within `prefix` whose length is `shortest` to `longest`."""

    prefix: str
    shortest: int
    longest: int

    def __str__(self) -> str:
        length = int(self.prefix.rpartition("/")[2])
        if (self.shortest, self.longest) == (length, length):
            return self.prefix
        return f"{self.prefix} /{self.shortest}-{self.longest}"


class Term(NamedTuple):
    """One term. What is None or empty matches everything, or sets nothing.

    communities     a route with one of them matches; route_targets the same
    prefixes_ipv4, prefixes_ipv6  a route within one of these ranges matches; an empty set matches no route
    fewer_paths     matches routes over fewer equal paths than this, by their link bandwidth; 0: any
    set_communities added to those of the route, or put in their place (`replace`)
    local_preference  -1 sets none
    set_paths       sets the link bandwidth to the number of equal paths that the switch itself has
    """

    permit: bool
    communities: frozenset[str] = frozenset()
    route_targets: frozenset[str] = frozenset()
    prefixes_ipv4: frozenset[PrefixRange] | None = None
    prefixes_ipv6: frozenset[PrefixRange] | None = None
    fewer_paths: int = 0
    set_communities: frozenset[str] = frozenset()
    replace: bool = False
    local_preference: int = -1
    set_paths: bool = False

    @property
    def denies_all(self) -> bool:
        """Whether the term denies every route."""
        return self == DENY_ALL

    def __str__(self) -> str:
        return " ".join(("permit" if self.permit else "deny", *_matches(self), *_sets(self)))


DENY_ALL = Term(permit=False)
PERMIT_ALL = Term(permit=True)


def _matches(term: Term) -> list[str]:
    words = [f"community {name}" for name in sorted(term.communities)]
    words += [f"route-target {name}" for name in sorted(term.route_targets)]
    for ranges in (term.prefixes_ipv4, term.prefixes_ipv6):
        words += [] if ranges is None else [f"prefix {', '.join(sorted(map(str, ranges))) or 'none'}"]
    return words + ([f"fewer than {term.fewer_paths} paths"] if term.fewer_paths else [])


def _sets(term: Term) -> list[str]:
    action = "replace communities by" if term.replace else "add community"
    words = [f"{action} {', '.join(sorted(term.set_communities))}"] if term.set_communities else []
    words += [f"local-preference {term.local_preference}"] if term.local_preference >= 0 else []
    return words + (["link-bandwidth of its paths"] if term.set_paths else [])


TermPart = str | PrefixRange
"""A field of Term by its name, or one range of its prefixes."""


Lines = int | tuple[int, ...]
"""The line that says a part; several where it takes several, the one that it is most likely on first."""


def each_line(lines: Lines) -> tuple[int, ...]:
    """Lines of a part, one after another."""
    return (lines,) if isinstance(lines, int) else lines


@dataclass(frozen=True, slots=True)
class TermLines:
    """Lines of a term: where it begins (0: nowhere), and of its parts where those are elsewhere."""

    begins: int
    parts: Mapping[TermPart, Lines] = field(default_factory=dict)


def line_of(term: "int | TermLines") -> int:
    """Where a term begins."""
    return term if isinstance(term, int) else term.begins


def lines_of(term: "int | TermLines") -> tuple[int, ...]:
    """All lines of a term, in order."""
    if isinstance(term, int):
        return (term,)
    return tuple(sorted({term.begins, *(line for part in term.parts.values() for line in each_line(part))}))


@dataclass(frozen=True, slots=True)
class Policy:
    """Terms in their order; `lines` has the line or lines of each term, 0 where there is none. Lines do not count."""

    terms: tuple[Term, ...]
    lines: "tuple[int | TermLines, ...]" = field(default=(), compare=False)

    def __str__(self) -> str:
        return "; ".join(map(str, self.terms)) or "deny"


def policy(terms: "Iterable[tuple[Term, int | TermLines]]") -> Policy:
    """A policy of terms and their lines, in its one form: nothing follows a term that decides on every route.

    Lines of terms at the end that only deny are kept, and of those that no route comes to: what another policy decides
    there was on one of them.
    """
    rows = [*terms]
    count = next((at for at, (term, _) in enumerate(rows, 1) if term.denies_all or term == PERMIT_ALL), len(rows))
    while count and not rows[count - 1][0].permit:
        count -= 1
    return Policy(tuple(term for term, _ in rows[:count]), tuple(line for _, line in rows))


def without_policy() -> Policy:
    """What a session has that names no policy, on a system that lets every route pass then: no line says it."""
    return _WITHOUT


_WITHOUT = policy([(PERMIT_ALL, 0)])


ANY_TARGET = frozenset({"(any)"})
"""Route targets of a term that takes routes of every tenant."""


def of_vrf(whole: Policy, every: frozenset[str]) -> Policy:
    """A policy of what a VRF takes that has the route targets `every`, in its one form.

    A term that takes all of them says no target: each route that comes to the VRF has one of them. A term that names no
    target takes routes of every tenant.
    """
    return Policy(tuple(_of_vrf(term, every) for term in whole.terms), whole.lines)


def _of_vrf(term: Term, every: frozenset[str]) -> Term:
    if term.permit and not term.route_targets:
        return term._replace(route_targets=ANY_TARGET)
    return term._replace(route_targets=frozenset()) if term.route_targets == every else term


def of_family(whole: Policy, family: str) -> Policy:
    """The policy as routes of one family (ipv4, ipv6, evpn) meet it.

    A term that matches prefixes of another family alone matches none of them: FRR `match ip address` of an IPv6 route.
    """
    count = len(whole.terms)
    lines = whole.lines or (0,) * count
    rows = zip(whole.terms, lines[:count], strict=True)
    own = policy((_within(term, family), line) for term, line in rows if _can_match(term, family))
    return Policy(own.terms, (*own.lines, *lines[count:]))


def _can_match(term: Term, family: str) -> bool:
    own = {"ipv4": term.prefixes_ipv4, "ipv6": term.prefixes_ipv6}
    others = [ranges for name, ranges in own.items() if name != family]
    return own.get(family) is not None or all(ranges is None for ranges in others)


def _within(term: Term, family: str) -> Term:
    return term._replace(
        prefixes_ipv4=term.prefixes_ipv4 if family == "ipv4" else None,
        prefixes_ipv6=term.prefixes_ipv6 if family == "ipv6" else None,
    )
