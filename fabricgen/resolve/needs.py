"""What each switch of a plan asks of its operating system, and where the intent asks it."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.errors import IntentPath
from fabricgen.intent.fabric import Backend, Fabric, Frontend
from fabricgen.intent.site import Management
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan


class Need(NamedTuple):
    """One feature that all switches of a role need."""

    fabric: str
    role: str
    system: str
    feature: str
    where: IntentPath


class Role(NamedTuple):
    """A role of a fabric, the operating system it runs, and where the intent says so."""

    name: str
    system: str
    where: IntentPath


def roles(plan: FabricPlan) -> tuple[Role, ...]:
    """Roles that a fabric has, each once."""
    fabric = plan.fabric
    path: IntentPath = ("fabrics", plan.name)
    found = [Role("leaf", fabric.leaf.os, (*path, "leaf", "os"))]
    if plan.shape.spine is not None and fabric.spine is not None:
        found.append(Role("spine", fabric.spine.os, (*path, "spine", "os")))
    if plan.shape.border is not None and isinstance(fabric, Frontend):
        border = "border" if fabric.border else "leaf"
        found.append(Role("border-leaf", plan.shape.border.system, (*path, border, "os")))
    return tuple(found)


def needs(plan: Plan) -> Iterator[Need]:
    """Every need of every role, fabric by fabric."""
    for name, fabric_plan in plan.fabrics.items():
        for role in roles(fabric_plan):
            system = role.system.partition("-")[0]
            for feature, where in _features(plan, fabric_plan, role.name):
                yield Need(name, role.name, system, feature, where)


Feature = tuple[str, IntentPath]


def _features(plan: Plan, fabric_plan: FabricPlan, role: str) -> Iterator[Feature]:
    path: IntentPath = ("fabrics", fabric_plan.name)
    fabric = fabric_plan.fabric
    yield from _routing(fabric, path)
    if isinstance(fabric, Backend):
        yield from _lossless(fabric, path)
    elif role != "spine":
        yield from _overlay(plan, fabric, path, role)
    yield from _management(plan.intent.management)


def _routing(fabric: Fabric, path: IntentPath) -> Iterator[Feature]:
    yield "bgp", (*path, "kind")
    yield "graceful-shutdown", (*path, "kind")
    if fabric.bgp.bfd:
        yield "bfd", (*path, "bgp", "bfd")
    if fabric.load_balancing != "ecmp":
        yield fabric.load_balancing, (*path, "load_balancing")


def _lossless(fabric: Backend, path: IntentPath) -> Iterator[Feature]:
    if fabric.transport == "roce-lossless":
        for feature in ("pfc", "ecn", "pfc-watchdog", "headroom"):
            yield feature, (*path, "transport")


def _overlay(plan: Plan, fabric: Frontend, path: IntentPath, role: str) -> Iterator[Feature]:
    yield "evpn", (*path, "kind")
    if role == "border-leaf":
        return
    ports = fabric.server_ports
    where = (*path, "server_ports")
    bonds = ports.multihoming == "evpn-esi"
    wanted = (
        ("esi-multihoming", bonds, "multihoming"),
        ("lacp-fallback", bonds and ports.lacp_fallback, "lacp_fallback"),
        ("storm-control", ports.storm_control is not None, "storm_control"),
        ("bpdu-guard", ports.bpdu_guard, "bpdu_guard"),
        ("uplink-tracking", ports.uplink_tracking, "uplink_tracking"),
    )
    for feature, asked, key in wanted:
        if asked:
            yield feature, (*where, key)
    for name, tenant in plan.intent.tenants.items():
        for network, body in tenant.networks.items():
            if body.dhcp_relay:
                yield "dhcp-relay", ("tenants", name, "networks", network, "dhcp_relay")


def _management(management: Management) -> Iterator[Feature]:
    for feature in ("aaa", "snmp", "gnmi", "eapi", "sflow"):
        if getattr(management, feature) is not None:
            yield feature, ("management", feature)
    if management.lldp:
        yield "lldp", ("management", "lldp")
    if management.users:
        yield "users", ("management", "users")
