"""Speed of a render, as ratios measured in one run: `make bench`, or with --quick once over a small fabric.

    tool      `fabricgen render` as the command does it: read, plan, check, resolve, render, commit
    f-string  bench/fstring.py, bench/fstring_sonic.py: the same switches and cables resolved, the same bytes, f-strings
              and plain writes
    resolve   the switches alone, nothing written
    cables    the rows of the cabling plan alone, which the f-string program is given as it is given the switches
    again     the tool once more over its own output: nothing to do

That is done of EOS, whose files are lines, and of SONiC, whose files are JSON.
Everything runs in turn in one process (A B C D E, A B C D E, ...), each on an empty folder and after a collection of
garbage; the first turn is not counted. CPU time of the process, medians; the ratio is the median of each turn's own.
Exit code 1 where the two trees differ, or where a ratio is above its goal.

Start-up is told of whole processes, of a small intent, against an interpreter that does nothing; all find their
modules compiled, as an installed package's are.
"""

import argparse
import gc
import os
import platform
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stderr
from importlib.metadata import version
from io import StringIO
from pathlib import Path
from statistics import median
from typing import NamedTuple

from bench import fstring, fstring_sonic
from bench.sites import EOS, SIZES, SONIC, System, intent
from fabricgen.cli import COLLECT
from fabricgen.cli.render import command as render
from fabricgen.plan.cabling import cables
from fabricgen.plan.plan import Plan
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace

SIZE, QUICK_SIZE = next(size for size in SIZES if size.gpus == 102_400), SIZES[0]
"""4,224 switches in three tiers; with --quick 24 in two."""
TURNS, QUICK_TURNS = 3, 1
STARTED = 15
"""Times that each whole process is started: it takes so little that one in three is far from the others."""
LEAST = 300
"""Switches that the tool has to render a second of a processor."""
SMALL = Path(__file__).parents[1] / "inventories" / "lab" / "intent.yaml"
"""What `validate` is measured with."""
STARTS = {"--help": 5.0, "validate": 18.0}
"""Goals of whole processes: times an interpreter that does nothing."""
TMPFS = Path("/dev/shm")  # noqa: S108 - the fastest place to write; a folder of our own below it


class Program(NamedTuple):
    """The f-string program of a system.

    goal   times this program that the tool may take, at most
    least  switches a second of a processor that the tool has to render, 0: any
    """

    system: System
    write_tree: Callable[[Plan, Path], None]
    goal: float
    least: int


PROGRAMS = (Program(EOS, fstring.write_tree, 1.7, LEAST), Program(SONIC, fstring_sonic.write_tree, 2.0, 0))


def main() -> int:
    """Run, print, and tell by the exit code."""
    parser = argparse.ArgumentParser(description="Speed of a render, as ratios measured in one run.")
    parser.add_argument("--quick", action="store_true", help="once, over a small fabric: that it runs, not how fast")
    quick = parser.parse_args().quick
    with _folder() as folder:
        gc.set_threshold(*COLLECT)
        turns = QUICK_TURNS if quick else TURNS
        _print_state(folder)
        late = [_is_late(folder, program, turns, quick=quick) for program in PROGRAMS]
        late.append(_print_processes(folder, QUICK_TURNS if quick else STARTED))
    return 0 if quick or not any(late) else 1


def _is_late(folder: Path, program: Program, turns: int, *, quick: bool) -> bool:
    """Measure and print one system; whether a goal is missed."""
    title = program.system.title
    print(f"-- {title}: {program.system.model}, {program.system.os}")
    ratio, rate = _compare(_intent(folder, program.system, quick=quick), program.write_tree, turns)
    held = (ratio <= program.goal, rate >= program.least)
    verdicts = ("", "") if quick else tuple(", met" if met else ", missed" for met in held)
    print(f"tool / f-string      {ratio:9.2f}   {title}; goal: at most {program.goal}{verdicts[0]}")
    goal = f"goal: at least {program.least}{verdicts[1]}" if program.least else "no goal of its own"
    print(f"switches a CPU s     {rate:9.0f}   {title}; {goal}")
    return ratio > program.goal or rate < program.least


@contextmanager
def _folder() -> Iterator[Path]:
    where = TMPFS if os.access(TMPFS, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="fabricgen-bench-", dir=where) as name:
        yield Path(name)


def _intent(folder: Path, system: System, *, quick: bool) -> Path:
    path = folder / system.title / "intent.yaml"
    path.parent.mkdir()
    path.write_text(intent(QUICK_SIZE if quick else SIZE, system))
    return path


def _print_state(folder: Path) -> None:
    load = ", ".join(f"{value:.2f}" for value in os.getloadavg())
    kind = subprocess.run(["stat", "-f", "-c", "%T", str(folder)], capture_output=True, text=True, check=True)
    versions = " ".join(f"{name} {version(name)}" for name in ("jinja2", "pydantic", "pyyaml", "click"))
    print(f"python {platform.python_version()} {versions}")
    print(
        f"{os.cpu_count()} CPUs, load {load}; written to {kind.stdout.strip()}; gc {'on' if gc.isenabled() else 'off'}"
    )


def _compare(site: Path, write_tree: Callable[[Plan, Path], None], turns: int) -> tuple[float, float]:
    """Run all in turn and print medians; the median ratio of tool to f-string program, and the tool's switches a s."""
    rendered, plain = site.parent / "tool", site.parent / "f-string"
    _render(site, rendered)  # writes the lock, which every later render reads
    plan = open_workspace(site).plan
    count = sum(1 for _ in devices(plan))

    def f_strings() -> None:
        plain.mkdir()
        write_tree(plan, plain)

    runs: dict[str, tuple[Callable[[], None], tuple[Path, ...]]] = {
        "tool": (lambda: _render(site, rendered), (rendered,)),
        "f-string": (f_strings, (plain,)),
        "resolve": (lambda: _exhaust(devices(plan)), ()),
        "cables": (lambda: _exhaust(cables(plan)), ()),
        "again": (lambda: _render(site, rendered), ()),
    }
    times: dict[str, list[float]] = {name: [] for name in runs}
    for turn in range(turns + 1):
        for name, (run, emptied) in runs.items():
            seconds = _cpu(run, emptied)
            if turn:
                times[name].append(seconds)
    octets = _same(rendered, plain)
    shutil.rmtree(rendered)
    shutil.rmtree(plain)
    print(f"{count} switches, {octets / 1e6:.1f} MB, {turns} turns, every file the same from both programs")
    for name, found in times.items():
        middle = median(found)
        print(
            f"{name:20} {middle * 1000:9.1f} ms CPU {middle * 1000 / count:8.2f} ms a switch {count / middle:8.0f} a s"
        )
    switches = [(own - rows, other - rows) for own, other, rows in _turns(times, "tool", "f-string", "cables")]
    print(f"switches alone       {median(own / other for own, other in switches):9.2f}   the same ratio without cables")
    return median(own / other for own, other in _turns(times, "tool", "f-string")), count / median(times["tool"])


def _turns(times: dict[str, list[float]], *names: str) -> Iterator[tuple[float, ...]]:
    return zip(*(times[name] for name in names), strict=True)


def _exhaust(rows: Iterator[object]) -> None:
    for _ in rows:
        pass


def _cpu(run: Callable[[], None], emptied: tuple[Path, ...]) -> float:
    for folder in emptied:
        shutil.rmtree(folder, ignore_errors=True)
    gc.collect()
    start = time.process_time()
    run()
    return time.process_time() - start


def _render(site: Path, out: Path) -> None:
    with redirect_stderr(StringIO()):
        render.command.main(args=[str(site), "-o", str(out), "--jobs", "1"], standalone_mode=False)


def _same(rendered: Path, plain: Path) -> int:
    """Octets of the tree. Raises ValueError for the first file that the two programs write differently."""
    names = sorted(str(path.relative_to(rendered)) for path in rendered.rglob("*") if path.is_file())
    names = [name for name in names if not name.startswith(".fabricgen")]
    others = sorted(str(path.relative_to(plain)) for path in plain.rglob("*") if path.is_file())
    if names != others:
        raise ValueError(f"only one program writes {sorted(set(names) ^ set(others))[:3]}")
    octets = 0
    for name in names:
        one, two = (rendered / name).read_bytes(), (plain / name).read_bytes()
        if one != two:
            lines = zip(one.splitlines(), two.splitlines(), strict=False)
            first = next((pair for pair in lines if pair[0] != pair[1]), "one is longer")
            raise ValueError(f"{name} differs, so the f-string program is behind the templates: {first}")
        octets += len(one)
    return octets


def _print_processes(folder: Path, turns: int) -> bool:
    """Whole processes against a bare interpreter, start and imports included; whether one is above its goal."""
    commands = {
        "bare interpreter": ["-c", "pass"],
        "--help": ["-m", "fabricgen", "--help"],
        "validate": ["-m", "fabricgen", "validate", str(SMALL)],
    }
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(folder / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
    times: dict[str, list[float]] = {name: [] for name in commands}
    for turn in range(turns + 1):
        for name, words in commands.items():
            seconds = _child_cpu([sys.executable, *words], environment)
            if turn:
                times[name].append(seconds)
    late = False
    for name, found in times.items():
        ratio = median(own / bare for own, bare in _turns(times, name, "bare interpreter"))
        goal = STARTS.get(name, ratio)
        told = f"   goal: at most {goal:g}" if name in STARTS else ""
        print(f"{name:20} {median(found) * 1000:9.1f} ms CPU {ratio:8.1f} x bare{told}")
        late = late or ratio > goal
    return late


def _child_cpu(command: list[str], environment: Mapping[str, str]) -> float:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, capture_output=True, check=True, env=environment)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    sys.exit(main())
