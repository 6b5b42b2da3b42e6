"""One address at hosts behind different leaves, as EVPN's routes of type 2 tell of it.

Rows are those of `show bgp l2vpn evpn json` of FRR 8.4.4 in a lab, 2026-11-23, as the reader has them.
"""

from dataclasses import replace

from fabricgen.state.state import EvpnRoute, State
from fabricgen.verify.causes.causes import caused
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.finding import SwitchVerdict
from fabricgen.verify.judge.device import judge
from tests.verify.leaf import LEAF, RIGHT
from tests.verify.sites import healthy

LEAF2 = replace(LEAF, segments={"10.0.0.1:20": 10020, "10.0.0.2:20": 10020, "10.0.0.2:21": 10021})
MINE = EvpnRoute(2, "10.0.0.1:20", "6e:35:78:ab:18:74 172.17.0.2", "")
THEIRS = EvpnRoute(2, "10.0.0.2:20", "a2:e4:b9:f2:ee:f0 172.17.0.2", "10.0.1.2")


def judged(*rows: EvpnRoute) -> SwitchVerdict:
    state: State = replace(RIGHT, evpn=(*(RIGHT.evpn or ()), *rows))
    return judge(LEAF2, state, lambda _, __: ())


def test_one_address_with_two_macs_is_named_with_both() -> None:
    (one,) = judged(MINE, THEIRS).findings
    assert (one.check, one.code, one.subject) == ("evpn", "address-duplicate", "address 172.17.0.2 in VNI 10020")
    assert one.actual == "6e:35:78:ab:18:74 at this switch, a2:e4:b9:f2:ee:f0 at 10.0.1.2"


def test_a_host_of_a_pair_of_leaves_has_one_mac() -> None:
    again = THEIRS._replace(key=MINE.key)
    found = judged(MINE, again)
    assert found.findings == ()
    assert dict(found.passed)["evpn"] == dict(judged().passed)["evpn"] + 1


def test_the_same_address_in_another_network_is_another() -> None:
    assert judged(MINE, THEIRS._replace(rd="10.0.0.2:21")).findings == ()
    assert judged(MINE, THEIRS._replace(tag=7)).findings == ()  # a network of a bundle


def test_what_is_not_compared() -> None:
    """MACs without an address, link-local addresses, and networks that the switch does not have."""
    link = "fe80::6c35:78ff:feab:1874"
    assert judged(MINE._replace(key="6e:35:78:ab:18:74"), THEIRS._replace(key="a2:e4:b9:f2:ee:f0")).findings == ()
    local = (row._replace(key=f"{row.key.partition(' ')[0]} {link}") for row in (MINE, THEIRS))
    assert judged(*local).findings == ()
    assert judged(MINE._replace(rd="10.9.9.9:20"), THEIRS).findings == ()


def test_leaves_that_tell_of_one_address_tell_it_once() -> None:
    one = judged(MINE, THEIRS)
    other = replace(one, device="leaf2", findings=tuple(row._replace(device="leaf2") for row in one.findings))
    found = caused((one, other))
    assert [row.cause for verdict in found for row in verdict.findings] == [
        None,
        ("leaf1", "address-duplicate", "address 172.17.0.2 in VNI 10020"),
    ]


def test_networks_are_told_apart_by_what_the_plan_gives_them() -> None:
    """A leaf has its own and those of the leaves that share a network with it; a spine has none."""
    found = {one.device: one.segments for one in expectations(healthy())}
    leaf = next(device for device in healthy() if device.name == "fe-leaf-002")
    assert leaf.evpn is not None
    own = {vlan.rd: vlan.vni for vlan in leaf.evpn.vlans}
    assert own.items() <= found[leaf.name].items()
    assert set(found[leaf.name].values()) == set(own.values())
    assert len(found[leaf.name]) > len(own)
    assert found["fe-spine-00"] == {}
