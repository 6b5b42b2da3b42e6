"""What the hosts of a leaf send against what the fabric carries: by formula, and by flow where links are missing."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from fabricgen.checks.cabling import is_even
from fabricgen.checks.causes import joined, port_cause, state_cause
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.scalars import Ratio
from fabricgen.plan.exceptions import ABSENT, AWAY, DRAINED, PortKey
from fabricgen.plan.fabric import FabricPlan, chassis_of, name_of, place_of, places, port_text, state_of
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import Uplink, downlinks, host_ports, uplinks
from fabricgen.resolve.links import link_state
from fabricgen.topologies.shape import Chassis


def oversubscription(plan: Plan) -> Iterator[Problem]:
    """Capacity down a leaf, and a spine under superspines, is within the fabric's ratio of its capacity up.

    Over all of its ports. A backend is 1:1 unless it says otherwise. Source: leaf split D : U of a folded Clos;
    rail-optimized reference designs are 1:1, frontends 2:1 to 10:1.
    """
    for name, fabric in plan.fabrics.items():
        shape = fabric.shape
        if not shape.spines or shape.spine is None:
            continue
        for group in shape.groups:
            yield from _within(name, f"a leaf of {group.name}", group.leaf, shape.ratio)
        if shape.core is not None:
            yield from _within(name, "a spine", shape.spine, shape.spine_ratio)


def _within(name: str, what: str, chassis: Chassis, ratio: Ratio) -> Iterator[Problem]:
    down = sum(port.speed_gbps for port in chassis.down)
    up = sum(port.speed_gbps for port in chassis.up)
    if down * ratio.up > up * ratio.down:
        below = "servers" if "leaf" in what else "leaves"
        yield Problem(
            code="oversubscribed",
            what=f"{what} on {name} takes {down} Gb/s from {below} and sends up {up} Gb/s",
            where=("fabrics", name, "topology"),
            why=f"{down}:{up} is more than {ratio.down}:{ratio.up}",
            fix=f"choose a {what.split()[1]} with more uplinks than {len(chassis.up)}, or a larger oversubscription",
        )


class Lost(NamedTuple):
    """Links that are declared absent or dead, and the spines and superspines that take no traffic.

    drained  on the operator's own word; away: dead or absent, so that what they carried is missing
    """

    links: frozenset[Uplink]
    drained: frozenset[Place]
    away: frozenset[Place] = frozenset()

    @property
    def silent(self) -> frozenset[Place]:
        """Those that carry nothing, for either reason."""
        return self.drained | self.away


def lost(fabric: FabricPlan) -> Lost:
    """Exceptions of a fabric that take capacity away. A dead port without a spare is a problem of its own."""
    exceptions = fabric.exceptions
    states = {place_of(fabric, name): state for name, state in exceptions.devices.items()}
    away = frozenset(p for p, state in states.items() if p is not None and p.tier in UPPER and state in AWAY)
    touched = {key.device for key, state in exceptions.ports.items() if state == ABSENT}
    touched |= {key.device for key in exceptions.broken}
    found: set[Uplink] = set()
    for device in sorted(touched):
        place = place_of(fabric, device)
        if place is not None and place not in away:
            found |= {link for link in _links(fabric, place) if _is_missing(fabric, link, away)}
    drained = frozenset(p for p, state in states.items() if p is not None and p.tier in UPPER and state == DRAINED)
    return Lost(frozenset(found), drained, away)


def _is_missing(fabric: FabricPlan, link: Uplink, away: frozenset[Place]) -> bool:
    """Whether a link is missing by itself, and not with the switch above or below it."""
    return link.upper not in away and link.lower not in away and link_state(fabric, link) in AWAY


def _links(fabric: FabricPlan, place: Place) -> Iterator[Uplink]:
    """Links of a switch to the tiers above and below."""
    yield from uplinks(fabric, place)
    if place.tier in UPPER:
        yield from downlinks(fabric, place)


def flow_links(fabric: FabricPlan, missing: Lost, one: Place, other: Place | None) -> int:
    """Largest flow between two leaves in links: the sum over spines of the smaller of both sides.

    Leaves of two pods are joined by the core group of each spine number, so that is a third side. Paths over different
    spine numbers share no link, so this is the max-flow exactly. `other` None is a leaf of the pod that misses nothing.
    Drained spines and superspines carry nothing.
    """
    gone = Counter((link.lower, link.upper) for link in missing.links)
    pod = Place(fabric.name, Tier.SPINE, "", one.plane, one.pod, 0, 0, 0)
    total = 0
    for index in range(fabric.shape.spines):
        spine = pod._replace(index=index)
        far = spine._replace(pod=other.pod) if other else spine
        if not {spine, far} & missing.silent:
            sides = [gone[one, spine], gone[other, far] if other else 0]
            total += min(fabric.shape.links - max(sides), _core_flow(fabric, missing, gone, (spine, far)))
    return total


def _core_flow(
    fabric: FabricPlan, missing: Lost, gone: Mapping[tuple[Place, Place], int], spines: tuple[Place, Place]
) -> int:
    """Largest flow between two spines of one number over their core group, in links; no limit within a pod."""
    one, other = spines
    if one == other:
        return fabric.shape.links
    group = Place(fabric.name, Tier.SUPERSPINE, "", one.plane, 0, one.index, 0, 0)
    cores = (group._replace(index=index) for index in range(fabric.shape.cores))
    live = (core for core in cores if core not in missing.silent)
    return sum(fabric.shape.core_links - max(gone[one, core], gone[other, core]) for core in live)


def missing_links(plan: Plan) -> Iterator[Problem]:
    """Where a link or a switch is absent or dead, the servers that stand still reach every other leaf within the ratio.

    By max-flow between the leaf and each other leaf that misses links, and a leaf that misses none. What drained
    spines take away is accepted, because draining is the operator's own word and passes; what is missing beside it
    is not. Absent servers ask for nothing. An overlay may pass with less: the share of the uplinks that its floor says.
    """
    for fabric in plan.fabrics.values():
        found = fabric.exceptions
        if not (found.ports or found.devices or found.broken) or not is_even(fabric):
            continue
        missing = lost(fabric)
        touched = sorted(_touched(fabric, missing))
        for leaf in touched:
            pair = leaf, _worst(fabric, missing, touched, leaf)
            problem = _short(fabric, missing, pair)
            if problem is not None and not _is_cut(fabric, missing, pair):
                yield replace(problem, where=_cause(plan, missing, pair))
        for spine in sorted(_touched_spines(fabric, missing)):
            for problem in _short_spine(fabric, missing, spine):
                yield replace(problem, where=_cause(plan, missing, (spine, None)))


def leaves_joined(plan: Plan) -> Iterator[Problem]:
    """Each leaf whose servers stand reaches every other leaf by something: drained switches count, they still forward.

    That is no question of capacity: where no spine is left, or no way between two leaves, nothing arrives.
    """
    for name, fabric in plan.fabrics.items():
        found = fabric.exceptions
        if not (found.ports or found.devices or found.broken) or not fabric.shape.spines:
            continue
        missing = lost(fabric)
        touched = sorted(_touched(fabric, missing))
        forwarding = missing._replace(drained=frozenset())
        for leaf in touched:
            pair = leaf, _worst(fabric, forwarding, touched, leaf)
            if _servers(fabric, leaf) and _is_cut(fabric, missing, pair):
                yield Problem(
                    code="leaf-cut-off",
                    what=f"{name_of(fabric, leaf)} of {name} does not reach {_far(fabric, pair[1])} at all",
                    where=_cause(plan, missing, pair),
                    why="no spine that both have a link to is left: a drained one would do, a dead one does not",
                    fix="put a spine or a link back, or declare the servers of this leaf absent",
                )


def _is_cut(fabric: FabricPlan, missing: Lost, pair: tuple[Place, Place | None]) -> bool:
    """Whether two leaves have no way to each other, not over drained switches either."""
    return not flow_links(fabric, missing._replace(drained=frozenset()), *pair)


def _worst(fabric: FabricPlan, missing: Lost, touched: Sequence[Place], leaf: Place) -> Place | None:
    """The leaf that another reaches with the fewest links; None: any that misses none."""
    others = [None, *(other for other in touched if other != leaf and other.plane == leaf.plane)]
    return min(others, key=lambda other: flow_links(fabric, missing, leaf, other))


def _cause(plan: Plan, missing: Lost, pair: tuple[Place, Place | None]) -> IntentPath:
    """Path of the override that takes links from one of a pair, where it is one alone."""
    fabric = plan.fabrics[pair[0].fabric]
    ends = [place for place in pair if place is not None]
    pods = {(place.plane, place.pod) for place in ends}
    found: set[IntentPath] = set()
    for place in missing.away:
        if place.tier is Tier.SUPERSPINE or (place.plane, place.pod) in pods:
            found.add(state_cause(plan.intent, name_of(fabric, place)))
    for link in missing.links:
        if link.lower in ends or (link.lower.tier is Tier.SPINE and (link.lower.plane, link.lower.pod) in pods):
            ports = ((link.lower, link.lower_port), (link.upper, link.upper_port))
            keys = [PortKey(name_of(fabric, place), port_text(fabric, place, port)) for place, port in ports]
            found.add(port_cause(plan.intent, keys))
    return joined(found)


def _touched(fabric: FabricPlan, missing: Lost) -> set[Place]:
    """Leaves that are there and miss links; where a spine is away, the fullest leaf of each group of its pod."""
    found = {link.lower for link in missing.links if link.lower.tier is Tier.LEAF}
    found = {leaf for leaf in found if state_of(fabric, leaf) not in AWAY}
    pods = {(place.plane, place.pod) for place in missing.away if place.tier is Tier.SPINE}
    if not pods:
        return found
    fullest: dict[tuple[int, int, str], tuple[int, Place]] = {}
    for leaf in places(fabric):
        if leaf.tier is Tier.LEAF and (leaf.plane, leaf.pod) in pods and state_of(fabric, leaf) not in AWAY:
            key, servers = (leaf.plane, leaf.pod, leaf.group), _servers(fabric, leaf)
            if key not in fullest or servers > fullest[key][0]:
                fullest[key] = servers, leaf
    return found | {leaf for _, leaf in fullest.values()}


def _touched_spines(fabric: FabricPlan, missing: Lost) -> set[Place]:
    """Spines that are there and miss links to their core group, or a superspine of it."""
    found = {link.lower for link in missing.links if link.lower.tier is Tier.SPINE}
    cores = [place for place in missing.away if place.tier is Tier.SUPERSPINE]
    found |= {link.lower for core in cores for link in downlinks(fabric, core)}
    return found - missing.away


def _servers(fabric: FabricPlan, leaf: Place) -> int:
    """Gb/s of the servers that stand behind a leaf."""
    return sum(host.port.speed_gbps for host in host_ports(fabric, leaf) if host.present)


def _short(fabric: FabricPlan, missing: Lost, pair: tuple[Place, Place | None]) -> Problem | None:
    leaf, other = pair
    ratio = fabric.shape.ratio
    speed = next(uplinks(fabric, leaf)).lower_port.speed_gbps
    flow = flow_links(fabric, missing, leaf, other) * speed
    regular = flow_links(fabric, missing._replace(links=frozenset(), away=frozenset()), leaf, None) * speed
    servers = _servers(fabric, leaf)
    wanted: int | Fraction = min(servers * ratio.up, regular * ratio.down)
    if fabric.exceptions.floor is not None:
        every = fabric.shape.spines * fabric.shape.links * speed
        wanted = min(wanted, fabric.exceptions.floor * every * ratio.down)
    if flow * ratio.down >= wanted:
        return None
    return Problem(
        code="links-missing",
        what=f"{name_of(fabric, leaf)} reaches {_far(fabric, other)} at {flow} Gb/s",
        where=("overrides",),
        why=f"its servers send {servers} Gb/s, and at {ratio.down}:{ratio.up} that needs "
        f"{-(-wanted // ratio.down)} Gb/s; links declared absent or dead took the rest",
        fix="repair the link and remove its override, or declare servers of this leaf absent until it is",
    )


def _far(fabric: FabricPlan, other: Place | None) -> str:
    return name_of(fabric, other) if other else "the other leaves"


def _short_spine(fabric: FabricPlan, missing: Lost, spine: Place) -> Iterator[Problem]:
    """A spine that misses links to its core group still carries what the leaves of its pod may send through it."""
    ratio = fabric.shape.spine_ratio
    live = [link for link in uplinks(fabric, spine) if link.upper not in missing.drained]
    regular = sum(link.lower_port.speed_gbps for link in live)
    kept = [link for link in live if link not in missing.links and link.upper not in missing.away]
    left = sum(link.lower_port.speed_gbps for link in kept)
    sent = Counter(link.lower for link in downlinks(fabric, spine) if link not in missing.links)
    asked = sum(_share(fabric, leaf, links) for leaf, links in sent.items() if leaf.tier is Tier.LEAF)
    wanted = min(Fraction(asked * ratio.up, ratio.down), Fraction(regular))
    if fabric.exceptions.floor is not None:
        wanted = min(wanted, fabric.exceptions.floor * sum(p.speed_gbps for p in chassis_of(fabric, spine).up))
    if left < wanted:
        yield Problem(
            code="links-missing",
            what=f"{name_of(fabric, spine)} reaches its superspines at {left} Gb/s",
            where=("overrides",),
            why=f"servers of its pod send {float(asked):g} Gb/s through it, and at {ratio.down}:{ratio.up} that needs "
            f"{-(-wanted // 1)} Gb/s; links declared absent or dead took the rest",
            fix="repair the link and remove its override, or declare servers of this pod absent until it is",
        )


def _share(fabric: FabricPlan, leaf: Place, links: int) -> Fraction:
    """Gb/s that the servers of a leaf send through one spine: spread over all uplinks, and no more than these carry."""
    shape = fabric.shape
    servers = sum(host.port.speed_gbps for host in host_ports(fabric, leaf) if host.present)
    carried = links * chassis_of(fabric, leaf).up[0].speed_gbps
    return min(Fraction(servers, shape.spines), Fraction(carried))
