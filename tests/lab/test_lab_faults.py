"""What goes wrong in a fabric, done to a running one: verify finds and names it, and is silent once it is mended."""

import json
import os
import shutil
import signal
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
import yaml

from fabricgen.lab.lab import make_lab
from fabricgen.lab.model import End
from fabricgen.lab.subset import parse_subset
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
LEAF, OTHER, SPINE = "be-leaf-000", "be-leaf-001", "be-spine-01"


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


def cables(lab: Running, lower: str, upper: str) -> list[tuple[End, End]]:
    """Cables between two switches, lower end first."""
    found = [(link.near, link.far) for link in lab.lab.links if (link.near.owner, link.far.owner) == (lower, upper)]
    assert len(found) == 2
    return found


@contextmanager
def quick(lab: Running) -> Iterator[str]:
    """The lab's inventory, with less patience for what hangs."""
    folder = lab.folder / "quick"
    folder.mkdir()
    for name in ("hosts", "groups", "defaults"):
        content = yaml.safe_load((lab.folder / "inventory" / f"{name}.yaml").read_text())
        for host in content.values() if name == "hosts" else ():
            host["connection_options"]["napalm"]["extras"]["timeout"] = 3
        (folder / f"{name}.yaml").write_text(json.dumps(content))
    try:
        yield str(folder)
    finally:
        shutil.rmtree(folder)


def text(found: tuple[Finding, ...], device: str, code: str) -> str:
    """The whole of those findings, as one text."""
    return "\n".join(
        f"{one['subject']} {one['problem']}: {one['expected']} / {one['actual']} <- {one['explained']}"
        for one in found
        if (one["device"], one["code"]) == (device, code)
    )


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
    assert near.interface in text(found, LEAF, "interface-shut")
    assert f"{LEAF} {near.interface} is shut down" in text(found, SPINE, "interface-down")
    assert all(one["explained"] for one in found if one["code"] != "interface-shut")
    assert far.interface in text(found, SPINE, "session-down")


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
    assert f"{LEAF} {near.interface} hears nothing over this link" in text(found, SPINE, "session-down")
    assert not {code for _, code in told(found)} & {"interface-down", "interface-shut"}


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


def test_a_cable_in_the_wrong_hole(lab: Running) -> None:
    """The hole where it belongs is empty: it has no carrier."""
    near, far = cables(lab, LEAF, SPINE)[0]
    wrong = End(SPINE, "swp60s1")
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


def test_daemons_that_hang(lab: Running) -> None:
    """The box lives and its daemons say nothing: it is told as a switch that can not be read, and others blame it."""
    with quick(lab) as inventory:
        signal_daemons(lab, SPINE, ("bgpd", "zebra"), signal.SIGSTOP)
        try:
            wanted = {(SPINE, "unreachable"), (LEAF, "session-down"), (OTHER, "session-down")}
            found = lab.comes_to_show(wanted, *BACKEND, "-i", inventory)
        finally:
            signal_daemons(lab, SPINE, ("bgpd", "zebra"), signal.SIGCONT)
    lab.heals(*BACKEND)
    assert wanted <= told(found)


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
