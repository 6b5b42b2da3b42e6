"""What is exported, applied to servers of a lab: each address speaks over its own NIC, and nobody answers for another.

networkd and netplan do not run in a namespace; the lines for `ip` are made of the same Host.
"""

import json
import re
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from fabricgen.export.hosts import HostWriter
from fabricgen.hosts.build import make_hosts
from fabricgen.hosts.compare import compare
from fabricgen.hosts.expected import expected_state
from fabricgen.hosts.model import Host, Nic
from fabricgen.hosts.selection import selected
from fabricgen.lab.host.place import place_of
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.interfaces.hosts import clear_host
from fabricgen.lab.model.lab import PLAIN
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.run import ping, run, space_of
from fabricgen.site.workspace import open_workspace
from tests.hosts.ip_lines import ip_lines
from tests.lab.sites import available, lab_verb

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "leaves=2,spines=1,links=1,servers=2"
"""Two leaves with two rails each, and two servers."""
INTENT = """
fabricgen: 1
site: rails
cables: {default: {server_leaf: 3, leaf_spine: 20}}
management: {vrf: mgmt, oob: 10.0.0.0/24, gateway: 10.0.0.1, domain: rails.example.net}
servers: {train: {model: dgx-h100, slots: 0-3}}
fabrics:
  backend:
    kind: backend
    prefix: be
    connects: {train: compute}
    topology: {design: rail-optimized, rails_per_leaf: 2, spines: {now: 2, planned: 2}}
    leaf: {model: arista-7060dx5-32, os: frr-8.4}
    spine: {model: arista-7060dx5-32, os: frr-8.4}
    addressing: {links: [ipv4], hosts: ipv4, ipv4: 10.64.0.0/16}
    asns: 4201000000-4201999999
    transport: best-effort
"""


PLANES = """
fabricgen: 1
site: planes
cables: {default: {server_leaf: 3, leaf_spine: 20}}
management: {vrf: mgmt, oob: 10.0.0.0/24, gateway: 10.0.0.1, domain: planes.example.net}
servers: {train: {model: dgx-h100, slots: 0-1}}
fabrics:
  storage:
    kind: storage
    prefix: st
    connects: {train: storage}
    topology: {design: rail-optimized, rails_per_plane: 1, servers_per_unit: 1, spines: {now: 1}}
    leaf: {model: arista-7060dx5-64s, os: frr-8.4}
    spine: {model: arista-7060dx5-64s, os: frr-8.4}
    addressing: {links: [FAMILY], hosts: FAMILY, ipv4: 10.64.0.0/16, ipv6: "fd5e:8c1f:2a00::/52"}
    asns: 4201000000-4201999999
    transport: best-effort
"""
"""Two planes of two leaves and a spine; each server has a port in both, on leaves of its own."""


class Applied(NamedTuple):
    """A lab whose servers have what was exported. names: server → interface as exported → as it is in the lab."""

    folder: Path
    hosts: Mapping[str, Host]
    names: Mapping[str, Mapping[str, str]]

    def rails(self, server: str) -> list[Nic]:
        """NICs of a server that are in the lab."""
        return [nic for nic in self.hosts[server].nics if nic.name in self.names[server]]

    def asked(self, server: str, *words: str) -> list[dict[str, Any]]:
        """What `ip -j` says in a server."""
        found: list[dict[str, Any]] = json.loads(run(self.folder, server, ["ip", "-j", *words]).stdout)
        return found


@pytest.fixture(scope="module")
def applied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Applied]:
    """A lab, its servers emptied, then filled with what the export says."""
    yield from _applied(tmp_path_factory.mktemp("rails"), INTENT, SUBSET)


def _applied(home: Path, text: str, subset: str) -> Iterator[Applied]:
    intent, folder = home / "intent.yaml", home / "lab"
    intent.write_text(text)
    try:
        done = lab_verb("up", intent, "--subset", subset, "--dir", folder)
        assert done.returncode == 0, done.stdout + done.stderr
        yield _apply(folder, intent, subset)
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr


def _apply(folder: Path, intent: Path, subset: str) -> Applied:
    plan = open_workspace(intent).plan
    lab, place = make_lab(plan, parse_subset(subset)), place_of(folder)
    hosts = {host.name: host for host in make_hosts(plan, selected(plan, ["train[0-1]"]))}
    files = dict(HostWriter("netplan").files(hosts.values()))
    names: dict[str, dict[str, str]] = {}
    for server in lab.servers:
        host = hosts[server.name]
        there = {(nic.switch, nic.port): nic.name for nic in server.nics}
        names[server.name] = {n.name: there[n.switch, n.port] for n in host.nics if (n.switch, n.port) in there}
        clear_host(LabShell(place.id), server.nics, space_of(place, server.name), PLAIN)
        for family, lines in ip_lines(host, names[server.name]).items():
            done = run(folder, server.name, ["ip", f"-{family}", "-batch", "-"], "\n".join(lines) + "\n")
            assert done.returncode == 0, done.stderr
        settings = files[f"{server.name}/etc/sysctl.d/60-fabricgen.conf"]
        done = run(folder, server.name, ["sysctl", "-q", "-p", "-"], settings)
        assert (done.returncode, done.stderr) == (0, "")
    return Applied(folder, hosts, names)


def _own(nic: Nic) -> str:
    return nic.address.partition("/")[0]


def test_each_rail_of_one_server_reaches_the_same_of_the_other(applied: Applied) -> None:
    one, other = applied.rails("train-000"), applied.rails("train-001")

    assert [nic.rail for nic in one] == [nic.rail for nic in other] == [0, 1, 2, 3]
    for near, far in zip(one, other, strict=True):
        before = _received(applied, "train-001")
        assert ping(applied.folder, "train-000", _own(far), count=3, source=_own(near)) == 3
        grown = {name: count - before[name] for name, count in _received(applied, "train-001").items()}
        name = applied.names["train-001"][far.name]
        assert grown.pop(name) >= 3
        assert all(count < 3 for count in grown.values()), grown


def _received(applied: Applied, server: str) -> dict[str, int]:
    """Packets that came in, by interface."""
    said = applied.asked(server, "-s", "link", "show")
    return {row["ifname"]: row["stats64"]["rx"]["packets"] for row in said if row["ifname"] != "lo"}


def test_what_a_nic_sends_leaves_by_it_also_across_rails(applied: Applied) -> None:
    far = applied.rails("train-001")
    for near in applied.rails("train-000"):
        for target in far:
            (row,) = applied.asked("train-000", "route", "get", _own(target), "from", _own(near))
            assert (row["dev"], row["gateway"]) == (applied.names["train-000"][near.name], near.gateway)


def test_without_its_rule_a_nic_would_send_by_the_first(applied: Applied) -> None:
    """What the rules are for: the main table knows one way only."""
    near, target = applied.rails("train-000")[3], applied.rails("train-001")[3]
    rule = ["rule", "add", "from", _own(near), "lookup", "main", "priority", "500"]
    run(applied.folder, "train-000", ["ip", *rule])
    try:
        (row,) = applied.asked("train-000", "route", "get", _own(target), "from", _own(near))
        assert row["dev"] == applied.names["train-000"]["rail0"]
    finally:
        run(applied.folder, "train-000", ["ip", "rule", "del", "priority", "500"])


def test_no_nic_answers_for_another(applied: Applied) -> None:
    first, second = applied.rails("train-000")[:2]
    assert not _answers(applied, first, second)
    run(applied.folder, "train-000", ["sysctl", "-q", "-w", "net.ipv4.conf.all.arp_ignore=0"])
    try:
        assert _answers(applied, first, second), "the kernel's own way is what the setting is against"
    finally:
        run(applied.folder, "train-000", ["sysctl", "-q", "-w", "net.ipv4.conf.all.arp_ignore=1"])


def _answers(applied: Applied, asked: Nic, about: Nic) -> bool:
    """Whether a NIC answers the leaf's question for the address of another NIC of its server."""
    assert asked.switch == about.switch
    leaf, target = asked.switch, f"{_own(about)}/32"
    run(applied.folder, leaf, ["ip", "route", "add", target, "dev", asked.port])
    try:
        run(applied.folder, leaf, ["ping", "-n", "-c", "1", "-W", "1", "-I", asked.port, _own(about)])
        said = run(applied.folder, leaf, ["ip", "neigh", "show", _own(about), "dev", asked.port]).stdout
        return re.search(r" lladdr ", said) is not None
    finally:
        run(applied.folder, leaf, ["ip", "route", "del", target, "dev", asked.port])
        run(applied.folder, leaf, ["ip", "neigh", "flush", "dev", asked.port])


def test_what_is_there_is_what_is_expected(applied: Applied) -> None:
    for server, host in applied.hosts.items():
        seen = _seen(applied, server)
        here = {**expected_state(host), "nics": [n for n in expected_state(host)["nics"] if n["used"]][:4]}
        assert list(compare(here, seen)) == []
        seen["nics"][2]["address"] = seen["nics"][3]["address"]
        assert [(found.interface, found.code) for found in compare(here, seen)] == [("rail2", "host-address")]


def _seen(applied: Applied, server: str) -> dict[str, Any]:
    """State of a server's NICs as the kernel tells it."""
    back = {there: name for name, there in applied.names[server].items()}
    rows = {row["ifname"].partition("@")[0]: row for row in applied.asked(server, "address", "show")}
    return {
        "nics": [
            {
                "interface": back[there],
                "mtu": rows[there]["mtu"],
                "address": next(
                    f"{a['local']}/{a['prefixlen']}" for a in rows[there]["addr_info"] if a["family"] == "inet"
                ),
            }
            for there in applied.names[server].values()
        ]
    }


@pytest.fixture(scope="module", params=["ipv4", "ipv6"])
def planes(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Applied]:
    """The same of a storage fabric with planes of rails."""
    text = PLANES.replace("FAMILY", request.param)
    yield from _applied(tmp_path_factory.mktemp("planes"), text, "leaves=4,spines=2,links=1,servers=2")


def test_a_packet_without_a_source_takes_the_nic_of_its_plane(planes: Applied) -> None:
    near = {nic.rail: nic for nic in planes.rails("train-000")}
    far = planes.rails("train-001")
    assert [nic.rail for nic in far] == [0, 1]
    _wait_for_addresses(planes)
    for nic in far:
        _wait_for_routes(planes, _own(nic), source=_own(near[nic.rail]))
        assert ping(planes.folder, "train-000", _own(nic), count=3) == 3
        (row,) = planes.asked("train-000", "route", "get", _own(nic))
        assert (row["dev"], row["prefsrc"]) == (planes.names["train-000"][nic.name], _own(near[nic.rail]))
        assert ping(planes.folder, "train-000", _own(nic), count=3, source=_own(near[nic.rail])) == 3


def _wait_for_routes(applied: Applied, address: str, source: str) -> None:
    """Until the switches have told each other of the address: a packet with the right source arrives."""
    until = time.monotonic() + 30
    while not ping(applied.folder, "train-000", address, count=1, source=source):
        assert time.monotonic() < until


def _wait_for_addresses(applied: Applied) -> None:
    """Until no address is tentative: IPv6 ones are not used until duplicate address detection ends (RFC 4862)."""
    until = time.monotonic() + 10
    while any(run(applied.folder, name, ["ip", "address", "show", "tentative"]).stdout for name in applied.hosts):
        assert time.monotonic() < until
        time.sleep(0.1)
