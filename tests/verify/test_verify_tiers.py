"""What switches of three tiers and of several planes must show: by hand, and against BGP done by brute force."""

from random import Random

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.plan.plan import Plan
from fabricgen.resolve.device import devices as resolved
from fabricgen.state.state import EVPN, IPV4, IPV6
from fabricgen.verify.causes.miscabling import explain
from fabricgen.verify.expect.cable_names import about_of
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected, ExpectedRoute
from fabricgen.verify.finding import Finding, FindingEnd, SwitchVerdict
from fabricgen.verify.probe.pings import parts
from tests.resolve import tiers
from tests.verify.path_vector import converge, wires


def derived(plan: Plan) -> dict[str, Expected]:
    found = tuple(resolved(plan))
    return {expected.device: expected for expected in expectations(found, about=about_of(plan))}


def underlay(expected: Expected) -> dict[str, ExpectedRoute]:
    return {one.prefix: one for one in expected.routes if not one.vrf and not one.discard and one.origin}


def aggregates(plan: Plan) -> dict[str, str]:
    """Leaf → its aggregate."""
    return {d.name: d.routing.bgp.networks_ipv4[0] for d in resolved(plan) if d.role == "leaf"}


def test_widths_through_two_upper_tiers() -> None:
    """Two spines a leaf; two superspines with two links each a spine; as many links down to a spine."""
    plan = tiers.three_tiers(tiers.FRR)
    found, own = derived(plan), aggregates(plan)
    leaf, spine, core = (underlay(found[name]) for name in ("be-leaf-000", "be-spine-00", "be-super-01"))
    assert {leaf[own[name]].width for name in ("be-leaf-001", "be-leaf-002", "be-leaf-003")} == {2}
    assert [spine[own[f"be-leaf-00{at}"]].width for at in range(4)] == [1, 1, 4, 4]
    assert [core[own[f"be-leaf-00{at}"]].width for at in range(4)] == [2, 2, 2, 2]
    assert not any(route.origin == "be-spine-01" for route in spine.values()), "no way to the other spine of its pod"
    assert {route.origin for route in core.values() if "super" in route.origin} == set(), "nor between superspines"


def test_every_cable_and_session_of_a_spine_both_ways() -> None:
    spine = derived(tiers.three_tiers(tiers.FRR))["be-spine-00"]
    assert {(one.system, one.about) for one in spine.adjacencies} == {
        ("be-leaf-000", "from uplink 0 plane 0"),
        ("be-leaf-001", "from uplink 0 plane 0"),
        ("be-super-00", "uplink 0 plane 0"),
        ("be-super-01", "uplink 1 plane 0"),
        ("be-super-00", "uplink 2 plane 0"),
        ("be-super-01", "uplink 3 plane 0"),
    }
    assert all(one.required for one in spine.adjacencies)
    assert len(spine.sessions) == 2 * 6
    assert {one.far.system for one in spine.sessions} == {one.system for one in spine.adjacencies}


SWITCHES = ("be-leaf-000", "be-leaf-003", "be-spine-00", "be-spine-03", "be-super-00", "be-super-03")
PORTS = tuple(
    PortKey(name, port)
    for name, ports in (("be-spine-00", ("swp3s0", "swp3s1", "swp4s0")), ("be-leaf-002", ("swp2s0",)))
    for port in ports
)


def faults(seed: int) -> Exceptions:
    """Some switches and links of either kind drained, some cables absent; the first seed has none."""
    chance = Random(seed)  # noqa: S311 - a draw that can be repeated
    if not seed:
        return Exceptions()
    return Exceptions(
        devices={name: "drained" for name in SWITCHES if chance.random() < 0.25},
        ports={key: chance.choice(("drained", "absent")) for key in PORTS if chance.random() < 0.4},
    )


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("family", [IPV4, IPV6])
def test_widths_are_those_of_bgp(seed: int, family: str) -> None:
    plan = tiers.three_tiers(tiers.FRR, faults(seed))
    _same_as_bgp(tuple(resolved(plan)), derived(plan), family)


@pytest.mark.parametrize("family", [IPV4, IPV6])
@pytest.mark.parametrize("plan", [tiers.planes(tiers.FRR), tiers.rail_planes(tiers.FRR)], ids=["slices", "rails"])
def test_planes_are_those_of_bgp(plan: Plan, family: str) -> None:
    _same_as_bgp(tuple(resolved(plan)), derived(plan), family)


def test_rails_of_two_planes_are_told_and_apart() -> None:
    """Leaves 0 and 1 have rail 0, 2 and 3 rail 1: no route leads over, and no ping is expected to."""
    plan = tiers.rail_planes(tiers.FRR)
    assert {
        origin for leaf in ("be-leaf-000", "be-leaf-001") for origin in origins(plan, leaf) if "leaf" in origin
    } == {
        "be-leaf-000",
        "be-leaf-001",
    }
    assert {origin for origin in origins(plan, "be-leaf-003") if "leaf" in origin} == {"be-leaf-002"}
    assert parts(tuple(resolved(plan))) == {
        "be-leaf-000": "be-leaf-000",
        "be-leaf-001": "be-leaf-000",
        "be-leaf-002": "be-leaf-002",
        "be-leaf-003": "be-leaf-002",
    }
    about = about_of(plan)
    assert about("be-leaf-001", "swp1s0") == "rail 0 plane 0"
    assert about("be-leaf-002", "swp1s0") == "rail 1 plane 1"


def origins(plan: Plan, leaf: str) -> set[str]:
    """Switches that a leaf has routes to."""
    return {route.origin for route in underlay(derived(plan)[leaf]).values()}


def _same_as_bgp(devices: tuple[Device, ...], found: dict[str, Expected], family: str) -> None:
    sent = wires(devices, family)
    for origin in devices:
        bgp = origin.routing.bgp
        for prefix in bgp.networks_ipv4 if family == IPV4 else bgp.networks_ipv6:
            best = converge(devices, family, prefix, origin.name, sent)
            for device in devices:
                ports = sorted(path.port for path in best.get(device.name, ())) if device is not origin else []
                route = underlay(found[device.name]).get(prefix)
                assert (list(route.interfaces) if route else []) == ports, (device.name, origin.name, prefix)
                assert route is None or route.width == len(ports)


@pytest.mark.parametrize("drained", [(), ("fe-super-00",), ("fe-spine-00",), ("fe-spine-02", "fe-super-02")])
def test_the_overlay_of_a_far_pod_arrives_as_in_bgp(drained: tuple[str, ...]) -> None:
    """Routes of a leaf of one pod come to each leaf of the other, hop by hop through spines and superspines."""
    plan = tiers.overlay(exceptions=Exceptions(devices=dict.fromkeys(drained, "drained")))
    devices = tuple(resolved(plan))
    sent = wires(devices, EVPN)
    found = derived(plan)
    vteps = {device.name: device.evpn.vtep for device in devices if device.evpn}
    for name, vtep in vteps.items():
        best = converge(devices, EVPN, f"{vtep}/32", name, sent)
        assert {device.name for device in devices if best.get(device.name)} == {device.name for device in devices}
    flooded = {vni.vni: vni.vteps for vni in found["fe-leaf-000"].vnis if vni.vteps}
    assert set(*flooded.values()) == {vtep for name, vtep in vteps.items() if "leaf" in name and name != "fe-leaf-000"}


def test_no_plane_is_told_of_another() -> None:
    plan = tiers.planes(tiers.FRR)
    found, own = derived(plan), aggregates(plan)
    for plane in (0, 1):
        leaves = {f"be-leaf-{2 * plane + rail:03}" for rail in (0, 1)}
        for name in leaves:
            told = {route.prefix for route in underlay(found[name]).values()} & set(own.values())
            assert told == {own[other] for other in leaves - {name}}
            assert "" in found[name].closed, "a route that is not planned is a finding"
        hosts = {one.about for one in found[f"be-leaf-{2 * plane:03}"].adjacencies if one.system.startswith("train")}
        assert hosts == {f"rail 0 plane {plane}"}


def test_pods_are_one_part_and_planes_are_not() -> None:
    towers = parts(tuple(resolved(tiers.three_tiers())))
    assert towers == {f"be-leaf-{number:03}": "be-leaf-000" for number in range(4)}
    apart = parts(tuple(resolved(tiers.planes())))
    assert apart == {f"be-leaf-{number:03}": f"be-leaf-{number // 2 * 2:03}" for number in range(4)}


def test_a_route_that_is_missing_two_tiers_below_has_its_cause_told() -> None:
    """The cable of the superspine is down, so the leaf has no route to it; its own ports are as planned."""
    bare = Finding(device="", check="routes", code="", subject="route x", problem="", expected="", actual="")
    down = bare._replace(device="be-super-01", check="interfaces", code="interface-down", port="swp1s0")
    lost = bare._replace(
        device="be-leaf-000", code="route-missing", far=FindingEnd("be-super-01", ""), prefix="10.0.0.1/32"
    )
    verdicts = [SwitchVerdict(device=one.device, passed=(), findings=(one,), unchecked=()) for one in (down, lost)]
    assert explain(verdicts)[1].findings[0].explained == "be-super-01 swp1s0 is down"
    assert explain(verdicts[1:])[0].findings[0].explained == ""
