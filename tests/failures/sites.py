"""Small fabrics of every kind, on switches of few ports, each with its exceptions."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.cabling import cables
from fabricgen.plan.exceptions import Exceptions, PortKey, SlotKey
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from tests.failures.judge import Cabling

MANAGEMENT = {"vrf": "MGMT", "oob": "10.0.0.0/20", "gateway": "10.0.0.1"}
BACKEND = {"model": "arista-7060x6-64pe", "os": "eos-4.34"}
NO_EXCEPTIONS = Exceptions()


class Site(NamedTuple):
    """A fabric of a plan. cages: of every switch of the backend, 0 for all of its model.

    nic_cages  cage of each NIC port of the servers, where it is not that of their model
    """

    name: str
    value: Mapping[str, Any]
    fabric: str = "backend"
    cages: int = 0
    exceptions: Exceptions = NO_EXCEPTIONS
    nic_cages: tuple[str, ...] = ()


def backend(slots: str, topology: Mapping[str, object], model: str = "gb200-nvl72", **more: object) -> dict[str, Any]:
    """An intent with a backend alone."""
    fabric: dict[str, object] = {
        "kind": "backend",
        "prefix": "be",
        "connects": {"train": "compute"},
        "topology": topology,
        "leaf": BACKEND,
        "addressing": {"links": ["ipv4"], "hosts": "ipv4", "ipv4": "10.64.0.0/12"},
        "asns": "4201000000-4201999999",
        **more,
    }
    if "spines" in topology:
        fabric["spine"] = BACKEND
    if "superspines" in topology:
        fabric["superspine"] = BACKEND
    return {
        "fabricgen": 1,
        "site": "t",
        "management": MANAGEMENT,
        "servers": {"train": {"model": model, "slots": slots}},
        "fabrics": {"backend": fabric},
    }


def frontend(slots: str, topology: Mapping[str, object]) -> dict[str, Any]:
    """An intent with a frontend alone."""
    spine = {"model": "arista-7060dx5-32", "os": "eos-4.34"}
    return {
        "fabricgen": 1,
        "site": "t",
        "management": MANAGEMENT,
        "servers": {"train": {"model": "dgx-h100", "slots": slots}},
        "fabrics": {
            "frontend": {
                "kind": "frontend",
                "prefix": "fe",
                "connects": {"train": "frontend"},
                "topology": {"design": "leaf-spine", **topology},
                "leaf": {"model": "arista-7050cx4-24d8", "os": "eos-4.34"},
                "spine": spine,
                **({"superspine": spine} if "superspines" in topology else {}),
                "addressing": {"links": ["ipv4"], "ipv4": "10.128.0.0/12"},
                "asns": "4202000000-4202999999",
            }
        },
    }


def storage(slots: str, nodes: str, topology: Mapping[str, object]) -> dict[str, Any]:
    """An intent with a fabric to storage alone: two ports of 200G for each server and storage node."""
    switch = {"model": "arista-7060dx5-32", "os": "eos-4.34"}
    site = backend(slots, topology, "dgx-h100")
    site["servers"]["store"] = {"model": "storage-2x200", "slots": nodes}
    site["fabrics"]["backend"] |= {
        "kind": "storage",
        "connects": {"train": "storage", "store": "data"},
        "leaf": switch,
        "spine": switch,
    }
    return site


def shared(slots: str, nodes: str, topology: Mapping[str, object], *, owner: str = "train") -> dict[str, Any]:
    """The same with servers and storage nodes on leaves of one of them: three servers and a node a unit."""
    other = {"train": "store", "store": "train"}[owner]
    units = {"servers_per_unit": {"train": 3, "store": 1}, "spines": {"now": 2}, "uplink_gbps": 200, **topology}
    site = storage(slots, nodes, {"design": "rail-optimized", **units})
    site["fabrics"]["backend"]["shared_leaves"] = {other: owner}
    return site


def shared_backend(slots: str, others: str) -> dict[str, Any]:
    """A backend with two kinds of servers with GPUs on the same leaves."""
    site = backend(slots, {**RAILS, "servers_per_unit": {"train": 2, "other": 1}})
    site["servers"]["other"] = {**site["servers"]["train"], "slots": others}
    site["fabrics"]["backend"] |= {
        "connects": {"train": "compute", "other": "compute"},
        "shared_leaves": {"other": "train"},
    }
    return site


def small(cages: int) -> Catalog:
    """The catalog with a backend switch of few cages."""
    found = load_catalog(None)
    if not cages:
        return found
    switch = found.switches[BACKEND["model"]]
    first = switch.cages[0]
    shelf = replace(found.switches, _read={**found.switches._read})
    changed = first.model_copy(update={"numbers": range(first.numbers.start, first.numbers.start + cages)})
    shelf._read[BACKEND["model"]] = switch.model_copy(update={"cages": (changed,), "logical_ports": None})
    return replace(found, switches=shelf)


def joined_nics(catalog: Catalog, model: str, cages: tuple[str, ...]) -> Catalog:
    """The catalog with other cages of the NIC ports of a server."""
    server = catalog.servers[model]
    ports = zip(server.nics["compute"].ports, cages, strict=True)
    group = server.nics["compute"].model_copy(
        update={"ports": tuple(port.model_copy(update={"cage": cage}) for port, cage in ports)}
    )
    shelf = replace(catalog.servers, _read={**catalog.servers._read})
    shelf._read[model] = server.model_copy(update={"nics": {**server.nics, "compute": group}})
    return replace(catalog, servers=shelf)


def plan_of(site: Site, exceptions: Exceptions | None = None) -> Plan:
    """The plan of a site, with its exceptions or others."""
    intent, catalog = Intent.model_validate(site.value), small(site.cages)
    if site.nic_cages:
        catalog = joined_nics(catalog, site.value["servers"]["train"]["model"], site.nic_cages)
    shapes = make_shapes(intent, catalog)
    return make_plan(intent, catalog, shapes, Lock(), site.exceptions if exceptions is None else exceptions)


def cabling_of(site: Site) -> Cabling:
    """What the judge is given: cables, and what they do not say."""
    plan = plan_of(site)
    fabric = plan.fabrics[site.fabric]
    slots = {key: state for key, state in site.exceptions.slots.items()}
    bare = plan_of(site, Exceptions(slots=slots))
    is_backend = fabric.fabric.kind == "backend"
    models = {group: plan.catalog.servers[servers["model"]] for group, servers in site.value["servers"].items()}
    connects = site.value["fabrics"][site.fabric]["connects"]
    ports = {group: model.nics[connects[group]].ports for group, model in models.items()}
    nic_of = nic_names([port.name for group in ports.values() for port in group])
    # Storage nodes have each port on a rail of its own, servers with GPUs all ports on one.
    rails = {
        port.name: str(port.rail) if is_backend else str(number) if not models[group].gpus else ""
        for group, group_ports in ports.items()
        for number, port in enumerate(group_ports)
    }
    rail_count = len({port.rail for port in ports["train"]}) if is_backend else 1
    states = site.exceptions.devices
    # A drained server has no jobs: nothing is lost with it, and it sends nothing.
    idle = {f"{key.group}-{key.slot:03d}" for key, state in slots.items() if state == "drained"}
    in_use, built = (
        tuple(cable for cable in cables(each) if cable.fabric == site.fabric and cable.near.device not in idle)
        for each in (plan, bare)
    )
    return Cabling(
        cables=in_use,
        built=built,
        drained=frozenset(name for name, state in states.items() if state == "drained"),
        dead=frozenset(name for name, state in states.items() if state in ("dead", "absent")),
        rail_of=lambda port: rails[nic_of(port)],
        nic_of=nic_of,
        gpus=lambda server: Fraction(models[server.rpartition("-")[0]].gpus, rail_count),
        policy=fabric.fabric.link_loss,
        vteps=site.fabric == "frontend",
        nodes=frozenset(
            cable.near.device for cable in built if fabric.fabric.kind == "storage" and "store" in cable.near.device
        ),
    )


def nic_names(names: list[str]) -> Callable[[str], str]:
    """A port of a server → the NIC of its model that it belongs to: itself, or the one it is a slice or a half of."""
    return lambda port: next(name for name in sorted(names, key=len, reverse=True) if port.startswith(name))


def broken(*ends: tuple[str, str]) -> frozenset[PortKey]:
    """Both ends of dead cables."""
    return frozenset(PortKey(*end) for end in ends)


TWO_TIERS = {"design": "tor", "servers_per_unit": 1, "spines": {"now": 2}}
THREE_TIERS = {**TWO_TIERS, "units_per_pod": 2, "superspines": {"now": 2}}
RAILS = {"design": "rail-optimized", "servers_per_unit": 2, "rails_per_leaf": 2, "spines": {"now": 2}}
RAIL_ONLY = {"design": "rail-only", "servers_per_unit": 2, "spines": {"now": 2}}
PAIR = {**RAILS, "leaves_per_rail": 2, "rails_per_leaf": 8}
RAIL_STORAGE = {"design": "rail-optimized", "servers_per_unit": 2, "spines": {"now": 2}}
RAIL_PLANES = {**RAILS, "rails_per_leaf": 1, "rails_per_plane": 1}

SITES = (
    Site("two tiers", backend("0-3", TWO_TIERS)),
    Site("rails", backend("0-3", RAILS)),
    Site("uneven last unit", backend("0-2", RAILS)),
    Site("weighted", backend("0-2", TWO_TIERS, link_loss="weighted")),
    Site("withdraw", backend("0-2", TWO_TIERS, link_loss="withdraw")),
    Site("three tiers", backend("0-5", THREE_TIERS), cages=4),
    Site("two small pods", backend("0-1", {**THREE_TIERS, "units_per_pod": 1}), cages=4),
    Site("three pods, uneven", backend("0-4", THREE_TIERS), cages=4),
    Site(
        "two planes",
        backend(
            "0-2",
            {"design": "rail-optimized", "servers_per_unit": 2, "rails_per_leaf": 4, "planes": 2, "spines": {"now": 2}},
            model="dgx-b300",
        ),
    ),
    Site("frontend", frontend("0-13", {"oversubscription": "3:1", "border_leaves": 2}), "frontend"),
    Site("drained spine", backend("0-3", TWO_TIERS), exceptions=Exceptions(devices={"be-spine-00": "drained"})),
    Site(
        "dead superspine",
        backend("0-5", THREE_TIERS),
        cages=4,
        exceptions=Exceptions(devices={"be-super-00": "dead", "be-super-03": "drained"}),
    ),
    Site("dead leaf", backend("0-5", RAILS), exceptions=Exceptions(devices={"be-leaf-001": "dead"})),
    Site("absent slot", backend("0-5", RAILS), exceptions=Exceptions(slots={SlotKey("train", 3): "absent"})),
    Site(
        "drained servers",
        backend("0-5", RAILS),
        exceptions=Exceptions(
            slots={SlotKey("train", 0): "drained", SlotKey("train", 3): "drained"}, devices={"be-leaf-001": "drained"}
        ),
    ),
    Site(
        "dead and drained links",
        backend("0-3", TWO_TIERS),
        exceptions=Exceptions(
            ports={PortKey("be-leaf-002", "Ethernet63/1"): "drained"},
            broken=broken(("be-leaf-000", "Ethernet63/5"), ("be-spine-01", "Ethernet1/1")),
        ),
    ),
    Site(
        "dead ports",
        backend("0-3", TWO_TIERS),
        exceptions=Exceptions(
            ports={PortKey("be-leaf-001", "Ethernet63/1"): "dead", PortKey("be-spine-00", "Ethernet33/1"): "dead"}
        ),
    ),
    Site(
        "dead core link",
        backend("0-4", THREE_TIERS),
        cages=4,
        exceptions=Exceptions(
            broken=broken(("be-spine-00", "Ethernet3/1"), ("be-super-00", "Ethernet1/1")),
            ports={PortKey("be-spine-02", "Ethernet3/5"): "drained"},
        ),
    ),
    Site(
        "dead server cable",
        backend("0-5", RAILS),
        exceptions=Exceptions(broken=broken(("train-001", "Left Bay OSFP P4"), ("be-leaf-000", "Ethernet2/5"))),
    ),
    Site(
        "drained leaf of a frontend",
        frontend("0-5", {"oversubscription": "3:1"}),
        "frontend",
        exceptions=Exceptions(devices={"fe-leaf-000": "drained", "fe-spine-01": "drained"}),
    ),
    Site(
        "drained leaf",
        backend("0-3", TWO_TIERS),
        exceptions=Exceptions(devices={"be-leaf-000": "drained", "be-spine-00": "drained"}),
    ),
    Site("three spines", backend("0-2", {**RAILS, "servers_per_unit": 3, "spines": {"now": 3}})),
    Site("pair of leaves", backend("0-2", PAIR, model="dgx-b300")),
    Site("five servers a unit", backend("0-6", {**RAILS, "servers_per_unit": 5, "spines": {"now": 2}})),
    Site("rails alone", backend("0-3", {"design": "rail-only"})),
    Site("twin cages", backend("0-1", {**RAILS, "rails_per_leaf": 2}, model="dgx-h100")),
    Site("oversubscribed", backend("0-3", {**TWO_TIERS, "oversubscription": "2:1"})),
    Site(
        "frontend of two pods",
        frontend(
            "0-3,24-27",
            {
                "oversubscription": "3:1",
                "border_leaves": 1,
                "units_per_pod": 1,
                "spines": {"now": 2},
                "superspines": {"now": 2},
            },
        ),
        "frontend",
    ),
    Site("planes of rails", backend("0-2", RAIL_PLANES)),
    Site("planes of two rails", backend("0-3", {**RAIL_PLANES, "rails_per_plane": 2})),
    Site("rails alone, with spines", backend("0-2", RAIL_ONLY)),
    Site("two slices in planes of two rails", backend("0-2", {**RAIL_PLANES, "rails_per_plane": 2}, "gb300-nvl72")),
    Site("twin cages in planes of rails", backend("0-1", RAIL_PLANES, "dgx-h100")),
    Site("twin cages across planes of two rails", backend("0-1", {**RAIL_PLANES, "rails_per_plane": 2}, "dgx-h100")),
    Site(
        "a cage across planes of two rails",
        backend("0-2", {**RAIL_PLANES, "rails_per_plane": 2}),
        nic_cages=("A", "B", "B", "C"),
    ),
    Site(
        "planes of rails in pods",
        backend("0-2", {**RAIL_PLANES, "units_per_pod": 1, "superspines": {"now": 2}}),
        cages=4,
    ),
    Site(
        "planes of rails, dead parts",
        backend("0-3", {**RAIL_PLANES, "rails_per_plane": 2}),
        exceptions=Exceptions(
            devices={"be-leaf-002": "dead", "be-spine-01": "drained"},
            broken=broken(("train-001", "Left Bay OSFP P4"), ("be-leaf-000", "Ethernet2/5")),
        ),
    ),
    Site("storage", storage("0-2", "0-1", RAIL_STORAGE)),
    Site(
        "storage, three uneven pods",
        storage("0-4", "0-2", {**RAIL_STORAGE, "units_per_pod": 1, "superspines": {"now": 2}}),
    ),
    Site("storage in planes", storage("0-1", "0-1", {**RAIL_STORAGE, "rails_per_plane": 1})),
    Site("storage at one leaf", storage("0-2", "0", {"design": "tor", "servers_per_unit": 3, "spines": {"now": 2}})),
    Site(
        "storage, dead parts",
        storage("0-2", "0-1", {**RAIL_STORAGE, "rails_per_plane": 1}),
        exceptions=Exceptions(slots={SlotKey("store", 1): "dead"}, broken=broken(("train-001", "Slot1 port 1"))),
    ),
    Site("shared storage leaves", shared("0-4", "0-1", {})),
    Site("shared storage leaves of the nodes", shared("0-2", "0-1", {}, owner="store")),
    Site(
        "shared storage leaves, a unit of nodes alone",
        shared("0-1", "0-2", {}),
    ),
    Site(
        "shared storage leaves, one a unit",
        shared("0-2", "0-3", {"design": "tor", "servers_per_unit": {"train": 2, "store": 2}}),
    ),
    Site("shared storage leaves in planes", shared("0-2", "0-1", {"rails_per_plane": 1})),
    Site(
        "shared storage leaves in pods",
        shared("0-4", "0-1", {"units_per_pod": {"train": 1}, "superspines": {"now": 2}}),
    ),
    Site(
        "shared storage leaves, dead parts",
        shared("0-3", "0-1", {}),
        exceptions=Exceptions(
            devices={"be-leaf-003": "dead", "be-spine-01": "drained"},
            slots={SlotKey("store", 1): "dead"},
            broken=broken(("train-001", "Slot1 port 1")),
        ),
    ),
    Site("shared leaves of a backend", shared_backend("0-3", "0-1")),
    Site("one spine", backend("0-3", {**RAILS, "spines": {"now": 1}})),
    Site("one leaf", backend("0-1", {**TWO_TIERS, "servers_per_unit": 2})),
    Site(
        "pair of leaves, one without uplinks",
        backend("0-1", {**PAIR, "servers_per_unit": 1, "spines": {"now": 1}}, model="dgx-b300"),
        exceptions=Exceptions(
            broken=broken(
                *(("be-leaf-000", f"Ethernet{cage}/{part}") for cage in range(61, 65) for part in (1, 5)),
                *(("be-spine-00", f"Ethernet{cage}/1") for cage in range(1, 64, 8)),
            )
        ),
    ),
)
