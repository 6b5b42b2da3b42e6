"""Addresses that FRR drops are told again: a real zebra that reads of a device later than of its address."""

import subprocess
import time
from collections.abc import Iterator

import pytest

from napalm_frr.device_files import FILES
from tests.frr.waiting import becomes
from tests.judges import frr
from tests.judges.frr import Loaded
from tests.judges.held import held
from tests.napalm_frr import switches

pytestmark = pytest.mark.skipif(frr.available() is not None, reason=str(frr.available()))

ADDRESSES = ("192.0.2.1/24", "2001:db8::1/64")
LATE_SECONDS = 1
"""How late zebra's main thread is: until its other thread has handed on what it read."""


@pytest.fixture
def switch() -> Iterator[Loaded]:
    with frr.load("hostname leaf\n") as found:
        yield found


def _known(switch: Loaded) -> set[str]:
    """Addresses that zebra has."""
    return {address for address in ADDRESSES if f" {address}" in switch.show("show interface vlan10")}


def _make(switch: Loaded) -> None:
    """A device and its addresses, as ifupdown2 makes them."""
    for words in ("link add vlan10 type bridge", "link set vlan10 up"):
        subprocess.run(["ip", "-n", switch.namespace, *words.split()], check=True, timeout=60)
    for address in ADDRESSES:
        subprocess.run(
            ["ip", "-n", switch.namespace, "address", "add", address, "dev", "vlan10"], check=True, timeout=60
        )


def _retell(switch: Loaded) -> None:
    script = f"pathspace={switch.namespace}; seconds=60; {FILES}\ncd $(mktemp -d) && notify_zebra; rm -r $PWD"
    subprocess.run(switches.inside(switch, "sh", "-c", script), check=True, timeout=120)


def _dropped(switch: Loaded) -> bool:
    """Whether zebra dropped the addresses of a new device: it may read of the device first all the same."""
    gone = ["ip", "-n", switch.namespace, "link", "del", "vlan10"]
    subprocess.run(gone, check=False, capture_output=True, timeout=60)
    work = ["vtysh", "-N", switch.namespace, "-d", "zebra", *(("-c", "show interface") * 5000)]
    with held(int(switches.zebra(switch).name), work):
        _make(switch)
        time.sleep(LATE_SECONDS)
    becomes(True, lambda: "Interface vlan10 is up" in switch.show("show interface vlan10"))
    return _known(switch) == set()


def test_dropped_addresses_are_told_again(switch: Loaded) -> None:
    assert any(_dropped(switch) for _ in range(20)), "this FRR keeps them"
    _retell(switch)
    becomes(set(ADDRESSES), _known, switch)
    assert {row["local"] for row in switches.kernel(switch, "address")[-1]["addr_info"]} >= {"192.0.2.1", "2001:db8::1"}


def test_addresses_that_zebra_has_are_left_alone(switch: Loaded) -> None:
    _make(switch)
    becomes(set(ADDRESSES), _known, switch)
    with subprocess.Popen(
        switches.inside(switch, "ip", "-o", "monitor", "address"), stdout=subprocess.PIPE, text=True
    ) as monitor:
        time.sleep(LATE_SECONDS)
        _retell(switch)
        monitor.terminate()
        assert monitor.stdout is not None
        assert monitor.stdout.read() == ""
