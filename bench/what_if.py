"""Failures of large sites, singles and pairs: `make bench`, or with --quick of the smallest.

Each in a process of its own as a user starts it. Seconds beyond reading are those of `what-if` less those of `explain`,
which reads and checks the same intent. Exit code 1 where a goal is missed.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from bench.child import Run, run
from bench.sites import SIZES, Size, intent

GOAL_SECONDS, GOAL_MEGABYTES = 5.0, 200.0
"""At 102,400 GPUs: all failures of one and of two parts, beyond reading the plan; and the most memory."""
LARGEST = 102_400


def main() -> int:
    """Run, print, and report a missed goal by the exit code."""
    parser = argparse.ArgumentParser(description="Failures of large sites, one part and two at a time.")
    parser.add_argument("--quick", action="store_true", help="the smallest: that it runs, not what it takes")
    quick = parser.parse_args().quick
    sizes = SIZES[:1] if quick else tuple(size for size in SIZES if size.gpus in (16_384, LARGEST, 524_288))
    missed: list[str] = []
    print(f"goals at {LARGEST:,} GPUs: {GOAL_SECONDS:g} s of CPU beyond reading, {GOAL_MEGABYTES:g} MiB")
    with tempfile.TemporaryDirectory(prefix="fabricgen-what-if-") as name:
        for size in sizes:
            missed += _measured(Path(name), size)
    print("every goal met" if not missed else "\n".join(missed))
    return 1 if missed else 0


def _measured(folder: Path, size: Size) -> Iterator[str]:
    """Print a size; yield goals that it misses."""
    path = folder / f"{size.gpus}.yaml"
    path.write_text(intent(size))
    read = run("explain", path, "be0-leaf-000")
    singles, pairs = run("what-if", path, "--json"), run("what-if", path, "--pairs", "--json")
    found = _failures(path)
    print(f"{size.gpus:>9,} GPUs {found[0]:>12,} parts {found[1]:>20,} failures of one or two")
    _print("one part", singles, read)
    _print("two parts", pairs, read)
    if size.gpus == LARGEST:
        if pairs.cpu - read.cpu > GOAL_SECONDS:
            yield f"{pairs.cpu - read.cpu:.2f} s beyond reading, at most {GOAL_SECONDS:g}"
        if pairs.megabytes > GOAL_MEGABYTES:
            yield f"{pairs.megabytes:.0f} MiB, at most {GOAL_MEGABYTES:g}"


def _print(what: str, seen: Run, read: Run) -> None:
    print(f"  {what:10} {seen.cpu:7.2f} s CPU {seen.cpu - read.cpu:7.2f} s beyond reading {seen.megabytes:7.0f} MiB")


def _failures(path: Path) -> tuple[int, int]:
    """Parts of all fabrics, and failures of one and of two of them."""
    command = [sys.executable, "-m", "fabricgen", "what-if", str(path), "--pairs", "--json"]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    fabrics = json.loads(printed)["fabrics"]
    return sum(each["parts"] for each in fabrics), sum(each["failures"] for each in fabrics)


if __name__ == "__main__":
    sys.exit(main())
