"""Read the switches of an inventory: once, until they are as planned, or repeatedly."""

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
from fabricgen.operation.inventory import placed_problems
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
    """An inventory, and how it is read.

    paths    packets per path, 0 for as many as needed; None: no probes
    since    an earlier collection to compare with
    twice    seconds until the switches are read again and compared with the first time
    journal  of pushes to these switches; None, or a missing file: it is unknown what was committed
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
    """How switches are read, and where their output is kept."""

    folder: Path
    suffix: str
    collect: Callable[[Mapping[str, Target]], None]


@contextmanager
def collecting(live: Live, switches: IntendedSwitches, stop: Event) -> Iterator[Collecting]:
    """Yield a function that reads switches; temporary output is deleted afterwards."""
    with placed_problems():
        check_hosts(live.site, switches.targets, switches.known)
    with _folder(live, switches) as (folder, suffix), _pushed(live.journal) as pushed:

        def ask(targets: Mapping[str, Target]) -> None:
            with Progress() as progress:
                done = _Counted(progress, len(targets), again=len(targets) < len(switches.targets)).add
                collection = Collection(
                    site=live.site,
                    folder=folder,
                    suffix=suffix,
                    workers=live.workers,
                    stop=stop,
                    done=done,
                    armed=True,
                    pushed=pushed,
                )
                collect(collection, targets)

        yield Collecting(folder, suffix, ask)


@contextmanager
def _pushed(path: Path | None) -> Iterator[Callable[[str], Pushed | None]]:
    """Yield a function: what a push last committed on a switch. Raises FabricError for an invalid journal."""
    if path is None or not path.exists():
        yield lambda device: None
        return
    with read_journal(path) as journal:

        def pushed(device: str) -> Pushed | None:
            entry = journal.committed(device)
            if entry is None:
                return None
            paths = {path for profile in COMMIT_PROFILES.values() for path in profile.files.values()}
            return Pushed(entry.run, f"{entry.at:%Y-%m-%d %H:%M} UTC", parts(entry.text, paths)[""])

        yield pushed


Judged = Callable[[Path, str, abc.Collection[str]], Iterable[SwitchVerdict]]
"""Verdicts on switches from a folder's files with this suffix."""


@contextmanager
def asking(live: Live, switches: IntendedSwitches, judged: Judged, stop: Event) -> Iterator[RoundSettings]:
    """Yield functions that read and judge switches."""
    running = Path(str(live.site.lab["dir"])) if live.site.lab is not None else None
    with (
        collecting(live, switches, stop) as reading_settings,
        _earlier(live, switches, reading_settings, stop) as earlier,
    ):
        with_events = events_since(switches, earlier, reading_settings.folder)
        extra_checks = [sender(switches, running, reading_settings.folder, stop)]
        if live.paths is not None:
            extra_checks.append(prober(switches, running, stop, live.paths))
        yield RoundSettings(
            targets=switches.targets,
            collect=reading_settings.collect,
            judged=lambda names: with_events(judged(reading_settings.folder, reading_settings.suffix, names)),
            explain=caused,
            beyond=lambda: tuple(verdict for extra_check in extra_checks for verdict in extra_check()),
            retry=live.retry,
            stop=stop,
        )


@contextmanager
def _earlier(
    live: Live, switches: IntendedSwitches, reading_settings: Collecting, stop: Event
) -> Iterator[Path | None]:
    """Yield the earlier collection: the named one, or one that is made now, some seconds before."""
    if live.twice is None:
        if live.since is not None:
            check_folder(live.since, switches.names)
        yield live.since
        return
    with TemporaryDirectory(prefix="fabricgen-earlier-") as folder:
        reading_settings.collect(switches.targets)
        shutil.copytree(reading_settings.folder, folder, dirs_exist_ok=True)
        stop.wait(live.twice)
        yield Path(folder)


def events_since(switches: IntendedSwitches, earlier: Path | None, folder: Path) -> Since:
    """Function that adds findings about events since an earlier collection to verdicts."""
    if earlier is None:
        return iter
    return since(switches.targets, READERS, reading(earlier), reading(folder))


@contextmanager
def _folder(live: Live, switches: IntendedSwitches) -> Iterator[tuple[Path, str]]:
    """Folder for outputs: as requested, or packed and for this run only."""
    if live.save is not None:
        open_folder(live.save, switches.targets)
        where = switches.where
        release = release_text(where.release) if where is not None and where.release is not None else ""
        write_lab(live.save, where.subset if where is not None else None, release, where.built if where else ())
        yield live.save, PLAIN
        return
    with TemporaryDirectory(prefix="fabricgen-verify-") as folder:
        yield Path(folder), PACKED


class _Counted:
    """Progress of one round of reads."""

    def __init__(self, progress: Progress, switches: int, *, again: bool) -> None:
        self._progress = progress
        self._all = f"{switches} switches" + (" with findings, again" if again else "")
        self._done = 0
        self._silent = 0

    def add(self, collected: Collected) -> None:
        """Count a switch."""
        self._done += 1
        self._silent += collected.failure is not None
        silent = f", {self._silent} without an answer" if self._silent else ""
        self._progress.show(f"collected {self._done} of {self._all}{silent}")
