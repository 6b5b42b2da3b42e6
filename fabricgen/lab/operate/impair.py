"""Loss, delay and a lower rate on a cable of a running lab, using the kernel's own functions.

    loss   nftables at each end drops arriving packets at random (nft(8), netdev family, `numgen random`); on a kernel
           without its netdev family netem drops leaving packets
    delay  the netem queueing discipline delays packets that leave each end (tc-netem(8))
    rate   a token bucket limits the packets that leave each end (tc-tbf(8)); with a delay netem limits them itself

Everything is in the namespaces of the lab, so that it is removed with them, and is read back from the kernel.
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem, did_you_mean
from fabricgen.lab.host.inventory import RunningLab
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.host.shell import LabShell
from fabricgen.lab.model.lab import LabEnd, LabLink
from fabricgen.lab.model.queues import BURST_OCTETS

TABLE = "fabricgen_impaired"
WHOLE = 1_000_000
"""Loss is a number out of this many packets."""
HANDLE = "fab:"
"""Handle of our queueing discipline; the lab's queues have another."""
QUEUED_PACKETS = 10_000
"""Most packets that netem holds."""
FASTEST_MBPS = 10_000
WAIT_MS = 50
"""Longest time that a packet waits at a lower rate before it is dropped."""


class Impairment(NamedTuple):
    """Impairment of a cable in each direction. Loss per million packets, delay in µs, rate in kbit/s; 0: none."""

    loss: int = 0
    delay: int = 0
    rate: int = 0


NONE = Impairment()
NFT, TC = ("nft", "-f", "-"), ("tc", "qdisc", "add", "dev", "x0")
LACKS = {
    "loss": "nftables at the ingress of a device (CONFIG_NF_TABLES_NETDEV, CONFIG_NFT_NUMGEN) or netem",
    "delay": "netem (CONFIG_NET_SCH_NETEM)",
    "rate": "tbf (CONFIG_NET_SCH_TBF)",
}


def cable(running: RunningLab, text: str) -> LabLink:
    """The cable at an end such as `be-leaf-000/swp33s0`. Raises FabricError where the lab has none there."""
    ends = {f"{end.owner}/{end.interface}": link for link in running.links for end in link}
    if text in ends:
        return ends[text]
    owner, _, port = text.partition("/")
    candidates = [name for name in ends if name.startswith(f"{owner}/")] or list(ends)
    # The plan may have the name of another system: Ethernet33/1 is in the cage of swp33s0.
    cage = re.search(r"[0-9]+", port)
    same_cage = [name for name in candidates if cage and re.search(rf"/swp{int(cage[0])}(s[0-9]+)?$", name)]
    raise FabricError.of(
        code="unknown-name",
        what=f"{text!r} is not a cable end of this lab",
        why=f"write a switch or server and its port; the lab has {len(running.links)} cables, and names the ports of "
        "switches as FRR does",
        fix=f"write {' or '.join(sorted(same_cage))}" if same_cage else did_you_mean(text, candidates),
    )


def impair(place: LabPlace, running: RunningLab, link: LabLink, faults: Impairment) -> None:
    """Give a cable exactly this impairment. Raises FabricError where this kernel or cable does not support it."""
    shell = LabShell(place.id)
    dropped = faults.loss if faults.loss and not _refusal(shell, NFT, "".join(_loss("x0", faults.loss))) else 0
    queued = faults._replace(loss=faults.loss - dropped)
    if lacking := tuple(_lacking(shell, queued)):
        raise FabricError(lacking)
    _refuse_vlans(shell, place, running, link)
    for end in link:
        _refuse_queues(shell, place, end)
    for end in link:
        space, doing = place.space(end.owner), f"{end.owner}/{end.interface}"
        lines = "".join(_loss(end.interface, dropped))
        if dropped:
            shell.must(space.enter(*NFT), lines, doing=doing)
        else:
            shell.run(space.enter(*NFT), lines)  # fails on a kernel without the family: nothing to remove there
        shell.run(space.enter("tc", "qdisc", "delete", "dev", end.interface, "root", "handle", HANDLE))
        if line := _queue(queued):
            shell.must(space.enter("tc", "qdisc", "add", "dev", end.interface, *line.split()), doing=doing)


def _refuse_vlans(shell: LabShell, place: LabPlace, running: RunningLab, link: LabLink) -> None:
    """Raise FabricError where tagged VLANs of a server's port have their own cables, as the kernel cannot tag."""
    server, port = link.near
    space = place.space(server)
    for nic in running.servers.get(server, ()):
        if nic.parent != port or LabEnd(nic.switch, nic.port) != link.far:
            continue
        if shell.run(space.enter("ip", "-o", "link", "show", "dev", nic.name, "type", "veth")).stdout:
            raise FabricError.of(
                code="lab-impair",
                what=f"{server}/{port} has more than one cable in this lab",
                why=f"Linux {os.uname().release} has no 802.1Q: its VLAN {nic.vlan_id} runs over a link of its own",
                fix="impair a cable between switches, or use a kernel that has it",
            )


def _loss(port: str, loss: int) -> Iterator[str]:
    """Lines for `nft -f`: atomic and idempotent."""
    chain = "on_" + re.sub(r"\W", "_", port)
    yield f"add table netdev {TABLE}\n"
    yield f'add chain netdev {TABLE} {chain} {{ type filter hook ingress device "{port}" priority -500; }}\n'
    yield f"flush chain netdev {TABLE} {chain}\n"
    if loss:
        yield f"add rule netdev {TABLE} {chain} numgen random mod {WHOLE} < {loss} counter drop\n"
    else:
        yield f"delete chain netdev {TABLE} {chain}\n"


def _queue(faults: Impairment) -> str:
    """Words for `tc qdisc add dev PORT`; empty where there is nothing to add."""
    if faults.delay or faults.loss:
        delay = f" delay {faults.delay}us" if faults.delay else ""
        loss = f" loss {percent(faults.loss)}" if faults.loss else ""
        rate = f" rate {faults.rate}kbit" if faults.rate else ""
        return f"root handle {HANDLE} netem limit {QUEUED_PACKETS}{delay}{loss}{rate}"
    if faults.rate:
        return f"root handle {HANDLE} tbf rate {faults.rate}kbit burst {_burst(faults.rate)} latency {WAIT_MS}ms"
    return ""


def _burst(rate: int) -> int:
    """Token bucket in octets: the packets of one tick of a 100 Hz clock, at least the largest packet."""
    return max(BURST_OCTETS, rate * 1000 // 8 // 100)


def _lacking(shell: LabShell, impairment: Impairment) -> Iterator[Problem]:
    """Problems of this kernel with an impairment: each part is tried in a temporary namespace."""
    for kind, value in impairment._asdict().items():
        if not value:
            continue
        if refusal := _refusal(shell, (*TC, *_queue(NONE._replace(**{kind: value})).split())):
            yield Problem(
                code="lab-impair",
                what=f"this host does not support {kind} on a cable",
                why=f"Linux {os.uname().release} rejects it ({refusal}); it needs {LACKS[kind]}",
                fix=f"omit --{kind}, or use a kernel that has it",
            )


def _refusal(shell: LabShell, command: Iterable[str], text: str = "") -> str:
    """Error of a command for a temporary device x0; empty where it succeeds."""
    script = 'ip link add name x0 type veth peer name x9 && exec "$@"'
    result = shell.run(["unshare", "--net", "sh", "-c", script, "sh", *command], text)
    errors = " / ".join(line.strip() for line in result.stderr.splitlines() if line.strip())
    return (errors or "it printed nothing") if result.returncode else ""


def _refuse_queues(shell: LabShell, place: LabPlace, end: LabEnd) -> None:
    qdisc = shell.run(place.space(end.owner).enter("tc", "qdisc", "show", "dev", end.interface, "root")).stdout.split()
    if qdisc[1:] and qdisc[2] not in ("0:", HANDLE):
        raise FabricError.of(
            code="lab-impair",
            what=f"{end.owner}/{end.interface} has queues of its own",
            why=f"{qdisc[1]} is in use (lab up --queues), and a delay or a rate would replace it",
            fix="build the lab without --queues",
        )


READ = f"nft list table netdev {TABLE} 2>/dev/null; tc qdisc show"
"""Shell command line that prints the impairments of a switch's ports."""
CHAIN = re.compile(
    rf'device "(?P<port>[^"]+)" [^\n]*\n\s*numgen random mod {WHOLE} < (?P<loss>\d+) counter packets (?P<dropped>\d+)'
)
QUEUE = re.compile(rf"^qdisc (?P<kind>\w+) {HANDLE} dev (?P<port>\S+) root refcnt \d+ (?P<words>.+)$", re.MULTILINE)


def impaired(output: str) -> Mapping[str, str]:
    """Port → description of its impairment, from the output of READ."""
    descriptions: dict[str, list[str]] = {}
    for row in CHAIN.finditer(output):
        words = f"loss {percent(int(row['loss']))}, {row['dropped']} packets dropped"
        descriptions.setdefault(row["port"], []).append(words)
    for row in QUEUE.finditer(output):
        descriptions.setdefault(row["port"], []).append(f"{row['kind']} {row['words'].strip()}")
    return {port: "; ".join(words) for port, words in descriptions.items()}


def percent(loss: int) -> str:
    """Loss per million as a percentage."""
    return f"{loss * 100 / WHOLE:.4f}".rstrip("0").rstrip(".") + "%"


UNITS: Mapping[str, Mapping[str, float]] = {
    "loss": {"%": WHOLE / 100},
    "delay": {"us": 1, "ms": 1000, "s": 1_000_000},
    "rate": {"kbit": 1, "mbit": 1000, "gbit": 1_000_000},
}
"""Option → unit → its size in an Impairment."""
MOST = Impairment(loss=WHOLE, delay=10_000_000, rate=FASTEST_MBPS * 1000)
VALUE = re.compile(r"(\d{1,9}(?:\.\d{1,6})?) ?([a-z%]+)")


def parse(kind: str, text: str) -> int:
    """Parse a value with its unit. Raises ValueError with what is to be typed."""
    match = VALUE.fullmatch(text.strip().lower())
    units = UNITS[kind]
    value = round(float(match[1]) * units[match[2]]) if match and match[2] in units else 0
    if not 0 < value <= getattr(MOST, kind):
        raise ValueError(f"write a number above 0 with its unit ({', '.join(units)}), for example {EXAMPLES[kind]}")
    return value


EXAMPLES = {"loss": "1%", "delay": "5ms", "rate": "100mbit"}
