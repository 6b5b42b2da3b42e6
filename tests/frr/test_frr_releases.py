"""What the releases of FRR differ in, seen in the daemons of each: every row of the table of differences is so."""

import json
import time
from collections.abc import Iterator

import pytest

from tests.frr.site import DRAINED, switch
from tests.frr.waiting import becomes
from tests.frr.wired import Fabric, wired
from tests.judges import frr
from tests.judges.frr import Daemons, Loaded
from tests.napalm_frr.switches import tunnel

pytestmark = [frr.needed(frr.HOST), frr.needed(frr.NEWER)]

LEAF, SPINE = "fe-leaf-000", "fe-spine-00"
NAMES = (LEAF, DRAINED, SPINE)
WAITS = " bgp suppress-fib-pending\n"
TWO_VNIS = (20001, 20002)
"""A route of each is one more than the limit."""
QUIET_SECONDS = 3
"""bgpd sends a new EVPN route within a tenth of a second."""


def conf(name: str, daemons: Daemons) -> str:
    return switch(name, daemons.release).files["frr.conf"]


@pytest.mark.parametrize("name", ["be-leaf-000", SPINE])
def test_older_daemons_refuse_what_is_new(name: str) -> None:
    """A backend has nothing new. The limit of EVPN routes goes to another family, with all that follows it."""
    text = conf(name, frr.NEWER)
    with frr.load(text) as loaded:
        lost = frr.differences(text, loaded.running)
        limit = "address-family l2vpn evpn / neighbor LEAVES-EVPN maximum-prefix 32768 restart 5"
        assert any(line.startswith("- ") and line.endswith(limit) for line in lost) == (name == SPINE)
        assert bool(loaded.complaints) == bool(lost) == (name == SPINE)


@pytest.mark.parametrize("name", [LEAF, SPINE, "fe-border-00"])
def test_newer_daemons_take_the_lines_of_older_ones(name: str) -> None:
    """As in labs and containers. They do not print a default preference, and print what was another default then."""
    text = conf(name, frr.HOST)
    with frr.load(text, daemons=frr.NEWER) as loaded:
        assert loaded.complaints == ()
        found = {(line[0], line.rpartition(" / ")[2]) for line in frr.differences(text, loaded.running)}
        preference = {("-", "evpn mh es-df-pref 32767")} if name == LEAF else set()
        assert found == {("+", "no bgp enforce-first-as"), *preference}


def _spine(daemons: Daemons, old: str, new: str) -> dict[str, str]:
    """The spine's text with other lines."""
    text = conf(SPINE, daemons)
    assert old in text
    return {SPINE: text.replace(old, new, 1)}


@pytest.fixture(params=frr.RELEASES, ids=[row.release for row in frr.RELEASES])
def waiting(request: pytest.FixtureRequest) -> Iterator[Fabric]:
    """A spine that waits for its forwarding table; the older release has no line of it beside EVPN."""
    daemons = request.param
    lines = " no bgp default ipv4-unicast\n"
    texts = _spine(daemons, lines, WAITS + lines) if daemons == frr.HOST else {}
    assert WAITS in texts.get(SPINE, conf(SPINE, daemons))
    assert (WAITS in conf(SPINE, daemons)) is (daemons == frr.NEWER)
    with wired(NAMES, 1, daemons, texts) as fabric:
        yield fabric


def _flooding(box: Loaded, vtep: str) -> bool:
    return f"[32]:[{vtep}]" in box.show("show bgp l2vpn evpn route type multicast")


def test_evpn_routes_pass_a_spine_that_waits_for_its_forwarding_table(waiting: Fabric) -> None:
    evpn = switch(LEAF).device.evpn
    assert evpn is not None
    tunnel(waiting[LEAF], evpn.vlans[0].vni, evpn.vtep)
    becomes(True, _flooding, waiting[SPINE], evpn.vtep)
    if waiting[SPINE].daemons == frr.NEWER:
        becomes(True, _flooding, waiting[DRAINED], evpn.vtep)
    else:
        time.sleep(QUIET_SECONDS)
        assert not _flooding(waiting[DRAINED], evpn.vtep)


def _states(spine: Loaded) -> set[str]:
    peers = json.loads(spine.show("show bgp l2vpn evpn summary json"))["peers"]
    wired_leaves = {row.address for row in switch(SPINE).device.routing.bgp.neighbors if row.description in NAMES}
    return {row["state"] for address, row in peers.items() if address in wired_leaves}


def test_a_session_with_too_many_evpn_routes_is_closed() -> None:
    limit = "neighbor LEAVES-EVPN maximum-prefix "
    texts = _spine(frr.NEWER, f"{limit}32768 restart 5", f"{limit}1 restart 5")
    evpn = switch(LEAF).device.evpn
    assert evpn is not None
    with wired(NAMES, 1, frr.NEWER, texts) as fabric:
        becomes({"Established"}, _states, fabric[SPINE])
        for vni in TWO_VNIS:
            tunnel(fabric[LEAF], vni, evpn.vtep)
        becomes({"Established", "Idle (PfxCt)"}, _states, fabric[SPINE])
