"""Run programs of this host for a lab: each carries the lab's mark, and each failure is a problem with its output."""

import os
import subprocess
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import NamedTuple, TypeVar

from fabricgen.errors import FabricError, Problem
from fabricgen.lab.host.place import MARK, Space

SECONDS = 120
"""Timeout of a lab's command; those that start daemons take long on a busy host."""
TIMED_OUT = 124
"""Exit status of a command that was ended at its timeout, as of timeout(1)."""
WORKERS = 4
"""Number of parallel commands: more do not help on few processors."""

REMEDY = "apt-get install --no-install-recommends frr frr-pythontools lldpd iproute2 iputils-ping"

T = TypeVar("T")


def absent(programs: Iterable[str]) -> Problem:
    """Problem for programs that this host lacks."""
    what = f"programs are missing: {', '.join(programs)}"
    return Problem(code="lab-programs", what=what, why="the lab needs them", fix=REMEDY)


class LabShell(NamedTuple):
    """Runs commands for one lab.

    keeps  file descriptors that each command inherits: of a lock that must last as long as the last of them
    """

    id: str
    keeps: tuple[int, ...] = ()

    def run(self, argv: list[str], text: str = "", seconds: float = SECONDS) -> subprocess.CompletedProcess[str]:
        """Run a command; the caller must check its exit status, which is 124 at the timeout.

        Raises FabricError where this host lacks the program.
        """
        try:
            return subprocess.run(  # noqa: S603 - words of our own, no shell
                argv,
                input=text,
                capture_output=True,
                text=True,
                timeout=seconds,
                check=False,
                env={**os.environ, MARK: self.id},
                pass_fds=self.keeps,
            )
        except FileNotFoundError:
            raise FabricError([absent([argv[0]])]) from None
        except subprocess.TimeoutExpired:
            return subprocess.CompletedProcess(argv, TIMED_OUT, "", f"it did not end within {seconds:g} s")

    def must(self, argv: list[str], text: str = "", *, doing: str) -> str:
        """Output of a command. Raises FabricError where it fails or times out.

        doing  its purpose, for the problem: "cables", "daemons of be-leaf-000"
        """
        result = self.run(argv, text)
        if result.returncode:
            lines = [line.strip() for line in (result.stderr or result.stdout).splitlines() if line.strip()]
            raise FabricError([_failed(doing, argv, " / ".join(lines[-3:]) or "it printed nothing")])
        return result.stdout

    def batch(self, space: Space, lines: Iterable[str], *, doing: str) -> None:
        """Run a batch of `ip` lines in a switch's or server's namespaces."""
        self.must(space.enter("ip", "-batch", "-"), "".join(f"{line}\n" for line in lines), doing=doing)


def _failed(doing: str, argv: list[str], reason: str) -> Problem:
    program = next((word for word in argv if word in ("ip", "tc", "sh", "unshare", "mount", "sysctl")), argv[0])
    return Problem(
        code="lab-command",
        what=f"{doing}: {program} failed",
        why=reason,
        fix="the lab was removed again; repeat the command, with a smaller --subset if the host has too little memory",
    )


def each(work: Callable[[T], None], items: Iterable[T], step: Callable[[], None]) -> None:
    """Call `work` for each item, a few in parallel, and `step` after each. The first failure is raised.

    On a failure or signal, running calls are waited for, so that nothing is made after this function has ended.
    """
    pool = ThreadPoolExecutor(WORKERS)
    try:
        for future in as_completed([pool.submit(work, item) for item in items]):
            future.result()
            step()
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
