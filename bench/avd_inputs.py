"""The fabric of bench/against.py as inputs of AVD's node types without an overlay, one document a switch.

Each switch is given its own node alone, the least that `get_avd_facts` takes; the groups of an inventory would give it
those of all its neighbors too. What the design has no key for, QoS profiles and the chip's buffers, is given as custom
structured configuration. Keys by the documentation of AVD 6.4 ("Input Variables" of its role eos_designs).
"""

import json
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.against_fabric import UNNUMBERED, Fabric, Link, ServerPort, Switch

Config = dict[str, Any]
TYPES = {"leaf": "l3leaf", "spine": "spine", "superspine": "super_spine"}
"""Our role → key of its nodes; the type is the same with a hyphen."""
QOS = "ROCE-400G"
SPEED = "400g-4"
FEC: Config = {"error_correction_encoding": {"enabled": True, "reed_solomon": True}}
LOOPBACKS = {
    "leaf": ("10.96.0.0/22", "fd5e:8c1f:2b00:1::/64"),
    "spine": ("10.96.4.0/22", "fd5e:8c1f:2b00:2::/64"),
    "superspine": ("10.96.8.0/22", "fd5e:8c1f:2b00:3::/64"),
}
LINKS = {"leaf": "10.128.0.0/14", "spine": "10.132.0.0/14", "superspine": ""}
"""Pool of the links to the tier above, where links are numbered: by id, so that it may be sparse."""


def write_inputs(fabric: Fabric, links: str, folder: Path) -> None:
    """NAME.json of every switch. links: `unnumbered` or `numbered`; the design numbers links in IPv4 alone."""
    common = _common(links)
    for switch, own in _nodes(fabric):
        text = json.dumps(common | own | {"type": TYPES[switch.role].replace("_", "-")})
        (folder / f"{switch.name}.json").write_text(text)


def _nodes(fabric: Fabric) -> Iterator[tuple[Switch, Config]]:
    uplinks: dict[str, list[Link]] = defaultdict(list)
    ports: dict[str, list[ServerPort]] = defaultdict(list)
    for link in fabric.links:
        uplinks[link.lower].append(link)
    for port in fabric.ports:
        ports[port.leaf].append(port)
    most = {
        switch.role: max(len(uplinks[other.name]) for other in fabric.switches if other.role == switch.role)
        for switch in {switch.role: switch for switch in fabric.switches}.values()
    }
    for switch in fabric.switches:
        node = _node(switch, uplinks[switch.name], ports[switch.name])
        yield switch, {TYPES[switch.role]: {"defaults": _defaults(switch.role, most[switch.role]), "nodes": [node]}}


def _defaults(role: str, most: int) -> Config:
    ipv4, ipv6 = LOOPBACKS[role]
    found: Config = {
        "loopback_ipv4_pool": ipv4,
        "loopback_ipv6_pool": ipv6,
        "platform": "default",
        "spanning_tree_mode": "mstp",
        "vtep": False,
        "evpn_role": "none",
    }
    if LINKS[role]:
        found |= {
            "uplink_ipv4_pool": LINKS[role],
            "max_uplink_switches": most,
            "uplink_interface_speed": SPEED,
            "uplink_switch_interface_speed": SPEED,
            "uplink_ethernet_structured_config": FEC,
            "uplink_switch_ethernet_structured_config": FEC,
        }
    return found


def _node(switch: Switch, uplinks: list[Link], ports: list[ServerPort]) -> Config:
    found: Config = {
        "name": switch.name,
        "id": switch.number,
        "bgp_as": str(switch.asn),
        "mgmt_ip": switch.management,
    }
    if uplinks:
        found |= {
            "uplink_switches": [link.upper for link in uplinks],
            "uplink_interfaces": [link.lower_port for link in uplinks],
            "uplink_switch_interfaces": [link.upper_port for link in uplinks],
        }
    if ports:
        found["l3_interfaces"] = [
            {
                "name": port.port,
                "peer": port.server,
                "peer_interface": port.nic,
                "ip_address": port.address,
                "speed": SPEED,
                "qos_profile": QOS,
                "structured_config": {"mtu": 9214, **FEC},
            }
            for port in ports
        ]
    return found


def _common(links: str) -> Config:
    unnumbered = links == UNNUMBERED
    return {
        "fabric_name": "BACKEND",
        "underlay_routing_protocol": "ebgp",
        "overlay_routing_protocol": "none",
        "underlay_rfc5549": unnumbered,
        "underlay_ipv6": unnumbered,
        "underlay_filter_redistribute_connected": False,
        "bgp_maximum_paths": 128,
        "bgp_ecmp": 128,
        "p2p_uplinks_mtu": 9214,
        "p2p_uplinks_qos_profile": QOS,
        "fabric_sflow": {"l3_interfaces": True},
        **_services(),
        **_lossless(),
    }


def _services() -> Config:
    key = {"auth": "sha", "auth_passphrase": "not-a-secret", "priv": "aes", "priv_passphrase": "not-a-secret"}
    return {
        "mgmt_gateway": "10.0.0.1",
        "dns_settings": {"domain": "bench.example.net", "servers": [{"ip_address": "10.0.0.2"}]},
        "ntp_settings": {"servers": [{"name": "10.0.0.5", "iburst": True}, {"name": "10.0.0.6", "iburst": True}]},
        "logging_settings": {"hosts": [{"name": "10.0.0.8"}]},
        "sflow_settings": {
            "sample": {"rate": 65536},
            "polling_interval": 20,
            "destinations": [{"destination": "10.0.0.10"}],
        },
        "snmp_settings": {
            "location": True,
            "views": [{"name": "ALL", "mib_family_name": "iso", "included": True}],
            "groups": [{"name": "MONITORING", "version": "v3", "authentication": "priv", "read": "ALL"}],
            "users": [{"name": "monitor", "group": "MONITORING", "version": "v3", **key}],
            "hosts": [
                {
                    "host": "10.0.0.9",
                    "version": "3",
                    "users": [{"username": "monitor", "authentication_level": "priv"}],
                }
            ],
        },
        "aaa_settings": {
            "tacacs": {"servers": [{"host": "10.0.0.7", "groups": ["TACACS"], "key": "0110100A480E0A0E231D1E"}]},
            "authentication": {"login": {"default": "group TACACS local"}},
            "authorization": {"exec": {"default": "group TACACS local"}},
            "local_users": [{"name": "admin", "privilege": 15, "role": "network-admin", "no_password": True}],
        },
    }


def _lossless() -> Config:
    """The RoCE part, in the words of the structured configuration: AVD's design plans none of it."""
    marks = {"min": 150, "max": 600, "units": "kbytes", "max_probability": 100, "weight": 0}
    profile: Config = {
        "name": QOS,
        "trust": "dscp",
        "priority_flow_control": {
            "enabled": True,
            "priorities": [{"priority": 3, "no_drop": True}],
            "watchdog": {
                "enabled": True,
                "timer": {"timeout": "0.2", "polling_interval": "0.1", "recovery_time": "0.4"},
            },
        },
        "uc_tx_queues": [
            {"id": 0, "priority": "no priority", "bandwidth_percent": 5},
            {
                "id": 3,
                "priority": "no priority",
                "bandwidth_percent": 95,
                "random_detect": {"ecn": {"count": True, "threshold": marks}},
            },
            {"id": 6, "priority": "priority strict", "shape": {"rate": "10 percent"}},
        ],
    }
    return {
        "custom_structured_configuration_qos_profiles": [profile],
        "custom_structured_configuration_queue_monitor_length": {"enabled": True},
        "custom_structured_configuration_management_api_gnmi": {
            "provider": "eos-native",
            "transport": {"grpc": [{"name": "MGMT", "vrf": "MGMT", "port": 6030}]},
        },
        "custom_structured_configuration_interface_defaults": {"ethernet": {"shutdown": True}},
    }
