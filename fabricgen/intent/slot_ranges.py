"""Servers and NICs as a tenant lists them, "train[0-3]" and "train[8-9]/0-3", as values for set operations."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from fabricgen.intent.scalars import Span, Spans, parse_spans, spans_text

WHOLE: Spans = ()
"""Value of `rails` for whole servers."""


class Range(NamedTuple):
    """Slots of one group; `rails` limits it to these NICs, WHOLE means whole servers."""

    group: str
    slots: Spans
    rails: Spans = WHOLE

    @property
    def text(self) -> str:
        """The range as an intent writes it."""
        whole = f"{self.group}[{spans_text(self.slots)}]"
        return f"{whole}/{spans_text(self.rails)}" if self.rails else whole


def parse_range(text: str) -> Range:
    """Read "train[0-3]" or "train[8-9]/0-3", already valid by the schema. Raises ValueError for invalid numbers."""
    group, _, rest = text.partition("[")
    slots, _, rails = rest.partition("]")
    return Range(group, parse_spans(slots), parse_spans(rails.removeprefix("/")) if rails else WHOLE)


def common(one: Range, other: Range) -> Range | None:
    """Return the intersection of two ranges; None where it is empty. A whole server contains each of its NICs."""
    if one.group != other.group:
        return None
    slots = both(one.slots, other.slots)
    rails = both(one.rails, other.rails) if one.rails and other.rails else one.rails or other.rails
    if not slots or (one.rails and other.rails and not rails):
        return None
    return Range(one.group, slots, rails)


def without(one: Range, taken: Range) -> tuple[Range, ...]:
    """Return what is left of a range. Single NICs cannot be taken from a whole server: it is returned unchanged."""
    if common(one, taken) is None or (taken.rails and not one.rails):
        return (one,)
    # Other slots keep all rails; the shared slots keep the other rails.
    rest = [Range(one.group, minus(one.slots, taken.slots), one.rails)]
    if taken.rails:
        rest.append(Range(one.group, both(one.slots, taken.slots), minus(one.rails, taken.rails)))
    return tuple(piece for piece in rest if piece.slots and bool(piece.rails) is bool(one.rails))


def both(one: Spans, other: Spans) -> Spans:
    """Return the numbers that are in both."""
    overlaps = ((max(a.first, b.first), min(a.last, b.last)) for a, b in product(one, other))
    return tuple(sorted(Span(first, last) for first, last in overlaps if first <= last))


def minus(one: Spans, other: Spans) -> Spans:
    """Return the numbers of `one` that are not in `other`."""
    return tuple(rest for span in one for rest in _minus(span, other))


def _minus(span: Span, other: Spans) -> Iterator[Span]:
    first = span.first
    for taken in other:
        if taken.last < first or taken.first > span.last:
            continue
        if taken.first > first:
            yield Span(first, taken.first - 1)
        first = taken.last + 1
    if first <= span.last:
        yield Span(first, span.last)
