"""TTL security and passwords between real daemons: sessions come up, an end without does not, and 254 is not taken."""

import json
import re
import subprocess
import sys
import time
from collections.abc import Mapping

import pytest

from tests.frr.site import switch
from tests.frr.waiting import becomes
from tests.frr.wired import Fabric, wired
from tests.judges import frr

pytestmark = frr.needed(frr.HOST)

LEAF, SPINE = "fe-leaf-000", "fe-spine-00"
TTL = r"\n neighbor \S+ (?:ttl-security hops \d|disable-connected-check)"
PASSWORD = r"\n neighbor \S+ password \S+"  # noqa: S105 - a line
QUIET_SECONDS = 8
"""An end tries again every second; all sessions of a pair were up after five."""
SPOOF = """
import fcntl, socket, struct, sys, termios, time
near, far, ttl = sys.argv[1], sys.argv[2], int(sys.argv[3])
spoofer = socket.socket()
spoofer.bind((near, 0))
spoofer.settimeout(5)
spoofer.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, 255)
spoofer.connect((far, 179))
time.sleep(1)  # bgpd has taken the connection, and checks from then on
spoofer.setsockopt(socket.IPPROTO_IP, socket.IP_TTL, ttl)
spoofer.sendall(bytes.fromhex("ff" * 16 + "001304"))
time.sleep(1)
print(struct.unpack("i", fcntl.ioctl(spoofer, termios.TIOCOUTQ, bytes(4)))[0])
"""
"""Sends a KEEPALIVE (RFC 4271, 4.4) with a TTL, and prints how many octets of it the far end has not acknowledged."""
KEEPALIVE_OCTETS = 19


def texts(pattern: str, *names: str) -> Mapping[str, str]:
    """frr.conf of some switches without some lines."""
    return {name: re.sub(pattern, "", switch(name).files["frr.conf"]) for name in names}


def up(fabric: Fabric) -> dict[str, bool]:
    """Family → whether the leaf has a session with the spine."""
    found = json.loads(fabric[LEAF].show("show bgp summary json"))
    return {name: any(row["state"] == "Established" for row in one["peers"].values()) for name, one in found.items()}


EACH = {"ipv4Unicast": True, "ipv6Unicast": True, "l2VpnEvpn": True}


def test_both_ends_check_and_have_the_password() -> None:
    with wired((LEAF, SPINE), 1) as fabric:
        becomes(EACH, up, fabric)


@pytest.mark.parametrize("pattern", [TTL, PASSWORD], ids=["TTL", "password"])
def test_an_end_without_is_down(pattern: str) -> None:
    """RFC 5082 section 3, RFC 2385 section 2: the other end takes nothing of it."""
    with wired((LEAF, SPINE), 1, texts=texts(pattern, SPINE)) as fabric:
        time.sleep(QUIET_SECONDS)
        assert up(fabric) == dict.fromkeys(EACH, False)


def unacknowledged(fabric: Fabric, ttl: int) -> int:
    """Octets of a packet of the leaf's own address with a TTL that the spine has dropped."""
    leaf = switch(LEAF).device
    port = next(row for row in leaf.interfaces.ethernet if row.peer == SPINE)
    groups = {group.name for group in leaf.routing.bgp.groups if group.families == ("ipv4",)}
    far = next(row for row in leaf.routing.bgp.neighbors if row.group in groups and SPINE in row.description)
    inside = ["ip", "netns", "exec", fabric[LEAF].namespace]
    spoof = [sys.executable, "-c", SPOOF, port.ipv4.partition("/")[0], str(far.address), str(ttl)]
    done = subprocess.run([*inside, *spoof], capture_output=True, text=True, check=True, timeout=30)
    return int(done.stdout)


@pytest.mark.parametrize(
    ("pattern", "lost"), [(PASSWORD, KEEPALIVE_OCTETS), (f"{PASSWORD}|{TTL}", 0)], ids=["checked", "unchecked"]
)
def test_a_packet_that_was_forwarded_once_is_not_taken(pattern: str, lost: int) -> None:
    """A TTL of 254 is what a forged packet arrives with from behind one router; without the check it is taken."""
    with wired((LEAF, SPINE), 1, texts=texts(pattern, LEAF, SPINE)) as fabric:
        becomes(True, lambda: up(fabric)["ipv4Unicast"])
        # bgpd closes a second connection of a peer that is up, whatever comes over it.
        bgp = f"router bgp {switch(LEAF).device.routing.bgp.asn}"
        fabric[LEAF].configure(("configure terminal", bgp, "neighbor SPINES-IPV4 shutdown"))
        becomes(False, lambda: up(fabric)["ipv4Unicast"])
        assert unacknowledged(fabric, 255) == 0
        assert unacknowledged(fabric, 254) == lost
