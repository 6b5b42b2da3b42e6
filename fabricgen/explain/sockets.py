"""Ports of a switch as the plan uses them, found by their name in the intent's or another operating system."""

from collections.abc import Iterator
from typing import Literal, NamedTuple

from fabricgen.explain.answer import AnswerLine
from fabricgen.hardware.model import SwitchModel
from fabricgen.hardware.ports import PanelPort, port_name
from fabricgen.plan.fabric import FabricPlan, binding_of, chassis_of, port_text
from fabricgen.plan.place import Place


class Socket(NamedTuple):
    """A physical port and its logical port: position `at` among the ports down or up; a spare port has neither.

    A reserved port is that of an uplink that comes with more spines: `at` is the uplink's number.
    """

    side: Literal["down", "up", "reserved", "spare"]
    at: int
    port: PanelPort


class NamedPort(NamedTuple):
    """A port and the name that was typed. `system`: the system with that name; empty for the intent's system."""

    socket: Socket
    name: str
    system: str = ""


def sockets(fabric: FabricPlan, place: Place) -> Iterator[Socket]:
    """Every port of a switch as the plan uses it, those without a cable last."""
    binding, chassis = binding_of(fabric, place), chassis_of(fabric, place)
    yield from (Socket("down", index, port) for index, port in enumerate(binding.down))
    yield from (Socket("up", index, port) for index, port in enumerate(binding.up))
    yield from (Socket("reserved", index, port) for index, port in enumerate(chassis.reserved, len(chassis.up)))
    bound = {*binding.down, *binding.up, *chassis.reserved}
    for port in (*chassis.down, *chassis.up, *chassis.spare):
        if port not in bound:
            yield Socket("spare", 0, port)


def find_sockets(fabric: FabricPlan, place: Place, name: str) -> tuple[NamedPort, ...]:
    """The port of this name, ignoring case: in the intent's system, else in every other system with such a name.

    A lab may run another operating system than the intent has; `verify` prints that system's port names.
    """
    folded, ports = name.casefold(), tuple(sockets(fabric, place))
    matches = tuple(
        NamedPort(socket, name) for socket in ports if port_text(fabric, place, socket.port).casefold() == folded
    )
    return matches or tuple(_elsewhere(chassis_of(fabric, place).switch, ports, name))


def _elsewhere(switch: SwitchModel, all_sockets: tuple[Socket, ...], name: str) -> Iterator[NamedPort]:
    for system in switch.port_names:
        for socket in all_sockets:
            if _called(switch, system, socket).casefold() == name.casefold():
                yield NamedPort(socket, name, system)


def _called(switch: SwitchModel, system: str, socket: Socket) -> str:
    return port_name(switch, system, socket.port.cage, socket.port.part, socket.port.parts)


def names_of(fabric: FabricPlan, place: Place) -> tuple[frozenset[str], ...]:
    """Names of all ports: those of the intent's system first, then those of each system in the hardware file."""
    switch, all_sockets = chassis_of(fabric, place).switch, tuple(sockets(fabric, place))
    own_names = frozenset(port_text(fabric, place, socket.port) for socket in all_sockets)
    others = (frozenset(_called(switch, system, socket) for socket in all_sockets) for system in switch.port_names)
    return (own_names, *(names for names in others if names != own_names))


def name_facts(fabric: FabricPlan, place: Place, name: str, own: str, system: str) -> Iterator[AnswerLine]:
    """The name in the intent's system of a port that was typed with another system's name."""
    if system:
        value = f"{own} on {chassis_of(fabric, place).system}, as the intent has it; {name} on {system}"
        yield AnswerLine("name", value)
