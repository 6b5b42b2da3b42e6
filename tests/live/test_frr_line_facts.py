"""Lines of FRR's running configuration: which fact each states, and what is none of ours."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from fabricgen.changes.kinds.catalogue import KIND
from fabricgen.platforms.base.live.line_kind import kind_of
from fabricgen.platforms.frr.live.drift import drift
from fabricgen.platforms.frr.live.lines import LINES
from fabricgen.resolve.device import devices
from tests.frr.site import plan_of, render, single_homed, site

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests/golden/cases/linux/expected"

OPENS = ("address-family (ipv4 unicast|ipv6 unicast|l2vpn evpn)", r"interface bond\d+")
"""Lines that only open a section: they say nothing by themselves."""
CONSTANT = (
    "frr defaults datacenter",
    "log syslog informational",
    "no zebra nexthop kernel enable",
    r"zebra (work-queue 0|zapi-packets 1)",
    "no bgp default ipv4-unicast",
    "bgp bestpath as-path multipath-relax",
    r"neighbor (LEAVES|SPINES)-(EVPN|IPV4|IPV6) timers connect 1",
    "advertise ipv[46] unicast",
)
"""Lines that every switch has and no Device says: a change of one is of an unknown kind."""
SILENT = re.compile("|".join((*OPENS, *CONSTANT)))

R, V = "router bgp 4202000001", "router bgp 4202000001 vrf red"
U4, U6, E = "address-family ipv4 unicast", "address-family ipv6 unicast", "address-family l2vpn evpn"
M = "route-map RM-SPINES-IPV4-IN permit 10"

EXPECTED = (
    ((), "hostname fe-leaf-000", "device.name"),
    ((), "ip router-id 10.128.192.2", "bgp.router-id"),
    ((), "ip route 10.64.0.0/24 blackhole", "static-route"),
    ((), "ipv6 route fd5e:8c1f:2a00::/64 blackhole", "static-route"),
    ((), "vrf red", "evpn.vrf"),
    (("vrf red",), "vni 10004", "evpn.vrf.vni"),
    (("interface bond1",), "evpn mh es-id 00:44:38:39:ff:ff:00:00:00:01", "lag.esi"),
    (("interface bond1",), "evpn mh es-df-pref 1", "device.state"),
    (("interface bond1",), "evpn mh es-df-pref 32766", "lag.df-preference"),
    ((), R, "bgp.asn"),
    ((R,), "bgp router-id 10.128.192.2", "bgp.router-id"),
    ((R,), "bgp suppress-fib-pending", "bgp.wait-install"),
    ((R,), "timers bgp 10 30", "bgp.timers"),
    ((R,), "neighbor SPINES-IPV4 peer-group", "bgp.group"),
    ((R,), "neighbor SUPERSPINES-EVPN peer-group", "bgp.group"),
    ((R,), "neighbor SPINES-IPV4 description underlay ipv4", "bgp.group.description"),
    ((R,), "neighbor SPINES-IPV4 bfd", "bgp.group.bfd"),
    ((R,), "neighbor SPINES-EVPN ebgp-multihop 3", "bgp.group.multihop"),
    ((R,), "neighbor SPINES-EVPN ebgp-multihop 255", "bgp.group.ttl-security"),
    ((R,), "neighbor SPINES-EVPN disable-connected-check", "bgp.group.ttl-security"),
    ((R,), "neighbor SPINES-EVPN ttl-security hops 2", "bgp.group.ttl-security"),
    ((R,), "neighbor SPINES-EVPN password <secret>", "bgp.group.password"),
    ((R,), "neighbor SPINES-EVPN update-source 10.128.192.2", "bgp.group.update-source"),
    ((R,), "neighbor 10.128.0.1 remote-as 4202000003", "bgp.neighbor.remote-as"),
    ((R,), "neighbor fd00:128:: remote-as 4202000003", "bgp.neighbor.remote-as"),
    ((R,), "neighbor 10.128.0.1 peer-group SPINES-IPV4", "bgp.neighbor.group"),
    ((R,), "neighbor fd00:128::1 description fe-spine-00 swp1", "bgp.neighbor.description"),
    ((R,), "neighbor SPINES-UNNUMBERED capability extended-nexthop", "bgp.group.extended-next-hop"),
    ((R,), "neighbor swp29 interface peer-group SPINES-UNNUMBERED", "bgp.neighbor.group"),
    ((R,), "neighbor swp33s0 remote-as 4202000003", "bgp.neighbor.remote-as"),
    ((R,), "neighbor swp33s0 description fe-spine-00 swp1", "bgp.neighbor.description"),
    ((R, U6), "neighbor swp29 route-map RM-SPINES-UNNUMBERED-DRAINED-IN in", "bgp.neighbor.route-map-in"),
    ((R, U4), "network 10.128.192.2/32", "bgp.network"),
    ((R, U6), "network fd00:128:0:c000::2/128", "bgp.network"),
    ((R, U4), "maximum-paths 16", "bgp.maximum-paths"),
    ((R, U4), "neighbor SPINES-IPV4 activate", "bgp.group.family"),
    ((R, E), "neighbor SPINES-EVPN activate", "bgp.group.family"),
    ((R, U6), "neighbor LEAVES-IPV6 maximum-prefix 32", "bgp.group.maximum-routes"),
    ((R, U6), "neighbor LEAVES-IPV6 maximum-prefix 32 restart 5", "bgp.group.maximum-routes"),
    ((R, U4), "neighbor SPINES-IPV4 route-map RM-SPINES-IPV4-IN in", "bgp.group.route-map-in"),
    ((R, E), "neighbor SPINES-EVPN route-map RM-SPINES-EVPN-OUT out", "bgp.group.route-map-out"),
    ((R, U4), "neighbor 10.128.0.1 route-map RM-SPINES-IPV4-DRAINED-IN in", "bgp.neighbor.route-map-in"),
    ((R, U6), "neighbor fd00:128::1 route-map RM-SPINES-IPV6-DRAINED-OUT out", "bgp.neighbor.route-map-out"),
    ((R, E), "advertise-all-vni", "evpn"),
    ((R, E), "dup-addr-detection max-moves 4 time 120", "evpn.duplicate-mac"),
    ((R, E), "dup-addr-detection freeze 540", "evpn.duplicate-mac"),
    ((R, E), "vni 10005", "evpn.vlan.vni"),
    ((R, E, "vni 10005"), "rd 10.128.192.2:5", "evpn.vlan.rd"),
    ((R, E, "vni 10005"), "route-target import 65000:10005", "evpn.vlan.route-target"),
    ((), V, "bgp.vrf"),
    ((V,), "bgp router-id 10.128.192.2", "bgp.router-id"),
    ((V,), "timers bgp 10 30", "bgp.timers"),
    ((V,), "neighbor 172.31.0.1 remote-as 64601", "bgp.vrf.neighbor.remote-as"),
    ((V,), "neighbor 172.31.0.1 description fw", "bgp.vrf.neighbor.description"),
    ((V,), "neighbor 172.31.0.1 timers connect 1", "bgp.vrf.neighbor"),
    ((V,), "neighbor 172.31.0.1 password <secret>", "bgp.vrf.neighbor.password"),
    ((V, U4), "redistribute connected route-map RM-RED-ORIGINATED", "bgp.vrf.network"),
    ((V, U4), "neighbor 172.31.0.1 activate", "bgp.vrf.neighbor"),
    ((V, U4), "neighbor 172.31.0.1 maximum-prefix 100", "bgp.vrf.neighbor.maximum-routes"),
    ((V, U4), "neighbor 172.31.0.1 maximum-prefix 100 restart 5", "bgp.vrf.neighbor.maximum-routes"),
    ((V, U4), "neighbor 172.31.0.1 route-map RM-RED-FW-0-900-IPV4-IN in", "bgp.vrf.neighbor.route-map"),
    ((V, U6), "maximum-paths 64", "bgp.overlay-paths"),
    ((V, U4), "import vrf route-map RM-RED-IMPORT", "bgp.vrf.import-map"),
    ((V, U4), "import vrf blue", "bgp.vrf.import"),
    ((V, E), "rd 10.128.192.2:4", "bgp.vrf.rd"),
    ((V, E), "route-target export 65000:10004", "bgp.vrf.export-target"),
    ((), "ip prefix-list PL-FABRIC-IPV4 seq 10 permit 10.128.0.0/16 le 32", "prefix-list.entry"),
    ((), "ipv6 prefix-list PL-OWN-IPV6 seq 10 permit fd00:128:0:c000::2/128", "prefix-list.entry"),
    ((), "bgp community-list standard CL-FROM-ABOVE seq 10 permit 65000:1", "community-list.member"),
    ((), "bgp community-list standard CL-GRACEFUL-SHUTDOWN seq 10 permit graceful-shutdown", "community-list.member"),
    ((), "bgp extcommunity-list standard EC-RED seq 10 permit rt 65000:10004", "route-target-list.member"),
    ((), M, "route-map.statement"),
    ((M,), "match community CL-GRACEFUL-SHUTDOWN", "route-map.statement"),
    ((M,), "match extcommunity EC-RED", "route-map.statement"),
    ((M,), "match ip address prefix-list PL-FABRIC-IPV4", "route-map.statement"),
    ((M,), "match ipv6 address prefix-list PL-FABRIC-IPV6", "route-map.statement"),
    ((M,), "set community 65000:2 graceful-shutdown", "route-map.statement"),
    ((M,), "set community 65000:1 additive", "route-map.statement"),
    ((M,), "set community graceful-shutdown additive", "route-map.preference"),
    ((M,), "set local-preference 0", "route-map.preference"),
)
"""As the golden files and the templates have them; FRR prints them again (test_frr_reader_drift.py)."""

STRANGE = (
    # known lines under the wrong section, or under none
    ((), "bgp router-id 10.128.192.2"),
    ((), "vni 10004"),
    ((), "network 10.128.192.2/32"),
    ((R,), "network 10.128.192.2/32"),
    ((R, U4), "network fd00:128::1/128"),
    ((R, U6), "network 10.128.192.2/32"),
    ((R, U4), "advertise-all-vni"),
    ((R, U4), "redistribute connected route-map RM-RED-ORIGINATED"),
    ((R, U4, "vni 10005"), "rd 10.128.192.2:5"),
    ((R, U4), "neighbor 10.128.0.1 remote-as 4202000003"),
    ((R, U4), "import vrf blue"),
    ((R, E), "rd 10.128.192.2:4"),
    ((V,), "neighbor SPINES-IPV4 peer-group"),
    ((V, E), "vni 10005"),
    ((M,), "set local-preference 0 "),
    (("route-map RM match 10",), "set local-preference 0"),
    (("router ospf",), "timers bgp 10 30"),
    (("interface swp1",), "evpn mh es-id 00:44:38:39:ff:ff:00:00:00:01"),
    # lines of FRR that no template writes
    ((), "router bgp 65001 view outside"),
    ((), "router ospf"),
    ((), "ip route 10.0.0.0/8 swp1"),
    ((), "ip route 10.0.0.0/8 10.0.0.1 250"),
    ((), "ip prefix-list PL-FABRIC-IPV4 seq 10 deny 10.128.0.0/16"),
    ((), "ip prefix-list PL-FABRIC-IPV4 seq 10 permit 10.128.0.0/16 ge 24"),
    ((), "ip prefix-list PL-FABRIC-IPV4 seq 10 permit any"),
    ((), "ip prefix-list PL seq 10 permit fd00::/64"),
    ((), "bgp community-list expanded CL seq 10 permit 65000:.*"),
    ((), "bgp community-list standard CL seq 10 deny 65000:1"),
    ((), "bgp extcommunity-list standard EC seq 10 permit soo 65000:1"),
    ((R,), "neighbor swp1 interface remote-as external"),
    ((R,), "neighbor eth1 description to the spine"),
    ((R,), "neighbor swp1 interface peer-group OTHERS"),
    ((R,), "neighbor swp1 bfd"),
    ((R,), "neighbor 10.128.0.1 bfd"),
    ((R,), "neighbor 10.128.0.1 remote-as external"),
    ((R,), "neighbor 10.128.0.1 shutdown"),
    ((R,), "neighbor SPINES-IPV4 remote-as external"),
    ((R,), "neighbor SPINES-IPV4 update-source lo"),
    ((R,), "neighbor SPINES-IPV4 bfd 3 100 100"),
    ((R,), "neighbor SPINES-IPV4 timers 1 3"),
    ((R,), "no neighbor SPINES-IPV4 bfd"),
    ((R,), "bgp bestpath as-path multipath-relax"),
    ((R, U4), "neighbor SPINES-IPV4 maximum-prefix 32 80 warning-only"),
    ((R, U4), "network 10.128.192.2/32 route-map RM-X"),
    ((R, U4), "maximum-paths ibgp 16"),
    ((R, U4), "neighbor SPINES-IPV4 next-hop-self"),
    ((V, U4), "redistribute static"),
    ((V, U4), "redistribute connected"),
    ((V, U4), "import vrf route-map"),
    ((V, E), "route-target both 65000:10004"),
    ((V,), "neighbor 172.31.0.1 password hunter2"),
    ((V,), "neighbor 172.31.0.1 timers connect 5"),
    ((M,), "match community CL-GRACEFUL-SHUTDOWN exact-match"),
    ((M,), "set as-path prepend 65000"),
    ((M,), "set community none"),
    ((M,), "set community additive"),
    ((M,), "call RM-OTHER"),
)


@cache
def _texts() -> dict[str, str]:
    """Every frr.conf that is held or rendered here, by where it is from."""
    held = {f"golden {path.parent.name}": path.read_text() for path in sorted(GOLDEN.glob("*/frr.conf"))}
    bonded = {f"bonded {name}": found.files["frr.conf"] for name, found in site().items()}
    single = {f"single {device.name}": render(device).files["frr.conf"] for device in devices(plan_of(single_homed()))}
    return {**held, **bonded, **single}


def _lines(text: str) -> Iterator[tuple[tuple[str, ...], str]]:
    """Every line as the drift against an empty configuration gives it."""
    return ((found.section, found.line) for found in drift("", text))


def test_every_rendered_line_is_a_fact_or_known_to_be_none() -> None:
    assert len(_texts()) > 20
    for where, text in _texts().items():
        lines = tuple(_lines(text))
        assert len(lines) > 40, where
        unknown = [line for section, line in lines if kind_of(LINES, section, line) is None]
        assert [line for line in unknown if not SILENT.fullmatch(line)] == [], where


def test_what_is_silent_is_no_fact() -> None:
    for text in _texts().values():
        for section, line in _lines(text):
            assert (SILENT.fullmatch(line) is None) == (kind_of(LINES, section, line) is not None), line


@pytest.mark.parametrize(("section", "line", "kind"), EXPECTED)
def test_a_line_is_its_kind(section: tuple[str, ...], line: str, kind: str) -> None:
    assert kind_of(LINES, section, line) == kind


@pytest.mark.parametrize(("section", "line"), STRANGE)
def test_what_no_row_knows_is_no_fact(section: tuple[str, ...], line: str) -> None:
    assert kind_of(LINES, section, line) is None


@pytest.mark.parametrize(("section", "line", "kind"), EXPECTED)
def test_a_line_with_more_behind_it_is_not_the_same(section: tuple[str, ...], line: str, kind: str) -> None:
    free = kind.endswith("description")
    assert (kind_of(LINES, section, f"{line} extra") is None) != free
    assert kind_of(LINES, section, f"no {line}") is None
    assert kind_of(LINES, ("key chain x", *section), line) is None


def test_no_line_fits_two_rows() -> None:
    for section, line, _ in EXPECTED:
        fit = [row for row in LINES if kind_of((row,), section, line)]
        assert len(fit) == 1, line


def test_every_row_has_an_example() -> None:
    for row in LINES:
        assert any(kind_of((row,), section, line) for section, line, _ in EXPECTED), row


def test_rows_name_kinds_and_templates_that_are() -> None:
    for row in LINES:
        assert row.kind in KIND
        path, _, mark = row.source.partition(" ")
        assert (ROOT / path).is_file()
        assert mark == "[read back]"
