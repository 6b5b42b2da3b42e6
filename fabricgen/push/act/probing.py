"""Probe packets over every equal-cost path, before the first wave and after each, while it can still be reverted.

Sessions stay up over a cable that loses packets, and over a switch that drops what it forwards. What was lost before
the run is not caused by the change, and is reported only. A run with probes must not pass without them: if no packet
can be sent, nothing begins; and a wave is reverted if it cannot be probed, or if two rounds left out paths that were
probed before the run.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.work import Failed, Means
from fabricgen.push.model import StepName, StepState, Wave
from fabricgen.verify.finding import SwitchVerdict

LOST = "the wave lost packets"
UNPROBED = "no path could be probed after the wave, although --paths requires it"
PARTLY = "paths that --paths requires could not be probed after the wave, in two attempts, but could before the run"
SECONDS = 120
"""Seconds by which a commit timer is longer, for two rounds: one over 16 links takes less than a minute in a lab."""
MOST_TOLD = 20
"""Maximum number of sentences of each kind that are recorded."""
_NUMBER = re.compile(r"\d+")
START = 0
"""Number of the round before the first wave, in place of a wave's."""


class ProbeRound(NamedTuple):
    """Result of one round. passed: paths without loss; a sentence each: what loses packets, why a path was left out."""

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
        return self.not_probed[0] if self.not_probed else "the reason is unknown"


def round_of(verdicts: Iterable[SwitchVerdict]) -> ProbeRound:
    """A round from verify's verdicts."""
    rows = tuple(verdicts)
    # Without the loss rate, which differs in each round.
    return ProbeRound(
        passed=sum(count for verdict in rows for _, count in verdict.passed),
        found=tuple(
            f"{entry.device}: {entry.subject} {entry.problem}" for verdict in rows for entry in verdict.findings
        ),
        not_probed=tuple(entry.reason for verdict in rows for entry in verdict.unchecked),
    )


def kinds(reasons: Iterable[str]) -> frozenset[str]:
    """Reasons without their numbers, which change from round to round."""
    return frozenset(_NUMBER.sub("#", reason) for reason in reasons)


class Probing:
    """Probes of one run. Nothing is done if the run has no probes."""

    def __init__(self, means: Means, steps: RunSteps) -> None:
        self._means, self._steps = means, steps
        self._before = frozenset[str]()
        self._doubts = frozenset[str]()  # kinds of reasons why paths were left out before the first wave

    def begins(
        self, before: frozenset[str] | None, waiting: frozenset[str], doubts: frozenset[str] = frozenset()
    ) -> None:
        """Find what loses packets before the first wave. before: the result of a killed run; None: it has none.

        doubts  why that run left paths out, in both rounds

        Raises FabricError where no packet can be sent.
        """
        if before is not None:
            self._before, self._doubts = before, kinds(doubts)
        elif self._means.probe is not None:
            probe_round = self._round(START, waiting)
            if not probe_round.was_sent:
                raise FabricError([no_probes(probe_round.why_not)])
            self._before, self._doubts = frozenset(probe_round.found), kinds(probe_round.not_probed)
            if probe_round.not_probed and (second_round := self._round(START, waiting, probe_round)).was_sent:
                # Paths left out for only one round before the run must not be left out later.
                self._before, self._doubts = (
                    self._before | set(second_round.found),
                    self._doubts & kinds(second_round.not_probed),
                )

    def check(self, wave: Wave, names: Iterable[str], waiting: frozenset[str]) -> None:
        """Check that every path passes the packets that it passed before. Raises Failed where one loses packets.

        A loss counts if a second round finds one too, under whatever name: during convergence a few are still lost, and
        the blamed cable may change from round to round. A second round that could send nothing clears nothing; nor do
        two such rounds, nor one that left out paths for a reason that did not exist before the run. Two of those prove
        nothing, as the paths they left out may lose packets.
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
        """Why the wave is reverted after two rounds; empty if it need not be."""
        if not first.was_sent and not last.was_sent:
            return f"{UNPROBED}: {last.why_not}"
        losses = self._new(last) or (self._new(first) if self._is_partial(last) else [])
        if losses:
            return f"{LOST}: {losses[0]}{f', and {len(losses) - 1} more' if len(losses) > 1 else ''}"
        if self._is_partial(first) and self._is_partial(last):
            return f"{PARTLY}: {next(iter(self._fresh(last)), last.why_not)}"
        return ""

    def _is_partial(self, probe_round: ProbeRound) -> bool:
        """Whether a round left out paths that were probed before the run."""
        return not probe_round.was_sent or bool(self._fresh(probe_round))

    def _fresh(self, probe_round: ProbeRound) -> list[str]:
        """Reasons why paths were left out, except those that applied before the run."""
        return [reason for reason in probe_round.not_probed if not kinds([reason]) <= self._doubts]

    def _new(self, probe_round: ProbeRound) -> list[str]:
        return sorted(set(probe_round.found) - self._before)

    def _round(self, number: int, waiting: frozenset[str], first: ProbeRound | None = None) -> ProbeRound:
        """Send one round and record it. first: the round that it must confirm or clear."""
        probe = self._means.probe
        if probe is None:
            raise ValueError("the run has no probes")
        self._steps.note(StepName.PATHS, StepState.BEGUN, detail={"wave": number})
        probe_round = round_of(probe(waiting))
        new = self._new(probe_round) if number != START else []
        detail = {
            "wave": number,
            "passed": probe_round.passed,
            "new": new[:MOST_TOLD],
            "before": sorted(set(probe_round.found) - set(new)),
            "not_probed": list(probe_round.not_probed)[:MOST_TOLD],
        }
        how = StepState.FAILED if self._is_bad(number, probe_round, first) else StepState.ENDED
        self._steps.note(StepName.PATHS, how, detail=detail)
        return probe_round

    def _is_bad(self, number: int, probe_round: ProbeRound, first: ProbeRound | None) -> bool:
        """Whether a round ends the run, or reverts its wave."""
        if number == START:
            return first is None and not probe_round.was_sent
        return first is not None and bool(self._why_back(first, probe_round))


def no_probes(reason: str) -> Problem:
    """The problem of a run with --paths that cannot send packets."""
    return Problem(
        code="push-paths",
        what="--paths sends packets over every path, and none can be sent",
        why=reason,
        fix="omit --paths: the push is then verified without packets",
    )
