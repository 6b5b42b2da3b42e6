"""Counters of interfaces: NAPALM's keys and types, the kernel's own numbers, and no number where it has none."""

import json
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from napalm.base import models

from napalm_frr import FRRDriver
from napalm_frr.getters_counters import counters
from napalm_frr.shell import Shell
from napalm_frr.transport import Result
from tests.judges import frr
from tests.judges.frr import Loaded
from tests.napalm_frr import fabric, switches
from tests.napalm_frr.models import faults

Fabric = Mapping[str, Loaded]
PAYLOAD, COUNT = 1000, 5
HEADERS = 14 + 20 + 8
"""Octets of Ethernet without its checksum, of IPv4 and of ICMP before the payload."""


class Told:
    """A double of a transport: the output of one `ip -j -s link show`."""

    def __init__(self, rows: object) -> None:
        self.rows = rows
        self.asked: list[str] = []

    def run(self, command: str, given: str = "", seconds: float = 0) -> Result:
        """Answer."""
        del given, seconds
        self.asked.append(command)
        return Result(0, json.dumps(self.rows), "")


def _read(rows: object) -> dict[str, dict[str, int]]:
    return counters(Shell(transport=Told(rows), host="leaf1", seconds=1))  # type: ignore[arg-type]


def _row(**changes: object) -> dict[str, Any]:
    """One link as iproute2 6.1 prints it with -s, fields that matter."""
    stats = {
        "rx": {"bytes": 101, "packets": 102, "errors": 103, "dropped": 104, "over_errors": 105, "multicast": 106},
        "tx": {"bytes": 201, "packets": 202, "errors": 203, "dropped": 204, "carrier_errors": 205, "collisions": 206},
    }
    return {"ifindex": 2, "ifname": "swp1", "stats64": stats, **changes}


def test_each_key_has_the_counter_of_its_name() -> None:
    """Names by ip-link(8) and linux/if_link.h; what the kernel has no counter of is -1, as NAPALM's eos and ios say."""
    assert _read([_row()]) == {
        "swp1": {
            "rx_octets": 101,
            "rx_errors": 103,
            "rx_discards": 104,
            "rx_multicast_packets": 106,
            "tx_octets": 201,
            "tx_errors": 203,
            "tx_discards": 204,
            "rx_unicast_packets": -1,
            "rx_broadcast_packets": -1,
            "tx_unicast_packets": -1,
            "tx_multicast_packets": -1,
            "tx_broadcast_packets": -1,
        }
    }


def test_what_is_not_told_is_unknown_and_never_none_passed() -> None:
    found = _read([_row(ifname="swp1", stats64={"rx": {"bytes": 7}}), {}, {"ifname": "swp2"}])
    assert found["swp1"]["rx_octets"] == 7
    assert found["swp1"]["tx_octets"] == -1
    assert set(found["swp2"].values()) == {-1}
    assert list(faults(found, dict[str, models.InterfaceCounterDict])) == []
    assert _read([]) == {}


def test_on_a_live_switch(wired: Fabric, leaf: FRRDriver) -> None:
    found = leaf.get_interfaces_counters()
    assert list(faults(found, dict[str, models.InterfaceCounterDict])) == []
    assert {"lo", "swp1", "swp2"} <= set(found)
    assert found["swp1"].keys() == models.InterfaceCounterDict.__annotations__.keys()
    near, ping = found["swp1"], ["ping", "-q", "-c", str(COUNT), "-i", "0.2", "-s", str(PAYLOAD)]
    far = next(address for address, name in fabric.neighbors("leaf1") if name == "spine1")
    subprocess.run(switches.inside(wired["leaf1"], *ping, far), check=True, capture_output=True, timeout=120)
    after = leaf.get_interfaces_counters()
    for way in ("rx_octets", "tx_octets"):
        passed = after["swp1"][way] - near[way]
        assert COUNT * (PAYLOAD + HEADERS) <= passed < 2 * COUNT * (PAYLOAD + HEADERS)
    assert after["swp2"]["tx_octets"] - found["swp2"]["tx_octets"] < PAYLOAD


def test_a_port_of_another_namespace_is_not_the_switchs(tmp_path: Path) -> None:
    """With a namespace for each VRF, what was moved into one is told no more, and `lo` is the switch's own."""
    if frr.available() is not None:
        pytest.skip(f"judge: {frr.available()}")
    with frr.load("frr defaults datacenter\nvrf tenant1\nexit-vrf\n", ("tenant1",)) as box:
        mount = str(switches.zebra(box) / "ns" / "mnt")
        inside = ["nsenter", f"--mount={mount}", f"--net=/run/netns/{box.namespace}", "ip", "link"]
        subprocess.run([*inside, "add", "swp9", "type", "veth", "peer", "name", "swp8"], check=True, timeout=120)
        subprocess.run([*inside, "set", "swp8", "netns", "tenant1"], check=True, timeout=120)
        with switches.opened(box, tmp_path, mount=mount) as driver:
            assert set(driver.get_interfaces_counters()) == {"lo", "swp9"}
