"""UDP both ways, to be run in namespaces: an echo, and many flows to it that count what comes back.

stream.py echo ADDRESS PORT               until it is ended
stream.py send SOURCE ADDRESS PORT        until its standard input ends; then "SENT RECEIVED" on standard output
"""

import select
import socket
import sys
import time
from contextlib import suppress

FLOWS = 16
"""Source ports, so that a hash over ports (fib_multipath_hash_policy=1) uses every path."""
GAP_SECONDS = 0.005
"""Between two packets, each of the next flow: a hole of this length on all paths loses one."""
PAYLOAD = bytes(800)
"""A drained port is told from one in use by its rate: what passes must be far above the limit of that."""
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
        data, peer = own.recvfrom(len(PAYLOAD))
        with suppress(OSError):  # no route at this moment: one packet is lost, and the next may find one
            own.sendto(data, peer)


def send(source: str, address: str, port: int) -> tuple[int, int]:
    """Packets sent and answers received."""
    flows = [_socket(source, 0) for _ in range(FLOWS)]
    sent = received = 0
    while not select.select([sys.stdin], [], [], GAP_SECONDS)[0]:
        flows[sent % FLOWS].sendto(PAYLOAD, (address, port))
        sent += 1
        if sent % FLOWS == 0:
            received += _answers(flows)
    deadline = time.monotonic() + LATE_SECONDS
    while received < sent and time.monotonic() < deadline:
        time.sleep(GAP_SECONDS)
        received += _answers(flows)
    return sent, received


def _answers(flows: list[socket.socket]) -> int:
    count = 0
    while ready := select.select(flows, [], [], 0)[0]:
        for flow in ready:
            flow.recv(len(PAYLOAD))
            count += 1
    return count


if __name__ == "__main__":
    if sys.argv[1] == "echo":
        echo(sys.argv[2], int(sys.argv[3]))
    else:
        counts = send(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        sys.stdout.write(" ".join(map(str, counts)))
