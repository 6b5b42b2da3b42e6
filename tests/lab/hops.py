"""UDP one way, to be run in namespaces: a sender, a receiver that counts, and a look at what leaves a switch where.

hops.py send SOURCE ADDRESS PORT    until its standard input ends; then how many were sent
hops.py count ADDRESS PORT          "ready"; until its standard input ends; then how many arrived
hops.py watch ADDRESS PORT          "ready"; until its standard input ends; then JSON: interface → packets to there that
                                    left by it
"""

import json
import select
import socket
import struct
import sys
import time
from collections import Counter
from contextlib import suppress

FLOWS = 16
"""Source ports, so that a hash over ports uses every path."""
GAP_SECONDS = 0.002
NUMBER = struct.Struct("!Q")
ETH_P_ALL, PACKET_OUTGOING, UDP = 3, 4, 17
"""linux/if_ether.h, linux/if_packet.h, and the protocol of IPv4."""


def _is_over() -> bool:
    return bool(select.select([sys.stdin], [], [], 0)[0])


def _ready() -> None:
    sys.stdout.write("ready\n")
    sys.stdout.flush()


def send(source: str, address: str, port: int) -> int:
    """Packets sent. Where no route is there at this moment, a packet counts and is lost."""
    flows = [socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in range(FLOWS)]
    for flow in flows:
        flow.bind((source, 0))
    count = 0
    while not _is_over():
        with suppress(OSError):
            flows[count % FLOWS].sendto(NUMBER.pack(count), (address, port))
        count += 1
        time.sleep(GAP_SECONDS)
    return count


def count(address: str, port: int) -> int:
    """Packets that arrived."""
    own = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    own.bind((address, port))
    _ready()
    found = 0
    while not _is_over():
        if select.select([own], [], [], 0.05)[0]:
            own.recv(64)
            found += 1
    return found


def watch(address: str, port: int) -> Counter[str]:
    """Interface → UDP packets to an address and port that left by it (packet(7))."""
    own = socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(ETH_P_ALL))
    wanted, found = socket.inet_aton(address), Counter[str]()
    _ready()
    while not _is_over():
        if not select.select([own], [], [], 0.05)[0]:
            continue
        data, (interface, _, kind, *_) = own.recvfrom(64)
        header = 4 * (data[0] & 15) if data else 0
        if kind != PACKET_OUTGOING or len(data) < header + 4 or data[9] != UDP or data[16:20] != wanted:
            continue
        found[interface] += struct.unpack_from("!H", data, header + 2)[0] == port
    return found


if __name__ == "__main__":
    verb, *words, last = sys.argv[1:]
    acts = {"send": send, "count": count, "watch": watch}
    sys.stdout.write(json.dumps(acts[verb](*words, int(last))))  # type: ignore[operator]
