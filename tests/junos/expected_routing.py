"""Device → the statements of its policy, instances and sessions, written a second time and straight from the Device."""

from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.evpn import Evpn
from fabricgen.device.interfaces import Switching
from fabricgen.device.routing import BgpVrf, Neighbor, PeerGroup, Statement

TABLE = "mgmt_junos"
Rows = Iterator[tuple[str, ...]]


def lists(device: Device) -> Rows:
    for found in device.routing.policy.prefix_lists:
        for entry in found.entries:
            how = ("upto", f"/{entry.longest}") if entry.longest else ("exact",)
            yield "policy-options", "route-filter-list", found.name, entry.prefix, *how


def policy(device: Device) -> Rows:
    told = device.routing.policy
    yield "policy-options", "policy-statement", "ECMP", "then", "load-balance", "per-packet"
    imports = {vrf.import_map: vrf for vrf in device.routing.bgp.vrfs if vrf.import_map}
    used = _communities(device)
    for found in told.route_maps:
        here = ("policy-options", "policy-statement", found.name)
        yield *here, "then", "reject"
        for row in found.statements:
            yield from _term((*here, "term", str(row.sequence)), row, used, imports.get(found.name))
    for member, name in used.items():
        yield "policy-options", "community", name, "members", member


def _communities(device: Device) -> dict[str, str]:
    """Member → name: the Device's own name, or one that is made of the member."""
    told = device.routing.policy
    used = {row.community: row.name for row in told.community_lists}
    used |= {f"target:{row.route_target}": row.name for row in told.route_target_lists}
    for vrf in device.routing.bgp.vrfs:
        for target in vrf.import_targets if vrf.import_map else ():
            used.setdefault(f"target:{target}", f"COMMUNITY-TARGET-{target.replace(':', '-')}")
    for community in {row.set_community for found in told.route_maps for row in found.statements} - {""}:
        used.setdefault(community, f"COMMUNITY-{community.replace(':', '-')}")
    return used


def _term(here: tuple[str, ...], row: Statement, used: dict[str, str], vrf: BgpVrf | None) -> Rows:
    listed = row.match_community_list or row.match_route_target_list
    any_of = " ".join(used[f"target:{target}"] for target in vrf.import_targets) if vrf else ""
    if listed or any_of:
        yield *here, "from", "community", listed or any_of
    prefixes = row.match_prefix_list_ipv4 or row.match_prefix_list_ipv6
    if prefixes:
        yield *here, "from", "route-filter-list", prefixes
    if row.set_local_preference >= 0:
        yield *here, "then", "local-preference", str(row.set_local_preference)
    if row.set_community:
        yield *here, "then", "community", "set" if row.replace_communities else "add", used[row.set_community]
    if row.set_graceful_shutdown:
        yield *here, "then", "community", "add", "CL-GRACEFUL-SHUTDOWN"
    yield *here, "then", "accept" if row.permit else "reject"


def originated(device: Device) -> Rows:
    bgp = device.routing.bgp
    yield from _leaving("ORIGINATED", "", bgp.networks_ipv4, bgp.networks_ipv6, ("next", "policy"), "bgp")
    for vrf in bgp.vrfs:
        name, own = vrf.name.upper(), (vrf.networks_ipv4, vrf.networks_ipv6)
        learned = "bgp" if vrf.neighbors else ""
        yield from _leaving(f"PREFIX-ROUTES-{name}", name, *own, ("accept",), learned)
        if vrf.neighbors:
            yield from _leaving(f"ORIGINATED-{name}", name, *own, ("next", "policy"), "bgp evpn")


def _leaving(
    name: str, table: str, four: tuple[str, ...], six: tuple[str, ...], action: tuple[str, ...], learned: str
) -> Rows:
    here = ("policy-options", "policy-statement", name)
    for family, networks in (("ipv4", four), ("ipv6", six)):
        listed = "-".join(filter(None, ("NETWORKS", table, family.upper())))
        for network in networks:
            yield "policy-options", "route-filter-list", listed, network, "exact"
        if networks:
            term = (*here, "term", f"own-{family}")
            yield *term, "from", "protocol", "direct static"
            yield *term, "from", "route-filter-list", listed
            yield *term, "then", *action
    if learned:
        yield *here, "term", "learned", "from", "protocol", learned
        yield *here, "term", "learned", "then", *action
    yield *here, "then", "reject"


def _duplicates(here: tuple[str, ...], evpn: Evpn | None) -> Rows:
    if evpn is not None and evpn.duplicate_mac is not None:
        moves, window, recovery = evpn.duplicate_mac
        yield *here, "detection-threshold", str(moves)
        yield *here, "detection-window", str(window)
        if recovery:
            yield *here, "auto-recovery-time", str(recovery // 60)


def bridged(device: Device) -> Rows:
    evpn = device.evpn
    switched: list[tuple[str, Switching]] = [
        (row.name, row.switching) for row in device.interfaces.ethernet if row.switching and not row.lag
    ]
    switched += [(f"ae{lag.number}", lag.switching) for lag in device.interfaces.lags]
    for vlan in evpn.vlans if evpn else ():
        here = ("routing-instances", f"MAC-VRF-{vlan.vlan_id}")
        yield *here, "instance-type", "mac-vrf"
        yield *here, "protocols", "evpn", "encapsulation", "vxlan"
        yield *here, "protocols", "evpn", "default-gateway", "do-not-advertise"
        yield *here, "protocols", "evpn", "extended-vni-list", "all"
        yield from _duplicates((*here, "protocols", "evpn", "duplicate-mac-detection"), evpn)
        yield *here, "vtep-source-interface", "lo0.0"
        yield *here, "service-type", "vlan-based"
        yield *here, "route-distinguisher", vlan.rd
        yield *here, "vrf-target", f"target:{vlan.route_target}"
        named = (*here, "vlans", vlan.name)
        yield *named, "vlan-id", str(vlan.vlan_id)
        yield *named, "vxlan", "vni", str(vlan.vni)
        if evpn and any(row.vlan_id == vlan.vlan_id for row in evpn.gateways):
            yield *named, "l3-interface", f"irb.{vlan.vlan_id}"
        for name, how in switched:
            if how.access_vlan == vlan.vlan_id:
                yield *here, "interface", f"{name}.0"
                yield from _macs((*here, "switch-options", "interface", f"{name}.0"), how)
            if vlan.vlan_id in how.trunk_vlans:
                yield *named, "interface", f"{name}.{vlan.vlan_id}"
                yield from _macs((*here, "switch-options", "interface", f"{name}.{vlan.vlan_id}"), how)


def _macs(port: tuple[str, ...], how: Switching) -> Rows:
    if how.mac_limit:
        yield *port, "interface-mac-limit", str(how.mac_limit)
        yield *port, "interface-mac-limit", "packet-action", "drop"


def routed(device: Device) -> Rows:
    for route in device.routing.static_routes:
        if route.vrf:
            table = ("routing-instances", TABLE, "routing-options", "static")
            yield *table, "route", route.prefix, "next-hop", route.next_hop
        else:
            rib = ("rib", "inet6.0") if route.family == "ipv6" else ()
            yield "routing-options", *rib, "static", "route", route.prefix, "discard"
    leaks = any(vrf.imports for vrf in device.routing.bgp.vrfs)
    for vrf in device.routing.bgp.vrfs:
        yield from _vrf(device, vrf, leaks=leaks)


def _vrf(device: Device, vrf: BgpVrf, *, leaks: bool) -> Rows:
    assert device.evpn is not None
    bgp = device.routing.bgp
    here = ("routing-instances", vrf.name)
    own = next(row for row in device.evpn.vrfs if row.name == vrf.name)
    yield *here, "instance-type", "vrf"
    yield *here, "routing-options", "router-id", bgp.router_id
    yield *here, "routing-options", "multipath"
    six = "ipv6" in bgp.families or vrf.networks_ipv6 or any(row.family == "ipv6" for row in vrf.neighbors)
    if six:
        yield *here, "routing-options", "rib", f"{vrf.name}.inet6.0", "multipath"
    if leaks:
        yield *here, "routing-options", "auto-export"
    five = (*here, "protocols", "evpn", "ip-prefix-routes")
    yield *five, "advertise", "direct-nexthop"
    yield *five, "encapsulation", "vxlan"
    yield *five, "vni", str(own.vni)
    yield *five, "export", f"PREFIX-ROUTES-{vrf.name}".upper()
    yield *here, "route-distinguisher", vrf.rd
    if vrf.import_map:
        yield *here, "vrf-import", vrf.import_map
        yield *here, "vrf-target", "export", f"target:{vrf.export_target}"
    else:
        yield *here, "vrf-target", f"target:{vrf.export_target}"
    yield from ((*here, "interface", name) for name in _units(device, vrf.name, own.id))
    yield from _outside(device, vrf, here)
    yield from _relays(device, vrf.name, here)


def _units(device: Device, vrf: str, number: int) -> Iterator[str]:
    assert device.evpn is not None
    yield f"lo0.{10 + number}"
    yield from (f"{row.name}.0" for row in device.interfaces.ethernet if row.vrf == vrf)
    yield from (f"{row.parent}.{row.vlan_id}" for row in device.interfaces.subinterfaces if row.vrf == vrf)
    yield from (f"irb.{row.vlan_id}" for row in device.evpn.gateways if row.vrf == vrf)


def _outside(device: Device, vrf: BgpVrf, here: tuple[str, ...]) -> Rows:
    group = (*here, "protocols", "bgp", "group", "EXTERNAL")
    for row in vrf.neighbors:
        yield *here, "protocols", "bgp", "log-updown"
        yield *group, "type", "external"
        yield *group, "hold-time", str(device.routing.bgp.hold_seconds)
        yield *group, "multipath", "multiple-as"
        peer = (*group, "neighbor", row.address)
        yield *peer, "description", row.description
        yield *peer, "import", row.route_map_in
        yield *peer, "export", f"ORIGINATED-{vrf.name.upper()} {row.route_map_out}"
        yield *peer, "peer-as", str(row.remote_as)
        limit = (*peer, "family", "inet6" if row.family == "ipv6" else "inet", "unicast", "prefix-limit")
        yield *limit, "maximum", str(row.maximum_routes)
        yield *limit, "teardown", "80", "idle-timeout", "5"
        if row.password:
            yield *peer, "authentication-key", row.password.written


def _relays(device: Device, vrf: str, here: tuple[str, ...]) -> Rows:
    assert device.evpn is not None
    for row in device.evpn.gateways:
        for six, servers in ((False, row.relays_ipv4), (True, row.relays_ipv6)):
            if row.vrf != vrf or not servers:
                continue
            relay = (*here, "forwarding-options", "dhcp-relay", *(("dhcpv6",) if six else ()))
            name = f"VLAN-{row.vlan_id}"
            yield *relay, "forward-only"
            yield from ((*relay, "server-group", name, server) for server in servers)
            yield *relay, "group", name, "active-server-group", name
            source = ("interface", f"irb.{row.vlan_id}", "overrides", "relay-source", f"lo0.{row.relay_source}")
            yield *relay, "group", name, *source
            if not six:
                yield *relay, "group", name, "relay-option-82", "server-id-override"


def speaker(device: Device) -> Rows:
    bgp = device.routing.bgp
    yield "routing-options", "router-id", bgp.router_id
    yield "routing-options", "autonomous-system", str(bgp.asn)
    table = ("routing-options", "forwarding-table")
    yield *table, "export", "ECMP"
    yield *table, "ecmp-fast-reroute"
    if device.evpn:
        yield *table, "chained-composite-next-hop", "ingress", "evpn"
    yield "protocols", "bgp", "log-updown"
    if bgp.hold_seconds < 20:
        yield "protocols", "bgp", "precision-timers"
    groups = {group.name: group for group in bgp.groups}
    for row in bgp.neighbors:
        yield from _session(device, groups[row.group], row)


def _session(device: Device, group: PeerGroup, row: Neighbor) -> Rows:
    bare = row.interface.replace("/", "-").replace(":", "-")
    here = ("protocols", "bgp", "group", f"{group.name}-{bare}" if bare else group.name)
    own = row.route_map_in or group.route_map_in, row.route_map_out or group.route_map_out
    first = "" if "evpn" in group.families else "ORIGINATED "
    if bare:
        link = (*here, "dynamic-neighbor", "LINK", "peer-auto-discovery")
        yield *here, "description", row.description
        yield *here, "import", own[0]
        yield *here, "export", first + own[1]
        yield *here, "peer-as", str(row.remote_as)
        yield *link, "family", "inet6", "ipv6-nd"
        yield *link, "interface", f"{row.interface}.0"
    else:
        peer = (*here, "neighbor", row.address)
        mates = [one for one in device.routing.bgp.neighbors if one.group == group.name and not one.interface]
        alike = all((one.route_map_in, one.route_map_out) == (row.route_map_in, row.route_map_out) for one in mates)
        yield *here, "description", group.description
        yield *here, "import", own[0] if alike else group.route_map_in
        yield *here, "export", first + (own[1] if alike else group.route_map_out)
        yield *peer, "description", row.description
        yield *peer, "peer-as", str(row.remote_as)
        if row.route_map_in and not alike:
            yield *peer, "import", row.route_map_in
        if row.route_map_out and not alike:
            yield *peer, "export", first + row.route_map_out
    yield from _group(device, group, here)


def _group(device: Device, group: PeerGroup, here: tuple[str, ...]) -> Rows:
    yield *here, "type", "external"
    yield *here, "hold-time", str(device.routing.bgp.hold_seconds)
    yield *here, "multipath", "multiple-as"
    if group.bfd:
        yield *here, "bfd-liveness-detection", "minimum-interval", "3000" if group.multihop else "1000"
        yield *here, "bfd-liveness-detection", "multiplier", "3"
    if group.ttl_security and not group.multihop:
        yield *here, "ttl", "255"
    if group.password:
        link = ("dynamic-neighbor", "LINK") if "-UNNUMBERED-" in here[-1] else ()
        yield *here, *link, "authentication-key", group.password.written
    if group.multihop:
        loopback = next(row for row in device.interfaces.loopbacks if row.number == group.update_source)
        yield *here, "multihop", "ttl", "255" if group.ttl_security else str(group.multihop)
        yield *here, "multihop", "no-nexthop-change"
        yield *here, "local-address", loopback.ipv4.split("/")[0]
        yield *here, "vpn-apply-export"
    for name in group.families:
        words = {"ipv4": ("inet", "unicast"), "ipv6": ("inet6", "unicast"), "evpn": ("evpn", "signaling")}[name]
        family = (*here, "family", *words)
        yield *family, "prefix-limit", "maximum", str(group.maximum_routes)
        if group.restart_minutes:
            yield *family, "prefix-limit", "teardown", "80", "idle-timeout", str(group.restart_minutes)
        if name == "ipv4" and group.extended_next_hop:
            yield *family, "extended-nexthop"
