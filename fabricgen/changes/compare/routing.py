"""Changes of static routes and of the BGP speaker."""

from collections.abc import Callable, Iterator
from ipaddress import ip_address, ip_interface

from fabricgen.base.addresses import other_end
from fabricgen.base.secret import Secret
from fabricgen.changes.change import DeviceChange
from fabricgen.changes.compare.interfaces import peers_of
from fabricgen.changes.compare.policy import policy_changes
from fabricgen.changes.compare.values import (
    ChangeScope,
    ComparedField,
    Members,
    Thing,
    added,
    loopback,
    members,
    paired,
    settings,
    things,
)
from fabricgen.device.device import Device
from fabricgen.device.routing import Bgp, BgpVrf, ExternalNeighbor, Neighbor, PeerGroup, Routing, StaticRoute


def _minutes(value: object) -> str:
    return f"{value} minutes" if value else ""


def _next_hop(route: StaticRoute) -> str:
    return route.next_hop or "discard"


STATIC_ROUTE = Thing[StaticRoute](
    "static-route",
    key=lambda route: (route.vrf, route.family, route.prefix),
    summary=_next_hop,
    settings=(ComparedField("static-route.next-hop", _next_hop),),
)
MANAGEMENT_ROUTE = Thing[StaticRoute](
    "management.gateway",
    key=lambda route: (route.vrf, route.family, route.prefix),
    summary=_next_hop,
    settings=(ComparedField("management.gateway", _next_hop),),
)
"""A route of the management VRF, which forwards only for the switch itself."""

BGP: tuple[ComparedField[Bgp], ...] = (
    ComparedField("bgp.asn", lambda bgp: bgp.asn),
    ComparedField("bgp.router-id", lambda bgp: bgp.router_id),
    ComparedField("bgp.timers", lambda bgp: f"keepalive {bgp.keepalive_seconds} s, hold {bgp.hold_seconds} s"),
    ComparedField("bgp.maximum-paths", lambda bgp: bgp.maximum_paths),
    ComparedField("bgp.overlay-paths", lambda bgp: bgp.overlay_paths),
    ComparedField("bgp.wait-install", lambda bgp: bgp.wait_install),
)
BGP_MEMBERS: tuple[Members[Bgp], ...] = (
    Members("bgp.family", lambda bgp: bgp.families, is_subject=True),
    Members("bgp.network", lambda bgp: bgp.networks_ipv4, is_subject=True),
    Members("bgp.network", lambda bgp: bgp.networks_ipv6, is_subject=True),
)


def _reference(password: Secret | None) -> str:
    return password.written if password is not None else ""


GROUP = Thing[PeerGroup](
    "bgp.group",
    key=lambda group: group.name,
    summary=lambda group: group.description,
    settings=(
        ComparedField("bgp.group.description", lambda group: group.description),
        ComparedField("bgp.group.route-map-in", lambda group: group.route_map_in),
        ComparedField("bgp.group.route-map-out", lambda group: group.route_map_out),
        ComparedField("bgp.group.maximum-routes", lambda group: group.maximum_routes),
        ComparedField("bgp.group.restart", lambda group: group.restart_minutes, _minutes),
        ComparedField("bgp.group.bfd", lambda group: group.bfd),
        ComparedField("bgp.group.extended-communities", lambda group: group.extended_communities),
        ComparedField("bgp.group.update-source", lambda group: group.update_source, loopback),
        ComparedField("bgp.group.multihop", lambda group: group.multihop),
        ComparedField("bgp.group.next-hop-unchanged", lambda group: group.next_hop_unchanged),
        ComparedField("bgp.group.extended-next-hop", lambda group: group.extended_next_hop),
        ComparedField("bgp.group.ttl-security", lambda group: group.ttl_security),
        ComparedField("bgp.group.password", lambda group: _reference(group.password)),
    ),
    members=(Members("bgp.group.family", lambda group: group.families),),
)

NEIGHBOR = Thing[Neighbor](
    "bgp.neighbor",
    key=lambda neighbor: neighbor.peer,
    summary=lambda neighbor: f"AS {neighbor.remote_as}",
    settings=(
        ComparedField("bgp.neighbor.description", lambda neighbor: neighbor.description),
        ComparedField("bgp.neighbor.group", lambda neighbor: neighbor.group),
        ComparedField("bgp.neighbor.remote-as", lambda neighbor: neighbor.remote_as),
        ComparedField("bgp.neighbor.route-map-in", lambda neighbor: neighbor.route_map_in),
        ComparedField("bgp.neighbor.route-map-out", lambda neighbor: neighbor.route_map_out),
    ),
)

BGP_VRF = Thing[BgpVrf](
    "bgp.vrf",
    key=lambda vrf: vrf.name,
    summary=lambda vrf: vrf.export_target,
    settings=(
        ComparedField("bgp.vrf.rd", lambda vrf: vrf.rd),
        ComparedField("bgp.vrf.export-target", lambda vrf: vrf.export_target),
        ComparedField("bgp.vrf.import-map", lambda vrf: vrf.import_map),
    ),
    members=(
        Members("bgp.vrf.import-target", lambda vrf: vrf.import_targets),
        Members("bgp.vrf.import", lambda vrf: vrf.imports),
        Members("bgp.vrf.network", lambda vrf: vrf.networks_ipv4),
        Members("bgp.vrf.network", lambda vrf: vrf.networks_ipv6),
    ),
)


EXTERNAL = Thing[ExternalNeighbor](
    "bgp.vrf.neighbor",
    key=lambda neighbor: (neighbor.address, neighbor.family),
    summary=lambda neighbor: f"AS {neighbor.remote_as}",
    settings=(
        ComparedField("bgp.vrf.neighbor.description", lambda neighbor: neighbor.description),
        ComparedField("bgp.vrf.neighbor.remote-as", lambda neighbor: neighbor.remote_as),
        ComparedField("bgp.vrf.neighbor.route-map", lambda neighbor: neighbor.route_map_in, subject="in"),
        ComparedField("bgp.vrf.neighbor.route-map", lambda neighbor: neighbor.route_map_out, subject="out"),
        ComparedField("bgp.vrf.neighbor.maximum-routes", lambda neighbor: neighbor.maximum_routes),
        ComparedField("bgp.vrf.neighbor.restart", lambda neighbor: neighbor.restart_minutes, _minutes),
        ComparedField("bgp.vrf.neighbor.password", lambda neighbor: _reference(neighbor.password)),
    ),
)
"""A password is a reference in a Device; only the reference is shown."""


LINK = "bgp.vrf.network"


def routing_changes(before: Device, after: Device) -> Iterator[DeviceChange]:
    """All changes of routing. It takes whole switches because the interfaces give the port of a session."""
    old, new = before.routing, after.routing
    if old.policy != new.policy:
        owners = _owners(before, after)
        for change in policy_changes(old.policy, new.policy):
            # Names have no spaces; what is within a map or list has more behind its name.
            port, peer = owners.get((change.kind.partition(".")[0], change.subject.partition(" ")[0]), _SHARED)
            yield change._replace(port=port, peer=peer)
    if old.static_routes != new.static_routes:
        yield from _static_routes(before, after)
    if old.bgp != new.bgp:
        yield from _bgp(before, after)
        yield from _first_uses(old, new)


_SHARED = ("", "")
"""In place of a port and its peer: what several sessions use, or none."""


def _owners(before: Device, after: Device) -> dict[tuple[str, str], tuple[str, str]]:
    """Kind and name of the policy objects that one session alone uses → its port and peer."""
    where = _session_where(before, after)
    users: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for routing in (before.routing, after.routing):
        of_map = _map_users(routing.bgp, where)
        for route_map in routing.policy.route_maps:
            own = of_map.get(route_map.name, {_SHARED})
            users.setdefault(("route-map", route_map.name), set()).update(own)
            for row in route_map.statements:
                for name in (row.match_prefix_list_ipv4, row.match_prefix_list_ipv6):
                    users.setdefault(("prefix-list", name), set()).update(own)
    return {thing: next(iter(own)) for thing, own in users.items() if len(own) == 1 and _SHARED not in own}


def _map_users(bgp: Bgp, where: Callable[[Neighbor], ChangeScope]) -> dict[str, set[tuple[str, str]]]:
    """Name of a route map → port and peer of each session that names it itself."""
    users: dict[str, set[tuple[str, str]]] = {vrf.import_map: {_SHARED} for vrf in bgp.vrfs}
    named = [((each.route_map_in, each.route_map_out), _SHARED) for each in bgp.groups]
    named += [((each.route_map_in, each.route_map_out), _SHARED) for _, each in _all_outside(bgp)]
    named += [((each.route_map_in, each.route_map_out), where(each)[1:3]) for each in bgp.neighbors]
    for names, user in named:
        for name in names:
            users.setdefault(name, set()).add(user)
    return users


def _first_uses(old: Routing, new: Routing) -> Iterator[DeviceChange]:
    """Changes for new route maps that an existing session uses from now on: it may miss them for a moment."""
    existing = {route_map.name for route_map in old.policy.route_maps} | {""}
    used = dict.fromkeys(name for before, after in _speakers(old.bgp, new.bgp) for name in after if name not in before)
    yield from (added("route-map.first-use", name, ChangeScope(name)) for name in used if name not in existing)


def _speakers(old: Bgp, new: Bgp) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Inbound and outbound map, before and after, of each group and session that exists on both sides."""
    groups = paired(old.groups, new.groups, lambda group: group.name)
    neighbors = paired(old.neighbors, new.neighbors, lambda neighbor: neighbor.peer)
    outside = paired(_all_outside(old), _all_outside(new), lambda named: (named[0], named[1].address))
    for before, after in (*groups, *neighbors):
        if before is not None and after is not None:
            yield (before.route_map_in, before.route_map_out), (after.route_map_in, after.route_map_out)
    for old_named, new_named in outside:
        if old_named is not None and new_named is not None:
            yield (
                (old_named[1].route_map_in, old_named[1].route_map_out),
                (new_named[1].route_map_in, new_named[1].route_map_out),
            )


def _all_outside(bgp: Bgp) -> tuple[tuple[str, ExternalNeighbor], ...]:
    return tuple((vrf.name, neighbor) for vrf in bgp.vrfs for neighbor in vrf.neighbors)


def _static_routes(before: Device, after: Device) -> Iterator[DeviceChange]:
    """Changes of static routes, except the route that repeats the management gateway."""
    gateways = (before.management.gateway, after.management.gateway)
    for thing, is_management in ((MANAGEMENT_ROUTE, True), (STATIC_ROUTE, False)):
        old, new = (
            [route for route in device.routing.static_routes if (route.vrf == device.management.vrf) is is_management]
            for device in (before, after)
        )
        for change in things(thing, old, new, _route_where):
            if not is_management or (change.before, change.after) != gateways:
                yield change


def _route_where(route: StaticRoute) -> ChangeScope:
    return ChangeScope(f"{route.prefix} in {route.vrf}" if route.vrf else str(route.prefix))


def _bgp(before: Device, after: Device) -> Iterator[DeviceChange]:
    old, new = before.routing.bgp, after.routing.bgp
    yield from settings(BGP, old, new, ChangeScope())
    yield from members(BGP_MEMBERS, old, new, ChangeScope())
    if old.groups != new.groups:
        yield from things(GROUP, old.groups, new.groups, lambda group: ChangeScope(group.name))
    if old.neighbors != new.neighbors:
        yield from things(NEIGHBOR, old.neighbors, new.neighbors, _session_where(before, after))
    if old.vrfs != new.vrfs:
        ports = {**_ports_by_address(before), **_ports_by_address(after)}
        for change in things(BGP_VRF, old.vrfs, new.vrfs, lambda vrf: ChangeScope(vrf.name, vrf=vrf.name)):
            # A link to a NIC is announced with the port's own address first, so the change belongs to that port.
            port, peer = ports.get(change.after or change.before, ("", "")) if change.kind == LINK else ("", "")
            yield change._replace(port=port, peer=peer) if port else change
        yield from _outside(before, after)


def _session_where(before: Device, after: Device) -> Callable[[Neighbor], ChangeScope]:
    """Scope of a session: the port whose cable ends at its address; for loopbacks, no port."""
    ports = {**_ports_by_address(before), **_ports_by_address(after)}
    peers = {**peers_of(before.interfaces), **peers_of(after.interfaces)}

    def where(neighbor: Neighbor) -> ChangeScope:
        if neighbor.interface:
            return ChangeScope(neighbor.interface, neighbor.interface, peers.get(neighbor.interface, ""))
        local = other_end(neighbor.address)
        port, peer = ports.get(f"{local}/127" if ":" in local else f"{local}/31", ("", ""))
        # A session between loopbacks has no port; its description starts with the remote switch.
        return ChangeScope(neighbor.address, port, peer or neighbor.description.partition(" ")[0])

    return where


def _ports_by_address(device: Device) -> dict[str, tuple[str, str]]:
    """Own address with its prefix length → port and remote device."""
    return {
        address: (port.name, port.peer)
        for port in device.interfaces.ethernet
        for address in (port.ipv4, port.ipv6)
        if address
    }


def _outside(before: Device, after: Device) -> Iterator[DeviceChange]:
    """Changes of external sessions, in VRFs that remain and in those that are added or removed."""
    old_by_vrf, new_by_vrf = (
        {vrf.name: vrf.neighbors for vrf in device.routing.bgp.vrfs} for device in (before, after)
    )
    for vrf in dict.fromkeys((*old_by_vrf, *new_by_vrf)):
        old, new = old_by_vrf.get(vrf, ()), new_by_vrf.get(vrf, ())
        if old != new:
            yield from things(EXTERNAL, old, new, _outside_where(before, after, vrf))


def _outside_where(before: Device, after: Device, vrf: str) -> Callable[[ExternalNeighbor], ChangeScope]:
    def where(neighbor: ExternalNeighbor) -> ChangeScope:
        for device in (after, before):
            port = _outside_port(device, vrf, neighbor.address)
            if port:
                return ChangeScope(neighbor.address, port, peers_of(device.interfaces).get(port, ""), vrf)
        return ChangeScope(neighbor.address, "", neighbor.description, vrf)

    return where


def _outside_port(device: Device, vrf: str, address: str) -> str:
    """The port with a subinterface in the VRF whose subnet contains the address; empty if there is none."""
    remote = ip_address(address)
    for subinterface in device.interfaces.subinterfaces:
        if subinterface.vrf == vrf and any(
            remote in ip_interface(address_text).network
            for address_text in (subinterface.ipv4, subinterface.ipv6)
            if address_text
        ):
            return subinterface.parent
    return ""
