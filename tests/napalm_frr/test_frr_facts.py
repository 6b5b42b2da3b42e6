"""Facts of FRR 8.4.4 that templates, verify and driver lean on, seen on two switches with two cables between them.

swp1 carries a numbered session and an unnumbered one, swp2 an unnumbered one alone; ASNs have four bytes.
"""

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from tests.frr.waiting import becomes
from tests.judges import frr
from tests.judges.frr import Link, Loaded
from tests.napalm_frr import fabric, switches

NAMES = ("one", "two")
ASN = {"one": 4200000001, "two": 4200000002}
VNI = 10010
Pair = Mapping[str, Loaded]


def _text(name: str) -> str:
    mine, far = NAMES.index(name), 1 - NAMES.index(name)
    return f"""frr defaults datacenter
hostname {name}
no zebra nexthop kernel enable
!
router bgp {ASN[name]}
 bgp router-id 10.0.0.{mine + 1}
 neighbor FAB peer-group
 neighbor FAB remote-as external
 neighbor FAB timers connect 1
 neighbor 172.16.0.{far} peer-group FAB
 neighbor swp1 interface v6only peer-group FAB
 neighbor swp2 interface v6only peer-group FAB
 address-family ipv4 unicast
  network 10.0.0.{mine + 1}/32
 exit-address-family
 address-family ipv6 unicast
  network 2001:db8::{mine + 1}/128
  neighbor 172.16.0.{far} activate
 exit-address-family
 address-family l2vpn evpn
  neighbor swp2 activate
  advertise-all-vni
 exit-address-family
exit
"""


@pytest.fixture(scope="module")
def pair() -> Iterator[Pair]:
    if frr.available() is not None:
        pytest.skip(f"judge: {frr.available()}")
    addresses = {
        name: {"lo": [f"10.0.0.{at + 1}/32", f"2001:db8::{at + 1}/128"], "swp1": [f"172.16.0.{at}/31"]}
        for at, name in enumerate(NAMES)
    }
    cables = (Link(("one", "swp1"), ("two", "swp1")), Link(("one", "swp2"), ("two", "swp2")))
    with frr.wire({name: _text(name) for name in NAMES}, addresses, cables) as found:
        for at, name in enumerate(NAMES):
            switches.tunnel(found[name], VNI, f"10.0.0.{at + 1}")
        yield found


def _show(switch: Loaded, command: str) -> Any:  # noqa: ANN401  # whatever the command prints
    return json.loads(switch.show(command))


def _states(switch: Loaded) -> dict[str, str]:
    peers = _show(switch, "show bgp summary json")["ipv4Unicast"]["peers"]
    return {name: row["state"] for name, row in peers.items()}


def _hops(switch: Loaded, *words: str) -> dict[str, Any]:
    """Port → next hop of one route in the kernel."""
    rows = switches.kernel(switch, *words)
    return {hop["dev"]: {**row, **hop} for row in rows for hop in row.get("nexthops", [row])}


def test_numbered_and_unnumbered_share_a_link_with_v6only(pair: Pair) -> None:
    up = "Established"
    becomes({"172.16.0.1": up, "swp1": up, "swp2": up}, _states, pair["one"])


def test_without_v6only_the_unnumbered_peer_takes_the_ipv4_address(pair: Pair) -> None:
    """So it would fight with the numbered peer of the same address, and does not come up."""
    becomes(True, lambda: _address(pair["one"]).startswith("fe80:"))
    as_bgp = ("configure terminal", f"router bgp {ASN['one']}", "no neighbor swp1 interface v6only peer-group FAB")
    pair["one"].configure((*as_bgp, "neighbor swp1 interface peer-group FAB"))
    try:
        becomes("172.16.0.1", _address, pair["one"])
    finally:
        pair["one"].configure((*as_bgp[:2], "no neighbor swp1 interface peer-group FAB"))
        pair["one"].configure((*as_bgp[:2], "neighbor swp1 interface v6only peer-group FAB"))
    becomes(True, lambda: _address(pair["one"]).startswith("fe80:"))


def _address(switch: Loaded) -> str:
    """Address that the unnumbered peer on swp1 is talked to at."""
    return str(_show(switch, "show bgp neighbors swp1 json")["swp1"].get("bgpNeighborAddr", ""))


def test_ipv4_over_an_unnumbered_session_is_via_a_link_local_gateway_onlink(pair: Pair) -> None:
    becomes(True, lambda: "swp2" in _hops(pair["one"], "route", "show", "10.0.0.2"))
    hop = _hops(pair["one"], "route", "show", "10.0.0.2")["swp2"]
    assert hop["gateway"] == "169.254.0.1"
    assert "onlink" in hop["flags"]


def test_ipv6_over_a_numbered_ipv4_session_is_via_the_link_local_address(pair: Pair) -> None:
    peers = {"172.16.0.1"}
    becomes(peers, lambda: set(_show(pair["one"], "show bgp summary json")["ipv6Unicast"]["peers"]))
    becomes({"swp1"}, lambda: set(_hops(pair["one"], "-6", "route", "show", "2001:db8::2")))
    assert _hops(pair["one"], "-6", "route", "show", "2001:db8::2")["swp1"]["gateway"].startswith("fe80:")


@pytest.mark.parametrize(("name", "target"), [("one", "59905:10010"), ("two", "59906:10010")])
def test_automatic_route_targets_have_the_low_half_of_the_asn(pair: Pair, name: str, target: str) -> None:
    """And they are imported whatever that half is: each hears of the other's tunnel."""
    assert ASN[name] % 65536 == int(target.partition(":")[0])
    becomes([target], lambda: _show(pair[name], f"show bgp l2vpn evpn vni {VNI} json").get("exportRts"))
    far = f"10.0.0.{2 - NAMES.index(name)}"
    becomes([far], lambda: _show(pair[name], f"show evpn vni {VNI} json").get("numRemoteVteps"))


def test_ecmp_heals_in_the_kernel_after_a_flap(wired: Mapping[str, Loaded]) -> None:
    """The table of zebra table says two ways even where the kernel has one, so the kernel is asked."""
    leaf, far = wired["leaf1"], fabric.LOOPBACK["leaf2"]
    assert "no zebra nexthop kernel enable" in leaf.running
    both = {"swp1", "swp2"}
    becomes(both, switches.devices, leaf, far)
    for _ in range(2):
        frr._must("ip", "-n", leaf.namespace, "link", "set", "swp1", "down")
        becomes({"swp2"}, switches.devices, leaf, far)
        frr._must("ip", "-n", leaf.namespace, "link", "set", "swp1", "up")
        becomes(both, switches.devices, leaf, far)
