"""Blast radius of changes on the demo inventory, counted by hand from what the intent says.

32 DGX H100 of 8 GPUs are 256 GPUs; a backend leaf takes two rails of all 32 (64 NIC ports) and has 64 uplinks on 4
spines, 16 each; 4 leaves make 256 leaf-spine cables. On the frontend a leaf pair serves 24 servers: 24 and 8. Its four
leaves of servers, two of storage and two border leaves have equal uplinks: 1/8 of the bandwidth each.
"""

from fractions import Fraction
from pathlib import Path

import pytest

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.diff.blast import Radius
from fabricgen.diff.fabric_view import ServerNicPort, nics_of
from fabricgen.diff.groups import ChangedSwitch
from fabricgen.diff.model import Blast
from fabricgen.hardware.model import NicGroup, NicPort, ServerModel
from fabricgen.plan.fabric import place_of
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from tests.diff.variants import plan_of

FABRICS = {"be": "backend", "fe": "frontend"}
DEVICE = DeviceChange("device", ChangeOp.CHANGED, "", "", "")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return plan_of(tmp_path_factory.mktemp("blast") / "demo")


def place(plan: Plan, name: str) -> Place | None:
    fabric = plan.fabrics.get(FABRICS[name[:2]])
    return place_of(fabric, name) if fabric is not None else None


def blast(plans: tuple[Plan, Plan], switches: dict[str, tuple[DeviceChange, ...]]) -> Blast:
    """Blast of a class of these switches between two plans with the same names."""
    before, after = plans
    group = [
        ChangedSwitch(name, FABRICS[name[:2]], "", "eos", place(before, name), place(after, name), facts)
        for name, facts in switches.items()
    ]
    return Radius(before, after).of(group)


def reached(plan: Plan, name: str, *facts: DeviceChange) -> Blast:
    return blast((plan, plan), {name: facts})


def port(name: str, change: ChangeOp = ChangeOp.CHANGED) -> DeviceChange:
    return DeviceChange("interface.mtu", change, name, "9214", "9000", name, "somebody")


def test_a_backend_leaf_reaches_the_gpus_of_its_rails_and_its_uplinks(demo: Plan) -> None:
    assert reached(demo, "be-leaf-000", DEVICE) == Blast(
        gpus=64, gpus_all=256, rails=(0, 1), tenants=(), bisection={"backend": Fraction(1, 4)}
    )
    assert reached(demo, "be-leaf-003", DEVICE).rails == (6, 7)


def test_a_spine_reaches_its_share_of_the_bisection_and_no_gpu(demo: Plan) -> None:
    assert reached(demo, "be-spine-00", DEVICE) == Blast(
        gpus=0, gpus_all=256, rails=(), tenants=(), bisection={"backend": Fraction(1, 4)}
    )


def test_all_leaves_and_all_spines_are_all_of_it_once(demo: Plan) -> None:
    names = [f"be-leaf-{n:03}" for n in range(4)] + [f"be-spine-{n:02}" for n in range(4)]
    found = blast((demo, demo), {name: (DEVICE,) for name in names})
    assert (found.gpus, found.rails, found.bisection) == (256, tuple(range(8)), {"backend": Fraction(1)})


def test_a_leaf_and_a_spine_share_their_cables(demo: Plan) -> None:
    # 64 uplinks of the leaf, 64 cables of the spine, 16 of them the same: 112 of 256.
    found = blast((demo, demo), {"be-leaf-000": (DEVICE,), "be-spine-00": (DEVICE,)})
    assert found.bisection == {"backend": Fraction(112, 256)}


def test_a_server_port_reaches_the_gpu_of_its_nic(demo: Plan) -> None:
    assert reached(demo, "be-leaf-000", port("Ethernet1/1")) == Blast(
        gpus=1, gpus_all=256, rails=(0,), tenants=(), bisection={}
    )
    # 32 ports of the first rail fill 16 cages of two; the second rail begins behind them.
    assert reached(demo, "be-leaf-000", port("Ethernet17/1")).rails == (1,)


def test_the_ports_of_one_server_reach_each_gpu_once(demo: Plan) -> None:
    ports = (
        port("Ethernet2/5"),
        port("Ethernet18/5"),
        DeviceChange("interface.enabled", ChangeOp.CHANGED, "x", "", "", "Ethernet2/5"),
    )
    found = blast((demo, demo), {f"be-leaf-{n:03}": ports for n in range(4)})
    assert (found.gpus, found.rails) == (8, tuple(range(8)))


def test_a_peer_names_the_cables_to_it(demo: Plan) -> None:
    overlay = DeviceChange("bgp.neighbor", ChangeOp.REMOVED, "10.0.0.1", "", "", "", "be-spine-02")
    assert reached(demo, "be-leaf-000", overlay).bisection == {"backend": Fraction(16, 256)}
    assert reached(demo, "be-spine-02", overlay._replace(peer="be-leaf-001")).bisection == {
        "backend": Fraction(16, 256)
    }


def test_an_uplink_port_is_one_cable(demo: Plan) -> None:
    found = reached(demo, "be-leaf-000", port("Ethernet33/1"))
    assert (found.gpus, found.bisection) == (0, {"backend": Fraction(1, 256)})


def test_a_frontend_port_reaches_all_gpus_of_the_server_once_for_both_leaves(demo: Plan) -> None:
    found = blast((demo, demo), {name: (port("Ethernet1/1"),) for name in ("fe-leaf-002", "fe-leaf-003")})
    assert found == Blast(gpus=8, gpus_all=256, rails=(), tenants=("research",), bisection={})


def test_a_frontend_leaf_reaches_its_servers_and_their_tenants(demo: Plan) -> None:
    found = reached(demo, "fe-leaf-002", DEVICE)
    assert (found.gpus, found.tenants) == (24 * 8, ("research", "serving"))
    assert found.bisection == {"frontend": Fraction(1, 8)}
    assert reached(demo, "fe-leaf-004", DEVICE).gpus == 8 * 8
    assert reached(demo, "fe-leaf-000", DEVICE).tenants == ("storage",)


@pytest.mark.parametrize(
    ("leaf", "vrf", "gpus"),
    [("fe-leaf-002", "research", 16 * 8), ("fe-leaf-002", "serving", 8 * 8), ("fe-leaf-000", "storage", 0)],
)
def test_a_vrf_reaches_its_tenants_servers_on_that_leaf(demo: Plan, leaf: str, vrf: str, gpus: int) -> None:
    found = reached(demo, leaf, DeviceChange("evpn.vrf", ChangeOp.REMOVED, vrf, "", "", vrf=vrf))
    assert found == Blast(gpus=gpus, gpus_all=256, rails=(), tenants=(vrf,), bisection={})


def test_a_vrf_that_nobody_names_is_every_vrf(demo: Plan) -> None:
    found = reached(demo, "fe-leaf-002", DeviceChange("evpn.vrf", ChangeOp.REMOVED, "", "", ""))
    assert (found.gpus, found.tenants, found.bisection) == (24 * 8, ("research", "serving"), {})


def test_a_border_leaf_reaches_the_tenants_that_leave_there(demo: Plan) -> None:
    assert reached(demo, "fe-border-00", DEVICE).tenants == ("research", "serving")
    session = DeviceChange("bgp.vrf.neighbor", ChangeOp.REMOVED, "172.31.0.5", "", "", vrf="serving")
    assert reached(demo, "fe-border-00", session).tenants == ("serving",)


def test_a_tenant_that_leaves_by_another_border_leaf_is_not_reached(tmp_path: Path) -> None:
    session = "{peer: fw2, border: 1, port: 0, vlan: 901, asn: 64601, addresses: [172.31.0.6/31], accept: [0.0.0.0/0]}"
    fewer = plan_of(tmp_path / "fewer", (f"    - {session}\n", ""))
    assert reached(fewer, "fe-border-01", DEVICE).tenants == ("research",)
    assert reached(fewer, "fe-border-00", DEVICE).tenants == ("research", "serving")


def test_what_reaches_nothing_reaches_nobody(demo: Plan) -> None:
    description = DeviceChange(
        "interface.description", ChangeOp.CHANGED, "Ethernet1/1", "a", "b", "Ethernet1/1", "train-000"
    )
    assert reached(demo, "be-leaf-000", description) == Blast(gpus=0, gpus_all=256, rails=(), tenants=(), bisection={})


def test_a_port_that_nobody_names_is_the_whole_switch(demo: Plan) -> None:
    assert reached(demo, "be-leaf-000", DeviceChange("lag", ChangeOp.REMOVED, "7", "", "")).gpus == 64


def test_what_goes_is_looked_up_where_it_stood(demo: Plan, tmp_path: Path) -> None:
    half = plan_of(tmp_path / "half", ("slots: 0-31, planned: 192", "slots: 0-15, planned: 192"))
    off = DeviceChange(
        "interface.enabled", ChangeOp.REMOVED, "Ethernet9/1", "yes", "", "Ethernet9/1"
    )  # slot 16 of rail 0
    assert blast((demo, half), {"be-leaf-000": (off,)}).gpus == 1
    assert blast((half, demo), {"be-leaf-000": (off,)}).gpus == 0
    on = off._replace(change=ChangeOp.ADDED)
    assert blast((half, demo), {"be-leaf-000": (on,)}).gpus == 1
    assert blast((demo, half), {"be-leaf-000": (on,)}).gpus == 0
    assert {blast(plans, {}).gpus_all for plans in ((demo, half), (half, demo))} == {256}


def test_a_switch_that_comes_or_goes_is_looked_up_where_it_stands(demo: Plan, tmp_path: Path) -> None:
    more = plan_of(tmp_path / "more", ("slots: 0-31, planned: 192", "slots: 0-63, planned: 192"))
    new = DeviceChange("device", ChangeOp.ADDED, "be-leaf-004", "", "")
    # 8 leaves stand then: 64 of 512 cables, and its 64 GPUs are of 512.
    found = blast((demo, more), {"be-leaf-004": (new,)})
    assert (found.gpus, found.gpus_all, found.bisection) == (64, 512, {"backend": Fraction(1, 8)})
    assert blast((more, demo), {"be-leaf-004": (new._replace(change=ChangeOp.REMOVED),)}) == found


def test_the_larger_share_of_both_sides_counts(demo: Plan, tmp_path: Path) -> None:
    more = plan_of(tmp_path / "more", ("slots: 0-31, planned: 192", "slots: 0-63, planned: 192"))
    assert blast((demo, more), {"be-leaf-000": (DEVICE,)}).bisection == {"backend": Fraction(1, 4)}


def test_a_renamed_group_has_the_same_gpus(demo: Plan, tmp_path: Path) -> None:
    renamed = plan_of(
        tmp_path / "renamed",
        ("  train: {model: dgx-h100,", "  gpu: {was: train, model: dgx-h100,"),
        ("connects: {train: compute}", "connects: {gpu: compute}"),
        ("connects: {train: frontend,", "connects: {gpu: frontend,"),
        ('["train[0-15]"]', '["gpu[0-15]"]'),
        ('["train[16-31]"]', '["gpu[16-31]"]'),
        ("  research:\n", "  science:\n    was: research\n"),
    )
    found = blast((demo, renamed), {"fe-leaf-002": (DEVICE,)})
    assert (found.gpus, found.gpus_all) == (24 * 8, 256)


def test_a_slot_without_a_server_has_no_gpus(demo: Plan, tmp_path: Path) -> None:
    less = plan_of(tmp_path / "less", more='overrides:\n  "train[3]": {state: absent}\n')
    assert reached(less, "be-leaf-000", DEVICE).gpus == 62
    assert reached(less, "be-leaf-000", DEVICE).gpus_all == 248
    assert blast((demo, less), {"be-leaf-000": (DEVICE,)}).gpus == 64


@pytest.mark.parametrize(
    ("gpus", "rails", "expected"),
    [
        (8, (0, 1, 2, 3, 4, 5, 6, 7), ((0,), (1,), (2,), (3,), (4,), (5,), (6,), (7,))),
        (8, (0, 2, 4, 6), ((0, 1), (2, 3), (4, 5), (6, 7))),
        (8, (0, 0, 1, 1), ((0, 1, 2, 3), (0, 1, 2, 3), (4, 5, 6, 7), (4, 5, 6, 7))),
        (4, (0, 1, 2, 3, 4, 5, 6, 7), ((0,), (0,), (1,), (1,), (2,), (2,), (3,), (3,))),
        (0, (0, 1), ((), ())),
    ],
)
def test_gpus_are_dealt_to_rails_in_order(
    gpus: int, rails: tuple[int, ...], expected: tuple[tuple[int, ...], ...]
) -> None:
    ports = tuple(NicPort(name=f"p{at}", rail=rail) for at, rail in enumerate(rails))
    nics = NicGroup(speed_gbps=400, connector="osfp", ports=ports, vendor="nvidia", source="none")
    server = ServerModel(sources={}, model="box", vendor="none", title="box", gpus=gpus, nics={})
    assert tuple(nic.gpus for nic in nics_of(server, nics, is_backend=True)) == expected
    assert nics_of(server, nics, is_backend=False) == (ServerNicPort(tuple(range(gpus)), ()),) * len(rails)
