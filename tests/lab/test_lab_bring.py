"""How long an ifreload waits for zebra. Its answers are a double's: a zebra that is slow can not be had at will."""

from collections.abc import Iterable
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from fabricgen.lab import bring
from fabricgen.lab.bring import Box
from fabricgen.lab.place import place_of
from fabricgen.lab.shell import TIMED_OUT, Shell

Answer = str | CompletedProcess[str]
SLOW = CompletedProcess([], TIMED_OUT, "", "no end after 5 s")
AWAY = CompletedProcess([], 1, "", "Exiting: failed to connect to any daemons.")
VERSION = "FRRouting 8.4.4"
KNOWN, OTHERS = "vrf research id 7 table 0\nvrf storage id 5 table 0\n", "vrf storage id 5 table 0\n"
STANDS, GONE = "lo up default\nvlan20 up default\n", "lo up default\nvlan20 down default\n"


class Zebra(Shell):
    """Answers, one a look; the last is the last that is asked for."""

    left: list[Answer]

    def run(self, words: list[str], text: str = "", seconds: float = 0) -> CompletedProcess[str]:
        del text, seconds
        answer = self.left.pop(0)
        return CompletedProcess(words, 0, answer, "") if isinstance(answer, str) else answer


def zebra_of(answers: Iterable[Answer]) -> Zebra:
    found = Zebra("none")
    found.left = list(answers)
    return found


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bring, "QUIET_SECONDS", 0)
    monkeypatch.setattr(bring, "POLL_SECONDS", 0)


def box(zebra: Zebra, folder: Path) -> Box:
    return Box(zebra, place_of(folder).space("fe-leaf-002"), {}, folder, "outside")


LOOKS: list[tuple[str, list[Answer]]] = [
    ("_let_find", [VERSION, OTHERS, SLOW, AWAY, KNOWN]),
    ("_let_find", [SLOW, OTHERS, KNOWN]),
    ("_let_go", [VERSION, STANDS, SLOW, GONE]),
    ("_let_go", [SLOW, STANDS, GONE]),
    ("_let_forget", [VERSION, KNOWN, SLOW, OTHERS]),
    ("_let_find", [AWAY]),
    ("_let_go", [AWAY]),
    ("_let_forget", [AWAY]),
]


@pytest.mark.parametrize(("wait", "answers"), LOOKS)
def test_a_zebra_that_is_slow_is_waited_for_and_one_that_is_away_is_not(
    tmp_path: Path, wait: str, answers: list[Answer]
) -> None:
    zebra = zebra_of(answers)
    getattr(bring, wait)(box(zebra, tmp_path), "research" if wait == "_let_forget" else frozenset({"research"}))
    assert zebra.left == []


def test_one_that_never_says_it_is_left_in_the_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bring, "SEEN_SECONDS", 0)
    zebra = zebra_of([VERSION, OTHERS])
    bring._let_find(box(zebra, tmp_path), frozenset({"research"}))
    assert zebra.left == []
