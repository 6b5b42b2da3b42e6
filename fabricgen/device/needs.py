"""The features that a switch must support, derived from its Device: each field that has a value needs one feature.

The table is complete: `needs_of` raises for a field without a row, and a test enumerates all fields. A platform answers
each feature with a row of its capability table.
"""

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Any, NamedTuple

from fabricgen.device.device import Device

Value = Any
"""The value of a field, of any type; `_gather` tests the type before it uses it."""
VALUE = "*"
"""The feature has the name of the value itself, e.g. a load-balancing mode."""


class ValueNeed(NamedTuple):
    """A field that needs a feature depending on a value: its own, or that of another field of the same type.

    features  value → feature
    other     feature of every other value; empty: none
    beside    name of the other field that has the value; empty: the field itself
    """

    features: Mapping[str, str]
    other: str = ""
    beside: str = ""


_LIMIT = ValueNeed({"evpn": "evpn-limit"}, "maximum-routes", "families")
"""Limit of the routes of a peer group: the feature depends on the group's address families."""

NO_FEATURE: Mapping[str, str] = MappingProxyType(
    {
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
)
"""Field → why it needs no feature of its own."""

FEATURES: Mapping[str, str | ValueNeed] = MappingProxyType(
    {
        "Device.name": "hostname",
        "Device.management": "management-port",
        "Device.interfaces": "ports",
        "Device.routing": "bgp",
        "Device.evpn": "evpn",
        "Device.qos": "dscp-map",
        "Device.raw": "raw-lines",
        "RawLines.artifact": "raw-lines",
        "RawLines.lines": "raw-lines",
        "Management.port": "management-port",
        "Management.vrf": "management-vrf",
        "Management.address": "management-port",
        "Management.gateway": "management-port",
        "Management.domain": "domain",
        "Management.dns": "dns",
        "Management.ntp": "ntp",
        "Management.syslog": "syslog",
        "Management.users": "users",
        "Management.tacacs": "aaa",
        "Management.snmp": "snmp",
        "Management.gnmi": "gnmi",
        "Management.eapi_certificate": "eapi",
        "Management.lldp": "lldp",
        "Management.sflow": "sflow",
        **dict.fromkeys(("User.name", "User.role", "User.password"), "users"),
        **dict.fromkeys(("Tacacs.servers", "Tacacs.key"), "aaa"),
        **dict.fromkeys(("Snmp.user", "Snmp.auth", "Snmp.privacy", "Snmp.location", "Snmp.contact"), "snmp"),
        "Snmp.traps": "snmp-traps",
        **dict.fromkeys(("Gnmi.port", "Gnmi.certificate"), "gnmi"),
        **dict.fromkeys(("Sflow.collectors", "Sflow.sample", "Sflow.polling_seconds"), "sflow"),
        "Ethernet.description": "descriptions",
        "Ethernet.ipv4": "ipv4",
        "Ethernet.ipv6": "ipv6",
        "Ethernet.enabled": "ports",
        "Ethernet.lag": "lag",
        "Ethernet.switching": "vlans",
        "Ethernet.headroom_octets": "headroom-per-interface",
        "Ethernet.vrf": "vrfs",
        "PortProfile.routed": "ports",
        "PortProfile.speed_gbps": "ports",
        "PortProfile.lanes": "ports",
        "PortProfile.parts": "ports",
        "PortProfile.mtu": "mtu",
        "PortProfile.fec": "fec",
        "PortProfile.qos": "dscp-map",
        "PortProfile.sflow": "sflow",
        "PortProfile.tracking": "uplink-tracking",
        "PortProfile.unnumbered": "unnumbered",
        "Switching.access_vlan": "vlans",
        "Switching.trunk_vlans": "vlans",
        "Switching.bpdu_guard": "bpdu-guard",
        "Switching.broadcast_percent": "storm-control",
        "Switching.multicast_percent": "storm-control",
        "Switching.mac_limit": "mac-limit",
        "Interfaces.lags": "lag",
        "Interfaces.subinterfaces": "subinterfaces",
        "Interfaces.loopbacks": "loopbacks",
        **dict.fromkeys(("Lag.number", "Lag.description", "Lag.switching", "Lag.mtu", "Lag.members"), "lag"),
        **dict.fromkeys(("Lag.esi", "Lag.es_import", "Lag.system_id"), "esi-multihoming"),
        "Lag.df_preference": "df-preference",
        "Lag.fallback": "lacp-fallback",
        "Lag.tracking": "uplink-tracking",
        **dict.fromkeys(
            (f"Subinterface.{name}" for name in ("parent", "vlan_id", "description", "mtu")), "subinterfaces"
        ),
        "Subinterface.vrf": "vrfs",
        "Subinterface.ipv4": "ipv4",
        "Subinterface.ipv6": "ipv6",
        "Loopback.number": "loopbacks",
        "Loopback.description": "loopback-descriptions",
        "Loopback.ipv4": "ipv4",
        "Loopback.ipv6": "ipv6",
        "Loopback.vrf": "vrfs",
        **dict.fromkeys(("PrefixEntry.sequence", "PrefixEntry.prefix", "PrefixEntry.longest"), "prefix-lists"),
        **dict.fromkeys(("PrefixList.name", "PrefixList.family", "PrefixList.entries"), "prefix-lists"),
        "CommunityList.name": "community-lists",
        "CommunityList.community": "community-lists",
        "CommunityList.graceful_shutdown": "graceful-shutdown",
        "RouteTargetList.name": "tenant-imports",
        "RouteTargetList.route_target": "tenant-imports",
        "PathsList.name": "link-loss-withdraw",
        "PathsList.paths": "link-loss-withdraw",
        "Statement.sequence": "route-maps",
        "Statement.permit": "route-maps",
        "Statement.match_community_list": "community-lists",
        "Statement.match_route_target_list": "tenant-imports",
        "Statement.match_prefix_list_ipv4": "prefix-lists",
        "Statement.match_prefix_list_ipv6": "prefix-lists",
        "Statement.set_community": "route-maps",
        "Statement.set_graceful_shutdown": "graceful-shutdown",
        "Statement.replace_communities": "route-maps",
        "Statement.set_local_preference": "route-maps",
        "Statement.match_paths_list": "link-loss-withdraw",
        "Statement.set_paths": "link-loss-weighted",
        "RouteMap.name": "route-maps",
        "RouteMap.statements": "route-maps",
        **dict.fromkeys((f"StaticRoute.{name}" for name in ("vrf", "family", "prefix", "next_hop")), "static-routes"),
        "RoutingPolicy.prefix_lists": "prefix-lists",
        "RoutingPolicy.community_lists": "community-lists",
        "RoutingPolicy.route_target_lists": "tenant-imports",
        "RoutingPolicy.route_maps": "route-maps",
        "RoutingPolicy.paths_lists": "link-loss-withdraw",
        "PeerGroup.name": "bgp",
        "PeerGroup.description": "descriptions",
        "PeerGroup.families": ValueNeed({"ipv4": "ipv4", "ipv6": "ipv6", "evpn": "evpn-routes"}),
        "PeerGroup.route_map_in": "route-maps",
        "PeerGroup.route_map_out": "route-maps",
        "PeerGroup.maximum_routes": _LIMIT,
        "PeerGroup.restart_minutes": _LIMIT,
        "PeerGroup.bfd": "bfd",
        "PeerGroup.extended_communities": "evpn-routes",
        "PeerGroup.update_source": "bgp",
        "PeerGroup.multihop": "bgp",
        "PeerGroup.next_hop_unchanged": "evpn-routes",
        "PeerGroup.extended_next_hop": "unnumbered",
        "Neighbor.address": "bgp",
        "Neighbor.group": "bgp",
        "Neighbor.remote_as": "bgp",
        "Neighbor.description": "descriptions",
        "Neighbor.route_map_in": "route-maps",
        "Neighbor.route_map_out": "route-maps",
        "Neighbor.interface": "unnumbered",
        **dict.fromkeys((f"ExternalNeighbor.{name}" for name in ("address", "family", "remote_as")), "external-bgp"),
        "ExternalNeighbor.description": "descriptions",
        "ExternalNeighbor.route_map_in": "route-maps",
        "ExternalNeighbor.route_map_out": "route-maps",
        "ExternalNeighbor.maximum_routes": "maximum-routes",
        "ExternalNeighbor.restart_minutes": "maximum-routes",
        "ExternalNeighbor.password": "bgp-password",
        **dict.fromkeys((f"BgpVrf.{name}" for name in ("name", "rd", "import_targets", "export_target")), "vrfs"),
        "BgpVrf.imports": "tenant-imports",
        "BgpVrf.import_map": "tenant-imports",
        "BgpVrf.networks_ipv4": "networks",
        "BgpVrf.networks_ipv6": "networks",
        "BgpVrf.neighbors": "external-bgp",
        **dict.fromkeys((f"Bgp.{name}" for name in ("asn", "router_id", "groups", "neighbors")), "bgp"),
        "Bgp.keepalive_seconds": "bgp-timers",
        "Bgp.hold_seconds": "bgp-timers",
        "Bgp.maximum_paths": "ecmp",
        "Bgp.overlay_paths": "ecmp",
        "Bgp.wait_install": "wait-install",
        "Bgp.networks_ipv4": "networks",
        "Bgp.networks_ipv6": "networks",
        "Bgp.vrfs": "vrfs",
        "Routing.static_routes": "static-routes",
        "Evpn.vtep": "evpn",
        "Evpn.gateway_mac": "evpn",
        "Evpn.vlans": "vlans",
        "Evpn.vrfs": "vrfs",
        "Evpn.gateways": "anycast-gateway",
        "Evpn.mtu": "evpn",
        "Evpn.marks": "tunnel-marks",
        "Vlan.name": "vlan-names",
        **dict.fromkeys((f"Vlan.{name}" for name in ("vlan_id", "vni", "rd", "route_target", "vrf", "macs")), "vlans"),
        **dict.fromkeys(("Vrf.name", "Vrf.vni", "Vrf.id"), "vrfs"),
        **dict.fromkeys((f"Gateway.{name}" for name in ("vlan_id", "vrf", "mtu")), "anycast-gateway"),
        "Gateway.description": "descriptions",
        "Gateway.ipv4": "ipv4",
        "Gateway.ipv6": "ipv6",
        **dict.fromkeys((f"Gateway.{name}" for name in ("relays_ipv4", "relays_ipv6", "relay_source")), "dhcp-relay"),
        **dict.fromkeys(("Qos.dscp_classes", "Qos.class_queues"), "dscp-map"),
        **dict.fromkeys(("DscpClass.traffic_class", "DscpClass.dscps"), "dscp-map"),
        **dict.fromkeys(("ClassQueue.traffic_class", "ClassQueue.queue"), "dscp-map"),
        "Qos.profiles": "queues",
        "Queue.weight_percent": "queues",
        "Queue.cap_percent": "queues",
        "Queue.ecn": "ecn",
        **dict.fromkeys((f"Ecn.{name}" for name in ("minimum_octets", "maximum_octets", "probability_percent")), "ecn"),
        "QosProfile.name": "queues",
        "QosProfile.speed_gbps": "queues",
        "QosProfile.lossless_priorities": "pfc",
        "QosProfile.queues": "queues",
        "Qos.headroom": "headroom",
        "Qos.headroom_octets": "headroom",
        **dict.fromkeys((f"HeadroomProfile.{name}" for name in ("speed_gbps", "length_m", "octets")), "headroom"),
        "Qos.headroom_pool_octets": "headroom-pool",
        "Qos.alpha": "alpha",
        "Qos.resume_octets": "resume-offset",
        "Qos.watchdog": "pfc-watchdog",
        **dict.fromkeys((f"Watchdog.{name}" for name in ("detect_ms", "restore_ms", "polling_ms")), "pfc-watchdog"),
        "Watchdog.action": ValueNeed({"notify": "pfc-watchdog-notify"}),
        "LoadBalancing.mode": VALUE,
        "LoadBalancing.seed": "hash-seed",
        "LoadBalancing.flowlet_gap_us": "flowlet-gap",
        "LoadBalancing.cluster": "cluster",
        **dict.fromkeys((f"Cluster.{name}" for name in ("destination_length", "aging_seconds", "ports")), "cluster"),
        "Telemetry.ecn_counters": "ecn-counters",
        "Telemetry.queue_monitor": "queue-monitor",
        "Telemetry.load_interval_seconds": "load-interval",
        "QueueMonitor.high": "queue-monitor",
        "QueueMonitor.low": "queue-monitor",
        "QueueMonitor.latency": "queue-latency",
        "QueueMonitor.streaming": "queue-streaming",
        "QueueMonitor.captures": "congestion-capture",
    }
)
"""Field → the feature that it needs where it has a value."""

ZERO_SAYS: frozenset[str] = frozenset(
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


def says(field: str, value: object) -> bool:
    """Return whether a field, as `Type.field`, has a value: None, empty, False and -1 are none; 0 only in ZERO_SAYS."""
    return value != -1 if value else value == 0 and value is not False and field in ZERO_SAYS


def _gather(row: tuple[Value, ...], features: set[str]) -> None:
    """Add the features that a value and all values below it need."""
    # A switch has thousands of fields, most of them empty: test that first.
    for index, field, need in _rows(type(row)):
        value = row[index]
        if (not value and field not in ZERO_SAYS) or not says(field, value):
            continue
        if isinstance(need, ValueNeed):
            features.update(_chosen(need, getattr(row, need.beside) if need.beside else value))
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
