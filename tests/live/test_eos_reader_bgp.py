"""BGP sessions of EOS from forms that were not recorded, each with its source; see test_eos_reader_forms.py."""

import pytest

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.eos.live import reader as eos
from fabricgen.state.state import FamilyState, Session
from tests.live.eos_shown import REFUSED, of, shown


def summary(peers: dict[str, object], asn: str = "65001") -> object:
    """ANTA test_bgp.py, VerifyBGPPeerCount: `show bgp summary vrf all`."""
    return {"vrfs": {"default": {"vrf": "default", "routerId": "10.0.0.9", "asn": asn, "peers": peers}}}


def test_bgp_summary_of_all_families() -> None:
    """A family that is only advertised is not negotiated."""
    peers: dict[str, object] = {
        "10.0.0.1": {
            "peerState": "Established",
            "peerAsn": "65100",
            "ipv4Unicast": {"afiSafiState": "negotiated", "nlrisReceived": 4, "nlrisAccepted": 3},
            "l2VpnEvpn": {"afiSafiState": "negotiated", "nlrisReceived": 42, "nlrisAccepted": 42},
        },
        "FD00:0::2": {
            "peerState": "Active",
            "peerAsn": "65100",
            "ipv6Unicast": {"afiSafiState": "advertised", "nlrisReceived": 0, "nlrisAccepted": 0},
        },
    }
    found = of(eos.BGP_SUMMARY, summary(peers)).bgp
    assert found is not None
    assert (found.asn, found.router_id) == (65001, "10.0.0.9")
    assert found.sessions == (
        Session("", "10.0.0.1", 65100, "Established", (FamilyState("ipv4", 4), FamilyState("evpn", 42))),
        Session("", "fd00::2", 65100, "Active", ()),
    )


def test_asn_in_two_parts() -> None:
    """NAPALM test_get_bgp_neighbors/issue1759: "65001.1028" on a switch with `bgp asn notation asdot`."""
    found = of(eos.BGP_SUMMARY, summary({"10.0.0.1": {"peerState": "Idle", "peerAsn": "65001.1028"}}, "65002.2048")).bgp
    assert found is not None
    assert (found.asn, found.sessions[0].remote_as) == (65002 * 65536 + 2048, 65001 * 65536 + 1028)


def test_the_summary_stands_before_the_lists() -> None:
    outputs = {
        eos.BGP_SUMMARY: Output(summary({"fd00::2": {"peerState": "Idle", "peerAsn": "1"}})),
        eos.BGP_IPV4: Output({"vrfs": {}}),
        eos.BGP_IPV6: REFUSED,
    }
    found = shown(outputs).bgp
    assert found is not None
    assert [one.peer for one in found.sessions] == ["fd00::2"]


def test_lists_of_both_families_make_one() -> None:
    """NAPALM test_get_bgp_neighbors/issue1759: `show ipv6 bgp peers vrf all` has the form of the IPv4 list."""

    def row(address: str, asn: str) -> object:
        caps = {"ipv6Unicast": {"advertised": True, "received": True, "enabled": True}}
        return {
            "peerAddress": address,
            "asn": asn,
            "state": "Established",
            "localAsn": "65001",
            "localRouterId": "10.0.0.9",
            "neighborCapabilities": {"multiprotocolCaps": {"ipv4Unicast": {"enabled": False}, **caps}},
            "v6PrefixesReceived": 3,
        }

    outputs = {
        eos.BGP_SUMMARY: REFUSED,
        eos.BGP_IPV4: Output({"vrfs": {"default": {"peerList": [row("10.0.0.1", "2")]}}}),
        eos.BGP_IPV6: Output({"vrfs": {"default": {"peerList": [row("fd00::1", "2.3")]}, "red": {"peerList": []}}}),
    }
    found = shown(outputs).bgp
    assert found is not None
    assert found.sessions == (
        Session("", "10.0.0.1", 2, "Established", (FamilyState("ipv6", 3),)),
        Session("", "fd00::1", 131075, "Established", (FamilyState("ipv6", 3),)),
    )


def test_one_list_alone_is_not_enough() -> None:
    outputs = {eos.BGP_SUMMARY: REFUSED, eos.BGP_IPV4: Output({"vrfs": {}}), eos.BGP_IPV6: REFUSED}
    assert shown(outputs).bgp is None
    assert shown(outputs).unread["bgp"] == f"{eos.BGP_IPV6}: the switch refused it"


def test_a_summary_that_did_not_arrive_is_no_refusal() -> None:
    """Only a switch that refused the summary is asked by lists: a broken transport says nothing."""
    lists = {command: Output({"vrfs": {}}) for command in (eos.BGP_IPV4, eos.BGP_IPV6)}
    outputs = {eos.BGP_SUMMARY: Output(None, 'Unable to execute command "x": timed out'), **lists}
    assert shown(outputs).bgp is None
    assert "timed out" in shown(outputs).unread["bgp"]


@pytest.mark.parametrize(
    ("state", "capability", "families"),
    [
        ("Established", {"advertised": True, "received": True, "enabled": True}, (FamilyState("ipv4", -1),)),
        ("Established", {"advertised": True, "received": False, "enabled": False}, ()),
        ("Idle", {"advertised": True, "received": True, "enabled": True}, ()),
    ],
)
def test_only_what_both_ends_agree_on_is_negotiated(
    state: str, capability: object, families: tuple[FamilyState, ...]
) -> None:
    """ANTA VerifyBGPPeersHealth and the recordings of 4.36: enabled is what both ends have, and of a session."""
    caps = {"multiprotocolCaps": {"ipv4Unicast": capability}}
    row = {"peerAddress": "fe80::1%Et1", "asn": "2", "state": state, "neighborCapabilities": caps}
    outputs = {
        eos.BGP_SUMMARY: REFUSED,
        eos.BGP_IPV4: Output({"vrfs": {}}),
        eos.BGP_IPV6: Output({"vrfs": {"default": {"peerList": [row]}}}),
    }
    found = shown(outputs).bgp
    assert found is not None
    assert found.sessions == (Session("", "Ethernet1", 2, state, families),)
