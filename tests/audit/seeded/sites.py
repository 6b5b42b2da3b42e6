"""Small complete sites of each platform: a RoCE backend, and a frontend with tenants, bonds and border leaves.

Each site has what its platform takes: a session to a network outside with a password, an import between two tenants,
Ethernet segments, services of the management network. `unnumbered`: links of both fabrics have no addresses.
"""

import copy
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from click.testing import CliRunner

from fabricgen.cli import main
from tests.accounts import without_accounts

Json = dict[str, Any]
Files = Mapping[str, str]
"""Files of one switch by name."""

UNNUMBERED = "unnumbered"
MANAGEMENT: Mapping[str, Any] = {
    "vrf": "mgmt",
    "oob": "10.0.0.0/24",
    "gateway": "10.0.0.1",
    "domain": "lab.example.net",
    "dns": ["10.0.0.2"],
    "ntp": ["10.0.0.3", "10.0.0.4"],
    "syslog": ["10.0.0.8"],
    "users": {"admin": {"role": "network-admin", "password": "${env:ADMIN_HASH}"}},
    "aaa": {"tacacs": ["10.0.0.7"], "key": "${env:TACACS_KEY}"},
    "snmp": {"user": "monitor", "auth": "${env:SNMP_AUTH}", "privacy": "${env:SNMP_PRIVACY}", "traps": ["10.0.0.9"]},
    "gnmi": {"port": 6030, "certificate": "fabric"},
    "sflow": {"collectors": ["10.0.0.10"], "sample": 65536},
}


class System(NamedTuple):
    """What the sites of a platform have.

    release     `os:` of all switches
    backend     switch model of the backend; frontend: of the frontend
    services    keys of `management` that the platform takes
    bonds       servers have a bond over two leaves
    imports     a tenant takes over the routes of another
    relay       a network has a DHCP relay
    changes     dotted keys that the platform needs otherwise → value; None removes the key
    """

    release: str
    backend: str
    frontend: str
    services: tuple[str, ...]
    bonds: bool = True
    imports: bool = True
    relay: bool = True
    changes: Mapping[str, object] = {}


BASIC = ("vrf", "oob", "gateway", "domain", "dns", "ntp", "syslog")
SYSTEMS: Mapping[str, System] = {
    "eos": System("eos-4.34", "arista-7060dx5-32", "arista-7060dx5-32", tuple(MANAGEMENT)),
    "frr": System(
        "frr-8.4",
        "nvidia-sn4700",
        "nvidia-sn4700",
        BASIC,
        bonds=False,
        changes={"fabrics.backend.transport": "best-effort"},
    ),
    "sonic": System(
        "sonic-master",
        "nvidia-sn4700",
        "nvidia-sn4700",
        (*BASIC, "aaa", "snmp", "gnmi", "sflow"),
        bonds=False,
        relay=False,
        changes={"management.snmp.traps": None},
    ),
    "cumulus": System("cumulus-5.11", "nvidia-sn4700", "nvidia-sn4700", (*BASIC, "users", "aaa", "sflow")),
    "nxos": System(
        "nxos-10.5", "cisco-n9332d-gx2b", "cisco-n9332d-gx2b", tuple(MANAGEMENT), bonds=False, imports=False
    ),
    "srlinux": System("srlinux-25.3", "nokia-7220-ixr-h4", "nokia-7220-ixr-d5", tuple(MANAGEMENT), relay=False),
    "junos": System("junos-24.4", "juniper-qfx5230-64cd", "juniper-qfx5130-32cd", tuple(MANAGEMENT)),
}

SITE: Mapping[str, Any] = {
    "fabricgen": 1,
    "site": "seeded",
    "cables": {"default": {"server_leaf": 3, "leaf_spine": 20, "border_external": 20}},
    "servers": {
        "train": {"model": "dgx-h100", "slots": "0-3"},
        "web": {"model": "dgx-h100", "slots": "0-1"},
        "store": {"model": "storage-2x200", "slots": "0-1"},
    },
    "fabrics": {
        "backend": {
            "kind": "backend",
            "prefix": "be",
            "connects": {"train": "compute"},
            "topology": {"design": "rail-optimized", "rails_per_leaf": 4, "spines": {"now": 2, "planned": 2}},
            "addressing": {
                "links": ["ipv4", "ipv6"],
                "hosts": "ipv4",
                "ipv4": "10.64.0.0/16",
                "ipv6": "fd5e:8c1f:2a00::/52",
            },
            "asns": "4201000000-4201999999",
            "mtu": 9100,
            "bgp": {"bfd": True, "keepalive_seconds": 4, "hold_seconds": 12},
        },
        "frontend": {
            "kind": "frontend",
            "prefix": "fe",
            "connects": {"web": "frontend", "store": "data"},
            "topology": {"design": "leaf-spine", "oversubscription": "3:1", "border_leaves": 2},
            "addressing": {"links": ["ipv4", "ipv6"], "ipv4": "10.128.0.0/16", "ipv6": "fd5e:8c1f:2a00:1000::/52"},
            "asns": "4202000000-4202999999",
            "mtu": 9100,
            "evpn": {"admin": 65000, "vni_base": 10000},
            "bgp": {"bfd": True, "keepalive_seconds": 4, "hold_seconds": 12},
            "server_ports": {
                "multihoming": "evpn-esi",
                "lacp_fallback": False,
                "storm_control": None,
                "bpdu_guard": False,
                "uplink_tracking": False,
            },
        },
    },
    "tenants": {
        "storage": {
            "servers": ["store[0-1]"],
            "networks": {"data": {"vlan": 20, "subnets": ["172.17.0.0/20", "fd5e:8c1f:2a00:2000::/64"]}},
        },
        "research": {
            "servers": ["web[0-1]"],
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
                    "peer": "fw1",
                    "border": 0,
                    "port": 0,
                    "vlan": 900,
                    "asn": 64601,
                    "addresses": ["172.31.0.0/31", "fd5e:8c1f:2a00:2f00::/127"],
                    "accept": ["0.0.0.0/0", "::/0"],
                    "max_prefixes": 100,
                    "password": "${env:FW_PASSWORD}",
                },
                {
                    "peer": "fw2",
                    "border": 1,
                    "port": 0,
                    "vlan": 900,
                    "asn": 64601,
                    "addresses": ["172.31.0.2/31", "fd5e:8c1f:2a00:2f00::2/127"],
                    "accept": ["0.0.0.0/0", "::/0"],
                    "max_prefixes": 100,
                    "password": "${env:FW_PASSWORD}",
                },
            ],
        },
    },
}


def intent(name: str, variant: str = "") -> Json:
    """The intent of a platform's site. `variant`: empty, or UNNUMBERED."""
    system = SYSTEMS[name]
    found: Json = copy.deepcopy(dict(SITE))
    found["management"] = {key: copy.deepcopy(MANAGEMENT[key]) for key in system.services}
    for fabric, model in (("backend", system.backend), ("frontend", system.frontend)):
        for role in ("leaf", "spine"):
            found["fabrics"][fabric][role] = {"model": model, "os": system.release}
        if variant == UNNUMBERED:
            found["fabrics"][fabric]["addressing"]["links"] = ["unnumbered"]
    if not system.bonds:
        found["fabrics"]["frontend"]["server_ports"]["multihoming"] = "active-backup"
    research = found["tenants"]["research"]
    if not system.imports:
        del research["imports"]
    if not system.relay:
        del research["relay_sources"]
        del research["networks"]["hosts"]["dhcp_relay"]
    for path, value in system.changes.items():
        _change(found, path.split("."), value)
    return without_accounts(found)


def _change(site: Json, path: list[str], value: object) -> None:
    inside = site
    *ahead, last = path
    for key in ahead:
        inside = inside[key]
    if value is None:
        del inside[last]
    else:
        inside[last] = value


def write(folder: Path, name: str, variant: str = "") -> Path:
    """Write a platform's site into a folder. Returns the path of its intent."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "intent.yaml"
    path.write_text(yaml.safe_dump(intent(name, variant), sort_keys=False))
    return path


def render(path: Path, out: Path) -> dict[str, dict[str, str]]:
    """Render an intent. Returns the files of each switch by name."""
    result = CliRunner().invoke(main, ["render", str(path), "-o", str(out)], catch_exceptions=False)
    assert result.exit_code == 0, result.stdout + result.stderr
    folders = (folder for folder in sorted(out.iterdir()) if folder.is_dir() and folder.name[:3] in ("be-", "fe-"))
    return {folder.name: {file.name: file.read_text() for file in sorted(folder.iterdir())} for folder in folders}
