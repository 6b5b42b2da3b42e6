"""A prefix, and how it overlaps a pool, subnet, block, aggregate or link."""

from collections.abc import Iterator
from ipaddress import ip_network

from fabricgen.base.addresses import Network
from fabricgen.explain.address import block_facts, is_prefix, read_address
from fabricgen.explain.answer import Answer, AnswerLine
from fabricgen.explain.device import switch_facts
from fabricgen.explain.fabric import region_facts
from fabricgen.explain.formula import address, segment_text
from fabricgen.explain.inverse import Seat, SegmentBlocks, exists_today, fabric_of, runs_in, seat_name
from fabricgen.explain.known import KnownSite, intent_origin, segment_origin
from fabricgen.explain.parse import Question
from fabricgen.explain.tenant import network_facts, tenants_of
from fabricgen.explain.wire import host_ends, host_facts, nth_host, nth_uplink, uplink_facts
from fabricgen.intent.fabric import Backend
from fabricgen.plan.fabric import FabricPlan, host_space
from fabricgen.plan.leaf_pairs import has_leaf_pairs
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import pools_of
from fabricgen.plan.wires import uplink_ends

MANY = 6
"""Limit on the segments of one prefix that are listed."""


def prefix_answers(known: KnownSite, asked: Question) -> Iterator[Answer]:
    """A prefix, written with its length."""
    interface = read_address(asked.text) if asked.kind in ("", "prefix") else None
    if interface is None or (asked.kind == "" and not is_prefix(interface)):
        return
    network = interface.network
    yield from _pools(known, network)
    yield from _blocks(known, network, loopbacks=False)
    yield from _blocks(known, network, loopbacks=True)
    yield from _tenants(known, network)
    yield from _management(known, network)


def _bounds(network: Network) -> tuple[int, int]:
    return int(network.network_address), int(network.broadcast_address)


def _relation(outer: Network, network: Network) -> str:
    """How a prefix relates to one of the site's (`outer`); empty if they do not overlap."""
    if outer.version != network.version or not outer.overlaps(network):
        return ""
    if outer == network:
        return "is"
    return "holds" if outer.prefixlen > network.prefixlen else "lies in"


def _pools(known: KnownSite, network: Network) -> Iterator[Answer]:
    for fabric in known.plan.fabrics.values():
        pools = pools_of(fabric.fabric)
        family, pool = ("ipv4", pools.ipv4) if network.version == 4 else ("ipv6", pools.ipv6)
        written = getattr(fabric.fabric.addressing, family)
        if pool is None or written is None:
            continue
        relation = _relation(written, network)
        is_free = not any(_any_run(known, network, loopbacks=loopbacks) for loopbacks in (False, True))
        if relation in ("is", "holds") or (relation and is_free):
            description = {"is": "the pool", "holds": "contains the pool", "lies in": "free in the pool"}[relation]
            facts = tuple(region_facts(known, fabric, family, pool))
            yield Answer("prefix", f"{network}: {description} of {fabric.name}", facts)


def _any_run(known: KnownSite, network: Network, *, loopbacks: bool) -> bool:
    first, last = _bounds(network)
    return any(True for _ in runs_in(known.plan, first, last, network.max_prefixlen, loopbacks=loopbacks))


def _blocks(known: KnownSite, network: Network, *, loopbacks: bool) -> Iterator[Answer]:
    first, last = _bounds(network)
    runs = tuple(runs_in(known.plan, first, last, network.max_prefixlen, loopbacks=loopbacks))
    if len(runs) == 1 and runs[0].numbers.size == 1:
        seat = Seat(runs[0].segment, runs[0].numbers.first)
        yield _pair(known, network, runs[0], seat) if loopbacks else _block(known, network, runs[0], seat)
    elif runs:
        count = sum(run.numbers.size for run in runs)
        noun = "pairs of loopbacks" if loopbacks else "blocks"
        facts = [_run_fact(known, run) for run in runs[:MANY]]
        facts += [AnswerLine("segments", f"{len(runs) - MANY} more")] if len(runs) > MANY else []
        yield Answer("prefix", f"{network}: {count} {noun}", tuple(facts))


def _run_fact(known: KnownSite, run: SegmentBlocks) -> AnswerLine:
    segment, blocks, numbers = run
    names = [seat_name(known.plan, Seat(segment, index)) for index in numbers]
    starts = [address(blocks.block(index), blocks.bits) for index in numbers]
    value = f"{names[0]} to {names[1]}: /{blocks.length} from {starts[0]} to {starts[1]}"
    if numbers.size == 1:
        value = f"{names[0]}: {starts[0]}/{blocks.length}"
    return AnswerLine("segment", f"n {numbers.first}-{numbers.last}: {value}", "", segment_origin(known, segment))


def _pair(known: KnownSite, network: Network, run: SegmentBlocks, seat: Seat) -> Answer:
    name, start = seat_name(known.plan, seat), address(run.blocks.block(seat.number), run.blocks.bits)
    whole = ip_network(f"{start}/{run.blocks.length}")
    description = (
        "the pair of loopbacks" if whole == network else f"{_relation(whole, network)} the pair of loopbacks {whole}"
    )
    formula = f"first + n × 2 = {address(run.blocks.start, run.blocks.bits)} + {seat.number} × 2"
    facts = (
        AnswerLine("loopbacks", str(whole), formula, segment_origin(known, run.segment)),
        *switch_facts(known, seat),
    )
    return Answer("prefix", f"{network}: {description} of {name}", facts)


def _block(known: KnownSite, network: Network, run: SegmentBlocks, seat: Seat) -> Answer:
    """A prefix that overlaps one block: the block itself, its aggregate, one link of it, or some of them."""
    start, bits = run.blocks.block(seat.number), run.blocks.bits
    whole = ip_network(f"{address(start, bits)}/{run.blocks.length}")
    name, fabric = seat_name(known.plan, seat), fabric_of(known.plan, seat.segment)
    facts = (*switch_facts(known, seat, "block of"), *block_facts(known, seat, bits))
    relation = _relation(whole, network)
    if relation in ("is", "holds") or fabric is None:
        description = "the block" if relation == "is" else f"{relation} the block {whole}"
        return Answer("prefix", f"{network}: {description} of {name}", facts)
    if _is_aggregate(fabric, seat, network, start):
        return Answer("prefix", f"{network}: the aggregate of {name} over its host links", facts)
    if network.prefixlen == bits - 1:
        link = _link(known, fabric, seat, int(network.network_address) - start, bits)
        if link is not None:
            return Answer("prefix", f"{network}: {link[0]}", (*link[1], *facts))
    state = "" if exists_today(known.plan, seat) else ", which is not installed"
    return Answer("prefix", f"{network}: part of the block {whole} of {name}{state}", facts)


def _is_aggregate(fabric: FabricPlan, seat: Seat, network: Network, start: int) -> bool:
    space = host_space(seat.segment.hosts)
    family = "ipv4" if network.version == 4 else "ipv6"
    is_hosts = isinstance(fabric.fabric, Backend) and fabric.fabric.addressing.hosts == family
    if has_leaf_pairs(fabric):
        return False
    return is_hosts and bool(space) and (int(network.network_address), network.num_addresses) == (start, space)


def _link(
    known: KnownSite, fabric: FabricPlan, seat: Seat, offset: int, bits: int
) -> tuple[str, tuple[AnswerLine, ...]] | None:
    """The link with these two addresses."""
    space, place = host_space(seat.segment.hosts), seat.place
    family, addressing = ("ipv4" if bits == 32 else "ipv6"), fabric.fabric.addressing
    if offset >= space and family in addressing.links:
        uplink = nth_uplink(fabric, place, (offset - space) // 2)
        if uplink is not None:
            lower, upper = uplink_ends(fabric, uplink)
            title = f"the link of {lower.device} {lower.port} to {upper.device} {upper.port}"
            return title, tuple(uplink_facts(known, fabric, uplink))
    elif offset < space and place.tier is Tier.LEAF and family == addressing.hosts and not has_leaf_pairs(fabric):
        host = nth_host(fabric, place, offset // 2)
        if host is not None:
            leaf_end, server_end = host_ends(fabric, place, host)
            title = f"the link of {leaf_end.device} {leaf_end.port} to {server_end.device} {server_end.port}"
            return title, tuple(host_facts(known, fabric, place, host))
    return None


def _tenants(known: KnownSite, network: Network) -> Iterator[Answer]:
    for fabric, tenant in tenants_of(known):
        for tenant_network in tenant.networks:
            for subnet in tenant_network.subnets:
                relation = _relation(subnet, network)
                if relation:
                    descriptions = {
                        "is": "the subnet",
                        "holds": f"contains the subnet {subnet}",
                        "lies in": f"part of the subnet {subnet}",
                    }
                    title = (
                        f"{network}: {descriptions[relation]} of {tenant.name}/{tenant_network.name} on {fabric.name}"
                    )
                    yield Answer("prefix", title, tuple(network_facts(known, fabric, tenant, tenant_network)))
        for prefix in tenant.relay_sources:
            relation = _relation(prefix, network)
            if relation:
                origin = intent_origin(known, ("tenants", tenant.name, "relay_sources"))
                facts = (
                    AnswerLine("prefix", str(prefix), "one address per leaf, the source of its DHCP relays", origin),
                )
                yield Answer("prefix", f"{network}: {relation} the relay sources of {tenant.name}", facts)


def _management(known: KnownSite, network: Network) -> Iterator[Answer]:
    oob = known.plan.intent.management.oob
    relation = _relation(oob, network)
    if relation:
        origin = intent_origin(known, ("management", "oob"))
        facts = [AnswerLine("prefix", str(oob), "", origin)]
        first, last = _bounds(network)
        for segment in known.plan.lock.segments:
            end = segment.oob + segment.box.size() - 1
            if segment.oob <= last and first <= end:
                value = f"{address(segment.oob, 32)}-{address(end, 32)}"
                facts.append(
                    AnswerLine("switches", f"{value}: {segment_text(segment)}", "", segment_origin(known, segment))
                )
        yield Answer("prefix", f"{network}: {relation} the management network", tuple(facts))
