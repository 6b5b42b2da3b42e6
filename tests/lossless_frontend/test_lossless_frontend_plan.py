"""The plan of a lossless frontend: headroom, warnings, refusals, the proof, servers, and what stays best effort."""

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.checks.catalogue import NOTES, run_checks
from fabricgen.checks.lossless.sharing import bonded_rdma, lossless_exits, oversubscribed_lossless
from fabricgen.cli import main
from fabricgen.hosts.build import make_hosts
from fabricgen.intent.fabric import Frontend
from fabricgen.plan.exceptions import SlotKey
from fabricgen.resolve.device import devices
from fabricgen.summary.summary import summarize
from fabricgen.verify.expect.qos import queues
from tests.lossless_frontend.site import ABLE, BONDS, INTENT, planned, switches

SHARES = {"lossless-oversubscribed", "lossless-switched", "lossless-exits"}


def called(*words: object) -> Result:
    return CliRunner().invoke(main, [*map(str, words)], catch_exceptions=False)


@pytest.mark.parametrize("system", ABLE)
def test_it_passes_all_checks_with_warnings_of_what_it_shares(system: str) -> None:
    plan = planned(system, **(BONDS if system == "eos" else {}))
    assert run_checks(plan) == ()
    notes = {note.code for check in NOTES for note in check.run(plan)}
    assert notes - {"pair-short", "headroom-unproven"} == SHARES | ({"rdma-bond"} if system == "eos" else set())


REFUSED = [
    ("sonic", {}, "roce-over-vxlan", "fabrics.frontend.transport"),
    ("junos", {}, "pfc-switched", "fabrics.frontend.transport"),
    ("srlinux", {}, "pfc-switched", "fabrics.frontend.transport"),
    ("frr", {}, "pfc", "fabrics.frontend.transport"),
    ("nxos", BONDS, "pfc-bonds", "fabrics.frontend.server_ports.multihoming"),
    ("eos", {"vouched": False}, "roce-over-vxlan", "fabrics.frontend.transport"),
]


@pytest.mark.parametrize(("system", "edits", "feature", "where"), REFUSED)
def test_others_are_refused_with_the_reason(system: str, edits: dict[str, bool], feature: str, where: str) -> None:
    found = [problem for problem in run_checks(planned(system, **edits)) if f"support {feature}," in problem.what]
    assert [".".join(map(str, problem.where)) for problem in found] == [where]
    assert "write transport: best-effort" in found[0].fix or "multihoming: active-backup" in found[0].fix


def test_a_system_that_lacks_another_part_of_it_is_not_offered() -> None:
    """SONiC has PFC and ECN, but no table for marks of a tunnel; Cumulus Linux has all of it on the same switch."""
    found = [problem for problem in run_checks(planned("frr")) if problem.where[-1] == "transport"]
    assert len(found) > 3
    assert {("Cumulus" in problem.fix, "SONiC" in problem.fix) for problem in found} == {(True, False)}


def test_best_effort_is_the_default_and_roce_then_changes_nothing() -> None:
    plan = planned("cumulus", transport="best-effort", roce={"alpha": "1/2"})
    assert Frontend.model_fields["transport"].default == "best-effort"
    assert {device.qos for device in devices(plan)} == {None}
    (idle,) = (note for check in NOTES for note in check.run(plan))
    assert (idle.code, idle.where) == ("idle-key", ("fabrics", "frontend", "roce", "alpha"))


def test_headroom_follows_the_length_of_the_cable_as_on_a_backend() -> None:
    """3 m of 200G and 20 m of 400G: at least SONiC's rows of 5 m and 40 m, and less than the next ones (SN4700)."""
    leaf, border = switches("cumulus")["fe-leaf-000"], switches("cumulus")["fe-border-00"]
    rows = (*leaf.interfaces.ethernet, *border.interfaces.ethernet)
    found = dict({(row.profile.role, row.headroom_octets) for row in rows})
    assert len(found) == len({(row.profile.role, row.headroom_octets) for row in rows})
    assert 66560 <= found["server"] < 80896
    assert 144384 <= found["uplink"] < 358400
    assert found["external"] == 0


@pytest.mark.parametrize("system", ABLE)
def test_a_border_leaf_marks_as_a_leaf_does(system: str) -> None:
    """No vendor publishes thresholds for a border leaf; towards spines it is a leaf."""
    found = {}
    for name in ("fe-leaf-000", "fe-border-00"):
        qos = switches(system)[name].qos
        assert qos is not None
        found[name] = {profile.speed_gbps: profile.queues for profile in qos.profiles}[400]
    assert found["fe-leaf-000"] == found["fe-border-00"]


def test_oversubscription_is_warned_of_with_its_numbers_and_not_without_it() -> None:
    """Leaves of train: 48 x 200G below, 8 x 400G above; of store 24 x 200G, which comes first and is not the worst."""
    (found,) = oversubscribed_lossless(planned("cumulus"))
    assert "a leaf of train on frontend takes 9600 Gb/s from servers, has 3200 Gb/s" in found.what
    level = {"design": "leaf-spine", "oversubscription": "1:1", "border_leaves": 2}
    assert list(oversubscribed_lossless(planned("cumulus", topology=level))) == []


def test_an_oversubscribed_spine_is_warned_of_below_even_leaves() -> None:
    """Six leaves of 16 uplinks on two spines: 48 x 400G below; 3:1 leaves them 16 x 400G above."""
    pods = {"design": "leaf-spine", "oversubscription": "1:1", "border_leaves": 2, "uplinks": 16, "units_per_pod": 1}
    box = {"model": "nvidia-sn5600", "os": "cumulus-5.16"}
    (found,) = oversubscribed_lossless(
        planned(
            "cumulus",
            topology={**pods, "spines": {"now": 2}, "spine_oversubscription": "3:1"},
            spine=box,
            superspine=box,
        )
    )
    assert "a spine of frontend takes 19200 Gb/s from the leaves of a full pod, has 6400 Gb/s" in found.what
    assert found.where[-1] == "spine_oversubscription"
    level = planned("cumulus", topology={**pods, "spines": {"now": 2}}, spine=box, superspine=box)
    assert list(oversubscribed_lossless(level)) == []


def test_of_two_leaf_models_the_one_that_nobody_vouches_for_is_named() -> None:
    found = run_checks(planned("eos", leaf_models={"store": "arista-7388x5-8dr"}))
    assert [problem.what for problem in found if "roce-over-vxlan" in problem.what] == [
        "Arista EOS on arista-7388x5-8dr does not support roce-over-vxlan, which frontend leaf needs"
    ]


@pytest.mark.parametrize(
    ("addresses", "said"),
    [
        ((), ["the bond of a server of train on frontend may be over two cards"]),
        (("0000:aa:00.1", "0000:29:00.1"), ["the bond of a server of train on frontend is over two cards"]),
        (("0000:aa:00.0", "0000:aa:00.1"), []),
    ],
)
def test_bonds_of_two_cards_are_warned_of(addresses: tuple[str, ...], said: list[str]) -> None:
    """DGX H200 has ports of two cards, of which each drops what the other one asked for (NVIDIA, DOC-2724)."""
    plan = planned("cumulus", **BONDS)
    fabric = plan.fabrics["frontend"]
    groups = tuple(
        group._replace(nics=group.nics.model_copy(update={"pci_addresses": addresses}))
        for group in fabric.shape.groups
        if group.name == "train"
    )
    of_train = replace(fabric, shape=fabric.shape._replace(groups=groups))
    assert [problem.what for problem in bonded_rdma(plan._replace(fabrics={"frontend": of_train}))] == said
    assert list(bonded_rdma(planned("cumulus"))) == []  # one port at a time


def test_only_ways_out_are_warned_of() -> None:
    (found,) = lossless_exits(planned("cumulus"))
    assert "DSCP 24-31" in found.why
    plan = planned("cumulus")
    alone = {name: tuple(t._replace(external=()) for t in tenants) for name, tenants in plan.tenants.items()}
    assert list(lossless_exits(plan._replace(tenants=alone))) == []


def test_the_page_has_the_mtu_that_server_ports_get() -> None:
    """A VLAN's own limit, 50 octets less, is that of its addresses: `vlan110` has 9164, and `swp1s0` has 9214."""
    (page,) = summarize(planned("cumulus")).fabrics
    ports = {
        row.profile.mtu for row in switches("cumulus")["fe-leaf-000"].interfaces.ethernet if not row.profile.routed
    }
    assert page.lossless is not None
    assert ports == {page.lossless.server_port_mtu} == {9214}


def test_packets_of_servers_fit_inside_tunnels() -> None:
    found = run_checks(planned("cumulus", roce={"host_mtu": 9200}))
    assert [problem.code for problem in found] == ["tunnel-mtu"]
    assert "9200 + VXLAN overhead 50 = 9250" in found[0].why


def test_nics_of_servers_get_the_marking_of_their_leaf() -> None:
    (host,) = make_hosts(planned("cumulus"), [SlotKey("train", 0)])
    (settings,) = host.settings
    assert (settings.fabric, settings.data_dscp, settings.priority, settings.pfc) == (
        *("frontend", 26, 3),
        (0, 0, 0, 1, 0, 0, 0, 0),
    )
    assert [(nic.kind, nic.mtu) for nic in host.nics] == [("frontend", 9000)] * 2
    assert {bond.mtu for bond in host.bonds} == {9000}


def test_verify_expects_the_class_at_server_ports() -> None:
    leaf = switches("cumulus")["fe-leaf-000"]
    servers = {row.name for row in leaf.interfaces.ethernet if row.profile.role == "server"}
    assert servers
    assert servers <= {row.port for row in queues(leaf) if row.lossless == (3,)}


def test_the_proof_leaves_vlans_open_and_finds_no_cycle_without_them() -> None:
    [answer] = json.loads(called("explain", INTENT, "--lossless", "--json").stdout)["answers"]
    assert answer["title"].endswith("no cycle of buffers, but that PFC cannot deadlock is not proven")
    by_label = {fact["label"]: fact["value"] for fact in answer["facts"]}
    assert "no cycle" in by_label["graph"]
    assert "a network is a VLAN of several leaves" in by_label["not proven"]
    assert by_label["switched"].endswith("24 of them switch packets, 0 towards switches")


def test_a_change_to_lossless_is_a_difference_with_its_cost(tmp_path: Path) -> None:
    for side, transport in (("old", "best-effort"), ("new", "roce-lossless")):
        (tmp_path / side).mkdir()
        text = INTENT.read_text().replace("transport: roce-lossless", f"transport: {transport}")
        (tmp_path / side / "intent.yaml").write_text(text)
    assert called("render", tmp_path / "old/intent.yaml", "-o", tmp_path / "out").exit_code == 0
    shutil.copy(tmp_path / "old/fabricgen.lock", tmp_path / "new/fabricgen.lock")
    found = called("diff", tmp_path / "new/intent.yaml", "--against", tmp_path / "old")
    assert found.exit_code == 3
    assert "lossless plan" in found.stdout
