"""SONiC is read back: what its files say is what the Device asks for, and a fault is seen at its line."""

import json

import pytest

from fabricgen.platforms.sonic.readback.readback import READBACK
from fabricgen.readback.rows import A_VALUE, Key
from tests.readback.linux_faults import Fault, assert_seen, assert_total, found, garbage, pairs, read
from tests.readback.sites import Switch
from tests.readback.test_readback_sites import said
from tests.some import some
from tests.sonic import sites

DB, FRR = "config_db.json", "frr.conf"


def _switch(name: str, release: str, role: str) -> Switch:
    device = next(row for row in sites.fleet(name, release) if row.role == role)
    return device, sites.rendered(device)


@pytest.mark.parametrize(("name", "release"), some(sites.CASES, of=4))
def test_every_site_is_clean(name: str, release: str) -> None:
    """Management of all kinds, bare links, three tiers, Broadcom and NVIDIA, drained switches and links, tenants."""
    for device in sites.fleet(name, release):
        assert not said((device, sites.rendered(device)))


def test_a_cap_of_an_800g_port_is_read() -> None:
    """A tenth of 800G is 10,000,000,000 octets a second: rates are uint64 (sonic-scheduler.yang, cir and pir)."""
    text = sites.text_of("bare", "202511", TOPOLOGY="spines: {now: 2, planned: 2}, uplink_gbps: 800")
    for device in sites.sonic_of(sites.plan_of(text)):
        files = sites.rendered(device)
        assert '"pir": "10000000000"' in files[DB]
        assert not said((device, files))


LEAF, OLD, NEXT, TABLES, DELL, BORDER, SPINE, OLD_SPINE, TENANT = (
    ("managed", "master", "leaf"),
    ("managed", "202505", "leaf"),
    ("managed", "202511", "leaf"),
    ("managed", "202605", "leaf"),
    ("broadcom", "master", "leaf"),
    ("tenants", "master", "border-leaf"),
    ("tenants", "master", "spine"),
    ("frontend", "202505", "spine"),
    ("tenants", "master", "leaf"),
)
GUARDED = ("frontend", "master", "spine")
FAULTS = {
    "AS": (LEAF, Fault(DB, r'"asn": "\d+"', '"asn": "65009"', "session", "remote-as")),
    "own AS": (LEAF, Fault(DB, r'"local_asn": "\d+"', '"local_asn": "65009"', "bgp", "asn")),
    "hold": (LEAF, Fault(DB, r'"holdtime": "\d+"', '"holdtime": "99"', "session", "hold")),
    "map": (LEAF, Fault(DB, r'("RM-SPINES-IPV4-)OUT"', r'\1IN"', "session", "policy-out.ipv4", gone=True)),
    "term": (LEAF, Fault(DB, r'"route_operation": "deny"', '"route_operation": "permit"', "policy", "terms")),
    "TTL": (GUARDED, Fault(DB, r'"ttl_security_hops": "2"', '"ttl_security_hops": "9"', "session", "ttl-hops")),
    "link of a loopback": (GUARDED, Fault(DB, r'"disable_ebgp_connected_route_check": "true"',
        '"disable_ebgp_connected_route_check": "false"', "line", "", gone=True)),
    "limit": (LEAF, Fault(DB, r'"max_prefix_limit": "\d+"', '"max_prefix_limit": "9"', "session",
        "maximum-routes.ipv4")),
    "limit of EVPN routes": (SPINE, Fault(DB, r'(l2vpn_evpn": \{[^}]*"max_prefix_limit": )"\d+"', r'\1"9"', "session",
        "maximum-routes.evpn")),
    "limit of EVPN routes in 202505": (OLD_SPINE, Fault(FRR, r"(EVPN maximum-prefix) \d+", r"\1 9", "session",
        "maximum-routes.evpn")),
    "no limit of EVPN routes": (OLD_SPINE, Fault(FRR, r"\n  neighbor \S+EVPN maximum-prefix .*", "", "session",
        "maximum-routes.evpn", gone=True)),
    "family": (LEAF, Fault(DB, r'(_unicast": \{\s*"admin_status": )"up"', r'\1"down"', "session", "families")),
    "network": (LEAF, Fault(DB, r'"default\|ipv4_unicast\|\S+"', '"default|ipv4_unicast|10.9.9.9/32"', "network", "")),
    "paths": (LEAF, Fault(DB, r'"max_ebgp_paths": "\d+"', '"max_ebgp_paths": "1"', "bgp", "maximum-paths", gone=True)),
    "address": (LEAF, Fault(DB, r'"(Ethernet\d+)\|10\.\S+/31"', r'"\1|10.99.0.0/31"', "port", "ipv4")),
    "MTU": (LEAF, Fault(DB, r'"mtu": "\d+",\n( +"speed)', '"mtu": "1500",\n\\1', "port", "mtu")),
    "speed": (LEAF, Fault(DB, r'"speed": "\d+"', '"speed": "100000"', "port", "speed")),
    "FEC": (LEAF, Fault(DB, r'"fec": "rs"', '"fec": "none"', "port", "fec")),
    "lanes": (LEAF, Fault(DB, r'"lanes": "0,1', '"lanes": "1,0', "line", "")),
    "shut": (LEAF, Fault(DB, r'"admin_status": "up",(\s+"alias")', r'"admin_status": "down",\1', "port", "enabled")),
    "DSCP": (LEAF, Fault(DB, r'"26": "3"', '"26": "0"', "port", "dscp-classes")),
    "queue": (LEAF, Fault(DB, r'("TC_TO_QUEUE_MAP": \{\s+"FABRIC": \{[^}]*"3": )"\d"', r'\1"2"', "port",
        "class-queues")),
    "PFC": (LEAF, Fault(DB, r'"pfc_enable": "3"', '"pfc_enable": "4"', "port", "pfc")),
    "watchdog": (LEAF, Fault(DB, r'"detection_time": "\d+"', '"detection_time": "9000"', "port", "watchdog")),
    "weight": (LEAF, Fault(DB, r'"weight": "\d+"', '"weight": "1"', "port", "queues")),
    "ECN": (LEAF, Fault(DB, r'"green_max_threshold": "\d+"', '"green_max_threshold": "9"', "port", "ecn")),
    "cable": (LEAF, Fault(DB, r'("CABLE_LENGTH": \{\s+"FABRIC": \{\s+"Ethernet0": )"\d+m"', r'\1"900m"', "port",
        "cable")),
    "headroom": (DELL, Fault(DB, r'("xoff": )"\d+",', r'\1"9",', "port", "headroom")),
    "resume": (DELL, Fault(DB, r'"xon_offset": "\d+"', '"xon_offset": "9"', "switch", "resume", gone=True)),
    "alpha": (DELL, Fault(DB, r'"dynamic_th": "-2"', '"dynamic_th": "3"', "switch", "alpha", gone=True)),
    "buffer": (LEAF, Fault(DB, r'"profile": "NULL"', '"profile": "ingress_lossy_profile"', "line", "")),
    "seed": (LEAF, Fault(DB, r'"type": "ToRRouter"', '"type": "SpineRouter"', "switch", "hash-seed")),
    "another banner": (LEAF, Fault(DB, '"Authorised', '"Unauthorised', "management", "login-banner")),
    "a longer time": (
        LEAF,
        Fault(
            DB, r'("SSH_SERVER": \{\s+"POLICIES": \{\s+"inactivity_timeout": )"10"',
            r'\1"60"', "management", "login-idle"
        ),
    ),
    "syslog": (LEAF, Fault(DB, r'("SYSLOG_SERVER": \{\s+)"\S+"', r'\1"10.9.9.9"', "management", "syslog")),
    "key": (LEAF, Fault(DB, r'"passkey": "\S+"', '"passkey": "${env:OTHER}"', "management", "tacacs-key")),
    "AS of FRR": (OLD, Fault(FRR, r"(neighbor 10\S+ remote-as \d)\d", r"\g<1>9", "session", "remote-as")),
    "AS of 202511": (NEXT, Fault(FRR, r"(neighbor 10\S+ remote-as \d)\d", r"\g<1>9", "session", "remote-as")),
    "AS of 202605": (TABLES, Fault(DB, r'"asn": "\d+"', '"asn": "65009"', "session", "remote-as")),
    "users of 202511": (NEXT, Fault(DB, r'"user_auth": "none"', '"user_auth": "cert"', "line", "")),
    "mode of 202511": (NEXT, Fault(DB, r'"split-unified"', '"unified"', "line", "")),
    "restore of 202605": (TABLES, Fault(DB, r'("use_template_render_for_restore": )"false"', r'\1"true"', "line", "")),
    "VRF of gNMI": (LEAF, Fault(DB, r'("user_auth": "none",\s+"vrf": )"mgmt"', r'\1"default"', "line", "")),
    "moves of a duplicate": (TENANT, Fault(FRR, r"max-moves \d+", "max-moves 9", "vtep", "duplicate-mac")),
    "a lookup that goes on": (TENANT, Fault(FRR, r"\n ipv6 route ::/0 reject \d+", "", "line", "", gone=True)),
    "a last route of distance 255": (TENANT, Fault(FRR, r"(0\.0/0 reject) \d+", r"\1 255", "line", "", gone=True)),
    "time of a freeze": (TENANT, Fault(FRR, r"detection freeze \d+", "detection freeze 77", "vtep", "duplicate-mac")),
    "storm control": (TENANT, Fault(DB, r'"kbps": "\d+"', '"kbps": "8000000"', "port", "unknown-unicast-limit")),
    "odd storm control": (TENANT, Fault(DB, r'"kbps": "\d+"', '"kbps": "64"', "port", "unknown-unicast-limit")),
    "gateway": (TENANT, Fault(DB, r'"static_anycast_gateway": "true"', '"static_anycast_gateway": "false"', "gateway",
                              "mac")),
    "MAC": (TENANT, Fault(DB, r'"gateway_mac": "\S+"', '"gateway_mac": "02:00:00:00:00:99"', "gateway", "mac")),
    "VNI": (TENANT, Fault(DB, r'"vni": "10\d+"', '"vni": "77"', "vrf", "vni")),
    "target": (TENANT, Fault(FRR, r"route-target export 65000:\d+", "route-target export 65000:1", "vlan", "exports")),
    "VLAN": (TENANT, Fault(DB, r'"Vlan20\|(Ethernet\d+)"', r'"Vlan110|\1"', "port", "access-vlan", gone=True)),
    "password": (BORDER, Fault(FRR, r"\n neighbor \S+ password \S+", "", "session", "password", gone=True)),
    "members": (LEAF, Fault(DB, r'("community_member": \[\s+)"65000:1"', r'\1"65000:9"', "policy", "terms")),
    "next hop": (SPINE, Fault(DB, r'"unchanged_nexthop": "true"', '"unchanged_nexthop": "false"', "session",
        "next-hop-unchanged")),
    "scheduler": (LEAF, Fault(DB, r'("Ethernet8\|3": \{\s+"scheduler": "ROCE-400G-)3"', r'\g<1>6"', "port", "queues",
        gone=True)),
    "no ECN": (LEAF, Fault(DB, r'"ecn": "ecn_all"', '"ecn": "ecn_none"', "port", "ecn")),
    "entry": (LEAF, Fault(DB, r'("TC_TO_PRIORITY_GROUP_MAP": \{\s+"FABRIC": \{[^}]*"3": )"3"', r'\1"0"', "line", "")),
    "no relax": (LEAF, Fault(DB, r'"load_balance_mp_relax": "true"', '"load_balance_mp_relax": "false"', "line", "")),
    "collector": (LEAF, Fault(DB, r'"collector_ip": "\S+"', '"collector_ip": "10.0.9.9"', "management", "sflow")),
    "other VNI": (TENANT, Fault(FRR, r"\n vni \d+", "\n vni 77", "line", "")),
    "VRF": (BORDER, Fault(DB, r'("vlan": "900",\s+"vrf_name": )"\S+"', r'\1"Vrf_other"', "subinterface", "vrf")),
}  # fmt: skip


def test_what_the_frr_of_a_release_lacks_is_not_asked_for() -> None:
    """202411 has FRR 10.0.1 (sonic-buildimage, rules/frr.mk), which has no limit of EVPN routes."""
    device, files = _switch(*OLD_SPINE)
    older = device._replace(version="202411")
    assert {row.setting for row in found(older, files)} == {"maximum-routes.evpn", "restart"}
    assert not found(device, files)
    assert not said((older, sites.rendered(older)))


@pytest.mark.long
def test_sites_beside_other_platforms_are_clean() -> None:
    problems = [line for switch in pairs("sonic") for line in said(switch)]
    assert not problems, "\n".join(problems[:40])


@pytest.mark.parametrize("name", some(FAULTS))
def test_a_fault_is_seen_at_its_line(name: str) -> None:
    switch, fault = FAULTS[name]
    assert_seen(_switch(*switch), fault)


@pytest.mark.parametrize("switch", [LEAF, DELL, TENANT], ids=lambda row: row[0])
def test_the_order_of_tables_and_the_layout_mean_nothing(switch: tuple[str, str, str]) -> None:
    device, files = _switch(*switch)
    tables = json.loads(files[DB])
    turned = {table: dict(reversed(tables[table].items())) for table in sorted(tables, reverse=True)}
    for indent in (None, 1, 4):
        assert not found(device, {**files, DB: json.dumps(turned, indent=indent)})


def test_values_that_the_system_has_by_itself_may_be_said() -> None:
    device, files = _switch(*LEAF)
    tables = json.loads(files[DB])
    for row in tables["PORT"].values():
        row["pfc_asym"] = "off"
        if row["mtu"] == "9100":
            del row["mtu"]
    tables["FEATURE"]["lldp"] |= {"auto_restart": "enabled"}
    tables["VERSIONS"] = {"DATABASE": {"VERSION": "version_202505_01"}}
    text = json.dumps(tables)
    assert not found(device, {**files, DB: text})
    assert not read("sonic", {**files, DB: text}).unread


def test_tables_without_the_framework_are_sessions_too() -> None:
    tables = {
        "DEVICE_METADATA": {"localhost": {"bgp_asn": "65100"}},
        "BGP_NEIGHBOR": {"10.0.0.1": {"asn": "65200", "holdtime": "10", "keepalive": "3", "nhopself": "0"}},
    }
    rows = read("sonic", {DB: json.dumps(tables)}).rows
    assert rows[Key("session", "10.0.0.1", "remote-as")].value == 65200
    assert rows[Key("session", "10.0.0.1", "hold")].value == 10


@pytest.mark.parametrize(("state", "port"), [("enabled", 8080), ("disabled", None)])
def test_gnmi_runs_on_its_own_port_where_only_its_container_is_on(state: str, port: int | None) -> None:
    rows = read("sonic", {DB: f'{{"FEATURE":\n{{"gnmi":\n{{"state": "{state}"}}}}}}'}).rows
    found = rows.get(Key("management", "", "gnmi-port"))
    assert (found and (found.value, found.line)) == (port and (port, 3))


def test_a_secret_is_kept_nowhere() -> None:
    device, files = _switch(*LEAF)
    reading = read("sonic", {**files, DB: sites.filled(files[DB])})
    assert reading.rows[Key("management", "", "tacacs-key")].value == A_VALUE
    assert not any(secret in str(reading) for secret in sites.SECRETS.values())
    assert device.system == "sonic"


def test_fields_that_are_not_known_are_said_with_their_path() -> None:
    text = '{\n"PORT": {\n "Ethernet0": {\n  "lanes": "0",\n  "foo": "1"}},\n"FOO": {}}'
    assert [(line.line, line.text) for line in read("sonic", {DB: text}).unread] == [
        (5, "PORT Ethernet0: foo"),
        (6, "FOO"),
    ]


def test_an_address_without_its_interface_does_not_count() -> None:
    text = '{"PORT": {"Ethernet0": {"lanes": "0"}}, "INTERFACE": {"Ethernet0|10.0.0.0/31": {}}}'
    reading = read("sonic", {DB: text})
    assert reading.rows[Key("port", "Ethernet0", "ipv4")].value == frozenset()
    assert [line.text for line in reading.unread] == ["INTERFACE Ethernet0|10.0.0.0/31"]


def test_no_text_is_an_exception() -> None:
    assert_total([_switch(*LEAF), _switch(*TENANT)], 60)
    more = ('{"PORT": 1, "VLAN": [1], "BGP_NEIGHBOR": {"a": []}}', '{"PORT": {"Ethernet0": []}}', '{"VRF": {"a": "b"}}')
    for text in (*garbage(), *more):
        for name in (DB, FRR):
            READBACK.read({name: text})
