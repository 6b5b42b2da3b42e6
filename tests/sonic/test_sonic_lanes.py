"""Lanes of the boxes that SONiC runs on: every lane of the chip is in one cage, and ports have those of their table."""

import json
from collections.abc import Mapping

import pytest

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.hardware.ports import port_name
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.platforms.sonic.platform import SONIC
from fabricgen.platforms.sonic.ports import panel, ports
from fabricgen.resolve.device import devices
from tests.sonic import rules, sites

# First and last lane of the big cages in port_config.ini of sonic-buildimage 086b03bd; half a chip has a gap.
HALF = ((1, 128), (385, 512))
FOUR_OF_EIGHT = tuple((8 * cage, 8 * cage + 3) for cage in range(64))
RANGES = {
    "arista-7050dx4-32s": ((1, 256),),
    "arista-7060x6-32pe": HALF, "arista-7060x6-64de": ((1, 512),), "arista-7060x6-64pe-b": ((1, 512),),
    "celestica-silverstone": ((1, 256),),
    "arista-7260cx3-64": ((1, 256),), "edgecore-as9716-32d": ((1, 256),), "micas-m2-w6940-64oc": ((1, 512),),
    "nvidia-sn2201": ((192, 207),), "nvidia-sn3420": (*((4 * cage, 4 * cage) for cage in range(48)), (192, 239)),
    "nvidia-sn3700": ((0, 127),), "nvidia-sn3700c": ((0, 127),),
    "nvidia-sn4600": FOUR_OF_EIGHT, "nvidia-sn4600c": FOUR_OF_EIGHT,
    "dell-z9332f-on": ((1, 256),), "dell-z9432f-on": ((1, 256),),
    "dell-z9664f-on": ((1, 256),), "dell-z9864f-on": ((1, 512),),
    "micas-m2-w6950-128oc": ((1, 1024),),
    "nexthop-4010": ((1, 512),), "nexthop-4020": ((1, 512),), "nexthop-4210": ((1, 1024),),
    "nexthop-4220": ((1, 512),), "nokia-7220-ixr-h6-64": ((1, 512),),
    "nokia-7220-ixr-h6-128": ((1, 1024),),
    "nvidia-sn4410": ((0, 255),), "nvidia-sn4700": ((0, 255),),
    "nvidia-sn5400": ((0, 511),), "nvidia-sn5600": ((0, 511),),
    "nvidia-sn6600-ld": ((0, 511),),
    "supermicro-sse-t8164": ((1, 512),),
}  # fmt: skip


@pytest.mark.parametrize("model", RANGES)
def test_every_lane_is_in_one_cage(model: str) -> None:
    switch = load_catalog(None).switches[model]
    cages = panel(switch.spellings[SONIC.name]).cages
    assert sorted(lane for cage in cages for lane in range(cage.lane, cage.lane + cage.lanes)) == [
        lane for first, last in RANGES[model] for lane in range(first, last + 1)
    ]
    numbers = [(number, run) for run in switch.cages for number in run.numbers]
    first = 0 if model in WITH_SERVICE else next(at for at, (_, run) in enumerate(numbers) if not run.service)
    described = numbers[first : first + len(cages)]
    assert [number for number, run in numbers if not run.service] == [
        number for number, run in described if not run.service
    ]
    assert [cage.electrical for cage in cages] == [run.lanes for _, run in described]
    names = [port_name(switch, SONIC.name, number, 0, 1) for number, _ in described]
    assert [f"Ethernet{cage.first}" for cage in cages] == names
    assert {cage.names for cage in cages} == {switch.port_names[SONIC.name].step}


WITH_SERVICE = ("nvidia-sn3420",)
"""Boxes whose lanes are those of all cages, with the low-speed ones."""
WIDE, NARROW = 8, 4
"""Lanes of a QSFP-DD or OSFP cage, and of a QSFP28 or QSFP56."""
TWO_WIDTHS = {
    "platform": "x86_64-dellemc_s5248f_c3538-r0",
    "hwsku": "DellEMC-S5248f-P-25G",
    "lanes": "49 50 51 52 57 58 59 60 61 62 63 64 77 78 79 80 85 86 87 88 93 94 95 96 13 14 15 16 21 22 23 24 29 30 31 "
    "32 97 98 99 100 105 106 107 108 113 114 115 116 121 125 69 65 1 33 5 41",
    "lanes_a_cage": " ".join(["1"] * 48 + ["4"] * 8),
    "cage_lanes": " ".join(["1"] * 48 + ["4"] * 8),
}
"""Dell S5248F, sku DellEMC-S5248f-P-25G: 48 ports of 25G on one lane, then eight of 100G on four."""


def _with_port(port: str, lanes: int, parts: int, words: Mapping[str, str]) -> Device:
    """A leaf with one port of so many lanes, one of so many parts of its cage."""
    device = next(each for each in sites.fleet("bare", "master") if each.role == "leaf")
    used = device.interfaces.ethernet[0]
    row = used._replace(name=port, profile=used.profile._replace(lanes=lanes, parts=parts))
    interfaces = device.interfaces._replace(ethernet=(row,), idle=())
    hardware = device.hardware._replace(spellings=words)
    return device._replace(hardware=hardware, interfaces=interfaces, qos=None)


# Lanes and index of port_config.ini and platform.json at 086b03bd; parts by the break-out modes of platform.json.
@pytest.mark.parametrize(
    ("model", "port", "split", "row"),
    [
        ("arista-7260cx3-64", "Ethernet0", (NARROW, 1), ("77,78,79,80", 1, 0)),
        ("arista-7260cx3-64", "Ethernet252", (NARROW, 1), ("177,178,179,180", 64, 0)),
        ("edgecore-as9716-32d", "Ethernet0", (WIDE, 1), ("73,74,75,76,77,78,79,80", 0, 0)),
        ("edgecore-as9716-32d", "Ethernet248", (WIDE, 1), ("241,242,243,244,245,246,247,248", 31, 0)),
        ("micas-m2-w6940-64oc", "Ethernet1", (WIDE, 1), ("41,42,43,44,45,46,47,48", 0, 0)),
        ("micas-m2-w6940-64oc", "Ethernet505", (WIDE, 1), ("465,466,467,468,469,470,471,472", 63, 0)),
        ("micas-m2-w6940-64oc", "Ethernet509", (4, 2), ("469,470,471,472", 63, 2)),
        ("nvidia-sn2201", "Ethernet48", (NARROW, 1), ("192,193,194,195", 49, 0)),
        ("nvidia-sn2201", "Ethernet60", (NARROW, 1), ("204,205,206,207", 52, 0)),
        ("nvidia-sn3420", "Ethernet4", (1, 1), ("4", 2, 0)),
        ("nvidia-sn3420", "Ethernet192", (NARROW, 1), ("192,193,194,195", 49, 0)),
        ("nvidia-sn3420", "Ethernet236", (NARROW, 1), ("236,237,238,239", 60, 0)),
        ("nvidia-sn3700", "Ethernet4", (NARROW, 1), ("4,5,6,7", 2, 0)),
        ("nvidia-sn3700", "Ethernet6", (2, 2), ("6,7", 2, 2)),
        ("nvidia-sn4600", "Ethernet4", (NARROW, 1), ("8,9,10,11", 2, 0)),
        ("nvidia-sn4600c", "Ethernet252", (NARROW, 1), ("504,505,506,507", 64, 0)),
        ("", "Ethernet0", (1, 1), ("49", 1, 0)),
        ("", "Ethernet47", (1, 1), ("116", 48, 0)),
        ("", "Ethernet48", (4, 1), ("121,122,123,124", 49, 0)),
        ("", "Ethernet68", (4, 1), ("33,34,35,36", 54, 0)),
    ],
)
def test_boxes_that_count_lanes_and_names_otherwise(
    model: str, port: str, split: tuple[int, int], row: tuple[str, int, int]
) -> None:
    """split: lanes of the port, and parts of its cage; row: its lanes of the chip, index and subport."""
    words = load_catalog(None).switches[model].spellings[SONIC.name] if model else TWO_WIDTHS
    device = _with_port(port, *split, words)
    found = next(found for found in ports(device) if found.row.name == port)
    assert (found.lanes, found.cage, found.subport) == row
    chip, index, subport = row
    judged = " ".join(str(key) for key in READBACKS[SONIC.name].expected(device))
    assert f"{port}: lanes {chip}, cage {index}, part {subport}" in judged


def test_all_boxes_are_known() -> None:
    catalog = load_catalog(None).switches.items()
    assert {name for name, switch in catalog if SONIC.name in switch.port_names} == set(RANGES)


@pytest.mark.parametrize(
    ("model", "slots", "port", "lanes"),
    [
        ("dell-z9664f-on", "7", "Ethernet68", "129,130,131,132"),
        ("dell-z9664f-on", "7", "Ethernet132", "1,2,3,4"),
        ("dell-z9664f-on", "7", "Ethernet188", "113,114,115,116"),
        ("dell-z9864f-on", "15", "Ethernet256", "25,26,27,28"),
        ("dell-z9864f-on", "15", "Ethernet268", "13,14,15,16"),
        ("dell-z9864f-on", "15", "Ethernet504", "481,482,483,484"),
        ("nvidia-sn5600", "15", "Ethernet508", "508,509,510,511"),
    ],
)
def test_lanes_of_a_port(model: str, slots: str, port: str, lanes: str) -> None:
    """Whole cages of the table, and halves of it, whose first has the first lanes (sku Mellanox-SN5600-O128)."""
    plan = sites.plan_of(sites.text_of("bare", "master", MODEL=model, SLOTS=slots, LINKS="[ipv4]"))
    found = {row["lanes"] for rows in sites.ports_of(plan) for name, row in rows.items() if name == port}
    assert found == {lanes}


def test_parts_of_a_cage_say_which_they_are() -> None:
    """`subport` as config-engine's portconfig.py gives it: xcvrd takes a part's lanes of the module by it."""
    plan = sites.plan_of(sites.text_of("bare", "master", SLOTS="15"))
    rows = next(sites.ports_of(plan))
    assert {name: rows[name].get("subport") for name in ("Ethernet0", "Ethernet4", "Ethernet504", "Ethernet508")} == {
        "Ethernet0": "1",
        "Ethernet4": "2",
        "Ethernet504": "1",
        "Ethernet508": "2",
    }
    whole = next(sites.ports_of(sites.plan_of(sites.text_of("managed", "master"))))
    assert not any("subport" in row for row in whole.values())


def test_the_first_part_of_a_split_cage_has_a_row() -> None:
    """A cable that moved to a second half: the sku's own row of the first has all eight lanes, and is written over."""
    moved = Exceptions(ports={PortKey("be-spine-00", "Ethernet0"): "dead"})
    plan = sites.plan_of(sites.text_of("bare", "master"), moved)
    spine = next(device for device in devices(plan) if device.name == "be-spine-00")
    used = {row.name for row in spine.interfaces.ethernet}
    assert "Ethernet508" in used
    assert "Ethernet504" not in used
    found = json.loads(sites.rendered(spine)["config_db.json"])
    assert found["PORT"]["Ethernet504"] | {"description": ""} == found["PORT"]["Ethernet508"] | {
        "description": "",
        "admin_status": "down",
        "alias": "Ethernet504",
        "lanes": "504,505,506,507",
        "subport": "1",
    }
    assert "Ethernet504" not in found["INTERFACE"]
    assert rules.faults(found) == []
