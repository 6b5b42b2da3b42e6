"""Send and receive packets of many flows in the namespaces of a running lab, from this one process.

A socket remains in the network namespace in which it was created, so a separate thread enters the namespace, creates it
and ends. Flows alternate packet by packet, and received packets are read every few packets, so that no queue of this
host overflows; if one does, `Received.spilt` counts it. Senders are not connected: Linux would hash a connected socket
by an internal number instead of its ports (sk_txhash).
"""

import resource
import secrets
import select
import socket
import struct
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

from fabricgen.lab.host.enter import CLONE_NEWNET, in_namespace
from fabricgen.lab.host.place import LabPlace
from fabricgen.lab.operate.run import HEADERS_IPV4, HEADERS_IPV6
from fabricgen.lab.operate.trace import PORT
from fabricgen.verify.probe.equal_cost_paths import Endpoint, Flow

SO_RCVBUFFORCE, SO_MEMINFO, DROPS = 33, 55, 8
"""From asm-generic/socket.h; the last is the number of SK_MEMINFO_DROPS (linux/sock_diag.h)."""
MTU_DISCOVER = {socket.AF_INET: (socket.IPPROTO_IP, 10), socket.AF_INET6: (socket.IPPROTO_IPV6, 23)}
PMTUDISC_PROBE = 3
"""No fragments, and ignore the known path MTU (ip(7), ipv6(7))."""
BUFFER_OCTETS = 64 << 20
BURST = 32
"""Packets between two reads: far below the thousand that a CPU's backlog of the kernel holds."""
SILENCE_SECONDS = 0.5
"""Wait after the last packet: packets that have not arrived by then are lost."""
SMALL = 64
"""Octets of the small packets."""
HEAD = struct.Struct("!QIIB")
"""Number of the run, the flow, the packet; and its kind, 0 small or 1 full."""
FILES = 512
"""Number of other files that this process needs."""


class ProbeCount(NamedTuple):
    """Packets of one flow and one size."""

    sent: int
    received: int


class Received(NamedTuple):
    """counts: flow → small packets, and packets of full size; spilt: packets that this host itself dropped."""

    counts: Mapping[Flow, tuple[ProbeCount, ProbeCount]]
    spilt: int


def probe(
    place: LabPlace, packets: Mapping[Flow, int], sizes: Mapping[Flow, int], stopped: Callable[[], bool]
) -> Received:
    """Send this many packets of each flow, half of them small and half of its full size, in octets of IP."""
    flows = tuple(sizes)
    with ExitStack() as stack:
        _allow_files(2 * len(flows) + FILES)
        senders, receivers = _sockets(place, flows, stack)
        run = _Run(flows, [packets[flow] // 2 for flow in flows], senders, receivers)
        drops_before = _backlog_drops()
        run.warm()
        run.send(0, [SMALL] * len(flows), stopped)
        run.send(1, [sizes[flow] for flow in flows], stopped)
        run.wait()
        spilt = _backlog_drops() - drops_before + sum(_drops(receiver) for receiver in receivers)
        return Received(run.counts(), spilt)


class _Run:
    """One run: packets that were sent, and packets that have arrived."""

    def __init__(
        self,
        flows: Sequence[Flow],
        each: Sequence[int],
        senders: Mapping[tuple[Endpoint, int], socket.socket],
        receivers: Sequence[socket.socket],
    ) -> None:
        self._flows, self._each, self._number = flows, each, secrets.randbits(64)
        self._lines = [(senders[flow.source, flow.port], (flow.target.address, PORT)) for flow in flows]
        self._heads = [HEADERS_IPV6 if ":" in flow.target.address else HEADERS_IPV4 for flow in flows]
        self._sent = [[0, 0] for _ in flows]
        self._seen = [[bytearray(number), bytearray(number)] for number in each]
        self._missing = 0
        self._poll = select.poll()
        self._receivers = {receiver.fileno(): receiver for receiver in receivers}
        for number in self._receivers:
            self._poll.register(number, select.POLLIN)

    def warm(self) -> None:
        """Send a packet of each flow that does not count, so that every neighbor on the way is resolved."""
        for index, (line, target) in enumerate(self._lines):
            _give(line, HEAD.pack(0, index, 0, 0), target)
            if index % BURST == 0:
                self._take(0)
        self._until_silent()

    def send(self, kind: int, sizes: Sequence[int], stopped: Callable[[], bool]) -> None:
        """Send the packets of every flow, alternating. kind: 0 small, 1 full."""
        fills = [bytes(max(0, size - head - HEAD.size)) for size, head in zip(sizes, self._heads, strict=True)]
        since = 0
        for number in range(max(self._each, default=0)):
            if stopped():
                return
            for index, (line, target) in enumerate(self._lines):
                if number >= self._each[index]:
                    continue
                _give(line, HEAD.pack(self._number, index, number, kind) + fills[index], target)
                self._sent[index][kind] += 1
                self._missing += 1
                since += 1
                if since == BURST:
                    self._take(0)
                    since = 0

    def wait(self) -> None:
        """Wait for packets that are still on their way."""
        self._until_silent()

    def counts(self) -> dict[Flow, tuple[ProbeCount, ProbeCount]]:
        """Sent and received packets of each flow."""
        counts_by_flow = {}
        for flow, sent, received in zip(self._flows, self._sent, self._seen, strict=True):
            small, full = (ProbeCount(sent[kind], sum(received[kind])) for kind in (0, 1))
            counts_by_flow[flow] = (small, full)
        return counts_by_flow

    def _until_silent(self) -> None:
        while self._take(SILENCE_SECONDS if self._missing else SILENCE_SECONDS / 5):
            pass

    def _take(self, seconds: float) -> bool:
        """Read the packets that have arrived; return whether there were any."""
        ready = self._poll.poll(seconds * 1000)
        for number, _ in ready:
            line = self._receivers[number]
            while True:
                try:
                    head = line.recv(HEAD.size)
                except BlockingIOError:
                    break
                if len(head) == HEAD.size:
                    self._note(*HEAD.unpack(head))
        return bool(ready)

    def _note(self, run: int, index: int, number: int, kind: int) -> None:
        if run == self._number and not self._seen[index][kind][number]:
            self._seen[index][kind][number] = 1
            self._missing -= 1


def _give(line: socket.socket, packet: bytes, target: tuple[str, int]) -> None:
    """Send a packet; one that this host refuses to send counts as lost."""
    try:
        line.sendto(packet, target)
    except OSError:
        return


def _sockets(
    place: LabPlace, flows: Sequence[Flow], stack: ExitStack
) -> tuple[dict[tuple[Endpoint, int], socket.socket], list[socket.socket]]:
    """Sockets that send, by endpoint and source port, and sockets that receive."""
    ports_by_endpoint: dict[Endpoint, set[int]] = {}
    for flow in flows:
        ports_by_endpoint.setdefault(flow.source, set()).add(flow.port)
        ports_by_endpoint.setdefault(flow.target, set()).add(PORT)
    senders, receivers = {}, []
    for endpoint, endpoint_ports in ports_by_endpoint.items():
        ports = sorted(endpoint_ports)
        net = place.space(endpoint.name).net
        sockets = in_namespace(net, CLONE_NEWNET, partial(_bound, endpoint.address, ports, stack))
        for port, line in zip(ports, sockets, strict=True):
            if port == PORT:
                # Unlike SO_RCVBUF this may exceed net.core.rmem_max; it needs root (socket(7)).
                line.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_OCTETS)
                receivers.append(line)
            else:
                senders[endpoint, port] = line
    return senders, receivers


def _bound(address: str, ports: Sequence[int], stack: ExitStack) -> list[socket.socket]:
    """Sockets with this address, which the stack closes."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    sockets = [stack.enter_context(socket.socket(family, socket.SOCK_DGRAM)) for _ in ports]
    for port, line in zip(ports, sockets, strict=True):
        line.setblocking(False)
        level, option = MTU_DISCOVER[family]
        line.setsockopt(level, option, PMTUDISC_PROBE)
        line.bind((address, port))
    return sockets


def _drops(line: socket.socket) -> int:
    """Packets that a receiver's buffer had no space for."""
    return int(struct.unpack_from("=9I", line.getsockopt(socket.SOL_SOCKET, SO_MEMINFO, 36))[DROPS])


def _backlog_drops() -> int:
    """Packets that CPUs of this host dropped for lack of space: the second column of softnet_stat."""
    rows = Path("/proc/net/softnet_stat").read_text().splitlines()
    return sum(int(row.split()[1], 16) for row in rows)


def _allow_files(number: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < number:
        new_limit = number if hard == resource.RLIM_INFINITY else min(number, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, new_limit), hard))
