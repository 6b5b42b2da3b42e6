"""The catalogue of faults on a live lab: `python -m tests.faults.run`, or some faults by their ids or kinds.

Each fault is made, verify is asked until it names it or a minute is over, the fault is taken back, and verify must be
clean. Behind them come clean runs of the whole of verify, with every path probed. Exit code 1 where the goal is missed.
"""

import argparse
import json
import multiprocessing
import queue
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from tests.faults.catalogue import CLEAN_RUNS, chosen
from tests.faults.model import Fault
from tests.faults.verdict import Seen, causes_of, is_exact, misses, reached, table, unhealed, words
from tests.lab.faults import Running
from tests.lab.sites import available, lab_verb, plan, remains

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess
    from multiprocessing.queues import Queue

    Numbers = Queue[int | None]
    Told = Queue[tuple[int, Any]]

INTENT = Path(__file__).parent / "intent.yaml"
SUBSET = "units=1,leaves=2,spines=2,links=2,servers=7,borders=1"
SECONDS, SETTLED_SECONDS = 45, 20
"""Longest that verify is asked again, and after how long it is not where it says the same twice: hold timers are of
nine seconds, and LLDP forgets after eight."""
HEAL_SECONDS, PAUSE_SECONDS = 120, 3
POLL_SECONDS = 5
ENDED = -1
"""A lab's last word, in the place of a fault's number."""
WHOLE = ("--paths",)


class Given(NamedTuple):
    """How many labs, and clean runs in them; and where what verify said of each fault is kept."""

    labs: int
    clean: int
    save: Path | None


@contextmanager
def standing(folder: Path) -> Iterator[Running]:
    """The lab of the catalogue, which verifies clean."""
    try:
        done = lab_verb("up", INTENT, "--subset", SUBSET, "--dir", folder, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        running = Running(folder, INTENT, make_lab(plan(INTENT), parse_subset(SUBSET)))
        running.heals()
        yield running
    finally:
        lab_verb("down", "--dir", folder)
        assert remains(place_of(folder)) == {}, remains(place_of(folder))


def tried(lab: Running, fault: Fault, folder: Path | None) -> Seen:
    """One fault, from its making to a lab that is clean again. `folder`: where what verify said is kept."""
    begun = time.monotonic()
    seen = Seen(fault, found=False, exact=False, seconds=0.0, first="", causes=0)
    try:
        for act in fault.does:
            act.do(lab)
        seen = _looked(lab, fault, begun, folder)
        for act in fault.heals:
            act.do(lab)
    except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as error:
        return seen._replace(healed=f"it could not be made or taken back: {error}")
    time.sleep(PAUSE_SECONDS)
    code, result = lab.verify("--retry", str(HEAL_SECONDS))
    return seen._replace(healed="; ".join(map(words, causes_of(result))) if code else "")


def _looked(lab: Running, fault: Fault, begun: float, folder: Path | None) -> Seen:
    """What verify says: of several looks the first that names the cause, else the last."""
    switches = {device.name for device in lab.lab.devices}
    before: list[str] | None = None
    while True:
        _, result = lab.verify(*fault.options)
        causes = causes_of(result)
        exact, took = is_exact(fault, causes, switches), time.monotonic() - begun
        told = [words(one) for one in causes]
        if folder is not None:
            (folder / f"{fault.id}.json").write_text(json.dumps(result, indent=1))
        if exact or took > SECONDS or (took > SETTLED_SECONDS and told == before):
            return Seen(fault, bool(causes), exact, took, told[0] if told else "", len(causes))
        before = told


def clean_runs(lab: Running, number: int) -> list[str]:
    """What runs over a lab without a fault found: a line for each that found something."""
    alarms = []
    for run in range(1, number + 1):
        code, result = lab.verify(*WHOLE)
        if code:
            told = "; ".join(f"{words(one)} ({one['actual']})" for one in causes_of(result))
            alarms.append(f"clean run {run}: exit code {code}: {told or 'no finding'}")
            print(alarms[-1], flush=True)  # noqa: T201
    return alarms


def main(arguments: list[str]) -> int:
    """All of it, and the goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("faults", nargs="*", help="ids or kinds; all where none is given")
    parser.add_argument("--labs", type=int, default=2, help="labs at a time")
    parser.add_argument("--clean", type=int, default=CLEAN_RUNS, help="runs without a fault")
    parser.add_argument("--save", type=Path, help="a folder for what verify said last of each fault, as JSON")
    given = parser.parse_args(arguments)
    wanted, begun = chosen(given.faults), time.monotonic()
    if (missing := available()) is not None:
        print(missing, file=sys.stderr)  # noqa: T201
        return 2
    if given.save is not None:
        given.save.mkdir(parents=True, exist_ok=True)
    plan(INTENT)  # once, for all processes
    seen, alarms = _spread(wanted, Given(given.labs, given.clean, given.save))
    return _told(seen, alarms, given.clean, time.monotonic() - begun)


def _spread(wanted: Sequence[Fault], given: Given) -> tuple[list[Seen], list[str]]:
    """All faults, in the order of the catalogue, and alarms. Each lab is a process, with one fault in it at a time."""
    labs = max(1, min(given.labs, len(wanted)))
    context = multiprocessing.get_context("fork")
    todo: Numbers = context.Queue()
    found: Told = context.Queue()
    for number in (*range(len(wanted)), *(None for _ in range(labs))):
        todo.put(number)
    shares = [given._replace(clean=given.clean // labs + (lab < given.clean % labs)) for lab in range(labs)]
    workers = [context.Process(target=_work, args=(wanted, todo, found, share)) for share in shares]
    for worker in workers:
        worker.start()
    seen: dict[int, Seen] = {}
    alarms: list[str] = []
    for number, told in _results(workers, found):
        if number == ENDED:
            alarms += told
            continue
        one = seen[number] = Seen(wanted[number], *told)
        print(*table((one,))[1:], *unhealed((one,)), sep="\n", flush=True)  # noqa: T201
    return [seen[number] for number in sorted(seen)], alarms


def _results(workers: Sequence["BaseProcess"], found: "Told") -> "Iterator[tuple[int, Any]]":
    """What labs tell, until each has ended. Raises RuntimeError where one has died."""
    ended = 0
    while ended < len(workers):
        try:
            told = found.get(timeout=POLL_SECONDS)
        except queue.Empty:
            if sum(not worker.is_alive() for worker in workers) > ended and found.empty():
                raise RuntimeError("a lab ended before its faults") from None
            continue
        ended += told[0] == ENDED
        yield told
    for worker in workers:
        worker.join()


def _work(wanted: Sequence[Fault], todo: "Numbers", found: "Told", given: Given) -> None:
    """A lab with its faults, and one made again where a fault could not be taken back; then its share of clean runs."""
    is_whole = False
    while not is_whole:
        with tempfile.TemporaryDirectory(prefix="fabricgen-faults-") as name, standing(Path(name) / "lab") as lab:
            is_whole = _serves(lab, wanted, todo, found, given.save)
            if is_whole:
                found.put((ENDED, clean_runs(lab, given.clean)))


def _serves(lab: Running, wanted: Sequence[Fault], todo: "Numbers", found: "Told", save: Path | None) -> bool:
    """Faults as long as there are some and the lab is clean behind them. Whether it is."""
    while (number := todo.get()) is not None:
        seen = tried(lab, wanted[number], save)
        found.put((number, seen[1:]))
        if seen.healed:
            return False
    return True


def _told(seen: list[Seen], alarms: list[str], runs: int, seconds: float) -> int:
    """The summary, and the exit code."""
    blocks = ("summary", *table(seen)), ("misses", *misses(seen)), ("alarms", *alarms, *unhealed(seen))
    for head, *lines in blocks:
        print(f"\n{head}: {'none' if not lines else ''}".rstrip(), *lines, sep="\n")  # noqa: T201
    found, exact = (sum(getattr(one, name) for one in seen) for name in ("found", "exact"))
    is_reached = reached(seen, len(alarms))
    print(  # noqa: T201
        f"\n{len(seen)} faults ({sum(not one.fault.known for one in seen)} new) in {seconds / 60:.0f} min:"
        f" {found} found, {exact} by the exact cause, {len(alarms)} false alarms in {runs} clean runs:"
        f" {'reached' if is_reached else 'MISSED'}"
    )
    return 0 if is_reached else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
