"""An inventory and the kind of its switches: real ones, those of a lab, or containers."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from fabricgen.errors import FabricError
from fabricgen.lab.host.inventory import read_running_lab
from fabricgen.lab.model.containers import KEY, subset_and_release
from fabricgen.lab.model.lab import LabEnd
from fabricgen.operation.intended import LabLocation
from fabricgen.site.workspace import WorkspaceError
from fabricgen.verify.collect.inventory import InventoryError, SiteInventory, read_inventory
from fabricgen.verify.collect.store_lab import read_built, read_lab, read_release


@contextmanager
def placed_problems() -> Iterator[None]:
    """Raise the problems of an inventory with their lines, as a WorkspaceError."""
    try:
        yield
    except InventoryError as error:
        raise WorkspaceError(error.problems, error.documents) from None


def open_inventory(folder: Path) -> SiteInventory:
    """Read an inventory. Raises WorkspaceError."""
    with placed_problems():
        return read_inventory(folder)


def where_of(site: SiteInventory) -> LabLocation | None:
    """The lab or topology that an inventory belongs to; None for real switches. Raises FabricError."""
    location = subset_and_release(site.nornir.defaults.data)
    if location is not None:
        return LabLocation(*location)
    if site.lab is None:
        return None
    subset = site.lab.get("subset", "")
    if not isinstance(subset, str) or not isinstance(site.lab.get("dir"), str):
        raise FabricError.of(
            code="inventory-lab",
            what=f"data.lab in {site.folder} does not say which lab it is",
            why="`dir` is the folder of the lab, and `subset` the part of the plan that it has",
            fix="run fabricgen lab up again: it writes the inventory",
        )
    links = read_running_lab(Path(str(site.lab["dir"]))).links
    return LabLocation(subset, built=frozenset(end for link in links for end in link))


def where_of_collection(folder: Path) -> LabLocation | None:
    """The lab or topology that a collection was made from. Raises FabricError for an invalid file."""
    subset, release = read_lab(folder), read_release(folder)
    location = subset_and_release({KEY: {"subset": subset, "release": release}}) if release else None
    if location is not None:
        return LabLocation(*location)
    return (
        LabLocation(subset, built=frozenset(LabEnd(*end) for end in read_built(folder))) if subset is not None else None
    )
