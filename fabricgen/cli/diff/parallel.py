"""Compare switches in parallel: by processes of this machine, or by a cluster."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fabricgen.diff.compare_slice import Comparison, Slice, compare_slice, slices
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError
from fabricgen.workers.request import ParallelOptions

Spread = Callable[[Slice], Iterator[Comparison]]


@contextmanager
def spread(parallel: ParallelOptions, old: SiteState, new: SiteState) -> Iterator[Spread | None]:
    """Yield a function that compares all switches; None: compare them here.

    Raises FabricError for a missing cluster.
    """
    switches = 0  # never parallel by default: most switches of a comparison are equal, and take no time
    if old.plan is None or parallel.is_alone(switches):
        yield None
        return
    if parallel.cluster is not None:
        _refuse_files(old, new)
    from fabricgen.workers.pool import workers  # noqa: PLC0415
    from fabricgen.workers.tree import size_of  # noqa: PLC0415 - a single process needs neither import

    with workers(parallel, switches) as pool:
        yield lambda all_switches: pool.each(
            compare_slice, slices(all_switches, size_of(len(all_switches.pairs), pool.jobs))
        )


def _refuse_files(old: SiteState, new: SiteState) -> None:
    """Raise FabricError where a side has files that exist on this machine only."""
    for side in (old, new):
        files = "rendered files" if side.stored is not None else "templates of yours" if side.templates else ""
        if files:
            raise FabricError.of(
                code="cluster-files",
                what=f"{side.name} has {files}, which only this machine has",
                why="the workers of a cluster compare plans, and have no access to folders of this machine",
                fix="omit --cluster, and use --jobs if it takes too long",
            )
