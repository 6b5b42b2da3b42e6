"""Interfaces of a Device → the keys of pyavd that describe them."""

from typing import Any

from fabricgen.device.device import Device
from fabricgen.device.evpn import Gateway
from fabricgen.device.interfaces import Ethernet, Lag, Subinterface, Switching

Config = dict[str, Any]
TRACKING = "UPLINKS"


def ports(device: Device) -> Config:
    """Every interface but the management port, with what stands beside interfaces."""
    tracked = any(row.profile.tracking for row in device.interfaces.ethernet)
    taken = [vlan.vlan_id for vlan in device.evpn.vlans] if device.evpn else []
    last = min([vlan for vlan in taken if vlan > 3582], default=4095) - 1
    found: Config = {
        "vlan_internal_order": {"allocation": "ascending", "range": {"beginning": last - 511, "ending": last}},
        "ethernet_interfaces": [
            *(_ethernet(row) for row in device.interfaces.ethernet),
            *(_subinterface(row) for row in device.interfaces.subinterfaces),
        ],
        "port_channel_interfaces": [_port_channel(device, lag) for lag in device.interfaces.lags],
        "loopback_interfaces": [
            {
                "name": f"Loopback{row.number}",
                "description": row.description,
                "shutdown": False,
                **({"vrf": row.vrf} if row.vrf else {}),
                **({"ip_address": row.ipv4} if row.ipv4 else {}),
                **({"ipv6_addresses": [row.ipv6]} if row.ipv6 else {}),
            }
            for row in device.interfaces.loopbacks
        ],
    }
    if any(row.switching and row.switching.mac_limit for row in device.interfaces.ethernet):
        found["switchport_port_security"] = {
            "mac_address": {"aging": True, "moveable": True},
            "persistence_disabled": True,
        }
    if tracked:
        found["link_tracking_groups"] = [{"name": TRACKING, "links_minimum": 1, "recovery_delay": 120}]
    return found | (_overlay(device) if device.evpn else {})


def _ethernet(row: Ethernet) -> Config:
    profile = row.profile
    found: Config = {
        "name": row.name,
        "description": row.description,
        "shutdown": not row.enabled,
        "speed": f"{profile.speed_gbps}g-{profile.lanes}",
    }
    if profile.routed:
        found |= {"switchport": {"enabled": False}, "mtu": profile.mtu}
    if profile.fec:
        found["error_correction_encoding"] = {"enabled": True, "reed_solomon": True}
    found |= {"vrf": row.vrf} if row.vrf else {}
    found |= _addresses(row)
    if profile.qos:
        found["service_profile"] = profile.qos
    if profile.sflow:
        found["sflow"] = {"enable": True}
    if row.switching:
        found |= _switching(row.switching, storm=not row.lag)
    return found | _grouping(row)


def _grouping(row: Ethernet) -> Config:
    """What a member of a port-channel says of it; a port that stands alone is tracked itself."""
    if row.lag:
        return {"channel_group": {"id": row.lag, "mode": "active"}}
    if row.profile.tracking:
        return {"link_tracking": {"direction": row.profile.tracking, "groups": [TRACKING]}}
    return {}


MANAGED: Config = {"ipv6_nd": {"managed_config_flag": True}}
NO_RA: Config = {"ipv6_nd": {"ra": {"disabled": True}}}


def _addresses(row: Ethernet | Subinterface) -> Config:
    found: Config = {"ip_address": row.ipv4} if row.ipv4 else {}
    if isinstance(row, Ethernet) and row.profile.unnumbered:
        # Router advertisements stay: the other end finds this one by them.
        return {"ipv6_enable": True}
    return found | ({"ipv6_enable": True, "ipv6_addresses": [row.ipv6], **NO_RA} if row.ipv6 else {})


def _switching(switching: Switching, *, storm: bool) -> Config:
    port: Config = {"enabled": True, "mode": "access", "access_vlan": switching.access_vlan}
    if switching.trunk_vlans:
        vlans = ",".join(map(str, switching.trunk_vlans))
        port = {"enabled": True, "mode": "trunk", "trunk": {"allowed_vlan": vlans}}
    found: Config = {"switchport": port, "spanning_tree_portfast": "edge"}
    if switching.bpdu_guard:
        found["spanning_tree_bpduguard"] = "enabled"
    kinds = {"broadcast": switching.broadcast_percent, "multicast": switching.multicast_percent}
    kinds["unknown_unicast"] = switching.unknown_unicast_percent
    levels = {kind: {"level": str(percent)} for kind, percent in kinds.items() if percent}
    if storm and switching.mac_limit:
        port["port_security"] = {
            "violation": {"mode": "protect"},
            "mac_address_maximum": {"limit": switching.mac_limit},
        }
    return found | ({"storm_control": levels} if storm and levels else {})


def _port_channel(device: Device, lag: Lag) -> Config:
    found: Config = {
        "name": f"Port-Channel{lag.number}",
        "description": lag.description,
        "shutdown": False,
        **_switching(lag.switching, storm=True),
    }
    profiles = {row.profile.qos for row in device.interfaces.ethernet if row.lag == lag.number} - {""}
    if profiles:
        (found["service_profile"],) = profiles
    if lag.esi:
        octets = lag.system_id.split(":")
        found |= {
            "evpn_ethernet_segment": {"identifier": lag.esi, "route_target": lag.es_import},
            "lacp_id": f"{octets[0]}{octets[1]}.{octets[2]}{octets[3]}.{octets[4]}{octets[5]}",
        }
        if lag.df_preference:
            election = {"algorithm": "preference", "preference_value": lag.df_preference}
            found["evpn_ethernet_segment"]["designated_forwarder_election"] = election
    if lag.fallback:
        found |= {"lacp_fallback_mode": "individual", "lacp_fallback_timeout": 5}
    if lag.tracking:
        found["link_tracking"] = {"direction": lag.tracking, "groups": [TRACKING]}
    return found


def _subinterface(row: Subinterface) -> Config:
    return {
        "name": f"{row.parent}.{row.vlan_id}",
        "description": row.description,
        "shutdown": False,
        "encapsulation_dot1q": {"vlan": row.vlan_id},
        "vrf": row.vrf,
        **_addresses(row),
    }


def source_of(row: Gateway) -> str:
    """Interface that a gateway's relays speak from."""
    return f"Loopback{row.relay_source}"


MARKS: Config = {
    "ecn_propagation": True,
    "dscp_propagation_encapsulation": True,
    "map_dscp_to_traffic_class_decapsulation": True,
}


def _overlay(device: Device) -> Config:
    evpn = device.evpn
    if evpn is None:
        return {}
    vxlan = {
        "source_interface": "Loopback1",
        "udp_port": 4789,
        "vlans": [{"id": vlan.vlan_id, "vni": vlan.vni} for vlan in evpn.vlans],
        "vrfs": [{"name": vrf.name, "vni": vrf.vni} for vrf in evpn.vrfs],
        **({"qos": MARKS} if evpn.marks and "vxlan_qos" in device.hardware.spellings else {}),
    }
    found: Config = {
        "vlans": [{"id": vlan.vlan_id, "name": vlan.name} for vlan in evpn.vlans],
        "vlan_interfaces": [
            {
                "name": f"Vlan{row.vlan_id}",
                "description": row.description,
                "shutdown": False,
                "mtu": row.mtu,
                "vrf": row.vrf,
                "ip_helpers": [{"ip_helper": r, "source_interface": source_of(row)} for r in row.relays_ipv4],
                "ipv6_dhcp_relay_destinations": [
                    {"address": relay, "local_interface": source_of(row)} for relay in row.relays_ipv6
                ],
                **((MANAGED if row.relays_ipv6 else NO_RA) if row.ipv6 else {}),
                **({"ip_address_virtual": row.ipv4} if row.ipv4 else {}),
                **({"ipv6_enable": True, "ipv6_address_virtuals": [row.ipv6]} if row.ipv6 else {}),
            }
            for row in evpn.gateways
        ],
        "vxlan_interface": {"vxlan1": {"description": "VTEP", "vxlan": vxlan}},
    }
    if any(row.relays_ipv4 or row.relays_ipv6 for row in evpn.gateways):
        found["dhcp_relay"] = {"tunnel_requests_disabled": True}
    if any(row.relays_ipv4 for row in evpn.gateways):
        found["ip_dhcp_relay"] = {"information_option": True}
    if evpn.gateways:
        found["ip_virtual_router_mac_address"] = evpn.gateway_mac
    return found
