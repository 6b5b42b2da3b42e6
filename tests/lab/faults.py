"""Faults of a running lab: cables pulled, exchanged, made deaf; daemons killed; lines typed by hand; and the way back.

A cable is a pair of interfaces; to plug it elsewhere the pair is made again, with the addresses that its ports are
planned to have, as a box with its cable in another hole still has its configuration.
"""

import json
import os
import secrets
import subprocess
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.lab import Lab, LabEnd
from fabricgen.lab.operate.run import run
from tests import forked

SECONDS = 300
POLL_SECONDS = 1
Finding = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Running:
    """A lab that stands, in a folder."""

    folder: Path
    intent: Path
    lab: Lab

    def device(self, name: str) -> Device:
        """A switch of it."""
        return next(device for device in self.lab.devices if device.name == name)

    def row(self, end: LabEnd) -> Ethernet:
        """What a port is planned to be."""
        return next(row for row in self.device(end.owner).interfaces.ethernet if row.name == end.interface)

    def netns(self, name: str) -> str:
        """Network namespace of a switch."""
        return place_of(self.folder).space(name).netns

    def inside(self, name: str, *words: str) -> str:
        """Output of a command in a switch. Raises where it fails."""
        done = run(self.folder, name, list(words))
        assert done.returncode == 0, f"{name}: {words}: {done.stdout}{done.stderr}"
        return done.stdout

    def typed(self, name: str, *lines: str) -> None:
        """Type lines into a switch, as somebody at its terminal would."""
        said = self.inside(name, "vtysh", *(word for line in ("configure terminal", *lines) for word in ("-c", line)))
        assert "%" not in said, said

    def verify(self, *options: str) -> tuple[int, dict[str, Any]]:
        """Exit code and result of `fabricgen verify` of this lab."""
        words = ["verify", str(self.intent), "-i", str(self.folder / "inventory"), "--json", *options]
        done = forked.fabricgen(words, 3 * SECONDS)
        assert done.returncode in (0, 4, 5), done.stdout + done.stderr
        return done.returncode, json.loads(done.stdout)

    def comes_to_show(self, wanted: set[tuple[str, str]], *options: str) -> tuple[Finding, ...]:
        """Findings, as soon as there are some and those wanted are among them; else those there are after SECONDS.

        wanted  device and code of each
        """
        deadline = time.monotonic() + SECONDS
        while True:
            begun = time.monotonic()
            code, result = self.verify(*options)
            found = tuple(one for switch in result["switches"] for one in switch["findings"])
            if (found and wanted <= told(found)) or time.monotonic() > deadline:
                assert code == (4 if found else 0)
                return found
            # A look costs the switches as much as a second of what they are to do.
            time.sleep(max(POLL_SECONDS, time.monotonic() - begun))

    def heals(self, *options: str) -> None:
        """Wait until nothing is found any more."""
        code, result = self.verify("--retry", str(SECONDS), *options)
        assert code == 0, [one for switch in result["switches"] for one in switch["findings"]]


def ip(*words: str) -> None:
    """Run ip on this host. Raises with what it said."""
    done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True)
    assert done.returncode == 0, f"ip {' '.join(words)}: {done.stderr}"


def pull(running: Running, *ends: LabEnd) -> None:
    """Take cables away, with the ports at both of their ends; one that is gone already is no matter."""
    for end in ends:
        words = ["ip", "-n", running.netns(end.owner), "link", "delete", end.interface]
        subprocess.run(words, check=False, capture_output=True)


def plug(running: Running, near: LabEnd, far: LabEnd) -> None:
    """Lay a cable between two ports."""
    join(running.netns(near.owner), near.interface, running.netns(far.owner), far.interface)
    settle(running, near)
    settle(running, far)


def join(one: str, port: str, other: str, peer: str) -> None:
    """Make a pair of interfaces in two namespaces."""
    ip("link", "add", "name", port, "netns", one, "type", "veth", "peer", "name", peer, "netns", other)


@contextmanager
def unplugged(running: Running, *cables: tuple[LabEnd, LabEnd]) -> Iterator[None]:
    """Pull cables; in the end they are where they belong."""
    ends = [end for cable in cables for end in cable]
    pull(running, *ends)
    try:
        yield
    finally:
        pull(running, *ends)
        for near, far in cables:
            plug(running, near, far)


@contextmanager
def namespace() -> Iterator[str]:
    """A namespace of the test's own."""
    name = f"fgtest{secrets.token_hex(3)}"
    ip("netns", "add", name)
    try:
        yield name
    finally:
        ip("netns", "delete", name)


def settle(running: Running, end: LabEnd) -> None:
    """Give a port what it is planned to have; one that the lab does not plan is only up."""
    netns = running.netns(end.owner)
    planned = [row for row in running.device(end.owner).interfaces.ethernet if row.name == end.interface]
    for row in planned:
        ip("-n", netns, "link", "set", end.interface, "mtu", str(row.profile.mtu))
        for address in filter(None, (row.ipv4, row.ipv6)):
            ip("-n", netns, "addr", "add", address, "dev", end.interface)
    ip("-n", netns, "link", "set", end.interface, "up")


def splice(running: Running, near: LabEnd, far: LabEnd, between: str) -> None:
    """Lay a cable through a namespace that hands frames on from near to far only, LLDP's too."""
    for end, name in ((near, "near"), (far, "far")):
        join(running.netns(end.owner), end.interface, between, name)
        ip("-n", between, "link", "set", name, "mtu", "9214", "up")
        settle(running, end)
    rules = (
        "add table netdev splice; "
        "add chain netdev splice near { type filter hook ingress device near priority 0; }; "
        "add rule netdev splice near fwd to far"
    )
    ip("netns", "exec", between, "nft", rules)


def told(found: Iterable[Finding]) -> set[tuple[str, str]]:
    """Findings by device and code."""
    return {(one["device"], one["code"]) for one in found}


def daemon_pid(running: Running, name: str, daemon: str) -> int:
    """Process of a daemon of a switch."""
    return int(running.inside(name, "cat", f"/run/frr/{daemon}.pid"))


def signal_daemons(running: Running, name: str, daemons: Iterable[str], number: int) -> None:
    """Send a signal to daemons of a switch of the lab."""
    for daemon in daemons:
        os.kill(daemon_pid(running, name, daemon), number)
