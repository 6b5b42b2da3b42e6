"""Breaks the code on purpose, one break at a time, and asks the tests named beside it to find it: `make mutants`.

Every break (tests/mutant_list.py) is a place by its name, and a change of its syntax tree (tests/mutant_changes.py). It
is made in a copy of the tree, and its tests run there; the test that fails must pass again when the break is undone.
Exit code 1 where a break stays unfound, or where its place is no longer there: then the code has moved, and the break
must follow it. A break whose tests are all skipped on this machine is named as not tried.

    python tests/mutants.py              all of them, two at a time
    python tests/mutants.py NAME ...     some of them
"""

# ruff: noqa: T201  # a command, and this is its output
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import SimpleQueue
from typing import NamedTuple

from tests.frr.waiting import VARIABLE
from tests.mutant_changes import ROOT, Broken, MisfitError, Mutant, broken
from tests.mutant_list import MUTANTS

COPIED = ("fabricgen", "napalm_frr", "templates", "inventories", "tests", "bench", "schema", "docs")
FILES = ("Makefile", "README.md", "pyproject.toml", "constraints.txt")
AT_ONCE = 2
SECONDS = 600
"""A run that takes longer has hung; the judge of what is left out takes minutes over all platforms."""
WAITING = {VARIABLE: "60"}
"""Seconds that a test waits for daemons: it must come to its end by itself, and take them down."""
SKIPPED = re.compile(r"\d+ skipped(, \d+ deselected)? in ")
"""Last line of a run in which no test ran."""
MODELS = ROOT.parent / "shared" / "data"
"""Published models and recordings, where there are some: the copies have no such folder beside them."""


class Outcome(NamedTuple):
    """What became of one break. `told` is the first test that failed, and how, or why none did.

    tried  whether any of its tests ran here
    """

    mutant: Mutant
    tried: bool
    found: bool
    told: str
    seconds: float


def main(names: list[str]) -> int:
    """Run all, or those named; print a table and tell by the exit code."""
    unknown = sorted(set(names) - {mutant.name for mutant in MUTANTS})
    if unknown:
        print(f"no such mutant: {', '.join(unknown)}", file=sys.stderr)
        return 2
    wanted = [mutant for mutant in MUTANTS if not names or mutant.name in names]
    texts = {}
    for mutant in wanted:
        try:
            texts[mutant.name] = broken(mutant)
        except MisfitError as error:
            print(f"{mutant.name}: {mutant.place}: {error}")
    if len(texts) < len(wanted):
        return 1
    start = time.monotonic()
    outcomes = list(_run_all(wanted, texts))
    tried = [outcome for outcome in outcomes if outcome.tried]
    unfound = [outcome.mutant.name for outcome in tried if not outcome.found]
    print(f"{len(tried) - len(unfound)} of {len(tried)} found in {time.monotonic() - start:.0f} s")
    if len(tried) < len(outcomes):
        print(f"not tried here: {', '.join(outcome.mutant.name for outcome in outcomes if not outcome.tried)}")
    if unfound:
        print(f"not found: {', '.join(unfound)}")
    return 1 if unfound else 0


def _run_all(wanted: list[Mutant], texts: Mapping[str, Broken]) -> Iterator[Outcome]:
    with tempfile.TemporaryDirectory(prefix="fabricgen-mutants-") as folder, ThreadPoolExecutor(AT_ONCE) as pool:
        trees: SimpleQueue[Path] = SimpleQueue()
        for number in range(AT_ONCE):
            trees.put(_copy(Path(folder) / str(number)))
        for outcome in pool.map(lambda mutant: _in_a_tree(mutant, texts[mutant.name], trees), wanted):
            verdict = "found" if outcome.found else "NOT FOUND" if outcome.tried else "not tried"
            print(f"{outcome.mutant.name:25} {verdict:10} {outcome.seconds:5.1f} s  {outcome.told}", flush=True)
            yield outcome


def _copy(tree: Path) -> Path:
    for name in COPIED:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, tree / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in FILES:
        shutil.copy2(ROOT / name, tree / name)
    return tree


def _in_a_tree(mutant: Mutant, text: Broken, trees: "SimpleQueue[Path]") -> Outcome:
    tree = trees.get()
    path = tree / mutant.path
    whole = path.read_text()
    start = time.monotonic()
    try:
        path.write_text(text.broken)
        run = _run(tree, mutant.tests)
        told, found = _failed(run), False
        if told:
            path.write_text(text.sound)
            # All cases of the test at once: what is in brackets may hold anything.
            found = _run(tree, (told.partition(" - ")[0].partition("[")[0],)).code == 0
            told = f"{told:.160}" if found else f"{told:.160} does not pass without it either"
    finally:
        path.write_text(whole)
        trees.put(tree)
    tried = found or SKIPPED.match(run.lines[-1]) is None
    return Outcome(mutant, tried, found, told or run.lines[-1], time.monotonic() - start)


class Run(NamedTuple):
    """Exit code of pytest, 1 where a test failed, and the lines that say something."""

    code: int
    lines: tuple[str, ...]


def _failed(run: Run) -> str:
    """The first test that failed; empty where none did: what cannot even be collected has found nothing."""
    failed = [line.removeprefix("FAILED ") for line in run.lines if line.startswith("FAILED ")]
    return failed[0] if run.code == 1 and failed else ""


def _run(tree: Path, tests: tuple[str, ...]) -> Run:
    # The copy comes before the installed package, and nothing compiled outlives the break that it was compiled from.
    environment = os.environ | {"PYTHONPATH": str(tree), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "200"} | WAITING
    if MODELS.is_dir():
        environment.setdefault("FABRICGEN_MODELS", str(MODELS))
    command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-m", "", *tests]
    try:
        run = subprocess.run(
            command, cwd=tree, env=environment, capture_output=True, text=True, timeout=SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return Run(-1, (f"longer than {SECONDS} s",))
    lines = tuple(line for line in (run.stdout + run.stderr).splitlines() if line.strip())
    return Run(run.returncode, lines or ("pytest said nothing",))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
