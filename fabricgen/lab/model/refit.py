"""The same plan with the lab's operating system: names, numbers and addresses do not depend on it.

Switches whose own routing is FRR's keep their system and its port names: a lab runs their text (routing_text.py).
"""

from collections.abc import Mapping
from typing import TypeVar

from fabricgen.hardware.model import PortNames
from fabricgen.intent.fabric import Fabric, Frontend, Switch
from fabricgen.lab.model.routing_text import RELEASE, is_own
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import FabricPlan, chassis_of, place_of, port_text
from fabricgen.plan.plan import Plan, make_plan, make_shapes, with_exceptions
from fabricgen.platforms.frr.platform import FRR
from fabricgen.topologies.shape import Chassis, Shape

SYSTEM = f"{FRR.name}-{RELEASE}"
PORT_NAMES = PortNames(whole="swp{cage}", part="swp{cage}s{part}")
"""Port names for a model of the user's own without names for this system."""
MANAGEMENT_PORT = "eth0"

T = TypeVar("T")


def refit(plan: Plan) -> Plan:
    """The plan re-made for the lab's operating system, from the numbers of the plan's own lock.

    A server's ports on two leaves are active-backup, as the kernel supports nothing else. Exceptions of ports
    follow the ports' new names.
    """
    fabrics = {name: _refit_fabric(fabric) for name, fabric in plan.intent.fabrics.items()}
    intent = plan.intent.model_copy(update={"fabrics": fabrics})
    shapes = {name: _named(shape) for name, shape in make_shapes(plan.intent, plan.catalog, plan.recorded).items()}
    bare = make_plan(intent, plan.catalog, shapes, plan.lock, Exceptions())
    exceptions = next((fabric.exceptions for fabric in plan.fabrics.values()), Exceptions())
    systems = _own_systems(exceptions.systems, bare)
    named = with_exceptions(bare, Exceptions(systems=systems)) if systems else bare
    return with_exceptions(bare, _translated(exceptions, plan, named))


def _own_systems(systems: Mapping[str, str], bare: Plan) -> dict[str, str]:
    """Switches whose system in the lab differs from the others of their role."""
    fitted = {device: _system(system) for device, system in systems.items()}
    places = ((fabric, device, place_of(fabric, device)) for fabric in bare.fabrics.values() for device in fitted)
    return {
        device: fitted[device]
        for fabric, device, place in places
        if place is not None and chassis_of(fabric, place).system != fitted[device]
    }


def _refit_fabric(fabric: Fabric) -> Fabric:
    changes: dict[str, object] = {"leaf": _switch(fabric.leaf)}
    if fabric.spine is not None:
        changes["spine"] = _switch(fabric.spine)
    if fabric.superspine is not None:
        changes["superspine"] = _switch(fabric.superspine)
    if isinstance(fabric, Frontend):
        if fabric.border is not None:
            changes["border"] = _switch(fabric.border)
        changes["server_ports"] = fabric.server_ports.model_copy(update=PLAIN_PORTS)
    return fabric.model_copy(update=changes)


PLAIN_PORTS = {
    "multihoming": "active-backup",
    "lacp_fallback": False,
    "storm_control": None,
    "bpdu_guard": False,
    "uplink_tracking": False,
}
"""Server ports as the platform's capability table allows them."""


def _switch(switch: Switch) -> Switch:
    return switch.model_copy(update={"os": _system(switch.os)})


def _system(system: str) -> str:
    return system if is_own(system) else SYSTEM


def _named(shape: Shape) -> Shape:
    """The shape with the lab's operating system, or the switches' own, and with port names for it."""
    return shape._replace(
        groups=tuple(group._replace(leaf=_named_chassis(group.leaf)) for group in shape.groups),
        spine=_named_chassis(shape.spine) if shape.spine else None,
        border=_named_chassis(shape.border) if shape.border else None,
        core=_named_chassis(shape.core) if shape.core else None,
    )


def _named_chassis(chassis: Chassis) -> Chassis:
    switch = chassis.switch
    changes = {
        "port_names": {FRR.name: PORT_NAMES, **switch.port_names},
        "management_port": {FRR.name: MANAGEMENT_PORT, **switch.management_port},
    }
    return chassis._replace(switch=switch.model_copy(update=changes), system=_system(chassis.system))


def _translated(exceptions: Exceptions, old: Plan, new: Plan) -> Exceptions:
    """The same exceptions with the new port names and systems; other names remain."""
    systems = next((fabric.exceptions.systems for fabric in new.fabrics.values()), {})
    return exceptions._replace(
        ports=_translated_keys(exceptions.ports, old, new),
        cables=_translated_keys(exceptions.cables, old, new),
        broken=frozenset(_translated_keys(dict.fromkeys(exceptions.broken, True), old, new)),
        port_settings={
            key: settings._replace(server_ports=None)
            for key, settings in _translated_keys(exceptions.port_settings, old, new).items()
        },
        settings={
            device: settings._replace(fabric=_refit_fabric(settings.fabric), system=systems.get(device, ""))
            for device, settings in exceptions.settings.items()
        },
        systems=systems,
    )


def _translated_keys(values: Mapping[PortKey, T], old: Plan, new: Plan) -> dict[PortKey, T]:
    names: dict[str, Mapping[str, str]] = {}
    for key in values:
        if key.device not in names:
            names[key.device] = _new_names(key.device, old, new)
    return {key._replace(port=names[key.device].get(key.port, key.port)): value for key, value in values.items()}


def _new_names(device: str, old: Plan, new: Plan) -> Mapping[str, str]:
    """Old name of each port of a switch → new one; empty for an unknown switch."""
    for name, fabric in old.fabrics.items():
        place = place_of(fabric, device)
        if place is not None:
            chassis = chassis_of(fabric, place)
            ports = (*chassis.down, *chassis.uplinks, *chassis.spare)
            return {port_text(fabric, place, port): port_text(new.fabrics[name], place, port) for port in ports}
    return {}


def platform_of(fabric: FabricPlan, name: str) -> str:
    """Platform of a switch in this plan, including its own override; empty for an unknown switch."""
    place = place_of(fabric, name)
    return chassis_of(fabric, place).system.partition("-")[0] if place is not None else ""
