"""Routes that nobody planned, and next hops that are not those behind the planned ports, seen on a leaf by the plan."""

from dataclasses import replace
from functools import cache

import pytest

from fabricgen.device.device import Device
from fabricgen.state.state import Hop, Interface, Route, State
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.expect.model import Expected
from fabricgen.verify.finding import Finding
from fabricgen.verify.judge.device import judge
from tests.verify.seen import right_state
from tests.verify.sites import healthy

LEAF, BACKEND = "fe-leaf-000", "be-leaf-000"
SPINE, FAR = Hop("10.128.0.17", "swp29"), Hop("10.128.192.9", "vlan4092")


@cache
def expected(name: str, maximum_paths: int = 0, outside: bool = True) -> Expected:
    """One switch of the small FRR site. outside: firewalls, by which research has a way out."""

    def edited(device: Device) -> Device:
        bgp = device.routing.bgp
        vrfs = bgp.vrfs if outside else tuple(vrf._replace(neighbors=()) for vrf in bgp.vrfs)
        bgp = bgp._replace(vrfs=vrfs, maximum_paths=maximum_paths or bgp.maximum_paths)
        return device._replace(routing=device.routing._replace(bgp=bgp))

    return next(one for one in expectations(tuple(map(edited, healthy()))) if one.device == name)


def told(wanted: Expected, state: State) -> list[Finding]:
    return list(judge(wanted, state, lambda _, __: ()).findings)


def with_routes(wanted: Expected, *routes: Route, interfaces: tuple[Interface, ...] = ()) -> State:
    """The right switch with these routes more, or in place of those of the same prefix."""
    right = right_state(wanted)
    keys = {(route.vrf, route.prefix) for route in routes}
    kept = tuple(route for route in right.routes or () if (route.vrf, route.prefix) not in keys)
    return replace(right, routes=(*kept, *routes), interfaces=(*(right.interfaces or ()), *interfaces))


def codes(wanted: Expected, *routes: Route) -> list[tuple[str, str]]:
    """Code and subject of what is said of these routes."""
    found = told(wanted, with_routes(wanted, *routes))
    return [(one.code, one.subject) for one in found if one.check in ("routes", "isolation")]


# --- what nobody planned ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    "route",
    [
        Route("", "10.64.1.0/26", "boot", (Hop("10.64.0.129", "swp33s0"),)),  # half of another leaf's aggregate
        Route("", "10.64.2.1/32", "boot", ()),  # a discarded host
        Route("", "10.64.2.1/32", "static", (Hop("10.64.0.129", "swp33s0"),)),
        Route("", "192.0.2.0/24", "connected", (Hop("", "br9"),)),
        Route("", "fd00:bad::/64", "boot", (Hop("fe80::1", "swp33s0"),)),
        Route("", "10.64.0.128/31", "boot", (Hop("10.64.0.131", "swp33s1"),)),  # an own link, over another
        Route("", "10.64.0.128/31", "boot", (Hop("", "swp33s1"),)),
        Route("", "10.64.0.128/31", "static", (Hop("10.64.0.129", "swp33s0"),)),  # through a neighbor
        Route("", "10.64.0.128/31", "boot", ()),
    ],
    ids=lambda route: f"{route.prefix} {route.protocol} {len(route.hops)}",
)
def test_the_default_vrf_is_a_closed_list_of_whatever_protocol(route: Route) -> None:
    assert codes(expected(BACKEND), route) == [("route-unexpected", f"route {route.prefix}")]


def test_several_are_told_at_once_and_by_hand_apart_from_bgp() -> None:
    one, two = Route("", "192.0.2.0/25", "boot", (SPINE,)), Route("", "192.0.2.128/25", "static", (SPINE,))
    three = Route("", "198.51.100.0/24", "bgp", (SPINE,))
    found = told(expected(LEAF), with_routes(expected(LEAF), one, two, three))
    assert [(one.subject, one.problem, one.actual) for one in found] == [
        ("2 routes (192.0.2.0/25, 192.0.2.128/25)", "are not in the plan (boot, static)", "10.128.0.17 swp29"),
        ("route 198.51.100.0/24", "BGP has routes that no switch of the plan announces", "10.128.0.17 swp29"),
    ]


@pytest.mark.parametrize(
    "route",
    [
        Route("", "10.128.0.16/31", "connected", (Hop("", "swp29"),)),  # an own link
        Route("", "10.128.192.4/32", "connected", (Hop("", "lo"),)),  # an own loopback
        Route("", "10.128.0.16/32", "connected", (Hop("", "swp29"),)),  # an own address
        Route("", "203.0.113.0/24", "connected", (Hop("", "eth0"),)),  # the management network
        Route("", "::/0", "boot", ()),  # keeps packets in
        Route("storage", "172.17.0.9/32", "bgp", (Hop("10.128.192.7", "vlan4089"),)),  # a host of its subnet
        Route("storage", "172.18.0.9/32", "bgp", (Hop("10.128.192.9", "vlan4094"),)),  # of one that it imports
        Route("oob", "0.0.0.0/0", "static", (Hop("203.0.113.1", "eth0"),)),  # the management VRF
    ],
    ids=lambda route: f"{route.vrf} {route.prefix}",
)
def test_what_belongs_to_a_leaf_is_no_fault(route: Route) -> None:
    wanted = replace(expected(LEAF), management="eth0")
    assert codes(wanted, route) == []


def test_the_relay_beside_is_a_route_of_the_vrf_that_imports_it() -> None:
    """Seen on FRR: storage takes over research's relay of the same leaf, over research's own device."""
    wanted = expected("fe-leaf-002")
    assert codes(wanted, Route("storage", "172.30.0.3/32", "bgp", (Hop("", "vlan4094"),))) == []
    assert codes(wanted, Route("serving", "172.30.0.3/32", "bgp", (Hop("", "vlan4094"),))) != []


# --- tenants ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["172.16.0.0/12", "0.0.0.0/1", "128.0.0.0/1", "172.18.0.0/19", "fd00::/8"])
def test_a_route_that_holds_another_tenant_is_a_leak(prefix: str) -> None:
    """Serving and research never meet; a wider prefix or half of everything leads there as well as the very subnet."""
    found = told(expected(LEAF), with_routes(expected(LEAF), Route("serving", prefix, "boot", (FAR,))))
    assert [(one.code, one.subject, one.actual) for one in found] == [
        ("isolation-route", "VRF serving", f"{prefix} over 10.128.192.9 vlan4092")
    ]


def test_a_leak_says_what_it_leads_to() -> None:
    (found,) = told(expected(LEAF), with_routes(expected(LEAF), Route("serving", "172.18.0.0/19", "boot", (FAR,))))
    assert found.problem == "reaches 172.18.0.0/20 of tenant research"


def test_what_discards_another_tenant_leads_nowhere() -> None:
    assert codes(expected(LEAF), Route("research", "172.16.0.0/12", "static", ())) == []


@pytest.mark.parametrize("prefix", ["0.0.0.0/0", "::/0"])
def test_the_accepted_way_out_holds_all_and_is_right(prefix: str) -> None:
    assert codes(expected(LEAF), Route("research", prefix, "bgp", (FAR,))) == []


@pytest.mark.parametrize("prefix", ["0.0.0.0/1", "172.16.0.0/12"])
def test_what_is_not_accepted_is_a_leak_in_spite_of_the_way_out(prefix: str) -> None:
    assert codes(expected(LEAF), Route("research", prefix, "bgp", (FAR,))) == [("isolation-route", "VRF research")]


@pytest.mark.parametrize(
    "route",
    [
        Route("storage", "198.51.100.0/24", "bgp", (FAR,)),
        Route("storage", "172.17.8.0/24", "connected", (Hop("", "br9"),)),  # a bridge that nobody planned
        Route("storage", "172.17.0.9/32", "boot", (FAR,)),  # a host, by hand
        Route("storage", "172.17.0.9/32", "bgp", ()),
        Route("serving", "172.17.0.0/21", "boot", (FAR,)),
    ],
    ids=lambda route: f"{route.vrf} {route.prefix} {route.protocol}",
)
def test_a_tenant_without_a_way_out_is_a_closed_list(route: Route) -> None:
    assert codes(expected(LEAF), route) == [("route-unexpected", f"route {route.prefix} in {route.vrf}")]


def test_what_a_tenant_learns_outside_is_in_no_plan() -> None:
    route = Route("research", "198.51.100.0/24", "bgp", (FAR,))
    assert sorted(expected(LEAF).closed) == ["", "serving", "storage"]
    assert codes(expected(LEAF), route) == []
    assert codes(expected(LEAF, outside=False), route) == [("route-unexpected", "route 198.51.100.0/24 in research")]


# --- next hops -------------------------------------------------------------------------------------


def test_a_subnet_of_one_s_own_is_connected_by_its_gateway() -> None:
    leaf = expected("fe-leaf-002")
    routes = {(route.vrf, route.prefix): route for route in right_state(leaf).routes or ()}
    right = routes["research", "172.18.0.0/20"]
    assert right.hops == (Hop("", "Vlan110"),)
    for hop in (Hop("10.128.192.11", "vlan4094"), Hop("10.128.192.11", "Vlan110"), Hop("", "Vlan120")):
        (found,) = told(leaf, with_routes(leaf, right._replace(hops=(hop,))))
        assert (found.code, found.subject) == ("route-next-hop", "route 172.18.0.0/20 in research of fe-leaf-002")
        assert found.problem == f"not over vlan 110; also over {f'{hop.address} {hop.interface}'.strip()}"


def test_a_next_hop_is_the_far_end_of_its_link() -> None:
    """Over the right port to an address that is not behind it: packets go nowhere, and BGP says nothing."""
    routes = {route.prefix: route for route in right_state(expected(LEAF)).routes or ()}
    right = routes["10.128.192.9/32"]
    assert right.hops[0] == SPINE
    for wrong in ("10.128.0.77", "10.128.0.19", ""):  # nobody, another port's, none
        state = with_routes(expected(LEAF), right._replace(hops=(Hop(wrong, "swp29"), *right.hops[1:])))
        (found,) = told(expected(LEAF), state)
        assert found.code == "route-next-hop"
        assert found.problem == f"also over {wrong or 'no address'} on swp29"


@pytest.mark.parametrize("address", ["fe80::1", "169.254.0.1"])
def test_link_local_next_hops_are_not_compared(address: str) -> None:
    routes = {route.prefix: route for route in right_state(expected(LEAF)).routes or ()}
    right = routes["10.128.192.9/32"]
    assert codes(expected(LEAF), right._replace(hops=tuple(hop._replace(address=address) for hop in right.hops))) == []


def test_a_host_link_is_connected() -> None:
    wanted = expected(BACKEND)
    right = next(route for route in right_state(wanted).routes or () if route.prefix == "10.64.0.0/31")
    (port,) = {hop.interface for hop in right.hops}
    (found,) = told(wanted, with_routes(wanted, right._replace(hops=(Hop("fe80::1", port),))))
    assert (found.code, found.problem) == ("route-next-hop", f"also over fe80::1 on {port}")


def test_uneven_shares_are_told() -> None:
    routes = {route.prefix: route for route in right_state(expected(LEAF)).routes or ()}
    right = routes["10.128.192.9/32"]
    heavy = right._replace(hops=(SPINE._replace(weight=200), *right.hops[1:]))
    (found,) = told(expected(LEAF), with_routes(expected(LEAF), heavy))
    assert (found.code, found.subject) == ("route-weights", "route 10.128.192.9/32 of fe-leaf-002")
    assert found.actual.startswith("200 over 10.128.0.17 swp29, 1 over ")
    alike = right._replace(hops=tuple(hop._replace(weight=7) for hop in right.hops))
    assert codes(expected(LEAF), alike) == []


def test_of_too_many_equal_paths_each_must_be_one_of_them() -> None:
    wanted = expected(LEAF, maximum_paths=3)
    every = next(one for one in wanted.routes if one.prefix == "10.128.192.9/32")
    pairs = tuple(Hop(address, name) for name, address in zip(every.interfaces, every.addresses, strict=True))
    assert (every.width, len(pairs)) == (3, 4)
    for three in (pairs[:3], pairs[1:]):
        assert not [one for one in told(wanted, with_routes(wanted, Route("", every.prefix, "bgp", three)))
                    if every.prefix in one.subject]  # fmt: skip
    strange = Route("", every.prefix, "bgp", (*pairs[:2], Hop("10.9.9.9", "swp1")))
    assert ("route-next-hop", f"route {every.prefix} of fe-leaf-002") in codes(wanted, strange)
    few = Route("", every.prefix, "bgp", pairs[:2])
    assert ("route-width", f"route {every.prefix} of fe-leaf-002") in codes(wanted, few)
