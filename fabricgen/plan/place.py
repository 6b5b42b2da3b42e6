"""Places: the position of a switch.

Every number of the plan is a function of the place, never of the order of a list.
"""

from collections.abc import Iterator
from enum import StrEnum
from itertools import product
from typing import NamedTuple

from fabricgen.intent.scalars import Span


class Tier(StrEnum):
    """Role of a switch. The order is the order in the lock and in every listing."""

    BORDER = "border-leaf"
    LEAF = "leaf"
    SPINE = "spine"
    SUPERSPINE = "superspine"


UPPER = (Tier.SPINE, Tier.SUPERSPINE)
"""Tiers that only have switches below them."""

SHORT_NAMES = {Tier.LEAF: "leaf", Tier.BORDER: "border", Tier.SPINE: "spine", Tier.SUPERSPINE: "super"}
NAME_DIGITS = {Tier.LEAF: 3, Tier.BORDER: 2, Tier.SPINE: 2, Tier.SUPERSPINE: 2}
"""Minimum width of a number in a name; a larger number is wider, so no name ever changes."""


Point = tuple[int, int, int, int, int]
"""Plane, pod, su, rail, index; `Coordinates` if they are accessed by name."""


class Place(NamedTuple):
    """One switch. All axes always exist, and are 0 where a design has only one value.

    group  server group of a leaf, empty above it
    plane  slice of the NICs of a set of rails, from 0
    pod    pod of the plane; 0 for a superspine
    su     scalable unit of the pod; for a superspine its core group: the index of the spine that it joins in each pod
    rail   column of leaves in the unit: the rail, or the group of rails that share a leaf
    index  which of equal switches: leaf of a pair, spine of a pod, superspine of a group
    """

    fabric: str
    tier: Tier
    group: str
    plane: int
    pod: int
    su: int
    rail: int
    index: int  # type: ignore[assignment]  # the axis' own name; tuple.index is never needed here

    @property
    def point(self) -> Point:
        """The five axes without fabric, tier and group."""
        return self[3:]


class Coordinates(NamedTuple):
    """A point of a box."""

    plane: int
    pod: int
    su: int
    rail: int
    index: int  # type: ignore[assignment]  # the axis' own name; tuple.index is never needed here


AXES = Coordinates._fields
POD_AXES = (0, 1)
ROW_AXES = (2, 3, 4)
ALL_AXES = (0, 1, 2, 3, 4)


class PlaceRange(NamedTuple):
    """A box of places: one inclusive span per axis. Its places are numbered in mixed radix, the last axis fastest."""

    plane: Span
    pod: Span
    su: Span
    rail: Span
    index: Span  # type: ignore[assignment]  # as above

    def size(self, axes: tuple[int, ...] = ALL_AXES) -> int:
        """Number of points of its projection on these axes."""
        count = 1
        for axis in axes:
            count *= self[axis].size
        return count

    def number(self, point: Point, axes: tuple[int, ...] = ALL_AXES) -> int:
        """Mixed radix of the point over these axes, from 0."""
        if axes is ALL_AXES:
            return self._number(point)
        number = 0
        for axis in axes:
            first, last = self[axis]
            number = number * (last - first + 1) + point[axis] - first
        return number

    def _number(self, point: Point) -> int:
        """Number over all axes, without a loop; see `holds`."""
        plane, pod, su, rail, index = self
        number = (point[0] - plane[0]) * (pod[1] - pod[0] + 1) + point[1] - pod[0]
        number = number * (su[1] - su[0] + 1) + point[2] - su[0]
        number = number * (rail[1] - rail[0] + 1) + point[3] - rail[0]
        return number * (index[1] - index[0] + 1) + point[4] - index[0]

    def point(self, number: int) -> Coordinates:
        """Inverse of `number` over all axes."""
        values = [0, 0, 0, 0, 0]
        for axis in reversed(ALL_AXES):
            number, rest = divmod(number, self[axis].size)
            values[axis] = self[axis].first + rest
        return Coordinates(*values)

    def points(self) -> Iterator[Point]:
        """All points, in the order of their numbers."""
        plane, pod, su, rail, index = (range(first, last + 1) for first, last in self)
        return product(plane, pod, su, rail, index)

    def holds(self, point: Point) -> bool:
        """Whether the point is inside."""
        # Unrolled, because it is called several times per link: a loop takes three times as long.
        plane, pod, su, rail, index = self
        return (
            plane[0] <= point[0] <= plane[1]
            and pod[0] <= point[1] <= pod[1]
            and su[0] <= point[2] <= su[1]
            and rail[0] <= point[3] <= rail[1]
            and index[0] <= point[4] <= index[1]
        )

    def overlaps(self, other: "PlaceRange") -> bool:
        """Whether the two share a point."""
        return all(a.first <= b.last and b.first <= a.last for a, b in zip(self, other, strict=True))

    def without(self, other: "PlaceRange") -> Iterator["PlaceRange"]:
        """Yield disjoint boxes that make up what `other` does not cover, cut along the axes in their order."""
        if not self.overlaps(other):
            yield self
            return
        rest = self
        for axis in ALL_AXES:
            own_span, other_span = rest[axis], other[axis]
            if own_span.first < other_span.first:
                yield rest.cut(axis, Span(own_span.first, other_span.first - 1))
            if own_span.last > other_span.last:
                yield rest.cut(axis, Span(other_span.last + 1, own_span.last))
            rest = rest.cut(axis, Span(max(own_span.first, other_span.first), min(own_span.last, other_span.last)))

    def cut(self, axis: int, span: Span) -> "PlaceRange":
        """Return the same box with one axis narrowed."""
        return PlaceRange(*(span if each == axis else self[each] for each in ALL_AXES))

    def shadow(self, other: "PlaceRange", axes: tuple[int, ...]) -> "PlaceRange":
        """Return this box with the other's spans on some axes: the points that share those coordinates with it."""
        return PlaceRange(*(other[axis] if axis in axes else self[axis] for axis in ALL_AXES))

    def aligned(self, inner: "PlaceRange", axes: tuple[int, ...]) -> Iterator["PlaceRange"]:
        """Yield `inner`, cut so that the numbers of each piece over these axes are consecutive in this box."""
        wide_axes = [axis for axis in axes if inner[axis].size > 1]
        if not wide_axes or all(inner[axis] == self[axis] for axis in axes if axis > wide_axes[0]):
            yield inner
            return
        for value in range(inner[wide_axes[0]].first, inner[wide_axes[0]].last + 1):
            yield from self.aligned(inner.cut(wide_axes[0], Span(value, value)), axes)


def box(plane: int = 1, pod: int = 1, su: int = 1, rail: int = 1, index: int = 1) -> PlaceRange:
    """Box from 0 with this number of points per axis."""
    return PlaceRange(Span(0, plane - 1), Span(0, pod - 1), Span(0, su - 1), Span(0, rail - 1), Span(0, index - 1))


def remainder(planned: PlaceRange, taken: tuple[PlaceRange, ...]) -> tuple[PlaceRange, ...]:
    """The part of the planned box that no recorded box covers, in the order of first points."""
    pieces = [planned]
    for taken_box in taken:
        pieces = [part for piece in pieces for part in piece.without(taken_box)]
    return tuple(sorted(pieces))
