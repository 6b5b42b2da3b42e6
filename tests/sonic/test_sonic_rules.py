"""Rules of our own on the rendered tables: what the models miss, RoCE above all. Each is fed something wrong."""

from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.sonic import rules, sites

Document = dict[str, Any]
Break = Callable[[Document], object]


@pytest.mark.parametrize(("name", "release"), sites.CASES)
def test_nothing_is_wrong(name: str, release: str) -> None:
    for index, device in enumerate(sites.fleet(name, release)):
        found = sites.tables(name, release, index)
        assert rules.faults(found) == []
        assert (device.qos is not None) == ("PFC_WD" in found)
        if device.qos is not None:
            assert rules.against(found, device.qos) == []


def test_pools_can_be_checked_where_the_file_names_their_sizes() -> None:
    assert rules.checkable(sites.tables("broadcom", "master", 0))
    assert not rules.checkable(sites.tables("managed", "master", 0))


def put(table: str, key: str, field: str, value: str) -> Break:
    return lambda found: found[table][key].update({field: value})


def drop(table: str, key: str) -> Break:
    return lambda found: found[table].pop(key)


BROKEN: dict[str, tuple[str, Break, str]] = {
    "lanes": ("managed", put("PORT", "Ethernet8", "lanes", "0,1,2,3"), "lane 0 is in 2 ports"),
    "alias": ("managed", put("PORT", "Ethernet8", "alias", "Ethernet0"), "2 ports are called Ethernet0"),
    "parts": ("bare", put("PORT", "Ethernet4", "subport", "1"), "2 ports of cage 1 are part 1"),
    "open door": ("managed", put("GNMI", "gnmi", "client_auth", "false"), "gNMI takes anybody's settings"),
    "bare address": ("managed", drop("INTERFACE", "Ethernet0"), "Ethernet0|10.64.0.0/31 has no row of its port"),
    "family": (
        "managed",
        lambda found: found["BGP_PEER_GROUP_AF"].update({"default|SPINES-IPV4|ipv4": {}}),
        "BGP_PEER_GROUP_AF|default|SPINES-IPV4|ipv4 names no family",
    ),
    "network": ("managed", drop("STATIC_ROUTE", "default|10.64.0.0/27"), "nothing stands behind"),
    "neighbor": ("managed", drop("INTERFACE", "Ethernet128|10.64.0.32/31"), "10.64.0.33 is on no link"),
    "unnumbered": ("bare", drop("INTERFACE", "Ethernet256"), "Ethernet256 is on no link"),
    "no family": ("managed", drop("BGP_PEER_GROUP_AF", "default|SPINES-IPV4|ipv4_unicast"), "carries no family"),
    "code point": ("managed", lambda found: found["DSCP_TO_TC_MAP"]["FABRIC"].pop("26"), "1 code points are left"),
    "unreached": ("managed", put("TC_TO_PRIORITY_GROUP_MAP", "FABRIC", "3", "0"), "no traffic reaches"),
    "other queue": ("managed", put("MAP_PFC_PRIORITY_TO_QUEUE", "FABRIC", "3", "4"), "stops another queue"),
    "no cable": ("managed", drop("CABLE_LENGTH", "FABRIC"), "PFC of 3 without headroom: no length"),
    "no group": ("broadcom", drop("BUFFER_PG", "Ethernet0|3"), "Ethernet0: PFC of 3 without a priority group"),
    "no headroom": ("broadcom", put("BUFFER_PROFILE", "lossless_400g_371348", "xoff", "0"), "has none"),
    "lossy queue": (
        "broadcom",
        put("BUFFER_QUEUE", "Ethernet0|3", "profile", "egress_lossy_profile"),
        "is lossless and",
    ),
    "unmarked": ("broadcom", lambda found: found["QUEUE"]["Ethernet0|3"].pop("wred_profile"), "never marked"),
    "strict": ("broadcom", put("SCHEDULER", "ROCE-400G-3", "type", "STRICT"), "lossless and strict"),
    "weights": ("broadcom", put("SCHEDULER", "ROCE-400G-3", "weight", "90"), "add up to 95"),
    "other queue watched": (
        "broadcom",
        lambda found: found["MAP_PFC_PRIORITY_TO_QUEUE"]["FABRIC"].update({"3": "5"}),
        "the watchdog of priority 3 watches queue 3, not 5",
    ),
    "unwatched": ("broadcom", put("PORT_QOS_MAP", "Ethernet0", "pfcwd_sw_enable", ""), "does not watch"),
    "no watchdog": ("broadcom", drop("PFC_WD", "Ethernet0"), "Ethernet0: PFC without a watchdog"),
    "fabric port": ("broadcom", drop("PORT_QOS_MAP", "Ethernet128"), "Ethernet128 has no maps though others have"),
    "pool": ("broadcom", put("BUFFER_POOL", "ingress_lossless_pool", "xoff", "113620296"), "takes the whole pool"),
    "profile": ("broadcom", put("BUFFER_PROFILE", "lossless_400g_371348", "xoff", "50653697"), "wants more than"),
    "late marks": ("broadcom", put("WRED_PROFILE", "ROCE-400G", "green_max_threshold", "20000000"), "pauses already"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_what_is_wrong_is_seen(name: str) -> None:
    site, change, fault = BROKEN[name]
    found = deepcopy(sites.tables(site, sites.TABLES, 0))
    change(found)
    assert any(fault in each for each in rules.faults(found)), rules.faults(found)[:4]


OTHERWISE: dict[str, tuple[Break, str]] = {
    "CNP not strict": (put("SCHEDULER", "ROCE-400G-6", "type", "DWRR"), "queue 6 is DWRR"),
    "CNP uncapped": (lambda found: found["SCHEDULER"]["ROCE-400G-6"].pop("pir"), "queue 6 may take None"),
    "thresholds": (put("WRED_PROFILE", "ROCE-400G", "green_min_threshold", "1"), "queue 3 marks from 1"),
    "drops": (put("WRED_PROFILE", "ROCE-400G", "ecn", "ecn_none"), "queue 3 drops"),
    "DSCP": (put("DSCP_TO_TC_MAP", "FABRIC", "26", "1"), "DSCP 26 is in class 1"),
    "priority": (put("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "3,4"), "Ethernet0 is paused by 3,4"),
    "times": (put("PFC_WD", "Ethernet0", "detection_time", "400"), "Ethernet0: (400, 400) ms"),
    "action": (put("PFC_WD", "Ethernet0", "action", "alert"), "Ethernet0: alert"),
}


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_the_plan_says_otherwise_is_seen(name: str) -> None:
    change, fault = OTHERWISE[name]
    found = deepcopy(sites.tables("managed", sites.TABLES, 0))
    change(found)
    qos = sites.fleet("managed", sites.TABLES)[0].qos
    assert qos is not None
    assert fault in rules.against(found, qos)[0]


def test_headroom_is_said_port_by_port_or_by_the_length_of_a_cable() -> None:
    """A 400G port of a Z9664F has the row of its own table; a box that computes it has metres."""
    octets = sites.tables("broadcom", "master", 0)["BUFFER_PROFILE"]
    assert {name: row["xoff"] for name, row in octets.items() if "xoff" in row} == {
        "lossless_400g_371348": "371348",
        "lossless_400g_424434": "424434",
    }
    metres = sites.tables("managed", "master", 0)["CABLE_LENGTH"]["FABRIC"]
    lengths = {row.name: row.length_m for row in sites.fleet("managed", "master")[0].interfaces.ethernet}
    assert {name: f"{length:.0f}m" for name, length in lengths.items()} == metres
