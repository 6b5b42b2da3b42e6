"""What FRR and lldpd say becomes State; what they cannot have said becomes a reason, never an exception."""

import json
from collections.abc import Mapping
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fabricgen.platforms.base.live.reader import Output
from fabricgen.platforms.frr.live.reader import FRR
from fabricgen.platforms.readers import READERS
from fabricgen.state.state import (
    PARTS,
    Adjacency,
    BfdSession,
    BgpState,
    EvpnRoute,
    Facts,
    FamilyState,
    LinkCounters,
    Session,
    State,
)
from tests.live.frr_said import NAMES, outputs

SPOILT: Mapping[str, Any] = {name: None for name in PARTS if name not in FRR.unseen}
SEGMENT = "0344:3839:ffff:0100:0001"


def changed(command: str, value: object, error: str = "") -> State:
    """State where one command gave something else."""
    return FRR.state(outputs() | {command: Output(value, error)}, NAMES)


def test_it_is_among_the_readers() -> None:
    assert READERS[FRR.system] is FRR


def test_everything_is_read() -> None:
    state = FRR.state(outputs(), NAMES)
    assert state.facts == Facts("sw1", "8.4.4", "", "")
    assert state.lldp == (Adjacency("swp1", "spine-1", "swp3"),)
    up = Session("", "10.1.0.1", 65100, "Established", (FamilyState("ipv4", 3),))
    assert state.bgp == BgpState(65001, "10.0.0.4", (up, Session("", "10.1.0.3", 65100, "Active", ())))
    assert state.bfd == (BfdSession("", "10.1.0.1", up=True),)
    assert state.running == "frr version 8.4.4\nhostname sw1\n"
    assert set(state.unread) == set(FRR.unseen)
    # Of a veth the kernel counts no broken frames; a bridge and a loopback are no ports.
    assert state.links == (LinkCounters("swp1", 3, 2), LinkCounters("swp2", 3), LinkCounters("swp3"))


def test_a_peer_that_announces_no_family_has_ipv4() -> None:
    """RFC 4760, section 8: the capability is what tells of others."""
    bare = {"remoteAs": 65100, "localAs": 64999, "localRouterId": "10.9.9.9", "bgpState": "Established"}
    peers = outputs()["show bgp vrf all neighbors json"].value
    assert isinstance(peers, dict)
    state = changed("show bgp vrf all neighbors json", peers | {"vrf10002": {"vrfName": "vrf10002", "fd07::1": bare}})
    assert state.bgp is not None
    assert (state.bgp.asn, state.bgp.router_id) == (65001, "10.0.0.4")  # of the default VRF
    there = Session("a-tenant-with-a-long-name", "fd07::1", 65100, "Established", (FamilyState("ipv4", -1),))
    assert state.bgp.sessions[-1] == there


def test_another_as_number_towards_some_neighbors_is_not_the_speakers() -> None:
    """FRR 8.4.4 shows as localAs of a session what `neighbor … local-as` says."""
    peers = outputs()["show bgp vrf all neighbors json"].value
    assert isinstance(peers, dict)
    other = peers["default"]["10.1.0.3"] | {"localAs": 64999}
    more = {"10.1.0.5": peers["default"]["10.1.0.1"], "10.1.0.3": other}
    state = changed("show bgp vrf all neighbors json", peers | {"default": peers["default"] | more})
    assert state.bgp is not None
    assert (state.bgp.asn, state.bgp.router_id) == (65001, "10.0.0.4")


def test_lldp_that_does_not_run_hears_nobody() -> None:
    """What lldpcli 1.0.16 says then."""
    error = (
        "2026-11-23T18:02:12 [WARN/control] unable to connect to socket /run/lldpd.socket: No such file or directory"
    )
    command = "lldpcli -f json0 show neighbors details"
    assert FRR.state({**outputs(), command: Output(None, error)}, NAMES).lldp == ()
    hangs = FRR.state({**outputs(), command: Output(None, "no answer within 30 s")}, NAMES)
    assert hangs.lldp is None
    assert "lldp" in hangs.unread


def test_evpn_routes() -> None:
    """Keys of RFC 7432 and RFC 9136; a route of our own has no next hop, an invalid one is not there."""
    assert FRR.state(outputs(), NAMES).evpn == (
        EvpnRoute(1, "10.0.0.8:2", SEGMENT, "10.0.0.9"),
        EvpnRoute(2, "10.0.0.8:2", "02:aa:00:00:00:01", "10.0.0.9"),
        EvpnRoute(2, "10.0.0.8:2", "02:aa:00:00:00:01 fd02::7", "10.0.0.9"),
        EvpnRoute(3, "10.0.0.4:2", "10.0.0.4", ""),
        EvpnRoute(4, "10.0.0.8:2", SEGMENT, "10.0.0.9"),
        EvpnRoute(5, "10.0.0.8:2", "172.18.0.0/20", "10.0.0.8"),
        EvpnRoute(5, "10.0.0.8:2", "172.18.0.0/20", "10.0.0.9"),
    )


def test_a_dead_daemon_has_no_sessions() -> None:
    """Vtysh of FRR 8.4.4 exits 1 with these words where a daemon does not run."""
    assert changed("show bfd peers json", None, "sw1: show bfd peers json: bfdd is not running").bfd == ()
    dead = "sw1: show bgp vrf all neighbors json: bgpd is not running"
    assert changed("show bgp vrf all neighbors json", None, dead).bgp == BgpState(0, "", ())
    assert changed("show bgp l2vpn evpn json", None, dead).evpn == ()


@pytest.mark.parametrize("command", sorted(outputs()))
def test_a_command_that_failed_leaves_its_part_unread(command: str) -> None:
    state = changed(command, None, "no answer within 60 s")
    part = next(read.part for read in FRR.reads(NAMES) if read.command == command)
    silent = " -n " in command and " -n mgmt " not in command  # of VRFs that are devices
    assert (getattr(state, part) is None) != silent, state.unread
    assert ("no answer within 60 s" in state.unread.get(part, "")) != silent


@pytest.mark.parametrize("part", sorted(SPOILT))
def test_a_part_that_was_not_asked_is_unread(part: str) -> None:
    commands = {read.command for read in FRR.reads(NAMES) if read.part == part}
    state = FRR.state({name: value for name, value in outputs().items() if name not in commands}, NAMES)
    assert getattr(state, part) is None
    assert "was not run" in state.unread[part]


WRONG = [
    ("show version", "% Unknown command: show version"),
    ("ip -j -d addr show", []),
    ("ip -j -d addr show", [{"ifname": 7}]),
    ("ip -j -d addr show", [{"ifname": "swp1", "flags": [], "mtu": "1500", "operstate": "UP"}]),
    ("lldpcli -f json0 show neighbors details", {"lldp": {"interface": []}}),
    ("show bgp vrf all neighbors json", [{}]),
    ("show bgp vrf all neighbors json", {"default": {"10.1.0.1": {"bgpState": None}}}),
    ("show bfd peers json", [{"peer": "10.1.0.300", "status": "up"}]),
    ("ip -j -N route show table all", [{"dst": "10.0.0.0/33"}]),
    ("ip -j -N route show table all", {"dst": "10.0.0.0/8"}),
    ("show evpn vni detail json", '[{"vni":10001,"type":"L2"'),
    ("show evpn vni detail json", '[{"vni":10001,"type":"L7"}]'),
    ("show evpn vni detail json", "null"),
    ("show bgp l2vpn evpn json", {"10.0.0.4:2": {"[9]:[0]": {"paths": []}}}),
    ("show bgp l2vpn evpn json", {"10.0.0.4:2": {"[3]:[0]:[32]:[10.0.0.4]": {"paths": 3}}}),
    ("show running-config no-header", {"version": 4}),
]


@pytest.mark.parametrize(("command", "value"), WRONG)
def test_a_wrong_shape_is_told(command: str, value: object) -> None:
    part = next(read.part for read in FRR.reads(NAMES) if read.command == command)
    state = changed(command, value)
    assert getattr(state, part) is None
    assert state.unread[part]


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
GARBAGE = st.recursive(LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner))


@given(st.sampled_from(sorted(outputs())), GARBAGE, st.text(max_size=40))
@settings(max_examples=100, deadline=None)
def test_garbage_is_never_an_exception(command: str, value: object, error: str) -> None:
    _sound(changed(command, value, error))


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_a_spoilt_value_is_never_an_exception(data: st.DataObject) -> None:
    """One value inside a right output is replaced or left out."""
    found = outputs()
    command = data.draw(st.sampled_from(sorted(name for name, output in found.items() if output.value is not None)))
    value = found[command].value
    read: Any = json.loads(value) if isinstance(value, str) and value.startswith("[") else value
    found[command] = Output(_spoil(data, read))
    _sound(FRR.state(found, NAMES))


@given(st.sampled_from(sorted(outputs())), st.integers(0, 4000))
@settings(max_examples=100, deadline=None)
def test_a_text_cut_short_is_never_an_exception(command: str, length: int) -> None:
    value = outputs()[command].value
    text = value if isinstance(value, str) else json.dumps(value)
    _sound(changed(command, text[:length]))


def test_depth_without_end_is_told() -> None:
    state = changed("show bfd peers json", "[" * 200_000)
    assert state.bfd is None
    assert state.unread["bfd"]


def _spoil(data: st.DataObject, value: Any) -> Any:  # noqa: ANN401  # JSON
    """A copy with one change at a place drawn at random."""
    if isinstance(value, dict | list) and value and data.draw(st.integers(0, 5)):
        key = data.draw(st.sampled_from(sorted(value) if isinstance(value, dict) else range(len(value))))
        if data.draw(st.integers(0, 9)):
            value[key] = _spoil(data, value[key])
        else:
            del value[key]
        return value
    return data.draw(GARBAGE)


def _sound(state: State) -> None:
    """Every part is there, or the reason why it is not."""
    for part in SPOILT:
        assert (getattr(state, part) is None) == (part in state.unread)
        assert state.unread.get(part) != ""
    assert all(len(reason) < 400 for reason in state.unread.values())
