"""Take a lab down, whole or half built: every process, namespace and file of it, and nothing else.

A process is the lab's when it carries its mark or runs in one of its namespaces; nothing is known by its name.
"""

import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.lab.host.neighbors import restore_thresholds
from fabricgen.lab.host.place import MARK, NETNS, LabPlace
from fabricgen.lab.host.record import host_held, read_record
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.model.brief import NOT_EXERCISED

DEADLINE_SECONDS = 20
FOLDERS, FILES = ("nodes", "inventory"), ("lab.json", ".gitignore", NOT_EXERCISED)
"""What a lab writes into its folder."""

NamespaceId = tuple[int, int]
"""Device and inode of a namespace's file, as the kernel names it."""


def remove(place: LabPlace) -> None:
    """Remove all that there is of a lab. The caller holds it; what is missing already is passed over."""
    shell = LabShell(place.id)
    end_processes(place)
    _end_namespaces(shell, place)
    end_processes(place)
    with host_held():
        record = read_record(place)
        if record is not None:
            restore_thresholds(place, record)
            folder = Path(record.folder)
            for name in FOLDERS:
                shutil.rmtree(folder / name, ignore_errors=True)
            for name in FILES:
                (folder / name).unlink(missing_ok=True)
            if record.made:
                _remove_empty(folder)
        for path in (place.record, place.record.with_suffix(".new")):
            path.unlink(missing_ok=True)


def _end_namespaces(shell: LabShell, place: LabPlace) -> None:
    """Remove them, and those that still come: a command that had been forked and not begun when its lab was killed."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while True:
        while shell.run(["umount", "-l", str(place.held)]).returncode == 0:
            pass  # one that was killed in between may have mounted it twice
        words = ("unshare", "--mount", "--propagation", "private", "sh", "-c", RELEASE, "sh")
        shell.run([*words, str(NETNS), place.prefix])
        left = list(place.netns())
        if not left:
            return
        if time.monotonic() > deadline:
            raise FabricError([_stuck(left)])
        end_processes(place)


# The first `ip netns add` on a host binds /run/netns upon itself with all that is mounted in it, so that the mounts of
# the lab lie below it a second time, where no umount reaches them and no file can be removed. In a copy of the mounts
# each layer can be taken off; a file that is no mount point there is removed, and with it every mount on it in all
# other mount namespaces (Linux, detach_mounts of fs/namespace.c, called by vfs_unlink of fs/namei.c).
RELEASE = """
while :; do
  for file in "$1/$2"*; do
    while umount -l "$file" 2>/dev/null; do :; done
  done
  rm -f "$1/$2"* 2>/dev/null
  umount -l "$1" 2>/dev/null || break
done
"""
"""Arguments: the folder and how names of the lab begin.

One file at a time: umount(8) of Debian 12 adds up the statuses of its arguments. Two that fail with 32 look like the
64 of "some succeeded".
"""


def _stuck(left: list[str]) -> Problem:
    return Problem(
        code="lab-stuck",
        what=f"{len(left)} network namespaces of the lab cannot be removed",
        why=f"their files in {NETNS} stay: {', '.join(left[:3])}",
        fix="end what holds them (findmnt shows mounts), and run fabricgen lab down again",
    )


def end_processes(place: LabPlace) -> None:
    """End every process of a lab, by force: what they hold goes with the namespaces."""
    spaces = frozenset(_ids((NETNS / name for name in place.netns()), place.held.glob("*")))
    deadline = time.monotonic() + DEADLINE_SECONDS
    while found := list(processes(place.id, spaces)):
        for number in found:
            try:
                os.kill(number, signal.SIGKILL)
            except ProcessLookupError:
                continue
        if time.monotonic() > deadline:
            return
        time.sleep(0.02)


def _ids(*paths: Iterator[Path]) -> Iterator[NamespaceId]:
    for group in paths:
        for path in group:
            try:
                found = path.stat()
            except OSError:
                continue
            yield (found.st_dev, found.st_ino)


def processes(mark: str, spaces: frozenset[NamespaceId]) -> Iterator[int]:
    """Numbers of living processes with a lab's mark or in one of its namespaces, but this one."""
    wanted = f"{MARK}={mark}".encode()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid() or _is_dead(entry):
            continue
        if wanted in _environment(entry) or not spaces.isdisjoint(_ids(entry / "ns" / kind for kind in KINDS)):
            yield int(entry.name)


KINDS = ("net", "mnt", "uts")


def _environment(entry: Path) -> list[bytes]:
    try:
        return (entry / "environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _is_dead(entry: Path) -> bool:
    """Whether a process has ended and waits for its parent to notice (proc(5), the state behind the name)."""
    try:
        return (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[0] in ("Z", "X")
    except (OSError, IndexError):
        return True


def remove_files(folder: Path) -> bool:
    """Remove a folder that holds what a lab wrote, and nothing else: the host went down under it. Whether it did."""
    if not is_left(folder):
        return False
    shutil.rmtree(folder)
    return True


def is_left(folder: Path) -> bool:
    """Whether a folder holds what a lab wrote, and nothing else."""
    return (folder / FILES[0]).is_file() and not {path.name for path in folder.iterdir()} - {*FOLDERS, *FILES}


def _remove_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return
