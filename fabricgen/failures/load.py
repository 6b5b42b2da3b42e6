"""The hottest link of a plane under ECMP, and its smallest cuts, by closed forms over equal parts.

Traffic: every NIC sends the same rate to each NIC at other leaves, in total at full rate. Leaf a sends to leaf b
D(a) D(b) / (S - min D). D is the rate that the servers of a leaf send, at most what its uplinks are planned for; S is
the sum of D over all leaves.

Shares: a switch spreads the traffic to a prefix evenly over equal links whose next hop has a route to it (RFC 2992).
Routes that a drained session or switch has marked come last (RFC 8326). `link_loss`, as `resolve/policy.py` renders it:
`keep` counts only links; `weighted` weights each link by the number of links of its spine to the leaf; `withdraw` does
not use spines that miss a link to the leaf while another spine has all.

Cuts: paths over two spine numbers share no link, and paths over two superspines of a group share none, so that
cut(a, b) = sum over k of min(up(a, k), up(b, k), sum over j of min(core(a, k, j), core(b, k, j))) is the max-flow.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from fabricgen.failures.remaining import CoreState, LeafState, Spines, SpineState

WHOLE_SPINE = SpineState(alive=True, drained=False, short=())
WHOLE_CORE = CoreState(alive=True, drained=False)

Links = tuple[int, int]
"""Numbers of live and of drained links of a pair of switches."""


class Dimensions(NamedTuple):
    """Switches above a leaf and above a spine, links per pair of switches, Gb/s per link, and `link_loss`."""

    spines: int
    links: int
    cores: int
    core_links: int
    up_gbps: int
    core_gbps: int
    policy: str


class PlanePod(NamedTuple):
    """Alike pods of a plane: number of pods, leaves with the number of equal ones, and spines that are not whole."""

    size: int
    leaves: tuple[tuple[LeafState, int], ...]
    spines: Spines


class PlaneLoad(NamedTuple):
    """The load of a plane.

    hottest    load of the hottest link; 1 is line rate
    cut, want  max-flow and demand in Gb/s of the leaf pair with the smallest cut / want; 0, 1 where a leaf that sends
               has no uplink left
    apart      pairs of leaves with servers that have no route to each other; split: those of which both have an uplink
    """

    hottest: float
    cut: int
    want: int
    apart: int
    split: int


class _Route(NamedTuple):
    """The route of a switch to a leaf: links that it uses, live and drained; whether the route comes last."""

    links: Links
    last: bool

    @property
    def total(self) -> int:
        return self.links[0] + self.links[1]


NO_ROUTE = _Route((0, 0), last=True)


class _Leaf(NamedTuple):
    """Equal leaves of equal pods.

    pod     index of the class of pods; pods: number of its pods; size: number of equal leaves per pod
    misses  spine number → links, where links are missing or drained
    """

    pod: int
    pods: int
    state: LeafState
    size: int
    misses: dict[int, Links]


class _Way(NamedTuple):
    """The route of a leaf to another over one spine number, or over each of `numbers` alike spine numbers.

    live, drained  share of the traffic on each live or drained link of the leaf; total: share on all of these links
    """

    numbers: int
    live: float
    drained: float
    total: float


class _Hop(NamedTuple):
    """A superspine, or `size` alike ones: links used on the way up to it and on the way down from it."""

    size: int
    up: Links
    down: Links


class _Upper(NamedTuple):
    """The paths from the spine of a number in one pod to that in another. links: all links used on the way up."""

    hops: dict[int, _Hop]
    links: int
    last: bool


class _Pair(NamedTuple):
    """Leaves a and b of one pod, or of two. heard: number of b that one a sends to; hears: of a that send to one b."""

    a: _Leaf
    b: _Leaf
    same: bool
    receivers: int
    senders: int


PLAIN = -1
"""Key for all spine numbers, or superspines, where nothing is missing."""


def _misses(state: LeafState | SpineState) -> dict[int, Links]:
    return {index: (live, drained) for index, live, drained in state.short}


def _chosen(links: Links, *, equal: bool) -> Links:
    """Return the links in use: drained links only if all links are equal, or if no live link is left."""
    if equal:
        return links
    return (links[0], 0) if links[0] else (0, links[1])


class Plane:
    """One plane of a fabric in one state."""

    def __init__(
        self, shape: Dimensions, pods: Sequence[PlanePod], cores: Sequence[tuple[int, int, CoreState]]
    ) -> None:
        self._of = shape
        self._counts = [pod.size for pod in pods]
        self._spines = [dict(pod.spines) for pod in pods]
        self._short = [{k: _misses(state) for k, state in states.items()} for states in self._spines]
        self._cores: dict[int, dict[int, CoreState]] = {}
        for group, index, state in cores:
            self._cores.setdefault(group, {})[index] = state
        self._leaves = [
            _Leaf(number, pod.size, state, count, _misses(state))
            for number, pod in enumerate(pods)
            for state, count in pod.leaves
            if state.alive and state.sent
        ]
        touched = {k for states in self._spines for k in states} | self._cores.keys()
        touched |= {k for leaf in self._leaves for k in leaf.misses}
        whole = shape.spines - len(touched)
        self._numbers = [(k, 1) for k in sorted(touched)] + ([(PLAIN, whole)] if whole else [])
        self._uppers: dict[tuple[int, int, int, bool], _Upper] = {}
        self._carried: dict[tuple[int, int, int], int] = {}

    def load(self) -> PlaneLoad:
        """Return the load of the plane."""
        joined_leaves = [leaf for leaf in self._leaves if leaf.state.joined]
        total = sum(leaf.size * leaf.pods * leaf.state.sent for leaf in joined_leaves)
        least = min((leaf.state.sent for leaf in joined_leaves), default=0)
        meter = _Meter(self._of, 1 / (total - least) if total > least else 0.0)
        # A live leaf without an uplink keeps nothing of what its servers send.
        apart, split, cut, want = 0, 0, int(len(joined_leaves) == len(self._leaves)), 1
        for pair in self._pairs():
            ways = self._ways(pair)
            are_joined = pair.a.state.joined and pair.b.state.joined
            if not ways:
                count = pair.a.size * pair.a.pods * pair.receivers
                apart, split = apart + count, split + are_joined * count
            if are_joined:
                self._measure(meter, pair, ways)
                pair_cut, pair_want = self._cut(pair)
                if pair_cut * want < cut * pair_want:
                    cut, want = pair_cut, pair_want
        for (a_pod, b_pod, k, last), flow in meter.flows.items():
            meter.add_core(
                (a_pod, b_pod, k), self._upper(a_pod, b_pod, k, last=last), flow, self._between(a_pod, b_pod)
            )
        return PlaneLoad(meter.hottest(), cut, want, apart // 2, split // 2)

    def _between(self, a_pod: int, b_pod: int) -> tuple[int, int]:
        """Return the number of b pods that one a pod sends to, and of a pods that one b pod sends to."""
        return self._counts[b_pod] - (a_pod == b_pod), self._counts[a_pod] - (a_pod == b_pod)

    def _pairs(self) -> Iterator[_Pair]:
        for a in self._leaves:
            for b in self._leaves:
                is_same_leaf = a is b
                if a.pod == b.pod and (b.size > 1 or not is_same_leaf):
                    yield _Pair(a, b, same=True, receivers=b.size - is_same_leaf, senders=a.size - is_same_leaf)
                b_pods, a_pods = self._between(a.pod, b.pod)
                if b_pods and self._of.cores:
                    yield _Pair(a, b, same=False, receivers=b_pods * b.size, senders=a_pods * a.size)

    def _spine(self, pod: int, k: int) -> SpineState:
        return self._spines[pod].get(k, WHOLE_SPINE)

    def _up(self, leaf: _Leaf, k: int) -> Links:
        return leaf.misses.get(k, (self._of.links, 0))

    def _core_links(self, pod: int, k: int, j: int) -> Links:
        return self._short[pod].get(k, {}).get(j, (self._of.core_links, 0))

    def _down(self, leaf: _Leaf, k: int) -> _Route:
        """Return the route of a spine to a leaf of the same pod."""
        spine = self._spine(leaf.pod, k)
        if not spine.alive:
            return NO_ROUTE
        equal = leaf.state.drained or spine.drained
        links = _chosen(self._up(leaf, k), equal=equal)
        return _Route(links, equal or not links[0])

    def _upper(self, a_pod: int, b_pod: int, k: int, *, last: bool) -> _Upper:
        key = (a_pod, b_pod, k, last)
        upper = self._uppers.get(key)
        if upper is None:
            upper = self._uppers[key] = self._made_upper(a_pod, b_pod, k, last=last)
        return upper

    def _superspines(self, k: int) -> Iterator[tuple[int, int, CoreState]]:
        """Return (index, count, state) of superspines of a core group: touched ones one by one, all others as PLAIN.

        One that misses a link to any pod is touched for all pods: a link has one key, whatever pods its traffic joins.
        """
        states = self._cores.get(k, {})
        touched = {*states}.union(*(short.get(k, {}) for short in self._short))
        yield from ((j, 1, states.get(j, WHOLE_CORE)) for j in sorted(touched))
        if self._of.cores > len(touched):
            yield PLAIN, self._of.cores - len(touched), WHOLE_CORE

    def _made_upper(self, a_pod: int, b_pod: int, k: int, *, last: bool) -> _Upper:
        spine = self._spine(a_pod, k)
        preferred: dict[int, _Hop] = {}
        all_last: dict[int, _Hop] = {}
        for j, count, core in self._superspines(k) if spine.alive else ():
            equal = last or core.drained
            down = _chosen(self._core_links(b_pod, k, j), equal=equal) if core.alive else (0, 0)
            up = self._core_links(a_pod, k, j)
            if not sum(down) or not sum(up):
                continue
            all_last[j] = _Hop(count, up, down)
            if up[0] and not equal and down[0]:
                preferred[j] = _Hop(count, (up[0], 0), down)
        is_last = spine.drained or not preferred
        hops = all_last if is_last else preferred
        return _Upper(hops, sum(hop.size * sum(hop.up) for hop in hops.values()), is_last)

    def _route(self, pair: _Pair, k: int) -> _Route:
        """Return the route of the spine of a number in the pod of a to b."""
        down = self._down(pair.b, k)
        if pair.same or not down.total:
            return down
        upper = self._upper(pair.a.pod, pair.b.pod, k, last=down.last)
        return _Route((upper.links, 0), upper.last) if upper.links else NO_ROUTE

    def _ways(self, pair: _Pair) -> dict[int, _Way]:
        """Return the ways from a to b by spine number."""
        usable: list[tuple[int, int, Links, _Route]] = []
        for k, numbers in self._numbers:
            links, route = self._up(pair.a, k), self._route(pair, k)
            if route.total and sum(links):
                usable.append((k, numbers, links, route))
        preferred = [
            (k, numbers, (links[0], 0), route) for k, numbers, links, route in usable if links[0] and not route.last
        ]
        if preferred and not pair.a.state.drained:
            usable = self._whole(preferred)
        by_count = self._of.policy == "weighted" and self._of.links > 1
        weights = [route.total if by_count else 1 for _, _, _, route in usable]
        total = sum(
            numbers * sum(links) * weight for (_, numbers, links, _), weight in zip(usable, weights, strict=True)
        )
        return {
            k: _Way(
                numbers, weight / total * bool(links[0]), weight / total * bool(links[1]), weight * sum(links) / total
            )
            for (k, numbers, links, _), weight in zip(usable, weights, strict=True)
        }

    def _whole(self, usable: list[tuple[int, int, Links, _Route]]) -> list[tuple[int, int, Links, _Route]]:
        """With `withdraw`, return only spines that have all of their links to the leaf, if there are any."""
        if self._of.policy != "withdraw" or self._of.links == 1:
            return usable
        return [candidate for candidate in usable if candidate[3].total == self._of.links] or usable

    def _measure(self, meter: "_Meter", pair: _Pair, ways: dict[int, _Way]) -> None:
        for k, way in ways.items():
            down = self._down(pair.b, k)
            meter.add(pair, k, way, down)

    def _cut(self, pair: _Pair) -> tuple[int, int]:
        """Return the max-flow between two leaves without drained parts, and the demand between them, in Gb/s."""
        shape = self._of
        flow = 0
        for k, numbers in self._numbers:
            if self._is_silent(pair.a.pod, k) or self._is_silent(pair.b.pod, k):
                continue
            links_gbps = min(self._up(pair.a, k)[0], self._up(pair.b, k)[0]) * shape.up_gbps
            flow += numbers * (links_gbps if pair.same else min(links_gbps, self._core(pair.a.pod, pair.b.pod, k)))
        want = min(pair.a.state.sent, pair.b.state.sent)
        if not pair.same:
            want = min(
                want,
                shape.spines
                * min(
                    shape.links * shape.up_gbps,
                    shape.cores * shape.core_links * shape.core_gbps,
                ),
            )
        return flow, want

    def _is_silent(self, pod: int, k: int) -> bool:
        spine = self._spine(pod, k)
        return spine.drained or not spine.alive

    def _core(self, a_pod: int, b_pod: int, k: int) -> int:
        """Return the Gb/s between the spines of a number in two pods."""
        key = (a_pod, b_pod, k)
        if key not in self._carried:
            self._carried[key] = self._of.core_gbps * sum(
                count * min(self._core_links(a_pod, k, j)[0], self._core_links(b_pod, k, j)[0])
                for j, count, core in self._superspines(k)
                if core.alive and not core.drained
            )
        return self._carried[key]


class _Meter:
    """Adds traffic to links and returns the load of the hottest."""

    def __init__(self, shape: Dimensions, scale: float) -> None:
        self._of, self._scale = shape, scale
        self._ups: dict[tuple[int, int, bool], float] = {}
        self._cores: dict[tuple[int, int, int, bool, bool], float] = {}
        self.flows: dict[tuple[int, int, int, bool], float] = {}

    def add(self, pair: _Pair, k: int, way: _Way, down: _Route) -> None:
        """Add the traffic of a pair of leaves over one spine number."""
        rate = pair.a.state.sent * pair.b.state.sent * self._scale
        for drained, share in ((False, way.live), (True, way.drained)):
            self._up((id(pair.a), k, drained), rate * pair.receivers * share)
        for drained in (False, True):
            if down.links[drained]:
                self._up((-id(pair.b), k, drained), rate * pair.senders * way.total / down.total)
        if not pair.same:
            key = (pair.a.pod, pair.b.pod, k, down.last)
            flow = rate * pair.a.size * pair.b.size * way.total
            self.flows[key] = self.flows.get(key, 0.0) + flow

    def _up(self, key: tuple[int, int, bool], rate: float) -> None:
        self._ups[key] = self._ups.get(key, 0.0) + rate

    def add_core(self, key: tuple[int, int, int], upper: _Upper, flow: float, pods: tuple[int, int]) -> None:
        """Add the traffic between two pods over one spine number. pods: the result of `_between`."""
        a_pod, b_pod, k = key
        b_pods, a_pods = pods
        link_rate = flow / upper.links
        for j, hop in upper.hops.items():
            for drained in (False, True):
                if hop.up[drained]:
                    self._core((a_pod, k, j, drained, True), link_rate * b_pods)
                if hop.down[drained]:
                    self._core((b_pod, k, j, drained, False), link_rate * sum(hop.up) / sum(hop.down) * a_pods)

    def _core(self, key: tuple[int, int, int, bool, bool], rate: float) -> None:
        self._cores[key] = self._cores.get(key, 0.0) + rate

    def hottest(self) -> float:
        """Return the load of the hottest link; 1 is line rate."""
        up = max(self._ups.values(), default=0.0) / self._of.up_gbps if self._ups else 0.0
        core = max(self._cores.values(), default=0.0) / self._of.core_gbps if self._cores else 0.0
        return max(up, core)
