"""Settings that overrides give to switches: the fabric's own, with the overridden values replaced.

A switch without overrides has the fabric's settings object itself; switches with the same overrides share one object.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeVar

from pydantic import BaseModel

from fabricgen.errors import Problem
from fabricgen.intent.fabric import Frontend, StormControl, has_roce_nics, is_lossless
from fabricgen.intent.model import Intent
from fabricgen.intent.overrides import KeyPath, OverrideValue, leaves, scopes_of
from fabricgen.plan.claims import SelectorClaim
from fabricgen.plan.exceptions import DeviceSettings
from fabricgen.plan.fabric import FabricPlan, chassis_of
from fabricgen.plan.names import NamedSwitch, SiteNames
from fabricgen.plan.overrides import MAX_PROBLEMS
from fabricgen.plan.place import UPPER, Tier

M = TypeVar("M", bound=BaseModel)


class Given(NamedTuple):
    """One value, and the selector that sets it."""

    rank: int
    selector: str
    value: object


Values = dict[KeyPath, Given]
"""Overrides of one thing."""


class Meaning(NamedTuple):
    """Where a setting applies, and why it does not apply elsewhere.

    whole  set on switches of which one can have it, it is set on all: checks treat them as one fabric
    """

    holds: Callable[[Intent, NamedSwitch], bool]
    why: str
    whole: bool = False


def _is_lossless(_: Intent, switch: NamedSwitch) -> bool:
    return is_lossless(switch.fabric.fabric)


def _has_nics(_: Intent, switch: NamedSwitch) -> bool:
    return has_roce_nics(switch.fabric.fabric) and switch.place.tier is Tier.LEAF


def _has_servers(_: Intent, switch: NamedSwitch) -> bool:
    return isinstance(switch.fabric.fabric, Frontend) and switch.place.tier is Tier.LEAF


def _has_snmp(intent: Intent, _: NamedSwitch) -> bool:
    return intent.management.snmp is not None


def _samples(intent: Intent, switch: NamedSwitch) -> bool:
    return intent.management.sflow is not None and switch.place.tier not in UPPER


MEANINGS: dict[KeyPath, Meaning] = {
    ("roce", "host_mtu"): Meaning(
        _has_nics, "only leaves of a backend, or of a lossless frontend, have NIC ports", whole=True
    ),
    ("roce",): Meaning(_is_lossless, "only a lossless fabric has a lossless class"),
    ("server_ports",): Meaning(_has_servers, "only leaves of a frontend have bridged server ports"),
    ("telemetry", "ecn_counters"): Meaning(_is_lossless, "only a lossless fabric marks packets"),
    ("management", "snmp"): Meaning(_has_snmp, "the site has no management.snmp"),
    ("management", "sflow"): Meaning(_samples, "flows are sampled on leaves only, if management.sflow is set"),
}
"""Settings that only some switches have; all others apply to every switch."""


def device_settings(
    intent: Intent, names: SiteNames, claims: Iterable[SelectorClaim]
) -> tuple[dict[str, DeviceSettings], list[Problem]]:
    """Settings of each switch that has its own; and the problems."""
    table: dict[str, Values] = {}
    problems: list[Problem] = []
    for claim in sorted(claims, key=lambda claim: (claim.rank, claim.selector)):
        for leaf in leaves(claim.override):
            if claim.scope in scopes_of(leaf.path):
                problems += _take(intent, names, table, claim, leaf)
    settings_by_key: dict[tuple[str, tuple[tuple[KeyPath, str], ...]], DeviceSettings] = {}
    settings_by_device = {}
    for device, values in table.items():
        fabric = names.devices[device].fabric.name
        key = fabric, tuple(sorted((path, given.selector) for path, given in values.items()))
        if key not in settings_by_key:
            settings_by_key[key] = _settings(intent, fabric, values)
        settings_by_device[device] = settings_by_key[key]
    return settings_by_device, problems[:MAX_PROBLEMS]


def _take(
    intent: Intent, names: SiteNames, table: dict[str, Values], claim: SelectorClaim, leaf: OverrideValue
) -> Iterator[Problem]:
    """Apply one value to all switches of a claim that can have it. Claims come by rank, ascending."""
    meaning = MEANINGS.get(leaf.path[:2]) or MEANINGS.get(leaf.path[:1])
    devices = [key for key in claim.keys if isinstance(key, str)]
    applicable = [name for name in devices if meaning is None or meaning.holds(intent, names.devices[name])]
    if applicable and meaning is not None and meaning.whole:
        fabrics = {names.devices[name].fabric.name for name in applicable}
        applicable = [name for name in devices if names.devices[name].fabric.name in fabrics]
    if not applicable and meaning is not None:
        yield meaningless(claim, leaf, meaning.why, "switches that have it")
    clashes = [clash for name in applicable for clash in give(table.setdefault(name, {}), name, leaf, claim)]
    yield from clashes[:1]


def meaningless(claim: SelectorClaim, leaf: OverrideValue, why: str, where_it_applies: str) -> Problem:
    """Problem of a setting that nothing of a selector can have."""
    return Problem(
        code="override-meaningless",
        what=f"{'.'.join(leaf.path)} does not apply to {claim.selector}",
        where=("overrides", claim.selector, *leaf.path),
        why=why,
        fix=f"remove it, or name {where_it_applies}",
    )


def give(values: Values, name: str, leaf: OverrideValue, claim: SelectorClaim) -> Iterator[Problem]:
    """Set a value of one thing, or yield the problem of two selectors of one rank that set different values."""
    key, first = ".".join(leaf.path), values.get(leaf.path)
    if first is None or first.rank != claim.rank or first.value == leaf.value:
        values[leaf.path] = Given(claim.rank, claim.selector, leaf.value)
        return
    yield Problem(
        code="override-clash",
        what=f"{key} of {name} is {first.value} by {first.selector} and {leaf.value} by {claim.selector}",
        where=("overrides", claim.selector, *leaf.path),
        why="neither selector is more specific than the other",
        fix=f"write it under {name}, which wins, or narrow one of the two",
    )


def _settings(intent: Intent, name: str, values: Values) -> DeviceSettings:
    fabric, management, system = intent.fabrics[name], intent.management, ""
    for path, given in sorted(values.items(), key=lambda item: (item[1].rank, item[0])):
        if path == ("os",):
            system = str(given.value)
        elif path[0] == "management":
            management = with_value(management, path[1:], given.value)
        else:
            fabric = with_value(fabric, path, given.value)
    sources = {".".join(path): given.selector for path, given in sorted(values.items())}
    return DeviceSettings(fabric=fabric, management=management, system=system, sources=sources)


OFF: Mapping[str, Callable[[], BaseModel]] = {"storm_control": StormControl}
"""Blocks that may be turned off: the default for a block of which a key is overridden then."""


def with_value(model: M, path: KeyPath, value: object) -> M:
    """The model with one value of it, or of a model in it, replaced. The value already has the right type."""
    name, inner_path = path[0], path[1:]
    if inner_path:
        inner_model = getattr(model, name)
        value = with_value(inner_model if inner_model is not None else OFF[name](), inner_path, value)
    return model.model_copy(update={name: value})


def with_systems(fabrics: Mapping[str, FabricPlan], systems: Mapping[str, str]) -> dict[str, FabricPlan]:
    """Fabrics whose switches run these operating systems: their ports have the names of those systems."""
    return {name: replace(plan, exceptions=plan.exceptions._replace(systems=systems)) for name, plan in fabrics.items()}


def unnamed_ports(names: SiteNames, settings: Mapping[str, DeviceSettings]) -> Iterator[Problem]:
    """Yield a problem for an operating system for which the port names of a model are unknown; one per override."""
    reported: set[str] = set()
    for device, device_own in settings.items():
        selector = device_own.sources.get("os", "")
        if not device_own.system or selector in reported:
            continue
        switch = chassis_of(*names.devices[device]).switch
        system = device_own.system.partition("-")[0]
        if system not in switch.port_names or system not in switch.management_port:
            reported.add(selector)
            yield Problem(
                code="model-system",
                what=f"{device} is a {switch.model}, whose port names in {system} are unknown",
                where=("overrides", selector, "os"),
                why=f"its hardware file has port names of {', '.join(sorted(switch.port_names))}",
                fix=f"write one of those, or add port_names and management_port of {system} to its hardware file",
            )
