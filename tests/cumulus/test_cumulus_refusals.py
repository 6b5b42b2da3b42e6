"""What Cumulus Linux cannot do is refused where it is asked; nothing is left out in silence."""

import pytest

from fabricgen.base.addresses import Ipv6
from fabricgen.base.secret import secret
from fabricgen.checks.support.capabilities import capabilities, platforms
from fabricgen.device.device import Device
from fabricgen.device.management import User
from fabricgen.errors import Problem
from fabricgen.platforms.cumulus.platform import CUMULUS
from fabricgen.resolve.device import devices
from tests.cumulus.fleet import render, sample
from tests.cumulus.intents import BACKEND, FRONTEND, SYSTEM, intent, planned

PORTS = FRONTEND["server_ports"]
TOPOLOGY = BACKEND["topology"]
OLDER = {"model": "nvidia-sn4700", "os": SYSTEM}
FASTER = {"model": "nvidia-sn5600", "os": SYSTEM}
SNMP = {"user": "watch", "auth": "${env:AUTH}", "privacy": "${env:PRIVACY}"}

REFUSED: dict[str, dict[str, object]] = {
    "dlb-flowlet": {"fabrics__backend__load_balancing": "dlb-flowlet"},
    "dlb-per-packet": {
        "fabrics__backend__load_balancing": "dlb-per-packet",
        "fabrics__backend__leaf": OLDER,
        "fabrics__backend__spine": OLDER,
    },
    "dlb-global": {"fabrics__backend__load_balancing": "dlb-global"},
    "ecmp-queue-pair": {"fabrics__backend__load_balancing": "ecmp-queue-pair"},
    "cluster": {"fabrics__backend__load_balancing": "cluster"},
    "link-loss-withdraw": {"fabrics__backend__link_loss": "withdraw"},
    "vtep-ipv6": {"fabrics__frontend__addressing": {"links": ["ipv6"], "ipv6": "fd5e:8c1f:2a00:1000::/52"}},
    "storm-control": {
        "fabrics__frontend__server_ports": {**PORTS, "storm_control": {"broadcast_percent": 1, "multicast_percent": 1}},
    },
    "storm-control-unknown-unicast": {
        "fabrics__frontend__server_ports": {
            **PORTS,
            "storm_control": {"broadcast_percent": None, "multicast_percent": None, "unknown_unicast_percent": 1},
        },
    },
    "duplicate-mac-bonds": {"fabrics__frontend__duplicate_mac": {"recovery_minutes": None}},
    "mac-limit-bonds": {"fabrics__frontend__server_ports": {**PORTS, "mac_limit": 100}},
    "uplink-tracking": {"fabrics__frontend__server_ports": {**PORTS, "uplink_tracking": True}},
    "login-keys": {"management__login": {"password_login": False}},
    "queue-latency": {"fabrics__backend__telemetry": {"queue_monitor": {"latency": True}}},
    "queue-streaming": {"fabrics__backend__telemetry": {"queue_monitor": {"streaming": 2}}},
    "congestion-capture": {"fabrics__backend__telemetry": {"capture": "congestion"}},
    "drop-capture": {"fabrics__backend__telemetry": {"capture": "drops"}},
    "snmp": {"management__snmp": SNMP},
}


@pytest.mark.parametrize("feature", REFUSED)
def test_what_it_can_not_do_is_refused(feature: str) -> None:
    edits = REFUSED[feature]
    (problem,) = capabilities(planned(intent(**edits)))
    assert problem.code == "platform-cannot"
    assert f"does not support {feature}, " in problem.what
    row = CUMULUS.can(feature)
    assert row is not None
    assert row.refusal in problem.why
    assert row.source in problem.why
    asked = tuple(next(iter(edits)).split("__"))
    assert problem.where[: len(asked)] == asked


def balanced(model: str, gbps: int, system: str = SYSTEM) -> list[Problem]:
    """Problems of per-packet balancing on one model, with links of this speed between switches."""
    switch = {"model": model, "os": system}
    topology = {"design": "rail-optimized", "rails_per_leaf": 2, "uplink_gbps": gbps}
    server = "dgx-b300" if model in ("nvidia-sn5600", "nvidia-sn5610") else "hgx-b200"
    edits = {
        "fabrics__backend__load_balancing": "dlb-per-packet",
        "fabrics__backend__leaf": switch,
        "fabrics__backend__spine": switch,
        "fabrics__backend__topology": topology,
        "servers__train__model": server,
    }
    return list(capabilities(planned(intent(**edits))))


def test_adaptive_routing_is_judged_by_the_speed_of_links() -> None:
    """NVIDIA: Spectrum-4 at 400G and 200G, not on 800G links. The SN5600 is one with faster cages."""
    assert balanced("nvidia-sn5600", 400) == []
    assert balanced("nvidia-sn5400", 400) == []
    (problem,) = balanced("nvidia-sn5600", 800)
    assert "links between switches are 800G, and nvidia-sn5600 supports it on 200G or 400G only" in problem.why
    assert "topology.uplink_gbps: 200 or 400" in problem.fix


@pytest.mark.parametrize("release", ["5.14", "5.15", "5.16"])
def test_adaptive_routing_is_judged_by_the_chip_in_every_release(release: str) -> None:
    """516 ECMP 0e0a4e70: Spectrum-4 alone. The SN5610 is one, the SN5640 is a Spectrum-5."""
    system = f"cumulus-{release}"
    assert balanced("nvidia-sn5610", 400, system) == []
    (faster,) = balanced("nvidia-sn5610", 800, system)
    assert "topology.uplink_gbps: 200 or 400" in faster.fix
    (other,) = balanced("nvidia-sn5640", 400, system)
    assert "this model has another chip" in other.why
    assert other.fix.startswith("write load_balancing: ecmp")


@pytest.mark.parametrize(
    ("model", "release", "since"),
    [("nvidia-sn5640", "5.14", "5.15"), ("nvidia-sn5610", "5.13", "5.14"), ("nvidia-sn5600d", "5.12", "5.13")],
)
def test_a_model_runs_no_release_before_its_first(model: str, release: str, since: str) -> None:
    """515 and 513 What's New, Platforms; 514 Packet Trimming names the SN5610."""

    def found(version: str) -> list[Problem]:
        switch = {"model": model, "os": f"cumulus-{version}"}
        edits = {
            "fabrics__backend__leaf": switch,
            "fabrics__backend__spine": switch,
            "servers__train__model": "hgx-b200",
        }
        return [*platforms(planned(intent(**edits)))]

    leaf, spine = found(release)
    assert (leaf.code, spine.where[-2:]) == ("unsupported-version", ("spine", "os"))
    assert leaf.what == f"cumulus-{release} does not run on {model}"
    assert f"on this model from {since} on" in leaf.why
    assert leaf.fix.startswith(f"write os: cumulus-{since}, or ")
    assert found(since) == []
    assert found("5.16.2") == []


@pytest.mark.parametrize(("model", "gbps"), [("nvidia-sn5600", 800), ("nvidia-sn4700", 400)])
def test_no_remedy_names_a_system_that_the_box_does_not_run(model: str, gbps: int) -> None:
    """Junos and NX-OS balance packets, on boxes of their makers."""
    (problem,) = balanced(model, gbps)
    assert "load_balancing: ecmp" in problem.fix
    assert "on these switches" not in problem.fix


def test_a_system_that_the_box_runs_is_named() -> None:
    switch = {"model": "nvidia-sn5600", "os": "frr-8.4"}
    edits = {"fabrics__backend__leaf": switch, "fabrics__backend__spine": switch}
    (pfc,) = [one for one in capabilities(planned(intent(**edits))) if "does not support pfc," in one.what]
    assert "or run community SONiC or NVIDIA Cumulus Linux on these switches" in pfc.fix


ELSEWHERE = {
    "flowlet-gap",
    "pfc-priority-map",
    "headroom-overcommit",
    "pfc-watchdog-notify",
    "snmp-traps",
    "snmp-sha256",
    "snmp-aes256",
    "dscp-remap",
    "control-queue-bfd",
    "control-apart",
    "link-loss-weighted-wide",
}
"""Refused rows that no key asks for by itself: see the checks that name them."""


def test_every_refusal_is_asked_for_here() -> None:
    refused = {row.feature for row in CUMULUS.capabilities if row.refusal and not row.instead}
    assert refused - set(REFUSED) <= ELSEWHERE
    assert set(REFUSED) <= refused


def _switch(**edits: object) -> Device:
    return next(device for device in devices(planned(intent(**edits))) if device.name == "be-leaf-000")


def _problem(device: Device) -> Problem:
    (problem,) = CUMULUS.limits(device)
    assert problem.code == "platform-cannot"
    return problem


def test_a_watchdog_that_only_notifies_is_refused() -> None:
    problem = _problem(_switch(fabrics__backend__roce={"watchdog": {"action": "notify"}}))
    assert problem.where == ("fabrics", "backend", "roce", "watchdog", "action")


def test_a_lower_threshold_is_refused() -> None:
    problem = _problem(_switch(fabrics__backend__telemetry={"queue_monitor": {"high": 90000, "low": 5000}}))
    assert problem.where == ("fabrics", "backend", "telemetry", "queue_monitor", "low")


def test_a_threshold_that_is_no_depth_is_refused() -> None:
    """96 to 4294967295 octets (NVUE reference, Telemetry)."""
    problem = _problem(_switch(fabrics__backend__telemetry={"queue_monitor": {"high": 95}}))
    assert problem.where == ("fabrics", "backend", "telemetry", "queue_monitor", "high")
    assert "value: 96}" in render(_switch(fabrics__backend__telemetry={"queue_monitor": {"high": 96}}))


def test_headroom_in_octets_is_refused() -> None:
    device = sample("site be-leaf-000").device
    assert device.qos is not None
    first, *others = device.interfaces.ethernet
    more = first.headroom_octets + 50_000
    given = device.qos.headroom[0]._replace(octets=more, basis="override", speed_gbps=first.profile.speed_gbps)
    ports = (first._replace(headroom_octets=more), *others)
    rows = (*device.qos.headroom, given)
    changed = device._replace(
        interfaces=device.interfaces._replace(ethernet=ports), qos=device.qos._replace(headroom=rows)
    )
    assert first.name in _problem(changed).what

    small = first._replace(
        headroom_octets=more, profile=first.profile._replace(mtu=1500)
    )  # what follows from its own MTU
    allowed = changed._replace(interfaces=device.interfaces._replace(ethernet=(small, *others)))
    assert list(CUMULUS.limits(allowed)) == []


def _frontend(name: str, **edits: object) -> Device:
    return next(device for device in devices(planned(intent(**edits))) if device.name == name)


@pytest.mark.parametrize(("vlan", "refused"), [(3724, False), (3725, True), (3999, True), (4000, False)])
def test_vlans_of_the_chip_are_refused(vlan: int, refused: bool) -> None:
    """3725-3999 (511 VLAN-aware Bridge Mode)."""
    device = _frontend("fe-leaf-000", tenants__storage__networks__data__vlan=vlan)
    if refused:
        assert _problem(device).where == ("tenants", "storage")
    else:
        assert list(CUMULUS.limits(device)) == []


def test_vlans_of_the_chip_are_refused_outside_too() -> None:
    device = sample("site fe-border-00").device
    subs = tuple(row._replace(vlan_id=3800) for row in device.interfaces.subinterfaces)
    changed = device._replace(interfaces=device.interfaces._replace(subinterfaces=subs))
    assert _problem(changed).where == ("tenants", "research")


def test_one_dhcp_server_of_ipv6_a_tenant() -> None:
    device = sample("single fe-leaf-002").device
    assert device.evpn is not None
    first = next(row for row in device.evpn.gateways if row.relays_ipv6)
    more = first._replace(relays_ipv6=(*first.relays_ipv6, Ipv6("fd5e:8c1f:2a00:2000::11")))
    rows = tuple(more if row == first else row for row in device.evpn.gateways)
    problem = _problem(device._replace(evpn=device.evpn._replace(gateways=rows)))
    assert problem.where == ("tenants", first.vrf)


def test_dhcp_servers_that_are_asked_for_names_are_refused() -> None:
    """Lookups of the management VRF are rules on the server's address, for all packets (511 Management VRF)."""
    device = sample("site fe-leaf-002").device
    assert device.evpn is not None
    asked = next(row.relays_ipv4[0] for row in device.evpn.gateways if row.relays_ipv4)
    both = device._replace(management=device.management._replace(dns=(*device.management.dns, asked)))
    problem = _problem(both)
    assert problem.where == ("tenants", "research")
    assert asked in problem.what


@pytest.mark.parametrize("count", [7, 8])
def test_seven_tacacs_servers_and_no_more(count: int) -> None:
    device = sample("site fe-spine-00").device
    assert device.management.tacacs is not None
    servers = tuple(device.management.tacacs.servers[0] for _ in range(count))
    tacacs = device.management.tacacs._replace(servers=servers)
    changed = device._replace(management=device.management._replace(tacacs=tacacs))
    if count > 7:
        assert _problem(changed).where == ("management", "aaa", "tacacs")
    else:
        assert list(CUMULUS.limits(changed)) == []


@pytest.mark.parametrize("name", ["root", "nobody", "www-data", "nvue"])
def test_names_that_do_not_log_in_are_refused(name: str) -> None:
    """Root by `permit-root-login prohibit-password`, Cumulus' default; the others have no login in Debian."""
    device = _switch()
    for own, refused in ((name, True), ("rootless", False)):
        users = (User(own, "network-admin", secret("${env:HASH}")),)
        found = list(CUMULUS.limits(device._replace(management=device.management._replace(users=users))))
        assert [problem.where for problem in found] == [("management", "users", own)] * refused


def test_the_name_of_its_own_certificate_is_no_name_of_another() -> None:
    """NVUE reference, API: without a certificate of the operator, `nv show system api` has `self-signed`."""
    device = _switch()
    own = device._replace(management=device.management._replace(eapi_certificate="self-signed"))
    assert _problem(own).where == ("management", "eapi", "certificate")


def test_a_switch_has_one_histogram_a_port() -> None:
    device = sample("site be-leaf-000").device
    assert device.qos is not None
    rows = tuple(row._replace(lossless_priorities=(3, 4)) for row in device.qos.profiles)
    enabled = tuple(row._replace(enabled=True) for row in device.interfaces.ethernet)
    both = device._replace(
        interfaces=device.interfaces._replace(ethernet=enabled),
        qos=device.qos._replace(profiles=rows),
    )
    assert _problem(both).where == ("fabrics", "backend", "telemetry", "queue_monitor")


@pytest.mark.parametrize(("release", "offered"), [("5.10", "5.11"), ("5.17", "5.16"), ("6.0", "5.16"), ("5.1", "5.11")])
def test_other_releases_are_refused_with_the_nearest_or_one_in_use(release: str, offered: str) -> None:
    model = {"model": "nvidia-sn4700", "os": f"cumulus-{release}"}
    used = model | {"os": "cumulus-5.13.1"}

    def found(**edits: object) -> list[Problem]:
        return [*platforms(planned(intent(fabrics__frontend__leaf=model, **edits)))]

    alone = found(fabrics__frontend__spine=model, fabrics__backend__leaf=model, fabrics__backend__spine=model)
    assert {problem.code for problem in alone} == {"unsupported-version"}
    assert {problem.fix.partition(", or ")[0] for problem in alone} == {f"write os: cumulus-{offered}"}
    beside = found(fabrics__frontend__spine=used, fabrics__backend__leaf=used, fabrics__backend__spine=used)
    assert {problem.fix.partition(" (")[0] for problem in beside} == {
        'write os: cumulus-5.13.1, or waivers: [{code: unsupported-version, reason: "tested by NAME on DATE"}]'
    }


@pytest.mark.parametrize("release", ["5.11.3", "5.12", "5.16.2"])
def test_its_patches_are_taken(release: str) -> None:
    model = {"model": "nvidia-sn4700", "os": f"cumulus-{release}"}
    assert [*platforms(planned(intent(fabrics__frontend__leaf=model)))] == []


@pytest.mark.parametrize(
    "lines",
    [
        ("- set:", "    system:", "      message:", "        pre-login: 'hands off'"),
        ("- unset:", "    system:", "      message: {}"),
        ("- set: {}", "- set: {}"),
    ],
)
def test_items_of_the_list_stand_behind_ours(lines: tuple[str, ...]) -> None:
    assert CUMULUS.raw_fault("startup.yaml", lines) == ""


@pytest.mark.parametrize(
    ("lines", "fault"),
    [
        (("nv set system message pre-login hello",), "list for NVUE"),
        (("set:", "  system: {}"), "list for NVUE"),
        (("- system: {}",), "list for NVUE"),
        (("- set: {",), "is YAML, and these lines are not"),
        (("    system:", "      hostname: other"), "list for NVUE"),
        (("- just text",), "list for NVUE"),
    ],
)
def test_other_lines_are_refused(lines: tuple[str, ...], fault: str) -> None:
    assert fault in CUMULUS.raw_fault("startup.yaml", lines)
