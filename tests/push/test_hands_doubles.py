"""What a hand types on doubles of five systems while a commit waits: named when the commit is reverted."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from inspect import getclosurevars
from pathlib import Path

import pytest

from fabricgen.drivers.readers import READERS
from fabricgen.push.checks import Tally, Verdicts
from fabricgen.push.fleet import Fleet
from fabricgen.push.journal import Journal, open_journal
from fabricgen.push.model import How, Outcome, RunRecord, StepName
from fabricgen.push.report import report
from fabricgen.push.report_hands import Hand
from fabricgen.push.run import push
from fabricgen.push.work import Means, Settings
from tests.doubles import eos_tree
from tests.doubles import junos_netconf as netconf
from tests.push import test_kills_doubles
from tests.push.boxed import fleet
from tests.push.kills import NAME, Nothing, Switch, _record, alone
from tests.push.test_kills_doubles import WORLDS, World, no_traffic

__all__ = ("no_traffic",)

SECONDS = 60


class Broken(Nothing):
    """Looks that find something behind the change."""

    def compare(self, before: str, after: str, moment: object) -> Verdicts:
        del before, after, moment
        return Verdicts(Tally(1, 0), Tally(1, 1), ("it is broken",), 0)


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


def means(world: World, journal: Journal, reach: Fleet, record: RunRecord) -> Means:
    return replace(
        alone(journal, reach, record, world.wanted),
        checks=Broken(),
        settings=Settings(watch=0, converge=0.1, confirm=SECONDS),
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


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("is_typed", [True, False])
def test_what_a_hand_types_while_a_commit_waits_is_named(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, is_typed: bool
) -> None:
    """And where nobody types nothing is, however a system prints what it was sent."""
    typed, note = list[str](), Journal.note
    with WORLDS[name](tmp_path / "world") as world, run(world, tmp_path) as (given, record):

        def noting(self: Journal, number: int, step: StepName, how: How, **more: object) -> None:
            note(self, number, step, how, **more)  # type: ignore[arg-type]
            if is_typed and (step, how) == (StepName.COMMIT, How.ENDED):
                typed.append(TYPES[name](world))

        monkeypatch.setattr(Journal, "note", noting)
        assert push(given, record) is Outcome.FAILED
        found = report(given.journal.record(record.number)).hands
    assert found == ((Hand(NAME, tuple(typed), (), ""),) if is_typed else ())


def test_a_revert_that_somebody_elses_edit_holds_up_says_when_it_goes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Junos refuses its lock while the shared candidate holds what somebody has not committed."""
    note = Journal.note
    with WORLDS["junos"](tmp_path / "world") as world, run(world, tmp_path) as (given, record):
        box = getclosurevars(world.runs).nonlocals["found"]

        def noting(self: Journal, number: int, step: StepName, how: How, **more: object) -> None:
            note(self, number, step, how, **more)  # type: ignore[arg-type]
            if (step, how) == (StepName.COMMIT, How.ENDED):
                box.candidate = netconf.copied(box.active)
                box.candidate["system"]["domain-name by.hand"] = {}

        monkeypatch.setattr(Journal, "note", noting)
        assert push(given, record) is Outcome.FAILED
        (one,) = report(given.journal.record(record.number)).switches
    assert "configuration database locked by" in one.reason
    assert "its commit of this run goes back by itself at " in one.reason
    assert "REVERTED" not in one.end.name
