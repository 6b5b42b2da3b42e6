"""What of a plan a containerlab topology does not exercise, and why, as far as the plan tells."""

from collections.abc import Iterable, Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.lab.model import Lab, Skipped
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.containerlab import Access, Kind


def omissions(
    part: Lab, kinds: Mapping[str, Kind], access: Mapping[str, Access], stands: Iterable[Device]
) -> tuple[Skipped, ...]:
    """Rows for people: by platform, then what no virtual link has, then what is outside.

    access  platform → how its nodes are entered
    stands  every switch of the part as the plan has it, before it was fitted
    """
    devices = tuple(stands)
    return (*_by_platform(kinds, devices), *_closed(access), *_everywhere(part, devices), *_addresses(part))


def _by_platform(kinds: Mapping[str, Kind], devices: tuple[Device, ...]) -> Iterator[Skipped]:
    for system, kind in kinds.items():
        for row in kind.omissions:
            found = [device for device in devices if device.system == system and row.concerns(device)]
            where = ", ".join(dict.fromkeys(f"{device.fabric} {device.role}" for device in found))
            if where:
                yield Skipped(row.feature, f"{PLATFORMS[system].title}: {where}", row.reason)


def _closed(access: Mapping[str, Access]) -> Iterator[Skipped]:
    for system, found in access.items():
        if found.barrier:
            yield Skipped("login", PLATFORMS[system].title, found.barrier)


def _everywhere(part: Lab, devices: tuple[Device, ...]) -> Iterator[Skipped]:
    if part.subset.text:
        yield Skipped("switches, servers and cables", part.subset.text, "--subset keeps the first of everything")
    peers = {e.peer: None for tenants in part.plan.tenants.values() for tenant in tenants for e in tenant.external}
    if peers:
        yield Skipped("external-bgp", ", ".join(peers), "what is outside the site is not in the topology")
    yield Skipped("speed, lanes, FEC and length of cables", "all links", "links are virtual")
    if any(device.management.ntp or device.management.syslog or device.management.dns for device in devices):
        yield Skipped("NTP, DNS, syslog", "all switches", "their servers are not in the topology")


def _addresses(part: Lab) -> Iterator[Skipped]:
    for server in part.servers:
        for nic in server.nics:
            if (nic.gateway4 and not nic.ipv4) or (nic.gateway6 and not nic.ipv6):
                yield Skipped("host address", f"{server.name} {nic.name}", "the tenant's subnet has none left")
