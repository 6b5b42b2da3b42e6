"""Keys of the intent that are written and change nothing, by what else is written."""

from collections.abc import Iterator

from pydantic import BaseModel

from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.fabric import Backend, is_unnumbered
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS, tells
from fabricgen.resolve.needs import roles

_OF_HOSTS = frozenset({"host_mtu"})
"""Keys of `roce` that hosts go by where nothing is lossless, too."""


def idle_keys(plan: Plan) -> Iterator[Problem]:
    """What is written of an overlay, of a lossless class, of links above the leaves or of eAPI is used by something.

    Source: the resolver, and row `eapi` of the capability tables; each of these keys is read only where the other one,
    which the message names, asks it to.
    """
    yield from _without_eapi(plan)
    for name, fabric in plan.fabrics.items():
        if isinstance(fabric.fabric, Backend):
            for keys, why, fix in (*_without_overlay(fabric.fabric), *_lossy(fabric.fabric), *_lone(fabric)):
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


def _without_eapi(plan: Plan) -> Iterator[Problem]:
    """A site may have switches with eAPI and others: the key is idle where no system has it."""
    systems = sorted({role.system.partition("-")[0] for fabric in plan.fabrics.values() for role in roles(fabric)})
    if plan.intent.management.eapi is not None and not any(tells(system, "eapi") for system in systems):
        yield Problem(
            code="idle-key",
            what=f"management.eapi changes nothing in {plan.intent.site}",
            where=("management", "eapi"),
            why=f"{', '.join(PLATFORMS[system].title for system in systems)}: no eAPI on these systems",
            fix="remove eapi:",
        )


def _without_overlay(fabric: Backend) -> Iterator[_Idle]:
    if fabric.tenancy is None and "evpn" in _written(fabric):
        yield ("evpn",), "without tenancy: a backend has no overlay", "remove it, or write tenancy: evpn-type5"


def _lossy(fabric: Backend) -> Iterator[_Idle]:
    if fabric.transport != "roce-lossless":
        for key in _written(fabric.roce):
            if key not in _OF_HOSTS:
                why = f"transport: {fabric.transport} has no lossless class"
                yield ("roce", key), why, "remove it, or write transport: roce-lossless"


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
