"""A switch with lines of the user's own."""

import pytest

from fabricgen.device.device import Device, RawLines
from tests.frr.site import site


@pytest.fixture
def raw_device() -> Device:
    """A spine with one line for its main file, and one for another."""
    device = site()["be-spine-00"].device
    mine = RawLines("", ("ip prefix-list MINE seq 5 permit 192.0.2.0/24",), "raw[0]")
    other = RawLines("sysctl.conf", ("net.core.somaxconn = 4096",), "raw[1]")
    return device._replace(raw=(mine, other))
