"""EOS's own words for numbers, and the lines that only some intents bring."""

from ipaddress import ip_address

import pytest

from fabricgen.base.addresses import interface_ipv6
from fabricgen.base.secret import secret
from fabricgen.device.evpn import Vlan
from fabricgen.device.management import User
from fabricgen.platforms.eos.context import internal_vlans
from fabricgen.platforms.eos.platform import EOS
from fabricgen.platforms.eos.qos import hundredths, kbytes, thousandths
from tests.eos.fleet import render, samples, text_of
from tests.eos.oracle import paths
from tests.eos.test_eos_oracle import pyavds


@pytest.mark.parametrize(
    ("milliseconds", "two", "three"),
    [(200, "0.20", "0.20"), (400, "0.40", "0.40"), (5, "0.01", "0.005"), (10, "0.01", "0.01"), (405, "0.41", "0.405")],
)
def test_seconds(milliseconds: int, two: str, three: str) -> None:
    """PyAVD's schema: two digits for times, three for polling. EOS takes nothing below 0.01 s for the former."""
    assert hundredths(milliseconds) == two
    assert thousandths(milliseconds) == three


@pytest.mark.parametrize(("octets", "wanted"), [(150_000, 150), (150_999, 150), (999, 1), (131_072, 131)])
def test_kbytes_never_mark_later_than_told(octets: int, wanted: int) -> None:
    assert kbytes(octets) == wanted


@pytest.mark.parametrize(
    ("taken", "wanted"),
    [
        ((), "3583 4094"),
        ((20, 3582), "3583 4094"),
        ((3583,), "3071 3582"),
        ((3583, 3071), "2559 3070"),
        ((4000, 3000), "3488 3999"),
        (tuple(range(500, 4094, 500)), ""),
    ],
)
def test_internal_vlans_stay_clear_of_tenants(taken: tuple[int, ...], wanted: str) -> None:
    device = samples()["demo frontend leaf"]
    assert device.evpn is not None
    vlans = tuple(Vlan(number, "n", 1, "1:1", "1:1", "v") for number in taken)
    found = internal_vlans(device._replace(evpn=device.evpn._replace(vlans=vlans)))
    assert found == wanted
    if found:
        first, last = map(int, found.split())
        assert not [vlan for vlan in taken if first <= vlan <= last]


def _sent(text: str) -> tuple[set[str], set[str]]:
    """Maps that sessions send through, but for those that a session's own stand in for; and those that say GSHUT."""
    lines = [path for path in paths(text) if path[-1].endswith((" out", " in")) or "GSHUT" in path[-1]]
    told = {path[0].split()[1] for path in lines if path[-1].startswith("set community")}
    named = {path[-1].split()[-2] for path in lines if path[-1].endswith(" out")}
    return {name for name in named if name.replace("-OUT", "-DRAINED-OUT") not in named}, told


def test_a_drained_switch_says_so_to_every_peer() -> None:
    """RFC 8326: the community goes out on every session, those of a leaf's overlay too, whose next hop it is."""
    for name in ("drained backend spine", "drained backend leaf", "drained frontend border-leaf"):
        maps, told = _sent(text_of(name))
        assert ("RM-SPINES-EVPN-DRAINED-OUT" in maps) == ("frontend" in name)
        assert maps
        assert maps <= told
        maps, told = _sent(text_of(name.replace("drained", "demo")))
        assert maps
        assert not maps & told


def test_a_drained_link_has_its_own_maps_in_the_group_of_the_others() -> None:
    """Two lines for each of its sessions, of the form of PyAVD's router-bgp template, and no other line changes."""
    text, healthy = (text_of(f"{name} frontend spine").splitlines() for name in ("drained", "demo"))
    more = [line.split() for line in text if line not in healthy]
    assert [line for line in text if line in healthy] == healthy
    addresses = sorted({words[1] for words in more})
    assert [ip_address(address).version for address in addresses] == [4, 6]
    for address in addresses:
        lines = [words for words in more if words[1] == address]
        assert [(words[0], words[2], words[4]) for words in lines] == [
            ("neighbor", "route-map", "in"), ("neighbor", "route-map", "out"),
        ]  # fmt: skip
        assert all(any(line.startswith(f"route-map {words[3]} permit ") for line in text) for words in lines)


def test_secrets_stay_references() -> None:
    text = text_of("demo backend leaf") + text_of("wide frontend border-leaf")
    for reference in ("${env:ADMIN_HASH}", "${env:TACACS_KEY}", "${env:SNMP_AUTH}", "${env:FW1_KEY}"):
        assert reference in text


def test_a_model_may_spell_a_speed_its_own_way() -> None:
    device = samples()["demo backend leaf"]
    hardware = device.hardware._replace(spellings={**device.hardware.spellings, "speed_400_4": "auto 400g-4"})
    assert "   speed auto 400g-4\n" in render(device._replace(hardware=hardware))


def test_a_chip_may_spell_queues_its_own_way() -> None:
    device = samples()["demo backend leaf"]
    hardware = device.hardware._replace(spellings={**device.hardware.spellings, "transmit_queue": "tx-queue"})
    text = render(device._replace(hardware=hardware))
    assert "   tx-queue 3\n" in text
    assert "uc-tx-queue" not in text


def test_what_the_intent_does_not_say_is_not_there() -> None:
    text = text_of("wide frontend border-leaf")
    for absent in (
        "tacacs",
        "sflow",
        "logging",
        "ntp",
        "link tracking",
        "qos",
        "priority-flow-control",
    ):
        assert absent not in text
    assert "no lldp run\n" in text
    assert "aaa authorization exec default local\n" in text


def test_the_first_line_and_the_last() -> None:
    lines = text_of("demo backend leaf").splitlines()
    assert lines[0] == "! be-leaf-000: leaf of backend at dc1"
    # As EOS prints it: `! device: spine2 (vEOS, EOS-4.21.1.1F)` (github.com/batfish/lab-validation).
    assert lines[1] == "! device: be-leaf-000 (DCS-7060X6-64PE, EOS-4.34)"
    assert lines[-1] == "end"


def test_raw_lines_stand_at_the_end_under_their_place() -> None:
    tail = text_of("wide backend spine").splitlines()[-6:]
    assert tail == [
        "!",
        "! raw[0]",
        "errdisable recovery cause stuck-queue",
        "errdisable recovery interval 30",
        "!",
        "end",
    ]
    assert "raw[0]" not in text_of("wide backend leaf")


def test_a_server_port_that_stands_alone_has_its_own_storm_control_and_tracking() -> None:
    device = samples()["demo frontend leaf"]
    row = next(row for row in device.interfaces.ethernet if row.lag)
    interfaces = device.interfaces._replace(ethernet=(row._replace(lag=0),), lags=())
    port = [
        path[-1] for path in paths(render(device._replace(interfaces=interfaces))) if path[0] == f"interface {row.name}"
    ]
    assert {
        "storm-control broadcast level 1",
        "storm-control multicast level 5",
        "link tracking group UPLINKS downstream",
        "spanning-tree bpduguard enable",
        "sflow enable",
    } <= set(port)
    member = [path[-1] for path in paths(text_of("demo frontend leaf")) if path[0] == f"interface {row.name}"]
    assert not [line for line in member if line.startswith(("storm-control", "link tracking"))]


def test_a_gateway_with_a_relay_of_ipv6_tells_its_hosts_to_ask() -> None:
    lines = paths(text_of("wide frontend leaf")) + paths(text_of("wide frontend last leaf"))
    assert (
        "interface Vlan20",
        "ipv6 dhcp relay destination fd5e:8c1f:2a00:2000::10 local-interface Loopback13",
    ) in lines
    assert ("interface Vlan20", "ip helper-address 172.17.0.10 source-interface Loopback13") in lines
    assert ("interface Vlan3700", "ipv6 nd managed-config-flag") in lines
    assert ("interface Vlan110", "ipv6 nd managed-config-flag") not in lines


def test_every_code_point_is_mapped_once_to_the_class_of_the_plan() -> None:
    """All 64, so that EOS's own map, which puts DSCP 0 into class 1, never shows through."""
    device = samples()["demo backend leaf"]
    assert device.qos is not None
    wanted = {dscp: row.traffic_class for row in device.qos.dscp_classes for dscp in row.dscps}
    found: dict[int, int] = {}
    for (line,) in (path for path in paths(text_of("demo backend leaf")) if path[0].startswith("qos map dscp ")):
        points, _, number = line.removeprefix("qos map dscp ").partition(" to traffic-class ")
        for point in points.split():
            assert int(point) not in found
            found[int(point)] = int(number)
    assert found == wanted
    assert sorted(found) == list(range(64))


def test_a_chip_may_count_marks_elsewhere() -> None:
    device = samples()["demo backend leaf"]
    hardware = device.hardware._replace(spellings={**device.hardware.spellings, "ecn_count": "port"})
    assert "random-detect ecn count" not in render(device._replace(hardware=hardware))


def test_ipv6_is_routed_where_only_a_tenant_has_it() -> None:
    text = text_of("wide frontend leaf")
    assert "ipv6 address virtual" in text
    assert "\nipv6 unicast-routing vrf storage\n" in text
    assert "ipv6" not in text_of("wide frontend spine")


def test_ipv6_is_routed_where_only_a_way_out_has_it() -> None:
    device = samples()["wide frontend border-leaf"]
    assert "ipv6 unicast-routing" not in render(device)
    (sub,) = device.interfaces.subinterfaces
    outside = (sub._replace(ipv6=interface_ipv6(0xFD << 120, 127)),)
    text = render(device._replace(interfaces=device.interfaces._replace(subinterfaces=outside)))
    assert "\nipv6 unicast-routing vrf research\n" in text


def test_tiers_hash_differently() -> None:
    """Equal seeds in two tiers polarise flows: the leaf keeps EOS's default of 0, the spine has 1."""
    assert "ip load-sharing trident 1\n" in text_of("demo backend spine")
    assert "ip load-sharing" not in text_of("demo backend leaf")


@pytest.mark.parametrize(
    ("word", "line"),
    [
        ("ecn_counter_feature", "hardware counter feature ecn out"),
        ("queue_latency", "queue-monitor length tx-latency"),
    ],
)
def test_a_hardware_file_may_ask_for_more_of_a_chip(word: str, line: str) -> None:
    """Jericho wants the first and knows the second; no chip of the library does."""
    device = samples()["wide backend leaf"]
    monitor = device.telemetry.queue_monitor
    assert monitor is not None
    device = device._replace(telemetry=device.telemetry._replace(queue_monitor=monitor._replace(latency=True)))
    hardware = device.hardware._replace(spellings={**device.hardware.spellings, word: "yes"})
    asked = device._replace(hardware=hardware)
    assert line not in render(device).splitlines()
    assert line in render(asked).splitlines()
    assert line in pyavds(asked).splitlines()


def test_root_is_no_user_of_eos() -> None:
    """The file has `no aaa root`, as a fresh switch has: "root login is disabled by default" (EOS Hardening Guide)."""
    device = samples()["demo frontend leaf"]
    for name, refused in (("root", True), ("admin", False)):
        users = (User(name, "network-admin", secret("${env:HASH}")),)
        found = list(EOS.limits(device._replace(management=device.management._replace(users=users))))
        assert [problem.where for problem in found] == [("management", "users", name)] * refused
