"""Verdicts on switches with what happened to them since an earlier collection."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from fabricgen.platforms.base.live.reader import Output, Reader
from fabricgen.state.state import State
from fabricgen.verify.collect.store import PACKED, PLAIN, Collected, Target, read
from fabricgen.verify.finding import SwitchVerdict, Unchecked
from fabricgen.verify.judge.between_samples import between

NOT_THERE = "the earlier collection has nothing of it"
Since = Callable[[Iterable[SwitchVerdict]], Iterator[SwitchVerdict]]


def reading(folder: Path) -> Callable[[str], Collected | None]:
    """What a folder has of a switch, packed or plain. Raises FabricError for a file that is no such."""
    return lambda device: read(folder, device, PLAIN) or read(folder, device, PACKED)


def since(
    targets: Mapping[str, Target],
    readers: Mapping[str, Reader],
    earlier: Callable[[str], Collected | None],
    later: Callable[[str], Collected | None],
) -> Since:
    """How verdicts on a later collection are told what happened since an earlier one. Only both that answered are."""

    def told(verdicts: Iterable[SwitchVerdict]) -> Iterator[SwitchVerdict]:
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
            found, unsaid = between(
                verdict.device, _state(reader, target, before), _state(reader, target, after), seconds
            )
            yield replace(verdict, findings=(*verdict.findings, *found), unchecked=(*verdict.unchecked, *unsaid))

    return told


def _state(reader: Reader, target: Target, kept: Collected) -> State:
    lacking = {each.command: Output(None, "not in the collection") for each in target.reads}
    return reader.state({**lacking, **kept.outputs}, target.vrfs)
