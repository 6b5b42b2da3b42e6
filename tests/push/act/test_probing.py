"""Packets over every path around the waves of a run, on paper: what loses them newly sends its wave back."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from fabricgen.errors import FabricError
from fabricgen.push.act.unfinished_run import RunProgress
from fabricgen.push.journal.journal import read_journal
from fabricgen.push.model import RunOutcome, RunRecord, StepName, StepState
from fabricgen.push.report.model import report
from fabricgen.push.report.paths import PathsReport, paths_rows, paths_words
from fabricgen.push.report.text import text
from fabricgen.verify.finding import Finding, SwitchVerdict, Unchecked
from tests.push.act.test_push_run import NAMES, NEW, OLD, World, no_traffic  # noqa: F401 - a fixture
from tests.push.paper import Killed

CABLE, OTHER = "cable spine-1/p1 to leaf-1/p9", "cable spine-2/p1 to leaf-1/p8"


def lossy(*cables: str) -> tuple[SwitchVerdict, ...]:
    """A round in which these cables lose packets. The rate is another one each time."""
    found = tuple(
        Finding("spine-1", "paths", "path-cable", cable, "loses packets", "no packet lost", f"{at} of 9")
        for at, cable in enumerate(cables)
    )
    passed = (("paths", 24 - len(found)),)
    return (SwitchVerdict(device="paths", passed=passed, findings=found, unchecked=()),)


class Probes:
    """Rounds of packets, as a test says: by the number of the round from 0, or by what runs."""

    def __init__(self, *rounds: Iterable[SwitchVerdict]) -> None:
        self.rounds = rounds
        self.waiting: list[frozenset[str]] = []

    def __call__(self, waiting: frozenset[str]) -> Iterable[SwitchVerdict]:
        self.waiting.append(waiting)
        at = len(self.waiting) - 1
        return self.rounds[min(at, len(self.rounds) - 1)]


def record(folder: Path) -> RunRecord:
    with read_journal(folder / "push.sqlite") as journal:
        found = journal.last()
    assert found is not None
    return found


def test_each_wave_is_probed_with_what_is_still_to_come(tmp_path: Path) -> None:
    probes = Probes(lossy())
    world = World(tmp_path, more={"probe": probes})
    assert world.run() is RunOutcome.DONE
    found = report(record(tmp_path))
    waves = [frozenset(wave.wave.devices) for wave in found.waves]
    assert probes.waiting == [frozenset[str]().union(*waves[at:]) for at in range(len(waves) + 1)]
    assert all(wave.paths is not None and wave.paths.passed == 24 for wave in found.waves)
    assert "  paths: 24 pass without loss" in list(text(found))


def test_a_path_that_loses_packets_sends_the_wave_back(tmp_path: Path) -> None:
    world = World(tmp_path, more={"probe": Probes(lossy(), lossy(CABLE))})
    assert world.run() is RunOutcome.FAILED
    assert world.running() == dict.fromkeys(NAMES, OLD)
    found = report(record(tmp_path))
    (reason, *_) = [switch.reason for switch in found.switches if switch.reason]
    assert f"the wave lost packets: spine-1: {CABLE} loses packets" in reason


def test_one_round_that_loses_a_few_while_the_fabric_converges_is_no_reason(tmp_path: Path) -> None:
    world = World(tmp_path, more={"probe": Probes(lossy(), lossy(CABLE), lossy())})
    assert world.run() is RunOutcome.DONE
    first = report(record(tmp_path)).waves[0].paths
    assert first is not None
    assert (first.new, first.passed) == ((), 24)
    assert world.running() == dict.fromkeys(NAMES, NEW)


NOTHING = (SwitchVerdict(device="paths", passed=(), findings=(), unchecked=(Unchecked("paths", "paths", "no room"),)),)


@pytest.mark.parametrize(("second", "named"), [(lossy(OTHER), OTHER), (NOTHING, CABLE)])
def test_a_loss_that_is_blamed_on_another_cable_or_not_looked_at_again_is_a_loss(
    tmp_path: Path, second: Iterable[SwitchVerdict], named: str
) -> None:
    world = World(tmp_path, more={"probe": Probes(lossy(), lossy(CABLE), second, lossy())})
    assert world.run() is RunOutcome.FAILED
    assert world.running() == dict.fromkeys(NAMES, OLD)
    reasons = [switch.reason for switch in report(record(tmp_path)).switches if switch.reason]
    assert any(f"the wave lost packets: spine-1: {named} loses packets" in reason for reason in reasons)


def partly(number: int) -> tuple[SwitchVerdict, ...]:
    """A round in which no cable loses packets, and that leaves some paths out."""
    (whole,) = lossy()
    reason = f"{number} flows changed paths during the test: the fabric is converging"
    return (replace(whole, unchecked=(Unchecked("paths", "paths", reason),)),)


def late(number: int, *more: str) -> tuple[SwitchVerdict, ...]:
    """A round that leaves others out."""
    (found,) = lossy()
    reasons = (f"{number} flows of a switch that answers late", *more)
    return (replace(found, unchecked=tuple(Unchecked("paths", "paths", one) for one in reasons)),)


def both(number: int) -> tuple[SwitchVerdict, ...]:
    """A round that leaves out both."""
    (found,) = partly(number)
    return late(number, *(one.reason for one in found.unchecked))


Rounds = tuple[Iterable[SwitchVerdict], ...]
BEFORE = (partly(3), partly(4))
"""Two rounds before the run that left paths out for the same reason: the fabric always converges."""


@pytest.mark.parametrize(("start", "outcome"), [((lossy(),), RunOutcome.FAILED), (BEFORE, RunOutcome.DONE)])
def test_a_second_round_clears_no_path_that_it_left_out(tmp_path: Path, start: Rounds, outcome: RunOutcome) -> None:
    """What is left out for the same reason before the run tells nothing."""
    world = World(tmp_path, more={"probe": Probes(*start, lossy(CABLE), partly(5), lossy())})
    assert world.run() is outcome
    assert (world.running() == dict.fromkeys(NAMES, OLD)) is (outcome is RunOutcome.FAILED)


LEFT_OUT = (
    "paths that --paths requires could not be probed after the wave, in two "
    "attempts, but could before the run: 7 flows changed paths"
)


@pytest.mark.parametrize(
    ("rounds", "outcome"),
    [
        ((lossy(), partly(5), partly(7)), RunOutcome.FAILED),
        ((lossy(), partly(5), NOTHING), RunOutcome.FAILED),
        ((partly(3), lossy(), partly(5), partly(7)), RunOutcome.FAILED),  # before the run it was for a moment alone
        ((partly(3), NOTHING, partly(5), partly(7)), RunOutcome.DONE),
        ((*BEFORE, partly(5), partly(7)), RunOutcome.DONE),
        ((partly(3), both(4), late(5), late(7)), RunOutcome.FAILED),  # the first round before the run had probed them
        ((lossy(), partly(5), lossy()), RunOutcome.DONE),
        ((lossy(), partly(5), lossy(CABLE)), RunOutcome.FAILED),
    ],
)
def test_two_rounds_that_leave_out_what_was_probed_before_prove_nothing(
    tmp_path: Path, rounds: Rounds, outcome: RunOutcome
) -> None:
    """What they left out may be what loses packets: a gate that was not measured is not passed."""
    world = World(tmp_path, more={"probe": Probes(*rounds)})
    assert world.run() is outcome
    assert world.running() == dict.fromkeys(NAMES, NEW if outcome is RunOutcome.DONE else OLD)
    if rounds == (lossy(), partly(5), partly(7)):
        found = report(record(tmp_path))
        assert any(switch.reason.startswith(LEFT_OUT) for switch in found.switches)
        assert not any(row.startswith("Done") for row in text(found))


def test_what_could_be_probed_neither_before_nor_behind_a_wave_stands_at_the_head_of_the_result(tmp_path: Path) -> None:
    world = World(tmp_path, more={"probe": Probes(*BEFORE, partly(5))})
    assert world.run() is RunOutcome.DONE
    head, *_ = text(report(record(tmp_path)))
    assert head.endswith(
        "and all checks passed. Not every path was probed: 5 flows changed paths during the test: the fabric is "
        "converging."
    )


def test_a_run_that_was_killed_between_two_rounds_before_it_knows_the_one_that_was_sent(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        World(tmp_path, more={"probe": Probes(partly(3), NOTHING)}, kill_at=40).run()
    found = RunProgress(record(tmp_path))
    assert (found.has_probed, found.lossy, len(found.unprobed)) == (True, frozenset(), 1)
    assert "no room" not in found.unprobed


def test_a_run_that_was_killed_knows_what_neither_round_before_it_had_probed(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        World(tmp_path, more={"probe": Probes(partly(3), both(4))}, kill_at=60).run()
    found = RunProgress(record(tmp_path))
    assert found.touched
    assert found.unprobed == {"4 flows changed paths during the test: the fabric is converging"}


def test_a_run_that_was_killed_knows_which_paths_it_left_out(tmp_path: Path) -> None:
    with pytest.raises(Killed):
        World(tmp_path, more={"probe": Probes(partly(3))}, kill_at=40).run()
    assert RunProgress(record(tmp_path)).unprobed == {"3 flows changed paths during the test: the fabric is converging"}


def test_a_run_that_was_killed_before_it_changed_anything_is_probed_again(tmp_path: Path) -> None:
    """Its first round had left paths out for a moment; the second one was not made."""
    (tmp_path / "whole").mkdir()
    whole = World(tmp_path / "whole", more={"probe": Probes(partly(3))})
    whole.run()
    at = whole.points.index("paths ended of  noted")
    world = World(tmp_path, more={"probe": Probes(partly(3))}, kill_at=at)
    with pytest.raises(Killed):
        world.run()
    rounds = [one.how for one in record(tmp_path).events if one.step is StepName.PATHS]
    assert rounds == [StepState.BEGUN, StepState.ENDED]
    world.kill_at, world.more = -1, {"probe": Probes(lossy(), partly(5))}
    assert world.run() is RunOutcome.FAILED
    assert world.running() == dict.fromkeys(NAMES, OLD)


def test_what_lost_packets_before_the_run_is_told_and_no_reason(tmp_path: Path) -> None:
    world = World(tmp_path, more={"probe": Probes(lossy(CABLE))})
    assert world.run() is RunOutcome.DONE
    found = report(record(tmp_path)).waves[0].paths
    assert found is not None
    assert paths_words(found) == "23 pass without loss; 1 lost packets before"
    assert list(paths_rows(found)) == [f"before: spine-1: {CABLE} loses packets"]


def test_a_run_that_was_killed_knows_what_lost_packets_before_it(tmp_path: Path) -> None:
    """The change has cut a cable by then: that is none of what was lost before."""
    whole = World(tmp_path, more={"probe": Probes(lossy(CABLE))}, kill_at=40)
    with pytest.raises(Killed):
        whole.run()
    again = World(tmp_path, more={"probe": Probes(lossy(CABLE, OTHER))})
    again.switches = whole.switches
    assert again.run() is RunOutcome.FAILED
    found = [
        event.detail for event in record(tmp_path).events if event.step.value == "paths" and "before" in event.detail
    ]
    assert found[-1]["before"] == [f"spine-1: {CABLE} loses packets"]


@pytest.mark.parametrize("is_killed", [False, True])
def test_what_lost_packets_in_the_first_of_two_rounds_before_the_run_is_no_reason(
    tmp_path: Path, *, is_killed: bool
) -> None:
    """The second one, as the first left paths out, found nothing."""
    (both,), (whole,) = lossy(CABLE), partly(3)
    first = (replace(both, unchecked=whole.unchecked),)
    world = World(tmp_path, more={"probe": Probes(first, lossy(), lossy(CABLE))}, kill_at=60 if is_killed else -1)
    if is_killed:
        with pytest.raises(Killed):
            world.run()
        assert RunProgress(record(tmp_path)).touched
        world.kill_at = -1
    assert world.run() is RunOutcome.DONE
    assert report(record(tmp_path)).waves[0].paths == PathsReport(23, (), (f"spine-1: {CABLE} loses packets",), ())


def test_where_nothing_can_be_probed_nothing_begins(tmp_path: Path) -> None:
    world = World(tmp_path, more={"probe": Probes(NOTHING)})
    with pytest.raises(FabricError) as refused:
        world.run()
    (problem,) = refused.value.problems
    assert (problem.code, problem.why) == ("push-paths", "no room")
    found = record(tmp_path)
    assert (found.outcome, [event for event in found.events if event.step is StepName.COMMIT]) == (
        RunOutcome.FAILED,
        [],
    )
    assert world.running() == dict.fromkeys(NAMES, OLD)


def test_a_wave_that_can_not_be_probed_goes_back(tmp_path: Path) -> None:
    world = World(tmp_path, more={"probe": Probes(lossy(), NOTHING)})
    assert world.run() is RunOutcome.FAILED
    assert world.running() == dict.fromkeys(NAMES, OLD)
    found = report(record(tmp_path))
    assert any(
        "no path could be probed after the wave, although --paths requires it" in switch.reason
        for switch in found.switches
    )
    paths = found.waves[0].paths
    assert paths is not None
    assert (paths_words(paths), list(paths_rows(paths))) == ("none was probed", ["not probed: no room"])


@pytest.mark.parametrize(("second", "outcome"), [(lossy(), RunOutcome.DONE), (lossy(CABLE), RunOutcome.FAILED)])
def test_a_round_that_sends_nothing_is_made_once_more(
    tmp_path: Path, second: Iterable[SwitchVerdict], outcome: RunOutcome
) -> None:
    world = World(tmp_path, more={"probe": Probes(lossy(), NOTHING, second)})
    assert world.run() is outcome


@pytest.mark.parametrize(("probe", "wanted"), [({"probe": Probes(lossy())}, True), ({}, False)])
def test_a_killed_run_knows_how_it_was_proven(tmp_path: Path, probe: dict[str, object], *, wanted: bool) -> None:
    """Another command could not go on: what was lost before the first wave is seen then alone."""
    with pytest.raises(Killed):
        World(tmp_path, more=probe, kill_at=1).run()
    assert RunProgress(record(tmp_path)).has_probed is None
    with pytest.raises(Killed):
        World(tmp_path, more=probe, kill_at=50).run()
    assert RunProgress(record(tmp_path)).has_probed is wanted
