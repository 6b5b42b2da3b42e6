"""A daemon asked at its socket. Its answers are a double's: what real ones say so is seen by every lab that stands."""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from fabricgen.lab.host import vty

pytestmark = pytest.mark.skipif(os.geteuid() != 0, reason="entering a mount namespace needs root")

OWN = Path("/proc/self/ns/mnt")
SAID = "x" * 100_000


@contextmanager
def _daemon(folder: Path, answer: bytes | None) -> Iterator[list[bytes]]:
    """Say this to the first caller and hang up; None: say nothing until the end. What it was asked."""
    asked: list[bytes] = []
    over = threading.Event()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(folder / "bgpd.vty"))
        listening.listen(1)

        def serve() -> None:
            line, _ = listening.accept()
            with line:
                asked.append(line.recv(4096))
                if answer is None:
                    over.wait()
                else:
                    line.sendall(answer)

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield asked
        finally:
            over.set()
            thread.join()


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (b"\0\0\0\0", ""),
        (f"{SAID}\n".encode() + b"\0\0\0\0", f"{SAID}\n"),
        (b"% Unknown command\n\0\0\0\x02", None),
        (b"half an ans", None),
        (b"\xff\0\0\0\0", None),
    ],
)
def test_what_it_says_is_read_to_its_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, answer: bytes, said: str | None
) -> None:
    monkeypatch.setattr(vty, "SOCKET", f"{tmp_path}/{{}}.vty")
    with _daemon(tmp_path, answer) as asked:
        assert vty.ask(OWN, "bgpd", "show bgp summary json", 60) == said
    assert asked == [b"show bgp summary json\0"]


def test_one_that_stands_still_is_no_silent_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vty, "SOCKET", f"{tmp_path}/{{}}.vty")
    with _daemon(tmp_path, None), pytest.raises(TimeoutError):
        vty.ask(OWN, "bgpd", "show version", 0.1)


def test_where_nobody_listens_or_nothing_stands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vty, "SOCKET", f"{tmp_path}/{{}}.vty")
    assert vty.ask(OWN, "bgpd", "show version", 60) is None
    (tmp_path / "bgpd.vty").touch()
    assert vty.ask(OWN, "bgpd", "show version", 60) is None
    assert vty.ask(tmp_path / "no.mnt", "bgpd", "show version", 60) is None
