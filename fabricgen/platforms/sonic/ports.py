"""Ports of a SONiC switch: names are numbers, and each says which lanes of the chip it has."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from json.encoder import encode_basestring
from typing import NamedTuple

from fabricgen.base.addresses import NO_ADDRESS, InterfaceAddress
from fabricgen.base.text import natural
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet

STEM = "Ethernet"
CAGE_LANES = 8
"""Electrical lanes of a QSFP-DD, QSFP112-DD or OSFP cage, as the hardware files count them."""
KEPT = 1024
"""More than the ports of two models."""
FEC = {"": "", "rs-fec": "rs", "fc-fec": "fc", "none": "none"}
"""Words of `PORT.fec` (sonic-port.yang); without one the chip's own default stays."""


class PortContext(NamedTuple):
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


def addresses(ipv4: InterfaceAddress, ipv6: InterfaceAddress) -> tuple[InterfaceAddress, ...]:
    """Those that are there, in the order of rows: 2a00::1 stands before 10.0.0.1, and fd00::1 behind it."""
    if ipv4 and ipv6 and _is_before(ipv6[: ipv6.find(":") + 1], ipv4[: ipv4.find(".") + 1]):
        return ipv6, ipv4
    return tuple(filter(None, (ipv4, ipv6)))


@lru_cache(maxsize=KEPT)
def _is_before(one: str, other: str) -> bool:
    return natural(one) < natural(other)


def quoted(text: str) -> str:
    """Text as a JSON string, its quotes with it; as long as the models allow a description to be."""
    return encode_basestring(text[:255])


def ports(device: Device) -> Iterator[PortContext]:
    """All ports of a switch that are in use, shut or idle, by number; and the first part of each split cage."""
    words = device.hardware.spellings
    per_cage, firsts = int(words["lanes_a_cage"]), [int(lane) for lane in words["lanes"].split()]
    rows = {number(row.name): row for row in (*device.interfaces.ethernet, *device.interfaces.idle)}
    rows |= _first_parts(per_cage, rows)
    profile, width, fec = None, 0, ""
    for at in sorted(rows):
        row = rows[at]
        if row.profile is not profile:  # ports come in runs of one
            profile = row.profile
            width, fec = max(profile.lanes * per_cage // CAGE_LANES, 1), FEC[profile.fec]
        cage, offset = divmod(at, per_cage)
        yield PortContext(
            row,
            _lanes(firsts[cage] + offset, width),
            cage + 1,
            # Counted as SONiC's own breakout does (sonic-config-engine, portconfig.py).
            offset // width + 1 if profile.parts > 1 else 0,
            profile.speed_gbps * 1000,
            fec,
            "up" if row.enabled else "down",
            quoted(row.description),
            addresses(row.ipv4, row.ipv6),
            profile.unnumbered,
        )


def _first_parts(per_cage: int, rows: Mapping[int, Ethernet]) -> dict[int, Ethernet]:
    """First parts, shut, of cages of which only later ones are in use.

    The sku's own row of that name has all lanes of the cage, and stays where the file has none: `config reload` loads
    the sku's ports first, since no file of ours has a MAC address (sonic-utilities, load_sysinfo_if_missing).
    """
    firsts = {at // per_cage * per_cage: row for at, row in rows.items()}
    return {at: _shut(f"{STEM}{at}", row) for at, row in firsts.items() if at not in rows}


def _shut(name: str, row: Ethernet) -> Ethernet:
    profile = row.profile._replace(unnumbered=False, sflow=False)
    shut = row._replace(name=name, description="", profile=profile, enabled=False, vrf="")
    return shut._replace(ipv4=NO_ADDRESS, ipv6=NO_ADDRESS)


@lru_cache(maxsize=KEPT)
def _lanes(first: int, width: int) -> str:
    """Lanes of a port: where its cage begins is in the box's table, and its number says how far behind it starts."""
    return ",".join([str(first + lane) for lane in range(width)])


@lru_cache(maxsize=KEPT)
def number(name: str) -> int:
    """Ethernet16 → 16."""
    return int(name.removeprefix(STEM))
