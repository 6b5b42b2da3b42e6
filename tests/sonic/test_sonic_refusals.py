"""What SONiC cannot do is a problem at the intent's own line, with those that can; nothing is left out in silence."""

import json
from typing import Any

import pytest

from fabricgen.base.addresses import Ipv4
from fabricgen.checks.lossless.marking import expressible
from fabricgen.checks.support.capabilities import capabilities, platforms
from fabricgen.checks.support.parts import device_parts
from fabricgen.device.device import Device, RawLines
from fabricgen.errors import FabricError, Problem
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.sonic.lossless import rendered
from fabricgen.platforms.sonic.platform import SONIC
from fabricgen.resolve.device import devices
from fabricgen.resolve.needs import needs
from tests.sonic import sites

BACKEND = ("fabrics", "backend")
ASKED: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "dlb-flowlet": ("    load_balancing: dlb-flowlet\n", "ecmp", (*BACKEND, "load_balancing")),
    "dlb-per-packet": ("    load_balancing: dlb-per-packet\n", "", (*BACKEND, "load_balancing")),
    "dlb-global": ("    load_balancing: dlb-global\n", "", (*BACKEND, "load_balancing")),
    "ecmp-queue-pair": ("    load_balancing: ecmp-queue-pair\n", "", (*BACKEND, "load_balancing")),
    "cluster": ("    load_balancing: cluster\n", "", (*BACKEND, "load_balancing")),
    "link-loss-weighted": ("    link_loss: weighted\n", "keep", (*BACKEND, "link_loss")),
    "link-loss-withdraw": ("    link_loss: withdraw\n", "keep", (*BACKEND, "link_loss")),
    "queue-latency": (
        "    telemetry: {queue_monitor: {latency: true}}\n",
        "",
        (*BACKEND, "telemetry", "queue_monitor", "latency"),
    ),
    "drop-capture": ("    telemetry: {capture: drops}\n", "", (*BACKEND, "telemetry", "capture")),
    "load-interval": ("    telemetry: {load_interval: 5}\n", "off", (*BACKEND, "telemetry", "load_interval")),
}


@pytest.mark.parametrize("feature", ASKED)
def test_a_feature_that_is_refused(feature: str) -> None:
    more, able, where = ASKED[feature]
    found = refused(sites.text_of("managed", "master", MORE=more))
    assert [(one.code, one.where) for one in found] == [("platform-cannot", where)]
    assert feature in found[0].what
    assert able in found[0].fix


@pytest.mark.parametrize(
    ("release", "bfd", "keys"),
    [("202505", "", []), ("202511", ", bfd: true", ["ttl_security"]), ("master", "", ["password"])],
)
def test_guards_of_sessions(release: str, bfd: str, keys: list[str]) -> None:
    """A password goes into frr.conf alone (sonic-buildimage issue 19946), and BFD is not beside a TTL of 255."""
    leaf, *_ = sites.guarded(release, bfd)
    assert [one.where for one in SONIC.limits(leaf)] == [(*BACKEND, "bgp", key) for key in keys]
    if not keys:
        conf = sites.rendered(leaf)["frr.conf"]
        for group in leaf.routing.bgp.groups:
            assert f"\n neighbor {group.name} password ${{env:BGP_PASSWORD}}\n" in conf
            assert f"\n neighbor {group.name} ttl-security hops 1\n" in conf


def refused(text: str) -> list[Problem]:
    plan = sites.plan_of(text)
    assert list(platforms(plan)) == []
    return list(capabilities(plan))


def test_a_priority_that_is_not_its_queue_s_number_is_refused() -> None:
    """The watchdog of every release watches queue 3 for priority 3, and this plan pauses queue 4 by it."""
    plan = sites.plan_of(sites.text_of("managed", "master", MORE="    roce: {marking: juniper}\n"))
    ((what, where),) = [(found.what, found.where) for found in expressible(plan)]
    assert what == "juniper gives traffic class 4 the PFC priority 3"
    assert where[:2] == BACKEND
    assert list(expressible(sites.planned("broadcom", "master"))) == []


def test_users_are_refused() -> None:
    users = 'users: {admin: {role: network-admin, password: "${env:HASH}"}}}\n'
    text = sites.text_of("tiers", "master").replace("lldp: false}\n", f"lldp: false, {users}")
    assert [one.where for one in refused(text)] == [("management", "users")]


def test_what_a_leaf_of_tenants_can_not_do() -> None:
    """Bonds over two leaves, storm control, BPDU guard and tracking, which the intent's defaults ask for."""
    text = sites.text_of("tenants", "master")
    start = text.index("    duplicate_mac:")
    found = refused(text[:start] + text[text.index("tenants:", start) :])
    keys = {"multihoming", "lacp_fallback", "storm_control", "bpdu_guard", "uplink_tracking"}
    assert {one.where for one in found} == {("fabrics", "frontend", "server_ports", key) for key in keys}
    assert all(one.fix.startswith(f"write {one.where[-1]}: ") for one in found)
    elsewhere = {one.where[-1] for one in found if "Cumulus" in one.fix}
    assert elsewhere == keys - {"storm_control", "uplink_tracking"}, "what the other system of this model has"
    assert refused(text) == []


def test_storm_control_ends_at_100_gigabits() -> None:
    """Of 200G that is half (sonic-storm-control.yang, kbps: 0 to 100000000)."""
    text = sites.text_of("tenants", "master")
    (asked,) = refused(text.replace("broadcast_percent: null", "broadcast_percent: 1"))
    assert asked.where[-1] == "storm_control"
    found = {}
    for percent in (50, 51):
        plan = sites.plan_of(text.replace("unknown_unicast_percent: 1", f"unknown_unicast_percent: {percent}"))
        leaf = next(one for one in devices(plan) if one.role == "leaf" and one.fabric == "frontend")
        found[percent] = [(one.where[-1], one.fix) for one in SONIC.limits(leaf)]
    assert found == {50: [], 51: [("unknown_unicast_percent", "write unknown_unicast_percent: 50")]}


def test_a_relay_is_refused() -> None:
    text = sites.text_of("tenants", "master").replace('2000::/64"]}', '2000::/64"], dhcp_relay: [172.17.0.10]}')
    text = text.replace(
        '    servers: ["store[0-3]"]', '    servers: ["store[0-3]"]\n    relay_sources: [172.30.0.0/24]'
    )
    assert {one.where[-1] for one in refused(text)} == {"dhcp_relay"}


@pytest.mark.parametrize("release", sites.RELEASES)
def test_a_release_without_gateways(release: str) -> None:
    found = list(device_parts(sites.planned("tenants", release)))
    assert bool(found) == (release != sites.GATEWAYS)
    for problem in found:
        assert problem.why.startswith(f"community SONiC has it from master on, and these switches run {release} (")
        assert problem.fix == "write os: sonic-master"
        assert problem.where == ("fabrics", "frontend", "leaf", "os")


def test_a_box_whose_buffers_nobody_wrote_down() -> None:
    found = device()
    words = {key: value for key, value in found.hardware.spellings.items() if key != "buffers"}
    ((what, where),) = problems(found._replace(hardware=found.hardware._replace(spellings=words)))
    assert (what, where) == ("nvidia-sn4700 under SONiC master has no lossless class", (*BACKEND, "transport"))


def test_another_release_is_refused_with_the_list() -> None:
    plan = sites.plan_of(sites.text_of("bare", "master").replace("sonic-master", "sonic-202311"))
    (problem, *_) = platforms(plan)
    assert problem.code == "unsupported-version"
    assert "202505, 202511, 202605, master" in problem.why


@pytest.mark.parametrize("name", sites.NAMES)
def test_every_need_of_a_site_is_in_the_table(name: str) -> None:
    asked = {need.feature for need in needs(sites.planned(name, "master")) if need.system == SONIC.name}
    assert asked
    assert [feature for feature in asked if SONIC.can(feature) is None] == []


def test_the_table_is_whole() -> None:
    """Every row of the first two platforms' tables is in this one, once, with a source."""
    features = [row.feature for row in SONIC.capabilities]
    assert len(set(features)) == len(features)
    others = {row.feature for other in ("eos", "frr") for row in PLATFORMS[other].capabilities}
    assert others <= set(features)
    assert all(row.source for row in SONIC.capabilities)
    assert {row.judge == "" for row in SONIC.capabilities if not row.refusal} == {True, False}


def device(name: str = "managed", release: str = "master") -> Device:
    return sites.fleet(name, release)[0]


def problems(changed: Device) -> list[tuple[str, tuple[str | int, ...]]]:
    with pytest.raises(FabricError) as caught:
        SONIC.template_context(changed)
    assert {problem.code for problem in caught.value.problems} == {"platform-cannot"}
    return [(problem.what, problem.where) for problem in caught.value.problems]


def managed(**changes: object) -> Device:
    found = device()
    return found._replace(management=found.management._replace(**changes))  # type: ignore[arg-type]


SERVERS = tuple(Ipv4(f"10.0.1.{number}") for number in range(20))


@pytest.mark.parametrize(
    ("changes", "what", "where"),
    [
        ({"ntp": SERVERS}, "cannot have 20 NTP servers", ("management", "ntp")),
        ({"dns": SERVERS[:4]}, "cannot have 4 name servers", ("management", "dns")),
    ],
)
def test_more_rows_than_a_table_takes(changes: dict[str, Any], what: str, where: tuple[str, ...]) -> None:
    assert problems(managed(**changes)) == [(f"{device().name} {what}", where)]


def test_more_servers_of_tacacs() -> None:
    tacacs = device().management.tacacs
    assert tacacs is not None
    found = problems(managed(tacacs=tacacs._replace(servers=SERVERS[:9])))
    assert found == [(f"{device().name} cannot have 9 TACACS+ servers", ("management", "aaa", "tacacs"))]


@pytest.mark.parametrize(
    ("field", "value", "what"),
    [
        ("collectors", SERVERS[:3], "{name} cannot have 3 sFlow collectors"),
        ("sample", 8388609, "{name} cannot sample one packet in 8388609"),
        ("polling_seconds", 4, "the shortest polling interval of SONiC is 5 s, not 4 s"),
    ],
)
def test_limits_of_sflow(field: str, value: object, what: str) -> None:
    sflow = device().management.sflow
    assert sflow is not None
    changed = sflow._replace(**{field: value})  # type: ignore[arg-type]
    assert problems(managed(sflow=changed)) == [(what.format(name=device().name), ("management", "sflow", field))]


def test_a_search_domain_needs_a_release_that_has_a_table_for_it() -> None:
    text = sites.text_of("managed", "202511")
    assert list(device_parts(sites.plan_of(text))) == []
    (problem,) = device_parts(sites.plan_of(text.replace("sonic-202511", "sonic-202505")))
    assert problem.why.startswith("community SONiC has it from 202511 on, and these switches run 202505 (")
    assert (problem.fix, problem.where) == ("write os: sonic-202511, or remove `domain`", ("management", "domain"))
    assert sites.tables("managed", "202511", 0)["DNS_OPTIONS"] == {"GLOBAL": {"search": ["dc1.example.net"]}}


def test_a_certificate_whose_name_is_no_file_s() -> None:
    gnmi = device().management.gnmi
    assert gnmi is not None
    found = problems(managed(gnmi=gnmi._replace(certificate="fabric.2026")))
    assert found == [
        ("SONiC does not support the certificate name fabric.2026", ("management", "gnmi", "certificate")),
    ]


@pytest.mark.parametrize(("field", "value"), [("traps", SERVERS[:1]), ("user", "abc"), ("user", "m" * 33)])
def test_limits_of_snmp(field: str, value: object) -> None:
    snmp = device().management.snmp
    assert snmp is not None
    changed = snmp._replace(**{field: value})  # type: ignore[arg-type]
    ((_, where),) = problems(managed(snmp=changed))
    assert where == ("management", "snmp", field)


def test_raw_lines_for_a_file_that_the_switch_makes() -> None:
    lines = (RawLines("frr.conf", ("agentx",), "intent.yaml:9"),)
    ((what, where),) = problems(device()._replace(raw=lines))
    assert (what, where) == ("raw lines for frr.conf would be lost on be-leaf-000", ("raw",))
    text = sites.rendered(device("managed", "202505")._replace(raw=lines))["frr.conf"]
    assert text.endswith("! intent.yaml:9\nagentx\n")


def test_raw_objects_join_the_tables() -> None:
    lines = ('{"CRM": {"Config": {', '"polling_interval": "60"}}}')
    found = sites.rendered(device()._replace(raw=(RawLines("", lines, "intent.yaml:9"),)))["config_db.json"]
    assert json.loads(found)["CRM"] == {"Config": {"polling_interval": "60"}}
    assert SONIC.raw_fault("config_db.json", lines) == ""
    assert SONIC.raw_fault("config_db.json", lines[:1])
    assert SONIC.raw_fault("frr.conf", lines[:1]) == ""
    against = (RawLines("", ('{"PORT": {"Ethernet0": {"mtu": "1500"}}}',), "intent.yaml:9"),)
    with pytest.raises(FabricError) as caught:
        sites.rendered(device()._replace(raw=against))
    assert caught.value.problems[0].code == "raw-syntax"


@pytest.mark.parametrize("field", ["high", "low"])
def test_thresholds_of_queues(field: str) -> None:
    found = device()
    monitor = found.telemetry.queue_monitor
    assert monitor is not None
    changed = monitor._replace(**{field: 100})  # type: ignore[arg-type]
    ((_, where),) = problems(found._replace(telemetry=found.telemetry._replace(queue_monitor=changed)))
    assert where == (*BACKEND, "telemetry", "queue_monitor", field)


@pytest.mark.parametrize("release", sites.RELEASES)
def test_a_box_that_a_release_does_not_have(release: str) -> None:
    """device/dell/x86_64-dell_z9864f-r0 of sonic-buildimage is in branch 202605, and not in 202511."""
    leaf = next(iter(devices(sites.plan_of(sites.text_of("broadcom", release, MODEL="dell-z9864f-on")))))
    found = [(one.what, one.where, one.fix) for one in SONIC.limits(leaf)]
    what, where = f"dell-z9864f-on under SONiC {release} is not supported", (*BACKEND, "leaf", "model")
    assert found == ([] if release in ("202605", "master") else [(what, where, "write os: sonic-202605")])


def test_split_ports_of_a_box_without_break_out_modes() -> None:
    found = device("broadcom")
    first, *rest = found.interfaces.ethernet
    half = first._replace(profile=first.profile._replace(parts=2))
    changed = found._replace(interfaces=found.interfaces._replace(ethernet=(half, *rest)))
    ((what, _),) = problems(changed)
    assert what == "dell-z9664f-on under SONiC master cannot split ports, and Ethernet0 of be-leaf-000 is split"


def test_aggregates_are_refused() -> None:
    text = sites.text_of("tenants", "master").replace("active-backup", "evpn-esi")
    found = next(found for found in devices(sites.plan_of(text)) if found.role == "leaf")
    ((_, where),) = problems(found)
    assert where == ("fabrics", "frontend", "server_ports", "multihoming")


def test_times_of_the_watchdog_below_what_the_model_takes_become_that() -> None:
    row = sites.tables("broadcom", "master", 0)["PFC_WD"]
    assert row["GLOBAL"] == {"POLL_INTERVAL": "100"}
    assert row["Ethernet0"] == {"action": "alert", "detection_time": "100", "restoration_time": "5000"}


def test_a_watchdog_of_long_times_is_polled_as_seldom_as_every_release_takes() -> None:
    """sonic-pfcwd.yang: POLL_INTERVAL 100..3000 in 202505, 100..1000 from 202511 on; half of 5000 is more."""
    found = device()
    assert found.qos is not None
    times = found.qos.watchdog._replace(detect_ms=5000, restore_ms=60000, polling_ms=2500)
    text = sites.rendered(found._replace(qos=found.qos._replace(watchdog=times)))["config_db.json"]
    assert json.loads(text)["PFC_WD"]["GLOBAL"] == {"POLL_INTERVAL": "1000"}


@pytest.mark.parametrize(
    ("word", "value", "told"),
    [
        *((word, "", f"no spellings.sonic.{word}") for word in ("platform", "hwsku", "lanes", "lanes_a_cage", "pool")),
        ("lanes", "0 8 16", "SONiC cannot have a port Ethernet"),
        ("lanes_a_cage", "1", "SONiC cannot have a port Ethernet"),
        ("lanes_a_cage", "8 8", "words of spellings.sonic do not fit each other"),
        ("first_port", "64", "SONiC cannot have a port Ethernet"),
        ("buffers", "large", "unknown buffers 'large'"),
    ],
)
def test_a_hardware_file_that_says_too_little_of_the_box(word: str, value: str, told: str) -> None:
    found = next(found for found in sites.fleet("broadcom", "master") if found.role == "leaf")
    words = {key: text for key, text in found.hardware.spellings.items() if key != word} | (
        {word: value} if value else {}
    )
    changed = found._replace(hardware=found.hardware._replace(spellings=words))
    ((what, where),) = problems(changed)
    assert told in what
    assert where == ("fabrics", "backend", "leaf", "model")


def test_a_port_whose_name_is_no_number() -> None:
    found = device()
    first, *rest = found.interfaces.ethernet
    changed = found._replace(interfaces=found.interfaces._replace(ethernet=(first._replace(name="swp1"), *rest)))
    ((what, _),) = problems(changed)
    assert what.startswith("SONiC cannot have a port swp1")


@pytest.mark.parametrize("word", ["cell_octets", "eight_lanes_gbps", "pipeline_octets"])
def test_headroom_of_a_chip_whose_constants_are_not_all_there_has_no_number(word: str) -> None:
    hardware = device().hardware
    words = {"buffers": "dynamic", "cell_octets": "192", "eight_lanes_gbps": "800", "pipeline_octets": "19456"}
    qos = device().qos
    assert qos is not None
    whole, less = (
        rendered(hardware._replace(spellings={key: words[key] for key in words if key != gone}), qos, 9216)
        for gone in ("", word)
    )
    assert all(row.octets for row in whole.headroom)
    assert whole.headroom
    assert [row.octets for row in less.headroom] == [None] * len(whole.headroom)
