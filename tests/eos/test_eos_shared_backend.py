"""A backend that tenants share, in EOS's words: against pyavd's, with every name defined; marks only where vouched."""

import pytest

from tests.eos.fleet import render
from tests.eos.modes import entered, stripped
from tests.eos.oracle import compare, paths, repeated
from tests.eos.references import loose
from tests.eos.rules import broken
from tests.eos.shared_backend import sample
from tests.eos.test_eos_oracle import kinds, pyavds, unexplained
from tests.some import some

ROLES = ("leaf", "spine")
MARKS = (
    "vxlan qos ecn propagation",
    "vxlan qos dscp propagation encapsulation",
    "vxlan qos map dscp to traffic-class decapsulation",
)


@pytest.mark.parametrize("role", some(ROLES, of=2))
def test_every_line_is_pyavds_in_its_order(role: str) -> None:
    ours, theirs = render(sample(role)), pyavds(sample(role))
    assert unexplained(compare(ours, theirs)) == []
    assert repeated(ours) == []
    assert kinds(ours) == kinds(theirs)


@pytest.mark.parametrize("role", ROLES)
def test_a_text_is_whole_by_itself(role: str) -> None:
    text = render(sample(role))
    assert broken(text) == []
    assert loose(text) == []
    assert entered(stripped(text)) == paths(text)


def test_a_leaf_says_what_a_vtep_without_bridging_needs() -> None:
    lines = {path[-1] for path in paths(render(sample("leaf")))}
    inside = {path for path in paths(render(sample("leaf"))) if path[0] == "interface Ethernet1/1"}
    assert {"vrf instance research", "ip routing vrf research", "vxlan vrf research vni 10001", *MARKS} <= lines
    assert {"vrf research", "ip address 10.64.0.0/31", "mtu 9164", "service-profile ROCE-400G"} <= {
        path[-1] for path in inside
    }
    assert not [line for line in lines if line.startswith(("vxlan vlan", "switchport mode", "ip virtual-router"))]
    assert not [path for path in paths(render(sample("leaf"))) if path[-1].startswith("redistribute")]


def test_the_address_of_a_port_comes_after_its_vrf() -> None:
    """EOS takes addresses off a port whose VRF changes."""
    port = [path[-1] for path in paths(render(sample("leaf"))) if path[0] == "interface Ethernet1/1"]
    assert port.index("vrf research") < port.index("ip address 10.64.0.0/31")


def test_no_marks_are_said_of_a_chip_that_nobody_vouches_for() -> None:
    lines = {path[-1] for path in paths(render(sample("leaf", lossless=False)))}
    assert not lines & set(MARKS)
    assert "vxlan vrf research vni 10001" in lines


def test_a_spine_hands_routes_on_with_their_next_hops() -> None:
    lines = {path[-1] for path in paths(render(sample("spine")))}
    assert "neighbor LEAVES-EVPN next-hop-unchanged" in lines
    assert not [line for line in lines if line.startswith(("vxlan", "vrf research"))]
