"""`make test`: linters and groups of tests side by side, so that two cores are busy while daemons are waited for.

Two pools take their jobs in the order of the tables: tests that wait for daemons and kernels, and all that computes.
What a job said is printed when it ends, and kept as out/tests/NAME.txt; at the end, how many tests were skipped for
which reason. Exit code 1 where one of them failed.
"""

import os
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[1]
OUT = ROOT / "out/tests"
PROGRAMS = Path(sys.executable).parent


class Job(NamedTuple):
    """A program and its words; of pytest they are paths, less those below them that other jobs have."""

    name: str
    program: str
    words: tuple[str, ...]


LIVE = (
    Job("lab", "pytest", ("tests/lab",)),
    Job(
        "waves",
        "pytest",
        (
            "tests/lab/test_push_brings_live.py",
            "tests/lab/test_push_leaf_live.py",
            "tests/lab/test_push_two_operators.py",
        ),
    ),
    Job("driver", "pytest", ("tests/napalm_frr",)),
    Job("frr", "pytest", ("tests/frr", "tests/live", "tests/verify")),
    Job("cables", "pytest", ("tests/lab/test_lab_faults.py", "tests/lab/test_lab_inventories.py")),
    Job("faults", "pytest", ("tests/lab/test_push_faults.py",)),
    Job("demo", "pytest", ("tests/lab/test_lab_demo.py",)),
    Job("kills", "pytest", ("tests/lab/test_push_killed.py", "tests/lab/test_lab_killed.py")),
    Job("pushes", "pytest", ("tests/lab/test_push_live.py", "tests/lab/test_push_drain_live.py")),
    Job("uml", "pytest", ("tests/uml",)),
)
"""The longest first, so that no core waits for one of them at the end."""

PLAIN = (
    Job("push", "pytest", ("tests/push",)),
    Job("rest", "pytest", ("tests",)),
    Job("verbs", "pytest", ("tests/cli", "tests/sites", "tests/baseline", "tests/explain")),
    Job("change", "pytest", ("tests/diff", "tests/stability", "tests/steps")),
    Job(
        "texts",
        "pytest",
        (
            "tests/checks",
            "tests/cumulus",
            "tests/eos",
            "tests/junos",
            "tests/nxos",
            "tests/pairs",
            "tests/sonic",
            "tests/srlinux",
        ),
    ),
    Job("export", "pytest", ("tests/export", "tests/hosts", "tests/output", "tests/resolve")),
    Job("types", "mypy", ()),
    Job("recipes", "pytest", ("tests/recipes",)),
    Job("contracts", "lint-imports", ()),
    Job("lint", "ruff", ("check", ".")),
    Job("format", "ruff", ("format", "--check", ".")),
)
"""Likewise, by the processor's time that each took: the last to end must be short."""

LIVE_AT_ONCE, PLAIN_AT_ONCE = 4, 2
"""Two that compute keep two cores busy; more of them take from daemons what these need to be in time."""

SKIPPED = re.compile(r"^SKIPPED \[(\d+)\] \S+: (.*)$", re.MULTILINE)
"""As `pytest -ra` has it: how many, where, why."""

BYTECODE = {"PYTHONPYCACHEPREFIX": str(OUT / "bytecode"), "PYTHONDONTWRITEBYTECODE": ""}
"""Where a thousand short processes find their modules compiled, also where no bytecode is to lie beside sources.

Without, starting `fabricgen push` takes 2.2 s of a processor instead of 0.9.
"""


def command(job: Job) -> list[str]:
    """The words that are run."""
    if job.program != "pytest":
        return [str(PROGRAMS / job.program), *job.words]
    others = {word for other in (*LIVE, *PLAIN) if other.program == "pytest" for word in other.words} - {*job.words}
    below = (other for other in sorted(others) if any(Path(word) in Path(other).parents for word in job.words))
    return [str(PROGRAMS / "pytest"), "-q", *job.words, *(f"--ignore={other}" for other in below)]


class Ended(NamedTuple):
    """A job that has ended: exit code, seconds that it took, and seconds of a processor of all that it waited for.

    Daemons whose parent went before them are not counted.
    """

    code: int
    wall: float
    processor: float


def run(job: Job) -> Ended:
    """Run it; all that it says goes into its file."""
    begun = time.monotonic()
    with (OUT / f"{job.name}.txt").open("w") as file:
        process = subprocess.Popen(
            command(job), cwd=ROOT, env=os.environ | BYTECODE, stdout=file, stderr=subprocess.STDOUT
        )
        _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Ended(process.returncode, time.monotonic() - begun, used.ru_utime + used.ru_stime)


def skipped(outputs: Iterable[str]) -> list[str]:
    """A line per reason for which tests were skipped, the most frequent first."""
    counts: Counter[str] = Counter()
    for output in outputs:
        for count, reason in SKIPPED.findall(output):
            counts[reason] += int(count)
    return [f"skipped: {count} {'test' if count == 1 else 'tests'}: {reason}" for reason, count in counts.most_common()]


def main() -> int:
    """Run all; 1 where one failed."""
    OUT.mkdir(parents=True, exist_ok=True)
    failed, processor = [], 0.0
    with ThreadPoolExecutor(LIVE_AT_ONCE) as live, ThreadPoolExecutor(PLAIN_AT_ONCE) as plain:
        jobs: dict[Future[Ended], Job] = {live.submit(run, job): job for job in LIVE}
        jobs |= {plain.submit(run, job): job for job in PLAIN}
        for done in as_completed(jobs):
            job, ended = jobs[done], done.result()
            failed += [job.name] if ended.code else []
            processor += ended.processor
            took = f"{ended.wall:.0f} s, {ended.processor:.0f} s of a processor"
            sys.stdout.write(f"== {job.name}: {'failed' if ended.code else 'passed'} after {took}\n")
            sys.stdout.write((OUT / f"{job.name}.txt").read_text())
            sys.stdout.flush()
    outputs = ((OUT / f"{job.name}.txt").read_text() for job in (*LIVE, *PLAIN))
    sys.stdout.writelines(f"{line}\n" for line in skipped(outputs))
    sys.stdout.write(f"{processor:.0f} s of a processor, daemons apart\n")
    sys.stdout.write(f"failed: {', '.join(failed)}\n" if failed else "all passed\n")
    return 1 if failed else 0


if __name__ == "__main__":
    os.environ.setdefault("PYTHONUNBUFFERED", "1")
    sys.exit(main())
