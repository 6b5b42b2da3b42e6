"""A commit waits for VRFs that its own files have made. The shell is a double that replays what `show vrf` says."""

from typing import cast

import pytest

from napalm_frr import vrfs
from napalm_frr.shell import Shell

TEXT = "router bgp 65000\nexit\nrouter bgp 65000 vrf blue\nexit\nrouter bgp 65000 vrf red\nexit\n"
RED = "vrf red id 5 table 1001\n"
COMING, STANDS = f"{RED}vrf blue inactive\n", f"{RED}vrf blue id 7 netns /run/netns/blue\n"


class Replay:
    """Answers one after another; the last one stays."""

    def __init__(self, *answers: str) -> None:
        self.answers, self.asked = list(answers), list[str]()

    def vtysh(self, command: str) -> str:
        self.asked.append(command)
        if command != "show vrf":
            return ""
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


@pytest.fixture(autouse=True)
def at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vrfs, "PAUSE_SECONDS", 0)


def asked(text: str, *answers: str) -> list[str]:
    replay = Replay(*answers)
    vrfs.known(cast("Shell", replay), text)
    return replay.asked


def test_it_waits_until_all_are_known_and_bgpd_has_heard() -> None:
    assert asked(TEXT, RED, COMING, STANDS) == ["show vrf"] * 3 + ["show bgp vrfs"]


def test_a_configuration_without_instances_in_vrfs_waits_for_nothing() -> None:
    assert asked("router bgp 65000\nexit\n", "") == ["show vrf"]


def test_it_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vrfs, "SECONDS", 0)
    assert set(asked(TEXT, COMING)) == {"show vrf"}
