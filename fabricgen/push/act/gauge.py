"""Counters of ports around one wave: taken before its drain and behind its last commit, while that can still go back.

The rate before is that from the beginning of the run to the wave. What the wave drains is held against what it counted
from its return on.
"""

from collections.abc import Collection, Iterable, Mapping
from math import ceil

from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.work import Failed, Means, SwitchWork
from fabricgen.push.model import PlannedSwitch, StepName, StepState, Wave
from fabricgen.push.plan.gates import WINDOW, Gates
from fabricgen.push.prove.counter_comparison import Gauged, Looks, SpecialPorts, gauged, training
from fabricgen.push.prove.counter_rates import Sample
from fabricgen.push.prove.exempt import AWAY, drained, exempt, rising
from fabricgen.push.prove.snapshots import START

LATE = 2
"""Windows that may go by between a commit and its confirmation. Of usual ones Settings.confirm has room for as many."""
RETURN = "returning"
"""Look before what was drained comes back."""
NOW = "now"
SETTLED = "settled"
ROSE = "counters rose by the wave"


class Gauge:
    """Of one wave. look: name of the look before it."""

    def __init__(
        self, means: Means, steps: RunSteps, wave: Wave, planned: Mapping[str, PlannedSwitch], look: str
    ) -> None:
        self._means, self._steps, self._wave, self._planned, self._look = means, steps, wave, planned, look
        self._returning: Mapping[str, Sample] = {}
        self._back = frozenset[str]()

    def ready(self, names: Iterable[str]) -> None:
        """Wait until the look at the beginning of the run is so long ago that a rate can be made of it."""
        gates, means = self._means.rules.gates, self._means
        if gates is None:
            return
        begun = means.checks.samples(START, means.checks.around(names))
        ages = [means.clock() - one.at for one in begun.values() if one.counts and one.at is not None]
        left = gates.window - min(ages, default=gates.window)
        if left > 0:
            means.tell(f"samples port counters for {left:.0f} s before the change")
            means.wait(left)

    def returns(self, names: Collection[str]) -> None:
        """See what those count that come back now, and their neighbors."""
        if self._means.rules.gates is not None:
            chosen, self._back = self._means.checks.around(names), frozenset(names)
            self._means.checks.look(RETURN, chosen)
            self._returning = self._means.checks.samples(RETURN, chosen)

    def extra(self) -> int:
        """Seconds by which a commit waits longer, as the window of a site is longer than the usual one.

        A sample may have to wait for a window behind the commit, and ports that come up for another.
        """
        gates = self._means.rules.gates
        return 0 if gates is None else ceil(LATE * max(0.0, gates.window - WINDOW))

    def hold(self, names: Iterable[str], work: Mapping[str, SwitchWork], started: float) -> None:
        """Hold what ports counted in the wave against their rate before. Raises Failed where a limit is broken.

        names    switches whose last stage this is; started: when its last commit had ended
        """
        gates = self._means.rules.gates
        if gates is None:
            return
        self._steps.note(StepName.COUNTERS, StepState.BEGUN, detail={"wave": self._wave.number})
        found = self._gauged(names, work, self._late(names, gates, started), gates)
        detail = {"wave": self._wave.number, **found.detail()}
        self._steps.note(StepName.COUNTERS, StepState.FAILED if found.broke else StepState.ENDED, detail=detail)
        for row in found.warned:
            self._means.tell(f"counters: {row}")
        if found.broke:
            more = f", and {len(found.broke) - 1} more" if len(found.broke) > 1 else ""
            raise Failed(dict.fromkeys(names, f"{ROSE}: {found.broke[0]}{more}"))

    def _late(self, names: Iterable[str], gates: Gates, started: float) -> Mapping[str, Sample]:
        """The sample behind the change: the last look, or another where that was too early."""
        means, chosen = self._means, self._means.checks.around(names)
        found = means.checks.samples(NOW, chosen)
        taken = [one.at for one in found.values() if one.counts and one.at is not None]
        if not taken or min(taken) >= started + gates.window:
            return found
        means.wait(max(0.0, started + gates.window - means.clock()))
        means.checks.look(NOW, chosen)
        return means.checks.samples(NOW, chosen)

    def _gauged(
        self, names: Iterable[str], work: Mapping[str, SwitchWork], now: Mapping[str, Sample], gates: Gates
    ) -> Gauged:
        checks, own, chosen = self._means.checks, frozenset(self._wave.devices), self._means.checks.around(names)
        away = frozenset(name for name, one in work.items() if len(one.stages) > 1)
        plain = {name: self._planned[name] for name in work.keys() - away}
        signed = {name: one._replace(difference=self._means.signed(one)) for name, one in plain.items()}
        parted = drained(now, away)
        still = parted - drained(now, self._back)
        looks = Looks(checks.samples(START, chosen), checks.samples(self._look, chosen), self._returning, now)
        free = {**dict.fromkeys(still, AWAY), **exempt(now, signed)}
        ports = SpecialPorts(parted, free, rising(looks.before))
        if loud := training(looks, ports):
            looks = looks._replace(settled=self._settle(loud, gates))
        return gauged(looks, ports, own, gates)

    def _settle(self, names: Iterable[str], gates: Gates) -> Mapping[str, Sample]:
        """A sample later: whether ports that came up count on."""
        chosen = tuple(names)
        self._means.wait(gates.window)
        self._means.checks.look(SETTLED, chosen)
        return self._means.checks.samples(SETTLED, chosen)
