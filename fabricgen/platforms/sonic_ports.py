"""Ports of a SONiC switch: names are numbers, and each says which lanes of the chip it has."""

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.addresses import InterfaceAddress
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet

STEM = "Ethernet"
CAGE_LANES = 8
"""Electrical lanes of a QSFP-DD, QSFP112-DD or OSFP cage, as the hardware files count them."""
FEC = {"": "", "rs-fec": "rs", "fc-fec": "fc", "none": "none"}
"""Words of `PORT.fec` (sonic-port.yang); without one the chip's own default stays."""


class PortWords(NamedTuple):
    """A row of PORT. `lanes` are the chip's, in a comma-separated list; `description` is quoted.

    cage   its number, as the transceiver daemon counts them
    bare   it has a link-local address only, for sessions without addresses
    """

    row: Ethernet
    lanes: str
    cage: int
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
    """All ports of a switch that are in use, shut or idle, by number."""
    words = device.hardware.spellings
    rows = (*device.interfaces.ethernet, *device.interfaces.idle)
    for row in sorted(rows, key=lambda row: number(row.name)):
        profile = row.profile
        yield PortWords(
            row=row,
            lanes=lanes(words, row),
            cage=number(row.name) // int(words["lanes_a_cage"]) + 1,
            speed_mbps=profile.speed_gbps * 1000,
            fec=FEC[profile.fec],
            status="up" if row.enabled else "down",
            description=quoted(row.description),
            addresses=tuple(address for address in (row.ipv4, row.ipv6) if address),
            bare=profile.unnumbered,
        )


def lanes(words: Mapping[str, str], row: Ethernet) -> str:
    """Lanes of a port: the cage's first one is in the box's table, and a port's number says how far behind it starts.

    words  spellings of the box: `lanes`, the first lane of each cage, and `lanes_a_cage`, how many its table counts
    """
    per_cage = int(words["lanes_a_cage"])
    cage, offset = divmod(number(row.name), per_cage)
    first = int(words["lanes"].split()[cage]) + offset
    width = max(row.profile.lanes * per_cage // CAGE_LANES, 1)
    return ",".join(str(first + lane) for lane in range(width))


def number(name: str) -> int:
    """Ethernet16 → 16."""
    return int(name.removeprefix(STEM))
