"""Overrides of the intent and the two CSV files beside it to `Exceptions`, against the names of the plan."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.intent.fabric import Frontend
from fabricgen.intent.model import Intent
from fabricgen.intent.overrides import DEVICE, FABRIC, LINK, PORT, ROLE, SLOT
from fabricgen.plan.bindings import make_bindings
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


def resolve_overrides(intent: Intent, fabrics: Mapping[str, FabricPlan]) -> Exceptions:
    """What the intent's `overrides` give. Raises FabricError with every selector that is refused.

    fabrics  planned without exceptions: names, ports and numbers do not depend on them
    """
    return resolve_inputs(intent, fabrics, None, None)


def with_inputs(plan: Plan, placement: Table | None, cables: Table | None, floor: Fraction | None) -> Plan:
    """The plan with overrides and CSV files. Raises FabricError with the problems of all.

    floor  what an overlay sets, as in `Exceptions`
    """
    kinds = medium_names(plan.catalog.media) if cables is not None or plan.intent.overrides else ()
    found = resolve_inputs(plan.intent, plan.fabrics, placement, cables, kinds)
    changed = with_exceptions(plan, found._replace(floor=floor))
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
    placement: Table | None,
    cables: Table | None,
    kinds: Collection[str] = (),
) -> Exceptions:
    """All exceptions of a site, without states that are active. Raises FabricError with every problem of all sources.

    fabrics  planned without exceptions; kinds: media that the hardware library knows

    A state, a length or a medium in the intent wins over one in a file: it is what a review of the intent shows.
    """
    if placement is None and cables is None and is_plain(intent):
        return Exceptions()
    names = make_names(intent, fabrics)
    claims, problems = read_claims(intent, names, (FABRIC, ROLE, DEVICE, SLOT))
    settings, faults = device_settings(intent, names, claims)
    problems += [*faults, *unnamed_ports(names, settings), *raw_devices(intent, names)]
    if problems:
        # Ports are called as each switch's operating system calls them: without those there is nothing to look up.
        raise FabricError([*problems, *_of_files(names, Files(placement, cables, kinds), fabrics)])
    return _with_ports(intent, fabrics, _Read(names, claims, settings), Files(placement, cables, kinds))


def _of_files(names: SiteNames, files: Files, fabrics: Mapping[str, FabricPlan]) -> list[Problem]:
    """Problems of the CSV files alone."""
    problems: list[Problem] = []
    found = Exceptions()
    if files.placement is not None:
        placement = read_placement(files.placement, names)
        problems += placement.problems
        found = found._replace(servers=placement.servers)
    if files.cables is not None:
        problems += read_cables(files.cables, names, fabrics, found, files.kinds)[1]
    return problems


class _Read(NamedTuple):
    """What overrides say of fabrics, roles, switches and slots."""

    names: SiteNames
    claims: list[SelectorClaim]
    settings: Mapping[str, DeviceSettings]


def _with_ports(intent: Intent, fabrics: Mapping[str, FabricPlan], read: _Read, files: Files) -> Exceptions:
    systems = {device: own.system for device, own in read.settings.items() if own.system}
    if systems:
        fabrics = with_systems(fabrics, systems)
        read = read._replace(names=make_names(intent, fabrics))
    claims, problems = read_claims(intent, read.names, (PORT, LINK))
    found = Exceptions(settings=read.settings, systems=systems)
    placed: dict[SlotKey, str] = {}
    if files.placement is not None:
        placement = read_placement(files.placement, read.names)
        problems += placement.problems
        found, placed = found._replace(servers=placement.servers), placement.states
    if files.cables is not None:
        built, faults = read_cables(files.cables, read.names, fabrics, found, files.kinds)
        problems += faults
        found = found._replace(cables=built)
    found, faults = _with_overrides(intent, fabrics, (read, claims, found), files.kinds)
    problems += faults
    if problems:
        raise FabricError(problems)
    slots = {key: state for key, state in (placed | dict(found.slots)).items() if state != ACTIVE}
    return found._replace(slots=slots)


def _with_overrides(
    intent: Intent,
    fabrics: Mapping[str, FabricPlan],
    so_far: tuple[_Read, list[SelectorClaim], Exceptions],
    kinds: Collection[str],
) -> tuple[Exceptions, list[Problem]]:
    """States and settings of ports and cables: dead ports first, as they hand their cables on."""
    read, claims, found = so_far
    dead = _ports(states(claim for claim in claims if claim.scope == PORT)[0])
    found = found._replace(ports=dead)
    wires = Wires(read.names, _bound(intent, fabrics, found), found, _outside(intent))
    site = PortSettingsInput(intent, read.names, wires, read.settings, dead, kinds)
    claims, problems = cable_claims(claims, site)
    chosen, clashes = states([*read.claims, *claims])
    ports, faults = port_settings(claims, site)
    return found._replace(
        devices={key: one.state for key, one in chosen.items() if isinstance(key, str) and one.state != ACTIVE},
        ports=_ports(chosen),
        # `active` too: it outdoes the placement file.
        slots={key: one.state for key, one in chosen.items() if isinstance(key, SlotKey)},
        broken=frozenset(key for key, one in chosen.items() if isinstance(key, PortKey) and one.is_broken),
        port_settings=ports.settings,
        cables=with_cables(found.cables, ports.cables, intent),
    ), [*problems, *clashes, *faults]


def _ports(chosen: Mapping[Key, StateChoice]) -> dict[PortKey, str]:
    return {
        key: one.state
        for key, one in chosen.items()
        if isinstance(key, PortKey) and one.state != ACTIVE and not one.is_broken
    }


def _bound(intent: Intent, fabrics: Mapping[str, FabricPlan], found: Exceptions) -> dict[str, FabricPlan]:
    """Fabrics with dead ports replaced by spare ones."""
    outside = _outside(intent)
    bound = {}
    for name, plan in fabrics.items():
        bare = replace(plan, exceptions=found, bindings={})
        bound[name] = replace(bare, bindings=make_bindings(bare, found, outside.get(name, {})))
    return bound


def _outside(intent: Intent) -> dict[str, dict[int, set[int]]]:
    """Frontend → border leaf → numbers of its ports with a cable to the outside."""
    ports: dict[int, set[int]] = {}
    for tenant in intent.tenants.values():
        for external in tenant.external:
            ports.setdefault(external.border, set()).add(external.port)
    return {name: ports for name, fabric in intent.fabrics.items() if isinstance(fabric, Frontend)}
