"""Operating systems whose routing is FRR's: a lab runs their own routing text on this host's FRR.

Everything else of such a switch is as on the other switches of the lab: interfaces, addresses and VRFs come from the
same Device, as for FRR on Linux. Its ports have the system's own names. In its text only VRFs are renamed to FRR's
names, where the system adds a prefix to a tenant's name. So a lab shows the effect of the text in FRR, and nothing else
of the system.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import yaml

from fabricgen.base.grouping import grouped
from fabricgen.device.device import Device
from fabricgen.errors import FabricError, Problem
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.frr.platform import FRR
from fabricgen.platforms.lab_routings import LAB_ROUTINGS
from fabricgen.platforms.linux.interfaces import vrf_devices
from fabricgen.platforms.linux.lab.routing import RoutingText
from fabricgen.render.render import RenderedFile, Renderer
from fabricgen.verify.collect.redact_config import LEAVES, REMOVED, without_secrets

RELEASE = FRR.versions[0]
"""The release whose lines the switches of a lab get: the oldest, whose lines a newer one of the host takes, too."""
REMEDIES = "no zebra nexthop kernel enable\n"
REMEDIES_OF_VTEPS = "zebra work-queue 0\nzebra zapi-packets 1\n"
"""Lines that work around faults of FRR 8.4 itself (templates/frr/NOTES.md): the lab's own, not the system's."""
PROFILE = re.compile(r"^frr defaults (\w+)$", re.MULTILINE)
SHOWN = 4
"""Most names of switches in a line."""
VRF = re.compile(r"\bvrf (\S+)")
PORT_STEM = re.compile(r"\D+")


UNREADABLE = (LookupError, ValueError, TypeError, AttributeError, yaml.YAMLError)
"""Errors for a file whose format a user's own templates have changed."""


def is_own(system: str) -> bool:
    """Whether a switch with this operating system, e.g. `sonic-202505`, runs its own routing text in a lab."""
    name, _, version = system.partition("-")
    return name in LAB_ROUTINGS and version in PLATFORMS[name].versions


def as_frr(device: Device) -> Device:
    """A switch as it runs in a lab: FRR, with its own system's port names."""
    return device._replace(system=FRR.name, version=RELEASE)


class LabRenderer(Renderer):
    """Renders the switches of a lab: FRR's files, and for some switches the routing text of their own system.

    systems  name of a switch → its own system, for those that run its text
    """

    def __init__(self, systems: Mapping[str, str], user_templates: Path | None = None) -> None:
        super().__init__(user_templates)
        self._systems = systems

    def render(self, device: Device) -> Iterator[RenderedFile]:
        """Every file of one switch. Raises FabricError where its own system's text cannot be parsed."""
        system = self._systems.get(device.name, "")
        if not system:
            yield from super().render(device)
            return
        routing = self.routing(device)
        for file in super().render(device._replace(raw=())):
            yield file._replace(marked=_fitted(file, device, routing.text))

    def routing(self, device: Device) -> RoutingText:
        """Routing configuration of FRR on a switch of another system. Raises FabricError if it cannot be parsed."""
        name, _, version = self._systems[device.name].partition("-")
        own = device._replace(system=name, version=version)
        files = {file.name: file.marked for file in super().render(own)}
        try:
            parsed = LAB_ROUTINGS[name].routing(files, device.name)
        except UNREADABLE as reason:
            raise FabricError([_unreadable(own, reason)]) from None
        remedies = REMEDIES + (REMEDIES_OF_VTEPS if device.evpn is not None else "")
        return parsed._replace(text=_with(remedies, _with_vrfs(parsed.text, LAB_ROUTINGS[name].vrf_names(own), device)))


def run_as(systems: Mapping[str, str]) -> Iterator[str]:
    """Lines that list the switches with the routing text of another system, and how they are treated."""
    switches_by_system = grouped((system, name) for name, system in systems.items())
    for system, names in switches_by_system.items():
        others = f", and {len(names) - SHOWN} more" if len(names) > SHOWN else ""
        yield (
            f"routing text of {system} in FRR {RELEASE} of this host, read and changed as one of FRR: "
            f"{', '.join(names[:SHOWN])}{others}"
        )


def unread_routing(
    devices: Iterable[Device], systems: Mapping[str, str], templates: Path | None
) -> dict[str, tuple[str, ...]]:
    """Routing in a system's own files that the lab's FRR does not get, by switch; most switches have none."""
    renderer = LabRenderer(systems, templates)
    rows = ((device.name, renderer.routing(device).unread) for device in devices if device.name in systems)
    return {name: tuple(f"not told to FRR: {_discreet(line)}" for line in lines) for name, lines in rows if lines}


def _discreet(line: str) -> str:
    """A command or a field, without the secret after the name of a leaf that holds one."""
    words = line.split(" ")
    leaf = next((number for number, word in enumerate(words) if word in LEAVES), len(words))
    return str(without_secrets(" ".join([*words[: leaf + 1], *([REMOVED] if leaf + 1 < len(words) else [])])))


def _with(remedies: str, text: str) -> str:
    """Routing text after those of the lab's own lines that it does not have."""
    have = set(text.splitlines())
    return "".join(f"{line}\n" for line in remedies.splitlines() if line not in have) + text


def _with_vrfs(text: str, names: Mapping[str, str], device: Device) -> str:
    """Routing text with FRR's names of VRFs. names: tenant → VRF name in the text."""
    frr_names = {names[row.tenant]: row.name for row in vrf_devices(device)}
    return VRF.sub(lambda match: f"vrf {frr_names.get(match[1], match[1])}", text)


def _fitted(file: RenderedFile, device: Device, routing: str) -> str:
    """FRR's file of a switch that runs its own system's routing text."""
    match file.name:
        case "frr.conf":
            return routing
        case "daemons":
            match = PROFILE.search(routing)
            return re.sub(r"^frr_profile=.*$", f'frr_profile="{match[1]}"' if match else "", file.marked, flags=re.M)
        case "lldpd.conf":
            return file.marked.replace("swp*", ",".join(sorted(_stems(device))))
    return file.marked


def _stems(device: Device) -> set[str]:
    """Patterns for the names of front ports: `Ethernet*`."""
    return {f"{match[0]}*" for row in device.interfaces.ethernet if (match := PORT_STEM.match(row.name))} or {"swp*"}


def _unreadable(device: Device, reason: Exception) -> Problem:
    platform = PLATFORMS[device.system]
    return Problem(
        code="lab-text",
        what=f"the routing of {device.name} in {platform.main} cannot be converted",
        why=f"{type(reason).__name__}: {reason}",
        fix=f"check your own templates for {platform.name}",
    )
