"""Ports of a SONiC switch: their names are numbers, and each row lists its lanes of the chip."""

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from functools import lru_cache
from itertools import accumulate, count
from json.encoder import encode_basestring
from typing import NamedTuple

from fabricgen.base.addresses import NO_ADDRESS, InterfaceAddress
from fabricgen.base.text import natural
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet

STEM = "Ethernet"
CAGE_LANES = "8"
"""Electrical lanes of a QSFP-DD, QSFP112-DD or OSFP cage, as the hardware files count them: of most boxes."""
KEPT = 1024
"""Cache size: more than the ports of two models."""
FEC = {"": "", "rs-fec": "rs", "fc-fec": "fc", "none": "none"}
"""Values of `PORT.fec` (sonic-port.yang); without one the chip's default applies."""


class PortContext(NamedTuple):
    """A row of PORT. `lanes` are the chip's, in a comma-separated list; `description` is quoted.

    cage     its number, as the transceiver daemon counts them
    subport  part of a split cage, from 1, by which the transceiver daemon selects its lanes; 0 is a whole cage
    bare     it has only a link-local address, for unnumbered sessions
    unknown_unicast_kbps  limit of frames to addresses that no table has; 0: none
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
    unknown_unicast_kbps: int


def unknown_unicast_kbps(row: Ethernet) -> int:
    """Return the limit of a port in kb/s, of which one percent of 1 Gb/s has 10,000; 0 for none."""
    return row.switching.unknown_unicast_percent * row.profile.speed_gbps * 10_000 if row.switching else 0


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


class Cage(NamedTuple):
    """A cage of a box by its table in sonic-buildimage.

    first, names  number in the name of its first port, and how many numbers it has: 0 and 8 are Ethernet0 to 7
    lane, lanes   its first lane of the chip, and how many it has
    electrical    its lanes, as modes of the hardware file count them
    number        its own, as the transceiver daemon counts cages
    """

    first: int
    names: int
    lane: int
    lanes: int
    electrical: int
    number: int


class Panel(NamedTuple):
    """Cages of a box in order, and the number in the name of the first port of each."""

    cages: tuple[Cage, ...]
    firsts: tuple[int, ...]

    def of_port(self, port: int) -> Cage | None:
        """Return the cage of a port by the number in its name; None where no cage has it."""
        cage = self.cages[bisect_right(self.firsts, port) - 1] if self.cages and port >= self.firsts[0] else None
        return cage if cage is not None and port < cage.first + cage.names else None


def panel(spellings: Mapping[str, str]) -> Panel:
    """Return the cages of a box. Words with one number are for all cages alike, others have one for each.

    Raises ValueError where a word has another count of numbers.
    """
    per_cage = spellings["lanes_a_cage"]
    return _panel(
        spellings["lanes"],
        per_cage,
        spellings.get("names_a_cage", per_cage),
        spellings.get("cage_lanes", CAGE_LANES),
        (int(spellings.get("first_port", "0")), int(spellings.get("first_index", "1"))),
    )


@lru_cache(maxsize=KEPT)
def _panel(lanes: str, per_cage: str, names: str, electrical: str, starts: tuple[int, int]) -> Panel:
    firsts = [int(lane) for lane in lanes.split()]
    widths, numbers, counted = (_for_all(words, len(firsts)) for words in (per_cage, names, electrical))
    ports_before = accumulate(numbers[:-1], initial=starts[0])
    rows = zip(ports_before, numbers, firsts, widths, counted, count(starts[1]), strict=False)
    cages = tuple(Cage(*row) for row in rows)
    return Panel(cages, tuple(cage.first for cage in cages))


def _for_all(words: str, cages: int) -> list[int]:
    numbers = [int(word) for word in words.split()]
    if len(numbers) not in (1, cages):
        raise ValueError(f"{len(numbers)} numbers for {cages} cages")
    return numbers * cages if len(numbers) == 1 else numbers


def ports(device: Device) -> Iterator[PortContext]:
    """Yield all ports in use, shut or idle, by number, and the first part of each split cage."""
    box = panel(device.hardware.spellings)
    rows = {number(row.name): row for row in (*device.interfaces.ethernet, *device.interfaces.idle)}
    rows |= _first_parts(box, rows)
    for index in sorted(rows):
        row, cage = rows[index], _cage(box, index)
        profile = row.profile
        width = max(profile.lanes * cage.lanes // cage.electrical, 1)
        offset = (index - cage.first) * cage.lanes // cage.names
        yield PortContext(
            row,
            _lanes(cage.lane + offset, width),
            cage.number,
            # Counted as in SONiC's own breakout (sonic-config-engine, portconfig.py).
            offset // width + 1 if profile.parts > 1 else 0,
            profile.speed_gbps * 1000,
            FEC[profile.fec],
            "up" if row.enabled else "down",
            quoted(row.description),
            addresses(row.ipv4, row.ipv6),
            profile.unnumbered,
            unknown_unicast_kbps(row),
        )


def _cage(box: Panel, port: int) -> Cage:
    """Return the cage of a port that `limits` has let through."""
    cage = box.of_port(port)
    if cage is None:
        raise ValueError(f"no cage has {STEM}{port}")
    return cage


def _first_parts(box: Panel, rows: Mapping[int, Ethernet]) -> dict[int, Ethernet]:
    """Return first parts, shut, of cages of which only later parts are in use.

    The sku's own row of that name has all lanes of the cage, and would stay if the file had none: `config reload` loads
    the sku's ports first, since no rendered file has a MAC address (sonic-utilities, load_sysinfo_if_missing).
    """
    firsts = {_cage(box, index).first: row for index, row in rows.items()}
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
