"""A proof for a terminal: what it will do, and what came of it. A manifest is told the same, fresh or from a bundle."""

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
    """What would be done, in order, and what is at risk. seconds: of each step; hold: of a timer."""
    for row in _plan(subject, seconds, hold, plan, release):
        yield printable(row)


def _plan(
    subject: ProofSubject, seconds: Sequence[int], hold: int, plan: Sequence[PlannedStep], release: str
) -> Iterator[str]:
    probe, whole = subject.table.probe, subject.whole
    taken = [(found, most) for found, most in zip(plan, seconds, strict=True) if not found.reason]
    yield f"{subject.name}: {subject.table.system} {release}".rstrip()
    read = f" Only read: {', '.join(whole.peers)}." if whole is not None and whole.peers else ""
    yield f"  No other switch is changed.{read}"
    if any(found.step.commits for found, _ in taken):
        yield f"  Every commit has a rollback timer of {hold} s on the switch. Test lines, which it removes:"
        yield from (f"    + {line}" for line in probe.adds)
        yield f"  To remove them manually: {probe.removes}"
    yield ""
    yield "Steps"
    for found, most in taken:
        yield f"  {found.step.name.ljust(WIDTH)} {most:>4} s  {found.step.does}"
        if found.step.risk:
            yield f"  {INDENT}risk: {found.step.risk}"
        yield from (f"  {INDENT}{line}" for line in found.changes)
    yield f"  {'total'.ljust(WIDTH)} {sum(most for _, most in taken):>4} s at most, usually"
    left = [found for found in plan if found.reason]
    if left:
        yield ""
        yield "Not tested"
        yield from (f"  {found.step.name.ljust(WIDTH)} {found.reason}" for found in left)


def result_text(manifest: Mapping[str, Any], replayed: Sequence[str] = ()) -> Iterator[str]:
    """What came of it: the state of the switch first, then claim by claim."""
    for row in _result(manifest, replayed):
        yield printable(row)


def _result(manifest: Mapping[str, Any], replayed: Sequence[str]) -> Iterator[str]:
    claims = manifest["claims"]
    counts = {outcome: sum(row["outcome"] == outcome for row in claims) for outcome in ClaimOutcome}
    told = ", ".join(f"{count} {outcome.value}" for outcome, count in counts.items() if count)
    box = " ".join(filter(None, (manifest["platform"], manifest["release"], manifest["model"])))
    yield f"{box}: {manifest['outcome']} ({told})"
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
