"""Sizes of a chip → why they cannot be right, compared with its headroom rows and the panels of its switches."""

from fabricgen.hardware.model import Asic, Cages, SwitchModel

CELL_OCTETS = (64, 4096)
"""Smallest and largest cell of packet memory: the smallest frame, and a page of the largest memories."""
LEAST_CELLS = 64
"""Smallest number of cells in a headroom row: two frames of 9100 octets. Rows of the library have 170 or more.

Rows need not be whole numbers of cells: vendors round them to KiB, or to cells of another release.
"""
MOST_TIMES, LEAST_PART = 2, 20
"""A panel has at most twice the capacity of its chip and at least a twentieth, as few of its cages may be usable.

Panels of the library have between half and all of it.
"""


def cell_fault(asic: Asic) -> str:
    """Return why the cell of a chip cannot be right; empty where it can."""
    cell = asic.cell_octets
    if cell is None:
        return ""
    least, most = CELL_OCTETS
    if not least <= cell <= most:
        return f"a cell of packet memory has {least} to {most} octets"
    row = min(asic.headroom, key=lambda row: row.xoff_octets, default=None)
    if row is None or row.xoff_octets >= LEAST_CELLS * cell:
        return ""
    return (
        f"the headroom published for {row.speed_gbps}G at {row.length_m} m, {row.xoff_octets} octets, would be "
        f"{row.xoff_octets // cell} cells; it is {LEAST_CELLS} or more of any chip"
    )


def panel_gbps(switch: SwitchModel) -> int:
    """Return the speed of all ports of a panel together, each cage in its fastest mode, without service ports."""
    return sum(_run_gbps(run) for run in switch.cages if not run.service)


def _run_gbps(run: Cages) -> int:
    return max((len(run.numbers[:: mode.every]) * mode.parts * mode.speed_gbps for mode in run.modes), default=0)


def capacity_fault(switch: SwitchModel, asic: Asic) -> str:
    """Return why a panel and its chip cannot belong together; empty where they can."""
    panel, chip = panel_gbps(switch), asic.terabits * 1000
    if panel == 0 or chip / LEAST_PART <= panel <= MOST_TIMES * chip:
        return ""
    return (
        f"the ports of {switch.model} add up to {panel / 1000:g} Tb/s; a panel has at most twice what its chip "
        "forwards, and no less than a twentieth"
    )
