"""Marks of the VXLAN packets that pass a switch: run in its namespace.

arguments: seconds to look
prints `ready`, then JSON: {outer TOS, inner TOS} of each IPv4 packet inside VXLAN, as [outer, inner] pairs, each once
"""

import json
import socket
import sys
import time
from collections.abc import Iterator

ETH_P_ALL = 3
ETHERNET, IPV4, UDP, VXLAN = 14, 20, 8, 8
PORT = 4789


def pairs(seconds: float) -> Iterator[tuple[int, int]]:
    """Outer and inner TOS of each packet, for so long."""
    with socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ETH_P_ALL)) as found:
        found.settimeout(0.1)
        print("ready", flush=True)  # noqa: T201
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                frame = found.recv(2048)
            except TimeoutError:
                continue
            pair = marks(frame)
            if pair:
                yield pair


def marks(frame: bytes) -> tuple[int, int] | None:
    """Outer and inner TOS of a frame; None for one that is no IPv4 in VXLAN in IPv4."""
    inner = ETHERNET + IPV4 + UDP + VXLAN
    ports = ETHERNET + IPV4
    if frame[12:14] != b"\x08\x00" or frame[ETHERNET + 9] != 17 or len(frame) < inner + ETHERNET + IPV4:
        return None
    if int.from_bytes(frame[ports + 2 : ports + 4], "big") != PORT or frame[inner + 12 : inner + 14] != b"\x08\x00":
        return None
    return frame[ETHERNET + 1], frame[inner + ETHERNET + 1]


if __name__ == "__main__":
    print(json.dumps(sorted(set(pairs(float(sys.argv[1]))))))  # noqa: T201
