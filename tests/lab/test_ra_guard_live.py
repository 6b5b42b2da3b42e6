"""RA guard of a port on a Linux kernel: advertisements are dropped, with a tag or without, and nothing else is."""

import json
import subprocess
import sys
from collections.abc import Iterator
from uuid import uuid4

import pytest

from fabricgen.platforms.linux.interfaces import guard
from tests.lab.sites import available

pytestmark = pytest.mark.skipif(available() is not None, reason=str(available()))

ADVERTISEMENT, SOLICITATION = 134, 135
"""Types of ICMPv6: a router advertisement, and a neighbor solicitation (RFC 4861, 4.2 and 4.3)."""
SENT = ((ADVERTISEMENT, 0, 3), (ADVERTISEMENT, 120, 5), (SOLICITATION, 0, 7), (SOLICITATION, 120, 11))
"""Type, VLAN (0: untagged) and number of packets."""
SEND = f"""
import socket, struct
port = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
port.bind(("server", 0))
for kind, vlan, count in {SENT}:
    body = struct.pack(">BBHBBHII", kind, 0, 0, 64, 0, 1800, 0, 0)
    addresses = socket.inet_pton(socket.AF_INET6, "fe80::1") + socket.inet_pton(socket.AF_INET6, "ff02::1")
    packet = struct.pack(">IHBB", 0x60000000, len(body), 58, 255) + addresses + body
    tag = struct.pack(">HH", 0x8100, vlan) if vlan else b""
    for _ in range(count):
        port.send(bytes.fromhex("333300000001020000000001") + tag + bytes.fromhex("86dd") + packet)
"""


def _run(*argv: str, text: str = "") -> str:
    return subprocess.run(argv, input=text, capture_output=True, text=True, check=True, timeout=30).stdout


@pytest.fixture
def leaf() -> Iterator[str]:
    """A namespace with a port, joined to `server` of another one, that no router speaks in."""
    both = f"ra-{uuid4().hex[:8]}"
    names = [f"{both}-leaf", f"{both}-host"]
    quiet = "net.ipv6.conf.default.disable_ipv6=1"
    try:
        for name in names:
            _run("ip", "netns", "add", name)
            _run("ip", "netns", "exec", name, "sysctl", "-qw", quiet)
        _run("ip", "-n", names[0], "link", "add", "swp1", "type", "veth", "peer", "name", "server", "netns", names[1])
        _run("ip", "-n", names[0], "link", "set", "swp1", "up")
        _run("ip", "-n", names[1], "link", "set", "server", "up")
        yield names[0]
    finally:
        for name in names:
            subprocess.run(("ip", "netns", "del", name), check=False, capture_output=True, timeout=30)


@pytest.mark.parametrize("limit", [0, 9])
def test_advertisements_of_a_server_are_dropped_and_nothing_else(leaf: str, limit: int) -> None:
    commands = guard("swp1", limit, advertisements=False)
    _run("ip", "netns", "exec", leaf, "nft", commands)
    _run("ip", "netns", "exec", leaf.replace("-leaf", "-host"), sys.executable, "-c", SEND)
    shown = json.loads(_run("ip", "netns", "exec", leaf, "nft", "-j", "list", "table", "netdev", "macs-swp1"))
    counters = [
        part["counter"]["packets"]
        for row in shown["nftables"]
        if "rule" in row
        for part in row["rule"]["expr"]
        if "counter" in part
    ]
    # Both kinds of advertisements; with a limit, also what comes from one address too many, which is nothing.
    assert counters == [3 + 5] + ([0] if limit else [])
    seen = [row["set"].get("elem", []) for row in shown["nftables"] if "set" in row]
    assert len(seen) == (1 if limit else 0)
    assert all(len(addresses) == 1 for addresses in seen)
