"""A commit is confirmed only after a new login: what refuses it is rolled back over the session that is open."""

from pathlib import Path
from typing import cast

import pytest

from fabricgen.push.act.new_login import AGAIN_SECONDS, must_log_in
from fabricgen.push.model import RunOutcome, StepName, StepState
from fabricgen.push.report.model import report
from fabricgen.push.report.text import text
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.switch import SwitchError
from tests.push.act.test_push_run import NEW, OLD, World, no_traffic
from tests.push.paper import Clock, Killed, PaperBox, Switch

__all__ = ["no_traffic"]


@pytest.mark.parametrize(
    ("word", "fix"),
    [
        ("deaf", "add 192.0.2.7 to management.access.ssh"),
        ("stranger", "keep push in management.users, with the role network-admin"),
    ],
)
@pytest.mark.parametrize("name", ["spine-1", "leaf-1"])
def test_a_configuration_that_refuses_a_new_login_is_not_confirmed(
    tmp_path: Path, name: str, word: str, fix: str
) -> None:
    world = World(tmp_path)
    world.texts[name] = f"{NEW} {word}"
    assert world.run() is RunOutcome.FAILED
    assert world.switches[name].startup in (OLD, "old drained")
    assert (world.switches[name].running, world.switches[name].waiting) == (OLD, None)
    assert fix in world.reasons()
    with world.journal() as journal:
        record = journal.last()
    assert record is not None
    assert fix in "\n".join(text(report(record)))


def test_the_others_of_its_wave_go_back_too(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.texts["leaf-1"] = f"{NEW} deaf"
    assert world.run() is RunOutcome.FAILED
    assert world.running() == {"spine-1": NEW, "spine-0": NEW, "leaf-1": OLD, "leaf-0": OLD}


def test_checks_that_fail_for_want_of_a_login_give_that_as_the_reason(tmp_path: Path) -> None:
    """Checks connect as well, and only say what they could not see."""
    world = World(tmp_path)
    world.texts["leaf-1"] = "broken deaf"
    assert world.run() is RunOutcome.FAILED
    assert "no new login is possible from 192.0.2.7" in world.reasons()


def test_a_commit_of_a_killed_process_is_confirmed_only_after_a_new_login(tmp_path: Path) -> None:
    world = World(tmp_path)
    world.texts["leaf-1"] = f"{NEW} deaf"
    world.on_note = lambda step, how, device: _kill(world, step, how, device)
    with pytest.raises(Killed):
        world.run()
    assert world.switches["leaf-1"].waiting is not None
    world.on_note = lambda step, how, device: None
    assert world.run() is RunOutcome.FAILED
    assert world.running()["leaf-1"] == OLD


def _kill(world: World, step: StepName, how: StepState, device: str) -> None:
    if (step, how, device) == (StepName.COMMIT, StepState.ENDED, "leaf-1"):
        raise Killed(f"{len(world.points)}")


class Restarting(PaperBox):
    """Its server restarts: so many logins fail."""

    def __init__(self, fails: int) -> None:
        super().__init__(Switch("leaf", OLD, OLD), Clock(), lambda what: None)
        self.fails = fails

    def log_in(self) -> None:
        self.fails -= 1
        if self.fails >= 0:
            raise SwitchError("unreachable", "connection refused")


def test_one_refused_login_is_tried_again() -> None:
    waits: list[float] = []
    must_log_in(cast("SwitchConnection", Restarting(1)), waits.append)
    assert waits == [AGAIN_SECONDS]
    with pytest.raises(SwitchError, match="connection refused"):
        must_log_in(cast("SwitchConnection", Restarting(2)), waits.append)
