"""Echo requests of many addresses at once, from this process, in the network namespaces that have them.

What `ping -n -i 0.5 -c 3 -W 2 -I OWN FAR` sends and waits for, without a process for each pair: in the second kernel
those cost most of the time.
Source: RFC 792, RFC 4443 (echo), RFC 1071 (checksum), setns(2), raw(7), ipv6(7).
"""

import ctypes
import os
import secrets
import select
import socket
import struct
import time
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

REQUESTS, GAP_SECONDS, LAST_SECONDS = 3, 0.5, 2
"""Of each pair, the first may be lost to address resolution; between two; and that the last answer is waited for."""
CLONE_NEWNET = 0x40000000
HEADER = struct.Struct("!BBHHH")  # type, code, checksum, identifier, sequence
LONGEST = 2048


class Family(NamedTuple):
    """What differs between ICMP and ICMPv6."""

    family: int
    protocol: int
    request: int
    answer: int


FAMILIES = {
    False: Family(socket.AF_INET, socket.IPPROTO_ICMP, 8, 0),
    True: Family(socket.AF_INET6, socket.IPPROTO_ICMPV6, 128, 129),
}


class Source(NamedTuple):
    """Who asks: the file of a network namespace, an address there, and others of its family."""

    net: Path
    own: str
    fars: tuple[str, ...]


def ttls(sources: Iterable[Source]) -> dict[str, dict[str, int]]:
    """Own address → far address → TTL or hop limit of its last answer, 0 without one; all ask at the same time."""
    found = tuple(sources)
    with ThreadPoolExecutor(max(1, len(found))) as pool:  # a thread ends with it, in whatever namespace it is
        return {source.own: row for source, row in zip(found, pool.map(_ask, found), strict=True)}


def _ask(source: Source) -> dict[str, int]:
    family = FAMILIES[":" in source.own]
    seen: dict[str, int] = dict.fromkeys(source.fars, 0)
    left = {(far, number) for far in source.fars for number in range(REQUESTS)}
    _enter(source.net)
    with socket.socket(family.family, socket.SOCK_RAW, family.protocol) as raw:
        raw.bind((source.own, 0))
        if family.family == socket.AF_INET6:
            raw.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_RECVHOPLIMIT, 1)
        number = secrets.randbelow(1 << 16)  # identifier: no late answer to another round is taken
        for sequence in range(REQUESTS):
            for far in source.fars:
                with suppress(OSError):  # no route: no answer
                    raw.sendto(_request(family, number, sequence), (far, 0))
            is_last = sequence == REQUESTS - 1
            end = time.monotonic() + (LAST_SECONDS if is_last else GAP_SECONDS)
            while (not is_last or left) and (rest := end - time.monotonic()) > 0:
                for far, at, ttl in _answers(raw, family, number, rest):
                    left.discard((far, at))
                    if far in seen:
                        seen[far] = ttl
    return seen


def _enter(net: Path) -> None:
    """Take this thread to another network namespace."""
    libc = ctypes.CDLL(None, use_errno=True)
    file = os.open(net, os.O_RDONLY)
    try:
        if libc.setns(file, CLONE_NEWNET):
            raise OSError(ctypes.get_errno(), f"setns: {net}")
    finally:
        os.close(file)


def _request(family: Family, number: int, sequence: int) -> bytes:
    """Of ICMPv6 the kernel writes the checksum."""
    plain = HEADER.pack(family.request, 0, 0, number, sequence)
    total = sum(struct.unpack("!4H", plain))
    return HEADER.pack(family.request, 0, ~(total + (total >> 16)) & 0xFFFF, number, sequence)


def _answers(raw: socket.socket, family: Family, number: int, seconds: float) -> Iterator[tuple[str, int, int]]:
    """Far address, sequence and TTL of the next packet, if it is an answer of ours and comes in time."""
    if not select.select([raw], [], [], seconds)[0]:
        return
    data, control, _, sender = raw.recvmsg(LONGEST, socket.CMSG_SPACE(4))
    if family.family == socket.AF_INET6:
        ttl = next(int.from_bytes(value, "little") for _, kind, value in control if kind == socket.IPV6_HOPLIMIT)
    else:
        ttl, data = data[8], data[(data[0] & 15) * 4 :]
    kind, _, _, identifier, sequence = HEADER.unpack_from(data.ljust(HEADER.size, b"\0"))
    if (kind, identifier) == (family.answer, number):
        yield sender[0], sequence, ttl
