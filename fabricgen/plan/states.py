"""States that overrides give to switches, ports, cables and slots: the most specific claim wins."""

from collections.abc import Iterable
from typing import NamedTuple

from fabricgen.errors import Problem
from fabricgen.intent.overrides import LINK
from fabricgen.plan.claims import SelectorClaim
from fabricgen.plan.exceptions import DEAD
from fabricgen.plan.overrides import MAX_PROBLEMS, Key, thing


class StateChoice(NamedTuple):
    """The state of one thing, and whether the state is that of its cable."""

    state: str
    of_cable: bool

    @property
    def is_broken(self) -> bool:
        """Whether a cable is dead: its ports are configured as usual."""
        return self.of_cable and self.state == DEAD


def states(claims: Iterable[SelectorClaim]) -> tuple[dict[Key, StateChoice], list[Problem]]:
    """State of each thing, also `active`, which overrides other files; and problems of contradicting claims."""
    state_claims = [claim for claim in claims if "state" in claim.override.model_fields_set]
    chosen: dict[Key, SelectorClaim] = {}
    clashes: dict[tuple[str, str], Problem] = {}
    for claim in sorted(state_claims, key=lambda claim: (-claim.rank, claim.selector)):
        for key in claim.keys:
            first = chosen.setdefault(key, claim)
            pair = (first.selector, claim.selector)
            is_clash = first.override.state != claim.override.state and first.rank == claim.rank
            if is_clash and pair not in clashes and len(clashes) < MAX_PROBLEMS:
                clashes[pair] = _clash(first, claim, key)
    choices = {key: StateChoice(claim.override.state, claim.scope == LINK) for key, claim in chosen.items()}
    return choices, list(clashes.values())


def _clash(first: SelectorClaim, second: SelectorClaim, key: Key) -> Problem:
    name = thing(key)
    states = (first.override.state, second.override.state)
    return Problem(
        code="override-clash",
        what=f"{name} is {states[0]} by {first.selector} and {states[1]} by {second.selector}",
        where=("overrides", second.selector),
        why="neither selector is more specific than the other",
        fix=f"write {name}: {{state: {states[1]}}}, which wins, or narrow one of the two",
    )
