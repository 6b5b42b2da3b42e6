"""Lanes of the boxes that SONiC runs on: every lane of the chip is in one cage, and ports have those of their table."""

import json

import pytest

from fabricgen.hardware.catalog import load_catalog
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.platforms.sonic.platform import SONIC
from fabricgen.resolve.device import devices
from tests.sonic import rules, sites

# First and last lane of the big cages in port_config.ini of sonic-buildimage 086b03bd; half a chip has a gap.
HALF = ((1, 128), (385, 512))
RANGES = {
    "arista-7050dx4-32s": ((1, 256),),
    "arista-7060x6-32pe": HALF, "arista-7060x6-64de": ((1, 512),), "arista-7060x6-64pe-b": ((1, 512),),
    "celestica-silverstone": ((1, 256),),
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
    words = switch.spellings[SONIC.name]
    starts, width = [int(word) for word in words["lanes"].split()], int(words["lanes_a_cage"])
    assert sorted(lane for start in starts for lane in range(start, start + width)) == [
        lane for first, last in RANGES[model] for lane in range(first, last + 1)
    ]
    assert len(starts) == sum(len(run.numbers) for run in switch.cages if not run.service)
    assert switch.port_names[SONIC.name].step == width


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
