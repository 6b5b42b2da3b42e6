"""A whole fabric: its design, its pools with their regions, and its segments in the lock."""

import re
from collections.abc import Iterator

from fabricgen.base.addresses import ipv4
from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.formula import address, block_text, segment_text
from fabricgen.explain.known import KnownSite, intent_origin, segment_origin
from fabricgen.explain.parse import Question
from fabricgen.plan.fabric import FabricPlan, name_of, places
from fabricgen.plan.plan import pools_of
from fabricgen.plan.segments import ASN_AXES, Pool, Segment

PLANE = re.compile(r"plane:([a-z][a-z0-9-]*)/([0-9]{1,6})")


def fabric_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """A fabric by its name."""
    fabric = known.plan.fabrics.get(asked.text)
    if fabric is not None and asked.kind in ("", "fabric"):
        kind = fabric.fabric.kind
        yield Answer("fabric", f"{fabric.name}: fabric, {kind}, {fabric.shape.design}", tuple(_facts(known, fabric)))


def plane_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """A plane of a fabric as `what-if` names it: plane:backend/0."""
    match = PLANE.fullmatch(asked.text)
    fabric = known.plan.fabrics.get(match[1]) if match is not None else None
    if match is not None and fabric is not None and asked.kind == "" and int(match[2]) < fabric.shape.planes:
        plane = int(match[2])
        title = f"plane:{fabric.name}/{plane}: one of {fabric.shape.planes} planes of {fabric.name}"
        yield Answer("plane", title, tuple(_plane_facts(fabric, plane)))


def _plane_facts(fabric: FabricPlan, plane: int) -> Iterator[AnswerLine]:
    """The rails of a plane, its existing switches, tier by tier."""
    for group in fabric.shape.groups:
        nics = [nic for nic in range(len(group.columns)) if plane in group.planes_of(nic)]
        rails = dict.fromkeys(group.nics.ports[nic].rail for nic in nics)
        yield AnswerLine(f"rails of {group.name}", ", ".join(map(str, rails)))
    seats = [place for place in places(fabric) if place.plane == plane]
    for tier in dict.fromkeys(place.tier for place in seats):
        names = [name_of(fabric, place) for place in seats if place.tier is tier]
        yield AnswerLine(tier.value, names[0] if len(names) == 1 else f"{len(names)}: {names[0]} to {names[-1]}")


def pool_facts(known: KnownSite, fabric: FabricPlan) -> Iterator[AnswerLine]:
    """Prefixes and AS numbers of a fabric, with their regions."""
    pools, path = pools_of(fabric.fabric), ("fabrics", fabric.name)
    for family, pool in (("ipv4", pools.ipv4), ("ipv6", pools.ipv6)):
        if pool is not None:
            yield from region_facts(known, fabric, family, pool)
    if pools.router_ids is not None:
        start, length = address(pools.router_ids.start, 32), 33 - pools.router_ids.size.bit_length()
        yield AnswerLine(
            "router ids", f"{start}/{length}", "", intent_origin(known, (*path, "addressing", "router_ids"))
        )
    origin = intent_origin(known, (*path, "asns"))
    yield AnswerLine("AS numbers", f"{pools.asns.first}-{pools.asns.last}", "", origin)


def region_facts(known: KnownSite, fabric: FabricPlan, family: str, pool: Pool) -> Iterator[AnswerLine]:
    """A prefix of a fabric and its two regions."""
    path = ("fabrics", fabric.name, "addressing", family)
    origin = intent_origin(known, path)
    start, boundary = address(pool.start, pool.bits), address(pool.boundary, pool.bits)
    yield AnswerLine("prefix", f"{start}/{pool.bits - pool.size.bit_length() + 1}", "", origin)
    yield AnswerLine("blocks", f"from {start}, up to the loopbacks")
    power = pool.size.bit_length() - 1
    formula = f"start + size / 4 × 3 = {start} + 2^{power} / 4 × 3"
    yield AnswerLine("loopbacks", f"from {boundary}", formula)


def _facts(known: KnownSite, fabric: FabricPlan) -> Iterator[AnswerLine]:
    shape = fabric.shape
    origin = intent_origin(known, ("fabrics", fabric.name, "topology"))
    yield AnswerLine("names", f"{fabric.prefix}-<tier>-<number>")
    yield AnswerLine("dimensions", _dimensions(fabric), "", origin)
    if shape.spine is not None and shape.spines:
        down = len(shape.spine.down)
        ports = down // shape.links
        formula = (
            f"port (u div {shape.spines}) × {ports} + row of the leaf; {ports} = {down} ports of a spine / "
            f"{shape.links} links per pair"
        )
        yield AnswerLine("uplinks", f"uplink u goes to spine u mod {shape.spines}", formula)
    yield from pool_facts(known, fabric)
    for segment in known.plan.lock.segments:
        if segment.fabric == fabric.name:
            text = segment_text(segment).removeprefix(f"segment {fabric.name} ")
            yield AnswerLine("segment", f"{text}; {_runs(segment)}", "", segment_origin(known, segment))


def _dimensions(fabric: FabricPlan) -> str:
    shape = fabric.shape
    pods = f"{shape.planes} planes, {shape.pods} pods, " if shape.planes > 1 or shape.pods > 1 else ""
    borders = f", {shape.borders} border leaves" if shape.borders else ""
    return f"{pods}{shape.spines} spines of {shape.spines_planned} planned, {shape.links} links per pair{borders}"


def _runs(segment: Segment) -> str:
    """First and last of the AS numbers, blocks and management addresses of a segment."""
    size = segment.box.size()
    last = segment.asn + segment.box.size(ASN_AXES[segment.tier]) - 1
    parts = [f"ASN {segment.asn}-{last}" if last > segment.asn else f"ASN {last}"]
    if segment.ipv4 is not None:
        parts.append(f"{block_text(segment.ipv4, 0)} to {block_text(segment.ipv4, size - 1)}")
    if segment.router_ids is not None:
        parts.append(f"router ids {ipv4(segment.router_ids.start)}-{ipv4(segment.router_ids.block(size - 1))}")
    parts.append(f"oob {ipv4(segment.oob)}-{ipv4(segment.oob + size - 1)}")
    return ", ".join(parts)
