"""Inside the second kernel: a lab of a frontend with the switches' own interfaces files; what its servers reach.

guest arguments: a folder with intent.yaml, the subset, and names of the servers that ping
written there: seen.json:
    up, status   what `lab up --json` and `lab status --json` said
    servers      the lab's servers and their NICs
    pings        address → address → TTL of the answer, 0 where there was none
    largest      answers to requests of the largest size that must not be fragmented: 3 at best
    drained      packets sent and answered between two tenants while a spine was drained and brought back
    without      overlay neighbor → pings while the leaf of one of them was without its session, and after
    attempts     of a server at its leaf's other addresses: as planned, and without VRFs
    leaked, cut  pings after a route was leaked, and after L3 VNIs were cut, by hand
    switches     leaf → what its kernel and FRR show
    left         what was left after `lab down`
"""

import ipaddress
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import yaml
from napalm import get_network_driver

from fabricgen.device.device import Device
from fabricgen.lab.host.place import place_of
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.interfaces import ifupdown
from fabricgen.lab.model.make import make_lab
from fabricgen.lab.model.subset import parse_subset
from fabricgen.lab.operate.run import space_of
from fabricgen.render.render import Renderer
from fabricgen.site.workspace import open_workspace
from tests.frr.waiting import becomes
from tests.lab import probes, stream
from tests.uml import echo
from tests.uml.guest import LAB, WAIT, fabricgen, inside, tell

ANSWER = re.compile(r"bytes from (\S+): icmp_seq=\d+ ttl=(\d+)")
PORT = "7"
SPINE = "fe-spine-00"
IP_AND_ICMP = 28  # octets of both headers
Facts = dict[str, Any]
Ttls = dict[str, dict[str, int]]


def addresses(server: Facts) -> Iterator[str]:
    """Addresses of a server in tenants' networks, with their lengths."""
    for nic in server["nics"]:
        if nic["vlan_id"]:
            yield from filter(None, (nic["ipv4"], nic["ipv6"]))


def pings(servers: Facts, names: Iterable[str]) -> Ttls:
    """Each of the named servers to all of them."""
    ends = [(name, own.partition("/")[0]) for name in names for own in addresses(servers[name])]
    return echo.ttls(
        echo.Source(
            space_of(place_of(LAB), name).net,
            own,
            tuple(far for other, far in ends if other != name and (":" in far) == (":" in own)),
        )
        for name, own in ends
    )


def largest(servers: Facts, one: str, other: str) -> int:
    """Answers of one server to another's requests that are as large as its NIC sends them."""
    near, far = (nic_of(servers[name]) for name in (one, other))
    size = near["mtu"] - IP_AND_ICMP
    words = ["ping", "-n", "-i", "0.5", "-c", "3", "-W", "2", "-M", "do", "-s", str(size)]
    said = inside(one, *words, "-I", near["ipv4"].partition("/")[0], far["ipv4"].partition("/")[0])
    return len(ANSWER.findall(said))


def shown(name: str) -> Facts:
    """What the kernel and FRR of one leaf have."""
    place = place_of(LAB)
    return {
        "faults": list(ifupdown.faults(LabShell(place.id), space_of(place, name), place.files(name) / "ifupdown2")),
        "vrfs": [row["ifname"] for row in json.loads(inside(name, "ip", "-j", "link", "show", "type", "vrf"))],
        "bridges": json.loads(inside(name, "ip", "-d", "-j", "link", "show", "type", "bridge")),
        "vlans": json.loads(inside(name, "bridge", "-j", "vlan", "show")),
        "vnis": json.loads(inside(name, "vtysh", "-c", "show evpn vni json")),
    }


def leaf_of(server: Facts) -> str:
    """Leaf whose port the server uses."""
    return str(nic_of(server)["switch"])


def nic_of(server: Facts) -> Facts:
    """NIC of a server that has addresses."""
    found: Facts = next(nic for nic in server["nics"] if nic["ipv4"])
    return found


@contextmanager
def streaming(name: str, *words: str) -> Iterator[subprocess.Popen[str]]:
    """tests/lab/stream.py in a server."""
    command = place_of(LAB).space(name).enter(sys.executable, stream.__file__, *words)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def counted(servers: Facts, one: str, other: str, work: Callable[[], None]) -> list[int]:
    """Packets of one server to another while something is done, and answers."""
    near, far = (nic_of(servers[name])["ipv4"].partition("/")[0] for name in (one, other))
    with streaming(other, "echo", far, PORT) as echo:
        assert echo.stdout is not None
        assert echo.stdout.readline() == "ready\n"
        with streaming(one, "send", near, far, PORT) as sender:
            assert sender.stdout is not None
            assert sender.stdout.readline() == "ready\n"
            work()
            return [int(word) for word in sender.communicate()[0].split()]


def texts(intent: Path, subset: str) -> dict[str, str]:
    """Every switch's frr.conf."""
    renderer = Renderer()
    rows = make_lab(open_workspace(intent).plan, parse_subset(subset)).devices
    files = ((device.name, file) for device in rows for file in renderer.render(device))
    return {name: file.text for name, file in files if Path(file.path).name == "frr.conf"}


def replace(switch: str, text: str) -> None:
    """Replace a configuration as a rollout does."""
    row = yaml.safe_load((LAB / "inventory/hosts.yaml").read_text())[switch]
    extras = row["connection_options"]["napalm"]["extras"]["optional_args"]
    with get_network_driver(row["platform"])(switch, "", "", optional_args=extras) as driver:
        driver.load_replace_candidate(config=text)
        driver.commit_config()


def ways(leaf: str, vtep: str) -> int:
    """Next hops that a leaf's kernel has towards a VTEP."""
    rows = json.loads(inside(leaf, "ip", "-4", "-j", "route", "show", vtep) or "[]")
    return sum(len(row.get("nexthops", [row])) for row in rows)


def drain(folder: Path, subset: str, near: str, far: str) -> None:
    """Drain a spine and bring it back; each time until both leaves have as many ways to each other as they should."""
    healthy = folder / "intent.yaml"
    drained = healthy.with_name("drained.yaml")
    overrides = {"overrides": {SPINE: {"state": "drained"}}}
    drained.write_text(yaml.safe_dump(yaml.safe_load(healthy.read_text()) | overrides))
    rows = {row.name: row for row in make_lab(open_workspace(healthy).plan, parse_subset(subset)).devices}
    vteps = {name: str(row.evpn.vtep) for name in (near, far) if (row := rows[name]).evpn}
    before = texts(healthy, subset)
    after = texts(drained, subset)
    for wanted, old, new in ((1, before, after), (2, after, before)):
        for name in (name for name in old if old[name] != new[name]):
            tell(f"{name} is replaced, for {wanted} ways")
            replace(name, new[name])
        becomes(wanted, ways, near, vteps[far])
        becomes(wanted, ways, far, vteps[near])


def established(leaf: str) -> set[str]:
    """Overlay neighbors of a leaf whose sessions stand."""
    peers = json.loads(inside(leaf, "vtysh", "-c", "show bgp l2vpn evpn summary json"))["peers"]
    return {peer for peer, row in peers.items() if row["state"] == "Established"}


def more_routes(servers: Facts, name: str, far: str) -> None:
    """Give a server more addresses, and wait until the far leaf has a route to each.

    8.4.4 loses a VTEP's router MAC by a race that it must lose for every route of that VTEP: one alone would, at times.
    """
    nic, net = nic_of(servers[name]), space_of(place_of(LAB), name).net
    added = []
    for found in (ipaddress.ip_interface(own) for own in (nic["ipv4"], nic["ipv6"])):
        for step in (100, 110, 120):
            nodad = ["nodad"] if found.version == 6 else []
            address = str(found.ip + step)
            inside(name, "ip", "address", "add", f"{address}/{found.network.prefixlen}", "dev", nic["name"], *nodad)
            added.append(echo.Source(net, address, (str(found.network[1]),)))
    echo.ttls(added)
    becomes(set(), lambda: {row.own for row in added} - routes(far, servers[name]["tenant"]))


def routes(leaf: str, vrf: str) -> set[str]:
    """Destinations that BGP put into a VRF, of both families."""
    words = [["ip", family, "-j", "route", "show", "vrf", vrf, "proto", "bgp"] for family in ("-4", "-6")]
    return {row["dst"] for found in words for row in json.loads(inside(leaf, *found) or "[]")}


def without(servers: Facts, leaf: str, names: list[str]) -> dict[str, list[Ttls]]:
    """Shut each overlay session of a leaf for a while: what the servers reach without it, and with it again."""
    router = f"router bgp {json.loads(inside(leaf, 'vtysh', '-c', 'show bgp summary json'))['ipv4Unicast']['as']}"
    found: dict[str, list[Ttls]] = {}
    everyone = established(leaf)
    for peer in sorted(everyone):
        for no, wanted in (("", everyone - {peer}), ("no ", everyone)):
            tell(f"{no}neighbor {peer} shutdown")
            inside(leaf, "vtysh", "-c", "conf t", "-c", router, "-c", f"{no}neighbor {peer} shutdown")
            becomes(wanted, established, leaf)
            found.setdefault(peer, []).append(pings(servers, names))
    return found


def leak(servers: Facts, one: str, other: str) -> None:
    """Let the leaf of two servers route between their tenants."""
    leaf = leaf_of(servers[one])
    for own, far in ((one, other), (other, one)):
        nic = nic_of(servers[far])
        subnet = str(ipaddress.ip_interface(nic["ipv4"]).network)
        inside(leaf, "ip", "route", "add", subnet, "dev", f"vlan{nic['vlan_id']}", "vrf", servers[own]["tenant"])


def cut(seen: Facts, leaf: str) -> None:
    """Take down all L3 VNIs of a leaf."""
    for number, row in seen["switches"][leaf]["vnis"].items():
        if row["type"] == "L3":
            inside(leaf, "ip", "link", "set", "dev", f"vni{number}", "down")


def reload(leaf: str) -> dict[str, str]:
    """Change a switch's own file and apply it as on a box: the words of a port that has one, before and after."""
    seen = {}
    for old, new in (("alias store-", "alias moved-"), ("alias moved-", "alias store-")):
        inside(leaf, "sed", "-i", f"s/{old}/{new}/", "/etc/network/interfaces")
        inside(leaf, "/usr/local/sbin/ifreload", "-a")
        seen[new] = inside(leaf, "ip", "link", "show", "dev", "swp1")
    return seen


def main() -> None:
    """Build the lab, look at it, break it twice, take it down."""
    folder, subset, *names = Path(sys.argv[1]), *sys.argv[2:]
    up = fabricgen("lab", "up", str(folder / "intent.yaml"), "--subset", subset, "--dir", str(LAB), *WAIT, "--json")
    servers = json.loads((LAB / "lab.json").read_text())["servers"]
    seen = {"up": up, "servers": servers, "status": fabricgen("lab", "status", "--dir", str(LAB), "--json")}
    first = {servers[name]["tenant"]: name for name in reversed(names)}
    tell("pings of all")
    seen["pings"] = pings(servers, names)
    tell("what leaves have")
    seen["switches"] = {leaf: shown(leaf) for leaf in sorted({leaf_of(servers[name]) for name in first.values()})}
    tell("ifreload")
    seen["reload"] = reload(leaf_of(servers[first["storage"]]))
    seen |= hold(servers, folder, subset, (first["research"], first["storage"]))
    seen |= broken(seen, names, first)
    seen["attempts"] = attempts(servers, folder, subset, first["research"])
    fabricgen("lab", "down", "--dir", str(LAB))
    seen["left"] = [str(path) for folder in (Path("/run/netns"), LAB) for path in folder.glob("*")]
    (folder / "seen.json").write_text(json.dumps(seen, indent=1))


def hold(servers: Facts, folder: Path, subset: str, ends: tuple[str, str]) -> Facts:
    """What two servers of different tenants keep while a spine is drained and while overlay sessions are lost."""
    near, far = (leaf_of(servers[name]) for name in ends)
    tell("largest packets")
    seen: Facts = {"largest": largest(servers, *ends)}
    tell("a spine is drained")
    seen["drained"] = counted(servers, *ends, lambda: drain(folder, subset, near, far))
    tell("more routes")
    more_routes(servers, ends[0], far)
    more_routes(servers, ends[1], near)
    tell("without an overlay session")
    return {**seen, "without": without(servers, near, list(ends))}


def broken(seen: Facts, names: list[str], first: Mapping[str, str]) -> Facts:
    """What servers reach after a leak, and after L3 VNIs were cut. `first`: of each tenant a server."""
    servers = seen["servers"]
    tell("a leak")
    leak(servers, first["research"], first["serving"])
    leaked = pings(servers, (first["research"], first["serving"]))
    tell("a cut")
    cut(seen, leaf_of(servers[first["storage"]]))
    return {"leaked": leaked, "cut": pings(servers, [name for name in names if servers[name]["tenant"] != "serving"])}


UNDERLAY: tuple[tuple[str, int], ...] = (("tcp", 22), ("tcp", 179), ("udp", 161))
"""Protocols and ports that a server tries at addresses of its leaf that are in other VRFs."""


def attempts(servers: Facts, folder: Path, subset: str, name: str) -> list[dict[str, bool]]:
    """What answers a server at its own leaf: as planned, and without VRFs."""
    leaf, nic = leaf_of(servers[name]), nic_of(servers[name])
    devices = make_lab(open_workspace(folder / "intent.yaml").plan, parse_subset(subset)).devices
    device = next(row for row in devices if row.name == leaf)
    rows = targets(device)
    inside(leaf, "sysctl", "-qw", "net.ipv4.icmp_ratelimit=0")
    ports = (f"vlan{nic['vlan_id']}", device.management.port)
    removals = ((), tuple(f"ip link set {port} nomaster" for port in ports))
    found = []
    for removed in removals:
        for line in removed:
            inside(leaf, *line.split())
        tell(f"attempts, after {removed}")
        said = inside(name, sys.executable, probes.__file__, json.dumps(list(rows.values())))
        found.append(dict(zip(rows, json.loads(said), strict=True)))
    return found


def targets(device: Device) -> dict[str, tuple[str, str, str, int]]:
    """Attempt → its protocol, own address (any), far address and port."""
    uplink = next(row.ipv4 for row in device.interfaces.ethernet if row.profile.role == "uplink" and row.ipv4)
    router_id, vtep = (row.ipv4 for row in device.interfaces.loopbacks if not row.vrf)
    ends = {"router id": router_id, "VTEP": vtep, "uplink": uplink, "management": device.management.address}
    return {
        f"{end}: {kind}/{port}": (kind, "", address.partition("/")[0], port)
        for end, address in ends.items()
        for kind, port in UNDERLAY
    }


if __name__ == "__main__":
    main()
