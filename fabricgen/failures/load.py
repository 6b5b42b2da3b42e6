"""The hottest link of a plane under equal-cost sharing, and its smallest cuts, by closed forms over equal parts.

Traffic: every NIC sends as much to each NIC of another leaf, all of them together at full rate: leaf a sends to leaf b
D(a) D(b) / (S - least D), with D what its servers send, at most what its uplinks are planned for, and S the sum.

Shares: a switch spreads what it sends to a prefix evenly over the links whose next hop has a route to it and that are
equal (RFC 2992). Routes that a drained session or switch has marked come last (RFC 8326). As `resolve/policy.py`
renders `link_loss`: `keep` counts links alone; `weighted` counts each by the links that its spine has to the leaf;
`withdraw` leaves spines that miss one while another has all.

Cuts: paths over two spine numbers share no link, and superspines of a group share none, so that
cut(a, b) = sum over k of min(up(a, k), up(b, k), sum over j of min(core(a, k, j), core(b, k, j))) is the max-flow.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fabricgen.failures.remaining import CoreState, LeafState, Spines, SpineState

WHOLE_SPINE = SpineState(alive=True, drained=False, short=())
WHOLE_CORE = CoreState(alive=True, drained=False)

Links = tuple[int, int]
"""Links of a pair: live, drained."""


class Dimensions(NamedTuple):
    """Of a fabric: switches above a leaf and a spine, links of a pair, Gb/s of a link, and what `link_loss` says."""

    spines: int
    links: int
    cores: int
    core_links: int
    up_gbps: int
    core_gbps: int
    policy: str


class PlanePod(NamedTuple):
    """Pods of a plane that are alike: how many, their leaves with how many are equal, and spines that differ."""

    size: int
    leaves: tuple[tuple[LeafState, int], ...]
    spines: Spines


class PlaneLoad(NamedTuple):
    """What a plane carries.

    hottest  load of the hottest link, 1 is all it can; cut, want: Gb/s of the leaf pair with the least share of what
             it wants; apart: pairs of leaves with servers that have no way to each other
    """

    hottest: float
    cut: int
    want: int
    apart: int


class _Route(NamedTuple):
    """What a switch has towards a leaf: links that it uses, live and drained; whether its routes come last."""

    links: Links
    last: bool

    @property
    def total(self) -> int:
        return self.links[0] + self.links[1]


NO_ROUTE = _Route((0, 0), last=True)


class _Leaf(NamedTuple):
    """Equal leaves of equal pods. pods: how many of these; misses: links to a spine number that differ."""

    pod: int
    pods: int
    state: LeafState
    size: int
    misses: dict[int, Links]


class _Way(NamedTuple):
    """How a leaf reaches another over one spine number, or over each of `numbers` that are alike.

    live, drained  share of the traffic on each of the leaf's links, live or drained; total: on all of them
    """

    numbers: int
    live: float
    drained: float
    total: float


class _Hop(NamedTuple):
    """A superspine, or `count` that are alike: links used on the way up to it and on the way down from it."""

    size: int
    up: Links
    down: Links


class _Upper(NamedTuple):
    """How the spines of a number in two pods reach each other. links: all that are used on the way up."""

    hops: dict[int, _Hop]
    links: int
    last: bool


class _Pair(NamedTuple):
    """Leaves a and b of one pod, or of two; how many b one a sends to, and how many a one b hears."""

    a: _Leaf
    b: _Leaf
    same: bool
    heard: int
    hears: int


PLAIN = -1
"""Spine number, or superspine, that nothing is missing at: it stands for all of these."""


def _misses(state: LeafState | SpineState) -> dict[int, Links]:
    return {index: (live, drained) for index, live, drained in state.short}


def _chosen(links: Links, *, equal: bool) -> Links:
    """Links that are used of those that have a route: drained ones where all come last, or where nothing else is."""
    if equal:
        return links
    return (links[0], 0) if links[0] else (0, links[1])


class Plane:
    """One plane of a fabric in some state."""

    def __init__(self, of: Dimensions, pods: Sequence[PlanePod], cores: Sequence[tuple[int, int, CoreState]]) -> None:
        self._of = of
        self._counts = [pod.size for pod in pods]
        self._spines = [dict(pod.spines) for pod in pods]
        self._short = [{k: _misses(state) for k, state in found.items()} for found in self._spines]
        self._cores: dict[int, dict[int, CoreState]] = {}
        for group, index, state in cores:
            self._cores.setdefault(group, {})[index] = state
        self._leaves = [
            _Leaf(at, pod.size, state, count, _misses(state))
            for at, pod in enumerate(pods)
            for state, count in pod.leaves
            if state.alive and state.sent
        ]
        touched = {k for found in self._spines for k in found} | self._cores.keys()
        touched |= {k for leaf in self._leaves for k in leaf.misses}
        plain = of.spines - len(touched)
        self._numbers = [(k, 1) for k in sorted(touched)] + ([(PLAIN, plain)] if plain else [])
        self._uppers: dict[tuple[int, int, int, bool], _Upper] = {}
        self._carried: dict[tuple[int, int, int], int] = {}

    def load(self) -> PlaneLoad:
        """What it carries."""
        joined = [leaf for leaf in self._leaves if leaf.state.joined]
        total = sum(leaf.size * leaf.pods * leaf.state.sent for leaf in joined)
        least = min((leaf.state.sent for leaf in joined), default=0)
        meter = _Meter(self._of, 1 / (total - least) if total > least else 0.0)
        apart, cut, want = 0, 1, 1
        for pair in self._pairs():
            ways = self._ways(pair)
            if not ways:
                apart += pair.a.size * pair.a.pods * pair.heard
            if pair.a.state.joined and pair.b.state.joined:
                self._measure(meter, pair, ways)
                found, wanted = self._cut(pair)
                if found * want < cut * wanted:
                    cut, want = found, wanted
        for (one, other, k, last), flow in meter.flows.items():
            meter.add_core((one, other, k), self._upper(one, other, k, last=last), flow, self._between(one, other))
        return PlaneLoad(meter.hottest(), cut, want, apart // 2)

    def _between(self, one: int, other: int) -> tuple[int, int]:
        """How many pods of the second kind one of the first sends to, and the other way round."""
        return self._counts[other] - (one == other), self._counts[one] - (one == other)

    def _pairs(self) -> Iterator[_Pair]:
        for a in self._leaves:
            for b in self._leaves:
                here = a is b
                if a.pod == b.pod and (b.size > 1 or not here):
                    yield _Pair(a, b, same=True, heard=b.size - here, hears=a.size - here)
                far, near = self._between(a.pod, b.pod)
                if far and self._of.cores:
                    yield _Pair(a, b, same=False, heard=far * b.size, hears=near * a.size)

    def _spine(self, pod: int, k: int) -> SpineState:
        return self._spines[pod].get(k, WHOLE_SPINE)

    def _up(self, leaf: _Leaf, k: int) -> Links:
        return leaf.misses.get(k, (self._of.links, 0))

    def _core_links(self, pod: int, k: int, j: int) -> Links:
        return self._short[pod].get(k, {}).get(j, (self._of.core_links, 0))

    def _down(self, leaf: _Leaf, k: int) -> _Route:
        """Route of a spine of the leaf's own pod to it."""
        spine = self._spine(leaf.pod, k)
        if not spine.alive:
            return NO_ROUTE
        equal = leaf.state.drained or spine.drained
        links = _chosen(self._up(leaf, k), equal=equal)
        return _Route(links, equal or not links[0])

    def _upper(self, one: int, other: int, k: int, *, last: bool) -> _Upper:
        key = (one, other, k, last)
        found = self._uppers.get(key)
        if found is None:
            found = self._uppers[key] = self._made_upper(one, other, k, last=last)
        return found

    def _superspines(self, one: int, other: int, k: int) -> Iterator[tuple[int, int, CoreState]]:
        """Superspines of a core group that differ, and one for all others, with how many they are."""
        states = self._cores.get(k, {})
        touched = {*states, *self._short[one].get(k, {}), *self._short[other].get(k, {})}
        yield from ((j, 1, states.get(j, WHOLE_CORE)) for j in sorted(touched))
        if self._of.cores > len(touched):
            yield PLAIN, self._of.cores - len(touched), WHOLE_CORE

    def _made_upper(self, one: int, other: int, k: int, *, last: bool) -> _Upper:
        spine = self._spine(one, k)
        first: dict[int, _Hop] = {}
        all_last: dict[int, _Hop] = {}
        for j, count, core in self._superspines(one, other, k) if spine.alive else ():
            equal = last or core.drained
            down = _chosen(self._core_links(other, k, j), equal=equal) if core.alive else (0, 0)
            up = self._core_links(one, k, j)
            if not sum(down) or not sum(up):
                continue
            all_last[j] = _Hop(count, up, down)
            if up[0] and not equal and down[0]:
                first[j] = _Hop(count, (up[0], 0), down)
        is_last = spine.drained or not first
        hops = all_last if is_last else first
        return _Upper(hops, sum(hop.size * sum(hop.up) for hop in hops.values()), is_last)

    def _route(self, pair: _Pair, k: int) -> _Route:
        """Route of the spine of a number in a's pod to b."""
        found = self._down(pair.b, k)
        if pair.same or not found.total:
            return found
        upper = self._upper(pair.a.pod, pair.b.pod, k, last=found.last)
        return _Route((upper.links, 0), upper.last) if upper.links else NO_ROUTE

    def _ways(self, pair: _Pair) -> dict[int, _Way]:
        """By spine number, how a sends to b."""
        usable: list[tuple[int, int, Links, _Route]] = []
        for k, numbers in self._numbers:
            links, route = self._up(pair.a, k), self._route(pair, k)
            if route.total and sum(links):
                usable.append((k, numbers, links, route))
        first = [(k, n, (links[0], 0), route) for k, n, links, route in usable if links[0] and not route.last]
        if first and not pair.a.state.drained:
            usable = self._whole(first)
        by_count = self._of.policy == "weighted" and self._of.links > 1
        weights = [route.total if by_count else 1 for _, _, _, route in usable]
        total = sum(n * sum(links) * each for (_, n, links, _), each in zip(usable, weights, strict=True))
        return {
            k: _Way(n, each / total * bool(links[0]), each / total * bool(links[1]), each * sum(links) / total)
            for (k, n, links, _), each in zip(usable, weights, strict=True)
        }

    def _whole(self, usable: list[tuple[int, int, Links, _Route]]) -> list[tuple[int, int, Links, _Route]]:
        """With `withdraw`, spines that have all of their links to the leaf, where there are any."""
        if self._of.policy != "withdraw" or self._of.links == 1:
            return usable
        return [each for each in usable if each[3].total == self._of.links] or usable

    def _measure(self, meter: "_Meter", pair: _Pair, ways: dict[int, _Way]) -> None:
        for k, way in ways.items():
            down = self._down(pair.b, k)
            meter.add(pair, k, way, down)

    def _cut(self, pair: _Pair) -> tuple[int, int]:
        """Max-flow between two leaves over what is not drained, and what they want of each other."""
        of = self._of
        found = 0
        for k, numbers in self._numbers:
            if self._is_silent(pair.a.pod, k) or self._is_silent(pair.b.pod, k):
                continue
            most = min(self._up(pair.a, k)[0], self._up(pair.b, k)[0]) * of.up_gbps
            found += numbers * (most if pair.same else min(most, self._core(pair.a.pod, pair.b.pod, k)))
        want = min(pair.a.state.sent, pair.b.state.sent)
        if not pair.same:
            want = min(want, of.spines * min(of.links * of.up_gbps, of.cores * of.core_links * of.core_gbps))
        return found, want

    def _is_silent(self, pod: int, k: int) -> bool:
        spine = self._spine(pod, k)
        return spine.drained or not spine.alive

    def _core(self, one: int, other: int, k: int) -> int:
        """Gb/s between the spines of a number in two pods."""
        key = (one, other, k)
        if key not in self._carried:
            self._carried[key] = self._of.core_gbps * sum(
                count * min(self._core_links(one, k, j)[0], self._core_links(other, k, j)[0])
                for j, count, core in self._superspines(one, other, k)
                if core.alive and not core.drained
            )
        return self._carried[key]


class _Meter:
    """Loads of links, as traffic is added: each a share of what one link carries."""

    def __init__(self, of: Dimensions, scale: float) -> None:
        self._of, self._scale = of, scale
        self._ups: dict[tuple[int, int, bool], float] = {}
        self._cores: dict[tuple[int, int, int, bool, bool], float] = {}
        self.flows: dict[tuple[int, int, int, bool], float] = {}

    def add(self, pair: _Pair, k: int, way: _Way, down: _Route) -> None:
        """Traffic of the leaves of a pair over one spine number."""
        rate = pair.a.state.sent * pair.b.state.sent * self._scale
        for drained, share in ((False, way.live), (True, way.drained)):
            self._up((id(pair.a), k, drained), rate * pair.heard * share)
        for drained in (False, True):
            if down.links[drained]:
                self._up((-id(pair.b), k, drained), rate * pair.hears * way.total / down.total)
        if not pair.same:
            key = (pair.a.pod, pair.b.pod, k, down.last)
            flow = rate * pair.a.size * pair.b.size * way.total
            self.flows[key] = self.flows.get(key, 0.0) + flow

    def _up(self, key: tuple[int, int, bool], rate: float) -> None:
        self._ups[key] = self._ups.get(key, 0.0) + rate

    def add_core(self, key: tuple[int, int, int], upper: _Upper, flow: float, pods: tuple[int, int]) -> None:
        """Traffic between two pods over one spine number. pods: how many each side has to do with."""
        one, other, k = key
        far, near = pods
        each = flow / upper.links
        for j, hop in upper.hops.items():
            for drained in (False, True):
                if hop.up[drained]:
                    self._core((one, k, j, drained, True), each * far)
                if hop.down[drained]:
                    self._core((other, k, j, drained, False), each * sum(hop.up) / sum(hop.down) * near)

    def _core(self, key: tuple[int, int, int, bool, bool], rate: float) -> None:
        self._cores[key] = self._cores.get(key, 0.0) + rate

    def hottest(self) -> float:
        """Of all links, as a share of what one carries."""
        up = max(self._ups.values(), default=0.0) / self._of.up_gbps if self._ups else 0.0
        core = max(self._cores.values(), default=0.0) / self._of.core_gbps if self._cores else 0.0
        return max(up, core)
