"""A render that reads its texts back, against one that does not: `make bench`, or with --quick of the smallest site.

Each is `fabricgen render` into an empty folder in a process of its own as a user starts it, in turn; the first turn is
not counted. CPU seconds are of all of its processes, so that they do not hang on how many there are. Exit code 1 where
a ratio is above the goal, or where a text is not as planned.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median

from bench.child import Run, run
from bench.sites import EOS, SIZES, SONIC, Size, System, intent

GOAL = 3.0
"""CPU of `render --audit` against that of `render`."""
INVENTORIES = Path(__file__).parents[1] / "inventories"
SITES: dict[str, tuple[Size, System] | None] = {
    "superpod-b300": None,
    "2,048 GPUs, EOS": (Size(2_048, 1, 256, 16, 0), EOS),
    "1,024 GPUs, SONiC": (SIZES[0], SONIC),
    "three-tier-16k": None,
}
"""Of the bench's own sites their size and system; the others are inventories."""
TOLD_ALONE = frozenset({"three-tier-16k"})
"""Sites that are too large for the goal: what a process sets up once is a small part of their render."""


def main() -> int:
    """Run, print, and report a missed goal by the exit code."""
    parser = argparse.ArgumentParser(description="A render that reads its texts back, against one that does not.")
    parser.add_argument("--quick", action="store_true", help="once, of the smallest site: that it runs, not how fast")
    quick = parser.parse_args().quick
    names = ["superpod-b300"] if quick else list(SITES)
    missed: list[str] = []
    print(f"goal: at most {GOAL:g} x the CPU of a render")
    with tempfile.TemporaryDirectory(prefix="fabricgen-audit-") as folder:
        for name in names:
            missed += _measured(name, _intent(Path(folder), name), Path(folder) / "out", turns=1 if quick else 3)
    print("every goal met" if not missed else "\n".join(missed))
    return 1 if missed and not quick else 0


def _intent(folder: Path, name: str) -> Path:
    """The intent of a site, in a folder of its own with its lock."""
    site, parts = folder / name, SITES[name]
    if parts is None:
        shutil.copytree(INVENTORIES / name, site)
    else:
        site.mkdir()
        (site / "intent.yaml").write_text(intent(*parts))
    return site / "intent.yaml"


def _measured(name: str, path: Path, out: Path, turns: int) -> Iterator[str]:
    """Print a site; yield the goal if it misses it."""
    pairs = [(_render(path, out), _render(path, out, "--audit")) for _ in range(turns + 1)][1:]
    ratio = median(audited.cpu / plain.cpu for plain, audited in pairs)
    plain, audited = pairs[-1]
    print(
        f"{name:20} {ratio:5.2f} x the CPU {median(two.wall / one.wall for one, two in pairs):5.2f} x the time"
        f" {plain.cpu:7.2f} s, {audited.cpu:.2f} s CPU {plain.megabytes:5.0f}, {audited.megabytes:.0f} MiB"
    )
    if ratio > GOAL and name not in TOLD_ALONE:
        yield f"{name}: {ratio:.2f} x the CPU of a render, at most {GOAL:g}"


def _render(path: Path, out: Path, *words: str) -> Run:
    shutil.rmtree(out, ignore_errors=True)
    return run("render", path, "-o", out, *words)


if __name__ == "__main__":
    sys.exit(main())
