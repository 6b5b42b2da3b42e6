"""Make the steps of a known change: every state is opened as for rendering, checked, and compared with the floor."""

import shlex
from collections.abc import Iterator, Mapping
from fractions import Fraction

from fabricgen.checks.capacity.outside import ways_out_in_service
from fabricgen.checks.catalogue import run_checks
from fabricgen.checks.engine.waivers import verdict
from fabricgen.diff.difference import Options, compare
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, places
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import unit_slots
from fabricgen.platforms import PLATFORMS
from fabricgen.site.workspace import Workspace, WorkspaceError, open_workspace
from fabricgen.steps.capacity import fewer, server_leaves, shares, totals, worst
from fabricgen.steps.known import known
from fabricgen.steps.model import Base, Draft, Intents, KnownSequence, Rail, Sequence, SequencePaths, SequenceStep
from fabricgen.steps.selectors import written_at
from fabricgen.steps.text import overlay_text


def make_sequence(intents: Intents, floor: Fraction | None, paths: SequencePaths) -> Sequence:
    """All steps from one intent to the other; their overlays are in `paths.staged` afterwards, still without a heading.

    floor  that every rail of every fabric must keep; None for the default of each fabric

    Raises FabricError, or WorkspaceError with the documents of the step, where the change has no known sequence, or a
    state violates a rule or the floor.
    """
    floors = _floors(intents, floor)
    change = known(intents, floors)
    leaves = server_leaves(intents.before.plan) & server_leaves(intents.after.plan)
    states = tuple(_opened(draft, number, paths, intents) for number, draft in enumerate(change.drafts, 1))
    whole = fewer(*(totals(side.plan, leaves) for side in intents))
    start, *kept = (shares(side.plan, leaves, whole) for side in (intents.before, *states))
    _check_floor(change, intents, states, [_counting(state_shares, start) for state_shares in kept], floors)
    known_ways = frozenset(problem.what for side in intents for problem in ways_out_in_service(side.plan))
    for number, (draft, state) in enumerate(zip(change.drafts, states, strict=True), 1):
        problems = (*run_checks(state.plan), *_closed_between(known_ways, state.plan))
        if problems:
            raise _in_step(WorkspaceError(problems, state.documents), number, draft)
    return Sequence(
        known=change,
        before=str(paths.before),
        after=str(paths.after),
        floors=floors,
        start=start,
        steps=tuple(_steps(change, (intents.before, *states), kept, paths)),
    )


def _closed_between(known_ways: frozenset[str], plan: Plan) -> tuple[Problem, ...]:
    """Tenants that lose their last border leaf in service on the way, though both intents keep one; waived ones not.

    A drain of border leaves costs no uplink of a server's leaf, so no share shows it. known_ways: what either intent
    closes by itself.
    """
    closed = verdict(plan, ways_out_in_service(plan)).problems
    return tuple(problem for problem in closed if problem.what not in known_ways)


def file_of(number: int, draft: Draft) -> str:
    """Name of a step's overlay; empty if the state is the intent itself."""
    return f"{number}-{draft.word}.yaml" if draft.has_overlay else ""


def _floors(intents: Intents, floor: Fraction | None) -> dict[str, Fraction]:
    """Share that each fabric must keep: the requested one, else all but one of its spines."""
    floors: dict[str, Fraction] = {}
    for name, fabric in intents.after.plan.fabrics.items():
        old = intents.before.plan.fabrics.get(name, fabric)
        spines = min(old.shape.spines, fabric.shape.spines)
        floors[name] = floor if floor is not None else Fraction(max(spines - 1, 0), max(spines, 1))
    return floors


def _opened(draft: Draft, number: int, paths: SequencePaths, intents: Intents) -> Workspace:
    """A state, opened as the render command opens it."""
    is_before = draft.base is Base.BEFORE
    if not draft.has_overlay:
        return intents.before if is_before else intents.after
    overlay = paths.staged / file_of(number, draft)
    overlay.write_text(overlay_text(draft), encoding="utf-8")
    try:
        return open_workspace(paths.staged_before if is_before else paths.after, overlay=overlay)
    except WorkspaceError as error:
        raise _in_step(error, number, draft) from None


def _in_step(error: WorkspaceError, number: int, draft: Draft) -> WorkspaceError:
    """The same problems, each with the number of its step."""
    problems = (problem._replace(what=f"step {number} ({draft.word}): {problem.what}") for problem in error.problems)
    return WorkspaceError(problems, error.documents)


def _counting(state_shares: Mapping[Rail, Fraction], start: Mapping[Rail, Fraction]) -> dict[Rail, Fraction]:
    """Rails of a state that must keep the floor. One without capacity at the start and now has lost it earlier."""
    return {rail: share for rail, share in state_shares.items() if share or start.get(rail, Fraction(1))}


def _check_floor(
    change: KnownSequence,
    intents: Intents,
    states: tuple[Workspace, ...],
    kept: list[dict[Rail, Fraction]],
    floors: Mapping[str, Fraction],
) -> None:
    """Raise FabricError with the first state that leaves a rail less than the floor."""
    for number, (state, state_shares) in enumerate(zip(states, kept, strict=True), 1):
        dark = [
            rail for rail, share in sorted(state_shares.items()) if not share and _is_without_leaf(state.plan, rail)
        ]
        if dark:
            raise FabricError([_dark(change, number, state.plan, dark[0], intents)])
    for number, state_shares in enumerate(kept, 1):
        short = {rail: share for rail, share in state_shares.items() if share < floors[rail.fabric]}
        rail = worst(short)
        if rail is not None:
            best = min(share for step_shares in kept for share in step_shares.values())
            fabric = states[number - 1].plan.fabrics[rail.fabric]
            names = " and ".join(name_of(fabric, place) for place in _leaves(fabric, rail))
            raise FabricError([_short(change, number, (names, short[rail]), (floors[rail.fabric], best))])


def _step_words(change: KnownSequence, number: int) -> str:
    return f"step {number} ({change.drafts[number - 1].word})"


def _short(
    change: KnownSequence, number: int, leaves_share: tuple[str, Fraction], limits: tuple[Fraction, Fraction]
) -> Problem:
    (leaves, share), (floor, best) = leaves_share, limits
    return Problem(
        code="steps-floor",
        what=f"{_step_words(change, number)} leaves {share} of the uplinks of {leaves}",
        where=change.where,
        why=f"the floor is {floor}, and no order of these steps keeps more than {best} on every rail",
        fix=f"write --floor {best}, or {change.way}" if best else change.way,
    )


def _dark(change: KnownSequence, number: int, plan: Plan, rail: Rail, intents: Intents) -> Problem:
    """The problem of servers whose NICs have no leaf left that carries traffic."""
    fabric = plan.fabrics[rail.fabric]
    its_leaves = tuple(_leaves(fabric, rail))
    leaves = [name_of(fabric, leaf) for leaf in its_leaves]
    slots = _slots(fabric, its_leaves[0])
    return Problem(
        code="steps-leaf",
        what=f"{_step_words(change, number)} leaves {rail.words} without an uplink that carries traffic",
        where=written_at(intents.after.intent, leaves[0]) if change.kind == "drain" else change.where,
        why=f"its servers are connected to {' and '.join(leaves)} only",
        fix=f"set them to absent first, in a separate change: {slots}: {{state: absent}}",
    )


def _is_without_leaf(plan: Plan, rail: Rail) -> bool:
    """Whether every leaf of a rail is drained."""
    fabric = plan.fabrics[rail.fabric]
    return all(name_of(fabric, leaf) in fabric.exceptions.devices for leaf in _leaves(fabric, rail))


def _leaves(fabric: FabricPlan, rail: Rail) -> Iterator[Place]:
    for place in places(fabric):
        if (place.group, *place.point[:4]) == tuple(rail[1:]):
            yield place


def _slots(fabric: FabricPlan, leaf: Place) -> str:
    group = group_of(fabric, leaf.group)
    unit = unit_slots(group, leaf)
    spans = ((max(span.first, unit.first), min(span.last, unit.last)) for span in group.slots)
    text = ",".join(f"{low}-{high}" if high > low else str(low) for low, high in spans if low <= high)
    return f"{group.name}[{text}]"


def _steps(
    change: KnownSequence, states: tuple[Workspace, ...], kept: list[dict[Rail, Fraction]], paths: SequencePaths
) -> Iterator[SequenceStep]:
    options = Options(costs=lambda system: PLATFORMS[system].costs)
    for number, draft in enumerate(change.drafts, 1):
        old, new = (SiteState(name=str(state.path), plan=state.plan) for state in states[number - 1 : number + 1])
        difference = compare(old, new, options)
        name = file_of(number, draft)
        arguments = ["fabricgen", "render", str(paths.before if draft.base is Base.BEFORE else paths.after)]
        arguments += ["--overlay", str(paths.folder / name)] if name else []
        arguments += ["-o", str(paths.out)]
        yield SequenceStep(
            number=number,
            draft=draft,
            command=shlex.join(arguments),
            overlay=name,
            shares=kept[number - 1],
            risk=difference.risk,
            touched=max(difference.before, difference.after) - difference.equal,
        )
