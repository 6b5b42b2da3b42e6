"""Draining on Junos: the lines that do it, and where a peer sees that it was done (RFC 8326).

The lines are in `set` form, which NAPALM's driver knows by its first word and loads as such (napalm/junos/junos.py of
5.2.0, _detect_config_format; PyEZ 2.8.2, Config.load): a list of policies that stands is deleted first, since what is
set joins a list. Where every session that takes its policies from a group is to be drained, the group's own are set:
sessions of a group with one export share what they send, and one that gets an export of its own may be taken out of
that and reset (a report of operators, forum.ivorde.com topic 20007; Juniper's manual does not say it. Unsure).

Sources of the signs:
  show route community 65535:0   Juniper's RPC models of QFX, 24.4R1 (github.com/Juniper/yang at 2a696d62,
                                 junos-qfx-rpc-route: leaf-list community, an identifier); the answer of `show route`
  learned-from, nh               recorded: batfish/lab-validation, junos_evpn_type5 (25.4R1)

Unsure: whether a path is shown with its sender where it has one next hop alone; then the next hop is who sent it, as on
a session over a link (RFC 4271, 5.1.3). Not seen is not drained. Junos itself takes what carries the community last
from 19.1 on (its manual, graceful-shutdown: the receiver is on by default); our own policies say the same.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

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
"""How Junos may write the community: as a number, or by its name."""
BGP = ("protocols", "bgp", "group")
POLICIES, COMMUNITIES, LISTS = (
    ("policy-options", "policy-statement"),
    ("policy-options", "community"),
    ("policy-options", "route-filter-list"),
)
Running = tuple[JunosStatement, ...]


class SessionPolicies(NamedTuple):
    """What a session, or all of a group, is told: policies for what comes in and what goes out. None: as it stands."""

    imports: tuple[str, ...]
    exports: tuple[str, ...]


def drain(device: Device, running: str) -> str:
    """Lines that make those sessions of a drained Device that stand in what runs name its drained policies.

    Empty where no session stands, or a policy that one would name is not there whole.
    """
    found = tuple(statements(running))
    overlay = {group.name for group in device.routing.bgp.groups if "evpn" in group.families}
    rows = [row for row in device.routing.bgp.neighbors if names_maps(row)]
    sessions = [(row, _way(row, row.group in overlay)) for row in rows if _stands(row, found)]
    if not sessions or not _stand_whole(device, [way for _, way in sessions], found):
        return ""
    return "".join(f"{line}\n" for line in _lines(sessions, found))


def _way(row: Neighbor, overlay: bool) -> SessionPolicies:
    exports = (row.route_map_out,) if overlay else (ORIGINATED, row.route_map_out)
    return SessionPolicies((row.route_map_in,) if row.route_map_in else (), exports)


def _path(row: Neighbor) -> tuple[str, ...]:
    """Words of a session: its neighbor, or where it is the one of a link its group."""
    return (*BGP, link_group(row)) if row.interface else (*BGP, row.group, "neighbor", row.address)


def _stands(row: Neighbor, running: Running) -> bool:
    wanted = "dynamic-neighbor" if row.interface else "peer-as"
    return any(words[:1] == (wanted,) for words in under(running, *_path(row)))


def _lines(sessions: list[tuple[Neighbor, SessionPolicies]], running: Running) -> Iterator[str]:
    """Lines by what they are of: a group where that reaches all who look to it, else each session."""
    ways = {_path(row): way for row, way in sessions}
    for name in dict.fromkeys(row.group for row, _ in sessions if not row.interface):
        group = (*BGP, name)
        told = {path: way for path, way in ways.items() if path[: len(group)] == group and len(path) > len(group)}
        heirs = {path for path in _neighbors(group, running) if not _own(path, running)}
        common = {told.get(path) for path in heirs}
        if len(common) == 1 and (way := common.pop()) is not None:
            yield from _told(group, way, running)
            ways = {path: way for path, way in ways.items() if path not in heirs}
    for path, way in ways.items():
        yield from _told(path, way, running)


def _neighbors(group: tuple[str, ...], running: Running) -> frozenset[tuple[str, ...]]:
    return frozenset((*group, *words[:2]) for words in under(running, *group) if words[0] == "neighbor")


def _own(path: tuple[str, ...], running: Running) -> bool:
    """Whether a neighbor has policies of its own."""
    return any(words[0] in ("import", "export") for words in under(running, *path) if words)


def _told(path: tuple[str, ...], way: SessionPolicies, running: Running) -> Iterator[str]:
    where = " ".join(path)
    standing = {words[0] for words in under(running, *path) if words}
    for word, policies in (("import", way.imports), ("export", way.exports)):
        if policies and word in standing:
            yield f"delete {where} {word}"
        yield from (f"set {where} {word} {policy}" for policy in policies)


def _stand_whole(device: Device, ways: Iterable[SessionPolicies], running: Running) -> bool:
    """Whether every policy that a session would name can be named, and drains."""
    maps = {found.name: found for found in device.routing.policy.route_maps}
    shut = {words[0] for words in under(running, *COMMUNITIES) if words[1:2] == ("members",) and words[2] in MEMBERS}
    for way in set(ways):
        before, drained = way.exports[:-1], way.exports[-1]
        if not all(under(running, *POLICIES, name) for name in before):
            return False
        if not all(_whole(maps[name], running, None) for name in way.imports):
            return False
        if not _whole(maps[drained], running, frozenset(shut)):
            return False
    return True


def _whole(wanted: RouteMap, running: Running, shut: frozenset[str] | None) -> bool:
    """Whether each statement stands as a term, and each that lets routes on drains. shut: None for what comes in."""
    found = under(running, *POLICIES, wanted.name)
    terms: dict[str, list[tuple[str, ...]]] = {}
    for words in found:
        if words[0] == "term" and len(words) > 2:
            terms.setdefault(words[1], []).append(words[2:])
    actions = {str(row.sequence): "accept" if row.permit else "reject" for row in wanted.statements}
    if any(("then", action) not in terms.get(name, ()) for name, action in actions.items()):
        return False
    permits = [lines for lines in terms.values() if ("then", "accept") in lines]
    drains = all(_drains(lines, shut) for lines in permits)
    return drains and all(_named_stand(lines, running) for lines in terms.values())


def _drains(lines: list[tuple[str, ...]], shut: frozenset[str] | None) -> bool:
    if shut is None:
        return ("then", "local-preference", "0") in lines
    return any(words[:2] == ("then", "community") and words[-1] in shut for words in lines)


def _named_stand(lines: list[tuple[str, ...]], running: Running) -> bool:
    """Whether each list and community that a term matches is there."""
    kinds = {"route-filter-list": LISTS, "community": COMMUNITIES}
    named = [(kinds[words[1]], words[2:]) for words in lines if words[0] == "from" and words[1] in kinds]
    return all(under(running, *kind, name) for kind, names in named for name in names)


def seen(outputs: Outputs) -> frozenset[str]:
    """Peers from which routes with the community came. What cannot be read has shown nothing."""
    found: set[str] = set()
    for read in SIGNS:
        output = outputs.get(read.command)
        if output is not None and output.value is not None:
            try:
                found |= peers_of(output.value)
            except NotUnderstoodError:
                continue
    return frozenset(found)


def marks(outputs: Outputs) -> ByHop | None:
    """EVPN routes by protocol next hop; None where they cannot be read."""
    output = outputs.get(EVPN_ROUTES)
    if output is None or output.value is None:
        return None
    try:
        return by_hop(shut_down(output.value, MEMBERS))
    except NotUnderstoodError:
        return None
