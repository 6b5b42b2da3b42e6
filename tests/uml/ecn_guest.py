"""Inside the second kernel: load one switch port from two senders, and count what it did with the packets.

    guest argument: a folder with cases.json: name → {queues: lines for `tc -batch`, full: handles of queues that the
                    load is to fill, streams: [[sender, DSCP, Mbit/s of UDP or 0 for TCP], ...]}
    written there: figures.json: name → {senders, ping, idle, samples, queues, received}:
        what iperf3 and ping said; what tc counted before the load, again and again during it, and after it;
        TOS octet → packets that arrived

One switch, three hosts; host 3 receives. Beside each load a sender pings with the DSCP of congestion notifications.
"""

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

SECONDS = 4
PINGS = 30
CNP_DSCP = 48
ECT0 = 2  # RFC 3168, section 5
PORT = "swp3"
RECEIVER = "10.1.3.2"


def run(*words: str, text: str = "") -> str:
    """Output of a command; an error ends the job with what it said."""
    done = subprocess.run(words, input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"{' '.join(words)}: {done.stdout}{done.stderr}{text}")
    return done.stdout


def wire() -> None:
    """Hosts h1 to h3 on a routing switch. Offloads are off, so that one mark is one packet."""
    for name in ("h1", "h2", "h3", "sw"):
        run("ip", "netns", "add", name)
    run("ip", "netns", "exec", "sw", "sysctl", "-qw", "net.ipv4.ip_forward=1")
    for number in (1, 2, 3):
        host, port = f"h{number}", f"swp{number}"
        run("ip", "link", "add", "eth0", "netns", host, "type", "veth", "peer", "name", port, "netns", "sw")
        for space, link in ((host, "eth0"), ("sw", port)):
            run("ip", "netns", "exec", space, "ethtool", "-K", link, "tso", "off", "gso", "off", "gro", "off")
        run("ip", "-n", "sw", "addr", "add", f"10.1.{number}.1/24", "dev", port)
        run("ip", "-n", "sw", "link", "set", port, "up")
        run("ip", "-n", host, "addr", "add", f"10.1.{number}.2/24", "dev", "eth0")
        run("ip", "-n", host, "link", "set", "eth0", "up")
        run("ip", "-n", host, "route", "add", "default", "via", f"10.1.{number}.1")
        run("ip", "netns", "exec", host, "sysctl", "-qw", "net.ipv4.tcp_ecn=1")


def count_at_receiver(octets: set[int]) -> None:
    """Let the receiver count packets by the whole TOS octet: DSCP and ECN field."""
    run("tc", "-n", "h3", "qdisc", "add", "dev", "eth0", "handle", "ffff:", "ingress")
    for octet in sorted(octets):
        words = f"filter add dev eth0 parent ffff: protocol ip prio {octet + 1} u32 match ip dsfield {octet} 0xff"
        run("tc", "-n", "h3", *words.split(), "action", "pass")


def counted() -> dict[str, int]:
    """TOS octet → packets that arrived with it."""
    found: dict[str, int] = {}
    for row in json.loads(run("tc", "-n", "h3", "-s", "-j", "filter", "show", "dev", "eth0", "ingress")):
        for action in row.get("options", {}).get("actions", ()):
            found[str(row["pref"] - 1)] = action["stats"]["packets"]
    return found


def queues() -> list[dict[str, Any]]:
    """Every qdisc of the loaded port with its counters."""
    found: list[dict[str, Any]] = json.loads(run("tc", "-n", "sw", "-s", "-j", "qdisc", "show", "dev", PORT))
    return found


ATTEMPTS = 4
"""Of one case: in an overload the words between a client and its server may be lost too, and then it has no figures;
and senders that a busy host lets wait make none."""
FULL = 8
"""Samples one after another that find a queue filled: more than a second."""


def is_full(samples: list[list[dict[str, Any]]], handles: list[str]) -> bool:
    """Whether all of these queues held packets long enough."""
    run = 0
    for sample in samples:
        filled = [row for row in sample if row.get("handle") in handles and row["backlog"]]
        run = run + 1 if len(filled) == len(handles) else 0
        if run >= FULL:
            return True
    return not handles


def load(streams: list[tuple[int, int, int]]) -> dict[str, Any]:
    """Run all streams at once, and pings beside them; what each of them says."""
    senders = [_sender(at, *stream) for at, stream in enumerate(streams)]
    tos = str(CNP_DSCP << 2 | ECT0)  # a queue that marks could mark it
    pings = ["ip", "netns", "exec", "h1", "ping", "-q", "-i", "0.05", "-c", str(PINGS), "-Q", tos, RECEIVER]
    _until_they_listen(len(streams))
    processes = [subprocess.Popen(words, stdout=subprocess.PIPE, text=True) for words in (*senders, pings)]
    samples = []
    while any(process.poll() is None for process in processes):
        samples.append(queues())
        time.sleep(0.2)
    *said, ping = (process.communicate()[0] for process in processes)
    ends = [json.loads(text)["end"] for text in said]
    return {"ping": ping, "samples": samples, "senders": [end.get("sum_sent") or end.get("sum") for end in ends]}


def _until_they_listen(servers: int) -> None:
    """Wait for the servers of all streams: on a busy host they take more than a moment."""
    for _ in range(100):
        if run("ip", "netns", "exec", "h3", "ss", "-Hltn").count(":52") >= servers:
            return
        time.sleep(0.1)


def _sender(at: int, sender: int, dscp: int, mbps: int) -> list[str]:
    """Start the server of one stream; the command line of its client."""
    port = str(5201 + at)
    run("ip", "netns", "exec", "h3", "iperf3", "-s", "-1", "-D", "-p", port)
    udp = ["-u", "-b", f"{mbps}M", "-l", "1400"] if mbps else []
    tos = str(dscp << 2 | (ECT0 if mbps else 0))  # TCP sets it by itself; UDP says it, and heeds no mark
    client = ["ip", "netns", "exec", f"h{sender}", "iperf3", "-J", "-c", RECEIVER, "-p", port]
    return [*client, *udp, "-t", str(SECONDS), "-S", tos]


def case(name: str, wanted: dict[str, Any]) -> dict[str, Any]:
    """One load with one set of queues."""
    print(name, flush=True)  # noqa: T201 (the job's own output)
    for _ in range(ATTEMPTS):
        run("tc", "-n", "sw", "-batch", "-", text="\n".join(wanted["queues"]) + "\n")
        idle, before = queues(), counted()
        said = load(wanted["streams"])
        after = counted()
        if all(said["senders"]) and is_full(said["samples"], wanted["full"]):
            break
        run("tc", "-n", "sw", "qdisc", "del", "dev", PORT, "root")
    figures = {
        **said,
        "idle": idle,
        "queues": queues(),
        "received": {octet: after[octet] - before[octet] for octet in after},
    }
    run("tc", "-n", "sw", "qdisc", "del", "dev", PORT, "root")
    return figures


def main() -> None:
    """Run every case of the folder."""
    folder = Path(sys.argv[1])
    cases = json.loads((folder / "cases.json").read_text())
    wire()
    dscps = {dscp for wanted in cases.values() for _, dscp, _ in wanted["streams"]} | {CNP_DSCP}
    count_at_receiver({dscp << 2 | ecn for dscp in dscps for ecn in range(4)})
    (folder / "figures.json").write_text(json.dumps({name: case(name, wanted) for name, wanted in cases.items()}))


if __name__ == "__main__":
    main()
