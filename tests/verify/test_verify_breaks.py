"""What breaks of the code on purpose went unfound by: families and marking as derived, pings that were never sent."""

from collections import Counter

from fabricgen.resolve.device import devices
from fabricgen.state.state import EVPN, IPV4, IPV6, EcnState
from fabricgen.verify.expect.derive import expectations
from fabricgen.verify.finding import Unchecked
from fabricgen.verify.probe.pings import Ping, PingResult, judge_pings
from tests.lab.sites import DEMO, plan
from tests.verify.sites import healthy


def test_sessions_carry_the_family_that_they_were_made_for() -> None:
    """Two spines over two links each, a session a link and family, EVPN with each spine's loopback."""
    found = {one.device: one for one in expectations(healthy())}
    leaf = found["fe-leaf-000"].sessions
    assert Counter(one.families for one in leaf) == {(IPV4,): 4, (IPV6,): 4, (EVPN,): 2}
    assert {one.families for one in leaf if ":" in one.peer} == {(IPV6,)}
    assert all(one.families == (EVPN,) for one in leaf if not one.far.port)  # between loopbacks
    assert {one.families for one in found["be-spine-00"].sessions} == {(IPV4,), (IPV6,)}


def test_marking_and_pausing_are_those_of_the_port_s_profile() -> None:
    """The demo's rule for 400G: marking from 256 kB to 512 kB, on priority 3, as its rendered text says."""
    leaf = tuple(device for device in devices(plan(DEMO)) if device.name == "be-leaf-000")
    (found,) = expectations(leaf)
    assert len(found.qos) == 128
    assert {one.port for one in found.qos} == {row.name for row in leaf[0].interfaces.ethernet if row.profile.qos}
    assert {(one.pfc_priorities, one.watchdog) for one in found.qos} == {((3,), True)}
    assert {one.ecn for one in found.qos} == {(EcnState(3, 256000, 512000, 100),)}


def test_a_ping_that_must_not_pass_and_was_not_sent_shows_no_isolation() -> None:
    """Though both ends are known to live: that nothing came back is no answer where nothing was sent."""
    alive = Ping("a1", "172.16.0.2", "a2", "172.16.0.3", must_pass=True, about="red")
    far = Ping("b1", "172.20.0.2", "b2", "172.20.0.3", must_pass=True, about="blue")
    kept = Ping("a1", "172.16.0.2", "b1", "172.20.0.2", must_pass=False, about="red is kept from blue")
    found = judge_pings({alive: PingResult(2, 2), far: PingResult(2, 2), kept: PingResult(0, 0, "interrupted")})
    (own,) = [verdict for verdict in found if verdict.device == "a1"]
    assert own.passed == (("pings", 1),)
    assert own.unchecked == (Unchecked("a1", "pings", "172.16.0.2 to 172.20.0.2 was not tried: interrupted"),)
