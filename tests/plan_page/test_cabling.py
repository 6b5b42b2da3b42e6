"""Every cable once, both ends right, and the medium that its cages and its length ask for."""

import csv
from collections import Counter
from itertools import islice

import pytest

from fabricgen.plan.cable import Cable, CableEnd
from fabricgen.plan.cabling import cables, cabling_csv, safe_cell, unsupported_media
from fabricgen.plan.exceptions import AsBuilt, Exceptions, PlacedServer, PortKey, SlotKey
from fabricgen.plan.fabric import name_of, places, port_text
from fabricgen.plan.place import Tier
from fabricgen.plan.plan import Plan
from fabricgen.plan.wiring import downlinks
from tests.plan_page.sites import backend, frontend, planned, spines, train


def by_kind(plan: Plan) -> Counter[str]:
    return Counter(cable.kind for cable in cables(plan))


def lengths(server_leaf: float, leaf_spine: float) -> dict[str, object]:
    return {"default": {"server_leaf": server_leaf, "leaf_spine": leaf_spine, "border_external": 30}}


def at(plan: Plan, device: str, port: str) -> Cable:
    found = [c for c in cables(plan) if (device, port) in ((c.near.device, c.near.port), (c.far.device, c.far.port))]
    assert len(found) == 1
    return found[0]


@pytest.mark.parametrize(("slots", "gpus"), [("0-31", 256), ("0-63", 512), ("0-127", 1024)])
def test_cables_of_a_tier_are_the_gpus(slots: str, gpus: int) -> None:
    # DGX SuperPOD reference architectures: node-leaf and leaf-spine cables are as many as GPUs, 1:1.
    plan = planned(servers=train(slots, 128), fabrics={"backend": backend(topology=spines(8, 8))})
    assert by_kind(plan) == {"server-leaf": gpus, "leaf-spine": gpus}


def test_a_partly_filled_unit_has_all_its_leaf_spine_cables() -> None:
    # DGX B300 reference architecture: fewer servers, yet all leaves and all leaf-spine cables.
    assert by_kind(planned(servers=train("0-9", 32))) == {"server-leaf": 80, "leaf-spine": 256}


def test_no_port_has_two_cables_and_the_spine_side_agrees() -> None:
    plan = planned(fabrics={"backend": backend(), "frontend": frontend()})
    ends = [(end.device, end.port) for cable in cables(plan) for end in (cable.near, cable.far) if end.port]
    assert len(set(ends)) == len(ends)
    written = {(c.far.device, c.far.port, c.near.device, c.near.port) for c in cables(plan) if c.kind == "leaf-spine"}
    seen = set()
    for fabric in plan.fabrics.values():
        for spine in places(fabric):
            if spine.tier is Tier.SPINE:
                for link in downlinks(fabric, spine):
                    upper = name_of(fabric, spine), port_text(fabric, spine, link.upper_port)
                    lower = name_of(fabric, link.lower), port_text(fabric, link.lower, link.lower_port)
                    seen.add((*upper, *lower))
    assert written == seen


def test_both_ends_of_a_twin_port_link() -> None:
    # Rail 0 is OSFP4P2, the second of the two ports of cage OSFP4 in the order of rails 0 and 3.
    first = next(cables(planned()))
    near = CableEnd("train-000", "OSFP4P2", "OSFP4", 0, 2, "osfp-rhs", "osfp-rhs-2x400g-sr4", first=True)
    far = CableEnd("be-leaf-000", "Ethernet1/1", "1", 0, 2, "osfp", "osfp-2x400g-sr4", first=True)
    assert first == Cable("backend", "server-leaf", near, far, 400, 5, "optic", 5, "", "active")


def test_parts_of_a_server_cage_are_counted_by_rail() -> None:
    # OSFP4P1 is rail 3, the second of its cage: leaf 1 takes rails 2 and 3, its second row starts in cage 17.
    cable = at(planned(), "train-000", "OSFP4P1")
    assert (cable.near.part, cable.near.first) == (1, False)
    assert (cable.far.device, cable.far.port, cable.far.part) == ("be-leaf-001", "Ethernet17/1", 0)


def test_an_absent_port_of_a_spine_has_no_cable() -> None:
    plan = planned(Exceptions(ports={PortKey("be-spine-01", "Ethernet5/5"): "absent"}))
    assert by_kind(plan) == {"server-leaf": 256, "leaf-spine": 255}


def test_uplink_u_ends_on_spine_u_mod_s() -> None:
    # DESIGN: port (u div S) * (R / m) + r; S = 4, m = 16, R = 128: rows are 8 apart. Leaf 1 is row 1, uplink 5.
    # The leaf's uplinks start in cage 33, two a cage: uplink 5 is the second of cage 35. Port 1 * 8 + 1 = 9 is the
    # second part of cage 5.
    cable = at(planned(), "be-leaf-001", "Ethernet35/5")
    assert (cable.far.device, cable.far.port) == ("be-spine-01", "Ethernet5/5")


def test_border_cables_are_one_a_port() -> None:
    external = [
        {
            "peer": "fw1",
            "border": 0,
            "port": 0,
            "vlan": vlan,
            "asn": 64601,
            "addresses": [addr],
            "accept": ["0.0.0.0/0"],
        }
        for vlan, addr in ((900, "172.31.0.0/31"), (901, "172.31.0.2/31"))
    ]
    tenants = {"a": {"networks": {"n": {"vlan": 20, "subnets": ["172.16.0.0/24"]}}, "external": external}}
    plan = planned(fabrics={"frontend": frontend()}, tenants=tenants)
    # 32 servers of 24 a pair: 2 pairs of leaves and 2 border leaves, 4 uplinks of 400G each at 3:1.
    assert by_kind(plan) == {"server-leaf": 64, "leaf-spine": 24, "border-external": 1}
    outside = next(c for c in cables(plan) if c.kind == "border-external")
    assert (outside.near.device, outside.far.device, outside.far.port) == ("fe-border-00", "fw1", "")


def test_a_reserved_slot_has_no_cable_and_an_absent_one_loses_it() -> None:
    plan = planned(Exceptions(slots={SlotKey("train", 3): "absent"}))
    assert by_kind(plan) == {"server-leaf": 248, "leaf-spine": 256}
    assert not any(cable.near.device == "train-003" for cable in cables(plan))


def test_states() -> None:
    ports = {
        PortKey("be-leaf-000", "Ethernet1/1"): "dead",
        PortKey("be-leaf-000", "Ethernet33/1"): "absent",
        PortKey("be-leaf-000", "Ethernet33/5"): "drained",
    }
    plan = planned(Exceptions(ports=ports, devices={"be-spine-03": "drained"}))
    states = Counter(cable.state for cable in cables(plan))
    # Uplinks 3, 7, ... of 4 leaves end on spine 3: 64 drained, and one more by its port; one absent is no cable.
    assert states == {"active": 512 - 1 - 1 - 65, "dead": 1, "drained": 65}


@pytest.mark.parametrize("end", [("be-leaf-000", "Ethernet1/1"), ("train-000", "OSFP4P2")])
def test_a_long_cable_changes_the_modules_of_all_links_that_share_them(end: tuple[str, str]) -> None:
    # 60 m is past SR4's 50 m. Leaf cage 1 serves rail 0 of servers 0 and 1, whose cage OSFP4 also serves rail 3 on
    # leaf 1: row 1 of it starts at port 32, cage 17. So four links hang together, and no other.
    plan = planned(Exceptions(cables={PortKey(*end): AsBuilt(length_m=60, medium="")}))
    far = {(c.near.device, c.near.port): c for c in cables(plan) if c.kind == "server-leaf" and "dr4" in c.far.module}
    assert set(far) == {(f"train-00{n}", port) for n in (0, 1) for port in ("OSFP4P2", "OSFP4P1")}
    assert {c.near.module for c in far.values()} == {"osfp-rhs-2x400g-dr4"}
    assert Counter(c.length_m for c in far.values()) == {60: 1, 5: 3}


def test_the_cable_file_names_the_kind() -> None:
    built = Exceptions(cables={PortKey("be-leaf-000", "Ethernet1/1"): AsBuilt(length_m=5, medium="dr4")})
    assert "dr4" in at(planned(built), "be-leaf-000", "Ethernet1/1").far.module
    assert "sr4" in at(planned(), "be-leaf-000", "Ethernet1/1").far.module


def test_short_links_between_crossing_twin_cages_are_not_one_straight_cable() -> None:
    # A straight 2 x 400G cable needs both links between the same two cages; here they cross over two leaves.
    plan = planned(cables=lengths(2, 40))
    assert {cable.medium for cable in cables(plan) if cable.kind == "server-leaf"} == {"optic"}


def test_a_split_copper_cable_is_counted_once_at_its_wide_end() -> None:
    # 256 links of QSFP112 NICs at 3 m, two a cage of the leaf: 128 cables of one OSFP to two QSFP112.
    plan = planned(servers=train("0-31", 32, "hgx-b200"), cables=lengths(3, 40))
    hosts = [cable for cable in cables(plan) if cable.kind == "server-leaf"]
    assert {(c.medium, c.near.module, c.far.module) for c in hosts} == {("dac", *["dac-osfp-to-2-qsfp112-400g"] * 2)}
    assert sum(cable.counted for cable in hosts) == 128


def test_what_nothing_reaches_is_one_problem_with_a_count() -> None:
    # The longest transceiver of an OSFP cage is LR4 with 10 km.
    (problem,) = unsupported_media(planned(cables=lengths(5, 10_001)))
    assert problem.code == "no-medium"
    assert "256 leaf-spine links" in problem.what
    assert "reach 10000 m" in problem.why
    assert problem.where == ("cables", "default", "leaf_spine")


def test_a_named_kind_that_does_not_fit_is_a_problem_of_the_file() -> None:
    plan = planned(
        Exceptions(cables={PortKey("be-leaf-000", "Ethernet33/1"): AsBuilt(length_m=40, medium="aec")}),
        cables={**lengths(5, 40), "file": "built.csv"},
    )
    # Uplinks 0 and 1 of leaf 0 share cage 33; at spines 0 and 1 rows 0 and 1 share a cage: four links, one cause.
    (problem,) = unsupported_media(plan)
    assert problem.where == ("cables", "file")
    assert "no aec cable or transceiver for 4 leaf-spine links" in problem.what


def test_what_fits_is_no_problem() -> None:
    assert list(unsupported_media(planned(fabrics={"backend": backend(), "frontend": frontend()}))) == []


def test_csv_is_one_line_a_cable_and_streams() -> None:
    plan = planned()
    pieces = list(cabling_csv(plan))
    assert max(piece.count("\n") for piece in pieces) <= 128  # never more than the ports of one switch at once
    lines = "".join(pieces).splitlines(keepends=True)
    assert len(lines) == 1 + 512
    assert pieces == list(cabling_csv(planned()))
    row = next(islice(csv.DictReader(lines), 1, None))
    assert (row["a_device"], row["b_port"]) == ("train-001", "Ethernet1/5")
    assert (row["b_part"], row["medium"], row["length_m"]) == ("2 of 2x400G", "optic", "5")


def test_csv_cells_can_not_start_a_formula() -> None:
    server = PlacedServer(hostname='=HYPERLINK("x"),y', rack="", unit="", serial="", mac="")
    lines = "".join(cabling_csv(planned(Exceptions(servers={SlotKey("train", 0): server})))).splitlines(keepends=True)
    row = next(csv.DictReader(lines))
    assert row["a_device"] == '\'=HYPERLINK("x"),y'
    assert [safe_cell(text) for text in ("+1", "-1", "@x", "\tx", "x", "")] == ["'+1", "'-1", "'@x", "'\tx", "x", ""]


def test_port_names_are_the_operating_systems_own() -> None:
    other = {"model": "arista-7060x6-64pe", "os": "frr-10.3"}
    plan = planned(fabrics={"backend": backend(leaf=other, spine=other)})
    assert [cable.far.port for cable in islice(cables(plan), 2)] == ["swp1s0", "swp1s1"]
