"""What the hosts of a leaf send against what the fabric carries: by formula, and by flow where links are missing."""

from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from fabricgen.checks.cabling import is_even
from fabricgen.errors import Problem
from fabricgen.plan.exceptions import PortKey
from fabricgen.plan.fabric import FabricPlan, name_of, place_of, port_text
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import Uplink, downlinks, host_ports, uplinks


def oversubscription(plan: Plan) -> Iterator[Problem]:
    """Capacity down a leaf, over all of its ports, is within the fabric's ratio of its capacity up; a backend is 1:1.

    Source: leaf split D : U of a folded Clos; rail-optimized reference designs are 1:1, frontends 2:1 to 10:1.
    """
    for name, fabric in plan.fabrics.items():
        ratio = fabric.shape.ratio
        for group in fabric.shape.groups if fabric.shape.spines else ():
            down = sum(port.speed_gbps for port in group.leaf.down)
            up = sum(port.speed_gbps for port in group.leaf.up)
            if down * ratio.up > up * ratio.down:
                yield Problem(
                    code="oversubscribed",
                    what=f"a leaf of {group.name} on {name} takes {down} Gb/s from servers and sends up {up} Gb/s",
                    where=("fabrics", name, "topology"),
                    why=f"{down}:{up} is more than {ratio.down}:{ratio.up}",
                    fix=f"choose a leaf with more uplinks than {len(group.leaf.up)}, or a larger oversubscription",
                )


class Lost(NamedTuple):
    """Links that are declared absent, and the spines that take no traffic."""

    links: frozenset[Uplink]
    drained: frozenset[Place]


def lost(fabric: FabricPlan) -> Lost:
    """Exceptions of a fabric that take capacity away. A dead port without a spare is a problem of its own."""
    exceptions = fabric.exceptions
    absent = [key for key, state in exceptions.ports.items() if state == "absent"]
    found: set[Uplink] = set()
    for device in sorted({key.device for key in absent}):
        place = place_of(fabric, device)
        if place is not None:
            found |= {link for link in _links(fabric, place) if _is_absent(fabric, device, place, link)}
    drained = {place_of(fabric, name) for name, state in exceptions.devices.items() if state == "drained"}
    return Lost(frozenset(found), frozenset(p for p in drained if p is not None and p.tier is Tier.SPINE))


def _links(fabric: FabricPlan, place: Place) -> Iterator[Uplink]:
    return downlinks(fabric, place) if place.tier is Tier.SPINE else uplinks(fabric, place)


def _is_absent(fabric: FabricPlan, device: str, place: Place, link: Uplink) -> bool:
    port = link.upper_port if place.tier is Tier.SPINE else link.lower_port
    return fabric.exceptions.ports.get(PortKey(device, port_text(fabric, place, port))) == "absent"


def flow_links(fabric: FabricPlan, missing: Lost, one: Place, other: Place | None) -> int:
    """Largest flow between two leaves in links: the sum over spines of the smaller of both sides.

    In two tiers the paths leaf-spine-leaf share no link, so this is the max-flow exactly. `other` None is a leaf
    that misses nothing. Drained spines carry nothing.
    """
    gone = Counter((link.lower, link.upper) for link in missing.links)
    spines = [Place(fabric.name, Tier.SPINE, "", one.plane, one.pod, 0, 0, at) for at in range(fabric.shape.spines)]
    live = (s for s in spines if s not in missing.drained)
    return sum(fabric.shape.links - max(gone[one, s], gone[other, s] if other else 0) for s in live)


def missing_links(plan: Plan) -> Iterator[Problem]:
    """Where a link is declared absent, the servers that stand still reach every other leaf within the ratio.

    By max-flow between the leaf and each other leaf that misses links, and a leaf that misses none. What drained
    spines take away is accepted, because draining is the operator's own word and passes; what is missing beside it
    is not. Absent servers ask for nothing. An overlay may pass with less: the share of the uplinks that its floor says.
    """
    for name, fabric in plan.fabrics.items():
        if not fabric.exceptions.ports or not is_even(fabric):
            continue
        missing = lost(fabric)
        touched = sorted({link.lower for link in missing.links if link.lower.tier is Tier.LEAF})
        for leaf in touched:
            others = [None, *(other for other in touched if other != leaf)]
            worst = min(others, key=lambda other: flow_links(fabric, missing, leaf, other))
            problem = _short(name, fabric, missing, (leaf, worst))
            if problem is not None:
                yield problem


def _short(name: str, fabric: FabricPlan, missing: Lost, pair: tuple[Place, Place | None]) -> Problem | None:
    leaf, other = pair
    ratio = fabric.shape.ratio
    speed = next(uplinks(fabric, leaf)).lower_port.speed_gbps
    flow = flow_links(fabric, missing, leaf, other) * speed
    regular = flow_links(fabric, missing._replace(links=frozenset()), leaf, None) * speed
    servers = sum(host.port.speed_gbps for host in host_ports(fabric, leaf) if host.present)
    wanted: int | Fraction = min(servers * ratio.up, regular * ratio.down)
    if fabric.exceptions.floor is not None:
        every = fabric.shape.spines * fabric.shape.links * speed
        wanted = min(wanted, fabric.exceptions.floor * every * ratio.down)
    if flow * ratio.down >= wanted:
        return None
    far = name_of(fabric, other) if other else "the other leaves"
    return Problem(
        code="links-missing",
        what=f"{name_of(fabric, leaf)} reaches {far} at {flow} Gb/s",
        where=("overrides",),
        why=f"its servers send {servers} Gb/s, and at {ratio.down}:{ratio.up} that needs "
        f"{-(-wanted // ratio.down)} Gb/s; links declared absent took the rest",
        fix="repair the link and remove its override, or declare servers of this leaf absent until it is",
    )
