"""One cable of the cabling plan: both ends, length, medium and modules, and state."""

from typing import NamedTuple

from fabricgen.intent.site import CableLengths
from fabricgen.plan.exceptions import ACTIVE, DEAD, DRAINED, Exceptions, PortKey
from fabricgen.plan.links import BORDER_EXTERNAL, LEAF_SPINE, SERVER_LEAF, SPINE_SUPERSPINE

LENGTH_KEYS = {
    SERVER_LEAF: "server_leaf",
    LEAF_SPINE: "leaf_spine",
    SPINE_SUPERSPINE: "spine_superspine",
    BORDER_EXTERNAL: "border_external",
}
"""Kind of a cable → key of its default length in `cables.default`."""


class CableEnd(NamedTuple):
    """One end of a cable.

    port    as the device's operating system names it; of a server as its vendor prints it
    cage    as printed; empty where unknown
    part    0-based, of `parts` links that the cage carries, e.g. 1 of 2 in a cage of 2 × 400G
    module  transceiver, or the name of the copper cable; empty if nothing fits
    first   whether this is the first link of its cage: the module is counted here, once for all links that share it
    """

    device: str
    port: str
    cage: str
    part: int
    parts: int
    connector: str
    module: str
    first: bool


class Cable(NamedTuple):
    """One link between two ports. `near` is the server, or the lower switch.

    kind    server-leaf, leaf-spine (border leaves too), spine-superspine, border-external
    medium  dac, acc, aec, aoc, optic; empty if nothing fits
    span_m  metres of the longest cable that shares a module with this one
    named   the medium that the cable file names for one of those; empty if it names none
    state   active; drained or dead if the cable or one of its ends is
    """

    fabric: str
    kind: str
    near: CableEnd
    far: CableEnd
    speed_gbps: int
    length_m: float
    medium: str
    span_m: float
    named: str
    state: str

    @property
    def counted(self) -> bool:
        """Whether a copper cable is counted here: a cable of several links is counted at its wide end."""
        wide = self.near if self.near.parts >= self.far.parts else self.far
        return wide.first


def usual_length(lengths: CableLengths, kind: str) -> float:
    """Metres of a kind of cable unless a file says otherwise."""
    length: float = getattr(lengths, LENGTH_KEYS[kind])
    return length


def cable_state(exceptions: Exceptions, *ends: PortKey) -> str:
    """State of a cable between two ports."""
    if not (exceptions.ports or exceptions.devices or exceptions.broken):
        return ACTIVE
    for key in ends:
        if key in exceptions.broken:
            return DEAD
        state = exceptions.ports.get(key) or exceptions.devices.get(key.device)
        if state in (DEAD, DRAINED):
            return state
    return ACTIVE
