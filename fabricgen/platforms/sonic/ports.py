"""Ports of a SONiC switch: their names are numbers, and each row lists its lanes of the chip."""

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
"""Cache size: more than the ports of two models."""
FEC = {"": "", "rs-fec": "rs", "fc-fec": "fc", "none": "none"}
"""Values of `PORT.fec` (sonic-port.yang); without one the chip's default applies."""


class PortContext(NamedTuple):
    """A row of PORT. `lanes` are the chip's, in a comma-separated list; `description` is quoted.

    cage     its number, as the transceiver daemon counts them
    subport  part of a split cage, from 1, by which the transceiver daemon selects its lanes; 0 is a whole cage
    bare     it has only a link-local address, for unnumbered sessions
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
    """Return the addresses that exist, in the natural order of rows: 2a00::1 before 10.0.0.1, and fd00::1 after it."""
    # The first groups decide the order: `2a00:` and `10.`.
    if ipv4 and ipv6 and _is_before(ipv6[: ipv6.find(":") + 1], ipv4[: ipv4.find(".") + 1]):
        return ipv6, ipv4
    return tuple(filter(None, (ipv4, ipv6)))


@lru_cache(maxsize=KEPT)
def _is_before(first: str, second: str) -> bool:
    return natural(first) < natural(second)


def quoted(text: str) -> str:
    """Return text as a quoted JSON string, cut to the longest description that the models allow."""
    return encode_basestring(text[:255])


def ports(device: Device) -> Iterator[PortContext]:
    """Yield all ports in use, shut or idle, by number, and the first part of each split cage."""
    spellings = device.hardware.spellings
    per_cage, first_lanes = int(spellings["lanes_a_cage"]), [int(lane) for lane in spellings["lanes"].split()]
    rows = {number(row.name): row for row in (*device.interfaces.ethernet, *device.interfaces.idle)}
    rows |= _first_parts(per_cage, rows)
    profile, width, fec = None, 0, ""
    for index in sorted(rows):
        row = rows[index]
        if row.profile is not profile:  # neighboring ports mostly share a profile
            profile = row.profile
            width, fec = max(profile.lanes * per_cage // CAGE_LANES, 1), FEC[profile.fec]
        cage, offset = divmod(index, per_cage)
        yield PortContext(
            row,
            _lanes(first_lanes[cage] + offset, width),
            cage + 1,
            # Counted as in SONiC's own breakout (sonic-config-engine, portconfig.py).
            offset // width + 1 if profile.parts > 1 else 0,
            profile.speed_gbps * 1000,
            fec,
            "up" if row.enabled else "down",
            quoted(row.description),
            addresses(row.ipv4, row.ipv6),
            profile.unnumbered,
        )


def _first_parts(per_cage: int, rows: Mapping[int, Ethernet]) -> dict[int, Ethernet]:
    """Return first parts, shut, of cages of which only later parts are in use.

    The sku's own row of that name has all lanes of the cage, and would stay if the file had none: `config reload` loads
    the sku's ports first, since no rendered file has a MAC address (sonic-utilities, load_sysinfo_if_missing).
    """
    firsts = {index // per_cage * per_cage: row for index, row in rows.items()}
    return {index: _shut(f"{STEM}{index}", row) for index, row in firsts.items() if index not in rows}


def _shut(name: str, row: Ethernet) -> Ethernet:
    profile = row.profile._replace(unnumbered=False, sflow=False)
    shut = row._replace(name=name, description="", profile=profile, enabled=False, vrf="")
    return shut._replace(ipv4=NO_ADDRESS, ipv6=NO_ADDRESS)


@lru_cache(maxsize=KEPT)
def _lanes(first: int, width: int) -> str:
    """Return the lanes of a port, counted from its first one."""
    return ",".join([str(first + lane) for lane in range(width)])


@lru_cache(maxsize=KEPT)
def number(name: str) -> int:
    """Ethernet16 → 16."""
    return int(name.removeprefix(STEM))
