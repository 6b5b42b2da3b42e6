"""NX-OS: what the tests of all platforms take of its own."""

from collections.abc import Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.nxos.live import drain
from fabricgen.resolve.device import devices
from tests.doubles.nxos_shown import outputs, shown
from tests.live.marked import OTHER, OURS
from tests.nxos import fleet
from tests.nxos.test_nxos_reader_fabric import fabric
from tests.verify.hidden import Hidden

PATH = """\
BGP routing table entry for [5]:[0]:[0]:[20]:[172.17.0.0]/224, version 18
Paths: (1 available, best #1)
  Path type: external, path is valid, is best path, no labeled nexthop
  AS-Path: 65100 , path sourced external to AS
    {hop} (metric 0) from 10.128.192.0 (10.128.192.0)
      Origin incomplete, MED 0, localpref {preference}, weight 0
"""
ROUTES = {
    drain.PATHS: Output(
        "BGP routing table information for VRF default, address family IPv4 Unicast\n"
        + PATH.format(hop="10.0.0.9", preference=0)
        + "BGP routing table information for VRF default, address family L2VPN EVPN\nRoute Distinguisher: 10.0.0.7:5\n"
        + PATH.format(hop=OURS, preference=0)
        + PATH.format(hop=OURS, preference=0)
        + "      Community: 65000:1 graceful-shutdown\n"
        + PATH.format(hop=OTHER, preference=100)
    )
}
"""EVPN routes of two leaves, of which one marks all of its own: `tests/live/test_marks.py`."""
MARKED = drain


def rich_devices() -> Iterator[Device]:
    """Devices of every role that between them have all that the platform renders."""
    return iter(fleet.samples().values())


def answers() -> tuple[Outputs, Mapping[str, str]]:
    """What a switch answers, by command; and its VRFs."""
    leaf = fabric()["fe-leaf-000"]
    return outputs(shown(leaf, leaf.configuration or "")), {}


def configuration() -> str:
    """What a switch is to run, as rendered."""
    return fabric()["fe-leaf-000"].configuration or ""


def hidden() -> Hidden:
    """A file with secrets, and what the switch shows in place of one."""
    border = next(device for device in devices(fleet.planned("demo")) if device.role == "border-leaf")
    return Hidden(fleet.render(border), str.splitlines, "3772B6814E2F5118AC2A4E7168119A482CAF")
