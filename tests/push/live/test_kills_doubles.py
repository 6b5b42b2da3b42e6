"""A push that is killed between any two things that it does, on doubles of five systems: the old or the new, no else.

NAPALM's drivers and ours are as they are; what they speak to are doubles, with timers that run. A kill is an exception
that nothing of ours catches, and every connection breaks with it. A point lies behind each line of the journal and
behind each thing that was asked of the switch on the wire. The same judge as for FRR (tests/push/kills.py).
"""

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pyeapi.eapilib
import pytest
from napalm.base.base import NetworkDriver

from fabricgen.platforms.base.live.run_marks import Armed, Lease, Phase, RunMarks
from fabricgen.platforms.srlinux.napalm_driver.rpc import Rpc
from fabricgen.push.act import run as run_module
from fabricgen.push.journal.journal import Journal, read_journal
from fabricgen.push.report.model import SwitchOutcome, report
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate, SwitchError
from napalm_frr.ssh import SSH
from tests.cumulus import driven
from tests.doubles import eos_sessions
from tests.doubles import junos_netconf as netconf
from tests.doubles.eapi_sessions import switch as eos_switch
from tests.doubles.eos_tree import copied
from tests.doubles.sonic_box import APPENDED, box
from tests.doubles.sonic_ssh import sshd
from tests.doubles.srlinux_rpc import switch as srlinux_switch
from tests.push.boxed import CANARY, LOGIN, at, fleet, inventory
from tests.push.kills import RESUMES, Case, Seen, Switch, judge, once
from tests.push.paper import Killed
from tests.push.switch import test_box_eos as eos
from tests.some import LONG
from tests.sonic import test_sonic_driver as sonic
from tests.sonic.test_sonic_push import AFTER as SONIC_AFTER
from tests.srlinux import running as srlinux

ALL = "FABRICGEN_KILLS" in os.environ
"""Every point; else a part of them, another for each way to go on. `make kill-matrix` has them all."""
PART = 25
MINUTE = 3.0
"""Seconds that a minute lasts where timers are in minutes."""
WAITED_SECONDS = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class World:
    """One switch. wire: class and method by which its driver asks; runs, starts: what it holds, None for no startup."""

    driver: str
    site: Path
    wanted: Candidate
    wire: tuple[Any, str]
    runs: Callable[[], object]
    starts: Callable[[], object]
    broken: Callable[[], None] = lambda: None


@contextmanager
def eos_world(folder: Path) -> Iterator[World]:
    with eos_switch(eos.BEFORE, login=LOGIN, release=eos_sessions.NEW) as found:
        found.startup = copied(found.running)

        def runs() -> object:
            with found.lock:
                found.tick()
                return copied(found.running)

        site = inventory(folder, {"leaf": found.port}, "eos", transport="http")
        wire = (pyeapi.eapilib.EapiConnection, "send")
        yield World(
            driver="eos", site=site, wanted=Candidate(eos.AFTER, {}), wire=wire, runs=runs, starts=lambda: found.startup
        )


@contextmanager
def junos_world(folder: Path) -> Iterator[World]:
    before = "system {\n    host-name leaf;\n}\nprotocols {\n    lldp {\n        interface all;\n    }\n}\n"
    found = netconf.Switch("leaf", netconf.grown(before), password=CANARY, minute=MINUTE)
    sessions: list[netconf.Netconf] = []
    begin = netconf.Netconf.__init__

    def opened(self: netconf.Netconf, switch: netconf.Switch) -> None:
        begin(self, switch)
        sessions.append(self)

    def runs() -> object:
        with found.lock:
            found.tick()
            return netconf.copied(found.active)

    def broken() -> None:
        for one in sessions:
            one.close_session()
            one.connected = False

    with netconf.network({830: found}), patch.object(netconf.Netconf, "__init__", opened):
        site = inventory(folder, {"leaf": 830}, "junos")
        wanted = Candidate(f"## rendered\n{before.replace('interface all', 'interface et-0/0/0')}", {})
        wire = (netconf.Netconf, "rpc")
        yield World(driver="junos", site=site, wanted=wanted, wire=wire, runs=runs, starts=runs, broken=broken)


@contextmanager
def sonic_world(folder: Path) -> Iterator[World]:
    logging.getLogger("paramiko").setLevel(logging.CRITICAL)
    slack = patch("fabricgen.platforms.sonic.napalm_driver.lifecycle.SLACK", 5)
    with slack, sshd(box(folder / "leaf", sonic.RUNS, sonic.FRR + APPENDED), LOGIN) as leaf:
        known = leaf.known(folder / "known")
        site = inventory(
            folder / "site", {"leaf": leaf.port}, "sonic", known_hosts=known, root=leaf.box.root, commit_seconds=5
        )
        yield World(
            driver="sonic",
            site=site,
            wanted=SONIC_AFTER,
            wire=(SSH, "run"),
            runs=lambda: leaf.box.running,
            starts=lambda: leaf.box.startup,
        )


@contextmanager
def cumulus_world(folder: Path) -> Iterator[World]:
    with driven.standing(folder / "switch") as stand:
        stand.switch.minute, stand.switch.startup = MINUTE, stand.switch.applied

        def runs() -> object:
            stand.switch.waiting  # noqa: B018 - lets its timer run
            return stand.switch.applied

        options = {"known_hosts": stand.known, "settle_seconds": 2}
        site = inventory(folder / "site", {"leaf": stand.server.port}, "cumulus", **options)
        yield World(
            driver="cumulus",
            site=site,
            wanted=Candidate(driven.AFTER, {}),
            wire=(SSH, "run"),
            runs=runs,
            starts=lambda: stand.switch.startup,
        )


@contextmanager
def srlinux_world(folder: Path) -> Iterator[World]:
    with srlinux_switch(srlinux.BEFORE, login=LOGIN) as found:
        found.shown = srlinux.shown
        site = inventory(folder, {"leaf": found.port}, "srlinux", transport="http")
        wanted = Candidate(srlinux.WHOLE, {}, hidden=(srlinux.HASH,))
        yield World(
            driver="srlinux",
            site=site,
            wanted=wanted,
            wire=(Rpc, "_post"),
            runs=found.runs,
            starts=lambda: found.startup or srlinux.BEFORE,
        )


WORLDS = {
    "eos": eos_world,
    "junos": junos_world,
    "sonic": sonic_world,
    "cumulus": cumulus_world,
    "srlinux": srlinux_world,
}


class Mortal:
    """Points of one process. Once it is dead, nothing more comes of it."""

    def __init__(self, at: int) -> None:
        self.at, self.dead, self.names = at, False, list[str]()

    def wrap(self, method: Callable[..., Any], name: str) -> Callable[..., Any]:
        def stepped(*given: Any, **more: Any) -> Any:  # noqa: ANN401
            if self.dead:
                raise Killed(name)
            found = method(*given, **more)
            self.names.append(name)
            if len(self.names) - 1 == self.at:
                self.dead = True
            if self.dead:
                raise Killed(name)
            return found

        return stepped


def attempt(world: World, switch: Switch, at_: int) -> tuple[object, Mortal]:
    """Push, killed at a point; the outcome, "killed", or what was raised."""
    mortal = Mortal(at_)
    outcome: object = "killed"
    with ExitStack() as stack:
        for owner, name in ((Journal, "note"), (Journal, "begin"), (Journal, "finish"), world.wire):
            stack.enter_context(patch.object(owner, name, mortal.wrap(getattr(owner, name), name)))
        close = NapalmFleet.close

        def closed(reach: NapalmFleet) -> None:
            if not mortal.dead:
                close(reach)

        stack.enter_context(patch.object(NapalmFleet, "close", closed))
        try:
            outcome = once(switch, world.wanted)
        except Killed:
            pass
        except Exception as error:  # noqa: BLE001 - the judge looks at it
            outcome = "killed" if mortal.dead else error
    if mortal.dead:
        world.broken()
        outcome = "killed"
    return outcome, mortal


def settled(world: World) -> RunMarks:
    """What stands once every timer has run out."""
    last = time.monotonic() + WAITED_SECONDS
    while True:
        with fleet(world.site, world.driver) as reach:
            found = at(reach, lambda one: one.run_marks())
        if found.armed is None or time.monotonic() > last:
            return found
        time.sleep(0.2)


def told(switch: Switch) -> str:
    """What the report says of the last run."""
    with suppress(Exception), read_journal(switch.journal) as journal:
        record = journal.last()
        if record is not None:
            end = report(record).switches[0].end
            return {SwitchOutcome.DONE: "done", SwitchOutcome.AT_ARTIFACT: "done", SwitchOutcome.REVERTED: "back"}.get(
                end, "open"
            )
    return "open"


def lines(held: object) -> frozenset[str]:
    return frozenset([repr(held)])


def case(name: str, folder: Path, where: Case, sets: dict[str, frozenset[str]]) -> tuple[str, list[str]]:
    """What is wrong, "" for nothing; the points of the first attempt."""
    with WORLDS[name](folder / "world") as world:
        before = lines(world.runs())
        switch = Switch(folder=folder, site=world.site, state=folder, driver=world.driver)
        outcome, mortal = attempt(world, switch, int(where.at))
        said = told(switch)
        if where.then != "never":
            if where.then == "after the hold":
                settled(world)
            outcome, _ = attempt(world, switch, -1)
            said = told(switch)
        standing = settled(world)
        after = sets.setdefault(name, lines(world.runs())) if where.at == -1 else sets[name]
        wrong = judge(Seen(lines(world.runs()), lines(world.starts()), standing), before, after, said)
        # A session of EOS that shows what would change has no run's name, and may be somebody else's: it is named.
        if isinstance(outcome, SwitchError) and outcome.kind == "locked" and "abort' ends one" in outcome.reason:
            return wrong, mortal.names
        if not wrong and isinstance(outcome, Exception):
            wrong = f"it raised {type(outcome).__name__}: {outcome}"
        if not wrong and where.then != "never" and said != "done":
            wrong = f"typed again, it said {said} ({outcome})"
        return wrong, mortal.names


@pytest.fixture(autouse=True)
def no_traffic(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run_module, "drained_sessions", lambda device: ())
    # NAPALM's drivers end what is open when they are collected, which one of a dead process never does.
    monkeypatch.setattr(NetworkDriver, "__del__", lambda driver: None)


@pytest.mark.parametrize("name", [pytest.param(name, marks=LONG if name == "sonic" else ()) for name in WORLDS])
def test_killed_anywhere_it_runs_the_old_or_the_new_and_the_report_says_which(name: str, tmp_path: Path) -> None:
    sets: dict[str, frozenset[str]] = {}
    (tmp_path / "whole").mkdir()
    wrong, names = case(name, tmp_path / "whole", Case(-1, "never"), sets)
    assert wrong == ""
    assert len(names) > 35, names
    faults = []
    for number, then in enumerate(RESUMES):
        for point in range(0 if ALL else number, len(names), 1 if ALL else PART):
            folder = tmp_path / f"{number}-{point}"
            folder.mkdir()
            wrong, _ = case(name, folder, Case(point, then), sets)
            if wrong:
                faults.append(f"{point} {names[point]} / {then}: {wrong}")
    assert faults == []


OLD, NEW = frozenset({"old"}), frozenset({"new"})


@pytest.mark.parametrize(
    ("seen", "said", "wrong"),
    [
        (Seen(OLD | NEW, OLD, RunMarks()), "open", "it runs neither"),
        (Seen(frozenset(), OLD, RunMarks()), "open", "it runs neither"),
        (Seen(OLD, frozenset({"else"}), RunMarks()), "open", "it starts with neither"),
        (Seen(NEW, OLD, RunMarks()), "open", "it starts with something else than it runs"),
        (Seen(OLD, OLD, RunMarks()), "done", "told done, and runs the old"),
        (Seen(NEW, NEW, RunMarks()), "back", "told that it went back, and runs the new"),
        (Seen(NEW, OLD, RunMarks(Armed("", Phase.WAITS))), "open", "something is armed still"),
        (Seen(NEW, OLD, RunMarks(Armed("", Phase.LOST))), "open", "something is armed still"),
    ],
)
def test_the_judge_finds_what_must_not_be(seen: Seen, said: str, wrong: str) -> None:
    assert wrong in judge(seen, OLD, NEW, said)


def test_the_judge_lets_pass_what_may_be() -> None:
    lease = Lease("a", "b", "c", 0)
    assert judge(Seen(OLD, OLD, RunMarks()), OLD, NEW, "back") == ""
    assert judge(Seen(NEW, NEW, RunMarks(None, lease)), OLD, NEW, "done") == ""
    assert judge(Seen(OLD, OLD, RunMarks()), OLD, NEW, "open") == ""
    assert judge(Seen(NEW, OLD, RunMarks(Armed("", Phase.LOST))), OLD, NEW, "lost") == ""
