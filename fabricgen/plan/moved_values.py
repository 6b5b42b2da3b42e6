"""Changes of the numbers and cables that exist in two plans, also if their owners were renamed."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.hardware.ports import PanelPort
from fabricgen.plan.exceptions import server_name
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, own_blocks, place_exists, places
from fabricgen.plan.numbers import (
    HostLink,
    Values,
    cable_numbers,
    host_numbers,
    instances,
    lock_numbers,
    segment_number,
    servers_on,
    switch_numbers,
)
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.renamed import Former
from fabricgen.plan.wires import uplink_ends
from fabricgen.plan.wiring import HostPort, Uplink, groups_on, has_server, leaf_of, uplinks


class Moved(NamedTuple):
    """A number that changed of an object that exists on both sides. `owner`: a switch, a cable, a tenant."""

    owner: str
    what: str
    before: str
    after: str


class Recabled(NamedTuple):
    """A cable with one end on another port: the switch and port that keep it, and the other end as "switch port"."""

    device: str
    port: str
    before: str
    after: str


def moved(before: Plan, after: Plan, former: Former) -> Iterator[Moved]:
    """Every number that changed: switch by switch with its cables and servers, then tenants and networks."""
    for old, new in _fabrics(before, after, former):
        place_before = {place: old_place for old_place, place in _switches(old, new, former)}
        for place in places(new):
            old_place = place_before.get(place)
            if old_place is not None:
                yield from _differing(name_of(new, place), switch_numbers(old, old_place), switch_numbers(new, place))
                yield from _moved_cables(old, new, old_place, place)
            if place.tier is Tier.LEAF:
                yield from _moved_hosts(old, new, old_place, place, former)
        yield from _moved_instances(before, after, new.name, former)


def renumbering(before: FabricPlan, after: FabricPlan) -> Iterator[Moved]:
    """Every number of the lock that differs, for switches whose names exist in both, in the order of the new names.

    By name: after other dimensions the switch at a place is another one, and its name is what an operator knows.
    """
    old_places = {name_of(before, place): place for place in places(before)}
    for place in places(after):
        name = name_of(after, place)
        if name in old_places:
            yield from _differing(name, lock_numbers(before, old_places[name]), lock_numbers(after, place))


def recabled(before: Plan, after: Plan, former: Former) -> Iterator[Recabled]:
    """Every cable between switches with an end on another port now, in the order of the lower switches."""
    for old, new in _fabrics(before, after, former):
        if old.shape == new.shape and old.rows == new.rows and not old.bindings and not new.bindings:
            continue
        for old_place, place in _switches(old, new, former):
            # Uplinks are counted from 0 on both sides; those beyond the smaller number are added or removed.
            for old_uplink, new_uplink in zip(uplinks(old, old_place), uplinks(new, place), strict=False):
                yield from _other_ends(old, new, old_uplink, new_uplink, former)


def _fabrics(before: Plan, after: Plan, former: Former) -> Iterator[tuple[FabricPlan, FabricPlan]]:
    for name, new in after.fabrics.items():
        old = before.fabrics.get(former.fabric(name))
        if old is not None:
            yield old, new


def _switches(old: FabricPlan, new: FabricPlan, former: Former) -> Iterator[tuple[Place, Place]]:
    """Places of the switches that exist on both sides, before and after."""
    groups = {"", *(group.name for group in old.shape.leaf_groups)}
    for place in places(new):
        old_place = former.place(place)
        if old_place.group in groups and place_exists(old, old_place):
            yield old_place, place


def _differing(owner: str, old: Values, new: Values) -> Iterator[Moved]:
    # The IPv4 loopback is the router id too, and stays it in a fabric that loses its IPv4 prefix.
    if "loopback" in old and "router id" in new:
        old = {**old, "router id": old["loopback"]}
    if "router id" in old and "loopback" in new:
        new = {**new, "router id": new["loopback"]}
    for what in dict.fromkeys((*old, *new)):
        if old.get(what, "") != new.get(what, ""):
            yield Moved(owner, what, old.get(what, ""), new.get(what, ""))


def _moved_cables(old: FabricPlan, new: FabricPlan, was: Place, place: Place) -> Iterator[Moved]:
    families = (old.fabric.addressing.links, new.fabric.addressing.links)
    if own_blocks(old, was) == own_blocks(new, place) and families[0] == families[1]:
        return
    for left, right in zip(uplinks(old, was), uplinks(new, place), strict=False):
        owner = f"{name_of(new, place)} uplink {right.number}"
        yield from _differing(owner, cable_numbers(old, was, left.number), cable_numbers(new, place, right.number))


def _moved_hosts(old: FabricPlan, new: FabricPlan, was: Place | None, place: Place, former: Former) -> Iterator[Moved]:
    """Servers' ports on a leaf; if the leaf is new, they were on others before."""
    if was is not None and _host_basis(old, was) == _host_basis(new, place):
        return
    for link, host in servers_on(new, place):
        nic_slice = group_of(new, link.group).slice_of(link.nic, link.plane)
        old_host = _host_before(old, link, nic_slice, former.group(link.group))
        if old_host is not None:
            yield from _differing(_port_name(new, link), host_numbers(old, *old_host), host_numbers(new, place, host))


def _host_basis(plan: FabricPlan, leaf: Place) -> tuple[object, ...]:
    """All that the numbers of a leaf's servers are computed from."""
    numbered = (own_blocks(plan, leaf), segment_number(plan, leaf, 0), plan.fabric.addressing.hosts, plan.fabric.kind)
    groups = groups_on(plan, leaf)
    return (*numbered, *((each.columns, each.slots_a_unit, each.first_port, each.units_a_pod) for each in groups))


def _host_before(old: FabricPlan, link: HostLink, nic_slice: int, group: str) -> tuple[Place, HostPort] | None:
    """Leaf and port of the same slice of the same server's NIC before; None if it did not exist."""
    shape = next((shape for shape in old.shape.groups if shape.name == group), None)
    if (
        shape is None
        or link.nic >= len(shape.columns)
        or nic_slice >= shape.nics.planes
        or not has_server(old, shape, link.slot)
    ):
        return None
    leaf, number = leaf_of(old, shape, link.slot, link.nic, shape.planes_of(link.nic)[nic_slice])
    port = shape.leaf.down[number]
    return (leaf, HostPort(number, port, group, link.slot, link.nic, present=True)) if place_exists(old, leaf) else None


def _port_name(plan: FabricPlan, link: HostLink) -> str:
    nic = group_of(plan, link.group).nics.ports[link.nic].name
    plane = f" plane {link.plane}" if plan.shape.planes > 1 else ""
    return f"{server_name(plan.exceptions, link.group, link.slot)} {nic}{plane}"


def _moved_instances(before: Plan, after: Plan, fabric: str, former: Former) -> Iterator[Moved]:
    old_values = {owner.name: values for owner, values in instances(before, former.fabric(fabric))}
    for owner, values in instances(after, fabric):
        old_name = former.network(owner.name) if "/" in owner.name else former.tenant(owner.name)
        if old_name in old_values:
            yield from _differing(f"{owner.name} of {fabric}", old_values[old_name], values)


def _other_ends(old: FabricPlan, new: FabricPlan, left: Uplink, right: Uplink, former: Former) -> Iterator[Recabled]:
    is_upper_same = former.place(right.upper) == left.upper and _hole(right.upper_port) == _hole(left.upper_port)
    is_lower_same = _hole(right.lower_port) == _hole(left.lower_port)
    if is_upper_same and is_lower_same:
        return
    lower_before, upper_before = uplink_ends(old, left)
    lower, upper = uplink_ends(new, right)
    if not is_upper_same:
        yield Recabled(*lower, " ".join(upper_before), " ".join(upper))
    if not is_lower_same:
        yield Recabled(*upper, " ".join(lower_before), " ".join(lower))


def _hole(port: PanelPort) -> tuple[int, int]:
    """Physical position of a plug: another system may name it differently, and a port may change its speed."""
    return port.cage, port.part
