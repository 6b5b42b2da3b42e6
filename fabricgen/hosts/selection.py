"""Servers as they are typed, "train[0-3]", to slots of a plan."""

from collections.abc import Iterable, Iterator

from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.intent.scalars import Spans, spans_text
from fabricgen.intent.slot_ranges import Range, both, parse_range
from fabricgen.plan.exceptions import SLOT_SELECTOR, SlotKey
from fabricgen.plan.plan import Plan


def selected(plan: Plan, texts: Iterable[str]) -> Iterator[SlotKey]:
    """Slots that are named, or every one, by group and number. Raises FabricError for what is no server of the plan."""
    known = slots_of(plan)
    asked = [_range(text, known) for text in texts]
    problems = [found for found in asked if isinstance(found, Problem)]
    if problems:
        raise FabricError(problems)
    ranges = [found for found in asked if isinstance(found, Range)]
    for group, spans in sorted(known.items()):
        wanted = [found.slots for found in ranges if found.group == group] if ranges else [spans]
        numbers = {slot for each in wanted for span in each for slot in range(span.first, span.last + 1)}
        yield from (SlotKey(group, slot) for slot in sorted(numbers))


def slots_of(plan: Plan) -> dict[str, Spans]:
    """Slots of every group that a fabric connects."""
    return {group.name: group.slots for fabric in plan.fabrics.values() for group in fabric.shape.groups}


def _range(text: str, known: dict[str, Spans]) -> Range | Problem:
    found = SLOT_SELECTOR.fullmatch(text)
    if found is None:
        return _problem(f"--servers {text} is refused", "servers are named by group and slots", "write e.g. train[0-3]")
    try:
        asked = parse_range(text)
    except ValueError as error:
        return _problem(f"--servers {text} is refused", str(error), "write e.g. train[0-3]")
    if asked.group not in known:
        what = f"{asked.group} is no server group that a fabric connects"
        return _problem(what, f"--servers {text} names it", did_you_mean(asked.group, known))
    if both(asked.slots, known[asked.group]) != tuple(sorted(asked.slots)):
        has = f"{asked.group}[{spans_text(known[asked.group])}]"
        return _problem(f"{text} does not exist", f"it has {has}", f"use slots of {has}")
    return asked


def _problem(what: str, why: str, fix: str) -> Problem:
    return Problem(code="bad-servers", what=what, why=why, fix=fix)
