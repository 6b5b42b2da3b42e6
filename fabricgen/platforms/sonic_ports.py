"""Ports of a SONiC switch: names are numbers, and each says which lanes of the chip it has."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple

from fabricgen.addresses import NO_ADDRESS, InterfaceAddress
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet

STEM = "Ethernet"
CAGE_LANES = 8
"""Electrical lanes of a QSFP-DD, QSFP112-DD or OSFP cage, as the hardware files count them."""
FEC = {"": "", "rs-fec": "rs", "fc-fec": "fc", "none": "none"}
"""Words of `PORT.fec` (sonic-port.yang); without one the chip's own default stays."""


class PortWords(NamedTuple):
    """A row of PORT. `lanes` are the chip's, in a comma-separated list; `description` is quoted.

    cage     its number, as the transceiver daemon counts them
    subport  which part of a split cage it is, from 1; 0 is a whole one. The transceiver daemon takes its lanes by it
    bare     it has a link-local address only, for sessions without addresses
    """

    row: Ethernet
    lanes: str
    cage: int
    subport: int
    speed_mbps: int
    fec: str
    status: str
    description: str
    addresses: tuple[InterfaceAddress, ...]
    bare: bool


def quoted(text: str) -> str:
    """Text as a JSON string, its quotes with it; as long as the models allow a description to be."""
    return json.dumps(text[:255], ensure_ascii=False)


def ports(device: Device) -> Iterator[PortWords]:
    """All ports of a switch that are in use, shut or idle, by number; and the first part of each split cage."""
    words = device.hardware.spellings
    rows = (*device.interfaces.ethernet, *device.interfaces.idle)
    for row in sorted((*rows, *_first_parts(words, rows)), key=lambda row: number(row.name)):
        profile = row.profile
        yield PortWords(
            row=row,
            lanes=lanes(words, row),
            cage=number(row.name) // int(words["lanes_a_cage"]) + 1,
            subport=subport(words, row),
            speed_mbps=profile.speed_gbps * 1000,
            fec=FEC[profile.fec],
            status="up" if row.enabled else "down",
            description=quoted(row.description),
            addresses=tuple(address for address in (row.ipv4, row.ipv6) if address),
            bare=profile.unnumbered,
        )


def _first_parts(words: Mapping[str, str], rows: tuple[Ethernet, ...]) -> Iterator[Ethernet]:
    """First parts, shut, of cages of which only later ones are in use.

    The sku's own row of that name has all lanes of the cage, and stays where the file has none: `config reload` loads
    the sku's ports first, since no file of ours has a MAC address (sonic-utilities, load_sysinfo_if_missing).
    """
    per_cage, names = int(words["lanes_a_cage"]), {row.name for row in rows}
    firsts = {f"{STEM}{number(row.name) // per_cage * per_cage}": row for row in rows}
    for name, row in firsts.items():
        if name not in names:
            profile = replace(row.profile, unnumbered=False, sflow=False)
            shut = row._replace(name=name, description="", profile=profile, enabled=False, vrf="")
            yield shut._replace(ipv4=NO_ADDRESS, ipv6=NO_ADDRESS)


def lanes(words: Mapping[str, str], row: Ethernet) -> str:
    """Lanes of a port: the cage's first one is in the box's table, and a port's number says how far behind it starts.

    words  spellings of the box: `lanes`, the first lane of each cage, and `lanes_a_cage`, how many its table counts
    """
    cage, offset = divmod(number(row.name), int(words["lanes_a_cage"]))
    first = int(words["lanes"].split()[cage]) + offset
    return ",".join(str(first + lane) for lane in range(_width(words, row)))


def subport(words: Mapping[str, str], row: Ethernet) -> int:
    """Which part of its cage a port is, counted as SONiC's own breakout does (sonic-config-engine, portconfig.py)."""
    if row.profile.parts == 1:
        return 0
    return number(row.name) % int(words["lanes_a_cage"]) // _width(words, row) + 1


def _width(words: Mapping[str, str], row: Ethernet) -> int:
    return max(row.profile.lanes * int(words["lanes_a_cage"]) // CAGE_LANES, 1)


def number(name: str) -> int:
    """Ethernet16 → 16."""
    return int(name.removeprefix(STEM))
