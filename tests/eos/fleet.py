"""Devices to judge: one of each fabric and role of the demo, and of an intent that says what the demo does not."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.fabric import Fabric
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.source.document import read_document
from fabricgen.source.validate import validate

INTENTS = {
    "demo": Path(__file__).parents[2] / "inventories" / "demo" / "intent.yaml",
    "wide": Path(__file__).parent / "wide.yaml",
    "drained": Path(__file__).parents[2] / "inventories" / "demo" / "intent.yaml",
    "bare": Path(__file__).parents[2] / "inventories" / "demo" / "intent.yaml",
}
LINKS = (PortKey("be-leaf-000", "Ethernet33/1"), PortKey("fe-border-00", "Ethernet29/1"))
"""Drained links: one between a leaf and a spine that are drained, one of a spine that is not."""
DRAINED = Exceptions(
    devices=dict.fromkeys(("be-spine-00", "be-leaf-000", "fe-border-00"), "drained"),
    ports=dict.fromkeys(LINKS, "drained"),
)
EXCEPTIONS = {"demo": Exceptions(), "wide": Exceptions(), "drained": DRAINED, "bare": DRAINED}
UNNUMBERED = ("bare",)
"""Intents whose links are made unnumbered: the demo, once more with switches and links that are drained."""


def planned(name: str) -> Plan:
    """The plan of an intent, with no lock behind it."""
    intent = validate(Intent, read_document(INTENTS[name]))
    if name in UNNUMBERED:
        intent = intent.model_copy(update={"fabrics": {key: _bare(fabric) for key, fabric in intent.fabrics.items()}})
    catalog = load_catalog(None)
    return make_plan(intent, catalog, make_shapes(intent, catalog), Lock(), EXCEPTIONS[name])


def _bare(fabric: Fabric) -> Fabric:
    addressing = fabric.addressing.model_copy(update={"links": ("unnumbered",)})
    return fabric.model_copy(update={"addressing": addressing})


def fleet(name: str) -> Iterator[Device]:
    """Every device of an intent."""
    yield from devices(planned(name))


@cache
def samples() -> dict[str, Device]:
    """Intent, fabric and role → the first device of it, and the last leaf of each frontend."""
    found: dict[str, Device] = {}
    for name in INTENTS:
        for device in fleet(name):
            found.setdefault(f"{name} {device.fabric} {device.role}", device)
            if device.fabric == "frontend" and device.role == "leaf":
                found[f"{name} {device.fabric} last leaf"] = device
    return found


@cache
def text_of(name: str) -> str:
    """The configuration of a sample."""
    return render(samples()[name])


def render(device: Device) -> str:
    """The one file of a switch."""
    (rendered,) = Renderer().render(device)
    return rendered.text


NAMES = tuple(
    f"{intent} {fabric} {role}"
    for intent in INTENTS
    for fabric, role in (
        ("backend", "leaf"),
        ("backend", "spine"),
        ("frontend", "leaf"),
        ("frontend", "last leaf"),
        ("frontend", "spine"),
        ("frontend", "border-leaf"),
    )
)
