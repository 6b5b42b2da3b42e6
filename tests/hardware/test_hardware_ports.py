"""Ports of a panel against the port tables of the vendors; names, and names read back."""

import pytest

from fabricgen.hardware.catalog import Catalog, load_catalog
from fabricgen.hardware.model import SwitchModel
from fabricgen.hardware.ports import mode_at, port_name, ports, radix


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return load_catalog(None)


@pytest.fixture(scope="module")
def x6(catalog: Catalog) -> SwitchModel:
    return catalog.switches["arista-7060x6-64pe"]


# SONiC skus P64, O128S2, 256x200G, C256S2; port descriptions of the 7060DX5; 7050X4 data sheet: 8, 24 + 8 x 2, 80.
# NVIDIA: "Maximum ... ports" of the Cumulus Linux 5.15 guide, of 5.16 for the SN5610, and the page of data interfaces
# of the SN5000 (64, 128, 256, 256: not 512 x 100G). SN5640: skus O128X2 and C512S2, no 800G. SN6600-LD: sku P128C2.
# Nexus, 7220 IXR-D: NetBox. QFX5220: configurations of validated designs. 7220 IXR-H: breakout-mode of SR Linux 25.3.1,
# the H5-32D's as of the H5-64D; ports 1 and 2 of the H3 are SFP+. Dell: skus O64 and
# platform-def.json: four lanes a cage and 256 ports in the Z9664F, two cages and ten ports a pipeline in the Z9864F.
# Boxes after these: break-outs of SONiC's platform.json, the most of any sku.
@pytest.mark.parametrize(
    ("model", "counts"),
    [
        ("arista-7060x6-64pe", {800: 64, 400: 128, 200: 256, 100: 256, 10: 0, 40: 0}),
        ("arista-7060dx5-32", {800: 0, 400: 32, 200: 64, 100: 128}),
        ("arista-7060dx5-64s", {800: 0, 400: 64, 200: 128, 100: 256}),
        ("arista-7050cx4-24d8", {800: 0, 400: 8, 200: 40, 100: 80}),
        ("nvidia-sn4700", {800: 0, 400: 32, 200: 64, 100: 128, 25: 0}),
        ("nvidia-sn5400", {800: 0, 400: 64, 200: 128, 100: 256, 25: 0}),
        ("nvidia-sn5600", {800: 64, 400: 128, 200: 256, 100: 256, 25: 0}),
        ("nvidia-sn5610", {800: 64, 400: 128, 200: 256, 100: 256, 25: 0}),
        ("nvidia-sn5640", {800: 0, 400: 128, 200: 256, 100: 512, 25: 0}),
        ("nvidia-sn2201", {400: 0, 200: 0, 100: 4, 1: 0}),
        ("nvidia-sn3420", {400: 0, 200: 0, 100: 12, 25: 0}),
        ("nvidia-sn3700", {400: 0, 200: 32, 100: 64}),
        ("nvidia-sn3700c", {400: 0, 200: 0, 100: 32}),
        ("nvidia-sn4410", {400: 8, 200: 64, 100: 128}),
        ("nvidia-sn4600", {400: 0, 200: 64, 100: 128}),
        ("nvidia-sn4600c", {400: 0, 200: 0, 100: 64}),
        ("nvidia-sn5600d", {800: 64, 400: 128, 200: 256, 100: 256, 25: 0}),
        ("nvidia-sn6600-ld", {1600: 0, 800: 128, 400: 128, 200: 0, 100: 0}),
        ("cisco-n9336c-fx2", {100: 36, 400: 0}),
        ("cisco-n93180yc-fx3", {100: 6, 25: 0}),
        ("cisco-n9364e-sg2-q", {800: 64, 400: 128, 100: 512}),
        ("juniper-qfx5220-32cd", {400: 32, 200: 64, 100: 128}),
        ("juniper-qfx5220-128c", {400: 0, 200: 0, 100: 128, 10: 0}),
        ("juniper-qfx5240-64qd", {800: 64, 400: 128, 200: 0, 100: 256}),
        ("juniper-qfx5241-64od", {800: 64, 400: 128, 25: 0}),
        ("juniper-qfx5241-64qd", {800: 64, 400: 128, 25: 0}),
        ("nokia-7220-ixr-d2l", {100: 8, 25: 0}),
        ("nokia-7220-ixr-d3l", {400: 0, 100: 32, 10: 0}),
        ("nokia-7220-ixr-h3", {800: 0, 400: 32, 200: 64, 100: 128, 10: 0}),
        ("nokia-7220-ixr-h4-32d", {800: 0, 400: 32, 200: 64, 100: 128}),
        ("nokia-7220-ixr-h5-32d", {800: 32, 400: 64, 200: 0, 100: 256}),
        ("dell-z9664f-on", {800: 0, 400: 64, 200: 128, 100: 256, 10: 0}),
        ("dell-z9864f-on", {800: 64, 400: 128, 200: 256, 100: 256, 25: 0}),
        ("arista-7050dx4-32s", {400: 32, 200: 64, 100: 128, 10: 0}),
        ("arista-7060x6-32pe", {800: 32, 400: 64, 200: 128, 100: 0}),
        ("arista-7060x6-64de", {800: 64, 400: 128, 200: 256, 100: 0}),
        ("arista-7060x6-64pe-b", {800: 64, 400: 128, 200: 256, 100: 512}),
        ("arista-7260cx3-64", {400: 0, 100: 64, 10: 0}),
        ("arista-7388x5-8dr", {400: 64, 200: 128, 100: 256}),
        ("celestica-silverstone", {400: 32, 200: 0, 100: 128}),
        ("dell-z9332f-on", {400: 32, 200: 64, 100: 128, 10: 0}),
        ("dell-z9432f-on", {400: 32, 200: 0, 100: 0}),
        ("edgecore-as9716-32d", {400: 32, 100: 0}),
        ("micas-m2-w6940-64oc", {800: 64, 400: 128, 200: 256, 100: 0, 25: 0}),
        ("micas-m2-w6950-128oc", {800: 128, 400: 256, 200: 256, 100: 0}),
        ("nexthop-4010", {800: 64, 400: 128, 200: 256, 100: 256, 25: 0}),
        ("nexthop-4020", {800: 64, 400: 128, 200: 256, 100: 256, 25: 0}),
        ("nexthop-4210", {800: 128, 400: 256, 200: 256, 100: 0}),
        ("nexthop-4220", {1600: 0, 800: 128, 400: 128, 200: 256, 100: 0}),
        ("nokia-7220-ixr-h6-64", {1600: 0, 800: 128, 400: 128, 200: 256, 100: 64}),
        ("nokia-7220-ixr-h6-128", {800: 128, 400: 256, 200: 256, 100: 128}),
        ("supermicro-sse-t8164", {800: 64, 400: 128, 200: 256, 100: 256, 25: 0}),
    ],
)
def test_radix(catalog: Catalog, model: str, counts: dict[int, int]) -> None:
    switch = catalog.switches[model]
    assert {speed: radix(switch, speed) for speed in counts} == counts


def test_two_a_cage(x6: SwitchModel) -> None:
    every = ports(x6, 400)
    assert [port.number for port in every] == list(range(128))
    assert [(port.cage, port.part, port.parts, port.lane, port.lanes) for port in every[:3]] == [
        (1, 0, 2, 1, 4),
        (1, 1, 2, 5, 4),
        (2, 0, 2, 1, 4),
    ]
    assert {(port.speed_gbps, port.connector) for port in every} == {(400, "osfp")}
    assert every[-1].cage == 64


@pytest.mark.parametrize("model", ["arista-7060x6-64pe", "nvidia-sn5600", "nvidia-sn5610", "dell-z9864f-on"])
def test_eight_a_cage_in_every_second_cage(catalog: Catalog, model: str) -> None:
    """SONiC skus C256S2 and C256S1: 8 x 100G in the odd cages, the even ones empty."""
    every = ports(catalog.switches[model], 100)
    assert {port.cage for port in every} == set(range(1, 64, 2))
    assert [port.lane for port in every[:8]] == list(range(1, 9))


def test_a_mixed_panel(catalog: Catalog) -> None:
    switch = catalog.switches["arista-7050cx4-24d8"]
    assert {(port.cage, port.parts) for port in ports(switch, 400)} == {(cage, 1) for cage in range(25, 33)}
    every = ports(switch, 200)
    assert [port.cage for port in every if port.parts == 1] == list(range(1, 25))
    assert [(port.cage, port.lane) for port in every if port.parts == 2][:4] == [(25, 1), (25, 5), (26, 1), (26, 5)]
    assert [(port.lane, port.lanes) for port in ports(switch, 100)[:2]] == [(1, 2), (3, 2)]


def test_logical_ports_end_the_list_at_a_whole_cage(x6: SwitchModel) -> None:
    assert radix(x6.model_copy(update={"logical_ports": 7}), 400) == 6
    assert radix(x6.model_copy(update={"logical_ports": None}), 400) == 128


def test_the_widest_split_is_taken(x6: SwitchModel) -> None:
    mode = mode_at(x6.cages[0], 400)
    assert mode is not None
    assert (mode.parts, mode.lanes) == (2, 4)
    assert mode_at(x6.cages[0], 50) is None


# EOS: aliases in SONiC's platform.json of the 7060DX5-32, NetBox, and the tool for 7060X6 that configures N/1 and N/5.
@pytest.mark.parametrize(
    ("model", "speed", "first_cage_names"),
    [
        ("arista-7060dx5-32", 400, ["Ethernet1/1"]),
        ("arista-7060dx5-32", 200, ["Ethernet1/1", "Ethernet1/5"]),
        ("arista-7060dx5-32", 100, ["Ethernet1/1", "Ethernet1/3", "Ethernet1/5", "Ethernet1/7"]),
        ("arista-7060x6-64pe", 800, ["Ethernet1/1"]),
        ("arista-7060x6-64pe", 400, ["Ethernet1/1", "Ethernet1/5"]),
        ("arista-7060x6-64pe", 200, ["Ethernet1/1", "Ethernet1/3", "Ethernet1/5", "Ethernet1/7"]),
        ("arista-7060x6-64pe", 100, [f"Ethernet1/{lane}" for lane in range(1, 9)]),
        ("arista-7050cx4-24d8", 200, ["Ethernet1/1"]),
        ("arista-7050cx4-24d8", 100, ["Ethernet1/1", "Ethernet1/3"]),
        ("arista-7050dx4-32s", 200, ["Ethernet1/1", "Ethernet1/5"]),
        ("arista-7060x6-32pe", 200, ["Ethernet1/1", "Ethernet1/3", "Ethernet1/5", "Ethernet1/7"]),
        ("arista-7060x6-64de", 400, ["Ethernet1/1", "Ethernet1/5"]),
        ("arista-7260cx3-64", 100, ["Ethernet1/1"]),
        ("arista-7388x5-8dr", 200, ["Ethernet2/1/1", "Ethernet2/1/5"]),
    ],
)
def test_eos_names(catalog: Catalog, model: str, speed: int, first_cage_names: list[str]) -> None:
    switch = catalog.switches[model]
    found = [
        port_name(switch, "eos", port.cage, port.part, port.parts) for port in ports(switch, speed) if port.cage == 1
    ]
    assert found == first_cage_names


def test_names_of_cards(catalog: Catalog) -> None:
    """Ethernet2/5/1 and 2/5/5 in the AMD guide; cards 2 to 9 in the inventory of a 7368."""
    chassis = catalog.switches["arista-7388x5-8dr"]
    assert [port_name(chassis, "eos", 5, part, 2) for part in range(2)] == ["Ethernet2/5/1", "Ethernet2/5/5"]
    assert [port_name(chassis, "eos", cage, 0, 1) for cage in (8, 9, 64)] == [
        "Ethernet2/8/1",
        "Ethernet3/1/1",
        "Ethernet9/8/1",
    ]
    assert chassis.management_port == {"eos": "Management1/1"}


def test_linux_names_and_service_ports(x6: SwitchModel, catalog: Catalog) -> None:
    assert port_name(x6, "frr", 7, 0, 1) == "swp7"
    assert [port_name(x6, "frr", 7, part, 2) for part in (0, 1)] == ["swp7s0", "swp7s1"]
    assert port_name(x6, "eos", 65, 0, 1) == "Ethernet65"
    assert port_name(catalog.switches["arista-7060dx5-32"], "eos", 33, 0, 1) == "Ethernet33"
    assert x6.management_port == {"eos": "Management1", "frr": "eth0"}


@pytest.mark.parametrize(
    ("model", "speed", "first_cage_names"),
    [
        ("nvidia-sn5600", 800, ["swp1"]),
        ("nvidia-sn5600", 400, ["swp1s0", "swp1s1"]),
        ("nvidia-sn5600", 200, ["swp1s0", "swp1s1", "swp1s2", "swp1s3"]),
        ("nvidia-sn5610", 400, ["swp1s0", "swp1s1"]),
        ("nvidia-sn4700", 400, ["swp1"]),
        ("nvidia-sn4700", 100, ["swp1s0", "swp1s1", "swp1s2", "swp1s3"]),
        ("nvidia-sn5400", 200, ["swp1s0", "swp1s1"]),
        ("nvidia-sn5640", 100, [f"swp1s{part}" for part in range(8)]),
        ("nvidia-sn3700", 200, ["swp1"]),
        ("nvidia-sn3700", 100, ["swp1s0", "swp1s1"]),
        ("nvidia-sn4410", 200, ["swp1s0", "swp1s1"]),
        ("nvidia-sn4600c", 100, ["swp1"]),
        ("nvidia-sn5600d", 400, ["swp1s0", "swp1s1"]),
        ("nvidia-sn6600-ld", 800, ["swp1s0", "swp1s1"]),
        ("dell-z9664f-on", 100, ["swp1s0", "swp1s1", "swp1s2", "swp1s3"]),
        ("dell-z9864f-on", 400, ["swp1s0", "swp1s1"]),
    ],
)
def test_names_of_cumulus(catalog: Catalog, model: str, speed: int, first_cage_names: list[str]) -> None:
    """The Cumulus Linux guide splits swp1 into swp1s0 and on; its first 800G and 400G ports are swp1 in NetBox."""
    switch = catalog.switches[model]
    found = [port for port in ports(switch, speed) if port.cage == 1]
    assert [port_name(switch, "frr", port.cage, port.part, port.parts) for port in found] == first_cage_names


@pytest.mark.parametrize(
    ("model", "cages"),
    [("nvidia-sn4700", 32), ("nvidia-sn5400", 66), ("nvidia-sn5600", 65), ("nvidia-sn5610", 66),
     ("nvidia-sn5640", 66), ("nvidia-sn3700", 32), ("nvidia-sn3700c", 32), ("nvidia-sn4410", 32),
     ("nvidia-sn4600", 64), ("nvidia-sn4600c", 64), ("nvidia-sn5600d", 65),
     ("dell-z9664f-on", 66), ("dell-z9864f-on", 66)],
)  # fmt: skip
def test_cages_of_the_other_makers(catalog: Catalog, model: str, cages: int) -> None:
    """Entries of SONiC's platform.json, the Z9664F's of port_config.ini: those after the last big cage are service."""
    switch = catalog.switches[model]
    numbers = [number for run in switch.cages for number in run.numbers]
    assert numbers == list(range(1, cages + 1))
    *others, last = (run.service for run in switch.cages)
    assert (any(others), last) == (False, cages > 64)
    assert port_name(switch, "frr", cages, 0, 1) == f"swp{cages}"
    assert switch.management_port["frr"] == "eth0"


# SONiC: port_config.ini of skus ACS-SN5600, ACS-SN5400, Mellanox-SN5600-O128 and -V256, ACS-MSN4410, ACS-SN6600_LD,
# DellEMC-Z9664f-O64, Dell-Z9864f-O64; of the boxes after these: their unsplit sku, and O256 of those with 128 ports.
@pytest.mark.parametrize(
    ("model", "cage", "names"),
    [
        ("nvidia-sn5600", 1, {1: ["Ethernet0"], 2: ["Ethernet0", "Ethernet4"]}),
        ("nvidia-sn5600", 64, {1: ["Ethernet504"], 4: ["Ethernet504", "Ethernet506", "Ethernet508", "Ethernet510"]}),
        ("nvidia-sn5600", 65, {1: ["Ethernet512"]}),
        ("nvidia-sn5400", 66, {1: ["Ethernet520"]}),
        ("nvidia-sn4410", 1, {1: ["Ethernet0"], 2: ["Ethernet0", "Ethernet4"]}),
        ("nvidia-sn4410", 25, {1: ["Ethernet192"]}),
        ("nvidia-sn4410", 32, {1: ["Ethernet248"]}),
        ("nvidia-sn6600-ld", 64, {2: ["Ethernet504", "Ethernet508"]}),
        ("dell-z9664f-on", 33, {1: ["Ethernet128"]}),
        ("dell-z9664f-on", 66, {1: ["Ethernet257"]}),
        ("dell-z9864f-on", 64, {1: ["Ethernet504"]}),
        ("dell-z9864f-on", 65, {1: ["Ethernet512"]}),
        ("arista-7050dx4-32s", 34, {1: ["Ethernet257"]}),
        ("arista-7060x6-32pe", 34, {1: ["Ethernet257"]}),
        ("arista-7060x6-64de", 64, {1: ["Ethernet504"], 2: ["Ethernet504", "Ethernet508"]}),
        ("arista-7060x6-64pe-b", 64, {8: [f"Ethernet{number}" for number in range(504, 512)]}),
        (
            "celestica-silverstone",
            32,
            {1: ["Ethernet248"], 4: ["Ethernet248", "Ethernet250", "Ethernet252", "Ethernet254"]},
        ),
        ("dell-z9332f-on", 34, {1: ["Ethernet257"]}),
        ("dell-z9432f-on", 33, {1: ["Ethernet256"]}),
        ("micas-m2-w6950-128oc", 129, {1: ["Ethernet1024"]}),
        ("micas-m2-w6940-64oc", 64, {1: ["Ethernet505"], 2: ["Ethernet505", "Ethernet509"]}),
        ("micas-m2-w6940-64oc", 66, {1: ["Ethernet515"]}),
        ("arista-7260cx3-64", 66, {1: ["Ethernet260"]}),
        ("nvidia-sn3420", 48, {1: ["Ethernet188"]}),
        ("nvidia-sn3420", 60, {1: ["Ethernet236"]}),
        ("nvidia-sn2201", 48, {1: ["Ethernet47"]}),
        ("nvidia-sn3700", 32, {1: ["Ethernet124"], 2: ["Ethernet124", "Ethernet126"]}),
        ("nvidia-sn4600", 64, {1: ["Ethernet252"], 2: ["Ethernet252", "Ethernet254"]}),
        ("nexthop-4010", 64, {1: ["Ethernet504"], 4: ["Ethernet504", "Ethernet506", "Ethernet508", "Ethernet510"]}),
        ("nexthop-4020", 66, {1: ["Ethernet513"]}),
        ("nexthop-4210", 128, {1: ["Ethernet1016"], 2: ["Ethernet1016", "Ethernet1020"]}),
        ("nokia-7220-ixr-h6-128", 128, {1: ["Ethernet1016"], 2: ["Ethernet1016", "Ethernet1020"]}),
        ("nexthop-4220", 64, {2: ["Ethernet504", "Ethernet508"]}),
        ("nokia-7220-ixr-h6-64", 66, {1: ["Ethernet513"]}),
        ("nokia-7220-ixr-h6-128", 129, {1: ["Ethernet1024"]}),
        ("supermicro-sse-t8164", 65, {1: ["Ethernet512"]}),
    ],
)
def test_names_that_count(catalog: Catalog, model: str, cage: int, names: dict[int, list[str]]) -> None:
    switch = catalog.switches[model]
    for parts, found in names.items():
        assert [port_name(switch, "sonic", cage, part, parts) for part in range(parts)] == found


# SR Linux: NetBox and containerlab's manual; NX-OS: NetBox; Junos: the configurations of validated designs.
@pytest.mark.parametrize(
    ("model", "system", "speed", "first_names"),
    [
        ("cisco-n9336c-fx2", "nxos", 100, ["Ethernet1/1", "Ethernet1/2"]),
        ("cisco-n93180yc-fx3", "nxos", 100, ["Ethernet1/49", "Ethernet1/50"]),
        ("cisco-n9364e-sg2-q", "nxos", 400, ["Ethernet1/1/1", "Ethernet1/1/2"]),
        ("juniper-qfx5220-32cd", "junos", 400, ["et-0/0/0", "et-0/0/1"]),
        ("juniper-qfx5220-128c", "junos", 100, ["et-0/0/0", "et-0/0/1"]),
        ("juniper-qfx5240-64qd", "junos", 400, ["et-0/0/0:0", "et-0/0/0:1"]),
        ("juniper-qfx5241-64od", "junos", 800, ["et-0/0/0", "et-0/0/1"]),
        ("nokia-7220-ixr-d2l", "srlinux", 100, ["ethernet-1/49", "ethernet-1/50"]),
        ("nokia-7220-ixr-d3l", "srlinux", 100, ["ethernet-1/1", "ethernet-1/2"]),
        ("nokia-7220-ixr-h3", "srlinux", 400, ["ethernet-1/3", "ethernet-1/4"]),
        ("nokia-7220-ixr-h4-32d", "srlinux", 200, ["ethernet-1/1/1", "ethernet-1/1/2"]),
        ("nokia-7220-ixr-h5-32d", "srlinux", 800, ["ethernet-1/1", "ethernet-1/2"]),
    ],
)
def test_first_names(catalog: Catalog, model: str, system: str, speed: int, first_names: list[str]) -> None:
    switch = catalog.switches[model]
    found = [port_name(switch, system, port.cage, port.part, port.parts) for port in ports(switch, speed)[:2]]
    assert found == first_names


def test_unknown_cage_and_system(x6: SwitchModel) -> None:
    with pytest.raises(ValueError, match="no cage 67"):
        port_name(x6, "eos", 67, 0, 1)
    with pytest.raises(KeyError):
        port_name(x6, "vms", 1, 0, 1)


def test_names_are_unique(catalog: Catalog) -> None:
    for switch in catalog.switches.values():
        for system in switch.port_names:
            for speed in (100, 200, 400, 800):
                named = {
                    port_name(switch, system, port.cage, port.part, port.parts): port for port in ports(switch, speed)
                }
                assert len(named) == radix(switch, speed)
