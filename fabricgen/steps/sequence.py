"""Make the steps of a known change: every state is opened as for rendering, checked, and compared with the floor."""

import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from fractions import Fraction

from fabricgen.errors import FabricError, Problem
from fabricgen.plan.fabric import FabricPlan, name_of, places
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import groups_on, unit_slots
from fabricgen.steps.capacity import Capacity, with_superspines, worst
from fabricgen.steps.judge import Judge, Move, file_of
from fabricgen.steps.known import known
from fabricgen.steps.model import Base, Intents, KnownSequence, Rail, Sequence, SequencePaths, SequenceStep
from fabricgen.steps.selectors import written_at
from fabricgen.topologies.shape import GroupShape

OnStates = Callable[[int, str], AbstractContextManager[Callable[[], None]]]
"""Shows progress: takes the number of states and a label, and yields a callback, to be called once per state."""


@contextmanager
def silent(_number: int, _label: str) -> Iterator[Callable[[], None]]:
    """Show no progress."""
    yield lambda: None


def make_sequence(
    intents: Intents, floor: Fraction | None, paths: SequencePaths, progress: OnStates = silent
) -> Sequence:
    """All steps from one intent to the other; their overlays are in `paths.staged` afterwards, still without a heading.

    floor  that every rail of every fabric must keep; None for the default of each fabric

    Raises FabricError, or WorkspaceError with the documents of the step, where the change has no known sequence, or a
    state violates a rule or the floor.
    """
    floors = _floors(intents, floor)
    change = known(intents, floors)
    capacity = Capacity(intents.before.plan, intents.after.plan)
    judge = Judge(intents, change.drafts, paths)
    start = capacity.shares(intents.before.plan)
    plans: list[Plan] = []
    kept: list[dict[Rail, Fraction]] = []
    with progress(len(change.drafts), "opening states") as step:
        for number, _ in enumerate(change.drafts, 1):
            plans.append(judge.plan_of(number))
            kept.append(capacity.shares(plans[-1]))
            step()
    _check_floor(change, intents, plans, [_counting(state_shares, start) for state_shares in kept], floors)
    moves: list[Move] = []
    with progress(len(change.drafts), "checking states") as step:
        before = judge.start()
        for number, plan in enumerate(plans, 1):
            judge.check(number, plan)
            moves.append(judge.move(number, before, plan))
            before = plan
            step()
    shares = [with_superspines(plan, state_shares) for plan, state_shares in zip(plans, kept, strict=True)]
    return Sequence(
        known=change,
        before=str(paths.before),
        after=str(paths.after),
        floors=floors,
        start=with_superspines(intents.before.plan, start),
        steps=tuple(_steps(change, moves, shares, paths)),
        has_superspines=any(fabric.shape.core is not None for fabric in intents.after.plan.fabrics.values()),
    )


def _floors(intents: Intents, floor: Fraction | None) -> dict[str, Fraction]:
    """Share that each fabric must keep: the requested one, else all but one of its spines."""
    floors: dict[str, Fraction] = {}
    for name, fabric in intents.after.plan.fabrics.items():
        old = intents.before.plan.fabrics.get(name, fabric)
        spines = min(old.shape.spines, fabric.shape.spines)
        floors[name] = floor if floor is not None else Fraction(max(spines - 1, 0), max(spines, 1))
    return floors


def _counting(state_shares: Mapping[Rail, Fraction], start: Mapping[Rail, Fraction]) -> dict[Rail, Fraction]:
    """Rails of a state that must keep the floor. One without capacity at the start and now has lost it earlier."""
    return {rail: share for rail, share in state_shares.items() if share or start.get(rail, Fraction(1))}


def _check_floor(
    change: KnownSequence,
    intents: Intents,
    plans: list[Plan],
    kept: list[dict[Rail, Fraction]],
    floors: Mapping[str, Fraction],
) -> None:
    """Raise FabricError with the first state that leaves a rail less than the floor."""
    for number, (plan, state_shares) in enumerate(zip(plans, kept, strict=True), 1):
        dark = [rail for rail, share in sorted(state_shares.items()) if not share and _is_without_leaf(plan, rail)]
        if dark:
            raise FabricError([_dark(change, number, plan, dark[0], intents)])
    for number, state_shares in enumerate(kept, 1):
        short = {rail: share for rail, share in state_shares.items() if share < floors[rail.fabric]}
        rail = worst(short)
        if rail is not None:
            best = min(share for step_shares in kept for share in step_shares.values())
            fabric = plans[number - 1].fabrics[rail.fabric]
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
    absent = _absent(fabric, its_leaves[0])
    return Problem(
        code="steps-leaf",
        what=f"{_step_words(change, number)} leaves {rail.words} without an uplink that carries traffic",
        where=written_at(intents.after.intent, leaves[0]) if change.kind == "drain" else change.where,
        why=f"its servers are connected to {' and '.join(leaves)} only",
        fix=f"set them to absent first, in a separate change: {absent}",
    )


def _is_without_leaf(plan: Plan, rail: Rail) -> bool:
    """Whether every leaf of a rail is drained."""
    fabric = plan.fabrics[rail.fabric]
    return all(name_of(fabric, leaf) in fabric.exceptions.devices for leaf in _leaves(fabric, rail))


def _leaves(fabric: FabricPlan, rail: Rail) -> Iterator[Place]:
    for place in places(fabric):
        if (place.group, *place.point[:4]) == tuple(rail[1:]):
            yield place


def _absent(fabric: FabricPlan, leaf: Place) -> str:
    """Return the overrides that declare the servers of a leaf absent."""
    return ", ".join(filter(None, (_slots_of(group, leaf) for group in groups_on(fabric, leaf))))


def _slots_of(group: GroupShape, leaf: Place) -> str:
    unit = unit_slots(group, leaf)
    spans = ((max(span.first, unit.first), min(span.last, unit.last)) for span in group.slots)
    text = ",".join(f"{low}-{high}" if high > low else str(low) for low, high in spans if low <= high)
    return f"{group.name}[{text}]: {{state: absent}}" if text else ""


def _steps(
    change: KnownSequence, moves: list[Move], shares: list[dict[Rail, Fraction]], paths: SequencePaths
) -> Iterator[SequenceStep]:
    for number, (draft, move, state_shares) in enumerate(zip(change.drafts, moves, shares, strict=True), 1):
        name = file_of(number, draft)
        arguments = ["fabricgen", "render", str(paths.before if draft.base is Base.BEFORE else paths.after)]
        arguments += ["--overlay", str(paths.folder / name)] if name else []
        arguments += ["-o", str(paths.out)]
        yield SequenceStep(
            number=number,
            draft=draft,
            command=shlex.join(arguments),
            overlay=name,
            shares=state_shares,
            risk=move.risk,
            touched=move.touched,
        )
