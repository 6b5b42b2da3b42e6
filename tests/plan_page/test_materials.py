"""Pieces and watts against counts made by hand."""

import pytest

from fabricgen.hardware.catalog import Catalog
from fabricgen.hardware.model import Media
from fabricgen.plan.exceptions import Exceptions, PortKey, SlotKey
from fabricgen.plan.materials import Materials, materials, part_watts, power
from tests.plan_page.sites import CATALOG, backend, frontend, planned, train

SWITCH_SR4, SERVER_SR4 = "osfp-2x400g-sr4", "osfp-rhs-2x400g-sr4"


def pieces(bill: Materials) -> dict[tuple[str, str], int]:
    return {(item.part, item.at): item.pieces for item in bill.parts}


def test_a_twin_port_module_carries_two_links() -> None:
    # 256 links to servers and 256 to spines, two a module (docs.nvidia.com, LinkX 2 x 400G): 128 in servers,
    # 128 + 128 in leaves, 128 in spines.
    assert pieces(materials(planned())) == {(SWITCH_SR4, "switch"): 384, (SERVER_SR4, "server"): 128}


def test_a_half_used_module_is_a_whole_piece() -> None:
    # 31 servers: each of 8 rails has 15 full cages and one with a single link, still 16 modules; 31 x 4 in servers.
    bill = materials(planned(servers=train("0-30", 32)))
    assert pieces(bill) == {(SWITCH_SR4, "switch"): 8 * 16 + 128 + 128, (SERVER_SR4, "server"): 124}


def test_a_module_goes_only_with_the_last_of_its_links() -> None:
    one = {PortKey("be-leaf-000", "Ethernet33/1"): "absent"}
    both = {**one, PortKey("be-leaf-000", "Ethernet33/5"): "absent"}
    assert pieces(materials(planned(Exceptions(ports=one))))[SWITCH_SR4, "switch"] == 384
    # At the spines leaf 1 has the other half of each cage: only the leaf's own module is saved.
    assert pieces(materials(planned(Exceptions(ports=both))))[SWITCH_SR4, "switch"] == 383


def test_the_neighbour_of_an_absent_server_keeps_its_modules() -> None:
    # Slots 0 and 1 share a cage of each of 8 rails: the 8 modules of the leaves stay, 4 in the server go.
    bill = materials(planned(Exceptions(slots={SlotKey("train", 0): "absent"})))
    assert pieces(bill) == {(SWITCH_SR4, "switch"): 384, (SERVER_SR4, "server"): 124}


def test_a_split_cable_is_one_piece_for_two_links() -> None:
    cables = {"default": {"server_leaf": 3, "leaf_spine": 40, "border_external": 30}}
    bill = materials(planned(servers=train("0-31", 32, "hgx-b200"), cables=cables))
    assert pieces(bill) == {("dac-osfp-to-2-qsfp112-400g", "both"): 128, (SWITCH_SR4, "switch"): 256}
    links = {(item.kind, item.medium): item.links for item in bill.cables}
    assert links == {("server-leaf", "dac"): 256, ("leaf-spine", "optic"): 256}


def test_the_far_module_of_an_outside_cable_is_not_ours() -> None:
    external = {"peer": "fw1", "border": 0, "port": 0, "vlan": 900, "asn": 64601, "addresses": ["172.31.0.0/31"]}
    network = {"networks": {"n": {"vlan": 20, "subnets": ["172.16.0.0/24"]}}}
    tenants = {"a": {**network, "external": [{**external, "accept": ["0.0.0.0/0"]}]}}
    with_, without = (
        pieces(materials(planned(fabrics={"frontend": frontend()}, tenants=found))) for found in (tenants, {})
    )
    assert with_["qsfp56-200g-sr4", "switch"] == without["qsfp56-200g-sr4", "switch"] + 1


def test_power_of_the_backend() -> None:
    # 4 leaves and 4 spines of 640 W typical and 2,218 W at most; 384 and 128 modules of 15 W.
    found = power(materials(planned()), "backend")
    assert (found.typical, found.maximum) == (8 * 640, 8 * 2218)
    assert (found.optics_in_switches, found.optics_in_servers) == (384 * 15, 128 * 15)
    assert (found.unknown_typical, found.unknown_maximum) == (0, 0)
    # The files mark the watts of the switch and of the servers' modules, not those of the switches' modules.
    assert (found.unsure_switches, found.unsure_in_switches, found.unsure_in_servers) == (True, False, True)


def test_unknown_watts_are_counted_and_not_guessed() -> None:
    # 2 pairs of leaves and 2 borders of 226 W; no file says what the 4 spines draw.
    found = power(materials(planned(fabrics={"frontend": frontend()})), "frontend")
    assert (found.typical, found.unknown_typical) == (6 * 226, 4)


def test_a_cables_watts_are_those_of_all_its_ends() -> None:
    assert part_watts(CATALOG.media)["dac-osfp-to-2-qsfp112-400g"][0] == pytest.approx(0.3)


@pytest.mark.parametrize("fact", ["", ".watts"])
def test_unsure_comes_from_the_file(fact: str) -> None:
    media = CATALOG.media.model_copy(update={"unsure": {f"transceivers.{SWITCH_SR4}{fact}": "a test says so"}})
    assert part_watts(media)[SWITCH_SR4] == (15, True)
    assert part_watts(CATALOG.media)[SWITCH_SR4] == (15, False)


def test_what_nothing_fits_is_a_link_and_no_part() -> None:
    empty = Catalog(
        switches=CATALOG.switches, asics=CATALOG.asics, servers=CATALOG.servers, media_file=CATALOG.media_file
    )
    empty._media.append(Media(sources={}))
    bill = materials(planned(catalog=empty, fabrics={"backend": backend()}))
    assert bill.parts == ()
    assert {item.medium for item in bill.cables} == {""}
