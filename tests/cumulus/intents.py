"""Small intents of Cumulus Linux, planned on empty locks: what each platform's tests ask for, in one place."""

import copy
from collections.abc import Mapping
from functools import cache
from typing import Any

from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes

SYSTEM = "cumulus-5.11"

MANAGEMENT: dict[str, Any] = {
    "vrf": "mgmt",
    "oob": "10.0.0.0/24",
    "gateway": "10.0.0.1",
    "domain": "c1.example.net",
    "dns": ["10.0.0.2", "10.0.0.3"],
    "ntp": ["10.0.0.5", "10.0.0.6"],
    "syslog": ["10.0.0.8"],
    "users": {
        "admin": {"role": "network-admin", "password": "${env:ADMIN_HASH}"},
        "watch": {
            "role": "network-operator",
            "password": "${env:WATCH_HASH}",
            "ssh_keys": [
                "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGYR9S1ccv0INcgZMrGg3PjgrqcwDWmaoJSfRYGd9Cx5 robot@ci",
                "ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTYAAAAIbmlz"
                "dHAyNTYAAABBBCJyh5dlD1Dp7Eb4euYKZIQvQARXSe48vXtFfqFbDZ3VL8Bb8A/fiphlYLpOEaBYrFXi+VGw68C7PHIzMhQDLqQ=",
            ],
        },
    },
    "aaa": {"tacacs": ["10.0.0.7", "10.0.0.9"], "key": "${env:TACACS_KEY}"},
    "sflow": {"collectors": ["10.0.0.10"]},
    "eapi": {"certificate": "rest"},
    "login": {"banner": "Authorised access only.", "idle_timeout": 10},
    "access": {"sources": ["10.0.0.0/28", "192.0.2.7/32"], "api": ["0.0.0.0/0"]},
}
BACKEND: dict[str, Any] = {
    "kind": "backend",
    "prefix": "be",
    "connects": {"train": "compute"},
    "topology": {"design": "rail-optimized", "rails_per_leaf": 2, "spines": {"now": 2, "planned": 2}},
    "leaf": {"model": "nvidia-sn5400", "os": SYSTEM},
    "spine": {"model": "nvidia-sn5400", "os": SYSTEM},
    "addressing": {
        "links": ["ipv4", "ipv6"],
        "hosts": "ipv4",
        "ipv4": "10.64.0.0/16",
        "ipv6": "fd5e:8c1f:2a00::/52",
    },
    "asns": "4201000000-4201999999",
    "transport": "roce-lossless",
    "load_balancing": "ecmp",
    "bgp": {"bfd": True},
}
FRONTEND: dict[str, Any] = {
    "kind": "frontend",
    "prefix": "fe",
    "connects": {"train": "frontend", "store": "data"},
    "topology": {"design": "leaf-spine", "oversubscription": "3:1", "border_leaves": 2},
    "leaf": {"model": "nvidia-sn4700", "os": SYSTEM},
    "spine": {"model": "nvidia-sn4700", "os": SYSTEM},
    "addressing": {"links": ["ipv4", "ipv6"], "ipv4": "10.128.0.0/16", "ipv6": "fd5e:8c1f:2a00:1000::/52"},
    "asns": "4202000000-4202999999",
    "evpn": {"admin": 65000, "vni_base": 10000},
    "bgp": {"ttl_security": "check", "password": "${env:BGP_PASSWORD}"},
    "server_ports": {
        "multihoming": "evpn-esi",
        "lacp_fallback": True,
        "storm_control": None,
        "bpdu_guard": True,
        "uplink_tracking": False,
    },
}
TENANTS: dict[str, Any] = {
    "storage": {
        "servers": ["store[0-3]"],
        "networks": {"data": {"vlan": 20, "subnets": ["172.17.0.0/20", "fd5e:8c1f:2a00:2000::/64"]}},
    },
    "research": {
        "servers": ["train[0-3]"],
        "guards": ["ra-guard"],
        "imports": ["storage"],
        "relay_sources": ["172.30.0.0/24"],
        "networks": {
            "hosts": {
                "vlan": 110,
                "subnets": ["172.18.0.0/20", "fd5e:8c1f:2a00:2110::/64"],
                "dhcp_relay": ["172.17.0.10"],
            }
        },
        "external": [
            {
                "peer": f"fw{border + 1}",
                "border": border,
                "port": 0,
                "vlan": 900,
                "asn": 64601,
                "addresses": [f"172.31.0.{2 * border}/31", f"fd5e:8c1f:2a00:2f00::{2 * border}/127"],
                "accept": ["0.0.0.0/0", "::/0"],
                "max_prefixes": 100,
                **({} if border else {"password": "${env:FW1_KEY}"}),
            }
            for border in (0, 1)
        ],
    },
    "serving": {
        "servers": ["train[4-7]"],
        "imports": ["storage"],
        "networks": {
            "hosts": {"vlan": 120, "subnets": ["172.19.0.0/20", "fd5e:8c1f:2a00:2120::/64"]},
            "public": {"vlan": 121, "subnets": ["172.19.16.0/20"]},
        },
    },
}


def document(**edits: object) -> dict[str, Any]:
    """The whole site: backend, frontend, tenants; a double underscore in a key stands for the dot of a path."""
    found: dict[str, Any] = {
        "fabricgen": 1,
        "site": "c1",
        "cables": {"default": {"server_leaf": 3, "leaf_spine": 20, "border_external": 20}},
        "management": MANAGEMENT,
        "servers": {
            "train": {"model": "dgx-h100", "slots": "0-7"},
            "store": {"model": "storage-2x200", "slots": "0-3"},
        },
        "fabrics": {"backend": BACKEND, "frontend": FRONTEND},
        "tenants": TENANTS,
    }
    found = copy.deepcopy(found)
    for path, value in edits.items():
        *parents, last = path.split("__")
        node = found
        for key in parents:
            node = node[key]
        if value is None and last not in ("storm_control",):
            node.pop(last, None)
        else:
            node[last] = value
    return found


def intent(**edits: object) -> Intent:
    """The site, edited."""
    return Intent.model_validate(document(**edits))


@cache
def catalog() -> Catalog:
    """Hardware of ours."""
    return load_catalog(None)


def planned(found: Intent, exceptions: Exceptions | None = None, hardware: Catalog | None = None) -> Plan:
    """Plan of an intent with an empty lock."""
    boxes = hardware or catalog()
    return make_plan(found, boxes, make_shapes(found, boxes), Lock(), exceptions or Exceptions())


UNNUMBERED: Mapping[str, object] = {
    "fabrics__backend__addressing__links": ["unnumbered"],
    "fabrics__frontend__addressing__links": ["unnumbered"],
}
DRAINED = Exceptions(
    devices={"be-spine-00": "drained", "fe-leaf-002": "drained"}, ports={PortKey("fe-border-00", "swp29"): "drained"}
)
