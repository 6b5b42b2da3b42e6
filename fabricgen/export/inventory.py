"""The inventory data of one switch, independent of the tool that reads it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fabricgen.base.addresses import ipv4, ipv6
from fabricgen.device.device import Device
from fabricgen.export.nodes import axes
from fabricgen.plan.fabric import asn_of, loopback6, number_of, place_of, router_id
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS

PASSWORD = "SWITCH_PASSWORD"  # noqa: S105 - the name of a variable
"""Environment variable that inventories refer to."""
ADMIN = "network-admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryHost:
    """One switch: out-of-band address, platform and NAPALM driver, its place, and its numbers."""

    name: str
    address: str
    platform: str
    driver: str
    fabric: str
    role: str
    axes: Mapping[str, str]
    data: Mapping[str, object]


def make_hosts(plan: Plan, devices: Iterable[Device]) -> Iterator[InventoryHost]:
    """Inventory data of every switch, in the order given."""
    for device in devices:
        host_axes = axes(plan.fabrics[device.fabric], device)
        yield InventoryHost(
            name=device.name,
            address=device.management.address.partition("/")[0],
            platform=device.system,
            driver=PLATFORMS[device.system].driver if device.system in PLATFORMS else device.system,
            fabric=device.fabric,
            role=device.role,
            axes=host_axes,
            data=_data(plan, device) | host_axes,
        )


def _data(plan: Plan, device: Device) -> dict[str, object]:
    fabric = plan.fabrics[device.fabric]
    data: dict[str, object] = {"site": device.site, "fabric": device.fabric, "role": device.role}
    place = place_of(fabric, device.name)
    if place is None:
        return data
    data |= {"index": number_of(fabric, place), "asn": asn_of(fabric, place)}
    data["router_id" if fabric.fabric.addressing.ipv4 is None else "loopback_ipv4"] = ipv4(router_id(fabric, place))
    loopback = loopback6(fabric, place)
    return data | ({"loopback_ipv6": ipv6(loopback)} if loopback is not None else {})


def username(plan: Plan, fallback: str = "admin") -> str:
    """Login name: the first administrator of the intent."""
    users = plan.intent.management.users
    return next((name for name, user in sorted(users.items()) if user.role == ADMIN), fallback)
