"""What a topology is asked for, and the faults that every design can find in it."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from fabricgen.errors import FabricError, IntentPath, Problem, did_you_mean
from fabricgen.hardware.catalog import Catalog
from fabricgen.hardware.model import Asic, NicGroup
from fabricgen.hardware.model import Switch as SwitchModel
from fabricgen.hardware.ports import radix
from fabricgen.intent.fabric import Fabric, LeafSpine, Spines, Switch
from fabricgen.intent.scalars import Span, Spans
from fabricgen.intent.site import ServerGroup
from fabricgen.topologies.arithmetic import legal_spines, uplinks_on
from fabricgen.topologies.shape import GroupShape

LEAST_SPINES = 2
"""Spines of a fabric whose intent leaves the count out: one alone would be a single point of failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One fabric of an intent with the hardware its names mean.

    nics  NIC group by server group
    """

    name: str
    fabric: Fabric
    servers: Mapping[str, ServerGroup]
    nics: Mapping[str, NicGroup]
    catalog: Catalog

    @property
    def path(self) -> IntentPath:
        """Where the fabric stands in the intent."""
        return ("fabrics", self.name)

    def switch(self, switch: Switch) -> SwitchModel:
        """The model's hardware."""
        return self.catalog.switches[switch.model]

    def asic(self, switch: Switch) -> Asic:
        """The model's forwarding chip."""
        return self.catalog.asics[self.catalog.switches[switch.model].asic]


def make_request(name: str, fabric: Fabric, servers: Mapping[str, ServerGroup], catalog: Catalog) -> Request:
    """Resolve every name of a fabric. Raises FabricError with all that are unknown."""
    problems: list[Problem] = []
    path: IntentPath = ("fabrics", name)
    nics: dict[str, NicGroup] = {}
    for role in ("leaf", "spine", "border"):
        switch = getattr(fabric, role, None)
        if switch is not None and switch.model not in catalog.switches:
            problems.append(_unknown("switch model", switch.model, (*path, role, "model"), catalog.switches))
    for group, nic_group in fabric.connects.items():
        where = (*path, "connects", group)
        if group not in servers:
            problems.append(_unknown("server group", group, where, servers))
            continue
        model = servers[group].model
        if model not in catalog.servers:
            problems.append(_unknown("server model", model, ("servers", group, "model"), catalog.servers))
            continue
        known = catalog.servers[model].nics
        if nic_group not in known:
            problems.append(_unknown(f"NIC group of {model}", nic_group, where, known))
            continue
        nics[group] = known[nic_group]
    if problems:
        raise FabricError(problems)
    return Request(name=name, fabric=fabric, servers=servers, nics=nics, catalog=catalog)


def _unknown(what: str, name: str, where: IntentPath, known: Mapping[str, object]) -> Problem:
    return Problem(
        code="unknown-name",
        what=f"{name} is no {what}",
        where=where,
        why=f"known: {', '.join(sorted(known))}",
        fix=did_you_mean(name, known),
    )


def units(slots: Spans, slots_a_unit: int) -> Spans:
    """Units that hold at least one of these slots, as spans."""
    spans: list[Span] = []
    for slot in slots:
        first, last = slot.first // slots_a_unit, slot.last // slots_a_unit
        if spans and first <= spans[-1].last + 1:
            spans[-1] = Span(spans[-1].first, max(last, spans[-1].last))
        else:
            spans.append(Span(first, last))
    return tuple(spans)


def planned_slots(group: ServerGroup) -> int:
    """Slots that numbers are reserved for: at least one past the highest that is used."""
    return max(group.planned or 0, group.slots[-1].last + 1)


def count(spans: Spans) -> int:
    """How many numbers the spans hold."""
    return sum(span.size for span in spans)


def larger_switches(request: Request, speed_gbps: int, least: int) -> tuple[str, ...]:
    """Return up to two switch models with at least so many ports of a speed, the smallest first."""
    sizes = ((radix(switch, speed_gbps), name) for name, switch in request.catalog.switches.items())
    return tuple(name for size, name in sorted(sizes) if size >= max(least, 1))[:2]


class Leaves(NamedTuple):
    """Planned leaves of a pod and plane: how many, the uplinks that their ratio asks, and those they have ports for."""

    number: int
    least: int
    most: int


def check_spines(
    request: Request, spines: Spines | None, leaves: Leaves, ports: int, groups: tuple[GroupShape, ...] = ()
) -> tuple[int, int]:
    """Spines that stand and spines that are planned. Raises FabricError with the legal counts.

    ports   of a spine towards leaves
    groups  whose leaves they are, for the remedy
    """
    number, least, most = leaves
    legal = legal_spines(number, least, ports)
    if not legal:
        raise FabricError([_too_many_leaves(request, number, least, ports, groups)])
    if spines is None:
        fewest = next((count for count in legal if count >= LEAST_SPINES), legal[0])
        return fewest, fewest
    legal = legal_spines(number, least, ports, most)
    planned = spines.planned or spines.now
    where = (*request.path, "topology", "spines")
    if planned not in legal:
        key = "planned" if spines.planned else "now"
        raise FabricError([_illegal(planned, legal, (*where, key), leaves, ports)])
    if spines.now > planned:
        raise FabricError([_more_than_planned(spines.now, planned, (*where, "now"))])
    laid = uplinks_on(planned, least)
    if uplinks_on(spines.now, least) > laid:
        standing = tuple(s for s in legal_spines(1, least, ports, laid) if s <= planned)
        raise FabricError([_illegal(spines.now, standing, (*where, "now"), Leaves(1, least, laid), ports)])
    return spines.now, planned


def nearest(count_: int, legal: tuple[int, ...]) -> tuple[int, ...]:
    """Return the two nearest legal counts: one on either side where there is one, else two of one side."""
    below = [s for s in legal if s < count_]
    above = [s for s in legal if s > count_]
    if below and above:
        return (below[-1], above[0])
    return tuple(below[-2:] or above[:2])


def _illegal(count_: int, legal: tuple[int, ...], where: IntentPath, leaves: Leaves, ports: int) -> Problem:
    return Problem(
        code="illegal-spine-count",
        what=f"{count_} spines can not serve {leaves.number} {'leaves' if leaves.number > 1 else 'leaf'} of "
        f"{leaves.least} uplinks each",
        where=where,
        why=f"{_what_binds(count_, leaves, ports)}; legal: {', '.join(map(str, legal))}",
        fix=f"write {' or '.join(map(str, nearest(count_, legal)))}",
    )


def _what_binds(count_: int, leaves: Leaves, ports: int) -> str:
    up = uplinks_on(count_, leaves.least)
    if up <= leaves.most:
        needed = leaves.number * (up // count_)
        return f"{leaves.number} x {up}/{count_} links need {needed} ports of each spine, and it has {ports}"
    even = "every leaf-spine pair needs the same whole number of links"
    if leaves.least == leaves.most:
        return f"{leaves.least} uplinks do not divide by {count_}: {even}"
    return f"{even}: {up} uplinks a leaf, which has room for {leaves.most}"


def _more_than_planned(now: int, planned: int, where: IntentPath) -> Problem:
    return Problem(
        code="illegal-spine-count",
        what=f"{now} spines stand, and numbers are laid out for {planned}",
        where=where,
        why=f"planned: {planned} is what names, addresses and ports are reserved for",
        fix=f"write now: {planned}, or planned: {now}",
    )


def _too_many_leaves(request: Request, leaves: int, up: int, ports: int, groups: tuple[GroupShape, ...]) -> Problem:
    fewer = _fewer_leaves(request, leaves - ports, up, groups)
    spine = request.fabric.spine or request.fabric.leaf
    speed = groups[0].leaf.up[0].speed_gbps if groups else 0
    larger = [name for name in larger_switches(request, speed, leaves) if name != spine.model]
    other = f"spine.model: {' or '.join(larger)}" if larger else f"a spine with at least {leaves} ports of that speed"
    return Problem(
        code="too-many-leaves",
        what=f"{leaves} planned leaves do not fit under one tier of spines",
        where=(*request.path, "topology"),
        why=f"ports of {spine.model} bind: even with {up} spines, one link a pair, {leaves} leaves need {leaves} of "
        f"its {ports} ports",
        fix=f"{fewer or f'plan for at most {ports} leaves'}, or {other}",
    )


def _fewer_leaves(request: Request, surplus: int, up: int, groups: tuple[GroupShape, ...]) -> str:
    """Return what to write to do without so many leaves, with the spine count that then serves them all."""
    topology = request.fabric.topology
    borders = topology.border_leaves if isinstance(topology, LeafSpine) else 0
    fewer = _fewer_servers(surplus, groups)
    if not fewer and borders > surplus:
        fewer = f"write border_leaves: {borders - surplus}"
    spines = topology.spines
    if not fewer or spines is None or (spines.planned or spines.now) == up:
        return fewer
    return f"{fewer} with spines.planned: {up}"


def _fewer_servers(surplus: int, groups: tuple[GroupShape, ...]) -> str:
    """Return what to write to do without so many leaves; empty where no group alone can."""
    for group in sorted(groups, key=lambda g: -g.planned):
        left = group.planned - -(-surplus // (group.rails * group.indexes))
        if left > group.present[-1].last:
            return f"write servers.{group.name}.planned: {left * group.slots_a_unit}"
        if left > 0:
            return f"write servers.{group.name}.slots and planned within {left * group.slots_a_unit}"
    return ""
