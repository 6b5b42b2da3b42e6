"""Check every switch, in runs: the tallies of the runs add up to those of a single process."""

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
    """Input of a process."""

    plan: Plan
    run: FabricSlice


class Looked(NamedTuple):
    """Output of a process: the tallies of `Watch` by fabric, or the problems that prevented them."""

    tallies: Mapping[str, Tally]
    problems: tuple[Problem, ...] = ()


def look(glance: Glance) -> Looked:
    """Check the switches of one run."""
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


def watched_by(parallel: ParallelOptions, plan: Plan, switches: int) -> Watch:
    """Return a watch that has seen every switch of a plan, run by run. switches: how many there are.

    Raises FabricError where a run failed, and where there is no cluster.
    """
    watch = Watch(plan)
    with workers(parallel, switches) as pool:
        glances = (Glance(plan, run) for run in runs_of(plan, size_of(switches, pool.jobs)))
        for result in pool.each(look, glances):
            if result.problems:
                raise FabricError(result.problems)
            watch.join(result.tallies)
    return watch
