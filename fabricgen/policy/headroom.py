"""Published rows, a fit and a link → octets of headroom that a lossless priority group needs.

Order of preference: a row of the model itself, the length rounded up; a row of another model with the same chip; the
fit. The fit never goes below a published row of a shorter cable and no higher speed. Past the longest row of its speed
it adds the formula's cost of the further metres to that row. Frames longer than those of the rows add their own cost
in all three cases.
"""

from collections.abc import Iterable, Iterator
from math import ceil
from typing import Literal, NamedTuple

from fabricgen.hardware.model import HeadroomFit, HeadroomRow
from fabricgen.policy.headroom_fit import FORMULAS, Formula, HeadroomInput

ROW_MTU = 9100  # octets: the smallest frame size of published rows, where the formula has none
OVERCOMMIT = 2  # headroom promised per octet of pool: not all ports pause at once (expert knowledge)

Basis = Literal["model-row", "asic-row", "fit", "fit-raised"]


class HeadroomFacts(NamedTuple):
    """Published headroom of one model.

    model_rows   rows of the model itself
    asic_rows    rows of the chip, and of all other models with it
    fit          used where no row fits; None where there is none
    cell_octets  unit of the chip's packet memory; None where unknown
    """

    model_rows: tuple[HeadroomRow, ...] = ()
    asic_rows: tuple[HeadroomRow, ...] = ()
    fit: HeadroomFit | None = None
    cell_octets: int | None = None


class Headroom(NamedTuple):
    """Headroom of one priority group.

    octets  as published, or whole cells when computed
    cells   None where the chip's cell is unknown
    basis   "fit-raised" is a fit that was raised to a published row above it
    """

    octets: int
    cells: int | None
    basis: Basis
    source: str


def headroom(facts: HeadroomFacts, *, speed_gbps: int, length_m: float, mtu: int) -> Headroom | None:
    """Return the headroom of a link, or None where nothing is published and no formula covers the speed."""
    link = HeadroomInput(speed_gbps, length_m, mtu)
    fitted = bare_fit(facts, link)
    excess = mtu_excess(facts, link)
    row = covering_row(facts.model_rows, link)
    if row is not None:
        return _published(facts, row.xoff_octets + excess, "model-row", row.source)
    floor = floor_row((*facts.model_rows, *facts.asic_rows), link)
    row = covering_row(facts.asic_rows, link)
    if row is not None:
        # Rows of several models may disagree: never less than a row that the link needs at least.
        highest = row if floor is None or floor.xoff_octets <= row.xoff_octets else floor
        return _published(facts, highest.xoff_octets + excess, "asic-row", highest.source)
    if fitted is None or facts.fit is None:
        return None
    raised = max(_carried(facts, link, fitted), default=Carried(0, ""))
    if raised.octets + excess > fitted:
        whole = whole_cells(raised.octets + excess, facts.cell_octets)
        return _published(facts, whole, "fit-raised", raised.source)
    return _published(facts, whole_cells(fitted, facts.cell_octets), "fit", facts.fit.source)


class Carried(NamedTuple):
    """A published row, extended to a longer cable."""

    octets: float
    source: str


def _carried(facts: HeadroomFacts, link: HeadroomInput, fitted: float) -> Iterator[Carried]:
    """Yield each row below the link; one of the link's speed with the formula's cost of the further metres added."""
    for row in _rows_below((*facts.model_rows, *facts.asic_rows), link):
        shorter = bare_fit(facts, link._replace(length_m=row.length_m))
        extra = 0 if shorter is None or row.speed_gbps < link.speed_gbps else fitted - shorter
        yield Carried(row.xoff_octets + extra, row.source)


def _published(facts: HeadroomFacts, octets: int, basis: Basis, source: str) -> Headroom:
    cells = None if facts.cell_octets is None else ceil(octets / facts.cell_octets)
    return Headroom(octets=octets, cells=cells, basis=basis, source=source)


def whole_cells(octets: float, cell_octets: int | None) -> int:
    """Return octets rounded up to whole cells, or to the next octet where the cell is unknown."""
    cell = cell_octets or 1
    return ceil(octets / cell) * cell


def covering_row(rows: Iterable[HeadroomRow], link: HeadroomInput) -> HeadroomRow | None:
    """Return the row of the link's speed with the shortest length that is long enough; of equals the largest."""
    fitting = [row for row in rows if row.speed_gbps == link.speed_gbps and row.length_m >= link.length_m]
    return min(fitting, key=lambda row: (row.length_m, -row.xoff_octets), default=None)


def floor_row(rows: Iterable[HeadroomRow], link: HeadroomInput) -> HeadroomRow | None:
    """Return the largest row that the link needs at least: no faster and no longer than the link."""
    return max(_rows_below(rows, link), key=lambda row: row.xoff_octets, default=None)


def _rows_below(rows: Iterable[HeadroomRow], link: HeadroomInput) -> list[HeadroomRow]:
    return [row for row in rows if row.speed_gbps <= link.speed_gbps and row.length_m <= link.length_m]


def _formula(facts: HeadroomFacts, speed_gbps: int) -> Formula | None:
    if facts.fit is None or facts.cell_octets is None:
        return None
    formula = FORMULAS[facts.fit.formula]
    return formula if speed_gbps in formula.speeds_gbps else None


def bare_fit(facts: HeadroomFacts, link: HeadroomInput) -> float | None:
    """Return the fit alone in octets, or None without a fit, a cell or a known speed.

    Raises KeyError for a formula or constant that `hardware.headroom_faults.fit_faults` would report: hardware files
    with such faults are refused when they are read.
    """
    formula = _formula(facts, link.speed_gbps)
    if formula is None or facts.fit is None or facts.cell_octets is None:
        return None
    return formula.octets(facts.fit.constants, facts.cell_octets, link)


def mtu_excess(facts: HeadroomFacts, link: HeadroomInput) -> int:
    """Return the octets to add to a published row because the link's frames are longer than the row's.

    With a formula its own difference; otherwise the excess of two frames, the switch's and the peer's, in whole
    cells. Shorter frames subtract nothing: the result is never below a published row.
    """
    formula = _formula(facts, link.speed_gbps)
    row_mtu = ROW_MTU if formula is None else formula.row_mtu
    if link.mtu <= row_mtu:
        return 0
    with_link_mtu = bare_fit(facts, link)
    with_row_mtu = bare_fit(facts, link._replace(mtu=row_mtu))
    if with_link_mtu is None or with_row_mtu is None:
        return 2 * whole_cells(link.mtu - row_mtu, facts.cell_octets)
    return ceil(with_link_mtu - with_row_mtu)


class HeadroomBudget(NamedTuple):
    """Octets that all lossless groups of a switch could need at once, and those of the chip's pool."""

    needed_octets: int
    pool_octets: int

    @property
    def ratio(self) -> float:
        """Octets reserved per octet of pool."""
        return self.needed_octets / self.pool_octets


def budget_faults(budget: HeadroomBudget, overcommit: float = OVERCOMMIT) -> tuple[str, ...]:
    """Return why the pool cannot hold the headroom of one lossless class; empty up to `overcommit`:1.

    Public tables exceed the default: the 128 × 400G table of one Tomahawk 5 switch reserves 2.66 octets per octet of
    its pool, for each of two classes.
    """
    if budget.needed_octets <= overcommit * budget.pool_octets:
        return ()
    return (
        f"headroom needs {budget.needed_octets:,} bytes, {budget.ratio:.2f} times the pool of {budget.pool_octets:,} "
        f"bytes; up to {overcommit:.2f} times is allowed, as not all ports pause at once",
    )


def own_room_faults(needed_octets: int, buffer_octets: int) -> tuple[str, ...]:
    """Return why unshared headroom of the ports does not fit into the buffer; empty where something is left."""
    if needed_octets < buffer_octets:
        return ()
    return (
        f"the headroom of all ports, {needed_octets} octets, leaves nothing of the buffer of {buffer_octets} octets",
    )


def profile_faults(port_octets: Iterable[int], limit: int | None) -> tuple[str, ...]:
    """Return why the ports need more distinct PFC profiles than the chip has; empty when they fit or it is unknown."""
    distinct = len(set(port_octets))
    if limit is None or distinct <= limit:
        return ()
    return (f"{distinct} distinct headrooms, but the chip holds {limit} PFC profiles",)
