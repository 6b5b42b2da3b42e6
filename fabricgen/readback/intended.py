"""The rows that a Device asks for. A platform leaves out what its text does not show, and rounds as it renders."""

from collections.abc import Iterable, Iterator, Mapping
from ipaddress import ip_interface, ip_network
from typing import NamedTuple

from fabricgen.base.addresses import Address, InterfaceAddress
from fabricgen.base.secret import Secret
from fabricgen.device.device import Device
from fabricgen.device.evpn import Gateway, Vlan
from fabricgen.device.interfaces import Ethernet, Lag, PortProfile, Switching
from fabricgen.device.management import Login
from fabricgen.device.qos import Qos, QosProfile
from fabricgen.device.routing import (
    BgpVrf,
    ExternalNeighbor,
    Neighbor,
    PeerGroup,
    PrefixList,
    RoutingPolicy,
    Statement,
)
from fabricgen.readback.addresses import host, interface
from fabricgen.readback.addresses import prefix as spelled
from fabricgen.readback.policy import GRACEFUL_SHUTDOWN, HOST, Policy, PrefixRange, Term, of_family, policy
from fabricgen.readback.rows import SETTINGS, Key, Value, new

DSCPS = 64
UNPLANNED_CLASS = 0
"""Traffic class of a DSCP that the marking plan does not name (Device: Qos.dscp_classes names all)."""

Settings = Iterable[tuple[str, Value]]
Pairs = tuple[tuple[str, Value], ...]
Things = Iterator[tuple[str, str, Settings]]


def intended(device: Device) -> dict[Key, Value]:
    """Every row of a switch. Raises KeyError for a word outside the vocabulary."""
    rows: dict[Key, Value] = {}
    for thing, name, settings in _things(device):
        known = _WORDS[thing]
        for setting, value in settings:
            rows[new(Key, (thing, name, known[setting]))] = value
    return rows


_WORDS = {thing: {setting: setting for setting in settings} for thing, settings in SETTINGS.items()}


def _things(device: Device) -> Things:
    yield "switch", "", _switch(device)
    ports = _Ports(device.qos)
    for port in device.interfaces.ethernet:
        yield "port", port.name, ports.settings(port)
    for port in device.interfaces.idle:
        yield "port", port.name, DARK
    for lag in device.interfaces.lags:
        yield "lag", str(lag.number), _lag(lag)
    yield from _logical(device)
    policies = _Policies(device.routing.policy)
    yield from _bgp(device, policies)
    yield from _overlay(device, policies)
    yield "management", "", _management(device)
    for user in device.management.users:
        yield "user", user.name, (("role", user.role), ("password", user.password.written))
        if user.ssh_keys:
            yield "user", user.name, (("ssh-keys", frozenset(f"{key.type} {key.key}" for key in user.ssh_keys)),)


DARK: Pairs = (("enabled", False),)
"""Settings of a port that nothing is joined to."""


def _switch(device: Device) -> Settings:
    yield "hostname", device.name
    balancing, telemetry, qos = device.load_balancing, device.telemetry, device.qos
    yield "load-balancing", balancing.mode
    yield "hash-seed", balancing.seed
    yield "flowlet-gap", balancing.flowlet_gap_us
    yield "ecn-counters", telemetry.ecn_counters
    yield "queue-monitor", telemetry.queue_monitor is not None
    yield "load-interval", telemetry.load_interval_seconds
    yield "lldp", device.management.lldp
    if qos is not None:
        yield "headroom-pool", qos.headroom_pool_octets
        yield "resume", qos.resume_octets
        yield "alpha", qos.alpha


def _addresses(address: InterfaceAddress) -> frozenset[str]:
    """An address with its length, in its one spelling; none where it is empty."""
    return frozenset({interface(address) or str(ip_interface(address))} if address else ())


class _OfProfile(NamedTuple):
    """What all ports of a profile have, in the order of a port's settings; queues: those of its QoS profile, if any."""

    link: Pairs
    roles: Pairs
    queues: Pairs


class _Ports:
    """Ports of a switch. What a profile says of its ports is worked out once."""

    def __init__(self, qos: Qos | None) -> None:
        self._qos = qos
        self._profiles: dict[PortProfile, _OfProfile] = {}
        self._switching: dict[Switching, Pairs] = {}

    def settings(self, port: Ethernet) -> Settings:
        """Settings of one port."""
        of_profile = self._profiles.get(port.profile)
        if of_profile is None:
            of_profile = self._profiles[port.profile] = self._of_profile(port.profile)
        found: list[tuple[str, Value]] = [("description", port.description), ("enabled", port.enabled)]
        found += of_profile.link
        found += (("ipv4", _addresses(port.ipv4)), ("ipv6", _addresses(port.ipv6)))
        found += (("vrf", port.vrf), ("lag", port.lag))
        found += of_profile.roles
        if port.switching is not None:
            found += self._switching.get(port.switching) or self._switched(port.switching)
        if of_profile.queues:
            found += of_profile.queues
            found += (("headroom", port.headroom_octets), ("cable", int(port.length_m) if port.headroom_octets else 0))
        return found

    def _switched(self, switching: Switching) -> Pairs:
        found = self._switching[switching] = tuple(_switching(switching))
        return found

    def _of_profile(self, profile: PortProfile) -> _OfProfile:
        qos = self._qos
        of_name = [row for row in qos.profiles if row.name == profile.qos] if qos is not None and profile.qos else []
        return _OfProfile(
            link=(
                ("mtu", profile.mtu),
                ("speed", profile.speed_gbps),
                ("lanes", profile.lanes),
                ("fec", profile.fec),
            ),
            roles=(
                ("unnumbered", profile.unnumbered),
                ("tracking", profile.tracking),
                ("sflow", profile.sflow),
            ),
            queues=tuple(_queues(qos, of_name[0])) if qos is not None and of_name else (),
        )


def _switching(switching: Switching) -> Settings:
    yield "access-vlan", switching.access_vlan
    yield "trunk-vlans", tuple(switching.trunk_vlans)
    yield "bpdu-guard", switching.bpdu_guard
    yield "broadcast-limit", switching.broadcast_percent
    yield "multicast-limit", switching.multicast_percent
    yield "unknown-unicast-limit", switching.unknown_unicast_percent
    yield "mac-limit", switching.mac_limit
    yield "ra-guard", switching.ra_guard


def _queues(qos: Qos, profile: QosProfile) -> Settings:
    """QoS of a port. Of the rows for each class only those that a DSCP maps to count: no packet has another."""
    by_dscp = {dscp: row.traffic_class for row in qos.dscp_classes for dscp in row.dscps}
    classes = tuple(by_dscp.get(dscp, UNPLANNED_CLASS) for dscp in range(DSCPS))
    used = [row for row in sorted(qos.class_queues) if row.traffic_class in set(classes)]
    marking = [(queue.queue, *queue.ecn) for queue in profile.queues if queue.ecn is not None]
    yield "dscp-classes", classes
    yield "class-queues", tuple(number for row in used for number in row)
    yield (
        "queues",
        tuple(
            number
            for queue in sorted(profile.queues, key=lambda row: row.queue)
            for number in (queue.queue, queue.weight_percent, queue.cap_percent)
        ),
    )
    yield "ecn", tuple(number for row in marking for number in row)
    if profile.lossless_priorities:
        times = qos.watchdog
        yield "pfc", tuple(sorted(profile.lossless_priorities))
        yield "watchdog", (times.detect_ms, times.restore_ms, times.polling_ms)
        yield "watchdog-action", times.action


def _lag(lag: Lag) -> Settings:
    yield "description", lag.description
    yield "enabled", True
    yield "mtu", lag.mtu
    yield "members", frozenset(lag.members)
    yield "esi", octets(lag.esi)
    yield "es-import", octets(lag.es_import)
    yield "system-id", octets(lag.system_id)
    yield "df-preference", lag.df_preference
    yield "fallback", lag.fallback
    yield "tracking", lag.tracking
    if lag.switching is not None:
        yield from _switching(lag.switching)


def octets(text: str) -> str:
    """Octets as 00:11:22, however they are grouped: MAC addresses and ESIs are written with colons, dots or dashes."""
    digits = "".join(sign for sign in text.lower() if sign in "0123456789abcdef")
    return ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))


def _logical(device: Device) -> Things:
    for row in device.interfaces.subinterfaces:
        settings: Pairs = (
            ("description", row.description),
            ("vlan", row.vlan_id),
            ("vrf", row.vrf),
            ("ipv4", _addresses(row.ipv4)),
            ("ipv6", _addresses(row.ipv6)),
            ("mtu", row.mtu),
        )
        yield "subinterface", f"{row.parent}.{row.vlan_id}", settings
    for loopback in device.interfaces.loopbacks:
        of_loopback: Pairs = (
            ("description", loopback.description),
            ("ipv4", _addresses(loopback.ipv4)),
            ("ipv6", _addresses(loopback.ipv6)),
            ("vrf", loopback.vrf),
        )
        yield "loopback", str(loopback.number), of_loopback
    for route in device.routing.static_routes:
        if route.vrf != device.management.vrf:
            hop: Pairs = (("next-hop", route.next_hop or "discard"),)
            yield "static-route", in_vrf(route.vrf, prefix(route.prefix)), hop


def in_vrf(vrf: str, name: str) -> str:
    """Name of a thing that a tenant's VRF has, or the default VRF (empty)."""
    return f"{vrf} {name}" if vrf else name


def prefix(text: str) -> str:
    """A prefix in its one spelling."""
    return spelled(text) or str(ip_network(text))


def _bgp(device: Device, names: "_Policies") -> Things:
    bgp = device.routing.bgp
    of_speaker: Pairs = (
        ("asn", bgp.asn),
        ("router-id", bgp.router_id),
        ("maximum-paths", bgp.maximum_paths),
        ("overlay-paths", bgp.overlay_paths),
        ("wait-install", bgp.wait_install),
    )
    yield "bgp", "", of_speaker
    groups = {group.name: group for group in bgp.groups}
    timers: Pairs = (("keepalive", bgp.keepalive_seconds), ("hold", bgp.hold_seconds))
    alike: dict[tuple[str, str, str], Pairs] = {}
    for neighbor in bgp.neighbors:
        key = (neighbor.group, neighbor.route_map_in, neighbor.route_map_out)
        if key not in alike:
            alike[key] = (*_of_group(neighbor, groups[neighbor.group], names), *timers)
        own: Pairs = (("description", neighbor.description), ("remote-as", neighbor.remote_as))
        yield "session", peer(neighbor.peer), own + alike[key]
    for network in (*bgp.networks_ipv4, *bgp.networks_ipv6):
        yield "network", prefix(network), ORIGINATED
    for vrf in bgp.vrfs:
        for outside in vrf.neighbors:
            yield "session", in_vrf(vrf.name, peer(outside.address)), (*_external(outside, names), *timers)
        for network in (*vrf.networks_ipv4, *vrf.networks_ipv6):
            yield "network", in_vrf(vrf.name, prefix(network)), ORIGINATED
    for name in names.unused(device):
        yield "policy", name, (("terms", names.whole(name)),)


ORIGINATED: Pairs = (("originated", True),)
"""The one setting of a network."""


def peer(name: str) -> str:
    """The far end of a session: an address in its one spelling, or a port."""
    return host(name)


def _of_group(neighbor: Neighbor, group: PeerGroup, policies: "_Policies") -> Settings:
    """Settings of a session that neighbors of a group share, as long as they name the same policies."""
    yield "enabled", True
    yield "families", frozenset(group.families)
    for family in group.families:
        yield f"policy-in.{family}", policies.of(neighbor.route_map_in or group.route_map_in, family)
        yield f"policy-out.{family}", policies.of(neighbor.route_map_out or group.route_map_out, family)
        yield f"maximum-routes.{family}", group.maximum_routes
    yield "restart", group.restart_minutes
    yield "bfd", group.bfd
    yield "multihop", group.multihop_ttl
    yield "ttl-hops", group.ttl_hops
    yield "password", _reference(group.password)
    yield "source", group.update_source
    yield "extended-communities", group.extended_communities
    yield "next-hop-unchanged", group.next_hop_unchanged
    yield "extended-next-hop", group.extended_next_hop


def _external(neighbor: ExternalNeighbor, policies: "_Policies") -> Settings:
    yield "description", neighbor.description
    yield "remote-as", neighbor.remote_as
    yield "enabled", True
    yield "families", frozenset({neighbor.family})
    yield f"policy-in.{neighbor.family}", policies.of(neighbor.route_map_in, neighbor.family)
    yield f"policy-out.{neighbor.family}", policies.of(neighbor.route_map_out, neighbor.family)
    yield f"maximum-routes.{neighbor.family}", neighbor.maximum_routes
    yield "restart", neighbor.restart_minutes
    yield "password", _reference(neighbor.password)


def _reference(secret: Secret | None) -> str:
    return secret.written if secret is not None else ""


class _Policies:
    """The policy objects of a switch, with names replaced by what they name. Each map is worked out once."""

    def __init__(self, policy_objects: RoutingPolicy) -> None:
        self._maps = {row.name: row for row in policy_objects.route_maps}
        self._prefixes = {row.name: _ranges(row) for row in policy_objects.prefix_lists}
        self._communities = {row.name: row.community for row in policy_objects.community_lists}
        self._targets = {row.name: row.route_target for row in policy_objects.route_target_lists}
        self._paths = {row.name: row.paths for row in policy_objects.paths_lists}
        self._whole: dict[str, Policy] = {}
        self._families: dict[tuple[str, str], Policy] = {}

    def whole(self, name: str) -> Policy:
        """A map for all families."""
        if name not in self._whole:
            self._whole[name] = policy((self._term(row), 0) for row in self._maps[name].statements)
        return self._whole[name]

    def of(self, name: str, family: str) -> Policy:
        """A map as routes of one family meet it."""
        if (name, family) not in self._families:
            self._families[name, family] = of_family(self.whole(name), family)
        return self._families[name, family]

    def unused(self, device: Device) -> Iterator[str]:
        """Maps that no session and no VRF names."""
        bgp = device.routing.bgp
        sessions: list[PeerGroup | Neighbor | ExternalNeighbor] = [*bgp.groups, *bgp.neighbors]
        sessions += [neighbor for vrf in bgp.vrfs for neighbor in vrf.neighbors]
        used = {name for row in sessions for name in (row.route_map_in, row.route_map_out)}
        used |= {vrf.import_map for vrf in bgp.vrfs}
        yield from (name for name in self._maps if name not in used)

    def _term(self, row: Statement) -> Term:
        sets = {*row.set_community.split()} | ({GRACEFUL_SHUTDOWN} if row.set_graceful_shutdown else set())
        community, target = row.match_community_list, row.match_route_target_list
        return Term(
            permit=row.permit,
            communities=frozenset({self._communities[community]} if community else ()),
            route_targets=frozenset({self._targets[target]} if target else ()),
            prefixes_ipv4=self._prefixes[row.match_prefix_list_ipv4] if row.match_prefix_list_ipv4 else None,
            prefixes_ipv6=self._prefixes[row.match_prefix_list_ipv6] if row.match_prefix_list_ipv6 else None,
            fewer_paths=self._paths[row.match_paths_list] if row.match_paths_list else 0,
            set_communities=frozenset(sets),
            replace=row.replace_communities,
            local_preference=row.set_local_preference,
            set_paths=row.set_paths,
        )


def _ranges(rows: PrefixList) -> frozenset[PrefixRange]:
    return frozenset(
        PrefixRange(prefix(row.prefix), length := int(row.prefix.rpartition("/")[2]), row.longest or length)
        for row in rows.entries
    )


def full_range(family: str) -> frozenset[PrefixRange]:
    """Every prefix of a family."""
    return frozenset({PrefixRange("0.0.0.0/0" if family == "ipv4" else "::/0", 0, HOST[family])})


def _overlay(device: Device, policies: _Policies) -> Things:
    evpn = device.evpn
    vrfs: Mapping[str, BgpVrf] = {vrf.name: vrf for vrf in device.routing.bgp.vrfs}
    vnis = {vrf.name: vrf.vni for vrf in evpn.vrfs} if evpn is not None else {}
    for name in dict.fromkeys((*vrfs, *vnis)):
        yield "vrf", name, (("vni", vnis.get(name, 0)), *(_vrf(vrfs[name], policies) if name in vrfs else ()))
    if evpn is None:
        return
    duplicates = evpn.duplicate_mac
    yield "vtep", "", (("address", evpn.vtep), ("mtu", evpn.mtu), ("duplicate-mac", tuple(duplicates or ())))
    for vlan in evpn.vlans:
        yield "vlan", str(vlan.vlan_id), _vlan(vlan)
    mac = octets(evpn.gateway_mac)
    for gateway in evpn.gateways:
        yield "gateway", str(gateway.vlan_id), _gateway(gateway, mac)


def _vlan(vlan: Vlan) -> Settings:
    yield "name", vlan.name
    yield "vni", vlan.vni
    yield "rd", vlan.rd
    yield "imports", frozenset({vlan.route_target})
    yield "exports", frozenset({vlan.route_target})
    yield "mac-limit", vlan.macs


def _gateway(gateway: Gateway, mac: str) -> Settings:
    yield "description", gateway.description
    yield "vrf", gateway.vrf
    yield "ipv4", _addresses(gateway.ipv4)
    yield "ipv6", _addresses(gateway.ipv6)
    yield "mac", mac
    yield "mtu", gateway.mtu
    yield "relays", _servers((*gateway.relays_ipv4, *gateway.relays_ipv6))
    yield "relay-source", gateway.relay_source


def _vrf(vrf: BgpVrf, policies: _Policies) -> Settings:
    yield "rd", vrf.rd
    yield "imports", frozenset(vrf.import_targets)
    yield "exports", frozenset({vrf.export_target} if vrf.export_target else ())
    if vrf.import_map:
        yield "import-policy", policies.whole(vrf.import_map)


def _servers(addresses: tuple[Address, ...]) -> frozenset[str]:
    return frozenset(peer(address) for address in addresses)


def _login(login: Login) -> Settings:
    if login.banner:
        yield "login-banner", login.banner
    if login.idle_minutes:
        yield "login-idle", login.idle_minutes
    if login.only_keys:
        yield "login-keys", True
    if login.strong:
        yield "ssh-ciphers", "strong"


def _management(device: Device) -> Settings:
    row = device.management
    yield "port", row.port
    yield "vrf", row.vrf
    yield "address", str(ip_interface(row.address)) if row.address else ""
    yield "gateway", row.gateway
    yield "domain", row.domain
    yield "dns", _servers(row.dns)
    yield "ntp", _servers(row.ntp)
    yield "syslog", _servers(row.syslog)
    if row.tacacs is not None:
        yield "tacacs", _servers(row.tacacs.servers)
        yield "tacacs-key", row.tacacs.key.written
    if row.snmp is not None:
        yield "snmp-user", row.snmp.user
        yield "snmp-auth", row.snmp.auth.written
        yield "snmp-privacy", row.snmp.privacy.written
        yield "snmp-auth-algorithm", row.snmp.auth_algorithm
        yield "snmp-privacy-algorithm", row.snmp.privacy_algorithm
        yield "snmp-location", row.snmp.location
        yield "snmp-contact", row.snmp.contact
        yield "snmp-traps", _servers(row.snmp.traps)
    if row.gnmi is not None:
        yield "gnmi-port", row.gnmi.port
        yield "gnmi-certificate", row.gnmi.certificate
    yield "eapi-certificate", row.eapi_certificate
    for access in row.access:
        yield f"access-{access.service}", frozenset(access.prefixes)
    if row.login is not None:
        yield from _login(row.login)
    if row.sflow is not None:
        yield "sflow", _servers(row.sflow.collectors)
        yield "sflow-sample", row.sflow.sample
        yield "sflow-polling", row.sflow.polling_seconds
