"""Inside the second kernel: a lab of a frontend with the switches' own interfaces files; what its servers reach.

guest arguments: a folder with intent.yaml, the subset, and names of the servers that ping
written there: seen.json:
    up, status   what `lab up --json` and `lab status --json` said
    servers      the lab's servers and their NICs
    pings        address → address → TTL of the answer, 0 where there was none
    largest      answers to requests of the largest size that must not be fragmented: 3 at best
    leaked, cut  pings after a route was leaked, and after L3 VNIs were cut, by hand
    switches     leaf → what its kernel and FRR show
    left         what was left after `lab down`
"""

import ipaddress
import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from fabricgen.lab import ifupdown
from fabricgen.lab.place import place_of
from fabricgen.lab.run import run, space_of
from fabricgen.lab.shell import Shell

LAB = Path("/tmp/lab")
# Three requests each, all at once: the first may be lost to address resolution.
PINGS = 'own=$0; for far in "$@"; do ping -n -i 0.5 -c 3 -W 2 -I "$own" "$far" 2>&1 & done; wait'
ANSWER = re.compile(r"bytes from (\S+): icmp_seq=\d+ ttl=(\d+)")
IP_AND_ICMP = 28  # octets of both headers
Facts = dict[str, Any]
Ttls = dict[str, dict[str, int]]


def fabricgen(*words: str) -> Any:  # noqa: ANN401 (JSON)
    """What a verb prints as JSON; its complaints end the job."""
    done = subprocess.run([sys.executable, "-m", "fabricgen", *words], capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.returncode}: {done.stdout}{done.stderr}")
    return json.loads(done.stdout) if done.stdout else None


def inside(name: str, *words: str) -> str:
    """Output of a command in a switch or server."""
    return run(LAB, name, list(words)).stdout


def addresses(server: Facts) -> Iterator[str]:
    """Addresses of a server in tenants' networks, with their lengths."""
    for nic in server["nics"]:
        if nic["vlan_id"]:
            yield from filter(None, (nic["ipv4"], nic["ipv6"]))


def ping(name: str, own: str, fars: Iterable[str]) -> dict[str, int]:
    """TTL of the last answer of each address, 0 without one."""
    wanted = [far for far in fars if (":" in far) == (":" in own)]
    answers = dict(ANSWER.findall(inside(name, "sh", "-c", PINGS, own, *wanted)))
    return {far: int(answers.get(far, 0)) for far in wanted}


def pings(servers: Facts, names: Iterable[str]) -> Ttls:
    """Each of the named servers to all of them."""
    ends = [(name, own.partition("/")[0]) for name in names for own in addresses(servers[name])]
    with ThreadPoolExecutor(4) as pool:
        found = pool.map(lambda end: ping(end[0], end[1], (far for name, far in ends if name != end[0])), ends)
        return {own: answers for (_, own), answers in zip(ends, found, strict=True)}


def largest(servers: Facts, one: str, other: str) -> int:
    """Answers of one server to another's requests that are as large as its NIC sends them."""
    near, far = (next(nic for nic in servers[name]["nics"] if nic["ipv4"]) for name in (one, other))
    size = near["mtu"] - IP_AND_ICMP
    words = ["ping", "-n", "-i", "0.5", "-c", "3", "-W", "2", "-M", "do", "-s", str(size)]
    said = inside(one, *words, "-I", near["ipv4"].partition("/")[0], far["ipv4"].partition("/")[0])
    return len(ANSWER.findall(said))


def shown(name: str) -> Facts:
    """What the kernel and FRR of one leaf have."""
    place = place_of(LAB)
    return {
        "faults": list(ifupdown.faults(Shell(place.id), space_of(place, name), place.files(name) / "ifupdown2")),
        "vrfs": [row["ifname"] for row in json.loads(inside(name, "ip", "-j", "link", "show", "type", "vrf"))],
        "bridges": json.loads(inside(name, "ip", "-d", "-j", "link", "show", "type", "bridge")),
        "vlans": json.loads(inside(name, "bridge", "-j", "vlan", "show")),
        "vnis": json.loads(inside(name, "vtysh", "-c", "show evpn vni json")),
    }


def leaf_of(server: Facts) -> str:
    """Leaf whose port the server uses."""
    return str(next(nic["switch"] for nic in server["nics"] if nic["ipv4"]))


def leak(servers: Facts, one: str, other: str) -> None:
    """Let the leaf of two servers route between their tenants."""
    leaf = leaf_of(servers[one])
    for own, far in ((one, other), (other, one)):
        nic = next(nic for nic in servers[far]["nics"] if nic["ipv4"])
        subnet = str(ipaddress.ip_interface(nic["ipv4"]).network)
        inside(leaf, "ip", "route", "add", subnet, "dev", f"vlan{nic['vlan_id']}", "vrf", servers[own]["tenant"])


def cut(seen: Facts, leaf: str) -> None:
    """Take down all L3 VNIs of a leaf."""
    for number, row in seen["switches"][leaf]["vnis"].items():
        if row["type"] == "L3":
            inside(leaf, "ip", "link", "set", "dev", f"vni{number}", "down")


def main() -> None:
    """Build the lab, look at it, break it twice, take it down."""
    folder, subset, *names = Path(sys.argv[1]), *sys.argv[2:]
    up = fabricgen("lab", "up", str(folder / "intent.yaml"), "--subset", subset, "--dir", str(LAB), "--json")
    servers = json.loads((LAB / "lab.json").read_text())["servers"]
    seen = {"up": up, "servers": servers, "status": fabricgen("lab", "status", "--dir", str(LAB), "--json")}
    seen["pings"] = pings(servers, names)
    first = {servers[name]["tenant"]: name for name in reversed(names)}
    seen["switches"] = {leaf: shown(leaf) for leaf in sorted({leaf_of(servers[name]) for name in first.values()})}
    seen["largest"] = largest(servers, first["research"], first["storage"])
    leak(servers, first["research"], first["serving"])
    seen["leaked"] = pings(servers, (first["research"], first["serving"]))
    cut(seen, leaf_of(servers[first["storage"]]))
    seen["cut"] = pings(servers, [name for name in names if servers[name]["tenant"] != "serving"])
    fabricgen("lab", "down", "--dir", str(LAB))
    seen["left"] = [str(path) for folder in (Path("/run/netns"), LAB) for path in folder.glob("*")]
    (folder / "seen.json").write_text(json.dumps(seen, indent=1))


if __name__ == "__main__":
    main()
