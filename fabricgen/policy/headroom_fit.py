"""Formulas, by name, that fill the headroom rows a vendor has not published: constants and a link → octets.

Each reproduces the published rows of one chip family. It is exact where it was fitted (400 and 800 Gb/s) and
short at low speeds: against the Tomahawk rows 2 % at 200G, 5 % at 100G and up to 71 % at 10G. So
`policy.headroom` prefers published rows and never goes below one.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from fabricgen.hardware.headroom_faults import FIT_CONSTANTS
from fabricgen.policy import sources

OCTETS_PER_GBIT = 125_000_000
FRAME_AND_GAP = 84  # octets: the smallest frame, 64, with preamble and gap, 20 (IEEE 802.3)
SMALLEST_FRAME = 64
QUANTUM_OCTETS = 64  # one pause quantum is 512 bit times (IEEE 802.3 annex 31B)

# Speed in Gb/s → quanta within which a peer must stop sending (sources.IEEE_PAUSE). The standard's limit for 400G is
# used for 800G, too, as in the source; other speeds have none.
PAUSE_QUANTA = {10: 67, 25: 80, 40: 118, 50: 147, 100: 394, 200: 453, 400: 905, 800: 905}


class HeadroomInput(NamedTuple):
    """A link that needs headroom. `mtu` is the largest frame in octets, as the switch counts it."""

    speed_gbps: int
    length_m: float
    mtu: int

    @property
    def octets_per_second(self) -> int:
        """Octets per second at line rate."""
        return self.speed_gbps * OCTETS_PER_GBIT


class Formula(NamedTuple):
    """A function of constants, cell and link, and what it needs. `row_mtu`: the frame of its published rows."""

    octets: Callable[[Mapping[str, float], int, HeadroomInput], float]
    constants: tuple[str, ...]
    speeds_gbps: tuple[int, ...]
    row_mtu: int
    source: str


def pause_octets(speed_gbps: int) -> int:
    """Return the octets that a peer may send after it has received a pause frame. KeyError for other speeds."""
    return PAUSE_QUANTA[speed_gbps] * QUANTUM_OCTETS


def cable_octets(link: HeadroomInput, metres_per_second: float) -> float:
    """Return the octets in flight on the cable there and back, 2·L·S/v."""
    return 2 * link.length_m * link.octets_per_second / metres_per_second


def tomahawk_wire(constants: Mapping[str, float], cell_octets: int, link: HeadroomInput) -> float:
    """Return the octets that arrive before the peer stops, if all are smallest frames that use a cell each.

    One frame in each direction, the reaction time of both sides, and the cable. Fitted to the Tomahawk 5 rows of 400
    and 800G.
    """
    wire = (
        2 * link.mtu
        + constants["reaction_seconds"] * link.octets_per_second
        + cable_octets(link, constants["metres_per_second"])
    )
    return wire * cell_octets / FRAME_AND_GAP


def cell_occupancy(cell_octets: int, small_packet_percent: float) -> float:
    """Return octets of buffer per octet received when `small_packet_percent` of them come in the smallest frames."""
    large_cell = cell_octets > 2 * SMALLEST_FRAME
    worst = cell_octets / SMALLEST_FRAME if large_cell else 2 * cell_octets / (1 + cell_octets)
    return (100 - small_packet_percent + small_packet_percent * worst) / 100


def dynamic_headroom(constants: Mapping[str, float], cell_octets: int, link: HeadroomInput) -> float:
    """Return the headroom as the switch's own buffer manager computes it, plus one fitted delay.

    Unlike the source, the cable counts 1000, not 1024, to the kilo (the source's cable is 2.4 % short), and
    nothing is rounded here. `extra_seconds` is fitted to the Spectrum-4 rows of 400 and 800G.
    """
    delay = (
        link.mtu
        + cable_octets(link, constants["metres_per_second"])
        + constants["mac_phy_octets"]
        + pause_octets(link.speed_gbps)
        + constants["extra_seconds"] * link.octets_per_second
    )
    return constants["lossless_mtu"] + delay * cell_occupancy(cell_octets, constants["small_packet_percent"])


FORMULAS: dict[str, Formula] = {
    "tomahawk-wire": Formula(
        octets=tomahawk_wire,
        constants=FIT_CONSTANTS["tomahawk-wire"],
        speeds_gbps=tuple(PAUSE_QUANTA),
        row_mtu=9216,  # what the fit takes; the published rows do not say
        source=f"fit to {sources.Z9864F_BUFFERS}",
    ),
    "sonic-dynamic": Formula(
        octets=dynamic_headroom,
        constants=FIT_CONSTANTS["sonic-dynamic"],
        speeds_gbps=tuple(PAUSE_QUANTA),
        row_mtu=9100,  # default port MTU of the system the rows ship with
        source=f"{sources.DYNAMIC_HEADROOM}, with a fitted delay",
    ),
}
