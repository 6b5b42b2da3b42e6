"""Inside the second kernel: a shared backend with the switches' own interfaces files; what its servers reach.

guest argument: a folder with intent.yaml. Written there: seen.json:
    up       what `lab up --json` said
    pings    [server, source, target] with the TTL of the answer, 0 without one
    vrfs     VRF → its ports, of a leaf
    tunnels  VXLAN device → TOS of its outer header
    kinds    types of the EVPN routes of the leaf
    outer    [outer, inner] TOS of packets at the spine while a server sends with DSCP 26 and ECT(0)
    left     what was left after `lab down`
"""

import json
import re
import subprocess
import sys
from pathlib import Path

from fabricgen.lab.host.place import place_of
from tests.tenancy import outer
from tests.uml.guest import LAB, WAIT, fabricgen, inside, tell

SUBSET = "units=1,leaves=2,spines=1,links=1,servers=4"
LEAF, SPINE = "be-leaf-000", "be-spine-00"
TOS = 26 << 2 | 2
ENDS = (
    ("train-000", "10.64.0.1", "10.64.0.3"),
    ("train-000", "10.64.1.1", "10.64.0.3"),
    ("train-002", "10.64.0.5", "10.64.1.3"),
    ("train-000", "10.64.0.1", "10.64.1.3"),
    ("train-000", "10.64.0.1", "10.64.0.5"),
    ("train-002", "10.64.1.5", "10.64.0.1"),
)
"""Server, its own address and the far one: those of research, one of serving, three across."""


def ttl(server: str, source: str, target: str, *words: str) -> int:
    """TTL of an answer; 0 without one."""
    said = inside(server, "ping", "-n", "-c", "3", "-i", "0.3", "-W", "1", *words, "-I", source, target)
    found = re.findall(r" ttl=(\d+) ", said)
    return int(found[-1]) if found else 0


def pings() -> list[list[object]]:
    """TTL of each pair."""
    return [[*end, ttl(*end)] for end in ENDS]


def marks() -> list[list[int]]:
    """Marks of what passes the spine."""
    command = place_of(LAB).space(SPINE).enter(sys.executable, outer.__file__, "5")
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as watch:
        assert watch.stdout is not None
        watch.stdout.readline()
        ttl(*ENDS[1], "-Q", str(TOS))
        found: list[list[int]] = json.loads(watch.stdout.read())
        return found


def vrfs() -> dict[str, list[str]]:
    """Ports of each VRF of the leaf."""
    rows = json.loads(inside(LEAF, "ip", "-j", "link", "show"))
    names = {row["ifname"] for row in json.loads(inside(LEAF, "ip", "-j", "link", "show", "type", "vrf"))}
    ports = [row for row in rows if row["ifname"].startswith("swp")]
    return {name: sorted(row["ifname"] for row in ports if row.get("master") == name) for name in sorted(names)}


def tunnels() -> dict[str, object]:
    """TOS of the outer headers of each tunnel of the leaf, as iproute2 says it."""
    rows = json.loads(inside(LEAF, "ip", "-d", "-j", "link", "show", "type", "vxlan"))
    return {row["ifname"]: row["linkinfo"]["info_data"].get("tos") for row in rows}


def kinds() -> list[str]:
    """Types of the EVPN routes of the leaf."""
    found = json.loads(inside(LEAF, "vtysh", "-c", "show bgp l2vpn evpn json"))
    return sorted({prefix[:3] for row in found.values() if isinstance(row, dict) for prefix in row if prefix != "rd"})


def main() -> None:
    """Build the lab, look at it, take it down."""
    folder = Path(sys.argv[1])
    intent = str(folder / "intent.yaml")
    seen = {"up": fabricgen("lab", "up", intent, "--subset", SUBSET, "--dir", str(LAB), *WAIT, "--json")}
    tell("pings")
    seen["pings"] = pings()
    tell("what the leaf has")
    seen |= {"vrfs": vrfs(), "tunnels": tunnels(), "kinds": kinds()}
    tell("marks")
    seen["outer"] = marks()
    fabricgen("lab", "down", "--dir", str(LAB))
    seen["left"] = [str(path) for found in (Path("/run/netns"), LAB) for path in found.glob("*")]
    (folder / "seen.json").write_text(json.dumps(seen, indent=1))


if __name__ == "__main__":
    main()
