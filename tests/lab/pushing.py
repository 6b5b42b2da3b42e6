"""Pushes to a lab as a user types them, whole or trapped at one point (push_child.py), and what switches run then."""

import gzip
import os
import re
import secrets
import signal
import sqlite3
import subprocess
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from napalm import get_network_driver

from fabricgen.base.secret import WRITTEN
from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.run import run
from fabricgen.site.workspace import open_workspace
from tests.forked import warm
from tests.lab import push_child
from tests.lab.faults import Running
from tests.lab.sites import SMALL, fabricgen, lab_verb, remains
from tests.lab.test_drain_live import Site, _replace

SECONDS = 900
POLL_SECONDS = 0.05
QUICK: Mapping[str, float] = {"watch": 1, "converge": 60, "quiet": 60, "interval": 0.5}
"""Settings for changes that show at once: no hold timer is to run out in a lab where links fall with their ports."""
LINE = "access-list {} seq 5 permit 192.0.2.0/24"
"""Changes nothing in a fabric, and no table of lines knows it."""


class Ended(NamedTuple):
    """A push that has ended. code: of its exit, below 0 a signal."""

    code: int
    out: str
    err: str

    @property
    def text(self) -> str:
        """All that it said."""
        return self.out + self.err


@dataclass(frozen=True, slots=True)
class Pushing:
    """A lab, and intents for it."""

    site: Site
    running: Running
    folder: Path

    @property
    def inventory(self) -> Path:
        """That of the lab."""
        return self.site.folder / "inventory"

    @property
    def names(self) -> tuple[str, ...]:
        """Its switches."""
        return tuple(device.name for device in self.site.lab.devices)

    @property
    def journal(self) -> Path:
        """A journal of the test's own."""
        return self.folder / "journal" / "push.sqlite"

    def intent(
        self, states: Mapping[str, str] | None = None, *, raw: Mapping[str, tuple[str, ...]] | None = None
    ) -> Path:
        """An intent of the lab with changes. states: switch or link → state; raw: switch → lines of its own.

        References in the lines are secrets.
        """
        found = yaml.safe_load(self.site.intent.read_text())
        found["overrides"] = {name: {"state": state} for name, state in (states or {}).items()}
        found["raw"] = [
            {
                "system": "frr",
                "device": name,
                "artifact": "frr.conf",
                "lines": list(lines),
                "references": [found.group() for line in lines for found in WRITTEN.finditer(line)],
            }
            for name, lines in (raw or {}).items()
        ]
        path = self.folder / f"{secrets.token_hex(4)}.yaml"
        path.write_text(yaml.safe_dump({key: value for key, value in found.items() if value or key not in STATED}))
        return path

    def with_line(self, name: str, *switches: str) -> Path:
        """An intent with a harmless line of this name on switches; its price is unknown."""
        return self.intent(raw=dict.fromkeys(switches, (LINE.format(name),)))

    def push(self, intent: Path, *words: object, **more: Any) -> Ended:  # noqa: ANN401
        """What a user types, with QUICK settings; settings=None: with the real ones."""
        with self.begun(intent, *words, **more) as child:
            return child.end()

    @contextmanager
    def begun(
        self,
        intent: Path,
        *words: object,
        trap: Mapping[str, object] | None = None,
        settings: Mapping[str, float] | None = QUICK,
        env: Mapping[str, str] | None = None,
        inventory: Path | None = None,
        journal: Path | None = None,
    ) -> "Iterator[Child]":
        """A push that runs, in a process group of its own; ended with the block."""
        folder = self.folder / secrets.token_hex(4)
        folder.mkdir()
        typed = ("push", intent, "-i", inventory or self.inventory, "--journal", journal or self.journal, *words)
        given = tuple(map(str, typed))
        spec = {"settings": settings, "folder": str(folder), **(trap or {})}
        pid = _exec(folder, fabricgen(*given)) if settings is None else _fork(folder, spec, given, env or {})
        child = Child(pid, folder)
        try:
            yield child
        finally:
            child.kill()

    def configs(self) -> dict[str, tuple[str, str]]:
        """What every switch runs, and what it starts with."""
        return {name: (self.runs(name), self.starts(name)) for name in self.names}

    def runs(self, name: str) -> str:
        """What a switch runs."""
        return self.running.inside(name, "vtysh", "-c", "show running-config no-header")

    def starts(self, name: str) -> str:
        """What a switch starts with."""
        return self.running.inside(name, "cat", "/etc/frr/frr.conf")

    def has(self, name: str, word: str) -> tuple[bool, bool]:
        """Whether a word stands in what a switch runs, and in what it starts with."""
        return word in self.runs(name), word in self.starts(name)

    def waits(self, name: str) -> bool:
        """Whether a timed commit waits on a switch: its guard has a file for it."""
        return run(self.site.folder, name, ["test", "-e", "/run/napalm-frr/pending"]).returncode == 0

    def kept(self) -> str:
        """All that is kept of pushes, journal and looks, as text."""
        found = ((path, path.read_bytes()) for path in self.journal.parent.rglob("*") if path.is_file())
        plain = (gzip.decompress(octets) if path.suffix == ".gz" else octets for path, octets in found)
        return "\n".join(octets.decode("latin-1") for octets in plain)

    def events(self) -> list[tuple[str, str, str, str, str]]:
        """Device, stage, step, how and detail of each event of the last run."""
        query = (
            "SELECT device, stage, step, how, detail FROM events WHERE run = (SELECT max(number) FROM runs)"
            " ORDER BY number"
        )
        with closing(sqlite3.connect(self.journal)) as database:
            return [tuple(row) for row in database.execute(query)]


STATED = ("overrides", "raw")


def _exec(folder: Path, command: list[str]) -> int:
    """A program of its own."""
    with (folder / "out").open("w") as out, (folder / "err").open("w") as err:
        files = [(os.POSIX_SPAWN_DUP2, file.fileno(), number) for number, file in ((1, out), (2, err))]
        return os.posix_spawn(command[0], command, os.environ, file_actions=files, setsid=True)


def _fork(folder: Path, spec: Mapping[str, Any], words: tuple[str, ...], env: Mapping[str, str]) -> int:
    """A fork of this process, in which nothing is imported again: that costs as much as half a push."""
    warm()
    pid = os.fork()
    if pid:
        with suppress(ProcessLookupError, PermissionError):  # it has done so itself
            os.setpgid(pid, pid)
        return pid
    code = push_child.FAULT
    try:
        os.setpgid(0, 0)
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT), number)
        os.environ.update(env)
        code = push_child.run(spec, words)
    finally:
        os._exit(code)


@dataclass(slots=True)
class Child:
    """A push that runs."""

    pid: int
    folder: Path
    code: int | None = field(default=None)

    def reach(self) -> None:
        """Wait until it stands in its trap."""
        deadline = time.monotonic() + SECONDS
        while not (self.folder / "reached").exists():
            assert not self._has_ended(), self._ended("it ended before its trap")
            assert time.monotonic() < deadline, self._ended("it did not come to its trap")
            time.sleep(POLL_SECONDS)

    def go(self) -> None:
        """Let it go on."""
        (self.folder / "go").touch()

    def signal(self, number: int) -> None:
        """Send a signal to all of its processes, as a terminal does."""
        os.killpg(self.pid, number)

    def end(self) -> Ended:
        """Wait for its end."""
        deadline = time.monotonic() + SECONDS
        while not self._has_ended():
            assert time.monotonic() < deadline, self._ended("it does not end")
            time.sleep(POLL_SECONDS)
        return self._ended()

    def kill(self) -> None:
        """End it and what it started."""
        if not self._has_ended():
            os.killpg(self.pid, signal.SIGKILL)
            self.end()

    def _has_ended(self) -> bool:
        if self.code is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            self.code = os.waitstatus_to_exitcode(status) if pid else None
        return self.code is not None

    def _ended(self, why: str = "") -> Ended:
        out, err = (self.folder / name for name in ("out", "err"))
        return Ended(self.code or 0, out.read_text() if out.exists() else "", why + err.read_text())


def trap(at: str, when: str, do: str = "kill", count: int = 0, **where: str) -> dict[str, object]:
    """Where a push is killed or waits; see push_child.py."""
    return {"at": at, "where": where, "when": when, "do": do, "count": count}


def approval_of(ended: Ended) -> str:
    """The approval that a dry run printed."""
    found = re.search(r"--approval ([0-9a-f]+)", ended.out)
    assert found is not None, ended.text
    return found[1]


@contextmanager
def standing(folder: Path, subset: str) -> Iterator[Site]:
    """A lab of the backend of the small site alone; taken down at the end."""
    intent, dir_ = folder / "intent.yaml", folder / "lab"
    found = yaml.safe_load(SMALL.read_text())
    del found["fabrics"]["frontend"], found["tenants"], found["servers"]["store"]
    intent.write_text(yaml.safe_dump(found))
    try:
        done = lab_verb("up", intent, "--subset", subset, "--dir", dir_)
        assert done.returncode == 0, done.stdout + done.stderr
        yield Site(intent, dir_, make_lab(open_workspace(intent).plan, parse_subset(subset)))
    finally:
        gone = lab_verb("down", "--dir", dir_)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(dir_)) == {}


@contextmanager
def pushing(site: Site, folder: Path) -> Iterator[Pushing]:
    """Pushes to a lab that stands; at the end every switch runs what it ran, with nothing that waits."""
    found = Pushing(site, Running(site.folder, site.intent, site.lab), folder)
    before = {name: found.runs(name) for name in found.names}
    yield found
    for name, text in before.items():
        _clean(site, name)
        if found.runs(name) != text:
            _replace(site, name, text)


def _clean(site: Site, name: str) -> None:
    """End what a push that was killed has left armed, and its lease."""
    hosts = yaml.safe_load((site.folder / "inventory/hosts.yaml").read_text())
    arguments = hosts[name]["connection_options"]["napalm"]["extras"]["optional_args"]
    with get_network_driver(hosts[name]["platform"])(name, "", "", optional_args=arguments) as driver:
        found = driver.run_marks()
        if found.armed is not None:
            driver.cancel_commit()
        if found.lease is not None:
            driver.release_lease(found.lease.token)


@contextmanager
def shut(site: Site, switch: str, port: str) -> Iterator[None]:
    """A port without a carrier, until the end."""
    netns = place_of(site.folder).space(switch).netns
    subprocess.run(["ip", "-n", netns, "link", "set", port, "down"], check=True)
    try:
        yield
    finally:
        subprocess.run(["ip", "-n", netns, "link", "set", port, "up"], check=True)
