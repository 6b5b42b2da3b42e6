"""Switches to judge: of each intent one of each fabric and role, and the drained ones."""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import NamedTuple
from unittest.mock import patch

from fabricgen.device.device import Device, RawLines
from fabricgen.plan.plan import Plan
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from tests.cumulus import intents
from tests.lossless_frontend import site as lossless_frontend
from tests.resolve import tiers

RENDERER = Renderer()


class Sample(NamedTuple):
    """One switch and its file."""

    device: Device
    text: str


def render(device: Device) -> str:
    """startup.yaml of a switch."""
    (rendered,) = RENDERER.render(device)
    return rendered.text


def _site() -> Plan:
    return intents.planned(intents.intent(), intents.DRAINED)


def _unnumbered() -> Plan:
    edits = {**intents.UNNUMBERED, "fabrics__backend__link_loss": "weighted"}
    return intents.planned(intents.intent(**edits), intents.DRAINED)


def _single_homed() -> Plan:
    """Servers that use one port at a time, best effort, nothing of management; queues watched by hand."""
    ports = {**intents.FRONTEND["server_ports"], "multihoming": "active-backup", "lacp_fallback": False}
    edits: dict[str, object] = {
        "fabrics__frontend__server_ports": ports,
        "fabrics__frontend__duplicate_mac": {"moves": 4, "window_minutes": 2, "recovery_minutes": 5},
        "fabrics__frontend__telemetry": {"queue_monitor": {"enabled": True, "high": 90000}},
        "fabrics__backend__transport": "best-effort",
        "fabrics__backend__bgp": {"bfd": False, "keepalive_seconds": 5, "hold_seconds": 15},
        "fabrics__frontend__bgp": {"bfd": False, "keepalive_seconds": 5, "hold_seconds": 15},
        "tenants__research__networks__hosts__dhcp_relay": ["172.17.0.10", "fd5e:8c1f:2a00:2000::10"],
        "tenants__research__relay_sources": ["172.30.0.0/24", "fd5e:8c1f:2a00:2fff::/64"],
    }
    for key in ("users", "aaa", "sflow", "syslog", "access"):
        edits[f"management__{key}"] = None
    return intents.planned(intents.intent(**edits))


def _shared() -> Plan:
    """A backend that tenants share, with lossless tunnels, and packets that go their own ways."""
    edits = {"fabrics__backend__tenancy": "evpn-type5", "fabrics__backend__load_balancing": "dlb-per-packet"}
    return intents.planned(intents.intent(**edits))


def _halves() -> Plan:
    """Cages of 800G in halves on the backend, 800G between leaf and spine."""
    model = {"model": "nvidia-sn5600", "os": intents.SYSTEM}
    return intents.planned(intents.intent(fabrics__backend__leaf=model, fabrics__backend__spine=model))


@cache
def tower() -> Plan:
    """A backend of three tiers."""
    with patch.object(tiers, "MODEL", "nvidia-sn5600"):
        return tiers.three_tiers(intents.SYSTEM, transport="roce-lossless")


def _lossless() -> Plan:
    """A frontend with a lossless class, and bonds over two leaves."""
    return lossless_frontend.planned("cumulus", **lossless_frontend.BONDS)


PLANS: Mapping[str, Callable[[], Plan]] = {
    "site": _site,
    "unnumbered": _unnumbered,
    "single": _single_homed,
    "shared": _shared,
    "halves": _halves,
    "lossless": _lossless,
    "tower": tower,
}
WANTED: Mapping[str, tuple[str, ...]] = {
    "site": ("be-leaf-000", "fe-leaf-000", "fe-leaf-002", "fe-border-00", "fe-border-01", "fe-spine-00"),
    "unnumbered": ("be-leaf-000", "be-spine-00", "fe-leaf-002", "fe-spine-00"),
    "single": ("be-leaf-000", "fe-leaf-002", "fe-border-00"),
    "shared": ("be-leaf-000", "be-spine-00"),
    "halves": ("be-leaf-000",),
    "lossless": ("fe-leaf-000", "fe-border-00"),
    "tower": ("be-leaf-000", "be-spine-00", "be-super-00"),
}
NAMES = tuple(f"{plan} {name}" for plan, names in WANTED.items() for name in names)


@cache
def _devices(plan: str) -> Mapping[str, Device]:
    return {device.name: device for device in devices(PLANS[plan]()) if device.name in WANTED[plan]}


@cache
def sample(name: str) -> Sample:
    """A switch of one of the intents, as `site be-leaf-000`."""
    plan, _, switch = name.partition(" ")
    device = _devices(plan)[switch]
    return Sample(device, render(device))


def samples() -> Iterator[Sample]:
    """All of them."""
    return (sample(name) for name in NAMES)


def with_raw(*lines: str) -> Device:
    """A superspine with lines of the user's own."""
    return sample("tower be-super-00").device._replace(raw=(RawLines("", lines, "raw[0]"),))
