"""`fabricgen list hardware`: the library of switches, and of servers with their NICs."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.cli.common.table import table
from fabricgen.hardware.catalog import Catalog
from fabricgen.hardware.model import Asic, ServerModel, SwitchModel
from fabricgen.hardware.ports import radix
from fabricgen.platforms import SYSTEMS
from fabricgen.resolve.lossless import lossless_speeds

LENGTH_M = 40
"""Metres of the longest cable of a class that is listed as lossless: `init` writes it for links between switches."""


class PortCount(NamedTuple):
    """Most interfaces of a speed that a switch can have, with all cages used for that speed."""

    speed_gbps: int
    ports: int


class LosslessSpeeds(NamedTuple):
    """Speeds in Gb/s at which a switch with a system can have a lossless class, the fastest first."""

    system: str
    speeds: tuple[int, ...]


class SwitchRow(NamedTuple):
    """One switch model.

    model    its name in an intent
    asic     the forwarding chip
    systems  operating systems that it is rendered for, by the names that start `os:` in an intent
    lossless systems of these with which it can have a lossless class
    """

    model: str
    vendor: str
    title: str
    ports: tuple[PortCount, ...]
    asic: str
    systems: tuple[str, ...]
    lossless: tuple[LosslessSpeeds, ...]


class NicRow(NamedTuple):
    """The NICs of a server for one fabric. planes: slices that each NIC is divided into."""

    name: str
    vendor: str
    ports: int
    speed_gbps: int
    connector: str
    planes: int


class ServerRow(NamedTuple):
    """One server model, by its name in an intent."""

    model: str
    vendor: str
    title: str
    gpus: int
    nics: tuple[NicRow, ...]


class Hardware(NamedTuple):
    """Models of the library, both lists by vendor and model.

    left_out  switches that --lossless leaves out, by name: no source gives their buffers, or no system can use them
    """

    switches: tuple[SwitchRow, ...]
    servers: tuple[ServerRow, ...]
    left_out: tuple[str, ...] = ()


def hardware(catalog: Catalog, speed_gbps: int | None = None, *, lossless: bool = False) -> Hardware:
    """Rows of all models, or of those with ports of a speed, or of switches that can be lossless (at that speed)."""
    switches = [_switch(name, model, catalog.asics[model.asic]) for name, model in catalog.switches.items()]
    servers = [_server(name, model) for name, model in catalog.servers.items()]
    if speed_gbps:
        switches = [row for row in switches if speed_gbps in {count.speed_gbps for count in row.ports}]
        servers = [row for row in servers if speed_gbps in {nic.speed_gbps for nic in row.nics}]
    known = {row.model for row in switches}
    if lossless:
        switches = [_lossless_only(row, speed_gbps) for row in switches]
        switches = [row for row in switches if row.systems]
    return Hardware(
        left_out=tuple(sorted(known - {row.model for row in switches})),
        switches=tuple(sorted(switches, key=lambda row: (row.vendor, row.model))),
        servers=tuple(sorted(servers, key=lambda row: (row.vendor, row.model))),
    )


def _lossless_only(row: SwitchRow, speed_gbps: int | None) -> SwitchRow:
    """The switch with those of its systems with which it can be lossless, at a speed or at any."""
    known = tuple(found for found in row.lossless if not speed_gbps or speed_gbps in found.speeds)
    return row._replace(systems=tuple(found.system for found in known), lossless=known)


def _switch(name: str, switch: SwitchModel, asic: Asic) -> SwitchRow:
    systems = tuple(system for system in SYSTEMS if system in switch.port_names)
    speeds = {mode.speed_gbps for run in switch.cages if not run.service for mode in run.modes}
    return SwitchRow(
        model=name,
        vendor=switch.vendor,
        title=switch.title,
        ports=tuple(PortCount(speed, radix(switch, speed)) for speed in sorted(speeds, reverse=True)),
        asic=switch.asic,
        systems=systems,
        lossless=tuple(
            LosslessSpeeds(system, found)
            for system in systems
            if (found := lossless_speeds(switch, asic, system, LENGTH_M))
        ),
    )


def _server(name: str, server: ServerModel) -> ServerRow:
    nics = tuple(
        NicRow(key, nic.vendor, len(nic.ports), nic.speed_gbps, nic.connector, nic.planes)
        for key, nic in server.nics.items()
    )
    return ServerRow(name, server.vendor, server.title, server.gpus, nics)


def hardware_text(models: Hardware, width: int | None, *, lossless: bool = False) -> Iterator[str]:
    """Lines of three tables. lossless: only switches that can be, with the systems with which they can."""
    if not models.switches:
        yield "no switch of the library is like that (`fabricgen list hardware` has all)"
        return
    yield from ("SWITCHES", "")
    rows = [(row.model, row.vendor, _ports(row.ports), row.asic, ", ".join(row.systems)) for row in models.switches]
    yield from table(("model", "vendor", "max ports", "ASIC", "lossless with" if lossless else "systems"), rows, width)
    if models.left_out:
        yield from ("", f"no lossless class with any system, or undocumented buffers: {', '.join(models.left_out)}")
    if not models.servers:
        return
    yield from ("", "SERVERS", "")
    servers = [(row.model, row.vendor, str(row.gpus), row.title) for row in models.servers]
    yield from table(("model", "vendor", "GPUs", "what"), servers, width)
    yield from ("", "NICS", "")
    nics = [
        (row.model, nic.name, f"{nic.ports}×{nic.speed_gbps}G", nic.connector, str(nic.planes), nic.vendor)
        for row in models.servers
        for nic in row.nics
    ]
    yield from table(("server", "NICs", "ports", "connector", "planes", "vendor"), nics, width)


def _ports(counts: tuple[PortCount, ...]) -> str:
    return " or ".join(f"{count.ports}×{count.speed_gbps}G" for count in counts)
