"""Remedies for failures, and findings about links and cages that an operator should know before a failure."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.base.text import listed
from fabricgen.failures.classes import NOTICED
from fabricgen.failures.links import AnyLink, by_cage, leaf_unit, links_of_switch, turn_of, unit_of, upper_of
from fabricgen.failures.measures import Measures, Outcome
from fabricgen.failures.naming import link_name, names_of, port_name, server_names
from fabricgen.failures.network import Network
from fabricgen.failures.parts import NOTHING_LOST, HostLink, Lost, Unit, Wire, together
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, places
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.wiring import Uplink, uplinks
from fabricgen.resolve.link_loss import other_modes

INTENT = "INTENT"
"""Placeholder for the path of the intent in commands to type."""


LINK_WORSE, SHARED_CAGE = "one-link-worse", "shared-cage"
NOTES: Mapping[str, str] = MappingProxyType(
    {
        LINK_WORSE: "the loss of one of several parallel links loads the hottest link more than the loss of the whole "
        "switch at its upper end",
        SHARED_CAGE: "one optic or plug serves links to several switches or servers, so its failure takes all of them "
        "down",
    }
)
"""Name of a finding → what it means."""


CutOff = Mapping[Unit, frozenset[int]]
"""Slots of servers that lose a whole rail, by unit."""


class Finding(NamedTuple):
    """A weakness that an operator should know before a failure. name: one of NOTES; fix: what to type."""

    name: str
    what: str
    why: str
    fix: str


def remedy(
    network: Network, measures: Measures, lost: Lost, outcome: Outcome, base: Outcome, *, joint: bool = False
) -> str:
    """Return what to do about a failure; empty where it costs nothing. joint: of several parts, each with its name."""
    if not _costs(outcome, base):
        return ""
    cut_off = measures.cut_off(lost) if outcome.rails else {}
    jobs = {unit: slots for unit, slots in cut_off.items() if unit.group not in network.nodes}
    steps = [f"move jobs off {_servers(network, lost, jobs)}"] if jobs else []
    if outcome.apart > base.apart and not has_leaf_pairs(network.fabric):
        is_split = measures.split(lost) > measures.split(NOTHING_LOST)
        steps += ["move jobs to one side: no route leads over a third leaf"] if is_split else []
    drain = _drain(network.fabric, measures, lost, outcome, base)
    steps += [drain] if drain else []
    if not joint:
        return "; ".join(steps) or f"replace it{max(_to_replace(network, measures, lost, cut_off), default='')}"
    left = lost._replace(wires=frozenset()) if drain else lost
    for keep, parts in _to_replace(network, measures, left, cut_off).items():
        steps.append(f"replace {listed(names_of(network.fabric, parts))}{keep}")
    return "; ".join(steps) or "replace them"


def _drain(fabric: FabricPlan, measures: Measures, lost: Lost, outcome: Outcome, base: Outcome) -> str:
    """Return the pairs of switches whose links are to be drained; empty where that does not help."""
    drained_loss = _drained(fabric, lost)
    if drained_loss is None or outcome.hottest <= base.hottest + NOTICED:
        return ""
    after = measures.of(drained_loss)
    if not _is_better(after, outcome) or after.gpus != outcome.gpus or after.apart != outcome.apart:
        return ""
    return f"drain all links of {' and '.join(_pairs(fabric, lost))}: hottest link {after.hottest:.3f}"


def _costs(outcome: Outcome, base: Outcome) -> bool:
    """Return whether a failure costs anything: more than before it for what the base has already."""
    has_loss = outcome.servers or outcome.rails or outcome.narrowed or outcome.vteps or outcome.apart > base.apart
    return bool(has_loss) or outcome.least < base.least or outcome.hottest > base.hottest + NOTICED


def _to_replace(network: Network, measures: Measures, lost: Lost, cut_off: CutOff) -> dict[str, Lost]:
    """Return the lost parts that do not cut off all of their servers, by what their servers keep: a text."""
    lost_by_text: dict[str, Lost] = {}
    for text, part in (*_kept_above(network, measures, lost, cut_off), *_kept_below(network, lost, cut_off)):
        lost_by_text[text] = together((lost_by_text.get(text, NOTHING_LOST), part))
    return lost_by_text


def _kept_above(network: Network, measures: Measures, lost: Lost, cut_off: CutOff) -> Iterator[tuple[str, Lost]]:
    above = _above(lost)
    cost = measures.of(above)
    if above != NOTHING_LOST and not _uncovered(network, lost, cut_off) and _costs(cost, measures.base()):
        yield f": servers keep their {_other(network)}" if cost.narrowed else "", above


def _kept_below(network: Network, lost: Lost, cut_off: CutOff) -> Iterator[tuple[str, Lost]]:
    for place in lost.switches - _above(lost).switches:
        units = _units_of(network, place)
        cut = [slot for unit in units for slot in cut_off.get(unit, ())]
        if not units:
            yield "", Lost(switches=frozenset({place}))
        elif len(cut) != sum(len(network.slots[unit]) for unit in units):
            servers = "the other servers" if cut else "servers"
            yield f": {servers} keep their {_other(network)}", Lost(switches=frozenset({place}))
    if lost.planes and not cut_off:
        yield ": servers keep their other port", Lost(planes=lost.planes)
    for link in lost.hosts:
        if link.slot not in cut_off.get(unit_of(group_of(network.fabric, link.group), link.slot), ()):
            yield ": servers keep their other port", Lost(hosts=frozenset({link}))


def _units_of(network: Network, switch: Place) -> tuple[Unit, ...]:
    """Return the units with servers on a leaf; empty for another switch."""
    units = network.sharing(leaf_unit(switch)) if switch.tier is Tier.LEAF else ()
    return tuple(unit for unit in units if network.slots.get(unit))


def _other(network: Network) -> str:
    return "other leaf" if network.vteps else "other port"


def _above(lost: Lost) -> Lost:
    """Return what is lost above leaves: spines, superspines and the links between switches."""
    return Lost(switches=frozenset(place for place in lost.switches if place.tier in UPPER), wires=lost.wires)


def _is_covered(network: Network, lost: Lost, unit: Unit) -> bool:
    """Return whether the loss has a part that all servers of a unit are at."""
    owner = network.owner(unit)
    is_named = owner in lost.units or unit.pod in lost.pods or bool(lost.planes)
    return is_named or any(place.tier is Tier.LEAF and leaf_unit(place) == owner for place in lost.switches)


def _uncovered(network: Network, lost: Lost, cut_off: CutOff) -> dict[Unit, frozenset[int]]:
    """Return the servers that are cut off and neither lost, nor at a lost leaf or link: the loss above took them."""
    named = _named(network, lost)
    return {
        unit: rest
        for unit, slots in cut_off.items()
        if not _is_covered(network, lost, unit) and (rest := slots - named.get(unit, frozenset()))
    }


def _named(network: Network, lost: Lost) -> dict[Unit, frozenset[int]]:
    """Return the slots of servers that are lost, or lose links."""
    slots_by_unit: dict[Unit, set[int]] = {}
    for group, slot in {(link.group, link.slot) for link in lost.hosts} | {
        (key.group, key.slot) for key in lost.servers
    }:
        slots_by_unit.setdefault(unit_of(group_of(network.fabric, group), slot), set()).add(slot)
    return {unit: frozenset(slots) for unit, slots in slots_by_unit.items()}


def _is_better(after: Outcome, before: Outcome) -> bool:
    """Return whether the hottest link is cooler, and more of full rate remains: by capacity and by that link."""
    rates = [min(float(outcome.least), 1 / max(outcome.hottest, 1.0)) for outcome in (after, before)]
    return after.hottest < before.hottest - NOTICED and rates[0] > rates[1] + NOTICED


def _servers(network: Network, lost: Lost, cut_off: CutOff) -> str:
    """Return a short text that names the servers that a loss cuts off, and no others."""
    fabric, above = network.fabric, _above(lost)
    leaves = frozenset(
        place
        for place in lost.switches - above.switches
        if (with_jobs := _with_jobs(network, _units_of(network, place)))
        and all(cut_off.get(unit) == network.slots[unit] for unit in with_jobs)
    )
    units = frozenset(unit for unit in lost.units if _with_jobs(network, network.sharing(unit)))
    areas = names_of(fabric, Lost(leaves, planes=lost.planes, pods=lost.pods, units=units))
    named = [
        (unit.group, slot)
        for unit, slots in _named(network, lost).items()
        for slot in slots & cut_off.get(unit, frozenset())
    ]
    rest = _uncovered(network, lost, cut_off)
    # Of a leaf without uplinks all servers are cut off, or those that a broken link has left with this leaf alone.
    whole = {unit for unit in rest if cut_off[unit] == network.slots[unit]}
    named += [(unit.group, slot) for unit in rest.keys() - whole for slot in rest[unit]]
    named += [
        (unit.group, slot)
        for unit, slots in cut_off.items()
        for slot in slots
        if slots != network.slots[unit] and unit not in rest
    ]
    return " and ".join(
        (
            *server_names(named),
            *([f"the servers of {listed(areas)}"] if areas else []),
            *([_reason(network, above)] if whole else []),
        )
    )


def _with_jobs(network: Network, units: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return the units whose servers are no storage nodes."""
    return tuple(unit for unit in units if unit.group not in network.nodes)


def _reason(network: Network, above: Lost) -> str:
    """Return a short text for servers that are cut off where neither they nor their leaves are lost."""
    if network.nodes and above == NOTHING_LOST:
        return "all servers: no storage node is left"
    return "servers whose leaf has no uplink left"


def _drained(fabric: FabricPlan, lost: Lost) -> Lost | None:
    """Return the loss extended by all links of each pair of switches; None where no pair has another link."""
    pairs = {(wire.lower, turn_of(fabric, wire)[0]) for wire in lost.wires}
    pair_links = {
        Wire(lower, link.number)
        for lower, index in pairs
        for link in uplinks(fabric, lower)
        if link.upper.index == index
    }
    return lost._replace(wires=lost.wires | pair_links) if pair_links - lost.wires else None


def _pairs(fabric: FabricPlan, lost: Lost) -> list[str]:
    pairs = {(wire.lower, upper_of(fabric, wire)) for wire in lost.wires}
    return sorted(f"{name_of(fabric, lower)} to {name_of(fabric, upper)}" for lower, upper in pairs)


def findings(network: Network, measures: Measures) -> Iterator[Finding]:
    """Return the findings: parallel links of which one lost is worse than the whole switch, and shared cages."""
    shape = network.fabric.shape
    if shape.core_links > 1:
        yield from _pair(network, measures, Tier.SPINE)
    if shape.links > 1:
        yield from _pair(network, measures, Tier.LEAF)
    yield from _cages(network)


def _pair(network: Network, measures: Measures, tier: Tier) -> Iterator[Finding]:
    """Compare the loss of one link of a pair, m / (m - 1) of its share, with that of the upper switch, S / (S - 1).

    There is no finding where that switch is missed more than the link: nobody should drain links to it then.
    """
    fabric, shape = network.fabric, network.fabric.shape
    pair = next(_whole_pairs(network, tier), [])
    if not pair:
        return
    first_link = pair[0]
    one_link = measures.of(Lost(wires=frozenset({Wire(first_link.lower, first_link.number)})))
    switch = measures.of(Lost(switches=frozenset({first_link.upper})))
    if not _is_better(switch, one_link):
        return
    lower, upper = name_of(fabric, first_link.lower), name_of(fabric, first_link.upper)
    # The lost link is among them: if it came back alone, it would carry the share of the whole pair.
    overrides = ", ".join(f'"{link_name(fabric, Wire(link.lower, link.number))}": {{state: drained}}' for link in pair)
    drain_hint = f"until it is repaired, drain all links of that pair: write overrides: {{{overrides}}}"
    is_core = tier is Tier.SPINE
    links = shape.core_links if is_core else shape.links
    tiers = ("spine", "superspine") if is_core else ("leaf", "spine")
    modes = other_modes(fabric) if network.policy == "keep" and not is_core else ()
    why = (
        "link_loss acts between leaf and spine alone: nobody says how many links a superspine has to a spine"
        if is_core
        else "link_loss is keep: equal paths are chosen without regard to the links behind them"
    )
    yield Finding(
        name=LINK_WORSE,
        what=f"one of the {links} links between a {tiers[0]} and a {tiers[1]} lost loads the hottest link to "
        f"{one_link.hottest:.3f}, the whole {tiers[1]} lost to {switch.hottest:.3f} (e.g. {lower} to {upper})",
        why=why,
        fix=f"write fabrics.{fabric.name}.link_loss: {' or '.join(modes)}; or {drain_hint}" if modes else drain_hint,
    )


def _whole_pairs(network: Network, tier: Tier) -> Iterator[list[Uplink]]:
    """Return the links of each pair of switches, the lower one of this tier, that are all in service."""
    fabric, idle = network.fabric, network.dead | network.drained
    for lower in places(fabric):
        if lower.tier is tier and lower not in idle:
            out = network.dead_uplinks.get(lower, frozenset()) | network.drained_links.get(lower, frozenset())
            for links in by_cage((link.upper, link) for link in uplinks(fabric, lower)).values():
                if links[0].upper not in idle and out.isdisjoint(link.number for link in links):
                    yield list(links)


def _cages(network: Network) -> Iterator[Finding]:
    """Return the finding about cages with links to several switches or servers, which one optic takes down together."""
    fabric = network.fabric
    seen: set[tuple[Tier, bool]] = set()
    examples: list[str] = []
    for place in places(fabric):
        if (place.tier, True) in seen and (place.tier, False) in seen:
            continue
        for links in by_cage(links_of_switch(fabric, place)).values():
            key = place.tier, _leads_up(place, links[0])
            if key in seen or len(_far_ends(fabric, place, links)) < 2:
                continue
            carrying = [link for link in links if network.carries(link)]
            far_ends = _far_ends(fabric, place, carrying)
            if len(far_ends) > 1:
                seen.add(key)
                port = port_name(fabric, place, carrying[0])
                examples.append(f"cage:{name_of(fabric, place)}/{port} has links to {' and '.join(sorted(far_ends))}")
    if examples:
        cage = examples[0].partition(" ")[0]
        yield Finding(
            name=SHARED_CAGE,
            what=f"one failed optic takes down several links: {'; '.join(examples)}",
            why="a cage of several links has one transceiver, or one plug, for all of them",
            fix=f"type fabricgen what-if {INTENT} --fail {cage} to see what one failed optic costs, and keep spares of "
            "these optics",
        )


def _leads_up(place: Place, link: AnyLink) -> bool:
    return isinstance(link, Wire) and link.lower == place


def _far_ends(fabric: FabricPlan, place: Place, links: Sequence[AnyLink]) -> set[str]:
    """Return the names of the far ends of some links of a switch."""
    if len(links) < 2:
        return set()
    return {
        f"{link.group}[{link.slot}]"
        if isinstance(link, HostLink)
        else name_of(fabric, upper_of(fabric, link) if link.lower == place else link.lower)
        for link in links
    }
