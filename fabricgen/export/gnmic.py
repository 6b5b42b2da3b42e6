"""Switches to a configuration of gnmic: a target each, with the paths of its platform that its role has.

Format: github.com/openconfig/gnmic 59775038 (2026-08-17), docs/user_guide/targets/targets.md, subscriptions.md and
configuration_file.md. A target has what is its own; user, password and authority are said once. gnmic expands `${NAME}`
in the password of a target, also where it is the file's (pkg/config/targets.go, expandTargetEnv), so that no secret is
written. `skip-verify: false` stands although it is the default: certificates are checked. JSON is the
encoding that every gNMI server must know (gNMI specification 2.3.1).
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.export.inventory import PASSWORD
from fabricgen.export.words import commented, yaml_text
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.stream import Stream

FILE = "gnmic.yaml"
VARIABLE = f"${{{PASSWORD}}}"
"""The password's place, which gnmic fills in from its environment."""


class Collector(NamedTuple):
    """What the plan can not know: who logs in, the file of the authority, and seconds between two samples."""

    username: str
    authority: str
    seconds: int


class Left(NamedTuple):
    """Switches of one platform that nothing is asked of, and why."""

    platform: str
    devices: tuple[str, ...]
    why: str


def gnmic_files(site: str, devices: Iterable[Device], collector: Collector) -> tuple[dict[str, str], tuple[Left, ...]]:
    """File name → text, and who is left out. Raises FabricError where no switch is left."""
    found = tuple(devices)
    able = [device for device in found if not _barrier(device)]
    left = tuple(_left(found))
    if not able:
        raise FabricError([_nobody(left)])
    document = {
        "username": collector.username,
        "password": VARIABLE,
        "tls-ca": collector.authority,
        "skip-verify": False,
        "targets": {device.name: _target(device) for device in able},
        "subscriptions": {
            _name(device, stream): _subscription(stream, collector.seconds)
            for device in able
            for stream in streams_of(device)
        },
    }
    head = [
        f"Switches of {site} for gnmic: gnmic --config {FILE} subscribe",
        f"{VARIABLE} is read from the environment of who runs it; tls-ca names the authority of the switches.",
    ]
    return {FILE: commented(head) + yaml_text(document)}, left


def streams_of(device: Device) -> tuple[Stream, ...]:
    """Paths that a switch has: those of a lossless class where it has one."""
    platform = PLATFORMS[device.system]
    return tuple(stream for stream in platform.streams if device.qos is not None or not stream.lossless)


def _barrier(device: Device) -> str:
    """Why nothing can be asked of a switch; empty where it can."""
    if not PLATFORMS[device.system].streams:
        return "no paths of it are known"
    return "" if device.management.gnmi else "it is told no gNMI server: see management.gnmi"


def _left(devices: Iterable[Device]) -> Iterator[Left]:
    found: dict[tuple[str, str], list[str]] = {}
    for device in devices:
        why = _barrier(device)
        if why:
            found.setdefault((device.system, why), []).append(device.name)
    for (system, why), names in found.items():
        yield Left(PLATFORMS[system].title, tuple(names), why)


def _target(device: Device) -> dict[str, object]:
    gnmi = device.management.gnmi
    port = gnmi.port if gnmi else 0
    return {
        "address": f"{device.management.address.partition('/')[0]}:{port}",
        "subscriptions": [_name(device, stream) for stream in streams_of(device)],
        "event-tags": {"site": device.site, "fabric": device.fabric, "role": device.role},
    }


def _name(device: Device, stream: Stream) -> str:
    return f"{device.system}-{stream.name}"


def _subscription(stream: Stream, seconds: int) -> dict[str, object]:
    how: dict[str, object] = {"stream-mode": "on-change"}
    if not stream.on_change:
        how = {"stream-mode": "sample", "sample-interval": f"{seconds}s"}
    return {"paths": [stream.path], "mode": "stream", **how, "encoding": "json"}


def _nobody(left: tuple[Left, ...]) -> Problem:
    return Problem(
        code="no-gnmi",
        what="no switch of the site streams its state by gNMI",
        where=("management",),
        why="; ".join(f"{one.platform}: {one.why}" for one in left),
        fix="write management.gnmi: {certificate: NAME}, on switches whose system has a gNMI server",
    )
