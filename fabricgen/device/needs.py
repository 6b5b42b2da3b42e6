"""The features that a switch must support, derived from its Device: each field that has a value needs one feature.

The table is complete: `needs_of` raises for a field without a row, and a test enumerates all fields. A platform answers
each feature with a row of its capability table.
"""

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

from fabricgen.device.device import Device

Value = Any
"""The value of a field, of any type; `_gather` tests the type before it uses it."""
VALUE = "*"
"""The feature has the name of the value itself, e.g. a load-balancing mode."""


class ValueNeed(NamedTuple):
    """A field that needs a feature depending on a value: its own, or that of another field of the same type.

    features    value → feature
    other       feature of every other value; empty: none
    decided_by  name of the other field that has the value; empty: the field itself
    """

    features: Mapping[str, str]
    other: str = ""
    decided_by: str = ""


_LIMIT = ValueNeed({"evpn": "evpn-limit"}, "maximum-routes", "families")
"""Limit of the routes of a peer group: the feature depends on the group's address families."""

_SERVICE = ValueNeed({service: f"access-{service}" for service in ("ssh", "netconf", "gnmi", "api", "snmp")})
"""Sources of a management service: each service is a feature of its own."""

NO_FEATURE: Mapping[str, str] = {
    "Device.site": "a name, for messages and exports",
    "Device.fabric": "a name, for messages and exports",
    "Device.kind": "what the fabric is for: its parts say what follows",
    "Device.role": "the part a switch plays: its parts say what follows",
    "Device.system": "which platform renders it",
    "Device.version": "which release renders it: the check of releases judges it",
    "Device.state": "for push and verify: the maps of its sessions and its ports say what follows",
    "Device.hardware": "what the platform must know of the box",
    "Hardware.model": "what the platform must know of the box",
    "Hardware.asic": "what the platform must know of the box",
    "Hardware.spellings": "what the platform must know of the box",
    "Device.load_balancing": "its own fields ask",
    "Management.login": "its own fields ask",
    "Device.telemetry": "its own fields ask",
    "RawLines.where": "place in the intent",
    "Secret.kind": "which secret it is: what refers to it asks",
    "Secret.name": "which secret it is: what refers to it asks",
    "Ethernet.name": "which port it is",
    "Ethernet.profile": "its own fields ask",
    "Ethernet.peer": "for verify and explain; the description has it too",
    "Ethernet.peer_port": "for verify and explain; the description has it too",
    "Ethernet.length_m": "the headroom follows from it, which asks",
    "Ethernet.dead": "for verify: it is configured as ever",
    "PortProfile.name": "what rows share",
    "PortProfile.role": "its other fields say what follows",
    "Interfaces.ethernet": "its own fields ask",
    "Queue.queue": "which queue it is",
    "Queue.name": "a name",
    "Qos.marking": "a name: the DSCP map says what follows",
    "HeadroomProfile.cells": "the octets in the chip's unit",
    "HeadroomProfile.ports": "how many ports have it",
    "HeadroomProfile.basis": "where the octets come from",
    "HeadroomProfile.source": "where the octets come from",
    "Bgp.families": "the networks and sessions of a family ask for it",
    "Interfaces.idle": "its own fields ask",
    "Evpn.multihomed": "for systems that say it at each end of a tunnel: the segments themselves ask",
    "Routing.policy": "its own fields ask",
    "Routing.bgp": "its own fields ask",
}
"""Field → why it needs no feature of its own."""


def _each(row_type: str, feature: str, *fields: str) -> dict[str, str]:
    """Return rows for several fields of a type that need the same feature."""
    return {f"{row_type}.{field}": feature for field in fields}


FEATURES: Mapping[str, str | ValueNeed] = {
    "Device.name": "hostname",
    "Device.management": "management-port",
    "Device.interfaces": "ports",
    "Device.routing": "bgp",
    "Device.evpn": "evpn",
    "Device.qos": "dscp-map",
    "Device.raw": "raw-lines",
    **_each("RawLines", "raw-lines", "artifact", "lines"),
    **_each("Management", "management-port", "port", "address", "gateway"),
    "Management.vrf": "management-vrf",
    "Management.domain": "domain",
    "Management.dns": "dns",
    "Management.ntp": "ntp",
    "Management.syslog": "syslog",
    "Management.users": "users",
    "Management.tacacs": "aaa",
    "Management.snmp": "snmp",
    "Management.gnmi": "gnmi",
    "Management.eapi_certificate": "eapi",
    "Management.access": "access-ssh",
    "ServiceAccess.service": _SERVICE,
    "ServiceAccess.prefixes": _SERVICE._replace(decided_by="service"),
    "Login.banner": "login-banner",
    "Login.idle_minutes": "login-idle",
    "Login.only_keys": "login-keys",
    "Login.strong": "ssh-ciphers",
    "Management.lldp": "lldp",
    "Management.sflow": "sflow",
    **_each("User", "users", "name", "role", "password"),
    "User.ssh_keys": "ssh-keys",
    **_each("SshKey", "ssh-keys", "type", "key", "comment"),
    **_each("Tacacs", "aaa", "servers", "key"),
    **_each("Snmp", "snmp", "user", "auth", "privacy", "location", "contact"),
    "Snmp.traps": "snmp-traps",
    "Snmp.auth_algorithm": ValueNeed({"sha256": "snmp-sha256"}, "snmp"),
    "Snmp.privacy_algorithm": ValueNeed({"aes256": "snmp-aes256"}, "snmp"),
    **_each("Gnmi", "gnmi", "port", "certificate"),
    **_each("Sflow", "sflow", "collectors", "sample", "polling_seconds"),
    "Ethernet.description": "descriptions",
    "Ethernet.ipv4": "ipv4",
    "Ethernet.ipv6": "ipv6",
    "Ethernet.enabled": "ports",
    "Ethernet.lag": "lag",
    "Ethernet.switching": "vlans",
    "Ethernet.headroom_octets": "headroom-per-interface",
    "Ethernet.vrf": "vrfs",
    **_each("PortProfile", "ports", "routed", "speed_gbps", "lanes", "parts"),
    "PortProfile.mtu": "mtu",
    "PortProfile.fec": "fec",
    "PortProfile.qos": "dscp-map",
    "PortProfile.sflow": "sflow",
    "PortProfile.tracking": "uplink-tracking",
    "PortProfile.unnumbered": "unnumbered",
    **_each("Switching", "vlans", "access_vlan", "trunk_vlans"),
    "Switching.bpdu_guard": "bpdu-guard",
    **_each("Switching", "storm-control", "broadcast_percent", "multicast_percent"),
    "Switching.mac_limit": "mac-limit",
    "Switching.ra_guard": "ra-guard",
    "Switching.unknown_unicast_percent": "storm-control-unknown-unicast",
    "Interfaces.lags": "lag",
    "Interfaces.subinterfaces": "subinterfaces",
    "Interfaces.loopbacks": "loopbacks",
    **_each("Lag", "lag", "number", "description", "switching", "mtu", "members"),
    **_each("Lag", "esi-multihoming", "esi", "es_import", "system_id"),
    "Lag.df_preference": "df-preference",
    "Lag.fallback": "lacp-fallback",
    "Lag.tracking": "uplink-tracking",
    **_each("Subinterface", "subinterfaces", "parent", "vlan_id", "description", "mtu"),
    "Subinterface.vrf": "vrfs",
    "Subinterface.ipv4": "ipv4",
    "Subinterface.ipv6": "ipv6",
    "Loopback.number": "loopbacks",
    "Loopback.description": "loopback-descriptions",
    "Loopback.ipv4": "ipv4",
    "Loopback.ipv6": "ipv6",
    "Loopback.vrf": "vrfs",
    **_each("PrefixEntry", "prefix-lists", "sequence", "prefix", "longest"),
    **_each("PrefixList", "prefix-lists", "name", "family", "entries"),
    **_each("CommunityList", "community-lists", "name", "community"),
    "CommunityList.graceful_shutdown": "graceful-shutdown",
    **_each("RouteTargetList", "tenant-imports", "name", "route_target"),
    **_each("PathsList", "link-loss-withdraw", "name", "paths"),
    **_each("Statement", "route-maps", "sequence", "permit"),
    **_each("Statement", "route-maps", "set_community", "replace_communities", "set_local_preference"),
    "Statement.match_community_list": "community-lists",
    "Statement.match_route_target_list": "tenant-imports",
    **_each("Statement", "prefix-lists", "match_prefix_list_ipv4", "match_prefix_list_ipv6"),
    "Statement.set_graceful_shutdown": "graceful-shutdown",
    "Statement.match_paths_list": "link-loss-withdraw",
    "Statement.set_paths": "link-loss-weighted",
    **_each("RouteMap", "route-maps", "name", "statements"),
    **_each("StaticRoute", "static-routes", "vrf", "family", "prefix", "next_hop"),
    "RoutingPolicy.prefix_lists": "prefix-lists",
    "RoutingPolicy.community_lists": "community-lists",
    "RoutingPolicy.route_target_lists": "tenant-imports",
    "RoutingPolicy.route_maps": "route-maps",
    "RoutingPolicy.paths_lists": "link-loss-withdraw",
    **_each("PeerGroup", "bgp", "name", "update_source", "multihop"),
    "PeerGroup.description": "descriptions",
    "PeerGroup.families": ValueNeed({"ipv4": "ipv4", "ipv6": "ipv6", "evpn": "evpn-routes"}),
    **_each("PeerGroup", "route-maps", "route_map_in", "route_map_out"),
    "PeerGroup.maximum_routes": _LIMIT,
    "PeerGroup.restart_minutes": _LIMIT,
    "PeerGroup.bfd": "bfd",
    **_each("PeerGroup", "evpn-routes", "extended_communities", "next_hop_unchanged"),
    "PeerGroup.extended_next_hop": "unnumbered",
    "PeerGroup.ttl_security": ValueNeed({"send": "ttl-send", "check": "ttl-check"}),
    "PeerGroup.password": "fabric-password",
    **_each("Neighbor", "bgp", "address", "group", "remote_as"),
    "Neighbor.description": "descriptions",
    **_each("Neighbor", "route-maps", "route_map_in", "route_map_out"),
    "Neighbor.interface": "unnumbered",
    **_each("ExternalNeighbor", "external-bgp", "address", "family", "remote_as"),
    "ExternalNeighbor.description": "descriptions",
    **_each("ExternalNeighbor", "route-maps", "route_map_in", "route_map_out"),
    **_each("ExternalNeighbor", "maximum-routes", "maximum_routes", "restart_minutes"),
    "ExternalNeighbor.password": "bgp-password",
    **_each("BgpVrf", "vrfs", "name", "rd", "import_targets", "export_target"),
    **_each("BgpVrf", "tenant-imports", "imports", "import_map"),
    **_each("BgpVrf", "networks", "networks_ipv4", "networks_ipv6"),
    "BgpVrf.neighbors": "external-bgp",
    **_each("Bgp", "bgp", "asn", "router_id", "groups", "neighbors"),
    **_each("Bgp", "bgp-timers", "keepalive_seconds", "hold_seconds"),
    **_each("Bgp", "ecmp", "maximum_paths", "overlay_paths"),
    "Bgp.wait_install": "wait-install",
    **_each("Bgp", "networks", "networks_ipv4", "networks_ipv6"),
    "Bgp.vrfs": "vrfs",
    "Routing.static_routes": "static-routes",
    **_each("Evpn", "evpn", "vtep", "gateway_mac", "mtu"),
    "Evpn.vlans": "vlans",
    "Evpn.vrfs": "vrfs",
    "Evpn.gateways": "anycast-gateway",
    "Evpn.marks": "tunnel-marks",
    "Evpn.duplicate_mac": "duplicate-mac",
    **_each("DuplicateMac", "duplicate-mac", "moves", "window_seconds"),
    "DuplicateMac.recovery_seconds": "duplicate-mac-recovery",
    "Vlan.name": "vlan-names",
    **_each("Vlan", "vlans", "vlan_id", "vni", "rd", "route_target", "vrf", "macs"),
    **_each("Vrf", "vrfs", "name", "vni", "id"),
    **_each("Gateway", "anycast-gateway", "vlan_id", "vrf", "mtu"),
    "Gateway.description": "descriptions",
    "Gateway.ipv4": "ipv4",
    "Gateway.ipv6": "ipv6",
    **_each("Gateway", "dhcp-relay", "relays_ipv4", "relays_ipv6", "relay_source"),
    **_each("Qos", "dscp-map", "dscp_classes", "class_queues"),
    **_each("DscpClass", "dscp-map", "traffic_class", "dscps"),
    **_each("ClassQueue", "dscp-map", "traffic_class", "queue"),
    "Qos.profiles": "queues",
    **_each("Queue", "queues", "weight_percent", "cap_percent"),
    "Queue.ecn": "ecn",
    **_each("Ecn", "ecn", "minimum_octets", "maximum_octets", "probability_percent"),
    **_each("QosProfile", "queues", "name", "speed_gbps", "queues"),
    "QosProfile.lossless_priorities": "pfc",
    **_each("Qos", "headroom", "headroom", "headroom_octets"),
    **_each("HeadroomProfile", "headroom", "speed_gbps", "length_m", "octets"),
    "Qos.headroom_pool_octets": "headroom-pool",
    "Qos.alpha": "alpha",
    "Qos.resume_octets": "resume-offset",
    "Qos.watchdog": "pfc-watchdog",
    **_each("Watchdog", "pfc-watchdog", "detect_ms", "restore_ms", "polling_ms"),
    "Watchdog.action": ValueNeed({"notify": "pfc-watchdog-notify"}),
    "LoadBalancing.mode": VALUE,
    "LoadBalancing.seed": "hash-seed",
    "LoadBalancing.flowlet_gap_us": "flowlet-gap",
    "LoadBalancing.cluster": "cluster",
    **_each("Cluster", "cluster", "destination_length", "aging_seconds", "ports"),
    "Telemetry.ecn_counters": "ecn-counters",
    "Telemetry.queue_monitor": "queue-monitor",
    "Telemetry.load_interval_seconds": "load-interval",
    **_each("QueueMonitor", "queue-monitor", "high", "low"),
    "QueueMonitor.latency": "queue-latency",
    "QueueMonitor.streaming": "queue-streaming",
    "QueueMonitor.captures": "congestion-capture",
}
"""Field → the feature that it needs where it has a value."""

ZERO_IS_VALUE: frozenset[str] = frozenset(
    (
        "LoadBalancing.seed",
        "PeerGroup.update_source",
        "Loopback.number",
        "Gateway.relay_source",
        "Statement.set_local_preference",
        "Vrf.id",
    )
)
"""Fields in which 0 is a value; in all other fields 0 means that nothing is set."""


def needs_of(device: Device) -> frozenset[str]:
    """Return every feature that the configuration of a switch needs. Raises KeyError for a field without a row."""
    features: set[str] = set()
    _gather(device, features)
    return frozenset(features)


def has_value(field: str, value: object) -> bool:
    """Return whether a field, as `Type.field`, has a value: not None, empty, False or -1; 0 only in ZERO_IS_VALUE."""
    return value != -1 if value else value == 0 and value is not False and field in ZERO_IS_VALUE


def _gather(row: tuple[Value, ...], features: set[str]) -> None:
    """Add the features that a value and all values below it need."""
    # A switch has thousands of fields, most of them empty: test that first.
    for index, field, need in _rows(type(row)):
        value = row[index]
        if (not value and field not in ZERO_IS_VALUE) or not has_value(field, value):
            continue
        if isinstance(need, ValueNeed):
            features.update(_chosen(need, getattr(row, need.decided_by) if need.decided_by else value))
        elif need:
            features.add(str(value) if need == VALUE else need)
        if isinstance(value, tuple):
            # Lists repeat the same rows (profiles, secrets): look at equal ones once.
            for item in (value,) if hasattr(value, "_fields") else dict.fromkeys(value):
                if isinstance(item, tuple):
                    _gather(item, features)


def _chosen(need: ValueNeed, value: Value) -> set[str]:
    """Return the features that a value, or each value of a tuple, needs."""
    values = value if isinstance(value, tuple) else (value,)
    return {feature for item in values if (feature := need.features.get(item, need.other))}


@cache
def _rows(row_type: type) -> tuple[tuple[int, str, "str | ValueNeed"], ...]:
    """Return position, name and feature of each field of a type; the feature is empty for fields of NO_FEATURE."""
    fields = [f"{row_type.__name__}.{name}" for name in row_type._fields]  # type: ignore[attr-defined]
    return tuple((index, field, "" if field in NO_FEATURE else FEATURES[field]) for index, field in enumerate(fields))
