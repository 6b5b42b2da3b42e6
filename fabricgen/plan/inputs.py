"""Overrides of the intent and the two CSV files next to it to `Exceptions`, against the names of the plan."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.fabric import Frontend
from fabricgen.intent.model import Intent
from fabricgen.intent.overrides import DEVICE, FABRIC, LINK, PORT, ROLE, SLOT
from fabricgen.plan.bindings import ports_outside, with_bindings
from fabricgen.plan.claims import SelectorClaim, read_claims
from fabricgen.plan.csv_cables import read_cables
from fabricgen.plan.csv_placement import read_placement
from fabricgen.plan.csv_table import Table
from fabricgen.plan.exceptions import ACTIVE, DeviceSettings, Exceptions, PortKey, SlotKey, is_plain
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.medium import medium_names
from fabricgen.plan.names import SiteNames, make_names
from fabricgen.plan.overrides import Key, raw_devices, stuck_ports
from fabricgen.plan.plan import Plan, with_exceptions
from fabricgen.plan.port_settings import PortSettingsInput, cable_claims, port_settings, with_cables
from fabricgen.plan.settings import device_settings, unnamed_ports, with_systems
from fabricgen.plan.states import StateChoice, states
from fabricgen.plan.wires import Wires


def with_inputs(plan: Plan, placement: Table | None, cables: Table | None, floor: Fraction | None) -> Plan:
    """The plan with overrides and CSV files. Raises FabricError with the problems of all.

    floor  set by an overlay, as in `Exceptions`
    """
    kinds = medium_names(plan.catalog.media) if cables is not None or plan.intent.overrides else ()
    exceptions = resolve_inputs(plan.intent, plan.fabrics, placement, cables, kinds)
    changed = with_exceptions(plan, exceptions._replace(floor=floor))
    if any(fabric.bindings for fabric in changed.fabrics.values()):
        problems = tuple(stuck_ports(plan.intent, changed.fabrics, make_names(plan.intent, plan.fabrics)))
        if problems:
            raise FabricError(problems)
    return changed


class Files(NamedTuple):
    """The CSV files, and the media that the hardware library knows."""

    placement: Table | None
    cables: Table | None
    kinds: Collection[str]


def resolve_inputs(
    intent: Intent,
    fabrics: Mapping[str, FabricPlan],
    placement: Table | None = None,
    cables: Table | None = None,
    kinds: Collection[str] = (),
) -> Exceptions:
    """All exceptions of a site, without active states. Raises FabricError with every problem of all sources.

    fabrics  planned without exceptions, on which names, ports and numbers do not depend
    kinds    media that the hardware library knows

    A state, a length or a medium in the intent wins over one in a file: a review of the intent shows it.
    """
    if placement is None and cables is None and is_plain(intent):
        return Exceptions()
    names = make_names(intent, fabrics)
    claims, problems = read_claims(intent, names, (FABRIC, ROLE, DEVICE, SLOT))
    settings, settings_problems = device_settings(intent, names, claims)
    problems += [*settings_problems, *unnamed_ports(names, settings), *raw_devices(intent, names)]
    if problems:
        # Ports have the names of each switch's operating system: while those are unknown no port can be looked up.
        raise FabricError([*problems, *_of_files(names, Files(placement, cables, kinds), fabrics)])
    return _with_ports(intent, fabrics, _Read(names, claims, settings), Files(placement, cables, kinds))


def _of_files(names: SiteNames, files: Files, fabrics: Mapping[str, FabricPlan]) -> list[Problem]:
    """Problems of the CSV files alone."""
    problems: list[Problem] = []
    exceptions = Exceptions()
    if files.placement is not None:
        placement = read_placement(files.placement, names)
        problems += placement.problems
        exceptions = exceptions._replace(servers=placement.servers)
    if files.cables is not None:
        problems += read_cables(files.cables, names, fabrics, exceptions, files.kinds)[1]
    return problems


class _Read(NamedTuple):
    """Overrides of fabrics, roles, switches and slots, as read."""

    names: SiteNames
    claims: list[SelectorClaim]
    settings: Mapping[str, DeviceSettings]


def _with_ports(intent: Intent, fabrics: Mapping[str, FabricPlan], read: _Read, files: Files) -> Exceptions:
    systems = {device: device_own.system for device, device_own in read.settings.items() if device_own.system}
    if systems:
        fabrics = with_systems(fabrics, systems)
        read = read._replace(names=make_names(intent, fabrics))
    claims, problems = read_claims(intent, read.names, (PORT, LINK))
    exceptions = Exceptions(settings=read.settings, systems=systems)
    placed_states: dict[SlotKey, str] = {}
    if files.placement is not None:
        placement = read_placement(files.placement, read.names)
        problems += placement.problems
        exceptions, placed_states = exceptions._replace(servers=placement.servers), placement.states
    if files.cables is not None:
        built, more_problems = read_cables(files.cables, read.names, fabrics, exceptions, files.kinds)
        problems += more_problems
        exceptions = exceptions._replace(cables=built)
    exceptions, more_problems = _with_overrides(intent, fabrics, (read, claims, exceptions), files.kinds)
    problems += more_problems
    if problems:
        raise FabricError(problems)
    slots = {key: state for key, state in (placed_states | dict(exceptions.slots)).items() if state != ACTIVE}
    return exceptions._replace(slots=slots)


def _with_overrides(
    intent: Intent,
    fabrics: Mapping[str, FabricPlan],
    so_far: tuple[_Read, list[SelectorClaim], Exceptions],
    kinds: Collection[str],
) -> tuple[Exceptions, list[Problem]]:
    """States and settings of ports and cables: dead ports first, as their cables move to spare ports."""
    read, claims, exceptions = so_far
    dead_ports = _ports(states(claim for claim in claims if claim.scope == PORT)[0])
    exceptions = exceptions._replace(ports=dead_ports)
    outside = _outside(intent)
    bound = {
        name: with_bindings(replace(plan, exceptions=exceptions), outside.get(name, {}))
        for name, plan in fabrics.items()
    }
    wires = Wires(read.names, bound, exceptions, outside)
    site = PortSettingsInput(intent, read.names, wires, read.settings, dead_ports, kinds)
    claims, problems = cable_claims(claims, site)
    chosen, clashes = states([*read.claims, *claims])
    ports, settings_problems = port_settings(claims, site)
    return exceptions._replace(
        devices={
            key: choice.state for key, choice in chosen.items() if isinstance(key, str) and choice.state != ACTIVE
        },
        ports=_ports(chosen),
        # `active` too: it overrides the placement file.
        slots={key: choice.state for key, choice in chosen.items() if isinstance(key, SlotKey)},
        broken=frozenset(key for key, choice in chosen.items() if isinstance(key, PortKey) and choice.is_broken),
        port_settings=ports.settings,
        cables=with_cables(exceptions.cables, ports.cables, intent),
    ), [*problems, *clashes, *settings_problems]


def _ports(chosen: Mapping[Key, StateChoice]) -> dict[PortKey, str]:
    return {
        key: choice.state
        for key, choice in chosen.items()
        if isinstance(key, PortKey) and choice.state != ACTIVE and not choice.is_broken
    }


def _outside(intent: Intent) -> dict[str, dict[int, set[int]]]:
    """Frontend → border leaf → numbers of its ports with an external cable."""
    ports = ports_outside(intent.tenants.values())
    return {name: ports for name, fabric in intent.fabrics.items() if isinstance(fabric, Frontend)}
