"""Reading, draining and merging through NAPALM's own `nxos` driver, unmodified, over TLS to a double of NX-API.

No NX-OS was at hand: a push to it is unproven. The texts are those that the platform renders.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from fabricgen.device.device import Device
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import make_plan, make_shapes
from fabricgen.platforms.base.live.reader import Drift, Output
from fabricgen.platforms.nxos.live import reader as nxos
from fabricgen.platforms.nxos.live.commit_profile import NXOS as MANNER
from fabricgen.platforms.nxos.live.drain import PATHS, SIGNS, drain, draining_peers
from fabricgen.platforms.nxos.live.reader import NXOS
from fabricgen.push.switch.fleet import NapalmFleet
from fabricgen.push.switch.switch import Candidate
from fabricgen.resolve.device import devices
from fabricgen.verify.judge.device import judge
from tests.doubles.certificate import authority, certificate
from tests.doubles.nxapi import Switch, grown, nxapi, written
from tests.doubles.nxos_shown import outputs, shown
from tests.nxos.fleet import document, render
from tests.nxos.test_nxos_reader_fabric import fabric
from tests.push.boxed import CANARY, LOGIN, at, committing, fleet, inventory, refused

SPINE, LEAF, BORDER = "be-spine-01", "fe-leaf-000", "fe-border-00"


@cache
def switches(drained: bool) -> dict[str, Device]:
    """Switches of the demo, and the same ones drained."""
    intent, catalog = Intent.model_validate(document("demo")), load_catalog(None)
    names = dict.fromkeys((SPINE, LEAF, BORDER), "drained") if drained else {}
    plan = make_plan(intent, catalog, make_shapes(intent, catalog), Lock(), Exceptions(devices=names))
    return {device.name: device for device in devices(plan) if device.name in (SPINE, LEAF, BORDER)}


def healthy(name: str) -> str:
    return render(switches(drained=False)[name])


def drained(name: str) -> Device:
    return switches(drained=True)[name]


@pytest.fixture
def switch(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Switch]:
    """A leaf that runs what is rendered for it."""
    tls = certificate(tmp_path / "switch.pem", authority(tmp_path / "authority.pem"))
    text = healthy(LEAF)
    with nxapi(Switch(grown(text), LOGIN), tls) as found:
        yield found


def opened(folder: Path, switch: Switch, ca: str = "authority.pem", **more: object) -> NapalmFleet:
    """A fleet with that switch; requests takes the path of an authority for `ssl_verify`."""
    options = {"ssl_verify": str(folder / ca), **more}
    return fleet(inventory(folder / "site", {"leaf": switch.port}, "nxos", **options), "nxos")


@pytest.fixture
def box(switch: Switch, tmp_path: Path) -> Iterator[NapalmFleet]:
    with opened(tmp_path, switch) as found:
        yield found


def test_all_is_read_and_right_through_the_driver(switch: Switch, box: NapalmFleet) -> None:
    expected = fabric()[LEAF]
    texts = {command: one.value for command, one in outputs(shown(expected, healthy(LEAF))).items() if not one.error}
    switch.shows = lambda: {command: str(text) for command, text in texts.items()}
    said = at(box, lambda it: it.ask(NXOS.reads(())))
    assert said[nxos.BFD_IPV4].value is None  # the feature is not on
    verdict = judge(expected, NXOS.state(said, {}), NXOS.drift)
    assert verdict.findings == ()
    assert dict(verdict.passed)["drift"] == 1
    assert set(switch.asked) == {"show hostname", *(read.command for read in NXOS.reads(()))}
    texts[nxos.FLOODS] = ""
    assert at(box, lambda it: it.ask(NXOS.reads(())))[nxos.FLOODS] == Output(None, nxos.NOTHING)


def test_what_runs_is_what_is_rendered_and_nothing_is_to_be_merged(switch: Switch, box: NapalmFleet) -> None:
    """NAPALM works out a difference by itself (netutils, diff_network_config), remarks are no lines of it."""
    text = healthy(LEAF)
    assert at(box, lambda it: it.compare(Candidate(text, {}, merge=True))) == ""
    asked = tuple(read for read in NXOS.reads(()) if read.part == "running")
    running = at(box, lambda it: it.ask(asked))[nxos.RUNNING].value
    assert NXOS.drift(text, str(running)) == ()
    other = text.replace("timers 3 9", "timers 4 12", 1)
    assert at(box, lambda it: it.compare(Candidate(other, {}, merge=True))).splitlines()[-1].strip() == "timers 4 12"
    at(box, committing(Candidate(f"! a remark\n{other}", {}, merge=True), "change", None))
    assert grown(other).keys() - switch.running.keys() == set()
    assert switch.saved == switch.running
    assert not [one for one in switch.asked if one.startswith("!")]


def sessions_of(wanted: str, running: str) -> list[Drift]:
    """Lines of the default VRF's sessions that differ: ports of servers, and the outside, drain in other ways."""
    found = NXOS.drift(wanted, running)
    return [one for one in found if len(one.section) > 1 and one.section[1].startswith("neighbor ")]


@pytest.mark.parametrize("name", [SPINE, LEAF, BORDER])
def test_what_drains_makes_of_a_healthy_switch_the_drained_one(name: str) -> None:
    """Merged as NX-OS does, with one map a session and direction: what runs then is the drained artifact itself."""
    text = drain(drained(name), healthy(name))
    double = Switch(grown(healthy(name)), "")
    double.exchange([
        {"method": "cli", "id": at, "params": {"cmd": line}} for at, line in enumerate(text.splitlines())
    ])  # fmt: skip
    assert sessions_of(render(drained(name)), written(double.running)) == []
    assert sessions_of(healthy(name), written(double.running)) != []
    sessions = len(re.findall(r"^  neighbor ", text, re.MULTILINE))
    bgp = drained(name).routing.bgp
    overlay = {group.name for group in bgp.groups if "evpn" in group.families}
    own = [row for row in bgp.neighbors if name != SPINE or row.group not in overlay]
    assert sessions == len(own) > 0
    assert text.count("route-map RM-SPINES-EVPN-DRAINED-OUT out") == sum(row.group in overlay for row in own)
    assert ("l2vpn evpn" in text) == (name != SPINE)


MISSING = (
    "route-map RM-SPINES-IPV4-DRAINED-OUT permit 20",
    "  match ip address prefix-list PL-OWN-IPV4\n  set community graceful-shutdown additive",
    "ip community-list standard CL-GRACEFUL-SHUTDOWN seq 10 permit 65535:0",
    "ip prefix-list PL-FABRIC-IPV4 seq 10 permit 10.128.0.0/12 le 32",
    "route-map RM-SPINES-EVPN-DRAINED-OUT permit 20\n  set community graceful-shutdown additive",
)


@pytest.mark.parametrize("line", MISSING)
def test_a_map_that_is_not_there_whole_drains_nothing(line: str) -> None:
    text = healthy(LEAF)
    assert line in text
    assert drain(drained(LEAF), text) != ""
    assert drain(drained(LEAF), text.replace(line, "")) == ""


def test_a_session_that_does_not_stand_is_not_made() -> None:
    text = healthy(LEAF)
    found = drain(
        drained(LEAF), text.replace("  neighbor 10.128.0.33\n    remote-as 4202000012\n", "  neighbor 10.9.9.9\n")
    )
    assert "10.128.0.33" not in found
    assert "10.128.0.35" in found
    assert drain(drained(LEAF), "hostname leaf\n") == ""
    bare = text.replace("    remote-as 4202000012\n", "")
    assert drain(drained(LEAF), bare) == ""


def test_a_family_that_a_session_has_by_hand_is_left_alone() -> None:
    """Its maps would be those of the other family."""
    old = "  neighbor 10.128.0.33\n    remote-as 4202000012\n"
    more = f"{old}    address-family ipv6 unicast\n"
    assert drain(drained(LEAF), healthy(LEAF).replace(old, more)) == drain(drained(LEAF), healthy(LEAF))


def test_a_drain_is_committed_and_taken_back(switch: Switch, box: NapalmFleet) -> None:
    before = dict(switch.running)
    running = at(box, lambda it: it.running())
    candidate = Candidate(drain(drained(LEAF), running), {}, merge=True)
    token = at(box, committing(candidate, "drain", None))
    assert sessions_of(render(drained(LEAF)), written(switch.running)) == []
    assert at(box, lambda it: it.compare(candidate)) == ""
    at(box, lambda it: it.revert(token))
    assert switch.running == switch.saved == before


def test_a_line_that_is_refused_leaves_all_as_it_was(switch: Switch, box: NapalmFleet) -> None:
    before = dict(switch.running)
    found = refused(box, committing(Candidate("hostname other\nfrobnicate\n", {}, merge=True), "change", None))
    assert found.kind == "refused"
    assert switch.running == before


@pytest.mark.parametrize("wrong", ["password", "certificate", "gone"])
def test_a_switch_that_can_not_be_opened(switch: Switch, tmp_path: Path, wrong: str) -> None:
    """NAPALM says "Cannot connect" of all three, and no secret in any."""
    port, ca = switch.port, "authority.pem"
    if wrong == "password":
        switch.login = "somebody:else"
    elif wrong == "certificate":
        authority(tmp_path / "another.pem")
        ca = "another.pem"
    else:
        switch.port = 1
    with opened(tmp_path, switch, ca) as found:
        error = refused(found, lambda it: it.running())
    switch.port = port
    assert error.kind == "unreachable"
    assert CANARY not in error.reason
    assert switch.asked == []


def test_a_connection_that_is_lost(switch: Switch, box: NapalmFleet) -> None:
    at(box, lambda it: it.pending())
    switch.login = "somebody:else"
    assert refused(box, lambda it: it.running()).kind == "login"


DETAIL = """\
BGP routing table information for VRF red, address family IPv4 Unicast
BGP routing table entry for 10.9.0.0/24, version 23
Paths: (1 available, best #1)
  Path type: external, path is valid, is best path, no labeled nexthop
  AS-Path: 65100 , path sourced external to AS
    10.1.0.9 (metric 0) from 10.1.0.9 (10.0.0.9)
      Origin IGP, MED not set, localpref 0, weight 0

BGP routing table information for VRF default, address family IPv4 Unicast
BGP routing table entry for 10.0.0.2/32, version 25
Paths: (3 available, best #1)
Flags: (0x8008001a) (high32 00000000) on xmit-list, is in urib, is best urib route, is in HW

  Advertised path-id 1
  Path type: external, path is valid, is best path, no labeled nexthop, in rib
  AS-Path: 65100 65002 , path sourced external to AS
    10.1.0.1 (metric 0) from 10.1.0.1 (10.0.0.24)
      Origin IGP, MED not set, localpref 100, weight 0
      Community: 65000:1
  Path type: external, path is valid, not best reason: Local Pref, no labeled nexthop
  AS-Path: 65100 65002 , path sourced external to AS
    10.1.0.3 (metric 0) from 10.1.0.3 (10.0.0.26)
      Origin IGP, MED not set, localpref 0, weight 0
{community}
  Path type: local, path is valid, not best reason: Weight, no labeled nexthop
  AS-Path: NONE, path locally originated
    0.0.0.0 (metric 0) from 0.0.0.0 (10.0.0.1)
      Origin IGP, MED not set, localpref 0, weight 32768

  Path-id 1 not advertised to any peer

BGP routing table information for VRF default, address family IPv6 Unicast
BGP routing table entry for 2001:db8::2/128, version 25
Paths: (1 available, best #1)
  Path type: external, path is valid, is best path, no labeled nexthop, in rib
  AS-Path: 65100 65002 , path sourced external to AS
    2001:db8:1::1 (metric 0) from 2001:db8:1::1 (10.0.0.24)
      Origin IGP, MED not set, localpref 0, weight 0

BGP routing table information for VRF default, address family L2VPN EVPN
Route Distinguisher: 10.0.0.7:5
BGP routing table entry for [5]:[0]:[0]:[24]:[192.168.20.0]/224, version 18
Paths: (1 available, best #1)
  Path type: external, path is valid, is best path, no labeled nexthop
  AS-Path: 65100 , path sourced external to AS
    10.0.0.7 (metric 0) from 10.0.0.24 (10.0.0.24)
      Origin incomplete, MED 0, localpref 0, weight 0
"""


@pytest.mark.parametrize(
    ("community", "heard"),
    [
        ("", {"10.1.0.3", "2001:db8:1::1"}),
        ("      Community: 65000:1 graceful-shutdown", {"10.1.0.3", "2001:db8:1::1"}),
        ("      Community: 65535:0", {"10.1.0.3", "2001:db8:1::1"}),
        ("      Community: 65000:1", {"2001:db8:1::1"}),
    ],
)
def test_who_is_seen_to_be_drained(community: str, heard: set[str]) -> None:
    """Routes of the default VRF's own families, taken last; of a VRF or of the overlay they tell nothing."""
    text = DETAIL.replace("{community}\n", f"{community}\n" if community else "")
    assert draining_peers({PATHS: Output(text)}) == heard
    assert draining_peers({PATHS: Output(text.replace("localpref 0", "localpref 100"))}) == frozenset()
    assert draining_peers({PATHS: Output(None, "refused")}) == draining_peers({}) == frozenset()


def test_the_manner_has_a_drain() -> None:
    assert (MANNER.drain, MANNER.signs, MANNER.draining_peers) == (drain, SIGNS, draining_peers)
    assert (MANNER.timed, MANNER.replaces, MANNER.proven) == (False, False, "")
