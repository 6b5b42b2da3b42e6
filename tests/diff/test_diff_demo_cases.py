"""Everyday edits of the demo inventory with the costs that ship: few classes, called neither better nor worse."""

import shutil
from pathlib import Path

import pytest

from fabricgen.diff.model import Difference
from fabricgen.diff.words import verdict
from fabricgen.plan.plan import Plan
from fabricgen.platforms.base.cost import Risk
from fabricgen.site.workspace import open_workspace
from tests.diff.variants import DEMO, judged, plan_of

Edit = tuple[str, str]
LARGER = (
    ("slots: 0-31, planned: 192", "slots: 0-127, planned: 192"),
    ("spines: {now: 4, planned: 16}", "spines: {now: 16, planned: 16}"),
    ('"train[0-15]"', '"train[0-63]"'),
    ('"train[16-31]"', '"train[64-127]"'),
)
"""16 leaves a fabric."""


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Plan:
    return plan_of(tmp_path_factory.mktemp("cases") / "demo")


def lines(found: Difference) -> set[tuple[str, str]]:
    return {(line.kind, line.change.value) for one in found.meaning for line in one.lines}


def test_the_verdict_counts_the_gpus_of_all_classes(demo: Plan, tmp_path: Path) -> None:
    """192 GPUs are behind the largest class of leaves; the frontend reaches all 256."""
    found = judged(demo, plan_of(tmp_path / "mtu", ("kind: frontend", "kind: frontend\n    mtu: 9000")))
    assert max(one.blast.gpus for one in found.meaning) < 256
    assert verdict(found) == "Highest risk: traffic loss (12 switches), up to 256 attached GPUs affected."


def test_the_verdict_counts_no_gpus_of_milder_classes(demo: Plan, tmp_path: Path) -> None:
    """Room for more servers reaches all 256, and costs nothing; a limit is lowered on two border leaves."""
    text = (DEMO / "intent.yaml").read_text().replace("planned: 192", "planned: 256")
    (tmp_path / "intent.yaml").write_text(text.replace("max_prefixes: 100", "max_prefixes: 50"))
    shutil.copy(DEMO / "fabricgen.lock", tmp_path)
    found = judged(demo, open_workspace(tmp_path / "intent.yaml").plan)
    assert max(one.blast.gpus for one in found.meaning) == 256
    assert verdict(found) == "Highest risk: session reset (2 switches)."


FIRST_LIMIT = 'accept: [0.0.0.0/0, "::/0"], max_prefixes: {}}}\n    - {{peer: fw2'


def limited(folder: Path, prefixes: int) -> Plan:
    """One firewall's limit alone."""
    return plan_of(folder, (FIRST_LIMIT.format(100), FIRST_LIMIT.format(prefixes)))


@pytest.mark.parametrize(("prefixes", "risk"), [(200, Risk.HITLESS), (50, Risk.SESSION_RESET)])
def test_a_limit_that_is_raised_resets_no_session(demo: Plan, tmp_path: Path, prefixes: int, risk: Risk) -> None:
    found = judged(demo, limited(tmp_path / "limit", prefixes))
    assert lines(found) == {("bgp.vrf.neighbor.maximum-routes", "changed")}
    assert found.risk is risk


def test_room_for_more_servers_is_hitless(demo: Plan, tmp_path: Path) -> None:
    found = judged(demo, plan_of(tmp_path / "room", ("planned: 192", "planned: 256")))
    assert lines(found) == {("bgp.group.maximum-routes", "changed")}
    assert found.risk is Risk.HITLESS


def test_each_leafs_own_relay_address_makes_no_class_of_its_own(tmp_path: Path) -> None:
    before = plan_of(tmp_path / "before", *LARGER)
    pool = ("relay_sources: [172.30.0.0/24]", "relay_sources: [172.30.4.0/22]")
    found = judged(before, plan_of(tmp_path / "after", *LARGER, pool))
    assert ("bgp.vrf.network", "added") in lines(found)
    # 64 servers of the tenant with relays, 24 on each pair of leaves; leaves of the others; border leaves.
    (own,) = (one for one in found.meaning if any(line.kind == "bgp.vrf.network" for line in one.lines))
    assert (len(own.devices), len(found.meaning)) == (6, 3)


def beside(folder: Path, name: str, text: str, edit: Edit) -> Plan:
    """The larger site with a CSV file beside its intent."""
    plan_of(folder, *LARGER)
    path = folder / "intent.yaml"
    assert path.read_text().count(edit[0]) == 1
    path.write_text(path.read_text().replace(*edit))
    (folder / name).write_text(text)
    return open_workspace(path).plan


def test_lengths_of_their_own_make_no_class_for_each_switch(tmp_path: Path) -> None:
    """Every leaf has two lengths that no other one has."""
    rows = (
        f"be-leaf-{leaf:03},Ethernet{port}/{lane},{6 + 2 * leaf + port % 2},\n"
        for leaf in range(16)
        for port in range(1, 65)
        for lane in (1, 5)
    )
    text = "device,port,length_m,kind\n" + "".join(rows)
    before = plan_of(tmp_path / "before", *LARGER)
    found = judged(
        before, beside(tmp_path / "after", "c.csv", text, ("cables: {default:", "cables: {file: c.csv, default:"))
    )
    assert ("interface.length", "changed") in lines(found)
    assert len(found.meaning) <= 4


def test_a_renamed_server_group_moves_no_cable(demo: Plan, tmp_path: Path) -> None:
    renamed = plan_of(
        tmp_path / "renamed",
        ("  train: {model", "  gpu: {was: train, model"),
        ("train: compute", "gpu: compute"),
        ("train: frontend", "gpu: frontend"),
        ('"train[0-15]"', '"gpu[0-15]"'),
        ('"train[16-31]"', '"gpu[16-31]"'),
    )
    found = judged(demo, renamed)
    assert lines(found) == {("interface.description", "changed"), ("lag.description", "changed")}
    assert (found.risk, found.recabled) == (Risk.NONE, ())


def test_hostnames_of_a_placement_file_move_no_cable(tmp_path: Path) -> None:
    text = "slot,hostname\n" + "".join(f"train[{slot}],node{slot:04}\n" for slot in range(128))
    named = beside(tmp_path / "after", "p.csv", text, ("site: dc1", "site: dc1\nplacement: p.csv"))
    found = judged(plan_of(tmp_path / "before", *LARGER), named)
    assert lines(found) == {("interface.description", "changed"), ("lag.description", "changed")}
    assert found.risk is Risk.NONE


def test_servers_that_change_places_are_cables_that_are_moved(tmp_path: Path) -> None:
    names = [f"node{slot:04}" for slot in range(128)]
    plans: list[Plan] = []
    for name, order in (("one", names), ("two", [names[1], names[0], *names[2:]])):
        text = "slot,hostname\n" + "".join(f"train[{slot}],{host}\n" for slot, host in enumerate(order))
        plans.append(beside(tmp_path / name, "p.csv", text, ("site: dc1", "site: dc1\nplacement: p.csv")))
    one, two = plans
    found = judged(one, two)
    assert ("interface.peer", "changed") in lines(found)
    assert found.risk is Risk.TRAFFIC_LOSS


def test_the_management_gateway_is_one_line_a_class(demo: Plan, tmp_path: Path) -> None:
    found = judged(demo, plan_of(tmp_path / "gateway", ("gateway: 10.0.0.1", "gateway: 10.0.0.4")))
    assert {len(one.lines) for one in found.meaning} == {1}


def test_the_prefix_that_is_let_in_is_told(demo: Plan, tmp_path: Path) -> None:
    edit = (
        'accept: [0.0.0.0/0, "::/0"], max_prefixes: 100}\n    - {peer: fw2',
        'accept: [10.0.0.0/8, "::/0"], max_prefixes: 100}\n    - {peer: fw2',
    )
    (found,) = judged(demo, plan_of(tmp_path / "accept", edit)).meaning
    assert [(line.before, line.after) for line in found.lines] == [("0.0.0.0/0", ""), ("", "10.0.0.0/8")]
