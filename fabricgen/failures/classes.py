"""Classes of failures that cost the same: one failure per class is measured, and the size of the class is computed.

A part is a path of coordinates (`symmetry.py`). The size of the class of a part is the product of the numbers of alike
values on its path. For a pair, the path of the second part is compared with that of the first: where both have a
coordinate within the same other coordinates, the second part has either the same value or one of the remaining values;
elsewhere it has any value. Therefore the sizes of all classes of pairs sum to C(n, 2), whatever the classes are.
"""

from collections.abc import Hashable, Iterable, Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple, cast

from fabricgen.failures.links import AnyLink, by_cage, links_of_server, links_of_switch, nics_of, upper_of
from fabricgen.failures.measures import Measures, Outcome
from fabricgen.failures.network import Network
from fabricgen.failures.parts import HostLink, Lost, Wire, links_lost, together
from fabricgen.failures.symmetry import AXES, BORDER, Axes, Spot
from fabricgen.plan.exceptions import SlotKey
from fabricgen.plan.fabric import group_of
from fabricgen.plan.links import LEAF_SPINE, SERVER_LEAF, SPINE_SUPERSPINE
from fabricgen.plan.place import Place, Tier

LINKS = {
    SERVER_LEAF: f"{SERVER_LEAF} link",
    LEAF_SPINE: f"{LEAF_SPINE} link",
    SPINE_SUPERSPINE: f"{SPINE_SUPERSPINE} link",
}
CAGES = {
    (Tier.LEAF, True): "leaf cage to spines",
    (Tier.LEAF, False): "leaf cage to servers",
    (Tier.BORDER, True): "border leaf cage to spines",
    (Tier.SPINE, True): "spine cage to superspines",
    (Tier.SPINE, False): "spine cage to leaves",
    (Tier.SUPERSPINE, False): "superspine cage to spines",
}
"""Kinds of cages by tier of the switch and whether they lead up. A cage fails together with its optic."""
SERVER_CAGE, NIC, SERVER, UNIT, POD, PLANE = "server cage", "NIC", "server", "unit", "pod", "plane"

WITHIN: dict[str, tuple[str, ...]] = {
    "plane": (),
    "pod": (),
    "unit": ("pod",),
    "slot": ("pod", "unit"),
    "column": ("pod", "unit-block"),
    "row": ("pod", "unit", "column"),
    "spine": ("plane",),
    "turn": ("plane", "pod", "unit-block", "column-block", "spine-block"),
    "core": ("plane", "spine"),
    "core_turn": ("plane", "pod-block", "spine", "core-block"),
}
"""Axis → steps of a path that have to be equal for its values to be interchangeable."""


NOTICED = 0.001
"""Smaller differences of the load of a link are ignored: a switch's hash is far more uneven."""


class Step(NamedTuple):
    """One coordinate of a path.

    within  steps that have to be equal for two values to be interchangeable
    alike   number of values with this label; index: number of this value among them
    """

    name: str
    within: tuple[str, ...]
    label: Hashable
    alike: int
    index: int  # type: ignore[assignment]  # no caller uses tuple.index


Path = tuple[Step, ...]


class Part(NamedTuple):
    """A representative of alike parts of one kind. spot: its coordinates; of one of its links for a cage or a NIC."""

    kind: str
    path: Path
    spot: Spot

    @property
    def size(self) -> int:
        """Number of alike parts."""
        return _product(step.alike for step in self.path)

    @property
    def key(self) -> Hashable:
        """Key that is equal for alike parts."""
        return (self.kind, *(step[:4] for step in self.path))


class Failure(NamedTuple):
    """A class of alike failures: kinds of the parts, number of failures, and loss and outcome of one of them.

    compounds  whether the failure of two parts costs more than both single failures added up
    """

    kinds: tuple[str, ...]
    size: int
    lost: Lost
    outcome: Outcome
    compounds: bool = False


def _product(numbers: Iterable[int]) -> int:
    product = 1
    for number in numbers:
        product *= number
    return product


class Classes:
    """The classes of failures of one fabric."""

    def __init__(self, network: Network) -> None:
        self._network, self._fabric = network, network.fabric
        self._axes = Axes(network)
        self._cages: dict[Place, dict[int, tuple[AnyLink, ...]]] = {}
        self.measures = Measures(network)

    # Parts.

    def parts(self) -> list[Part]:
        """Return one part of each class, sorted by kind from links to planes."""
        representatives: dict[Hashable, Part] = {}
        for part in self._every():
            representatives.setdefault(part.key, part)
        order = {kind: position for position, kind in enumerate(KINDS)}
        return sorted(representatives.values(), key=lambda part: order[part.kind])

    def _every(self) -> Iterator[Part]:
        yield from self._at_leaves()
        yield from self._at_uppers()
        yield from self._at_servers()
        if len(self._axes.pods) > 1:
            yield from (self._part(POD, spot) for spot in self._spots("pod"))
        if self._fabric.shape.planes > 1:
            yield from (self._part(PLANE, spot) for spot in self._spots("plane"))

    def _spots(self, *axes: str, base: Spot | None = None) -> Iterator[Spot]:
        """Return one spot of each kind along some axes."""
        spot = base or Spot()
        if not axes:
            yield spot
            return
        for value in self._axes.blocks(axes[0], spot).representatives():
            yield from self._spots(*axes[1:], base=spot.at(axes[0], value))

    def _at_leaves(self) -> Iterator[Part]:
        for spot in self._spots("plane", "pod", "unit", "column"):
            if spot.unit == BORDER and (spot.plane or spot.pod):
                continue
            leaf = self._axes.place(spot, Tier.BORDER if spot.unit == BORDER else Tier.LEAF)
            if leaf in self._network.dead:
                continue
            if spot.unit != BORDER:
                hosts = (self._axes.host_at(link_spot) for link_spot in self._spots("slot", "row", base=spot))
                yield from self._carrying(SERVER_LEAF, hosts)
            if not self._axes.has_own_leaves(spot):
                continue
            yield self._part(leaf.tier.value, spot)
            wires = (self._axes.wire_at(link_spot) for link_spot in self._spots("spine", "turn", base=spot))
            yield from self._carrying(LEAF_SPINE, wires)
            yield from self._cages_at(leaf)

    def _at_uppers(self) -> Iterator[Part]:
        shape = self._fabric.shape
        for spot in self._spots("plane", "pod", "spine") if shape.spines else ():
            spine = self._axes.place(spot, Tier.SPINE)
            if spine in self._network.dead:
                continue
            yield self._part(Tier.SPINE.value, spot)
            wires = (self._axes.wire_at(link_spot) for link_spot in self._spots("core", "core_turn", base=spot))
            yield from self._carrying(SPINE_SUPERSPINE, wires)
            yield from self._cages_at(spine)
        for spot in self._spots("plane", "spine", "core") if shape.cores else ():
            core = self._axes.place(spot, Tier.SUPERSPINE)
            if core not in self._network.dead:
                yield self._part(Tier.SUPERSPINE.value, spot)
                yield from self._cages_at(core)

    def _carrying(self, kind: str, links: Iterable[AnyLink]) -> Iterator[Part]:
        return (self._part(LINKS[kind], self._axes.link(link)) for link in links if self._network.carries(link))

    def _at_servers(self) -> Iterator[Part]:
        for spot in self._spots("pod", "unit"):
            if spot.unit == BORDER:
                continue
            if self._axes.has_own_leaves(spot) and self._has_servers(spot):
                yield self._part(UNIT, spot)
            for server_spot in self._spots("slot", base=spot):
                yield self._part(SERVER, server_spot)
                key = self._axes.server_at(server_spot)
                for links in self._nics(key):
                    yield from self._joined(NIC, links)
                for links in self._server_cages(key):
                    yield from self._joined(SERVER_CAGE, links)

    def _has_servers(self, spot: Spot) -> bool:
        """Return whether servers in service are on the leaves of the unit at a spot."""
        return any(self._network.slots[unit] for unit in self._network.sharing(self._axes.unit(spot)))

    def _nics(self, key: SlotKey) -> Iterator[tuple[HostLink, ...]]:
        group = group_of(self._fabric, key.group)
        for ports in nics_of(group).values():
            yield tuple(HostLink(plane, *key, nic) for nic in ports for plane in group.planes_of(nic))

    def _server_cages(self, key: SlotKey) -> Iterable[tuple[HostLink, ...]]:
        return by_cage(links_of_server(self._fabric, key)).values()

    def _cages_at(self, place: Place) -> Iterator[Part]:
        for links in self._cages_of(place):
            is_up = isinstance(links[0], Wire) and links[0].lower == place
            yield from self._joined(CAGES[place.tier, is_up], links)

    def _cages_of(self, place: Place) -> Iterable[tuple[AnyLink, ...]]:
        if place not in self._cages:
            links = links_of_switch(self._fabric, place)
            self._cages[place] = by_cage(each for each in links if self._network.is_counted(each.link))
        return self._cages[place].values()

    # Paths.

    def _part(self, kind: str, spot: Spot) -> Part:
        return Part(kind, self._path(spot), spot)

    def _path(self, spot: Spot) -> Path:
        steps: list[Step] = []
        for axis in AXES:
            value = getattr(spot, axis)
            if value is not None:
                seat = self._axes.blocks(axis, spot).seat(value)
                within = WITHIN[axis]
                block = f"{axis}-block"
                steps.append(Step(block, within, seat.label, seat.blocks, seat.block))
                steps.append(Step(axis, (*within, block), seat.inner, seat.alike, seat.at))
        return tuple(steps)

    def _joined(self, kind: str, links: tuple[AnyLink, ...]) -> Iterator[Part]:
        """Return the part (a cage or a NIC) of links that are lost together, if any of them works.

        The path is that of one of its links. A coordinate that is covered, i.e. the links have all of its values in
        the same way, does not count: its step is replaced by a step with one value.
        """
        if not any(self._network.carries(link) for link in links):
            return
        spots = [self._axes.link(link) for link in links]
        if kind in (NIC, SERVER_CAGE) and self._fabric.shape.rail_planes == 1:
            # A NIC has a slice in every plane, and all of them share its cage.
            spots = [*dict.fromkeys(spot._replace(plane=None) for spot in spots)]
        paths = [self._path(spot) for spot in spots]
        if len(spots) == 1:
            yield Part(kind, paths[0], spots[0])
            return
        covered = _covered(paths) if len({tuple(step.name for step in path) for path in paths}) == 1 else frozenset()
        orders = _orders(paths, spots, covered)
        chosen = min(range(len(spots)), key=orders.__getitem__)
        steps = [
            step._replace(name=f"{step.name}*", label="*", alike=1, index=0) if step.name in covered else step
            for step in paths[chosen]
        ]
        yield Part(kind, (*steps, Step("links", (), tuple(sorted(orders)), 1, 0)), spots[chosen])

    def lost(self, part: Part, choice: tuple[int, ...] | None = None) -> Lost:
        """Return the loss of one of the alike parts. choice: index of the value per step; None: the representative."""
        spot = part.spot if choice is None else self._resolved(part, choice)
        return self._lost(part.kind, spot)

    def _resolved(self, part: Part, choice: tuple[int, ...]) -> Spot:
        spot = Spot()
        block: tuple[Hashable, ...] = ()
        choices = dict(zip((step.name for step in part.path), zip(part.path, choice, strict=True), strict=True))
        for axis in AXES:
            if f"{axis}-block" not in choices:
                continue
            blocks = self._axes.blocks(axis, spot.at(axis, getattr(part.spot, axis)))
            outer, block_number = choices[f"{axis}-block"]
            block = blocks.block(outer.label, block_number)
            inner = choices.get(axis)
            value = block[0] if inner is None else blocks.value(block, inner[0].label, inner[1])
            spot = spot.at(axis, value)
        return spot

    def _lost(self, kind: str, spot: Spot) -> Lost:
        axes = self._axes
        if kind in _SWITCHES:
            return Lost(switches=frozenset({axes.place(spot, _SWITCHES[kind])}))
        match kind:
            case "pod":
                return Lost(pods=frozenset({cast(int, spot.pod)}))
            case "plane":
                return Lost(planes=frozenset({cast(int, spot.plane)}))
            case "unit":
                return Lost(units=frozenset({axes.unit(spot)}))
            case "server":
                return Lost(servers=frozenset({self._axes.server_at(spot)}))
        return links_lost(self._links(kind, spot))

    def _links(self, kind: str, spot: Spot) -> tuple[AnyLink, ...]:
        axes = self._axes
        link: AnyLink = axes.host_at(spot) if spot.slot is not None else axes.wire_at(spot)
        if kind in LINKS.values():
            return (link,)
        if isinstance(link, HostLink) and kind in (NIC, SERVER_CAGE):
            key = SlotKey(link.group, link.slot)
            groups = self._nics(key) if kind == NIC else self._server_cages(key)
            return next(links for links in groups if link in links)
        tier = next(tier for (tier, _), name in CAGES.items() if name == kind)
        place = (
            upper_of(self._fabric, link)
            if isinstance(link, Wire) and link.lower.tier is not tier
            else axes.place(spot, tier)
        )
        return next(links for links in self._cages_of(place) if link in links)

    # Classes.

    def singles(self) -> Iterator[Failure]:
        """Return the classes of failures of one part."""
        for part in self.parts():
            lost = self.lost(part)
            yield Failure((part.kind,), part.size, lost, self.measures.of(lost))

    def pairs(self) -> Iterator[Failure]:
        """Return the classes of failures of two parts."""
        parts = self.parts()
        losses = [self.lost(part) for part in parts]
        alone, base = [self.measures.of(lost) for lost in losses], self.measures.base()
        for (i, first), (j, second) in combinations_with_replacement(enumerate(parts), 2):
            for count, choice in _walks(first.path, second.path):
                if i == j and choice == tuple(step.index for step in first.path):
                    continue  # a part and itself
                # Two parts of one class are found in both orders.
                size = first.size * count // (2 if i == j else 1)
                lost = together((losses[i], self.lost(second, choice)))
                outcome = self.measures.of(lost)
                compounds = _compounds(outcome, (alone[i], alone[j]), base)
                yield Failure((first.kind, second.kind), size, lost, outcome, compounds)


def _compounds(outcome: Outcome, alone: tuple[Outcome, Outcome], base: Outcome) -> bool:
    """Return whether two failures lose more than both singles added up, or have a hotter link than either."""
    counts = ("gpus", "servers", "rails", "vteps")
    if any(getattr(outcome, name) > sum(getattr(single, name) for single in alone) for name in counts):
        return True
    apart = sum(single.apart - base.apart for single in alone)
    least, hottest = min(single.least for single in alone), max(single.hottest for single in alone)
    return outcome.apart - base.apart > apart or outcome.least < least or outcome.hottest > max(hottest, 1.0) + NOTICED


def _walks(first: Path, second: Path) -> Iterator[tuple[int, tuple[int, ...]]]:
    """Return the relative positions of the second of two parts to the first: number of parts there, and one choice."""
    first_steps = {step.name: step for step in first}
    ways: list[tuple[int, tuple[int, ...], frozenset[str]]] = [(1, (), frozenset())]
    for step in second:
        first_step = first_steps.get(step.name)
        next_ways = []
        for count, choice, shared in ways:
            if first_step is None or not shared.issuperset(step.within) or first_step.label != step.label:
                next_ways.append((count * step.alike, (*choice, step.index), shared))
                continue
            next_ways.append((count, (*choice, first_step.index), shared | {step.name}))
            if step.alike > 1:
                other_index = 1 if first_step.index == 0 else 0
                next_ways.append((count * (step.alike - 1), (*choice, other_index), shared))
        ways = next_ways
    return ((count, choice) for count, choice, _ in ways)


def _covered(paths: list[Path]) -> frozenset[str]:
    """Return the coordinates of which the links have all values, each with the same other coordinates."""
    covered = set()
    for position, step in enumerate(paths[0]):
        if step.alike < 2 or step.name.endswith("-block"):
            continue
        rests_by_index: dict[int, set[Hashable]] = {}
        for path in paths:
            rest = tuple(
                (other.label, other.index) for other_position, other in enumerate(path) if other_position != position
            )
            rests_by_index.setdefault(path[position].index, set()).add(rest)
        if len(rests_by_index) == step.alike and len({frozenset(rests) for rests in rests_by_index.values()}) == 1:
            covered.add(step.name)
    return frozenset(covered)


def _orders(paths: list[Path], spots: list[Spot], covered: frozenset[str]) -> list[tuple[tuple[int, ...], ...]]:
    """Return the sort key of each of several links, by which one is chosen: labels, which no exchange changes.

    Parallel links that share a cage are not exchanged with others, so their numbers are labels.
    """
    turns = [(spot.turn if spot.turn is not None else -1, spot.core_turn or 0) for spot in spots]
    numbers = turns if len(set(turns)) > 1 else [()] * len(turns)
    orders = []
    for path, number in zip(paths, numbers, strict=True):
        labels = (step.label for step in path if not step.name.endswith("-block") and step.name not in covered)
        orders.append((*(label if isinstance(label, tuple) else () for label in labels), number))
    return orders


_SWITCHES = {tier.value: tier for tier in Tier}
KINDS = (
    *LINKS.values(),
    SERVER_CAGE,
    *dict.fromkeys(CAGES.values()),
    NIC,
    SERVER,
    *_SWITCHES,
    UNIT,
    POD,
    PLANE,
)
"""Kinds of parts, smallest first."""
