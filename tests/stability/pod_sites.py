"""A small site of three tiers, in planes of slices or rails, as a plain value; what must stand; all its plan gives.

Leaves of 16 ports with two rails each: 4 servers a unit, 2 leaves, 8 uplinks. Spines of 64 ports: 32 down, 32 up.
"""

import json
from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import NamedTuple

from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
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
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.plan.wiring import host_ports, uplinks
from fabricgen.source.document import load_document
from fabricgen.source.validate import validate
from tests.topologies.sites import catalog

SLOTS_A_UNIT, LEAVES_A_UNIT = 4, 2
CATALOG = catalog()


class Group(NamedTuple):
    """Slots with a server, slots planned, and units a pod."""

    model: str
    slots: frozenset[int]
    planned: int
    units_a_pod: int

    @property
    def units(self) -> frozenset[int]:
        """Units that hold a server."""
        return frozenset(slot // SLOTS_A_UNIT for slot in self.slots)


@dataclass(kw_only=True)
class Site:
    """What the edits turn. Spines and superspines as (now, planned); planes of each NIC, and of the rails."""

    planes: int
    rail_planes: int = 1
    groups: dict[str, Group] = field(default_factory=dict)
    spines: tuple[int, int] = (4, 8)
    cores: tuple[int, int] = (4, 8)
    as_mapping: bool = True

    def copy(self) -> "Site":
        """Another one to edit."""
        return deepcopy(self)

    @property
    def pods_standing(self) -> frozenset[int]:
        """Pods with a unit."""
        return frozenset(unit // group.units_a_pod for group in self.groups.values() for unit in group.units)

    @property
    def pods(self) -> int:
        """Pods that numbers are reserved for."""
        return max(-(-group.planned // (SLOTS_A_UNIT * group.units_a_pod)) for group in self.groups.values())


def first_site(planes: int, rail_planes: int = 1) -> Site:
    """Two pods of two units of one group and one of another, not all of them there."""
    model = "gpu4" if planes == 1 else "gpu4-slices"
    groups = {
        "train": Group(model, frozenset(range(6)), 16, 2),
        "serve": Group(model, frozenset((0, 4)), 8, 1),
    }
    return Site(planes=planes, rail_planes=rail_planes, groups=groups)


def text_of(site: Site) -> str:
    """The intent as a file."""
    numbers = {name: group.units_a_pod for name, group in site.groups.items()}
    same = len(set(numbers.values())) == 1 and not site.as_mapping
    topology = {
        "design": "rail-optimized",
        "rails_per_leaf": 2,
        **({"rails_per_plane": 4 // site.rail_planes} if site.rail_planes > 1 else {}),
        "planes": site.planes,
        "uplink_gbps": 400,
        "servers_per_unit": SLOTS_A_UNIT,
        "units_per_pod": next(iter(numbers.values())) if same else numbers,
        "spines": dict(zip(("now", "planned"), site.spines, strict=True)),
        "superspines": dict(zip(("now", "planned"), site.cores, strict=True)),
        "spine_uplinks": 32,  # more than 8 superspines need, for those that are planned later
    }
    backend = {
        "kind": "backend",
        "prefix": "be",
        "connects": dict.fromkeys(site.groups, "nics"),
        "topology": topology,
        "leaf": {"model": "r16", "os": "eos-4.34"},
        "spine": {"model": "r64", "os": "eos-4.34"},
        "superspine": {"model": "r64", "os": "eos-4.34"},
        "addressing": {"ipv4": "10.64.0.0/12", "ipv6": "fd5e:8c1f:2a00::/52"},
        "asns": "4201000000-4201999999",
    }
    servers = {
        name: {"model": g.model, "slots": ",".join(map(str, sorted(g.slots))), "planned": g.planned}
        for name, g in site.groups.items()
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
        "fabrics": {"backend": backend},
    }
    return json.dumps(document, indent=1)


def plan_site(site: Site, lock_text: str = "") -> Plan:
    """Plan of a site on the lock that stands beside it. Raises FabricError for an intent that cannot be."""
    intent = validate(Intent, load_document(text_of(site), "intent.yaml"))
    recorded = read_lock(load_document(lock_text, "fabricgen.lock")) if lock_text else Lock()
    return make_plan(intent, CATALOG, make_shapes(intent, CATALOG, recorded), recorded, Exceptions())


def must_stand(site: Site) -> set[Place]:
    """Every switch, from the drawing: leaves of units that hold a server, spines of their pods, all core groups."""
    found = set()
    rails = range(LEAVES_A_UNIT // site.rail_planes)
    for plane in range(site.planes * site.rail_planes):
        for name, group in site.groups.items():
            for unit in group.units:
                pod, su = divmod(unit, group.units_a_pod)
                found |= {Place("backend", Tier.LEAF, name, plane, pod, su, rail, 0) for rail in rails}
        for spine in range(site.spines[0]):
            found |= {Place("backend", Tier.SPINE, "", plane, pod, 0, 0, spine) for pod in site.pods_standing}
            found |= {Place("backend", Tier.SUPERSPINE, "", plane, 0, spine, 0, at) for at in range(site.cores[0])}
    return found


Key = tuple[object, ...]


class Snapshot(NamedTuple):
    """Everything a plan gives, by what it belongs to; its switches; and the lock as it would be written."""

    values: Mapping[Key, object]
    switches: frozenset[Place]
    lock: str


def snapshot(plan: Plan) -> Snapshot:
    """Every value of the backend under the key of its object."""
    fabric = plan.fabrics["backend"]
    return Snapshot(dict(_values(fabric)), frozenset(places(fabric)), write_lock(plan.lock))


def _values(plan: FabricPlan) -> Iterator[tuple[Key, object]]:
    for place in places(plan):
        yield ("name", place), name_of(plan, place)
        numbers = (asn_of(plan, place), router_id(plan, place), loopback6(plan, place), vtep(plan, place))
        yield ("device", place), (*numbers, oob(plan, place))
        four, six = own_blocks(plan, place)
        for link in uplinks(plan, place):
            yield (
                ("link", place, link.number),
                tuple(block.uplink(link.number) if block else None for block in (four, six)),
            )
            yield ("lower port", place, link.number), port_text(plan, place, link.lower_port)
            yield ("upper end", place, link.number), (link.upper, port_text(plan, link.upper, link.upper_port))
        if place.tier is Tier.LEAF:
            for host in host_ports(plan, place):
                slot = (host.group, host.slot, host.nic, place.plane)
                yield ("host", *slot), tuple(block.host(host.number) if block else None for block in (four, six))
                yield ("host port", *slot), (place, port_text(plan, place, host.port))
