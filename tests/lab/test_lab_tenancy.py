"""A shared backend in a lab: what tenants reach, which routes the overlay has, and the marks of its outer headers.

The lab's kernel has no VRF devices here, so a namespace stands for each VRF; tests/uml has them for real.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from fabricgen.lab.host.place import place_of
from fabricgen.lab.operate.run import run
from tests.frr.waiting import becomes
from tests.lab.sites import available, fabricgen, lab_verb, remains
from tests.tenancy import outer, site

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

SUBSET = "units=1,leaves=2,spines=1,links=1,servers=5"
SPINE = "be-spine-00"
RAIL0, RAIL4 = (
    {slot: f"10.64.0.{2 * slot + 1}" for slot in range(5)},
    {slot: f"10.64.1.{2 * slot + 1}" for slot in range(5)},
)
"""Slot → address of its NIC: the first rail of each leaf begins the leaf's block, whoever owns the NIC."""
DSCP_26, CE = 26 << 2, 3
ECT0 = 2


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    work = tmp_path_factory.mktemp("tenancy")
    intent = site.write(site.backend_only(), work)
    folder = work / "lab"
    try:
        done = lab_verb("up", intent, "--subset", SUBSET, "--dir", folder, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        assert json.loads(done.stdout)["complaints"] == {}
        yield folder
    finally:
        gone = lab_verb("down", "--dir", folder)
    assert gone.returncode == 0, gone.stderr
    assert remains(place_of(folder)) == {}


def _ttl(folder: Path, server: str, source: str, target: str, *words: str) -> int:
    """TTL of an answer; 0 without one."""
    said = run(folder, server, ["ping", "-n", "-c", "2", "-i", "0.3", "-W", "1", *words, "-I", source, target]).stdout
    found = re.search(r" ttl=(\d+) ", said)
    return int(found[1]) if found else 0


def test_a_tenant_reaches_its_nics_here_and_on_the_other_leaf_and_nothing_else(lab: Path) -> None:
    """TTL 63: one leaf routed it; 62: two did, through the tunnel."""
    wanted = {
        ("train-000", RAIL0[0], RAIL0[1]): 63,
        ("train-000", RAIL4[0], RAIL0[1]): 62,
        ("train-002", RAIL0[2], RAIL0[3]): 63,
        ("train-002", RAIL0[2], RAIL4[3]): 62,
        # Rail 4 of train-001 is serving's, rail 0 research's.
        ("train-002", RAIL0[2], RAIL4[1]): 62,
        ("train-000", RAIL0[0], RAIL4[1]): 0,
        ("train-000", RAIL0[0], RAIL0[2]): 0,
        ("train-000", RAIL0[0], RAIL4[3]): 0,
        ("train-002", RAIL4[2], RAIL0[0]): 0,
        # Nobody's: its ports are shut down.
        ("train-000", RAIL0[0], RAIL0[4]): 0,
    }
    assert {key: _ttl(lab, *key) for key in wanted} == wanted


def test_the_largest_packet_passes_the_tunnel_whole(lab: Path) -> None:
    mtu = 9214 - 50
    assert _ttl(lab, "train-000", RAIL4[0], RAIL0[1], "-M", "do", "-s", str(mtu - 28)) == 62


def test_the_overlay_has_prefix_routes_alone(lab: Path) -> None:
    """One a NIC in the lab: 8 of each of 4 servers with a tenant. No MAC, no flooding routes, on a leaf and a spine."""
    for switch in (SPINE, "be-leaf-000"):
        routes = json.loads(run(lab, switch, ["vtysh", "-c", "show bgp l2vpn evpn json"]).stdout)
        kinds = [prefix for found in routes.values() if isinstance(found, dict) for prefix in found if prefix != "rd"]
        assert {kind[:3] for kind in kinds} == {"[5]"}, switch
        assert len(kinds) == 4 * 8


def test_the_underlay_has_no_route_to_a_nic(lab: Path) -> None:
    shown = json.loads(run(lab, "be-leaf-000", ["ip", "-4", "-j", "route", "show", "table", "main"]).stdout)
    hosts = {row["dst"] for row in shown if row["dst"].startswith(("10.64.0.", "10.64.1."))}
    assert all(int(dst.split(".")[3].partition("/")[0]) >= 128 for dst in hosts), hosts  # uplinks begin there


def _outer(folder: Path, server: str, source: str, target: str, tos: int) -> list[list[int]]:
    """Marks of what passes the spine while a server pings with a TOS."""
    command = place_of(folder).space(SPINE).enter(sys.executable, outer.__file__, "3")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watch:
        assert watch.stdout is not None
        assert watch.stdout.readline() == "ready\n"
        _ttl(folder, server, source, target, "-Q", str(tos))
        found: list[list[int]] = json.loads(watch.stdout.read())
        return found


def test_dscp_and_ecn_are_on_the_outer_header(lab: Path) -> None:
    """Data of RoCE: DSCP 26, ECT(0). The far server answers with the same."""
    tos = DSCP_26 | ECT0
    assert [tos, tos] in _outer(lab, "train-000", RAIL4[0], RAIL0[1], tos)


def test_a_mark_of_congestion_on_the_outer_header_reaches_the_server(lab: Path) -> None:
    """RFC 6040: the spine marks the outer header alone, and the server gets the mark."""
    chain = "add chain ip congested passing { type filter hook forward priority 0; }"
    rule = "add rule ip congested passing udp dport 4789 ip ecn set ce"
    done = run(lab, SPINE, ["nft", f"add table ip congested; {chain}; {rule}"])
    assert done.returncode == 0, done.stderr
    try:
        becomes(True, _marked, lab, "train-001", RAIL0[1], ("train-000", RAIL4[0]))
        # The inner header is not compared: where one kernel is all switches, the far leaf has changed it by then.
        seen = _outer(lab, "train-000", RAIL4[0], RAIL0[1], DSCP_26 | ECT0)
        assert {outer for outer, _ in seen} == {DSCP_26 | ECT0, DSCP_26 | CE}
    finally:
        run(lab, SPINE, ["nft", "delete table ip congested"])


def _marked(folder: Path, server: str, target: str, far: tuple[str, str]) -> bool:
    """Whether a server counts packets with congestion marks, after some were sent to it."""
    before = _congested(folder, server)
    _ttl(folder, far[0], far[1], target, "-Q", str(DSCP_26 | ECT0))
    return _congested(folder, server) > before


def _congested(folder: Path, server: str) -> int:
    rows = [line.split() for line in run(folder, server, ["cat", "/proc/net/netstat"]).stdout.splitlines()]
    names, values = (row for row in rows if row[0] == "IpExt:")
    return int(values[names.index("InCEPkts")])


def test_verify_finds_the_lab_as_planned_and_tells_a_leak(lab: Path) -> None:
    """A route of serving put into research by hand, on one leaf."""
    words = fabricgen("verify", lab.parent / "intent.yaml", "-i", lab / "inventory", "--json")

    def findings() -> set[tuple[str, str]]:
        said = subprocess.run(words, capture_output=True, text=True, check=False)
        switches = json.loads(said.stdout)["switches"]
        return {(one["device"], row["code"]) for one in switches for row in one["findings"]}

    assert findings() == set()
    leak = ["ip", "-n", "research", "route", "add", "10.64.0.4/31", "dev", "lo"]
    assert run(lab, "be-leaf-000", leak).returncode == 0
    assert findings() == {("be-leaf-000", "isolation-route")}
