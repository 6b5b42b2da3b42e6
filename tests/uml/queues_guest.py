"""Inside the second kernel: a lab of a lossless backend with `--queues`; two servers send to a third at once.

guest arguments: a folder with intent.yaml, the subset, the rate, DSCP of the data
written there: seen.json:
    up        what `lab up --json` said
    port      leaf and port of the receiver
    senders   what iperf3 said of each
    before, after  switch → port → its qdiscs with their counters
    received  TOS octet → packets that arrived

One sender is on the receiver's leaf; the other's port is on another leaf, so its packets pass the spine.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from fabricgen.lab.host.place import place_of
from fabricgen.lab.operate.run import run, space_of
from tests.uml.guest import LAB, fabricgen, tell

SECONDS = 4
ROUTE_SECONDS = 60
SEGMENT = 1448  # octets of TCP in a packet of 1500, with timestamps
Facts = dict[str, Any]


def inside(name: str, *words: str) -> str:
    """Output of a command in a switch or server; an error ends the job with what it said."""
    done = run(LAB, name, list(words))
    if done.returncode:
        sys.exit(f"{name}: {' '.join(words)}: {done.stdout}{done.stderr}")
    return done.stdout


def queues(switches: list[str]) -> Facts:
    """Switch → port → its qdiscs, of ports that were given some."""
    found: Facts = {}
    for name in switches:
        for row in json.loads(inside(name, "tc", "-s", "-j", "qdisc", "show")):
            if row["kind"] != "noqueue":
                found.setdefault(name, {}).setdefault(row["dev"], []).append(row)
    return found


def count_at_receiver(name: str, nic: str, dscp: int) -> None:
    """Let the receiver count packets by the whole TOS octet: DSCP and ECN field."""
    inside(name, "tc", "qdisc", "add", "dev", nic, "handle", "ffff:", "ingress")
    for octet in range(dscp << 2, (dscp << 2) + 4):
        words = f"filter add dev {nic} parent ffff: protocol ip prio {octet} u32 match ip dsfield {octet} 0xff"
        inside(name, "tc", *words.split(), "action", "pass")


def counted(name: str, nic: str) -> dict[str, int]:
    """TOS octet → packets that arrived with it."""
    found: dict[str, int] = {}
    for row in json.loads(inside(name, "tc", "-s", "-j", "filter", "show", "dev", nic, "ingress")):
        for action in row.get("options", {}).get("actions", ()):
            found[str(row["pref"])] = action["stats"]["packets"]
    return found


def wait_for(name: str, own: str, far: str) -> None:
    """Until a server reaches another: routes are there."""
    deadline = time.monotonic() + ROUTE_SECONDS
    while run(LAB, name, ["ping", "-n", "-c", "1", "-W", "1", "-I", own, far]).returncode:
        if time.monotonic() > deadline:
            sys.exit(f"{name}: no route from {own} to {far}")


def send(at: int, name: str, own: str, receiver: str, far: str, dscp: int) -> subprocess.Popen[str]:
    """Start one stream; its server waits at the receiver already."""
    port = str(5201 + at)
    inside(receiver, "iperf3", "-s", "-1", "-D", "-p", port)
    words = ["iperf3", "-J", "-c", far, "-B", own, "-p", port, "-t", str(SECONDS), "-M", str(SEGMENT)]
    entered = space_of(place_of(LAB), name).enter(*words, "-S", str(dscp << 2))
    return subprocess.Popen(entered, stdout=subprocess.PIPE, text=True)


def main() -> None:
    """Build the lab, load one port, take it down."""
    folder, subset, rate, dscp = Path(sys.argv[1]), sys.argv[2], sys.argv[3], int(sys.argv[4])
    words = ["lab", "up", str(folder / "intent.yaml"), "--subset", subset, "--dir", str(LAB), "--queues", rate]
    up = fabricgen(*words, "--json", "--no-wait")
    servers = json.loads((LAB / "lab.json").read_text())["servers"]
    first, second, receiver = sorted(servers)
    target = servers[receiver]["nics"][0]
    here = next(nic for nic in servers[first]["nics"] if nic["switch"] == target["switch"])
    beyond = next(nic for nic in servers[second]["nics"] if nic["switch"] != target["switch"])
    for name in servers:
        inside(name, "sysctl", "-qw", "net.ipv4.tcp_ecn=1")
    count_at_receiver(receiver, target["name"], dscp)
    addresses = [nic["ipv4"].partition("/")[0] for nic in (here, beyond, target)]
    for name, own in zip((first, second), addresses, strict=False):
        tell(f"a route from {own}")
        wait_for(name, own, addresses[2])
    tell("streams")
    before = queues(up["switches"])
    streams = [send(at, (first, second)[at], addresses[at], receiver, addresses[2], dscp) for at in (0, 1)]
    said = [json.loads(stream.communicate()[0])["end"] for stream in streams]
    time.sleep(0.5)
    seen = {
        "up": up,
        "port": [target["switch"], target["port"]],
        "senders": [end["sum_sent"] for end in said],
        "before": before,
        "after": queues(up["switches"]),
        "received": counted(receiver, target["name"]),
    }
    fabricgen("lab", "down", "--dir", str(LAB))
    (folder / "seen.json").write_text(json.dumps(seen, indent=1))


if __name__ == "__main__":
    main()
