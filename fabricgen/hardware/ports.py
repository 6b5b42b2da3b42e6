"""Cages of a switch → the interfaces that they offer at a speed, and their names."""

from functools import cache
from itertools import product
from typing import NamedTuple

from fabricgen.hardware.model import Cages, Mode, PortNames, SwitchModel


class PanelPort(NamedTuple):
    """One interface of a panel at one speed.

    number  0-based, in the order of cages and parts, at that speed
    cage    as printed on the panel
    part    0-based within the cage; parts: interfaces that share the cage
    lane    first electrical lane of the cage, from 1; lanes: how many
    """

    number: int
    cage: int
    part: int
    parts: int
    lane: int
    lanes: int
    speed_gbps: int
    connector: str


def mode_at(run: Cages, speed_gbps: int, split: tuple[int, int] | None = None) -> Mode | None:
    """Return the mode that gives most interfaces of a speed in a run of cages, or None where it has none.

    split  parts of a cage, and lanes of a part; None: any

    Interfaces are counted over the whole run; of equal modes the first is taken.
    """
    fitting = [
        mode for mode in run.modes if mode.speed_gbps == speed_gbps and split in (None, (mode.parts, mode.lanes))
    ]
    return max(fitting, key=lambda mode: mode.parts * len(run.numbers[:: mode.every]), default=None)


LANE_GBPS = {"sfp28": 25, "qsfp28": 25, "qsfp56": 50, "qsfp-dd": 50, "qsfp112": 100, "osfp": 100, "osfp-rhs": 100}
"""Speed of one electrical lane of a connector, in Gb/s: a QSFP28 of 100G has four lanes of 25G."""


def lane_ports(switch: SwitchModel, speed_gbps: int, connector: str) -> tuple[PanelPort, ...]:
    """Return the whole cages whose lanes have the speed of a connector's lanes, in cage order, without service ports.

    Empty where no mode of one part has such lanes. At most the switch's logical ports are returned.
    """
    panel_ports: list[PanelPort] = []
    for run in switch.cages:
        fitting = [mode for mode in run.modes if mode.parts == 1 and mode.speed_gbps == speed_gbps]
        mode = next((mode for mode in fitting if LANE_GBPS.get(connector, 0) * mode.lanes == speed_gbps), None)
        if mode is not None and not run.service:
            panel_ports.extend(_split(run, mode, run.numbers[:: mode.every], len(panel_ports)))
    return tuple(panel_ports[: switch.logical_ports])


def ports(switch: SwitchModel, speed_gbps: int, split: tuple[int, int] | None = None) -> tuple[PanelPort, ...]:
    """Return the largest set of interfaces of a speed that the panel offers, in cage order, without service ports.

    split  parts of a cage, and lanes of a part; None: the mode with most interfaces

    Each run of cages uses its own mode, so a panel may mix whole and split cages. Ends with the last whole cage within
    the switch's logical ports.
    """
    panel_ports: list[PanelPort] = []
    for run in switch.cages:
        mode = None if run.service else mode_at(run, speed_gbps, split)
        if mode is None:
            continue
        cages = run.numbers[:: mode.every]
        if switch.logical_ports is not None and len(panel_ports) + len(cages) * mode.parts > switch.logical_ports:
            left = (switch.logical_ports - len(panel_ports)) // mode.parts
            return (*panel_ports, *_split(run, mode, cages[:left], len(panel_ports)))
        panel_ports.extend(_split(run, mode, cages, len(panel_ports)))
    return tuple(panel_ports)


def _split(run: Cages, mode: Mode, cages: range, first: int) -> tuple[PanelPort, ...]:
    whole = PanelPort(first, run.numbers.start, 0, mode.parts, 1, mode.lanes, mode.speed_gbps, run.connector)
    return _parts(cages, whole, run.lanes // mode.parts)


@cache
def _parts(cages: range, first: PanelPort, lanes: int) -> tuple[PanelPort, ...]:
    """Return the ports of cages; `first` is the very first, `lanes` the lanes per part. Cached: called very often."""
    return tuple(
        first._replace(number=first.number + number, cage=cage, part=part, lane=first.lane + part * lanes)
        for number, (cage, part) in enumerate(product(cages, range(first.parts)))
    )


def radix(switch: SwitchModel, speed_gbps: int) -> int:
    """Return the number of interfaces of a speed that the switch has."""
    return len(ports(switch, speed_gbps))


def port_name(switch: SwitchModel, system: str, cage: int, part: int, parts: int) -> str:
    """Return an operating system's name of a part, from 0, of a cage used as `parts` interfaces.

    system  operating system without its release, e.g. a key of `port_names`

    Raises KeyError for a system without names, ValueError for a cage that the panel does not have.
    """
    run = _run(switch, cage)
    return _name(run, _names(switch, run, system), cage, part, parts)


def _run(switch: SwitchModel, cage: int) -> Cages:
    for run in switch.cages:
        if cage in run.numbers:
            return run
    raise ValueError(f"{switch.model} has no cage {cage}")


def _names(switch: SwitchModel, run: Cages, system: str) -> PortNames:
    return run.port_names[system] if system in run.port_names else switch.port_names[system]


def _name(run: Cages, names: PortNames, cage: int, part: int, parts: int) -> str:
    pattern = names.whole if parts == 1 else names.part
    number = names.start + (cage - run.numbers.start) * names.step + part * (names.step // parts)
    return pattern.format(cage=cage, lane=part * (run.lanes // parts) + 1, part=part, channel=part + 1, number=number)
