"""Parse server selections such as "train[0-3]" into slots of a plan."""

import re
from collections.abc import Iterable, Iterator

from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.intent.scalars import Spans, spans_text
from fabricgen.intent.slot_ranges import Range, both, parse_range
from fabricgen.plan.exceptions import SLOT_SELECTOR, SlotKey
from fabricgen.plan.plan import Plan

BETWEEN = re.compile(r",(?![^\[]*\])")
"""A comma between two server groups, e.g. in train[0,3],store[0], and not one within brackets."""


def selected(plan: Plan, texts: Iterable[str]) -> Iterator[SlotKey]:
    """The named slots, or all, by group and number. Raises FabricError for a server that the plan does not have."""
    slots_by_group = slots_of(plan)
    parsed = [_range(part.strip(), slots_by_group) for text in texts for part in BETWEEN.split(text)]
    problems = [selection for selection in parsed if isinstance(selection, Problem)]
    if problems:
        raise FabricError(problems)
    ranges = [selection for selection in parsed if isinstance(selection, Range)]
    for group, spans in sorted(slots_by_group.items()):
        chosen = [selection.slots for selection in ranges if selection.group == group] if ranges else [spans]
        numbers = {slot for part in chosen for span in part for slot in range(span.first, span.last + 1)}
        yield from (SlotKey(group, slot) for slot in sorted(numbers))


def slots_of(plan: Plan) -> dict[str, Spans]:
    """Slots of every group that a fabric connects."""
    return {group.name: group.slots for fabric in plan.fabrics.values() for group in fabric.shape.groups}


def _range(text: str, slots_by_group: dict[str, Spans]) -> Range | Problem:
    match = SLOT_SELECTOR.fullmatch(text)
    if match is None:
        return _problem(f"invalid --servers {text}", "it needs a server group and slots", "write e.g. train[0-3]")
    try:
        slot_range = parse_range(text)
    except ValueError as error:
        return _problem(f"invalid --servers {text}", str(error), "write e.g. train[0-3]")
    if slot_range.group not in slots_by_group:
        what = f"{slot_range.group} is not a server group that a fabric connects"
        return _problem(what, f"it is in --servers {text}", did_you_mean(slot_range.group, slots_by_group))
    if both(slot_range.slots, slots_by_group[slot_range.group]) != tuple(sorted(slot_range.slots)):
        has = f"{slot_range.group}[{spans_text(slots_by_group[slot_range.group])}]"
        return _problem(f"{text} does not exist", f"the intent has {has}", f"use slots of {has}")
    return slot_range


def _problem(what: str, why: str, fix: str) -> Problem:
    return Problem(code="bad-servers", what=what, why=why, fix=fix)
