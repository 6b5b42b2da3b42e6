"""Small plans for the checks: the demo intent with a few keys edited, and what a plan cannot come to by itself."""

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import replace
from functools import cache
from pathlib import Path

from fabricgen.checks.catalogue import run_checks
from fabricgen.errors import Problem
from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.hardware.model import Asic, NicGroup, ServerModel, SwitchModel
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import AsBuilt, Exceptions, PortKey, SlotKey
from fabricgen.plan.fabric import FabricPlan
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.source.document import read_document
from fabricgen.topologies.shape import Shape

DEMO = Path(__file__).parents[2] / "inventories" / "demo" / "intent.yaml"

Edits = Mapping[str, object]
"""Keys joined by dots, list positions as numbers → value; None removes the key."""

NOTHING: Edits = {}
NONE = Exceptions()


@cache
def _demo() -> dict[str, object]:
    """The demo without its security profile, whose warnings would be in every other case."""
    value = read_document(DEMO).value
    assert isinstance(value, dict)
    return {key: part for key, part in value.items() if key != "security"}


@cache
def catalog() -> Catalog:
    return load_catalog(None)


def edited(edits: Edits) -> Intent:
    value = deepcopy(_demo())
    for path, new in edits.items():
        *ahead, last = path.split(".")
        inside: object = value
        for key in ahead:
            inside = inside[int(key)] if isinstance(inside, list) else inside.setdefault(key, {})  # type: ignore[attr-defined]
        if isinstance(inside, list):
            inside[int(last)] = new
        elif isinstance(inside, dict) and new is None:
            inside.pop(last)
        elif isinstance(inside, dict):
            inside[last] = new
    return Intent.model_validate(value)


def plan(
    edits: Edits = NOTHING,
    *,
    exceptions: Exceptions = NONE,
    recorded: Lock | None = None,
    hardware: Catalog | None = None,
) -> Plan:
    """A plan of the demo with these edits."""
    intent, shelf = edited(edits), hardware or catalog()
    return make_plan(intent, shelf, make_shapes(intent, shelf), recorded or Lock(), exceptions)


def with_switch(**changes: object) -> Catalog:
    """The catalog with another backend switch under the same name."""
    ours = catalog()
    ours.switches["arista-7060x6-64pe"]
    shelf = replace(ours.switches, _read={**ours.switches._read})
    changed: SwitchModel = ours.switches["arista-7060x6-64pe"].model_copy(update=changes)
    shelf._read["arista-7060x6-64pe"] = changed
    return replace(ours, switches=shelf)


def with_asic(**changes: object) -> Catalog:
    """The catalog with another backend chip under the same name."""
    ours = catalog()
    shelf = replace(ours.asics, _read={**ours.asics._read})
    changed: Asic = ours.asics["tomahawk5"].model_copy(update=changes)
    shelf._read["tomahawk5"] = changed
    return replace(ours, asics=shelf)


def with_nics(**changes: object) -> Catalog:
    """The catalog with other backend NICs in the demo's server."""
    ours = catalog()
    server: ServerModel = ours.servers["dgx-h100"]
    nics = {**server.nics, "compute": server.nics["compute"].model_copy(update=changes)}
    shelf = replace(ours.servers, _read={**ours.servers._read})
    shelf._read["dgx-h100"] = server.model_copy(update={"nics": nics})
    return replace(ours, servers=shelf)


def with_nic_groups(**groups: NicGroup) -> Catalog:
    """The catalog with these NIC groups in the demo's server, beside or in place of its own."""
    ours = catalog()
    server: ServerModel = ours.servers["dgx-h100"]
    shelf = replace(ours.servers, _read={**ours.servers._read})
    shelf._read["dgx-h100"] = server.model_copy(update={"nics": {**server.nics, **groups}})
    return replace(ours, servers=shelf)


def with_fabric(made: Plan, name: str = "backend", **changes: object) -> Plan:
    """The plan with fields of one FabricPlan replaced."""
    fabric: FabricPlan = replace(made.fabrics[name], **changes)  # type: ignore[arg-type]
    return made._replace(fabrics={**made.fabrics, name: fabric})


def with_shape(made: Plan, name: str = "backend", **changes: object) -> Plan:
    """The plan with dimensions of one fabric replaced."""
    shape: Shape = made.fabrics[name].shape._replace(**changes)  # type: ignore[arg-type]
    return with_fabric(made, name, shape=shape)


def with_group(made: Plan, name: str = "backend", **changes: object) -> Plan:
    """The plan with dimensions of the first server group of one fabric replaced."""
    first, *others = made.fabrics[name].shape.groups
    return with_shape(made, name, groups=(first._replace(**changes), *others))  # type: ignore[arg-type]


def port_states(states: Mapping[tuple[str, str], str]) -> Exceptions:
    """Exceptions for ports by device and port."""
    return Exceptions(ports={PortKey(*key): state for key, state in states.items()})


def as_built(lengths: Mapping[tuple[str, str], float]) -> Exceptions:
    """A cable file by device and port."""
    return Exceptions(cables={PortKey(*key): AsBuilt(length_m=m, medium="") for key, m in lengths.items()})


def absent_slots(group: str, slots: range) -> Mapping[SlotKey, str]:
    """Slots declared absent."""
    return {SlotKey(group, slot): "absent" for slot in slots}


def codes(found: Plan) -> list[str]:
    """Codes of all problems of a plan, in order."""
    return [problem.code for problem in run_checks(found)]


def only(found: Plan) -> Problem:
    """The one problem of a plan."""
    problems = run_checks(found)
    assert len(problems) == 1, problems
    return problems[0]
