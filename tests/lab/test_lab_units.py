"""What a change of a switch's file does to the units that stand: pure, no kernel."""

from pathlib import Path

import pytest

from fabricgen.lab.host.place import DEFAULT
from fabricgen.lab.interfaces.switch_notes import (
    digest,
    read_layout,
    read_notes,
    read_pairs,
    write_layout,
    write_notes,
    write_pairs,
)
from fabricgen.lab.interfaces.units import (
    KernelObject,
    KernelState,
    Layout,
    Lines,
    Order,
    Routed,
    VrfLeak,
    change,
    whole,
)
from fabricgen.verify.collect.inventory import InventoryError, read_inventory
from tests.lab.sites import INVENTORIES

VRF = KernelObject("VRF red", Order.VRF, Lines("", ("netns add red",)), Lines("", ("netns delete red",)))
BRIDGE = KernelObject(
    "VLAN 20",
    Order.TENANT,
    Lines("red", ("link add name vlan20 type bridge",)),
    Lines("red", ("link del dev vlan20",)),
    ("VRF red",),
)
ADDRESS = KernelObject("vlan20 10.0.0.1/24", Order.TENANT, Lines("red", ("a",)), Lines("red", ("b",)), ("VLAN 20",))
PORT = KernelObject("swp1 up", Order.UNDERLAY, Lines("", ("c",)), Lines("", ("d",)))
ALL = (VRF, PORT, BRIDGE, ADDRESS)


def _keys(units: tuple[KernelObject, ...]) -> list[str]:
    return [unit.key for unit in units]


def test_what_stands_is_left_alone() -> None:
    assert change(KernelState(ALL), ALL) == ((), (), frozenset())


def test_what_is_new_is_made_in_order() -> None:
    found = change(KernelState(()), (ADDRESS._replace(order=Order.SHOWN), BRIDGE, PORT, VRF))
    assert _keys(found.make) == ["VRF red", "swp1 up", "VLAN 20", "vlan20 10.0.0.1/24"]
    assert found.unmake == ()


def test_what_is_gone_is_unmade_backwards_and_nothing_else() -> None:
    found = change(KernelState(ALL), (PORT,))
    assert _keys(found.unmake) == ["vlan20 10.0.0.1/24", "VLAN 20", "VRF red"]
    assert found.make == ()


def test_what_hangs_on_a_changed_unit_comes_back_with_it() -> None:
    moved = BRIDGE._replace(make=Lines("red", ("link add name vlan20 address 02::1 type bridge",)))
    found = change(KernelState(ALL), (VRF, PORT, moved, ADDRESS))
    assert _keys(found.unmake) == ["vlan20 10.0.0.1/24", "VLAN 20"]
    assert found.make == (moved, ADDRESS)


def test_an_address_moves_alone() -> None:
    other = ADDRESS._replace(key="vlan20 10.0.9.1/24")
    found = change(KernelState(ALL), (VRF, PORT, BRIDGE, other))
    assert (found.unmake, found.make) == ((ADDRESS,), (other,))


def test_what_is_unsure_is_unmade_in_each_form_and_made_again() -> None:
    """As after a process that was killed: nobody knows how far it came."""
    moved = BRIDGE._replace(unmake=Lines("red", ("another",)))
    found = change(KernelState((*ALL, moved), frozenset({"VLAN 20"})), ALL)
    assert set(found.unmake) == {BRIDGE, moved, ADDRESS}
    assert found.make == (BRIDGE, ADDRESS)
    assert KernelState((*ALL, moved), frozenset({"VLAN 20"})).sure == (VRF, PORT, ADDRESS)


def test_a_unit_that_was_begun_and_is_not_wanted_is_unmade() -> None:
    found = change(KernelState(ALL, frozenset({"VLAN 20", "vlan20 10.0.0.1/24"})), (VRF, PORT))
    assert (_keys(found.unmake), found.make) == (["vlan20 10.0.0.1/24", "VLAN 20"], ())


LAYOUT = Layout((VRF,), {"red": 4094, "blue": 4093}, (Routed(20, 9164, "red"), Routed(30, 9000, "blue")))


def test_an_importer_is_shown_the_vlans_of_the_other() -> None:
    shown, shared = whole(LAYOUT, [VrfLeak("blue", "red")])[1:]
    assert shown.make.vrf == "blue"
    assert "name vlan20 index 10020 mtu 9164 type veth peer name i20-4093 mtu 9164 netns red" in shown.make.lines[0]
    assert shared.make == Lines(
        "red",
        (
            "link set dev i20-4093 addrgenmode none master vlan20",
            "link set dev i20-4093 type bridge_slave proxy_arp on",
            "link set dev i20-4093 up",
        ),
    )
    assert set(shared.needs) == {shown.key, "VLAN 20"}


@pytest.mark.parametrize("pair", [VrfLeak("green", "red"), VrfLeak("red", "green")])
def test_a_pair_of_which_one_is_not_there_is_passed_over(pair: VrfLeak) -> None:
    assert whole(LAYOUT, [pair]) == LAYOUT.units


def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    notes = KernelState(ALL, frozenset({"VRF red"}), digest("text"))
    write_layout(tmp_path, "text", LAYOUT)
    write_notes(tmp_path, notes)
    write_pairs(tmp_path, [VrfLeak("blue", "red"), VrfLeak("blue", "red")])
    assert read_layout(tmp_path, digest("text")) == LAYOUT
    assert read_layout(tmp_path, digest("text ")) is None
    assert read_notes(tmp_path) == notes
    assert read_pairs(tmp_path) == {VrfLeak("blue", "red")}
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"{digest('text')}.json", "notes.json", "pairs.json"]


def test_without_files_nothing_stands(tmp_path: Path) -> None:
    assert read_notes(tmp_path) == KernelState(())
    assert read_pairs(tmp_path) == frozenset()


def test_an_inventory_that_leads_to_a_lab_that_is_gone_says_so(tmp_path: Path) -> None:
    (tmp_path / "hosts.yaml").symlink_to(".fabricgen-lab/inventory/hosts.yaml")
    with pytest.raises(InventoryError) as caught:
        read_inventory(tmp_path)
    (problem,) = caught.value.problems
    assert problem.code == "inventory-gone"
    assert ".fabricgen-lab/inventory/hosts.yaml" in problem.what
    assert problem.fix == f"fabricgen lab up {tmp_path}/intent.yaml"


@pytest.mark.parametrize("name", ["hosts", "groups", "defaults"])
def test_the_site_of_the_lab_has_the_inventory_of_its_lab(name: str) -> None:
    """Links without a path of any machine, to what `lab up` writes beside the intent."""
    link = INVENTORIES / "lab" / f"{name}.yaml"
    assert str(link.readlink()) == f"{DEFAULT}/inventory/{name}.yaml"
