"""Requirements of a lab, checked before anything is made."""

import os
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.lab.build.kernel import NEEDED, Kernel, unexercised
from fabricgen.lab.host.daemons import PROGRAMS
from fabricgen.lab.host.neighbors import thresholds
from fabricgen.lab.host.shell import absent
from fabricgen.lab.interfaces import ifupdown
from fabricgen.lab.model.lab import FULL, Lab, Skipped
from fabricgen.lab.model.queues import RATE_MBPS

MIB_A_SWITCH = 40
"""Per switch in a large fabric; 26 to 30 in a small one (FRR 8.4.4 with lldpd, measured)."""
MIB_A_SERVER = 4
MANY = 20
"""Number of switches that two processors can run in time for BFD at 300 ms (measured)."""
LARGE, LARGE_SECONDS, GROWTH = 100, 43, 1.9
"""Switches from which on an estimate is printed; their seconds on two processors, and the exponent of growth: 200 took

162 s (FRR 8.4.4, measured).
"""
TOOLS = (
    "ip",
    "tc",
    "nft",
    "nsenter",
    "unshare",
    "mount",
    "umount",
    "hostname",
    "setsid",
    "ping",
    "vtysh",
    "lldpd",
    "lldpcli",
)
DAEMONS = ("zebra", "staticd", "bgpd")


class LabNeeds(NamedTuple):
    """Figures of a lab. Memory in MiB; `thresholds`: whether the host's neighbor table is too small."""

    switches: int
    servers: int
    links: int
    memory: int
    available: int
    thresholds: bool


def needs(lab: Lab) -> LabNeeds:
    """Resources that the lab needs, and the available memory."""
    # Memory available without swapping (proc(5), MemAvailable).
    meminfo = [line.split() for line in Path("/proc/meminfo").read_text().splitlines()]
    return LabNeeds(
        switches=len(lab.devices),
        servers=len(lab.servers),
        links=len(lab.links),
        memory=MIB_A_SWITCH * len(lab.devices) + MIB_A_SERVER * len(lab.servers),
        available=next((int(line[1]) // 1024 for line in meminfo if line[0] == "MemAvailable:"), 0),
        thresholds=bool(thresholds(lab)),
    )


def estimate(switches: int) -> int:
    """Seconds until a large lab is up, on two processors; 0 for a lab that is not large."""
    return round(LARGE_SECONDS * (switches / LARGE) ** GROWTH) if switches > LARGE else 0


def require_root() -> None:
    """Raise FabricError for a user who must not enter or make namespaces."""
    if os.geteuid() != 0:
        raise FabricError(
            [_problem("lab-root", "a lab needs root", "it creates network namespaces", "run it with sudo")]
        )


def require_host() -> None:
    """Raise FabricError where this host cannot run a lab: not root, or missing programs."""
    require_root()
    missing = [name for name in TOOLS if shutil.which(name) is None]
    missing += [name for name in DAEMONS if not (PROGRAMS / name).is_file()]
    if missing:
        raise FabricError([absent(missing)])


def require(needed: LabNeeds, kernel: Kernel) -> None:
    """Raise FabricError where the kernel or the memory cannot hold this lab."""
    missing_kinds = [name for name in NEEDED if name in kernel.missing]
    if missing_kinds:
        what = f"Linux {kernel.release} cannot make {', '.join(missing_kinds)}"
        raise FabricError([_problem("lab-kernel", what, "the lab's links need them", "use another kernel")])
    if needed.memory > needed.available:
        what = f"the lab needs {needed.memory} MiB of memory, {needed.available} MiB are free"
        why = f"{needed.switches} switches of {MIB_A_SWITCH} MiB, {needed.servers} servers of {MIB_A_SERVER} MiB"
        raise FabricError([_problem("lab-memory", what, why, "write --subset units=1,leaves=2,spines=2,servers=2")])
    if kernel.kind == FULL:
        ifupdown.require()


def require_queues(lab: Lab, kernel: Kernel, rate_mbps: int) -> None:
    """Raise FabricError where the lab cannot have the plan's queues at this rate, in Mbit/s."""
    speeds = [profile.speed_gbps for device in lab.devices if device.qos for profile in device.qos.profiles]
    what = f"invalid --queues {rate_mbps}"
    if not speeds:
        raise FabricError([_problem("lab-queues", what, "no switch of this lab has queues in the plan", "omit it")])
    if rate_mbps > min(speeds) * 1000:
        why = f"the slowest ports with queues have {min(speeds)} Gbit/s in the plan, and a lab can only be slower"
        raise FabricError([_problem("lab-queues", what, why, f"write --queues {RATE_MBPS}")])
    if kernel.queues_missing:
        why = f"Linux {kernel.release} lacks {', '.join(kernel.queues_missing)}, which queues and marking need"
        raise FabricError([_problem("lab-queues", what, why, "omit it, or use a kernel that has them")])


def _problem(code: str, what: str, why: str, fix: str) -> Problem:
    return Problem(code=code, what=what, why=why, fix=fix)


def not_exercised(lab: Lab, kernel: Kernel, queues_mbps: int) -> tuple[Skipped, ...]:
    """Everything that a lab does not exercise on this host.

    queues_mbps  rate of ports with the plan's queues, Mbit/s; 0: they have none
    """
    plan_rows = (row for row in lab.skipped if not (queues_mbps and row.feature == MARKING))
    return (*plan_rows, *_marking(lab, kernel, queues_mbps), *limits(lab, kernel))


MARKING = "ecn"
"""Feature of the capability tables that `--queues` exercises with the lab's own commands."""


def _marking(lab: Lab, kernel: Kernel, queues_mbps: int) -> Iterator[Skipped]:
    where = ", ".join(dict.fromkeys(f"{device.fabric} {device.role}" for device in lab.devices if device.qos))
    if not where:
        return
    if queues_mbps:
        reason = f"the lab's own tc commands stand for it, from the same plan, at {queues_mbps} Mbit/s a port"
        yield Skipped("text of queues and marking", where, reason)
        return
    lacking = ", ".join(kernel.queues_missing)
    hint = f"Linux {kernel.release} lacks {lacking}; on one that has them" if lacking else "for those of the plan"
    reason = f"ports have Linux's own single queue; {hint} type --queues {RATE_MBPS} (Mbit/s a port)"
    yield Skipped("queues and marking", where, reason)


def limits(lab: Lab, kernel: Kernel) -> Iterator[Skipped]:
    """Features of this lab that its kernel, or a host under its load, cannot exercise."""
    yield from unexercised(kernel, _asked(lab))
    if len(lab.devices) > MANY and any(group.bfd for device in lab.devices for group in device.routing.bgp.groups):
        reason = f"on a busy host sessions of {MANY} switches and more may miss it while they start; nothing is changed"
        yield Skipped("bfd interval", "all switches", reason)


def _asked(lab: Lab) -> Iterator[str]:
    """Kinds of device that the switches of a lab use."""
    evpn = [device for device in lab.devices if device.evpn is not None]
    if evpn:
        yield from ("vrf", "vlan-aware bridge")
    if any(row.switching and row.switching.trunk_vlans for device in evpn for row in device.interfaces.ethernet):
        yield "vlan"
