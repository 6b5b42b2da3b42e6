"""Start-up of a lab against bare daemons, as ratios measured in one run; needs root and FRR. `make bench` runs it.

    lab   `fabricgen lab up`, the process as a user starts it
    bare  the same switches, cables, addresses and frr.conf: `ip netns`, `ip link`, zebra, staticd, bgpd, `vtysh -b`, by
          a script that plans nothing, holds nothing for a later `down`, and gives no daemon folders of its own

Both in turn (lab bare, lab bare, ...), each from nothing to every session of both families established; wall time, as
most of it is waiting; the ratio is the median of each turn's own. The first turn is not counted.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.lab.model.lab import Lab
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.status import read_summary
from fabricgen.render.render import Renderer
from fabricgen.site.workspace import open_workspace

INTENT = Path(__file__).with_name("lab-intent.yaml")
SUBSET = "links=2,servers=0"
TURNS = 3
DAEMONS = ("zebra", "staticd", "bgpd")
PROGRAMS = Path("/usr/lib/frr")
SECONDS = 120
AT_ONCE = 4
SETTINGS = "net/ipv4/ip_forward=1 net/ipv6/conf/all/forwarding=1 net/ipv6/conf/all/accept_dad=0"


class Times(NamedTuple):
    """Seconds of wall time from the start."""

    started: float
    converged: float


def main() -> int:
    """Run, print; 0 where nothing failed. What lacks for it is said, and is no failure."""
    lacking = _lacking()
    if lacking:
        print(f"lab                  not measured: {lacking}")
        return 0
    lab = make_lab(open_workspace(INTENT).plan, parse_subset(SUBSET))
    print(f"lab of {len(lab.devices)} switches, {len(lab.links)} cables, {TURNS} turns")
    times: dict[str, list[Times]] = {"lab": [], "bare": []}
    runs: dict[str, Callable[[], Times]] = {"lab": _lab, "bare": lambda: _bare(lab)}
    for turn in range(TURNS + 1):
        for name, run in runs.items():
            found = run()
            if turn:
                times[name].append(found)
    for name, rows in times.items():
        started, converged = (median(row[at] for row in rows) for at in (0, 1))
        print(f"{name:20} {started:9.2f} s daemons run {converged:9.2f} s every session established")
    for at, what in enumerate(("start-up", "convergence")):
        ratio = median(own[at] / other[at] for own, other in zip(*times.values(), strict=True))
        print(f"{what:20} {ratio:9.2f}   lab / bare daemons")
    return 0


def _lacking() -> str:
    if os.geteuid() != 0:
        return "it needs root"
    absent = [name for name in DAEMONS if not (PROGRAMS / name).is_file()]
    return f"no {', '.join(absent)}: run make lab-deps" if absent else ""


def _lab() -> Times:
    """`lab up` as a process; its own clock splits what lies behind its start.

    What it waits for once the sessions stand is left out: bare daemons have no such step.
    """
    with tempfile.TemporaryDirectory(prefix="fabricgen-bench-") as folder:
        command = [sys.executable, "-m", "fabricgen", "lab"]
        start = time.monotonic()
        try:
            words = ["up", str(INTENT), "--subset", SUBSET, "--dir", folder, "--json"]
            done = subprocess.run([*command, *words], capture_output=True, text=True, check=True)
            whole = time.monotonic() - start
        finally:
            subprocess.run([*command, "down", "--dir", folder], capture_output=True, check=True)
    seconds = json.loads(done.stdout)["seconds"]
    converged = whole - seconds["settled"]
    return Times(converged - seconds["converged"], converged)


def _bare(lab: Lab) -> Times:
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="fabricgen-bench-")))
        texts = _texts(lab)
        start = time.monotonic()
        spaces = {device.name: f"fgbench{os.getpid()}-{device.name}" for device in lab.devices}
        for space in spaces.values():
            stack.enter_context(_space(space))
        _cables(lab, spaces)
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(lambda device: _start(device, spaces[device.name], texts[device.name], folder), lab.devices))
        started = time.monotonic() - start
        _converge(lab, spaces)
        return Times(started, time.monotonic() - start)


def _texts(lab: Lab) -> dict[str, str]:
    renderer = Renderer()
    return {
        device.name: next(file.text for file in renderer.render(device) if file.path.endswith("/frr.conf"))
        for device in lab.devices
    }


@contextmanager
def _space(name: str) -> Iterator[None]:
    """A namespace with FRR's folders; its daemons are ended by their pid files."""
    folders = [Path("/etc/frr") / name, Path("/var/run/frr") / name]
    try:
        _run("ip", "netns", "add", name)
        for folder in folders:
            folder.mkdir(parents=True)
            shutil.chown(folder, "frr", "frr")
        yield
    finally:
        for file in folders[1].glob("*.pid"):
            subprocess.run(["kill", file.read_text().strip()], capture_output=True, check=False)
        subprocess.run(["ip", "netns", "delete", name], capture_output=True, check=False)
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)


def _cables(lab: Lab, spaces: dict[str, str]) -> None:
    lines = [
        f"link add name {near.interface} mtu 9214 netns {spaces[near.owner]} type veth "
        f"peer name {far.interface} mtu 9214 netns {spaces[far.owner]}"
        for near, far in lab.links
    ]
    _run("ip", "-batch", "-", text="\n".join(lines))


def _start(device: Device, space: str, text: str, folder: Path) -> None:
    configuration = Path("/etc/frr") / space
    for name, content in (("frr.conf", text), ("vtysh.conf", "service integrated-vtysh-config\n")):
        (configuration / name).write_text(content)
    inside = ["ip", "netns", "exec", space]
    settings = "; ".join(f"echo {value} >/proc/sys/{key}" for key, value in (w.split("=") for w in SETTINGS.split()))
    _run(*inside, "sh", "-c", settings)
    _run("ip", "-n", space, "-batch", "-", text="\n".join(_addresses(device)))
    daemons = "; ".join(f"{PROGRAMS / name} -d -F datacenter -N {space} -A 127.0.0.1" for name in DAEMONS)
    with (folder / space).open("w") as log:
        subprocess.run([*inside, "sh", "-c", daemons], stdout=log, stderr=log, check=True)
        subprocess.run([*inside, "vtysh", "-N", space, "-b"], stdout=log, stderr=log, check=False)


def _addresses(device: Device) -> Iterator[str]:
    for loopback in device.interfaces.loopbacks:
        yield from (f"addr add {found} dev lo" for found in (loopback.ipv4, loopback.ipv6) if found)
    yield "link set lo up"
    for row in device.interfaces.ethernet:
        yield from (f"addr add {found} dev {row.name}" for found in (row.ipv4, row.ipv6) if found)
        yield f"link set {row.name} up"


def _said(command: list[str]) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout


def _converge(lab: Lab, spaces: dict[str, str]) -> None:
    deadline = time.monotonic() + SECONDS
    for device in lab.devices:
        families = {group.name: len(group.families) for group in device.routing.bgp.groups}
        wanted = sum(families[row.group] for row in device.routing.bgp.neighbors)
        command = ["vtysh", "-N", spaces[device.name], "-c", "show bgp summary json"]
        while read_summary(_said(command)).established != wanted:
            if time.monotonic() > deadline:
                raise TimeoutError(f"{device.name} does not converge")
            time.sleep(0.3)


def _run(*words: str, text: str = "") -> None:
    subprocess.run(words, input=text, text=True, capture_output=True, check=True)


if __name__ == "__main__":
    sys.exit(main())
