"""Doubles for tests of collecting: a NAPALM driver that says what a test tells it to, and inventories for it."""

import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType

import pytest
from napalm.base.base import NetworkDriver
from napalm.base.exceptions import ConnectionException

from fabricgen.platforms.base.live.reader import JSON, TEXT, ReadCommand
from fabricgen.verify.collect.store import Target

PLATFORM = "double"
READS = (
    ReadCommand("facts", "show version", JSON),
    ReadCommand("routes", "show routes", TEXT),
    ReadCommand("running", "show running-config", TEXT),
)

Answer = Callable[[str], object]
"""Command → what the switch says; an exception is raised by the driver."""


def double(switches: Mapping[str, Answer]) -> type[NetworkDriver]:
    """A driver of these switches, by address. One that is not among them refuses the connection."""

    class Double(NetworkDriver):  # type: ignore[misc]  # NAPALM has no types
        def __init__(
            self,
            hostname: str,
            username: str,
            password: str,
            timeout: int = 60,
            optional_args: dict[str, object] | None = None,
        ) -> None:
            self.hostname, self.username, self.password = hostname, username, password
            self.timeout, self.optional_args = timeout, optional_args or {}

        def open(self) -> None:
            if self.hostname not in switches:
                raise ConnectionException(f"{self.username}:{self.password} is not let in to {self.hostname}")

        def close(self) -> None:
            pass

        def cli(self, commands: list[str], encoding: str = "text") -> dict[str, object]:
            del encoding
            return {command: self.answered(command) for command in commands}

        def answered(self, command: str) -> object:
            answer = switches[self.hostname](command)
            if isinstance(answer, BaseException):
                raise answer
            return answer

    return Double


def install(monkeypatch: pytest.MonkeyPatch, switches: Mapping[str, Answer]) -> type[NetworkDriver]:
    """Let NAPALM find the driver for the length of a test."""
    module = ModuleType(f"napalm_{PLATFORM}")
    driver = double(switches)
    vars(module)["Double"] = driver
    monkeypatch.setitem(sys.modules, module.__name__, module)
    return driver


def well(command: str) -> object:
    """What a switch in order says."""
    return {"version": "1"} if command == "show version" else f"{command}\n"


def targets(*names: str) -> dict[str, Target]:
    """Switches of the double's platform, each with one VRF."""
    return {name: Target(name, PLATFORM, PLATFORM, {"blue": "red"}, READS) for name in names}


def inventory(folder: Path, *names: str, defaults: str = "") -> Path:
    """Write an inventory in which a switch's address is its name."""
    folder.mkdir(exist_ok=True)
    lines = [f"{name}: {{hostname: {name}, platform: {PLATFORM}}}\n" for name in names]
    (folder / "hosts.yaml").write_text("".join(lines))
    (folder / "defaults.yaml").write_text(defaults or "username: verify\n")
    return folder
