"""A push to 1,024 switches that are doubles on a virtual clock: `make bench`; --quick takes 64.

48 pods of 8 leaves and 8 spines, and 8 core groups of 32 superspines, of EOS. Every switch changes: a time server
(hitless), or of all spines a timer of BGP (drained first). It goes through the verb's own code from the survey to the
report, with its journal on a disk; doubled are the switches, their looks and the clock. A double answers in 1 s and
commits in 3 s; a run's time is that of this clock, and what this program works itself comes on top, printed beside it.
A double answers all questions of one visit in that second; "1 s for each question" is the same where each takes one.

Not in the figures: what real connections hold, and to read what switches show (doubles show nothing to verify).

Exit code 1 where a goal is missed.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import replace
from fractions import Fraction
from functools import partial
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from threading import Event
from typing import Any, NamedTuple, cast

from bench.doubles import Clock, Fleet, World
from bench.sites import Size, intent
from fabricgen.cli.push.run import _Verb
from fabricgen.operation.push.options import PushOptions
from fabricgen.operation.push.site import PushSite, open_push_site
from fabricgen.plan.fabric import name_of, places
from fabricgen.push.act import wait_drained as calm
from fabricgen.push.act.work import Means
from fabricgen.push.journal.journal import open_journal
from fabricgen.push.model import RunOutcome, RunRecord
from fabricgen.push.prove.idle_ports import wait_quiet
from fabricgen.push.report.model import report
from fabricgen.push.report.words import duration
from fabricgen.site.workspace import open_workspace

DEVNULL = Path(os.devnull)
TMPFS = Path("/dev/shm")  # noqa: S108 - the fastest place to write; a folder of our own below it
ENVIRONMENT = dict.fromkeys(("ADMIN_HASH", "TACACS_KEY", "SNMP_AUTH", "SNMP_PRIVACY"), f"$6$bench${'b' * 86}")
WORKERS = 512
HITLESS, DRAINED = 240.0, 1200.0
"""Goals in seconds."""
MEBIBYTES = 300.0


class Site(NamedTuple):
    """So many pods of 8 leaves and 8 spines, and superspines of each of 8 core groups."""

    pods: int
    cores: int

    @property
    def switches(self) -> int:
        """In all."""
        return 16 * self.pods + 8 * self.cores


WHOLE, QUICK = Site(48, 32), Site(2, 4)


class Case(NamedTuple):
    """A change. before, after: a line as it runs, and as it is rendered; goal: seconds, None without one."""

    title: str
    devices: str
    before: str
    after: str
    floor: str
    goal: float | None
    strict: bool = False


NTP = ("ntp server vrf MGMT 172.16.0.66 iburst", "ntp server vrf MGMT 172.16.0.6 iburst")
TIMERS = ("neighbor LEAVES-IPV4 timers 4 12", "neighbor LEAVES-IPV4 timers 3 9")
CASES = {
    "hitless": Case("hitless, half of the uplinks left", "*", *NTP, "1/2", HITLESS),
    "strict": Case("the same, 1 s for each question", "*", *NTP, "1/2", None, strict=True),
    "drained": Case("all spines drained first, default floor", "*-spine-*", *TIMERS, "", DRAINED),
}


class Took(NamedTuple):
    """What one push took. seconds, forecast: of the virtual clock; cpu: seconds of this program."""

    switches: int
    waves: int
    seconds: float
    forecast: float
    cpu: float
    mebibytes: float


def main() -> int:
    """Run, print, and tell by the exit code."""
    parser = argparse.ArgumentParser(description="A push to 1,024 doubles on a virtual clock.")
    parser.add_argument("--quick", action="store_true", help="64 switches: that it runs, and not how long")
    parser.add_argument("--case", choices=CASES, help="one push, as numbers")
    words = parser.parse_args()
    site = QUICK if words.quick else WHOLE
    if words.case is not None:
        print(*pushed(site, CASES[words.case]))
        return 0
    print(f"push to {site.switches:,} doubles that answer in 1 s and commit in 3 s; the clock is virtual")
    names = [name for name, case in CASES.items() if case.goal is not None or not words.quick]
    missed = [row for name in names for row in _told(name, quick=words.quick)]
    print(f"missed: {', '.join(missed)}" if missed else "every goal met")
    return 1 if missed and not words.quick else 0


def _told(name: str, *, quick: bool) -> Iterator[str]:
    """Print one case, in a process of its own; names of the goals that it misses."""
    case = CASES[name]
    command = [sys.executable, __file__, "--case", name, *(["--quick"] if quick else [])]
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout.split()
    took = Took(int(told[0]), int(told[1]), *map(float, told[2:]))
    goal = f"   goals: {duration(case.goal)}, {MEBIBYTES:g} MiB" if case.goal is not None else ""
    print(
        f"{case.title:40} {took.switches:5,} switches {took.waves:3} waves {duration(took.seconds):>13}, forecast "
        f"{duration(took.forecast):>13}, {took.mebibytes:4.0f} MiB, {took.cpu:4.0f} s of this program's CPU{goal}",
        flush=True,
    )
    if case.goal is not None and took.seconds >= case.goal:
        yield f"{case.title} in {duration(took.seconds)}"
    if case.goal is not None and took.mebibytes >= MEBIBYTES:
        yield f"{case.title} at {took.mebibytes:.0f} MiB"


def pushed(site: Site, case: Case) -> Took:
    """One push in this process. Raises ValueError where it does not end well."""
    os.environ.update(ENVIRONMENT)
    where = TMPFS if os.access(TMPFS, os.W_OK) else None
    with (
        tempfile.TemporaryDirectory(prefix="fabricgen-push-", dir=where) as name,
        Path(os.devnull).open("w") as nowhere,
    ):
        ground, clock = _ground(Path(name), site, case), Clock()
        world = World(folder=Path(name) / "texts", clock=clock, workers=WORKERS, strict=case.strict)
        world.folder.mkdir()
        for device in ground.intended.devices:
            text = ground.goal(device).candidate.text
            world.add(device.name, (row.name for row in device.interfaces.ethernet), _before(case, text))
        # What is asked of single switches while they are drained waits on the same clock.
        setattr(calm, wait_quiet.__name__, partial(wait_quiet, clock=clock, sleep=clock.wait))
        begun = time.process_time()
        with open_journal(ground.options.journal_path, clock.moment) as journal:
            with redirect_stdout(nowhere), redirect_stderr(nowhere):
                _Timed(ground, journal, cast(Any, Fleet(world)), world).run()
            record = journal.last()
    if record is None or record.outcome is not RunOutcome.DONE:
        raise ValueError(f"{case.title}: {record.outcome if record else 'nothing was pushed'}")
    found = report(record)
    forecast = found.forecast.seconds if found.forecast else 0.0
    used = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    cpu = time.process_time() - begun
    return Took(len(record.planned), len(record.waves), found.seconds or 0.0, forecast, cpu, used)


def _before(case: Case, text: str) -> str:
    return text.replace(case.after, case.before)


class _Timed(_Verb):
    """The verb over doubles."""

    def __init__(self, ground: PushSite, journal: Any, fleet: Any, world: World) -> None:  # noqa: ANN401
        super().__init__(ground, journal, fleet)
        self._world = world

    def _means(self, record: RunRecord, folder: Path, stop: Event) -> Means:
        found, clock = super()._means(record, folder, stop), self._world.clock
        checks = replace(cast(Any, found.checks), ask=self._world.look)
        return replace(found, checks=checks, clock=clock, wait=clock.wait, now=clock.moment)


def _ground(folder: Path, site: Site, case: Case) -> PushSite:
    """The intent, and an inventory of its switches."""
    path, inventory = folder / "intent.yaml", folder / "inventory"
    size = Size(gpus=512 * site.pods, fabrics=1, servers=64 * site.pods, spines=8, cores=site.cores)
    path.write_text(intent(size).replace("units_per_pod: 8", "units_per_pod: 1"))
    plan = open_workspace(path).plan
    names = [name_of(fabric, place) for fabric in plan.fabrics.values() for place in places(fabric)]
    if len(names) != site.switches:
        raise ValueError(f"{len(names)} switches, not {site.switches}")
    inventory.mkdir()
    (inventory / "hosts.yaml").write_text(
        "".join(f"{name}: {{hostname: 192.0.2.1, platform: eos}}\n" for name in names)
    )
    return open_push_site(_words(path, inventory, case), None)


def _words(path: Path, inventory: Path, case: Case) -> PushOptions:
    """`fabricgen push … --commit --workers 512 --floor 1/2`."""
    return PushOptions(
        intent=path,
        inventory=inventory,
        commit=True,
        devices=case.devices,
        scenario="base",
        floor=Fraction(case.floor) if case.floor else None,
        tested=True,
        limit=100_000,
        workers=WORKERS,
    )


if __name__ == "__main__":
    sys.exit(main())
