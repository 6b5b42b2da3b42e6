"""A backend of the published shape, with a frontend where a test wants one; every number is worked out by hand.

HGX reference of NVIDIA's Spectrum-X: 32 servers of 8 × 400G a unit, 4 leaves of two rails with 64 ports down and 64 up.
"""

from typing import Any

from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes

CATALOG = load_catalog(None)
BIG = {"model": "arista-7060x6-64pe", "os": "eos-4.34"}
LEAF = {"model": "arista-7050cx4-24d8", "os": "eos-4.34"}
SPINE = {"model": "arista-7060dx5-32", "os": "eos-4.34"}


def backend(**keys: object) -> dict[str, Any]:
    """One backend; 4 spines stand and 16 are planned."""
    return {
        "kind": "backend",
        "prefix": "be",
        "connects": {"train": "compute"},
        "topology": {"design": "rail-optimized", "rails_per_leaf": 2, "spines": {"now": 4, "planned": 16}},
        "leaf": BIG,
        "spine": BIG,
        "addressing": {"ipv4": "10.64.0.0/12", "ipv6": "fd5e:8c1f:2a00::/52"},
        "asns": "4201000000-4201999999",
        **keys,
    }


def frontend(**keys: object) -> dict[str, Any]:
    """One frontend at 3:1 with two border leaves."""
    return {
        "kind": "frontend",
        "prefix": "fe",
        "connects": {"train": "frontend"},
        "topology": {"design": "leaf-spine", "oversubscription": "3:1", "border_leaves": 2},
        "leaf": LEAF,
        "spine": SPINE,
        "addressing": {"ipv4": "10.128.0.0/12", "ipv6": "fd5e:8c1f:2a00:1000::/52"},
        "asns": "4202000000-4202999999",
        **keys,
    }


def spines(now: int, planned: int) -> dict[str, Any]:
    """Topology of the backend with other spine counts."""
    return {"design": "rail-optimized", "rails_per_leaf": 2, "spines": {"now": now, "planned": planned}}


def intent_value(**keys: object) -> dict[str, Any]:
    """Plain value of a whole intent: 32 DGX H100 of 192 planned."""
    return {
        "fabricgen": 1,
        "site": "dc1",
        "cables": {"default": {"server_leaf": 5, "leaf_spine": 40, "border_external": 30}},
        "management": {
            "oob": "10.0.0.0/20",
            "gateway": "10.0.0.1",
            "users": {"admin": {"role": "network-admin", "password": "${env:ADMIN_HASH}"}},
        },
        "servers": {"train": {"model": "dgx-h100", "slots": "0-31", "planned": 192}},
        "fabrics": {"backend": backend()},
        **keys,
    }


def planned(exceptions: Exceptions | None = None, catalog: Catalog = CATALOG, **keys: object) -> Plan:
    """Plan of that intent with other top-level keys."""
    intent = Intent.model_validate(intent_value(**keys))
    return make_plan(intent, catalog, make_shapes(intent, catalog), Lock(), exceptions or Exceptions())


def train(slots: str, count: int, model: str = "dgx-h100") -> dict[str, Any]:
    """One server group."""
    return {"train": {"model": model, "slots": slots, "planned": count}}
