"""What an inventory says of one switch, whatever tool reads it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from fabricgen.base.addresses import ipv4, ipv6
from fabricgen.device.device import Device
from fabricgen.export.nodes import axes
from fabricgen.plan.fabric import asn_of, loopback6, number_of, place_of, router_id
from fabricgen.plan.plan import Plan
from fabricgen.platforms import PLATFORMS

PASSWORD = "SWITCH_PASSWORD"  # noqa: S105 - the name of a variable
"""The environment's variable that inventories refer to."""
ADMIN = "network-admin"


@dataclass(frozen=True, slots=True, kw_only=True)
class InventoryHost:
    """One switch: out-of-band address, platform and NAPALM driver, where it stands, and its numbers."""

    name: str
    address: str
    platform: str
    driver: str
    fabric: str
    role: str
    axes: Mapping[str, str]
    data: Mapping[str, object]


def make_hosts(plan: Plan, devices: Iterable[Device]) -> Iterator[InventoryHost]:
    """Every switch, in the order given."""
    for device in devices:
        own = axes(plan.fabrics[device.fabric], device)
        yield InventoryHost(
            name=device.name,
            address=device.management.address.partition("/")[0],
            platform=device.system,
            driver=PLATFORMS[device.system].driver if device.system in PLATFORMS else device.system,
            fabric=device.fabric,
            role=device.role,
            axes=own,
            data=_data(plan, device) | own,
        )


def _data(plan: Plan, device: Device) -> dict[str, object]:
    fabric = plan.fabrics[device.fabric]
    found: dict[str, object] = {"site": device.site, "fabric": device.fabric, "role": device.role}
    place = place_of(fabric, device.name)
    if place is None:
        return found
    found |= {"index": number_of(fabric, place), "asn": asn_of(fabric, place)}
    found["loopback_ipv4"] = ipv4(router_id(fabric, place))
    own = loopback6(fabric, place)
    return found | ({"loopback_ipv6": ipv6(own)} if own is not None else {})


def username(plan: Plan, fallback: str = "admin") -> str:
    """Who logs in: the first administrator of the intent."""
    users = plan.intent.management.users
    return next((name for name, user in sorted(users.items()) if user.role == ADMIN), fallback)
