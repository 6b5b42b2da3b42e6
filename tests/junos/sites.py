"""Switches and their texts: the small intents, three tiers, and what is drained."""

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import pytest

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions, PortKey, PortSettings
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from tests.junos import intents
from tests.resolve import tiers

NONE = Exceptions()
SYSTEM, MODEL = "junos-24.4", "juniper-qfx5240-64od"
DRAINED = Exceptions(devices={"be-spine-00": "drained"}, ports={PortKey("be-leaf-000", "et-0/0/33"): "drained"})
"""A spine, and a link of the leaf to the other one."""
OWN = Exceptions(
    port_settings={
        PortKey("fe-leaf-000", "et-0/0/0"): PortSettings(fec="none"),
        PortKey("fe-leaf-000", "et-0/0/1"): PortSettings(fec="fc-fec", mtu=1500),
        PortKey("fe-leaf-000", "et-0/0/2"): PortSettings(fec="rs-fec"),
    }
)
"""Ports with a forward error correction of their own."""
AWAY = Exceptions(devices={"fe-leaf-000": "drained"})


class Sample(NamedTuple):
    """A switch and its file."""

    device: Device
    text: str


def plan_of(text: str, exceptions: Exceptions = NONE) -> Plan:
    """Plan of an intent with no lock behind it."""
    intent = validate(Intent, load_document(text, "intent.yaml"))
    catalog = load_catalog(None)
    return make_plan(intent, catalog, make_shapes(intent, catalog), Lock(), exceptions)


def three_tiers(exceptions: Exceptions = NONE) -> Plan:
    """A lossless backend of three tiers on QFX5240."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiers, "MODEL", MODEL)
        balancing = "ecmp\n    mtu: 9202"
        return tiers.three_tiers(SYSTEM, exceptions, model=MODEL, transport="roce-lossless", balancing=balancing)


PLANS: dict[str, Callable[[], Plan]] = {
    "lossless": lambda: plan_of(intents.LOSSLESS),
    "global": lambda: plan_of(intents.GLOBAL),
    "unnumbered": lambda: plan_of(intents.UNNUMBERED),
    "shared": lambda: plan_of(intents.SHARED),
    "front": lambda: plan_of(intents.FRONTEND),
    "plain": lambda: plan_of(intents.PLAIN, OWN),
    "tiers": three_tiers,
    "drained": lambda: plan_of(intents.LOSSLESS, DRAINED),
    "away": lambda: plan_of(intents.FRONTEND, AWAY),
}
NAMES = (
    "lossless leaf",
    "lossless spine",
    "global leaf",
    "global spine",
    "unnumbered leaf",
    "unnumbered spine",
    "shared leaf",
    "shared spine",
    "front leaf",
    "front last leaf",
    "front spine",
    "front border-leaf",
    "plain leaf",
    "plain spine",
    "tiers leaf",
    "tiers spine",
    "tiers superspine",
    "drained leaf",
    "drained spine",
    "away leaf",
    "away border-leaf",
)
"""One switch of each role of each plan, and the last leaf where the first has not all of the tenants."""
LOSSLESS = tuple(name for name in NAMES if name.split()[0] in ("lossless", "unnumbered", "shared", "tiers", "drained"))


@cache
def plan(name: str) -> Plan:
    return PLANS[name]()


@cache
def found(name: str) -> dict[str, Device]:
    """Every switch of a plan by name."""
    return {device.name: device for device in devices(plan(name))}


@cache
def sample(name: str) -> Sample:
    """A switch of a plan by its role; `last` for the last of them."""
    plan_name, *words = name.split()
    of_role = [device for device in found(plan_name).values() if device.role == words[-1]]
    device = of_role[-1 if "last" in words else 0]
    return Sample(device, render(device))


RENDERER = Renderer()


def render(device: Device) -> str:
    """The one file of a switch."""
    (rendered,) = RENDERER.render(device)
    return rendered.text
