"""What became of the files of one commit, from the first that is taken to the tree that holds them all."""

import os
from array import array
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from heapq import merge
from itertools import islice
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.output.before import Before
from fabricgen.output.digests import Digests, packed
from fabricgen.output.finish import INPUTS, RECORD, finish_locked, inputs_gone, removed
from fabricgen.output.manifest import FOLDER, NAME, Maker, Manifest, content_of, digest, digest_of, dumped
from fabricgen.output.memory import Memory, Notes, remember
from fabricgen.output.packs import Lines, Texts
from fabricgen.output.paths import check_folder, refusals
from fabricgen.output.staging import Staged, bad_path, write_new
from fabricgen.output.stamps import NO_STAMP, is_settled, mark_of, now_of, stamp_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What a commit did, as paths below `out`, sorted.

    written    new, or with other bytes than before
    unchanged  with the same bytes; not touched
    removed    of the render before and no longer rendered
    edited     changed or removed by hand since the render before, and now written, removed or found equal
    """

    written: Collection[str]
    unchanged: Collection[str]
    removed: Collection[str]
    edited: Collection[str]

    @property
    def parts(self) -> dict[str, Collection[str]]:
        """Each by its name."""
        return {part.name: getattr(self, part.name) for part in fields(self)}


WRITTEN, EDITED, KNOWN = 1, 2, 4
"""What is said of a file, as bits."""


def _said(file: Staged) -> int:
    return WRITTEN * file.written | EDITED * file.edited | KNOWN * file.known


@dataclass(slots=True, kw_only=True)
class Stage:
    """What became of the files of one render.

    lines    of each: path, digest, mark and what it is to us
    files    the same when all are taken, sorted by path: digest of each; marks, said: of each, in this order
    """

    out: Path
    root: str
    before: Before
    lines: Lines = field(default_factory=Lines)
    problems: list[Problem] = field(default_factory=list)
    files: Digests = field(default_factory=Digests)
    marks: "array[int]" = field(default_factory=lambda: array("q"))
    said: bytearray = field(default_factory=bytearray)

    def take(self, file: Staged) -> None:
        """Keep what became of one file; what is wrong with it is a problem for `close`."""
        self.problems += file.problems
        if file.digest:
            self.lines.add(f"{file.path}\0{file.digest}\0{file.mark}\0{_said(file)}")

    def _sort(self) -> None:
        """Sort what was taken by path. A file that was taken twice is a problem."""
        self.files = Digests(self._once())
        self.lines = Lines()

    def _once(self) -> Iterator[tuple[str, str]]:
        """Path and digest of each; a line starts with the path, and with a sign that sorts before any other."""
        last = ""
        for line in self.lines:
            path, found, mark, said = line.split("\0")
            if path == last:
                self.problems.append(bad_path(path, "it is rendered twice"))
                continue
            self.marks.append(int(mark))
            self.said.append(int(said))
            yield path, found
            last = path

    def close(
        self, inputs: Mapping[str, bytes], maker: Maker, input_keys: Mapping[str, str], ready: Callable[[], None]
    ) -> Outcome:
        """Record the commit and move the files in. Raises FabricError for what was taken, and nothing changes."""
        self._sort()
        manifest = Manifest(
            release=maker.release,
            made_by=maker.made_by,
            devices=packed(input_keys),
            inputs={name: digest(content) for name, content in inputs.items()},
            files=self.files,
        )
        self._check_paths(manifest)
        gone = removed(self.before.manifest, manifest)
        for path in gone:
            check_folder(self.out, path.rpartition("/")[0])
        edited = (path for path in gone if digest_of(f"{self.out}/{path}") != self.before.files[path])
        outcome = Outcome(
            written=Texts(self._of(WRITTEN, WRITTEN)),
            unchanged=Texts(self._of(WRITTEN, 0)),
            removed=gone,
            edited=Texts(merge(self._of(EDITED, EDITED), edited)),
        )
        is_changed = bool(outcome.written or gone) or not self._is_recorded(manifest)
        if is_changed:
            self._record(manifest, inputs)
        ready()
        if is_changed:
            Path(self.root).rename(self.out / FOLDER / RECORD)
            finish_locked(self.out, gone, inputs_gone(self.before.manifest, manifest))
        return outcome

    def _of(self, bit: int, wanted: int) -> Iterator[str]:
        """Paths of which so much is said."""
        return (path for path, said in zip(self.files, self.said, strict=True) if said & bit == wanted)

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
            each = zip(self.files, self.marks, self.said, strict=True)
            stamps = array("q", (self._stamp(path, mark, said, now) for path, mark, said in each))
            memory = Memory(digest_of(f"{self.out}/{FOLDER}/{NAME}") or "", stamps, notes)
            if memory != self.before.memory:
                remember(self.out, memory)

    def _stamp(self, path: str, wanted: int, said: int, now: int) -> int:
        """Stamp of a file as it was written or compared, if a change from now on would show in it."""
        if said & KNOWN:
            return wanted
        with suppress(OSError):
            found = os.lstat(f"{self.out}/{path}")
            mark = mark_of(found) if said & WRITTEN else stamp_of(found)
            if mark == wanted and is_settled(found, now):
                return stamp_of(found)
        return NO_STAMP

    def _check_paths(self, manifest: Manifest) -> None:
        for name in manifest.inputs:
            reason = refusals(name)
            if reason:
                self.problems.append(bad_path(name, reason, fix="rename the file that fabricgen reads"))
        # Only what lies deeper than a file can lie below it.
        deepest = max((path.count("/") for path in manifest.files), default=0)
        for file in (path for path in manifest.files if path.count("/") < deepest):
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
