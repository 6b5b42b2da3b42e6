"""What to do about a failure, and what an operator should know of a fabric's links and cages before one."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.failures.classes import NOTICED
from fabricgen.failures.links import AnyLink, links_of_switch, turn_of, upper_of
from fabricgen.failures.measures import Measures, Outcome
from fabricgen.failures.naming import link_name, names_of, port_name
from fabricgen.failures.network import Network
from fabricgen.failures.parts import HostLink, Lost, Wire
from fabricgen.plan.fabric import FabricPlan, name_of, places
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.wiring import uplinks

INTENT = "INTENT"
"""Stands for the path of the intent in what to type."""


class Finding(NamedTuple):
    """What an operator should know before a failure. fix: what to type."""

    name: str
    what: str
    why: str
    fix: str


def remedy(network: Network, measures: Measures, lost: Lost, outcome: Outcome, base: Outcome) -> str:
    """What to do about a failure; empty where it costs nothing."""
    fabric = network.fabric
    steps = []
    if outcome.gpus or outcome.servers:
        steps.append(f"move jobs off {_servers(fabric, lost)}")
    if outcome.apart > base.apart:
        steps.append("move jobs to one side: no route leads over a third leaf")
    drained = _drained(fabric, lost)
    if drained is not None and outcome.hottest > base.hottest + NOTICED:
        then = measures.of(drained)
        if then.hottest < outcome.hottest - NOTICED and then.gpus == outcome.gpus and then.apart == outcome.apart:
            pairs = " and ".join(_pairs(fabric, lost))
            steps.append(f"drain the other links of {pairs}: hottest link {then.hottest:.3f}")
    if not steps and outcome.vteps:
        steps.append("replace it: servers keep their other leaf" if outcome.narrowed else "replace it")
    elif not steps and outcome.narrowed:
        steps.append("replace it: servers keep their other port")
    elif not steps and (outcome.least < base.least or outcome.hottest > base.hottest + NOTICED):
        steps.append("replace it")
    return "; ".join(steps)


def _servers(fabric: FabricPlan, lost: Lost) -> str:
    """Whose jobs are hit, in few words."""
    servers = {f"{link.group}[{link.slot}]" for link in lost.hosts}
    servers |= {f"{key.group}[{key.slot}]" for key in lost.servers}
    areas = names_of(fabric, lost._replace(wires=frozenset(), hosts=frozenset(), servers=frozenset()))
    words = [*sorted(servers)[:3], *(f"the servers of {area}" for area in areas)]
    return " and ".join(words) if words else "its servers"


def _drained(fabric: FabricPlan, lost: Lost) -> Lost | None:
    """The loss with all links of each pair that has lost one; None where no pair has another."""
    pairs = {(wire.lower, turn_of(fabric, wire)[0]) for wire in lost.wires}
    more = {
        Wire(lower, link.number)
        for lower, index in pairs
        for link in uplinks(fabric, lower)
        if link.upper.index == index
    }
    return lost._replace(wires=lost.wires | more) if more - lost.wires else None


def _pairs(fabric: FabricPlan, lost: Lost) -> list[str]:
    pairs = {(wire.lower, upper_of(fabric, wire)) for wire in lost.wires}
    return sorted(f"{name_of(fabric, lower)} to {name_of(fabric, upper)}" for lower, upper in pairs)


def findings(network: Network, measures: Measures) -> Iterator[Finding]:
    """What is worse than it looks: one of parallel links against the whole switch, and cages of several links."""
    fabric, shape = network.fabric, network.fabric.shape
    if shape.core_links > 1:
        yield from _pair(network, measures, Tier.SPINE)
    if shape.links > 1:
        yield from _pair(network, measures, Tier.LEAF)
    yield from _cages(fabric)


def _pair(network: Network, measures: Measures, tier: Tier) -> Iterator[Finding]:
    """One link of a pair against the switch above it: m / (m - 1) of its share against S / (S - 1)."""
    fabric, shape = network.fabric, network.fabric.shape
    lower = next((place for place in _alive(network) if place.tier is tier), None)
    if lower is None:
        return
    above = list(uplinks(fabric, lower))
    first = next((link for link in above if link.upper not in network.dead), None)
    if first is None:
        return
    one = measures.of(Lost(wires=frozenset({Wire(lower, first.number)})))
    switch = measures.of(Lost(switches=frozenset({first.upper})))
    if one.hottest <= switch.hottest + NOTICED:
        return
    others = [link_name(fabric, Wire(lower, each.number)) for each in above if each.upper == first.upper][1:]
    down, up = name_of(fabric, lower), name_of(fabric, first.upper)
    typed = ", ".join(f'"{name}": {{state: drained}}' for name in others)
    drain = f"until it is repaired, write overrides: {{{typed}}}"
    is_core = tier is Tier.SPINE
    links = shape.core_links if is_core else shape.links
    words = ("spine", "superspine") if is_core else ("leaf", "spine")
    why = (
        "link_loss acts between leaf and spine alone: nobody says how many links a superspine has to a spine"
        if is_core
        else "link_loss is keep: equal paths are chosen without regard to the links behind them"
    )
    can_say = not shape.cores and network.policy == "keep"
    choose = f"type fabricgen validate {INTENT}: pair-short says which link_loss this fabric may have; or "
    yield Finding(
        name="one-link-worse",
        what=f"one of the {links} links between a {words[0]} and a {words[1]} lost loads the hottest link to "
        f"{one.hottest:.3f}, the whole {words[1]} lost to {switch.hottest:.3f} (e.g. {down} to {up})",
        why=why,
        fix=f"{choose if can_say else ''}{drain}",
    )


def _alive(network: Network) -> Iterator[Place]:
    return (place for place in places(network.fabric) if place not in network.dead)


def _cages(fabric: FabricPlan) -> Iterator[Finding]:
    """Cages of several links: what is plugged in takes all of them at once, to several switches or servers."""
    seen: set[tuple[Tier, bool]] = set()
    found: list[str] = []
    for place in places(fabric):
        if (place.tier, True) in seen and (place.tier, False) in seen:
            continue
        for links in _by_cage(fabric, place):
            key = place.tier, _leads_up(place, links[0])
            fars = sorted({_far(fabric, place, link) for link in links})
            if len(fars) > 1 and key not in seen:
                seen.add(key)
                port = port_name(fabric, place, links[0])
                found.append(f"cage:{name_of(fabric, place)}/{port} takes {' and '.join(fars)}")
    if found:
        first = found[0].partition(" ")[0]
        yield Finding(
            name="shared-cage",
            what=f"one optic takes several links: {'; '.join(found)}",
            why="a cage of several links has one transceiver, or one plug, for all of them",
            fix=f"type fabricgen what-if {INTENT} --fail {first} for what one costs, and keep spares of these optics",
        )


def _by_cage(fabric: FabricPlan, place: Place) -> list[list[AnyLink]]:
    cages: dict[int, list[AnyLink]] = {}
    for cage, link in links_of_switch(fabric, place):
        cages.setdefault(cage, []).append(link)
    return [links for links in cages.values() if len(links) > 1]


def _leads_up(place: Place, link: AnyLink) -> bool:
    return isinstance(link, Wire) and link.lower == place


def _far(fabric: FabricPlan, place: Place, link: AnyLink) -> str:
    """What a link leads to, from one of its ends."""
    if isinstance(link, HostLink):
        return f"{link.group}[{link.slot}]"
    return name_of(fabric, upper_of(fabric, link) if link.lower == place else link.lower)
