"""Programs of this host, run for a lab: each carries the lab's mark, each failure is a problem with what it said."""

import os
import subprocess
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple, TypeVar

from fabricgen.errors import FabricError, Problem
from fabricgen.lab.host.place import MARK, Space

SECONDS = 120
"""Longest a command of a lab may take; on a busy host one that starts daemons takes some."""
TIMED_OUT = 124
"""Exit status of a command that was ended, as timeout(1) has it."""
WORKERS = 4
"""Commands at a time: more on few processors makes nothing faster."""

REMEDY = "apt-get install --no-install-recommends frr frr-pythontools lldpd iproute2 iputils-ping"

T = TypeVar("T")


def absent(programs: Iterable[str]) -> Problem:
    """Programs that this host lacks."""
    what = f"programs are missing: {', '.join(programs)}"
    return Problem(code="lab-programs", what=what, why="the lab runs them", fix=REMEDY)


class LabShell(NamedTuple):
    """Runs commands for one lab.

    keeps  file descriptors that each command has, too: of a lock that is to last as long as the last of them
    """

    id: str
    keeps: tuple[int, ...] = ()

    def run(self, words: list[str], text: str = "", seconds: float = SECONDS) -> subprocess.CompletedProcess[str]:
        """What a command gave; its exit status is the caller's to judge, and 124 where it was ended for taking long.

        Raises FabricError where this host lacks the program.
        """
        try:
            return subprocess.run(  # noqa: S603 - words of our own, no shell
                words,
                input=text,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
                env={**os.environ, MARK: self.id},
                pass_fds=self.keeps,
            )
        except FileNotFoundError:
            raise FabricError([absent([words[0]])]) from None
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(words, TIMED_OUT, "", f"no end after {seconds:g} s")

    def must(self, words: list[str], text: str = "", *, doing: str) -> str:
        """Output of a command. Raises FabricError where it fails or takes long.

        doing  what it is for, in the problem's words: "cables", "daemons of be-leaf-000"
        """
        done = self.run(words, text)
        if done.returncode:
            lines = [line.strip() for line in (done.stderr or done.stdout).splitlines() if line.strip()]
            raise FabricError([_failed(doing, words, " / ".join(lines[-3:]) or "it said nothing")])
        return done.stdout

    def batch(self, space: Space, lines: Iterable[str], *, doing: str) -> None:
        """Let `ip` carry out many lines in a switch's or server's namespaces."""
        self.must(space.enter("ip", "-batch", "-"), "".join(f"{line}\n" for line in lines), doing=doing)


def _failed(doing: str, words: list[str], why: str) -> Problem:
    program = next((word for word in words if word in ("ip", "tc", "sh", "unshare", "mount", "sysctl")), words[0])
    return Problem(
        code="lab-command",
        what=f"{doing}: {program} failed",
        why=why,
        fix="what was made is removed again; run it once more, or with a smaller --subset where the host is short "
        "of memory",
    )


def each(work: Callable[[T], None], items: Iterable[T], step: Callable[[], None]) -> None:
    """Do the same for each item, a few at a time; `step` is told of each that is done. The first failure is raised.

    What runs when a failure or a signal comes is waited for, so that nothing is made behind the caller's back.
    """
    pool = ThreadPoolExecutor(WORKERS)
    try:
        for future in as_completed([pool.submit(work, item) for item in items]):
            future.result()
            step()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
