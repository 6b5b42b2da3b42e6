"""What became of the files of one commit, from the first that is taken to the tree that holds them all."""

import io
import os
from array import array
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem
from fabricgen.output.before import Before
from fabricgen.output.digests import Digests, packed
from fabricgen.output.finish import INPUTS, RECORD, finish_locked, removed
from fabricgen.output.manifest import FOLDER, NAME, Maker, Manifest, content_of, digest, digest_of, dumped
from fabricgen.output.memory import Memory, Notes, remember
from fabricgen.output.paths import check_folder, refusals
from fabricgen.output.staging import Staged, bad_path, write_new
from fabricgen.output.stamps import NO_STAMP, is_settled, mark_of, now_of, stamp_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a commit did, as paths below `out`, each tuple sorted.

    written    new, or with other bytes than before
    unchanged  with the same bytes; not touched
    removed    of the render before and no longer rendered
    edited     changed or removed by hand since the render before, and now written, removed or found equal
    """

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]
    edited: tuple[str, ...]


class _Taken(NamedTuple):
    """One line of a stage."""

    path: str
    digest: str
    mark: int
    said: str


WRITTEN, EDITED, KNOWN = "wek"


def _said(file: Staged) -> str:
    return WRITTEN * file.written + EDITED * file.edited + KNOWN * file.known


@dataclass(slots=True, kw_only=True)
class Stage:
    """What became of the files of one render.

    lines    of each: path, digest, mark and what it is to us, in one piece of memory. Among the short-lived values of a
             render a million small ones would keep many times their own size from being used again
    """

    out: Path
    root: str
    before: Before
    lines: bytearray = field(default_factory=bytearray)
    problems: list[Problem] = field(default_factory=list)

    def take(self, file: Staged) -> None:
        """Keep what became of one file; what is wrong with it is a problem for `close`."""
        self.problems += file.problems
        if file.digest:
            self.lines += f"{file.path}\0{file.digest}\0{file.mark}\0{_said(file)}\n".encode()

    def _taken(self) -> Iterator[_Taken]:
        """What was taken, sorted by path: a line starts with it, and with a sign that sorts before any other."""
        for line in sorted(io.BytesIO(self.lines)):
            path, found, mark, said = line.decode().rstrip("\n").split("\0")
            yield _Taken(path, found, int(mark), said)

    def close(
        self, inputs: Mapping[str, bytes], maker: Maker, input_keys: Mapping[str, str], ready: Callable[[], None]
    ) -> Outcome:
        """Record the commit and move the files in. Raises FabricError for what was taken, and nothing changes."""
        manifest = Manifest(
            release=maker.release,
            made_by=maker.made_by,
            devices=packed(input_keys),
            inputs={name: digest(content) for name, content in inputs.items()},
            files=self._digests(),
        )
        self._check_paths(manifest)
        gone = removed(self.before.manifest, manifest)
        for path in gone:
            check_folder(self.out, path.rpartition("/")[0])
        written, unchanged, edited = self._sorted_out()
        edited += (path for path in gone if digest_of(f"{self.out}/{path}") != self.before.files[path])
        is_changed = bool(written or gone) or not self._is_recorded(manifest)
        if is_changed:
            self._record(manifest, inputs)
        ready()
        if is_changed:
            Path(self.root).rename(self.out / FOLDER / RECORD)
            finish_locked(self.out, gone)
        return Outcome(
            written=tuple(sorted(written)),
            unchanged=tuple(sorted(unchanged)),
            removed=gone,
            edited=tuple(sorted(edited)),
        )

    def _digests(self) -> Digests:
        """Digest of each file. One that was taken twice is a problem."""
        return Digests(self._once())

    def _once(self) -> Iterator[tuple[str, str]]:
        last = ""
        for taken in self._taken():
            if taken.path == last:
                self.problems.append(bad_path(taken.path, "it is rendered twice"))
            else:
                yield taken.path, taken.digest
            last = taken.path

    def _sorted_out(self) -> tuple[list[str], list[str], list[str]]:
        """Paths that are written, that are as they were, and that were edited."""
        written: list[str] = []
        unchanged: list[str] = []
        edited: list[str] = []
        for taken in self._taken():
            (written if WRITTEN in taken.said else unchanged).append(taken.path)
            if EDITED in taken.said:
                edited.append(taken.path)
        return written, unchanged, edited

    def _record(self, manifest: Manifest, inputs: Mapping[str, bytes]) -> None:
        Path(f"{self.root}/{INPUTS}").mkdir(parents=True, exist_ok=True)
        for name, content in inputs.items():
            Path(f"{self.root}/{INPUTS}/{name}").parent.mkdir(parents=True, exist_ok=True)
            write_new(f"{self.root}/{INPUTS}/{name}", (content,))
        write_new(f"{self.root}/{NAME}", dumped(manifest))

    def remember(self, notes: Notes) -> None:
        """Keep stamps of the files for the next render, and the notes, if it can be. What changes now has none."""
        with suppress(OSError):
            now = now_of(self.out / FOLDER)
            stamps = array("q", (self._stamp(taken, now) for taken in self._taken()))
            memory = Memory(digest_of(f"{self.out}/{FOLDER}/{NAME}") or "", stamps, notes)
            if memory != self.before.memory:
                remember(self.out, memory)

    def _stamp(self, taken: _Taken, now: int) -> int:
        """Stamp of a file as it was written or compared, if a change from now on would show in it."""
        if KNOWN in taken.said:
            return taken.mark
        with suppress(OSError):
            found = os.lstat(f"{self.out}/{taken.path}")
            mark = mark_of(found) if WRITTEN in taken.said else stamp_of(found)
            if mark == taken.mark and is_settled(found, now):
                return stamp_of(found)
        return NO_STAMP

    def _check_paths(self, manifest: Manifest) -> None:
        for name in manifest.inputs:
            reason = refusals(name)
            if reason:
                self.problems.append(bad_path(name, reason, fix="rename the file that fabricgen reads"))
        # Only what lies deeper than a file can lie below it.
        deepest = max((path.count("/") for path in manifest.files), default=0)
        for file in [path for path in manifest.files if path.count("/") < deepest]:
            for _, below in islice(manifest.files.below(file), 1):
                self.problems.append(bad_path(below, f"{file} is a file of the same render"))
        if self.problems:
            raise FabricError(self.problems)

    def _is_recorded(self, manifest: Manifest) -> bool:
        """Tell whether the last render wrote a manifest that says the same, and kept its inputs."""
        return manifest == self.before.manifest and all(
            digest(content_of(f"{self.out}/{FOLDER}/{INPUTS}/{name}") or b"") == wanted
            for name, wanted in manifest.inputs.items()
        )
