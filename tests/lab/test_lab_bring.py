"""How long an ifreload waits for zebra. Its answers are a double's: a zebra that is slow cannot be had at will."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from fabricgen.lab.host.place import place_of
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.interfaces import bring
from fabricgen.lab.interfaces.bring import SwitchPorts

Answer = str | TimeoutError | None
SLOW = TimeoutError("timed out")
AWAY = None
VERSION = "FRRouting 8.4.4"
KNOWN, OTHERS = "vrf research id 7 table 0\nvrf storage id 5 table 0\n", "vrf storage id 5 table 0\n"
BUSY = "Zebra dataplane providers:\nKernel (1): in: 71, q: 1, q_max: 9, out: 70, q: 0, q_max: 9\n"
IDLE = "Zebra dataplane providers:\nKernel (1): in: 71, q: 0, q_max: 9, out: 71, q: 0, q_max: 9\n"
STANDS, GONE = "lo up default\nvlan20 up default\n", "lo up default\nvlan20 down default\n"


class Zebra:
    """Answers, one a look; the last is the last that is asked for."""

    def __init__(self, answers: Iterable[Answer]) -> None:
        self.left = list(answers)

    def ask(self, mount: Path, daemon: str, command: str, seconds: float) -> str | None:
        """One look."""
        del mount, command, seconds
        assert daemon == "zebra"
        answer = self.left.pop(0)
        if isinstance(answer, TimeoutError):
            raise answer
        return answer


@pytest.fixture
def zebra_of(monkeypatch: pytest.MonkeyPatch) -> Callable[[Iterable[Answer]], Zebra]:
    def made(answers: Iterable[Answer]) -> Zebra:
        found = Zebra(answers)
        monkeypatch.setattr(bring, "ask", found.ask)
        return found

    return made


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bring, "QUIET_SECONDS", 0)
    monkeypatch.setattr(bring, "POLL_SECONDS", 0)


def box(folder: Path) -> SwitchPorts:
    return SwitchPorts(LabShell("none"), place_of(folder).space("fe-leaf-002"), {}, folder, "outside")


LOOKS: list[tuple[str, list[Answer]]] = [
    ("_let_find", [VERSION, OTHERS, SLOW, AWAY, KNOWN]),
    ("_let_find", [SLOW, OTHERS, KNOWN]),
    ("_let_go", [VERSION, STANDS, SLOW, GONE, VERSION, BUSY, SLOW, IDLE]),
    ("_let_go", [SLOW, STANDS, GONE, SLOW, BUSY, IDLE]),
    ("_let_forget", [VERSION, KNOWN, SLOW, OTHERS]),
    ("_let_find", [AWAY]),
    ("_let_go", [AWAY]),
    ("_let_forget", [AWAY]),
]


@pytest.mark.parametrize(("wait", "answers"), LOOKS)
def test_a_zebra_that_is_slow_is_waited_for_and_one_that_is_away_is_not(
    tmp_path: Path, wait: str, answers: list[Answer], zebra_of: Callable[[Iterable[Answer]], Zebra]
) -> None:
    zebra = zebra_of(answers)
    getattr(bring, wait)(box(tmp_path), "research" if wait == "_let_forget" else frozenset({"research"}))
    assert zebra.left == []


def test_one_that_never_says_it_is_left_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, zebra_of: Callable[[Iterable[Answer]], Zebra]
) -> None:
    monkeypatch.setattr(bring, "SEEN_SECONDS", 0)
    zebra = zebra_of([VERSION, OTHERS])
    bring._let_find(box(tmp_path), frozenset({"research"}))
    assert zebra.left == []
