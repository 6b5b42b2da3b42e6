"""What each switch must show, by hand on the small FRR site, and against BGP done by brute force."""

from collections.abc import Iterator
from random import Random

import pytest

from fabricgen.device.device import Device
from fabricgen.plan.exceptions import Exceptions, PortKey
from fabricgen.resolve.device import devices as resolved
from fabricgen.state.state import EVPN, IPV4, IPV6, L2, L3
from fabricgen.verify.expect.cable_names import about_of
from fabricgen.verify.expect.derive import Derivation, expectations
from fabricgen.verify.expect.model import Expected, ExpectedRoute, ExpectedVni
from fabricgen.verify.finding import FindingEnd
from tests.frr.site import plan_of, single_homed
from tests.some import some
from tests.verify.path_vector import converge, wires
from tests.verify.sites import healthy, site


def derived(devices: tuple[Device, ...]) -> dict[str, Expected]:
    return {expected.device: expected for expected in expectations(devices)}


def underlay(expected: Expected) -> dict[str, ExpectedRoute]:
    return {one.prefix: one for one in expected.routes if not one.vrf and not one.discard and " " not in one.about}


def test_whoever_asks_often_is_answered_alike_and_other_devices_are_looked_at_again() -> None:
    """It walks all switches once for the same devices: a second answer costs only those that are wanted."""
    walks: list[int] = []

    class Counted(tuple[Device, ...]):
        """Devices that tell how often they are walked."""

        def __iter__(self) -> Iterator[Device]:
            walks.append(1)
            return super().__iter__()

    ask, found, drained = (
        Derivation(),
        Counted(healthy()),
        Counted(site(Exceptions(devices={"fe-spine-00": "drained"}))),
    )
    assert [*ask(found, {"fe-leaf-000"})] == [derived(healthy())["fe-leaf-000"]]
    first = len(walks)
    assert [*ask(found, {"fe-leaf-000"})] == [derived(healthy())["fe-leaf-000"]]
    assert len(walks) - first == 1 < first
    assert [*ask(drained, {"fe-leaf-000"})] == [derived(drained)["fe-leaf-000"]] != [*ask(found, {"fe-leaf-000"})]


# --- by hand -------------------------------------------------------------------------------------


def test_a_frontend_leaf_reaches_all_over_every_link() -> None:
    """Two spines with two links each: others over four links, a spine over its own two; `ip route` showed the same."""
    found = underlay(derived(healthy())["fe-leaf-000"])
    uplinks = ("swp29", "swp30", "swp31", "swp32")
    spines = ("10.128.0.17", "10.128.0.19", "10.128.0.21", "10.128.0.23")
    assert found["10.128.192.9/32"] == ExpectedRoute(
        "", "10.128.192.9/32", 4, uplinks, spines, False, "fe-leaf-002", "fe-leaf-002"
    )  # the VTEP
    assert found["10.128.192.12/32"].interfaces == ("swp29", "swp31")  # fe-spine-00
    assert found["fd5e:8c1f:2a00:1c00::e/128"].interfaces == ("swp30", "swp32")  # fe-spine-01
    # 5 other leaves and borders with a router id, a VTEP and an IPv6 loopback; 2 spines without a VTEP
    assert len(found) == 5 * 3 + 2 * 2


def test_a_spine_knows_nothing_of_the_other_spine() -> None:
    found = underlay(derived(healthy())["fe-spine-00"])
    assert {one.about for one in found.values()} == {
        "fe-border-00", "fe-border-01", "fe-leaf-000", "fe-leaf-001", "fe-leaf-002", "fe-leaf-003"
    }  # fmt: skip
    assert {one.width for one in found.values()} == {2}


def test_a_backend_leaf_discards_its_own_aggregate_and_knows_those_of_others() -> None:
    routes = derived(healthy())["be-leaf-001"].routes
    discards = [one for one in routes if one.discard]
    assert discards == [ExpectedRoute("", "10.64.1.0/25", 0, (), (), True, "be-leaf-001", "be-leaf-001")]
    others = {one.prefix: one.width for one in routes if one.prefix.endswith("/25") and not one.discard}
    assert others == {"10.64.0.0/25": 64, "10.64.2.0/25": 64, "10.64.3.0/25": 64}
    hosts = [one for one in routes if one.prefix.endswith("/31")]
    assert len(hosts) == 16  # two rails of eight servers; the other ports are reserved
    assert hosts[0]._replace(interfaces=()) == ExpectedRoute(
        "", "10.64.1.0/31", 1, (), ("",), False, "train-000 OSFP3P1 rail 2"
    )
    assert len(hosts[0].interfaces) == 1


def test_tenant_subnets_come_from_the_leaves_that_have_them() -> None:
    """Store sits on leaves 000 and 001, train on 002 and 003; serving and research both import storage."""
    found = {(one.vrf, one.prefix): one for one in derived(healthy())["fe-leaf-000"].routes if one.vrf}
    assert found["research", "172.18.0.0/20"].addresses == ("10.128.192.11", "10.128.192.9")
    assert (found["research", "172.18.0.0/20"].width, found["research", "172.18.0.0/20"].origin) == (2, "")
    assert found["storage", "172.17.0.0/20"] == ExpectedRoute(
        "storage", "172.17.0.0/20", 1, (), (), False, "fe-leaf-000", "fe-leaf-000", 20
    )
    assert found["serving", "172.17.0.0/20"].width == 0  # leaked from the VRF beside it, over whatever interface
    assert found["storage", "172.19.16.0/20"].addresses == ("10.128.192.11", "10.128.192.9")
    assert ("research", "172.19.0.0/20") not in found
    assert {prefix for vrf, prefix in found if vrf == "research"} == {
        "172.18.0.0/20", "fd5e:8c1f:2a00:2110::/64", "172.17.0.0/20", "fd5e:8c1f:2a00:2000::/64",
        "172.30.0.3/32", "172.30.0.4/32",
    }  # fmt: skip


def test_vnis_flood_to_the_leaves_that_share_them() -> None:
    found = derived(healthy())
    assert found["fe-leaf-000"].vnis == (
        ExpectedVni(10007, L2, 20, "storage", ("10.128.192.7",)),
        ExpectedVni(10001, L3, 0, "research", ()),
        ExpectedVni(10003, L3, 0, "serving", ()),
        ExpectedVni(10006, L3, 0, "storage", ()),
    )
    assert found["fe-spine-00"].vnis == ()
    assert [one.vni for one in found["fe-border-00"].vnis] == [10001, 10006]


def test_evpn_routes_are_those_that_are_used_here() -> None:
    found = {(one.route_type, one.rd, one.key, one.next_hop) for one in derived(healthy())["fe-leaf-000"].evpn}
    assert (3, "10.128.192.5:7", "10.128.192.5", "") in found  # its own
    assert (3, "10.128.192.7:7", "10.128.192.7", "10.128.192.7") in found
    assert (5, "10.128.192.9:1", "172.18.0.0/20", "10.128.192.9") in found  # research, which storage here imports
    assert {one[0] for one in found} == {3, 5}
    assert not [one for one in found if one[0] == 3 and one[1].startswith("10.128.192.9:")]  # no VLAN of theirs here


def test_a_spine_has_every_evpn_route() -> None:
    found = derived(healthy())
    everyone = {
        (one.route_type, one.rd, one.key)
        for name, expected in found.items()
        if name.startswith(("fe-leaf", "fe-border"))
        for one in expected.evpn
        if not one.next_hop
    }
    assert {(one.route_type, one.rd, one.key) for one in found["fe-spine-01"].evpn} == everyone


def test_tenants_without_a_way_out_must_have_none() -> None:
    found = {(one.vrf, one.prefix) for one in derived(healthy())["fe-leaf-000"].forbidden}
    assert ("serving", "0.0.0.0/0") in found
    assert ("research", "0.0.0.0/0") not in found  # fw1 announces one
    assert ("", "0.0.0.0/0") in found
    assert ("serving", "172.18.0.0/20") in found
    assert ("storage", "172.18.0.0/20") not in found
    assert ("serving", "10.128.0.0/16") in found
    assert ("", "10.64.0.0/16") in found
    assert ("", "10.128.0.0/16") not in found
    assert ("", "172.17.0.0/20") in found


def test_ports_and_neighbors() -> None:
    expected = derived(healthy())["be-leaf-000"]
    by_port = {one.port: one for one in expected.adjacencies}
    up = {one.name: one.up for one in expected.interfaces}
    assert sum(state is True for name, state in up.items() if name.startswith("swp")) == 64 + 16
    assert sum(one.server for one in expected.interfaces if one.up) == 16
    assert sum(state is False for state in up.values()) == 48  # reserved: no server yet
    host = next(one for one in by_port.values() if one.system == "train-003")
    assert not host.required
    assert host.about in ("rail 0", "rail 1")
    assert host.port_id in host.known
    assert len(host.known) == 8 + 2  # all NICs of the server, on both fabrics
    uplink = next(one for one in by_port.values() if one.system == "be-spine-01")
    assert (uplink.required, uplink.about, uplink.known) == (True, "uplink", ())


def test_the_words_of_the_plan_are_taken_where_there_are_some() -> None:
    found = next(iter(expectations(healthy(), about=lambda device, port: f"{device}/{port}")))
    assert found.adjacencies[0].about == f"{found.device}/{found.adjacencies[0].port}"


def test_sessions_name_their_far_ends() -> None:
    """Over the first link of each family, between the loopbacks, and with the outside."""
    found = derived(healthy())
    fars = {one.peer: one.far for one in (*found["fe-leaf-000"].sessions, *found["fe-border-00"].sessions)}
    assert fars["10.128.0.17"] == fars["fd5e:8c1f:2a00:1000::11"] == FindingEnd("fe-spine-00", "swp3")
    assert fars["10.128.192.12"] == FindingEnd("fe-spine-00", "")
    assert fars["172.31.0.1"] == FindingEnd("fw1", "")


def test_outside_sessions_are_planned_and_their_routes_are_not() -> None:
    border = derived(healthy())["fe-border-00"]
    outside = [one for one in border.sessions if one.vrf]
    assert [(one.vrf, one.peer, one.remote_as, one.families) for one in outside] == [
        ("research", "172.31.0.1", 64601, ("ipv4",)),
        ("research", "fd5e:8c1f:2a00:2f00::1", 64601, ("ipv6",)),
    ]
    assert border.unchecked["routes"] == "routes from fw1 are not in the plan"


def test_a_part_of_a_site_is_derived_from_that_part() -> None:
    """A lab's Devices: nothing is expected of switches that are not there."""
    names = ("fe-leaf-000", "fe-leaf-002", "fe-spine-00")
    found = derived(tuple(device for device in healthy() if device.name in names))
    assert {one.about for one in underlay(found["fe-leaf-000"]).values()} == {"fe-leaf-002", "fe-spine-00"}
    assert underlay(found["fe-leaf-000"])["10.128.192.9/32"].interfaces == ("swp29", "swp31")


def test_a_leaf_without_spines_has_no_way_out_either() -> None:
    leaf = healthy()[0]
    bgp = leaf.routing.bgp._replace(groups=(), neighbors=())
    (alone,) = expectations((leaf._replace(routing=leaf.routing._replace(bgp=bgp)),))
    assert [one.prefix for one in alone.forbidden] == ["0.0.0.0/0", "::/0"]
    assert {one.prefix for one in alone.routes if not one.prefix.endswith("/31")} == {"10.64.0.0/25"}


# --- drained -------------------------------------------------------------------------------------


def test_one_drained_link_is_left_out() -> None:
    drained = derived(site(Exceptions(ports={PortKey("fe-leaf-000", "swp29"): "drained"})))
    assert underlay(drained["fe-leaf-000"])["10.128.192.9/32"].interfaces == ("swp30", "swp31", "swp32")
    assert underlay(drained["fe-spine-00"])["10.128.192.5/32"].interfaces == ("swp19",)
    assert underlay(drained["fe-leaf-002"])["10.128.192.5/32"].width == 4  # of the spine's two links one is left


def test_a_pair_with_all_links_drained_is_gone_around() -> None:
    ports = {PortKey("fe-leaf-000", name): "drained" for name in ("swp29", "swp31")}
    drained = derived(site(Exceptions(ports=ports)))
    assert underlay(drained["fe-leaf-000"])["10.128.192.9/32"].interfaces == ("swp30", "swp32")
    assert underlay(drained["fe-leaf-002"])["10.128.192.5/32"].interfaces == ("swp30", "swp32")
    assert underlay(drained["fe-leaf-000"])["10.128.192.12/32"].interfaces == ("swp29", "swp31")  # no other way


def test_a_drained_leaf_is_still_reached_over_everything() -> None:
    """As `ip route` shows in test_frr_links.py. A tenant's subnet is at the other leaf alone: its overlay is marked."""
    drained = derived(site(Exceptions(devices={"fe-leaf-002": "drained"})))
    assert underlay(drained["fe-leaf-000"])["10.128.192.9/32"].width == 4
    assert underlay(drained["fe-leaf-002"])["10.128.192.5/32"].width == 4
    tenants = {(one.vrf, one.prefix): one.addresses for one in drained["fe-leaf-000"].routes if one.vrf}
    assert tenants["research", "172.18.0.0/20"] == ("10.128.192.11",)


def test_a_drained_spine_carries_nothing() -> None:
    drained = derived(site(Exceptions(devices={"fe-spine-00": "drained"})))
    assert underlay(drained["fe-leaf-000"])["10.128.192.9/32"].interfaces == ("swp30", "swp32")
    assert underlay(drained["fe-leaf-000"])["10.128.192.12/32"].interfaces == ("swp29", "swp31")


def test_an_absent_cable_is_shut_and_carries_no_session() -> None:
    absent = derived(site(Exceptions(ports={PortKey("fe-leaf-000", "swp29"): "absent"})))["fe-leaf-000"]
    assert {one.name: one.up for one in absent.interfaces}["swp29"] is False
    assert "swp29" not in {one.port for one in absent.adjacencies}
    assert "10.128.0.17" not in {one.peer for one in absent.sessions}
    assert underlay(absent)["10.128.192.9/32"].width == 3


# --- by brute force ------------------------------------------------------------------------------

SPINES = ("fe-spine-00", "fe-spine-01", "be-spine-00", "be-spine-01")
LEAVES = ("fe-leaf-000", "fe-leaf-001", "fe-leaf-002", "fe-leaf-003", "fe-border-00")
UPLINKS = ("swp29", "swp30", "swp31", "swp32")


def faults(seed: int) -> Exceptions:
    """Some switches and links drained, some cables absent."""
    chance = Random(seed)  # noqa: S311 - a draw that can be repeated
    devices = {name: "drained" for name in (*SPINES, *LEAVES) if chance.random() < 0.2}
    ports = {
        PortKey(leaf, port): chance.choice(("drained", "drained", "absent"))
        for leaf in LEAVES[:4]
        for port in UPLINKS
        if chance.random() < 0.3
    }
    return Exceptions(devices=devices, ports=ports)


def frontend(devices: tuple[Device, ...]) -> tuple[Device, ...]:
    return tuple(device for device in devices if device.fabric == "frontend")


@pytest.mark.parametrize("seed", some(range(12)))
@pytest.mark.parametrize("family", [IPV4, IPV6])
def test_widths_are_those_of_bgp(seed: int, family: str) -> None:
    devices = frontend(site(faults(seed) if seed else Exceptions()))
    found, sent = derived(devices), wires(devices, family)
    for origin in devices:
        bgp = origin.routing.bgp
        for prefix in bgp.networks_ipv4 if family == IPV4 else bgp.networks_ipv6:
            best = converge(devices, family, prefix, origin.name, sent)
            for device in devices:
                ports = sorted(path.port for path in best.get(device.name, ())) if device is not origin else []
                route = underlay(found[device.name]).get(prefix)
                assert (list(route.interfaces) if route else []) == ports, (device.name, origin.name, prefix)
                assert route is None or route.width == len(ports)


@pytest.mark.parametrize("seed", range(12))
def test_vteps_of_a_subnet_are_those_of_bgp(seed: int) -> None:
    """Each leaf's EVPN route has its own RD; a VRF compares them as it compares paths (RFC 4364 section 4.3)."""
    devices = frontend(site(faults(seed) if seed else Exceptions()))
    found, sent = derived(devices), wires(devices, EVPN)
    leaves = [device for device in devices if device.evpn]
    best = {leaf.name: converge(devices, EVPN, f"{leaf.evpn.vtep}/32", leaf.name, sent) for leaf in leaves if leaf.evpn}
    for leaf in leaves:
        for route in (one for one in found[leaf.name].routes if one.vrf and one.addresses):
            ranks = {
                far.evpn.vtep: (-paths[0].preference, len(paths[0].numbers))
                for far in leaves
                if far is not leaf and far.evpn and (paths := best[far.name].get(leaf.name))
                if any(
                    route.prefix in (*vrf.networks_ipv4, *vrf.networks_ipv6)
                    and vrf.name in (route.vrf, *_imports(leaf, route.vrf))
                    for vrf in far.routing.bgp.vrfs
                )
            }
            top = min(ranks.values())
            assert route.addresses == tuple(sorted(vtep for vtep, rank in ranks.items() if rank == top)), route


def _imports(device: Device, name: str) -> tuple[str, ...]:
    return next(vrf.imports for vrf in device.routing.bgp.vrfs if vrf.name == name)


# --- words ---------------------------------------------------------------------------------------


def test_cables_are_named_by_rail_plane_and_uplink() -> None:
    """OSFP4P2 and OSFP3P2 of a DGX H100 are its rails 0 and 1 (its hardware file); a leaf here serves two rails."""
    made = plan_of(single_homed())
    found = {one.device: one for one in expectations(tuple(resolved(made)), about=about_of(made))}
    leaf = {one.port_id: one.about for one in found["be-leaf-000"].adjacencies if one.system == "train-003"}
    assert leaf == {"OSFP4P2": "rail 0 plane 0", "OSFP3P2": "rail 1 plane 0"}
    frontend = {one.port: one.about for one in found["fe-leaf-000"].adjacencies}
    assert frontend == {
        **{f"swp{at}": "server port" for at in range(1, 5)},
        **{f"swp{29 + at}": f"uplink {at}" for at in range(4)},
    }
    spine = {one.about for one in found["be-spine-01"].adjacencies}
    assert spine == {f"from uplink {at} plane 0" for at in range(1, 64, 2)}
    assert about_of(made)("fe-border-00", "swp1") == ""  # to a firewall
    assert about_of(made)("nobody", "swp1") == ""
