"""Ports of a switch as the plan uses them, found by name: that of the intent's operating system, or another's."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from fabricgen.explain.answer import AnswerLine
from fabricgen.hardware.model import SwitchModel
from fabricgen.hardware.ports import PanelPort, port_name
from fabricgen.plan.fabric import FabricPlan, binding_of, chassis_of, port_text
from fabricgen.plan.place import Place


class Socket(NamedTuple):
    """A physical port and the logical one behind it: position `at` of the ports down or up; spare has neither.

    A reserved one is that of an uplink which comes with more spines: `at` is its number.
    """

    side: Literal["down", "up", "reserved", "spare"]
    at: int
    port: PanelPort


class NamedPort(NamedTuple):
    """A port and the name that was asked. `system`: whose name it is; empty for the system that the intent gives."""

    socket: Socket
    name: str
    system: str = ""


def sockets(fabric: FabricPlan, place: Place) -> Iterator[Socket]:
    """Every port of a switch as the plan uses it, those of no cable last."""
    binding, chassis = binding_of(fabric, place), chassis_of(fabric, place)
    yield from (Socket("down", at, port) for at, port in enumerate(binding.down))
    yield from (Socket("up", at, port) for at, port in enumerate(binding.up))
    yield from (Socket("reserved", at, port) for at, port in enumerate(chassis.reserved, len(chassis.up)))
    bound = {*binding.down, *binding.up, *chassis.reserved}
    for port in (*chassis.down, *chassis.up, *chassis.spare):
        if port not in bound:
            yield Socket("spare", 0, port)


def find_sockets(fabric: FabricPlan, place: Place, name: str) -> tuple[NamedPort, ...]:
    """The port of this name, whatever its case: of the intent's system, else of every other that has such a name.

    A lab runs another operating system than the intent says: its names are in what `verify` tells of it.
    """
    wanted, found = name.casefold(), tuple(sockets(fabric, place))
    own = tuple(NamedPort(each, name) for each in found if port_text(fabric, place, each.port).casefold() == wanted)
    return own or tuple(_elsewhere(chassis_of(fabric, place).switch, found, name))


def _elsewhere(switch: SwitchModel, found: tuple[Socket, ...], name: str) -> Iterator[NamedPort]:
    for system in switch.port_names:
        for each in found:
            if _called(switch, system, each).casefold() == name.casefold():
                yield NamedPort(each, name, system)


def _called(switch: SwitchModel, system: str, socket: Socket) -> str:
    return port_name(switch, system, socket.port.cage, socket.port.part, socket.port.parts)


def names_of(fabric: FabricPlan, place: Place) -> tuple[frozenset[str], ...]:
    """Names of all ports, those of the intent's system first, then of each that the hardware file knows."""
    switch, found = chassis_of(fabric, place).switch, tuple(sockets(fabric, place))
    own = frozenset(port_text(fabric, place, each.port) for each in found)
    others = (frozenset(_called(switch, system, each) for each in found) for system in switch.port_names)
    return (own, *(names for names in others if names != own))


def name_facts(fabric: FabricPlan, place: Place, name: str, own: str, system: str) -> Iterator[AnswerLine]:
    """What the intent's system calls a port that was asked by the name of another."""
    if system:
        value = f"{own} on {chassis_of(fabric, place).system}, as the intent has it; {name} on {system}"
        yield AnswerLine("name", value)
