"""Numbers that a platform gives itself: where one moves under something that stays, the diff tells it and its cost."""

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.cli import main
from fabricgen.device.device import Device
from fabricgen.diff.derived import derived_changes
from fabricgen.plan.lock import write_lock
from fabricgen.source.document import read_document
from tests.diff.labels import FOLDER, base_devices, base_plan

TOP = 4094
"""Highest VLAN (IEEE 802.1Q): L3 VNIs on FRR count down from it by the tenant's id, EOS takes its own up to it."""
RED = 4
"""Number of that tenant of the FRR base in the lock: blue and its two networks have 1 to 3."""


def _site(folder: Path, system: str, tenant: str = "", network: Mapping[str, object] | None = None) -> Path:
    """The corpus' base with its lock; with one more network of a tenant."""
    shutil.copytree(FOLDER / system, folder)
    intent: Any = read_document(folder / "intent.yaml").value
    if network is not None:
        intent["tenants"][tenant]["networks"]["extra"] = network
    (folder / "intent.yaml").write_text(json.dumps(intent))
    (folder / "fabricgen.lock").write_text(write_lock(base_plan(system).lock))
    return folder / "intent.yaml"


def _classes(folder: Path, system: str, tenant: str, network: Mapping[str, object]) -> list[dict[str, Any]]:
    """What `fabricgen diff` says of a site with one more network."""
    before = _site(folder / "before", system)
    after = _site(folder / "after", system, tenant, network)
    words = ["diff", str(after), "--against", str(before.parent), "--json"]
    result = CliRunner().invoke(main, words, catch_exceptions=False)
    assert result.exit_code == 3, result.output
    found: list[dict[str, Any]] = json.loads(result.stdout)["meaning"]
    return found


def _told(classes: list[dict[str, Any]]) -> dict[tuple[str, str, str], str]:
    """Subject and values of every number that moved → risk of its line."""
    lines = (line for one in classes for line in one["changes"] if line["kind"] == "device.derived")
    return {(*line["subjects"], line["before"], line["after"]): line["risk"] for line in lines}


def _leaf(system: str) -> Device:
    return base_devices(system)["fe-leaf-000"]


def _with_vlan(device: Device, vlan_id: int) -> Device:
    assert device.evpn is not None
    first, *others = device.evpn.vlans
    return device._replace(evpn=device.evpn._replace(vlans=(first._replace(vlan_id=vlan_id), *others)))


def test_a_network_that_takes_the_vlan_of_an_l3_vni_is_a_loss(tmp_path: Path) -> None:
    """C2: red stays as it is, and its routed traffic between leaves is interrupted."""
    taken = TOP + 1 - RED
    classes = _classes(tmp_path, "frr", "blue", {"vlan": taken, "subnets": ["172.17.2.0/24"]})
    highest_left = TOP - 1  # blue has the top one
    assert _told(classes) == {("L3 VLAN of red", str(taken), str(highest_left)): "traffic loss"}
    assert {one["risk"] for one in classes if one["role"] == "leaf"} == {"traffic loss"}


def test_a_network_in_the_internal_range_is_never_called_safe(tmp_path: Path) -> None:
    """C3: 512 VLANs below the network, and no source says what routed ports lose."""
    classes = _classes(tmp_path, "eos", "research", {"vlan": 3700, "subnets": ["172.18.2.0/24"]})
    assert _told(classes) == {("internal VLANs", "3583-4094", "3188-3699"): "unknown"}
    leaves = [one for one in classes if "device.derived" in {line["kind"] for line in one["changes"]}]
    assert {one["risk"] for one in leaves} == {"unknown"}


@pytest.mark.parametrize(
    ("system", "tenant", "subnet"), [("frr", "blue", "172.17.2.0/24"), ("eos", "research", "172.18.2.0/24")]
)
def test_a_network_elsewhere_moves_no_number(tmp_path: Path, system: str, tenant: str, subnet: str) -> None:
    classes = _classes(tmp_path, system, tenant, {"vlan": 2000, "subnets": [subnet]})
    assert classes
    assert _told(classes) == {}
    assert {one["risk"] for one in classes} == {"hitless"}


def test_a_new_tenants_own_numbers_are_new() -> None:
    leaf = _leaf("frr")
    assert leaf.evpn is not None
    without = leaf._replace(evpn=leaf.evpn._replace(vrfs=leaf.evpn.vrfs[:1]))
    (gone,) = leaf.evpn.vrfs[1:]
    vlan, device = (f"{what} of {gone.name}" for what in ("L3 VLAN", "VRF device"))
    number = str(TOP + 1 - gone.id)
    assert tuple(derived_changes(without, leaf)) == (
        DeviceChange("device.derived", ChangeOp.ADDED, vlan, "", number),
        DeviceChange("device.derived", ChangeOp.ADDED, device, "", gone.name),
    )
    assert tuple(derived_changes(leaf, without)) == (
        DeviceChange("device.derived", ChangeOp.REMOVED, vlan, number, ""),
        DeviceChange("device.derived", ChangeOp.REMOVED, device, gone.name, ""),
    )


def test_a_vrf_device_makes_way_for_management() -> None:
    """A tenant called as the management VRF's device is: mgmt where the VRF's own name is longer than Linux takes."""
    leaf = _leaf("frr")
    assert leaf.evpn is not None
    vrfs = tuple(vrf._replace(name="mgmt") if vrf.name == "red" else vrf for vrf in leaf.evpn.vrfs)
    leaf = leaf._replace(evpn=leaf.evpn._replace(vrfs=vrfs))
    before, after = (leaf._replace(management=leaf.management._replace(vrf=name)) for name in ("oob", "x" * 16))
    (found,) = derived_changes(before, after)
    vni = next(vrf.vni for vrf in vrfs if vrf.name == "mgmt")
    assert found == DeviceChange("device.derived", ChangeOp.CHANGED, "VRF device of mgmt", "mgmt", f"vrf{vni}")


def test_no_range_left_is_a_change_too() -> None:
    """Networks so dense that no 512 VLANs are free in a row: EOS takes what it likes."""
    leaf = _leaf("eos")
    assert leaf.evpn is not None
    vlan = leaf.evpn.vlans[0]
    dense = tuple(vlan._replace(vlan_id=number) for number in range(500, TOP, 400))
    (found,) = derived_changes(leaf, leaf._replace(evpn=leaf.evpn._replace(vlans=dense)))
    assert found[:4] == ("device.derived", ChangeOp.CHANGED, "internal VLANs", "3583-4094")
    assert found.after


def test_another_system_compares_nothing() -> None:
    assert tuple(derived_changes(_leaf("eos"), _leaf("frr"))) == ()
    assert tuple(derived_changes(_with_vlan(_leaf("eos"), 3700), _leaf("frr"))) == ()


@pytest.mark.parametrize("system", ["eos", "frr"])
def test_what_stays_is_not_told(system: str) -> None:
    leaf = _leaf(system)
    assert tuple(derived_changes(leaf, _with_vlan(leaf, 2000))) == ()
