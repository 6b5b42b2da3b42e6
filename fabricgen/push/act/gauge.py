"""Port counters around one wave: sampled before its drain and after its last commit, while it can still be reverted.

The rate before is the one from the beginning of the run to the wave. Drained switches are compared with their counters
from their return on.
"""

from collections.abc import Collection, Iterable, Mapping
from math import ceil

from fabricgen.push.act.step import RunSteps
from fabricgen.push.act.work import Failed, Means, SwitchWork
from fabricgen.push.model import PlannedSwitch, StepName, StepState, Wave
from fabricgen.push.plan.gates import WINDOW, Gates
from fabricgen.push.prove.counter_comparison import Gauged, SpecialPorts, WaveSamples, gauged, training
from fabricgen.push.prove.counter_rates import Sample
from fabricgen.push.prove.exempt import AWAY, drained, exempt, rising
from fabricgen.push.prove.snapshots import START

LATE = 2
"""Windows that may pass between a commit and its confirmation. Settings.confirm has room for this many usual ones."""
RETURN = "returning"
"""Sample before drained switches return."""
NOW = "now"
SETTLED = "settled"
ROSE = "counters rose during the wave"


class Gauge:
    """Counters of one wave. before: name of the sample before it."""

    def __init__(
        self, means: Means, steps: RunSteps, wave: Wave, planned: Mapping[str, PlannedSwitch], before: str
    ) -> None:
        self._means, self._steps, self._wave, self._planned, self._before = means, steps, wave, planned, before
        self._returning: Mapping[str, Sample] = {}
        self._back = frozenset[str]()

    def ready(self, names: Iterable[str]) -> None:
        """Wait until the sample at the beginning of the run is old enough to compute a rate."""
        gates, means = self._means.rules.gates, self._means
        if gates is None:
            return
        start_samples = means.checks.samples(START, means.checks.around(names))
        ages = [
            means.clock() - sample.at for sample in start_samples.values() if sample.counts and sample.at is not None
        ]
        seconds_left = gates.window - min(ages, default=gates.window)
        if seconds_left > 0:
            means.print_line(f"sampling port counters for {seconds_left:.0f} s before the change")
            means.wait(seconds_left)

    def returns(self, names: Collection[str]) -> None:
        """Sample the counters of the switches that return now, and of their neighbors."""
        if self._means.rules.gates is not None:
            chosen, self._back = self._means.checks.around(names), frozenset(names)
            self._means.checks.take_snapshot(RETURN, chosen)
            self._returning = self._means.checks.samples(RETURN, chosen)

    def extra(self) -> int:
        """Seconds by which a commit timer is longer, as the window of a site is longer than the default.

        A sample may have to wait one window after the commit, and ports that come up another.
        """
        gates = self._means.rules.gates
        return 0 if gates is None else ceil(LATE * max(0.0, gates.window - WINDOW))

    def check(self, names: Iterable[str], work: Mapping[str, SwitchWork], started: float) -> None:
        """Compare the counters of the wave with their rates before. Raises Failed where a limit is exceeded.

        names    switches whose last stage this is; started: when its last commit had ended
        """
        gates = self._means.rules.gates
        if gates is None:
            return
        self._steps.note(StepName.COUNTERS, StepState.BEGUN, detail={"wave": self._wave.number})
        comparison = self._gauged(names, work, self._late(names, gates, started), gates)
        detail = {"wave": self._wave.number, **comparison.detail()}
        self._steps.note(StepName.COUNTERS, StepState.FAILED if comparison.broke else StepState.ENDED, detail=detail)
        for row in comparison.warned:
            self._means.print_line(f"counters: {row}")
        if comparison.broke:
            others_text = f", and {len(comparison.broke) - 1} more" if len(comparison.broke) > 1 else ""
            raise Failed(dict.fromkeys(names, f"{ROSE}: {comparison.broke[0]}{others_text}"))

    def _late(self, names: Iterable[str], gates: Gates, started: float) -> Mapping[str, Sample]:
        """The sample after the change: the last one, or a new one where that was too early."""
        means, chosen = self._means, self._means.checks.around(names)
        samples = means.checks.samples(NOW, chosen)
        taken = [sample.at for sample in samples.values() if sample.counts and sample.at is not None]
        if not taken or min(taken) >= started + gates.window:
            return samples
        means.wait(max(0.0, started + gates.window - means.clock()))
        means.checks.take_snapshot(NOW, chosen)
        return means.checks.samples(NOW, chosen)

    def _gauged(
        self, names: Iterable[str], work: Mapping[str, SwitchWork], now: Mapping[str, Sample], gates: Gates
    ) -> Gauged:
        checks, wave_names, chosen = self._means.checks, frozenset(self._wave.devices), self._means.checks.around(names)
        away = frozenset(name for name, switch in work.items() if len(switch.stages) > 1)
        plain = {name: self._planned[name] for name in work.keys() - away}
        signed = {name: switch._replace(difference=self._means.signed(switch)) for name, switch in plain.items()}
        drained_ports = drained(now, away)
        still_drained = drained_ports - drained(now, self._back)
        samples = WaveSamples(checks.samples(START, chosen), checks.samples(self._before, chosen), self._returning, now)
        exempt_ports = {**dict.fromkeys(still_drained, AWAY), **exempt(now, signed)}
        ports = SpecialPorts(drained_ports, exempt_ports, rising(samples.before))
        if loud := training(samples, ports):
            samples = samples._replace(settled=self._settle(loud, gates))
        return gauged(samples, ports, wave_names, gates)

    def _settle(self, names: Iterable[str], gates: Gates) -> Mapping[str, Sample]:
        """A later sample, which shows whether ports that came up still count errors."""
        chosen = tuple(names)
        self._means.wait(gates.window)
        self._means.checks.take_snapshot(SETTLED, chosen)
        return self._means.checks.samples(SETTLED, chosen)
