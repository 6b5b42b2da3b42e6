"""fabricgen beside AVD and netlab, as ratios measured in one run: `make bench-against`, or with --quick in small.

    fabricgen  `fabricgen render`, the process as a user starts it: read, plan, check, resolve, render, write
    avd        pyavd's own steps over the same switches, cables and ports, in one process: bench/avd_run.py
    netlab     `netlab create`: transforms the topology, writes the nodes' configurations and what starts a lab

All get the same fabric (bench/against_fabric.py): AVD's inputs and netlab's topology are made from our plan, before
anything is measured. Each of the two has an environment of its own, made with pip or given. In turn: fabricgen, a
tool, fabricgen; the very first of fabricgen is not counted. CPU of a process and of the children it waited for, the
most memory that one of them held (wait4). Exit code 1 where a goal is missed.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench.against_fabric import FAMILIES, QUICK_SPINES, SPINES, UNNUMBERED, intent_text, read_fabric
from bench.against_tools import (
    AVD,
    FABRICGEN,
    NETLAB,
    PACKAGES,
    Cost,
    Tool,
    Written,
    count,
    make_environment,
    make_tool,
    run,
    write_all_inputs,
)

LEAVES = {AVD: (128, 500), NETLAB: (16, 128)}
"""Sizes of a whole run; 128 leaves and their 64 spines are 192 switches, 500 in three tiers 1,268."""
QUICK_LEAVES = 4
TMPFS = Path("/dev/shm")  # noqa: S108 - where all of them write fastest; a folder of our own below it
LINES_GOAL, MEMORY_GOAL, CPU_GOAL = 100, 0.1, 100
"""Beside AVD: times its lines a CPU second, part of its memory. Beside netlab: its CPU seconds for one of ours."""
NOT_COMPARABLE = """\
What is not comparable:
- A line is a line of configuration, without empty ones and separators. pyavd and fabricgen write nearly the same of a
  port. fabricgen also writes the policy of each neighbor, buffers and headroom; netlab writes each port twice, and on
  every switch the names of all the others.
- pyavd validates each input against a schema of EOS as a whole, and serves EVPN, MLAG, WAN and campus designs that
  nothing here uses. It is given each switch's own node alone, the least there is; its QoS is handed to it ready, and
  it checks no cable, buffer or capacity. The Ansible collection around it is not measured.
- netlab computes a lab: provider files, an Ansible inventory and host variables come with the configurations. It knows
  about forty systems and twenty protocols, and no RoCE, telemetry or management of a production switch.
- fabricgen plans as well: numbers, addresses, cables with their media, headroom from lengths, and its checks of all of
  them run in what is measured here; the cabling plan is written too. It knows AI fabrics alone.
"""


class Row(NamedTuple):
    """A tool at a size: median of its runs."""

    tool: Tool
    leaves: int
    cost: Cost
    written: Written

    @property
    def lines_a_second(self) -> float:
        """Lines of configuration written in a CPU second."""
        return self.written.lines / self.cost.seconds


def main() -> int:
    """Run, print, and tell by the exit code."""
    options = _options()
    sizes = {name: tuple(getattr(options, name)) for name in LEAVES}
    where = TMPFS if os.access(TMPFS, os.W_OK) else None
    with _folder(options.folder, where) as folder, _folder(options.environments, None) as environments:
        wanted = [name for name in LEAVES if sizes[name]]
        if options.quick:
            wanted = [name for name in wanted if (environments / name / "bin/python").exists()]
            sizes = {name: (QUICK_LEAVES,) for name in wanted}
        for name in () if options.quick else wanted:
            make_environment(environments, name)
        print(f"{'tool':<18} leaves switches     lines    CPU s  lines/CPU s  switches/CPU s      MB")
        rows: list[Row] = []
        for leaves in sorted({QUICK_LEAVES} if options.quick else {n for name in wanted for n in sizes[name]}):
            rivals = [name for name in wanted if leaves in sizes[name]]
            place = folder / f"{leaves}-leaves"
            place.mkdir()
            spines = QUICK_SPINES if options.quick else SPINES
            (place / "intent.yaml").write_text(intent_text(leaves, spines, options.links))
            write_all_inputs(read_fabric(place / "intent.yaml"), options.links, place)
            rows.extend(_measure(leaves, [make_tool(name, place, environments) for name in (FABRICGEN, *rivals)]))
    _print_leaves(rows)
    verdicts = list(_verdicts(rows))
    for text, _ in verdicts:
        print(text)
    print(NOT_COMPARABLE, end="")
    return 0 if options.quick or all(is_met for _, is_met in verdicts) else 1


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="fabricgen beside AVD and netlab, as ratios measured in one run.")
    parser.add_argument("--quick", action="store_true", help="4 leaves, with the environments that are there: it runs")
    parser.add_argument("--environments", type=Path, help="folder of avd/ and netlab/; made by pip where absent")
    parser.add_argument("--folder", type=Path, help="keep what goes in and comes out here; it must not exist")
    parser.add_argument("--links", choices=sorted(FAMILIES), default=UNNUMBERED, help=f"default: {UNNUMBERED}")
    for name, sizes in LEAVES.items():
        told = f"leaves to measure {PACKAGES[name][0]} at; none: not at all (default: {sizes})"
        parser.add_argument(f"--{name}", type=int, nargs="*", default=sizes, metavar="LEAVES", help=told)
    options = parser.parse_args()
    if options.folder and options.folder.exists():
        parser.error(f"{options.folder} is there already: name a folder to make")
    try:
        for leaves in (*options.avd, *options.netlab):
            intent_text(leaves, SPINES, options.links)
    except ValueError as error:
        parser.error(str(error))
    return options


@contextmanager
def _folder(kept: Path | None, where: Path | None) -> Iterator[Path]:
    """The one that was given, or one below `where` for as long as this runs."""
    if kept is not None:
        kept.mkdir(parents=True, exist_ok=True)
        yield kept.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="fabricgen-against-", dir=where) as name:
        yield Path(name)


def _measure(leaves: int, tools: list[Tool]) -> Iterator[Row]:
    ours, *rivals = tools
    run(ours)
    costs = [run(ours)]
    rows = []
    for rival in rivals:
        rows.append(Row(rival, leaves, run(rival), count(rival)))
        costs.append(run(ours))
    middle = Cost(median(cost.seconds for cost in costs), median(cost.megabytes for cost in costs))
    for row in (Row(ours, leaves, middle, count(ours)), *rows):
        _print_row(row)
        yield row


def _print_row(row: Row) -> None:
    name = f"{row.tool.name} {row.tool.version}"
    cost, written = row.cost, row.written
    speed = written.devices / cost.seconds
    print(
        f"{name:<18} {row.leaves:6} {written.devices:8} {written.lines:9} {cost.seconds:8.1f} "
        f" {row.lines_a_second:12.0f} {speed:15.1f} {cost.megabytes:7.0f}",
        flush=True,
    )


def _print_leaves(rows: list[Row]) -> None:
    """What one leaf of the largest size that each tool ran at is configured with."""
    last = {row.tool.name: row for row in rows}
    print(f"{'of one leaf':<28}", *(f"{name:>10}" for name in last))
    for what in next(iter(last.values())).written.leaf:
        print(f"{what:<28}", *(f"{row.written.leaf[what]:10}" for row in last.values()))


def _verdicts(rows: list[Row]) -> Iterator[tuple[str, bool]]:
    """A line for each rival and size; met or missed is said at its largest, and only there it counts."""
    ours = {row.leaves: row for row in rows if row.tool.name == FABRICGEN}
    largest = {row.tool.name: row.leaves for row in rows}
    for row in rows:
        if row.tool.name == FABRICGEN:
            continue
        own = ours[row.leaves]
        lines = own.lines_a_second / row.lines_a_second
        memory, seconds = own.cost.megabytes / row.cost.megabytes, row.cost.seconds / own.cost.seconds
        text = f"beside {row.tool.name}, {row.leaves} leaves: {lines:.0f} x its lines a CPU second"
        text += f", {seconds:.0f} x less CPU, {memory:.3f} of its memory"
        is_met = lines >= LINES_GOAL and memory <= MEMORY_GOAL
        goal = f"at least {LINES_GOAL} x the lines, at most {MEMORY_GOAL} of the memory"
        if row.tool.name == NETLAB:
            is_met, goal = seconds >= CPU_GOAL, f"at least {CPU_GOAL} x less CPU"
        counts = row.leaves == largest[row.tool.name]
        yield (f"{text}; goal {goal}: {'met' if is_met else 'missed'}" if counts else text), is_met or not counts


if __name__ == "__main__":
    sys.exit(main())
