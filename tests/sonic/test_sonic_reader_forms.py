"""What SONiC's own commands print → what it means: each form by itself, with values that were told by eye."""

import json
from typing import Any

import pytest

from fabricgen.platforms.base.live.reader import Drift, Output
from fabricgen.platforms.linux.live.decode import Misread
from fabricgen.platforms.sonic.live import asked, counters, links
from fabricgen.platforms.sonic.live.drift import drift
from fabricgen.platforms.sonic.live.reader import SONIC
from fabricgen.platforms.sonic.live.values import masked, secrets_in, tables_of
from fabricgen.state.state import (
    LINKS,
    MARKS,
    QUEUE_DROPS,
    Daemon,
    Drops,
    Facts,
    LinkCounters,
    PolicyRule,
    PortCounters,
)
from tests.doubles.sonic_shown import VERSION

# As tests/pfcstat_test.py of sonic-utilities has it, with other numbers.
PFC = """\
  Port Rx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
---------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet0       0       0       0   1,203       0       0       0       2
Ethernet8     N/A     N/A     N/A     N/A     N/A     N/A     N/A     N/A

  Port Tx    PFC0    PFC1    PFC2    PFC3    PFC4    PFC5    PFC6    PFC7
---------  ------  ------  ------  ------  ------  ------  ------  ------
Ethernet0       0       0       0      17       0       0       0       0
Ethernet8     N/A     N/A     N/A     N/A     N/A     N/A     N/A     N/A

"""
# As counters_all_json and show_queue_counters_json there.
QUEUES = {
    "Ethernet0": {
        "MC11": {"dropbytes": "31", "droppacket": "61", "totalbytes": "60", "totalpacket": "15"},
        "UC3": {"dropbytes": "90", "droppacket": "1,002", "totalbytes": "70", "totalpacket": "52"},
        "UC4": {"dropbytes": "0", "droppacket": "0", "totalbytes": "59", "totalpacket": "11"},
        "UC5": {"dropbytes": "N/A", "droppacket": "N/A", "totalbytes": "N/A", "totalpacket": "N/A"},
        "cached_time": "2026-08-01T06:02:11",
        "time": "2026-08-01T06:12:11",
    }
}
MARKED = {
    "Ethernet0": {
        "UC3": {"ecnmarkedbytes": "76", "ecnmarkedpacket": "1,019", "wreddropbytes": "70", "wreddroppacket": "52"},
        "UC4": {"ecnmarkedbytes": "0", "ecnmarkedpacket": "0", "wreddropbytes": "0", "wreddroppacket": "0"},
    }
}
CONFIG: dict[str, Any] = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf-7", "mac": "50:00:00:00:00:07"}},
    "TC_TO_QUEUE_MAP": {"FABRIC": {"0": "0", "1": "4", "3": "3", "4": "4"}},
}
SAID = {
    counters.PFC: Output(PFC),
    counters.QUEUES: Output(json.dumps(QUEUES)),
    counters.MARKED: Output(json.dumps(MARKED)),
    asked.RUNNING: Output(CONFIG),
    asked.VERSION: Output(VERSION.format(release="202505")),
}
ETHERNET0 = PortCounters("Ethernet0", 1205, 17, ((3, 1019),), (Drops((3,), 1002), Drops((1, 4), 0)))


def test_facts() -> None:
    state = SONIC.state(SAID, {})
    assert state.facts == Facts("leaf-7", "202505.1022-f0a1", "ACS-MSN4700", "MT2000X00000")
    assert SONIC.state({asked.VERSION: Output("SONiC\n")}, {}).facts is None
    # Another NOS_NAME: Broadcom SONiC Versioning and Branding 0.5.
    of_maker = SONIC.state({asked.VERSION: Output("SONiC Software Version: SONiC-OS-2.1.0-Cloud_Base\n")}, {})
    assert of_maker.facts is not None
    assert of_maker.facts.version == "2.1.0-Cloud_Base"


def test_counters_of_links() -> None:
    """Forms of sonic-utilities, with other numbers: portstat's JSON, tests/flap_test.py, pfcwd_test_vectors.py."""
    errors = {name: {"RX_ERR": text, "RX_DRP": "0", "STATE": "U"} for name, text in (("Ethernet0", "1,204"),)}
    fec = {"Ethernet0": {"FEC_CORR": "130,402", "FEC_UNCORR": "3"}, "Ethernet4": {"FEC_UNCORR": "N/A"}}
    said = {
        links.ERRORS: Output(json.dumps(errors)),
        links.FEC: Output(json.dumps(fec)),
        links.FLAPS: Output(
            "Interface      Flap Count  Admin    Oper    Link Down TimeStamp(UTC)    Link Up TimeStamp(UTC)\n"
            "-----------  ------------  -------  ------  --------------------------  ------------------------\n"
            "Ethernet0               5  Up       Up      Sat Jan 17 00:04:42 2025    Sat Jan 18 00:08:42 2025\n"
            "Ethernet4           Never  Up       Up      Never                       Never\n"
        ),
        links.STORMS: Output(
            "      QUEUE       STATUS    STORM DETECTED/RESTORED    TX OK/DROP    RX OK/DROP\n"
            "-----------  -----------  -------------------------  ------------  ------------\n"
            "Ethernet4:3  operational                        2/2       100/100       100/100\n"
            "Ethernet4:4      stormed                        3/2       100/300       100/300\n"
        ),
    }
    state = SONIC.state(said, {})
    assert state.links == (
        LinkCounters("Ethernet0", flaps=5, crc=1204, fec=3, watchdog=0),
        LinkCounters("Ethernet4", flaps=0, crc=None, fec=None, watchdog=5),
    )
    without = SONIC.state({**said, links.FLAPS: Output(None, "no"), links.STORMS: Output("")}, {})
    assert [(one.flaps, one.watchdog) for one in without.links or ()] == [(None, None)] * 2
    assert {LINKS["flaps"], LINKS["watchdog"]} <= without.unread.keys()
    assert SONIC.state({}, {}).links is None


def test_counters() -> None:
    """A queue that counts no marks does not say that it marks; classes are those that go into the queue."""
    state = SONIC.state(SAID, {})
    assert state.counters == (ETHERNET0, PortCounters("Ethernet8", -1, -1, (), ()))
    assert not {MARKS, QUEUE_DROPS} & state.unread.keys()


def test_half_of_the_counters() -> None:
    state = SONIC.state({**SAID, counters.MARKED: Output(None, "COUNTERS_QUEUE_NAME_MAP is empty!")}, {})
    assert state.counters is not None
    assert state.counters[0] == ETHERNET0._replace(ecn_marked=())
    assert "COUNTERS_QUEUE_NAME_MAP is empty!" in state.unread[MARKS]
    two_maps = {**CONFIG, "TC_TO_QUEUE_MAP": {"A": {"3": "3"}, "B": {"3": "4"}}}
    state = SONIC.state({**SAID, asked.RUNNING: Output(two_maps)}, {})
    assert state.counters is not None
    assert state.counters[0] == ETHERNET0._replace(dropped=())
    assert "TC_TO_QUEUE_MAP" in state.unread[QUEUE_DROPS]
    nothing = {**SAID, counters.QUEUES: Output("{}"), counters.MARKED: Output("{}")}
    assert SONIC.state(nothing, {}).counters is None


@pytest.mark.parametrize("said", ["", "1.5", "-3", "1e3", "٣", "3 4"])
def test_a_number_that_is_none(said: str) -> None:
    with pytest.raises(Misread):
        counters.whole(said, "x")


def test_vrfs_of_fresh_frr_rules_of_sonic_and_the_bridge_of_containers() -> None:
    rows = [
        {"priority": 1001, "src": "all", "table": "local"},
        # As interfaces.j2 of sonic-buildimage has them: 202505, master, and where management has no VRF.
        {"priority": 32765, "src": "10.0.0.16", "table": "5000"},
        {"priority": 32765, "src": "10.0.0.16", "table": "6000"},
        {"priority": 32764, "src": "all", "dst": "10.20.6.16", "table": "mgmt"},
        {"priority": 32767, "src": "all", "table": "default"},
        {"priority": 32765, "src": "10.0.0.16", "table": "default"},
        {"priority": 90, "src": "10.8.0.0", "srclen": 13, "table": "90"},
        {"priority": 91, "src": "all", "table": "6000"},
    ]
    device = {"ifname": "Ethernet0", "flags": [], "mtu": 9100, "operstate": "DOWN", "addr_info": []}
    docker = {**device, "ifname": "docker0", "flags": ["UP"]}
    said = {
        asked.ADDRESSES: Output([device, docker]),
        asked.ROUTES: Output([{"dst": "240.127.1.0/24", "dev": "docker0", "protocol": "2"}]),
        asked.VNIS: Output([{"vni": 5, "type": "L3", "tenantVrf": "Vrf_a", "state": "Up", "vxlanIntf": "v"}]),
        asked.FLOOD: Output([]),
        asked.BRIDGED: Output([]),
        **{command: Output(rows) for command in asked.RULES},
    }
    state = SONIC.state(said, {"Vrf_a": "a"})
    assert state.interfaces is not None
    assert [one.name for one in state.interfaces] == ["Ethernet0"]
    assert state.routes == ()
    assert state.vnis is not None
    assert [(one.vni, one.vrf) for one in state.vnis] == [(5, "a")]
    assert state.rules == (
        PolicyRule("", 90, "IPv4 src 10.8.0.0 srclen 13 table 90"),
        PolicyRule("", 90, "IPv6 src 10.8.0.0 srclen 13 table 90"),
        PolicyRule("", 91, "IPv4 src all table 6000"),
        PolicyRule("", 91, "IPv6 src all table 6000"),
    )


def tagged(vlan: int) -> dict[str, Any]:
    """What the kernel says of an interface of a VLAN."""
    return {"info_kind": "vlan", "info_data": {"id": vlan}}


def test_a_subinterface_has_its_long_name_and_an_svi_no_mtu() -> None:
    vlan = {"flags": ["UP", "LOWER_UP"], "mtu": 9100, "operstate": "UP", "addr_info": []}
    rows = [
        {**vlan, "ifname": "Ethernet128", "addr_info": []},
        {**vlan, "ifname": "Eth128.10", "link": "Ethernet128", "linkinfo": tagged(10)},
        {**vlan, "ifname": "Bridge", "linkinfo": {"info_kind": "bridge"}},
        {**vlan, "ifname": "Vlan20", "link": "Bridge", "linkinfo": tagged(20)},
    ]  # fmt: skip
    routes = [{"dst": "10.5.0.0/24", "gateway": "172.31.0.1", "dev": "Eth128.10", "protocol": "186"}]
    found = SONIC.state({asked.ADDRESSES: Output(rows), asked.ROUTES: Output(routes)}, {})
    assert found.interfaces is not None
    assert [(one.name, one.kind, one.mtu, one.vlan_id) for one in found.interfaces] == [
        ("Bridge", "other", 9100, 0),
        ("Ethernet128.10", "subinterface", 9100, 10),
        ("Ethernet128", "ethernet", 9100, 0),
        ("Vlan20", "svi", 0, 20),
    ]
    assert found.routes is not None
    assert [(hop.address, hop.interface) for hop in found.routes[0].hops] == [("172.31.0.1", "Ethernet128.10")]


def test_programs() -> None:
    said = {asked.DAEMONS: Output(" zebra bgpd watchfrr\n"), asked.CONTAINERS: Output("bgp\nswss\n")}
    assert [(one.name, one.running) for one in SONIC.state(said, {}).daemons or ()] == [
        ("zebra", True), ("bgpd", True), ("staticd", False), ("bfdd", False), ("swss", True), ("syncd", False),
    ]  # fmt: skip
    assert Daemon("bgpd", False, ("sessions", "evpn")) in (
        SONIC.state({asked.CONTAINERS: Output("swss\n")}, {}).daemons or ()
    )
    assert SONIC.state({asked.DAEMONS: Output("zebra\n")}, {}).daemons is None


WANTED: dict[str, Any] = {
    "DEVICE_METADATA": {"localhost": {"hostname": "leaf-7", "bgp_asn": "65001"}},
    "FEATURE": {"lldp": {"state": "enabled"}},
    "INTERFACE": {"Ethernet0": {}, "Ethernet0|10.0.0.0/31": {}},
    "PORT": {"Ethernet0": {"lanes": "1,2", "mtu": "9214", "admin_status": "up"}},
    "ROUTE_MAP": {"OUT|10": {"set_community_inline": ["graceful-shutdown", "additive"]}},
    "TACPLUS": {"global": {"passkey": "${env:TACACS_KEY}"}},
}
# What SONiC has beside it: init_cfg.json, the box's MAC address, ports of the sku, redis' word for no field.
RUNNING: dict[str, Any] = {
    **WANTED,
    "CRM": {"Config": {"polling_interval": "300"}},
    "LOGGER": {"xcvrd": {"LOGLEVEL": "NOTICE", "require_manual_refresh": "true"}},
    "SNMP": {"LOCATION": {"Location": "public"}},
    "DEVICE_METADATA": {"localhost": {**WANTED["DEVICE_METADATA"]["localhost"], "mac": "50:00:00:00:00:07"}},
    "FEATURE": {"lldp": {"state": "enabled", "auto_restart": "enabled"}, "bgp": {"state": "enabled"}},
    "INTERFACE": {"Ethernet0": {"NULL": "NULL"}, "Ethernet0|10.0.0.0/31": {}},
    "PORT": {**WANTED["PORT"], "Ethernet8": {"lanes": "9,10", "speed": "400000"}},
    "ROUTE_MAP": {"OUT|10": {"set_community_inline": ["additive", "graceful-shutdown"]}},
    "TACPLUS": {"global": {"passkey": "<removed>"}},
    "VERSIONS": {"DATABASE": {"VERSION": "version_202505_01"}},
    "bgpraw": "router bgp 65001\n",
}


def differs(running: dict[str, Any]) -> tuple[Drift, ...]:
    """What differs from WANTED."""
    return drift(json.dumps(WANTED), json.dumps(running))


def test_what_sonic_adds_is_no_drift() -> None:
    assert differs(RUNNING) == ()


DRIFTS: tuple[tuple[str, dict[str, Any], tuple[Drift, ...]], ...] = (
    (
        "a field",
        {"PORT": {"Ethernet0": {"lanes": "1,2", "mtu": "9100", "admin_status": "up"}}},
        (
            Drift(("PORT", "Ethernet0"), "mtu: 9214", present=False),
            Drift(("PORT", "Ethernet0"), "mtu: 9100", present=True),
        ),
    ),
    ("a row without fields", {"INTERFACE": {"Ethernet0": {}}}, (
        Drift(("INTERFACE",), "Ethernet0|10.0.0.0/31", present=False),
    )),
    ("one more of those", {"INTERFACE": {**WANTED["INTERFACE"], "Ethernet8": {"NULL": "NULL"}}}, (
        Drift(("INTERFACE",), "Ethernet8", present=True),
    )),
    ("a port that somebody enabled", {"PORT": {**WANTED["PORT"], "Ethernet8": {"admin_status": "up"}}}, (
        Drift(("PORT", "Ethernet8"), "admin_status: up", present=True),
    )),
    ("a list", {"ROUTE_MAP": {"OUT|10": {"set_community_inline": ["additive"]}}}, (
        Drift(("ROUTE_MAP", "OUT|10"), "set_community_inline: graceful-shutdown, additive", present=False),
        Drift(("ROUTE_MAP", "OUT|10"), "set_community_inline: additive", present=True),
    )),
    ("a secret that is not there", {"TACPLUS": {"global": {}}}, (
        Drift(("TACPLUS", "global"), "passkey: <removed>", present=False),
    )),
    ("a feature of ours", {"FEATURE": {"lldp": {"state": "disabled"}}}, (
        Drift(("FEATURE", "lldp"), "state: enabled", present=False),
        Drift(("FEATURE", "lldp"), "state: disabled", present=True),
    )),
    ("a row beside SONiC's own", {"SNMP": {**RUNNING["SNMP"], "CONTACT": {"Contact": "x"}}}, (
        Drift(("SNMP", "CONTACT"), "Contact: x", present=True),
    )),
    ("a table", {"ACL_TABLE": {"A": {"type": "L3"}}}, (Drift(("ACL_TABLE", "A"), "type: L3", present=True),)),
)  # fmt: skip


@pytest.mark.parametrize(("changed", "expected"), [row[1:] for row in DRIFTS], ids=[row[0] for row in DRIFTS])
def test_what_differs(changed: dict[str, Any], expected: tuple[Drift, ...]) -> None:
    assert differs({**RUNNING, **changed}) == expected


@pytest.mark.parametrize("running", ["", "{", "[]", '{"PORT": 3}', "x" * 100])
def test_a_running_text_that_is_none_has_nothing(running: str) -> None:
    assert Drift(("PORT", "Ethernet0"), "mtu: 9214", present=False) in drift(json.dumps(WANTED), running)


def test_a_secret_in_clear_text_equals_any_other() -> None:
    wanted = {"TACPLUS": {"global": {"passkey": "one"}}}
    assert drift(json.dumps(wanted), json.dumps({"TACPLUS": {"global": {"passkey": "<removed>"}}})) == ()


SECRET = "k3yOfAll"  # noqa: S105 - made up


def test_no_secret_is_shown() -> None:
    config = {
        "TACPLUS": {"global": {"passkey": SECRET, "timeout": "5"}},
        "SNMP_USER": {"monitor": {"SNMP_USER_AUTH_PASSWORD": SECRET, "SNMP_USER_TYPE": "Priv"}},
        "SNMP_COMMUNITY": {SECRET: {"TYPE": "RO"}},
        "BGP_NEIGHBOR": {"default|10.0.0.1": {"auth_password": SECRET}},
    }
    found = tables_of(json.dumps(config))
    assert SECRET not in json.dumps(masked(found))
    assert '"timeout": "5"' in json.dumps(masked(found))
    assert secrets_in(found) == (SECRET,)
    state = SONIC.state({asked.RUNNING: Output({**config, "DEVICE_METADATA": {"localhost": {}}})}, {})
    assert state.running is not None
    assert SECRET not in state.running
    assert SECRET not in str(drift(json.dumps(config), json.dumps({})))
