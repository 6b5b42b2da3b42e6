"""A second opinion on failures: the list of cables, and plain graph algorithms. Shares no code with what it judges.

Every failure is made by taking cables and switches away, one failure after the other: routes are spread session by
session as BGP does, traffic follows them, flows are found by augmenting paths. What a unit, a pod and a plane are is
read off the cables: leaves that share servers, switches joined without superspines, switches joined at all.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from fabricgen.plan.cable import Cable

Ends = tuple[str, str]
"""Device and port."""

LEAF, SPINE, SUPER, BORDER = "leaf", "spine", "super", "border"


class Cabling(NamedTuple):
    """A fabric by its cables, and what cables do not say.

    built    cables of the same fabric without exceptions; drained, dead: switches
    rail_of  port of a server → its rail; nic_of: → its NIC; gpus: of a rail of a server
    policy   link_loss
    nodes    servers that others have their storage on
    """

    cables: tuple[Cable, ...]
    built: tuple[Cable, ...]
    drained: frozenset[str]
    dead: frozenset[str]
    rail_of: Callable[[str], str]
    nic_of: Callable[[str], str]
    gpus: Callable[[str], Fraction]
    policy: str
    vteps: bool
    nodes: frozenset[str] = frozenset()


class Seen(NamedTuple):
    """What a failure costs, in the order of `measures.Outcome`."""

    gpus: int
    servers: int
    rails: int
    narrowed: int
    leaf: Fraction
    unit: Fraction
    fabric: Fraction
    hottest: float
    apart: int
    vteps: int


class Broken(NamedTuple):
    """One part: its kind, cables by number, switches and servers that go with it."""

    kind: str
    cables: frozenset[int]
    devices: frozenset[str]


def tier_of(device: str) -> str:
    """Tier of a switch by its name; empty for a server."""
    words = device.split("-")
    return next((tier for tier in (LEAF, SPINE, SUPER, BORDER) if tier in words[1:-1]), "")


def components(edges: Iterable[tuple[str, str]]) -> list[set[str]]:
    """Devices that are joined."""
    beside: dict[str, set[str]] = defaultdict(set)
    for one, other in edges:
        beside[one].add(other)
        beside[other].add(one)
    found, seen = [], set[str]()
    for start in beside:
        if start in seen:
            continue
        group, queue = {start}, [start]
        while queue:
            for far in beside[queue.pop()] - group:
                group.add(far)
                queue.append(far)
        seen |= group
        found.append(group)
    return found


def max_flow(capacity: Mapping[tuple[str, str], int], source: str, sink: str) -> int:
    """Edmonds and Karp."""
    left: Counter[tuple[str, str]] = Counter()
    beside: dict[str, set[str]] = defaultdict(set)
    for (one, other), size in capacity.items():
        left[one, other] += size
        beside[one].add(other)
        beside[other].add(one)
    total = 0
    while path := augmenting(left, beside, source, sink):
        size = min(left[edge] for edge in path)
        for one, other in path:
            left[one, other] -= size
            left[other, one] += size
        total += size
    return total


def augmenting(
    left: Mapping[tuple[str, str], int], beside: Mapping[str, set[str]], source: str, sink: str
) -> list[tuple[str, str]]:
    """A shortest path with capacity left; empty where there is none."""
    came: dict[str, str] = {source: ""}
    queue = [source]
    for node in queue:
        for far in beside.get(node, ()):
            if far not in came and left[node, far] > 0:
                came[far] = node
                queue.append(far)
    path = []
    node = sink
    while came.get(node):
        path.append((came[node], node))
        node = came[node]
    return path


class Judge:
    """Failures of one fabric."""

    def __init__(self, of: Cabling) -> None:
        self.of = of
        self.known: dict[object, Seen] = {}
        kinds = {cable.kind for cable in of.cables}
        self.is_flat = "leaf-spine" not in kinds
        hosts = [(c.near.device, c.far.device) for c in of.built if c.kind == "server-leaf"]
        ups = [(c.near.device, c.far.device) for c in of.built if c.kind == "leaf-spine" and tier_of(c.near.device)]
        cores = [(c.near.device, c.far.device) for c in of.built if c.kind == "spine-superspine"]
        self.units = components(hosts)
        self.pods = components([*hosts, *ups])
        self.planes = components([*ups, *cores]) if ups else []
        self.plane_of = {device: at for at, plane in enumerate(self.planes) for device in plane}
        self.pod_of = {device: at for at, pod in enumerate(self.pods) for device in pod}
        self.unit_of = {device: at for at, unit in enumerate(self.units) for device in unit}
        self.spines = sorted({far for _, far in ups})
        self.supers = sorted({far for _, far in cores})
        self.leaves = sorted({far for _, far in hosts})
        pair = Counter((c.near.device, c.far.device) for c in of.built if c.kind == "leaf-spine")
        self.links = max(pair.values(), default=0)
        self.planned = {leaf: sum(c.speed_gbps for c in of.built if c.near.device == leaf) for leaf in self.leaves}
        core_up = Counter(c.near.device for c in of.built if c.kind == "spine-superspine")
        speed = next((c.speed_gbps for c in of.built if c.kind == "spine-superspine"), 0)
        self.core_up = max(core_up.values(), default=0) * speed
        self.base = self._lost(frozenset(), frozenset())

    # Parts.

    def parts(self) -> list[Broken]:
        """Everything that can break."""
        return [
            *self._links(),
            *self._cages(),
            *self._nics(),
            *self._devices(),
            *(Broken("unit", frozenset(), frozenset(unit)) for unit in self.units if unit & self._servers()),
            *(Broken("pod", frozenset(), frozenset(pod)) for pod in self.pods if len(self.pods) > 1),
            *(Broken("plane", frozenset(), frozenset(each)) for each in self.planes if len(self.planes) > 1),
        ]

    def _servers(self) -> set[str]:
        return {c.near.device for c in self.of.cables if c.kind == "server-leaf"}

    def _works(self, cable: Cable) -> bool:
        if cable.kind == "border-external" or cable.state == "dead":
            return False
        return {cable.near.device, cable.far.device}.isdisjoint(self.of.dead) and not self._is_shut(cable)

    def _is_shut(self, cable: Cable) -> bool:
        """A drained port of a server that has another one in service."""
        if cable.kind != "server-leaf" or (cable.state != "drained" and cable.far.device not in self.of.drained):
            return False
        rail = self.of.rail_of(cable.near.port)
        return any(
            other.kind == "server-leaf"
            and other.near.device == cable.near.device
            and other is not cable
            and self.of.rail_of(other.near.port) == rail
            and other.state == "active"
            and other.far.device not in self.of.drained | self.of.dead
            for other in self.of.cables
        )

    def _links(self) -> Iterator[Broken]:
        for at, cable in enumerate(self.of.cables):
            if self._works(cable):
                yield Broken(f"{cable.kind} link", frozenset({at}), frozenset())

    def _cages(self) -> Iterator[Broken]:
        cages: dict[tuple[str, str], set[int]] = defaultdict(set)
        kinds: dict[tuple[str, str], str] = {}
        for at, cable in enumerate(self.of.cables):
            if cable.kind == "border-external":
                continue
            for end, is_lower in ((cable.near, True), (cable.far, False)):
                key = (end.device, end.cage or end.port)
                cages[key].add(at)
                tier = tier_of(end.device)
                kinds[key] = self._cage_kind(tier, cable.kind, is_lower=is_lower)
        for key, found in cages.items():
            if any(self._works(self.of.cables[at]) for at in found):
                yield Broken(kinds[key], frozenset(found), frozenset())

    @staticmethod
    def _cage_kind(tier: str, kind: str, *, is_lower: bool) -> str:
        if not tier:
            return "server cage"
        name = {BORDER: "border leaf", SUPER: "superspine"}.get(tier, tier)
        far = {"server-leaf": "servers", "leaf-spine": "spines" if is_lower else "leaves"}
        return f"{name} cage to {far.get(kind, 'superspines' if is_lower else 'spines')}"

    def _nics(self) -> Iterator[Broken]:
        nics: dict[tuple[str, str], set[int]] = defaultdict(set)
        for at, cable in enumerate(self.of.cables):
            if cable.kind == "server-leaf":
                nics[cable.near.device, self.of.nic_of(cable.near.port)].add(at)
        for found in nics.values():
            if any(self._works(self.of.cables[at]) for at in found):
                yield Broken("NIC", frozenset(found), frozenset())

    def _devices(self) -> Iterator[Broken]:
        borders = sorted({c.near.device for c in self.of.built if tier_of(c.near.device) == BORDER})
        names = {"": "server", SUPER: "superspine", BORDER: "border-leaf"}
        for device in (*sorted(self._servers()), *borders, *self.leaves, *self.spines, *self.supers):
            if device not in self.of.dead:
                yield Broken(names.get(tier_of(device), tier_of(device)), frozenset(), frozenset({device}))

    # Measures.

    def of_failure(self, broken: Iterable[Broken]) -> Seen:
        """What some parts cost, together."""
        cables: set[int] = set()
        devices: set[str] = set()
        for part in broken:
            cables |= part.cables
            devices |= part.devices
        for at, cable in enumerate(self.of.cables):
            if cable.near.device in devices or cable.far.device in devices:
                cables.add(at)
        key = frozenset(cables), frozenset(devices)
        if key not in self.known:
            self.known[key] = self._seen(*key)
        return self.known[key]

    def _seen(self, gone: frozenset[int], devices: frozenset[str]) -> Seen:
        gpus, servers, rails, narrowed, vteps = self._lost(gone, devices)
        before = self.base
        loads = [self._load(at, gone, devices) for at in range(len(self.planes))]
        unit, fabric = self._shares(gone)
        return Seen(
            round(gpus - before[0]),
            servers - before[1],
            rails - before[2],
            round(narrowed - before[3]),
            min((each[1] for each in loads), default=Fraction(1)),
            unit,
            fabric,
            round(max((each[0] for each in loads), default=0.0), 6),
            sum(each[2] for each in loads),
            before[4] - vteps if self.of.vteps else 0,
        )

    def _live(self, gone: frozenset[int]) -> list[Cable]:
        return [cable for at, cable in enumerate(self.of.cables) if at not in gone and self._works(cable)]

    def _joined(self, gone: frozenset[int], devices: frozenset[str]) -> set[str]:
        """Leaves and border leaves that forward and have an uplink."""
        live = self._live(gone)
        up = {c.near.device for c in live if c.kind == "leaf-spine"}
        leaves = {*self.leaves, *(c.near.device for c in self.of.built if tier_of(c.near.device) == BORDER)}
        return {leaf for leaf in leaves - devices - self.of.dead if self.is_flat or leaf in up}

    def _lost(self, gone: frozenset[int], devices: frozenset[str]) -> tuple[Fraction, int, int, Fraction, int]:
        joined = self._joined(gone, devices)
        fine = Counter[tuple[str, str]]()
        every = Counter[tuple[str, str]]()
        here = self._servers()
        for cable in self.of.built:
            if cable.kind == "server-leaf" and cable.near.device in here:
                every[cable.near.device, self.of.rail_of(cable.near.port)] += 1
        up = [c for c in self._live(gone) if c.kind == "server-leaf" and c.far.device in joined]
        stored = {self.plane_of[c.far.device] for c in up if c.near.device in self.of.nodes}
        for cable in up:
            is_node = cable.near.device in self.of.nodes
            if is_node or not self.of.nodes or self.plane_of[cable.far.device] in stored:
                fine[cable.near.device, self.of.rail_of(cable.near.port)] += 1
        lost = [key for key in every if not fine[key]]
        half = [key for key in every if 0 < fine[key] < every[key]]
        by_server = Counter(server for server, _ in lost)
        whole = Counter(server for server, _ in every)
        return (
            sum((self.of.gpus(server) for server, _ in lost), Fraction(0)),
            sum(by_server[server] == count for server, count in whole.items()),
            len(lost),
            sum((self.of.gpus(server) for server, _ in half), Fraction(0)),
            len(joined),
        )

    def _sent(self, gone: frozenset[int], devices: frozenset[str]) -> dict[str, int]:
        """Gb/s that the servers of each leaf send, at most what its uplinks are planned for."""
        found: Counter[str] = Counter()
        for cable in self._live(gone):
            if cable.kind == "server-leaf" and cable.far.device not in devices:
                found[cable.far.device] += cable.speed_gbps
        return {leaf: min(rate, self.planned[leaf]) for leaf, rate in found.items()}

    def _asked(self, gone: frozenset[int]) -> dict[str, int]:
        """Gb/s of every port, built in, of a rail that has a cable left to send on, wherever that leads."""
        fine = {(c.near.device, self.of.rail_of(c.near.port)) for c in self._live(gone) if c.kind == "server-leaf"}
        found: Counter[str] = Counter()
        for cable in self.of.built:
            if cable.kind == "server-leaf" and (cable.near.device, self.of.rail_of(cable.near.port)) in fine:
                found[cable.far.device] += cable.speed_gbps
        return {leaf: min(rate, self.planned[leaf]) for leaf, rate in found.items()}

    def _shares(self, gone: frozenset[int]) -> tuple[Fraction, Fraction]:
        if self.is_flat:
            return Fraction(1), Fraction(1)
        asked = self._asked(gone)
        least, flow, want = Fraction(1), 0, 0
        for unit in self.units:
            found, wanted = self._to_top({leaf for leaf in unit if leaf in self.leaves}, gone, asked)
            if wanted:
                least = min(least, Fraction(min(found, wanted), wanted))
        for pod in self.pods:
            found, wanted = self._to_top({leaf for leaf in pod if leaf in self.leaves}, gone, asked)
            flow, want = flow + min(found, wanted), want + wanted
        return least, Fraction(flow, want) if want else Fraction(1)

    def _to_top(self, leaves: set[str], gone: frozenset[int], asked: Mapping[str, int]) -> tuple[int, int]:
        capacity: Counter[tuple[str, str]] = Counter()
        want = 0
        for plane in range(len(self.planes)):
            wanted = sum(asked.get(leaf, 0) for leaf in leaves if self.plane_of[leaf] == plane)
            spines = len({s for s in self.spines if self.plane_of[s] == plane}) // self._pods_of_plane(plane)
            want += min(wanted, spines * self.core_up) if self.supers else wanted
        for cable in self._carrying(gone):
            if cable.kind == "leaf-spine" and cable.near.device in leaves:
                capacity[cable.near.device, cable.far.device] += cable.speed_gbps
                capacity["source", cable.near.device] += cable.speed_gbps
                if not self.supers:
                    capacity[cable.far.device, "top"] += cable.speed_gbps
            if cable.kind == "spine-superspine":
                capacity[cable.near.device, "top"] += cable.speed_gbps
        return max_flow(capacity, "source", "top"), want

    def _pods_of_plane(self, plane: int) -> int:
        return len({self.pod_of[spine] for spine in self.spines if self.plane_of[spine] == plane})

    def _carrying(self, gone: frozenset[int]) -> list[Cable]:
        """Links between switches that carry traffic: nothing about them is drained."""
        return [
            c
            for c in self._live(gone)
            if c.kind != "server-leaf"
            and not self._is_slow(c)
            and {c.near.device, c.far.device}.isdisjoint(self.of.drained - set(self.leaves))
        ]

    def _is_slow(self, cable: Cable) -> bool:
        """Whether a link is drained by itself."""
        return cable.state == "drained" and {cable.near.device, cable.far.device}.isdisjoint(self.of.drained)

    # Traffic.

    def _load(self, plane: int, gone: frozenset[int], devices: frozenset[str]) -> tuple[float, Fraction, int]:
        """Of a plane: load of the hottest link, the least share of a leaf pair, leaf pairs without a route."""
        sent = {leaf: rate for leaf, rate in self._sent(gone, devices).items() if self.plane_of[leaf] == plane and rate}
        joined = self._joined(gone, devices)
        active = [leaf for leaf in sent if leaf in joined]
        live = [c for c in self._live(gone) if c.kind in ("leaf-spine", "spine-superspine")]
        live = [c for c in live if self.plane_of.get(c.near.device) == plane and tier_of(c.near.device) != BORDER]
        total, least = sum(sent[leaf] for leaf in active), min((sent[leaf] for leaf in active), default=0)
        loads: Counter[tuple[int, str]] = Counter()
        speeds: dict[tuple[int, str], int] = {}
        reached: set[tuple[str, str]] = set()
        for target, heard in sent.items():
            table = _Routes(self, live, target)
            for source, rate in sent.items():
                if source == target or not table.has(source):
                    continue
                reached.add((source, target))
                if source in active and target in active:
                    table.send(source, rate * heard / (total - least))
            for key, load in table.loads.items():
                loads[key] += load
                speeds[key] = table.speed[key]
        apart = sum((one, other) not in reached for one, other in combinations(sorted(sent), 2))
        hottest = max((rate / speeds[key] for key, rate in loads.items()), default=0.0)
        return hottest, self._least_cut(sent, gone), apart

    def _least_cut(self, sent: Mapping[str, int], gone: frozenset[int]) -> Fraction:
        """The least share of two leaves that send. One without a live uplink has none, also if it is alone."""
        up = {cable.near.device for cable in self._live(gone) if cable.kind == "leaf-spine"}
        if not sent.keys() <= up:
            return Fraction(0)
        capacity: Counter[tuple[str, str]] = Counter()
        for cable in self._carrying(gone):
            low, high, size = cable.near.device, cable.far.device, cable.speed_gbps
            if cable.kind == "leaf-spine":
                capacity[low, f"{high} in"] += size
                capacity[f"{high} out", low] += size
                capacity[f"{high} in", f"{high} out"] += size
            else:
                capacity[f"{low} in", high] += size
                capacity[high, f"{low} out"] += size
        least = Fraction(1)
        lower = {cable.near.device for cable in self.of.built if cable.kind == "leaf-spine"}
        for one, other in combinations(sent, 2):
            # No valley: no leaf and no border leaf but the two.
            rest = lower - {one, other}
            between = {
                (a, b): size
                for (a, b), size in capacity.items()
                if a not in rest and b not in rest and a != other and b != one
            }
            want = min(sent[one], sent[other])
            least = min(least, Fraction(min(want, max_flow(between, one, other)), want))
        return least


class _Session(NamedTuple):
    """One link as a switch sees it, towards the next hop. slow: drained by itself."""

    at: int
    near: str
    far: str
    slow: bool
    speed: int


class _Routes:
    """Routes of all switches to one leaf, as BGP would spread them, and what traffic to it does."""

    def __init__(self, judge: Judge, live: list[Cable], target: str) -> None:
        self.judge, self.target = judge, target
        self.loads: Counter[tuple[int, str]] = Counter()
        self.speed: dict[tuple[int, str], int] = {}
        self.next: dict[str, list[tuple[_Session, int]]] = {}
        self.marked: dict[str, bool] = {target: target in judge.of.drained}
        self.paths: dict[str, int] = {}
        up: dict[str, list[_Session]] = defaultdict(list)
        down: dict[str, list[_Session]] = defaultdict(list)
        for at, cable in enumerate(live):
            slow = judge._is_slow(cable)
            up[cable.near.device].append(_Session(at, cable.near.device, cable.far.device, slow, cable.speed_gbps))
            down[cable.far.device].append(_Session(at, cable.far.device, cable.near.device, slow, cable.speed_gbps))
        for spine in judge.spines:
            self._learn(spine, [s for s in down[spine] if s.far == target])
        own = set(self.next)
        for core in judge.supers:
            self._learn(core, [s for s in down[core] if s.far in own])
        for spine in judge.spines:
            if judge.pod_of[spine] != judge.pod_of[target]:
                self._learn(spine, [s for s in up[spine] if s.far in self.next and s.far in judge.supers])
        for leaf in judge.leaves:
            if leaf != target:
                self._learn(leaf, [s for s in up[leaf] if s.far in self.next], chooses=True)

    def _learn(self, switch: str, sessions: list[_Session], *, chooses: bool = False) -> None:
        """Best routes of a switch. Marked ones come last (RFC 8326), and all do at a drained switch."""
        judge = self.judge
        is_drained = switch in judge.of.drained
        ranked: list[tuple[int, _Session]] = []
        for session in sessions:
            last = is_drained or session.slow or self.marked[session.far]
            short = chooses and judge.of.policy == "withdraw" and judge.links > 1
            is_short = short and self.paths[session.far] < judge.links
            ranked.append((0 if last else 50 if is_short else 100, session))
        if not ranked:
            return
        best = max(rank for rank, _ in ranked)
        used = [session for rank, session in ranked if rank == best]
        weighted = chooses and judge.of.policy == "weighted" and judge.links > 1
        self.next[switch] = [(session, self.paths[session.far] if weighted else 1) for session in used]
        self.paths[switch] = len(used)
        self.marked[switch] = is_drained or best == 0

    def has(self, switch: str) -> bool:
        return switch in self.next

    def send(self, switch: str, rate: float) -> None:
        """Traffic of a switch to the target, spread over its best routes."""
        if switch == self.target:
            return
        total = sum(weight for _, weight in self.next[switch])
        for session, weight in self.next[switch]:
            part = rate * weight / total
            key = session.at, session.near
            self.loads[key] += part  # type: ignore[assignment]
            self.speed[key] = session.speed
            self.send(session.far, part)
