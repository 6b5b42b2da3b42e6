"""A comparison whose switches others look at: processes of this machine, or a cluster."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fabricgen.diff.compare_slice import Found, Slice, look_at, slices
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError, Problem
from fabricgen.workers.request import ParallelOptions

Spread = Callable[[Slice], Iterator[Found]]


@contextmanager
def spread(asked: ParallelOptions, old: SiteState, new: SiteState) -> Iterator[Spread | None]:
    """What looks at all switches of both sides; None: the one that compares. Raises FabricError for no cluster."""
    switches = 0  # a comparison never asks for processes by itself: most of its switches are equal, and cost nothing
    if old.plan is None or asked.is_alone(switches):
        yield None
        return
    if asked.cluster is not None:
        _refuse_files(old, new)
    from fabricgen.workers.pool import workers  # noqa: PLC0415
    from fabricgen.workers.tree import size_of  # noqa: PLC0415 - as the one below: one process needs none of it

    with workers(asked, switches) as found:
        if found is None:
            raise ValueError("one process alone has no use for slices")
        yield lambda whole: found.each(look_at, slices(whole, size_of(len(whole.pairs), found.jobs)))


def _refuse_files(old: SiteState, new: SiteState) -> None:
    """Raise FabricError where a side has files that lie here alone."""
    for side in (old, new):
        what = "rendered files" if side.stored is not None else "templates of yours" if side.templates else ""
        if what:
            raise FabricError([
                Problem(
                    code="cluster-files",
                    what=f"{side.name} has {what}, and they lie on this machine alone",
                    why="the workers of a cluster compare what is planned, and share no folder with it",
                    fix="leave out --cluster, and write --jobs where it takes long",
                )
            ])  # fmt: skip
