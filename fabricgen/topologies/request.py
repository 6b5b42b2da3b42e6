"""The input of a topology, and the faults that every design can find in it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.errors import FabricError, IntentPath, Problem, did_you_mean
from fabricgen.hardware.catalog import Catalog
from fabricgen.hardware.model import Asic, NicGroup, SwitchModel
from fabricgen.hardware.ports import PanelPort, radix
from fabricgen.intent.fabric import Fabric, Switch, leaf_of_group
from fabricgen.intent.scalars import Span, Spans
from fabricgen.intent.site import ServerGroup
from fabricgen.topologies.nics import effective_nics, storage_nics
from fabricgen.topologies.shape import Chassis


class Allocated(NamedTuple):
    """What the lock records of a fabric above its leaves; 0 where it records nothing.

    spines      planned spines of a pod; superspines: planned superspines of a core group
    uplink_gbps  speed of a leaf's uplinks; spine_up: ports of a spine towards its core group
    units       units per pod, by server group, where there are several pods
    sharing     groups that share the leaves of another one, in the order of their host ports
    """

    spines: int = 0
    superspines: int = 0
    uplink_gbps: int = 0
    spine_up: int = 0
    units: tuple[tuple[str, int], ...] = ()
    sharing: tuple[str, ...] = ()


NOTHING = Allocated()


class Request(NamedTuple):
    """One fabric of an intent with the hardware that its names refer to.

    nics      NIC group by server group, as the fabric uses it: see `effective_nics`
    recorded  what the lock records of it
    """

    name: str
    fabric: Fabric
    servers: Mapping[str, ServerGroup]
    nics: Mapping[str, NicGroup]
    catalog: Catalog
    recorded: Allocated = NOTHING

    @property
    def path(self) -> IntentPath:
        """Path of the fabric in the intent."""
        return ("fabrics", self.name)

    def switch(self, switch: Switch) -> SwitchModel:
        """Return the hardware of the model."""
        return self.catalog.switches[switch.model]

    def leaf(self, group: str) -> Switch:
        """Return the model and operating system of the leaves of a server group."""
        return leaf_of_group(self.fabric, group)

    def asic(self, switch: Switch) -> Asic:
        """Return the forwarding chip of the model."""
        return self.catalog.asics[self.catalog.switches[switch.model].asic]

    def chassis(
        self,
        switch: Switch,
        *,
        down: tuple[PanelPort, ...],
        up: tuple[PanelPort, ...],
        spare: tuple[PanelPort, ...],
    ) -> Chassis:
        """Return the chassis of a role, with its ports in these uses."""
        return Chassis(self.switch(switch), self.asic(switch), switch.os, down, up, spare)


def make_request(
    name: str, fabric: Fabric, servers: Mapping[str, ServerGroup], catalog: Catalog, recorded: Allocated = NOTHING
) -> Request:
    """Return a request with every name of a fabric resolved. Raises FabricError with all that are unknown."""
    problems: list[Problem] = []
    path: IntentPath = ("fabrics", name)
    nics: dict[str, NicGroup] = {}
    for role in ("leaf", "spine", "superspine", "border"):
        switch = getattr(fabric, role, None)
        if switch is not None and switch.model not in catalog.switches:
            problems.append(_unknown("switch model", switch.model, (*path, role, "model"), catalog.switches))
        elif switch is not None:
            problems.extend(_unnamed(switch, (*path, role), catalog))
    problems.extend(_leaf_models(fabric, path, catalog))
    for group in fabric.connects:
        try:
            nics[group] = _nics(fabric, group, path, servers, catalog)
        except FabricError as error:
            problems.extend(error.problems)
    if problems:
        raise FabricError(problems)
    return Request(name=name, fabric=fabric, servers=servers, nics=nics, catalog=catalog, recorded=recorded)


def _leaf_models(fabric: Fabric, path: IntentPath, catalog: Catalog) -> Iterator[Problem]:
    """Yield what is wrong with the models of the leaves of single server groups."""
    for group, model in sorted(fabric.leaf_models.items()):
        where = (*path, "leaf_models", group)
        if group not in fabric.connects:
            yield Problem(
                code="unknown-name",
                what=f"{group} is not a server group of {path[-1]}",
                where=where,
                why=f"the fabric connects {', '.join(sorted(fabric.connects))}",
                fix=did_you_mean(group, fabric.connects),
            )
        elif model not in catalog.switches:
            yield _unknown("switch model", model, where, catalog.switches)
        elif (system := fabric.leaf.os.partition("-")[0]) not in catalog.switches[model].port_names:
            others = [name for name, other in catalog.switches.items() if system in other.port_names]
            if others:  # else another mistake, which the check of platforms reports
                yield Problem(
                    code="no-port-names",
                    what=f"{model} does not run {system}",
                    where=where,
                    why=f"all leaves run the os of `leaf`, and the hardware library has port names of this model for "
                    f"{' and '.join(sorted(catalog.switches[model].port_names))} only",
                    fix=f"write {' or '.join(sorted(others))}",
                )


def _nics(
    fabric: Fabric, group: str, path: IntentPath, servers: Mapping[str, ServerGroup], catalog: Catalog
) -> NicGroup:
    name, where = fabric.connects[group], (*path, "connects", group)
    model = servers[group].model
    if model not in catalog.servers:
        raise FabricError([_unknown("server model", model, ("servers", group, "model"), catalog.servers)])
    known = catalog.servers[model].nics
    if name not in known:
        raise FabricError([_unknown("NIC group", name, where, known, f" of server model {model}")])
    nics = storage_nics(known[name]) if fabric.kind == "storage" else known[name]
    return effective_nics(nics, fabric.topology, path, group)


def _unnamed(switch: Switch, path: IntentPath, catalog: Catalog) -> Iterator[Problem]:
    """Yield the problem of a model without port names for its operating system.

    A system without port names in the whole library is another mistake, which the check of platforms reports.
    """
    system = switch.os.partition("-")[0]
    named = catalog.switches[switch.model].port_names
    if system in named:
        return  # before the files of all other models are read
    running = {name: model for name, model in catalog.switches.items() if system in model.port_names}
    own = catalog.switches[switch.model]
    speed = max(mode.speed_gbps for run in own.cages for mode in run.modes)
    others = sorted(name for name, model in running.items() if radix(model, speed) >= radix(own, speed))
    # `platforms.releases` replaces the … by releases, which only platforms know.
    systems = f"write {' or '.join(f'os: {name}-…' for name in sorted(named))}"
    models = f" for this model, or model: {' or model: '.join(others)} for {system} (validate "
    models += f"then names each setting that {system} does not support)"
    if running:
        yield Problem(
            code="no-port-names",
            what=f"{switch.model} does not run {system}",
            where=(*path, "os"),
            why=f"the hardware library has port names of this model for {' and '.join(sorted(named))} only",
            fix=systems + models * bool(others),
        )


def _unknown(what: str, name: str, where: IntentPath, known: Mapping[str, object], whose: str = "") -> Problem:
    return Problem(
        code="unknown-name",
        what=f"unknown {what} {name}{whose}",
        where=where,
        why=f"it must be one of {', '.join(sorted(known))}",
        fix=did_you_mean(name, known),
    )


def unknown_groups(request: Request, key: str, names: Iterable[str]) -> list[Problem]:
    """Return a problem for each server group that a key of the topology names and the fabric does not connect."""
    return [
        Problem(
            code="unknown-name",
            what=f"{name} is not a server group of {request.name}",
            where=(*request.path, "topology", key, name),
            why=f"the fabric connects {', '.join(sorted(request.nics))}",
            fix=did_you_mean(name, request.nics),
        )
        for name in names
        if name not in request.nics
    ]


def units(slots: Spans, slots_a_unit: int) -> Spans:
    """Return the units that hold at least one of these slots, as spans."""
    spans: list[Span] = []
    for slot in slots:
        first, last = slot.first // slots_a_unit, slot.last // slots_a_unit
        if spans and first <= spans[-1].last + 1:
            spans[-1] = Span(spans[-1].first, max(last, spans[-1].last))
        else:
            spans.append(Span(first, last))
    return tuple(spans)


def united(every: Iterable[Spans]) -> Spans:
    """Return the units that are in any of these spans, as spans that do not touch."""
    spans: list[Span] = []
    for span in sorted(span for each in every for span in each):
        if spans and span.first <= spans[-1].last + 1:
            spans[-1] = Span(spans[-1].first, max(span.last, spans[-1].last))
        else:
            spans.append(span)
    return tuple(spans)


def larger_switches(request: Request, switch: Switch, speed_gbps: int, least: int) -> tuple[str, ...]:
    """Return up to two models that run the switch's system and have enough ports of a speed, the smallest first."""
    system = switch.os.partition("-")[0]
    known = {name: switch for name, switch in request.catalog.switches.items() if system in switch.port_names}
    sizes = ((radix(switch, speed_gbps), name) for name, switch in known.items())
    return tuple(name for size, name in sorted(sizes) if size >= max(least, 1))[:2]
