"""Which ports of a panel stay free beside those that are taken: whole cages, and cages that a mode keeps empty."""

from collections.abc import Iterable

from fabricgen.hardware.model import Switch
from fabricgen.hardware.ports import Port


def kept_empty(switch: Switch, used: Iterable[Port]) -> set[int]:
    """Cages behind those whose mode takes only every second cage, or fewer, of a run."""
    taken = tuple(used)
    return {
        cage
        for run in switch.cages
        for mode in run.modes
        for port in taken
        if port.cage in run.numbers
        and (port.parts, port.speed_gbps, port.lanes) == (mode.parts, mode.speed_gbps, mode.lanes)
        for cage in range(port.cage + 1, port.cage + mode.every)
    }


def beside(switch: Switch, every: tuple[Port, ...], used: tuple[Port, ...]) -> tuple[Port, ...]:
    """Ports of `every` in cages that `used` neither takes nor keeps empty, and that keep none of its cages empty."""
    taken = {port.cage for port in used}
    closed = taken | kept_empty(switch, used)
    widest = max((mode.every for run in switch.cages for mode in run.modes), default=1)
    if widest == 1:
        return tuple(port for port in every if port.cage not in closed)
    return tuple(port for port in every if port.cage not in closed and not kept_empty(switch, (port,)) & taken)
