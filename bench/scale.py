"""The curve from 1,024 to 1,048,576 GPUs: `make bench`; --largest GPUS ends it earlier, --quick runs the first size.

Each size is one process as a user starts it, on an empty folder, with one job: CPU seconds and the most memory that it
held (wait4, ru_maxrss). Then at 102,400 GPUs two jobs beside one, in turns, by wall time, as that is what they are for;
one switch of the smallest and of the largest site, in this process, in turns; and the output of each verb again.
Exit code 1 where a goal is missed.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from bench.child import Run, run
from bench.sites import SIZES, Size, intent
from fabricgen.plan.fabric import place_of
from fabricgen.render.render import Renderer
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.site.workspace import open_workspace

TMPFS = Path("/dev/shm")  # noqa: S108 - the fastest place to write; a folder of our own below it
MEGABYTES, MEGABYTES_ABOVE, LARGE = 100.0, 150.0, 102_400
"""Most memory up to LARGE GPUs, and above."""
CURVE, CURVE_FROM = 1.15, 16_384
"""CPU of a switch at the largest size, times that at this one."""
JOBS, JOBS_AT, JOBS_TURNS = 0.6, 102_400, 3
"""Wall time of two jobs, times that of one."""
ONE, ONE_TURNS, ONE_MS = 1.15, 15, 5.0
"""Time of one switch of the largest site, times that of the smallest; and the most milliseconds."""
LEAF = "be0-leaf-003"


def main() -> int:
    """Run, print, and tell by the exit code."""
    parser = argparse.ArgumentParser(description="The curve from 1k to 1M GPUs.")
    parser.add_argument("--largest", type=int, default=SIZES[-1].gpus, metavar="GPUS")
    parser.add_argument("--quick", action="store_true", help="the smallest size alone: that it runs, not what it takes")
    words = parser.parse_args()
    sizes = [size for size in SIZES if size.gpus <= words.largest][: 1 if words.quick else None]
    where = TMPFS if os.access(TMPFS, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="fabricgen-scale-", dir=where) as name:
        missed = [*_curve(Path(name), sizes), *_one(Path(name), sizes)]
        if any(size.gpus == JOBS_AT for size in sizes):
            missed += _jobs(Path(name))
    print(f"missed: {', '.join(missed)}" if missed else "every goal met")
    return 1 if missed and not words.quick else 0


def _site(folder: Path, size: Size) -> Path:
    path = folder / str(size.gpus) / "intent.yaml"
    path.parent.mkdir(exist_ok=True)
    path.write_text(intent(size))
    return path


def _curve(folder: Path, sizes: list[Size]) -> Iterator[str]:
    """Print the curve; names of the goals that it misses."""
    print(f"{'GPUs':>10} {'switches':>9} {'CPU s':>8} {'ms a switch':>12} {'a CPU s':>8} {'MB':>6}")
    each: dict[int, float] = {}
    for size in sizes:
        site = _site(folder, size)
        took = _render(site, folder / "out", 1)
        found = sum(1 for path in (folder / "out").iterdir() if path.name.startswith("be"))
        if found != size.switches:
            raise ValueError(f"{size.gpus} GPUs: {found} switches, not {size.switches}")
        shutil.rmtree(folder / "out")
        each[size.gpus] = apiece = took.cpu / found * 1000
        print(
            f"{size.gpus:10,} {found:9,} {took.cpu:8.2f} {apiece:12.2f} {found / took.cpu:8.0f} {took.megabytes:6.1f}"
        )
        most = MEGABYTES if size.gpus <= LARGE else MEGABYTES_ABOVE
        if took.megabytes > most:
            yield f"{took.megabytes:.0f} MB at {size.gpus:,} GPUs, at most {most:g}"
    last = sizes[-1].gpus
    if CURVE_FROM in each and last > CURVE_FROM:
        ratio = each[last] / each[CURVE_FROM]
        print(f"a switch of {last:,} GPUs / of {CURVE_FROM:,}   {ratio:.2f}   goal: at most {CURVE}")
        if ratio > CURVE:
            yield f"{ratio:.2f} times the CPU of a switch at {last:,} GPUs, at most {CURVE}"


def _one(folder: Path, sizes: list[Size]) -> Iterator[str]:
    """Resolve and render one leaf of the smallest and of the largest site."""
    works = [_leaf(_site(folder, size)) for size in (sizes[0], sizes[-1])]
    times: list[list[float]] = [[], []]
    for turn in range(ONE_TURNS + 1):
        for found, work in zip(times, works, strict=True):
            begun = time.process_time()
            work()
            if turn:
                found.append((time.process_time() - begun) * 1000)
    ratio = median(large / small for small, large in zip(*times, strict=True))
    most = median(times[1])
    print(f"one leaf             {most:9.2f} ms, {ratio:.2f} times that of the smallest; goals: {ONE_MS:g} ms, {ONE}")
    if ratio > ONE or most > ONE_MS:
        yield f"one leaf in {most:.1f} ms, {ratio:.2f} times that of the smallest site"


def _leaf(site: Path) -> Callable[[], None]:
    plan, renderer = open_workspace(site).plan, Renderer()
    fabric = plan.fabrics["backend0"]
    place = place_of(fabric, LEAF)
    if place is None:
        raise ValueError(f"{site} has no {LEAF}")

    def work() -> None:
        # As a process has it that renders nothing else: no number of a neighbor is known.
        fabric.known.clear()
        for _ in renderer.render(resolve(make_site(plan, fabric.name), place)):
            pass

    return work


def _jobs(folder: Path) -> Iterator[str]:
    """Two jobs beside one, by wall time."""
    site = folder / str(JOBS_AT) / "intent.yaml"
    runs: dict[int, list[Run]] = {1: [], 2: []}
    for _ in range(JOBS_TURNS):
        for jobs, found in runs.items():
            found.append(_render(site, folder / "out", jobs))
            shutil.rmtree(folder / "out")
    ratio = median(two.wall / one.wall for one, two in zip(runs[1], runs[2], strict=True))
    cpu = median(two.cpu / one.cpu for one, two in zip(runs[1], runs[2], strict=True))
    print(f"two jobs / one       {ratio:9.2f} of the wall time, {cpu:.2f} of the CPU   goal: at most {JOBS}")
    if ratio > JOBS:
        yield f"two jobs take {ratio:.2f} of the wall time of one, at most {JOBS}"


def _render(site: Path, out: Path, jobs: int) -> Run:
    return run("render", site, "-o", out, "--jobs", jobs)


if __name__ == "__main__":
    sys.exit(main())
