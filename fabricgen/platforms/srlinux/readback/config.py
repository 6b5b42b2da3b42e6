"""A configuration that is being read: its tree, and what one part says of another."""

from dataclasses import dataclass, field

from fabricgen.platforms.srlinux.readback.document import Tree
from fabricgen.readback.file_reading import FileReading

DEFAULT = "default"
"""Name of the network instance of the underlay."""
ROUTED, BRIDGED = "ip-vrf", "mac-vrf"


@dataclass(slots=True)
class Instance:
    """A network instance: its type, and the VLAN that its EVI is, of a mac-vrf."""

    kind: str
    vlan: int = 0


@dataclass(slots=True)
class Config(FileReading):
    """What is read so far.

    instances  by name
    members    subinterface → instances that have it
    joined     subinterface and instance → the line that puts it there
    vnis       VXLAN interface → VNI and its line
    loopbacks  address → number of the loopback that has it
    subnets    subinterface of the default instance → its addresses
    duplicates  what each mac-vrf says of duplicate MAC addresses: moves, window and recovery in seconds; and the line
    watched    subinterface → whether it has BFD, and the line
    """

    tree: Tree
    instances: dict[str, Instance] = field(default_factory=dict)
    members: dict[str, list[str]] = field(default_factory=dict)
    vnis: dict[str, tuple[int, int]] = field(default_factory=dict)
    loopbacks: dict[str, int] = field(default_factory=dict)
    subnets: dict[str, list[str]] = field(default_factory=dict)
    joined: dict[tuple[str, str], int] = field(default_factory=dict)
    watched: dict[str, tuple[bool, int]] = field(default_factory=dict)
    duplicates: list[tuple[tuple[int, ...], int]] = field(default_factory=list)
    management: str = ""

    def need(self, text: str, line: int) -> None:
        """Add a value that is none of a plan."""
        self.put("line", text, "present", True, line)

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
