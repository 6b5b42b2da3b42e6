"""Open the states of a sequence as for rendering, check each, and compare each with the one before."""

from typing import NamedTuple

from fabricgen.checks.capacity.outside import ways_out_in_service
from fabricgen.checks.catalogue import examine, examine_values, run_checks
from fabricgen.checks.engine.waivers import verdict
from fabricgen.diff.difference import Options, compare
from fabricgen.diff.side import SiteState
from fabricgen.errors import Problem
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.cost import Risk
from fabricgen.site.workspace import Workspace, WorkspaceError, open_workspace
from fabricgen.steps.model import Base, Draft, Intents, SequencePaths
from fabricgen.steps.states import Signature, States
from fabricgen.steps.text import overlay_text


class Move(NamedTuple):
    """A step between two states: its risk, and the number of switches that change."""

    risk: Risk
    touched: int


class Judge:
    """Judges the states of a sequence one by one. Their plans share what they have in common with their intent."""

    def __init__(self, intents: Intents, drafts: tuple[Draft, ...], paths: SequencePaths) -> None:
        self._intents, self._drafts, self._paths = intents, drafts, paths
        self._states = {Base.BEFORE: States(intents.before.plan), Base.AFTER: States(intents.after.plan)}
        self._passed: dict[Base, list[Signature]] = {base: [] for base in Base}
        self._closed = frozenset(problem.what for side in intents for problem in ways_out_in_service(side.plan))

    def start(self) -> Plan:
        """Return the plan of the state before all steps."""
        return self._states[Base.BEFORE].compact(self._intents.before.plan)

    def plan_of(self, number: int) -> Plan:
        """Write the overlay of a state, and return its plan. Raises WorkspaceError."""
        return self._states[self._drafts[number - 1].base].compact(self._opened(number).plan)

    def check(self, number: int, plan: Plan) -> None:
        """Check a state. All switches are resolved only if kinds of them meet that have not met in another state.

        Raises WorkspaceError with the problems of the state as its overlay is written.
        """
        draft = self._drafts[number - 1]
        signature, passed = self._states[draft.base].signature(plan), self._passed[draft.base]
        is_new = not any(signature <= known for known in passed)
        found = examine(plan) if is_new else examine_values(plan)
        # A waiver may accept a problem of one switch only, and the plan has one override for all.
        is_waived = any(
            waived.problem.where[1:2] and waived.problem.where[1] in draft.releases for waived in found.waived
        )
        if found.problems or is_waived or self._closed_between(plan):
            state = self._opened(number)
            problems = (*run_checks(state.plan), *self._closed_between(state.plan))
            if problems:
                raise _in_step(WorkspaceError(problems, state.documents), number, draft)
        if is_new:
            passed.append(signature)

    def move(self, number: int, before: Plan, after: Plan) -> Move:
        """Compare the plan of a state with that of the state before."""
        bases = {Base.BEFORE if number == 1 else self._drafts[number - 2].base, self._drafts[number - 1].base}
        # Settings of a fabric reach all of its switches.
        is_wide = any(draft.settings for draft in self._drafts[max(number - 2, 0) : number])
        among = self._states[bases.pop()].reached(before, after) if len(bases) == 1 and not is_wide else None
        old, new = SiteState(name="before", plan=before), SiteState(name="after", plan=after)
        difference = compare(old, new, Options(costs=lambda system: PLATFORMS[system].costs, among=among))
        return Move(difference.risk, max(difference.before, difference.after) - difference.equal)

    def _opened(self, number: int) -> Workspace:
        """A state, opened as the render command opens it."""
        draft = self._drafts[number - 1]
        is_before = draft.base is Base.BEFORE
        if not draft.has_overlay:
            return self._intents.before if is_before else self._intents.after
        overlay = self._paths.staged / file_of(number, draft)
        overlay.write_text(overlay_text(draft), encoding="utf-8")
        try:
            return open_workspace(self._paths.staged_before if is_before else self._paths.after, overlay=overlay)
        except WorkspaceError as error:
            raise _in_step(error, number, draft) from None

    def _closed_between(self, plan: Plan) -> tuple[Problem, ...]:
        """Tenants that lose their last border leaf in service, though both intents keep one; waived ones not.

        A drain of border leaves costs no uplink of a server's leaf, so no share shows it.
        """
        closed = verdict(plan, ways_out_in_service(plan)).problems
        return tuple(problem for problem in closed if problem.what not in self._closed)


def file_of(number: int, draft: Draft) -> str:
    """Name of a step's overlay; empty if the state is the intent itself."""
    return f"{number}-{draft.word}.yaml" if draft.has_overlay else ""


def _in_step(error: WorkspaceError, number: int, draft: Draft) -> WorkspaceError:
    """The same problems, each with the number of its step."""
    problems = (problem._replace(what=f"step {number} ({draft.word}): {problem.what}") for problem in error.problems)
    return WorkspaceError(problems, error.documents)
