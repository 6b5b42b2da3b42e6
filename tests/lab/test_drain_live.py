"""Draining a link and a spine in a lab: no session falls, no packet is lost, and the traffic has left.

One link a leaf and spine: a spine that loses its route to a leaf has no other way to it.
"""

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml
from napalm import get_network_driver

from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.lab import Lab
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.run import run
from fabricgen.render.render import Renderer
from fabricgen.site.workspace import open_workspace
from tests.frr.waiting import becomes
from tests.lab import stream
from tests.lab.sites import SMALL, available, lab_verb, remains
from tests.some import some

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "leaves=2,spines=2,links=1,servers=2"
LEAVES, SPINES = ("be-leaf-000", "be-leaf-001"), ("be-spine-00", "be-spine-01")
LINK = "be-spine-00/swp1s0"
PORT = 7


class Site(NamedTuple):
    """A lab that stands, of an intent that is not drained."""

    intent: Path
    folder: Path
    lab: Lab


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """The backend of the small site alone, with every route in the kernel."""
    folder = tmp_path_factory.mktemp("lab") / "lab"
    intent = folder.parent / "intent.yaml"
    found = yaml.safe_load(SMALL.read_text())
    del found["fabrics"]["frontend"], found["tenants"], found["servers"]["store"]
    intent.write_text(yaml.safe_dump(found))
    try:
        done = lab_verb("up", intent, "--subset", SUBSET, "--dir", folder)
        assert done.returncode == 0, done.stdout + done.stderr
        made = Site(intent, folder, make_lab(open_workspace(intent).plan, parse_subset(SUBSET)))
        _over(made, *SPINES)
        yield made
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


def _texts(site: Site, overrides: Mapping[str, str]) -> dict[str, str]:
    """Every switch's frr.conf with these overrides."""
    path = site.intent.with_name("changed.yaml")
    states = {selector: {"state": state} for selector, state in overrides.items()}
    path.write_text(yaml.safe_dump(yaml.safe_load(site.intent.read_text()) | {"overrides": states}))
    lab, renderer = make_lab(open_workspace(path).plan, parse_subset(SUBSET)), Renderer()
    files = ((device.name, file) for device in lab.devices for file in renderer.render(device))
    return {name: file.text for name, file in files if Path(file.path).name == "frr.conf"}


def _replace(site: Site, switch: str, text: str) -> bool:
    """Replace a configuration as a rollout does; whether there was anything to replace."""
    hosts = yaml.safe_load((site.folder / "inventory/hosts.yaml").read_text())
    arguments = hosts[switch]["connection_options"]["napalm"]["extras"]["optional_args"]
    with get_network_driver(hosts[switch]["platform"])(switch, "", "", optional_args=arguments) as driver:
        driver.load_replace_candidate(config=text)
        if not driver.compare_config():
            return False
        driver.commit_config()
        assert driver.compare_config() == ""
    return True


def _show(site: Site, switch: str, command: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(run(site.folder, switch, ["vtysh", "-c", f"show bgp {command} json"]).stdout)
    return found


def _sessions(site: Site) -> dict[tuple[str, str], tuple[int, int]]:
    """Switch and peer → both TCP ports of its session: one that was set up again has another."""
    return {
        (switch, peer): (row["portLocal"], row["portForeign"])
        for switch in (*LEAVES, *SPINES)
        for peer, row in _show(site, switch, "neighbors").items()
        if row["bgpState"] == "Established"
    }


def _ways(site: Site, leaf: str) -> dict[str, set[str]]:
    """What the other leaf originates, as the kernel writes it → the spines that a leaf's kernel sends it over."""
    devices = {device.name: device for device in site.lab.devices}
    peers = {row.name: row.peer for row in devices[leaf].interfaces.ethernet}
    (far,) = set(LEAVES) - {leaf}
    bgp = devices[far].routing.bgp
    found: dict[str, set[str]] = {
        prefix.removesuffix("/32").removesuffix("/128"): set() for prefix in (*bgp.networks_ipv4, *bgp.networks_ipv6)
    }
    for family in ("-4", "-6"):
        said = run(site.folder, leaf, ["ip", family, "-j", "route", "show", "proto", "bgp"]).stdout
        for row in json.loads(said or "[]"):
            found.setdefault(row["dst"], set()).update(peers[hop["dev"]] for hop in row.get("nexthops", [row]))
    return {prefix: ways for prefix, ways in found.items() if prefix not in _of_spines(site)}


def _of_spines(site: Site) -> set[str]:
    spines = [device.routing.bgp for device in site.lab.devices if device.name in SPINES]
    return {prefix.rpartition("/")[0] for bgp in spines for prefix in (*bgp.networks_ipv4, *bgp.networks_ipv6)}


def _over(site: Site, *spines: str) -> None:
    """Wait until both leaves send everything to each other over these spines."""
    for leaf in LEAVES:
        becomes({frozenset(spines)}, lambda leaf=leaf: {frozenset(ways) for ways in _ways(site, leaf).values()})


@contextmanager
def _running(site: Site, node: str, *words: object) -> Iterator[subprocess.Popen[str]]:
    command = place_of(site.folder).space(node).enter(sys.executable, stream.__file__, *(str(word) for word in words))
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def _ready(process: subprocess.Popen[str]) -> None:
    """Wait for the first line of an end."""
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"


def _ends(site: Site) -> Iterator[tuple[str, str, str, str]]:
    """Node, address, and the other's: two servers on their own leaves, and both leaves' IPv6 loopbacks."""
    near, far = site.lab.servers
    addresses = [
        next(nic.ipv4 for nic in one.nics if nic.switch == leaf) for one, leaf in zip((near, far), LEAVES, strict=True)
    ]
    yield near.name, addresses[0].partition("/")[0], far.name, addresses[1].partition("/")[0]
    sixes = {
        device.name: loopback.ipv6.partition("/")[0]
        for device in site.lab.devices
        for loopback in device.interfaces.loopbacks
    }
    yield LEAVES[0], sixes[LEAVES[0]], LEAVES[1], sixes[LEAVES[1]]


@contextmanager
def _traffic(site: Site) -> Iterator[None]:
    """Packets both ways between both leaves all the while: every one of them is answered."""
    with ExitStack() as stack:
        senders = []
        for near, source, far, target in _ends(site):
            echo = stack.enter_context(_running(site, far, "echo", target, PORT))
            _ready(echo)
            senders.append(stack.enter_context(_running(site, near, "send", source, target, PORT)))
        for sender in senders:
            _ready(sender)
        yield
        for sender in senders:
            sent, received = map(int, sender.communicate()[0].split())
            assert sent > 500
            assert sent == received


@contextmanager
def _replaced(site: Site, leaf: str) -> Iterator[None]:
    """Routes to the other leaf are replaced in the kernel all the while, and never deleted first (`ip monitor`)."""
    prefixes = set(_ways(site, leaf))
    command = place_of(site.folder).space(leaf).enter("ip", "-o", "monitor", "route")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield
        finally:
            process.terminate()
        assert process.stdout is not None
        words = [line.split() for line in process.stdout]
    assert prefixes & {word for line in words for word in line}, "the monitor saw nothing"
    assert [line for line in words if line[0] == "Deleted" and line[1] in prefixes] == []


def _preferences(site: Site, leaf: str) -> set[tuple[str, int, bool]]:
    """Spine, local preference, and whether it says that it is being shut down, of every path to the other leaf."""
    devices = {device.name: device for device in site.lab.devices}
    names = {row.address: row.description.partition(" ")[0] for row in devices[leaf].routing.bgp.neighbors}
    (far,) = set(LEAVES) - {leaf}
    bgp = devices[far].routing.bgp
    found = set()
    for family, prefixes in (("ipv4", bgp.networks_ipv4), ("ipv6", bgp.networks_ipv6)):
        for prefix in prefixes:
            for path in _show(site, leaf, f"{family} unicast {prefix}")["paths"]:
                marks = path["community"]["list"]
                found.add((names[path["peer"]["peerId"]], path.get("locPrf", 100), "gracefulShutdown" in marks))
    return found


@pytest.mark.parametrize(
    ("selector", "switches"), some([("be-spine-00", ("be-spine-00",)), (LINK, ("be-leaf-000", "be-spine-00"))], of=2)
)
def test_traffic_leaves_and_comes_back_without_loss(site: Site, selector: str, switches: tuple[str, ...]) -> None:
    """RFC 8326: routes over what is drained come last at both ends and behind them, while its sessions stand."""
    healthy, drained = _texts(site, {}), _texts(site, {selector: "drained"})
    assert {name for name, text in drained.items() if text != healthy[name]} == set(switches)
    before = _sessions(site)
    assert len(before) == 2 * 2 * 2 * 2  # two leaves, two spines, two families, both ends
    with _traffic(site), _replaced(site, LEAVES[0]):
        for name in switches:
            assert _replace(site, name, drained[name])
        _over(site, "be-spine-01")
        for leaf in LEAVES:
            becomes({("be-spine-00", 0, True), ("be-spine-01", 100, False)}, _preferences, site, leaf)
        for name in switches:
            assert _replace(site, name, healthy[name])
        _over(site, *SPINES)
        for leaf in LEAVES:
            becomes({("be-spine-00", 100, False), ("be-spine-01", 100, False)}, _preferences, site, leaf)
    assert _sessions(site) == before
