"""What a run of verify says of a fault, against what the catalogue wrote down before."""

from collections.abc import Collection, Iterable, Mapping
from typing import Any, NamedTuple

from fabricgen.verify.report.text import order
from tests.faults.catalogue import EXACT, FOUND
from tests.faults.model import Cause, Fault

Finding = Mapping[str, Any]
_WORDS = ("subject", "problem", "expected", "actual")


class Seen(NamedTuple):
    """One fault, judged.

    exact    the first thing that verify says to do is to mend this, and it blames no switch that has no fault
    seconds  from the fault to the end of the run of verify that told it, or to the last look
    first    what verify said first
    causes   findings that follow from no other
    healed   whether verify was clean again once it was taken back; else what it still found
    """

    fault: Fault
    found: bool
    exact: bool
    seconds: float
    first: str
    causes: int
    healed: str = ""


def causes_of(result: Mapping[str, Any]) -> list[Finding]:
    """Findings that follow from no other, in the order in which the report says what to do (verify/report/text.py)."""
    every = [one for switch in result["switches"] for one in switch["findings"] if "cause" not in one]
    return sorted(every, key=lambda one: (-one.get("consequences", 0), order(one["check"])))


def names(cause: Cause, finding: Finding) -> bool:
    """Whether a finding is the one that the catalogue wrote down."""
    text = " ".join(finding[word] for word in _WORDS)
    return (cause.device, cause.code) == (finding["device"], finding["code"]) and cause.text in text


def is_exact(fault: Fault, causes: list[Finding], switches: Collection[str]) -> bool:
    """Whether the first cause is the fault's, and no other switch is blamed."""
    near = {*fault.touched, *(cause.device for cause in fault.causes)}
    blamed = {one["device"] for one in causes} & set(switches)
    return bool(causes) and any(names(cause, causes[0]) for cause in fault.causes) and blamed <= near


def words(finding: Finding) -> str:
    """A finding in short."""
    return f"{finding['code']} {finding['device']}: {finding['subject']} {finding['problem']}"


def table(seen: Iterable[Seen]) -> list[str]:
    """One line a fault: id, kind, found, exact, seconds, causes that were told, and the first of them."""
    lines = [f"{'fault':<22}{'kind':<9}{'found':<7}{'exact':<7}{'s':>5}  {'causes':<7}what verify said first"]
    for one in seen:
        said = [("no", "yes")[one.found], ("no", "yes")[one.exact], f"{one.seconds:5.1f}", str(one.causes)]
        cells = f"{said[0]:<7}{said[1]:<7}{said[2]}  {said[3]:<7}"
        lines.append(f"{one.fault.id:<22}{one.fault.kind:<9}{cells}{one.first or '-'}")
    return lines


def misses(seen: Iterable[Seen]) -> list[str]:
    """What was not found, or not by its cause, each with the catalogue's reason."""
    found = []
    for one in seen:
        if not (one.found and one.exact):
            what = "cause not named" if one.found else "not found"
            found.append(f"{one.fault.id}: {what}: {one.fault.says} {one.fault.why or 'NO REASON IS KNOWN'}")
    return found


def unhealed(seen: Iterable[Seen]) -> list[str]:
    """Faults after which verify did not become clean."""
    return [f"{one.fault.id}: not clean again: {one.healed}" for one in seen if one.healed]


def reached(seen: Collection[Seen], alarms: int) -> bool:
    """Whether the goal is: shares of faults found and named, no alarm without a fault, each fault taken back."""
    found, exact = (sum(getattr(one, name) for one in seen) for name in ("found", "exact"))
    return found >= FOUND * len(seen) and exact >= EXACT * len(seen) and not alarms and not unhealed(seen)
