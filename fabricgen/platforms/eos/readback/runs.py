"""Ports of EOS that follow each other and are alike, and neighbors: of the plan they have little of their own."""

import re
from collections.abc import Collection, Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.eos.readback import names
from fabricgen.readback.rows import new
from fabricgen.readback.runs import VALUE, Kind, Own, OwnPort, sessions

_OWN = re.compile(rf"\n   (description|ip address|ipv6 address(?! fe80:)) {VALUE}")


def _port(block: re.Match[str]) -> tuple[object, Own]:
    """All but its values; a block that says one of them twice is like no other."""
    parts = _OWN.split(block[2])
    said = dict(zip(parts[1::3], parts[2::3], strict=True))
    values = (block[1], said.get("description", ""), said.get("ip address", ""), said.get("ipv6 address", ""))
    del parts[2::3]
    return parts if len(parts) == 2 * len(said) + 1 else block[0], new(OwnPort, values)


def _base(name: str) -> str | None:
    """The port that a name is of, or of a subinterface of it."""
    found = names.port(name)
    return found and found.partition(".")[0]


def _planned_ports(device: Device) -> Mapping[str, tuple[Own, object]]:
    return {
        port.name: (
            new(OwnPort, (port.name, port.description, port.ipv4, port.ipv6)),
            (port.profile, port.enabled, port.vrf, port.lag, port.switching),
        )
        for port in device.interfaces.ethernet
    }


def _without_ports(device: Device, copies: Collection[str]) -> Device:
    ports = device.interfaces
    kept = tuple(port for port in ports.ethernet if port.name not in copies)
    return device._replace(interfaces=ports._replace(ethernet=kept))


KINDS = (
    Kind(
        block=re.compile(r"\ninterface (Ethernet[\d/]+)((?:\n   +\S.*)+)\n!(?!.)"),
        parted=_port,
        mention=re.compile(r"^[^\S\n]*interface\s+(\S+)", re.MULTILINE),
        plain=_base,
        planned=_planned_ports,
        without=_without_ports,
    ),
    sessions(
        r"\n   neighbor (?P<name>\S+) peer group (?P<shared>\S+)\n   neighbor (?P=name) remote-as (?P<remote>\S+)"
        rf"\n   neighbor (?P=name) description (?P<description>{VALUE})"
    ),
)
