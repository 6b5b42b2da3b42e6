"""The echo requests that guests send instead of ping(8): what is answered, with which TTL, and what is not."""

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.uml import echo

pytestmark = pytest.mark.skipif(
    os.geteuid() != 0 or shutil.which("ip") is None, reason="network namespaces need root and iproute2"
)

SETUP = (
    "ip link set lo up",
    "ip link add name port0 type veth peer name port1",
    "ip link set port1 up",
    "ip link set port0 up",
    "ip address add 192.0.2.1/24 dev port0",
    "ip address add 2001:db8::1/64 dev port0 nodad",
    "sysctl -qw net.ipv4.ip_default_ttl=61 net.ipv6.conf.all.hop_limit=59 net.ipv6.conf.lo.hop_limit=59",
)


@pytest.fixture
def net() -> Iterator[Path]:
    """A namespace of its own, whose answers tell that they are from there."""
    name = f"fgecho{os.getpid()}"
    subprocess.run(["ip", "netns", "add", name], check=True)
    try:
        for line in SETUP:
            subprocess.run(["ip", "netns", "exec", name, *line.split()], check=True)
        yield Path("/run/netns") / name
    finally:
        subprocess.run(["ip", "netns", "delete", name], check=True)


def test_answers_have_their_ttl_and_the_silent_have_none(net: Path) -> None:
    """Silent are one that nobody is, and one that there is no route to; both families are asked at once."""
    here = Path("/proc/self/ns/net").readlink()
    found = echo.ttls(
        [
            echo.Source(net, "192.0.2.1", ("192.0.2.1", "192.0.2.9", "198.51.100.1")),
            echo.Source(net, "2001:db8::1", ("2001:db8::1", "2001:db8::9", "2001:db8:1::1")),
        ]
    )
    assert found == {
        "192.0.2.1": {"192.0.2.1": 61, "192.0.2.9": 0, "198.51.100.1": 0},
        "2001:db8::1": {"2001:db8::1": 59, "2001:db8::9": 0, "2001:db8:1::1": 0},
    }
    assert Path("/proc/self/ns/net").readlink() == here


def test_an_address_of_another_namespace_can_not_ask(net: Path) -> None:
    with pytest.raises(OSError, match="assign"):
        echo.ttls([echo.Source(net, "192.0.2.77", ("192.0.2.1",))])


def test_nobody_asks_nobody() -> None:
    assert echo.ttls([]) == {}
