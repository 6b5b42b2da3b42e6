"""The switches of an inventory, asked: once, until they are as planned, or again and again."""

from collections import abc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import NamedTuple

from fabricgen.cli.stopping import Progress
from fabricgen.cli.verify_pings import sender
from fabricgen.cli.verify_site import Meant, Where
from fabricgen.errors import FabricError, Problem
from fabricgen.export.meant import KEY, meant_by
from fabricgen.export.nodes import release_text
from fabricgen.lab.inventory import read_standing
from fabricgen.lab.model import End, Link
from fabricgen.verify.collect import Collection, collect
from fabricgen.verify.finding import Verdict
from fabricgen.verify.inventory import InventoryError, SiteInventory, read_inventory
from fabricgen.verify.inventory_faults import check_hosts
from fabricgen.verify.run import Round
from fabricgen.verify.store import PACKED, PLAIN, Collected, Target, open_folder
from fabricgen.verify.store_lab import read_built, read_lab, read_release, write_lab
from fabricgen.verify.swaps import explain
from fabricgen.workspace import WorkspaceError


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """An inventory, and how it is asked."""

    site: SiteInventory
    workers: int
    save: Path | None
    retry: float


@contextmanager
def inventory_told() -> Iterator[None]:
    """Tell the problems of an inventory with its lines."""
    try:
        yield
    except InventoryError as error:
        raise WorkspaceError(error.problems, error.documents) from None


def open_inventory(folder: Path) -> SiteInventory:
    """An inventory. Raises WorkspaceError."""
    with inventory_told():
        return read_inventory(folder)


def where_of(site: SiteInventory) -> Where | None:
    """What stands for the site by its inventory; None where its switches are real ones. Raises FabricError."""
    found = meant_by(site.nornir.defaults.data)
    if found is not None:
        return Where(*found)
    if site.lab is None:
        return None
    subset = site.lab.get("subset", "")
    if not isinstance(subset, str) or not isinstance(site.lab.get("dir"), str):
        problem = Problem(
            code="inventory-lab",
            what=f"data.lab in {site.folder} does not say which lab it is",
            why="it has the lab's folder in `dir`, and in `subset` which part of the plan it holds",
            fix="let `fabricgen lab up` write the inventory",
        )
        raise FabricError([problem])
    return Where(subset, built=_ends(read_standing(Path(str(site.lab["dir"]))).links))


def _ends(links: Iterable[Link]) -> frozenset[End]:
    return frozenset(end for link in links for end in link)


def where_kept(folder: Path) -> Where | None:
    """What stood for the site when a collection was made. Raises FabricError for a file that does not say."""
    subset, release = read_lab(folder), read_release(folder)
    found = meant_by({KEY: {"subset": subset, "release": release}}) if release else None
    if found is not None:
        return Where(*found)
    return Where(subset, built=frozenset(End(*end) for end in read_built(folder))) if subset is not None else None


class Collecting(NamedTuple):
    """How switches are asked, and where what they say is kept."""

    folder: Path
    suffix: str
    collect: Callable[[Mapping[str, Target]], None]


@contextmanager
def collecting(live: Live, meant: Meant, stop: Event) -> Iterator[Collecting]:
    """Yield how to ask; what is not to be kept is gone afterwards."""
    with inventory_told():
        check_hosts(live.site, meant.targets, meant.known)
    with _folder(live, meant) as (folder, suffix):

        def ask(targets: Mapping[str, Target]) -> None:
            with Progress() as progress:
                done = _Counted(progress, len(targets), again=len(targets) < len(meant.targets)).one
                how = Collection(
                    site=live.site, folder=folder, suffix=suffix, workers=live.workers, stop=stop, done=done
                )
                collect(how, targets)

        yield Collecting(folder, suffix, ask)


Judged = Callable[[Path, str, abc.Collection[str]], Iterable[Verdict]]
"""Verdicts on switches by what a folder has of them, in files with this suffix."""


@contextmanager
def asking(live: Live, meant: Meant, judged: Judged, stop: Event) -> Iterator[Round]:
    """Yield how to ask, and how to judge."""
    running = Path(str(live.site.lab["dir"])) if live.site.lab is not None else None
    with collecting(live, meant, stop) as found:
        yield Round(
            targets=meant.targets,
            collect=found.collect,
            judged=lambda names: judged(found.folder, found.suffix, names),
            explain=explain,
            beyond=sender(meant, running, found.folder, stop),
            retry=live.retry,
            stop=stop,
        )


@contextmanager
def _folder(live: Live, meant: Meant) -> Iterator[tuple[Path, str]]:
    """Where outputs are kept: as asked for, or packed and for this run alone."""
    if live.save is not None:
        open_folder(live.save, meant.targets)
        where = meant.where
        release = release_text(where.release) if where is not None and where.release is not None else ""
        write_lab(live.save, where.subset if where is not None else None, release, where.built if where else ())
        yield live.save, PLAIN
        return
    with TemporaryDirectory(prefix="fabricgen-verify-") as folder:
        yield Path(folder), PACKED


class _Counted:
    """Progress of one fan-out."""

    def __init__(self, progress: Progress, switches: int, *, again: bool) -> None:
        self._progress = progress
        self._all = f"{switches} switches" + (" with findings, again" if again else "")
        self._done = 0
        self._silent = 0

    def one(self, collected: Collected) -> None:
        """Count a switch."""
        self._done += 1
        self._silent += collected.failure is not None
        silent = f", {self._silent} without an answer" if self._silent else ""
        self._progress.tell(f"collected {self._done} of {self._all}{silent}")
