"""Server groups on the same leaves: published counts, growth of one after the other, and what is refused.

NetApp AIPod with DGX H100 (NVA-1173, docs.netapp.com, ai-aipod-nv-architecture and -deploy): a pair of SN4600 for DGX
systems and AFF A90, all ports a to switch 1 and all ports b to switch 2. Oracle Exadata X9M (multi-rack cabling): two
leaf switches connect all database and storage servers of a rack, and a spine a rack joins the racks.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import pytest

from fabricgen.checks.catalogue import run_checks
from fabricgen.errors import FabricError, Problem
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.cabling import cables
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock, read_lock, write_lock
from fabricgen.plan.numbers import HostLink, UplinkRef, numbers
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan, make_plan, make_shapes
from fabricgen.source.document import load_document
from fabricgen.topologies.shape import Shape

SN4600 = {"model": "nvidia-sn4600", "os": "cumulus-5.16"}
SN5600 = {"model": "nvidia-sn5600", "os": "cumulus-5.16"}


def intent(
    topology: str = "train: 24, store: 8",
    *,
    shared: Mapping[str, str] | None = None,
    servers: Mapping[str, object] = MappingProxyType({}),
    spines: Mapping[str, int] | None = None,
    uplink_gbps: int = 0,
    units_per_pod: Mapping[str, int] | None = None,
    **more: object,
) -> Intent:
    """A fabric to storage of servers and storage nodes, with spines unless `spine` is None."""
    units = {name: int(count) for name, _, count in (each.partition(": ") for each in topology.split(", "))}
    above = {"spines": spines, "uplink_gbps": uplink_gbps, "units_per_pod": units_per_pod}
    fabric: dict[str, Any] = {
        "kind": "storage",
        "prefix": "st",
        "connects": {"train": "storage", "store": "data"},
        "shared_leaves": {"store": "train"} if shared is None else dict(shared),
        "topology": {"design": "rail-optimized", "servers_per_unit": units}
        | {key: value for key, value in above.items() if value},
        "leaf": SN5600,
        "spine": SN5600,
        "addressing": {"ipv4": "10.96.0.0/12", "ipv6": "fd5e:8c1f:2a00:3000::/52"},
        "asns": "4203000000-4203999999",
        **more,
    }
    return Intent.model_validate(
        {
            "fabricgen": 1,
            "site": "dc1",
            "management": {
                "oob": "10.0.0.0/20",
                "gateway": "10.0.0.1",
                "users": {"admin": {"role": "network-admin", "password": "${env:HASH}"}},
            },
            "cables": {"default": {"server_leaf": 2}},
            "servers": {
                "train": {"model": "dgx-h100", "slots": "0-9", "planned": 48},
                "store": {"model": "storage-2x200", "slots": "0-2", "planned": 16},
                **servers,
            },
            "fabrics": {"storage": {key: value for key, value in fabric.items() if value is not None}},
        }
    )


def planned(made: Intent, lock: Lock | None = None) -> Plan:
    recorded, library = lock or Lock(), load_catalog(None)
    return make_plan(made, library, make_shapes(made, library, recorded), recorded, Exceptions())


def problems_of(made: Intent, lock: Lock | None = None) -> list[Problem]:
    try:
        return [problem for problem in run_checks(planned(made, lock)) if problem.code != "ecn-after-pfc-published"]
    except FabricError as error:
        return list(error.problems)


def shape_of(made: Intent) -> Shape:
    return make_shapes(made, load_catalog(None))["storage"]


def leaves_and_spines(plan: Plan) -> tuple[int, int]:
    tiers = [owner.tier for owner, _ in numbers(plan) if isinstance(owner, Place)]
    return tiers.count(Tier.LEAF), tiers.count(Tier.SPINE)


def test_netapp_aipod_has_two_switches_for_servers_and_storage() -> None:
    made = intent(
        "train: 16, store: 4",
        leaf=SN4600,
        spine=None,
        servers={
            "train": {"model": "dgx-h100", "slots": "0-7", "planned": 16},
            "store": {"model": "netapp-aff-a90", "slots": "0-1", "planned": 4},
        },
    )
    plan = planned(made)
    assert leaves_and_spines(plan) == (2, 0)
    ends = {(cable.near.device, cable.near.port): cable.far.device for cable in cables(plan)}
    for port, leaf in ends.items():
        if port[0].startswith("store"):
            assert leaf == {"a": "st-leaf-000", "b": "st-leaf-001"}[port[1][-1]], port
    servers = [(port, leaf) for port, leaf in ends.items() if port[0] == "train-000"]
    assert [leaf for _, leaf in sorted(servers)] == ["st-leaf-000", "st-leaf-001"]
    # 8 servers with a port, 2 storage systems with four ports on each of two leaves.
    assert len(ends) == 2 * (8 + 2 * 4)
    assert problems_of(made) == []


@pytest.mark.parametrize(("racks", "leaves", "spines"), [(1, 2, 0), (2, 4, 2), (4, 8, 4)])
def test_exadata_has_two_leaves_a_rack_for_all_servers(racks: int, leaves: int, spines: int) -> None:
    """Three database servers and five storage servers a rack: each of the two ports on another leaf."""
    servers = {
        "train": {"model": "storage-2x200", "slots": f"0-{3 * racks - 1}", "planned": 3 * racks},
        "store": {"model": "storage-2x200", "slots": f"0-{5 * racks - 1}", "planned": 5 * racks},
    }
    made = intent(
        "train: 3, store: 5",
        connects={"train": "data", "store": "data"},
        servers=servers,
        spine=SN5600 if spines else None,
        spines={"now": spines} if spines else None,
    )
    plan = planned(made)
    assert leaves_and_spines(plan) == (leaves, spines)
    on_leaf = {(c.far.device, c.near.device.partition("-")[0]) for c in cables(plan) if c.kind == "server-leaf"}
    assert len(on_leaf) == 2 * leaves, "each leaf has servers of both groups"


def test_ports_of_a_leaf_are_those_of_the_owner_then_the_others() -> None:
    """24 ports of 200G are in 12 cages of two, 8 more in the next four: no cage has cables of both."""
    groups = {group.name: group for group in shape_of(intent()).groups}
    cages = {name: sorted({port.cage for port in group.down}) for name, group in groups.items()}
    assert cages["train"][-1] < cages["store"][0]
    assert {name: (group.first_port, len(group.down)) for name, group in groups.items()} == {
        "train": (0, 24),
        "store": (24, 8),
    }
    assert len(groups["train"].leaf.up) == 32, "1:1 of all servers of a unit"
    assert groups["train"].leaf is groups["store"].leaf


def test_more_ports_than_leaves_are_spread_in_turn() -> None:
    made = intent("train: 4, store: 2", servers={"store": {"model": "netapp-aff-a90", "slots": "0-1", "planned": 2}})
    (store,) = (group for group in shape_of(made).groups if group.name == "store")
    assert [(column.rail, column.row) for column in store.columns] == [(n % 2, n // 2) for n in range(8)]


GROWTH = (
    {"train": {"slots": "0-23"}},
    {"store": {"slots": "0-7"}},
    {"store": {"slots": "0-10"}},  # a second unit, of storage nodes alone
    {"train": {"slots": "0-30"}},
    {"train": {"planned": 72}},  # beyond what was planned
    {"store": {"planned": 40}},
    {"store": {"slots": "0-33"}},  # units 2 to 4
    {"train": {"slots": "0-23"}},  # servers of unit 1 leave, its storage nodes stay
)


def test_neither_group_moves_a_number_or_a_cable_of_the_other() -> None:
    servers: dict[str, dict[str, Any]] = {
        "train": {"model": "dgx-h100", "slots": "0-9", "planned": 48},
        "store": {"model": "storage-2x200", "slots": "0-2", "planned": 16},
    }
    lock: Lock | None = None
    known: dict[object, Mapping[str, str]] = {}
    cabled: dict[tuple[str, str], tuple[str, str]] = {}
    for step in ({}, *GROWTH):
        for name, change in step.items():
            servers[name] = {**servers[name], **change}
        made = intent(servers=servers, spines={"now": 2, "planned": 8})
        assert problems_of(made, lock) == [], step
        plan = planned(made, lock)
        for owner, values in numbers(plan):
            assert known.setdefault(owner, values) == values, (step, owner)
        for cable in cables(plan):
            near, far = (cable.near.device, cable.near.port), (cable.far.device, cable.far.port)
            assert cabled.setdefault(near, far) == far, (step, near)
        text = write_lock(plan.lock)
        assert lock is None or set(write_lock(lock).splitlines()) <= set(text.splitlines()), "lines are added alone"
        lock = read_lock(load_document(text, "fabricgen.lock"))
        assert write_lock(planned(made, lock).lock) == text, "the same intent and lock are the same text"
    owners = {type(owner) for owner in known}
    assert {Place, UplinkRef, HostLink} <= owners
    assert len({values["far ipv4"] for owner, values in known.items() if isinstance(owner, HostLink)}) == sum(
        isinstance(owner, HostLink) for owner in known
    ), "no two NICs have one address"


def test_a_third_group_keeps_its_ports_under_a_new_name() -> None:
    """Ports are in the order of the lock, and of names where it has none: a rename does not sort them anew."""
    others = {"alpha": {"model": "storage-2x200", "slots": "0-1"}, "beta": {"model": "storage-2x200", "slots": "0-1"}}
    three = {"train": "storage", "alpha": "data", "beta": "data"}
    shared = {"alpha": "train", "beta": "train"}
    before = intent(
        "train: 4, alpha: 2, beta: 2", shared=shared, connects=three, servers={**others, "store": {**others["alpha"]}}
    )
    lock = planned(before).lock
    assert [line.shared for line in lock.segments if line.tier is Tier.LEAF] == [(("alpha", 2, 2), ("beta", 2, 2))]
    renamed = {"zeta": {**others["alpha"], "was": "alpha"}, "beta": others["beta"], "store": others["alpha"]}
    after = intent(
        "train: 4, zeta: 2, beta: 2",
        shared={"zeta": "train", "beta": "train"},
        connects={"train": "storage", "zeta": "data", "beta": "data"},
        servers=renamed,
    )
    plan = planned(after, lock)
    assert problems_of(after, lock) == []
    first = {group.name: group.first_port for group in plan.fabrics["storage"].shape.groups}
    assert first == {"train": 0, "zeta": 4, "beta": 6}
    assert [line.shared for line in plan.lock.segments if line.tier is Tier.LEAF] == [(("zeta", 2, 2), ("beta", 2, 2))]


UNITS = "train: 24, store: 8"
PER_UNIT = "topology.servers_per_unit"
REFUSED: tuple[tuple[str, Mapping[str, Any], str, str, str], ...] = (
    (UNITS, {"shared": {"store": "stor"}}, "unknown-name", "shared_leaves.store", "did you mean store?"),
    (UNITS, {"shared": {"stor": "train"}}, "unknown-name", "shared_leaves.stor", "did you mean store?"),
    (UNITS, {"shared": {"store": "store"}}, "shared-leaves", "shared_leaves.store", "remove store"),
    ("train: 24", {}, "shared-leaves", PER_UNIT, "write servers_per_unit: {train: 24, store: 16}"),
    (
        UNITS,
        {"leaf_models": {"store": "nvidia-sn4600"}},
        "shared-leaves",
        "leaf_models.store",
        "remove store from leaf_models",
    ),
    # 64 cages of four ports of 200G: 100 and 60 servers, and 160 uplinks, need 80.
    ("train: 100, store: 60", {}, "unit-too-large", PER_UNIT, "write servers_per_unit: {store: 60, train: "),
    ("train: 40, store: 12", {"spine": None}, "needs-spines", "", "write servers_per_unit with store: 16, or plan for"),
    ("train: 48, store: 16", {"spine": None, "shared": {}}, "needs-spines", "", "write shared_leaves: {store: train}"),
    (
        UNITS,
        {"superspine": SN5600, "units_per_pod": {"train": 2, "store": 3}},
        "shared-leaves",
        "topology.units_per_pod.store",
        "remove store from units_per_pod",
    ),
    # The four rails of two cards on two leaves are no rails of a backend, where a leaf has those of its GPUs.
    (
        "train: 8, store: 2",
        {"kind": "backend", "connects": {"train": "compute", "store": "data"}, "uplink_gbps": 400},
        "shared-leaves",
        "shared_leaves.store",
        "connect a NIC group of store with 8 ports, or remove store here",
    ),
)


@pytest.mark.parametrize(("topology", "more", "code", "path", "fix"), REFUSED)
def test_what_cannot_be_is_refused_at_its_place(
    topology: str, more: Mapping[str, Any], code: str, path: str, fix: str
) -> None:
    (problem, *_) = problems_of(intent(topology, **more))
    assert (problem.code, problem.where) == (code, ("fabrics", "storage", *filter(None, path.split("."))))
    assert fix in problem.fix


def test_the_numbers_that_a_refusal_offers_fit() -> None:
    (problem,) = problems_of(intent("train: 100, store: 60"))
    offered = int(problem.fix.partition("train: ")[2].partition("}")[0])
    assert problems_of(intent(f"train: {offered}, store: 60")) == []
    assert [each.code for each in problems_of(intent(f"train: {offered + 1}, store: 60"))] == ["unit-too-large"]


def test_uplinks_that_are_too_few_are_refused() -> None:
    """24 ports of 200G and 8 of 400G: 16 servers of 200G on 8 uplinks at 1:1, whatever ports are left."""
    leaf = {"model": "arista-7050cx4-24d8", "os": "eos-4.34"}
    spine = {"model": "arista-7060dx5-32", "os": "eos-4.34"}
    made = {
        units: intent(units, leaf=leaf, spine=spine, uplink_gbps=400)
        for units in ("train: 20, store: 4", "train: 12, store: 4")
    }
    (problem,) = problems_of(made["train: 20, store: 4"])
    assert (problem.code, problem.fix.partition(", or ")[0]) == (
        "unit-too-large",
        "write servers_per_unit: {store: 4, train: 12}",
    )
    assert {len(group.leaf.up) for group in shape_of(made["train: 12, store: 4"]).groups} == {8}


def test_ports_do_not_pass_from_one_group_to_another() -> None:
    """As many ports and servers of the owner as before: only the line's own record of the others tells."""
    others = {name: {"model": "storage-2x200", "slots": "0"} for name in ("alpha", "beta", "store")}
    more: dict[str, Any] = {
        "shared": {"alpha": "train", "beta": "train"},
        "connects": {"train": "storage", "alpha": "data", "beta": "data"},
        "servers": others,
    }
    lock = planned(intent("train: 4, alpha: 2, beta: 2", **more)).lock
    (problem,) = problems_of(intent("train: 4, alpha: 3, beta: 1", **more), lock)
    assert problem.code == "lock-misfit"
    assert "the lock has 2 of alpha (2 ports) and 2 of beta (2 ports) on a leaf" in problem.why
    assert "write topology.servers_per_unit: {train: 4, alpha: 2, beta: 2}" in problem.fix


MOVED: tuple[tuple[Mapping[str, Any], str], ...] = (
    ({"shared": {}}, "shared_leaves: {store: train}"),
    ({"shared": {"train": "store"}}, "shared_leaves: {store: train}"),
    ({"topology": "train: 23, store: 9"}, "topology.servers_per_unit: {train: 24, store: 8}"),
    ({"topology": "train: 24, store: 7"}, "topology.servers_per_unit: {train: 24, store: 8}"),
)


@pytest.mark.parametrize(("change", "fix"), MOVED)
def test_what_would_move_cables_is_refused_with_the_former_value(change: Mapping[str, Any], fix: str) -> None:
    lock = planned(intent()).lock
    found = problems_of(intent(change.get("topology", "train: 24, store: 8"), shared=change.get("shared")), lock)
    assert {problem.code for problem in found} == {"lock-misfit"}
    assert all(f"write {fix}" in problem.fix for problem in found)


def test_leaves_of_its_own_do_not_become_shared_ones_unseen() -> None:
    lock = planned(intent(shared={})).lock
    found = problems_of(intent(), lock)
    assert {problem.code for problem in found} == {"lock-misfit"}
    assert any("leaves of its own for store" in problem.why for problem in found)
