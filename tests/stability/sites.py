"""A small site as a plain value: two fabrics, three server groups, tenants, exceptions; and everything its plan gives.

The value is edited, written as text, and planned on the lock of the plan before, as `render` does from day to day.
"""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from functools import lru_cache
from typing import NamedTuple

from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.fabric import (
    FabricPlan,
    asn_of,
    loopback6,
    name_of,
    oob,
    own_blocks,
    places,
    port_text,
    router_id,
    vtep,
)
from fabricgen.plan.lock import Lock, read_lock, write_lock
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.plan.wiring import host_ports, uplinks
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from tests.topologies.sites import catalog

CATALOG = catalog()

Site = dict[str, dict[str, dict[str, object]]]
"""Sections servers, fabrics and tenants of an intent, by name; and `ports`: device/port → state."""

Key = tuple[object, ...]
Value = tuple[object, ...]


def first_site() -> Site:
    """Backend of two groups with two rails a leaf, frontend of two with border leaves, two tenants."""
    backend: dict[str, object] = {
        "kind": "backend",
        "prefix": "be",
        "connects": {"train": "nics", "serve": "nics"},
        "topology": {"design": "rail-optimized", "rails_per_leaf": 2, "spines": {"now": 4, "planned": 8}},
        "leaf": {"model": "r16", "os": "eos-4.34"},
        "spine": {"model": "r64", "os": "eos-4.34"},
        "addressing": {"ipv4": "10.64.0.0/12", "ipv6": "fd5e:8c1f:2a00::/52"},
        "asns": "4201000000-4201999999",
    }
    frontend: dict[str, object] = {
        "kind": "frontend",
        "prefix": "fe",
        "connects": {"store": "nics"},
        "topology": {"design": "leaf-spine", "oversubscription": "1:2", "border_leaves": 2, "spines": {"now": 2}},
        "leaf": {"model": "mixed-small", "os": "eos-4.34"},
        "spine": {"model": "r128", "os": "eos-4.34"},
        "addressing": {"ipv4": "10.128.0.0/12", "ipv6": "fd5e:8c1f:2a00:1000::/52"},
        "asns": "4202000000-4202999999",
    }
    servers: dict[str, dict[str, object]] = {
        "train": {"model": "gpu4", "slots": list(range(11)), "planned": 16},
        "serve": {"model": "gpu4", "slots": [0, 1, 5], "planned": 8},
        "store": {"model": "two-100", "slots": [0, 1, 2, 8], "planned": 16},
    }
    tenants: dict[str, dict[str, object]] = {
        "research": {"networks": {"hosts": {"vlan": 110, "subnets": ["172.18.0.0/20"]}}},
        "storage": {"networks": {"data": {"vlan": 20, "subnets": ["172.17.0.0/20"]}}},
    }
    return {
        "servers": servers,
        "fabrics": {"backend": backend, "frontend": frontend},
        "tenants": deepcopy(tenants),
        "ports": {},
    }


def text_of(site: Site) -> str:
    """The intent as a file. JSON is YAML, and keeps the order of the keys."""
    servers = {
        name: {**group, "slots": ",".join(map(str, group["slots"]))}  # type: ignore[call-overload]
        for name, group in site["servers"].items()
    }
    document = {
        "fabricgen": 1,
        "site": "dc1",
        "management": {
            "oob": "10.0.0.0/16",
            "gateway": "10.0.0.1",
            "users": {"admin": {"role": "network-admin", "password": "${env:ADMIN_HASH}"}},
        },
        "servers": servers,
        "fabrics": site["fabrics"],
        "tenants": site["tenants"],
    }
    return json.dumps(document, indent=1)


@lru_cache(maxsize=8)
def _recorded(text: str) -> Lock:
    """Most edits leave the lock as it is."""
    return read_lock(load_document(text, "fabricgen.lock"))


def plan_site(site: Site, lock_text: str = "") -> Plan:
    """Plan of a site on the lock that stands beside it. Raises FabricError for an intent that cannot be."""
    intent = validate(Intent, load_document(text_of(site), "intent.yaml"))
    recorded = _recorded(lock_text) if lock_text else Lock()
    exceptions = Exceptions(
        ports={PortKey(*name.split("/", 1)): str(port["state"]) for name, port in site["ports"].items() if "/" in name},
        devices={name: str(port["state"]) for name, port in site["ports"].items() if "/" not in name},
    )
    return make_plan(intent, CATALOG, make_shapes(intent, CATALOG, recorded), recorded, exceptions)


class Snapshot(NamedTuple):
    """Everything a plan gives, by what it belongs to, and the lock as it would be written."""

    values: Mapping[Key, Value]
    lock: str


def snapshot(plan: Plan) -> Snapshot:
    """Every value of a plan under the key of its object."""
    values: dict[Key, Value] = {}
    for fabric in plan.fabrics.values():
        values.update(_fabric_values(fabric))
    for name, tenants in plan.tenants.items():
        for tenant in tenants:
            values["tenant", name, tenant.name] = (tenant.id, tenant.vni)
            for network in tenant.networks:
                values["network", name, tenant.name, network.name] = (network.id, network.vni, network.vlan_id)
    return Snapshot(values, write_lock(plan.lock))


def _fabric_values(plan: FabricPlan) -> Iterator[tuple[Key, Value]]:
    """Devices, links, and host ports. A leaf is (tier, group, su, rail, index): as an engineer would point at it."""
    for place in places(plan):
        where = (plan.name, place.tier.value, place.group, place.su, place.rail, place.index)
        yield ("name", *where), (name_of(plan, place),)
        yield (
            ("device", *where),
            (asn_of(plan, place), router_id(plan, place), loopback6(plan, place), vtep(plan, place), oob(plan, place)),
        )
        four, six = own_blocks(plan, place)
        for link in uplinks(plan, place):
            addresses = tuple(block.uplink(link.number) if block else None for block in (four, six))
            yield ("link", *where, link.number), addresses
            yield ("lower port", *where, link.number), (port_text(plan, place, link.lower_port),)
            yield ("upper end", *where, link.number), (link.upper.index, port_text(plan, link.upper, link.upper_port))
        if place.tier is Tier.LEAF:
            for host in host_ports(plan, place):
                slot = (plan.name, host.group, host.slot, host.nic)
                yield ("host", *slot), tuple(block.host(host.number) if block else None for block in (four, six))
                yield ("host port", *slot), (*where, port_text(plan, place, host.port))
                yield ("present", *slot), (host.present,)
