"""A switch with files beside frr.conf: FRR's daemons, ifupdown2 and a mount namespace in which /etc/network is its own.

ifupdown2 is unpacked by `make lab-deps`, not installed. The switch finds it on its PATH, as a real one does.
"""

import os
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import NamedTuple

from tests.judges import frr
from tests.judges.frr import Link, Loaded
from tests.napalm_frr import fabric, switches

IFUPDOWN2 = Path(os.environ.get("FABRICGEN_IFUPDOWN2", "/var/lib/fabricgen/ifupdown2"))
PROGRAMS = ("ifreload", "ifquery", "ifup", "ifdown")
# Folders of this host that the switch has its own of. The last two are ifupdown2's state and lock.
OWN = (
    "/etc/network",
    "/etc/sysctl.d",
    "/usr/local/sbin",
    "/etc/iproute2/rt_tables.d",
    "/var/tmp/network",
    "/run/network",
)
INTERFACES, SETTINGS = "/etc/network/interfaces", "/etc/sysctl.d/90-fabric.conf"
HOLD = """
root=$0
for folder; do
    mount --bind "$root$folder" "$folder" || exit 1
done
mount -t sysfs sysfs /sys && mount -t tmpfs tmpfs /mnt && echo ready && exec sleep 3600
"""


class Box(NamedTuple):
    """A switch.

    loaded  its FRR
    root    folder that holds its own folders, by their paths
    mount   file of its mount namespace
    """

    loaded: Loaded
    root: Path
    mount: Path

    def file(self, path: str) -> Path:
        """Where this host has a file of the switch."""
        return self.root / path.lstrip("/")

    def run(self, *command: str) -> str:
        """Output of a command in the switch."""
        words = ["nsenter", f"--mount={self.mount}", f"--net=/run/netns/{self.loaded.namespace}", *command]
        return subprocess.run(words, capture_output=True, text=True, timeout=120, check=True).stdout

    def addresses(self, port: str) -> set[str]:
        """Addresses of an interface, but those of the link; nothing where it is not there."""
        rows = [row for row in switches.kernel(self.loaded, "addr", "show") if row.get("ifname") == port]
        return {
            f"{found['local']}/{found['prefixlen']}"
            for row in rows
            for found in row["addr_info"]
            if found["scope"] == "global"
        }


def available() -> str | None:
    """Why this cannot work here, or None when it can."""
    if frr.available() is not None:
        return frr.available()
    return None if (IFUPDOWN2 / "sbin/ifreload").exists() else "ifupdown2 is not unpacked: run make lab-deps"


def interfaces(*more: str) -> str:
    """The file that the switch starts with, and lines more of its port swp1."""
    lines = ("auto lo", "iface lo inet loopback", "", "auto swp1", "iface swp1", "    address 172.16.11.1/31", *more)
    return "\n".join(lines) + "\n"


SYSCTL = "# of the test\nnet.ipv4.ip_forward = 1\nnet.ipv4.conf.default.arp_announce = 2\n"


@contextmanager
def started() -> Iterator[Box]:
    """leaf1 with a cable to spine1, with its interfaces made by ifupdown2 and its settings by sysctl."""
    with ExitStack() as stack:
        link = Link(("leaf1", "swp1"), ("spine1", "swp1"))
        texts = {name: fabric.text(name) for name in ("leaf1", "spine1")}
        wired = stack.enter_context(frr.wire(texts, {name: {} for name in texts}, (link,)))
        root = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="frr-box-")))
        _fill(root)
        for folder in OWN:
            _have(stack, Path(folder))
        words = [
            "nsenter",
            f"--net=/run/netns/{wired['leaf1'].namespace}",
            "unshare",
            "--mount",
            "--propagation",
            "private",
        ]
        holder = subprocess.Popen([*words, "sh", "-c", HOLD, str(root), *OWN], stdout=subprocess.PIPE)
        stack.callback(switches.stop, holder)
        assert holder.stdout is not None
        stack.callback(holder.stdout.close)
        assert holder.stdout.readline() == b"ready\n"
        box = Box(wired["leaf1"], root, Path(f"/proc/{holder.pid}/ns/mnt"))
        box.run("sysctl", "-q", "-p", SETTINGS)
        box.run("/usr/local/sbin/ifreload", "-a")
        yield box


def _have(stack: ExitStack, folder: Path) -> None:
    """A folder of this host to mount over; one that was not there goes again."""
    if not folder.exists():
        folder.mkdir(parents=True)
        stack.callback(folder.rmdir)


def _fill(root: Path) -> None:
    for folder in OWN:
        (root / folder.lstrip("/")).mkdir(parents=True)
    packaged = IFUPDOWN2 / "etc/network/ifupdown2"
    subprocess.run(["cp", "-r", str(packaged), str(root / "etc/network")], check=True, timeout=120)
    for name in PROGRAMS:
        program = root / "usr/local/sbin" / name
        program.write_text(f'#!/bin/sh\nexec /usr/bin/python3 -E {IFUPDOWN2}/sbin/{name} "$@"\n')
        program.chmod(0o755)
    (root / INTERFACES.lstrip("/")).write_text(interfaces())
    (root / SETTINGS.lstrip("/")).write_text(SYSCTL)
