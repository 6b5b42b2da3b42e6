"""How long a push takes: what is forecast by hand's arithmetic, what it is made of, and how it is told."""

import json
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from pathlib import Path

import pytest

from fabricgen.platforms.base.live.commit_profile import Pace
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.push.act.forecast import Crew, Forecast, forecast, paces, words
from fabricgen.push.act.work import RunSettings
from fabricgen.push.journal.journal import open_journal
from fabricgen.push.model import Head, Need, PlannedSwitch, RunOutcome, StepName, StepState, Took, Wave
from fabricgen.push.plan.duty import RunRules
from fabricgen.push.plan.gates import Gates
from fabricgen.push.report.json import plain
from fabricgen.push.report.markdown import markdown
from fabricgen.push.report.model import report
from fabricgen.push.report.text import text
from tests.push.push_records import record, said, took

SPINES = ("spine-0", "spine-1", "spine-2", "spine-3")
PACE = Pace(1, 3, 40, "as in run 4")
GATES = Gates(window=10)


def waves_of(*sizes: int) -> tuple[Wave, ...]:
    left, found = list(SPINES), []
    for number, size in enumerate(sizes, 1):
        names, left = tuple(left[:size]), left[size:]
        found.append(Wave(number, "backend", "spine", number == 1, names, Fraction(1)))
    return tuple(found)


def planned(need: Need) -> tuple[PlannedSwitch, ...]:
    return tuple(PlannedSwitch(name, 1, need, "", "hitless", "", "", "") for name in SPINES)


def made(
    sizes: tuple[int, ...],
    need: Need = Need.PLAIN,
    rules: RunRules | None = None,
    workers: int = 2,
    *,
    leaf: bool = False,
) -> Forecast:
    """A switch has one neighbor, which is looked at with it."""

    def around(names: Collection[str]) -> int:
        return 2 * len(names)

    crew = Crew({"eos": PACE}, dict.fromkeys(SPINES, "eos"), around, workers, lambda name: leaf)
    return forecast(waves_of(*sizes), planned(need), crew, rules or RunRules(gates=GATES), RunSettings())


def test_a_hitless_wave_by_hand() -> None:
    """Of one switch: 3 answers and a look; 4 to load, 3 s to commit, 10 s watched, a look, and three small ones.

    Those are 1 to compare, 2 to log in, 2 to confirm.
    Of three and two at a time everything twice, looks at six three times. The first wave waits for counters, too.
    """
    first, second = made((1, 3)).waves
    assert (first.work, first.pauses, first.drains, first.soak) == (3 + 1 + 4 + 3 + 1 + 1 + 2 + 2, 10 + 10, 0, 0)
    assert (second.work, second.pauses) == (2 * (3 + 4 + 3 + 1 + 2 + 2) + 3 + 3, 10)


def test_the_ends_by_hand() -> None:
    """Of four: claimed twice, let go, compared, at two a time; looked at, eight of them, before and behind all."""
    found = made((1, 3))
    assert found.ends == 4 * 2 + 2 * 4
    assert found.seconds == found.ends + sum(wave.seconds for wave in found.waves)


def test_a_drained_spine_has_three_stages_and_waits_until_it_is_quiet() -> None:
    (first, *_) = made((1, 3), Need.DRAIN).waves
    stage = 4 + 3 + 1 + 2 + 2 + 1
    assert first.work == 3 + 1 + 3 * stage + 1
    assert first.drains == 40 + 2
    assert first.pauses == 10 + 10 + 10
    leaf = made((1, 3), Need.DRAIN, leaf=True).waves[0]
    assert leaf.work == 3 + 1 + 5 * stage + 1
    assert leaf.drains == 2 + 40 + 2


def test_a_longer_window_of_counters_is_waited_for_once_a_wave() -> None:
    assert [one.pauses for one in made((1, 3), rules=RunRules(gates=Gates(window=30))).waves] == [60, 30]
    assert [one.pauses for one in made((1, 3), rules=RunRules()).waves] == [10, 10]


def test_a_soak_is_behind_each_wave_but_the_last_with_a_look_at_all_so_far() -> None:
    """Two are looked at after the first wave and four after the second, two at a time."""
    assert [one.soak for one in made((1, 1, 2), rules=RunRules(soak=120)).waves] == [121, 122, 0]


def test_nothing_to_change_takes_nothing() -> None:
    assert made(()).seconds == 0


def test_paces_are_medians_of_what_was_seen_by_driver() -> None:
    """Three answers are in a read and four in a load: see ANSWERS."""
    seen = [Took("a", StepName.READ, seconds) for seconds in (3.0, 6.0, 60.0)]
    seen += [Took("a", StepName.COMMIT, seconds) for seconds in (4.0, 8.0, 9.0)]
    seen += [Took("b", StepName.COMMIT, 1.0), Took("gone", StepName.READ, 999.0)]
    found = paces(["eos", "frr"], {"a": "eos", "b": "frr"}, seen, "as in run 7")
    assert found["eos"] == Pace(2.0, 8.0, COMMIT_PROFILES["eos"].pace.quiet, "as in run 7")
    assert found["frr"] == COMMIT_PROFILES["frr"].pace  # nobody knows how it answers
    assert {profile.pace.source for profile in COMMIT_PROFILES.values()} == {"assumed"}
    quiet = paces(["eos"], {"a": "eos"}, [*seen, Took("a", StepName.QUIET, 12.0)], "")
    assert quiet["eos"].quiet == 12.0


def test_the_journal_tells_what_the_last_push_that_committed_took(tmp_path: Path) -> None:
    """Not one that ended before its first commit; only steps of switches with both of their ends."""
    now = [datetime(2026, 3, 1, tzinfo=UTC)]
    head = Head("cafe", "intent", "inventory", "", "me")
    with open_journal(tmp_path / "push.sqlite", lambda: now[0]) as journal:
        assert journal.took() is None
        rows = [
            (0, StepName.READ, StepState.BEGUN, "a", ""),
            (2, StepName.READ, StepState.ENDED, "a", ""),
            (0, StepName.COMMIT, StepState.BEGUN, "a", "drain"),
            (0, StepName.COMMIT, StepState.BEGUN, "b", "drain"),
            (3, StepName.COMMIT, StepState.ENDED, "a", "drain"),
            (1, StepName.COMMIT, StepState.FAILED, "b", "drain"),
            (5, StepName.CHECK, StepState.BEGUN, "a", "drain"),
            (9, StepName.CHECK, StepState.ENDED, "a", "drain"),
            (1, StepName.CHECK, StepState.ENDED, "", ""),
        ]
        run = journal.begin(head, (), ())
        for seconds, step, how, device, stage in rows:
            now[0] += timedelta(seconds=seconds)
            journal.note(run, step, how, device=device, stage=stage)
        journal.finish(run, RunOutcome.FAILED)
        later = journal.begin(head, (), ())
        journal.note(later, StepName.READ, StepState.BEGUN, device="a")
        journal.note(later, StepName.READ, StepState.ENDED, device="a")
        assert journal.took() == (run, (Took("a", StepName.READ, 2.0), Took("a", StepName.COMMIT, 3.0)))


def test_words() -> None:
    """17 s, 36 s and 16 s of work; 20 s and 10 s of proofs; 60 s of soak with a look of 1 s."""
    assert words(made((1, 3), rules=RunRules(soak=60, gates=GATES))) == (
        "2 min 40 s: commits 1 min 9 s, checks 30 s, soak 1 min 1 s (eos: 1 s per answer, 3 s per commit, as in run 4)"
    )


@pytest.mark.parametrize("ended", [True, False])
def test_a_report_holds_the_forecast_against_what_it_took(*, ended: bool) -> None:
    rows = [said(0, "", "", StepName.FORECAST, StepState.ENDED, seconds=100.0, told="1 min 40 s: all of it")]
    rows += [*took(10, 69, "be-leaf-000", "change", StepName.COMMIT)]
    found = report(record(*rows, outcome=RunOutcome.DONE if ended else None))
    line = "estimated duration 1 min 40 s: all of it" + ("; took 1 min 20 s (80 % of the estimate)" if ended else "")
    assert f"  {line}" in list(text(found))
    assert f"- {line}\n" in markdown(found)
    assert plain(found)["forecast"] == {"seconds": 100.0, "summary": "1 min 40 s: all of it"}
    none = report(record())
    assert "forecast" not in "\n".join(text(none))
    assert json.loads(json.dumps(plain(none)))["forecast"] is None
