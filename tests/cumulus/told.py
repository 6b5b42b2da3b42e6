"""What a Device asks of NVUE outside routing and RoCE, as commands: made from the Device alone, by the documents.

Routing is compared by FRR's own text (test_cumulus_classic.py), RoCE by tests/cumulus/roce.py.
"""

import re
from collections.abc import Iterator

from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet, Switching
from fabricgen.device.management import User
from tests.cumulus.reading import Leaf, leaves, tree

ROUTING = re.compile(r"(?s)(router (bgp|policy)|vrf \S+ router|system config snippet|evpn vni|qos) .*")
UNHEARD = re.compile(
    r"router bgp enable .*|vrf \S+ router bgp (autonomous-system|router-id|path-selection multipath bandwidth) .*"
    r"|vrf default router bgp address-family l2vpn-evpn enable .*"
    r"|vrf default router bgp neighbor \S+ address-family l2vpn-evpn (enable|prefix-limits) .*"
    r"|vrf default router bgp neighbor \S+ ttl-security .*"
    r"|vrf \S+ router bgp neighbor \S+ timers .*"
    r"|router policy route-map \S+ rule \d+ set ipv6-nexthop-prefer-global .*"
)
"""Routing that FRR 8.4 has by itself, or not at all."""
QUALITY = re.compile(r"interface \S+ qos .*")
FEC = {"rs-fec": "rs", "fc-fec": "baser", "none": "off"}
ROLES = {"network-admin": "system-admin", "network-operator": "nvue-monitor"}


FACTORY: tuple[tuple[str, str | None], ...] = (
    ("system aaa class nvapply action", "allow"),
    ("system aaa class nvapply command-path / permission", "all"),
    ("system aaa class nvshow action", "allow"),
    ("system aaa class nvshow command-path / permission", "ro"),
    ("system aaa class sudo action", "allow"),
    ("system aaa class sudo command-path / permission", "all"),
    ("system aaa role nvue-admin class nvapply", None),
    ("system aaa role nvue-monitor class nvshow", None),
    ("system aaa role system-admin class nvapply", None),
    ("system aaa role system-admin class sudo", None),
    ("system api state", "enabled"),
    ("system config auto-save state", "enabled"),
    ("system control-plane acl acl-default-dos inbound", None),
    ("system control-plane acl acl-default-whitelist inbound", None),
    ("system ssh-server state", "enabled"),
)
"""The startup.yaml of a new switch, without its account (511 NVUE CLI, Default Startup File; the
configurations of 5.x switches in NVIDIA's guides have the same lines)."""


def differences(text: str, device: Device) -> list[str]:
    """Commands that are told and not asked (+), or asked and not told (-)."""
    told = {line(leaf) for leaf in leaves(tree(text))}
    told = {command for command in told if not _is_of_others(command)}
    asked = {line(leaf) for leaf in _asked(device)}
    return [
        *(f"- {command}" for command in sorted(asked - told)),
        *(f"+ {command}" for command in sorted(told - asked)),
    ]


def _is_of_others(command: str) -> bool:
    routing = ROUTING.fullmatch(command) and not UNHEARD.fullmatch(command)
    return bool(routing or QUALITY.fullmatch(command))


def line(leaf: Leaf) -> str:
    """A command as a person types it."""
    path, value = leaf
    return " ".join(path) if value is None else f"{' '.join(path)} {value}"


def _asked(device: Device) -> Iterator[Leaf]:
    for part in (_access, _ports, _bonds, _tunnels, _vrfs, _speakers, _system, _services, _relays):
        for words, value in part(device):
            yield tuple(words.split(" ")), value


Told = Iterator[tuple[str, str | None]]


def _addresses(base: str, *found: str) -> Told:
    yield from ((f"{base} ip address {address}", None) for address in found if address)


def _access(device: Device) -> Told:
    """Who may speak to SSH, to the API (two ports; the switch itself, too) and to gNMI: lists of the control plane."""
    own = device.management
    sources = {row.service: row.prefixes for row in own.access}
    ports = [("ssh", 22), ("api", 443), ("api", 8765), *([("gnmi", own.gnmi.port)] if own.gnmi else [])]
    here = f"{own.address.split('/')[0]}/32"
    rules: dict[str, list[tuple[str, int, dict[str, str]]]] = {"ipv4": [], "ipv6": []}
    for service, port in ports if own.access else ():
        for source in sources[service]:
            match = {"source-ip": "ANY" if source == "0.0.0.0/0" else source, "dest-ip": here}
            rules["ipv4"].append(("permit", port, match))
        rules["ipv4"] += [("permit", port, {"source-ip": "127.0.0.1"})] if service == "api" else []
        for found in rules.values():
            found.append(("deny", port, {}))
    for family, name in (("ipv4", "MANAGEMENT"), ("ipv6", "MANAGEMENT-IPV6")) if own.access else ():
        yield f"system control-plane acl {name} inbound", None
        yield f"acl {name} type", family
        for at, (action, port, match) in enumerate(rules[family], 1):
            base = f"acl {name} rule {10 * at}"
            yield f"{base} action {action}", None
            yield f"{base} match ip protocol", "tcp"
            yield f"{base} match ip tcp dest-port {port}", None
            yield from ((f"{base} match ip {word}", value) for word, value in match.items())


def _ports(device: Device) -> Told:
    management = device.management
    yield from _addresses("interface eth0", management.address)
    yield f"interface eth0 ip gateway {management.gateway}", None
    yield "interface eth0 ip vrf", "mgmt"
    yield "interface eth0 type", "eth"
    yield "interface lo type", "loopback"
    for loopback in device.interfaces.loopbacks:
        if not loopback.vrf:
            yield from _addresses("interface lo", loopback.ipv4, loopback.ipv6)
    for row in (*device.interfaces.ethernet, *device.interfaces.idle):
        yield from _port(device, row)
    for sub in device.interfaces.subinterfaces:
        base = f"interface {sub.parent}.{sub.vlan_id}"
        yield from _addresses(base, sub.ipv4, sub.ipv6)
        rows = (("ip vrf", sub.vrf), ("type", "sub"), ("vlan", sub.vlan_id), ("base-interface", sub.parent))
        yield from ((f"{base} {word}", str(value)) for word, value in (*rows, ("link mtu", sub.mtu)))
        yield f"{base} description", sub.description


def _port(device: Device, row: Ethernet) -> Told:
    base, profile = f"interface {row.name}", row.profile
    yield f"{base} description", row.description
    yield f"{base} type", "swp"
    yield f"{base} link speed", f"{profile.speed_gbps}G"
    yield from _addresses(base, row.ipv4, row.ipv6)
    if profile.fec:
        yield f"{base} link fec", FEC[profile.fec]
    if not row.lag:
        yield f"{base} link mtu", str(profile.mtu)
    if row.vrf:
        yield f"{base} ip vrf", row.vrf
    if not row.enabled:
        yield f"{base} link state down", None
    if row.switching and not row.lag:
        yield from _switched(base, row.switching)
        if row.switching.mac_limit:
            yield f"{base} port-security enable", "on"
            yield f"{base} port-security mac-limit", str(row.switching.mac_limit)
            yield f"{base} port-security violation-mode", "restrict"
    if profile.role == "uplink" and device.evpn and device.evpn.multihomed:
        yield f"{base} evpn multihoming uplink", "on"
    yield from _width(row)
    yield from _spread(device, row)


def _width(row: Ethernet) -> Told:
    parts, lanes = row.profile.parts, str(row.profile.lanes)
    if parts == 1:
        yield f"interface {row.name} link lanes", lanes
        return
    cage = re.sub(r"s\d$", "", row.name)
    yield f"interface {cage} link breakout {parts}x lanes-per-port", lanes
    yield f"interface {cage} type", "swp"
    if parts == 8:
        beside = f"interface swp{int(cage.removeprefix('swp')) + 1}"
        yield f"{beside} link breakout disabled", None
        yield f"{beside} type", "swp"


def _spread(device: Device, row: Ethernet) -> Told:
    monitor, base = device.telemetry.queue_monitor, f"interface {row.name}"
    if device.load_balancing.mode == "dlb-per-packet" and row.profile.role in ("uplink", "downlink"):
        yield f"{base} router adaptive-routing enable", "on"
    if monitor and row.enabled:
        here = f"{base} telemetry histogram egress-buffer traffic-class {3 if row.profile.qos else 0}"
        if monitor.high:
            yield f"{here} threshold action", "log"
            yield f"{here} threshold value", str(monitor.high)
        else:
            yield here, None


def _switched(base: str, switching: Switching) -> Told:
    here = f"{base} bridge domain br_default"
    if switching.ra_guard:
        yield f"{base} acl RA-GUARD inbound", None
        yield "acl RA-GUARD type", "ipv6"
        yield "acl RA-GUARD rule 10 action deny", None
        yield "acl RA-GUARD rule 10 match ip protocol", "icmpv6"
        yield "acl RA-GUARD rule 10 match ip icmpv6-type", "router-advertisement"
    if switching.access_vlan:
        yield f"{here} access", str(switching.access_vlan)
    else:
        yield f"{here} untagged", "none"
        yield from ((f"{here} vlan {vlan}", None) for vlan in switching.trunk_vlans)
    if switching.bpdu_guard:
        yield f"{here} stp admin-edge", "on"
        yield f"{here} stp bpdu-guard", "on"


def _bonds(device: Device) -> Told:
    for lag in device.interfaces.lags:
        base = f"interface bond{lag.number}"
        yield from ((f"{base} bond member {member}", None) for member in lag.members)
        yield from _switched(base, lag.switching)
        rows = (("bond mode", "lacp"), ("description", lag.description), ("link mtu", str(lag.mtu)), ("type", "bond"))
        yield from ((f"{base} {word}", value) for word, value in rows)
        if lag.fallback:
            yield f"{base} bond lacp-bypass", "on"
        if lag.esi:
            digits = lag.esi.replace(":", "")
            esi = ":".join(re.findall("..", digits))
            segment = (("enable", "on"), ("identifier", esi), ("mac-address", lag.system_id))
            yield from ((f"{base} evpn multihoming segment {word}", value) for word, value in segment)
            preference = lag.df_preference or (1 if device.state == "drained" else 0)
            if preference:
                yield f"{base} evpn multihoming segment df-preference", str(preference)


def _tunnels(device: Device) -> Told:
    evpn = device.evpn
    if evpn is None:
        return
    yield "evpn enable", "on"
    if evpn.multihomed:
        yield "evpn multihoming enable", "on"
        yield "evpn dad enable", "off"
    if evpn.duplicate_mac:
        yield "evpn dad enable", "on"
        yield "evpn dad mac-move-threshold", str(evpn.duplicate_mac.moves)
        yield "evpn dad move-window", str(evpn.duplicate_mac.window_seconds)
        yield "evpn dad duplicate-action freeze duration", str(evpn.duplicate_mac.recovery_seconds)
    for vlan in evpn.vlans:
        yield f"bridge domain br_default vlan {vlan.vlan_id} vni {vlan.vni}", None
    rows = (("arp-nd-suppress", "on"), ("enable", "on"), ("flooding enable", "on"), ("mac-learning", "off"))
    yield from ((f"nve vxlan {word}", value) for word, value in rows)
    yield "nve vxlan flooding head-end-replication evpn", None
    yield "nve vxlan mtu", str(evpn.mtu)
    yield "nve vxlan source address", evpn.vtep
    if evpn.marks:
        yield "nve vxlan decapsulation dscp action", "preserve"
        yield "nve vxlan encapsulation dscp action", "copy"
    for row in evpn.gateways:
        base = f"interface vlan{row.vlan_id}"
        yield from _addresses(base, row.ipv4, row.ipv6)
        told = (("ip vrf", row.vrf), ("link mac-address", evpn.gateway_mac), ("link mtu", row.mtu), ("type", "svi"))
        yield from ((f"{base} {word}", str(value)) for word, value in (*told, ("vlan", row.vlan_id)))
        yield f"{base} description", row.description


def _vrfs(device: Device) -> Told:
    """L3 VNIs on VLANs from 3724 down by the tenant's number: no network of these intents is there."""
    for vrf in device.evpn.vrfs if device.evpn else ():
        yield f"vrf {vrf.name} evpn enable", "on"
        yield f"vrf {vrf.name} evpn vlan", str(3725 - vrf.id)
        yield f"vrf {vrf.name} evpn vni {vrf.vni}", None
    for loopback in device.interfaces.loopbacks:
        if loopback.vrf:
            rows = filter(None, (loopback.ipv4, loopback.ipv6))
            yield from ((f"vrf {loopback.vrf} loopback ip address {address}", None) for address in rows)


def _speakers(device: Device) -> Told:
    bgp = device.routing.bgp
    yield "router bgp enable", "on"
    yield "vrf default router bgp path-selection multipath bandwidth", "all-paths"
    for vrf in bgp.vrfs:
        yield f"vrf {vrf.name} router bgp autonomous-system", str(bgp.asn)
        yield f"vrf {vrf.name} router bgp router-id", bgp.router_id
    outside = [(vrf.name, peer.address) for vrf in bgp.vrfs for peer in vrf.neighbors]
    yield from ((f"vrf {place} router bgp neighbor {peer} timers connection-retry", "1") for place, peer in outside)
    peers = [*(("default", peer.peer) for peer in bgp.neighbors), *outside]
    for place, peer in peers if (bgp.keepalive_seconds, bgp.hold_seconds) != (3, 9) else ():
        yield f"vrf {place} router bgp neighbor {peer} timers keepalive", str(bgp.keepalive_seconds)
        yield f"vrf {place} router bgp neighbor {peer} timers hold", str(bgp.hold_seconds)
    yield from _global_next_hops(device)
    yield from _guarded(device)
    limits = {group.name: group for group in bgp.groups if "evpn" in group.families}
    if limits:
        yield "vrf default router bgp address-family l2vpn-evpn enable", "on"
    for session in bgp.neighbors:
        if limit := limits.get(session.group):
            base = f"vrf default router bgp neighbor {session.peer} address-family l2vpn-evpn"
            yield f"{base} enable", "on"
            yield f"{base} prefix-limits inbound maximum", str(limit.maximum_routes)
            if limit.restart_minutes:
                yield f"{base} prefix-limits inbound reestablish-wait", str(60 * limit.restart_minutes)
            else:
                yield f"{base} prefix-limits inbound warning-only", "on"


def _guarded(device: Device) -> Told:
    """Optional BGP Configuration, TTL security: of each neighbor."""
    groups = {group.name: group for group in device.routing.bgp.groups}
    for session in device.routing.bgp.neighbors:
        if groups[session.group].ttl_security == "check":
            guard = f"vrf default router bgp neighbor {session.peer} ttl-security"
            yield f"{guard} enable", "on"
            yield f"{guard} hops", "2" if groups[session.group].update_source >= 0 else "1"


def _global_next_hops(device: Device) -> Told:
    """What comes in over IPv6 between numbered ends, where packets go their own ways (511 Equal Cost Multipath)."""
    if device.load_balancing.mode != "dlb-per-packet":
        return
    six = {group.name: group.route_map_in for group in device.routing.bgp.groups if "ipv6" in group.families}
    peers = [row for row in device.routing.bgp.neighbors if ":" in row.address and row.group in six]
    maps = {row.route_map_in or six[row.group] for row in peers}
    for found in device.routing.policy.route_maps:
        for row in found.statements if found.name in maps else ():
            if row.permit:
                yield f"router policy route-map {found.name} rule {row.sequence} set ipv6-nexthop-prefer-global", "on"


def _user(user: User) -> Told:
    yield f"system aaa user {user.name} hashed-password", user.password.written
    yield f"system aaa user {user.name} role", ROLES[user.role]
    for number, key in enumerate(user.ssh_keys, 1):
        yield f"system aaa user {user.name} ssh authorized-key key{number} key", key.key
        yield f"system aaa user {user.name} ssh authorized-key key{number} type", key.type


def _system(device: Device) -> Told:
    management = device.management
    yield "system hostname", device.name
    yield from FACTORY
    yield "system forwarding hash-seed", str(device.load_balancing.seed)
    if device.load_balancing.mode == "dlb-per-packet":
        yield "router adaptive-routing enable", "on"
    if device.telemetry.queue_monitor:
        yield "system telemetry enable", "on"
    for user in management.users:
        yield from _user(user)
    if management.tacacs:
        servers = management.tacacs.servers
        for at, server in enumerate(servers, 1):
            yield f"system aaa tacacs server {at} host", server
            yield f"system aaa tacacs server {at} secret", management.tacacs.key.written
            if ":" in server:
                yield f"system aaa tacacs server {at} prefer-ip-version", "6"
        yield "system aaa authentication-order 1", "tacacs"
        yield "system aaa authentication-order 2", "local"
        yield "system aaa tacacs enable", "on"
        yield "system aaa tacacs vrf", "mgmt"
    if management.sflow:
        sflow = management.sflow
        yield from ((f"system sflow collector {collector} interface", "eth0") for collector in sflow.collectors)
        rows = (("agent interface", "eth0"), ("poll-interval", str(sflow.polling_seconds)), ("state", "enabled"))
        yield from ((f"system sflow {word}", value) for word, value in rows)
        speeds = {row.profile.speed_gbps for row in device.interfaces.ethernet}
        yield from ((f"system sflow sampling-rate speed-{speed}g", str(sflow.sample)) for speed in speeds)


def _services(device: Device) -> Told:
    management = device.management
    yield from ((f"service dns mgmt server {server}", None) for server in management.dns)
    yield "service lldp state", "enabled" if management.lldp else "disabled"
    if management.domain:
        yield f"service dns mgmt search {management.domain}", None
    yield from ((f"service syslog mgmt server {server}", None) for server in management.syslog)
    if management.eapi_certificate:
        yield "system api certificate", management.eapi_certificate
    if management.login is not None:
        yield "system message pre-login", management.login.banner
        yield "system ssh-server inactive-timeout", str(management.login.idle_minutes)
    yield from ((f"service ntp mgmt server {server} iburst", "on") for server in management.ntp)
    if management.ntp:
        yield "service ntp mgmt listen", "eth0"


def _relays(device: Device) -> Told:
    ids = {vrf.name: vrf.id for vrf in device.evpn.vrfs} if device.evpn else {}
    sources = {row.vrf: row.ipv4.partition("/")[0] for row in device.interfaces.loopbacks if row.vrf}
    uplinks = [row.name for row in device.interfaces.ethernet if row.profile.role == "uplink"]
    for row in device.evpn.gateways if device.evpn else ():
        l3 = f"vlan{3725 - ids[row.vrf]}_l3"
        if row.relays_ipv4:
            base = f"service dhcp-relay {row.vrf}"
            yield f"{base} gateway-interface {row.vrf} address", sources[row.vrf]
            yield from ((f"{base} interface {port}", None) for port in (f"vlan{row.vlan_id}", l3, *uplinks))
            yield from ((f"{base} server {server}", None) for server in row.relays_ipv4)
        if row.relays_ipv6:
            base = f"service dhcp-relay6 {row.vrf} interface"
            yield f"{base} downstream vlan{row.vlan_id}", None
            yield f"{base} upstream {l3}", None
            yield from ((f"{base} upstream {row.vrf} server-address", server) for server in row.relays_ipv6)
