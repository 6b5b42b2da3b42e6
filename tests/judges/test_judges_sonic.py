"""SONiC's models take a right config_db.json and refuse wrong ones; what they do not see is written down here."""

import json
from collections.abc import Mapping

import pytest

from tests.judges import sonic
from tests.judges.sonic_sample import LEAF

needs_models = pytest.mark.skipif(sonic.available() is not None, reason=f"judge: {sonic.available()}")
releases = pytest.mark.parametrize("release", ["202505", "master"])
"""The oldest and the newest: the rows of `LEAF` have one form in all (tests/sonic judges each release)."""

DUPLICATE = '{"VRF": {"Vrf_red": {}, "Vrf_red": {"vni": "7"}}}'

# (what is wrong, table, row, its fields or what stands there instead; None: the row is not there, what is said)
REFUSED: tuple[tuple[str, str, str, object, str], ...] = (
    ("fec that is none", "PORT", "Ethernet0", {"fec": "rs544"}, '"rs544" does not conform to "rs|fc|none|auto"'),
    ("DSCP 64", "DSCP_TO_TC_MAP", "ROCE", {"64": "3"}, "Invalid DSCP"),
    ("traffic class 16", "DSCP_TO_TC_MAP", "ROCE", {"26": "16"}, "Invalid Traffic Class"),
    (
        "PFC on priority 9",
        "PORT_QOS_MAP",
        "Ethernet0",
        {"pfc_enable": "9"},
        '"9" does not conform to "([0-7](,[0-7])*)?"',
    ),
    (
        "ECN minimum over maximum",
        "WRED_PROFILE",
        "ROCE",
        {"green_min_threshold": "1600000"},
        "max threshold must be greater than or equal to min threshold",
    ),
    ("profile that is not there", "QUEUE", "Ethernet0|3", {"wred_profile": "NOPE"}, 'Invalid leafref value "NOPE"'),
    ("map that is not there", "PORT_QOS_MAP", "Ethernet0", {"dscp_to_tc_map": "NOPE"}, 'Invalid leafref value "NOPE"'),
    ("VLAN under another's name", "VLAN", "Vlan20", {"vlanid": "21"}, "The vlanid must correspond to the VLAN name"),
    ("address on a port not declared", "INTERFACE", "Ethernet8|10.1.0.3/31", {}, "Must condition not satisfied"),
    ("port that is not there", "INTERFACE", "Ethernet9", {}, "Invalid leafref value"),
    ("MTU over 9216", "PORT", "Ethernet0", {"mtu": "9300"}, 'value "9300" is out of the allowed range'),
    ("state that is none", "PORT", "Ethernet0", {"admin_status": "shut"}, "shut"),
    ("address that is none", "INTERFACE", "Ethernet0|10.1.0.300/31", {}, "10.1.0.300/31"),
    ("pool that is not there", "BUFFER_PROFILE", "pg_lossless_400000_5m", {"pool": "nope"}, "Invalid leafref value"),
    ("alpha out of range", "BUFFER_PROFILE", "pg_lossless_400000_5m", {"dynamic_th": "9"}, "dynamic_th"),
    ("buffer that is not there", "BUFFER_PG", "Ethernet0|3", {"profile": "nope"}, 'Invalid union value "nope"'),
    ("AS number over 32 bits", "BGP_GLOBALS", "default", {"local_asn": "99999999999"}, "local_asn"),
    ("neighbor in a VRF not there", "BGP_NEIGHBOR", "Vrf_no|10.1.0.0", {"asn": "1"}, '"Vrf_no" - no'),
    (
        "peer group that is not there",
        "BGP_NEIGHBOR",
        "default|10.1.0.0",
        {"peer_group_name": "NOPE"},
        'Invalid leafref value "NOPE"',
    ),
    ("weight over 100", "SCHEDULER", "scheduler.roce", {"weight": "101"}, "weight"),
    ("watchdog's action that is none", "PFC_WD", "Ethernet0", {"action": "panic"}, "panic"),
    ("VNI over 24 bits", "VRF", "Vrf_red", {"vni": "16777216"}, "vni"),
    ("VRF of a wrong name", "VRF", "red", {}, "Invalid VRF name"),
    ("unknown field", "PORT", "Ethernet0", {"speeed": "1"}, "PORT|Ethernet0: unknown field speeed"),
    ("a key too many", "BUFFER_PG", "Ethernet0|3|4", {}, "BUFFER_PG|Ethernet0|3|4: 3 keys, where the model has 2"),
    ("a row of a name that is none", "DEVICE_METADATA", "here", {}, "only rows of fixed names"),
    ("a number", "PORT", "Ethernet0", {"mtu": 9216}, "PORT|Ethernet0|mtu: 9216 is no string"),
    ("a list", "PORT", "Ethernet0", {"mtu": ["9216"]}, "PORT|Ethernet0|mtu: ['9216'] is no string"),
    ("a row that is none", "PORT", "Ethernet0", "up", "PORT|Ethernet0: no object of fields"),
    ("management address without a port", "MGMT_PORT", "eth0", None, "Invalid leafref value"),
    ("unknown table", "PFC_WATCHDOG", "GLOBAL", {}, "PFC_WATCHDOG: no model of SONiC"),
)

# (what is wrong, table, row, its fields or what stands there instead)
ACCEPTED: tuple[tuple[str, str, str, object], ...] = (
    ("family that is none", "BGP_GLOBALS_AF", "default|ipv5_unicast", {}),
    ("alias of another port", "PORT", "Ethernet8", {"alias": "etp1"}),
    ("lanes of another port", "PORT", "Ethernet8", {"lanes": "1,2,3,4,5,6,7,8"}),
    ("tunnel map to a VLAN not there", "VXLAN_TUNNEL_MAP", "vtep|map_30_Vlan30", {"vlan": "Vlan30", "vni": "30"}),
    ("VNI of a VRF without a map", "VXLAN_TUNNEL_MAP", "vtep|map_10001_Vlan3001", None),
    ("PFC without a priority group", "BUFFER_PG", "Ethernet0|3", None),
    ("weights over 100 together", "SCHEDULER", "scheduler.more", {"type": "DWRR", "weight": "90"}),
    ("headroom larger than its pool", "BUFFER_PROFILE", "pg_lossless_400000_5m", {"xoff": "99000000"}),
    ("ECN minimum over the buffer", "WRED_PROFILE", "ROCE", {"green_max_threshold": "999000000"}),
    ("speed of no lanes", "PORT", "Ethernet0", {"speed": "1000"}),
)


@needs_models
@pytest.mark.parametrize("release", sonic.RELEASES)
def test_a_leaf_is_accepted(release: str) -> None:
    assert sonic.faults(json.dumps(dict(LEAF)), release) == []


@needs_models
@releases
@pytest.mark.parametrize(("table", "row", "fields", "said"), [c[1:] for c in REFUSED], ids=[c[0] for c in REFUSED])
def test_the_models_refuse(table: str, row: str, fields: object, said: str, release: str) -> None:
    assert said in "\n".join(sonic.faults(_spoilt(table, row, fields), release))


@needs_models
@releases
@pytest.mark.parametrize(("table", "row", "fields"), [c[1:] for c in ACCEPTED], ids=[c[0] for c in ACCEPTED])
def test_the_models_do_not_see(table: str, row: str, fields: object, release: str) -> None:
    """A known gap: should it close, this says so, and a check of ours can go."""
    assert sonic.faults(_spoilt(table, row, fields), release) == []


@needs_models
def test_a_table_known_to_have_no_model_is_passed_over() -> None:
    text = _spoilt("PFC_WATCHDOG", "GLOBAL", {})
    assert sonic.faults(text, "master", unmodelled=("PFC_WATCHDOG",)) == []
    assert "PFC_WATCHDOG" not in sonic.tables("master")
    assert "PFC_WD" in sonic.tables("master")


@needs_models
def test_a_name_that_stands_twice_is_found() -> None:
    assert "Vrf_red: stands twice in one object" in sonic.faults(DUPLICATE, "202505")


@needs_models
@pytest.mark.parametrize(
    ("text", "said"),
    [('{"VRF": {}', "line 1: no JSON"), ("[]", "no object of tables"), ('{"VRF": []}', "VRF: no object of rows")],
)
def test_what_is_no_database_is_refused(text: str, said: str) -> None:
    assert said in "\n".join(sonic.faults(text, "202505"))


@needs_models
def test_releases_differ() -> None:
    """A prefix of a set may be without its sequence number from 202511 on."""
    text = json.dumps({"PREFIX_SET": {"P": {"mode": "IPv4"}}, "PREFIX": {"P|10.0.0.0/8|exact": {"action": "permit"}}})
    assert all(sonic.faults(text, release) == [] for release in ("202511", "202605", "master"))
    assert "3 keys, where the model has 4" in "\n".join(sonic.faults(text, "202505"))


@needs_models
def test_another_release_is_no_judge() -> None:
    with pytest.raises(KeyError):
        sonic.faults("{}", "201911")


@needs_models
def test_values_kept_in_one_string_are_judged_one_by_one() -> None:
    assert sonic.faults(_spoilt("PORT", "Ethernet0", {"adv_speeds": "200000, 400000"}), "master") == []
    assert "200g" in "\n".join(sonic.faults(_spoilt("PORT", "Ethernet0", {"adv_speeds": "400000,200g"}), "master"))


def _spoilt(table: str, row: str, fields: object) -> str:
    """The sample with a row changed, added, or, by None, taken out."""
    rows: dict[str, object] = dict(LEAF.get(table, {}))
    if isinstance(fields, Mapping):
        rows[row] = {**LEAF.get(table, {}).get(row, {}), **fields}
    elif fields is None:
        del rows[row]
    else:
        rows[row] = fields
    return json.dumps({**LEAF, table: rows})
