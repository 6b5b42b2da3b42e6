"""Asks addresses from this host, and prints for each whether anything came back: run as a program.

argument: JSON: [[protocol, own address, far address, port], ...]; printed: JSON: [true or false, ...]

An answer is a connection, a datagram, a reset, or the word of the far host that nothing listens: all say that the
packet was taken. What a router on the way says, that there is no way, is none. Each is asked twice: the first packet
may be lost to address resolution. Source: RFC 9293 (reset), RFC 1122 3.2.2.1 (port unreachable).
"""

import errno
import json
import socket
import sys
from concurrent.futures import ThreadPoolExecutor

SECONDS = 1.5
TIMES = 2
TAKEN = frozenset({errno.ECONNREFUSED, errno.ECONNRESET})
KINDS = {"tcp": socket.SOCK_STREAM, "udp": socket.SOCK_DGRAM}


def answered(protocol: str, own: str, far: str, port: int) -> bool:
    """Whether anything of the far host came back."""
    return any(_asked(protocol, own, far, port) for _ in range(TIMES))


def _asked(protocol: str, own: str, far: str, port: int) -> bool:
    family, _, _, _, there = socket.getaddrinfo(far, port, type=KINDS[protocol])[0]
    with socket.socket(family, KINDS[protocol]) as asking:
        asking.settimeout(SECONDS)
        try:
            if own:
                asking.bind((own, 0))
            asking.connect(there)
            if protocol == "udp":
                asking.send(b"\0" * 48)
                asking.recv(2048)
        except TimeoutError:
            return False
        except OSError as error:
            return error.errno in TAKEN
    return True


if __name__ == "__main__":
    rows = json.loads(sys.argv[1])
    with ThreadPoolExecutor(len(rows)) as pool:
        print(json.dumps(list(pool.map(lambda row: answered(*row), rows))))  # noqa: T201 - the program's output
