"""Draining on Junos: the lines that drain, and where a peer sees their effect (RFC 8326).

The lines are in `set` form, which NAPALM's driver recognizes by the first word and loads as such (napalm/junos/junos.py
of 5.2.0, _detect_config_format; PyEZ 2.8.2, Config.load). An existing list of policies is deleted first, since `set`
adds to a list. If every session that inherits its policies from a group is drained, the group's own policies are set:
sessions of a group with one export share what they send, and a session with its own export may be taken out of that and
reset (a report of operators, forum.ivorde.com topic 20007; Juniper's manual does not say it. Unsure).

Sources of the signs:
  show route community 65535:0   Juniper's RPC models of QFX, 24.4R1 (github.com/Juniper/yang at 2a696d62,
                                 junos-qfx-rpc-route: leaf-list community, an identifier); output as of `show route`
  learned-from, nh               recorded: batfish/lab-validation, junos_evpn_type5 (25.4R1)

Unsure: whether a path with a single next hop is shown with its sender; if not, the next hop is the sender, as on a
session over a link (RFC 4271, 5.1.3). Not seen counts as not drained. From 19.1 on, Junos itself prefers paths with the
community last (its manual, graceful-shutdown: the receiver is on by default); the rendered policies do the same.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from fabricgen.base.grouping import grouped
from fabricgen.device.device import Device
from fabricgen.device.routing import Neighbor, RouteMap
from fabricgen.platforms.base.live.drain import names_maps
from fabricgen.platforms.base.live.marks import ByHop, by_hop
from fabricgen.platforms.base.live.reader import XML, Outputs, ReadCommand
from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.junos.bgp import link_group
from fabricgen.platforms.junos.live.routes import EVPN_ROUTES, peers_of, shut_down
from fabricgen.platforms.junos.live.text import JunosStatement, statements, under
from fabricgen.platforms.junos.policy import GRACEFUL_SHUTDOWN, ORIGINATED

SIGNS = (ReadCommand("bgp", f"show route community {GRACEFUL_SHUTDOWN}", XML),)
OVERLAY = (ReadCommand("bgp", EVPN_ROUTES, XML),)
MEMBERS = (GRACEFUL_SHUTDOWN, "graceful-shutdown")
"""Forms in which Junos may print the community: a number, or its name."""
BGP = ("protocols", "bgp", "group")
POLICIES, COMMUNITIES, LISTS = (
    ("policy-options", "policy-statement"),
    ("policy-options", "community"),
    ("policy-options", "route-filter-list"),
)
Running = tuple[JunosStatement, ...]


class SessionPolicies(NamedTuple):
    """Import and export policies of a session or a whole group; an empty tuple leaves them unchanged."""

    imports: tuple[str, ...]
    exports: tuple[str, ...]


def drain(device: Device, running: str) -> str:
    """Return lines by which the running sessions of a drained Device use its drain policies.

    "" if no such session is configured, or a needed policy is missing or incomplete.
    """
    running_statements = tuple(statements(running))
    overlay = {group.name for group in device.routing.bgp.groups if "evpn" in group.families}
    rows = [row for row in device.routing.bgp.neighbors if names_maps(row)]
    sessions = [(row, _way(row, row.group in overlay)) for row in rows if _is_configured(row, running_statements)]
    if not sessions or not _policies_are_complete(device, [policies for _, policies in sessions], running_statements):
        return ""
    return "".join(f"{line}\n" for line in _lines(sessions, running_statements))


def _way(row: Neighbor, overlay: bool) -> SessionPolicies:
    exports = (row.route_map_out,) if overlay else (ORIGINATED, row.route_map_out)
    return SessionPolicies((row.route_map_in,) if row.route_map_in else (), exports)


def _path(row: Neighbor) -> tuple[str, ...]:
    """Return the words that lead to a session: to its neighbor, or to the group of an unnumbered link."""
    return (*BGP, link_group(row)) if row.interface else (*BGP, row.group, "neighbor", row.address)


def _is_configured(row: Neighbor, running: Running) -> bool:
    keyword = "dynamic-neighbor" if row.interface else "peer-as"
    return any(words[:1] == (keyword,) for words in under(running, *_path(row)))


def _lines(sessions: list[tuple[Neighbor, SessionPolicies]], running: Running) -> Iterator[str]:
    """Yield lines for a group if they reach all sessions that inherit from it, else for each session."""
    policies_by_path = {_path(row): policies for row, policies in sessions}
    for name in dict.fromkeys(row.group for row, _ in sessions if not row.interface):
        group = (*BGP, name)
        group_policies = {
            path: policies
            for path, policies in policies_by_path.items()
            if path[: len(group)] == group and len(path) > len(group)
        }
        # Sessions without their own policies inherit the group's. If all of them drain alike, one change of the group
        # drains them, and they keep one export in common.
        heirs = {path for path in _neighbors(group, running) if not _own(path, running)}
        common = {group_policies.get(path) for path in heirs}
        if len(common) == 1 and (policies := common.pop()) is not None:
            yield from _policy_commands(group, policies, running)
            policies_by_path = {path: policies for path, policies in policies_by_path.items() if path not in heirs}
    for path, policies in policies_by_path.items():
        yield from _policy_commands(path, policies, running)


def _neighbors(group: tuple[str, ...], running: Running) -> frozenset[tuple[str, ...]]:
    return frozenset((*group, *words[:2]) for words in under(running, *group) if words[0] == "neighbor")


def _own(path: tuple[str, ...], running: Running) -> bool:
    """Return whether a neighbor has its own policies."""
    return any(words[0] in ("import", "export") for words in under(running, *path) if words)


def _policy_commands(path: tuple[str, ...], policies: SessionPolicies, running: Running) -> Iterator[str]:
    location = " ".join(path)
    configured = {words[0] for words in under(running, *path) if words}
    for direction, names in (("import", policies.imports), ("export", policies.exports)):
        if names and direction in configured:
            yield f"delete {location} {direction}"
        yield from (f"set {location} {direction} {policy}" for policy in names)


def _policies_are_complete(device: Device, all_policies: Iterable[SessionPolicies], running: Running) -> bool:
    """Return whether every policy that a session would use exists completely, and drains."""
    maps = {route_map.name: route_map for route_map in device.routing.policy.route_maps}
    shut = {words[0] for words in under(running, *COMMUNITIES) if words[1:2] == ("members",) and words[2] in MEMBERS}
    for policies in set(all_policies):
        first_exports, drained = policies.exports[:-1], policies.exports[-1]
        if not all(under(running, *POLICIES, name) for name in first_exports):
            return False
        if not all(_whole(maps[name], running, None) for name in policies.imports):
            return False
        if not _whole(maps[drained], running, frozenset(shut)):
            return False
    return True


def _whole(route_map: RouteMap, running: Running, shut: frozenset[str] | None) -> bool:
    """Return whether each statement is configured as a term, and each permitting one drains.

    shut  names of the graceful-shutdown community; None for imports
    """
    policy_statements = under(running, *POLICIES, route_map.name)
    terms = grouped((words[1], words[2:]) for words in policy_statements if words[0] == "term" and len(words) > 2)
    actions = {str(row.sequence): "accept" if row.permit else "reject" for row in route_map.statements}
    if any(("then", action) not in terms.get(name, ()) for name, action in actions.items()):
        return False
    permits = [lines for lines in terms.values() if ("then", "accept") in lines]
    drains = all(_drains(lines, shut) for lines in permits)
    return drains and all(_references_exist(lines, running) for lines in terms.values())


def _drains(lines: list[tuple[str, ...]], shut: frozenset[str] | None) -> bool:
    if shut is None:
        return ("then", "local-preference", "0") in lines
    return any(words[:2] == ("then", "community") and words[-1] in shut for words in lines)


def _references_exist(lines: list[tuple[str, ...]], running: Running) -> bool:
    """Return whether each list and community that a term matches exists."""
    kinds = {"route-filter-list": LISTS, "community": COMMUNITIES}
    named = [(kinds[words[1]], words[2:]) for words in lines if words[0] == "from" and words[1] in kinds]
    return all(under(running, *kind, name) for kind, names in named for name in names)


def draining_peers(outputs: Outputs) -> frozenset[str]:
    """Return the peers that sent routes with the community; none if the output cannot be read."""
    peers: set[str] = set()
    for read in SIGNS:
        output = outputs.get(read.command)
        if output is not None and output.value is not None:
            try:
                peers |= peers_of(output.value)
            except NotUnderstoodError:
                continue
    return frozenset(peers)


def marks(outputs: Outputs) -> ByHop | None:
    """Return EVPN routes by protocol next hop; None if they cannot be read."""
    output = outputs.get(EVPN_ROUTES)
    if output is None or output.value is None:
        return None
    try:
        return by_hop(shut_down(output.value, MEMBERS))
    except NotUnderstoodError:
        return None
