"""Collect what a containerlab topology of the plan does not exercise, with the reasons."""

from collections.abc import Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.lab.model.lab import LabServer, Skipped
from fabricgen.lab.model.part import PlanSubset
from fabricgen.lab.model.skipped import VIRTUAL_LINKS, outside_peers, paired, without_address
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.containerlab import Access, NodeKind


class Omissions:
    """Collects the omissions of switches and servers."""

    def __init__(self, kinds: Mapping[str, NodeKind]) -> None:
        self._kinds = kinds
        self._roles: dict[tuple[str, int], dict[str, None]] = {}
        self._has_services = False
        self._servers: list[Skipped] = []

    def switch(self, device: Device) -> None:
        """Add a switch of the plan, before it is fitted."""
        for number, row in enumerate(self._kinds[device.system].omissions):
            if row.concerns(device):
                self._roles.setdefault((device.system, number), {})[f"{device.fabric} {device.role}"] = None
        management = device.management
        self._has_services |= bool(management.ntp or management.syslog or management.dns)

    def server(self, server: LabServer) -> None:
        """Add a server."""
        self._servers += without_address(server)

    def rows(self, part: PlanSubset, access: Mapping[str, Access]) -> tuple[Skipped, ...]:
        """Rows to print: by platform, then properties that virtual links lack, then what is outside the site.

        access  platform → how its nodes are accessed
        """
        return (*self._by_platform(), *_closed(access), *self._everywhere(part), *self._servers)

    def _by_platform(self) -> Iterator[Skipped]:
        for system, kind in self._kinds.items():
            for number, row in enumerate(kind.omissions):
                where = ", ".join(self._roles.get((system, number), ()))
                if where:
                    yield Skipped(row.feature, f"{PLATFORMS[system].title}: {where}", row.reason)

    def _everywhere(self, part: PlanSubset) -> Iterator[Skipped]:
        if part.subset.text:
            yield Skipped("switches, servers and cables", part.subset.text, "--subset keeps the first of everything")
        yield from outside_peers(part.plan, "topology")
        yield from paired(part.plan, "the image of servers has no FRR: these NICs reach nothing; lab up runs it")
        yield VIRTUAL_LINKS
        if self._has_services:
            yield Skipped("NTP, DNS, syslog", "all switches", "their servers are not in the topology")


def _closed(access: Mapping[str, Access]) -> Iterator[Skipped]:
    for system, platform_access in access.items():
        if platform_access.barrier:
            yield Skipped("login", PLATFORMS[system].title, platform_access.barrier)
