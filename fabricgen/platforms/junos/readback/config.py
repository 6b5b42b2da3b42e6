"""A configuration that is being read: its tree, and what one part says of another."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabricgen.platforms.junos.readback.text import Tree
from fabricgen.readback.file_reading import FileReading
from fabricgen.readback.policy import Lines, each_line
from fabricgen.readback.rows import Key, Part, Row


@dataclass(slots=True)
class Vlan:
    """A VLAN of an instance: its number, and units that it names itself."""

    number: int
    units: frozenset[str]


@dataclass(slots=True)
class Instance:
    """A routing instance. `vlans` has the VLANs of a MAC-VRF by name."""

    kind: str
    vlans: dict[str, Vlan] = field(default_factory=dict)


@dataclass(slots=True)
class Config(FileReading):
    """What is read so far.

    instances   by name
    instance_of unit → the instances that it is in
    joined      unit → the line that puts it in its instance
    gateway_of  unit of irb → VLAN that it is the gateway of
    limits      unit → MAC addresses that it may learn, in each instance that says so
    primary     address of lo0.0 that tunnels start at, and its line
    loopbacks   address → number of the loopback that has it
    """

    tree: Tree
    instances: dict[str, Instance] = field(default_factory=dict)
    instance_of: dict[str, str] = field(default_factory=dict)
    joined: dict[str, int] = field(default_factory=dict)
    gateway_of: dict[str, int] = field(default_factory=dict)
    limits: dict[str, tuple[int, int]] = field(default_factory=dict)
    loopbacks: dict[str, int] = field(default_factory=dict)
    primary: tuple[str, int] = ("", 0)

    def several(self, key: Key, found: Mapping[str, Lines], line: int = 0) -> None:
        """Add a row of members that each have lines of their own. Without another line it is on that of the first."""
        first = line or next((each_line(lines)[0] for lines in found.values()), 0)
        parts = dict[Part, Lines](found.items()) if line or len(found) > 1 else None
        self.reading.add(key, Row(frozenset(found), self.file, first, parts))

    def need(self, text: str, line: int) -> None:
        """Add a statement that has no value of a plan."""
        if line:
            self.put("line", text, "present", True, line)

    def vrf_of(self, unit: str) -> str:
        """The VRF of a unit; empty for the default instance."""
        name = self.instance_of.get(unit, "")
        return name if name and self.instances[name].kind in ROUTED else ""


MANAGEMENT = "mgmt_junos"
"""Name of the instance of the management port (manual, management-instance)."""
ROUTED = ("vrf", "virtual-router")
BRIDGED = "mac-vrf"
