"""Counters around the waves of a run over paper switches: what takes a wave back, what is exempt, what is told."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from fabricgen.push.journal.journal import read_journal
from fabricgen.push.model import RunOutcome
from fabricgen.push.plan.duty import RunRules
from fabricgen.push.plan.gates import Gates
from fabricgen.push.prove.counter_rates import Sample
from fabricgen.push.report.counters import Counters, counters_rows, lacks
from fabricgen.push.report.json import plain
from fabricgen.push.report.markdown import markdown
from fabricgen.push.report.model import Report, report
from fabricgen.push.report.text import text
from fabricgen.state.counts import PortCounter
from tests.push.act.test_push_run import NAMES, NEW, OLD, World, no_traffic  # noqa: F401 - a fixture
from tests.push.paper import Clock, PaperLooks

NONE_GIVEN = Gates()
Rising = Callable[[str, str, float], int]
"""Switch, what it runs, and the time → changes of its link so far."""


@dataclass(slots=True)
class Counting(PaperLooks):
    """Each switch has one port, whose link changes as `rising` says; the far end of leaf-0's is at spine-0.

    comes_up: switch whose port is down while it runs what it ran
    """

    clock: Clock = field(default_factory=Clock)
    rising: Rising = lambda name, running, now: 0
    taken: dict[str, dict[str, tuple[float, int]]] = field(default_factory=dict)
    comes_up: str = ""

    def take_snapshot(self, name: str, switches: Iterable[str]) -> None:
        PaperLooks.take_snapshot(self, name, switches)
        now = self.clock()
        self.taken[name] = {one: (now, self.rising(one, text, now)) for one, text in self.seen[name].items()}

    def samples(self, name: str, switches: Iterable[str]) -> Mapping[str, Sample]:
        taken = self.taken.get(name, {})
        unread = {PortCounter.FEC: "nobody counts it"}
        cables = {"leaf-0": {"port": ("spine-0", "port")}, "spine-0": {"port": ("leaf-0", "port")}}
        return {
            one: Sample(
                taken[one][0],
                {PortCounter.FLAPS: {"port": taken[one][1]}},
                unread,
                cables=cables.get(one, {}),
                down=frozenset({"port"} if one == self.comes_up and self.seen[name][one] == OLD else ()),
            )
            for one in switches
            if one in taken
        }


def ran(
    folder: Path, rising: Rising, *, comes_up: str = "", gates: Gates = NONE_GIVEN
) -> tuple[World, RunOutcome, Report]:
    """A run in which ports count so, and its report."""
    world = World(folder)
    looks = Counting(world.switches, clock=world.clock, rising=rising, comes_up=comes_up)

    def now() -> datetime:
        return datetime.fromtimestamp(world.clock.now, UTC)

    world.more, world.checks = {"rules": RunRules(gates=gates), "now": now}, looks
    outcome = world.run()
    with read_journal(folder / "push.sqlite") as journal:
        record = journal.last()
    assert record is not None
    return world, outcome, report(record)


def test_where_nothing_rises_it_is_said_what_was_compared_and_over_how_long(tmp_path: Path) -> None:
    _, outcome, found = ran(tmp_path, lambda name, running, now: 0)
    assert outcome is RunOutcome.DONE
    told = [wave.counters for wave in found.waves]
    assert all(one is not None and one.compared == {"flaps": ports} for one, ports in zip(told, (1, 1, 2), strict=True))
    assert all(one is not None and min(one.before or (0,)) >= 10 <= min(one.after or (0,)) for one in told)
    lines = "\n".join(text(found))
    assert "counters: compared flaps of 2 ports, " in lines
    assert lines.count("FEC uncorrectable codewords") == 1  # the same in each wave
    assert "  counters not compared in any wave: FEC uncorrectable codewords: nobody counts it" in lines
    ticket = markdown(found)
    assert ticket.count("FEC uncorrectable codewords") == ticket.count("**Counters that no wave") == 1


def test_what_one_wave_alone_could_not_compare_stands_there() -> None:
    """Of others, or for another reason, too; where there is one wave, with its switches."""
    fec, crc = ("not compared: FEC uncorrectable codewords of {}: why", "not compared: frames of {}: odd")
    one, two = (Counters(None, None, {}, (), (), (), (fec.format(name), crc.format(name))) for name in ("a, b", "c…9"))
    assert lacks([one, None, two]) == (("FEC uncorrectable codewords", "why"),)
    assert list(counters_rows(one, lacks([one, two]))) == [crc.format("a, b")]
    other = two._replace(not_compared=(f"{fec.format('c')} not",))
    assert lacks([one, other]) == lacks([one, None]) == lacks([]) == ()


def test_a_link_that_changes_takes_its_wave_back_and_no_other_begins(tmp_path: Path) -> None:
    world, outcome, found = ran(tmp_path, lambda name, running, now: int(name == "leaf-1" and running == NEW))
    assert outcome is RunOutcome.FAILED
    assert world.running() == {**dict.fromkeys(NAMES, NEW), "leaf-0": OLD, "leaf-1": OLD}
    last: Any = plain(found)["waves"]
    assert list(last[2]["counters"]["broke"]) == [
        "leaf-1 port port: link flaps 0.1 per second (1 in 10 s), before 0 per second (0 in 50 s); "
        "the limit is 0 per second above twice that"
    ]
    assert "counters rose during the wave: leaf-1 port port" in "\n".join(text(found))


def test_one_that_changed_as_often_before_takes_nothing_back(tmp_path: Path) -> None:
    _, outcome, _ = ran(tmp_path, lambda name, running, now: int(now / 4))
    assert outcome is RunOutcome.DONE


@pytest.mark.parametrize(("until", "expected"), [("new drained", RunOutcome.DONE), ("new", RunOutcome.FAILED)])
def test_what_is_drained_counts_from_its_return_on(tmp_path: Path, until: str, expected: RunOutcome) -> None:
    """A spine's link changes with each text that it runs up to that one: drained, changed; and when it is back."""
    order = [OLD, "old drained", "new drained", "new"]

    def rising(name: str, running: str, now: float) -> int:
        del now
        return min(order.index(running), order.index(until)) if name == "spine-1" else 0

    assert ran(tmp_path, rising)[1] is expected


def test_a_counter_that_begins_anew_is_not_compared(tmp_path: Path) -> None:
    _, outcome, found = ran(tmp_path, lambda name, running, now: 3 if running == NEW else 2**31)
    assert outcome is RunOutcome.DONE
    wave = found.waves[2].counters
    assert wave is not None
    assert any("leaf-0 port, leaf-1 port: the counter decreased" in row for row in wave.not_compared)


def test_without_limits_nothing_is_compared(tmp_path: Path) -> None:
    world = World(tmp_path)
    assert world.run() is RunOutcome.DONE
    with read_journal(tmp_path / "push.sqlite") as journal:
        record = journal.last()
    assert record is not None
    assert all(wave.counters is None for wave in report(record).waves)


@pytest.mark.parametrize(("more", "outcome"), [(0, RunOutcome.DONE), (1, RunOutcome.FAILED)])
def test_a_port_that_the_change_turns_on_may_change_until_it_is_up(
    tmp_path: Path, more: int, outcome: RunOutcome
) -> None:
    """It changes four times at once; more: and so often a second from then on."""
    since: list[float] = []

    def rising(name: str, running: str, now: float) -> int:
        if name != "leaf-1" or running != NEW:
            return 0
        since.append(now)
        return 4 + int(more * (now - since[0]))

    world, ended, found = ran(tmp_path, rising, comes_up="leaf-1")
    assert ended is outcome
    counters = found.waves[-1].counters
    assert counters is not None
    assert any("leaf-1 port port: link flaps 4" in row for row in counters.warned) or more
    assert bool(counters.broke) is bool(more)
    assert (world.running()["leaf-1"] == NEW) is (outcome is RunOutcome.DONE)


def test_a_long_window_is_in_the_timer_of_a_commit(tmp_path: Path) -> None:
    """A sample waits for the longest window behind the commit, and the port that came up for another."""

    def rising(name: str, running: str, now: float) -> int:
        del now
        return 4 * (name == "leaf-1" and running == NEW)

    world, ended, found = ran(tmp_path, rising, comes_up="leaf-1", gates=Gates(window=600))
    assert ended is RunOutcome.DONE
    assert world.running() == dict.fromkeys(NAMES, NEW)
    counters = found.waves[-1].counters
    assert counters is not None
    assert counters.compared["flaps"] > 0


def test_a_clock_that_is_put_back_is_not_waited_for(tmp_path: Path) -> None:
    """As by an hour, between the first look and the first wave."""
    world = World(tmp_path)
    looks = Counting(world.switches, clock=world.clock)
    world.more = {
        "rules": RunRules(gates=Gates()),
        "now": lambda: datetime.fromtimestamp(world.clock.now - 3600, UTC),
    }
    world.checks = looks
    began = world.clock.now
    assert world.run() is RunOutcome.DONE
    assert world.clock.now - began < 600
