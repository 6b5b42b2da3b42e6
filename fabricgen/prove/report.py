"""A proof for a terminal: the plan, and the result. A manifest is printed the same way, new or from a bundle."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fabricgen.diff.words import printable
from fabricgen.prove.steps import PlannedStep
from fabricgen.prove.values import ClaimOutcome, ProofSubject

WIDTH = 16
INDENT = " " * (WIDTH + 9)


def plan_text(
    subject: ProofSubject, seconds: Sequence[int], hold: int, plan: Sequence[PlannedStep], release: str
) -> Iterator[str]:
    """The plan in order, with its risks. seconds: of each step; hold: of a timer."""
    for row in _plan(subject, seconds, hold, plan, release):
        yield printable(row)


def _plan(
    subject: ProofSubject, seconds: Sequence[int], hold: int, plan: Sequence[PlannedStep], release: str
) -> Iterator[str]:
    probe, whole = subject.table.probe, subject.whole
    steps = [(item, max_seconds) for item, max_seconds in zip(plan, seconds, strict=True) if not item.reason]
    yield f"{subject.name}: {subject.table.system} {release}".rstrip()
    read = f" Only read: {', '.join(whole.peers)}." if whole is not None and whole.peers else ""
    yield f"  No other switch is changed.{read}"
    if any(item.step.commits for item, _ in steps):
        yield f"  Every commit has a rollback timer of {hold} s on the switch. Test lines, which it removes:"
        yield from (f"    + {line}" for line in probe.adds)
        yield f"  To remove them manually: {probe.removes}"
    yield ""
    yield "Steps"
    for item, max_seconds in steps:
        yield f"  {item.step.name.ljust(WIDTH)} {max_seconds:>4} s  {item.step.does}"
        if item.step.risk:
            yield f"  {INDENT}risk: {item.step.risk}"
        yield from (f"  {INDENT}{line}" for line in item.changes)
    yield f"  {'total'.ljust(WIDTH)} {sum(max_seconds for _, max_seconds in steps):>4} s at most, usually"
    skipped = [item for item in plan if item.reason]
    if skipped:
        yield ""
        yield "Not tested"
        yield from (f"  {item.step.name.ljust(WIDTH)} {item.reason}" for item in skipped)


def result_text(manifest: Mapping[str, Any], replayed: Sequence[str] = ()) -> Iterator[str]:
    """The result: the state of the switch first, then each claim."""
    for row in _result(manifest, replayed):
        yield printable(row)


def _result(manifest: Mapping[str, Any], replayed: Sequence[str]) -> Iterator[str]:
    claims = manifest["claims"]
    counts = {outcome: sum(row["outcome"] == outcome for row in claims) for outcome in ClaimOutcome}
    counts_text = ", ".join(f"{count} {outcome.value}" for outcome, count in counts.items() if count)
    switch = " ".join(filter(None, (manifest["platform"], manifest["release"], manifest["model"])))
    yield f"{switch}: {manifest['outcome']} ({counts_text})"
    yield f"  began {manifest['began']}, took {manifest['seconds']:g} s, fabricgen {manifest['fabricgen']}"
    if manifest["why"]:
        yield f"  ended early: {manifest['why']}"
    yield f"  at the end, compared with the start: running configuration {manifest['running']},"
    yield f"  startup configuration {manifest['startup']}"
    for outcome in (ClaimOutcome.FAILED, ClaimOutcome.HELD, ClaimOutcome.UNTRIED):
        rows = [row for row in claims if row["outcome"] == outcome]
        if rows:
            yield ""
            yield outcome.value.capitalize()
        for row in rows:
            yield f"  {row['claim']}: {row['says']}"
            seconds = "" if row["seconds"] is None else f" [{row['seconds']:g} s"
            if seconds:
                seconds += "]" if row["allowed"] is None else f", claimed {row['allowed']:g} s]"
            yield f"    {row['why']}{seconds}"
    if replayed:
        yield ""
        yield "This release interprets the recorded outputs differently than the one that recorded them"
        yield from (f"  {row}" for row in replayed)
