"""Headroom rows and fits of a hardware file → why they cannot be right."""

from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from fabricgen.hardware.model import HeadroomFit, HeadroomRow

FIT_CONSTANTS: Mapping[str, tuple[str, ...]] = {
    "tomahawk-wire": ("reaction_seconds", "metres_per_second"),
    "sonic-dynamic": (
        "metres_per_second",
        "mac_phy_octets",
        "extra_seconds",
        "lossless_mtu",
        "small_packet_percent",
    ),
}
"""Formula that a fit may name → its constants; `policy.headroom_fit` computes with them."""

ROW_FRAME = 9100
"""Octets of the smallest frame that published rows assume."""
SECONDS_A_METRE = 5e-9
"""Propagation in fibre and copper, 5 ns per metre."""


def contradictions(
    rows: Iterable[tuple[int, HeadroomRow]],
) -> dict[tuple[int, int], tuple[HeadroomRow, HeadroomRow]]:
    """Return the contradictions of a table: a longer or faster link with less headroom, or two values for one link.

    Positions of two rows → the rows; the shorter or slower one comes first and has more headroom than the other.
    """
    ordered = sorted(rows, key=lambda item: (item[1].speed_gbps, item[1].length_m, item[1].xoff_octets))
    return {
        (position, other_position): (low, high)
        for position, low in ordered
        for other_position, high in ordered
        if low.speed_gbps <= high.speed_gbps and low.length_m <= high.length_m and low.xoff_octets > high.xoff_octets
    }


class WrongRow(NamedTuple):
    """A row that contradicts others. position: in the table; more, less: the rows with too much, or too little."""

    position: int
    row: HeadroomRow
    more: tuple[HeadroomRow, ...]
    less: tuple[HeadroomRow, ...]


def wrong_rows(rows: Sequence[tuple[int, HeadroomRow]], suspects: Container[int]) -> Iterator[WrongRow]:
    """Yield the fewest rows that explain all contradictions: one wrong number contradicts many right ones.

    suspects  positions that are wrong before others: those of the user, as the library's own rows agree

    Each next row is a suspect, and the one with most contradictions that are left; of equal ones the last.
    """
    pairs = contradictions(rows)
    by_position = dict(rows)
    while pairs:
        counts = Counter(position for pair in pairs for position in pair)
        wrong = max(counts, key=lambda position: (position in suspects, counts[position], position))
        yield WrongRow(
            wrong,
            by_position[wrong],
            more=tuple(low for (_, position), (low, _) in sorted(pairs.items()) if position == wrong),
            less=tuple(high for (position, _), (_, high) in sorted(pairs.items()) if position == wrong),
        )
        pairs = {pair: both for pair, both in pairs.items() if wrong not in pair}


def least_octets(row: HeadroomRow) -> int:
    """Return the octets that arrive at least before the peer stops: a frame each way, and the cable there and back.

    Source: IEEE 802.1Q, buffer requirements of priority-based flow control, without the delays of the two interfaces;
    every published row is above it.
    """
    cable = 2 * row.length_m * SECONDS_A_METRE * row.speed_gbps * 1e9 / 8
    return 2 * ROW_FRAME + round(cable)


def short_rows(rows: Iterable[HeadroomRow]) -> Iterator[tuple[int, HeadroomRow]]:
    """Yield position and row of each row with less headroom than its cable alone needs."""
    yield from ((position, row) for position, row in enumerate(rows) if row.xoff_octets < least_octets(row))


def fit_faults(fit: HeadroomFit | None, cell_octets: int | None) -> tuple[str, ...]:
    """Return why a fit cannot be computed; empty when it can or there is none."""
    if fit is None:
        return ()
    known = FIT_CONSTANTS.get(fit.formula)
    if known is None:
        return (f"formula {fit.formula} is none of {', '.join(sorted(FIT_CONSTANTS))}",)
    missing = sorted(set(known) - set(fit.constants))
    surplus = sorted(set(fit.constants) - set(known))
    rules = (
        (cell_octets is not None, "the fit needs cell_octets"),
        (not missing, f"the fit lacks {', '.join(missing)}"),
        (not surplus, f"the formula {fit.formula} has no constant {', '.join(surplus)}"),
        (fit.constants.get("metres_per_second") != 0, "metres_per_second is 0"),
        (fit.constants.get("small_packet_percent", 0) <= 100, "small_packet_percent is above 100"),
    )
    return tuple(reason for holds, reason in rules if not holds)
