"""The look at every switch, by runs: what is kept of each run comes back, and adds up to what one would have kept."""

from collections.abc import Iterator, Mapping
from itertools import islice
from typing import NamedTuple

from fabricgen.checks.switches.tally import Tally
from fabricgen.checks.switches.watch import Watch
from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.exceptions import ABSENT
from fabricgen.plan.fabric import places, state_of
from fabricgen.plan.plan import Plan
from fabricgen.render.tree import FabricSlice, runs_of
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.workers.pool import workers
from fabricgen.workers.request import ParallelOptions
from fabricgen.workers.tree import size_of


class Glance(NamedTuple):
    """What a process is given."""

    plan: Plan
    run: FabricSlice


class Looked(NamedTuple):
    """What it gives back: what `Watch` has kept, by fabric, or why there is nothing of it."""

    tallies: Mapping[str, Tally]
    problems: tuple[Problem, ...] = ()


def look(glance: Glance) -> Looked:
    """Look at the switches of one run."""
    watch = Watch(glance.plan)
    try:
        for device in _devices(glance):
            watch.look(device)
    except FabricError as error:
        return Looked({}, error.problems)
    return Looked(watch.tallies)


def _devices(glance: Glance) -> Iterator[Device]:
    site = make_site(glance.plan, glance.run.fabric)
    for place in islice(places(site.fabric), glance.run.first, glance.run.last):
        if state_of(site.fabric, place) != ABSENT:
            yield resolve(site, place)


def watched_by(asked: ParallelOptions, plan: Plan, switches: int) -> Watch:
    """A watch that has seen every switch of a plan, run by run. switches: how many there are.

    Raises FabricError where a run could not be done, and for a cluster that is none.
    """
    watch = Watch(plan)
    with workers(asked, switches) as found:
        if found is None:
            raise ValueError("one process alone has no use for runs")
        works = (Glance(plan, run) for run in runs_of(plan, size_of(switches, found.jobs)))
        for part in found.each(look, works):
            if part.problems:
                raise FabricError(part.problems)
            watch.join(part.tallies)
    return watch
