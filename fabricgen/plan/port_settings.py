"""Overrides of single ports and cables, except their states: settings, lengths and media."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.errors import IntentPath, Problem, did_you_mean
from fabricgen.intent.fabric import Frontend, ServerPorts, is_lossless
from fabricgen.intent.model import Intent
from fabricgen.intent.overrides import LINK, KeyPath, OverrideValue, leaves, scopes_of
from fabricgen.plan.claims import SelectorClaim
from fabricgen.plan.exceptions import DEAD, AsBuilt, DeviceSettings, PortKey, PortSettings
from fabricgen.plan.names import SiteNames
from fabricgen.plan.overrides import MAX_PROBLEMS, thing
from fabricgen.plan.settings import Values, give, meaningless, with_value
from fabricgen.plan.wires import FABRIC_CABLE, HOST_CABLE, OUTSIDE_CABLE, SERVER_CABLE, Wire, Wires

OF_CABLES = ("length_m", "medium")
"""Keys that belong to a cable and not to its ends."""

_ANY = ("fec", "description", *OF_CABLES)
TAKEN = {
    FABRIC_CABLE: ("mtu", "headroom_octets", *_ANY),
    HOST_CABLE: ("mtu", "headroom_octets", *_ANY),
    SERVER_CABLE: ("server_ports", "headroom_octets", *_ANY),
    OUTSIDE_CABLE: _ANY,
}
"""Keys that a port may have, by the kind of its cable."""

WORDS = {
    FABRIC_CABLE: "a port between switches",
    HOST_CABLE: "a port towards a NIC of the backend",
    SERVER_CABLE: "a bridged server port, whose MTU is its switch's",
    OUTSIDE_CABLE: "an external port, whose MTU is set in external: of the tenant",
}


class SitePortSettings(NamedTuple):
    """Settings of ports, and cables as overridden, by the first of their ends."""

    settings: dict[PortKey, PortSettings]
    cables: dict[Wire, AsBuilt]


class PortSettingsInput(NamedTuple):
    """Inputs for the settings of ports. `states`: of ports; `kinds`: media that the hardware library knows."""

    intent: Intent
    names: SiteNames
    wires: Wires
    devices: Mapping[str, DeviceSettings]
    states: Mapping[PortKey, str]
    kinds: Collection[str]


def cable_claims(claims: Iterable[SelectorClaim], site: PortSettingsInput) -> tuple[list[SelectorClaim], list[Problem]]:
    """Claims with each cable replaced by all of its ends; and problems of those that name a port without a cable."""
    resolved: list[SelectorClaim] = []
    problems: list[Problem] = []
    for claim in claims:
        if claim.scope != LINK:
            resolved.append(claim)
            continue
        wires = [wire for key in claim.keys if isinstance(key, PortKey) and (wire := site.wires.at(key)) is not None]
        if not wires:
            problems.append(_no_cable(claim, claim.keys[0], site))
        ends = dict.fromkeys(end for wire in wires for end in wire.ends)
        resolved.append(claim._replace(keys=tuple(ends)))
    return resolved, problems[:MAX_PROBLEMS]


def _no_cable(claim: SelectorClaim, key: object, site: PortSettingsInput) -> Problem:
    is_dead = isinstance(key, PortKey) and site.states.get(key) == DEAD
    name = thing(key) if isinstance(key, PortKey) else claim.selector
    return Problem(
        code="no-cable",
        what=f"{name} has no cable",
        where=("overrides", claim.selector),
        why="the port is dead, and its cable is on a spare port" if is_dead else "the plan does not use this port",
        fix="name the cable by its far end" if is_dead else "name a port that has a cable; `plan --cables` lists them",
    )


def port_settings(claims: Iterable[SelectorClaim], site: PortSettingsInput) -> tuple[SitePortSettings, list[Problem]]:
    """Settings of each port that has its own. `claims`: as `cable_claims` returns them."""
    table: dict[PortKey, Values] = {}
    cables: dict[Wire, Values] = {}
    problems: list[Problem] = []
    for claim in sorted(claims, key=lambda claim: (claim.rank, claim.selector)):
        for leaf in leaves(claim.override):
            if claim.scope in scopes_of(leaf.path):
                problems += _take(claim, leaf, site, (table, cables))
    problems += _unknown_media(cables, site)
    site_settings = SitePortSettings(
        settings={key: _settings(key, values, site) for key, values in table.items()},
        cables={wire: _built(wire, values) for wire, values in cables.items()},
    )
    return site_settings, problems[:MAX_PROBLEMS]


def _take(
    claim: SelectorClaim,
    leaf: OverrideValue,
    site: PortSettingsInput,
    tables: tuple[dict[PortKey, Values], dict[Wire, Values]],
) -> Iterator[Problem]:
    """Apply one value to all ports, or cables, of a claim that can have it."""
    is_applied, reason = False, ""
    clashes: list[Problem] = []
    for key in claim.keys:
        wire = site.wires.at(key) if isinstance(key, PortKey) else None
        if wire is None or not isinstance(key, PortKey):
            continue
        reason = _meaningless(leaf.path, wire, key, site)
        if reason:
            continue
        is_applied = True
        is_cable = leaf.path[0] in OF_CABLES
        values = tables[1].setdefault(wire, {}) if is_cable else tables[0].setdefault(key, {})
        clashes += give(values, thing(key), leaf, claim)
    yield from clashes[:1]
    if not is_applied and claim.keys:
        problem = meaningless(claim, leaf, reason, "a port that has it")
        yield problem if reason else _no_cable(claim, claim.keys[0], site)


def _meaningless(path: KeyPath, wire: Wire, key: PortKey, site: PortSettingsInput) -> str:
    """Why a port cannot have the setting; empty if it can."""
    if path[0] not in TAKEN[wire.kind]:
        return f"{thing(key)} is {WORDS[wire.kind]}"
    fabric = site.names.devices[key.device].fabric.fabric
    if path[0] == "headroom_octets" and not is_lossless(fabric):
        return "only a lossless fabric has PFC headroom"
    return ""


def _settings(key: PortKey, values: Values, site: PortSettingsInput) -> PortSettings:
    own_values: dict[str, object] = {path[0]: given.value for path, given in values.items() if len(path) == 1}
    ports: ServerPorts | None = None
    for path, given in sorted(values.items(), key=lambda item: (item[1].rank, item[0])):
        if path[0] == "server_ports":
            ports = with_value(ports or _server_ports(key, site), path[1:], given.value)
    sources = tuple((".".join(path), given.selector) for path, given in sorted(values.items()))
    return PortSettings(
        mtu=_number(own_values.get("mtu")),
        fec=str(own_values.get("fec", "")),
        description=str(own_values.get("description", "")),
        headroom_octets=_number(own_values.get("headroom_octets")),
        server_ports=ports,
        sources=sources,
    )


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0


def _server_ports(key: PortKey, site: PortSettingsInput) -> ServerPorts:
    """Settings of server ports of the port's switch."""
    own_settings = site.devices.get(key.device)
    fabric = own_settings.fabric if own_settings is not None else site.names.devices[key.device].fabric.fabric
    if not isinstance(fabric, Frontend):
        raise TypeError(f"{key.device} is on a {fabric.kind}")
    return fabric.server_ports


def _built(wire: Wire, values: Values) -> AsBuilt:
    """Overrides of a cable. A length of 0 and an empty medium are not set."""
    length, medium = values.get(("length_m",)), values.get(("medium",))
    return AsBuilt(
        length_m=float(str(length.value)) if length is not None else 0.0,
        medium=str(medium.value) if medium is not None else "",
    )


def with_cables(
    built: Mapping[PortKey, AsBuilt], overrides: Mapping[Wire, AsBuilt], intent: Intent
) -> dict[PortKey, AsBuilt]:
    """The cable file, with overrides taking precedence, cable by cable."""
    merged = dict(built)
    for wire, own in overrides.items():
        ends = (*wire.ends, *((wire.far,) if wire.far is not None else ()))
        in_file = [merged.pop(end) for end in ends if end in merged]
        before = in_file[0] if in_file else AsBuilt(length_m=_default(wire, intent), medium="")
        merged[wire.ends[0]] = AsBuilt(length_m=own.length_m or before.length_m, medium=own.medium or before.medium)
    return merged


def _default(wire: Wire, intent: Intent) -> float:
    lengths = intent.cables.default
    kinds = {FABRIC_CABLE: lengths.leaf_spine, OUTSIDE_CABLE: lengths.border_external}
    return kinds.get(wire.kind, lengths.server_leaf)


def _unknown_media(cables: Mapping[Wire, Values], site: PortSettingsInput) -> Iterator[Problem]:
    reported: set[str] = set()
    for values in cables.values():
        given = values.get(("medium",))
        if given is None or not site.kinds or given.value in site.kinds or given.selector in reported:
            continue
        reported.add(given.selector)
        where: IntentPath = ("overrides", given.selector, "medium")
        yield Problem(
            code="unknown-name",
            what=f"unknown kind of cable {given.value}",
            where=where,
            why="kinds are the media of the hardware library (`fabricgen list hardware`)",
            fix=did_you_mean(str(given.value), site.kinds),
        )
