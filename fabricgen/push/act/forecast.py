"""How long a push will take: waves, and seconds that switches take → seconds of each wave and of the whole. Pure.

A wave is what run_wave.py does, step by step: so many answers and commits of each switch, as many switches at once as
there are workers, and the waits that no switch can shorten. Work of this program itself, and hooks, are not in it.
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
    StepName.CONFIRM: 2,
}
"""What a switch is asked in a step: spot_of (what waits, what differs, what runs), WavePush._load (what runs, who is at
work, what waits, and the loading), must_agree, and WavePush._confirm (which also reads what runs)."""


def paces(needed: Iterable[str], drivers: Mapping[str, str], took: Iterable[Took], source: str) -> Mapping[str, Pace]:
    """Driver → its pace: medians of what its switches took, whichever; of what nothing tells, as its platform has it.

    needed   drivers of what is pushed to
    drivers  every switch → NAPALM driver; source: of `took`, in words
    """
    seen: dict[tuple[str, StepName], list[float]] = {}
    for one in took:
        if one.device in drivers:
            seen.setdefault((drivers[one.device], one.step), []).append(one.seconds)
    return {driver: _pace(driver, seen, source) for driver in sorted(set(needed))}


def _pace(driver: str, seen: Mapping[tuple[str, StepName], Collection[float]], source: str) -> Pace:
    assumed = COMMIT_PROFILES[driver].pace
    answers = [seconds / ANSWERS[step] for (own, step), found in seen.items() if own == driver and ANSWERS.get(step)
               for seconds in found]  # fmt: skip
    commits, quiet = (seen.get((driver, step), ()) for step in (StepName.COMMIT, StepName.QUIET))
    if not (answers and commits):
        return assumed
    return Pace(median(answers), median(commits), median(quiet) if quiet else assumed.quiet, source)


class WaveForecast(NamedTuple):
    """Seconds of one wave.

    work    of switches that answer and commit
    pauses  in which it is watched whether what stood stands, and ports are counted
    drains  until the traffic of what is drained has gone
    soak    behind it, with the look at its end
    """

    number: int
    work: float
    pauses: float
    drains: float
    soak: float

    @property
    def seconds(self) -> float:
        """In all."""
        return self.work + self.pauses + self.drains + self.soak


class Forecast(NamedTuple):
    """Seconds of a push. ends: of what is done once before and behind all waves; paces: by driver."""

    waves: tuple[WaveForecast, ...]
    ends: float
    paces: Mapping[str, Pace]

    @property
    def seconds(self) -> float:
        """In all."""
        return self.ends + sum(wave.seconds for wave in self.waves)

    def detail(self) -> Mapping[str, object]:
        """As the journal keeps it, so that the report can hold it against what it took."""
        return {"seconds": round(self.seconds, 1), "told": words(self)}


class Crew(NamedTuple):
    """What a push works with.

    paces    by driver; drivers: switch → its own
    around   switches → how many are looked at: they and their neighbors
    workers  switches that are asked at once
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
    drained = {one.device for one in planned if one.need is Need.DRAIN}
    found, changed = list[WaveForecast](), set[str]()
    for at, wave in enumerate(waves):
        changed |= set(wave.devices)
        one = _wave(wave, drained.intersection(wave.devices), crew, rules, settings)
        rests = rules.rests(canary=wave.canary) if at + 1 < len(waves) else 0.0
        soak = rests + _look(crew, changed) if rests else 0.0
        first = rules.gates.window if rules.gates is not None and not at else 0.0  # see Gauge.ready
        found.append(one._replace(soak=soak, pauses=one.pauses + first))
    # Claimed at the beginning and the end, and let go; looked at and compared at the end.
    asked = sum(_rounds(len(changed), crew) * _slowest(changed, crew).answer for _ in range(4)) if changed else 0.0
    return Forecast(tuple(found), asked + (2 * _look(crew, changed) if changed else 0.0), crew.paces)


def _wave(wave: Wave, drained: Collection[str], crew: Crew, rules: RunRules, settings: RunSettings) -> WaveForecast:
    names, pace = frozenset(wave.devices), _slowest(wave.devices, crew)
    rounds, look = _rounds(len(names), crew), _look(crew, names)
    window = rules.gates.window if rules.gates is not None else 0.0
    work, pauses, drains = rounds * ANSWERS[StepName.READ] * pace.answer + look, 0.0, 0.0
    for stage in _stages(drained, crew):
        each = (ANSWERS[step] for step in (StepName.LOAD, StepName.COMPARE, StepName.CONFIRM))
        work += rounds * (sum(each) * pace.answer + pace.commit) + look
        if stage in (StageName.MARK, StageName.DRAIN):
            drains += 2 * pace.answer + (pace.quiet if stage is StageName.DRAIN else 0.0)
        elif stage is StageName.UNDRAIN:
            work += look  # what ports count before they come back
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
    """Pace of the slowest platform among them: the steps of a wave are taken together."""
    found = {crew.drivers[name] for name in names}
    return max((crew.paces[driver] for driver in sorted(found)), key=lambda pace: (pace.commit, pace.answer))


def _look(crew: Crew, names: Collection[str]) -> float:
    return _rounds(crew.around(names), crew) * _slowest(names, crew).answer


def words(found: Forecast) -> str:
    """`3 min 33 s: commits 1 min 50 s, … (seconds of a switch: eos 1 an answer, 5 a commit, assumed)`."""
    parts = {
        "commits": found.ends + sum(wave.work for wave in found.waves),
        "checks": sum(wave.pauses for wave in found.waves),
        "drains": sum(wave.drains for wave in found.waves),
        "soak": sum(wave.soak for wave in found.waves),
    }
    told = ", ".join(f"{name} {duration(seconds)}" for name, seconds in parts.items() if seconds)
    known = "; ".join(f"{driver}: {_paced(pace)}" for driver, pace in found.paces.items())
    return f"{duration(found.seconds)}: {told} ({known})"


def _paced(pace: Pace) -> str:
    return f"{pace.answer:.2g} s an answer, {pace.commit:.2g} s a commit, {pace.source}"
