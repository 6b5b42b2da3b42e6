"""Drained, dead or absent switches: enough others are left. Names and dead ports are checked on reading."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.checks.capacity.drains import lone_subnets
from fabricgen.checks.engine.causes import OVERRIDES, port_cause, state_cause
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.waivers import waiver_line
from fabricgen.plan.exceptions import ACTIVE, AWAY, DEAD, DRAINED, PortKey, SlotKey, server_name
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, place_of, state_of
from fabricgen.plan.overrides import MAX_PROBLEMS, thing
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.server_ports import Home, home, is_lost, mates, takes_over
from fabricgen.plan.wiring import HostPort, host_ports


def spines_left(plan: Plan) -> Iterator[Problem]:
    """At least one spine of each plane and pod is active; otherwise leaves reach each other only over drained ones.

    A drained spine still forwards if there is no other path, so a drain of all spines moves no traffic. Drain them one
    after the other.
    """
    for name, fabric in plan.fabrics.items():
        states = fabric.exceptions.devices
        for spines in _inactive_pods(fabric):
            # If all of them are dead or absent, leaves are cut off, which is a problem of its own.
            if any(states[device] == DRAINED for device in spines):
                yield Problem(
                    code="spines-drained",
                    what=f"all {len(spines)} spines of {_part(fabric, spines[0])}{name} are {_states(fabric, spines)}",
                    where=state_cause(plan.intent, spines[0]),
                    why="if all spines are drained, traffic has no other path and stays on them",
                    fix=f"drain at most {len(spines) - 1} at once",
                    about=tuple(spines),
                )


def _inactive_pods(fabric: FabricPlan) -> Iterator[list[str]]:
    """Yield the names of the spines of each pod without an active one, in the order of planes and pods."""
    inactive: dict[Place, int] = {}
    for device, state in fabric.exceptions.devices.items():
        place = place_of(fabric, device)
        if place is not None and place.tier is Tier.SPINE and state != ACTIVE:
            first = place._replace(index=0)
            inactive[first] = inactive.get(first, 0) + 1
    for first, count in sorted(inactive.items()):
        if count == fabric.shape.spines:
            yield [name_of(fabric, first._replace(index=index)) for index in range(count)]


def _part(fabric: FabricPlan, spine: str) -> str:
    """Return the plane and the pod of a spine as text, where the fabric has several."""
    place, shape = place_of(fabric, spine), fabric.shape
    if place is None:
        return ""
    plane = f"plane {place.plane} of " if shape.planes > 1 else ""
    return f"pod {place.pod} of {plane}" if shape.pods > 1 else plane


def _states(fabric: FabricPlan, names: list[str]) -> str:
    return " or ".join(sorted({fabric.exceptions.devices[name] for name in names}, reverse=True))


class _Cut(NamedTuple):
    """A NIC port of a present server without a leaf: its leaf port, and the overrides that cause it."""

    home: Home
    host: HostPort
    causes: tuple[IntentPath, ...]


def rails_left(plan: Plan) -> Iterator[Problem]:
    """Each present server reaches every rail: if its leaf, port or cable is dead or absent, another port takes over.

    A server without a leaf on a rail cannot send the traffic of that rail. On a frontend any other port of the server
    can take over, on a backend only one of the same rail. A drained leaf or port counts as present, because it still
    forwards traffic that has no other path.
    """
    for name, fabric in plan.fabrics.items():
        units = grouped(((cut.home.leaf._replace(index=0), *cut.causes), cut) for cut in _cuts(plan, fabric))
        for number, cuts in enumerate(units.values(), start=1):
            if number > MAX_PROBLEMS:
                return
            more = len(units) - number if number == MAX_PROBLEMS else 0
            yield _rail_lost(name, fabric, cuts, more)


def _rail_lost(name: str, fabric: FabricPlan, cuts: list[_Cut], more: int) -> Problem:
    first = cuts[0]
    leaf = first.home.leaf
    devices = tuple(dict.fromkeys(cut.home.key.device for cut in cuts))
    nic = group_of(fabric, first.host.group).nics.ports[first.host.nic].name
    server = server_name(fabric.exceptions, first.host.group, first.host.slot)
    subject, state = (first.home.key.device, state_of(fabric, leaf))
    if state not in AWAY:
        subject, state = thing(first.home.key), fabric.exceptions.ports.get(first.home.key, DEAD)
    place = devices[0] if len(devices) == 1 and not more else f"fabrics.{name}"
    return Problem(
        code="rail-lost",
        what=f"{len(cuts)} server NIC port{'s have' if len(cuts) > 1 else ' has'} no leaf port any more on "
        f"{' and '.join(devices)} of {name}{f'; {more} more are like this' if more else ''}",
        where=OVERRIDES if more else first.causes[0],
        why=f"{subject} is {state}, and {server}, in service, has no other port for the traffic of its NIC port {nic}",
        fix="set the servers to absent, put the leaf or its port back into service, or write "
        + waiver_line("rail-lost", "who replaces it, and when", place),
        about=() if more else devices,
    )


def _cuts(plan: Plan, fabric: FabricPlan) -> Iterator[_Cut]:
    """Yield NIC ports that are lost together with all that could take over, among those that an exception names."""
    exceptions = fabric.exceptions
    leaves = {device for device, state in exceptions.devices.items() if state in AWAY}
    keys = {key for key, state in exceptions.ports.items() if state in AWAY} | exceptions.broken
    for device in sorted(leaves | {key.device for key in keys}):
        leaf = place_of(fabric, device)
        if leaf is None or leaf.tier is not Tier.LEAF:
            continue
        for host in host_ports(fabric, leaf):
            leaf_home = home(fabric, leaf, host)
            if not host.present or not (device in leaves or leaf_home.key in keys):
                continue
            homes = [leaf_home, *mates(fabric, leaf, host)]
            if all(is_lost(fabric, candidate) for candidate in homes):
                yield _Cut(leaf_home, host, tuple(sorted({_cause(plan, fabric, candidate) for candidate in homes})))


def _cause(plan: Plan, fabric: FabricPlan, leaf_home: Home) -> IntentPath:
    if state_of(fabric, leaf_home.leaf) in AWAY:
        return state_cause(plan.intent, leaf_home.key.device)
    return port_cause(plan.intent, [leaf_home.key])


def drained_ports(plan: Plan) -> Iterator[Problem]:
    """A server port is drained only if another port of the server is in service to take its traffic.

    Preferences steer routes between switches. A server chooses among its own links, so its port is shut instead.
    """
    for name, fabric in plan.fabrics.items():
        keys = {key for key, state in fabric.exceptions.ports.items() if state == DRAINED}
        alone = list(_alone(fabric, keys))
        for port, host in alone[:MAX_PROBLEMS]:
            slot = thing(SlotKey(host.group, host.slot))
            yield Problem(
                code="drain-alone",
                what=f"{thing(port.key)} of {name} cannot be drained",
                where=port_cause(plan.intent, [port.key]),
                why=f"{slot} has no other port {_out_of_service(fabric, port.leaf, host)}",
                fix=f'remove this override and write overrides: {{"{slot}": {{state: drained}}}}',
            )


def _alone(fabric: FabricPlan, keys: set[PortKey]) -> Iterator[tuple[Home, HostPort]]:
    """Yield those of these ports that the renderer leaves up, as no other port of their server is in service."""
    for device in sorted({key.device for key in keys}):
        leaf = place_of(fabric, device)
        if leaf is None or leaf.tier is not Tier.LEAF:
            continue
        for host in host_ports(fabric, leaf):
            leaf_home = home(fabric, leaf, host)
            if host.present and leaf_home.key in keys and not takes_over(fabric, leaf, host):
                yield leaf_home, host


def _out_of_service(fabric: FabricPlan, leaf: Place, host: HostPort) -> str:
    """Return the states of the other ports of a server, none of which is in service, as text."""
    others = [_state_in_words(fabric, mate) for mate in mates(fabric, leaf, host)]
    return f"in service: {', '.join(others)}" if others else "that its traffic could move to"


def _state_in_words(fabric: FabricPlan, leaf_home: Home) -> str:
    state, exceptions = state_of(fabric, leaf_home.leaf), fabric.exceptions
    if state != ACTIVE:
        return f"{leaf_home.key.device} is {state}"
    return f"{thing(leaf_home.key)} is {exceptions.ports.get(leaf_home.key, DEAD)}"


def ports_left_up(plan: Plan) -> Iterator[Problem]:
    """Servers of a drained leaf have another port in service to take over, so that their ports here are shut.

    One problem per drained leaf, with the number of its server ports that stay up. NICs with one port by design do not
    count, and neither does a leaf whose subnets `lone-subnets` reports.
    """
    drained = tuple(_drained_with_ports_up(plan))
    reported = {problem.where[-1] for problem in lone_subnets(plan)} if drained else set()
    for name, device, ports_up in drained:
        if device not in reported:
            yield _left_up(plan, name, device, ports_up)


def _drained_with_ports_up(plan: Plan) -> Iterator[tuple[str, str, list[HostPort]]]:
    """Yield (fabric, leaf, its server ports that stay up) for each drained leaf that has some."""
    for name, fabric in plan.fabrics.items():
        for device, state in sorted(fabric.exceptions.devices.items()):
            leaf = place_of(fabric, device)
            if state != DRAINED or leaf is None or leaf.tier is not Tier.LEAF:
                continue
            ports_up = [host for host in host_ports(fabric, leaf) if host.present and _is_left_up(fabric, leaf, host)]
            if ports_up:
                yield name, device, ports_up


def _is_left_up(fabric: FabricPlan, leaf: Place, host: HostPort) -> bool:
    return any(mates(fabric, leaf, host)) and not takes_over(fabric, leaf, host)


def _left_up(plan: Plan, name: str, device: str, ports_up: list[HostPort]) -> Problem:
    fabric, first, many = plan.fabrics[name], ports_up[0], len(ports_up) > 1
    leaf = place_of(fabric, device)
    server = server_name(fabric.exceptions, first.group, first.slot)
    others = _out_of_service(fabric, leaf, first) if leaf is not None else ""
    return Problem(
        code="ports-left-up",
        what=f"{device} of {name} is drained, and {len(ports_up)} of its server ports {'stay' if many else 'stays'} up",
        where=state_cause(plan.intent, device),
        why=f"{server} has no other port {others}; its traffic stays on {device}, and is lost when {device} goes down",
        fix="return the other ports to service first, or waive ports-left-up and write in its reason until when the "
        "loss is accepted",
        about=(device,),
    )
