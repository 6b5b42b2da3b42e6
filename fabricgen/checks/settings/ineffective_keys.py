"""Keys of the intent that are written and change nothing, by what else is written and by the systems that run."""

from collections.abc import Iterator
from itertools import chain

from pydantic import BaseModel

from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import Backend, Frontend, is_unnumbered
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS, tells
from fabricgen.resolve.needs import roles

_OF_HOSTS = frozenset({"host_mtu"})
"""Keys of `roce` that hosts go by where nothing is lossless, too."""


def idle_keys(plan: Plan) -> Iterator[Problem]:
    """What is written of a fabric, or of eAPI, is used by something.

    Source: the resolver, which reads some keys only where another one, which the message names, asks it to; and the
    capability tables (eapi, mac-limit, evpn-limit, ecn-counters, resume-offset), which say what no line changes.
    """
    # A site may have switches with eAPI and others: the key is idle where no system has it.
    systems = _systems(*plan.fabrics.values())
    if plan.intent.management.eapi is not None and not any(tells(system, "eapi") for system in systems):
        yield Problem(
            code="idle-key",
            what=f"management.eapi changes nothing in {plan.intent.site}",
            where=("management", "eapi"),
            why=f"{_titles(systems)}: no eAPI on these systems",
            fix="remove eapi:",
        )
    for name, fabric in plan.fabrics.items():
        for keys, why, fix in _of_fabric(fabric):
            yield Problem(
                code="idle-key",
                what=f"{'.'.join(map(str, keys))} changes nothing in {name}",
                where=("fabrics", name, *keys),
                why=why,
                fix=fix,
            )


_Idle = tuple[IntentPath, str, str]
"""Keys below the fabric, why they are idle, and what to do."""


def _written(model: BaseModel) -> list[str]:
    """Keys that the intent says, in the model's order: one that says what is so by itself is no less said."""
    return [key for key in type(model).model_fields if key in model.model_fields_set]


def _of_fabric(fabric: FabricPlan) -> "Iterator[_Idle]":
    # Counters of ECN that no line turns on, and so none off.
    always = [system for system in _systems(fabric) if (row := PLATFORMS[system].can("ecn-counters")) and row.always]
    if fabric.fabric.telemetry.ecn_counters is False and always == _systems(fabric):
        yield ("telemetry", "ecn_counters"), f"{_titles(always)} count marked packets without a line", "remove it"
    if isinstance(fabric.fabric, Backend):
        keys = (_without_overlay(fabric.fabric), _lossy(fabric.fabric), _resumes(fabric, fabric.fabric), _lone(fabric))
        yield from chain(*keys)
    else:
        if "hosts" in _written(fabric.fabric.addressing):
            yield (
                ("addressing", "hosts"),
                "a frontend has no RoCE NICs: tenants' networks say their families",
                "remove it",
            )
        yield from _unlimited(fabric, fabric.fabric)


def _systems(*fabrics: FabricPlan) -> list[str]:
    """Names of the systems of these fabrics."""
    return sorted({role.system.partition("-")[0] for fabric in fabrics for role in roles(fabric)})


def _titles(systems: list[str]) -> str:
    return ", ".join(PLATFORMS[system].title for system in systems)


def _unlimited(plan: FabricPlan, fabric: Frontend) -> Iterator[_Idle]:
    """Guests are counted for limits alone."""
    systems, limits = _systems(plan), ("mac-limit", "mac-limit-bonds", "evpn-limit")
    if "guests_per_server" not in _written(fabric.server_ports):
        return
    if not any(tells(system, limit) for system in systems for limit in limits):
        why = f"{_titles(systems)}: neither MAC addresses of ports nor EVPN routes have a limit there"
        yield ("server_ports", "guests_per_server"), why, "remove it"


def _without_overlay(fabric: Backend) -> Iterator[_Idle]:
    if fabric.tenancy is None and "evpn" in _written(fabric):
        yield ("evpn",), "without tenancy: a backend has no overlay", "remove it, or write tenancy: evpn-type5"
    elif "gateway_mac" in _written(fabric.evpn):
        yield ("evpn", "gateway_mac"), "a backend has no gateways: its tenants have routed ports", "remove it"


def _lossy(fabric: Backend) -> Iterator[_Idle]:
    if fabric.transport != "roce-lossless":
        for key in _written(fabric.roce):
            if key not in _OF_HOSTS:
                why = f"transport: {fabric.transport} has no lossless class"
                yield ("roce", key), why, "remove it, or write transport: roce-lossless"


def _resumes(plan: FabricPlan, fabric: Backend) -> Iterator[_Idle]:
    """Where a paused peer may send again, on systems that go by their own on every box."""
    rows = [PLATFORMS[system].can("resume-offset") for system in _systems(plan)]
    own = [row.instead for row in rows if row and row.refusal and not row.vouched]
    is_lossless = fabric.transport == "roce-lossless"
    if is_lossless and "xon_offset" in _written(fabric.roce) and len(own) == len(rows):
        yield ("roce", "xon_offset"), f"in no file: {'; '.join(dict.fromkeys(own))}", "remove it"


def _lone(plan: FabricPlan) -> Iterator[_Idle]:
    """What is said of links between switches where there are leaves alone."""
    fabric = plan.fabric
    if plan.shape.spines:
        return
    said: tuple[tuple[bool, IntentPath, str], ...] = (
        ("bgp" in _written(fabric), ("bgp",), "remove it"),
        (is_unnumbered(fabric.addressing), ("addressing", "links"), "write links: [ipv4]"),
        (fabric.load_balancing != "ecmp", ("load_balancing",), "remove it"),
    )
    for is_said, keys, fix in said:
        if is_said:
            yield keys, "without spines no two switches are joined", fix
