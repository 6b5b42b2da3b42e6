"""What a hand types on doubles of five systems while a commit waits: named when the commit is reverted."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from inspect import getclosurevars
from pathlib import Path
from typing import Any

import pytest

from fabricgen.platforms.cumulus.napalm_driver.driver import CumulusDriver
from fabricgen.platforms.eos.live.commit import CHANGED
from fabricgen.platforms.readers import READERS
from fabricgen.push.act.run import push
from fabricgen.push.act.run_wave import WavePush
from fabricgen.push.act.work import Means, RunSettings
from fabricgen.push.journal.journal import Journal, open_journal
from fabricgen.push.model import RunOutcome, RunRecord, StepName, StepState
from fabricgen.push.prove.snapshots import CheckCounts, Verdicts
from fabricgen.push.report.hands import Hand
from fabricgen.push.report.model import report
from fabricgen.push.switch.fleet import NapalmFleet
from tests.doubles import eos_tree
from tests.doubles import junos_netconf as netconf
from tests.doubles.cumulus_nvue import Revision
from tests.push.boxed import at, fleet
from tests.push.kills import NAME, Nothing, Switch, _record, alone
from tests.push.live import test_kills_doubles
from tests.push.live.test_kills_doubles import WORLDS, World, no_traffic
from tests.push.paper import Killed
from tests.some import some

__all__ = ("no_traffic",)

SECONDS = 60


class Broken(Nothing):
    """Looks that find something behind the change."""

    def compare(self, before: str, after: str, moment: object) -> Verdicts:
        del before, after, moment
        return Verdicts(CheckCounts(1, 0), CheckCounts(1, 1), ("it is broken",), 0)


@pytest.fixture(autouse=True)
def long_minutes(monkeypatch: pytest.MonkeyPatch) -> None:
    """No timer is to be faster than the test."""
    monkeypatch.setattr(test_kills_doubles, "MINUTE", float(SECONDS))


@contextmanager
def run(world: World, folder: Path) -> Iterator[tuple[Means, RunRecord]]:
    """A run that goes back once it has committed."""
    switch = Switch(folder=folder, site=world.site, state=folder, driver=world.driver)
    with open_journal(switch.journal) as journal, fleet(switch.site, switch.driver) as reach:
        record = _record(journal, switch, world.wanted, reach)
        assert record is not None
        yield means(world, journal, reach, record), record


def means(world: World, journal: Journal, reach: NapalmFleet, record: RunRecord) -> Means:
    return replace(
        alone(journal, reach, record, world.wanted),
        checks=Broken(),
        settings=RunSettings(watch=0, converge=0.1, confirm=SECONDS),
        drifts=lambda name: READERS[world.driver].drift,
    )


def eos(world: World) -> str:
    box = getclosurevars(world.runs).nonlocals["found"]
    tree = eos_tree.copied(box.running)
    tree["ntp server 192.0.2.7"] = {}
    box.running = tree
    return "ntp server 192.0.2.7"


def junos(world: World) -> str:
    box = getclosurevars(world.runs).nonlocals["found"]
    tree = netconf.copied(box.active)
    tree["system"]["domain-name by.hand"] = {}
    box.active, box.candidate = tree, netconf.copied(tree)
    return "system / domain-name by.hand"


def sonic(world: World) -> str:
    path = getclosurevars(world.runs).nonlocals["leaf"].box.root / "db.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "NTP_SERVER": {"192.0.2.7": {}}}))
    return "NTP_SERVER / 192.0.2.7"


def cumulus(world: World) -> str:
    box = getclosurevars(world.runs).nonlocals["stand"].switch
    box.applied = box.applied.replace("      hostname: leaf\n", "      hostname: leaf\n      timezone: Europe/Rome\n")
    return "system / timezone: Europe/Rome"


def srlinux(world: World) -> str:
    box = world.runs.__self__  # type: ignore[attr-defined]
    box.running = {**box.running, "srl_nokia-system:system": {
        **box.running["srl_nokia-system:system"], "srl_nokia-ntp:ntp": {"admin-state": "enable"}}}  # fmt: skip
    return "system / ntp / admin-state: enable"


TYPES: dict[str, Callable[[World], str]] = {
    "eos": eos, "junos": junos, "sonic": sonic, "cumulus": cumulus, "srlinux": srlinux,
}  # fmt: skip


def junos_commits(world: World) -> str:
    """From a private copy: what is loaded under the lock stays."""
    box = getclosurevars(world.runs).nonlocals["found"]
    tree, loaded = netconf.copied(box.active), box.candidate
    tree["system"]["domain-name by.hand"] = {}
    box.commit(tree, "by hand", None)
    box.candidate = loaded
    return "system / domain-name by.hand"


def cumulus_applies(world: World) -> str:
    box = getclosurevars(world.runs).nonlocals["stand"].switch
    parent, told = box._current(), cumulus(world)
    box.revisions["77"] = Revision(box.applied, "applied", "by hand", parent)
    return told


def srlinux_commits(world: World) -> str:
    box, told = world.runs.__self__, srlinux(world)  # type: ignore[attr-defined]
    box.commit(box.running, None, "alice")
    return told


RIGHT_BEFORE: dict[str, tuple[Callable[[World], str], type, str, str]] = {
    "eos": (eos, WavePush, "_unmoved", CHANGED),
    "junos": (junos_commits, WavePush, "_unmoved", "another commit was made right before it (by hand)"),
    "sonic": (sonic, WavePush, "_unmoved", "what ran had changed between its last look and its commit"),
    "cumulus": (cumulus_applies, CumulusDriver, "_free", "another revision was applied before it: 77"),
    "srlinux": (srlinux_commits, WavePush, "_unmoved", "another commit was made before it: 0 of the switch's list"),
}
"""What a hand does, behind which method of what, and how it is told."""


@pytest.mark.parametrize("name", RIGHT_BEFORE)
@pytest.mark.parametrize("is_typed", [True, False])
def test_what_a_hand_changes_between_the_last_look_and_the_commit_stays(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_typed: bool
) -> None:
    """The commit has undone it, unseen: it is reverted, so that it runs again."""
    typed = list[str]()
    types, owner, method, told = RIGHT_BEFORE[name]
    with WORLDS[name](tmp_path / "world") as world, run(world, tmp_path) as (broken, record):
        given = replace(broken, checks=Nothing())
        before = getattr(owner, method)

        def looked(*found: object) -> object:
            seen = before(*found)
            if is_typed and not typed:
                typed.append(types(world))
            return seen

        monkeypatch.setattr(owner, method, looked)
        outcome, runs = push(given, record), world.runs()
        (one,) = report(given.journal.record(record.number)).switches
    assert outcome is (RunOutcome.FAILED if is_typed else RunOutcome.DONE), one.reason
    if is_typed:
        assert f"it was changed manually right before this commit, which undid that: {told}" in one.reason
        assert (
            f"reverted: it runs its previous configuration, with manual changes right before that: {typed[0]} (added)"
        ) in one.reason
        assert one.end.value == "reverted"
    assert runs is not None


@pytest.mark.parametrize("name", some(RIGHT_BEFORE))
def test_a_commit_that_somebody_confirms_before_the_way_back_is_not_told_to_be_reverted(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The switch runs the change, and none of its lines is a hand's."""
    types, owner, method, _ = RIGHT_BEFORE[name]
    with WORLDS[name](tmp_path / "world") as world, run(world, tmp_path) as (broken, record):
        given, looks, goes_back = replace(broken, checks=Nothing()), getattr(owner, method), WavePush._back

        def looked(*found: object) -> object:
            seen = looks(*found)
            types(world)
            return seen

        def confirmed(*found: Any) -> None:  # noqa: ANN401
            with fleet(world.site, world.driver) as theirs:
                at(theirs, lambda box: box.confirm(box.pending() or ""))
            goes_back(*found)

        monkeypatch.setattr(owner, method, looked)
        monkeypatch.setattr(WavePush, "_back", confirmed)
        assert push(given, record) is RunOutcome.FAILED
        (one,) = report(given.journal.record(record.number)).switches
    assert one.end.value == "failed"
    assert "it does not run its previous configuration" in one.reason
    assert "right before that" not in one.reason


@pytest.mark.parametrize(("name", "outcome"), some([
    *((name, RunOutcome.FAILED) for name in RIGHT_BEFORE if name != "eos"),
    ("eos", RunOutcome.DONE),  # how its session differed right before its commit, the killed process alone had seen
]))  # fmt: skip
def test_a_run_that_was_killed_right_behind_its_commit_looks_for_such_a_hand_too(
    name: str, outcome: RunOutcome, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    types, owner, method, told = RIGHT_BEFORE[name]
    with WORLDS[name](tmp_path / "world") as world, run(world, tmp_path) as (broken, record):
        given = replace(broken, checks=Nothing())
        before = getattr(owner, method)

        def looked(*found: object) -> object:
            seen = before(*found)
            types(world)
            return seen

        def killed(*_: object) -> None:
            raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(owner, method, looked)
            patched.setattr(WavePush, "_alone_since", killed)
            patched.setattr(WavePush, "_back", killed)
            with pytest.raises(Killed):
                push(given, record)
        with fleet(world.site, world.driver) as again:
            assert push(replace(given, fleet=again), given.journal.record(record.number)) is outcome
        (one,) = report(given.journal.record(record.number)).switches
    if outcome is RunOutcome.FAILED:
        assert told in one.reason
        assert "reverted: it runs its previous configuration, with manual changes right before that" in one.reason


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("is_typed", [True, False])
def test_what_a_hand_types_while_a_commit_waits_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_typed: bool
) -> None:
    """And where nobody types nothing is, however a system prints what it was sent."""
    typed, note = list[str](), Journal.note
    with WORLDS[name](tmp_path / "world") as world, run(world, tmp_path) as (given, record):

        def noting(self: Journal, number: int, step: StepName, how: StepState, **more: object) -> None:
            note(self, number, step, how, **more)  # type: ignore[arg-type]
            if is_typed and (step, how) == (StepName.COMMIT, StepState.ENDED):
                typed.append(TYPES[name](world))

        monkeypatch.setattr(Journal, "note", noting)
        assert push(given, record) is RunOutcome.FAILED
        found = report(given.journal.record(record.number)).hands
    assert found == ((Hand(NAME, tuple(typed), (), ""),) if is_typed else ())


def test_a_revert_that_somebody_elses_edit_holds_up_says_when_it_goes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Junos refuses its lock while the shared candidate holds what somebody has not committed."""
    note = Journal.note
    with WORLDS["junos"](tmp_path / "world") as world, run(world, tmp_path) as (given, record):
        box = getclosurevars(world.runs).nonlocals["found"]

        def noting(self: Journal, number: int, step: StepName, how: StepState, **more: object) -> None:
            note(self, number, step, how, **more)  # type: ignore[arg-type]
            if (step, how) == (StepName.COMMIT, StepState.ENDED):
                box.candidate = netconf.copied(box.active)
                box.candidate["system"]["domain-name by.hand"] = {}

        monkeypatch.setattr(Journal, "note", noting)
        assert push(given, record) is RunOutcome.FAILED
        (one,) = report(given.journal.record(record.number)).switches
    assert "configuration database locked by" in one.reason
    assert "its commit of this run reverts by itself at " in one.reason
    assert "REVERTED" not in one.end.name
