"""NVUE's own words for names and numbers, and what only some switches bring."""

import pytest
import yaml

from fabricgen.base.addresses import Ipv6, Prefix
from fabricgen.device.evpn import Evpn
from fabricgen.device.routing import StaticRoute
from fabricgen.platforms.cumulus.names import L3_VLANS, RESERVED_VLANS, natural, quoted, vrf_names
from fabricgen.platforms.cumulus.platform import CUMULUS
from fabricgen.platforms.linux.interfaces import l3_vlans
from tests.cumulus import classic, commands, references
from tests.cumulus.fleet import render, sample, with_raw
from tests.cumulus.reading import at, document, tree

LEAF = "site fe-leaf-002"


def _evpn() -> Evpn:
    evpn = sample(LEAF).device.evpn
    assert evpn is not None
    return evpn


@pytest.mark.parametrize(
    "text", ["yes", "0123", "on", "a: b", "it's", 'say "hi"', "# none", "- x", "{}", "Größe", "back\\slash", "1e3", "~"]
)
def test_text_stays_one_scalar(text: str) -> None:
    assert yaml.safe_load(f"- set:\n    a: {quoted(text)}\n") == [{"set": {"a": text}}]


@pytest.mark.parametrize(("text", "wanted"), [("", "-"), ("a\nb", "a b"), ("  a   b ", "a b"), ("a\tb", "a b")])
def test_text_is_one_line(text: str, wanted: str) -> None:
    assert quoted(text) == f'"{wanted}"'


def test_odd_descriptions_come_through() -> None:
    device = sample(LEAF).device
    odd = 'rack 3: "left", {half} #2'
    ports = tuple(row._replace(description=odd) for row in device.interfaces.ethernet)
    text = render(device._replace(interfaces=device.interfaces._replace(ethernet=ports)))
    found = tree(text)["interface"]
    assert {found[row.name]["description"] for row in ports} == {odd}
    assert commands.faults(text) == []


@pytest.mark.parametrize(
    ("name", "bonds", "multihomed"),
    [
        (LEAF, True, True),
        ("site fe-border-00", False, True),
        ("single fe-leaf-002", False, False),
        ("single fe-border-00", False, False),
        ("shared be-leaf-000", False, False),
    ],
)
def test_multihoming_is_on_at_every_end_of_a_tunnel_of_a_fabric_with_segments(
    name: str, bonds: bool, multihomed: bool
) -> None:
    """511 EVPN Multihoming: on all VTEPs; uplinks wherever it is on; no detection of duplicate addresses beside it."""
    device, root = sample(name).device, tree(sample(name).text)
    assert device.evpn is not None
    assert any(lag.esi for lag in device.interfaces.lags) == bonds
    assert root["evpn"].get("multihoming") == ({"enable": "on"} if multihomed else None)
    duplicates = {
        "enable": "on",
        "mac-move-threshold": "4",
        "move-window": "120",
        "duplicate-action": {"freeze": {"duration": "300"}},
    }
    asked = duplicates if device.evpn.duplicate_mac else None
    assert root["evpn"].get("dad") == ({"enable": "off"} if multihomed else asked)
    uplinks = {row.name for row in device.interfaces.ethernet if row.profile.role == "uplink"}
    assert uplinks
    told = {port for port, row in root["interface"].items() if at(row, "evpn", "multihoming").get("uplink") == "on"}
    assert told == (uplinks if multihomed else set())


def test_secrets_stay_references() -> None:
    text = sample("site fe-border-00").text
    for name in ("ADMIN_HASH", "WATCH_HASH", "TACACS_KEY", "FW1_KEY"):
        assert f'"${{env:{name}}}"' in text


def test_logins_ask_tacacs_once_and_then_the_switch() -> None:
    """511 TACACS: an order of methods; the servers have priorities of their own."""
    device = sample(LEAF).device
    assert device.management.tacacs is not None
    servers = tuple(Ipv6(host) for host in ("2001:10:20:30:40:50:51:52", "fd00::7"))
    tacacs = device.management.tacacs._replace(servers=(*device.management.tacacs.servers, *servers))
    text = render(device._replace(management=device.management._replace(tacacs=tacacs)))
    found = yaml.safe_load(text)[0]["set"]["system"]["aaa"]
    assert found["authentication-order"] == {"1": "tacacs", "2": "local"}
    rows = [found["tacacs"]["server"][priority] for priority in "1234"]
    assert [row["host"] for row in rows] == ["10.0.0.7", "10.0.0.9", *servers]
    assert [row.get("prefer-ip-version") for row in rows] == [None, None, 6, 6]


def test_relays_are_as_the_manual_has_them() -> None:
    """511 DHCP Relays: of IPv4 on the uplinks too; of IPv6 the server is behind the VRF, one address and no list."""
    device, text = sample("single fe-leaf-002")
    uplinks = {row.name for row in device.interfaces.ethernet if row.profile.role == "uplink"}
    service = at(tree(text), "service")
    assert set(at(service, "dhcp-relay", "research", "interface")) == {"vlan110", "vlan3724_l3", *uplinks}
    assert at(service, "dhcp-relay6", "research", "interface", "upstream") == {
        "research": {"server-address": "fd5e:8c1f:2a00:2000::10"},
        "vlan3724_l3": {},
    }


@pytest.mark.parametrize(("on", "wanted"), [(True, "enabled"), (False, "disabled")])
def test_lldp_is_on_or_off(on: bool, wanted: str) -> None:
    """`nv set service lldp state`, since 5.11 (reference LLDP)."""
    device = sample("tower be-super-00").device
    text = render(device._replace(management=device.management._replace(lldp=on)))
    assert at(tree(text), "service", "lldp") == {"state": wanted}
    assert commands.faults(text) == []


def test_names_are_looked_up_in_the_sites_domain() -> None:
    assert at(tree(sample(LEAF).text), "service", "dns", "mgmt", "search") == {"c1.example.net": {}}


def test_adaptive_routing_takes_the_global_next_hop_of_ipv6() -> None:
    """511 Equal Cost Multipath: where there are several sessions with one router."""
    maps = at(tree(sample("shared be-leaf-000").text), "router", "policy", "route-map")
    wanted = "ipv6-nexthop-prefer-global"
    found = {name for name, row in maps.items() for rule in row["rule"].values() if wanted in rule.get("set", {})}
    assert found == {"RM-SPINES-IPV6-IN"}
    assert wanted not in sample("site be-leaf-000").text
    assert wanted not in sample("unnumbered be-leaf-000").text


def test_ports_in_panel_order() -> None:
    names = ["swp10", "swp2s1", "swp2", "swp2s0", "swp1"]
    assert sorted(names, key=natural) == ["swp1", "swp2", "swp2s0", "swp2s1", "swp10"]


@pytest.mark.parametrize(
    ("name", "wanted"),
    [
        ("research", "research"),
        ("a-tenant-of-15-c", "vrf10001"),
        ("exactly-15-char", "exactly-15-char"),
        ("mgmt", "vrf10001"),
        ("default", "vrf10001"),
        ("vlan20", "vrf10001"),
        ("swp1", "vrf10001"),
        ("br_default", "vrf10001"),
        ("vlans", "vlans"),
        ("on", "vrf10001"),
        ("no", "vrf10001"),
        ("null", "vrf10001"),
        ("main", "vrf10001"),
        ("none-such", "none-such"),
    ],
)
def test_vrfs_have_names_that_linux_takes(name: str, wanted: str) -> None:
    device = sample(LEAF).device
    row = _evpn().vrfs[0]._replace(name=name, vni=10001)
    assert vrf_names(device._replace(evpn=_evpn()._replace(vrfs=(row,)))) == {name: wanted}


def test_l3_vlans_count_down_from_below_the_switchs_own() -> None:
    evpn = _evpn()
    assert l3_vlans(evpn, L3_VLANS) == {vrf.name: 3725 - vrf.id for vrf in evpn.vrfs}
    assert set(l3_vlans(evpn, L3_VLANS).values()).isdisjoint(RESERVED_VLANS)


def test_l3_vlans_stay_clear_of_networks() -> None:
    evpn = _evpn()
    first, *others = evpn.vrfs
    taken = evpn.vlans[0]._replace(vlan_id=3725 - first.id)
    found = l3_vlans(evpn._replace(vlans=(*evpn.vlans, taken)), L3_VLANS)
    assert found[first.name] != 3725 - first.id
    assert {name: vlan for name, vlan in found.items() if name != first.name} == {v.name: 3725 - v.id for v in others}
    assert len(set(found.values())) == len(evpn.vrfs)


def test_l3_vlans_of_large_numbers_are_still_numbers() -> None:
    evpn = _evpn()
    vrfs = tuple(row._replace(id=row.id + 5000) for row in evpn.vrfs)
    found = l3_vlans(evpn._replace(vrfs=vrfs), L3_VLANS)
    assert all(2 <= vlan < 3725 for vlan in found.values())
    assert len(set(found.values())) == len(vrfs)


def test_what_follows_from_other_parts_is_told() -> None:
    found = CUMULUS.derived(sample(LEAF).device)
    assert found["VRF of management"] == "mgmt"
    assert found["VRF of research"] == "research"
    assert set(CUMULUS.derived(sample("tower be-super-00").device)) == {"VRF of management"}


def test_cages_in_eight_turn_the_next_off() -> None:
    """Switch Port Attributes: a division into eight takes the lanes of the cage beside."""
    device = sample("tower be-super-00").device
    row = device.interfaces.ethernet[0]
    eighth = row.profile._replace(parts=8, lanes=1, speed_gbps=100)
    ports = tuple(row._replace(name=f"swp1s{part}", profile=eighth) for part in range(8))
    text = render(device._replace(interfaces=device.interfaces._replace(ethernet=ports, idle=())))
    found = tree(text)["interface"]
    assert found["swp1"]["link"]["breakout"] == {"8x": {"lanes-per-port": "1"}}
    assert found["swp2"]["link"]["breakout"] == {"disabled": {}}
    assert commands.faults(text) == []


def test_a_drained_switch_adds_the_community_to_what_it_sends() -> None:
    """The rules themselves are NVUE's; FRR's own lines complete them (NVUE has no word for `additive`)."""
    text = sample("unnumbered be-spine-00").text
    root = tree(text)
    lines = at(root, "system", "config", "snippet")["frr.conf"].splitlines()
    assert [line for line in lines if line.endswith("65535:0 additive")]
    maps = at(root, "router", "policy", "route-map")
    told = {(line.split()[1], line.split()[3]) for line in lines if line.startswith("route-map ")}
    assert told
    assert all("community" not in maps[name]["rule"][rule].get("set", {}) for name, rule in told)


def test_static_routes_of_a_tenant() -> None:
    """No plan has one yet; a Device can."""
    device = sample("site fe-border-00").device
    rows = (
        StaticRoute("research", "ipv4", Prefix("10.9.0.0/16"), "172.31.0.1"),
        StaticRoute("research", "ipv6", Prefix("2001:db8::/32"), ""),
    )
    text = render(
        device._replace(routing=device.routing._replace(static_routes=(*device.routing.static_routes, *rows)))
    )
    assert commands.faults(text) == []
    lines = classic.frr_conf(text).splitlines()
    place = lines.index("vrf research")
    found = lines[place : lines.index("exit-vrf", place)]
    assert " ip route 10.9.0.0/16 172.31.0.1" in found
    assert " ipv6 route 2001:db8::/32 blackhole" in found


def test_raw_lines_stand_behind_ours() -> None:
    text = render(with_raw("- set:", "    system:", "      message:", "        post-login: hands off"))
    assert len(document(text)) == 2
    assert tree(text)["system"]["message"] == {"post-login": "hands off"}
    assert tree(text)["system"]["hostname"] == "be-super-00"
    assert commands.faults(text) == ["nv set system message post-login hands off"]
    assert references.dangling(text) == []
