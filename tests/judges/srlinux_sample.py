"""A small configuration of SR Linux in JSON_IETF, right as far as its models go: a leaf of an EVPN fabric.

Names are those of nokia/srlinux-yang-models v25.3.1; the values are of no real switch.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

_UNDERLAY: Mapping[str, Any] = {
    "srl_nokia-interfaces:interface": [
        {
            "name": "ethernet-1/1",
            "description": "spine-1 ethernet-1/1",
            "admin-state": "enable",
            "mtu": 9232,
            "ethernet": {"port-speed": "400G"},
            "subinterface": [
                {
                    "index": 0,
                    "admin-state": "enable",
                    "ip-mtu": 9198,
                    "ipv4": {"admin-state": "enable", "address": [{"ip-prefix": "10.1.0.1/31"}]},
                    "ipv6": {"admin-state": "enable", "address": [{"ip-prefix": "fd00:1::1/127"}]},
                }
            ],
        },
        {
            "name": "ethernet-1/2",
            "admin-state": "enable",
            "srl_nokia-interfaces-vlans:vlan-tagging": True,
            "subinterface": [
                {
                    "index": 20,
                    "type": "bridged",
                    "srl_nokia-interfaces-vlans:vlan": {"encap": {"single-tagged": {"vlan-id": 20}}},
                }
            ],
        },
        {
            "name": "system0",
            "admin-state": "enable",
            "subinterface": [
                {"index": 0, "ipv4": {"admin-state": "enable", "address": [{"ip-prefix": "10.255.0.1/32"}]}}
            ],
        },
    ],
    "srl_nokia-system:system": {
        "srl_nokia-system-name:name": {"host-name": "leaf-1"},
        "srl_nokia-lldp:lldp": {"admin-state": "enable"},
    },
    "srl_nokia-routing-policy:routing-policy": {
        "prefix-set": [{"name": "LOCAL", "prefix": [{"ip-prefix": "10.255.0.0/24", "mask-length-range": "32..32"}]}],
        "policy": [
            {
                "name": "TO-FABRIC",
                "default-action": {"policy-result": "reject"},
                "statement": [
                    {
                        "name": "10",
                        "match": {"prefix": {"prefix-set": "LOCAL"}},
                        "action": {"policy-result": "accept"},
                    }
                ],
            }
        ],
    },
}

_OVERLAY: Mapping[str, Any] = {
    "srl_nokia-tunnel-interfaces:tunnel-interface": [
        {
            "name": "vxlan0",
            "vxlan-interface": [{"index": 20, "type": "srl_nokia-interfaces:bridged", "ingress": {"vni": 20}}],
        }
    ],
    "srl_nokia-network-instance:network-instance": [
        {
            "name": "default",
            "type": "srl_nokia-network-instance:default",
            "admin-state": "enable",
            "router-id": "10.255.0.1",
            "interface": [{"name": "ethernet-1/1.0"}, {"name": "system0.0"}],
            "protocols": {
                "srl_nokia-bgp:bgp": {
                    "admin-state": "enable",
                    "autonomous-system": 4200000001,
                    "router-id": "10.255.0.1",
                    "afi-safi": [{"afi-safi-name": "srl_nokia-common:ipv4-unicast", "admin-state": "enable"}],
                    "group": [{"group-name": "SPINES", "export-policy": ["TO-FABRIC"], "import-policy": ["TO-FABRIC"]}],
                    "neighbor": [{"peer-address": "10.1.0.0", "peer-as": 4200000100, "peer-group": "SPINES"}],
                }
            },
        },
        {
            "name": "storage",
            "type": "srl_nokia-network-instance:mac-vrf",
            "interface": [{"name": "ethernet-1/2.20"}],
            "vxlan-interface": [{"name": "vxlan0.20"}],
            "protocols": {
                "bgp-evpn": {
                    "srl_nokia-bgp-evpn:bgp-instance": [
                        {"id": 1, "encapsulation-type": "vxlan", "vxlan-interface": "vxlan0.20", "evi": 20, "ecmp": 8}
                    ]
                },
                "srl_nokia-bgp-vpn:bgp-vpn": {
                    "bgp-instance": [
                        {
                            "id": 1,
                            "route-distinguisher": {"rd": "10.255.0.1:20"},
                            "route-target": {"export-rt": "target:65000:20", "import-rt": "target:65000:20"},
                        }
                    ]
                },
            },
        },
    ],
}

_LOSSLESS: Mapping[str, Any] = {
    "srl_nokia-qos:qos": {
        "forwarding-classes": {
            "forwarding-class": [
                {"name": "fc0", "forwarding-class-index": 0, "output": {"unicast-queue": "unicast-0"}},
                {"name": "fc3", "forwarding-class-index": 3, "output": {"unicast-queue": "unicast-3"}},
            ]
        },
        "queues": {
            "queue": [{"name": "unicast-0", "queue-index": 0}, {"name": "unicast-3", "queue-index": 3}],
            "pfc-queue": [{"pfc-queue-name": "pfc-3", "queue-index": 3}],
        },
        "pfc-mapping-profile": [
            {
                "name": "ROCE",
                "received-traffic": {
                    "unicast-mapping": {
                        "pfc-queue": [
                            {
                                "pfc-queue-name": "pfc-3",
                                "forwarding-class": ["fc3"],
                                "pfc-pause-frame-priority": 3,
                                "enable-pfc": True,
                            }
                        ]
                    }
                },
                "received-pfc-pause-frames": {
                    "queue": [{"queue-name": "unicast-3", "pfc-pause-frame-priority": 3, "enable-pfc": True}]
                },
            }
        ],
        "buffer-management": {
            "queue-management-profile": [
                {
                    "name": "ROCE",
                    "wred": {
                        "wred-slope": [
                            {
                                "traffic-type": "all",
                                "drop-probability": "all",
                                "enable-ecn": True,
                                "min-threshold": "150000",
                                "max-threshold": "1500000",
                                "slope-enabled": True,
                                "max-drop-probability-percent": 10,
                            }
                        ]
                    },
                }
            ]
        },
        "classifiers": {
            "dscp-policy": [
                {
                    "name": "ROCE",
                    "dscp": [{"value": 26, "forwarding-class": "fc3", "drop-probability": "low"}],
                }
            ]
        },
        "interfaces": {
            "interface": [
                {
                    "interface-id": "ethernet-1/1",
                    "interface-ref": {"interface": "ethernet-1/1"},
                    "pfc": {"pfc-mapping-profile": "ROCE", "pfc-enable": True},
                    "input": {"classifiers": {"dscp-policy": "ROCE"}},
                    "output": {"queues": {"queue": [{"queue-name": "unicast-3", "queue-management-profile": "ROCE"}]}},
                }
            ]
        },
    }
}

LEAF: Mapping[str, Any] = MappingProxyType({**_UNDERLAY, **_OVERLAY, **_LOSSLESS})
