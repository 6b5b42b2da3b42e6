"""Keys of the intent that change nothing, because of other keys or of the systems in use."""

from collections.abc import Iterator
from itertools import chain

from pydantic import BaseModel

from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import Backend, Fabric, is_lossless, is_unnumbered
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS, supports
from fabricgen.resolve.needs import roles

_OF_HOSTS = frozenset({"host_mtu"})
"""Keys of `roce` that hosts of a backend also use without a lossless class."""


def idle_keys(plan: Plan) -> Iterator[Problem]:
    """Every written key of a fabric, eAPI, and sources of management services have an effect.

    Source: the resolver, which reads some keys only if another one, which the message names, is set; and the capability
    tables (eapi, ecn-counters, resume-offset), which say which keys appear in no file.
    """
    # A site may have some switches without eAPI: the key is only idle if no system has it.
    systems = _systems(*plan.fabrics.values())
    if plan.intent.management.eapi is not None and not any(supports(system, "eapi") for system in systems):
        yield Problem(
            code="idle-key",
            what=f"management.eapi changes nothing in {plan.intent.site}",
            where=("management", "eapi"),
            why=f"{_titles(systems)}: no eAPI on these systems",
            fix="remove `eapi`",
        )
    yield from _unheard(plan, systems)
    for name, fabric in plan.fabrics.items():
        for keys, why, fix in _of_fabric(fabric):
            yield Problem(
                code="idle-key",
                what=f"{'.'.join(map(str, keys))} changes nothing in {name}",
                where=("fabrics", name, *keys),
                why=why,
                fix=fix,
            )


def _unheard(plan: Plan, systems: list[str]) -> Iterator[Problem]:
    """Yield sources of services that no system of the site has, or that the intent does not turn on."""
    access = plan.intent.management.access
    for service in _written(access) if access is not None else ():
        if service != "sources" and not any(supports(system, f"access-{service}") for system in systems):
            yield Problem(
                code="idle-key",
                what=f"management.access.{service} changes nothing in {plan.intent.site}",
                where=("management", "access", service),
                why=f"{_titles(systems)}: no such service on these systems",
                fix=f"remove `{service}`",
            )


_Idle = tuple[IntentPath, str, str]
"""Keys below the fabric, why they have no effect, and the fix."""


def _written(model: BaseModel) -> list[str]:
    """Return the keys that the intent writes, in the model's order, including those with the default value."""
    return [key for key in type(model).model_fields if key in model.model_fields_set]


def _of_fabric(fabric: FabricPlan) -> "Iterator[_Idle]":
    # Systems that always count ECN marks: no line turns the counters off.
    always = [system for system in _systems(fabric) if (row := PLATFORMS[system].can("ecn-counters")) and row.always]
    if fabric.fabric.telemetry.ecn_counters is False and always == _systems(fabric):
        yield ("telemetry", "ecn_counters"), f"{_titles(always)} count marked packets by default", "remove it"
    yield from _lossy(fabric.fabric)
    yield from _resumes(fabric)
    if isinstance(fabric.fabric, Backend):
        yield from chain(_without_overlay(fabric.fabric), _lone(fabric))
    elif "hosts" in _written(fabric.fabric.addressing):
        yield (
            ("addressing", "hosts"),
            "a frontend has no RoCE NICs: address families follow from the tenants' subnets",
            "remove it",
        )


def _systems(*fabrics: FabricPlan) -> list[str]:
    """Return the names of the systems of these fabrics."""
    return sorted({role.system.partition("-")[0] for fabric in fabrics for role in roles(fabric)})


def _titles(systems: list[str]) -> str:
    return ", ".join(PLATFORMS[system].title for system in systems)


def _without_overlay(fabric: Backend) -> Iterator[_Idle]:
    if fabric.tenancy is None and "evpn" in _written(fabric):
        yield ("evpn",), "without tenancy: a backend has no overlay", "remove it, or write tenancy: evpn-type5"
    elif "gateway_mac" in _written(fabric.evpn):
        yield ("evpn", "gateway_mac"), "a backend has no gateways: its tenants have routed ports", "remove it"


def _lossy(fabric: Fabric) -> Iterator[_Idle]:
    if not is_lossless(fabric):
        for key in _written(fabric.roce):
            if key not in _OF_HOSTS or not isinstance(fabric, Backend):
                why = f"transport: {fabric.transport} has no lossless class"
                yield ("roce", key), why, "remove it, or write transport: roce-lossless"


def _resumes(plan: FabricPlan) -> Iterator[_Idle]:
    """Yield `xon_offset` if all systems use an offset of their own on every switch."""
    fabric = plan.fabric
    rows = [PLATFORMS[system].can("resume-offset") for system in _systems(plan)]
    defaults = [row.instead for row in rows if row and row.refusal and not row.vouched]
    if is_lossless(fabric) and "xon_offset" in _written(fabric.roce) and len(defaults) == len(rows):
        yield ("roce", "xon_offset"), f"in no file: {'; '.join(dict.fromkeys(defaults))}", "remove it"


def _lone(plan: FabricPlan) -> Iterator[_Idle]:
    """Yield keys about links between switches in a fabric of leaves only."""
    fabric = plan.fabric
    if plan.shape.spines:
        return
    rows: tuple[tuple[bool, IntentPath, str], ...] = (
        ("bgp" in _written(fabric), ("bgp",), "remove it"),
        (
            is_unnumbered(fabric.addressing),
            ("addressing", "links"),
            f"write links: [{'ipv6' if fabric.addressing.ipv4 is None else 'ipv4'}]",
        ),
        (fabric.load_balancing != "ecmp", ("load_balancing",), "remove it"),
    )
    for is_written, keys, fix in rows:
        if is_written:
            yield keys, "without spines there are no links between switches", fix
