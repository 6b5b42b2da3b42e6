"""Servers and NICs as a tenant names them, "train[0-3]" and "train[8-9]/0-3", as values that can be taken apart."""

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from fabricgen.intent.scalars import Span, Spans, parse_spans, spans_text

WHOLE: Spans = ()
"""In place of rails: the server with all that it has."""


class Range(NamedTuple):
    """Slots of one group; `rails`: of these NICs alone, WHOLE for whole servers."""

    group: str
    slots: Spans
    rails: Spans = WHOLE

    @property
    def text(self) -> str:
        """As an intent writes it."""
        whole = f"{self.group}[{spans_text(self.slots)}]"
        return f"{whole}/{spans_text(self.rails)}" if self.rails else whole


def parse_range(text: str) -> Range:
    """Read "train[0-3]" or "train[8-9]/0-3", whose form the schema found right. Raises ValueError for its numbers."""
    group, _, rest = text.partition("[")
    slots, _, rails = rest.partition("]")
    return Range(group, parse_spans(slots), parse_spans(rails.removeprefix("/")) if rails else WHOLE)


def common(one: Range, other: Range) -> Range | None:
    """What two ranges both name; None where they name nothing together. A whole server holds each of its NICs."""
    if one.group != other.group:
        return None
    slots = both(one.slots, other.slots)
    rails = both(one.rails, other.rails) if one.rails and other.rails else one.rails or other.rails
    if not slots or (one.rails and other.rails and not rails):
        return None
    return Range(one.group, slots, rails)


def without(one: Range, taken: Range) -> tuple[Range, ...]:
    """What is left of a range. Of a whole server single NICs cannot be taken: it stays as it is."""
    if common(one, taken) is None or (taken.rails and not one.rails):
        return (one,)
    left = [Range(one.group, minus(one.slots, taken.slots), one.rails)]
    if taken.rails:
        left.append(Range(one.group, both(one.slots, taken.slots), minus(one.rails, taken.rails)))
    return tuple(each for each in left if each.slots and bool(each.rails) is bool(one.rails))


def both(one: Spans, other: Spans) -> Spans:
    """Numbers that stand in both."""
    found = ((max(a.first, b.first), min(a.last, b.last)) for a, b in product(one, other))
    return tuple(sorted(Span(first, last) for first, last in found if first <= last))


def minus(one: Spans, other: Spans) -> Spans:
    """Numbers of `one` that do not stand in `other`."""
    return tuple(left for span in one for left in _minus(span, other))


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
