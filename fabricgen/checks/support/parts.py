"""Whether every part of a switch's configuration has a row in the capability table of its operating system."""

from collections.abc import Hashable, Iterable, Iterator, Mapping

from fabricgen.checks.engine.waivers import FeatureUse
from fabricgen.checks.support.capabilities import refused
from fabricgen.device.device import Device
from fabricgen.device.needs import needs_of
from fabricgen.errors import IntentPath, Problem
from fabricgen.plan.fabric import FabricPlan, name_of, present_places, state_of
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.context import make_site
from fabricgen.resolve.device import resolve
from fabricgen.resolve.needs import FeatureNeed, Role, roles

CODE = "platform-part"


def device_parts(plan: Plan, kinds: Iterable[FeatureUse] | None = None) -> Iterator[Problem]:
    """Every part of a configuration has a row in its system's table: rendered, refused, or left to the system by name.

    kinds: as returned by `kinds_of`, if known. `device/needs.py` names the feature of each field.

    Source: the capability table of each platform, each row with its own source.
    """
    needs_by_feature: dict[tuple[str, str, str], list[FeatureNeed]] = {}
    where = {name: _roles(fabric) for name, fabric in plan.fabrics.items()}
    for device, needs in kinds_of(plan) if kinds is None else kinds:
        for feature in _unmet(device, needs):
            role = where[device.fabric].get((device.role, device.system))
            place = _PLACES.get(feature) or (role.where if role else ("fabrics", device.fabric))
            need = FeatureNeed(device.fabric, device.role, device.system, device.version, feature, place)
            needs_by_feature.setdefault((device.system, device.version, feature), []).append(need)
    for (system, _, feature), needing in needs_by_feature.items():
        yield refused(plan, PLATFORMS[system], feature, needing)._replace(code=CODE)


def kinds_of(plan: Plan) -> tuple[FeatureUse, ...]:
    """Return the first and the last switch of each kind: tier, server group, state, and set of own settings."""
    return tuple(FeatureUse(device, needs_of(device)) for name in plan.fabrics for device in samples(plan, name))


def samples(plan: Plan, name: str) -> Iterator[Device]:
    """Yield the first and the last switch of each kind of a fabric."""
    site = make_site(plan, name)
    first: dict[Hashable, Place] = {}
    last: dict[Hashable, Place] = {}
    for place in present_places(site.fabric):
        key = _kind(site.fabric, place)
        first.setdefault(key, place)
        last[key] = place
    for place in dict.fromkeys((*first.values(), *last.values())):
        yield resolve(site, place)


def _roles(fabric: FabricPlan) -> Mapping[tuple[str, str], Role]:
    return {(role.name, role.system.partition("-")[0]): role for role in roles(fabric)}


def _kind(fabric: FabricPlan, place: Place) -> Hashable:
    """Return the key of a switch's kind. Without exceptions, as in most fabrics, no name is needed."""
    exceptions = fabric.exceptions
    if not (exceptions.settings or exceptions.systems or exceptions.devices):
        return (place.tier, place.group)
    name = name_of(fabric, place)
    return (
        place.tier,
        place.group,
        state_of(fabric, place),
        id(exceptions.settings.get(name)),
        exceptions.systems.get(name),
    )


def _unmet(device: Device, needs: Iterable[str]) -> Iterator[str]:
    platform = PLATFORMS[device.system]
    for feature in sorted(needs):
        capability = platform.can(feature, device.version)
        if capability is None or (
            capability.refusal and not capability.instead and not capability.is_vouched(device.hardware.spellings)
        ):
            yield feature


_PLACES: Mapping[str, IntentPath] = {
    **{key: ("management", key) for key in ("domain", "dns", "ntp", "syslog", "users", "aaa", "snmp", "gnmi")},
    **{key: ("management", key) for key in ("eapi", "lldp", "sflow")},
    "snmp-traps": ("management", "snmp", "traps"),
    "snmp-sha256": ("management", "snmp", "auth_algorithm"),
    "snmp-aes256": ("management", "snmp", "privacy_algorithm"),
    "raw-lines": ("raw",),
}
"""Feature that one key of the intent asks for → that key; the others depend on the fabric as a whole."""
