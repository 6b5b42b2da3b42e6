"""Packets over every equal-cost path, before the first wave and behind each, while that can still go back.

Sessions stand over a cable that loses packets, and over a switch that drops what it forwards. What was lost before the
run is no matter of the change, and is told. Who asks for probes is not told that all is well without them: where no
packet can be sent, nothing begins, and a wave goes back that cannot be probed, or of which two rounds left paths out
that were probed before the run.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.work import Failed, Means
from fabricgen.push.model import StepName, StepState, Wave
from fabricgen.verify.finding import SwitchVerdict

LOST = "packets are lost by the wave"
UNPROBED = "no path could be probed behind the wave, as --paths asks for"
PARTLY = "paths that --paths asks for were left out behind the wave, twice, and not before the run"
SECONDS = 120
"""For two rounds, by which a commit waits longer: one over 16 links takes less than a minute in a lab."""
MOST_TOLD = 20
"""Sentences of each kind that are written down."""
_NUMBER = re.compile(r"\d+")
START = 0
"""Number, in the place of a wave's, of the round before the first one."""


class ProbeRound(NamedTuple):
    """What a round of probes came to. passed: paths without loss; a sentence each: what loses packets, why not all."""

    passed: int
    found: tuple[str, ...]
    not_probed: tuple[str, ...]

    @property
    def was_sent(self) -> bool:
        """Whether any path was probed."""
        return bool(self.passed or self.found)

    @property
    def why_not(self) -> str:
        """Why not every path was probed."""
        return self.not_probed[0] if self.not_probed else "no reason is known"


def round_of(verdicts: Iterable[SwitchVerdict]) -> ProbeRound:
    """A round, in words."""
    held = tuple(verdicts)
    # Without its rate, which is another one in each round.
    return ProbeRound(
        passed=sum(count for verdict in held for _, count in verdict.passed),
        found=tuple(f"{one.device}: {one.subject} {one.problem}" for verdict in held for one in verdict.findings),
        not_probed=tuple(one.reason for verdict in held for one in verdict.unchecked),
    )


def kinds(reasons: Iterable[str]) -> frozenset[str]:
    """Reasons without their numbers, which change from round to round."""
    return frozenset(_NUMBER.sub("#", reason) for reason in reasons)


class Probing:
    """Of one run. Nothing is done where the run has no probes."""

    def __init__(self, means: Means, steps: RunSteps) -> None:
        self._means, self._steps = means, steps
        self._before = frozenset[str]()
        self._doubts = frozenset[str]()  # kinds of reasons why not every path was probed before the first wave

    def begins(
        self, before: frozenset[str] | None, waiting: frozenset[str], doubts: frozenset[str] = frozenset()
    ) -> None:
        """See what loses packets before the first wave. before: what a killed run saw then; None: it saw nothing.

        doubts  why it did not probe every path then, by either round

        Raises FabricError where no packet can be sent.
        """
        if before is not None:
            self._before, self._doubts = before, kinds(doubts)
        elif self._means.probe is not None:
            found = self._round(START, waiting)
            if not found.was_sent:
                raise FabricError([no_probes(found.why_not)])
            self._before, self._doubts = frozenset(found.found), kinds(found.not_probed)
            if found.not_probed and (again := self._round(START, waiting, found)).was_sent:
                # What is left out before the run for a moment alone is no reason to leave it out later.
                self._before, self._doubts = self._before | set(again.found), self._doubts & kinds(again.not_probed)

    def hold(self, wave: Wave, names: Iterable[str], waiting: frozenset[str]) -> None:
        """See that every path passes what it passed before. Raises Failed where one loses packets.

        A loss is told where a second round finds one too, by whatever name: what converges still loses a few, and which
        cable is blamed may change from round to round. A second round that could send nothing clears nothing, nor do
        two of them, nor one that left out paths for a reason that there was not before the run; two of those are no
        proof, as what they left out may be what loses packets.
        """
        if self._means.probe is None:
            return
        first = last = self._round(wave.number, waiting)
        if self._new(first) or self._is_partial(first):
            last = self._round(wave.number, waiting, first)
        reason = self._why_back(first, last)
        if reason:
            raise Failed(dict.fromkeys(names, reason))

    def _why_back(self, first: ProbeRound, last: ProbeRound) -> str:
        """Why the wave of two rounds goes back; empty where it need not."""
        if not first.was_sent and not last.was_sent:
            return f"{UNPROBED}: {last.why_not}"
        found = self._new(last) or (self._new(first) if self._is_partial(last) else [])
        if found:
            return f"{LOST}: {found[0]}{f', and {len(found) - 1} more' if len(found) > 1 else ''}"
        if self._is_partial(first) and self._is_partial(last):
            return f"{PARTLY}: {next(iter(self._fresh(last)), last.why_not)}"
        return ""

    def _is_partial(self, found: ProbeRound) -> bool:
        """Whether a round says nothing of paths that were probed before the run."""
        return not found.was_sent or bool(self._fresh(found))

    def _fresh(self, found: ProbeRound) -> list[str]:
        """Why not every path was probed, without what was so before the run."""
        return [reason for reason in found.not_probed if not kinds([reason]) <= self._doubts]

    def _new(self, found: ProbeRound) -> list[str]:
        return sorted(set(found.found) - self._before)

    def _round(self, number: int, waiting: frozenset[str], first: ProbeRound | None = None) -> ProbeRound:
        """Send one round, and note it. first: the one that it is to confirm, or to clear."""
        probe = self._means.probe
        if probe is None:
            raise ValueError("the run has no probes")
        self._steps.note(StepName.PATHS, StepState.BEGUN, detail={"wave": number})
        found = round_of(probe(waiting))
        new = self._new(found) if number != START else []
        detail = {
            "wave": number,
            "passed": found.passed,
            "new": new[:MOST_TOLD],
            "before": sorted(set(found.found) - set(new)),
            "not_probed": list(found.not_probed)[:MOST_TOLD],
        }
        how = StepState.FAILED if self._is_bad(number, found, first) else StepState.ENDED
        self._steps.note(StepName.PATHS, how, detail=detail)
        return found

    def _is_bad(self, number: int, found: ProbeRound, first: ProbeRound | None) -> bool:
        """Whether a round ends the run, or takes its wave back."""
        if number == START:
            return first is None and not found.was_sent
        return first is not None and bool(self._why_back(first, found))


def no_probes(why: str) -> Problem:
    """Nothing can prove what is asked for."""
    return Problem(
        code="push-paths",
        what="--paths asks for packets over every path, and none can be sent",
        why=why,
        fix="leave --paths out: what verify sees is proven then, and no packet is sent",
    )
