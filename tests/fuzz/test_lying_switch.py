"""A part of `make fuzz`: readers of switches that lie; and that the judge sees what a reader must not do."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from fabricgen.platforms import SYSTEMS
from fabricgen.platforms.base.live.reader import Reader
from fabricgen.platforms.readers import READERS
from fabricgen.state.state import State
from tests.fuzz import lying_switch
from tests.fuzz.lying_switch import LIMIT_MIB, TouchedError, apart, is_sound, lies, told
from tests.some import some

COUNT = 30


@pytest.mark.parametrize("system", some(SYSTEMS, of=3))
def test_no_lie_is_more_than_a_state(system: str) -> None:
    found = lies(READERS[system], COUNT, 1)
    assert found.failures == {}
    assert found.parts_unread


def broken(work: Callable[[], object]) -> Reader:
    """FRR's reader, which does something else first."""

    def state(outputs: object, vrfs: object) -> State:
        del outputs, vrfs
        work()
        return State(unread={"facts": "odd"})

    return replace(READERS["frr"], state=state)


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (lambda: Path("odd.txt").write_text("x"), "open"),
        (lambda: Path("odd").mkdir(), "os.mkdir"),
        (lambda: subprocess.run(["true"], check=False), "subprocess.Popen"),
        (lambda: socket.create_connection(("127.0.0.1", 9)), "socket."),
        (lambda: SYSTEMS.index("none"), "ValueError"),
    ],
)
def test_a_reader_that_does_more_is_seen(
    work: Callable[[], object], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    found = lies(broken(work), 3, 1)
    assert len(found.failures) == 3
    assert all(said in text for text in found.failures.values())
    assert not is_sound(found)
    assert "3 failures" in next(told(found, 3))
    assert list(tmp_path.iterdir()) == []


def test_a_reader_that_takes_memory_is_seen() -> None:
    greedy = broken(lambda: bytearray(LIMIT_MIB << 20))
    assert not is_sound(apart(partial(lies, greedy, 1, 1)))


def test_an_end_of_the_process_is_seen() -> None:
    assert not is_sound(apart(partial(lies, broken(lambda: sys.exit(7)), 1, 1)))
    assert not is_sound(apart(partial(lies, broken(lambda: os._exit(7)), 1, 1)))


def test_what_is_not_watched_is_free(tmp_path: Path) -> None:
    with pytest.raises(TouchedError), lying_switch.watched():
        (tmp_path / "a").write_text("x")
    (tmp_path / "a").write_text("x")
