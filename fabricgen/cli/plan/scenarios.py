"""The scenarios of an intent, for `fabricgen plan`: moves, changes and risk of each transition."""

from collections.abc import Iterable, Iterator
from itertools import permutations

from fabricgen.cli.common.progress import shown
from fabricgen.cli.diff.run import costs_of
from fabricgen.diff.difference import Options
from fabricgen.diff.scenarios import Transition, transition
from fabricgen.render.tree import count_devices
from fabricgen.site.workspace import Workspace
from fabricgen.summary.layout import entries, entry


def transitions(workspaces: tuple[Workspace, ...]) -> tuple[Transition, ...]:
    """Transitions in both directions between all scenarios: removing a server has another risk than adding it."""
    pairs = tuple(permutations(workspaces, 2))
    with shown(sum(count_devices(after.plan) for _, after in pairs), "comparing scenarios") as step:
        options = Options(costs=costs_of, progress=step)
        return tuple(
            transition((before.scenario, before.plan), (after.scenario, after.plan), options) for before, after in pairs
        )


def transitions_text(all_transitions: Iterable[Transition]) -> Iterator[str]:
    """Lines of the design summary."""
    for number, transition_row in enumerate(all_transitions):
        if number == 0:
            yield ""
            yield "scenarios"
        yield from entry(f"{transition_row.before} -> {transition_row.after}", transition_row.words)
        yield from entries("", (move.words for move in transition_row.moves))
