"""Switches that are drained, dead or absent: enough are left. Names and dead ports are told as overrides are read."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.checks.capacity.drains import lone_subnets
from fabricgen.checks.engine.causes import OVERRIDES, port_cause, state_cause
from fabricgen.errors import IntentPath, Problem
from fabricgen.plan.exceptions import ACTIVE, AWAY, DEAD, DRAINED, PortKey, SlotKey, server_name
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, place_of, state_of
from fabricgen.plan.overrides import MAX_PROBLEMS, thing
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.server_ports import Home, home, is_lost, mates, takes_over
from fabricgen.plan.wiring import HostPort, host_ports


def spines_left(plan: Plan) -> Iterator[Problem]:
    """At least one spine of each plane and pod is active: else no leaf reaches another but over drained ones.

    Spines are active unless the intent says otherwise, so pods that it names no spine of have one.
    """
    for name, fabric in plan.fabrics.items():
        states = fabric.exceptions.devices
        for found in _inactive_pods(fabric):
            # With none left at all leaves are cut off: a problem of its own.
            if any(states[device] == DRAINED for device in found):
                yield Problem(
                    code="spines-drained",
                    what=f"all {len(found)} spines of {_part(fabric, found[0])}{name} are {_states(fabric, found)}",
                    where=state_cause(plan.intent, found[0]),
                    why="a drained switch still forwards where no other path is left, so draining all of them "
                    "empties none",
                    fix=f"drain at most {len(found) - 1} at once",
                    about=tuple(found),
                )


def _inactive_pods(fabric: FabricPlan) -> Iterator[list[str]]:
    """Names of the spines of each pod that has none active, in the order of planes and pods."""
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
    """The plane and the pod of a spine, where the fabric has several."""
    place, shape = place_of(fabric, spine), fabric.shape
    if place is None:
        return ""
    plane = f"plane {place.plane} of " if shape.planes > 1 else ""
    return f"pod {place.pod} of {plane}" if shape.pods > 1 else plane


def _states(fabric: FabricPlan, names: list[str]) -> str:
    return " or ".join(sorted({fabric.exceptions.devices[name] for name in names}, reverse=True))


class _Cut(NamedTuple):
    """A NIC port of a server that stands and has no leaf: at which port, and which overrides do it."""

    home: Home
    host: HostPort
    causes: tuple[IntentPath, ...]


def rails_left(plan: Plan) -> Iterator[Problem]:
    """Each server that stands reaches every rail: where its leaf, port or cable is away, another port takes over.

    On a frontend that is any other port of the server, on a backend one of the same rail. A drained leaf or port
    passes: draining is the operator's own word, and it forwards while nothing else can.
    """
    for name, fabric in plan.fabrics.items():
        units: dict[tuple[object, ...], list[_Cut]] = {}
        for cut in _cuts(plan, fabric):
            units.setdefault((cut.home.leaf._replace(index=0), *cut.causes), []).append(cut)
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
    what, state = (first.home.key.device, state_of(fabric, leaf))
    if state not in AWAY:
        what, state = thing(first.home.key), fabric.exceptions.ports.get(first.home.key, DEAD)
    return Problem(
        code="rail-lost",
        what=f"{len(cuts)} NIC port{'s' * (len(cuts) > 1)} behind {' and '.join(devices)} of {name} "
        f"{'have' if len(cuts) > 1 else 'has'} no leaf{f'; {more} more places are alike' if more else ''}",
        where=OVERRIDES if more else first.causes[0],
        why=f"{what} is {state}, and {server} is in service and has no other NIC port for what {nic} carried",
        fix="declare the servers absent, put the leaf or its port back, or waive it with the reason",
        about=() if more else devices,
    )


def _cuts(plan: Plan, fabric: FabricPlan) -> Iterator[_Cut]:
    """NIC ports that are away with all that could take over. Only what an exception names is looked at."""
    found = fabric.exceptions
    leaves = {device for device, state in found.devices.items() if state in AWAY}
    keys = {key for key, state in found.ports.items() if state in AWAY} | found.broken
    for device in sorted(leaves | {key.device for key in keys}):
        leaf = place_of(fabric, device)
        if leaf is None or leaf.tier is not Tier.LEAF:
            continue
        for host in host_ports(fabric, leaf):
            own = home(fabric, leaf, host)
            if not host.present or not (device in leaves or own.key in keys):
                continue
            every = [own, *mates(fabric, leaf, host)]
            if all(is_lost(fabric, one) for one in every):
                yield _Cut(own, host, tuple(sorted({_cause(plan, fabric, one) for one in every})))


def _cause(plan: Plan, fabric: FabricPlan, one: Home) -> IntentPath:
    if state_of(fabric, one.leaf) in AWAY:
        return state_cause(plan.intent, one.key.device)
    return port_cause(plan.intent, [one.key])


def drained_ports(plan: Plan) -> Iterator[Problem]:
    """A server port is drained only where another port of the server is in service: else there is nowhere to drain to.

    Preferences steer routes between switches. A server chooses among its own links, so its port is shut instead.
    """
    for name, fabric in plan.fabrics.items():
        keys = {key for key, state in fabric.exceptions.ports.items() if state == DRAINED}
        alone = list(_alone(fabric, keys))
        for own, host in alone[:MAX_PROBLEMS]:
            slot = thing(SlotKey(host.group, host.slot))
            yield Problem(
                code="drain-alone",
                what=f"{thing(own.key)} of {name} cannot be drained",
                where=port_cause(plan.intent, [own.key]),
                why=f"{slot} has no other port {_out_of_service(fabric, own.leaf, host)}",
                fix=f'remove this override and write overrides: {{"{slot}": {{state: drained}}}}',
            )


def _alone(fabric: FabricPlan, keys: set[PortKey]) -> Iterator[tuple[Home, HostPort]]:
    """Those of these ports that the renderer leaves up, as no other port of their server is in service."""
    for device in sorted({key.device for key in keys}):
        leaf = place_of(fabric, device)
        if leaf is None or leaf.tier is not Tier.LEAF:
            continue
        for host in host_ports(fabric, leaf):
            own = home(fabric, leaf, host)
            if host.present and own.key in keys and not takes_over(fabric, leaf, host):
                yield own, host


def _out_of_service(fabric: FabricPlan, leaf: Place, host: HostPort) -> str:
    """What is the matter with the other ports of a server, none of which is in service."""
    others = [_state_in_words(fabric, one) for one in mates(fabric, leaf, host)]
    return f"in service: {', '.join(others)}" if others else "that its traffic could move to"


def _state_in_words(fabric: FabricPlan, one: Home) -> str:
    own, found = state_of(fabric, one.leaf), fabric.exceptions
    if own != ACTIVE:
        return f"{one.key.device} is {own}"
    return f"{thing(one.key)} is {found.ports.get(one.key, DEAD)}"


def ports_left_up(plan: Plan) -> Iterator[Problem]:
    """Servers of a drained leaf have another port in service, which takes them over: their ports here are shut.

    One problem for each drained leaf, with the number of its server ports that stay up. NICs that have one port by
    design are not counted, and neither is a leaf whose subnets `lone-subnets` names.
    """
    found = tuple(_drained_with_ports_up(plan))
    named = {problem.where[-1] for problem in lone_subnets(plan)} if found else set()
    for name, device, left in found:
        if device not in named:
            yield _left_up(plan, name, device, left)


def _drained_with_ports_up(plan: Plan) -> Iterator[tuple[str, str, list[HostPort]]]:
    """(fabric, leaf, its server ports that stay up) of each drained leaf that has some."""
    for name, fabric in plan.fabrics.items():
        for device, state in sorted(fabric.exceptions.devices.items()):
            leaf = place_of(fabric, device)
            if state != DRAINED or leaf is None or leaf.tier is not Tier.LEAF:
                continue
            left = [host for host in host_ports(fabric, leaf) if host.present and _is_left_up(fabric, leaf, host)]
            if left:
                yield name, device, left


def _is_left_up(fabric: FabricPlan, leaf: Place, host: HostPort) -> bool:
    return any(mates(fabric, leaf, host)) and not takes_over(fabric, leaf, host)


def _left_up(plan: Plan, name: str, device: str, left: list[HostPort]) -> Problem:
    fabric, first, many = plan.fabrics[name], left[0], len(left) > 1
    leaf = place_of(fabric, device)
    server = server_name(fabric.exceptions, first.group, first.slot)
    others = _out_of_service(fabric, leaf, first) if leaf is not None else ""
    return Problem(
        code="ports-left-up",
        what=f"{device} of {name} is drained, and {len(left)} of its server ports {'stay' if many else 'stays'} up",
        where=state_cause(plan.intent, device),
        why=f"{server} has no other port {others}; its traffic stays on {device}, and is lost when {device} goes down",
        fix="bring the other ports back first, or waive ports-left-up with the time in which the loss is accepted",
        about=(device,),
    )
