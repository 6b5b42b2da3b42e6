"""Prefixes compared with the demand for them: each range of addresses inside its pool, no address assigned twice."""

from collections.abc import Iterable, Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, ip_network
from itertools import pairwise
from typing import NamedTuple

from fabricgen.base.addresses import Network, prefix_ipv4, prefix_ipv6
from fabricgen.checks.numbers.prefixes import is_private, prefixes_disjoint
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import Fabric
from fabricgen.intent.rules import free_ipv4, free_ipv6
from fabricgen.intent.server_rules import relayed, services
from fabricgen.plan.plan import Plan, pools_of
from fabricgen.plan.segments import OOB_RESERVED, Blocks, Pool, Segment
from fabricgen.resolve.variants import variants

Address = IPv4Address | IPv6Address
MANAGEMENT = "management port"
ROUTER_ID = "router id"
SERVER = "oob-server"


class AddressRange(NamedTuple):
    """Addresses of one segment: `end` is one more than the last. kind: block, loopback, router id, management port."""

    start: int
    end: int
    kind: str
    segment: Segment

    @property
    def title(self) -> str:
        """Name of the owner, for messages."""
        return f"{self.segment.fabric} {self.segment.tier.value} {self.kind}"


def runs(segments: Iterable[Segment], bits: int) -> Iterator[AddressRange]:
    """Yield the address ranges of these segments in one family (bits: 32 or 128)."""
    for segment in segments:
        size = segment.box.size()
        block = segment.ipv4 if bits == 32 else segment.ipv6
        loopback: Blocks | None = segment.loopback4 if bits == 32 else segment.loopback6
        router_ids = segment.router_ids if bits == 32 else None
        for kind, run in (("block", block), ("loopback", loopback), (ROUTER_ID, router_ids)):
            if run is not None:
                yield AddressRange(run.start, run.block(size), kind, segment)


def management_ranges(segments: Iterable[Segment]) -> Iterator[AddressRange]:
    """Yield the ranges of management addresses of these segments."""
    for segment in segments:
        yield AddressRange(segment.oob, segment.oob + segment.box.size(), MANAGEMENT, segment)


def pool_sizes(plan: Plan) -> Iterator[Problem]:
    """Host and link blocks fit the lower three quarters of a fabric's prefix, loopbacks the upper quarter.

    A fabric that was planned with a smaller prefix keeps its loopbacks where the lock has them. If they are in the
    lower part of the prefix, the part for blocks ends where they begin.
    """
    for name, fabric in plan.intent.fabrics.items():
        pools = pools_of(fabric)
        segments = [segment for segment in plan.lock.segments if segment.fabric == name]
        recorded = recorded_segments(plan, segments)
        for key, pool in (("ipv4", pools.ipv4), ("ipv6", pools.ipv6)):
            if pool is None:
                continue
            prefix = fabric.addressing.ipv4 if key == "ipv4" else fabric.addressing.ipv6
            addresses = (run for run in runs(recorded, pool.bits) if run.kind != ROUTER_ID)
            below = [run for run in addresses if run.start < pool.start or run.start >= pool.end]
            if below:
                former = former_prefix(recorded, pool.bits) or "the former prefix"
                fix = f"write {former}{_renumbered(plan, name, key)}"
                yield _outside(name, key, str(prefix), below, fix)
            else:
                yield from _pool(name, fabric, (key, pool, tuple(runs(segments, pool.bits))), moves=bool(recorded))


def recorded_segments(plan: Plan, segments: Iterable[Segment]) -> tuple[Segment, ...]:
    """Return those segments of the plan that the recorded lock has, under any names of fabric and group."""
    recorded = {segment._replace(fabric="", group="") for segment in plan.recorded.segments}
    return tuple(segment for segment in segments if segment._replace(fabric="", group="") in recorded)


def _pool(
    name: str, fabric: Fabric, pool_ranges: tuple[str, Pool, tuple[AddressRange, ...]], *, moves: bool
) -> Iterator[Problem]:
    key, pool, owned = pool_ranges
    prefix = fabric.addressing.ipv4 if key == "ipv4" else fabric.addressing.ipv6
    first_loopback = min((run.start for run in owned if run.kind == "loopback"), default=pool.boundary)
    limit = min(pool.boundary, first_loopback)
    blocks = max((run.end for run in owned if run.kind == "block"), default=pool.start) - pool.start
    loopbacks = max((run.end for run in owned if run.kind == "loopback"), default=first_loopback) - first_loopback
    regions = (
        ("link blocks", blocks, limit - pool.start, "three quarters"),
        ("loopbacks", loopbacks, pool.end - first_loopback, "a quarter"),
    )
    short = [
        f"{purpose} need {need} addresses and have {room} ({share} of the prefix)"
        for purpose, need, room, share in regions
        if need > room
    ]
    if short and prefix is not None:
        yield Problem(
            code="pool-exhausted",
            what=f"{prefix} is too small for {name}",
            where=("fabrics", name, "addressing", key),
            why="; ".join(short),
            fix=_remedy(name, prefix, larger(prefix, blocks, loopbacks), moves=moves),
        )


def _remedy(name: str, prefix: Network, wider: str, *, moves: bool) -> str:
    if str(prefix) == wider:
        return f"run {renumber_command(name)}: its prefix is large enough, but its loopbacks are in the way"
    again = f", and run {renumber_command(name)} if it starts elsewhere" if moves else ""
    return f"write {wider} or another prefix of /{wider.partition('/')[2]} or larger{again}"


def larger(prefix: Network, blocks: int, loopbacks: int) -> str:
    """Return a prefix with room for so many addresses in its parts, with the same start if it is private."""
    length = prefix.prefixlen
    while length > 1 and (
        (1 << (prefix.max_prefixlen - length)) * 3 // 4 < blocks
        or (1 << (prefix.max_prefixlen - length)) // 4 < loopbacks
    ):
        length -= 1
    wider = prefix.supernet(new_prefix=length)
    return str(wider) if is_private(wider) else f"a private /{length}"


def former_prefix(segments: Iterable[Segment], bits: int) -> str:
    """Return the prefix that recorded ranges were taken from: blocks from its start, loopbacks from its last quarter.

    Empty if no prefix fits: lines were removed, or come from prefixes of two lengths.
    """
    ranges = tuple(runs(segments, bits))
    blocks, loopbacks = ([run.start for run in ranges if run.kind == kind] for kind in ("block", "loopback"))
    if not loopbacks:
        return ""
    lowest = min((*blocks, *loopbacks))
    for length in range(bits - 2, 0, -1):
        size = 1 << (bits - length)
        start = min(loopbacks) - size * 3 // 4
        if start >= 0 and start % size == 0 and start <= lowest and max(run.start for run in ranges) < start + size:
            return prefix_ipv4(start, length) if bits == 32 else prefix_ipv6(start, length)
    return ""


def renumber_command(*names: str) -> str:
    """Return the command that gives fabrics new numbers."""
    return f"fabricgen render INTENT{''.join(f' --renumber {name}' for name in names)} -o out"


def _renumbered(plan: Plan, name: str, key: str) -> str:
    """Return the command that moves the fabric into its new prefix, with a larger one if that is too small.

    Empty where new numbers do not help: the lock has the lines of a renamed fabric under its former name, or the new
    prefix overlaps another.
    """
    former = plan.intent.fabrics[name].was
    if any(segment.fabric == former for segment in plan.recorded.segments) or any(prefixes_disjoint(plan)):
        return ""
    # Imported only if there is something to report: `trial` checks pools, too.
    from fabricgen.checks.remedies.lock import renumber  # noqa: PLC0415
    from fabricgen.checks.remedies.trial import trial_of  # noqa: PLC0415

    fresh = trial_of(plan, name).renumbered().plan()
    if fresh is None:
        return ""
    small = next((each.fix for each in pool_sizes(fresh) if each.where[-1] == key), "")
    return f", or {small} and then run {renumber(name)}" if small else f", or run {renumber(name)}"


def _outside(name: str, key: str, prefix: str, below: list[AddressRange], fix: str) -> Problem:
    run = below[0]
    many = len(below) > 1
    first = prefix_ipv4(run.start, 32) if key == "ipv4" else prefix_ipv6(run.start, 128)
    return Problem(
        code="outside-pool",
        what=f"{len(below)} address range{'s' * many} of {name} in the lock {'are' if many else 'is'} outside {prefix}",
        where=("fabrics", name, "addressing", key),
        why="the lock has given switches addresses of another prefix "
        f"({run.title}s from {first.partition('/')[0]} up), and existing switches keep their addresses",
        fix=fix,
    )


def oob_size(plan: Plan) -> Iterator[Problem]:
    """Every planned switch has an out-of-band address: after the 16 reserved ones, before the broadcast address."""
    oob = plan.intent.management.oob
    start, room = int(oob.network_address) + OOB_RESERVED, max(oob.num_addresses - OOB_RESERVED - 1, 0)
    used = [*management_ranges(plan.lock.segments)]
    lowest = min((segment.oob for segment in recorded_segments(plan, plan.lock.segments)), default=None)
    if lowest is not None and not start <= lowest < int(oob.broadcast_address):
        yield Problem(
            code="oob-moved",
            what=f"management addresses in the lock are outside {oob}",
            where=("management", "oob"),
            why=f"existing switches keep their addresses, from {ip_network(lowest).network_address} up; {oob} has "
            + (f"addresses for switches from {oob.network_address + OOB_RESERVED} up" if room else "none for switches")
            + f" (its first {OOB_RESERVED} are reserved)",
            fix=f"write oob: {_former_oob(plan, used)}, a prefix with all of them{_renumbered_alone(plan)}",
        )
        return
    need = max((run.end for run in used), default=start) - start
    if need > room:
        length = 32 - (need + OOB_RESERVED).bit_length()
        count = sum(run.end - run.start for run in used)
        yield Problem(
            code="oob-exhausted",
            what=f"{oob} is too small for the planned switches",
            where=("management", "oob"),
            why=f"the first {OOB_RESERVED} addresses are reserved; {need} more are needed, "
            + (f"{count} for planned switches and {need - count} left free between fabrics, " if count < need else "")
            + f"and {oob} has {room or 'none'}",
            fix=f"write {oob.supernet(new_prefix=min(length, oob.prefixlen))}",
        )


def _renumbered_alone(plan: Plan) -> str:
    """Return the command that moves all management addresses; empty for several fabrics, which it takes one by one."""
    names = tuple(plan.fabrics)
    return f", or run {renumber_command(names[0])} (any of its addresses may change)" if len(names) == 1 else ""


def _former_oob(plan: Plan, used: list[AddressRange]) -> IPv4Network:
    """Return the prefix of the recorded addresses: as long as the intent's, or the smallest that contains them."""
    first = max(min(run.start for run in used) - OOB_RESERVED, 0)
    last = max(run.end for run in used)
    lengths = (plan.intent.management.oob.prefixlen, *range(30, -1, -1))
    around = [IPv4Network((first, length), strict=False) for length in lengths]
    fit = [network for network in around if last <= int(network.broadcast_address)]
    return next((network for network in fit if int(network.network_address) == first), fit[-1])


def oob_services(plan: Plan) -> Iterator[Problem]:
    """The gateway and the servers of management have no address of a planned switch.

    Management ports and loopbacks are compared. A switch with the address of such a server would look for the service
    at itself. Servers in overrides are included, and those that DHCP is relayed to.
    """
    contacts = tuple(_asked(plan))
    clashes = {
        address: clash
        for address in {contact.address for contact in contacts}
        if (clash := _allocated_range(plan, address)) is not None
    }
    oob = plan.intent.management.oob
    for contact in dict.fromkeys(contacts):
        if contact.address in clashes:
            run = clashes[contact.address]
            kind = "management" if run.kind == MANAGEMENT else run.kind
            yield Problem(
                code=contact.code,
                what=f"{contact.title} {contact.address} is also the {kind} address of a switch",
                where=contact.where,
                why=f"{run.segment.fabric} {run.segment.tier.value} switches have {run.segment.box.size()} addresses "
                f"from {_first(run, contact.address)} up",
                fix=f"write {_free(oob, contacts)} or another of the first {OOB_RESERVED} addresses of {oob}",
            )


def _free(oob: IPv4Network, contacts: Iterable["_Asked"]) -> str:
    """Return the first reserved address that no service has."""
    taken = {contact.address for contact in contacts}
    candidates = [oob.network_address + number for number in range(1, OOB_RESERVED)]
    return str(next((address for address in candidates if address not in taken), candidates[0]))


class _Asked(NamedTuple):
    """The address of a service that switches contact."""

    code: str
    where: IntentPath
    title: str
    address: Address


def _asked(plan: Plan) -> Iterator[_Asked]:
    """Yield the gateway and the servers of the site, of each set of overrides, and of tenants' networks."""
    site = plan.intent.management
    yield _Asked("oob-gateway", ("management", "gateway"), "the gateway", site.gateway)
    for service in services(site):
        yield _Asked(SERVER, ("management", *service.path), service.title, service.address)
    for fabric in plan.fabrics.values():
        for variant in variants(fabric):
            for service in services(variant.settings.management):
                if variant.changes(("management", *service.path[:-1])):
                    where = (*variant.placed(("management", *service.path[:-1])), service.path[-1])
                    yield _Asked(SERVER, where, service.title, service.address)
    for where, service in relayed(plan.intent):
        yield _Asked(SERVER, (*where, *service.path), service.title, service.address)


def _allocated_range(plan: Plan, address: Address) -> AddressRange | None:
    """Return the management ports or loopbacks of the lock that contain an address."""
    lines = plan.lock.segments
    ports = management_ranges(lines) if address.version == 4 else ()
    loopbacks = (run for run in runs(lines, address.max_prefixlen) if run.kind == "loopback")
    return next((run for run in (*ports, *loopbacks) if run.start <= int(address) < run.end), None)


def _first(run: AddressRange, like: Address) -> str:
    """Return the first address of a range, in the family of another address."""
    return str(IPv4Address(run.start) if like.version == 4 else IPv6Address(run.start))


def addresses_unique(plan: Plan) -> Iterator[Problem]:
    """No address belongs to two ranges of the site: blocks, loopbacks and management addresses of all fabrics.

    Proof: a line of the lock has equal blocks, one per place, by the number of the place in its box; mixed radix gives
    each place another number, so no two places of a line share an address. Ranges of different lines are compared as
    intervals, in order of their starts: if neighbors do not overlap, none do. This covers every planned place, so no
    later growth can break it without a new line in the lock. Fabrics whose prefix is too small, or overlaps another,
    are skipped, as other checks report them.
    """
    reported = {str(problem.where[1]) for problem in (*pool_sizes(plan), *prefixes_disjoint(plan))}
    names = set(plan.intent.fabrics) - reported
    names = set() if "oob" in reported else names
    segments = [segment for segment in plan.lock.segments if segment.fabric in names]
    for bits in (32, 128):
        ranges = list(runs(segments, bits))
        if bits == 32:
            ranges += management_ranges(segments)
        ranges.sort(key=lambda run: run[:2])
        for first, second in pairwise(ranges):
            if second.start < first.end:
                address = prefix_ipv4(second.start, 32) if bits == 32 else prefix_ipv6(second.start, 128)
                yield Problem(
                    code="address-twice",
                    what=f"{address.partition('/')[0]} would be assigned twice",
                    where=("fabrics", _newer(plan, first, second), "addressing", "ipv4" if bits == 32 else "ipv6"),
                    why=f"it belongs to {first.title}s and to {second.title}s",
                    fix=_apart(plan, _newer(plan, first, second), second, bits),
                )
                break


def _newer(plan: Plan, first: AddressRange, second: AddressRange) -> str:
    """Return the one of two fabrics that has no number in the lock, so that another prefix moves none; else the second.

    Management addresses come from no prefix of a fabric.
    """
    recorded = {line.fabric for line in plan.recorded.segments}
    names = (second.segment.fabric, first.segment.fabric) if MANAGEMENT not in (first.kind, second.kind) else ()
    return next((name for name in names if name not in recorded), second.segment.fabric)


def _apart(plan: Plan, newer: str, second: AddressRange, bits: int) -> str:
    """Return the fix for two fabrics with one address: another prefix for the newer one; else new numbers for one."""
    lines = plan.recorded.segments
    renumbered = f"run {renumber_command(second.segment.fabric)} with prefixes of its own"
    if second.kind == MANAGEMENT or newer in {line.fabric for line in lines}:
        return renumbered
    former = [former_prefix([line for line in lines if line.fabric == name], bits) for name in plan.intent.fabrics]
    taken = [ip_network(prefix) for prefix in former if prefix]
    text = f"ipv4: {free_ipv4(plan.intent, taken)}" if bits == 32 else f'ipv6: "{free_ipv6(plan.intent, taken)}"'
    again = "" if newer == second.segment.fabric else f"; or {renumbered}"
    return f"write addressing.{text} for {newer}{again}"
