"""A push and NAPALM's own `nxos` driver over a double of its NX-API device: no NX-OS can be had here.

The double keeps lines, a checkpoint and what was saved. Its commands are those that napalm/nxos/nxos.py and
napalm/nxapi_plumbing/device.py of NAPALM 5.2.0 send. What it says where a rollback or a save fails is as public
transcripts have it (fabricgen/platforms/nxos/live/commit.py).
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from napalm.nxapi_plumbing import NXAPIAuthError, NXAPICommandError, NXAPIConnectionError
from requests.exceptions import ReadTimeout

from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate
from tests.push.boxed import at, committing, fleet, inventory, refused

BEFORE: tuple[str, ...] = ("hostname leaf", "feature bgp")
LINES = Candidate("feature lldp\n", {}, merge=True)
SECRET = Candidate("tacacs-server host 10.0.0.7 key 0 c4n4ry-c4n4ry\nfrobnicate", {}, merge=True)
BACK = "rollback running-config file "
SAVED = "[####################] 100%\nCopy complete, now saving to disk (please wait)...\nCopy complete.\n"
NOT_SAVED = "Configuration update aborted: services in transient state, wait for the system to stabilize\n"
NOT_BACK = "Executing Rollback Patch\nVerification failed, Rolling back to previous configuration\n"


@dataclass(slots=True)
class Box:
    """One switch. fails: what a command raises; slow: a merge is answered too late; goes_back, saves: it can.

    full  a checkpoint cannot be written, and nothing says so
    """

    lines: tuple[str, ...] = BEFORE
    saved: tuple[str, ...] = BEFORE
    files: dict[str, tuple[str, ...]] = field(default_factory=dict)
    fails: Exception | None = None
    slow: bool = False
    goes_back: bool = True
    saves: bool = True
    full: bool = False


class Nexus:
    """A double of NAPALM's NX-API device of one switch."""

    box: Box

    def __init__(self, **_: object) -> None:
        """Nothing is contacted."""

    def show(self, command: str, raw_text: bool = False) -> Any:  # noqa: ANN401 - as the device has it
        """Answer one command."""
        if self.box.fails is not None:
            raise self.box.fails
        if command == "show hostname":
            return {"hostname": "leaf"}
        if command.startswith("show running-config"):
            return "\n".join(
                ["!Command: show running-config", "!Time: Mon Oct  5 22:03:43 2026", "", *self.box.lines, ""]
            )
        if command.startswith("dir "):
            return "" if command.split()[1] in self.box.files else "No such file or directory"
        if command in ("copy run startup-config", "copy running-config startup-config"):
            self.box.saved = self.box.lines if self.box.saves else self.box.saved
            return SAVED if self.box.saves else NOT_SAVED
        if command.startswith(BACK):
            self.box.lines = self.box.files[command.removeprefix(BACK)] if self.box.goes_back else self.box.lines
            return "Rollback Patch is Empty" if self.box.goes_back else NOT_BACK
        raise NXAPICommandError(command, "Invalid command")

    def config_list(self, commands: list[str]) -> list[str]:
        """Do commands."""
        for command in commands:
            if command.startswith("checkpoint file "):
                self._written(command.split()[2])
            elif command.startswith("delete "):
                if self.box.files.pop(command.split()[1], None) is None:
                    raise NXAPICommandError(command, "No such file or directory")
            elif command == "frobnicate":
                raise NXAPICommandError(command, "Invalid command")
            elif command and not command.removeprefix("no ").startswith(("terminal", "checkpoint")):
                self.box.lines = (*self.box.lines, command)
        if self.box.slow and not any("checkpoint file" in command for command in commands):
            raise ReadTimeout("Read timed out. (read timeout=30)")
        return []

    def _written(self, name: str) -> None:
        if not self.box.full:
            self.box.files[name] = self.box.lines

    def rollback(self, filename: str) -> None:
        """Go back to a checkpoint."""
        self.show(f"{BACK}{filename}")

    def save(self, filename: str) -> bool:
        """Save what runs."""
        self.show(f"copy run {filename}")
        return True


@pytest.fixture
def box(monkeypatch: pytest.MonkeyPatch) -> Box:
    """A switch."""
    found = Box()
    monkeypatch.setattr("napalm.nxos.nxos.NXOSDevice", type("Device", (Nexus,), {"box": found}))
    return found


@pytest.fixture
def nxos(box: Box, tmp_path: Path) -> Iterator[NapalmFleet]:
    """A fleet with that switch."""
    with fleet(inventory(tmp_path, {"leaf": 443}, "nxos"), "nxos") as found:
        yield found


def test_lines_are_compared_and_merged_for_good(box: Box, nxos: NapalmFleet) -> None:
    assert at(nxos, lambda it: it.compare(LINES)) == "feature lldp"
    assert box.lines == BEFORE
    token = at(nxos, committing(LINES, "change", None))
    assert box.lines == box.saved == (*BEFORE, "feature lldp")
    assert at(nxos, lambda it: it.compare(LINES)) == ""
    assert at(nxos, lambda it: it.pending()) is None
    assert list(box.files.values()) == [BEFORE]
    at(nxos, lambda it: it.revert(token))
    assert box.lines == box.saved == BEFORE
    assert box.files == {}


def test_what_was_confirmed_is_not_gone_back_behind(box: Box, nxos: NapalmFleet) -> None:
    first, second = (at(nxos, committing(Candidate(f"feature {name}", {}, merge=True), name, None)) for name in "ab")
    at(nxos, lambda it: it.confirm(first))
    assert refused(nxos, lambda it: it.revert(first)).kind == "gone"
    at(nxos, lambda it: it.revert(second))
    assert box.lines == box.saved == (*BEFORE, "feature a")
    assert box.files == {}


def test_a_checkpoint_that_could_not_be_written_leaves_no_older_one_to_go_back_to(box: Box, nxos: NapalmFleet) -> None:
    """NAPALM's own is of the last commit that anybody made with it."""
    box.files["rollback_config.txt"] = ("hostname of-last-year",)
    box.full = True
    found = refused(nxos, committing(SECRET, "change", None))
    assert (found.kind, "c4n4ry" in found.reason) == ("lost", False)
    assert box.lines[: len(BEFORE)] == BEFORE


def test_what_was_compared_is_not_committed_with_what_is_loaded_after(box: Box, nxos: NapalmFleet) -> None:
    at(nxos, lambda it: it.compare(Candidate("feature ospf", {}, merge=True)))
    at(nxos, lambda it: it.load(Candidate("feature pim", {}, merge=True), "first"))
    at(nxos, committing(LINES, "second", None))
    assert box.lines == (*BEFORE, "feature lldp")


def test_it_can_neither_replace_nor_revert_by_itself(box: Box, nxos: NapalmFleet) -> None:
    assert refused(nxos, lambda it: it.compare(Candidate("hostname leaf", {}))).kind == "unable"
    assert refused(nxos, committing(LINES, "change", 60)).kind == "unable"
    assert refused(nxos, lambda it: it.counters()).kind == "unable"
    assert refused(nxos, lambda it: it.revert("never")).kind == "gone"
    assert box.lines == BEFORE


def test_a_line_that_is_refused_is_taken_back(box: Box, nxos: NapalmFleet) -> None:
    wrong = Candidate("feature lldp\nfrobnicate", {}, merge=True)
    found = refused(nxos, committing(wrong, "change", None))
    assert (found.kind, "frobnicate" in found.reason) == ("refused", True)
    assert box.lines == BEFORE
    assert box.files == {}


@pytest.mark.parametrize("slow", [False, True])
def test_a_switch_that_does_not_go_back_is_not_called_refused(box: Box, nxos: NapalmFleet, slow: bool) -> None:
    """NAPALM says "automatic rollback attempted" whatever came of it, and saves what runs then."""
    box.goes_back, box.slow = False, slow
    found = refused(nxos, committing(LINES if slow else SECRET, "change", None))
    assert found.kind == "lost"
    assert "does not run what it ran before" in found.reason
    assert ("timed out" in found.reason) is slow
    assert "c4n4ry" not in found.reason
    assert box.lines != BEFORE


def test_what_came_of_a_merge_that_is_answered_too_late_is_not_known(box: Box, nxos: NapalmFleet) -> None:
    """NAPALM goes back at once, and the switch may still take lines of it."""
    box.slow = True
    found = refused(nxos, committing(LINES, "change", None))
    assert (found.kind, "timed out" in found.reason) == ("lost", True)
    assert box.lines == box.saved == BEFORE


def test_a_rollback_that_fails_is_told_and_not_saved(box: Box, nxos: NapalmFleet) -> None:
    token = at(nxos, committing(LINES, "change", None))
    box.goes_back, box.saved = False, BEFORE
    found = refused(nxos, lambda it: it.revert(token))
    assert (found.kind, "Verification failed" in found.reason) == ("lost", True)
    assert box.saved == BEFORE


def test_a_save_that_does_not_say_so_is_none(box: Box, nxos: NapalmFleet) -> None:
    """NAPALM takes any answer for a saved configuration."""
    box.saves = False
    token = at(nxos, committing(LINES, "change", None))
    found = refused(nxos, lambda it: it.confirm(token))
    assert (found.kind, "transient state" in found.reason) == ("unsaved", True)
    box.saves = True
    at(nxos, lambda it: it.confirm(token))
    assert box.saved == box.lines == (*BEFORE, "feature lldp")


@pytest.mark.parametrize(
    ("error", "kind"), [(NXAPIConnectionError("reset"), "lost"), (NXAPIAuthError("no"), "login")], ids=str
)
def test_what_fails_on_the_way(box: Box, nxos: NapalmFleet, error: Exception, kind: str) -> None:
    at(nxos, lambda it: it.pending())
    box.fails = error
    assert refused(nxos, lambda it: it.running()).kind == kind
    with fleet(Path(nxos._site.folder), "nxos") as another:
        # NAPALM says "Cannot connect" of both.
        assert refused(another, lambda it: it.running()).kind == "unreachable"


def test_what_runs_has_no_line_of_time(box: Box, nxos: NapalmFleet) -> None:
    assert at(nxos, lambda it: it.running()) == "hostname leaf\nfeature bgp\n"
