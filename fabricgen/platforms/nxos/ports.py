"""Ports in NX-OS's terms: speed, FEC, switching, and ports that share a cage."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Switching
from fabricgen.platforms.nxos.qos import policy_name

PER_GBPS = 1000
"""`speed` is in Mb/s."""
OWN_FEC_GBPS = 200
"""From this speed on, IEEE 802.3 has only one FEC, which is NX-OS's default."""
FEC = {"rs-fec": "fec rs-fec", "fc-fec": "fec fc-fec", "none": "fec off"}


class Storm(NamedTuple):
    """A limit of flooded frames: broadcast or multicast, in percent."""

    kind: str
    percent: int


class PortContext(NamedTuple):
    """An Ethernet row with its commands. `watchdog` is empty if no class of the port is paused.

    speed  in Mb/s; 0 for a part of a cage, whose breakout map has it
    """

    row: Ethernet
    shutdown: str
    speed: int
    fec: str
    trunk: str
    storms: tuple[Storm, ...]
    policy: str
    watchdog: str


def panel(device: Device) -> Iterator[PortContext]:
    """Yield ports with a cable and idle ones, in panel order."""
    watchdog = "on disable-action" if device.qos and device.qos.watchdog.action == "notify" else "on"
    lossless = {profile.name for profile in device.qos.profiles if profile.lossless_priorities} if device.qos else set()
    for row in _rows(device):
        speed, switching = row.profile.speed_gbps, row.switching
        yield PortContext(
            row=row,
            shutdown="no shutdown" if row.enabled else "shutdown",
            speed=speed * PER_GBPS if row.profile.parts == 1 else 0,
            fec="" if row.profile.fec == "rs-fec" and speed >= OWN_FEC_GBPS else FEC.get(row.profile.fec, ""),
            trunk=",".join(map(str, switching.trunk_vlans)) if switching else "",
            storms=tuple(_storms(switching)) if switching else (),
            policy=policy_name(row.profile.qos),
            watchdog=watchdog if row.profile.qos in lossless else "",
        )


def _rows(device: Device) -> list[Ethernet]:
    return sorted([*device.interfaces.ethernet, *device.interfaces.idle], key=_place)


def _place(row: Ethernet) -> tuple[int, ...]:
    return tuple(int(digits) for digits in re.findall(r"\d+", row.name))


def _storms(switching: Switching) -> Iterator[Storm]:
    for kind, percent in (("broadcast", switching.broadcast_percent), ("multicast", switching.multicast_percent)):
        if percent:
            yield Storm(kind, percent)


def breakouts(device: Device) -> Iterator[str]:
    """Yield divided cages, without duplicates: `module 1 port 3 map 100g-4x`."""
    maps: dict[str, None] = {}
    for row in _rows(device):
        if row.profile.parts > 1:
            module, cage = _place(row)[:2]
            maps.setdefault(f"module {module} port {cage} map {row.profile.speed_gbps}g-{row.profile.parts}x")
    yield from maps


def balanced(device: Device) -> str:
    """Return the fabric ports that balance flowlets or packets by load, as one list; "" with hashing."""
    if device.load_balancing.mode not in MODES:
        return ""
    rows = [row for row in _rows(device) if row.profile.role in ("uplink", "downlink") and row.enabled]
    return ",".join(f"Eth{row.name.removeprefix('Ethernet')}" for row in rows)


MODES = {"dlb-flowlet": "flowlet", "dlb-per-packet": "per-packet"}
"""Load-balancing mode → NX-OS's name of it."""
