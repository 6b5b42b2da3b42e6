"""Boxes of places against sets of points: numbers, cuts and remainders."""

from itertools import pairwise, product

from hypothesis import given
from hypothesis import strategies as st

from fabricgen.intent.scalars import Span
from fabricgen.plan.place import ALL_AXES, ROW_AXES, Coordinates, PlaceRange, box, remainder

Points = set[tuple[int, ...]]


@st.composite
def spans(draw: st.DrawFn) -> Span:
    first = draw(st.integers(0, 3))
    return Span(first, first + draw(st.integers(0, 2)))


BOXES = st.builds(PlaceRange, spans(), spans(), spans(), spans(), spans())


def points(one: PlaceRange) -> Points:
    """Every point, by counting along each axis."""
    return set(product(*(range(span.first, span.last + 1) for span in one)))


@given(BOXES)
def test_numbers_count_the_points_in_their_order(one: PlaceRange) -> None:
    in_order = [one.point(number) for number in range(one.size())]
    assert list(one.points()) == in_order
    assert set(map(tuple, in_order)) == points(one)
    assert in_order == sorted(in_order)
    assert [one.number(point) for point in in_order] == list(range(one.size()))


@given(BOXES, st.sets(st.sampled_from(ALL_AXES), min_size=1))
def test_a_projection_counts_its_own_points(one: PlaceRange, chosen: set[int]) -> None:
    axes = tuple(sorted(chosen))
    by_shadow: dict[tuple[int, ...], set[int]] = {}
    for point in points(one):
        shadow = tuple(point[axis] for axis in axes)
        by_shadow.setdefault(shadow, set()).add(one.number(Coordinates(*point), axes))
    numbers = [number for _, (number,) in sorted((s, tuple(n)) for s, n in by_shadow.items())]
    assert numbers == list(range(one.size(axes)))


@given(BOXES, BOXES)
def test_without_partitions_exactly(one: PlaceRange, other: PlaceRange) -> None:
    parts = list(one.without(other))
    assert sum(part.size() for part in parts) == len(set().union(*map(points, parts)))
    assert set().union(*map(points, parts)) == points(one) - points(other)
    assert one.overlaps(other) == bool(points(one) & points(other))
    assert all(one.holds(Coordinates(*point)) for part in parts for point in points(part))


@given(BOXES, st.lists(BOXES, max_size=4))
def test_the_remainder_is_what_no_box_covers(planned: PlaceRange, taken: list[PlaceRange]) -> None:
    parts = remainder(planned, tuple(taken))
    covered: Points = set().union(*map(points, taken))
    assert set().union(*map(points, parts)) == points(planned) - covered
    assert sum(part.size() for part in parts) == len(points(planned) - covered)
    assert list(parts) == sorted(parts)


@given(BOXES, BOXES)
def test_aligned_pieces_are_runs_of_the_outer_numbers(outer: PlaceRange, wish: PlaceRange) -> None:
    inner = PlaceRange(
        *(Span(min(max(w.first, o.first), o.last), min(w.last, o.last)) for w, o in zip(wish, outer, strict=True))
    )
    if any(span.size < 1 for span in inner):
        return
    pieces = list(outer.aligned(inner, ROW_AXES))
    assert set().union(*map(points, pieces)) == points(inner)
    assert sum(piece.size() for piece in pieces) == inner.size()
    for piece in pieces:
        first = Coordinates(*(span.first for span in piece))
        start = outer.number(first, ROW_AXES)
        for point in points(piece):
            place = Coordinates(*point)
            assert outer.number(place, ROW_AXES) == start + piece.number(place, ROW_AXES)


def test_the_last_axis_is_the_fastest() -> None:
    assert [tuple(box(su=2, index=2).point(n)) for n in range(4)] == [
        (0, 0, 0, 0, 0),
        (0, 0, 0, 0, 1),
        (0, 0, 1, 0, 0),
        (0, 0, 1, 0, 1),
    ]
    assert all(a < b for a, b in pairwise(sorted(remainder(box(pod=2, su=4), (box(su=2),)))))
