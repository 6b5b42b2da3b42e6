"""Sessions that are known by their port: what FRR and EOS show of them, and how they are drained.

EOS: forms of ANTA's test data (tests/units/anta_tests: routing/test_bgp.py, test_bfd.py, data/test_md_report.md, at
68667e0e); how a path's next hop is written over such a session was not seen, so that it has a zone is a guess.
FRR: shapes of FRR 8.4.4, 2026-11-21.
"""

import pytest

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.base.live.values import NotUnderstoodError
from fabricgen.platforms.eos.live import drain as eos_drain
from fabricgen.platforms.eos.live import reader as eos
from fabricgen.platforms.eos.live.drift import drift
from fabricgen.platforms.eos.live.reader import EOS
from fabricgen.platforms.eos.live.values import peer_name
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.platforms.linux.live import daemons as frr_daemons
from fabricgen.platforms.linux.live import drain as frr_drain
from fabricgen.platforms.linux.live.decode import CommandOutputs
from fabricgen.state.state import BfdSession, FamilyState, Session
from tests.live.eos_shown import REFUSED, of, shown
from tests.unnumbered.sites import LINK, SPINE, fleet, text

FAR, OTHER = "fe80::ce5:40ff:fe9b:19ca", "fe80::9055:43ff:fe3c:d680"


@pytest.mark.parametrize(
    ("shown", "wanted"),
    [
        ("fe80::2%Et1", "Ethernet1"),
        ("fe80::250:56ff:fe01:112%Vl4094", "Vlan4094"),
        ("fe80::2%Et49/1", "Ethernet49/1"),
        ("10.0.0.1", "10.0.0.1"),
        ("FD00:0::2", "fd00::2"),
        ("fe80::2%mgmt", "fe80::2"),
        ("fe80::2", "fe80::2"),
    ],
)
def test_a_zone_is_the_port_of_a_session(shown: str, wanted: str) -> None:
    assert peer_name(shown) == wanted


@pytest.mark.parametrize("shown", ["", "Ethernet1", "x%Et1", "%Et1"])
def test_what_is_no_address_is_no_peer(shown: str) -> None:
    with pytest.raises(NotUnderstoodError):
        peer_name(shown)


def test_eos_summary_names_ports() -> None:
    row = {
        "peerState": "Established",
        "peerAsn": "65100",
        "ipv4Unicast": {"afiSafiState": "negotiated", "nlrisReceived": 4, "nlrisAccepted": 4},
        "ipv6Unicast": {"afiSafiState": "negotiated", "nlrisReceived": 2, "nlrisAccepted": 2},
    }
    value = {"vrfs": {"default": {"routerId": "10.0.0.9", "asn": "65001", "peers": {"fe80::2%Et49/1": row}}}}
    found = of(eos.BGP_SUMMARY, value).bgp
    assert found is not None
    families = (FamilyState("ipv4", 4), FamilyState("ipv6", 2))
    assert found.sessions == (Session("", "Ethernet49/1", 65100, "Established", families),)


@pytest.mark.parametrize(
    ("row", "wanted"),
    [
        ({"peerAddress": "fe80::250:56ff:fe01:112%Vl4094"}, "Vlan4094"),
        ({"peerAddress": "fe80::2", "ifName": "Ethernet49/1"}, "Ethernet49/1"),
        ({"peerAddress": "10.0.0.1", "ifName": "Ethernet1"}, "10.0.0.1"),
        ({"peerAddress": "fd00::2", "ifName": "Ethernet1"}, "fd00::2"),
    ],
)
def test_eos_lists_name_the_port_beside_every_address(row: dict[str, object], wanted: str) -> None:
    """Recorded on 4.36: a session over addresses has `ifName`, too."""
    listed = {"vrfs": {"default": {"peerList": [{**row, "asn": "65100", "state": "Idle"}]}}}
    found = shown({eos.BGP_SUMMARY: REFUSED, eos.BGP_IPV4: Output({"vrfs": {}}), eos.BGP_IPV6: Output(listed)}).bgp
    assert found is not None
    assert [one.peer for one in found.sessions] == [wanted]


def test_eos_bfd_of_one_address_behind_several_ports() -> None:
    """A switch may have one link-local address on all of its ports."""
    peers = {"fe80::a8c1:abff:fe91:788e": {"peerStats": {"Ethernet1": UP, "Ethernet2": DOWN}}}
    value = {"vrfs": {"default": {"ipv4Neighbors": {"10.0.0.1": {"peerStats": {"": UP}}}, "ipv6Neighbors": peers}}}
    found = of(eos.BFD, value).bfd
    assert found == (
        BfdSession("", "10.0.0.1", True),
        BfdSession("", "Ethernet1", True),
        BfdSession("", "Ethernet2", False),
    )


UP, DOWN = {"status": "up", "remoteDisc": 7}, {"status": "down", "remoteDisc": 0}


def test_eos_shows_a_session_by_the_ports_short_name() -> None:
    name = "fe-spine-00"
    running = text("eos", name).replace("neighbor interface Ethernet", "neighbor interface Et")
    assert running != text("eos", name)
    assert drift(text("eos", name), running) == ()
    wrong = running.replace("remote-as 420200000", "remote-as 430200000", 1)
    assert len(drift(text("eos", name), wrong)) == 2


def test_frr_names_ports_and_tells_both_families() -> None:
    caps = {
        "multiprotocolExtensions": {
            "ipv4Unicast": {"advertisedAndReceived": True},
            "ipv6Unicast": {"advertisedAndReceived": True},
        }
    }
    row = {"bgpNeighborAddr": FAR, "remoteAs": 65100, "bgpState": "Established", "neighborCapabilities": caps}
    outputs = {frr_daemons.NEIGHBORS: Output({"default": {"vrfName": "default", "swp33s0": row}})}
    (found,) = frr_daemons.bgp(CommandOutputs(outputs, {})).sessions
    assert (found.peer, found.remote_as, {family.name for family in found.families}) == (
        "swp33s0",
        65100,
        {"ipv4", "ipv6"},
    )


def test_frr_bfd_names_the_port_of_a_link_local_peer() -> None:
    rows = [
        {"peer": FAR, "interface": "swp33s0", "vrf": "default", "status": "up"},
        {"peer": "10.0.0.1", "interface": "swp1", "vrf": "default", "status": "down"},
    ]
    found = frr_daemons.bfd(CommandOutputs({frr_daemons.BFD: Output(rows)}, {}))
    assert set(found) == {BfdSession("", "swp33s0", True), BfdSession("", "10.0.0.1", False)}


def _neighbors(*addresses: str) -> Output:
    peers = {f"swp{number}": {"bgpNeighborAddr": address} for number, address in enumerate(addresses, start=1)}
    return Output({"default": {"vrfName": "default", "10.0.0.9": {"bgpState": "Idle"}, **peers}})


def _paths(*addresses: str) -> Output:
    return Output({"routes": {"10.0.0.0/24": [{"peerId": address} for address in addresses]}})


def test_frr_a_community_is_seen_over_the_port_of_its_sender() -> None:
    four, six = (read.command for read in frr_drain.TABLES)
    outputs = {four: _paths(FAR), six: _paths(OTHER, "(unspec)"), frr_daemons.NEIGHBORS: _neighbors(FAR, OTHER, "none")}
    assert frr_drain.draining_peers(outputs) == {"swp1", "swp2"}
    assert set(outputs) == {read.command for read in frr_drain.SIGNS}


def test_frr_an_address_behind_two_ports_tells_of_neither() -> None:
    four, _ = (read.command for read in frr_drain.TABLES)
    assert frr_drain.draining_peers({four: _paths(FAR), frr_daemons.NEIGHBORS: _neighbors(FAR, FAR)}) == {FAR}
    assert frr_drain.draining_peers({four: _paths(FAR), frr_daemons.NEIGHBORS: Output("{")}) == {FAR}


def test_eos_a_community_is_seen_over_the_port_of_its_sender() -> None:
    path = {"nextHop": "fe80::2%Et49/1", "localPreference": 0}
    value = {"vrfs": {"default": {"bgpRouteEntries": {"10.0.0.0/24": {"bgpRoutePaths": [path]}}}}}
    assert eos_drain.draining_peers({eos_drain.SIGNS[0].command: Output(value)}) == {"Ethernet49/1"}


def _merged(system: str, device: Device, running: str) -> list[str]:
    drain = {"eos": eos_drain.drain, "frr": frr_drain.drain}[system]
    return [line.strip() for line in drain(device, running).splitlines() if "neighbor" in line]


@pytest.mark.parametrize("system", ["eos", "frr"])
def test_a_spine_is_drained_by_just_what_its_artifacts_differ_in(system: str) -> None:
    shown = {"eos": EOS, "frr": FRR}[system].drift
    device, healthy, drained = (
        fleet(system, drained=True)[SPINE],
        text(system, SPINE),
        text(system, SPINE, drained=True),
    )
    wanted = sorted(found.line for found in shown(drained, healthy) if not found.present)
    assert sorted(_merged(system, device, healthy)) == wanted
    # EOS has one map a way for both families of a session, FRR one for each.
    assert len(wanted) == len(device.routing.bgp.neighbors) * {"eos": 2, "frr": 4}[system] > 0


@pytest.mark.parametrize("system", ["eos", "frr"])
def test_a_link_is_drained_alone(system: str) -> None:
    device, port = fleet(system, drained=True)[LINK[system].device], LINK[system].port
    merged = _merged(system, device, text(system, device.name))
    called = {"eos": f"LEAVES-UNNUMBERED-{port.replace('/', '-')}", "frr": port}[system]
    assert {line.split()[1] for line in merged} == {called}


@pytest.mark.parametrize("system", ["eos", "frr"])
def test_a_session_that_does_not_stand_is_left_out(system: str) -> None:
    device, healthy = fleet(system, drained=True)[SPINE], text(system, SPINE)
    row = device.routing.bgp.neighbors[0]
    gone = {"eos": f"{row.group}-{row.interface.replace('/', '-')}", "frr": row.interface}[system]
    running = "\n".join(line for line in healthy.splitlines() if f"neighbor {gone} " not in line)
    left = _merged(system, device, running)
    assert left
    assert gone not in {line.split()[1] for line in left}
