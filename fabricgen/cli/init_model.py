"""What a first intent is made of: the answers, and what was chosen to go with them."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

LEAF_SPINE = "leaf-spine"
RAIL_ONLY = "rail-only"
DESIGNS = {
    "rail-optimized": "a leaf takes one rail of every server of a scalable unit",
    "tor": "a leaf takes all rails of its servers: the switch of a rack",
    RAIL_ONLY: "leaves alone, one a rail; the servers join the rails",
    LEAF_SPINE: "no backend: an inference site, or storage and users alone",
}
"""Design → what it is, in the order in which they are offered."""

LIBRARY = Path(__file__).parent.parent / "hardware"


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What the site is to be.

    servers, planned  how many stand, and how many numbers are reserved for
    system            of all switches, with its release, e.g. from `systems()`
    leaf, spine       models of the backend's switches, or of the frontend's where there is no backend; empty: chosen
    """

    site: str
    design: str
    model: str
    servers: int
    planned: int
    system: str
    frontend: bool
    leaf: str = ""
    spine: str = ""

    @property
    def backend(self) -> bool:
        """Whether there is a backend."""
        return self.design != LEAF_SPINE


class Switches(NamedTuple):
    """What a fabric is built of.

    marking  of a backend that is lossless; empty where it is not
    spines   how many: known once the choice is planned, 0 before and where there are none
    mtu      the largest that all of them can be set to, where that is less than a fabric's own; 0 where it is not
    """

    leaf: str
    spine: str
    marking: str = ""
    load_balancing: str = "ecmp"
    spines: int = 0
    mtu: int = 0


class Chosen(NamedTuple):
    """What goes with the answers.

    group        NIC groups of the server model: the backend's and the frontend's, empty where there is none
    able         features of server ports that the operating system has
    """

    backend: Switches | None
    frontend: Switches | None
    backend_nics: str
    frontend_nics: str
    able: frozenset[str]


def library(folder: str) -> tuple[str, ...]:
    """Names of the library's hardware, read off its file names: a list costs no import."""
    return tuple(sorted(path.stem for path in (LIBRARY / folder).glob("*.yaml")))
