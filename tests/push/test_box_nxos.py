"""A push and NAPALM's own `nxos` driver over a double of its NX-API device: no NX-OS can be had here.

The double keeps lines, a checkpoint and what was saved. Its commands are those that napalm/nxos/nxos.py and
napalm/nxapi_plumbing/device.py of NAPALM 5.2.0 send.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from napalm.nxapi_plumbing import NXAPIAuthError, NXAPICommandError, NXAPIConnectionError

from fabricgen.push.box import Candidate
from fabricgen.push.fleet import Fleet
from tests.push.boxed import at, committing, fleet, inventory, refused

BEFORE: tuple[str, ...] = ("hostname leaf", "feature bgp")
LINES = Candidate("feature lldp\n", {}, merge=True)


@dataclass(slots=True)
class Box:
    """One switch. fails: what a command raises."""

    lines: tuple[str, ...] = BEFORE
    saved: tuple[str, ...] = BEFORE
    checkpoint: tuple[str, ...] | None = None
    fails: Exception | None = None


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
            return "" if self.box.checkpoint is not None else "No such file or directory"
        if command == "copy run startup-config":
            self.box.saved = self.box.lines
            return ""
        raise NXAPICommandError(command, "Invalid command")

    def config_list(self, commands: list[str]) -> list[str]:
        """Do commands."""
        for command in commands:
            if command == "checkpoint file rollback_config.txt":
                self.box.checkpoint = self.box.lines
            elif command == "frobnicate":
                raise NXAPICommandError(command, "Invalid command")
            elif command and not command.removeprefix("no ").startswith(("terminal", "checkpoint")):
                self.box.lines = (*self.box.lines, command)
        return []

    def rollback(self, filename: str) -> None:
        """Go back to a checkpoint."""
        assert filename == "rollback_config.txt"
        assert self.box.checkpoint is not None
        self.box.lines = self.box.checkpoint

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
def nxos(box: Box, tmp_path: Path) -> Iterator[Fleet]:
    """A fleet with that switch."""
    with fleet(inventory(tmp_path, {"leaf": 443}, "nxos"), "nxos") as found:
        yield found


def test_lines_are_compared_and_merged_for_good(box: Box, nxos: Fleet) -> None:
    assert at(nxos, lambda it: it.compare(LINES)) == "feature lldp"
    assert box.lines == BEFORE
    token = at(nxos, committing(LINES, "change", None))
    assert box.lines == box.saved == (*BEFORE, "feature lldp")
    assert at(nxos, lambda it: it.compare(LINES)) == ""
    assert at(nxos, lambda it: it.pending()) is None
    at(nxos, lambda it: it.confirm(token))
    at(nxos, lambda it: it.revert(token))
    assert box.lines == box.saved == BEFORE


def test_what_was_compared_is_not_committed_with_what_is_loaded_after(box: Box, nxos: Fleet) -> None:
    at(nxos, lambda it: it.compare(Candidate("feature ospf", {}, merge=True)))
    at(nxos, lambda it: it.load(Candidate("feature pim", {}, merge=True), "first"))
    at(nxos, committing(LINES, "second", None))
    assert box.lines == (*BEFORE, "feature lldp")


def test_it_can_neither_replace_nor_revert_by_itself(box: Box, nxos: Fleet) -> None:
    assert refused(nxos, lambda it: it.compare(Candidate("hostname leaf", {}))).kind == "unable"
    assert refused(nxos, committing(LINES, "change", 60)).kind == "unable"
    assert refused(nxos, lambda it: it.counters()).kind == "unable"
    assert refused(nxos, lambda it: it.revert("never")).kind == "gone"
    assert box.lines == BEFORE


def test_a_line_that_is_refused_is_taken_back(box: Box, nxos: Fleet) -> None:
    wrong = Candidate("feature lldp\nfrobnicate", {}, merge=True)
    found = refused(nxos, committing(wrong, "change", None))
    assert (found.kind, "frobnicate" in found.reason) == ("refused", True)
    assert box.lines == BEFORE


@pytest.mark.parametrize(
    ("error", "kind"), [(NXAPIConnectionError("reset"), "lost"), (NXAPIAuthError("no"), "login")], ids=str
)
def test_what_fails_on_the_way(box: Box, nxos: Fleet, error: Exception, kind: str) -> None:
    at(nxos, lambda it: it.pending())
    box.fails = error
    assert refused(nxos, lambda it: it.running()).kind == kind
    with fleet(Path(nxos._site.folder), "nxos") as another:
        # NAPALM says "Cannot connect" of both.
        assert refused(another, lambda it: it.running()).kind == "unreachable"


def test_what_runs_has_no_line_of_time(box: Box, nxos: Fleet) -> None:
    assert at(nxos, lambda it: it.running()) == "hostname leaf\nfeature bgp\n"
