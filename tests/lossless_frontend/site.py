"""A lossless frontend of each system that has one: the plan and the switches, and what refuses the others."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import Catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.resolve.device import devices
from tests.pairs import sites, towers

INTENT = Path(__file__).parent / "intent.yaml"
SWITCHES: Mapping[str, tuple[str, str]] = {
    "cumulus": ("nvidia-sn4700", "cumulus-5.11"),
    "nxos": ("cisco-n9332d-gx2b", "nxos-10.5"),
    "eos": ("arista-7060dx5-32", "eos-4.34"),
    "sonic": ("nvidia-sn4700", "sonic-202511"),
    "junos": ("juniper-qfx5130-32cd", "junos-24.4"),
    "srlinux": ("nokia-7220-ixr-d5", "srlinux-25.3"),
    "frr": ("nvidia-sn4700", "frr-8.4"),
}
"""System → model and release of all switches."""
ABLE = ("cumulus", "nxos", "eos")
"""Systems with a lossless frontend; EOS on a chip that a hardware file vouches for."""
BONDS: Mapping[str, Any] = {
    "server_ports": {"multihoming": "evpn-esi", "storm_control": None, "uplink_tracking": False}
}


def intent(system: str, **edits: object) -> Intent:
    """The intent on one system; edits are keys of its frontend."""
    value: dict[str, Any] = yaml.safe_load(INTENT.read_text())
    fabric = value["fabrics"]["frontend"]
    model, release = SWITCHES[system]
    fabric |= {"leaf": {"model": model, "os": release}, "spine": {"model": model, "os": release}, **edits}
    return Intent.model_validate(value)


def planned(system: str, *, vouched: bool = True, **edits: object) -> Plan:
    """The plan on one system, without a lock behind it."""
    catalog: Catalog = towers.vouched() if vouched else sites.catalog()
    found = intent(system, **edits)
    return make_plan(found, catalog, make_shapes(found, catalog), Lock(), Exceptions())


@cache
def switches(system: str) -> Mapping[str, Device]:
    """All switches by name; on EOS with bonds over two leaves."""
    return {device.name: device for device in devices(planned(system, **(BONDS if system == "eos" else {})))}
