"""What NX-OS cannot do is a Problem at the line that asks it; what no capability tells is found in the Device."""

from dataclasses import replace

import pytest

from fabricgen.base.addresses import Ipv4
from fabricgen.base.secret import secret
from fabricgen.checks.catalogue import examine, run_checks
from fabricgen.device.device import Device
from fabricgen.device.management import User
from fabricgen.errors import FabricError
from fabricgen.hardware.catalog import load_catalog
from fabricgen.hardware.model import HeadroomRow
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.nxos.platform import NXOS
from fabricgen.resolve.device import devices
from fabricgen.resolve.needs import needs
from tests.nxos.fleet import BIG, OS, Edits, planned, render, samples
from tests.nxos.lines import unknown
from tests.nxos.rules import broken

PORTS = "fabrics.frontend.server_ports"
SG2 = {"model": "cisco-n9364e-sg2-o", "os": OS}
ASKED: tuple[tuple[str, Edits, str], ...] = (
    ("unnumbered", {"fabrics.backend.addressing.links": ["unnumbered"]}, "addressing"),
    ("esi-multihoming", {f"{PORTS}.multihoming": "evpn-esi", f"{PORTS}.lacp_fallback": False}, "server_ports"),
    ("lacp-fallback", {f"{PORTS}.multihoming": "evpn-esi", f"{PORTS}.lacp_fallback": True}, "server_ports"),
    ("uplink-tracking", {f"{PORTS}.uplink_tracking": True}, "server_ports"),
    ("dlb-global", {"fabrics.backend.load_balancing": "dlb-global"}, "load_balancing"),
    ("ecmp-queue-pair", {"fabrics.backend.load_balancing": "ecmp-queue-pair"}, "load_balancing"),
    ("cluster", {"fabrics.backend.load_balancing": "cluster"}, "load_balancing"),
    ("link-loss-weighted", {"fabrics.backend.link_loss": "weighted"}, "link_loss"),
    ("link-loss-withdraw", {"fabrics.backend.link_loss": "withdraw"}, "link_loss"),
    ("queue-monitor", {"fabrics.backend.telemetry": {"queue_monitor": {"high": 500}}}, "telemetry"),
    ("queue-latency", {"fabrics.backend.telemetry": {"queue_monitor": {"latency": True}}}, "telemetry"),
    ("queue-streaming", {"fabrics.backend.telemetry": {"queue_monitor": {"streaming": 2}}}, "telemetry"),
    ("ecn-counters", {"fabrics.backend.telemetry": {"ecn_counters": True}}, "telemetry"),
    ("congestion-capture", {"fabrics.backend.telemetry": {"capture": "congestion"}}, "telemetry"),
    ("drop-capture", {"fabrics.backend.telemetry": {"capture": "drops"}}, "telemetry"),
)


@pytest.mark.parametrize(("feature", "edits", "key"), ASKED, ids=[row[0] for row in ASKED])
def test_a_refused_feature_is_a_problem_where_it_is_asked(feature: str, edits: Edits, key: str) -> None:
    plan = planned("demo", edits)
    assert feature in {need.feature for need in needs(plan)}
    row = NXOS.can(feature)
    assert row is not None
    assert row.refusal
    found = [problem for problem in run_checks(plan) if problem.code == "platform-cannot"]
    told = [problem for problem in found if row.refusal in problem.why]
    assert told
    assert key in told[0].where
    assert not any(other.title in told[0].fix for other in PLATFORMS.values()), "a Nexus runs nothing else"


def test_flowlets_only_on_chips_that_the_guide_names() -> None:
    plan = planned("demo", {"fabrics.backend.leaf": SG2, "fabrics.backend.spine": SG2})
    balancing = [row for row in run_checks(plan) if row.code == "platform-cannot" and "dlb-flowlet" in row.what]
    assert [row.where for row in balancing] == [("fabrics", "backend", "load_balancing")]
    assert not [problem for problem in run_checks(planned("demo")) if problem.code == "platform-cannot"]


def test_flowlets_only_on_releases_that_have_them() -> None:
    roles = [f"fabrics.backend.{role}" for role in ("leaf", "spine")]
    older: Edits = {role: {**BIG, "os": "nxos-10.4"} for role in roles}
    (problem,) = [row for row in run_checks(planned("demo", older)) if row.code == "platform-cannot"]
    assert "dlb-flowlet" in problem.what
    assert problem.why.startswith("Cisco NX-OS has it from 10.5 on, and these switches run 10.4")
    assert problem.fix == "write os: nxos-10.5, or write load_balancing: ecmp"
    hashed: Edits = {**older, "fabrics.backend.load_balancing": "ecmp"}
    assert not [row for row in run_checks(planned("demo", hashed)) if row.code == "platform-cannot"]


def test_every_other_need_is_in_the_table() -> None:
    for name in ("demo", "wide", "shared"):
        asked = {need.feature for need in needs(planned(name))}
        assert len(asked) > 12
        refused = {
            feature for feature in asked if (row := NXOS.can(feature)) is None or (row.refusal and not row.vouched)
        }
        assert refused == set()


def test_headroom_is_said_to_be_unproven() -> None:
    """NX-OS sets it aside up to 100 m; no source says of what: a warning, and beyond 100 m a problem."""
    found = examine(planned("demo"))
    assert (found.problems, {note.code for note in found.notes} & {"headroom-unproven"}) == ((), {"headroom-unproven"})
    longer = planned("demo", {"cables.default.leaf_spine": 120})
    assert {problem.code for problem in run_checks(longer)} == {"headroom-unknown"}


def test_numbers_of_a_hardware_file_of_the_users_own_are_for_the_checks() -> None:
    """With the sizes of the chip all is proven, and marking is by the formula; no line tells the headroom."""
    ours = load_catalog(None)
    rows = tuple(HeadroomRow(speed_gbps=400, length_m=metres, xoff_octets=400_000, source="x") for metres in (5, 40))
    known = {"buffer_octets": 120_000_000, "headroom_pool_octets": 60_000_000, "headroom": rows}
    asic = ours.asics["cloudscale-gx2a"].model_copy(update=known)
    catalog = replace(ours, asics=replace(ours.asics, _read={"cloudscale-gx2a": asic}))
    plan = planned("demo", {"fabrics.backend.roce.ecn": "formula"}, catalog)
    assert run_checks(plan) == ()
    leaf = next(iter(devices(plan)))
    assert leaf.qos is not None
    assert leaf.qos.headroom_octets >= 400_000
    text = render(leaf)
    assert unknown(text) == []
    assert broken(text) == []
    assert "buffer-size" not in text


def refused(device: Device) -> list[str]:
    with pytest.raises(FabricError) as found:
        NXOS.template_context(device)
    assert {problem.code for problem in found.value.problems} == {"platform-cannot"}
    return [problem.what for problem in found.value.problems]


@pytest.mark.parametrize(
    ("minimum", "maximum", "why"),
    [
        # Both are 150 kbytes as they are rendered.
        (150_000, 150_900, "Kmin 150000 is not below Kmax 150000"),
        (1_000, 2_000, "Kmin 1000 is below 4 frames of "),
        (200_000, 100_000, "Kmin 200000 is not below Kmax 100000"),
        (150_000, 151_000, ""),
    ],
)
def test_thresholds_are_judged_without_a_known_buffer(minimum: int, maximum: int, why: str) -> None:
    """No source gives the buffer of the chip; these rules need none."""
    given = {"minimum_octets": minimum, "maximum_octets": maximum, "probability_percent": 100}
    found = run_checks(planned("demo", {"fabrics.backend.roce.ecn": given}))
    assert [problem.code for problem in found] == ["ecn-thresholds"] * bool(why)
    assert all(why in problem.why and problem.fix == "write ecn: published" for problem in found)


@pytest.mark.parametrize("name", ["root", "operator", "nscd", "42"])
def test_names_of_users_that_are_reserved(name: str) -> None:
    """Cisco's Nexus 9000 security guide, "reserved and cannot be used to configure users"; and names of digits."""
    device = samples()["demo frontend leaf"]

    def with_user(own: str) -> Device:
        users = (User(own, "network-admin", secret("${env:HASH}")),)
        return device._replace(management=device.management._replace(users=users))

    assert refused(with_user(name)) == [f"{device.name} cannot have the user {name}"]
    assert [problem.where for problem in NXOS.limits(with_user(name))] == [("management", "users", name)]
    assert list(NXOS.limits(with_user("operator1"))) == []


def test_vlans_that_are_nx_oss_own() -> None:
    device = samples()["demo frontend leaf"]
    assert device.evpn is not None
    first, *others = device.evpn.vlans
    last = device._replace(evpn=device.evpn._replace(vlans=(first._replace(vlan_id=3967), *others)))
    NXOS.template_context(last)
    taken = device._replace(evpn=device.evpn._replace(vlans=(first._replace(vlan_id=3968), *others)))
    assert refused(taken) == [f"VLAN 3968 ({first.name}) cannot be created on {device.name}"]


def test_long_lossless_cables() -> None:
    device = samples()["demo backend leaf"]
    first, *others = device.interfaces.ethernet
    for metres, fine in ((100.0, True), (100.5, False)):
        rows = (first._replace(length_m=metres), *others)
        long = device._replace(interfaces=device.interfaces._replace(ethernet=rows))
        if fine:
            NXOS.template_context(long)
        else:
            assert refused(long) == [f"{device.name} {first.name} is not lossless over 100.5 m"]
    lossy = first.profile._replace(qos="")
    rows = (first._replace(length_m=500, profile=lossy), *others)
    NXOS.template_context(device._replace(interfaces=device.interfaces._replace(ethernet=rows)))


def test_names_of_vrfs_that_stand() -> None:
    device = samples()["demo frontend leaf"]
    bgp = device.routing.bgp
    vrfs = (bgp.vrfs[0]._replace(name="management"), *bgp.vrfs[1:])
    assert refused(device._replace(routing=device.routing._replace(bgp=bgp._replace(vrfs=vrfs))))


def test_routes_of_another_tenant() -> None:
    """Only what `import map` would filter keeps a tenant's default route from the other: no source says it does."""
    asked: Edits = {"tenants.research.imports": ["storage"]}
    plan = planned("demo", asked)
    (found,) = [problem for problem in run_checks(plan) if problem.where[0] == "tenants"]
    assert (found.code, found.where) == ("platform-cannot", ("tenants", "research", "imports"))
    assert "`import map`" in found.why
    assert found.fix.startswith("remove `imports`, and connect these tenants beyond their border leaves")
    assert "does not support tenant-imports, which frontend leaf" in found.what


def test_spines_carry_tenants_that_reach_each_other() -> None:
    """Other systems at the leaves: no VRF stands on the Nexus above them."""
    leaf = {"model": "arista-7050cx4-24d8", "os": "eos-4.34"}
    plan = planned("demo", {"tenants.research.imports": ["storage"], "fabrics.frontend.leaf": leaf})
    assert {row.system for row in devices(plan) if row.routing.bgp.vrfs} == {"eos"}
    assert run_checks(plan) == ()


def test_samples() -> None:
    device = samples()["demo frontend leaf"]
    sflow = device.management.sflow
    assert sflow is not None
    two = sflow._replace(collectors=(*sflow.collectors, Ipv4("10.0.0.11")), sample=1024)
    assert len(refused(device._replace(management=device.management._replace(sflow=two)))) == 2


def test_numbers_that_nx_os_is_not_told() -> None:
    device = samples()["demo backend leaf"]
    qos = device.qos
    assert qos is not None
    assert refused(device._replace(qos=qos._replace(alpha="1/4")))
    slow = qos.watchdog._replace(detect_ms=210)
    assert refused(device._replace(qos=qos._replace(watchdog=slow)))
    port = next(row.name for row in device.interfaces.ethernet)
    plan = planned("demo", {"overrides": {f"be-leaf-000/{port}": {"headroom_octets": 100_000}}})
    assert refused(next(row for row in devices(plan) if row.name == "be-leaf-000"))


def test_marking_by_the_formula_needs_no_buffer() -> None:
    """Without its size the formula's own end stands: four times its start (ai-fabrics, ECN)."""
    first = next(iter(devices(planned("demo", {"fabrics.backend.roce.ecn": "formula"}))))
    assert "random-detect" in render(first)
    marks = [queue.ecn for profile in first.qos.profiles for queue in profile.queues if queue.ecn] if first.qos else []
    assert marks
    assert all(mark.maximum_octets == 4 * mark.minimum_octets for mark in marks)


def test_the_models_are_ours() -> None:
    assert BIG["os"] == OS
    assert OS.removeprefix("nxos-") in NXOS.versions
