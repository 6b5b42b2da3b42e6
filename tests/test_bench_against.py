"""bench/against.py gives every tool the same fabric, counts what they write, and says which goals are missed.

pyavd renders for real: it is installed for the tests anyway. netlab is not; of it the topology is judged. How fast each
is, is `make bench-against`'s to say.
"""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import yaml

from bench import against, avd_run
from bench.against_fabric import NUMBERED, UNNUMBERED, Fabric, Link, ServerPort, Switch, intent_text
from bench.against_tools import AVD, FABRICGEN, NETLAB, Cost, Tool, Written, count, run
from bench.avd_inputs import write_inputs
from bench.netlab_topology import topology_text
from fabricgen.plan.fabric import places
from fabricgen.plan.place import Tier
from fabricgen.site.workspace import open_workspace
from tests.some import LONG

SCRIPT = Path(__file__).parent.parent / "bench" / "against.py"
LEAVES, SPINES, PORTS = 4, 8, 64
INTERFACE = re.compile(r"^interface (Ethernet\S+)\n((?:   .*\n)+)", re.MULTILINE)
OURS = re.compile(r"^   description (\S+) (\S+)", re.MULTILINE)
PYAVDS = re.compile(r"^   description (?:P2P_)?([^_\n]+)_(\S+)", re.MULTILINE)
SESSION = re.compile(r"^   neighbor interface (\S+) peer-group \S+ remote-as (\d+)", re.MULTILINE)

Ends = frozenset[tuple[str, str]]


class Ran(NamedTuple):
    """What a quick run printed, and the folder of its one size."""

    printed: str
    place: Path


@pytest.fixture(scope="module")
def ran(tmp_path_factory: pytest.TempPathFactory) -> Ran:
    """A quick run with the interpreter of the tests for AVD's environment: it has the same pyavd."""
    folder = tmp_path_factory.mktemp("against")
    python = folder / "environments/avd/bin/python"
    python.parent.mkdir(parents=True)
    python.write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    python.chmod(0o755)
    kept = folder / "kept"
    words = ["--quick", "--environments", str(folder / "environments"), "--folder", str(kept)]
    found = subprocess.run([sys.executable, str(SCRIPT), *words], capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr
    return Ran(found.stdout, kept / f"{LEAVES}-leaves")


def fabric_cables(texts: dict[str, str], peer: re.Pattern[str]) -> set[Ends]:
    """Both ends of every described cable between switches. Fails where its two ends say different things."""
    said: Counter[Ends] = Counter(
        frozenset(((name, port), (found[1], found[2])))
        for name, text in texts.items()
        for port, lines in INTERFACE.findall(text)
        if (found := peer.search(lines)) and found[1] in texts
    )
    assert set(said.values()) == {2}, [ends for ends, times in said.items() if times != 2][:3]
    return set(said)


def server_ports(texts: dict[str, str], peer: re.Pattern[str]) -> set[tuple[str, str, str, str, str]]:
    return {
        (name, port, found[1], found[2], lines.split("ip address ")[1].split()[0])
        for name, text in texts.items()
        for port, lines in INTERFACE.findall(text)
        if (found := peer.search(lines)) and found[1] not in texts
    }


def sessions(texts: dict[str, str]) -> set[tuple[str, str, str]]:
    return {(name, *found) for name, text in texts.items() for found in SESSION.findall(text)}


def ours(ran: Ran) -> dict[str, str]:
    return {path.parent.name: path.read_text() for path in ran.place.glob("fabricgen-out/*/startup-config")}


def pyavds(ran: Ran) -> dict[str, str]:
    return {path.stem: path.read_text() for path in ran.place.glob("avd-out/*.cfg")}


@LONG
def test_pyavd_configures_the_cables_ports_and_sessions_that_we_do(ran: Ran) -> None:
    own, theirs = ours(ran), pyavds(ran)
    assert set(own) == set(theirs)
    assert len(fabric_cables(own, OURS)) == LEAVES * PORTS
    assert fabric_cables(theirs, PYAVDS) == fabric_cables(own, OURS)
    assert len(server_ports(own, OURS)) == LEAVES * PORTS
    assert server_ports(theirs, PYAVDS) == server_ports(own, OURS)
    assert len(sessions(own)) == 2 * LEAVES * PORTS
    assert sessions(theirs) == sessions(own)


@LONG
def test_netlab_is_given_the_cables_ports_and_numbers_that_we_configure(ran: Ran) -> None:
    own = ours(ran)
    topology = yaml.safe_load((ran.place / "netlab/topology.yml").read_text())
    links = [Nodes.of(link) for link in topology["links"]]
    cables = {frozenset(link.ports) for link in links if len(link.ports) == 2}
    assert cables == fabric_cables(own, OURS)
    servers = {(*link.ports[0], *link.name.split(), link.address) for link in links if len(link.ports) == 1}
    assert servers == server_ports(own, OURS)
    numbers = {name: str(node["bgp.as"]) for name, node in topology["nodes"].items()}
    assert numbers == {name: text.split("router bgp ")[1].split()[0] for name, text in own.items()}


class Nodes(NamedTuple):
    """A link of a topology: the ports it has in nodes, its name, and an address of the first."""

    ports: tuple[tuple[str, str], ...]
    name: str
    address: str

    @classmethod
    def of(cls, link: dict[str, dict[str, str] | str]) -> "Nodes":
        ends = {name: port for name, port in link.items() if isinstance(port, dict)}
        address = next(iter(ends.values())).get("ipv4", "")
        return cls(tuple((name, port["ifname"]) for name, port in ends.items()), str(link.get("name", "")), address)


@LONG
def test_the_comparison_sees_a_cable_in_another_port(ran: Ran) -> None:
    texts = pyavds(ran)
    for name, port, other in (("be-leaf-000", "be-spine-00_Ethernet1/1", "be-spine-00_Ethernet1/5"),):
        assert port in texts[name]
        texts[name] = texts[name].replace(port, other, 1)
    with pytest.raises(AssertionError):
        fabric_cables(texts, PYAVDS)


@LONG
def test_a_quick_run_prints_rows_ratios_and_what_is_not_comparable(ran: Ran) -> None:
    assert re.search(rf"^fabricgen \S+ +{LEAVES} +{LEAVES + SPINES} ", ran.printed, re.MULTILINE)
    assert re.search(rf"^avd 6\.4\.0 +{LEAVES} +{LEAVES + SPINES} ", ran.printed, re.MULTILINE)
    assert re.search(rf"^BGP sessions +{PORTS} +{PORTS}$", ran.printed, re.MULTILINE)
    assert re.search(rf"^ports with the RoCE profile +{2 * PORTS} +{2 * PORTS}$", ran.printed, re.MULTILINE)
    assert re.search(rf"^ports that sFlow samples +{PORTS} +{PORTS}$", ran.printed, re.MULTILINE)
    assert "beside avd, 4 leaves:" in ran.printed
    assert "What is not comparable" in ran.printed


SMALL = Fabric(
    (Switch("l", "leaf", 1, 65001, "10.0.0.1/24"), Switch("s", "spine", 1, 65002, "10.0.0.2/24")),
    (Link("l", "Ethernet33/1", "s", "Ethernet1/1"),),
    (ServerPort("l", "Ethernet1/1", "train-0", "OSFP1P1", "10.64.0.0/31"),),
)


@pytest.mark.parametrize(("links", "pool"), [(UNNUMBERED, {"unnumbered": True}), (NUMBERED, "10.128.0.0/12")])
def test_both_forms_of_links_are_said_to_both(links: str, pool: object, tmp_path: Path) -> None:
    write_inputs(SMALL, links, tmp_path)
    for name in ("l", "s"):
        assert json.loads((tmp_path / f"{name}.json").read_text())["underlay_rfc5549"] is (links == UNNUMBERED)
    assert set(avd_run.read(tmp_path)) == {"l", "s"}
    said = yaml.safe_load(topology_text(SMALL, links))["addressing"]["p2p"]
    assert said == pool or said["ipv4"] == pool


def test_inputs_that_avd_refuses_end_the_run(tmp_path: Path) -> None:
    write_inputs(SMALL, UNNUMBERED, tmp_path)
    config = json.loads((tmp_path / "l.json").read_text())
    (tmp_path / "l.json").write_text(json.dumps(config | {"p2p_uplinks_mtu": "large"}))
    with pytest.raises(SystemExit, match="l: p2p_uplinks_mtu"):
        avd_run.read(tmp_path)


def test_500_leaves_are_three_tiers_at_one_to_one(tmp_path: Path) -> None:
    """8 pods of 64 spines; a group of superspines joins 8 spines of 64 uplinks: 4 of 128 ports, for each of 64."""
    path = tmp_path / "intent.yaml"
    path.write_text(intent_text(500, 64, UNNUMBERED))
    (fabric,) = open_workspace(path).plan.fabrics.values()
    found = Counter(place.tier for place in places(fabric))
    assert found == {Tier.LEAF: 500, Tier.SPINE: 512, Tier.SUPERSPINE: 256}


@pytest.mark.parametrize("leaves", [0, 6, 516])
def test_sizes_without_a_shape_are_refused(leaves: int) -> None:
    with pytest.raises(ValueError, match=f"{leaves} leaves"):
        intent_text(leaves, 64, UNNUMBERED)


TEXT = """\
! a comment counts
!
interface Ethernet1/1
   description s Ethernet1/1

   service-profile ROCE-400G
router bgp 65001
  neighbor interface Ethernet33/1 peer-group UP remote-as 65002
  neighbor interface Ethernet33/1 peer-group UP
   neighbor 10.0.0.1 peer group UP
   neighbor 10.0.0.1 remote-as 65002
   neighbor fd00::1 remote-as 65002
   neighbor UP remote-as 65002
"""


def test_lines_and_sessions_are_counted_once(tmp_path: Path) -> None:
    (tmp_path / "be-leaf-000.cfg").write_text(TEXT)
    (tmp_path / "be-spine-00.cfg").write_text("hostname s\n\n!\n")
    found = count(Tool(AVD, "", (), {}, tmp_path))
    assert (found.devices, found.lines) == (2, 12)
    assert found.leaf["BGP sessions"] == 3
    assert found.leaf["ports with the RoCE profile"] == found.leaf["interfaces described"] == 1
    assert found.leaf["route maps"] == 0


def test_a_run_measures_children_too_and_tells_the_last_words_of_a_failure(tmp_path: Path) -> None:
    busy = (
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'sum(range(5_000_000)); b = [1] * 15_000_000'])"
    )
    cost = run(Tool(AVD, "", (sys.executable, "-c", busy), {}, tmp_path / "out"))
    assert cost.seconds > 0.02
    assert cost.megabytes > 95
    small = run(Tool(AVD, "", (sys.executable, "-I", "-S", "-c", "pass"), {}, tmp_path / "out"))
    assert small.megabytes < 30, "what this process holds is not the child's"
    with pytest.raises(SystemExit, match="no such switch"):
        run(Tool(AVD, "", (sys.executable, "-c", "raise SystemExit('no such switch')"), {}, tmp_path / "out"))


def rows(*said: tuple[str, int, float, float, int]) -> Iterator[against.Row]:
    for name, leaves, seconds, megabytes, lines in said:
        tool = Tool(name, "1", (), {}, Path())
        yield against.Row(tool, leaves, Cost(seconds, megabytes), Written(1, lines, {}))


@pytest.mark.parametrize(
    ("rival", "verdict"),
    [
        ((AVD, 8, 100.0, 500.0, 1000), "goal at least 100 x the lines, at most 0.1 of the memory: met"),
        ((AVD, 8, 99.0, 500.0, 1000), "missed"),
        ((AVD, 8, 100.0, 499.0, 1000), "missed"),
        ((NETLAB, 8, 100.0, 40.0, 1000), "goal at least 100 x less CPU: met"),
        ((NETLAB, 8, 99.0, 40.0, 1000), "missed"),
    ],
)
def test_goals_are_judged(rival: tuple[str, int, float, float, int], verdict: str) -> None:
    ((text, is_met),) = against._verdicts(list(rows((FABRICGEN, 8, 1.0, 50.0, 1000), rival)))
    assert verdict in text
    assert is_met is (not text.endswith("missed"))


def test_a_goal_is_judged_at_the_largest_size_alone() -> None:
    own = ((FABRICGEN, 4, 1.0, 50.0, 100), (FABRICGEN, 8, 1.0, 50.0, 1000))
    (small, is_small_met), (large, is_large_met) = against._verdicts(
        list(rows(own[0], (NETLAB, 4, 2.0, 50.0, 100), own[1], (NETLAB, 8, 20.0, 50.0, 1000)))
    )
    assert is_small_met
    assert "goal" not in small
    assert not is_large_met
    assert large.endswith("missed")
