"""SONiC's own models take every file, of each release, and refuse what is wrong in it."""

import json
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from tests.judges import sonic
from tests.some import some
from tests.sonic import sites

REASON = sonic.available()
pytestmark = pytest.mark.skipif(REASON is not None, reason=REASON or "")

Document = dict[str, Any]
Break = Callable[[Document], object]


@pytest.mark.parametrize(("name", "release"), some(sites.CASES, of=4))
def test_the_models_take_the_file(name: str, release: str) -> None:
    for index in range(len(sites.fleet(name, release))):
        assert sonic.faults(sites.filled(sites.files(name, release, index)["config_db.json"]), release) == []


def test_a_file_with_references_in_it_is_not_what_a_switch_takes() -> None:
    """The model of SNMP users knows no colon in a password: push fills the references in before."""
    assert sonic.faults(sites.files("managed", "master", 0)["config_db.json"], "master")


def put(table: str, key: str, field: str, value: str) -> Break:
    return lambda found: found[table][key].update({field: value})


BREAKS: dict[str, Break] = {
    "fec": put("PORT", "Ethernet0", "fec", "rs544"),
    "mtu": put("PORT", "Ethernet0", "mtu", "9300"),
    "no-lanes": lambda found: found["PORT"]["Ethernet0"].pop("lanes"),
    "speed": put("PORT", "Ethernet0", "speed", "0"),
    "unknown-table": lambda found: found.update({"PORTS": {}}),
    "unknown-field": put("PORT", "Ethernet0", "lane", "1"),
    "address-of-no-port": lambda found: found["INTERFACE"].update({"Ethernet999|10.9.9.0/31": {}}),
    "dscp": put("DSCP_TO_TC_MAP", "FABRIC", "64", "3"),
    "class": put("DSCP_TO_TC_MAP", "FABRIC", "26", "16"),
    "pfc-priority": put("PORT_QOS_MAP", "Ethernet0", "pfc_enable", "9"),
    "map-that-is-not": put("PORT_QOS_MAP", "Ethernet0", "tc_to_pg_map", "AZURE"),
    "wred-upside-down": put("WRED_PROFILE", "ROCE-400G", "green_max_threshold", "10"),
    "wred-that-is-not": put("QUEUE", "Ethernet0|3", "wred_profile", "NOPE"),
    "scheduler-that-is-not": put("QUEUE", "Ethernet0|0", "scheduler", "NOPE"),
    "weight": put("SCHEDULER", "ROCE-400G-3", "weight", "101"),
    "pir-alone": lambda found: found["SCHEDULER"]["ROCE-400G-6"].pop("cir"),
    "alpha": lambda found: found["DEFAULT_LOSSLESS_BUFFER_PARAMETER"]["FABRIC"].update(default_dynamic_th="9"),
    "cable": put("CABLE_LENGTH", "FABRIC", "Ethernet0", "40"),
    "profile-that-is-not": put("BUFFER_PG", "Ethernet0|3", "profile", "nope"),
    "pool-that-is-not": put("BUFFER_PROFILE", "q_lossy_profile", "pool", "nope"),
    "detection": put("PFC_WD", "Ethernet0", "detection_time", "60"),
    "action": put("PFC_WD", "Ethernet0", "action", "notify"),
    "management-vrf-off": put("MGMT_VRF_CONFIG", "vrf_global", "mgmtVrfEnabled", "false"),
    "routing-mode": put("DEVICE_METADATA", "localhost", "docker_routing_config_mode", "frr"),
    "sampling": put("SFLOW_SESSION", "Ethernet0", "sample_rate", "1"),
    "certificate": put("GNMI", "certs", "server_crt", "fabric"),
    "tacacs-without-key": lambda found: found["TACPLUS"]["global"].pop("passkey"),
}
OF_TENANTS: dict[str, Break] = {
    "vlan-by-another-name": put("VLAN", "Vlan20", "vlanid", "21"),
    "vrf-without-prefix": lambda found: found["VRF"].update({"storage": {"vni": "10003"}}),
    "vrf-that-is-not": put("VLAN_INTERFACE", "Vlan20", "vrf_name", "Vrf_nope"),
    "gateway-without-mac": lambda found: found.pop("SAG"),
    "member-of-no-vlan": lambda found: found["VLAN_MEMBER"].update({"Vlan77|Ethernet0": {}}),
    "tagging": put("VLAN_MEMBER", "Vlan20|Ethernet0", "tagging_mode", "access"),
    "vni": put("VXLAN_TUNNEL_MAP", "vtep|map_10004_Vlan20", "vni", "16777216"),
    "tunnel-that-is-not": put("VXLAN_EVPN_NVO", "nvo", "source_vtep", "vtep1"),
}
OF_TABLES: dict[str, Break] = {
    "vrf-default": lambda found: found.update({"VRF": {"default": {}}}),
    "map-of-a-group-that-is-not": lambda found: found["ROUTE_MAP_SET"].pop("RM-SPINES-IPV4-IN"),
    "group-that-is-not": lambda found: found["BGP_PEER_GROUP"].pop("default|SPINES-IPV4"),
    "prefix-set-that-is-not": lambda found: found["PREFIX_SET"].pop("PL-OWN-IPV4"),
    "community-set-that-is-not": lambda found: found["COMMUNITY_SET"].pop("CL-FROM-ABOVE"),
    "as-number": put("BGP_GLOBALS", "default", "local_asn", "4294967296"),
    "router-id": put("BGP_GLOBALS", "default", "router_id", "10.255.0.999"),
    "field-of-the-template": put("ROUTE_MAP", "RM-SPINES-IPV4-IN|10", "set_local_preference", "0"),
    "rd-of-a-vrf": put("BGP_GLOBALS_AF", "default|ipv4_unicast", "route-distinguisher", "10.0.0.1:1"),
}


@pytest.mark.parametrize("name", some(BREAKS))
@pytest.mark.parametrize("release", sites.RELEASES)
def test_the_models_refuse(name: str, release: str) -> None:
    found = deepcopy(sites.tables("managed", release, 0))
    BREAKS[name](found)
    assert sonic.faults(json.dumps(found), release)


@pytest.mark.parametrize("name", OF_TENANTS)
def test_the_models_refuse_of_tenants(name: str) -> None:
    found = deepcopy(sites.tables("tenants", sites.TABLES, 1))
    OF_TENANTS[name](found)
    assert sonic.faults(json.dumps(found), sites.TABLES)


@pytest.mark.parametrize("name", OF_TABLES)
@pytest.mark.parametrize("release", ["202605", "master"])
def test_the_models_refuse_of_routing(name: str, release: str) -> None:
    found = deepcopy(sites.tables("managed", release, 0))
    OF_TABLES[name](found)
    assert sonic.faults(json.dumps(found), release)


@pytest.mark.parametrize(
    ("older", "newer", "told"),
    [
        ("202505", "202511", "DNS_OPTIONS: no model"),
        ("202505", "202511", '"none" does not conform to "password|jwt|cert"'),
        ("202511", "202605", "unknown field use_template_render_for_restore"),
        ("202605", "master", "GNMI|gnmi: unknown field vrf"),
    ],
)
def test_a_file_of_a_newer_release_is_refused(older: str, newer: str, told: str) -> None:
    text = sites.filled(sites.files("managed", newer, 0)["config_db.json"])
    assert told in "\n".join(sonic.faults(text, older))


PORT = {"lanes": "0", "speed": "100000"}
VALUES: tuple[tuple[Document, str], ...] = (
    ({"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "1000"}}}, "all"),
    ({"PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "3000"}}}, "202505"),
    ({"PORT": {"Ethernet0": {**PORT, "subport": "8"}}}, "all"),
    ({"PORT": {"Ethernet0": {**PORT, "subport": "12"}}}, "202505"),
    ({"TACPLUS": {"global": {"passkey": "k" * 65}}}, "all"),
    ({"TACPLUS": {"global": {"passkey": "k" * 256}}}, "202511 202605 master"),
    ({"TACPLUS": {"global": {"passkey": "k" * 257}}}, ""),
)


@pytest.mark.parametrize(("document", "takers"), VALUES)
def test_values_that_not_every_release_takes(document: Document, takers: str) -> None:
    """So we poll at least once per second, a cage has 8 parts at most, and TACACS+ keys are checked by release."""
    found = [release for release in sites.RELEASES if not sonic.faults(json.dumps(document), release)]
    assert found == (list(sites.RELEASES) if takers == "all" else takers.split())


def test_a_prefix_has_four_keys_in_one_release_and_its_daemon_reads_three() -> None:
    """Why the BGP of 202505 is in frr.conf: sonic-routing-policy-sets.yang against frrcfgd.py line 2226 there."""
    routing = {name: sites.tables("managed", "master", 0)[name] for name in ("PREFIX_SET", "PREFIX")}
    assert all(sonic.faults(json.dumps(routing), release) == [] for release in ("202511", "202605", "master"))
    assert any("3 keys, where the model has 4" in fault for fault in sonic.faults(json.dumps(routing), "202505"))


def test_the_models_have_no_room_for_a_vtep_s_routing() -> None:
    """Why a VTEP has frr.conf in every release: no field of a prefix route, no table of a VNI's RD. And gateways."""
    for release in sites.RELEASES:
        known = {"BGP_GLOBALS": {"default": {"local_asn": "65000"}}}
        told = {"BGP_GLOBALS_AF": {"default|l2vpn_evpn": {"advertise-all-vni": "true"}}}
        assert sonic.faults(json.dumps(known | told), release) == []
        told["BGP_GLOBALS_AF"]["default|l2vpn_evpn"]["advertise-ipv4-unicast"] = "true"
        assert sonic.faults(json.dumps(known | told), release)
        vni = {"BGP_GLOBALS_EVPN_VNI": {"default|l2vpn_evpn|10001": {"route-distinguisher": "10.0.0.1:1"}}}
        assert sonic.faults(json.dumps(known | vni), release)
        assert ("SAG" in sonic.tables(release)) == (release == "master")
