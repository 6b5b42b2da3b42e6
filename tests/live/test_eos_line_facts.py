"""Lines of EOS and the facts that they state: every line that we write, and lines that must never pass for harmless."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from fabricgen.changes.kinds.catalogue import KIND
from fabricgen.platforms.base.live.line_kind import LineKind, kind_of
from fabricgen.platforms.eos.costs import COSTS, SILENT
from fabricgen.platforms.eos.live.lines import LINES
from fabricgen.platforms.eos.live.reader import EOS
from tests.eos.fleet import render, samples, text_of
from tests.eos.shared_backend import sample

GOLDENS = Path(__file__).parents[1] / "golden" / "cases" / "small" / "expected"
COST = {cost.kind: cost for cost in COSTS}
Place = tuple[tuple[str, ...], str]

PORT = ("interface Ethernet1/1",)
BGP = ("router bgp 65001",)
RED = (*BGP, "vrf red")
ROCE = ("qos profile ROCE-400G",)

SAYS_NOTHING: tuple[tuple[str, str], ...] = (
    (r"banner login(?: > .*)?| > EOF", "text that EOS shows before a login, in lines of its own"),
    (r"interface Ethernet[\d/]+", "EOS shows every port that it has"),
    (r"router bgp \d+( > vrf \S+)? > address-family \S+", "a heading"),
    (r"management ssh( > .*)?", "the same on every switch: no fact moves it"),
    (r"no aaa root|service routing protocols model multi-agent|spanning-tree mode mstp", "the same on every switch"),
    (r"system l1( > unsupported (speed|error-correction) action error)?", "the same on every switch"),
    (r"interface defaults( > ethernet( > shutdown)?)?", "the same on every switch"),
    (r"ip routing( ipv6 interfaces)?|ipv6 unicast-routing", "the same on every switch that routes"),
    (r"router bgp \d+ > (no bgp default ipv4-unicast|distance bgp 20 200 200)", "the same on every switch"),
    (r"router bgp \d+ > vlan \d+ > redistribute learned", "the same for every VLAN"),
    (r"router bgp \d+ > vrf \S+ > neighbor \S+ send-community standard", "the same for every outside session"),
    (r"router bgp \d+ > vrf \S+ > address-family ipv[46] > neighbor \S+ activate", "may join a session that stands"),
    (r"interface Vxlan1 > (description VTEP|vxlan udp-port 4789)", "the same on every VTEP"),
    (r"interface (Ethernet[\d/]+|Port-Channel\d+) > spanning-tree portfast edge", "the same on every server port"),
    (r"interface Port-Channel\d+ > (no shutdown|switchport)", "restates a default"),
    (r"vlan internal order ascending range \d+ \d+", "moves with the VLANs; what it costs is said nowhere"),
    (r"(vrf instance|no ip routing vrf) \S+", "of a tenant or of the management"),
    (r"interface Ethernet[\d/]+ > shutdown", "denies"),
    (r"interface (Ethernet[\d/.]+|Vlan\d+) > ipv6 nd ra disabled", "denies"),
    (r"dhcp relay( > tunnel requests disabled)?", "denies"),
    (r"ip(v6)? prefix-list \S+", "narrows where it comes"),
    (r"interface (Ethernet[\d/]+|Port-Channel\d+) > switchport trunk allowed vlan [\d,]+", "narrows where it comes"),
    (r"management console( > idle-timeout \d+)?", "raw lines of the intent"),
    (r"errdisable recovery (cause stuck-queue|interval 30)", "raw lines of the intent"),
)
"""Lines of our artifacts without a kind, sections joined by ` > `, and why."""

UNSEEN = (
    (("interface Ethernet1/1",), "switchport port-security violation protect"),
    (PORT, "storm-control broadcast level 1"),
    (("router bgp 4202000000",), "neighbor SPINES-UNNUMBERED-Ethernet1-1 ebgp-multihop 255"),
    (("interface Port-Channel4",), "service-profile ROCE-200G"),
    (PORT, "no priority-flow-control"),
    (PORT, "priority-flow-control priority 3 no-drop"),
    ((), "priority-flow-control all off"),
    ((), "queue-monitor length tx-latency"),
    (
        (),
        "port-channel load-balance trident udf eth-type IPv4 ip-protocol udp header outer l4 offset 13 mask 0xff",
    ),
)
"""Lines that a switch may have though no sample is told them."""

EXPECTED: tuple[tuple[tuple[str, ...], str, str], ...] = (
    ((), "hostname be-leaf-000", "device.name"),
    ((), "ntp server vrf MGMT 10.0.0.5 iburst", "management.ntp"),
    ((), "username admin privilege 15 role network-admin secret *", "management.user"),
    ((), "tacacs-server host 10.0.0.9 vrf MGMT key *", "management.tacacs"),
    (("ip access-list standard MANAGEMENT-SSH",), "10 permit 10.0.0.0/28", "management.access"),
    (("management ssh",), "ip access-group MANAGEMENT-SSH vrf MGMT in", "management.access"),
    ((), "no lldp run", "management.lldp"),
    (("management api http-commands", "vrf MGMT"), "no shutdown", "management.eapi"),
    (("interface Management1",), "ip address 10.0.0.1/24", "management.address"),
    (PORT, "description be-spine-00 Ethernet1/1", "interface.description"),
    (PORT, "no shutdown", "interface.enabled"),
    (PORT, "mtu 9214", "interface.mtu"),
    (PORT, "speed 400g-4", "interface.speed"),
    (PORT, "error-correction encoding reed-solomon", "interface.fec"),
    (PORT, "no switchport", "interface.role"),
    (PORT, "vrf red", "interface.vrf"),
    (("interface Vxlan1",), "vxlan qos ecn propagation", "evpn.marks"),
    (PORT, "ip address 10.0.0.0/31", "interface.ipv4"),
    (PORT, "ipv6 address fd00::/127", "interface.ipv6"),
    (PORT, "switchport access vlan 110", "interface.access-vlan"),
    (PORT, "channel-group 4 mode active", "interface.lag"),
    (PORT, "service-profile ROCE-400G", "interface.qos"),
    (("interface Port-Channel4",), "service-profile ROCE-200G", "interface.qos"),
    (PORT, "no priority-flow-control", "qos.pfc"),
    (PORT, "link tracking group UPLINKS downstream", "interface.tracking"),
    (("interface Port-Channel4", "evpn ethernet-segment"), "route-target import 02:fa:00:00:00:01", "lag.esi"),
    (
        ("interface Port-Channel4", "evpn ethernet-segment"),
        "designated-forwarder election algorithm preference 32766",
        "lag.df-preference",
    ),
    (("interface Port-Channel4",), "lacp system-id 02fa.0000.0001", "lag.system-id"),
    (("interface Ethernet1/1.900",), "vrf red", "subinterface.vrf"),
    (("interface Loopback0",), "ip address 10.0.0.1/32", "loopback.ipv4"),
    (("ip prefix-list PL-OWN-IPV4",), "seq 10 permit 10.128.0.0/16 le 32", "prefix-list.entry"),
    ((), "ip community-list CL-GRACEFUL-SHUTDOWN permit GSHUT", "community-list.member"),
    (("route-map RM-SPINES-IPV4-IN permit 10",), "set local-preference 0", "route-map.preference"),
    (("route-map RM-SPINES-IPV4-OUT permit 20",), "set community GSHUT additive", "route-map.statement"),
    ((), "ip route 10.128.0.0/24 Null0", "static-route"),
    ((), "router bgp 65001", "bgp.asn"),
    (BGP, "router-id 10.0.0.1", "bgp.router-id"),
    (BGP, "neighbor SPINES-IPV4 peer group", "bgp.group"),
    (BGP, "neighbor SPINES-IPV4 route-map RM-SPINES-IPV4-IN in", "bgp.group.route-map-in"),
    (BGP, "neighbor 10.0.0.1 route-map RM-SPINES-IPV4-DRAINED-IN in", "bgp.neighbor.route-map-in"),
    (BGP, "neighbor SPINES-IPV4 description underlay ipv4", "bgp.group.description"),
    (BGP, "neighbor fd00::1 description be-spine-00 Ethernet1/1", "bgp.neighbor.description"),
    (BGP, "neighbor fd00::1 peer group SPINES-IPV6", "bgp.neighbor.group"),
    (BGP, "neighbor SPINES-EVPN send-community standard extended", "bgp.group.extended-communities"),
    ((*BGP, "address-family evpn"), "neighbor SPINES-EVPN activate", "bgp.group.family"),
    (BGP, "neighbor SPINES-UNNUMBERED-Ethernet49-1 peer group", "bgp.neighbor"),
    (BGP, "neighbor SPINES-UNNUMBERED-Ethernet49-1 route-map RM-SPINES-UNNUMBERED-IN in", "bgp.neighbor.route-map-in"),
    (BGP, "neighbor SPINES-UNNUMBERED-Ethernet49-1 maximum-routes 64", "bgp.group.maximum-routes"),
    (
        BGP,
        "neighbor interface Ethernet49/1 peer-group SPINES-UNNUMBERED-Ethernet49-1 remote-as 65100",
        "bgp.neighbor.remote-as",
    ),
    (
        (*BGP, "address-family ipv4"),
        "neighbor SPINES-UNNUMBERED-Ethernet49-1 next-hop address-family ipv6 originate",
        "bgp.group.extended-next-hop",
    ),
    ((*BGP, "address-family ipv4"), "network 10.0.0.1/32", "bgp.network"),
    (RED, "route-target import evpn 65000:10004", "bgp.vrf.import-target"),
    (RED, "route-target import evpn route-map RM-RED-IMPORT", "bgp.vrf.import-map"),
    (RED, "neighbor 172.31.0.1 password *", "bgp.vrf.neighbor.password"),
    (RED, "maximum-paths 64 ecmp 64", "bgp.overlay-paths"),
    ((*BGP, "vlan 110"), "rd 10.0.0.1:10110", "evpn.vlan.rd"),
    (("interface Vxlan1",), "vxlan vrf red vni 10004", "evpn.vrf.vni"),
    ((), "vlan 110,111", "evpn.vlan"),
    (("interface Vlan110",), "ip address virtual 172.16.0.1/24", "evpn.gateway.ipv4"),
    ((), "qos map dscp 26 to traffic-class 3", "qos.classification"),
    (ROCE, "priority-flow-control on", "qos.pfc"),
    (ROCE, "no priority-flow-control", "qos.pfc"),
    (ROCE, "priority-flow-control pause watchdog", "qos.watchdog"),
    ((*ROCE, "uc-tx-queue 3"), "no priority", "qos.scheduling"),
    ((*ROCE, "uc-tx-queue 3"), "random-detect ecn count", "qos.ecn"),
    (("platform trident mmu queue profile LOSSLESS",), "ingress headroom 165100", "qos.headroom"),
    ((), "platform trident mmu queue profile LOSSLESS apply", "qos.headroom"),
    ((), "ip hardware fib load-balance distribution dynamic", "load-balancing.mode"),
)

WRONG: tuple[Place, ...] = (
    ((), ""),
    ((), "shutdown"),
    (PORT, "shutdown"),
    (("management ssh",), "shutdown"),
    (("interface defaults", "ethernet"), "shutdown"),
    (("interface Port-Channel4",), "shutdown"),
    (("interface Port-Channel4",), "mtu 9214"),
    (("interface Ethernet1/1.900",), "mtu 1500"),
    (("interface Ethernet1/1", "description"), "no shutdown"),
    (("interface Ethernet1/1 ",), "no shutdown"),
    (("interface Tunnel1",), "no shutdown"),
    (PORT, "description"),
    (PORT, "mtu 9214 bytes"),
    (PORT, "ip address 10.0.0.0/31 secondary"),
    (PORT, "switchport trunk allowed vlan 110"),
    (PORT, "channel-group 4 mode on"),
    (PORT, "flowcontrol receive on"),
    (PORT, "priority-flow-control mode on"),
    (PORT, "spanning-tree bpduguard disable"),
    (PORT, "storm-control all level 1"),
    (PORT, "ip access-group DENY in"),
    ((), "no ip routing"),
    ((), "no ip routing vrf red"),
    ((), "vrf instance red"),
    ((), "vlan internal order ascending range 3583 4094"),
    ((), "vlan 110-112"),
    ((), "no vlan 110"),
    ((), "ip prefix-list PL-OWN-IPV4"),
    (("ip prefix-list PL-OWN-IPV4",), "seq 10 deny 0.0.0.0/0"),
    (BGP, "neighbor 10.0.0.1 shutdown"),
    (BGP, "no neighbor SPINES-IPV4 bfd"),
    (BGP, "neighbor SPINES-IPV4 maximum-routes 100 warning-limit 80"),
    (BGP, "neighbor SPINES-IPV4 shutdown"),
    (BGP, "neighbor interface Ethernet49/1 peer-group SPINES-IPV4 remote-as 65100"),
    (BGP, "neighbor SPINES-UNNUMBERED-Ethernet49-1 shutdown"),
    ((*BGP, "address-family ipv4"), "neighbor SPINES-IPV4 next-hop address-family ipv6 originate"),
    (BGP, "bgp asn notation asdot"),
    ((*BGP, "address-family ipv4"), "no neighbor SPINES-IPV4 activate"),
    (RED, "neighbor SPINES-IPV4 remote-as 65001"),
    (("router isis 1",), "router-id 10.0.0.1"),
    (ROCE, "priority-flow-control pause watchdog disable"),
    ((*ROCE, "uc-tx-queue 3"), "random-detect ecn"),
    ((*ROCE, "uc-tx-queue 8"), "priority strict"),
    ((), "platform sand mmu queue profile LOSSLESS apply"),
    ((), "ip load-sharing trident 9"),
)


def artifacts() -> Iterator[str]:
    """Every artifact of the small golden and of the demo's fabrics and roles."""
    for path in sorted(GOLDENS.glob("*/startup-config")):
        yield path.read_text()
    for name in samples():
        yield text_of(name)
    yield render(sample("leaf"))


@cache
def places() -> frozenset[Place]:
    """Every line of them under its sections, as drift tells it; what drift takes for a default is none of them."""
    return frozenset((drift.section, drift.line) for text in artifacts() for drift in EOS.drift(text, ""))


@cache
def rows(place: Place) -> list[LineKind]:
    """Rows of the table that know a line."""
    return [row for row in LINES if kind_of((row,), *place)]


def test_every_line_that_we_write_has_a_kind_or_a_reason() -> None:
    found = places()
    assert len(found) > 4000
    nothing = [" > ".join((*above, line)) for above, line in found if kind_of(LINES, above, line) is None]
    unsaid = {text for text in nothing if not any(re.fullmatch(form, text) for form, _ in SAYS_NOTHING)}
    assert unsaid == set()
    unused = [form for form, _ in SAYS_NOTHING if not any(re.fullmatch(form, text) for text in nothing)]
    # Drift takes these for what EOS leaves out, so that they never come.
    assert unused == [r"interface Port-Channel\d+ > (no shutdown|switchport)"]


def test_no_line_is_known_to_two_rows() -> None:
    """Two kinds would make the line unknown; two rows of one kind would be one too many."""
    places_known = [*places(), *UNSEEN, *((above, line) for above, line, _ in EXPECTED)]
    assert [place for place in places_known if len(rows(place)) > 1] == []


def test_every_row_knows_a_line_that_is_written_or_may_be_shown() -> None:
    used = {row for place in (*places(), *UNSEEN) for row in rows(place)}
    # The header of a loopback stands; that it is up is a default.
    assert [row for row in LINES if row not in used and row.line != "no shutdown"] == []


@pytest.mark.parametrize(("above", "line", "kind"), EXPECTED)
def test_a_line_states_its_fact(above: tuple[str, ...], line: str, kind: str) -> None:
    assert kind_of(LINES, above, line) == kind


@pytest.mark.parametrize(("above", "line"), WRONG)
def test_a_line_that_no_source_shows_states_nothing(above: tuple[str, ...], line: str) -> None:
    assert kind_of(LINES, above, line) is None


def test_rows_that_disagree_state_nothing() -> None:
    twice = (LineKind((), r"a.*", "interface.mtu", "P"), LineKind((), r".*b", "interface.speed", "P"))
    assert [kind_of(twice, (), line) for line in ("ac", "cb", "ab")] == ["interface.mtu", "interface.speed", None]


def test_rows_name_kinds_that_our_lines_can_state() -> None:
    """A kind that no line of ours says costs nothing; a line that somebody else typed may cost all the same."""
    assert [row.kind for row in LINES if row.kind not in KIND] == []
    assert [row.kind for row in LINES if COST[row.kind].source == SILENT] == []


def test_what_denies_costs_as_much_when_it_comes_as_when_it_goes() -> None:
    """A reader takes a line that comes as its fact added: `shutdown` must not pass for a port turned on."""
    lines = [*places(), *UNSEEN, *WRONG, *((above, line) for above, line, _ in EXPECTED)]
    denials = [place for place in lines if re.match(r"no (?!shutdown)|shutdown|.* (disabled?|off)$", place[1])]
    kinds = {kind_of(LINES, *place) for place in denials} - {None}
    ports = {"interface.mac-limit", "interface.role"}
    assert kinds == {"management.lldp", "management.snmp", "qos.pfc", "qos.scheduling"} | ports
    assert [kind for kind in kinds if kind and COST[kind].added != COST[kind].removed] == []
