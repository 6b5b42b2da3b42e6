"""Forecast of a push: waves, and durations of switches → seconds of each wave and of the whole. Pure.

A wave is computed as run_wave.py does it, step by step: the answers and commits of each switch, in parallel by the
number of workers, and the fixed waiting times. Processing time of this program and hooks are not included.
"""

from collections.abc import Callable, Collection, Iterable, Mapping
from statistics import median
from typing import NamedTuple

from fabricgen.platforms.base.live.commit_profile import Pace
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.push.act.work import RunSettings
from fabricgen.push.model import Need, PlannedSwitch, StageName, StepName, Took, Wave
from fabricgen.push.plan.duty import RunRules
from fabricgen.push.report.words import duration

ANSWERS: Mapping[StepName, int] = {
    StepName.READ: 3,
    StepName.LOAD: 4,
    StepName.COMMIT: 0,
    StepName.COMPARE: 1,
    StepName.LOGIN: 2,
    StepName.CONFIRM: 2,
}
"""Requests per step: spot_of (pending commit, difference, running configuration), WavePush._load (running
configuration, lease, pending commit, loading), must_agree, NapalmFleet._log_in (opening, pending commit), and
WavePush._confirm (it also reads the configuration).
"""


def paces(needed: Iterable[str], drivers: Mapping[str, str], took: Iterable[Took], source: str) -> Mapping[str, Pace]:
    """Driver → its pace: medians of the durations of its switches; without durations, the value of its platform.

    needed   drivers of the switches to push to
    drivers  every switch → NAPALM driver; source: of `took`, in words
    """
    seconds_of: dict[tuple[str, StepName], list[float]] = {}
    for step_time in took:
        if step_time.device in drivers:
            seconds_of.setdefault((drivers[step_time.device], step_time.step), []).append(step_time.seconds)
    return {driver: _pace(driver, seconds_of, source) for driver in sorted(set(needed))}


def _pace(driver: str, timed: Mapping[tuple[str, StepName], Collection[float]], source: str) -> Pace:
    assumed = COMMIT_PROFILES[driver].pace
    # A step consists of several requests, and its duration is that of all of them.
    answers = [seconds / ANSWERS[step] for (of, step), times in timed.items() if of == driver and ANSWERS.get(step)
               for seconds in times]  # fmt: skip
    commits, quiet = (timed.get((driver, step), ()) for step in (StepName.COMMIT, StepName.QUIET))
    if not (answers and commits):
        return assumed
    return Pace(median(answers), median(commits), median(quiet) if quiet else assumed.quiet, source)


class WaveForecast(NamedTuple):
    """Seconds of one wave.

    work    in which switches answer and commit
    pauses  in which sessions and paths are watched, and port counters are sampled
    drains  until the traffic of the drained switches has gone
    soak    after it, with the verification at its end
    """

    number: int
    work: float
    pauses: float
    drains: float
    soak: float

    @property
    def seconds(self) -> float:
        """Total of the wave."""
        return self.work + self.pauses + self.drains + self.soak


class Forecast(NamedTuple):
    """Seconds of a push. ends: of the work done once before and after all waves; paces: by driver."""

    waves: tuple[WaveForecast, ...]
    ends: float
    paces: Mapping[str, Pace]

    @property
    def seconds(self) -> float:
        """Total of the push."""
        return self.ends + sum(wave.seconds for wave in self.waves)

    def detail(self) -> Mapping[str, object]:
        """The forecast for the journal, so that the report can compare it with the actual duration."""
        return {"seconds": round(self.seconds, 1), "told": words(self)}


class Crew(NamedTuple):
    """What a push works with.

    paces    by driver; drivers: switch → its driver
    around   switches → number of switches to verify: they and their neighbors
    workers  switches that are contacted at once
    is_leaf  whether a switch has servers, and so is marked before it is drained
    """

    paces: Mapping[str, Pace]
    drivers: Mapping[str, str]
    around: Callable[[Collection[str]], int]
    workers: int
    is_leaf: Callable[[str], bool]


def forecast(
    waves: tuple[Wave, ...], planned: Iterable[PlannedSwitch], crew: Crew, rules: RunRules, settings: RunSettings
) -> Forecast:
    """Forecast of a push of these waves."""
    drained = {switch.device for switch in planned if switch.need is Need.DRAIN}
    forecasts, changed = list[WaveForecast](), set[str]()
    for index, wave in enumerate(waves):
        changed |= set(wave.devices)
        switch = _wave(wave, drained.intersection(wave.devices), crew, rules, settings)
        soak_seconds = rules.pause_after(canary=wave.canary) if index + 1 < len(waves) else 0.0
        soak = soak_seconds + _read_seconds(crew, changed) if soak_seconds else 0.0
        first = rules.gates.window if rules.gates is not None and not index else 0.0  # see Gauge.ready
        forecasts.append(switch._replace(soak=soak, pauses=switch.pauses + first))
    # Leases are taken and released, and at the end switches are verified and compared.
    lease_seconds = (
        sum(_rounds(len(changed), crew) * _slowest(changed, crew).answer for _ in range(4)) if changed else 0.0
    )
    return Forecast(
        tuple(forecasts), lease_seconds + (2 * _read_seconds(crew, changed) if changed else 0.0), crew.paces
    )


def _wave(wave: Wave, drained: Collection[str], crew: Crew, rules: RunRules, settings: RunSettings) -> WaveForecast:
    names, pace = frozenset(wave.devices), _slowest(wave.devices, crew)
    rounds, reading = _rounds(len(names), crew), _read_seconds(crew, names)
    window = rules.gates.window if rules.gates is not None else 0.0
    work, pauses, drains = rounds * ANSWERS[StepName.READ] * pace.answer + reading, 0.0, 0.0
    for stage in _stages(drained, crew):
        answers = (ANSWERS[step] for step in (StepName.LOAD, StepName.COMPARE, StepName.LOGIN, StepName.CONFIRM))
        work += rounds * (sum(answers) * pace.answer + pace.commit) + reading
        if stage in (StageName.MARK, StageName.DRAIN):
            drains += 2 * pace.answer + (pace.quiet if stage is StageName.DRAIN else 0.0)
        elif stage is StageName.UNDRAIN:
            work += reading  # what ports count before they come back
            pauses += max(settings.watch, window)
        else:
            pauses += settings.watch if drained else max(settings.watch, window)
    return WaveForecast(wave.number, work, pauses, drains, 0.0)


def _stages(drained: Collection[str], crew: Crew) -> tuple[StageName, ...]:
    if not drained:
        return (StageName.CHANGE,)
    if any(map(crew.is_leaf, drained)):
        return tuple(StageName)
    return StageName.DRAIN, StageName.CHANGE, StageName.UNDRAIN


def _rounds(number: int, crew: Crew) -> int:
    return -(-number // crew.workers)


def _slowest(names: Collection[str], crew: Crew) -> Pace:
    """Pace of the slowest platform of these switches: the steps of a wave are taken together."""
    used_drivers = {crew.drivers[name] for name in names}
    return max((crew.paces[driver] for driver in sorted(used_drivers)), key=lambda pace: (pace.commit, pace.answer))


def _read_seconds(crew: Crew, names: Collection[str]) -> float:
    return _rounds(crew.around(names), crew) * _slowest(names, crew).answer


def words(total: Forecast) -> str:
    """`3 min 33 s: commits 1 min 50 s, … (seconds of a switch: eos 1 an answer, 5 a commit, assumed)`."""
    parts = {
        "commits": total.ends + sum(wave.work for wave in total.waves),
        "checks": sum(wave.pauses for wave in total.waves),
        "drains": sum(wave.drains for wave in total.waves),
        "soak": sum(wave.soak for wave in total.waves),
    }
    shares = ", ".join(f"{name} {duration(seconds)}" for name, seconds in parts.items() if seconds)
    assumptions = "; ".join(f"{driver}: {_paced(pace)}" for driver, pace in total.paces.items())
    return f"{duration(total.seconds)}: {shares} ({assumptions})"


def _paced(pace: Pace) -> str:
    return f"{pace.answer:.2g} s per answer, {pace.commit:.2g} s per commit, {pace.source}"
