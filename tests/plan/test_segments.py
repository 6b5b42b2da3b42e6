"""Growth of the lock: appended at the end, aligned, disjoint, gaps never filled; rows and AS numbers shared."""

from collections.abc import Iterable
from itertools import combinations
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.errors import FabricError
from fabricgen.intent.scalars import AsnRange, Span
from fabricgen.plan.place import POD_AXES, ROW_AXES, Coordinates, PlaceRange, Tier, box
from fabricgen.plan.renames import pending_renames, renames_of
from fabricgen.plan.segments import ASN_AXES, Blocks, FabricPools, NumberDemand, Pool, Segment, SitePools, extend

POOLS = FabricPools(
    ipv4=Pool(start=10 << 24, size=1 << 24, bits=32),
    ipv6=Pool(start=0xFD << 120, size=1 << 80, bits=128),
    asns=AsnRange(4200000000, 4294967294),
)
SITE = SitePools(fabrics={"a": POOLS, "b": POOLS}, oob=1000)


def leaves(planned: PlaceRange, group: str = "train", fabric: str = "a", length: int = 24) -> NumberDemand:
    return NumberDemand(
        fabric=fabric, tier=Tier.LEAF, group=group, planned=planned, slots=32, hosts=64, length4=length, length6=120
    )


def spines(planned: PlaceRange, fabric: str = "a") -> NumberDemand:
    return NumberDemand(
        fabric=fabric, tier=Tier.SPINE, group="", planned=planned, slots=0, hosts=0, length4=None, length6=None
    )


def covers(segments: Iterable[Segment], demand: NumberDemand) -> dict[Coordinates, Segment]:
    """Place → its one segment."""
    found: dict[Coordinates, Segment] = {}
    for segment in segments:
        if (segment.fabric, segment.tier, segment.group) == (demand.fabric, demand.tier, demand.group):
            for number in range(segment.box.size()):
                point = segment.box.point(number)
                assert point not in found, "a place lies in two segments"
                found[point] = segment
    return found


def runs(segment: Segment) -> dict[str, tuple[int, int]]:
    size = segment.box.size()
    found = {"oob": (segment.oob, segment.oob + size), f"{segment.tier}": (segment.first, segment.first + size)}
    for name, run in (("4", segment.ipv4), ("6", segment.ipv6), ("l4", segment.loopback4), ("l6", segment.loopback6)):
        if run is not None:
            found[name] = (run.start, run.block(size))
    return found


def assert_sound(segments: tuple[Segment, ...], standing: tuple[Segment, ...]) -> None:
    """The rules of the lock, each in its plainest words."""
    assert segments[: len(standing)] == standing, "what stands never changes"
    for one, two in combinations(segments, 2):
        if one.fabric != two.fabric:
            assert one.oob + one.box.size() <= two.oob or two.oob + two.box.size() <= one.oob
            continue
        for name, (start, end) in runs(one).items():
            if name in runs(two):
                first, last = runs(two)[name]
                assert end <= first or last <= start, name
    for segment in segments:
        for run in (segment.ipv4, segment.ipv6, segment.loopback4, segment.loopback6):
            assert run is None or run.start % run.stride == 0, "aligned"


def assert_appended(segments: tuple[Segment, ...], standing: tuple[Segment, ...]) -> None:
    """Each run of a new segment starts past every run that was there, and as near as its alignment allows."""
    for at in range(len(standing), len(segments)):
        new, before = segments[at], [s for s in segments[:at] if s.fabric == segments[at].fabric]
        for name, (start, _) in runs(new).items():
            if name != "oob" and before:
                end = max((runs(s)[name][1] for s in before if name in runs(s)), default=None)
                assert end is None or end <= start < end + 256, name


def rows(segments: Iterable[Segment], demand: NumberDemand) -> dict[Coordinates, int]:
    found = {}
    for point, segment in covers(segments, demand).items():
        assert segment.row is not None
        found[point] = segment.row + segment.box.number(point, ROW_AXES)
    return found


def asns(segments: Iterable[Segment], demand: NumberDemand) -> dict[Coordinates, int]:
    return {
        point: segment.asn + segment.box.number(point, ASN_AXES[segment.tier])
        for point, segment in covers(segments, demand).items()
    }


SIZES = st.integers(1, 4)
LEAF_BOXES = st.builds(box, SIZES, SIZES, SIZES, SIZES)
SPINE_BOXES = st.builds(lambda plane, pod, index: box(plane, pod, index=index), SIZES, SIZES, SIZES)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["a", "b"]), LEAF_BOXES, LEAF_BOXES, SPINE_BOXES), min_size=1, max_size=5))
def test_growth_appends_and_shares(history: list[tuple[str, PlaceRange, PlaceRange, PlaceRange]]) -> None:
    """Any history of planned sizes, wider and narrower along any axis."""
    segments: tuple[Segment, ...] = ()
    for fabric, train, serve, above in history:
        standing = segments
        demands = [leaves(serve, "serve", fabric, 25), leaves(train, "train", fabric), spines(above, fabric)]
        segments = extend(standing, demands, SITE)
        assert_sound(segments, standing)
        assert_appended(segments, standing)
        for demand in demands:
            assert set(covers(segments, demand)) >= {demand.planned.point(n) for n in range(demand.planned.size())}
        assert_rows(segments, demands[:2])
        assert_asns(segments, demands)
        assert extend(segments, demands, SITE) == segments, "nothing is asked twice"


def assert_rows(segments: tuple[Segment, ...], demands: list[NumberDemand]) -> None:
    """One row for the same (group, unit, rail, index) of every pod and plane; no row twice."""
    taken: dict[int, tuple[object, ...]] = {}
    for demand in demands:
        for point, row in rows(segments, demand).items():
            leaf = (demand.group, *point[2:])
            assert taken.setdefault(row, leaf) == leaf


def assert_asns(segments: tuple[Segment, ...], demands: list[NumberDemand]) -> None:
    """A number for each leaf; one for the spines of a (plane, pod)."""
    owners: dict[int, tuple[object, ...]] = {}
    numbers: dict[tuple[object, ...], int] = {}
    for demand in demands:
        for point, asn in asns(segments, demand).items():
            owner = (demand.tier, demand.group, *(point[:2] if demand.tier is Tier.SPINE else point))
            assert owners.setdefault(asn, owner) == owner
            assert numbers.setdefault(owner, asn) == asn


def test_gaps_are_never_filled() -> None:
    first = extend((), [leaves(box(su=2, rail=4)), spines(box(index=4))], SITE)
    second = extend(first, [leaves(box(su=3, rail=4)), spines(box(index=4))], SITE)
    without_middle = (first[1], second[2])
    third = extend(without_middle, [leaves(box(su=3, rail=4), "other")], SITE)[-1]
    assert third.first == second[2].first + 4
    assert third.oob == second[2].oob + 4


def test_the_first_aligned_block_past_the_highest() -> None:
    """A /29 run that ends at 10.0.0.24 is followed by a /24 at 10.0.1.0."""
    small = NumberDemand(
        fabric="a", tier=Tier.BORDER, group="", planned=box(index=3), slots=0, hosts=0, length4=29, length6=None
    )
    segments = extend((), [small, leaves(box(su=2))], SITE)
    assert segments[0].ipv4 == Blocks(10 << 24, 29, 32)
    assert segments[1].ipv4 == Blocks((10 << 24) + 256, 24, 32)
    assert segments[1].row == 3


def test_units_of_a_new_pod_take_the_rows_of_the_pods_that_stand() -> None:
    """Units grew in two steps, then a pod: its leaves take the same rows, though no recorded box is as large."""
    one = extend((), [leaves(box(su=6, rail=4))], SITE)
    two = extend(one, [leaves(box(su=12, rail=4)), leaves(box(su=1), "serve")], SITE)
    three = extend(two, [leaves(box(pod=2, su=12, rail=4)), leaves(box(su=1), "serve")], SITE)
    found = rows(three, leaves(box()))
    assert all(found[point] == found[point._replace(pod=0)] for point in found)
    assert [s.row for s in three] == [0, 24, 48, 0, 24]


def test_more_spines_share_the_as_numbers_of_their_pods() -> None:
    """Four pods recorded, two planned now, more spines: pods 0-1 keep one number each."""
    one = extend((), [spines(box(pod=4, index=2))], SITE)
    two = extend(one, [spines(box(pod=2, index=4))], SITE)
    assert two[-1].asn == one[0].asn
    assert two[-1].box.size(POD_AXES) == 2


def test_fabrics_grow_in_the_management_pool_without_meeting() -> None:
    first = extend((), [leaves(box(su=6, rail=4)), spines(box(index=16)), leaves(box(su=2), fabric="b")], SITE)
    assert [s.oob for s in first] == [1000, 1024, 1048], "48 is the next quarter of 64 past 40"
    grown = [leaves(box(su=7, rail=4)), spines(box(index=16)), leaves(box(su=2), fabric="b")]
    a = extend(first, grown, SITE)[-1]
    b = extend(first, [leaves(box(su=3), fabric="b")], SITE)[-1]
    assert (a.oob, b.oob) == (1040, 1050)
    far = extend(first, [leaves(box(su=60, rail=4))], SITE)[-1]
    assert far.oob > 1050, "what does not fit goes behind all"


class Named(NamedTuple):
    """A thing that may have been called something else."""

    was: str | None = None


def renames(recorded: list[str], **named: str | None) -> dict[str, str]:
    """Renames still to be made, from name=former name."""
    things = {name: Named(was) for name, was in named.items()}
    return pending_renames(renames_of(("servers",), things), recorded)


def test_renames_are_made_once() -> None:
    assert renames(["old", "x"], new="old") == {"old": "new"}
    assert renames(["old"], new="old", old=None) == {"old": "new"}
    assert renames(["old", "new"], new="old", old=None) == {}, "the name was taken up again by another"
    assert renames(["new"], new="old") == {}
    assert renames(["a", "b"], b="a", c="b") == {"b": "c", "a": "b"}
    assert renames(["b", "c"], b="a", c="b") == {}
    assert renames(["a", "b"], a="b", b="a") == {}, "a swap has no lasting form"
    assert renames(["a"], a="a") == {}


def test_a_name_that_the_lock_has_already() -> None:
    """Renamed long ago, or renamed now to a name that something removed has left: nobody can tell."""
    with pytest.raises(FabricError) as raised:
        renames(["old", "new"], new="old")
    (problem,) = raised.value.problems
    assert problem.code == "was-unclear"
    assert problem.where == ("servers", "new", "was")


def test_two_can_not_have_been_one() -> None:
    with pytest.raises(FabricError) as raised:
        renames(["old"], one="old", two="old")
    assert [problem.code for problem in raised.value.problems] == ["was-twice"]


def test_a_site_starts_where_the_reserve_ends() -> None:
    (only,) = extend((), [spines(box(index=2))], SITE)
    assert (only.oob, only.first, only.asn) == (1000, 0, 4200000000)
    assert only.identifiers.start == (10 << 24) + (3 << 22)
    assert Span(0, 1) == only.box.index
