"""Parts of a first intent: the answers, and the choices that are made for them."""

from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

LEAF_SPINE = "leaf-spine"
RAIL_ONLY = "rail-only"
RAIL_OPTIMIZED = "rail-optimized"
DESIGNS = {
    RAIL_OPTIMIZED: "a leaf per rail, for all servers of a scalable unit",
    "tor": "a leaf per rack, with all rails of its servers",
    RAIL_ONLY: "leaves without spines, one per rail (--spine: each has its own); the servers forward between rails",
    LEAF_SPINE: "no backend: an inference site, or storage and users only",
}
"""Design → description, in the order in which they are offered."""

LIBRARY = Path(__file__).parents[2] / "hardware"


@dataclass(frozen=True, slots=True, kw_only=True)
class InitAnswers:
    """The site to plan.

    servers, planned  number of servers today, and number to reserve for; 0: those and one unit more
    system            of all switches, with its release, e.g. from `systems()`
    leaf, spine       models of the backend's switches, or of the frontend's without a backend; empty: chosen
    planes            slices that each NIC of the backend is divided into; 0: as the NIC is
    rails_per_plane   rails that share leaves and spines; 0: all
    hardware          folder of own hardware files; None: the library alone
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
    planes: int = 0
    rails_per_plane: int = 0
    hardware: Path | None = None

    @property
    def backend(self) -> bool:
        """Whether there is a backend."""
        return self.design != LEAF_SPINE

    @property
    def least(self) -> int:
        """Servers that numbers must be reserved for."""
        return self.planned or self.servers


class PlannedGrowth(NamedTuple):
    """Planned growth of a fabric.

    servers  that numbers are reserved for; 0 if not counted yet
    spines   number today, and planned; 0 without spines, or if not counted yet
    """

    servers: int = 0
    spines: int = 0
    spines_planned: int = 0


class SwitchChoices(NamedTuple):
    """Models and settings of a fabric.

    core           model of the superspines, empty without them; units_per_pod: size of a pod then
    marking        of a lossless backend; otherwise empty, and of a backend `lossy` says why it is not lossless
    unbalanced     why traffic is not balanced better; empty with per-packet balancing, or without spines
    tight          why not more is reserved; empty if another unit and another spine are
    mtu            the largest that all models support, if it is less than a fabric's default; otherwise 0
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
    lossy: str = ""

    @property
    def models(self) -> tuple[str, ...]:
        """Models of all tiers."""
        return tuple(model for model in (self.leaf, self.spine, self.core) if model)

    @property
    def unbalanced_words(self) -> str:
        """`unbalanced` as a sentence: the better mode, and why it is not possible."""
        mode, _, reasons = self.unbalanced.partition(": ")
        return f"{mode} is not possible: {reasons}"


class DerivedChoices(NamedTuple):
    """Choices made for the answers.

    backend_nics, frontend_nics  NIC groups of the server model, empty without this fabric
    able         features that the operating system has, of those that are written only where it has them
    factory      its accounts that keep their published password unless an intent names them
    """

    backend: SwitchChoices | None
    frontend: SwitchChoices | None
    backend_nics: str
    frontend_nics: str
    able: frozenset[str]
    factory: tuple[str, ...] = ()


def gpu_servers(own: Path | None = None) -> tuple[str, ...]:
    """Names of servers with GPUs, then of those without. own: folder of own hardware."""
    files = _files("servers", own)
    plain = tuple(name for name, path in files.items() if "\ngpus: 0\n" in path.read_text("utf-8", errors="replace"))
    return (*(name for name in files if name not in plain), *plain)


def library(folder: str, own: Path | None = None) -> tuple[str, ...]:
    """Names of hardware from file names, without importing anything. own: folder of own hardware."""
    return tuple(_files(folder, own))


def _files(folder: str, own: Path | None) -> dict[str, Path]:
    """Name → file: the library's, which has all facts of a model, before one of one's own."""
    folders = (*([own / folder] if own is not None else []), LIBRARY / folder)
    return dict(sorted((path.stem, path) for each in folders for path in each.glob("*.yaml")))
