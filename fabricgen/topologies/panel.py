"""The ports of a panel that stay free when others are used: whole cages, and cages that a mode keeps empty."""

from collections.abc import Iterable

from fabricgen.hardware.model import Cages, Mode, SwitchModel
from fabricgen.hardware.ports import PanelPort


def cages_left_empty(switch: SwitchModel, used: Iterable[PanelPort]) -> set[int]:
    """Return the cages that must stay empty after used ones, because their mode uses only every n-th cage of a run."""
    sparse = _sparse(switch)
    return {cage for port in used for cage in _cages_blocked_by(sparse, port)}


def usable_ports(
    switch: SwitchModel, every: tuple[PanelPort, ...], used: tuple[PanelPort, ...]
) -> tuple[PanelPort, ...]:
    """Return the ports of `every` in cages that `used` neither uses nor keeps empty, and that block no used cage."""
    taken = {port.cage for port in used}
    closed = taken | cages_left_empty(switch, used)
    free = (port for port in every if port.cage not in closed)
    sparse = _sparse(switch)
    return tuple(port for port in free if taken.isdisjoint(_cages_blocked_by(sparse, port))) if sparse else tuple(free)


def _sparse(switch: SwitchModel) -> tuple[tuple[Cages, Mode], ...]:
    """Return the few modes that keep cages empty, with their runs. Computed once per call, as ports are many."""
    return tuple((run, mode) for run in switch.cages for mode in run.modes if mode.every > 1)


def _cages_blocked_by(sparse: Iterable[tuple[Cages, Mode]], port: PanelPort) -> Iterable[int]:
    """Yield the cages that a port keeps empty."""
    for run, mode in sparse:
        is_mode_of_port = (port.parts, port.speed_gbps, port.lanes) == (mode.parts, mode.speed_gbps, mode.lanes)
        if is_mode_of_port and port.cage in run.numbers:
            yield from range(port.cage + 1, port.cage + mode.every)
