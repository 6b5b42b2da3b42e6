"""What the journal has of packets over every path, in words. Pure."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.push.model import Event, StepName, StepState


class PathsReport(NamedTuple):
    """Of one round. passed: paths without loss; a sentence each: new losses, those before, why not all were probed."""

    passed: int
    new: tuple[str, ...]
    before: tuple[str, ...]
    not_probed: tuple[str, ...]


def paths_of(events: Iterable[Event], wave: int) -> PathsReport | None:
    """The last round behind a wave; None where no packets were sent."""
    found = [event for event in events if event.step is StepName.PATHS and event.how is not StepState.BEGUN]
    mine = [event.detail for event in found if event.detail.get("wave") == wave]
    return _paths(mine[-1]) if mine else None


def _paths(detail: Mapping[str, object]) -> PathsReport:
    passed = detail.get("passed")
    told = (_sentences(detail.get(name)) for name in ("new", "before", "not_probed"))
    return PathsReport(passed if isinstance(passed, int) else 0, *told)


def _sentences(found: object) -> tuple[str, ...]:
    return tuple(str(one) for one in found) if isinstance(found, list | tuple) else ()


def paths_words(found: PathsReport) -> str:
    """`24 pass without loss; 1 cable or switch loses packets, 2 did before`."""
    if not found.passed and not found.new and not found.before:
        return "none was probed"
    parts = [f"{found.passed:,} pass without loss"]
    parts += [f"{len(found.new):,} new loss{'es' * (len(found.new) != 1)}"] if found.new else []
    parts += [f"{len(found.before):,} lost packets before"] if found.before else []
    parts += ["not every path was probed"] if found.not_probed else []
    return "; ".join(parts)


def paths_rows(found: PathsReport) -> Iterator[str]:
    """A sentence each: what loses packets now, what did before, and why not every path was probed."""
    yield from found.new
    yield from (f"before: {row}" for row in found.before)
    yield from (f"not probed: {row}" for row in found.not_probed)


def paths_told(detail: Mapping[str, object]) -> str:
    """What an event says, in a phrase."""
    found = _paths(detail)
    first = [*found.new, *(f"not probed: {row}" for row in found.not_probed)][:1]
    return "; ".join([paths_words(found), *first])
