"""Check every switch, in runs: the tallies of the runs add up to those of a single process."""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.checks.switches.tally import Tally
from fabricgen.checks.switches.watch import Watch
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.plan import Plan
from fabricgen.render.tree import FabricSlice, devices_of, runs_of
from fabricgen.workers.pool import workers
from fabricgen.workers.request import ParallelOptions
from fabricgen.workers.tree import size_of


class ObserveTask(NamedTuple):
    """Input of a process."""

    plan: Plan
    run: FabricSlice


class ObserveResult(NamedTuple):
    """Output of a process: the tallies of `Watch` by fabric, or the problems that prevented them."""

    tallies: Mapping[str, Tally]
    problems: tuple[Problem, ...] = ()


def observe_run(task: ObserveTask) -> ObserveResult:
    """Check the switches of one run."""
    watch = Watch(task.plan)
    try:
        for device in devices_of(task.plan, task.run):
            watch.add_switch(device)
    except FabricError as error:
        return ObserveResult({}, error.problems)
    return ObserveResult(watch.tallies)


def watched_by(parallel: ParallelOptions, plan: Plan, switches: int) -> Watch:
    """Return a watch that has seen every switch of a plan, run by run. switches: how many there are.

    Raises FabricError where a run failed, and where there is no cluster.
    """
    watch = Watch(plan)
    with workers(parallel, switches) as pool:
        tasks = (ObserveTask(plan, run) for run in runs_of(plan, size_of(switches, pool.jobs)))
        for result in pool.each(observe_run, tasks):
            if result.problems:
                raise FabricError(result.problems)
            watch.join(result.tallies)
    return watch
