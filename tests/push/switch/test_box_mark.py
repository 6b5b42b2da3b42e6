"""What tells of a hand right before a commit stands in the journal, and no secret can be guessed by it.

The driver is a double: texts of a switch, which differ in their secrets alone.
"""

from types import SimpleNamespace
from typing import Any

import pytest

from fabricgen.platforms.base.live.commit_operations import CommitOperations
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.platforms.eos.live import commit as eos_box
from fabricgen.platforms.eos.live.commit import DIFFERS
from fabricgen.platforms.linux.live import commit as frr_box
from fabricgen.platforms.sonic.live import commit as sonic_box
from fabricgen.push.switch.connection import Loaded, NapalmConnection, SwitchConnection

FRR = "router bgp 65001\n neighbor 10.0.0.1 password {}\n neighbor 10.0.0.1 timers 3 9\n"
SONIC = '{{\n  "TACPLUS": {{\n    "global": {{\n      "passkey": "{}",\n      "timeout": "5"\n    }}\n  }}\n}}\n'
EOS = "+tacacs-server key 7 {}\n interface Ethernet1\n+   mtu 9214\n"


class Switch:
    """A double of a driver. runs: what runs, or how the session differs from it; found: the same at the commit."""

    transport = "eapi"
    send_enable = True

    def __init__(self, runs: str) -> None:
        self.runs = self.found = runs
        self.device = SimpleNamespace(run_commands=self._run)

    def get_config(self, retrieve: str) -> dict[str, str]:
        return {retrieve: self.runs}

    def commit_config(self, **_: object) -> None:
        pass

    def goes_back_to(self) -> str:
        return self.found

    def has_pending_commit(self) -> bool:
        return False

    def _run(self, commands: list[str], **more: Any) -> list[dict[str, str]]:  # noqa: ANN401
        del more
        shown = self.runs if len(commands) == 1 else self.found
        return [{"output": shown if command == DIFFERS.format("ours") else ""} for command in commands]


def box(driver: Switch, name: str, operations: CommitOperations) -> SwitchConnection:
    line = NapalmConnection(driver, (), loaded=Loaded("ours", "message", ()))
    return SwitchConnection("leaf", COMMIT_PROFILES[name], operations, line, lambda act, *_: act(), lambda: None)


@pytest.mark.parametrize(
    ("name", "operations", "text", "old", "new"),
    [
        ("frr", frr_box.OPERATIONS, FRR, "3 9", "1 3"),
        ("sonic", sonic_box.OPERATIONS, SONIC, '"5"', '"6"'),
        ("eos", eos_box.OPERATIONS, EOS, "9214", "1500"),
    ],
)
def test_a_mark_is_of_all_but_secrets(name: str, operations: CommitOperations, text: str, old: str, new: str) -> None:
    first, other = Switch(text.format("spring")), Switch(text.format("summer"))
    mark = box(first, name, operations).mark()
    assert mark == box(other, name, operations).mark()
    for found, is_seen in ((other.runs, False), (first.runs.replace(old, new), True)):
        switch = Switch(first.runs)
        one = box(switch, name, operations)
        assert one.mark() == mark
        switch.found = found
        one.commit(60)
        assert bool(one.meanwhile("ours", mark)) is is_seen
