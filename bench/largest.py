"""The whole render of the largest site of the inventories, once: `make bench`, or with --quick two of its units.

One process as a user starts it, on an empty folder: its CPU time and the most memory it held (wait4, ru_maxrss), and
the switches by role that it wrote. Exit code 1 where their number is not that of a 1:1 fabric of three tiers: of E
ports of NICs on switches of R ports, 2 E/R leaves, 2 E/R spines and E/R superspines.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from typing import NamedTuple

SITE = Path(__file__).parents[1] / "inventories/three-tier-16k"
SMALLER = (
    ("slots: 0-2047, planned: 2048", "slots: 0-63, planned: 64"),
    ("units_per_pod: 16", "units_per_pod: 1"),
    ("spines: {now: 64, planned: 64}", "spines: {now: 4, planned: 4}"),
    ("superspines: {now: 2, planned: 2}", "superspines: {now: 1, planned: 1}"),
)
"""What --quick writes instead: two pods of one unit each."""
ENDPOINTS, QUICK_ENDPOINTS = 16_384, 512
RADIX = 128
ROLES = {"leaf": "leaves", "spine": "spines", "super": "superspines"}
"""Part of a name → what is counted."""
TMPFS = Path("/dev/shm")  # noqa: S108 - the fastest place to write; a folder of our own below it


class Run(NamedTuple):
    """What a process took. seconds: of CPU; megabytes: the most it held at once."""

    code: int
    seconds: float
    megabytes: float


def main() -> int:
    """Run, print, and tell by the exit code."""
    parser = argparse.ArgumentParser(description="The render of the largest site of the inventories.")
    parser.add_argument("--quick", action="store_true", help="two units of it: that it runs, not what it takes")
    quick = parser.parse_args().quick
    where = TMPFS if os.access(TMPFS, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="fabricgen-largest-", dir=where) as name:
        folder = Path(name)
        run = _render(_intent(folder, quick=quick), folder / "out")
        names = [path.name for path in (folder / "out").glob("be-*")]
        octets = sum(path.stat().st_size for path in (folder / "out").rglob("*") if path.is_file())
    counts = Counter(next(role for role in ROLES if f"-{role}-" in name) for name in names)
    wanted = _wanted(QUICK_ENDPOINTS if quick else ENDPOINTS)
    told = ", ".join(f"{counts[role]} {word}" for role, word in ROLES.items())
    print(f"{'two pods of it' if quick else SITE.name:20} {len(names)} switches ({told}), {octets / 1e6:.1f} MB")
    print(f"{'whole process':20} {run.seconds:9.2f} s CPU {1000 * run.seconds / max(len(names), 1):8.2f} ms a switch")
    print(f"{'most memory':20} {run.megabytes:9.1f} MB")
    return 0 if run.code == 0 and counts == wanted else 1


def _wanted(endpoints: int) -> Counter[str]:
    return Counter(leaf=2 * endpoints // RADIX, spine=2 * endpoints // RADIX, super=endpoints // RADIX)


def _intent(folder: Path, *, quick: bool) -> Path:
    """A copy, whole with its lock or smaller without."""
    path = folder / "intent.yaml"
    text = (SITE / path.name).read_text()
    for old, new in SMALLER if quick else ():
        if text.count(old) != 1:
            raise ValueError(f"{SITE} has no {old!r}")
        text = text.replace(old, new)
    path.write_text(text)
    if not quick:
        shutil.copy(SITE / "fabricgen.lock", folder)
    return path


def _render(intent: Path, out: Path) -> Run:
    command = [sys.executable, "-m", "fabricgen", "render", str(intent), "-o", str(out)]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return Run(child.returncode, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


if __name__ == "__main__":
    sys.exit(main())
