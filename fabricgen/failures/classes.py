"""Classes of failures that cost the same: one of each is measured, and how many there are is counted.

A part is a path of coordinates (`symmetry.py`). Of one part there are as many as the product of the numbers of values
alike on its path. Of two, the second is walked along the first: where both have a coordinate within the same others,
the second has either the same value or one of the rest; elsewhere it has any. So the sizes of all classes of pairs sum
to C(n, 2), whatever the classes are.
"""

from collections.abc import Hashable, Iterable, Iterator
from itertools import combinations_with_replacement
from typing import NamedTuple, cast

from fabricgen.failures.links import AnyLink, links_of_server, links_of_switch, nics_of
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
"""Kinds of cages of switches, by tier and whether they lead up. A cage is what is plugged into it, too: its optic."""
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
"""What the values of an axis are interchangeable within, as steps of a path."""


NOTICED = 0.001
"""A smaller difference of the load of a link is none: a switch's hash leaves far more uneven."""


class Step(NamedTuple):
    """One coordinate of a path. `alike` values are, , of one label; within: steps that have to be the same."""

    name: str
    within: tuple[str, ...]
    label: Hashable
    alike: int
    index: int  # type: ignore[assignment]  # which of these; nobody searches a tuple of numbers


Path = tuple[Step, ...]


class Part(NamedTuple):
    """One of some parts of a kind that are alike. spot: of its link, where it is a cage or a NIC."""

    kind: str
    path: Path
    spot: Spot

    @property
    def size(self) -> int:
        """How many are alike."""
        return _product(step.alike for step in self.path)

    @property
    def key(self) -> Hashable:
        """What those alike have in common."""
        return (self.kind, *(step[:4] for step in self.path))


class Failure(NamedTuple):
    """Failures that are alike: how many, of which kinds of parts, what one of them takes away and what it costs.

    compounds  whether two parts cost more together than each by itself, added up
    """

    kinds: tuple[str, ...]
    size: int
    lost: Lost
    outcome: Outcome
    compounds: bool = False


def _product(numbers: Iterable[int]) -> int:
    found = 1
    for number in numbers:
        found *= number
    return found


class Classes:
    """Classes of the failures of one fabric."""

    def __init__(self, network: Network) -> None:
        self._network, self._fabric = network, network.fabric
        self._axes = Axes(network)
        self._cages: dict[Place, dict[int, tuple[AnyLink, ...]]] = {}
        self.measures = Measures(network)

    # Parts.

    def parts(self) -> list[Part]:
        """One part of each class, in the order of kinds from links to planes."""
        found: dict[Hashable, Part] = {}
        for part in self._every():
            found.setdefault(part.key, part)
        order = {kind: at for at, kind in enumerate(KINDS)}
        return sorted(found.values(), key=lambda part: order[part.kind])

    def _every(self) -> Iterator[Part]:
        yield from self._at_leaves()
        yield from self._at_uppers()
        yield from self._at_servers()
        if len(self._axes.pods) > 1:
            yield from (self._part(POD, spot) for spot in self._spots("pod"))
        if self._fabric.shape.planes > 1:
            yield from (self._part(PLANE, spot) for spot in self._spots("plane"))

    def _spots(self, *axes: str, base: Spot | None = None) -> Iterator[Spot]:
        """One spot of each kind along some axes."""
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
            yield self._part(leaf.tier.value, spot)
            if spot.unit != BORDER:
                hosts = (self._axes.host_at(at) for at in self._spots("slot", "row", base=spot))
                yield from (
                    self._part(LINKS[SERVER_LEAF], self._axes.link(link)) for link in hosts if self._works(link)
                )
            wires = (self._axes.wire_at(at) for at in self._spots("spine", "turn", base=spot))
            yield from (self._part(LINKS[LEAF_SPINE], self._axes.link(wire)) for wire in wires if self._works(wire))
            yield from self._cages_at(leaf)

    def _at_uppers(self) -> Iterator[Part]:
        shape = self._fabric.shape
        for spot in self._spots("plane", "pod", "spine") if shape.spines else ():
            spine = self._axes.place(spot, Tier.SPINE)
            if spine in self._network.dead:
                continue
            yield self._part(Tier.SPINE.value, spot)
            wires = (self._axes.wire_at(at) for at in self._spots("core", "core_turn", base=spot))
            yield from (
                self._part(LINKS[SPINE_SUPERSPINE], self._axes.link(wire)) for wire in wires if self._works(wire)
            )
            yield from self._cages_at(spine)
        for spot in self._spots("plane", "spine", "core") if shape.cores else ():
            core = self._axes.place(spot, Tier.SUPERSPINE)
            if core not in self._network.dead:
                yield self._part(Tier.SUPERSPINE.value, spot)
                yield from self._cages_at(core)

    def _at_servers(self) -> Iterator[Part]:
        for spot in self._spots("pod", "unit"):
            if spot.unit == BORDER:
                continue
            if self._network.slots[self._axes.unit(spot)]:
                yield self._part(UNIT, spot)
            for at in self._spots("slot", base=spot):
                yield self._part(SERVER, at)
                key = self._key(at)
                for links in self._nics(key):
                    yield from self._joined(NIC, links)
                for links in self._server_cages(key).values():
                    yield from self._joined(SERVER_CAGE, links)

    def _key(self, spot: Spot) -> SlotKey:
        unit = self._axes.unit(spot)
        group = group_of(self._fabric, unit.group)
        number = unit.pod * group.units_a_pod + unit.su
        return SlotKey(unit.group, number * group.slots_a_unit + cast(int, spot.slot))

    def _nics(self, key: SlotKey) -> Iterator[tuple[HostLink, ...]]:
        planes = range(self._fabric.shape.planes)
        for ports in nics_of(group_of(self._fabric, key.group)).values():
            yield tuple(HostLink(plane, *key, nic) for nic in ports for plane in planes)

    def _server_cages(self, key: SlotKey) -> dict[str, tuple[HostLink, ...]]:
        found: dict[str, tuple[HostLink, ...]] = {}
        for cage, link in links_of_server(self._fabric, key):
            found[cage] = (*found.get(cage, ()), link)
        return found

    def _cages_at(self, place: Place) -> Iterator[Part]:
        for links in self._cages_of(place).values():
            yield from self._joined(self._cage_kind(place, links[0]), links)

    @staticmethod
    def _cage_kind(place: Place, link: AnyLink) -> str:
        return CAGES[place.tier, isinstance(link, Wire) and link.lower == place]

    def _cages_of(self, place: Place) -> dict[int, tuple[AnyLink, ...]]:
        found = self._cages.get(place)
        if found is None:
            found = {}
            for cage, link in links_of_switch(self._fabric, place):
                found[cage] = (*found.get(cage, ()), link)
            self._cages[place] = found
        return found

    def _works(self, link: AnyLink) -> bool:
        """Whether a link carries anything before the failure."""
        network = self._network
        if isinstance(link, Wire):
            ends = {link.lower, self._axes.upper(link)}
            return link.number not in network.gone.get(link.lower, ()) and ends.isdisjoint(network.dead)
        unit = self._axes.unit(self._axes.link(link))
        leaf = self._axes.place(self._axes.link(link), Tier.LEAF)
        return link not in network.down.get(unit, ()) and leaf not in network.dead

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
        """The part of several links that are lost together, if any of them works: a cage or a NIC.

        It is named by one of its links. A coordinate that it has every value of, each in the same way, it has none of.
        """
        if not any(self._works(link) for link in links):
            return
        spots = [self._axes.link(link) for link in links]
        if kind in (NIC, SERVER_CAGE):
            # A NIC has a slice in every plane, and all of them share its cage.
            spots = [*dict.fromkeys(spot._replace(plane=None) for spot in spots)]
        paths = [self._path(spot) for spot in spots]
        if len(spots) == 1:
            yield Part(kind, paths[0], spots[0])
            return
        every = _covered(paths) if len({tuple(step.name for step in path) for path in paths}) == 1 else frozenset()
        orders = _orders(paths, spots, every)
        at = min(range(len(spots)), key=orders.__getitem__)
        steps = [
            step._replace(name=f"{step.name}*", label="*", alike=1, index=0) if step.name in every else step
            for step in paths[at]
        ]
        yield Part(kind, (*steps, Step("links", (), tuple(sorted(orders)), 1, 0)), spots[at])

    def lost(self, part: Part, choice: tuple[int, ...] | None = None) -> Lost:
        """What one of some parts alike takes away. choice: which value of each step; None: the part that was found."""
        spot = part.spot if choice is None else self._resolved(part, choice)
        return self._lost(part.kind, spot)

    def _resolved(self, part: Part, choice: tuple[int, ...]) -> Spot:
        spot = Spot()
        block: tuple[Hashable, ...] = ()
        steps = dict(zip((step.name for step in part.path), zip(part.path, choice, strict=True), strict=True))
        for axis in AXES:
            if f"{axis}-block" not in steps:
                continue
            blocks = self._axes.blocks(axis, spot.at(axis, getattr(part.spot, axis)))
            outer, number = steps[f"{axis}-block"]
            block = blocks.block(outer.label, number)
            inner = steps.get(axis)
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
                return Lost(servers=frozenset({self._key(spot)}))
        return links_lost(self._links(kind, spot))

    def _links(self, kind: str, spot: Spot) -> tuple[AnyLink, ...]:
        axes = self._axes
        link: AnyLink = axes.host_at(spot) if spot.slot is not None else axes.wire_at(spot)
        if kind in LINKS.values():
            return (link,)
        if isinstance(link, HostLink) and kind in (NIC, SERVER_CAGE):
            key = SlotKey(link.group, link.slot)
            groups = self._nics(key) if kind == NIC else self._server_cages(key).values()
            return next(links for links in groups if link in links)
        tier = next(tier for (tier, _), name in CAGES.items() if name == kind)
        place = axes.upper(link) if isinstance(link, Wire) and link.lower.tier is not tier else axes.place(spot, tier)
        return next(links for links in self._cages_of(place).values() if link in links)

    # Classes.

    def singles(self) -> Iterator[Failure]:
        """Every failure of one part."""
        for part in self.parts():
            lost = self.lost(part)
            yield Failure((part.kind,), part.size, lost, self.measures.of(lost))

    def pairs(self) -> Iterator[Failure]:
        """Every failure of two parts."""
        parts = self.parts()
        losses = [self.lost(part) for part in parts]
        alone, base = [self.measures.of(lost) for lost in losses], self.measures.base()
        for (at, one), (to, other) in combinations_with_replacement(enumerate(parts), 2):
            for count, choice in _walks(one.path, other.path):
                if at == to and choice == tuple(step.index for step in one.path):
                    continue
                many = one.size * count // (2 if at == to else 1)
                lost = together((losses[at], self.lost(other, choice)))
                found = self.measures.of(lost)
                compounds = _compounds(found, (alone[at], alone[to]), base)
                yield Failure((one.kind, other.kind), many, lost, found, compounds)


def _compounds(found: Outcome, alone: tuple[Outcome, Outcome], base: Outcome) -> bool:
    """Whether two failures cost more than each by itself: more lost than both lose, or a hotter link than either."""
    lost = ("gpus", "servers", "rails", "vteps")
    if any(getattr(found, name) > sum(getattr(each, name) for each in alone) for name in lost):
        return True
    apart = sum(each.apart - base.apart for each in alone)
    least, hottest = min(each.least for each in alone), max(each.hottest for each in alone)
    return found.apart - base.apart > apart or found.least < least or found.hottest > max(hottest, 1.0) + NOTICED


def _walks(one: Path, other: Path) -> Iterator[tuple[int, tuple[int, ...]]]:
    """How the second of two parts may lie to the first: in how many ways, and one of them."""
    first = {step.name: step for step in one}
    ways: list[tuple[int, tuple[int, ...], frozenset[str]]] = [(1, (), frozenset())]
    for step in other:
        mate = first.get(step.name)
        found = []
        for count, choice, same in ways:
            if mate is None or not same.issuperset(step.within) or mate.label != step.label:
                found.append((count * step.alike, (*choice, step.index), same))
                continue
            found.append((count, (*choice, mate.index), same | {step.name}))
            if step.alike > 1:
                rest = 1 if mate.index == 0 else 0
                found.append((count * (step.alike - 1), (*choice, rest), same))
        ways = found
    return ((count, choice) for count, choice, _ in ways)


def _covered(paths: list[Path]) -> frozenset[str]:
    """Coordinates that links have every value of, each with the same others."""
    found = set()
    for at, step in enumerate(paths[0]):
        if step.alike < 2 or step.name.endswith("-block"):
            continue
        others: dict[int, set[Hashable]] = {}
        for path in paths:
            rest = tuple((each.label, each.index) for number, each in enumerate(path) if number != at)
            others.setdefault(path[at].index, set()).add(rest)
        if len(others) == step.alike and len({frozenset(each) for each in others.values()}) == 1:
            found.add(step.name)
    return frozenset(found)


def _orders(paths: list[Path], spots: list[Spot], every: frozenset[str]) -> list[tuple[tuple[int, ...], ...]]:
    """By what one of several links is chosen: labels of its coordinates, which exchanges leave as they are.

    Parallel links that share a cage are exchanged with no others, so their numbers are labels.
    """
    turns = [(spot.turn if spot.turn is not None else -1, spot.core_turn or 0) for spot in spots]
    numbers = turns if len(set(turns)) > 1 else [()] * len(turns)
    found = []
    for path, number in zip(paths, numbers, strict=True):
        labels = (step.label for step in path if not step.name.endswith("-block") and step.name not in every)
        found.append((*(label if isinstance(label, tuple) else () for label in labels), number))
    return found


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
"""Kinds of parts, from the smallest."""
