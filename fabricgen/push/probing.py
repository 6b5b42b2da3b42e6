"""Packets over every equal-cost path, before the first wave and behind each, while that can still go back.

Sessions stand over a cable that loses packets, and over a switch that drops what it forwards. What was lost before the
run is no matter of the change, and is told.
"""

from collections.abc import Iterable
from typing import NamedTuple

from fabricgen.push.model import How, StepName, Wave
from fabricgen.push.steps import Steps
from fabricgen.push.work import Failed, Means
from fabricgen.verify.finding import Finding, Verdict

LOST = "packets are lost by the wave"
SECONDS = 120
"""For two rounds, by which a commit waits longer: one over 16 links takes less than a minute in a lab."""
MOST_TOLD = 20
"""Sentences of each kind that are written down."""
START = 0
"""Number, in the place of a wave's, of the round before the first one."""


class Round(NamedTuple):
    """What a round of probes came to. passed: paths without loss; a sentence each: what loses packets, why not all."""

    passed: int
    found: tuple[str, ...]
    not_probed: tuple[str, ...]


def round_of(verdicts: Iterable[Verdict]) -> Round:
    """A round, in words."""
    held = tuple(verdicts)
    return Round(
        passed=sum(count for verdict in held for _, count in verdict.passed),
        found=tuple(_sentence(one) for verdict in held for one in verdict.findings),
        not_probed=tuple(one.reason for verdict in held for one in verdict.unchecked),
    )


def _sentence(one: Finding) -> str:
    """Without its rate, which is another one in each round."""
    return f"{one.device}: {one.subject} {one.problem}"


class Probing:
    """Of one run. Nothing is done where the run has no probes."""

    def __init__(self, means: Means, steps: Steps) -> None:
        self._means, self._steps = means, steps
        self._before = frozenset[str]()

    def begins(self, before: frozenset[str] | None, waiting: frozenset[str]) -> None:
        """See what loses packets before the first wave. before: what a killed run saw then; None: it saw nothing."""
        if before is not None:
            self._before = before
        elif self._means.probe is not None:
            self._before = self._round(START, waiting, frozenset())

    def hold(self, wave: Wave, names: Iterable[str], waiting: frozenset[str]) -> None:
        """See that every path passes what it passed before. Raises Failed where one loses packets.

        A loss is told where a second round sees it too: what converges still loses a few.
        """
        if self._means.probe is None:
            return
        found = self._round(wave.number, waiting, frozenset())
        found = self._round(wave.number, waiting, found) if found else found
        if found:
            first = sorted(found)[0]
            more = f", and {len(found) - 1} more" if len(found) > 1 else ""
            raise Failed(dict.fromkeys(names, f"{LOST}: {first}{more}"))

    def _round(self, number: int, waiting: frozenset[str], again: frozenset[str]) -> frozenset[str]:
        """Send one round, and note it. What loses packets now and did not before, of what `again` has if it has any."""
        probe = self._means.probe
        if probe is None:
            raise ValueError("the run has no probes")
        self._steps.note(StepName.PATHS, How.BEGUN, detail={"wave": number})
        found = round_of(probe(waiting))
        lost = frozenset(found.found)
        before = lost if number == START else lost & self._before
        new = lost - before
        stays = new & again
        detail = {
            "wave": number,
            "passed": found.passed,
            "new": sorted(new)[:MOST_TOLD],
            "before": sorted(before),
            "not_probed": list(found.not_probed)[:MOST_TOLD],
        }
        self._steps.note(StepName.PATHS, How.FAILED if stays else How.ENDED, detail=detail)
        return before if number == START else stays if again else new
