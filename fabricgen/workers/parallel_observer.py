"""Check every switch of a plan in parallel: by processes of this machine, or by a cluster."""

from collections.abc import Callable

from fabricgen.checks.engine.waivers import FeatureUse
from fabricgen.checks.switches.watch import Watch, watched
from fabricgen.plan.fabric import present_places
from fabricgen.plan.plan import Plan
from fabricgen.workers.request import ParallelOptions

SwitchObserver = Callable[[Plan, tuple[FeatureUse, ...]], Watch]
"""Function that returns a watch of every switch of a plan. Some switches were resolved already."""


def observer_of(parallel: ParallelOptions) -> SwitchObserver:
    """Return a SwitchObserver with as many processes as requested, or as the size of the plan justifies."""

    def observe(plan: Plan, kinds: tuple[FeatureUse, ...]) -> Watch:
        switches = sum(1 for fabric in plan.fabrics.values() for _ in present_places(fabric))
        if parallel.is_alone(switches):
            return watched(plan, kinds)
        # Importing this takes longer than checking a small site.
        from fabricgen.workers.observe import watched_by  # noqa: PLC0415

        return watched_by(parallel, plan, switches)

    return observe
