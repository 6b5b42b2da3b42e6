"""FRR on Linux: what the tests of all platforms take of its own."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from fabricgen.device.device import Device
from fabricgen.device.evpn import DuplicateMac
from fabricgen.plan.exceptions import Exceptions
from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.linux.live import drain, overlay
from tests.changes import walk
from tests.frr import site
from tests.live import frr_said
from tests.live.marked import OTHER, OURS
from tests.platforms.rich import backend, bonds, few, single

ROOT = Path(__file__).parents[2]


def _routes(*names: str) -> dict[str, object]:
    """Routes of both leaves, or of those of these RDs."""
    found: dict[str, object] = {"bgpTableVersion": 58, "defaultLocPrf": 100, "numPrefix": len(names)}
    for rd in names:
        hop = rd.partition(":")[0]
        path = {"valid": True, "peerId": "10.128.192.0", "nexthops": [{"ip": hop, "afi": "ipv4", "used": True}]}
        found[rd] = {"rd": rd, "[5]:[0]:[20]:[172.17.0.0]": {"prefix": "-", "prefixLen": 352, "paths": [path]}}
    own = {"valid": True, "peerId": "(unspec)", "nexthops": [{"ip": "10.128.192.9"}]}
    return found | {"10.128.192.9:1": {"rd": "10.128.192.9:1", "[3]:[0]:[32]:[10.128.192.9]": {"paths": [own]}}}


ALL = (f"{OURS}:1", f"{OURS}:3", f"{OTHER}:1")
ROUTES = {
    overlay.EVPN_ROUTES: Output(_routes(*ALL)),
    drain.MARKED: Output(_routes(*ALL[:2])),
}
"""EVPN routes of two leaves, of which one marks all of its own: `tests/live/test_marks.py`."""
MARKED = drain


def rich_devices() -> Iterator[Device]:
    """Devices of every role that between them have all that the platform renders."""
    yield from few(iter(walk.fleet("frr").values()))
    yield from (device for device in walk.fleet("frr").values() if device.role == "border-leaf")
    yield from (device for device in walk.fleet("frr").values() if device.name.startswith("fe-leaf"))
    yield from few(backend("frr", link_loss="weighted"))
    drained = Exceptions(devices={"be-spine-00": "drained"})
    yield from few(backend("frr", drained, link_loss="withdraw", links=["unnumbered"]))
    yield from few(backend("frr", tenancy="evpn-type5"))
    yield from few(backend("frr", bgp={"ttl_security": "send"}))
    yield from few(bonds("frr"))
    yield from few(single("frr"))
    yield from (
        row.device for name, row in site.site().items() if name in ("fe-leaf-000", "fe-border-00", "be-spine-00")
    )
    duplicates = DuplicateMac(moves=4, window_seconds=120, recovery_seconds=300)
    for device in few(single("frr")):
        if device.evpn is not None and device.evpn.vlans:
            yield _guarded(device._replace(evpn=device.evpn._replace(duplicate_mac=duplicates)))


def _guarded(device: Device) -> Device:
    """The same with RA guard on the ports of servers."""
    ports = tuple(
        row._replace(switching=row.switching._replace(ra_guard=True)) if row.switching else row
        for row in device.interfaces.ethernet
    )
    return device._replace(interfaces=device.interfaces._replace(ethernet=ports))


def answers() -> tuple[Outputs, Mapping[str, str]]:
    """What a switch answers, by command; and its VRFs."""
    return frr_said.outputs(), frr_said.NAMES


def configuration() -> str:
    """What a switch is to run, as rendered."""
    return min((ROOT / "tests/golden/cases").rglob("frr.conf")).read_text()
