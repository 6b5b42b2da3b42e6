"""Segments: a box of places owns runs of equal blocks. Growth appends; existing numbers never change.

Each pool only grows at its end: a new segment's run starts at the first aligned block past the highest one recorded.
Gaps are never filled, so a removed unit keeps its numbers in case it comes back.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.intent.scalars import AsnRange, Span
from fabricgen.plan.place import ALL_AXES, POD_AXES, ROW_AXES, Coordinates, Place, PlaceRange, Point, Tier, remainder

OOB_RESERVED = 16
"""Addresses at the start of the out-of-band prefix that stay free for gateways and services."""


class Blocks(NamedTuple):
    """A run of equal prefixes: the first one. `bits` is 32 or 128."""

    start: int
    length: int
    bits: int

    @property
    def stride(self) -> int:
        """Addresses in one block."""
        return 1 << (self.bits - self.length)

    def block(self, number: int) -> int:
        """First address of block `number`."""
        return self.start + number * self.stride


class UpPorts(NamedTuple):
    """Ports of one switch towards the tier above: the number that its ratio requires, and Gb/s of each."""

    count: int  # type: ignore[assignment]  # tuple.count is never needed here
    gbps: int


class SharedPorts(NamedTuple):
    """A server group on the leaves of another: its servers a unit, and its host ports on each leaf."""

    group: str
    slots: int
    hosts: int


class Segment(NamedTuple):
    """A box of places, and the first of each run that it owns.

    first      number in the name of its first place
    slots      servers per scalable unit, and `hosts` host ports per leaf: the numbers of a leaf are computed from both
    shared     further server groups on its leaves, in the order of their ports; `hosts` counts these too
    row        port row that its first place takes on each switch above; None for a tier without rows
    asn        of its first place (leaves: one per place; spines: one per pod; superspines: one per plane)
    ipv4/ipv6  host and uplink addresses, one block per place; None if the tier owns none
    loopback4/loopback6  pairs: loopback 0 and VTEP; the first IPv4 one is the router id
    oob        management address of its first place
    up         uplinks of its switches when it was recorded; None for a top tier, and in locks from before it was
               written: such a segment is not checked against it, and stays unchanged
    router_ids  router ids of a fabric without IPv4, one per place; None where they are the IPv4 loopbacks
    """

    fabric: str
    tier: Tier
    group: str
    box: PlaceRange
    slots: int
    hosts: int
    first: int
    row: int | None
    asn: int
    ipv4: Blocks | None
    ipv6: Blocks | None
    loopback4: Blocks | None
    loopback6: Blocks | None
    oob: int
    up: UpPorts | None = None
    router_ids: Blocks | None = None
    shared: tuple[SharedPorts, ...] = ()

    @property
    def identifiers(self) -> Blocks:
        """Run that its router ids are taken from."""
        run = self.router_ids or self.loopback4
        if run is None:
            raise ValueError(f"{self.fabric} {self.tier.value} has neither router ids nor IPv4 loopbacks")
        return run

    def without_ipv4(self) -> "Segment":
        """The segment in a fabric without IPv4: its router ids stay what they were."""
        return self._replace(ipv4=None, loopback4=None, router_ids=self.identifiers)

    def places(self) -> Iterator[Place]:
        """Every place of the box, in the order of its numbers."""
        for point in self.box.points():
            yield Place(self.fabric, self.tier, self.group, *point)

    def number(self, point: Point) -> int:
        """Number of a place within the segment, from 0."""
        return self.box.number(point)


ASN_AXES = {Tier.LEAF: ALL_AXES, Tier.BORDER: ALL_AXES, Tier.SPINE: POD_AXES, Tier.SUPERSPINE: (0,)}
"""Axes that select the AS number: one per leaf, one for the spines of a pod, one for a plane's superspines."""


class Pool(NamedTuple):
    """A prefix that runs are appended to: the block region below `boundary`, the loopback region above it."""

    start: int
    size: int
    bits: int

    @property
    def boundary(self) -> int:
        """First address of the loopback region: three quarters of the way up."""
        return self.start + self.size // 4 * 3

    @property
    def end(self) -> int:
        """One past the last address."""
        return self.start + self.size


class NumberDemand(NamedTuple):
    """Numbers that one (fabric, tier, group) needs: the planned box, the block length per place, its uplinks."""

    fabric: str
    tier: Tier
    group: str
    planned: PlaceRange
    slots: int
    hosts: int
    length4: int | None
    length6: int | None
    up: UpPorts | None = None
    shared: tuple[SharedPorts, ...] = ()


class FabricPools(NamedTuple):
    """Pools of the runs of one fabric; None for a family that it lacks. `router_ids`: of a fabric without IPv4."""

    ipv4: Pool | None
    ipv6: Pool | None
    asns: AsnRange
    router_ids: Pool | None = None


class SitePools(NamedTuple):
    """Pools of every fabric by name, and the first free out-of-band address."""

    fabrics: Mapping[str, FabricPools]
    oob: int


def extend(recorded: tuple[Segment, ...], demands: Iterable[NumberDemand], site: SitePools) -> tuple[Segment, ...]:
    """Recorded segments plus one for each piece of a planned box that none covers yet. Pure; checks nothing."""
    segments = list(recorded)
    for demand in demands:
        boxes = tuple(s.box for s in segments if _key(s) == (demand.fabric, demand.tier, demand.group))
        segments.extend(_appended(segments, demand, site, remainder(demand.planned, boxes)))
    return tuple(segments)


def _appended(
    segments: list[Segment], demand: NumberDemand, site: SitePools, pieces: tuple[PlaceRange, ...]
) -> Iterator[Segment]:
    known_segments = list(segments)
    for whole in pieces:
        for piece in _along(known_segments, demand, whole):
            segment = _segment(known_segments, demand, site, piece)
            known_segments.append(segment)
            yield segment


def _along(known_segments: list[Segment], demand: NumberDemand, piece: PlaceRange) -> tuple[PlaceRange, ...]:
    """Cut a piece along segments whose rows or AS numbers it must share, so that each part shares one run or none."""
    parts: tuple[PlaceRange, ...] = (piece,)
    for axes, others in (
        (ROW_AXES, _row_peers(known_segments, demand)),
        (ASN_AXES[demand.tier], _asn_peers(known_segments, demand)),
    ):
        for other in others:
            parts = tuple(cut for part in parts for cut in _against(part, other.box, axes))
    return tuple(sorted(parts))


def _against(part: PlaceRange, other: PlaceRange, axes: tuple[int, ...]) -> Iterator[PlaceRange]:
    shadow = part.shadow(other, axes)
    if not part.overlaps(shadow):
        yield part
        return
    yield from part.without(shadow)
    inside = PlaceRange(*(Span(max(a.first, b.first), min(a.last, b.last)) for a, b in zip(part, shadow, strict=True)))
    yield from other.aligned(inside, axes)


def _row_peers(known_segments: list[Segment], demand: NumberDemand) -> tuple[Segment, ...]:
    """Segments of the same leaves in other pods and planes: they take the same ports of the spines there."""
    key = (demand.fabric, demand.tier, demand.group)
    return tuple(segment for segment in known_segments if _key(segment) == key and segment.row is not None)


def _asn_peers(known_segments: list[Segment], demand: NumberDemand) -> tuple[Segment, ...]:
    """Segments of the same tier in the same pods: more spines of a pod share its AS number."""
    if ASN_AXES[demand.tier] == ALL_AXES:
        return ()
    return tuple(segment for segment in known_segments if _key(segment) == (demand.fabric, demand.tier, demand.group))


def _sharing(peers: Iterable[Segment], piece: PlaceRange, axes: tuple[int, ...]) -> tuple[Segment, int] | None:
    """Return the peer that has these coordinates on the axes, and the number of the piece's first place there."""
    first = Coordinates(*(span.first for span in piece))
    for peer in peers:
        if all(peer.box[axis].first <= first[axis] <= peer.box[axis].last for axis in axes):
            return peer, peer.box.number(first, axes)
    return None


def _key(segment: Segment) -> tuple[str, Tier, str]:
    return (segment.fabric, segment.tier, segment.group)


def _segment(known: list[Segment], demand: NumberDemand, site: SitePools, piece: PlaceRange) -> Segment:
    own = [s for s in known if s.fabric == demand.fabric]
    pools = site.fabrics[demand.fabric]
    return Segment(
        fabric=demand.fabric,
        tier=demand.tier,
        group=demand.group,
        box=piece,
        slots=demand.slots,
        hosts=demand.hosts,
        first=max((s.first + s.box.size() for s in own if s.tier == demand.tier), default=0),
        row=_row(own, demand, piece),
        asn=_asn(own, demand, piece, pools.asns),
        ipv4=_blocks([s.ipv4 for s in own], own, demand.length4, pools.ipv4),
        ipv6=_blocks([s.ipv6 for s in own], own, demand.length6, pools.ipv6),
        loopback4=_loopbacks([s.loopback4 for s in own], own, pools.ipv4),
        loopback6=_loopbacks([s.loopback6 for s in own], own, pools.ipv6),
        oob=_in_site(_oobs(known), _oobs(own), piece.size(), site.oob),
        up=demand.up,
        router_ids=_router_ids(known, own, piece.size(), pools.router_ids),
        shared=demand.shared,
    )


def _oobs(segments: Iterable[Segment]) -> list[tuple[int, int]]:
    return [(segment.oob, segment.oob + segment.box.size()) for segment in segments]


def _router_ids(known: list[Segment], own: list[Segment], size: int, pool: Pool | None) -> Blocks | None:
    """Router ids of a fabric without IPv4. Fabrics may have one range: a router id is unique in the site."""
    if pool is None:
        return None
    return Blocks(_in_site(_ids_in(pool, known), _ids_in(pool, own), size, pool.start), pool.bits, pool.bits)


def _ids_in(pool: Pool, segments: Iterable[Segment]) -> list[tuple[int, int]]:
    """Router ids within a pool: a fabric that had IPv4 keeps those that it had, which may lie elsewhere."""
    runs = [(segment.identifiers, segment.box.size()) for segment in segments]
    return [(run.start, run.block(size)) for run, size in runs if pool.start <= run.start < pool.end]


def _in_site(known: list[tuple[int, int]], own: list[tuple[int, int]], size: int, start: int) -> int:
    """First number: after the fabric's own last one as long as no other fabric is in the way, else after all.

    The pool is the site's. A new fabric leaves a gap for the one before it, so that two branches that extend two
    fabrics use different numbers: it starts at the next multiple of a quarter of the power of two above what is used.

    known, own  runs of numbers of the site and of the fabric: the first, and one more than the last
    """
    own_end = max((end for _, end in own), default=None)
    if own_end is not None and all(end <= own_end or own_end + size <= first for first, end in known):
        return own_end
    used = max((end for _, end in known), default=start) - start
    quarter = max((1 << used.bit_length()) // 4, 1)
    return start + (used // quarter + 1) * quarter if used else start


def _row(own: list[Segment], demand: NumberDemand, piece: PlaceRange) -> int | None:
    if demand.tier in (Tier.SPINE, Tier.SUPERSPINE):
        return None
    shared = _sharing(_row_peers(own, demand), piece, ROW_AXES)
    if shared is not None and shared[0].row is not None:
        return shared[0].row + shared[1]
    return max((s.row + s.box.size(ROW_AXES) for s in own if s.row is not None), default=0)


def _asn(own_segments: list[Segment], demand: NumberDemand, piece: PlaceRange, asns: AsnRange) -> int:
    shared = _sharing(_asn_peers(own_segments, demand), piece, ASN_AXES[demand.tier])
    if shared is not None:
        return shared[0].asn + shared[1]
    return max((segment.asn + segment.box.size(ASN_AXES[segment.tier]) for segment in own_segments), default=asns.first)


def _blocks(runs: list[Blocks | None], own: list[Segment], length: int | None, pool: Pool | None) -> Blocks | None:
    if length is None or pool is None:
        return None
    ends = [run.block(s.box.size()) for run, s in zip(runs, own, strict=True) if run is not None]
    return _aligned(max(ends, default=pool.start), length, pool.bits)


def _loopbacks(runs: list[Blocks | None], own_segments: list[Segment], pool: Pool | None) -> Blocks | None:
    if pool is None:
        return None
    ends = [run.block(segment.box.size()) for run, segment in zip(runs, own_segments, strict=True) if run is not None]
    return _aligned(max(ends, default=pool.boundary), pool.bits - 1, pool.bits)


def _aligned(start: int, length: int, bits: int) -> Blocks:
    stride = 1 << (bits - length)
    # The start is rounded up to a multiple of the stride.
    return Blocks(-(-start // stride) * stride, length, bits)


def renamed(
    segments: tuple[Segment, ...], fabrics: Mapping[str, str], groups: Mapping[str, str]
) -> tuple[Segment, ...]:
    """Segments under the new names; both maps go from the old name to the new."""
    return tuple(
        s._replace(
            fabric=fabrics.get(s.fabric, s.fabric),
            group=groups.get(s.group, s.group),
            shared=tuple(each._replace(group=groups.get(each.group, each.group)) for each in s.shared),
        )
        for s in segments
    )
