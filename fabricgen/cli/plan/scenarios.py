"""The scenarios of an intent, for `fabricgen plan`: between each two, what moves, what changes, and what it costs."""

from collections.abc import Iterable, Iterator
from itertools import permutations

from fabricgen.cli.common.progress import shown
from fabricgen.cli.diff.run import costs_of
from fabricgen.diff.difference import Options
from fabricgen.diff.scenarios import Transition, transition
from fabricgen.render.tree import count_devices
from fabricgen.site.workspace import Workspace
from fabricgen.summary.layout import entries, entry


def transitions(found: tuple[Workspace, ...]) -> tuple[Transition, ...]:
    """The way from each scenario to each other one, both ways: to take a server away costs other than to give it."""
    pairs = tuple(permutations(found, 2))
    with shown(sum(count_devices(after.plan) for _, after in pairs), "comparing scenarios") as step:
        options = Options(costs=costs_of, progress=step)
        return tuple(
            transition((before.scenario, before.plan), (after.scenario, after.plan), options) for before, after in pairs
        )


def transitions_text(found: Iterable[Transition]) -> Iterator[str]:
    """Lines of the page."""
    for at, each in enumerate(found):
        if at == 0:
            yield ""
            yield "scenarios"
        yield from entry(f"{each.before} -> {each.after}", each.words)
        yield from entries("", (move.words for move in each.moves))
