"""A push of one switch that is killed between any two durable steps of its journal, its driver or the switch's guard.

Real FRR, real NAPALM, real processes: what is pushed to is a switch of tests/napalm_frr, what is seen around it a
double that finds nothing. A case is a point and what is done behind it; the judge knows only the two configurations.
"""

import os
import re
import signal
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import wraps
from pathlib import Path
from threading import Event, Lock
from typing import Any, NamedTuple
from unittest.mock import patch

from fabricgen.platforms.base.live.commit_operations import RunClaim
from fabricgen.platforms.base.live.run_marks import Phase, RunMarks
from fabricgen.push.act import run as run_module
from fabricgen.push.act.run import push
from fabricgen.push.act.work import Means, RunSettings, SwitchWork
from fabricgen.push.journal.journal import Journal, open_journal
from fabricgen.push.model import Head, Need, PlannedSwitch, RunOutcome, RunRecord, Wave
from fabricgen.push.plan.approval import fingerprint
from fabricgen.push.switch.candidate import Goal
from fabricgen.push.switch.connection import SwitchConnection
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate
from tests.push.boxed import at, fleet
from tests.push.paper import PaperLooks

NAME = "leaf"
HOLD_SECONDS, GUARD_SECONDS = 5, 8
"""After which the switch reverts what is not confirmed, and what its client has left."""
WAITED_SECONDS = 90
FAULT = 70
RESUMES = ("at once", "after the hold", "never")

GUARD_POINTS = (
    ("forget_files\n    printf '%s\\n' \"$state_now\"", 1, "arm: the last commit is forgotten"),
    ("    # Reserve the space that a restore needs", 1, "arm: what runs is kept"),
    ("    read -r up _ </proc/uptime\n    printf '%s\\n' \"$((${up%%.*} + 1 + $2))\" | put deadline || exit"
     , 1, "arm: there is room"),
    ("    printf '%s\\n' \"$3\" | put message", 1, "arm: the deadline stands"),
    ("    printf '%s\\n' \"$1\" | put owner", 1, "arm: the message stands"),
    ("    say \"$1 begins: $3\"", 1, "arm: the owner stands"),
    ("    setsid sh \"$0\"", 1, "arm: the log has it"),
    ("    exec cat before", 1, "arm: the guard is started"),
    ("    trap '' HUP INT", 1, "guard: begins"),
    ("    while [ ! -e decision ]; do", 1, "guard: its number stands"),
    ("    case $decision in\n", 1, "guard: has read the decision"),
    ("            [ \"$decision\" = keep-rollback ]", 1, "guard: the startup file is written"),
    ("            word=kept", 1, "guard: what to roll back to is kept"),
    ("        if restore; then word=reverted; else word=damaged; fi", 1, "guard: is to put back"),
    ("    say \"$1 $word\"", 1, "guard: has kept, or put back"),
    ("    printf '%s\\n' \"$word\" | put outcome", 1, "guard: the log has the outcome"),
    ("    rm -f pending guard.pid\n    forget_files\n    ;;\nput)", 1, "guard: the outcome stands"),
    ("    [ \"$(sha256sum <\"$1.new\")\" = \"$2  -\" ]", 1, "put: the candidate has come"),
    ("    mv -f \"candidate.$1\" frr.conf", 1, "apply: may change"),
    ("    case $2 in\n    merge)", 1, "apply: the file is in place"),
    ("    code=$?\n    rm -f frr.conf\n    exit", 1, "apply: the lines are applied"),
    ("    exit \"$code\"", 1, "apply: the file is gone"),
    ("    [ ! -e decision ] && is_locked || { rm -f pending; exit 79; }", 1, "hold: it waits"),
    ("    say \"$1 waits $2 s", 1, "hold: it is seen to wait"),
    ("    flock -s lock true\n    # The guard", 1, "settle: decided"),
    ("        ln -f before frr.conf && reload", 1, "restore: begins a pass"),
    ("        rm -f frr.conf\n    done", 1, "restore: a pass is over"),
)  # fmt: skip
"""Text of the switch's script → where a shell kills itself: before it. Names for people."""


class Case(NamedTuple):
    """Where it is killed, and what comes then. at: number of a client's point, or name of one of GUARD_POINTS."""

    at: int | str
    then: str


def word_of(name: str) -> str:
    """Name of a point as a file has it."""
    return re.sub(r"[^a-z]+", "-", name)


def trapped(script: str) -> str:
    """The switch's script, whose shells kill themselves at a point for which there is a file."""
    for text, times, name in GUARD_POINTS:
        assert script.count(text) == times, name
        script = script.replace(text, f"point {word_of(name)}\n{text}")
    point = 'point() { [ ! -e "kill.$1" ] || { rm -f "kill.$1"; : >killed; kill -KILL $$; }; }\n'
    return script.replace("vty() {", f"{point}\nvty() {{", 1)


class Points:
    """Counts points of a client, and kills it at one."""

    def __init__(self, folder: Path, at: int | str) -> None:
        self._folder, self._at, self._lock = folder, at, Lock()
        self.names: list[str] = []

    def hit(self, name: str) -> None:
        """A durable step is over."""
        with self._lock:
            self.names.append(name)
            if len(self.names) - 1 == self._at:
                (self._folder / "killed").write_text(name)
                os.kill(os.getpid(), signal.SIGKILL)

    def after(self, method: Callable[..., Any], named: Callable[..., str]) -> Callable[..., Any]:
        """The method, with a point behind it. Where a shell of the switch was killed, its client goes too."""

        @wraps(method)
        def stepped(*given: Any, **more: Any) -> Any:  # noqa: ANN401
            found = method(*given, **more)
            if getattr(found, "status", 0) in (137, -signal.SIGKILL):
                os.kill(os.getpid(), signal.SIGKILL)
            self.hit(named(*given, **more))
            return found

        return stepped


@dataclass(frozen=True, slots=True, kw_only=True)
class Switch:
    """One that is pushed to. folder: of this case; site: its inventory; state: the driver's folder on the switch."""

    folder: Path
    site: Path
    state: Path
    driver: str = "frr"

    @property
    def journal(self) -> Path:
        return self.folder / "push.sqlite"


def goal(wanted: Candidate) -> Goal:
    return Goal(device=None, candidate=wanted, digest="", left=())  # type: ignore[arg-type]


class Nothing(PaperLooks):
    """Looks that find nothing."""

    def __init__(self) -> None:
        super().__init__({})

    def take_snapshot(self, name: str, switches: object) -> None:
        self.seen[name] = {}

    def has_snapshot(self, name: str, switches: object) -> bool:
        return True  # a run that goes on has the files of the one that was killed

    def compare(self, before: str, after: str, moment: Any) -> Any:  # noqa: ANN401
        self.seen.setdefault(before, {})  # a run that goes on has the files of the one that was killed
        return super().compare(before, after, moment)


def _record(journal: Journal, switch: Switch, wanted: Candidate, reach: NapalmFleet) -> RunRecord | None:
    """The run that was killed, or a new one; None where the switch is at its artifact."""
    found = journal.unfinished()
    if found is not None:
        return found

    def survey(box: SwitchConnection) -> tuple[RunMarks, str, str]:
        standing = box.run_marks()
        return standing, fingerprint(box.running()), box.compare(wanted)

    standing, before, difference = at(reach, survey)
    if standing.armed is not None:
        raise RuntimeError(f"refused: {standing.armed}")
    if not difference:
        return None
    planned = PlannedSwitch(NAME, 1, Need.PLAIN, "", "hitless", before, "", difference)
    wave = Wave(1, "backend", "spine", True, (NAME,), Fraction(1))
    head = Head(os.urandom(6).hex(), "intent.yaml", str(switch.site), "approved", "me@here")
    return journal.record(journal.begin(head, [wave], [planned]))


def once(switch: Switch, wanted: Candidate) -> RunOutcome | None:
    """The command, once: what was killed goes on. None where there was nothing to do."""
    with (
        patch.object(run_module, "drained_sessions", lambda device: ()),
        open_journal(switch.journal) as journal,
        fleet(switch.site, switch.driver) as reach,
    ):
        record = _record(journal, switch, wanted, reach)
        if record is None:
            return None
        return push(alone(journal, reach, record, wanted), record)


def alone(journal: Journal, reach: NapalmFleet, record: RunRecord, wanted: Candidate) -> Means:
    """What a run acts through on one switch that nothing is cabled to."""
    return Means(
        fleet=reach,
        journal=journal,
        checks=Nothing(),
        work=lambda name: SwitchWork(goal(wanted), None),
        floor=lambda wave, findings: (),
        settings=RunSettings(watch=0, converge=20, confirm=HOLD_SECONDS),
        stop=Event(),
        print_line=lambda line: None,
        wait=time.sleep,
        clock=time.monotonic,
        interruption=lambda planned: None,
        added=lambda planned: frozenset(),
        claim=RunClaim(record.head.token, "me@here", "a test"),
    )


def forked(act: Callable[[], None], log: Path) -> int:
    """Do it in a fork; its exit code, below 0 a signal."""
    pid = os.fork()
    if not pid:
        code = FAULT
        try:
            act()
            code = 0
        except BaseException:  # noqa: BLE001 - as an interpreter ends
            log.write_text(traceback.format_exc())
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


class Seen(NamedTuple):
    """What a switch runs and starts with, as sets of lines; what is armed there."""

    runs: frozenset[str]
    starts: frozenset[str]
    standing: RunMarks


class Verdict(NamedTuple):
    """Of one case. wrong: what must not be; "" for nothing. told: what the tool said of it."""

    case: Case
    where: str
    wrong: str
    told: str


def judge(seen: Seen, before: frozenset[str], after: frozenset[str], told: str) -> str:
    """What is wrong once every deadline has passed. told: "done", "back", "open" (nothing was said), or "lost"."""
    armed = seen.standing.armed
    is_lost = armed is not None and armed.phase is Phase.LOST and told == "lost"
    faults = (
        (seen.runs not in (before, after), f"it runs neither: {sorted(seen.runs ^ before)[:4]}"),
        (seen.starts not in (before, after), "it starts with neither"),
        (armed is not None and not is_lost, f"something is armed still: {armed}"),
        (armed is None and seen.starts != seen.runs, "it starts with something else than it runs"),
        (told == "done" and seen.runs != after, "it was told done, and runs the old configuration"),
        (told == "back" and seen.runs != before, "it was told that it went back, and runs the new configuration"),
    )
    return next((words for is_so, words in faults if is_so), "")
