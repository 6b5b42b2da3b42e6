"""What Junos cannot be told of one switch is refused at the intent's own line, and never left out."""

import pytest

from fabricgen.base.addresses import Ipv4
from fabricgen.device.device import Device
from fabricgen.device.qos import Ecn, Qos, QosProfile, Watchdog
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.exceptions import Exceptions, PortKey, PortSettings
from fabricgen.platforms.junos.platform import JUNOS
from fabricgen.resolve.device import devices
from tests.junos import intents
from tests.junos.sites import NAMES, found, plan_of, render, sample


def refused(device: Device) -> list[Problem]:
    with pytest.raises(FabricError) as told:
        JUNOS.template_context(device)
    assert {problem.code for problem in told.value.problems} == {"platform-cannot"}
    return list(told.value.problems)


def where(device: Device) -> list[tuple[str | int, ...]]:
    return [problem.where for problem in refused(device)]


@pytest.mark.parametrize("name", NAMES)
def test_the_small_intents_are_taken(name: str) -> None:
    JUNOS.template_context(sample(name).device)


def lossless() -> tuple[Device, Qos]:
    device = sample("lossless leaf").device
    assert device.qos is not None
    return device, device.qos


@pytest.mark.parametrize(
    ("watchdog", "key"),
    [
        (Watchdog(200, 400, 100, "notify"), "action"),
        (Watchdog(199, 400, 99, "drop"), "detect_ms"),
        (Watchdog(200, 199, 100, "drop"), "restore_ms"),
    ],
)
def test_a_watchdog_that_only_tells_or_is_faster_than_junos_own(watchdog: Watchdog, key: str) -> None:
    device, qos = lossless()
    assert where(device._replace(qos=qos._replace(watchdog=watchdog))) == [
        ("fabrics", "backend", "roce", "watchdog", key)
    ]


def overridden(settings: PortSettings, metres: int = 40) -> Device:
    exceptions = Exceptions(port_settings={PortKey("be-leaf-000", "et-0/0/32"): settings})
    text = intents.LOSSLESS.replace("leaf_spine: 40", f"leaf_spine: {metres}")
    return next(row for row in devices(plan_of(text, exceptions)) if row.name == "be-leaf-000")


def test_headroom_in_octets_is_refused_and_that_of_a_port_s_own_mtu_is_not() -> None:
    for given in (PortSettings(headroom_octets=200_000), PortSettings(headroom_octets=200_000, mtu=4200)):
        (problem,) = refused(overridden(given))
        assert problem.where == ("overrides",)
        assert "et-0/0/32 " in problem.what
    assert refused(overridden(PortSettings(headroom_octets=200_000), 500))
    assert "pfc mru 4214;" in render(overridden(PortSettings(mtu=4200), 500))
    assert "cable-length 40;" in render(overridden(PortSettings(mtu=4200)))
    assert "pfc mru 4214;" in render(overridden(PortSettings(mtu=4200)))


def test_marking_that_would_be_lost_or_has_no_percent() -> None:
    device, qos = lossless()
    nobody = device._replace(hardware=device.hardware._replace(spellings={}))
    assert where(nobody) == [("fabrics", "backend", "transport")]
    deep = tuple(with_ecn(profile, Ecn(1_000_000, 99_000_000, 100)) for profile in qos.profiles)
    assert where(device._replace(qos=qos._replace(profiles=deep))) == [("fabrics", "backend", "roce", "ecn")]


def with_ecn(profile: QosProfile, ecn: Ecn) -> QosProfile:
    return profile._replace(queues=tuple(row._replace(ecn=ecn) if row.ecn else row for row in profile.queues))


def test_keepalives_are_a_third_of_the_hold_time() -> None:
    device, _ = lossless()
    bgp = device.routing.bgp._replace(keepalive_seconds=2)
    assert where(device._replace(routing=device.routing._replace(bgp=bgp))) == [
        ("fabrics", "backend", "bgp", "keepalive_seconds")
    ]


def managed(**changed: object) -> Device:
    device = sample("front leaf").device
    return device._replace(management=device.management._replace(**changed))  # type: ignore[arg-type]


def test_names_that_are_junos_own() -> None:
    device = sample("front leaf").device
    bgp = device.routing.bgp
    vrfs = (bgp.vrfs[0]._replace(name="master"), *bgp.vrfs[1:])
    assert where(device._replace(routing=device.routing._replace(bgp=bgp._replace(vrfs=vrfs)))) == [
        ("tenants", "master")
    ]
    users = device.management.users
    assert where(managed(users=(users[0]._replace(name="root"), *users[1:]))) == [("management", "users", "root")]


@pytest.mark.parametrize("text", ['row "7"', "row \\7"])
def test_marks_that_end_a_text(text: str) -> None:
    device = sample("front leaf").device
    snmp = device.management.snmp
    assert snmp is not None
    assert where(managed(snmp=snmp._replace(location=text))) == [("management", "snmp", "location")]
    assert where(managed(snmp=snmp._replace(contact=text))) == [("management", "snmp", "contact")]
    first, *others = device.interfaces.ethernet
    rows = (first._replace(description=text), *others)
    assert where(device._replace(interfaces=device.interfaces._replace(ethernet=rows))) == [("overrides",)]


def test_letters_of_other_languages_are_taken() -> None:
    snmp = sample("front leaf").device.management.snmp
    assert snmp is not None
    JUNOS.template_context(managed(snmp=snmp._replace(location="Köln; row {7} # 2")))


def test_samples() -> None:
    sflow = sample("front leaf").device.management.sflow
    assert sflow is not None
    five = tuple(Ipv4(f"10.0.0.{last}") for last in range(10, 15))
    JUNOS.template_context(managed(sflow=sflow._replace(collectors=five[:4], sample=16777215)))
    assert where(managed(sflow=sflow._replace(collectors=five))) == [("management", "sflow", "collectors")]
    assert where(managed(sflow=sflow._replace(sample=16777216))) == [("management", "sflow", "sample")]


def test_frames_that_no_port_takes() -> None:
    text = intents.FRONTEND.replace("accept: [0.0.0.0/0", "mtu: 9202, accept: [0.0.0.0/0")
    border = next(row for row in devices(plan_of(text)) if row.role == "border-leaf")
    assert where(border) == [("tenants", "research", "external")]
    text = intents.FRONTEND.replace("accept: [0.0.0.0/0", "mtu: 9194, accept: [0.0.0.0/0")
    JUNOS.template_context(next(row for row in devices(plan_of(text)) if row.role == "border-leaf"))


def test_flows_are_moved_only_where_juniper_says_so() -> None:
    """Reactive path rebalancing: QFX5240 alone (Juniper's AI and ML guide, platform support)."""
    leaf = found("lossless")["be-leaf-000"]
    assert "reassignment" not in sample("lossless leaf").text
    assert "flowset-table-size 2048" in sample("lossless leaf").text
    text = intents.LOSSLESS.replace("juniper-qfx5230-64cd", "juniper-qfx5240-64od")
    other = next(row for row in devices(plan_of(text)) if row.role == "leaf")
    assert JUNOS.template_context(other).rebalances  # type: ignore[attr-defined]
    assert not JUNOS.template_context(leaf).rebalances  # type: ignore[attr-defined]
