"""Shape of the catalogue: a fault as an operator would say it, how it is made and taken back, and what names it."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple, Protocol

from fabricgen.lab.host.place import place_of
from fabricgen.lab.model.lab import LabEnd
from tests.lab import faults
from tests.lab.faults import Running


class Act(Protocol):
    """One step of making a fault, or of taking it back."""

    @property
    def where(self) -> tuple[str, ...]:
        """Switches and servers that it is done to."""

    def do(self, lab: Running) -> None:
        """Do it to a lab. Raises AssertionError where it fails."""


class Cause(NamedTuple):
    """A finding that names a fault exactly. `text`: what its subject, problem, expected or actual value must hold."""

    device: str
    code: str
    text: str


class Fault(NamedTuple):
    """One fault.

    does, heals  steps, in order
    causes  each of them alone says what to mend; both ends of a cable may, and a line as well as what it does.
            With none of them no code of verify names it, and `why` says so
    options  of verify, without which nobody could see it
    known   one of its kind was tried before this catalogue was
    why     a fault that is not found, or not by its cause: the reason
    """

    id: str
    kind: str
    says: str
    does: tuple[Act, ...]
    heals: tuple[Act, ...]
    causes: tuple[Cause, ...]
    options: tuple[str, ...] = ()
    known: bool = False
    why: str = ""

    @property
    def touched(self) -> frozenset[str]:
        """Switches and servers that the fault is on."""
        return frozenset(name for act in self.does for name in act.where)


@dataclass(frozen=True, slots=True)
class Shell:
    """A command of a shell on a switch or server."""

    name: str
    command: str

    @property
    def where(self) -> tuple[str, ...]:
        return (self.name,)

    def do(self, lab: Running) -> None:
        lab.inside(self.name, "sh", "-ec", self.command)


@dataclass(frozen=True, slots=True)
class Typed:
    """Lines typed into vtysh of a switch, in its configuration mode."""

    name: str
    lines: tuple[str, ...]

    @property
    def where(self) -> tuple[str, ...]:
        return (self.name,)

    def do(self, lab: Running) -> None:
        lab.typed(self.name, *self.lines)


Laid = tuple[LabEnd, LabEnd]
"""The two ends of a cable."""


@dataclass(frozen=True, slots=True)
class Cables:
    """Cables pulled, and others laid; the ports of the plan that have none then are there and dark."""

    pulled: tuple[Laid, ...] = ()
    laid: tuple[Laid, ...] = ()

    @property
    def where(self) -> tuple[str, ...]:
        return tuple(sorted({end.owner for laid in (*self.pulled, *self.laid) for end in laid}))

    def do(self, lab: Running) -> None:
        planned = {end for link in lab.lab.links for end in (link.near, link.far)}
        lit = {end for laid in self.laid for end in laid}
        faults.pull(lab, *lit, *(end for laid in self.pulled for end in laid))
        for near, far in self.laid:
            faults.plug(lab, near, far)
        for end in sorted({end for laid in self.pulled for end in laid} & planned - lit):
            _dark(lab, end)


def _dark(lab: Running, end: LabEnd) -> None:
    """A port as planned, without a carrier: the far end of its pair is nowhere, and off."""
    port, netns = end.interface, lab.netns(end.owner)
    faults.ip("-n", netns, "link", "add", port, "type", "veth", "peer", "name", f"dark-{port}")
    faults.settle(lab, end)


@dataclass(frozen=True, slots=True)
class Called:
    """What takes more than a command. `name`: what it is done to; `act`: takes the lab and that name."""

    name: str
    act: Callable[[Running, str], None]

    @property
    def where(self) -> tuple[str, ...]:
        return (self.name,)

    def do(self, lab: Running) -> None:
        self.act(lab, self.name)


def on(name: str, command: str) -> tuple[Act, ...]:
    """One command on one switch or server."""
    return (Shell(name, command),)


def typed(name: str, *lines: str) -> tuple[Act, ...]:
    """Lines typed into one switch."""
    return (Typed(name, lines),)


def cable(near: str, far: str) -> Laid:
    """A cable by its two ends, each written as `be-leaf-000/swp33s0`."""
    one, other = (LabEnd(*text.split("/")) for text in (near, far))
    return one, other


def inventory_of(lab: Running) -> Path:
    """The file in which the lab's inventory has its switches."""
    return place_of(lab.folder).folder / "inventory" / "hosts.yaml"
