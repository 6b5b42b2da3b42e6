"""A small backend whose switches run three systems: its intent, and a frontend of the same kind with tenants."""

from pathlib import Path
from typing import Any

import yaml

from fabricgen.plan.plan import Plan
from fabricgen.render.folder import templates_folder
from fabricgen.site.workspace import open_workspace
from tests.accounts import without_accounts

Intent = dict[str, Any]
HEAD: Intent = {
    "fabricgen": 1,
    "site": "mixed",
    "management": {"vrf": "mgmt", "oob": "10.0.0.0/24", "gateway": "10.0.0.1"},
}
BACKEND: Intent = {
    "kind": "backend",
    "prefix": "be",
    "connects": {"train": "compute"},
    "topology": {"design": "rail-optimized", "rails_per_leaf": 4, "spines": {"now": 2, "planned": 2}},
    "leaf": {"model": "nvidia-sn5600", "os": "sonic-202505"},
    "spine": {"model": "nvidia-sn5600", "os": "frr-8.4"},
    "addressing": {
        "links": ["ipv4", "ipv6"],
        "hosts": "ipv4",
        "ipv4": "10.64.0.0/16",
        "ipv6": "fd5e:8c1f:2a00::/52",
    },
    "asns": "4201000000-4201999999",
    "transport": "best-effort",
}
FRONTEND: Intent = {
    "kind": "frontend",
    "prefix": "fe",
    "connects": {"train": "frontend", "store": "data"},
    "topology": {
        "design": "leaf-spine",
        "oversubscription": "3:1",
        "spines": {"now": 2, "planned": 2},
        "border_leaves": 1,
    },
    "leaf": {"model": "nvidia-sn4700", "os": "sonic-master"},
    "spine": {"model": "nvidia-sn4700", "os": "sonic-master"},
    "addressing": {"links": ["ipv4", "ipv6"], "ipv4": "10.128.0.0/16", "ipv6": "fd5e:8c1f:2a00:1000::/52"},
    "asns": "4202000000-4202999999",
    "server_ports": {
        "multihoming": "active-backup",
        "lacp_fallback": False,
        "storm_control": None,
        "bpdu_guard": False,
        "uplink_tracking": False,
    },
}
TENANTS: Intent = {
    "storage": {"servers": ["store[0-3]"], "networks": {"data": {"vlan": 20, "subnets": ["172.17.0.0/20"]}}},
    "research": {
        "servers": ["train[0-3]"],
        "imports": ["storage"],
        "networks": {"hosts": {"vlan": 1110, "subnets": ["172.18.0.0/20"]}},
    },
}
TRAIN, STORE = {"model": "dgx-h100", "slots": "0-3"}, {"model": "storage-2x200", "slots": "0-3"}


def backend(**edits: object) -> Intent:
    """Return the backend: leaf 0 of SONiC, leaf 1 of Cumulus, spine 0 of FRR, spine 1 of SONiC's other release."""
    overrides = {"be-leaf-001": {"os": "cumulus-5.11"}, "be-spine-01": {"os": "sonic-master"}}
    found = {**HEAD, "servers": {"train": TRAIN}, "fabrics": {"backend": BACKEND}, "overrides": overrides, **edits}
    return without_accounts(found)


def frontend() -> Intent:
    """Return the frontend: SONiC, its third leaf Cumulus."""
    overrides = {"fe-leaf-002": {"os": "cumulus-5.11"}}
    servers = {"train": TRAIN, "store": STORE}
    fabrics = {"frontend": FRONTEND}
    found = {**HEAD, "servers": servers, "fabrics": fabrics, "tenants": TENANTS, "overrides": overrides}
    return without_accounts(found)


def written(folder: Path, intent: Intent) -> Path:
    """Write an intent into a folder."""
    path = folder / "intent.yaml"
    path.write_text(yaml.safe_dump(intent, sort_keys=False))
    return path


def plan_of(folder: Path, intent: Intent) -> Plan:
    """Plan of an intent, exceptions and overrides in place."""
    return open_workspace(written(folder, intent)).plan


def with_template(folder: Path, name: str, old: str, new: str) -> Path:
    """A folder of the user's with one of our templates, changed."""
    text = (templates_folder() / name).read_text()
    assert text.count(old) == 1
    path = folder / "templates" / name
    path.parent.mkdir(parents=True)
    path.write_text(text.replace(old, new))
    return folder / "templates"
