"""What a change costs while it is made, measured on real FRR: sessions that fell, packets lost, daemons that restarted.

Four switches in network namespaces, west and east over two spines (`north`, `south`), real zebra, bgpd, staticd and
bfdd. Packets run from west's loopback to east's, over both spines. `measured` makes one change by frr-reload.py, or by
commands of the switch, and compares both ends of every session before and after.

By hand, one of the trials of test_risk_live.py: python -m pytest tests/lab/test_risk_live.py -k password -s
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.judges import frr
from tests.judges.frr import Link, Loaded
from tests.lab.risk_fabric import ASN, CABLES, LOOPBACK, addresses, port, text

RELOAD = "/usr/lib/frr/frr-reload.py"
SECONDS = 240
STEP_SECONDS = 0.005
FLOWS = 16
PORT = 6000
QUIET_SECONDS = 2.0
"""Time that packets and sessions are watched after a change: a session that a change closes falls at once."""
POLICY_SECONDS = 8.0
"""The same after a change of a route map or of a list: FRR applies it five seconds later (delay-timer)."""

SENDER = f"""
import signal, socket, sys, time
own, far, step = sys.argv[1], sys.argv[2], {STEP_SECONDS}
flows = []
for number in range({FLOWS}):
    flow = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    flow.bind((own, {PORT} + 1 + number))
    flows.append(flow)
sent = 0
going = [True]
signal.signal(signal.SIGTERM, lambda *_: going.clear())
print("begun", flush=True)
while going:
    try:
        flows[sent % len(flows)].sendto(b"x" * 64, (far, {PORT}))
    except OSError:
        pass
    sent += 1
    time.sleep(step)
print(sent, flush=True)
"""
RECEIVER = f"""
import signal, socket, sys
here = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
here.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 20)
here.bind((sys.argv[1], {PORT}))
here.settimeout(0.2)
going = [True]
signal.signal(signal.SIGTERM, lambda *_: going.clear())
print("begun", flush=True)
seen = 0
while True:
    try:
        here.recv(100)
        seen += 1
    except TimeoutError:
        if not going:
            break
print(seen, flush=True)
"""


class Session(NamedTuple):
    """One session as one end sees it. A new `since` is a session that was made again."""

    state: str
    since: int
    dropped: int


class Seen(NamedTuple):
    """What a change did.

    fell        ends of sessions that fell, as "switch vrf neighbor"; one that is gone has fallen, too
    sent, lost  packets of the stream
    restarted   daemons whose process is another one
    said        what the change printed
    """

    fell: tuple[str, ...]
    sent: int
    lost: int
    restarted: tuple[str, ...]
    said: str


class Switch(NamedTuple):
    """One switch of the fabric that is measured."""

    name: str
    loaded: Loaded

    def enter(self, *words: str) -> list[str]:
        """A command line inside this switch's network."""
        return ["ip", "netns", "exec", self.loaded.namespace, *words]

    def sessions(self) -> dict[str, Session]:
        """Every session by "vrf neighbor"."""
        shown = json.loads(self.loaded.show("show bgp vrf all neighbors json") or "{}")
        return dict(_rows(shown))

    def pids(self) -> dict[str, str]:
        """Process of each daemon."""
        folder = Path("/var/run/frr") / self.loaded.namespace
        return {path.stem: path.read_text().strip() for path in folder.glob("*.pid")}

    def reload(self, text: str) -> str:
        """Replace the configuration by a text, as frr-reload.py does; its words. Never raises: a refusal is seen."""
        path = Path("/etc/frr") / self.loaded.namespace / "candidate.conf"
        path.write_text(text)
        words = [RELOAD, "--reload", "--stdout", "--log-level", "warning", "-N", self.loaded.namespace, str(path)]
        run = self.enter(*self._as_itself(*words))
        done = subprocess.run(run, capture_output=True, text=True, timeout=SECONDS, check=False)
        return f"{done.returncode} {done.stdout}{done.stderr}".strip()

    def restart(self, daemon: str) -> str:
        """End a daemon and start it again; its configuration is read again as at the start of a switch."""
        namespace, pid = self.loaded.namespace, self.pids()[daemon]
        os.kill(int(pid), signal.SIGTERM)
        deadline = time.monotonic() + SECONDS
        while _runs(pid) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.run(str(frr.PROGRAMS / daemon), "-d", "-F", frr.PROFILE, "-N", namespace, "-A", "127.0.0.1")
        return self.run(*self._as_itself("vtysh", "-N", namespace, "-b"))

    def _as_itself(self, *words: str) -> list[str]:
        """A command line under the switch's own host name, which vtysh would write else."""
        return ["unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"', self.name, *words]

    def run(self, *words: str) -> str:
        """Run a command inside; what it printed. Its failure ends the trial."""
        done = subprocess.run(self.enter(*words), capture_output=True, text=True, timeout=SECONDS, check=True)
        return done.stdout


def _runs(pid: str) -> bool:
    """Whether a process runs. One that has ended and is not yet waited for has no command line any more."""
    try:
        return bool(Path(f"/proc/{pid}/cmdline").read_bytes())
    except (FileNotFoundError, ProcessLookupError):
        return False


def _rows(shown: Mapping[str, object]) -> Iterator[tuple[str, Session]]:
    for vrf, peers in shown.items():
        if not isinstance(peers, dict):
            continue
        for name, row in peers.items():
            if isinstance(row, dict) and "bgpState" in row:
                since = int(row.get("bgpTimerUpEstablishedEpoch", 0))
                yield f"{vrf} {name}", Session(row["bgpState"], since, int(row.get("connectionsDropped", 0)))


Fabric = Mapping[str, Switch]
Change = Callable[[Fabric], str]


def available() -> str | None:
    """Why nothing can be measured here, or None when it can."""
    why = frr.available()
    if why is None and not Path(RELOAD).is_file():
        why = f"{RELOAD} (Debian package frr-pythontools) is not installed: run make lab-deps"
    return why


def measured(fabric: Fabric, change: Change, quiet: float = QUIET_SECONDS) -> Seen:
    """Make a change while packets run, and say what it did. `quiet`: seconds that all is watched after it."""
    before = {name: switch.sessions() for name, switch in fabric.items()}
    pids = {name: switch.pids() for name, switch in fabric.items()}
    with _stream(fabric["west"], fabric["east"]) as counts:
        time.sleep(0.3)
        said = change(fabric)
        time.sleep(quiet)
    after = {name: switch.sessions() for name, switch in fabric.items()}
    restarted = [
        f"{name} {daemon}"
        for name, switch in fabric.items()
        for daemon, pid in switch.pids().items()
        if pids[name].get(daemon) != pid
    ]
    sent, seen = counts[-1]
    return Seen(tuple(_fallen(before, after)), sent, sent - seen, tuple(restarted), said)


def _fallen(before: Mapping[str, Mapping[str, Session]], after: Mapping[str, Mapping[str, Session]]) -> Iterator[str]:
    for name, sessions in before.items():
        for key, old in sessions.items():
            if old.state == "Established" and not _stands(old, after[name].get(key)):
                yield f"{name} {key}"


def _stands(old: Session, new: Session | None) -> bool:
    """Whether it is the same session still. FRR rounds the time of its start again on each look."""
    return new is not None and new[::2] == old[::2] and abs(new.since - old.since) <= 1


@contextmanager
def _stream(near: Switch, far: Switch) -> Iterator[list[tuple[int, int]]]:
    """Packets from one loopback to the other; at the end (sent, received) is in the list."""
    counts: list[tuple[int, int]] = []
    own, other = (LOOPBACK[switch.name] for switch in (near, far))
    receiver = _started(far, RECEIVER, other)
    try:
        sender = _started(near, SENDER, own, other)
        try:
            yield counts
        finally:
            sent = _ended(sender)
    finally:
        seen = _ended(receiver)
    counts.append((sent, seen))


def _started(switch: Switch, program: str, *arguments: str) -> subprocess.Popen[str]:
    words = switch.enter(sys.executable, "-c", program, *arguments)
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    if process.stdout.readline().strip() != "begun":
        process.kill()
        raise RuntimeError(f"the stream of {switch.name} did not begin")
    return process


def _ended(process: subprocess.Popen[str]) -> int:
    process.terminate()
    try:
        said, _ = process.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()
        raise
    return int(said.strip() or 0)


@contextmanager
def built(texts: Mapping[str, str] | None = None) -> Iterator[Fabric]:
    """The fabric, all sessions up and packets through. `texts` replaces those of some switches."""
    cables = [Link((leaf, port(spine)), (spine, port(leaf))) for leaf, spine in CABLES]
    wanted = {name: text(name) for name in ASN} | dict(texts or {})
    with frr.wire(wanted, addresses(), cables) as loaded:
        fabric = {name: Switch(name, found) for name, found in loaded.items()}
        first = {name: switch.pids() for name, switch in fabric.items()}
        try:
            settle(fabric)
            yield fabric
        finally:
            for name, switch in fabric.items():
                _end_others(switch, first[name])


def _end_others(switch: Switch, first: Mapping[str, str]) -> None:
    """End daemons that a trial started: those of the beginning are ended by whom started them."""
    for daemon, pid in switch.pids().items():
        if pid != first.get(daemon) and _runs(pid):
            os.kill(int(pid), signal.SIGTERM)


def settle(fabric: Fabric) -> None:
    """Wait until every session is up and west has both ways to east. Raises TimeoutError."""
    deadline = time.monotonic() + SECONDS
    while time.monotonic() < deadline:
        up = [row.state == "Established" for switch in fabric.values() for row in switch.sessions().values()]
        route = fabric["west"].run("ip", "route", "show", LOOPBACK["east"])
        back = fabric["east"].run("ip", "route", "show", LOOPBACK["west"])
        if len(up) >= 2 * len(CABLES) and all(up) and min(len(re.findall("via", way)) for way in (route, back)) == 2:
            return
        time.sleep(0.2)
    raise TimeoutError("the fabric did not come up")
