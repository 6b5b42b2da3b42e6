"""The demo (EOS) and the small site (FRR) with unnumbered links, planned on empty locks or on one of their own."""

import copy
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.source.document import read_document
from tests.resolve import tiers

INVENTORIES = Path(__file__).parents[2] / "inventories"
INTENTS = {"eos": INVENTORIES / "demo" / "intent.yaml", "frr": INVENTORIES / "frr" / "intent.yaml"}
LINK = {"eos": PortKey("fe-spine-00", "Ethernet3/1"), "frr": PortKey("fe-spine-00", "swp3")}
"""A link that is drained where `drained` asks for it, of a spine that is drained in no case."""
SPINE = "be-spine-00"


def intent(system: str, links: tuple[str, ...] = ("unnumbered",), **addressing: object) -> Intent:
    """The site of a platform, with these links and keys of `addressing` in both fabrics; a key that is None is out."""
    value: Any = copy.deepcopy(read_document(INTENTS[system]).value)
    for fabric in value["fabrics"].values():
        merged = fabric["addressing"] | {"links": list(links)} | addressing
        fabric["addressing"] = {key: found for key, found in merged.items() if found is not None}
    return Intent.model_validate(value)


def planned(found: Intent, recorded: Lock | None = None, exceptions: Exceptions | None = None) -> Plan:
    catalog = load_catalog(None)
    return make_plan(found, catalog, make_shapes(found, catalog), recorded or Lock(), exceptions or Exceptions())


@cache
def fleet(system: str, links: tuple[str, ...] = ("unnumbered",), drained: bool = False) -> Mapping[str, Device]:
    """Switches by name. `drained`: a spine of the backend, and a link of the frontend."""
    exceptions = Exceptions(devices={SPINE: "drained"}, ports={LINK[system]: "drained"}) if drained else Exceptions()
    return {device.name: device for device in devices(planned(intent(system, links), exceptions=exceptions))}


@cache
def tower() -> Mapping[str, Device]:
    """A backend of three tiers of FRR, its links made unnumbered."""
    made = tiers.three_tiers(tiers.FRR)
    found = made.fabrics["backend"]
    bare = found.fabric.model_copy(
        update={"addressing": found.fabric.addressing.model_copy(update={"links": ("unnumbered",)})}
    )
    plan = made._replace(fabrics={"backend": replace(found, fabric=bare)})
    return {device.name: device for device in devices(plan)}


def conf(device: Device) -> str:
    """The frr.conf of a switch."""
    return next(file.text for file in Renderer().render(device) if Path(file.path).name == "frr.conf")


@cache
def text(system: str, name: str, drained: bool = False) -> str:
    """The main file of a switch."""
    found = fleet(system, drained=drained)[name]
    main = {"eos": "startup-config", "frr": "frr.conf"}[system]
    (wanted,) = (file.text for file in Renderer().render(found) if Path(file.path).name == main)
    return wanted
