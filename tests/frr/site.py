"""The small FRR site as Devices and as files, and any intent like it."""

from collections.abc import Mapping
from functools import cache
from ipaddress import IPv4Network
from pathlib import Path
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.fabric import DuplicateMac, Frontend
from fabricgen.intent.model import Intent
from fabricgen.intent.site import ManagementAccess
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.source.document import read_document
from fabricgen.source.validate import validate
from tests.resolve import tiers

INTENT = Path(__file__).parents[2] / "inventories/frr/intent.yaml"
DRAINED = "fe-leaf-002"
LINK = PortKey("fe-border-00", "swp29")
"""A drained link of a border leaf and of a spine that are not drained."""


class Rendered(NamedTuple):
    """One switch: its Device, and its files by name."""

    device: Device
    files: Mapping[str, str]


def plan_of(intent: Intent) -> Plan:
    """Plan of an intent with an empty lock; a leaf and a link are drained, so that such are there to look at."""
    catalog = load_catalog(None)
    shapes = make_shapes(intent, catalog)
    exceptions = Exceptions(devices={DRAINED: "drained"}, ports={LINK: "drained"})
    return make_plan(intent, catalog, shapes, Lock(), exceptions)


RENDERER = Renderer()


def render(device: Device) -> Rendered:
    """Render one switch."""
    files = {Path(file.path).name: file.text for file in RENDERER.render(device)}
    return Rendered(device, files)


@cache
def intent() -> Intent:
    """The site's intent, its servers bonded over two leaves: refused on this kernel, but its text is judged too.

    And with sources of its managers. The frontend's sessions are guarded: they check the TTL, and have a password.
    """
    found = single_homed()
    frontend = found.fabrics["frontend"]
    assert isinstance(frontend, Frontend)
    ports = frontend.server_ports.model_copy(update={"multihoming": "evpn-esi"})
    duplicates = DuplicateMac(moves=4, window_minutes=2, recovery_minutes=5)
    tenants = {name: tenant.model_copy(update={"guards": ("ra-guard",)}) for name, tenant in found.tenants.items()}
    bgp = frontend.bgp.model_copy(update={"ttl_security": "check", "password": "${env:BGP_PASSWORD}"})
    bonded = frontend.model_copy(update={"server_ports": ports, "duplicate_mac": duplicates, "bgp": bgp})
    access = ManagementAccess(sources=(IPv4Network("10.0.0.0/28"), IPv4Network("192.0.2.16/28")))
    management = found.management.model_copy(update={"access": access})
    fabrics = {**found.fabrics, "frontend": bonded}
    return found.model_copy(update={"fabrics": fabrics, "management": management, "tenants": tenants})


@cache
def single_homed() -> Intent:
    """The site's intent as it stands."""
    return validate(Intent, read_document(INTENT))


@cache
def site() -> Mapping[str, Rendered]:
    """Every switch of the site by name."""
    return {device.name: render(device) for device in devices(plan_of(intent()))}


@cache
def switch(name: str, version: str = "") -> Rendered:
    """One switch of the site or of three tiers; version: a release of FRR, empty for the site's."""
    found = (towers() if name in TOWERS else site())[name]
    return render(found.device._replace(version=version)) if version else found


@cache
def towers() -> Mapping[str, Rendered]:
    """Switches of a frontend and a backend of three tiers, by name; of each a superspine and a spine below it."""
    plans = (tiers.overlay(), tiers.three_tiers(tiers.FRR, Exceptions(devices={"be-super-00": "drained"})))
    wanted = (device for plan in plans for device in devices(plan) if device.name in TOWERS)
    return {device.name: render(device) for device in wanted}


TOWERS = ("fe-spine-02", "fe-super-00", "be-spine-02", "be-super-00")
"""Switches of three tiers that the sites of two do not have; their names are none of ROLES."""
ROLES = ("be-leaf-000", "be-spine-00", "fe-leaf-000", "fe-leaf-002", "fe-border-00", "fe-spine-00")
"""One switch of each role and kind of fabric, and the drained one."""
