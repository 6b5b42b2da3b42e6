"""What platforms derive from several parts of a Device. The rendered text is the witness: a line that goes is told."""

import pytest

from fabricgen.device.device import Device
from fabricgen.device.evpn import Vlan
from fabricgen.diff.derived import derived_changes
from fabricgen.platforms import PLATFORMS
from fabricgen.render.render import Renderer
from tests.diff.labels import SYSTEMS, base_devices

LISTS = ("bridge-ports ", "bridge-vids ")
"""Lines that hold every VLAN or port: they grow."""
NUMBERS = (2, 22, 1005, 1006, 3582, 3583, 3700, 4000, 4090, 4091, 4092, 4093, 4094)


def _with_network(leaf: Device, vlan_id: int) -> Device:
    """A leaf with one more VLAN, and nothing else."""
    assert leaf.evpn is not None
    row = Vlan(vlan_id, "extra", 99999, "10.0.0.1:9", "65000:99999", leaf.evpn.vrfs[0].name)
    return leaf._replace(evpn=leaf.evpn._replace(vlans=tuple(sorted((*leaf.evpn.vlans, row)))))


def _lines(device: Device) -> set[str]:
    """Lines of every file, each with the line that its section starts with."""
    found, section = set(), ""
    for file in Renderer().render(device):
        for line in file.text.splitlines():
            section = section if line.startswith(" ") else line
            found.add(f"{section} / {line}")
    return found


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("vlan_id", NUMBERS)
def test_a_network_takes_no_line_away_untold(system: str, vlan_id: int) -> None:
    before = base_devices(system)["fe-leaf-000"]
    after = _with_network(before, vlan_id)
    gone = {line for line in _lines(before) - _lines(after) if not any(word in line for word in LISTS)}
    assert bool(gone) == bool(tuple(derived_changes(before, after))), gone


@pytest.mark.parametrize(("system", "moved"), [("eos", {3583, 3700, 4000, *range(4090, 4095)}), ("frr", {4091, 4094})])
def test_the_networks_that_move_something(system: str, moved: set[int]) -> None:
    """EOS: 3583 is 4094 less 511. FRR: 4095 less the ids of the tenants, 1 and 4."""
    leaf = base_devices(system)["fe-leaf-000"]
    assert {number for number in NUMBERS if tuple(derived_changes(leaf, _with_network(leaf, number)))} == moved


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_value_is_empty(system: str) -> None:
    """Empty is what is not there."""
    for device in base_devices(system).values():
        derived = PLATFORMS[system].derived(device)
        assert "" not in derived.values()
        assert "" not in derived
