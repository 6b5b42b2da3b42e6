"""A configuration that is being read: its tree, and what one part says of another."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabricgen.platforms.srlinux.readback.document import Tree
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Key, Part, Reading, Row, TextLine, Value

DEFAULT = "default"
"""Name of the network instance of the underlay."""
ROUTED, BRIDGED = "ip-vrf", "mac-vrf"


@dataclass(slots=True)
class Instance:
    """A network instance: its type, and the VLAN that its EVI is, of a mac-vrf."""

    kind: str
    vlan: int = 0


@dataclass(slots=True)
class Config:
    """What is read so far.

    instances  by name
    members    subinterface → instances that have it
    joined     subinterface and instance → the line that puts it there
    vnis       VXLAN interface → VNI and its line
    loopbacks  address → number of the loopback that has it
    subnets    subinterface of the default instance → its addresses
    watched    subinterface → whether it has BFD, and the line
    """

    reading: Reading
    file: str
    lines: list[str]
    tree: Tree
    instances: dict[str, Instance] = field(default_factory=dict)
    members: dict[str, list[str]] = field(default_factory=dict)
    vnis: dict[str, tuple[int, int]] = field(default_factory=dict)
    loopbacks: dict[str, int] = field(default_factory=dict)
    subnets: dict[str, list[str]] = field(default_factory=dict)
    joined: dict[tuple[str, str], int] = field(default_factory=dict)
    watched: dict[str, tuple[bool, int]] = field(default_factory=dict)
    management: str = ""

    def put(
        self, thing: str, name: str, setting: str, value: Value, line: int, parts: Mapping[Part, Lines] | None = None
    ) -> None:
        """Add a row of this file. The words are those of SETTINGS: tests read each of them."""
        self.reading.add(Key(thing, name, setting), Row(value, self.file, line, parts))

    def lack(self, thing: str, name: str, setting: str, nothing: Value, line: int) -> None:
        """Say where a setting would be that nothing says: on the line that opens its block."""
        self.reading.rows.setdefault(Key(thing, name, setting), Row(nothing, self.file, line))

    def need(self, text: str, line: int) -> None:
        """Add a value that is none of a plan."""
        self.put("line", text, "present", True, line)

    def idle(self, line: int, why: str) -> None:
        """Say of a line that it has no meaning for a fabric."""
        if line:
            self.reading.idle.append(TextLine(self.file, line, self.lines[line - 1].strip(), why))

    def of_kind(self, sub: str, kind: str) -> str:
        """The instance of a kind that has a subinterface; empty where there is none."""
        return next((name for name in self.members.get(sub, ()) if self.instances[name].kind == kind), "")

    def vrf_of(self, sub: str) -> str:
        """The VRF of a subinterface; empty for the default instance, `(none)` where it is in no instance."""
        if vrf := self.of_kind(sub, ROUTED):
            return vrf
        return "" if DEFAULT in self.members.get(sub, ()) else NOWHERE


NOWHERE = "(no network-instance)"
"""A subinterface outside every instance forwards nothing (interfaces guide)."""
