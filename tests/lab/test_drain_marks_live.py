"""What spines see of the EVPN routes of a leaf in a lab: none marked, each one while it is drained, or only some.

It is what a push asks them for (`push/act/wait_drained.py`), of real daemons.
"""

from collections.abc import Mapping

import pytest
import yaml
from napalm import get_network_driver

from fabricgen.platforms.base.live.marks import Marks
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.linux.live import drain as frr_drain
from fabricgen.push.act.wait_drained import evpn_fault
from tests.frr.waiting import becomes
from tests.lab.test_drain_live import Site as Backend
from tests.lab.test_drain_live import _replace
from tests.lab.test_drain_overlay_live import Site, _text, pytestmark, site

__all__ = ("pytestmark", "site")

LEAF, SPINES = "fe-leaf-000", ("fe-spine-00", "fe-spine-01")
MAP = "route-map RM-SPINES-EVPN-DRAINED-OUT out"


def _marks(site: Site, spine: str) -> Mapping[str, Marks]:
    """EVPN routes of a spine by next hop, asked as a push asks."""
    hosts = yaml.safe_load((site.folder / "inventory/hosts.yaml").read_text())
    arguments = hosts[spine]["connection_options"]["napalm"]["extras"]["optional_args"]
    with get_network_driver(hosts[spine]["platform"])(spine, "", "", optional_args=arguments) as driver:
        said = driver.cli([read.command for read in frr_drain.OVERLAY], encoding="json")
    found = frr_drain.marks({command: Output(value) for command, value in said.items()})
    assert found is not None
    return found


def _lacking(site: Site, vtep: str) -> list[bool]:
    """Whether each spine lacks a mark on some route of a leaf."""
    return [bool(evpn_fault(_marks(site, spine), vtep)) for spine in SPINES]


@pytest.mark.long
def test_spines_see_each_route_of_a_drained_leaf_marked(site: Site) -> None:
    vteps = {device.name: device.evpn.vtep for device in site.lab.devices if device.evpn}
    vtep, here = vteps[LEAF], Backend(site.intent, site.folder, site.lab)
    healthy, drained = _text(site, {}, LEAF), _text(site, {LEAF: "drained"}, LEAF)
    for spine in SPINES:
        found = _marks(site, spine)
        assert set(vteps.values()) <= found.keys()
        assert [row.marked for row in found.values()] == [0] * len(found)
    assert _replace(here, LEAF, drained)
    becomes([False, False], _lacking, site, vtep)
    for spine in SPINES:
        found = _marks(site, spine)
        assert found[vtep].routes == found[vtep].marked > 5
        assert all(row.marked == 0 for hop, row in found.items() if hop != vtep)
    lines = drained.splitlines(keepends=True)
    mute = "".join(line for line in lines if not line.rstrip().endswith(MAP))
    assert len(lines) - mute.count("\n") == len(SPINES)
    assert _replace(here, LEAF, mute)
    becomes([True, True], _lacking, site, vtep)
    assert evpn_fault(_marks(site, SPINES[0]), vtep).endswith(f"EVPN routes of {vtep} without the drain community")
    assert _replace(here, LEAF, healthy)
