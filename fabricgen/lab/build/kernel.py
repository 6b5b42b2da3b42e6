"""Capabilities of this host's kernel: each kind of device and queue discipline is tried in a temporary namespace."""

import os
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.interfaces.ifupdown import folder
from fabricgen.lab.model.lab import FULL, PLAIN, Skipped

TRIALS = {
    "veth": "link add name x1 type veth peer name x2",
    "bridge": "link add name x1 type bridge",
    "vxlan": "link add name x1 type vxlan id 5 local 192.0.2.1 dstport 4789 nolearning",
    "vrf": "link add name x1 type vrf table 1005",
    "vlan-aware bridge": "link add name x1 type bridge vlan_filtering 1",
    "vlan": "link add name x1 link x0 type vlan id 5",
    "dummy": "link add name x1 type dummy",
}
"""Kind of device → line of `ip` that makes one; x0 exists."""
QUEUES = {
    "htb": "qdisc add dev x0 root htb",
    "prio": "qdisc add dev x0 root prio",
    "drr": "qdisc add dev x0 root drr",
    "red": "qdisc add dev x0 root red limit 400000 min 30000 max 90000 avpkt 1500 burst 40 ecn nodrop",
    "tbf": "qdisc add dev x0 root tbf rate 10mbit burst 20000 limit 30000",
    "u32": "qdisc add dev x0 root handle 1: htb && tc filter add dev x0 parent 1: u32 match u32 0 0 flowid 1:1",
}
"""Queue discipline or classifier that `--queues` needs → line of `tc` that makes one."""
NEEDED = ("veth", "bridge", "vxlan")
"""Without these no lab is possible."""
WHOLE = ("vrf", "vlan-aware bridge", "vlan", "dummy")
"""With these the interfaces file can be applied as it is rendered."""

MISSING = {
    "vrf": "VRF devices: a network namespace stands for each VRF",
    "vlan-aware bridge": "one bridge for each VLAN stands for the VLAN-aware bridge",
    "vlan": "802.1Q: tagged VLANs of a server port run over a link of their own each",
}
"""Kind of device → its replacement where the kernel has none."""


class Kernel(NamedTuple):
    """Kernel release, what the kernel lacks by the names of TRIALS and QUEUES, and whether ifupdown2 is installed."""

    release: str
    missing: frozenset[str]
    ifupdown: bool

    @property
    def kind(self) -> str:
        """FULL where interfaces files can be applied, else PLAIN."""
        return FULL if self.ifupdown and not self.missing.intersection(WHOLE) else PLAIN

    @property
    def queues_missing(self) -> tuple[str, ...]:
        """Disciplines that queues and marking need and the kernel lacks."""
        return tuple(name for name in QUEUES if name in self.missing)


def probe(shell: LabShell) -> Kernel:
    """Try every kind in a namespace that ends with its process."""
    script = "; ".join(["ip link add name x0 type veth peer name x9", *_trials()])
    result = shell.run(["unshare", "--net", "sh", "-c", script])
    present = frozenset(re.findall(r"^has (.+)$", result.stdout, re.MULTILINE))
    ifupdown = (folder() / "sbin" / "ifreload").is_file()
    return Kernel(os.uname().release, frozenset((*TRIALS, *QUEUES)) - present, ifupdown)


def _trials() -> Iterator[str]:
    for name, line in TRIALS.items():
        yield f"if ip {line} 2>/dev/null; then echo 'has {name}'; ip link del dev x1; fi"
    for name, line in QUEUES.items():
        yield f"if tc {line}; then echo 'has {name}'; fi; tc qdisc del dev x0 root"


def unexercised(kernel: Kernel, used_kinds: Iterable[str]) -> Iterator[Skipped]:
    """Features that this kernel cannot exercise, of the kinds of device that a lab uses."""
    used = frozenset(used_kinds)
    if kernel.kind == PLAIN:
        yield Skipped("interfaces (ifupdown2)", "all switches", f"{_lacks(kernel)}; the same devices are made by hand")
    for name, meaning in MISSING.items():
        if name in used and (name in kernel.missing or (name in WHOLE and kernel.kind == PLAIN)):
            yield Skipped(name, f"Linux {kernel.release}", meaning)


def _lacks(kernel: Kernel) -> str:
    lacking = ", ".join(name for name in WHOLE if name in kernel.missing)
    return f"Linux {kernel.release} lacks {lacking}" if lacking else "ifupdown2 is not unpacked (make lab-deps)"
