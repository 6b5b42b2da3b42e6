"""Remove a complete or incomplete lab: every process, namespace and file of it, and nothing else.

A process belongs to the lab if it carries the lab's mark or runs in one of its namespaces; its name does not matter.
"""

import os
import shutil
import signal
import time
from collections.abc import Iterator
from pathlib import Path

from fabricgen.errors import FabricError
from fabricgen.lab.host.neighbors import restore_thresholds
from fabricgen.lab.host.place import MARK, NETNS, LabPlace
from fabricgen.lab.host.record import host_lock, read_record
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.model.brief import NOT_EXERCISED

DEADLINE_SECONDS = 20
FOLDERS, FILES = ("nodes", "inventory"), ("lab.json", ".gitignore", NOT_EXERCISED)
"""Folders and files that a lab writes into its folder."""

NamespaceId = tuple[int, int]
"""Device and inode of a namespace's file, which identify it in the kernel."""


def remove(place: LabPlace) -> None:
    """Remove everything of a lab. The caller holds it; missing parts are ignored."""
    shell = LabShell(place.id)
    end_processes(place)
    _end_namespaces(shell, place)
    end_processes(place)
    with host_lock():
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
    """Remove the namespaces, and those that a command still makes that was forked before its lab was killed."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while True:
        while shell.run(["umount", "-l", str(place.namespace_files)]).returncode == 0:
            pass  # a process that was killed in between may have mounted it twice
        argv = ("unshare", "--mount", "--propagation", "private", "sh", "-c", RELEASE, "sh")
        shell.run([*argv, str(NETNS), place.prefix])
        remaining = list(place.netns())
        if not remaining:
            return
        if time.monotonic() > deadline:
            raise FabricError.of(
                code="lab-stuck",
                what=f"{len(remaining)} network namespaces of the lab cannot be removed",
                why=f"their files are still in {NETNS}: {', '.join(remaining[:3])}",
                fix="stop the processes that use them (findmnt shows mounts), and run fabricgen lab down again",
            )
        end_processes(place)


# The first `ip netns add` on a host bind-mounts /run/netns on itself with all mounts in it, so that the mounts of the
# lab exist a second time below it, where umount cannot reach them and no file can be removed. In a copy of the mount
# namespace each layer can be unmounted; a file that is no mount point there can be removed, and with it every mount on
# it in all other mount namespaces (Linux, detach_mounts of fs/namespace.c, called by vfs_unlink of fs/namei.c).
RELEASE = """
while :; do
  for file in "$1/$2"*; do
    while umount -l "$file" 2>/dev/null; do :; done
  done
  rm -f "$1/$2"* 2>/dev/null
  umount -l "$1" 2>/dev/null || break
done
"""
"""Arguments: the folder, and the prefix of the lab's names.

One file at a time: umount(8) of Debian 12 adds up the statuses of its arguments. Two that fail with 32 look like the
64 of "some succeeded".
"""


def end_processes(place: LabPlace) -> None:
    """Kill every process of a lab; what they hold is removed with the namespaces."""
    spaces = frozenset(_ids((NETNS / name for name in place.netns()), place.namespace_files.glob("*")))
    deadline = time.monotonic() + DEADLINE_SECONDS
    while pids := list(processes(place.id, spaces)):
        for pid in pids:
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                continue
        if time.monotonic() > deadline:
            return
        time.sleep(0.02)


def _ids(*paths: Iterator[Path]) -> Iterator[NamespaceId]:
    for group in paths:
        for path in group:
            try:
                status = path.stat()
            except OSError:
                continue
            yield (status.st_dev, status.st_ino)


def processes(mark: str, spaces: frozenset[NamespaceId]) -> Iterator[int]:
    """PIDs of living processes with a lab's mark or in one of its namespaces, except this one."""
    variable = f"{MARK}={mark}".encode()
    for entry in Path("/proc").iterdir():
        if not entry.name.isdigit() or int(entry.name) == os.getpid() or _is_dead(entry):
            continue
        if variable in _environment(entry) or not spaces.isdisjoint(_ids(entry / "ns" / kind for kind in KINDS)):
            yield int(entry.name)


KINDS = ("net", "mnt", "uts")


def _environment(entry: Path) -> list[bytes]:
    try:
        return (entry / "environ").read_bytes().split(b"\0")
    except OSError:
        return []


def _is_dead(entry: Path) -> bool:
    """Whether a process has ended and waits for its parent (proc(5), the state after the name)."""
    try:
        return (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[0] in ("Z", "X")
    except (OSError, IndexError):
        return True


def remove_files(folder: Path) -> bool:
    """Remove a folder that holds only files of a lab, left when the host went down; return whether it did."""
    if not is_left(folder):
        return False
    shutil.rmtree(folder)
    return True


def is_left(folder: Path) -> bool:
    """Whether a folder holds only files of a lab."""
    return (folder / FILES[0]).is_file() and not {path.name for path in folder.iterdir()} - {*FOLDERS, *FILES}


def _remove_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        return
