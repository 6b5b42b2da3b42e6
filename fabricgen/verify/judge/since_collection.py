"""Verdicts on switches with the events since an earlier collection."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from fabricgen.platforms.base.live.reader import Reader
from fabricgen.verify.collect.store import PACKED, PLAIN, Collected, Target, read
from fabricgen.verify.finding import SwitchVerdict, Unchecked
from fabricgen.verify.judge.between_samples import between

NOT_THERE = "the earlier collection does not have it"
Since = Callable[[Iterable[SwitchVerdict]], Iterator[SwitchVerdict]]


def reading(folder: Path) -> Callable[[str], Collected | None]:
    """A function that reads a switch's outputs from a folder, packed or plain.

    It raises FabricError for other files.
    """
    return lambda device: read(folder, device, PLAIN) or read(folder, device, PACKED)


def since(
    targets: Mapping[str, Target],
    readers: Mapping[str, Reader],
    earlier: Callable[[str], Collected | None],
    later: Callable[[str], Collected | None],
) -> Since:
    """A function that adds events since an earlier collection to verdicts, for switches that answered in both."""

    def with_events(verdicts: Iterable[SwitchVerdict]) -> Iterator[SwitchVerdict]:
        for verdict in verdicts:
            target, after = targets.get(verdict.device), later(verdict.device)
            if target is None or after is None or after.failure is not None:
                yield verdict
                continue
            before = earlier(verdict.device)
            if before is None or before.failure is not None or before.system != after.system:
                lacking = tuple(Unchecked(verdict.device, check, NOT_THERE) for check in ("interfaces", "sessions"))
                yield replace(verdict, unchecked=(*verdict.unchecked, *lacking))
                continue
            reader = readers[target.system]
            seconds = (after.at - before.at).total_seconds() if before.at and after.at else None
            old, new = (
                target.state(reader, collected.outputs, "not in the collection") for collected in (before, after)
            )
            events, unchecked = between(verdict.device, old, new, seconds)
            yield replace(verdict, findings=(*verdict.findings, *events), unchecked=(*verdict.unchecked, *unchecked))

    return with_events
