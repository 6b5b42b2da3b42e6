"""The checks of a plan whose look at every switch others take: processes of this machine, or a cluster."""

from collections.abc import Callable

from fabricgen.checks.engine.waivers import FeatureUse
from fabricgen.checks.switches.watch import Watch, watched
from fabricgen.plan.fabric import present_places
from fabricgen.plan.plan import Plan
from fabricgen.workers.request import ParallelOptions

Looker = Callable[[Plan, tuple[FeatureUse, ...]], Watch]
"""A watch that has seen every switch of a plan, of which some were resolved already."""


def looker(asked: ParallelOptions) -> Looker:
    """Who looks at the switches of a plan: as many processes as were asked for, or as its size is worth."""

    def looked(plan: Plan, kinds: tuple[FeatureUse, ...]) -> Watch:
        switches = sum(1 for fabric in plan.fabrics.values() for _ in present_places(fabric))
        if asked.is_alone(switches):
            return watched(plan, kinds)
        # What runs are made of takes longer to import than the look at a small site does.
        from fabricgen.workers.observe import watched_by  # noqa: PLC0415

        return watched_by(asked, plan, switches)

    return looked
