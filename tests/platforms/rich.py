"""Devices that say as much as a platform can be told: those that each platform's own tests judge, and made parts."""

from collections.abc import Iterator
from functools import cache
from itertools import chain

from fabricgen.base.addresses import InterfaceAddress, Ipv6
from fabricgen.base.secret import Secret
from fabricgen.device.device import Device, RawLines
from fabricgen.device.qos import HeadroomProfile
from fabricgen.device.telemetry import QueueMonitor
from fabricgen.intent.model import Intent
from fabricgen.plan.exceptions import Exceptions
from fabricgen.plan.lock import Lock
from fabricgen.plan.plan import make_plan, make_shapes
from fabricgen.platforms import PLATFORMS, supports
from fabricgen.resolve.device import devices
from tests.pairs import sites
from tests.platform_cases import CASES, samples

RELAY = Ipv6("fd5e:8c1f:2a00:2000::10")
OUTSIDE = InterfaceAddress("fd5e:8c1f:2a00:2f00::/127")
TENANTS = {
    "research": {
        "servers": ["train[0-1]"],
        "networks": {"hosts": {"vlan": 110, "subnets": ["172.18.0.0/20"]}},
    },
    "serving": {"servers": ["train[2-3]"], "networks": {"hosts": {"vlan": 120, "subnets": ["172.19.0.0/20"]}}},
}


def backend(system: str, exceptions: Exceptions = Exceptions(), **edits: object) -> Iterator[Device]:  # noqa: B008
    """A best-effort backend of a system, with keys of its block edited; `tenancy` brings tenants."""
    value = sites.intent(system, system, "backend", transport="best-effort", **edits).model_dump(
        mode="json", exclude_unset=True
    )
    more = {"tenants": TENANTS} if "tenancy" in edits else {}
    made = Intent.model_validate({**value, **more})
    return devices(make_plan(made, sites.catalog(), make_shapes(made, sites.catalog()), Lock(), exceptions))


def bonds(system: str) -> Iterator[Device]:
    """A frontend whose servers have a bond over two leaves."""
    return devices(sites.planned(system, system, "bonds"))


def single(system: str) -> Iterator[Device]:
    """A frontend whose servers use one port at a time."""
    return devices(sites.planned(system, system, "frontend"))


def few(every: Iterator[Device]) -> Iterator[Device]:
    """The first and the last of each fabric and role, and border leaves."""
    first: dict[object, Device] = {}
    last: dict[object, Device] = {}
    for device in every:
        first.setdefault((device.fabric, device.role), device)
        last[device.fabric, device.role] = device
    yield from {device.name: device for device in (*first.values(), *last.values())}.values()


def _made(device: Device) -> Device:
    """A switch with lines of the user's own, a certificate and headroom that no site here has of it."""
    raw = RawLines(PLATFORMS[device.system].main, (CASES[device.system].raw_line,), "raw[0]")
    found = device._replace(raw=(raw,), management=device.management._replace(eapi_certificate="fabric"))
    if device.qos is not None and not device.qos.headroom:
        profile = HeadroomProfile(400, 20, 100_000, 400, 2, "table", "a table")
        found = found._replace(qos=device.qos._replace(headroom=(profile,), headroom_octets=100_000))
    return _routed(_switched(found))


def _watched(device: Device) -> Iterator[Device]:
    """The same with thresholds of queues, which some refuse."""
    if device.telemetry.queue_monitor is not None:
        monitor = QueueMonitor(high=90_000, low=10_000, latency=False, streaming=0, captures=False)
        yield device._replace(telemetry=device.telemetry._replace(queue_monitor=monitor))


def _guarded(device: Device) -> Iterator[Device]:
    """Sessions of the fabric with a password, that send a TTL of 255, and that check it, where the system can."""
    bgp, system = device.routing.bgp, f"{device.system}-{device.version}"
    key = Secret("env", "BGP_PASSWORD") if supports(system, "fabric-password") else None
    for way in ("send", "check"):
        if supports(system, f"ttl-{way}"):
            groups = tuple(one._replace(ttl_security=way, bfd=False, password=key) for one in bgp.groups)
            yield device._replace(routing=device.routing._replace(bgp=bgp._replace(groups=groups)))


def _switched(device: Device) -> Device:
    """A single server port with all VLANs tagged, and relays of both families."""
    evpn, rows = device.evpn, device.interfaces.ethernet
    if evpn is None or not evpn.vlans:
        return device
    gateways = tuple(one._replace(relays_ipv6=(RELAY,)) if one.relays_ipv4 else one for one in evpn.gateways)
    at = next((at for at, row in enumerate(rows) if row.switching and not row.lag), None)
    switching = rows[at].switching if at is not None else None
    if at is not None and switching is not None:
        trunk = switching._replace(access_vlan=0, trunk_vlans=tuple(vlan.vlan_id for vlan in evpn.vlans))
        rows = (*rows[:at], rows[at]._replace(switching=trunk), *rows[at + 1 :])
    return device._replace(evpn=evpn._replace(gateways=gateways), interfaces=device.interfaces._replace(ethernet=rows))


def _routed(device: Device) -> Device:
    """Subinterfaces of both families."""
    subs = tuple(one._replace(ipv6=one.ipv6 or OUTSIDE) for one in device.interfaces.subinterfaces)
    return device._replace(interfaces=device.interfaces._replace(subinterfaces=subs))


@cache
def fleet(system: str) -> tuple[Device, ...]:
    """Devices of a platform, of every role."""
    own = tuple(device for device in samples(system).rich_devices() if device.system == system)
    first: dict[object, Device] = {}
    for device in own:
        bridges = bool(device.evpn and any(gateway.relays_ipv4 for gateway in device.evpn.gateways))
        first.setdefault((device.role, device.qos is None, bool(device.evpn and device.evpn.vlans), bridges), device)
    more = (*map(_watched, first.values()), *map(_guarded, first.values()))
    return (*own, *map(_made, first.values()), *chain.from_iterable(more))
