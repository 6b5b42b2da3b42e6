"""Proofs against the doubles: the way it works on five systems, and that a switch which breaks a claim is found.

What a double shows of its state is little, so that the claim of the reader does not hold there: it is no evidence.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from threading import Event

import pytest

from fabricgen.platforms.base.live.proof import MARK, Trial
from fabricgen.platforms.commit_profiles import commit_profile_of
from fabricgen.platforms.proofs import PROOFS
from fabricgen.platforms.readers import READERS
from fabricgen.prove.child import COMMITTING, WAITS
from fabricgen.prove.killing import Killing
from fabricgen.prove.run import SAME
from fabricgen.prove.steps import planned, steps_of
from fabricgen.prove.values import ClaimOutcome, ProofSettings, ProofSubject
from fabricgen.push.switch.connection import SwitchConnection
from tests.doubles.eapi_sessions import switch
from tests.doubles.eos_sessions import NEW, Switch
from tests.doubles.eos_tree import copied, grown
from tests.prove.proving import KILLS, QUICK, benched, outcomes, proven, until, why
from tests.push.boxed import LOGIN, inventory
from tests.push.live.test_kills_doubles import WORLDS
from tests.push.switch import test_box_eos as eos

EVERY = {Trial.COMPARE, Trial.EMPTY, Trial.SECOND, Trial.TIMER, Trial.REVERT, Trial.CONFIRM, Trial.REPLACE}
UNSHOWN = {"junos": {Trial.SECOND, Trial.TIMER}, "cumulus": {Trial.TIMER}}
"""Claims that a double cannot show: a minute of two lasts 3 s, and that of Junos names no time."""
HOLDS = {"sonic": 30}
"""Seconds of a timer, where what is done while it runs takes longer: its double is a real shell behind SSH."""


@pytest.mark.parametrize("name", [name for name in WORLDS if name != "sonic"])  # tests/long has that
def test_a_switch_goes_through_all_steps_and_is_left_as_it_was(name: str, tmp_path: Path) -> None:
    goes_through(name, tmp_path)


def goes_through(name: str, tmp_path: Path) -> None:
    with WORLDS[name](tmp_path / "world") as world:
        runs, starts = world.runs(), world.starts()
        with benched(world.site, name, QUICK._replace(confirm=True, hold=HOLDS.get(name, 6))) as bench:
            ended = proven(bench, world.site)
            found = outcomes(bench)
            tried = EVERY - UNSHOWN.get(name, set())
            assert {trial: found[trial] for trial in tried} == dict.fromkeys(tried, ClaimOutcome.HELD)
            assert (ended.running, ended.why, ended.leftover) == (SAME, "", "")
            lacks = "; not shown: seconds" in why(bench, Trial.SECOND)
            assert (found[Trial.SECOND] is ClaimOutcome.FAILED) == lacks == (name == "junos")
        assert without_remarks(world.runs()) == without_remarks(runs)
        assert without_remarks(world.starts()) == without_remarks(starts)


def without_remarks(held: object) -> object:
    """SR Linux' driver shows no remarks, and what it puts back has none: `limits` of srlinux/live/commit_profile.py."""
    return {name: held[name] for name in held if name != "_annotate"} if isinstance(held, dict) else held


@pytest.fixture
def box() -> Iterator[Switch]:
    with switch(eos.BEFORE, login=LOGIN, release=NEW) as found:
        found.startup = copied(found.running)
        yield found


@pytest.fixture
def site(box: Switch, tmp_path: Path) -> Path:
    return inventory(tmp_path / "site", {"leaf": box.port}, "eos", transport="http")


def test_a_process_that_is_killed_leaves_what_ran(box: Switch, site: Path) -> None:
    """A real process, killed by its number: its commit is seen to wait, and goes back by the timer.

    A session that is left open where it was killed half-way would make every other commit wait: it is ended.
    """
    with benched(site, "eos", QUICK._replace(skip=frozenset({"load", "revert"}), hold=6)) as bench:
        assert proven(bench, site).running == SAME
        assert outcomes(bench)[Trial.KILL_WAITING] is ClaimOutcome.HELD, why(bench, Trial.KILL_WAITING)
        assert "armed as fabricgen-01234567" in why(bench, Trial.KILL_WAITING)
        assert outcomes(bench)[Trial.KILL_COMMITTING] is ClaimOutcome.HELD, why(bench, Trial.KILL_COMMITTING)
    assert box.running == grown(eos.BEFORE)
    assert box.sessions == {}


class Undead:
    """A process that says what one does and commits nothing."""

    def __init__(self, spec: object) -> None:
        del spec
        self.said = [COMMITTING, WAITS]

    def next_line(self, seconds: float) -> str:
        del seconds
        return self.said.pop(0)

    def kill(self) -> None:
        """Nothing is left."""


def test_a_commit_that_is_not_there_when_its_process_was_killed_does_not_hold(site: Path) -> None:
    with benched(site, "eos", QUICK._replace(skip=frozenset({"load", "timer", "revert", "kill-committing"}))) as bench:
        proven(bench, site, Undead)
        assert outcomes(bench)[Trial.KILL_WAITING] is ClaimOutcome.FAILED
        assert why(bench, Trial.KILL_WAITING).startswith("no armed commit was found")


def test_a_timer_that_keeps_what_it_should_take_back_is_found_and_what_ran_is_put_back(
    box: Switch, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(self: Switch) -> None:
        self.timer = None

    monkeypatch.setattr(Switch, "revert", keep)
    with benched(site, "eos") as bench:
        ended = proven(bench, site)
        found = outcomes(bench)
        assert found[Trial.TIMER] is ClaimOutcome.FAILED
        assert "its running configuration is NOT the original one" in why(bench, Trial.TIMER)
        assert ended.why == "after the step timer it does not run its original configuration"
        assert (found[Trial.REVERT], why(bench, Trial.REVERT)) == (ClaimOutcome.UNTRIED, "the test ended before")
        assert (ended.outcome, ended.running, found[Trial.RESTORED]) == ("did not hold", SAME, ClaimOutcome.HELD)
    assert box.running == grown(eos.BEFORE)


def test_where_the_startup_differs_nothing_is_saved_and_what_to_type_is_told(
    box: Switch, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def keep(self: Switch) -> None:
        self.timer = None

    box.startup = grown(eos.BEFORE.replace("leaf", "saved-before"))
    monkeypatch.setattr(Switch, "revert", keep)
    with benched(site, "eos", QUICK._replace(confirm=True)) as bench:
        ended = proven(bench, site)
        assert (ended.running, ended.startup) == ("DIFFERS", SAME)
        assert ended.leftover == f"configure; no ip prefix-list {MARK}; end"
        assert outcomes(bench)[Trial.RESTORED] is ClaimOutcome.FAILED
    assert box.startup == grown(eos.BEFORE.replace("leaf", "saved-before"))


def test_a_timer_that_is_late_does_not_hold_its_seconds(
    box: Switch, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The claim says so many seconds; the same switch, held against fewer, does not hold it."""
    with benched(site, "eos", QUICK._replace(skip=KILLS | {"load", "revert"})) as bench:
        claims = tuple(
            claim._replace(seconds=-1) if claim.trial is Trial.TIMER else claim for claim in bench.subject.table.claims
        )
        monkeypatch.setattr(bench, "subject", bench.subject._replace(table=replace(bench.subject.table, claims=claims)))
        proven(bench, site)
        assert outcomes(bench)[Trial.TIMER] is ClaimOutcome.FAILED
        assert "the claim is -1 s" in why(bench, Trial.TIMER)
    assert box.running == grown(eos.BEFORE)


def test_a_secret_that_is_shown_is_found(box: Switch, site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    only_read = QUICK._replace(skip=KILLS | {"load", "timer", "revert"})
    with benched(site, "eos", only_read) as bench:
        proven(bench, site)
        assert outcomes(bench)[Trial.SECRETS] is ClaimOutcome.HELD
    monkeypatch.setattr(SwitchConnection, "running", lambda self: self.snapshot().text)
    with benched(site, "eos", only_read) as bench:
        proven(bench, site)
        assert outcomes(bench)[Trial.SECRETS] is ClaimOutcome.FAILED
        assert "in the output: 1" in why(bench, Trial.SECRETS)
    assert eos.HASH in "\n".join(map(str, box.running))


def test_stopped_by_hand_what_is_armed_is_ended_at_once(box: Switch, site: Path) -> None:
    stop = Event()

    class Watch(Event):
        """Set once a commit waits."""

        def wait(self, timeout: float | None = None) -> bool:
            if box.timer is not None:
                stop.set()
            return stop.wait(timeout)

        def is_set(self) -> bool:
            return stop.is_set()

    with benched(site, "eos", QUICK._replace(hold=3000), Watch()) as bench:
        ended = proven(bench, site)
        assert (ended.outcome, ended.why, ended.running) == ("stopped", "stopped by the operator", SAME)
        assert outcomes(bench)[Trial.TIMER] is ClaimOutcome.UNTRIED
    assert until(lambda: box.timer is None and box.running == grown(eos.BEFORE))


def test_a_system_without_a_timer_is_only_read_and_compared() -> None:
    subject = ProofSubject("leaf", "nxos", PROOFS["nxos"], READERS["nxos"], {})
    given = ProofSettings(hold=60, port="Ethernet1/1", session="10.0.0.1", confirm=True)
    plan = planned(steps_of(Killing(Path())), subject, commit_profile_of("nxos"), given)
    assert [found.step.name for found in plan if not found.reason] == ["read", "load"]
    assert {found.reason for found in plan if found.reason} == {"nxos has no commit that reverts by itself"}
