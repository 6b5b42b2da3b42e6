"""Which ports of a panel stay free beside those that are taken: whole cages, and cages that a mode keeps empty."""

from collections.abc import Iterable

from fabricgen.hardware.model import Cages, Mode, SwitchModel
from fabricgen.hardware.ports import PanelPort


def kept_empty(switch: SwitchModel, used: Iterable[PanelPort]) -> set[int]:
    """Cages behind those whose mode takes only every second cage, or fewer, of a run."""
    sparse = _sparse(switch)
    return {cage for port in used for cage in _behind(sparse, port)}


def beside(switch: SwitchModel, every: tuple[PanelPort, ...], used: tuple[PanelPort, ...]) -> tuple[PanelPort, ...]:
    """Ports of `every` in cages that `used` neither takes nor keeps empty, and that keep none of its cages empty."""
    taken = {port.cage for port in used}
    closed = taken | kept_empty(switch, used)
    free = (port for port in every if port.cage not in closed)
    sparse = _sparse(switch)
    return tuple(port for port in free if taken.isdisjoint(_behind(sparse, port))) if sparse else tuple(free)


def _sparse(switch: SwitchModel) -> tuple[tuple[Cages, Mode], ...]:
    """The few modes that keep cages empty, with their runs: a panel is asked for its free ports very often."""
    return tuple((run, mode) for run in switch.cages for mode in run.modes if mode.every > 1)


def _behind(sparse: Iterable[tuple[Cages, Mode]], port: PanelPort) -> Iterable[int]:
    """Cages that a port keeps empty."""
    for run, mode in sparse:
        is_of = (port.parts, port.speed_gbps, port.lanes) == (mode.parts, mode.speed_gbps, mode.lanes)
        if is_of and port.cage in run.numbers:
            yield from range(port.cage + 1, port.cage + mode.every)
