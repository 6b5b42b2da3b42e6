"""What goes wrong in a fabric, done to a running one: verify finds and names it, and is silent once it is mended."""

import os
import signal
import time
from collections.abc import Iterator

import pytest

from fabricgen.lab.model.lab import LabEnd
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from tests.lab.faults import (
    Finding,
    Running,
    daemon_pid,
    ip,
    join,
    namespace,
    plug,
    pull,
    settle,
    signal_daemons,
    splice,
    told,
    unplugged,
)
from tests.lab.sites import DEMO, available, lab_verb, plan

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "units=1,leaves=2,spines=2,links=2,servers=2,borders=0"
BACKEND = ("--devices", "be-*")
HANGS_SECONDS = 15
"""For a whole verify on two busy cores, of which some 3 s are the program's own start."""
LEAF, OTHER, SPINE = "be-leaf-000", "be-leaf-001", "be-spine-01"


LONG = pytest.mark.long


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A part of the demo, once for all faults; it verifies clean before the first."""
    folder = tmp_path_factory.mktemp("lab") / "lab"
    try:
        done = lab_verb("up", DEMO, "--subset", SUBSET, "--dir", folder, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        running = Running(folder, DEMO, make_lab(plan(DEMO), parse_subset(SUBSET)))
        running.heals()
        yield running
    finally:
        lab_verb("down", "--dir", folder)


def cables(lab: Running, lower: str, upper: str) -> list[tuple[LabEnd, LabEnd]]:
    """Cables between two switches, lower end first."""
    found = [(link.near, link.far) for link in lab.lab.links if (link.near.owner, link.far.owner) == (lower, upper)]
    assert len(found) == 2
    return found


def text(found: tuple[Finding, ...], device: str, code: str) -> str:
    """The whole of those findings, as one text."""
    return "\n".join(
        f"{one['subject']} {one['problem']}: {one['expected']} / {one['actual']} <- {one['explained']}"
        for one in found
        if (one["device"], one["code"]) == (device, code)
    )


def causes(found: tuple[Finding, ...]) -> list[tuple[str, str]]:
    """Findings that follow from no other, by device and code."""
    return [(one["device"], one["code"]) for one in found if "cause" not in one]


def test_a_cable_that_is_cut(lab: Running) -> None:
    """Both ends lose their port, their sessions and a part of their routes: one finding."""
    near, far = cables(lab, LEAF, SPINE)[0]
    wanted = {(LEAF, "interface-missing"), (SPINE, "interface-missing"), (LEAF, "session-down"), (LEAF, "route-width")}
    with unplugged(lab, (near, far)):
        found = lab.comes_to_show(wanted, *BACKEND)
    lab.heals(*BACKEND)
    assert wanted <= told(found)
    assert causes(found) == [(LEAF, "interface-missing")]
    assert len(found) > 8


@LONG
def test_a_switch_that_has_another_name_in_lldp(lab: Running) -> None:
    lab.inside(SPINE, "lldpcli", "configure", "system", "hostname", "core-1")
    try:
        found = lab.comes_to_show({(SPINE, "lldp-renamed")}, *BACKEND)
    finally:
        lab.inside(SPINE, "lldpcli", "configure", "system", "hostname", SPINE)
    lab.heals(*BACKEND)
    assert causes(found) == [(SPINE, "lldp-renamed")]
    assert {one["code"] for one in found if "cause" in one} == {"lldp-wrong-peer"}


@LONG
def test_a_link_that_is_shut(lab: Running) -> None:
    near, far = cables(lab, LEAF, SPINE)[0]
    wanted = {(LEAF, "interface-shut"), (SPINE, "interface-down"), (LEAF, "session-down"), (SPINE, "route-width")}
    lab.inside(LEAF, "ip", "link", "set", near.interface, "down")
    try:
        found = lab.comes_to_show(wanted, *BACKEND)
    finally:
        lab.inside(LEAF, "ip", "link", "set", near.interface, "up")
    lab.heals(*BACKEND)
    assert wanted <= told(found)
    assert {one["device"] for one in found} == {LEAF, SPINE}
    assert causes(found) == [(LEAF, "interface-shut")]
    assert near.interface in text(found, LEAF, "interface-shut")
    assert f"{LEAF} {near.interface} is shut down" in text(found, SPINE, "interface-down")
    assert all(one["explained"] for one in found if one["code"] != "interface-shut")
    assert far.interface in text(found, SPINE, "session-down")


@LONG
def test_a_link_that_carries_one_way(lab: Running) -> None:
    near, far = cables(lab, LEAF, SPINE)[0]
    wanted = {(LEAF, "lldp-missing"), (LEAF, "session-down"), (SPINE, "session-down")}
    with namespace() as between, unplugged(lab, (near, far)):
        splice(lab, near, far, between)
        found = lab.comes_to_show(wanted, *BACKEND)
    lab.heals(*BACKEND)
    assert wanted <= told(found)
    assert (SPINE, "lldp-missing") not in told(found)
    assert "one way" in text(found, LEAF, "lldp-missing")
    assert f"{LEAF} {near.interface} receives no LLDP over this link" in text(found, SPINE, "session-down")
    assert not {code for _, code in told(found)} & {"interface-down", "interface-shut"}


@LONG
def test_a_crashed_bgpd(lab: Running) -> None:
    wanted = {(OTHER, "bgp-not-running"), (SPINE, "session-down"), (LEAF, "route-missing")}
    os.kill(daemon_pid(lab, OTHER, "bgpd"), signal.SIGKILL)
    try:
        found = lab.comes_to_show(wanted, *BACKEND)
    finally:
        lab.inside(OTHER, "/usr/lib/frr/bgpd", "-d", "-F", "datacenter")
        lab.inside(OTHER, "vtysh", "-b")
    lab.heals(*BACKEND)
    assert wanted <= told(found)
    assert OTHER in text(found, SPINE, "session-down")
    assert "interface-down" not in {code for _, code in told(found)}


@LONG
def test_a_cable_in_the_wrong_hole(lab: Running) -> None:
    """The hole where it belongs is empty: it has no carrier."""
    near, far = cables(lab, LEAF, SPINE)[0]
    wrong = LabEnd(SPINE, "swp60s1")
    wanted = {(LEAF, "lldp-wrong-port"), (LEAF, "session-down"), (SPINE, "lldp-unexpected-peer")}
    with namespace() as nowhere, unplugged(lab, (near, far)):
        join(lab.netns(SPINE), far.interface, nowhere, "x")
        settle(lab, far)
        plug(lab, near, wrong)
        found = lab.comes_to_show(wanted, *BACKEND)
    lab.heals(*BACKEND)
    assert wanted <= told(found)
    for part in (f"{LEAF} {near.interface} goes to {SPINE} {wrong.interface}", f"belongs in {SPINE} {far.interface}"):
        assert part in text(found, LEAF, "lldp-wrong-port")
    assert wrong.interface in text(found, SPINE, "lldp-unexpected-peer")


@LONG
def test_two_cables_that_are_swapped(lab: Running) -> None:
    one, other = cables(lab, LEAF, SPINE)[0], cables(lab, OTHER, SPINE)[0]
    wanted = {(LEAF, "lldp-wrong-port"), (OTHER, "lldp-wrong-port"), (SPINE, "lldp-wrong-peer")}
    with unplugged(lab, one, other):
        plug(lab, one[0], other[1])
        plug(lab, other[0], one[1])
        found = lab.comes_to_show(wanted, *BACKEND)
    lab.heals(*BACKEND)
    assert wanted <= told(found)
    for device, code in wanted:
        assert "swapped" in text(found, device, code)
    assert "exchange them" in text(found, LEAF, "lldp-wrong-port")


@LONG
def test_an_as_number_typed_wrong(lab: Running) -> None:
    near, _ = cables(lab, LEAF, SPINE)[0]
    address = lab.row(near).ipv4.partition("/")[0]
    row = next(row for row in lab.device(SPINE).routing.bgp.neighbors if row.address == address)
    bgp = f"router bgp {lab.device(SPINE).routing.bgp.asn}"
    lab.typed(SPINE, bgp, f"neighbor {address} remote-as 64999")
    wanted = {(SPINE, "session-wrong-as"), (SPINE, "drift-extra"), (LEAF, "session-down")}
    found = lab.comes_to_show(wanted, *BACKEND)
    lab.typed(SPINE, bgp, f"neighbor {address} remote-as {row.remote_as}")
    lab.heals(*BACKEND)
    assert wanted <= told(found)
    assert all(part in text(found, SPINE, "session-wrong-as") for part in (address, "64999", str(row.remote_as)))
    assert f"{SPINE} is set to another AS" in text(found, LEAF, "session-down")


@LONG
def test_a_network_that_is_not_announced(lab: Running) -> None:
    bgp = lab.device(OTHER).routing.bgp
    lost = bgp.networks_ipv4[0]
    block = (f"router bgp {bgp.asn}", "address-family ipv4 unicast")
    lab.typed(OTHER, *block, f"no network {lost}")
    wanted = {(OTHER, "drift-missing"), (LEAF, "route-missing"), (SPINE, "route-missing")}
    found = lab.comes_to_show(wanted, *BACKEND)
    lab.typed(OTHER, *block, f"network {lost}")
    lab.heals(*BACKEND)
    assert wanted <= told(found)
    assert lost in text(found, LEAF, "route-missing")
    assert OTHER in text(found, LEAF, "route-missing")
    assert f"network {lost}" in text(found, OTHER, "drift-missing")
    assert "session-down" not in {code for _, code in told(found)}


def test_an_mtu_changed_by_hand(lab: Running) -> None:
    near, _ = cables(lab, LEAF, SPINE)[1]
    lab.inside(LEAF, "ip", "link", "set", near.interface, "mtu", "1500")
    found = lab.comes_to_show(set(), *BACKEND)
    lab.inside(LEAF, "ip", "link", "set", near.interface, "mtu", str(lab.row(near).profile.mtu))
    lab.heals(*BACKEND)
    assert told(found) == {(LEAF, "mtu-wrong")}
    assert f"{near.interface} " in text(found, LEAF, "mtu-wrong")
    assert "9214" in text(found, LEAF, "mtu-wrong")
    assert "1500" in text(found, LEAF, "mtu-wrong")


def test_lines_typed_by_hand(lab: Running) -> None:
    line = "ip prefix-list BY-HAND seq 5 permit 192.0.2.0/24"
    lab.typed(SPINE, line)
    found = lab.comes_to_show(set(), *BACKEND)
    lab.typed(SPINE, f"no {line}")
    lab.heals(*BACKEND)
    assert told(found) == {(SPINE, "drift-extra")}
    assert line in text(found, SPINE, "drift-extra")


@LONG
def test_a_way_between_tenants_opened_by_hand(lab: Running) -> None:
    """A leak that no session and no drift of an underlay shows: routes of another tenant, and pings that pass."""
    leaf = next(d for d in lab.lab.devices if {vrf.name for vrf in d.routing.bgp.vrfs} >= {"research", "serving"})
    block = (f"router bgp {leaf.routing.bgp.asn} vrf research", "address-family ipv4 unicast")
    lab.typed(leaf.name, *block, "import vrf serving", "no import vrf route-map")
    wanted = {(leaf.name, "isolation-route"), (leaf.name, "drift-extra")}
    found = lab.comes_to_show(wanted, "--devices", "fe-*")
    lab.typed(leaf.name, *block, "no import vrf serving", *_import_map(leaf.routing.bgp.vrfs))
    lab.heals("--devices", "fe-*")
    assert wanted <= told(found)
    assert "serving" in text(found, leaf.name, "isolation-route")


def _import_map(vrfs: tuple[object, ...]) -> Iterator[str]:
    for vrf in vrfs:
        if getattr(vrf, "name", "") == "research" and getattr(vrf, "import_map", ""):
            yield f"import vrf route-map {getattr(vrf, 'import_map', '')}"


@LONG
def test_daemons_that_hang(lab: Running) -> None:
    """The box lives and its daemons say nothing: they are named, and others blame them."""
    signal_daemons(lab, SPINE, ("bgpd", "zebra"), signal.SIGSTOP)
    try:
        wanted = {(SPINE, "daemon-hangs"), (LEAF, "session-down"), (OTHER, "session-down")}
        found = lab.comes_to_show(wanted, *BACKEND)
    finally:
        signal_daemons(lab, SPINE, ("bgpd", "zebra"), signal.SIGCONT)
    lab.heals(*BACKEND)
    assert wanted <= told(found)
    assert {one["subject"] for one in found if one["code"] == "daemon-hangs"} == {"daemon bgpd", "daemon zebra"}
    assert f"{SPINE}: daemon" in text(found, LEAF, "session-down")


@pytest.mark.parametrize("daemon", [pytest.param("zebra", marks=LONG), "bgpd", pytest.param("staticd", marks=LONG)])
def test_one_daemon_that_hangs_is_named_at_once(lab: Running, daemon: str) -> None:
    """What the others say is still read, and of what is not read the one that hangs is the cause."""
    signal_daemons(lab, SPINE, (daemon,), signal.SIGSTOP)
    try:
        begun = time.monotonic()
        _, result = lab.verify("--devices", SPINE)
        took = time.monotonic() - begun
    finally:
        signal_daemons(lab, SPINE, (daemon,), signal.SIGCONT)
    lab.heals(*BACKEND)
    (switch,) = [one for one in result["switches"] if one["device"] == SPINE]
    first, *others = switch["findings"]
    assert (first["code"], first["subject"]) == ("daemon-hangs", f"daemon {daemon}")
    assert {one["code"] for one in others} <= {"not-read"}
    assert {one["explained"] for one in others} <= {f"{daemon} hangs"}
    assert took < HANGS_SECONDS, f"{took:.1f} s"
    if daemon != "bgpd":
        assert switch["passed"]["sessions"] > 1


def test_the_switches_of_a_fabric_are_judged_while_one_hangs(lab: Running) -> None:
    signal_daemons(lab, SPINE, ("zebra",), signal.SIGSTOP)
    try:
        begun = time.monotonic()
        _, result = lab.verify(*BACKEND)
        took = time.monotonic() - begun
    finally:
        signal_daemons(lab, SPINE, ("zebra",), signal.SIGCONT)
    lab.heals(*BACKEND)
    assert took < HANGS_SECONDS, f"{took:.1f} s"
    assert {one["device"] for one in result["switches"] if not one["passed"].get("sessions")} == {"servers"}


def test_a_switch_that_does_not_answer(lab: Running) -> None:
    """The last one, as it does not come back: all others are judged, and say why their sessions with it are gone."""
    mine = lab.inside(SPINE, "sh", "-c", "cat /run/frr/*.pid").split()
    for pid in mine:
        os.kill(int(pid), signal.SIGKILL)
    for near, _ in (*cables(lab, LEAF, SPINE), *cables(lab, OTHER, SPINE)):
        pull(lab, near)
    ip("netns", "delete", lab.netns(SPINE))
    wanted = {(SPINE, "unreachable"), (LEAF, "session-down"), (OTHER, "session-down")}
    found = lab.comes_to_show(wanted, *BACKEND)
    assert wanted <= told(found)
    assert SPINE in text(found, LEAF, "session-down")
    assert {device for device, _ in told(found)} == {LEAF, OTHER, SPINE}
