"""A render over its own output, against one into an empty folder: `make bench`, or with --quick once over a small site.

    full      into an empty folder, all features on (`bench/sites.py`, 102,400 GPUs)
    nothing   over it, with nothing changed
    an edit   over it, after one line of the intent has changed that touches one leaf; then it is taken back
    at once   nothing changed, right behind the full render: files whose stamps are too young to count are read

Each is a `fabricgen render --jobs 1` in this process, whose CPU time counts; the first turn is not counted. Told beside
it is the whole process as a user starts it. Exit code 1 where a ratio is above its goal, where an edit has rewritten
other files than it touches, or where the tree is not what a render into an empty folder writes.
"""

import argparse
import gc
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from io import StringIO
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.sites import SIZES, intent
from fabricgen.cli import COLLECT
from fabricgen.cli.render import command as render

TMPFS = Path("/dev/shm")  # noqa: S108 - the fastest place to write; a folder of our own below it
TURNS, QUICK_TURNS = 3, 1
SIZE, QUICK_SIZE = next(size for size in SIZES if size.gpus == 102_400), SIZES[0]
LEAF = "be0-leaf-003"


class Edit(NamedTuple):
    """A line that touches one leaf, and the files that it changes."""

    what: str
    text: str
    files: frozenset[str]


OWN = f"{LEAF}/startup-config"
EDITS = (
    Edit("drain a leaf", f"overrides: {{{LEAF}: {{state: drained}}}}\n", frozenset((OWN, "cabling.csv"))),
    Edit("settings of a leaf", f"overrides: {{{LEAF}: {{bgp: {{hold_seconds: 12}}}}}}\n", frozenset((OWN,))),
    Edit(
        "lines of a leaf", f'raw: [{{system: eos, device: {LEAF}, lines: ["banner login mine"]}}]\n', frozenset((OWN,))
    ),
)
GOALS = {"nothing": 0.03, "at once": 0.05, **{edit.what: 0.05 for edit in EDITS}}
"""Shares of a full render."""


def main() -> int:
    """Run, print, and tell by the exit code."""
    parser = argparse.ArgumentParser(description="A render over its own output.")
    parser.add_argument("--quick", action="store_true", help="once, over a small site: that it runs, not how fast")
    quick = parser.parse_args().quick
    gc.set_threshold(*COLLECT)
    with _folder() as folder:
        site = folder / "intent.yaml"
        site.write_text(intent(QUICK_SIZE if quick else SIZE))
        shares = _shares(site, folder, QUICK_TURNS if quick else TURNS)
        whole = {words: _process(site, folder / "out") for words in ("nothing",)}
        shutil.rmtree(folder / "out")
        whole["full"] = _process(site, folder / "out")
    late = [what for what, share in shares.items() if share > GOALS[what] and not quick]
    for what, share in shares.items():
        print(f"{what:20} {share:9.1%}   goal: at most {GOALS[what]:.0%}{'' if quick else _verdict(what, late)}")
    share = whole["nothing"] / whole["full"]
    print(f"whole processes      {share:9.1%}   nothing {whole['nothing']:.2f} s, full {whole['full']:.2f} s CPU")
    return 1 if late else 0


def _verdict(what: str, late: list[str]) -> str:
    return ", missed" if what in late else ", met"


@contextmanager
def _folder() -> Iterator[Path]:
    """A folder, and a cache of the user's that is this run's own."""
    where = TMPFS if os.access(TMPFS, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="fabricgen-edits-", dir=where) as name:
        sys.pycache_prefix, sys.dont_write_bytecode = f"{name}/bytecode", False
        os.environ |= {"PYTHONPYCACHEPREFIX": f"{name}/bytecode", "PYTHONDONTWRITEBYTECODE": ""}
        yield Path(name)


def _shares(site: Path, folder: Path, turns: int) -> dict[str, float]:
    """Medians, as shares of a full render of the same turn. Raises ValueError where a tree is not as it has to be."""
    out, plain = folder / "out", site.read_text()
    _cpu(site, out)  # writes the lock, which every later render reads
    shares: dict[str, list[float]] = {what: [] for what in GOALS}
    for turn in range(turns + 1):
        shutil.rmtree(out)
        full = _cpu(site, out)
        found = {"at once": _cpu(site, out), "nothing": _cpu(site, out)}
        for edit in EDITS:
            before = _stamps(out)
            site.write_text(plain + edit.text)
            found[edit.what] = _cpu(site, out)
            _touched(edit, before, _stamps(out))
            if not turn:
                _same(site, out, folder / "other")
            site.write_text(plain)
            _cpu(site, out)
        for what, seconds in found.items() if turn else ():
            shares[what].append(seconds / full)
    return {what: median(found) for what, found in shares.items()}


def _cpu(site: Path, out: Path) -> float:
    gc.collect()
    start = time.process_time()
    with redirect_stderr(StringIO()):
        render.command.main(args=[str(site), "-o", str(out), "--jobs", "1"], standalone_mode=False)
    return time.process_time() - start


def _stamps(out: Path) -> dict[str, tuple[int, int]]:
    """Inode and time of each file that is not fabricgen's own."""
    files = (path for path in out.rglob("*") if path.is_file() and ".fabricgen" not in path.parts)
    return {str(path.relative_to(out)): (path.stat().st_ino, path.stat().st_mtime_ns) for path in files}


def _touched(edit: Edit, before: dict[str, tuple[int, int]], after: dict[str, tuple[int, int]]) -> None:
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    if changed != edit.files:
        raise ValueError(f"{edit.what} has rewritten {sorted(changed)[:5]}, and touches {sorted(edit.files)}")


def _same(site: Path, out: Path, other: Path) -> None:
    """Compare with a render into an empty folder."""
    _cpu(site, other)
    files = [path.relative_to(other) for path in other.rglob("*") if path.is_file() and path.name != "lock"]
    for path in files:
        if (out / path).read_bytes() != (other / path).read_bytes():
            raise ValueError(f"{path} is not what a render into an empty folder writes")
    if sum(path.is_file() and path.name != "lock" for path in out.rglob("*")) != len(files):
        raise ValueError(f"{out} holds other files than a render into an empty folder writes")
    shutil.rmtree(other)


def _process(site: Path, out: Path) -> float:
    """CPU seconds of a process as a user starts it."""
    command = [sys.executable, "-m", "fabricgen", "render", str(site), "-o", str(out), "--jobs", "1"]
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        raise ValueError(f"{' '.join(command)} ended with {child.returncode}")
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    sys.exit(main())
