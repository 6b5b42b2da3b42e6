"""UDP both ways, to be run in namespaces: an echo, and many flows to it that count what comes back.

stream.py echo ADDRESS PORT               until it is ended
stream.py send SOURCE ADDRESS PORT        "ready" once each flow was answered, so that neighbors are known; until its
                                          standard input ends; then "SENT RECEIVED" on standard output, and on standard
                                          error when each packet that was not answered was sent
"""

import select
import socket
import struct
import sys
import time
from contextlib import suppress

FLOWS = 16
"""Source ports, so that a hash over ports (fib_multipath_hash_policy=1) uses every path."""
GAP_SECONDS = 0.005
"""Between two packets, each of the next flow: a hole of this length on all paths loses one."""
NUMBER = struct.Struct("!Q")
"""What a packet begins with."""
PAYLOAD = bytes(800 - NUMBER.size)
"""A drained port is told from one in use by its rate: what passes must be far above the limit of that."""
FIRST = 2**64 - 1
"""Number of packets before the measurement."""
LATE_SECONDS = 10
"""How long an answer is waited for at the end."""
SO_RCVBUFFORCE = 33
"""Linux, asm-generic/socket.h: a receive buffer above the host's limit, for root."""
BUFFER = 1 << 23
"""Octets, so that a busy host that does not run the echo for a while loses nothing of its own."""


def _socket(address: str, port: int) -> socket.socket:
    found = socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET, socket.SOCK_DGRAM)
    found.setsockopt(socket.SOL_SOCKET, SO_RCVBUFFORCE, BUFFER)
    found.bind((address, port))
    return found


def echo(address: str, port: int) -> None:
    """Send everything back."""
    own = _socket(address, port)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    while True:
        data, peer = own.recvfrom(NUMBER.size + len(PAYLOAD))
        with suppress(OSError):  # no route at this moment: one packet is lost, and the next may find one
            own.sendto(data, peer)


def send(source: str, address: str, port: int) -> tuple[int, dict[int, float]]:
    """Packets sent, and of those without an answer: number → seconds since the epoch when it was sent."""
    flows = [_socket(source, 0) for _ in range(FLOWS)]
    _begin(flows, address, port)
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    sent, open_ = 0, dict[int, float]()
    while not select.select([sys.stdin], [], [], GAP_SECONDS)[0]:
        open_[sent] = time.time()
        flows[sent % FLOWS].sendto(NUMBER.pack(sent) + PAYLOAD, (address, port))
        sent += 1
        if sent % FLOWS == 0:
            _close(flows, open_)
    deadline = time.monotonic() + LATE_SECONDS
    while open_ and time.monotonic() < deadline:
        time.sleep(GAP_SECONDS)
        _close(flows, open_)
    return sent, open_


def _begin(flows: list[socket.socket], address: str, port: int) -> None:
    """Send until each flow was answered: a first packet may be lost while a neighbor is looked up.

    A flow without an answer is not waited for longer than an answer at the end: its packets then count as lost.
    """
    silent, deadline = list(flows), time.monotonic() + LATE_SECONDS
    while silent and time.monotonic() < deadline:
        for flow in silent:
            flow.sendto(NUMBER.pack(FIRST) + PAYLOAD, (address, port))
        time.sleep(FLOWS * GAP_SECONDS)
        for flow in select.select(silent, [], [], 0)[0]:
            flow.recv(NUMBER.size + len(PAYLOAD))
            silent.remove(flow)


def _close(flows: list[socket.socket], open_: dict[int, float]) -> None:
    """Take what was answered out of what is open."""
    while ready := select.select(flows, [], [], 0)[0]:
        for flow in ready:
            open_.pop(NUMBER.unpack_from(flow.recv(NUMBER.size + len(PAYLOAD)))[0], None)


if __name__ == "__main__":
    if sys.argv[1] == "echo":
        echo(sys.argv[2], int(sys.argv[3]))
    else:
        count, lost = send(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        sys.stdout.write(f"{count} {count - len(lost)}")
        for number, at in lost.items():
            sys.stderr.write(f"packet {number} of {sys.argv[2]} to {sys.argv[3]} sent at {at:.3f} had no answer\n")
