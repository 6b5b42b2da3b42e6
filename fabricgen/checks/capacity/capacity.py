"""Traffic of a leaf's hosts compared with the fabric's capacity: by formula, or by max-flow if links are missing."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from fabricgen.base.text import listed
from fabricgen.checks.cabling.cabling import is_even
from fabricgen.checks.cabling.wiring_proof import below
from fabricgen.checks.capacity.flows import Flows, LostLinks, Worst
from fabricgen.checks.engine.causes import joined, port_cause, state_cause
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.scalars import Ratio
from fabricgen.plan.exceptions import ABSENT, AWAY, DRAINED, PortKey
from fabricgen.plan.fabric import FabricPlan, chassis_of, name_of, place_of, port_text, state_of
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import Uplink, downlinks, host_ports, uplinks
from fabricgen.resolve.links import link_state
from fabricgen.topologies.shape import Chassis


def oversubscription(plan: Plan) -> Iterator[Problem]:
    """Capacity down of a leaf, and of a spine under superspines, is within the fabric's ratio of its capacity up.

    If all servers send at once, a switch above the ratio drops or pauses traffic. All ports of the switch are counted;
    links that an override removes have a check of their own. A backend is 1:1 by default.
    Source: leaf split D : U of a folded Clos; rail-optimized reference designs are 1:1, frontends 2:1 to 10:1.
    """
    for name, fabric in plan.fabrics.items():
        shape = fabric.shape
        if not shape.spines or shape.spine is None:
            continue
        for group in shape.leaf_groups:
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
            what=f"{what} on {name} takes {down} Gb/s from {below} and has {up} Gb/s of uplinks",
            where=("fabrics", name, "topology"),
            why=f"{down}:{up} is more than {ratio.down}:{ratio.up}",
            fix=f"choose a {what.split()[1]} with more uplinks than {len(chassis.up)}, or a larger oversubscription",
        )


def lost(fabric: FabricPlan) -> LostLinks:
    """Return the exceptions of a fabric that reduce capacity. A dead port without a spare has a problem of its own."""
    exceptions = fabric.exceptions
    states = {place_of(fabric, name): state for name, state in exceptions.devices.items()}
    away = frozenset(
        switch for switch, state in states.items() if switch is not None and switch.tier in UPPER and state in AWAY
    )
    touched = {key.device for key, state in exceptions.ports.items() if state == ABSENT}
    touched |= {key.device for key in exceptions.broken}
    links: set[Uplink] = set()
    for device in sorted(touched):
        place = place_of(fabric, device)
        if place is not None and place not in away:
            links |= {link for link in _links(fabric, place) if _is_missing(fabric, link, away)}
    drained = frozenset(
        switch for switch, state in states.items() if switch is not None and switch.tier in UPPER and state == DRAINED
    )
    return LostLinks(frozenset(links), drained, away)


def _is_missing(fabric: FabricPlan, link: Uplink, away: frozenset[Place]) -> bool:
    """Return whether a link is missing by itself, not because the switch above or below it is."""
    return link.upper not in away and link.lower not in away and link_state(fabric, link) in AWAY


def _links(fabric: FabricPlan, place: Place) -> Iterator[Uplink]:
    """Yield the links of a switch to the tiers above and below."""
    yield from uplinks(fabric, place)
    if place.tier in UPPER:
        yield from downlinks(fabric, place)


class _Lost(NamedTuple):
    """Flows of one fabric with exceptions.

    now      as it is; regular: as planned, but without drained switches; forwarding: with drained switches, too
    servers  cache: Gb/s of the servers of a leaf
    """

    missing: LostLinks
    now: Flows
    regular: Flows
    forwarding: Flows
    servers: dict[Place, int]

    def server_gbps(self, fabric: FabricPlan, leaf: Place) -> int:
        """Return Gb/s of the present servers of a leaf."""
        if leaf not in self.servers:
            self.servers[leaf] = sum(host.port.speed_gbps for host in host_ports(fabric, leaf) if host.present)
        return self.servers[leaf]


def _of(fabric: FabricPlan) -> _Lost:
    missing = lost(fabric)
    regular = missing._replace(links=frozenset(), away=frozenset())
    forwarding = missing._replace(drained=frozenset())
    return _Lost(missing, Flows(fabric, missing), Flows(fabric, regular), Flows(fabric, forwarding), {})


def missing_links(plan: Plan) -> Iterator[Problem]:
    """Where links or switches are absent or dead, the existing servers still reach every other leaf within the ratio.

    Computed by max-flow from the leaf to each other leaf with missing links, and to one without. Drained spines do not
    count as missing, because a drain is temporary and intended; other missing links count. Absent servers need no
    bandwidth. A step file (--overlay) may allow less: its `floor` is the share of uplinks that must stay.
    """
    for fabric in plan.fabrics.values():
        exceptions = fabric.exceptions
        if not (exceptions.ports or exceptions.devices or exceptions.broken) or not is_even(fabric):
            continue
        degraded = _of(fabric)
        touched = sorted(_touched(fabric, degraded))
        worst = Worst(fabric, degraded.missing, touched)
        own = {link.lower for link in degraded.missing.links}
        for leaf in touched:
            pair = leaf, worst.of(leaf)
            problem = _short(fabric, degraded, pair)
            if problem is not None and degraded.forwarding.between(*pair):
                where = _cause(plan, degraded.missing, pair)
                # A missing spine takes as much from each leaf below it: the fullest one stands for all.
                pod = " of its pod" if fabric.shape.cores else ""
                like = (
                    "" if leaf in own else f"; the same holds for each leaf{pod} of {leaf.group} with as many servers"
                )
                gone = listed(sorted(name_of(fabric, place) for place in degraded.missing.away), "")
                why = f"{problem.why} ({gone})" if gone else problem.why
                yield problem._replace(where=where, what=f"{problem.what}{like}", why=why)
        for spine in sorted(_touched_spines(fabric, degraded.missing)):
            for problem in _short_spine(fabric, degraded, spine):
                yield problem._replace(where=_cause(plan, degraded.missing, (spine, None)))


def leaves_joined(plan: Plan) -> Iterator[Problem]:
    """Each leaf with present servers reaches every other leaf. Drained switches count, as they still forward.

    This is not about capacity: without a common spine nothing arrives.
    """
    for name, fabric in plan.fabrics.items():
        exceptions = fabric.exceptions
        if not (exceptions.ports or exceptions.devices or exceptions.broken) or not fabric.shape.spines:
            continue
        degraded = _of(fabric)
        touched = sorted(_touched(fabric, degraded))
        worst = Worst(fabric, degraded.missing._replace(drained=frozenset()), touched)
        for leaf in touched:
            pair = leaf, worst.of(leaf)
            if degraded.server_gbps(fabric, leaf) and not degraded.forwarding.between(*pair):
                yield Problem(
                    code="leaf-cut-off",
                    what=f"{name_of(fabric, leaf)} of {name} has no path to {_far(fabric, pair[1])}",
                    where=_cause(plan, degraded.missing, pair),
                    why="no spine is left to which both have a link; a drained spine still counts, a dead one does not",
                    fix="put a spine or a link back into service, or set the servers of this leaf to absent",
                )


def _cause(plan: Plan, missing: LostLinks, pair: tuple[Place, Place | None]) -> IntentPath:
    """Return the path of the override that takes links from one of a pair; `overrides` if there are several."""
    fabric = plan.fabrics[pair[0].fabric]
    ends = [place for place in pair if place is not None]
    pods = {(place.plane, place.pod) for place in ends}
    causes: set[IntentPath] = set()
    for place in missing.away:
        if place.tier is Tier.SUPERSPINE or (place.plane, place.pod) in pods:
            causes.add(state_cause(plan.intent, name_of(fabric, place)))
    for link in missing.links:
        if link.lower in ends or (link.lower.tier is Tier.SPINE and (link.lower.plane, link.lower.pod) in pods):
            ports = ((link.lower, link.lower_port), (link.upper, link.upper_port))
            keys = [PortKey(name_of(fabric, place), port_text(fabric, place, port)) for place, port in ports]
            causes.add(port_cause(plan.intent, keys))
    return joined(causes)


def _touched(fabric: FabricPlan, degraded: _Lost) -> set[Place]:
    """Return present leaves with missing links; where a spine is missing, the fullest leaf of each group of its pod."""
    leaves = {link.lower for link in degraded.missing.links if link.lower.tier is Tier.LEAF}
    leaves = {leaf for leaf in leaves if state_of(fabric, leaf) not in AWAY}
    # All spines of a pod have the same leaves below them: one is enough.
    away = {place._replace(index=0): place for place in degraded.missing.away if place.tier is Tier.SPINE}
    fullest: dict[tuple[int, int, str], tuple[int, Place]] = {}
    for leaf in (leaf for spine in away.values() for leaf in below(fabric, spine)):
        if leaf.tier is Tier.LEAF and state_of(fabric, leaf) not in AWAY:
            key, servers = (leaf.plane, leaf.pod, leaf.group), degraded.server_gbps(fabric, leaf)
            if key not in fullest or servers > fullest[key][0]:
                fullest[key] = servers, leaf
    return leaves | {leaf for _, leaf in fullest.values()}


def _touched_spines(fabric: FabricPlan, missing: LostLinks) -> set[Place]:
    """Return the present spines with missing links to their core group, or a missing superspine in it."""
    spines = {link.lower for link in missing.links if link.lower.tier is Tier.SPINE}
    cores = [place for place in missing.away if place.tier is Tier.SUPERSPINE]
    spines |= {link.lower for core in cores for link in downlinks(fabric, core)}
    return spines - missing.away


def _short(fabric: FabricPlan, degraded: _Lost, pair: tuple[Place, Place | None]) -> Problem | None:
    leaf, other = pair
    ratio = fabric.shape.ratio
    speed = next(uplinks(fabric, leaf)).lower_port.speed_gbps
    flow = degraded.now.between(leaf, other) * speed
    regular = degraded.regular.between(leaf, None) * speed
    servers = degraded.server_gbps(fabric, leaf)
    # Never more than the leaf has by plan, whatever its servers could send.
    needed: int | Fraction = min(servers * ratio.up, regular * ratio.down)
    if fabric.exceptions.floor is not None:
        all_uplinks = fabric.shape.spines * fabric.shape.links * speed
        needed = min(needed, fabric.exceptions.floor * all_uplinks * ratio.down)
    if flow * ratio.down >= needed:
        return None
    return Problem(
        code="links-missing",
        what=f"{name_of(fabric, leaf)} keeps {flow} Gb/s to {_far(fabric, other)}; its servers need "
        f"{-(-needed // ratio.down)} Gb/s",
        where=("overrides",),
        why=f"its servers can send {servers} Gb/s, and the planned ratio is {ratio.down}:{ratio.up}; overrides set "
        "the other links, ports or switches to absent or dead",
        fix=_fix(fabric, "leaf"),
    )


def _fix(fabric: FabricPlan, part: str) -> str:
    return (
        "return what is missing to service and remove its override, or waive links-missing until it is back (waivers: "
        f"[{{code: links-missing, where: fabrics.{fabric.name}, reason: 'by whom, until when'}}]), or set the "
        f"servers of this {part} to absent until then"
    )


def _far(fabric: FabricPlan, other: Place | None) -> str:
    return name_of(fabric, other) if other else "the other leaves"


def _short_spine(fabric: FabricPlan, degraded: _Lost, spine: Place) -> Iterator[Problem]:
    """A spine with missing links to its core group still carries what the leaves of its pod may send through it."""
    ratio, missing = fabric.shape.spine_ratio, degraded.missing
    live = [link for link in uplinks(fabric, spine) if link.upper not in missing.drained]
    regular = sum(link.lower_port.speed_gbps for link in live)
    remaining = [link for link in live if link not in missing.links and link.upper not in missing.away]
    capacity = sum(link.lower_port.speed_gbps for link in remaining)
    sent = Counter(link.lower for link in downlinks(fabric, spine) if link not in missing.links)
    sent_gbps = sum(_share(fabric, degraded, leaf, links) for leaf, links in sent.items() if leaf.tier is Tier.LEAF)
    needed = min(Fraction(sent_gbps * ratio.up, ratio.down), Fraction(regular))
    if fabric.exceptions.floor is not None:
        needed = min(needed, fabric.exceptions.floor * sum(port.speed_gbps for port in chassis_of(fabric, spine).up))
    if capacity < needed:
        yield Problem(
            code="links-missing",
            what=f"{name_of(fabric, spine)} keeps {capacity} Gb/s to its superspines; its pod needs "
            f"{-(-needed // 1)} Gb/s",
            where=("overrides",),
            why=f"servers of its pod can send {float(sent_gbps):g} Gb/s through it, and the planned ratio is "
            f"{ratio.down}:{ratio.up}; overrides set the missing links, ports or switches to absent or dead",
            fix=_fix(fabric, "pod"),
        )


def _share(fabric: FabricPlan, degraded: _Lost, leaf: Place, links: int) -> Fraction:
    """Return Gb/s that a leaf's servers send through one spine: an equal share, at most what its links carry."""
    shape = fabric.shape
    carried = links * chassis_of(fabric, leaf).up[0].speed_gbps
    return min(Fraction(degraded.server_gbps(fabric, leaf), shape.spines), Fraction(carried))
