"""A NIC behind two leaves of FRR: servers that speak BGP, a lost link, a lost leaf, and a server that lies."""

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

import pytest

from fabricgen.errors import FabricError
from fabricgen.lab.host.daemons import start_host
from fabricgen.lab.host.place import place_of
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.site.workspace import open_workspace
from tests.frr.waiting import becomes
from tests.lab import stream
from tests.lab.faults import Running, ip
from tests.lab.sites import available, lab_verb, remains
from tests.leaf_pairs import site

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

LEAF, MATE = "be-leaf-000", "be-leaf-001"
SERVER, BESIDE, FAR = "train-000", "train-001", "train-002"
"""The first two are behind one pair of leaves, the third behind another one."""
OWN = {SERVER: "10.64.0.1", BESIDE: "10.64.0.3", FAR: "10.64.0.17"}
"""Addresses of the NICs of rail 0."""
RAIL1 = {SERVER: "10.64.0.9", FAR: "10.64.0.25"}
PORT, TO_SERVER = 7, "swp1s0"
BOTH, OTHER = ["nic0-p0", "nic0-p1"], ["nic0-p1"]
"""Ports of a server on rail 0."""
MOST_LOST = 200
"""Packets of a stream: what it sends in a second. Seen: 12 to 24 for a link, 1 to 3 for a leaf."""


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("pairs") / "lab"
    intent = site.written(folder.parent)
    try:
        done = lab_verb("up", intent, "--dir", folder)
        assert done.returncode == 0, done.stdout + done.stderr
        yield Running(folder, intent, make_lab(open_workspace(intent).plan, parse_subset("")))
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


def hops(lab: Running, node: str, address: str) -> list[str]:
    """Ports by which a node sends packets to an address."""
    shown = json.loads(lab.inside(node, "vtysh", "-c", f"show ip route {address}/32 json") or "{}")
    rows = [row for row in shown.get(f"{address}/32", []) if row.get("selected") and row.get("installed")]
    return sorted(hop["interfaceName"] for row in rows for hop in row["nexthops"] if hop.get("fib"))


@contextmanager
def running(lab: Running, node: str, *words: object) -> Iterator["subprocess.Popen[str]"]:
    command = place_of(lab.folder).space(node).enter(sys.executable, stream.__file__, *(str(word) for word in words))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            yield process
        finally:
            process.kill()


@contextmanager
def streams(lab: Running) -> Iterator[dict[str, tuple[int, int]]]:
    """Streams from the first server to one beside it and to a far one; in the end packets sent, and lost, by target."""
    counts: dict[str, tuple[int, int]] = {}
    with ExitStack() as stack:
        for target in (BESIDE, FAR):
            stack.enter_context(running(lab, target, "echo", OWN[target], PORT))
        senders = {
            target: stack.enter_context(running(lab, SERVER, "send", OWN[SERVER], OWN[target], PORT))
            for target in (BESIDE, FAR)
        }
        yield counts
        for target, sender in senders.items():
            out, _ = sender.communicate("\n")
            sent, received = map(int, out.split())
            counts[target] = sent, sent - received


def set_ports(lab: Running, switch: str, ports: list[str], state: str) -> None:
    for port in ports:
        ip("-n", lab.netns(switch), "link", "set", port, state)


def test_each_nic_is_reached_over_both_leaves_by_the_nic_of_its_rail(lab: Running) -> None:
    lab.heals()
    for target in (BESIDE, FAR):
        assert hops(lab, SERVER, OWN[target]) == BOTH
    assert hops(lab, SERVER, RAIL1[FAR]) == ["nic1-p0", "nic1-p1"]
    for addresses in (OWN, RAIL1):
        # Without a source address: that of the NIC whose rail it is.
        (route,) = json.loads(lab.inside(SERVER, "ip", "-j", "route", "get", addresses[FAR]))
        assert route["prefsrc"] == addresses[SERVER]
        lab.inside(SERVER, "ping", "-c", "2", "-i", "0.2", "-W", "2", addresses[FAR])
    lab.inside(SERVER, "ping", "-c", "2", "-i", "0.2", "-W", "2", "-I", OWN[SERVER], OWN[BESIDE])
    # A server has the routes of its rails, and no default route or aggregate of the fabric.
    table = json.loads(lab.inside(SERVER, "ip", "-j", "route", "show", "proto", "bgp"))
    assert {row["dst"] for row in table} == {f"10.64.0.{last}" for last in (3, 11, 17, 19, 25, 27)}


@pytest.mark.parametrize("lost", ["link", "leaf"])
def test_traffic_goes_on_by_the_other_leaf_and_comes_back(lab: Running, lost: str) -> None:
    ports = [TO_SERVER] if lost == "link" else [row.name for row in lab.device(LEAF).interfaces.ethernet]
    with streams(lab) as counts:
        set_ports(lab, LEAF, ports, "down")
        becomes(OTHER, hops, lab, BESIDE, OWN[SERVER])
        becomes(OTHER, hops, lab, SERVER, OWN[FAR])
        set_ports(lab, LEAF, ports, "up")
        becomes(BOTH, hops, lab, BESIDE, OWN[SERVER])
        becomes(BOTH, hops, lab, SERVER, OWN[FAR])
    sys.stdout.write(f"{lost}: {counts}\n")
    assert all(sent > MOST_LOST and missing <= MOST_LOST for sent, missing in counts.values()), counts
    lab.heals()


def test_a_lost_link_is_found_at_its_leaf_alone(lab: Running) -> None:
    set_ports(lab, LEAF, [TO_SERVER], "down")
    try:
        becomes(OTHER, hops, lab, BESIDE, OWN[SERVER])
        found = lab.comes_to_show({(LEAF, "session-down")})
        assert {one["device"] for one in found} == {LEAF}
        assert {one["port"] for one in found} == {TO_SERVER}
    finally:
        set_ports(lab, LEAF, [TO_SERVER], "up")
    lab.heals()


def test_a_server_is_not_believed_for_the_address_of_another(lab: Running) -> None:
    (router,) = (
        line for line in lab.inside(BESIDE, "vtysh", "-c", "show run").splitlines() if line.startswith("router bgp")
    )
    network = f"network {OWN[SERVER]}/32"
    family = "address-family ipv4 unicast"
    lab.inside(BESIDE, "ip", "address", "add", f"{OWN[SERVER]}/32", "dev", "lo")
    lab.typed(BESIDE, f"ip prefix-list PL-RAIL0 seq 20 permit {OWN[SERVER]}/32", router, family, network)
    try:
        becomes({f"{OWN[SERVER]}/32", f"{OWN[BESIDE]}/32"}, announced, lab, BESIDE, BOTH[0])
        for leaf in (LEAF, MATE):
            assert hops(lab, leaf, OWN[SERVER]) == [TO_SERVER]
        lab.inside(FAR, "ping", "-c", "2", "-i", "0.2", "-W", "2", "-I", OWN[FAR], OWN[SERVER])
    finally:
        lab.typed(BESIDE, router, family, f"no {network}")
        lab.inside(BESIDE, "ip", "address", "del", f"{OWN[SERVER]}/32", "dev", "lo")
    lab.heals()


def announced(lab: Running, server: str, port: str) -> set[str]:
    """What a server announces over a port."""
    command = f"show bgp ipv4 unicast neighbors {port} advertised-routes json"
    return set(json.loads(lab.inside(server, "vtysh", "-c", command))["advertisedRoutes"])


class _Started(LabShell):
    """A shell of a lab whose daemons run already: it starts none."""

    def must(self, argv: list[str], text: str = "", *, doing: str) -> str:  # as the lab calls it
        return ""


def test_a_server_whose_routing_is_not_taken_is_a_problem(lab: Running) -> None:
    """Last, as it leaves the server with what it had before."""
    server = next(server for server in lab.lab.servers if server.name == FAR)
    place = place_of(lab.folder)
    with pytest.raises(FabricError) as caught:
        start_host(_Started(place.id), place, server._replace(routing="nonsense\n"))
    (problem,) = caught.value.problems
    assert problem.code == "lab-routing"
    assert "nonsense" in problem.why
