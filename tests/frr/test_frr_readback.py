"""FRR on Linux is read back: what its files say is what the Device asks for, and a fault is seen at its line."""

import pytest

from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.frr.readback.readback import READBACK
from fabricgen.readback.policy import PERMIT_ALL, Policy, PrefixRange, Term
from fabricgen.readback.rows import Key
from fabricgen.resolve.device import devices
from tests.frr import site
from tests.readback.linux_faults import Fault, assert_seen, assert_total, found, garbage, pairs, read, rendered
from tests.readback.sites import Switch
from tests.readback.test_readback_sites import said


def _switch(name: str, version: str = "") -> Switch:
    row = site.switch(name, version)
    return row.device, dict(row.files)


@pytest.mark.parametrize("name", site.ROLES)
def test_the_site_is_clean(name: str) -> None:
    """Borders with outside sessions and a password, imports, relays, bonds over two leaves, a drained leaf and link."""
    assert not said(_switch(name))


@pytest.mark.parametrize("name", site.TOWERS)
def test_three_tiers_are_clean(name: str) -> None:
    row = site.towers()[name]
    assert not said((row.device, dict(row.files)))


@pytest.mark.parametrize("name", [*site.ROLES, *site.TOWERS])
@pytest.mark.parametrize("version", PLATFORMS["frr"].versions[1:])
def test_every_release_is_clean(name: str, version: str) -> None:
    assert not said(_switch(name, version))


NEW = {
    "limit of EVPN routes": Fault("frr.conf", r"(EVPN maximum-prefix) \d+", r"\1 9", "session", "maximum-routes.evpn"),
    "wait beside EVPN": Fault("frr.conf", r"\n bgp suppress-fib-pending", "", "bgp", "wait-install", gone=True),
    "manager": Fault("daemons", r"\nmgmtd_options.*", "", "line", "", gone=True),
}


@pytest.mark.parametrize("name", NEW)
def test_a_fault_in_a_line_of_a_newer_release_is_seen(name: str) -> None:
    assert_seen(_switch("fe-spine-00", "10.3"), NEW[name])


@pytest.mark.parametrize("loss", ["weighted", "withdraw"])
def test_lost_links_and_timers_are_clean(loss: str) -> None:
    base = site.single_homed()
    fast = {"bfd": True, "keepalive_seconds": 5, "hold_seconds": 15}
    fabrics = {
        name: fabric.model_copy(update={"link_loss": loss, "bgp": fabric.bgp.model_copy(update=fast)})
        for name, fabric in base.fabrics.items()
    }
    plan = site.plan_of(base.model_copy(update={"fabrics": fabrics}))
    for device in devices(plan):
        assert not said(rendered(device))


LEAF, BORDER, SPINE = "fe-leaf-000", "fe-border-00", "be-spine-00"
FAULTS = {
    "AS": (LEAF, Fault("frr.conf", r"(neighbor 10\S+ remote-as \d)\d", r"\g<1>9", "session", "remote-as")),
    "own AS": (SPINE, Fault("frr.conf", r"router bgp \d+", "router bgp 65000", "bgp", "asn")),
    "map": (LEAF, Fault("frr.conf", r"(route-map RM-SPINES-IPV4-)IN in", r"\1OUT in", "session", "policy-in.ipv4",
        gone=True)),
    "order of terms": (
        LEAF,
        Fault("frr.conf", r"(map RM-SPINES-EVPN-OUT deny) 10", r"\1 30", "session", "policy-out.evpn", gone=True),
    ),
    "limit": (SPINE, Fault("frr.conf", r"maximum-prefix \d+", "maximum-prefix 9", "session", "maximum-routes.ipv4")),
    "family": (LEAF, Fault("frr.conf", r"\n  neighbor SPINES-IPV6 activate", "", "session", "families", gone=True)),
    "override": (
        LEAF,
        Fault("frr.conf", r"( neighbor (10\S+) peer-group SPINES-EVPN\n)", r"\1 neighbor \2 ebgp-multihop 9\n",
        "session",
              "multihop"),
    ),
    "TTL check": (LEAF, Fault("frr.conf", r"\n neighbor SPINES-IPV4 ttl-security hops 1", "", "session", "ttl-hops",
        gone=True)),
    "link of a loopback": (LEAF, Fault("frr.conf", r"\n neighbor \S+ disable-connected-check", "", "line", "",
        gone=True)),
    "TTL": (LEAF, Fault("frr.conf", r"ttl-security hops 2", "ttl-security hops 9", "session", "ttl-hops")),
    "password of the fabric": (LEAF, Fault("frr.conf", r"\n neighbor SPINES-IPV4 password \S+", "", "session",
        "password", gone=True)),
    "shut session": (
        SPINE,
        Fault("frr.conf", r"( neighbor (10\S+) peer-group LEAVES-IPV4\n)", r"\1 neighbor \2 shutdown\n", "session",
              "enabled"),
    ),
    "password": (BORDER, Fault("frr.conf", r"\n neighbor \S+ password \S+", "", "session", "password", gone=True)),
    "target": (LEAF, Fault("frr.conf", r"route-target import 65000:\d+", "route-target import 65000:1", "vlan",
        "imports")),
    "RD of a VRF": (BORDER, Fault("frr.conf", r"  rd 10\S+", "  rd 10.9.9.9:1", "vrf", "rd")),
    "VNI of a VRF": (BORDER, Fault("frr.conf", r" vni \d+", " vni 77", "vrf", "vni")),
    "one leak": (BORDER, Fault("frr.conf", r"\n  import vrf storage", "", "vrf", "imports", gone=True)),
    "static route": ("be-leaf-000", Fault("frr.conf", r"(route \S+) blackhole", r"\1 10.0.0.1", "static-route",
        "next-hop")),
    "network": (SPINE, Fault("frr.conf", r"  network \S+", "  network 10.9.9.9/32", "network", "")),
    "a target and a leak": (
        LEAF,
        Fault("frr.conf", r"(route-target import 65000:10001)", r"\1 65000:10006", "vrf", "imports"),
    ),
    "set": (SPINE, Fault("frr.conf", r" set community 65000:1 additive", " set community 65000:9 additive", "session",
        "policy-out.ipv4")),
    "preference": (LEAF, Fault("frr.conf", r" set local-preference 0\nexit\n!\nroute-map RM-SPINES-EVPN-IN permit 20",
        " set local-preference 9\nexit\n!\nroute-map RM-SPINES-EVPN-IN permit 20", "session", "policy-in.evpn")),
    "prefix": (LEAF, Fault("frr.conf", r"(PL-FABRIC-IPV4 seq 10 permit \S+) le 32", r"\1 le 31", "session",
        "policy-in.ipv4")),
    "no relax": (LEAF, Fault("frr.conf", r"\n bgp bestpath as-path multipath-relax", "", "line", "", gone=True)),
    "a lost line": (SPINE, Fault("frr.conf", r"\nno zebra nexthop kernel enable", "", "line", "", gone=True)),
    "address": (SPINE, Fault("interfaces", r"address 10\.64\.0\.\d+/31", "address 10.99.0.1/31", "port", "ipv4")),
    "MTU": (LEAF, Fault("interfaces", r"( alias fe-spine[\s\S]*?mtu )\d+", r"\g<1>1400", "port", "mtu")),
    "shut port": (SPINE, Fault("interfaces", r"(iface swp2s0\n)", r"\1    link-down yes\n", "port", "enabled")),
    "no auto": (SPINE, Fault("interfaces", r"auto swp2s0\n", "", "port", "enabled")),
    "VLAN of a bond": (LEAF, Fault("interfaces", r"    bridge-access \d+", "    bridge-access 99", "lag",
        "access-vlan")),
    "VNI of a VLAN": (LEAF, Fault("interfaces", r"    vxlan-id \d+", "    vxlan-id 99", "vlan", "vni")),
    "MAC": (LEAF, Fault("interfaces", r"    hwaddress \S+", "    hwaddress 02:00:00:00:00:99", "gateway", "mac")),
    "moves of a duplicate": (LEAF, Fault("frr.conf", r"max-moves \d+", "max-moves 9", "vtep", "duplicate-mac")),
    "no freeze": (LEAF, Fault("frr.conf", r"\n  dup-addr-detection freeze \d+", "", "vtep", "duplicate-mac",
        gone=True)),
    "no RA guard": (LEAF, Fault("interfaces", r" add rule netdev \S+ in icmpv6 type nd-router-advert counter drop;", "",
        "lag", "ra-guard")),
    "MAC limit": (LEAF, Fault("interfaces", r"size \d+;", "size 9;", "lag", "mac-limit")),
    "MAC limit in no chain": (LEAF, Fault("interfaces", r"add chain (netdev \S+) in", r"add chain \1 out", "lag",
        "mac-limit", gone=True)),
    "source of SSH": (LEAF, Fault("interfaces", r"10\.0\.0\.0/28, ", "10.0.0.0/28, 10.9.0.0/16, ", "management",
        "access-ssh")),
    "SSH to anybody": (SPINE, Fault("interfaces", r"saddr \{ 10\.0\.0\.0/28, [^}]*\}", "saddr { 0.0.0.0/0 }",
        "management", "access-ssh")),
    "SSH at any address": (SPINE, Fault("interfaces", r"ip daddr \S+ tcp dport 22", "tcp dport 22", "line", "")),
    "a rule more": (LEAF, Fault("interfaces", r"(            counter drop)",
        r"            udp dport 161 accept; \\\n\1", "line", "")),
    "no last rule": (LEAF, Fault("interfaces", r"            counter drop; \\\n", "", "line", "", gone=True)),
    "drop before SSH": (LEAF, Fault("interfaces", r"(            iifname \S+ \S+ \S+ \S+ ip saddr \{ 10\.0\.0\.0)",
        r"            counter drop; \\\n\1", "line", "")),
    "a filter of another hook": (LEAF, Fault("interfaces", r"hook input", "hook forward", "management", "access-ssh",
        gone=True)),
    "no filter": (SPINE, Fault("interfaces", r"    pre-up nft(?:.*\\\n)+.*\n", "", "management", "access-ssh",
        gone=True)),
    "segment": (LEAF, Fault("frr.conf", r"es-id 00:00", "es-id 00:99", "lag", "esi")),
    "relay": ("fe-leaf-002", Fault("dhcp-relay.service", r"172\.17\.0\.10", "172.17.0.99", "gateway", "relays")),
    "kernel": (LEAF, Fault("sysctl.conf", r"hash_policy = 1", "hash_policy = 0", "switch", "load-balancing")),
    "time server": (SPINE, Fault("chrony.conf", r"server 10\.0\.0\.5", "server 10.0.0.55", "management", "ntp")),
    "no LLDP": (SPINE, Fault("lldpd.conf", r"(configure lldp tx)", r"configure lldp status disabled\n\1", "switch",
        "lldp")),
    "no BFD daemon": (SPINE, Fault("daemons", r"bgpd=yes", "bgpd=no", "line", "")),
}  # fmt: skip


def test_sites_beside_other_platforms_are_clean() -> None:
    problems = [line for switch in pairs("frr") for line in said(switch)]
    assert not problems, "\n".join(problems[:40])


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_is_seen_at_its_line(name: str) -> None:
    switch, fault = FAULTS[name]
    assert_seen(_switch(switch), fault)


def test_indentation_and_the_order_of_lines_mean_nothing() -> None:
    device, files = _switch(BORDER)
    flat = "\n".join(line.strip() for line in files["frr.conf"].splitlines())
    assert not found(device, {**files, "frr.conf": flat})
    stanzas = files["interfaces"].split("\n\n")
    turned = "\n\n".join((*stanzas[:1], *reversed(stanzas[1:])))
    assert not found(
        device, {**files, "interfaces": turned.replace("    ", "\t").replace("bridge-vids", "bridge_vids")}
    )


def test_values_of_the_system_may_be_said_or_not() -> None:
    """The profile's timers, activation of IPv4 and what FRR 8.4 prints without being asked."""
    device, files = _switch(SPINE)
    text = files["frr.conf"]
    more = text.replace("\n neighbor LEAVES-IPV4 peer-group", "\n timers bgp 3 9\n neighbor LEAVES-IPV4 peer-group", 1)
    assert more != text
    assert not found(device, {**files, "frr.conf": more})
    by_itself = text.replace("\n no bgp default ipv4-unicast", "", 1)
    rows = found(device, {**files, "frr.conf": by_itself})
    assert {(row.thing, row.setting) for row in rows if row.thing == "session"} >= {("session", "families")}


def test_a_group_gives_what_its_member_does_not_say() -> None:
    text = """\
frr defaults traditional
router bgp 65001
 neighbor G peer-group
 neighbor G remote-as external
 neighbor G bfd
 neighbor G timers 7 21
 neighbor swp1 interface peer-group G
 neighbor 10.0.0.1 peer-group G
 no neighbor 10.0.0.1 bfd
 neighbor 10.0.0.1 remote-as 65002
 address-family ipv6 unicast
  neighbor G activate
  no neighbor 10.0.0.1 activate
"""
    rows = read("frr", {"frr.conf": text}).rows

    def value(name: str, setting: str) -> tuple[object, int]:
        row = rows[Key("session", name, setting)]
        return row.value, row.line

    assert value("swp1", "bfd") == (True, 5)
    assert value("10.0.0.1", "bfd") == (False, 9)
    assert value("10.0.0.1", "remote-as") == (65002, 10)
    assert value("swp1", "remote-as") == ("external", 4)
    assert value("swp1", "hold") == (21, 6)
    assert value("swp1", "families") == (frozenset({"ipv4", "ipv6"}), 12)
    assert value("10.0.0.1", "families")[0] == frozenset({"ipv4"})
    assert value("swp1", "extended-next-hop")[0] is True
    assert str(value("10.0.0.1", "policy-in.ipv4")[0]) == "deny"  # ebgp-requires-policy


def test_a_group_that_is_turned_off_turns_its_members_off() -> None:
    """bgpd.c, peer_deactivate: a line for the group is one for each of its members; the later line counts."""
    head = "router bgp 65001\n neighbor G peer-group\n neighbor swp1 interface peer-group G\n"
    head += " address-family l2vpn evpn\n"
    off, on = "  no neighbor G activate\n", "  neighbor swp1 activate\n"
    key = Key("session", "swp1", "families")
    both = read("frr", {"frr.conf": head + off + on}).rows[key]
    assert (both.value, both.line) == (frozenset({"ipv4", "evpn"}), 6)
    none = read("frr", {"frr.conf": head + on + off}).rows[key]
    assert (none.value, (none.parts or {})["evpn"]) == (frozenset({"ipv4"}), 6)


def test_what_vtysh_prints_ahead_of_a_configuration_is_known() -> None:
    device, files = _switch(SPINE)
    shown = f"Building configuration...\n\nCurrent configuration:\n!\n{files['frr.conf']}end\n"
    assert not found(device, {**files, "frr.conf": shown})
    assert not read("frr", {**files, "frr.conf": shown}).unread


def test_lines_that_are_not_known_are_said() -> None:
    lines = ("router ospf", " network 10.0.0.0/8 area 0", "router bgp 1", " neighbor a local-as 7", " bgp foo")
    text = "\n".join((*lines, "ip prefix-list A deny any"))
    assert [line.line for line in read("frr", {"frr.conf": text}).unread] == [1, 2, 4, 5, 6]


CHANGES_BGP = """\
bgp graceful-restart
bgp graceful-restart disable-eor
bgp graceful-restart notification
bgp graceful-restart preserve-fw-state
bgp graceful-restart restart-time 30
bgp graceful-restart rib-stale-time 30
bgp graceful-restart select-defer-time 30
bgp graceful-restart stalepath-time 600
bgp graceful-restart-disable
no bgp graceful-restart notification
bgp graceful-shutdown
bgp long-lived-graceful-restart stale-time 100
bgp bestpath aigp
bgp bestpath as-path confed
bgp bestpath as-path ignore
bgp bestpath as-path multipath-relax as-set
bgp bestpath bandwidth ignore
bgp bestpath compare-routerid
bgp bestpath med missing-as-worst
bgp bestpath peer-type multipath-relax
bgp cluster-id 10.0.0.1
bgp confederation identifier 65000
bgp confederation peers 65002
bgp disable-ebgp-connected-route-check
bgp always-compare-med
no bgp deterministic-med
bgp default local-preference 50
no bgp network import-check
no bgp fast-external-failover
bgp max-med administrative
maximum-paths ibgp 3
no maximum-paths
distance bgp 1 2 3
update-delay 10
neighbor G graceful-restart
neighbor G graceful-restart-disable
neighbor G graceful-restart-helper
neighbor G local-as 65009
neighbor G shutdown rtt 10
neighbor G weight 10
"""
"""Statements that are in the programs of FRR 8.4 or 10.3 (bgp_vty.c), and that no row is made of."""


def test_a_statement_of_bgp_that_changes_it_does_not_pass_unseen() -> None:
    head = "frr defaults datacenter\nrouter bgp 65001\n neighbor G peer-group\n"
    reading = read("frr", {"frr.conf": head + CHANGES_BGP})
    assert [line.text for line in reading.unread] == CHANGES_BGP.splitlines()


def test_no_text_is_an_exception() -> None:
    assert_total([_switch(name) for name in (LEAF, BORDER, SPINE)], 150)
    for text in garbage():
        for name in ("frr.conf", "interfaces", "daemons", "dhcp-relay.service"):
            READBACK.read({name: text})


def test_a_drained_link_takes_its_own_maps() -> None:
    """The site's exceptions: a leaf, and a link of a border leaf."""
    assert Exceptions(ports={site.LINK: "drained"}).ports == {PortKey("fe-border-00", "swp29"): "drained"}
    device, files = _switch(BORDER)
    lost = files["frr.conf"].replace("-DRAINED-OUT out", "-OUT out", 1)
    assert any(row.setting.startswith("policy-out") for row in found(device, {**files, "frr.conf": lost}))


def test_a_remark_goes_on_until_its_line_ends() -> None:
    files = {
        "interfaces": "auto swp1\niface swp1\n    # as ever\x0c    mtu 9100\n",
        "daemons": "# as ever\x0bbgpd=yes\n",
        "frr.conf": "! as ever\x0crouter bgp 1\n",
    }
    rows = READBACK.read(files).rows
    assert rows[Key("port", "swp1", "mtu")].value == 1500
    assert Key("line", "bgpd runs", "present") not in rows
    assert Key("bgp", "", "asn") not in rows


def test_all_interfaces_may_come_up() -> None:
    text = "auto all\niface swp1\n    mtu 9100\n"
    rows = READBACK.read({"interfaces": text}).rows
    assert rows[Key("port", "swp1", "enabled")].value is True
    assert READBACK.read({"interfaces": text[len("auto all") :]}).rows[Key("port", "swp1", "enabled")].value is False


ORDER = """\
route-map DENY deny 10
router bgp 65001
 neighbor G peer-group
 neighbor G timers 7 21
 neighbor 10.0.0.9 peer-group G
 neighbor 10.0.0.9 remote-as 65002
 neighbor 10.0.0.8 peer-group H
 neighbor 10.0.0.8 remote-as 65003
 neighbor H peer-group
 neighbor eth5 peer-group G
 neighbor eth6 interface peer-group K
 neighbor eth5 interface remote-as external
 neighbor eth6 interface peer-group G
 neighbor 10.0.0.7 timers 5 15
 neighbor 10.0.0.7 remote-as 65004
"""


def test_a_line_counts_where_its_neighbor_and_group_are_there() -> None:
    """What FRR 8.4.4 makes of these lines (`vtysh -f`, then `show running-config`)."""
    reading = read("frr", {"frr.conf": ORDER})
    holds = {key.name: row.value for key, row in reading.rows.items() if key.setting == "hold"}
    assert holds == {"10.0.0.9": 21, "10.0.0.8": 180, "eth5": 180, "eth6": 21, "10.0.0.7": 180}
    assert [line.line for line in reading.unread] == [7, 10, 11, 14]


def test_a_network_of_another_family_is_refused_or_of_the_block_around() -> None:
    """FRR 8.4.4 refuses an IPv6 prefix in a block of IPv4; one of IPv4 in a block of IPv6 leaves the block."""
    text = (
        "router bgp 65001\n neighbor 10.0.0.9 remote-as 65002\n address-family ipv4 unicast\n  network fd00:1::/64\n"
        " address-family ipv6 unicast\n  network fd00:2::/64\n  network 10.1.0.0/24\n  maximum-paths 7\n"
    )
    reading = read("frr", {"frr.conf": text})
    assert {key.name for key in reading.rows if key.thing == "network"} == {"fd00:2::/64", "10.1.0.0/24"}
    assert [line.line for line in reading.unread] == [4]
    assert reading.rows[Key("bgp", "", "maximum-paths")].parts == {"7": 8, "those of the build": 5}


def test_what_the_default_vrf_has_of_tenants_is_said() -> None:
    text = (
        "router bgp 65001\n address-family ipv4 unicast\n  import vrf red\n  import vrf route-map M\n"
        " address-family l2vpn evpn\n  rd 10.0.0.1:1\n  route-target import 1:1\n  route-target export 1:2\n"
    )
    reading = read("frr", {"frr.conf": text})
    lines = {key.name: row.line for key, row in reading.rows.items() if key.name.startswith("default VRF: ")}
    assert lines == {
        "default VRF: imports 1:1": 7,
        "default VRF: exports 1:2": 8,
        "default VRF: RD 10.0.0.1:1": 6,
        "default VRF: takes over ipv4 routes of VRF red": 3,
        "default VRF: takes over ipv4 routes by M": 4,
    }


def test_an_entry_of_a_list_has_a_number_of_its_own() -> None:
    """The later one of a number takes the place of the first (plist.c, prefix_list_entry_update_start)."""
    text = (
        "ip prefix-list A seq 10 permit 10.1.0.0/24\nip prefix-list A seq 10 permit 10.2.0.0/24\n"
        "ip prefix-list A seq 10 permit 10.1.0.0/24\nip prefix-list A seq 20 permit 10.2.0.0/24\n"
        "bgp community-list standard C seq 5 permit 1:1\nbgp community-list standard C seq 5 permit 1:2\n"
    )
    assert [line.line for line in read("frr", {"frr.conf": text}).unread] == [2, 6]


def test_an_entry_of_a_map_is_replaced_by_one_of_the_other_kind() -> None:
    """lib/routemap.c, route_map_index_get: what it matched is gone."""
    text = (
        "ip prefix-list A seq 10 permit 10.1.0.0/24\nroute-map M deny 10\n match ip address prefix-list A\n"
        "route-map M permit 10\nroute-map N permit 10\n match ip address prefix-list A\nroute-map N permit 10\n"
    )
    terms = {key.name: row.value for key, row in read("frr", {"frr.conf": text}).rows.items() if key.thing == "policy"}
    matched = Term(permit=True, prefixes_ipv4=frozenset({PrefixRange("10.1.0.0/24", 24, 24)}))
    assert terms == {"M": Policy((PERMIT_ALL,)), "N": Policy((matched,))}


def test_conditions_of_one_kind_replace_each_other_and_of_two_families_match_nothing() -> None:
    """lib/routemap.c, route_map_add_match; a prefix is of one family (lib/plist.c)."""
    text = (
        "ip prefix-list A seq 10 permit 10.1.0.0/24\nip prefix-list B seq 10 permit 10.2.0.0/24\n"
        "ipv6 prefix-list C seq 10 permit fd00::/64\n"
        "route-map M permit 10\n match ip address prefix-list A\n match ip address prefix-list B\n"
        "route-map N permit 10\n match ip address prefix-list A\n match ipv6 address prefix-list C\n"
        "route-map O permit 10\n match ip address prefix-list A\n match ipv6 address prefix-list C\n"
        "router bgp 65001\n address-family ipv4 unicast\n  redistribute connected route-map O\n"
    )
    reading = read("frr", {"frr.conf": text})
    terms = {key.name: row.value for key, row in reading.rows.items() if key.thing == "policy"}
    matched = Term(permit=True, prefixes_ipv4=frozenset({PrefixRange("10.2.0.0/24", 24, 24)}))
    assert terms == {"M": Policy((matched,)), "N": Policy(())}
    assert not [key for key in reading.rows if key.thing == "network"]
