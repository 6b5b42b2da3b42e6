"""Cages of a switch → the interfaces it can have at a speed, and their names."""

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
    """Return how a run of cages gives most interfaces of a speed, or None where it cannot.

    split  parts of a cage, and lanes of a part; None: any

    Interfaces are counted over the whole run; of equals the one written first.
    """
    fitting = [
        mode for mode in run.modes if mode.speed_gbps == speed_gbps and split in (None, (mode.parts, mode.lanes))
    ]
    return max(fitting, key=lambda mode: mode.parts * len(run.numbers[:: mode.every]), default=None)


LANE_GBPS = {"sfp28": 25, "qsfp28": 25, "qsfp56": 50, "qsfp-dd": 50, "qsfp112": 100, "osfp": 100, "osfp-rhs": 100}
"""Speed of one electrical lane that a connector is named for, in Gb/s: a QSFP28 of 100G has four of 25G."""


def lane_ports(switch: SwitchModel, speed_gbps: int, connector: str) -> tuple[PanelPort, ...]:
    """Return whole cages whose lanes have the speed of a connector's, in the order of cages, without service ports.

    Empty where no mode of one part has such lanes. Ends with the last cage within the box's logical ports.
    """
    found: list[PanelPort] = []
    for run in switch.cages:
        fitting = [mode for mode in run.modes if mode.parts == 1 and mode.speed_gbps == speed_gbps]
        mode = next((mode for mode in fitting if LANE_GBPS.get(connector, 0) * mode.lanes == speed_gbps), None)
        if mode is not None and not run.service:
            found.extend(_split(run, mode, run.numbers[:: mode.every], len(found)))
    return tuple(found[: switch.logical_ports])


def ports(switch: SwitchModel, speed_gbps: int, split: tuple[int, int] | None = None) -> tuple[PanelPort, ...]:
    """Return all interfaces of a speed the panel has at most, in the order of cages, without service ports.

    split  parts of a cage, and lanes of a part; None: as it gives most

    Each run of cages is split as it gives most, so a panel may mix whole and split cages. Ends with the last whole
    cage within the box's logical ports.
    """
    found: list[PanelPort] = []
    for run in switch.cages:
        mode = None if run.service else mode_at(run, speed_gbps, split)
        if mode is None:
            continue
        cages = run.numbers[:: mode.every]
        if switch.logical_ports is not None and len(found) + len(cages) * mode.parts > switch.logical_ports:
            room = (switch.logical_ports - len(found)) // mode.parts
            return (*found, *_split(run, mode, cages[:room], len(found)))
        found.extend(_split(run, mode, cages, len(found)))
    return tuple(found)


def _split(run: Cages, mode: Mode, cages: range, first: int) -> tuple[PanelPort, ...]:
    whole = PanelPort(first, run.numbers.start, 0, mode.parts, 1, mode.lanes, mode.speed_gbps, run.connector)
    return _parts(cages, whole, run.lanes // mode.parts)


@cache
def _parts(cages: range, first: PanelPort, lanes: int) -> tuple[PanelPort, ...]:
    """Ports of cages, by the first of all and the lanes from one to the next. A plan asks for the same very often."""
    return tuple(
        first._replace(number=first.number + number, cage=cage, part=part, lane=first.lane + part * lanes)
        for number, (cage, part) in enumerate(product(cages, range(first.parts)))
    )


def radix(switch: SwitchModel, speed_gbps: int) -> int:
    """Return how many interfaces of a speed the switch has."""
    return len(ports(switch, speed_gbps))


def port_name(switch: SwitchModel, system: str, cage: int, part: int, parts: int) -> str:
    """Return what an operating system calls a part, from 0, of a cage used as `parts` interfaces.

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
