"""The matrix of kills on live FRR: every point, and three ways to go on. `python -m tests.push.kill_matrix`.

Switches are pushed to at the same time, each by a process of its own. One line a case that is wrong, and the counts.
"""

import multiprocessing
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from itertools import product
from pathlib import Path

from fabricgen.platforms.base.live.run_marks import Phase, RunMarks
from fabricgen.push.journal.journal import Journal, read_journal
from fabricgen.push.report.model import SwitchOutcome, report
from fabricgen.push.switch.switch import Candidate
from napalm_frr import guard
from napalm_frr.device_side import SCRIPT
from napalm_frr.guard import Guard
from tests.judges.frr import Loaded
from tests.napalm_frr import fabric, switches
from tests.push.boxed import inventory
from tests.push.kills import (
    GUARD_POINTS,
    GUARD_SECONDS,
    RESUMES,
    WAITED_SECONDS,
    Case,
    Points,
    Seen,
    Switch,
    Verdict,
    forked,
    judge,
    once,
    trapped,
    word_of,
)

LINES = ("network 10.77.0.0/24", "network 10.88.0.0/24")
TOLD = {SwitchOutcome.DONE: "done", SwitchOutcome.AT_ARTIFACT: "done", SwitchOutcome.REVERTED: "back"}
CLIENT_NAMES = "points"


class Stand:
    """One switch of the fabric, and its two configurations. Each case has a folder and a state of its own."""

    def __init__(self, name: str, loaded: Loaded, folder: Path) -> None:
        self.name, self._loaded, self._folder = name, loaded, folder
        self.texts = tuple(fabric.text(name, (line,)) for line in LINES)
        self._number = 0
        self.sets = tuple(self._put(text) for text in (self.texts[1], self.texts[0]))[::-1]
        self.now = 0

    def _put(self, text: str) -> frozenset[str]:
        with switches.opened(self._loaded, self._folder / "put") as driver:
            driver.load_replace_candidate(config=text)
            if driver.compare_config():
                driver.commit_config()
            return _lines(driver.get_config("running")["running"])

    def fresh(self) -> Switch:
        """A switch for a case."""
        self._number += 1
        folder = self._folder / str(self._number)
        state = folder / "state"
        options = switches.arguments(self._loaded, state, commit_seconds=GUARD_SECONDS)
        return Switch(folder=folder, site=inventory(folder / "site", {"leaf": 22}, "frr", **options), state=state)

    def seen(self, switch: Switch) -> Seen:
        """What it runs, once nothing moves any more."""
        with switches.opened(self._loaded, switch.state) as driver:
            last = time.monotonic() + WAITED_SECONDS
            while (armed := driver.run_marks().armed) is not None and armed.phase != "lost":
                if time.monotonic() > last:
                    break
                time.sleep(0.3)
            texts = driver.get_config("all")
            standing = _standing(driver)
        return Seen(_lines(texts["running"]), _lines(texts["startup"]), standing)

    def clean(self, switch: Switch, seen: Seen) -> None:
        """Ready for the next case."""
        if seen.standing.armed is not None:
            with switches.opened(self._loaded, switch.state) as driver:
                driver.cancel_commit()
                runs = _lines(driver.get_config("running")["running"])
            seen = seen._replace(runs=runs, starts=runs)
        if seen.runs != seen.starts or seen.runs not in self.sets:
            self._put(self.texts[0])
            self.now = 0
        else:
            self.now = self.sets.index(seen.runs)


def _standing(driver: object) -> RunMarks:
    from fabricgen.platforms.linux.live.commit import OPERATIONS  # noqa: PLC0415

    return OPERATIONS.run_marks(driver)


def _lines(text: str) -> frozenset[str]:
    heads = ("frr version", "Building", "Current", "!", "end")
    return frozenset(line for line in text.splitlines() if line.strip() and not line.startswith(heads))


def attempt(switch: Switch, wanted: str, at: int | str | None) -> tuple[int, Points]:
    """Push in a fork, killed at a point; its exit code."""
    if isinstance(at, str):
        switch.state.mkdir(parents=True, exist_ok=True)
        (switch.state / f"kill.{word_of(at)}").touch()
    points = Points(switch.folder, at if at is not None else -1)

    def act() -> None:
        setattr(guard, "SCRIPT", trapped(SCRIPT))  # noqa: B010 - it is no name that guard exports
        for owner, name in ((Journal, "note"), (Journal, "begin"), (Journal, "finish")):
            setattr(owner, name, points.after(getattr(owner, name), _of_journal(name)))
        for name in ("run", "_install", "run_marks"):
            setattr(Guard, name, points.after(getattr(Guard, name), _of_guard(name)))
        outcome = once(switch, Candidate(wanted, {}))
        (switch.folder / "outcome").write_text(str(outcome))
        (switch.folder / CLIENT_NAMES).write_text("\n".join(points.names))

    return forked(act, switch.folder / "error"), points


def _of_journal(name: str) -> Callable[..., str]:
    def told(journal: Journal, *given: object, **more: object) -> str:
        del journal, more
        return f"journal: {name} {' '.join(str(one) for one in given[1:3])}"

    return told


def _of_guard(name: str) -> Callable[..., str]:
    def told(owner: Guard, *given: object, **more: object) -> str:
        del owner, more
        return f"driver: {given[0] if given and name == 'run' else name}"

    return told


def said(switch: Switch) -> str:
    """What the report says of the last run."""
    if not switch.journal.exists():
        return "open"
    with read_journal(switch.journal) as journal:
        record = journal.last()
    if record is None:
        return "open"
    found = report(record).switches
    ends = [one.end for one in found]
    return TOLD.get(ends[0], "open") if ends else "open"


def run(stand: Stand, case: Case) -> Verdict:
    """One case."""
    switch = stand.fresh()
    before, after = stand.sets[stand.now], stand.sets[1 - stand.now]
    wanted = stand.texts[1 - stand.now]
    code, _ = attempt(switch, wanted, case.at)
    where = str(case.at)
    if isinstance(case.at, int):
        where = (switch.folder / "killed").read_text() if (switch.folder / "killed").exists() else "behind its end"
    told = said(switch)
    if case.then != "never":
        if case.then == "after the hold":
            stand.seen(switch)
        code, _ = attempt(switch, wanted, None)
        told = said(switch) if code == 0 else "failed"
        if code == 0 and (switch.folder / "outcome").read_text() == "None":
            told = "done"  # it said that there is nothing to push
    seen = stand.seen(switch)
    armed = seen.standing.armed
    if armed is not None and armed.phase is Phase.LOST and case.then == "never":
        told = "lost"
    wrong = judge(seen, before, after, told) or _strange(switch, case, code, told, seen)
    stand.clean(switch, seen)
    runs = "the intent" if seen.runs == after else "the old configuration" if seen.runs == before else "NEITHER"
    return Verdict(case, where, wrong, f"{told}; runs {runs}")


def _strange(switch: Switch, case: Case, code: int, told: str, seen: Seen) -> str:
    """What the command did that it must not do; "" for nothing."""
    if code not in (0, -9):
        return f"exit code {code}: {(switch.folder / 'error').read_text()[-300:]}"
    if case.then != "never" and told not in ("done", "back"):
        return f"typed again, it said {told}"
    if case.then != "never" and told == "done" and seen.standing.lease is not None:
        return "it is done, and its lease stays"
    return ""


def count(stand: Stand) -> int:
    """Points of a client, in a run that nobody kills."""
    switch = stand.fresh()
    code, _ = attempt(switch, stand.texts[1 - stand.now], None)
    assert code == 0, (switch.folder / "error").read_text()
    stand.clean(switch, stand.seen(switch))
    return len((switch.folder / CLIENT_NAMES).read_text().splitlines())


def cases(client: int) -> list[Case]:
    """Every point, three ways to go on."""
    points: list[int | str] = [*range(client), *(name for _, _, name in GUARD_POINTS)]
    return [Case(at, then) for at, then in product(points, RESUMES)]


def _work(name: str, loaded: Loaded, folder: Path, mine: list[Case], found: "multiprocessing.Queue[object]") -> None:
    stand = Stand(name, loaded, folder)
    for case in mine:
        found.put(run(stand, case))


@contextmanager
def standing(folder: Path) -> Iterator[Mapping[str, Loaded]]:
    """The switches."""
    with fabric.wired() as wired:
        for name in wired:
            (folder / name).mkdir()
        yield wired


def all_of(wired: Mapping[str, Loaded], folder: Path, wanted: Iterable[Case]) -> list[Verdict]:
    """All cases, over all switches at the same time."""
    every, names = list(wanted), list(wired)
    context = multiprocessing.get_context("fork")
    found = context.Queue()
    shares = [every[number :: len(names)] for number in range(len(names))]
    workers = [
        context.Process(target=_work, args=(name, wired[name], folder / name, mine, found))
        for name, mine in zip(names, shares, strict=True)
    ]
    for worker in workers:
        worker.start()
    verdicts: list[Verdict] = []
    while len(verdicts) < len(every):
        try:
            verdicts.append(found.get(timeout=5))
        except Exception:  # noqa: BLE001 - queue.Empty
            if not any(worker.is_alive() for worker in workers) and found.empty():
                raise RuntimeError("a worker ended before its cases") from None
    for worker in workers:
        worker.join()
    return verdicts


def main() -> int:
    """All, and the counts."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="fabricgen-kills-") as name:
        folder = Path(name)
        with standing(folder) as wired:
            client = count(Stand("leaf1", wired["leaf1"], folder / "leaf1"))
            verdicts = all_of(wired, folder, cases(client))
    for one in verdicts:
        if one.wrong:
            print(f"WRONG {one.where} / {one.case.then}: {one.wrong} ({one.told})")  # noqa: T201
    points = len({one.case.at for one in verdicts})
    wrong = sum(bool(one.wrong) for one in verdicts)
    print(f"{points} points, {len(verdicts)} kills, {wrong} wrong, {time.monotonic() - began:.0f} s")  # noqa: T201
    for (then, told), number in sorted(Counter((one.case.then, one.told) for one in verdicts).items()):
        print(f"  typed again {then}: {told}: {number}")  # noqa: T201
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
