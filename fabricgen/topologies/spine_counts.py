"""Numbers of spines, or of superspines per core group: the legal counts, and the problems of an illegal one."""

from collections import Counter
from typing import NamedTuple

from fabricgen.errors import FabricError, IntentPath, Problem
from fabricgen.intent.fabric import LeafSpine, Spines
from fabricgen.topologies.arithmetic import legal_spines, uplinks_on
from fabricgen.topologies.request import Request, larger_switches
from fabricgen.topologies.shape import GroupShape

LEAST_SPINES = 2
"""Spines of a fabric whose intent leaves the count out: a single one would be a single point of failure."""


class PlannedLeaves(NamedTuple):
    """Planned leaves of a pod and plane: their number, the uplinks that their ratio needs, and the most that fit.

    For the superspines of a core group: its spines, one per pod.
    present  how many of them exist, for the suggested fix
    """

    number: int
    least: int
    most: int
    present: int = 1


def present_leaves(groups: tuple[GroupShape, ...]) -> int:
    """Return the leaves of the fullest pod, counted up to its last unit in use; at least 1."""
    units = (min(group.present[-1].last + 1, group.units_a_pod) * group.leaves_a_unit for group in groups)
    return max(sum(units), 1)


def check_spines(
    request: Request, spines: Spines | None, leaves: PlannedLeaves, ports: int, groups: tuple[GroupShape, ...] = ()
) -> tuple[int, int]:
    """Return the present and planned spines of a pod. Raises FabricError with the legal counts.

    ports   of a spine towards leaves
    groups  server groups of the leaves, for the suggested fix
    """
    number, least, *_ = leaves
    legal = legal_spines(number, least, ports)
    if not legal:
        raise FabricError([_too_many_leaves(request, number, least, ports, groups)])
    if spines is None:
        fewest = next((count for count in legal if count >= LEAST_SPINES), legal[0])
        return _left_out(request, "spines", (request.recorded.spines, fewest), leaves, ports)
    return _checked(request, "spines", spines, leaves, ports)


def check_superspines(request: Request, superspines: Spines | None, pods: PlannedLeaves, ports: int) -> tuple[int, int]:
    """Return the present and planned superspines of a core group. Raises FabricError with the legal counts.

    pods   one spine of each, with its uplinks; ports: of a superspine
    """
    legal = legal_spines(pods.number, pods.least, ports)
    if not legal:
        raise FabricError([_too_many_pods(request, pods, ports)])
    if superspines is None:
        return _left_out(request, "superspines", (request.recorded.superspines, legal[0]), pods, ports)
    return _checked(request, "superspines", superspines, pods, ports)


def _left_out(
    request: Request, key: str, counts: tuple[int, int], leaves: PlannedLeaves, ports: int
) -> tuple[int, int]:
    """Return the recorded count for a key that the intent omits, else the fewest. Raises FabricError if now too few.

    counts  the recorded one, 0 for none; and the fewest. `lock_fit` reports another number of uplinks than recorded.
    """
    recorded, fewest = counts
    if not recorded or uplinks_on(recorded, leaves.least) > leaves.most:
        return fewest, fewest
    legal = legal_spines(leaves.number, leaves.least, ports, leaves.most)
    if recorded not in legal:
        raise FabricError([_outgrown(request, key, recorded, leaves, ports)])
    return recorded, recorded


def _outgrown(request: Request, key: str, recorded: int, leaves: PlannedLeaves, ports: int) -> Problem:
    """Return the problem of a recorded count that is too small: switches are recabled only if the intent says so."""
    legal = legal_spines(leaves.number, leaves.least, ports, leaves.most)
    planned = next((count for count in legal if count > recorded), legal[-1])
    today = legal_spines(leaves.present, leaves.least, ports, uplinks_on(planned, leaves.least))
    now = next((count for count in today if recorded <= count <= planned), planned)
    recabling = "(no recabling)" if now == recorded else "(recables existing switches)"
    more = f", or {key}: {{now: {planned}, planned: {planned}}} (recables existing switches)" if now < planned else ""
    return Problem(
        code="illegal-spine-count",
        what=f"{recorded} {key} cannot serve {leaves.number} planned {'pods' if key == 'superspines' else 'leaves'}",
        where=(*request.path, "topology"),
        why=f"{_what_binds(recorded, key, leaves, ports)}; the intent does not set `{key}`, and the lock has "
        f"{recorded}",
        fix=f"write {key}: {{now: {now}, planned: {planned}}} {recabling}{more}",
    )


def _checked(request: Request, key: str, spines: Spines, leaves: PlannedLeaves, ports: int) -> tuple[int, int]:
    number, least, most, _ = leaves
    legal = legal_spines(number, least, ports, most)
    planned = spines.planned or spines.now
    where = (*request.path, "topology", key)
    if planned not in legal:
        problem = _illegal(planned, legal, (*where, "planned" if spines.planned else "now"), leaves, ports)
        if spines.planned is not None:
            problem = problem._replace(fix=_planned_fix(key, spines, legal, leaves, ports))
        recorded = getattr(request.recorded, key)
        later = recorded if recorded in legal else next((count for count in legal if count > planned), 0)
        laid = uplinks_on(later, least) if spines.planned is None and later > planned else 0
        if laid and planned in legal_spines(leaves.present, least, ports, laid):
            lower = "pods" if key == "superspines" else "leaves"
            problem = problem._replace(
                what=f"{planned} {key} cannot serve the {number} planned {lower}",
                where=where,
                fix=f"write {key}: {{now: {planned}, planned: {later}}}",
            )
        raise FabricError([problem])
    if spines.now > planned:
        raise FabricError([_more_than_planned(spines.now, planned, (*where, "now"))])
    laid = uplinks_on(planned, least)
    if uplinks_on(spines.now, least) > laid:
        present = PlannedLeaves(leaves.present, least, laid, leaves.present)
        legal_now = tuple(count for count in legal_spines(leaves.present, least, ports, laid) if count <= planned)
        raise FabricError([_illegal(spines.now, legal_now, (*where, "now"), present, ports)])
    return spines.now, planned


def _planned_fix(key: str, spines: Spines, legal: tuple[int, ...], leaves: PlannedLeaves, ports: int) -> str:
    """Return the fix for a refused `planned`: the legal counts that go with `now`, or else the nearest pair."""
    later: dict[int, list[int]] = {}
    for count in legal:
        today = legal_spines(leaves.present, leaves.least, ports, uplinks_on(count, leaves.least))
        later[count] = [now for now in today if now <= count]
    fitting = [count for count, today in later.items() if spines.now in today]
    if fitting:
        return f"write planned: {' or '.join(map(str, fitting))}"
    planned = min(legal, key=lambda count: (abs(count - (spines.planned or spines.now)), count))
    now = min(later[planned], key=lambda count: (abs(count - spines.now), count), default=planned)
    return f"write topology.{key}: {{now: {now}, planned: {planned}}}"


def _illegal(count_: int, legal: tuple[int, ...], where: IntentPath, leaves: PlannedLeaves, ports: int) -> Problem:
    key = str(where[-2])
    lower = ("spine, one a pod," if leaves.number == 1 else "spines, one a pod,") if key == "superspines" else ""
    laid = uplinks_on(count_, leaves.least)
    uplinks = laid if laid <= leaves.most else leaves.least
    return Problem(
        code="illegal-spine-count",
        what=f"{count_} {key if count_ != 1 else key.removesuffix('s')} cannot serve {leaves.number} "
        f"{lower or ('leaves' if leaves.number > 1 else 'leaf')} of {uplinks} uplinks each",
        where=where,
        why=_what_binds(count_, key, leaves, ports),
        fix=f"write {where[-1]}: {' or '.join(map(str, legal))}",
    )


def _what_binds(count_: int, key: str, leaves: PlannedLeaves, ports: int) -> str:
    up, upper = uplinks_on(count_, leaves.least), key.removesuffix("s")
    lower = "spine" if upper == "superspine" else "leaf"
    if up <= leaves.most:
        needed = leaves.number * (up // count_)
        many = f"{leaves.number} {lower.replace('leaf', 'leave')}s with {up} uplinks each"
        even_text = f"{leaves.least} uplinks per {lower} are rounded up to {up}, for the same number to each {upper}: "
        rounded = even_text if up > leaves.least else ""
        return (
            f"{rounded}{many if leaves.number > 1 else f'1 {lower} with {up} uplinks'}, over {count_} "
            f"{key if count_ > 1 else upper}, need{'s' * (leaves.number == 1)} {needed} ports on each {upper}, and a "
            f"{upper} has {ports}"
        )
    even = f"every {lower}-{upper} pair needs the same whole number of links"
    if leaves.least == leaves.most:
        even = f"{leaves.least} uplinks cannot be spread evenly over {count_} {key}: {even}"
    else:
        even = f"{even}: {up} uplinks per {lower}, which has room for {leaves.most}"
    fewest = next(iter(legal_spines(leaves.number, leaves.least, ports, leaves.most)), 1)
    fewer = [number for number in legal_spines(1, leaves.least, leaves.most, leaves.most) if number < fewest]
    if count_ >= fewest or not fewer:
        return even
    links = uplinks_on(fewer[-1], leaves.least) // fewer[-1]
    lowers = f"{leaves.number} {'leaves' if lower == 'leaf' else 'spines'}" if leaves.number > 1 else f"1 {lower}"
    return (
        f"{even}; fewer than {fewest} {key} do not work either: with {fewer[-1]} {key}, a {lower} has {links} links to "
        f"each, so a {upper} needs {leaves.number * links} ports for {lowers}, and has {ports}"
    )


def _more_than_planned(now: int, planned: int, where: IntentPath) -> Problem:
    return Problem(
        code="illegal-spine-count",
        what=f"now: {now} is more {where[-2]} than planned: {planned}",
        where=where,
        why=f"names, addresses and ports are reserved for {planned}",
        fix=f"write now: {planned}, or planned: {now}",
    )


def _too_many_pods(request: Request, pods: PlannedLeaves, ports: int) -> Problem:
    model = request.fabric.superspine.model if request.fabric.superspine else ""
    return Problem(
        code="too-many-pods",
        what=f"{pods.number} planned pods do not fit under one tier of superspines",
        where=(*request.path, "topology", "units_per_pod"),
        why=f"each pod needs at least one link to every superspine of a core group, and a superspine {model} has "
        f"{ports} ports: {ports} pods at most, whatever the number of superspines",
        fix=f"plan for at most {ports} pods, or write a larger units_per_pod or a superspine.model with more ports",
    )


def _too_many_leaves(request: Request, leaves: int, up: int, ports: int, groups: tuple[GroupShape, ...]) -> Problem:
    is_pod = request.fabric.superspine is not None
    fewer = _fewer_leaves(request, leaves - ports, up, groups)
    spine = request.fabric.spine or request.fabric.leaf
    speed = groups[0].leaf.up[0].speed_gbps if groups else 0
    larger = [name for name in larger_switches(request, spine, speed, _radix(request, leaves)) if name != spine.model]
    other = f"spine.model: {' or '.join(larger)}" if larger else f"a spine with at least {leaves} ports of that speed"
    third = "" if is_pod else ", or a third tier: superspine: {model, os} and topology.units_per_pod"
    has = f"{ports} ports to leaves" if is_pod else f"{ports} ports"
    return Problem(
        code="too-many-leaves",
        what=f"{leaves} planned leaves {'of a pod ' if is_pod else ''}do not fit under one tier of spines",
        where=(*request.path, "topology", *(("units_per_pod",) if is_pod else ())),
        why=f"each leaf needs at least one link to every spine, and a spine {spine.model} has {has}: {ports} leaves at "
        "most, whatever the number of spines",
        fix=f"{fewer or f'plan for at most {ports} leaves'}, or {other}{third}",
    )


def _radix(request: Request, leaves: int) -> int:
    """Return the ports that a spine needs for so many leaves, including those towards superspines."""
    if request.fabric.superspine is None:
        return leaves
    ratio = request.fabric.topology.spine_oversubscription
    return -(-leaves * (ratio.down + ratio.up) // ratio.down)


def _smaller_pod(surplus: int, groups: tuple[GroupShape, ...]) -> str:
    """Return the fix that leaves fewer leaves per pod; empty where no single group can."""
    owners = (group for group in groups if group.has_own_leaves)
    for group in sorted(owners, key=lambda server_group: -server_group.units_a_pod):
        left = group.units_a_pod - -(-surplus // (group.rails * group.indexes))
        if left > 0:
            return f"write units_per_pod: {left}" + (f" for {group.name}" if len(groups) > 1 else "")
    return ""


def _fewer_leaves(request: Request, surplus: int, up: int, groups: tuple[GroupShape, ...]) -> str:
    """Return the fix that removes so many leaves, with the spine count that then serves the rest."""
    topology = request.fabric.topology
    borders = topology.border_leaves if isinstance(topology, LeafSpine) else 0
    is_pod = request.fabric.superspine is not None
    fewer = _smaller_pod(surplus, groups) if is_pod else _fewer_servers(surplus, groups)
    if not fewer and borders > surplus:
        fewer = f"write border_leaves: {borders - surplus}"
    spines = topology.spines
    if not fewer or spines is None or (spines.planned or spines.now) == up:
        return fewer
    return f"{fewer} with spines.planned: {up}"


def _fewer_servers(surplus: int, groups: tuple[GroupShape, ...]) -> str:
    """Return the fix that plans so many leaves less; empty where no single group can."""
    on_leaves = Counter(group.leaves_of for group in groups)
    # Of groups that share leaves each alone would have to plan fewer, and none decides.
    alone = (group for group in groups if on_leaves[group.leaves_of] == 1)
    for group in sorted(alone, key=lambda server_group: -server_group.planned):
        left = group.planned - -(-surplus // (group.rails * group.indexes))
        if left > group.present[-1].last:
            return f"write servers.{group.name}.planned: {left * group.slots_a_unit}"
        if left > 0:
            return f"write servers.{group.name}.slots and planned within {left * group.slots_a_unit}"
    return ""
