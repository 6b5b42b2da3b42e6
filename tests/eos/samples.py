"""Arista EOS: what the tests of all platforms take of its own."""

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.eos.live import drain
from fabricgen.platforms.readers import READERS
from fabricgen.resolve.device import devices
from tests.checks import shared
from tests.eos import fleet
from tests.live.marked import OTHER, OURS
from tests.platforms.rich import few, single

ROOT = Path(__file__).parents[2]
SHOWN: Mapping[str, object] = {
    "show interfaces": {"interfaces": {"Ethernet1": {"name": "Ethernet1", "interfaceStatus": "connected", "mtu": 9214,
        "lineProtocolStatus": "up", "interfaceAddress": [{"primaryIp": {"address": "10.0.0.1", "maskLen": 31}}]}}},
    "show vrf": {"vrfs": {"default": {"interfaces": ["Ethernet1"], "routeDistinguisher": "1:1"}}},
    "show ip bgp neighbors vrf all": {"vrfs": {"default": {"peerList": [
        {"peerAddress": "10.0.0.0", "asn": 65000, "state": "Established", "localAsn": "65001"}]}}},
    "show ip route vrf all": {"vrfs": {"default": {"routes": {"10.0.0.0/24": {"routeType": "eBGP", "vias": [
        {"nexthopAddr": "10.0.0.0", "interface": "Ethernet1"}]}}}}},
}  # fmt: skip
"""A few answers; tests/eos has recordings of real switches."""
ROUTES: Mapping[str, Output] = {
    "show bgp evpn": Output({
        "evpnRoutes": {
            "RD: 1:1 ip-prefix 172.17.0.0/20": {"evpnRoutePaths": [{"nextHop": OURS, "localPreference": 0}]},
            "RD: 1:3 imet 10.128.192.1": {
                "evpnRoutePaths": [
                    {"nextHop": OURS, "localPreference": 100, "routeDetail": {"communityList": ["GSHUT"]}},
                    {"nextHop": "", "localPreference": 0},
                ]
            },
            "RD: 3:1 ip-prefix 172.17.0.0/20": {"evpnRoutePaths": [{"nextHop": OTHER, "localPreference": 100}]},
        }
    })
}  # fmt: skip
"""EVPN routes of two leaves, of which one marks all of its own: `tests/live/test_marks.py`."""
MARKED = drain


def rich_devices() -> Iterator[Device]:
    """Devices of every role that between them have all that the platform renders."""
    return chain(fleet.samples().values(), few(devices(shared.shared())), few(single("eos")))


def answers() -> tuple[Outputs, Mapping[str, str]]:
    """What a switch answers, by command; and its VRFs."""
    answers = {read.command: Output(SHOWN.get(read.command, {})) for read in READERS["eos"].reads([])}
    return answers, {}


def configuration() -> str:
    """What a switch is to run, as rendered."""
    return min((ROOT / "tests/golden/cases").rglob("startup-config")).read_text()
