"""Switches with NX-OS to judge: one of each fabric and role, of every intent and state that changes what is said."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path

import pytest

from fabricgen.base.addresses import InterfaceAddress, Prefix
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.device.routing import StaticRoute
from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.inputs import resolve_inputs
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.source.document import read_document
from tests.lossless_frontend import site as lossless_frontend
from tests.resolve import tiers

OS = "nxos-10.5"
BIG, SMALL = {"model": "cisco-n9364d-gx2a", "os": OS}, {"model": "cisco-n9332d-gx2b", "os": OS}
INTENTS = {
    "demo": Path(__file__).parents[2] / "inventories" / "demo" / "intent.yaml",
    "wide": Path(__file__).parents[1] / "eos" / "wide.yaml",
}
Edits = Mapping[str, object]
"""Keys joined by dots → value; None removes the key."""
PORTS: Edits = {"multihoming": "active-backup", "lacp_fallback": None, "uplink_tracking": False}
COMMON: Edits = {
    "fabrics.backend.leaf": BIG,
    "fabrics.backend.spine": BIG,
    "fabrics.frontend.leaf": SMALL,
    "fabrics.frontend.spine": BIG,
    "fabrics.backend.telemetry": None,
    "fabrics.frontend.telemetry": None,
    "raw": None,
    "fabrics.backend.roce.ecn": {"minimum_octets": 950_000, "maximum_octets": 3_000_000, "probability_percent": 7},
    **{f"fabrics.frontend.server_ports.{key}": value for key, value in PORTS.items()},
}
SPINES: Edits = {"fabrics.backend.topology.spines": {"now": 4, "planned": 32}}
APART: Edits = {"tenants.research.imports": None, "tenants.serving.imports": None}
"""The demo's tenants without the routes of each other, which NX-OS is refused."""
GUARDED: Edits = {"fabrics.frontend.bgp": {"ttl_security": "check", "password": "${env:BGP_PASSWORD}"}}
DEMO: Edits = {**SPINES, **APART, **GUARDED}
OWN: Mapping[str, Edits] = {
    "demo": DEMO,
    "wide": {
        "management.login": {"banner": "Authorised access only.", "idle_timeout": 10},
        "fabrics.frontend.server_ports.storm_control.unknown_unicast_percent": None,
        "fabrics.frontend.duplicate_mac": {"moves": 4, "window_minutes": 2, "recovery_minutes": None},
        "fabrics.backend.telemetry": {"load_interval": 5},
        "fabrics.backend.load_balancing": "dlb-per-packet",
        "fabrics.backend.roce.alpha": None,
        "fabrics.backend.roce.watchdog": {"action": "notify"},
        "overrides": {
            "be-spine-01": {"mtu": 9100},
            "be-leaf-000/Ethernet1/1": {"description": "one of a kind"},
            "be-leaf-001/Ethernet1/33": {"fec": "fc-fec"},
        },
        "raw": [{"system": "nxos", "fabric": "backend", "role": "spine", "lines": ["ip source-route"]}],
    },
    "drained": {**DEMO, "fabrics.frontend.bgp": {"ttl_security": "send"}},
    "shared": {**DEMO, "fabrics.backend.tenancy": "evpn-type5"},
}
DRAINED = Exceptions(
    devices=dict.fromkeys(("be-spine-00", "be-leaf-000", "fe-border-00"), "drained"),
    ports=dict.fromkeys((PortKey("be-leaf-001", "Ethernet1/33"), PortKey("fe-border-01", "Ethernet1/29")), "drained"),
)


def document(name: str, more: Edits | None = None) -> dict[str, object]:
    """An intent with edits, as a document."""
    value = read_document(INTENTS.get(name, INTENTS["demo"])).value
    assert isinstance(value, dict)
    for path, new in {**COMMON, **OWN[name], **(more or {})}.items():
        *ahead, last = path.split(".")
        inside: dict[str, object] = value
        for key in ahead:
            below = inside.setdefault(key, {})
            assert isinstance(below, dict)
            inside = below
        inside[last] = new
        if new is None:
            del inside[last]
    return value


def planned(name: str, more: Edits | None = None, catalog: Catalog | None = None) -> Plan:
    """The plan of an intent, with no lock behind it."""
    intent = Intent.model_validate(document(name, more))
    catalog = catalog or load_catalog(None)
    shapes = make_shapes(intent, catalog)
    bare = make_plan(intent, catalog, shapes, Lock(), DRAINED if name == "drained" else Exceptions())
    if not intent.overrides:
        return bare
    return make_plan(intent, catalog, shapes, Lock(), resolve_inputs(intent, bare.fabrics))


def _tiers(exceptions: Exceptions) -> tuple[Plan, Plan]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tiers, "MODEL", str(BIG["model"]))
        lossless = tiers.three_tiers(OS, exceptions)
        return lossless, tiers.overlay(OS, exceptions)


@cache
def samples() -> dict[str, Device]:
    """Intent, fabric and role → the first device of it, and the last leaf of each fabric."""
    plans = {name: planned(name) for name in OWN}
    lossless, overlay = _tiers(Exceptions(devices={"be-super-01": "drained"}))
    found: dict[str, Device] = {}
    own = {"tiers": lossless, "pods": overlay, "rdma": lossless_frontend.planned("nxos")}
    for name, plan in {**plans, **own}.items():
        for device in devices(plan):
            found.setdefault(f"{name} {device.fabric} {device.role}", device)
            found[f"{name} {device.fabric} last {device.role}"] = device
    return found


@cache
def text_of(name: str) -> str:
    """The configuration of a sample."""
    return render(samples()[name])


def render(device: Device) -> str:
    """The one file of a switch."""
    (rendered,) = Renderer().render(device)
    return rendered.text


ROLES = ("leaf", "spine", "last leaf")
_NAMES = tuple(
    f"{name} {fabric} {role}"
    for name in OWN
    for fabric in ("backend", "frontend")
    for role in (*ROLES, *(("border-leaf", "last border-leaf") if fabric == "frontend" else ()))
)
NAMES = (
    *_NAMES,
    "tiers backend superspine",
    "tiers backend spine",
    "tiers backend last superspine",
    "pods frontend superspine",
)


def with_vlan_name(length: int) -> Device:
    """A frontend leaf whose first VLAN has a name of that length."""
    device = samples()["demo frontend last leaf"]
    assert device.evpn is not None
    first, *others = device.evpn.vlans
    return device._replace(evpn=device.evpn._replace(vlans=(first._replace(name="v" * length), *others)))


def with_bfd() -> Device:
    """A leaf of a shared backend with BFD on its links and between loopbacks."""
    device = samples()["shared backend leaf"]
    bgp = device.routing.bgp
    groups = tuple(group._replace(bfd=True) for group in bgp.groups)
    return device._replace(routing=device.routing._replace(bgp=bgp._replace(groups=groups)))


def made(kind: str) -> Device:
    """A leaf, as a rule the demo's first backend leaf, with something that no intent here asks."""
    if kind in ("long names", "bfd"):
        return with_bfd() if kind == "bfd" else with_vlan_name(33)
    device = samples()["demo backend leaf"]
    interfaces, routing = device.interfaces, device.routing
    first, second, *others = interfaces.ethernet
    if kind == "fec":
        slow = first.profile._replace(fec="rs-fec", speed_gbps=100, qos="")
        fire = first.profile._replace(fec="fc-fec", speed_gbps=25, qos="")
        rows = (first._replace(profile=slow), second._replace(profile=fire), *others)
        return device._replace(interfaces=interfaces._replace(ethernet=rows))
    if kind == "idle":
        return device._replace(interfaces=interfaces._replace(ethernet=(second, *others), idle=(dark(first),)))
    if kind == "divided":
        parts = first.profile._replace(parts=8, speed_gbps=100, lanes=1, qos="")
        rows = tuple(first._replace(name=f"Ethernet1/1/{part}", profile=parts) for part in (1, 2))
        return device._replace(interfaces=interfaces._replace(ethernet=(*rows, second, *others)))
    if kind == "static":
        route = StaticRoute(device.management.vrf, "ipv6", Prefix("::/0"), "2001:db8::1")
        return device._replace(routing=routing._replace(static_routes=(*routing.static_routes, route)))
    assert device.qos is not None
    (profile,) = device.qos.profiles
    queues = tuple(queue._replace(cap_percent=3 if queue.cap_percent else 0) for queue in profile.queues)
    slow_profile = profile._replace(speed_gbps=25, queues=queues)
    return device._replace(qos=device.qos._replace(profiles=(slow_profile,)))


def dark(row: Ethernet) -> Ethernet:
    """A port without a cable."""
    return row._replace(enabled=False, ipv4=InterfaceAddress(""), ipv6=InterfaceAddress(""))
