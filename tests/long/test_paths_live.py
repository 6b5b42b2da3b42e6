"""`verify --paths` in a lab that stands: what is lost on which cable, in which switch, and what no flow takes.

Two leaves and more of a backend with eight cables to each spine, and an overlay: 1,632 equal-cost paths over 80 cables.
"""

import json
import subprocess
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from fabricgen.cli.verify import paths as verify_paths
from fabricgen.lab.host.inventory import RunningLab, read_running_lab
from fabricgen.lab.host.place import place_of
from fabricgen.lab.operate.probe import probe
from fabricgen.lab.operate.run import run
from fabricgen.lab.operate.trace import walk
from fabricgen.operation.intended import Intended, LabLocation, intended, read_plan
from fabricgen.verify.expect.site import make_site
from fabricgen.verify.finding import FindingEnd
from fabricgen.verify.probe.equal_cost_paths import FlowChoice, SitePaths, choose, packets
from fabricgen.verify.probe.paths import pairs
from tests import forked
from tests.lab.sites import INVENTORIES, available, lab_verb, remains

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

INTENT = INVENTORIES / "lab" / "intent.yaml"
PATHS = 12 * 16 * 8 + 12 * 4 * 2
"""Ordered pairs of four leaves; cables up from one; cables down to the other: of the backend, and of the overlay."""
SECONDS = 60
NOISE = 60
"""Packets of sessions and discovery that a port may send beside the probes."""
Row = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("lab") / "lab"
    try:
        done = lab_verb("up", INTENT, "--dir", folder)
        assert done.returncode == 0, done.stderr
        yield folder
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


def _verify(folder: Path, *words: str) -> tuple[list[Row], subprocess.CompletedProcess[str]]:
    """Findings of the check, and what was said; all of it within the time that is promised."""
    done = forked.fabricgen(("verify", INTENT, "-i", folder / "inventory", "--paths", "--json", *words), SECONDS)
    (verdict,) = (row for row in json.loads(done.stdout)["switches"] if row["device"] == "paths")
    return verdict["findings"], done


def _impair(folder: Path, end: str, *words: str) -> None:
    done = lab_verb("impair", end, *words, "--dir", folder)
    assert done.returncode == 0, done.stderr


def test_nothing_is_found_where_nothing_is_wrong_and_every_path_is_probed(folder: Path) -> None:
    for _ in range(3):
        findings, done = _verify(folder)
        assert (findings, done.returncode) == ([], 0), done.stdout
        assert f"paths: {PATHS} of {PATHS} probed" in done.stderr
        assert "0 of " in done.stderr


@pytest.mark.parametrize("end", ["be-leaf-001/swp20", "fe-leaf-002/swp31"])
def test_one_percent_on_one_cable_is_found_and_named(folder: Path, end: str) -> None:
    _impair(folder, end, "--loss", "1%")
    try:
        findings, done = _verify(folder)
    finally:
        _impair(folder, end, "--clear")
    assert done.returncode == 4
    (found,) = findings
    assert (found["code"], f"{found['device']}/{found['port']}") == ("path-cable", end)
    assert found["problem"] == "loses packets both ways"
    assert found["far"]["system"].startswith(end[:2])


def test_a_spine_that_drops_while_its_sessions_stay_up_is_named(folder: Path) -> None:
    drop = "add table inet t; add chain inet t f { type filter hook forward priority 0; policy drop; }"
    run(folder, "fe-spine-01", ["nft", drop])
    try:
        findings, _ = _verify(folder)
        status = json.loads(lab_verb("status", "--dir", folder, "--json").stdout)
    finally:
        run(folder, "fe-spine-01", ["nft", "delete table inet t"])
    assert [(found["device"], found["code"]) for found in findings] == [("fe-spine-01", "path-switch")]
    assert "100.000%" in findings[0]["actual"]
    assert all(row["fine"] for row in status)


def test_one_direction_alone_is_told(folder: Path) -> None:
    lines = [
        "add table netdev t",
        'add chain netdev t c { type filter hook ingress device "swp1" priority 0; }',
        "add rule netdev t c numgen random mod 100 < 3 drop",
    ]
    run(folder, "be-spine-00", ["nft", "; ".join(lines)])
    try:
        findings, _ = _verify(folder)
    finally:
        run(folder, "be-spine-00", ["nft", "delete table netdev t"])
    (found,) = findings
    assert (found["device"], found["port"]) == ("be-leaf-000", "swp17")
    assert found["problem"] == "loses packets towards be-spine-00"


def test_packets_of_full_size_that_are_lost_alone_are_told(folder: Path) -> None:
    """A port that takes 9,000 octets of 9,214."""
    words = ["ip", "link", "set", "dev", "swp20", "mtu"]
    run(folder, "be-leaf-001", [*words, "9000"])
    try:
        findings, _ = _verify(folder)
    finally:
        run(folder, "be-leaf-001", [*words, "9214"])
    (found,) = findings
    assert (found["device"], found["port"]) == ("be-leaf-001", "swp20")
    small, full = found["actual"].partition("small ")[2].split(", of 9214 octets ")
    assert small.startswith("0 of ")
    assert not full.startswith("0 of ")


def test_a_hash_without_ports_leaves_paths_unused(folder: Path) -> None:
    words = ["sysctl", "-qw"]
    key = "net.ipv4.fib_multipath_hash_policy"
    run(folder, "be-leaf-003", [*words, f"{key}=0"])
    try:
        findings, done = _verify(folder)
    finally:
        run(folder, "be-leaf-003", [*words, f"{key}=1"])
    assert done.returncode == 4
    assert {found["code"] for found in findings} == {"path-unused"}
    assert {found["device"] for found in findings} == {"be-leaf-003"}


def test_packets_of_a_path_can_be_said(folder: Path) -> None:
    _, done = _verify(folder, "--packets", "10")
    assert f"{PATHS} of {PATHS} probed" in done.stderr
    assert " 10 packets each, " in done.stderr
    assert f"0 of {10 * PATHS} lost" in done.stderr


def test_some_of_the_switches_are_not_enough(folder: Path) -> None:
    words = ("verify", INTENT, "-i", folder / "inventory", "--paths", "--devices", "be-*")
    assert "paths: only some of the switches are queried\n" in forked.fabricgen(words, SECONDS).stdout


class Sweep:
    """Flows of the lab, as the verb chooses them."""

    def __init__(self, folder: Path) -> None:
        self.place, self.standing = place_of(folder), read_running_lab(folder)
        self.meant = _meant(self.standing)
        ways = SitePaths(make_site(self.meant.devices), {device.name: device for device in self.meant.devices})
        servers = tuple(verify_paths._servers(self.standing))
        self.chosen: FlowChoice = choose(
            pairs(self.meant.devices, ways, servers),
            lambda flows: walk(self.place, self.standing, flows),
            frozenset(self.standing.servers),
        )

    def sent(self) -> dict[FindingEnd, int]:
        """Packets that every port of every switch has sent."""
        found = {}
        for name in self.meant.names:
            for row in json.loads(run(self.place.folder, name, ["ip", "-j", "-s", "link"]).stdout):
                found[FindingEnd(name, row["ifname"])] = row["stats64"]["tx"]["packets"]
        return found


def _meant(standing: RunningLab) -> Intended:
    built = frozenset(end for link in standing.links for end in link)
    return intended(read_plan(INTENT, is_lab=True), LabLocation("", built=built), "*")


def test_packets_take_the_ways_that_the_switches_said(folder: Path) -> None:
    """Counters of the ports, which nothing of the check reads."""
    sweep = Sweep(folder)
    flows = sweep.chosen.flows
    each = packets(flows)
    wanted: dict[FindingEnd, int] = {}
    for flow, way in flows.items():
        for wire in way:
            wanted[wire.near] = wanted.get(wire.near, 0) + each[flow] + 1  # one beforehand, which does not count
    before = sweep.sent()
    received = probe(sweep.place, each, dict.fromkeys(flows, 1500), Event().is_set)
    after = sweep.sent()
    assert received.spilt == 0
    ports = [end for end in wanted if end in before]
    assert len(ports) > 140
    for end in ports:
        assert wanted[end] <= after[end] - before[end] <= wanted[end] + NOISE, end
