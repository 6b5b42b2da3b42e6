"""Cumulus Linux in containerlab: Cumulus VX in a virtual machine, patched with the switch's file without what VX lacks.

Sources, read on 2026-11-22; nothing here was deployed:
C  containerlab 39ff2b7, nodes/nvidia_cumulusvx/cumulusvx.go and docs/manual/kinds/nvidia_cumulusvx.md: swpN is ethN,
   login cumulus and Clab123!; a folder of the node's is /config. What `startup-config` would be is not documented: the
   file gets a name that the image does not read, so the files are mounted under the names that it reads.
V  srl-labs/vrnetlab 01cf99ba, nvidia/cumulus-vx/docker/launch.py (pull request 521, 2026-09): /config/startup.yaml is
   passed to `nv config patch` and `nv config apply` when NVUE runs; 4 GB of memory and two processors per node; images
   are named vrnetlab/nvidia_cumulus-vx (its README). On eth0 the machine has its own address, from QEMU.
P  the same pull request, and what carlmontanari/boxen documents about that file: /config/ports.conf has `N=Mx` for each
   cage, 1x, 2x, 4x or 8x; ethernet cards 1 up to the highest cage are swpN, followed by the parts of divided cages,
   cage by cage: the machine renames them swpNsM. Whether the two count alike was not seen.
L  a later state of the kind's file than C's: containerlab writes ports.conf itself, from the node's keys `port-count`
   and `breakouts`. In which release was not found; ours is mounted over it, and names ports by their ethernet cards.
Unsure, and therefore left out: break-out, lanes, speed and FEC of ports, everything of a chip.
"""

import re
from collections.abc import Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.errors import FabricError, Problem
from fabricgen.platforms.base.container_trims import (
    SFLOW,
    always,
    has_servers,
    hashing_alone,
    queues,
    storm_control,
    without_chip,
)
from fabricgen.platforms.base.containerlab import Bind, Container, Estimate, NodeKind, Nodes, Omission
from fabricgen.platforms.cumulus.keywords import is_renamed

STARTUP, PORTS = "startup.yaml", "ports.conf"
FOLDER = "/config"
IMAGE = "5.11"
"""Release of the default image."""
PORT = re.compile(r"swp(?P<cage>\d+)(?:s(?P<part>\d+))?")
WIDTHS = (1, 2, 4, 8)
"""Parts of a cage that ports.conf supports (P)."""
MOST = 999
"""Largest number of ethernet cards of a machine (P)."""
LEFT_OUT = re.compile(
    r"^      swp\d+:\n        link:\n          breakout:\n            \S+: *(?:\{\})?\n"
    r"(?:              lanes-per-port: .*\n)?        type: swp\n"
    r"|^          (?:auto-negotiate|fec|lanes|speed): .*\n"
    r"|^      forwarding:\n        hash-seed: .*\n"
    r"|^        ip:\n          address:\n            .*\n          gateway:\n            .*\n"
    r"          vrf: mgmt\n(?=        type: eth\n)",
    re.MULTILINE,
)
"""Of the rendered file: divided cages, lines that only a real port or chip has, and address and gateway of eth0."""
BARE = re.compile(r"^        link:\n(?=        \S)", re.MULTILINE)
"""A `link:` section with nothing left in it."""


def _fit(device: Device) -> Device:
    """The Device that the machine can run. Raises FabricError for cages that it cannot divide so."""
    problems = list(_refused(device))
    if problems:
        raise FabricError(problems)
    bare = hashing_alone(without_chip(device))
    management = device.management._replace(
        tacacs=None, snmp=None, sflow=None, gnmi=None, eapi_certificate="", syslog=()
    )
    return bare._replace(management=management)


def _refused(device: Device) -> Iterator[Problem]:
    if is_renamed(device.version):
        yield Problem(
            code="platform-cannot",
            what=f"{device.name} cannot run as Cumulus VX in containerlab: it runs {device.version}",
            where=("fabrics", device.fabric),
            why="NVIDIA releases no image of Cumulus VX from 5.15 on (515 What's New 046c6a19)",
            fix="write os: cumulus-5.14 for these switches in the lab's intent",
        )
    # ports.conf of the machine knows only these divisions.
    widths = {row.profile.parts for row in device.interfaces.ethernet} - set(WIDTHS)
    cards = max(_cards(device).values(), default=0)
    if widths or cards > MOST:
        limit = f"cages of {min(widths)} parts" if widths else f"{cards} ports and cages"
        yield Problem(
            code="platform-cannot",
            what=f"{device.name} cannot run as Cumulus VX in containerlab: it has {limit}",
            where=("fabrics", device.fabric),
            why=f"its ports.conf supports {', '.join(map(str, WIDTHS))} parts per cage and {MOST} ports in all "
            f"(vrnetlab, pull request 521)",
            fix="use --subset to export a part of the fabric without these ports",
        )


def _cards(device: Device) -> dict[str, int]:
    """Port → number of its ethernet card: the cage's number if the cage is whole, else one after all cages."""
    parts = dict(sorted((_cage(row), row.profile.parts) for row in device.interfaces.ethernet))
    numbers: dict[str, int] = {}
    last = max(parts, default=0)
    for cage, count in parts.items():
        if count > 1:
            numbers |= {f"swp{cage}s{part}": last + 1 + part for part in range(count)}
            last += count
        else:
            numbers[f"swp{cage}"] = cage
    return numbers


def _cage(row: Ethernet) -> int:
    match = PORT.fullmatch(row.name)
    if match is None:
        raise ValueError(f"{row.name} is not a port name of Cumulus Linux")
    return int(match["cage"])


def artifact(text: str) -> str:
    """The startup file without what is left out."""
    return BARE.sub("", LEFT_OUT.sub("", text))


def _make(device: Device, files: Mapping[str, str]) -> Container:
    cards = _cards(device)
    cages = dict(sorted((_cage(row), row.profile.parts) for row in device.interfaces.ethernet))
    return Container(
        ports={row.name: f"eth{cards[row.name]}" for row in device.interfaces.ethernet},
        files={
            STARTUP: artifact(files[STARTUP]),
            PORTS: "".join(f"{cage}={parts}x\n" for cage, parts in cages.items()),
        },
        binds=tuple(Bind(name, f"{FOLDER}/{name}", read_only=True) for name in (STARTUP, PORTS)),
    )


OMISSIONS = (
    Omission(
        "the release",
        lambda device: not device.version.startswith(IMAGE),
        f"the image is of {IMAGE}: name another with --image",
    ),
    queues("priority flow control, queues, ECN, watchdog", "a virtual machine has no chip"),
    Omission("hash seed, adaptive routing", always, "they need a switch chip"),
    Omission(
        "queue monitoring, load-interval",
        lambda device: device.telemetry.queue_monitor is not None or device.telemetry.load_interval_seconds > 0,
        "a virtual machine has no queues",
    ),
    storm_control("no source says whether the machine accepts it"),
    Omission("break-out, lanes, speed and FEC of ports", always, "the machine's ports.conf names ports, and no more"),
    SFLOW,
    Omission(
        "syslog, TACACS+, SNMP",
        lambda device: bool(device.management.syslog) or has_servers(device),
        "their servers are not in the lab",
    ),
    Omission("address and gateway of eth0", always, "the machine has its own, behind the node's"),
    Omission(
        "LACP towards servers",
        lambda device: bool(device.interfaces.lags),
        "servers of the lab have single ports; those come up only where lacp_fallback lets them",
    ),
    Omission(
        "a start from this file alone",
        always,
        "the image patches its own configuration with it: users and access lists of the image stay",
    ),
)

KINDS = (
    NodeKind(
        name="nvidia_cumulusvx",
        image=f"vrnetlab/nvidia_cumulus-vx:{IMAGE}.0",
        memory=Estimate(4096, "vrnetlab 01cf99ba, nvidia/cumulus-vx/docker/launch.py"),
        fit=_fit,
        make=_make,
        artifact=artifact,
        omissions=OMISSIONS,
        user="cumulus",
    ),
)

CUMULUS = Nodes(KINDS)
