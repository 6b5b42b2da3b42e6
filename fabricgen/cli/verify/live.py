"""The switches of an inventory, asked: once, until they are as planned, or again and again."""

import shutil
from collections import abc
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import NamedTuple

from fabricgen.cli.common.interrupts import Progress
from fabricgen.cli.verify.paths import prober
from fabricgen.cli.verify.pings import sender
from fabricgen.lab.model.containers import release_text
from fabricgen.operation.intended import IntendedSwitches
from fabricgen.operation.inventory import inventory_told
from fabricgen.platforms.commit_profiles import COMMIT_PROFILES
from fabricgen.platforms.readers import READERS
from fabricgen.push.journal.journal import read_journal
from fabricgen.push.plan.by_hand import parts
from fabricgen.state.state import Pushed
from fabricgen.verify.causes.causes import caused
from fabricgen.verify.collect.collect import Collection, collect
from fabricgen.verify.collect.inventory import SiteInventory
from fabricgen.verify.collect.inventory_faults import check_hosts
from fabricgen.verify.collect.store import PACKED, PLAIN, Collected, Target
from fabricgen.verify.collect.store_folder import check_folder, open_folder
from fabricgen.verify.collect.store_lab import write_lab
from fabricgen.verify.finding import SwitchVerdict
from fabricgen.verify.judge.rounds import RoundSettings
from fabricgen.verify.judge.since_collection import Since, reading, since


@dataclass(frozen=True, slots=True, kw_only=True)
class Live:
    """An inventory, and how it is asked.

    paths    packets of every path, 0 for as many as it takes; None: no probes
    since    an earlier collection, which they are compared with
    twice    seconds behind which they are asked again, and compared with the first time
    journal  of pushes to these switches; None, or a file that is not there: nobody knows what was committed
    """

    site: SiteInventory
    workers: int
    save: Path | None
    retry: float
    paths: int | None = None
    journal: Path | None = None
    since: Path | None = None
    twice: float | None = None


class Collecting(NamedTuple):
    """How switches are asked, and where what they say is kept."""

    folder: Path
    suffix: str
    collect: Callable[[Mapping[str, Target]], None]


@contextmanager
def collecting(live: Live, meant: IntendedSwitches, stop: Event) -> Iterator[Collecting]:
    """Yield how to ask; what is not to be kept is gone afterwards."""
    with inventory_told():
        check_hosts(live.site, meant.targets, meant.known)
    with _folder(live, meant) as (folder, suffix), _pushed(live.journal) as pushed:

        def ask(targets: Mapping[str, Target]) -> None:
            with Progress() as progress:
                done = _Counted(progress, len(targets), again=len(targets) < len(meant.targets)).one
                how = Collection(
                    site=live.site,
                    folder=folder,
                    suffix=suffix,
                    workers=live.workers,
                    stop=stop,
                    done=done,
                    armed=True,
                    pushed=pushed,
                )
                collect(how, targets)

        yield Collecting(folder, suffix, ask)


@contextmanager
def _pushed(path: Path | None) -> Iterator[Callable[[str], Pushed | None]]:
    """Yield what a push had committed last on a switch, by a journal. Raises FabricError for one that is none."""
    if path is None or not path.exists():
        yield lambda device: None
        return
    with read_journal(path) as journal:

        def pushed(device: str) -> Pushed | None:
            found = journal.committed(device)
            if found is None:
                return None
            paths = {path for profile in COMMIT_PROFILES.values() for path in profile.files.values()}
            return Pushed(found.run, f"{found.at:%Y-%m-%d %H:%M} UTC", parts(found.text, paths)[""])

        yield pushed


Judged = Callable[[Path, str, abc.Collection[str]], Iterable[SwitchVerdict]]
"""Verdicts on switches by what a folder has of them, in files with this suffix."""


@contextmanager
def asking(live: Live, meant: IntendedSwitches, judged: Judged, stop: Event) -> Iterator[RoundSettings]:
    """Yield how to ask, and how to judge."""
    running = Path(str(live.site.lab["dir"])) if live.site.lab is not None else None
    with collecting(live, meant, stop) as found, _earlier(live, meant, found, stop) as earlier:
        told = told_since(meant, earlier, found.folder)
        beyond = [sender(meant, running, found.folder, stop)]
        if live.paths is not None:
            beyond.append(prober(meant, running, stop, live.paths))
        yield RoundSettings(
            targets=meant.targets,
            collect=found.collect,
            judged=lambda names: told(judged(found.folder, found.suffix, names)),
            explain=caused,
            beyond=lambda: tuple(verdict for one in beyond for verdict in one()),
            retry=live.retry,
            stop=stop,
        )


@contextmanager
def _earlier(live: Live, meant: IntendedSwitches, found: Collecting, stop: Event) -> Iterator[Path | None]:
    """Yield the earlier collection: as named, or one that is made now, some seconds before."""
    if live.twice is None:
        if live.since is not None:
            check_folder(live.since, meant.names)
        yield live.since
        return
    with TemporaryDirectory(prefix="fabricgen-earlier-") as folder:
        found.collect(meant.targets)
        shutil.copytree(found.folder, folder, dirs_exist_ok=True)
        stop.wait(live.twice)
        yield Path(folder)


def told_since(meant: IntendedSwitches, earlier: Path | None, folder: Path) -> Since:
    """How verdicts on a collection are told what happened since an earlier one."""
    if earlier is None:
        return iter
    return since(meant.targets, READERS, reading(earlier), reading(folder))


@contextmanager
def _folder(live: Live, meant: IntendedSwitches) -> Iterator[tuple[Path, str]]:
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
