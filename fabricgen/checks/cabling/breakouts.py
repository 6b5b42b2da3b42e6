"""How a plan splits the cages of its switches, compared with what the panel supports."""

from collections.abc import Iterable, Iterator

from fabricgen.checks.cabling.cabling import chassis_by_role
from fabricgen.errors import Problem
from fabricgen.hardware.model import Cages, SwitchModel
from fabricgen.hardware.ports import PanelPort
from fabricgen.intent.fabric import model_key
from fabricgen.plan.plan import Plan


def breakouts(plan: Plan) -> Iterator[Problem]:
    """Every port in use is in a mode of its cage, no cage is in two modes, and the switch allows so many interfaces.

    Proof: all switches of a role, or all leaves of a server group, use the ports of one chassis, which is checked.
    Spare ports have the mode of their cage, so they count where their cage is in use, and a dead port changes nothing.
    Source: the modes of each cage in the switch's hardware file, each with its own source.
    """
    reported: set[tuple[str, ...]] = set()
    for name, fabric in plan.fabrics.items():
        for role, chassis in chassis_by_role(fabric):
            used = (*chassis.down, *chassis.uplinks)
            for code, why in _faults(chassis.switch, used):
                key = model_key(fabric.fabric, role, chassis.switch.model)
                if (name, *key, code) not in reported:
                    reported.add((name, *key, code))
                    yield Problem(
                        code=code,
                        what=f"{chassis.switch.model} does not have the ports that {name} needs on a {role}",
                        where=("fabrics", name, *key),
                        why=why,
                        fix="choose a model with enough ports of these speeds, or correct its file in "
                        "hardware/switches",
                    )


def _faults(switch: SwitchModel, used: Iterable[PanelPort]) -> Iterator[tuple[str, str]]:
    modes: dict[int, tuple[int, int, int]] = {}
    for port in used:
        mode = (port.parts, port.speed_gbps, port.lanes)
        if not _offered(switch, port):
            yield "no-such-mode", f"cage {port.cage} has no breakout mode {port.parts} x {port.speed_gbps}G"
            return
        if modes.setdefault(port.cage, mode) != mode:
            first = modes[port.cage]
            yield (
                "cage-in-two-modes",
                f"cage {port.cage} would be {first[0]} x {first[1]}G and {mode[0]} x {mode[1]}G at once",
            )
            return
    interfaces = sum(mode[0] for mode in modes.values())
    if switch.logical_ports is not None and interfaces > switch.logical_ports:
        yield "logical-ports", f"{interfaces} interfaces are in use, and the switch has at most {switch.logical_ports}"


def _offered(switch: SwitchModel, port: PanelPort) -> bool:
    run = next((run for run in switch.cages if port.cage in run.numbers), None)
    return run is not None and not run.service and _in_run(run, port)


def _in_run(run: Cages, port: PanelPort) -> bool:
    """Return whether a mode of the run has the port; a mode with `every: 2` leaves every second cage empty."""
    return any(
        (mode.parts, mode.speed_gbps, mode.lanes) == (port.parts, port.speed_gbps, port.lanes)
        and port.part < mode.parts
        and port.cage in run.numbers[:: mode.every]
        for mode in run.modes
    )
