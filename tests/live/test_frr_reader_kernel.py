"""Interfaces, routes and VNIs of a kernel with VRF devices, from its recorded words."""

from collections.abc import Callable
from typing import Any

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.state.state import Hop, Interface, Route, State, Vni
from tests.live import frr_kernel
from tests.live.frr_said import NAMES, outputs


def read(change: Callable[[dict[str, Output]], object] = lambda _: None) -> State:
    """State of that switch after a change to what it says."""
    found = outputs()
    change(found)
    return FRR.state(found, NAMES)


def test_interfaces() -> None:
    assert read().interfaces == (
        Interface("bond1", "lag", admin_up=False, oper_up=False, mtu=1500, addresses=(), vlans=()),
        Interface("bridge", "other", True, True, 1500, ()),
        Interface("lo", "loopback", True, True, 65536, ("10.0.0.4/32", "fd00::4/128")),
        Interface("research", "other", True, True, 65575, ()),
        Interface("swp1", "ethernet", True, True, 1500, ("10.1.0.0/31", "fd01::/127"), vlans=()),
        Interface("swp2", "ethernet", admin_up=True, oper_up=False, mtu=1500, addresses=(), vlans=()),
        Interface("swp3", "ethernet", admin_up=False, oper_up=False, mtu=1500, addresses=(), vlans=()),
        Interface("swp5", "ethernet", True, True, 1500, (), vlans=()),
        Interface("vni10001", "other", True, True, 1500, ()),
        Interface("vrf10002", "other", True, True, 65575, ()),
        Interface("dummy1", "loopback", True, True, 1500, ("172.30.0.1/32",), "research"),
        Interface("swp5.900", "subinterface", True, True, 1500, ("172.31.0.0/31",), "research", 900),
        Interface("vlan110", "svi", True, True, 1500, ("172.18.0.1/20", "fd02::1/64"), "research", 110),
        Interface("vlan4094", "svi", True, True, 1500, (), "research", 4094),
    )


def test_an_address_that_another_box_has_is_none() -> None:
    """Recorded on Linux 6.18: the second of two ends with one address."""
    double = frr_kernel.address("fd0a::1/64", dadfailed=True, tentative=True)
    state = read(lambda found: found["ip -j -d addr show"].value[4].update(addr_info=[double]))  # type: ignore[index]
    assert state.interfaces is not None
    assert {row.name: row.addresses for row in state.interfaces}["swp5"] == ()


def test_a_device_of_unknown_state_is_up_only_with_a_carrier() -> None:
    state = read(lambda found: found["ip -j -d addr show"].value[12].update(flags=["BROADCAST", "UP"]))  # type: ignore[index]
    assert {row.name: (row.admin_up, row.oper_up) for row in state.interfaces or ()}["dummy1"] == (True, False)


def test_a_vrf_that_is_a_namespace() -> None:
    """As on a kernel without VRF devices: VLANs are bridges, and what they bridge is in no VRF."""
    own = [frr_kernel.address("::1/128", "host")]
    there = [
        frr_kernel.device("lo", link_type="loopback", operstate="UNKNOWN", addr_info=own),
        frr_kernel.device("vlan120", "bridge", mtu=9164, addr_info=[frr_kernel.address("172.19.0.1/20")]),
        frr_kernel.device("swp8", "veth", master="vlan120"),
        frr_kernel.device("swp5", "veth", master="vlan120", mtu=9000),
        frr_kernel.device("swp6.121", "vlan", link_netnsid=0, info={"protocol": "802.1Q", "id": 121}),
    ]
    state = read(lambda found: found.update({"ip -n mgmt -j -d addr show": Output(there)}))
    before = {*(read().interfaces or ())}
    assert {*(state.interfaces or ())} - before == {
        Interface("vlan120", "svi", True, True, 9164, ("172.19.0.1/20",), "oob", 120),
        Interface("swp8", "ethernet", True, True, 1500, ()),
        Interface("swp6.121", "subinterface", True, True, 1500, (), "oob", 121),
    }
    assert {row.name: row.mtu for row in state.interfaces or ()}["swp5"] == 1500  # the switch's own


def test_a_vrf_that_is_called_otherwise_has_the_name_of_the_plan() -> None:
    def move(found: dict[str, Output]) -> None:
        devices: Any = found["ip -j -d addr show"].value
        devices[4]["master"] = "vrf10002"
        routes: Any = found["ip -j -N route show table all"].value
        routes.append({"dst": "10.5.0.0/24", "dev": "swp5", "table": "1002", "protocol": "2", "flags": []})

    state = read(move)
    assert state.interfaces is not None
    assert {row.name: row.vrf for row in state.interfaces}["swp5"] == "a-tenant-with-a-long-name"
    assert Route("a-tenant-with-a-long-name", "10.5.0.0/24", "connected", (Hop("", "swp5"),)) in (state.routes or ())


def test_routes() -> None:
    """No local, broadcast or link-local ones, no other tables, no dead next hops; of two defaults the one in use.

    iproute2 names no protocol where it is `boot`: that of a route from a command.
    """
    one, two = Hop("10.1.0.1", "swp1"), Hop("10.1.0.3", "swp2")
    far = (Hop("10.0.0.8", "vlan4094"), Hop("10.0.0.9", "vlan4094"))
    assert read().routes == (
        Route("", "10.1.0.0/31", "connected", (Hop("", "swp1"),)),
        Route("", "10.10.0.0/16", "bgp", (one, two)),
        Route("", "10.11.0.0/16", "boot", ()),
        Route("", "10.64.0.0/16", "static", ()),
        Route("", "10.8.0.0/16", "bgp", (Hop("fe80::1", "swp1"),)),
        Route("", "10.9.0.0/16", "bgp", (two,)),
        Route("", "fd00::4/128", "connected", (Hop("", "lo"),)),
        Route("", "fd09::/64", "bgp", (Hop("fd01::1", "swp1"), Hop("fd01::3", "swp2"))),
        Route("", "fd64::/64", "static", ()),
        Route("research", "0.0.0.0/0", "bgp", (Hop("172.31.0.1", "swp5.900"),)),
        Route("research", "172.18.0.0/20", "connected", (Hop("", "vlan110"),)),
        Route("research", "172.19.0.0/20", "bgp", far),
        Route("research", "::/0", "boot", ()),
        Route("research", "fd02::/64", "connected", (Hop("", "vlan110"),)),
        Route("research", "fd19::/64", "bgp", far),
    )


def test_a_route_without_a_living_next_hop_is_no_discard_route() -> None:
    def kill(found: dict[str, Output]) -> None:
        routes: Any = found["ip -j -N route show table all"].value
        for hop in routes[11]["nexthops"]:
            hop["flags"] = ["dead"]

    assert "10.9.0.0/16" in {row.prefix for row in read().routes or ()}
    assert "10.9.0.0/16" not in {row.prefix for row in read(kill).routes or ()}


def test_next_hops_listed_one_by_one_are_one_route() -> None:
    """As kernels before 4.11 list those of an IPv6 route: RTM_GETROUTE gave one message for each."""
    common = {"dst": "fd99::/64", "protocol": "186", "metric": 20, "flags": [], "pref": "medium"}
    singles = [{**common, "gateway": f"fd01::{end}", "dev": f"swp{end}"} for end in (1, 2)]
    state = read(lambda found: found["ip -j -N route show table all"].value.extend(singles))  # type: ignore[attr-defined]
    wanted = Route("", "fd99::/64", "bgp", (Hop("fd01::1", "swp1"), Hop("fd01::2", "swp2")))
    assert [row for row in state.routes or () if row.prefix == "fd99::/64"] == [wanted]


def test_shares_of_the_traffic() -> None:
    """`weight` as the kernel has it, from 1 to 256 (ip-route(8)); a single next hop has none."""
    hops = [{"gateway": f"10.1.0.{end}", "dev": f"swp{end}", "weight": end * 100, "flags": []} for end in (1, 2)]
    more = [{"dst": "10.21.0.0/16", "protocol": "186", "flags": [], "nexthops": hops}]
    state = read(lambda found: found["ip -j -N route show table all"].value.extend(more))  # type: ignore[attr-defined]
    wanted = Route("", "10.21.0.0/16", "bgp", (Hop("10.1.0.1", "swp1", 100), Hop("10.1.0.2", "swp2", 200)))
    assert [row for row in state.routes or () if row.prefix == "10.21.0.0/16"] == [wanted]


def test_the_lowest_metric_counts() -> None:
    """Linux takes the route of the lowest priority value (ip-route(8), metric)."""
    common = {"dst": "10.20.0.0/16", "protocol": "186", "flags": [], "gateway": "10.1.0.1"}
    more = [{**common, "dev": port, "metric": metric} for port, metric in (("swp5", 30), ("swp1", 20), ("swp2", 25))]
    state = read(lambda found: found["ip -j -N route show table all"].value.extend(more))  # type: ignore[attr-defined]
    wanted = Route("", "10.20.0.0/16", "bgp", (Hop("10.1.0.1", "swp1"),))
    assert [row for row in state.routes or () if row.prefix == "10.20.0.0/16"] == [wanted]


def test_a_next_hop_object_that_is_not_shown_is_no_discard() -> None:
    bare = {"dst": "10.12.0.0/16", "nhid": 13, "protocol": "186", "flags": []}
    state = read(lambda found: found["ip -j -N route show table all"].value.append(bare))  # type: ignore[attr-defined]
    assert state.routes is None
    assert "10.12.0.0/16" in state.unread["routes"]


def test_flood_list_and_vlan_of_a_vni_without_an_svi() -> None:
    assert read().vnis == (
        Vni(10001, "l2", 110, "research", ("10.0.0.8", "10.0.0.9"), True),
        Vni(50001, "l3", 4094, "research", (), True),
    )


def test_a_vni_whose_vrf_the_kernel_does_not_have() -> None:
    """FRR 8.4.4 then prints Unknown, and calls the VNI down."""
    said = '[{"vni":50002,"type":"L3","vxlanIntf":"None","sviIntf":"None","state":"Down","vrf":"Unknown"}]'
    state = read(lambda found: found.update({"show evpn vni detail json": Output(said)}))
    assert state.vnis == (Vni(50002, "l3", 0, "", (), up=False),)


def test_a_vni_whose_device_is_down() -> None:
    state = read(lambda found: found["ip -j -d addr show"].value[13].update(flags=["BROADCAST"]))  # type: ignore[index]
    assert [row.up for row in state.vnis or ()] == [False, True]


@pytest.mark.parametrize("part", ["interfaces", "routes", "vnis"])
def test_a_namespace_that_does_not_answer_is_not_taken_for_absent(part: str) -> None:
    """Of a VRF that is no device, only `no such namespace` says that it has nothing."""
    command = next(read.command for read in FRR.reads(["mgmt"]) if " -n mgmt " in read.command and read.part == part)
    state = read(lambda found: found.update({command: Output(None, "no answer within 60 s")}))
    assert getattr(read(), part) is not None
    assert getattr(state, part) is None
    assert "no answer within 60 s" in state.unread[part]
