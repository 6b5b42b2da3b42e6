"""A render that reads its texts back, against one that does not: `make bench`, or with --quick of the smallest site.

Each is `fabricgen render` into an empty folder in a process of its own as a user starts it, in turn; the first turn is
not counted. Beside the time stands the CPU of all of its processes: an audit uses every processor from 32 switches on,
a render from 500 on. Exit code 1 where a ratio is above the goal, or where a text is not as planned.
"""

import argparse
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median

from bench.child import Run, run

GOAL = 3.0
"""Time of `render --audit` against that of `render`."""
INVENTORIES = Path(__file__).parents[1] / "inventories"
INVENTORY_SITES = ("superpod-b300", "three-tier-16k")
SYSTEM_SITES: Mapping[str, tuple[str, str]] = {
    "EOS": ("eos-4.34", "arista-7060x6-64pe"),
    "FRR": ("frr-8.4", "nvidia-sn5600"),
    "SONiC": ("sonic-master", "nvidia-sn5600"),
    "Cumulus": ("cumulus-5.16", "nvidia-sn5600"),
    "Junos": ("junos-23.4", "juniper-qfx5230-64cd"),
    "Junos Evolved": ("junos-23.4", "juniper-qfx5240-64od"),
    "SR Linux": ("srlinux-25.3", "nokia-7220-ixr-h5-64d"),
    "NX-OS": ("nxos-10.5", "cisco-n9364e-sg2-o"),
}
"""Backends of 2,048 GPUs: name → system and model of every switch."""


def main() -> int:
    """Run, print, and report a missed goal by the exit code."""
    parser = argparse.ArgumentParser(description="A render that reads its texts back, against one that does not.")
    parser.add_argument("--quick", action="store_true", help="once, of the smallest site: that it runs, not how fast")
    quick = parser.parse_args().quick
    names = INVENTORY_SITES[:1] if quick else (*INVENTORY_SITES, *SYSTEM_SITES)
    missed: list[str] = []
    print(f"goal: at most {GOAL:g} x the time of a render")
    with tempfile.TemporaryDirectory(prefix="fabricgen-audit-") as folder:
        for name in names:
            missed += _measured(name, _intent(Path(folder), name), Path(folder) / "out", turns=1 if quick else 3)
    print("every goal met" if not missed else "\n".join(missed))
    return 1 if missed and not quick else 0


def _intent(folder: Path, name: str) -> Path:
    """The intent of a site, in a folder of its own with its lock."""
    site = folder / name
    if name in INVENTORY_SITES:
        shutil.copytree(INVENTORIES / name, site)
        return site / "intent.yaml"
    system, model = SYSTEM_SITES[name]
    site.mkdir()
    words = ("--model", "dgx-h100", "--servers", 256, "--no-frontend", "--leaf", model, "--spine", model)
    run("init", site / "intent.yaml", "--design", "rail-optimized", "--os", system, *words)
    return site / "intent.yaml"


def _measured(name: str, path: Path, out: Path, turns: int) -> Iterator[str]:
    """Print a site; yield the goal if it misses it."""
    pairs = [(_render(path, out), _render(path, out, "--audit")) for _ in range(turns + 1)][1:]
    ratio = median(audited.wall / plain.wall for plain, audited in pairs)
    plain, audited = pairs[-1]
    print(
        f"{name:15} {ratio:5.2f} x the time {median(two.cpu / one.cpu for one, two in pairs):5.2f} x the CPU"
        f" {plain.wall:7.2f} s, {audited.wall:.2f} s {plain.megabytes:5.0f}, {audited.megabytes:.0f} MiB"
    )
    if ratio > GOAL:
        yield f"{name}: {ratio:.2f} x the time of a render, at most {GOAL:g}"


def _render(path: Path, out: Path, *words: str) -> Run:
    shutil.rmtree(out, ignore_errors=True)
    return run("render", path, "-o", out, *words)


if __name__ == "__main__":
    sys.exit(main())
