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

LIBRARY = Path(__file__).parents[2] / "hardware"


@dataclass(frozen=True, slots=True, kw_only=True)
class InitAnswers:
    """What the site is to be.

    servers, planned  how many stand, and how many numbers are reserved for; 0: those and one unit more
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

    @property
    def least(self) -> int:
        """Servers that numbers are reserved for, whatever room there is."""
        return self.planned or self.servers


class PlannedGrowth(NamedTuple):
    """What a fabric may grow to.

    servers  that numbers are reserved for; 0 where nobody has counted them yet
    spines   how many stand, and how many are planned; 0 where there are none, or nobody has counted them yet
    """

    servers: int = 0
    spines: int = 0
    spines_planned: int = 0


class SwitchChoices(NamedTuple):
    """What a fabric is built of.

    core           model of the superspines, empty where there are none; units_per_pod: how large a pod is then
    marking        of a backend that is lossless; empty where it is not
    unbalanced     why traffic is not spread better; empty where it is spread packet by packet, or there are no spines
    tight          why not more is reserved; empty where another unit and another spine are
    mtu            the largest that all of them can be set to, where that is less than a fabric's own; 0 where it is not
    """

    leaf: str
    spine: str
    marking: str = ""
    load_balancing: str = "ecmp"
    core: str = ""
    units_per_pod: int = 0
    room: PlannedGrowth = PlannedGrowth()
    unbalanced: str = ""
    tight: str = ""
    mtu: int = 0

    @property
    def models(self) -> tuple[str, ...]:
        """Models of all tiers."""
        return tuple(model for model in (self.leaf, self.spine, self.core) if model)


class DerivedChoices(NamedTuple):
    """What goes with the answers.

    group        NIC groups of the server model: the backend's and the frontend's, empty where there is none
    able         features of server ports that the operating system has, and `users` where it takes accounts
    factory      its accounts whose published password stays where an intent does not name them
    """

    backend: SwitchChoices | None
    frontend: SwitchChoices | None
    backend_nics: str
    frontend_nics: str
    able: frozenset[str]
    factory: tuple[str, ...] = ()


def gpu_servers() -> tuple[str, ...]:
    """Names of the library's servers with GPUs, then of those without."""
    names = library("servers")
    plain = tuple(name for name in names if "\ngpus: 0\n" in (LIBRARY / "servers" / f"{name}.yaml").read_text("utf-8"))
    return (*(name for name in names if name not in plain), *plain)


def library(folder: str) -> tuple[str, ...]:
    """Names of the library's hardware, read off its file names: a list costs no import."""
    return tuple(sorted(path.stem for path in (LIBRARY / folder).glob("*.yaml")))
