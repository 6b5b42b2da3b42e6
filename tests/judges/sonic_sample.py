"""A small config_db.json of SONiC, right as far as its models go: a leaf of an EVPN fabric with one lossless class.

Tables and fields are those of sonic-net/sonic-buildimage src/sonic-yang-models/yang-models; the values are of no real
switch.
"""

from collections.abc import Mapping
from types import MappingProxyType

Tables = Mapping[str, Mapping[str, Mapping[str, object]]]

_ROUTED: Tables = {
    "DEVICE_METADATA": {
        "localhost": {
            "hostname": "leaf-1",
            "hwsku": "Accton-AS9726-32D",
            "platform": "x86_64-accton_as9726_32d-r0",
            "mac": "02:fe:00:00:00:01",
            "type": "LeafRouter",
            "docker_routing_config_mode": "split-unified",
            "frr_mgmt_framework_config": "true",
        }
    },
    "PORT": {
        "Ethernet0": {
            "alias": "etp1",
            "lanes": "1,2,3,4,5,6,7,8",
            "speed": "400000",
            "mtu": "9216",
            "fec": "rs",
            "admin_status": "up",
        },
        "Ethernet8": {
            "alias": "etp2",
            "lanes": "9,10,11,12,13,14,15,16",
            "speed": "400000",
            "mtu": "9216",
            "fec": "rs",
            "admin_status": "up",
        },
    },
    "INTERFACE": {"Ethernet0": {}, "Ethernet0|10.1.0.1/31": {}, "Ethernet0|fd00:1::1/127": {}},
    "LOOPBACK_INTERFACE": {"Loopback0": {}, "Loopback0|10.255.0.1/32": {}},
    "MGMT_PORT": {"eth0": {"alias": "eth0", "admin_status": "up"}},
    "MGMT_INTERFACE": {"eth0|192.0.2.11/24": {"gwaddr": "192.0.2.1"}},
    "NTP_SERVER": {"192.0.2.20": {}},
    "SYSLOG_SERVER": {"192.0.2.21": {}},
    "VRF": {"Vrf_red": {"vni": "10001"}},
    "VLAN": {"Vlan20": {"vlanid": "20"}, "Vlan3001": {"vlanid": "3001"}},
    "VLAN_INTERFACE": {"Vlan3001": {"vrf_name": "Vrf_red"}},
    "VLAN_MEMBER": {"Vlan20|Ethernet8": {"tagging_mode": "untagged"}},
    "VXLAN_TUNNEL": {"vtep": {"src_ip": "10.255.0.1"}},
    "VXLAN_EVPN_NVO": {"nvo": {"source_vtep": "vtep"}},
    "VXLAN_TUNNEL_MAP": {
        "vtep|map_20_Vlan20": {"vlan": "Vlan20", "vni": "20"},
        "vtep|map_10001_Vlan3001": {"vlan": "Vlan3001", "vni": "10001"},
    },
    "BGP_GLOBALS": {"default": {"local_asn": "4200000001", "router_id": "10.255.0.1"}},
    "BGP_GLOBALS_AF": {
        "default|ipv4_unicast": {"max_ebgp_paths": "64"},
        "default|l2vpn_evpn": {"advertise-all-vni": "true"},
    },
    "BGP_PEER_GROUP": {"default|SPINES": {"peer_type": "external", "bfd": "true"}},
    "BGP_PEER_GROUP_AF": {"default|SPINES|l2vpn_evpn": {"admin_status": "up"}},
    "BGP_NEIGHBOR": {"default|10.1.0.0": {"peer_group_name": "SPINES", "asn": "4200000100", "local_addr": "10.1.0.1"}},
}

_LOSSLESS: Tables = {
    "DSCP_TO_TC_MAP": {"ROCE": {"0": "0", "26": "3", "48": "6"}},
    "TC_TO_QUEUE_MAP": {"ROCE": {"0": "0", "3": "3", "6": "6"}},
    "TC_TO_PRIORITY_GROUP_MAP": {"ROCE": {"0": "0", "3": "3", "6": "0"}},
    "MAP_PFC_PRIORITY_TO_QUEUE": {"ROCE": {"3": "3"}},
    "PORT_QOS_MAP": {
        "Ethernet0": {
            "dscp_to_tc_map": "ROCE",
            "tc_to_queue_map": "ROCE",
            "tc_to_pg_map": "ROCE",
            "pfc_to_queue_map": "ROCE",
            "pfc_enable": "3",
            "pfcwd_sw_enable": "3",
        }
    },
    "SCHEDULER": {
        "scheduler.roce": {"type": "DWRR", "weight": "50"},
        "scheduler.cnp": {"type": "STRICT", "cir": "1250000000", "pir": "1250000000", "meter_type": "bytes"},
    },
    "WRED_PROFILE": {
        "ROCE": {
            "ecn": "ecn_all",
            "wred_green_enable": "true",
            "green_min_threshold": "150000",
            "green_max_threshold": "1500000",
            "green_drop_probability": "10",
        }
    },
    "QUEUE": {
        "Ethernet0|3": {"scheduler": "scheduler.roce", "wred_profile": "ROCE"},
        "Ethernet0|6": {"scheduler": "scheduler.cnp"},
    },
    "BUFFER_POOL": {
        "ingress_lossless_pool": {"type": "ingress", "mode": "dynamic", "size": "60000000", "xoff": "8000000"},
    },
    "BUFFER_PROFILE": {
        "pg_lossless_400000_5m": {
            "pool": "ingress_lossless_pool",
            "size": "18796",
            "xoff": "160000",
            "xon": "18796",
            "dynamic_th": "0",
        }
    },
    "BUFFER_PG": {"Ethernet0|3": {"profile": "pg_lossless_400000_5m"}},
    "CABLE_LENGTH": {"AZURE": {"Ethernet0": "5m", "Ethernet8": "5m"}},
    "PFC_WD": {
        "GLOBAL": {"POLL_INTERVAL": "200"},
        "Ethernet0": {"action": "drop", "detection_time": "200", "restoration_time": "400"},
    },
}

LEAF: Tables = MappingProxyType({**_ROUTED, **_LOSSLESS})
"""Table → row by its keys → fields."""
