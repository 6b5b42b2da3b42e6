"""A part of a fabric: what is kept hangs together, and nothing of it leads outside."""

from collections import Counter
from pathlib import Path

import pytest

from fabricgen.device.device import Device
from fabricgen.lab.model.lab import Lab, LabEnd
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import Subset, parse_subset
from fabricgen.platforms import PLATFORMS
from fabricgen.resolve.device import devices
from fabricgen.resolve.needs import needs
from tests.lab.sites import DEMO, SMALL, plan

SUBSETS = (
    "",
    "units=1,leaves=2,spines=2,links=2,servers=2",
    "leaves=1,spines=1,borders=0,servers=0",
    "leaves=3,links=1",
)


def _lab(path: Path, text: str = "") -> Lab:
    return make_lab(plan(path), parse_subset(text))


@pytest.mark.parametrize("path", [DEMO, SMALL])
@pytest.mark.parametrize("text", SUBSETS)
def test_every_port_has_a_cable_whose_other_end_is_in_the_lab(path: Path, text: str) -> None:
    lab = _lab(path, text)
    ports = {LabEnd(device.name, row.name) for device in lab.devices for row in device.interfaces.ethernet}
    ports |= {LabEnd(server.name, nic.name) for server in lab.servers for nic in server.nics if not nic.parent}
    ends = [end for link in lab.links for end in link]
    assert len(ends) == len(set(ends))
    assert set(ends) == ports


@pytest.mark.parametrize("path", [DEMO, SMALL])
@pytest.mark.parametrize("text", SUBSETS)
def test_cables_join_what_the_plan_joins(path: Path, text: str) -> None:
    lab = _lab(path, text)
    rows = {LabEnd(device.name, row.name): row for device in lab.devices for row in device.interfaces.ethernet}
    labels = {LabEnd(server.name, nic.name): nic.label for server in lab.servers for nic in server.nics}
    for link in lab.links:
        row, near = rows[link.far], link.near
        assert LabEnd(row.peer, row.peer_port) == LabEnd(near.owner, labels.get(near, near.interface))


@pytest.mark.parametrize("path", [DEMO, SMALL])
@pytest.mark.parametrize("text", SUBSETS)
def test_every_session_has_its_other_end_in_the_lab(path: Path, text: str) -> None:
    lab = _lab(path, text)
    owner: dict[str, Device] = {}
    for device in lab.devices:
        texts = [text for row in device.interfaces.ethernet for text in (row.ipv4, row.ipv6)]
        texts += [text for found in device.interfaces.loopbacks for text in (found.ipv4, found.ipv6)]
        owner |= {text.partition("/")[0]: device for text in texts if text}
    for device in lab.devices:
        for row in device.routing.bgp.neighbors:
            far = owner[row.address]
            assert far.routing.bgp.asn == row.remote_as
            assert any(owner.get(back.address) is device for back in far.routing.bgp.neighbors)


@pytest.mark.parametrize("path", [DEMO, SMALL])
def test_the_whole_of_it_keeps_every_session_inside(path: Path) -> None:
    wanted = {device.name: [row.address for row in device.routing.bgp.neighbors] for device in devices(plan(path))}
    assert {d.name: [row.address for row in d.routing.bgp.neighbors] for d in _lab(path).devices} == wanted


def test_nothing_outside_the_site_is_in_a_lab() -> None:
    for device in _lab(DEMO).devices:
        assert not device.interfaces.subinterfaces
        assert all(not vrf.neighbors for vrf in device.routing.bgp.vrfs)
        assert all(row.profile.role != "external" for row in device.interfaces.ethernet)


def test_the_subset_counts() -> None:
    lab = _lab(DEMO, "units=1,leaves=2,spines=2,links=2,servers=2,borders=1")
    count = Counter((device.fabric, device.role) for device in lab.devices)
    assert count == {
        ("backend", "leaf"): 2,
        ("backend", "spine"): 2,
        ("frontend", "leaf"): 2,
        ("frontend", "spine"): 2,
        ("frontend", "border-leaf"): 1,
    }
    pairs = Counter(tuple(end.owner for end in link) for link in lab.links if "spine" in link.far.owner)
    assert {number for pair, number in pairs.items() if pair[0].startswith("be-")} == {2}


def test_server_groups_and_tenants_take_turns() -> None:
    """The demo's first leaves: one of the storage servers, one of the GPU servers; of those one of each tenant."""
    lab = _lab(DEMO, "units=1,leaves=2,servers=2")
    assert [server.name for server in lab.servers] == ["store-000", "store-001", "train-000", "train-016"]
    assert [server.tenant for server in lab.servers] == ["storage", "storage", "research", "serving"]
    assert {nic.switch for server in lab.servers for nic in server.nics if nic.fabric == "frontend"} == {
        "fe-leaf-000",
        "fe-leaf-002",
    }


def test_more_than_there_is_is_all_of_it() -> None:
    much = make_lab(plan(SMALL), Subset(*(999 for _ in Subset._fields)))
    assert much.links == _lab(SMALL).links


def test_what_is_not_exercised_is_listed() -> None:
    rows = {row.feature: row for row in _lab(DEMO).skipped}
    assert "EOS" in rows["text of Arista EOS 4.34"].feature
    assert "frontend border-leaf" in rows["text of Arista EOS 4.34"].where
    assert rows["external-bgp"].where == "fw1, fw2"
    frr = PLATFORMS["frr"]
    refused = {need.feature for need in needs(plan(DEMO)) if (row := frr.can(need.feature)) is None or row.refusal}
    assert {"pfc", "ecn", "esi-multihoming", "gnmi"} <= refused
    assert refused <= set(rows)
    assert not {need.feature for need in needs(plan(DEMO))} - refused & set(rows) - {"external-bgp", "dhcp-relay"}


def test_a_site_of_the_lab_s_own_system_has_no_text_left_out() -> None:
    rows = [row.feature for row in _lab(SMALL).skipped]
    assert not [feature for feature in rows if feature.startswith("text of") or feature == "pfc"]
