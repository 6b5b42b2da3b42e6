"""State of a commit: the staged files, from the first one to the finished tree."""

import os
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, fields
from itertools import pairwise
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.output.finish import INPUTS, RECORD, finish_locked, removed, removed_inputs
from fabricgen.output.manifest import FOLDER, NAME, Maker, Manifest, content_of, digest, digest_of, dump
from fabricgen.output.memory import Memory, RenderNotes, remember
from fabricgen.output.paths import check_folder, refusals
from fabricgen.output.previous_render import Before
from fabricgen.output.staging import Staged, bad_path, folders_of, write_new
from fabricgen.output.stamps import NO_STAMP, is_settled, mark_of, now_of, stamp_of


@dataclass(frozen=True, slots=True, kw_only=True)
class CommitSummary:
    """Result of a commit, as sorted paths below `out`.

    written    new, or with other bytes than before
    unchanged  with the same bytes; not touched
    removed    in the previous render and no longer rendered
    edited     changed or removed by hand since the previous render, and now written, removed or found equal
    """

    written: tuple[str, ...]
    unchanged: tuple[str, ...]
    removed: tuple[str, ...]
    edited: tuple[str, ...]

    @property
    def parts(self) -> dict[str, tuple[str, ...]]:
        """Each field by its name."""
        return {part.name: getattr(self, part.name) for part in fields(self)}


@dataclass(slots=True, kw_only=True)
class Stage:
    """The staged files of one render.

    staged  in the order of arrival; sorted by path in `close`
    """

    out: Path
    root: str
    before: Before
    staged: list[Staged] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def take(self, file: Staged) -> None:
        """Add one staged file; its problems are raised by `close`."""
        self.problems += file.problems
        if file.digest:
            self.staged.append(file)

    def close(
        self, inputs: Mapping[str, bytes], maker: Maker, input_keys: Mapping[str, str], ready: Callable[[], None]
    ) -> CommitSummary:
        """Record the commit and move the files in. Raises FabricError for problems; then nothing changes."""
        self.staged.sort(key=lambda file: file.path)
        duplicates = [current for previous, current in pairwise(self.staged) if previous.path == current.path]
        self.problems += [bad_path(file.path, "it is rendered twice") for file in duplicates]
        manifest = Manifest(
            release=maker.release,
            made_by=maker.made_by,
            devices=dict(input_keys),
            inputs={name: digest(content) for name, content in inputs.items()},
            files={file.path: file.digest for file in self.staged},
        )
        self._check_paths(manifest)
        gone_paths = removed(self.before.manifest, manifest)
        for path in gone_paths:
            check_folder(self.out, path.rpartition("/")[0])
        edited = [path for path in gone_paths if digest_of(f"{self.out}/{path}") != self.before.files[path]]
        outcome = CommitSummary(
            written=tuple(file.path for file in self.staged if file.written),
            unchanged=tuple(file.path for file in self.staged if not file.written),
            removed=gone_paths,
            edited=tuple(sorted((*edited, *(file.path for file in self.staged if file.edited)))),
        )
        is_changed = bool(outcome.written or gone_paths) or not self._is_recorded(manifest)
        if is_changed:
            self._record(manifest, inputs)
        ready()
        if is_changed:
            Path(self.root).rename(self.out / FOLDER / RECORD)
            finish_locked(self.out, gone_paths, removed_inputs(self.before.manifest, manifest))
        return outcome

    def _record(self, manifest: Manifest, inputs: Mapping[str, bytes]) -> None:
        Path(f"{self.root}/{INPUTS}").mkdir(parents=True, exist_ok=True)
        for name, content in inputs.items():
            Path(f"{self.root}/{INPUTS}/{name}").parent.mkdir(parents=True, exist_ok=True)
            write_new(f"{self.root}/{INPUTS}/{name}", (content,))
        write_new(f"{self.root}/{NAME}", (dump(manifest),))

    def remember(self, notes: RenderNotes) -> None:
        """Save stamps of the files, and the notes, for the next render if possible."""
        with suppress(OSError):
            now = now_of(self.out / FOLDER)
            stamps = tuple(self._stamp(file, now) for file in self.staged)
            memory = Memory(digest_of(f"{self.out}/{FOLDER}/{NAME}") or "", stamps, notes)
            if memory != self.before.memory:
                remember(self.out, memory)

    def _stamp(self, file: Staged, now: int) -> int:
        """Stamp of a file as it was written or compared; NO_STAMP if a change since then might not show in it."""
        if file.known:
            return file.mark
        with suppress(OSError):
            status = os.lstat(f"{self.out}/{file.path}")
            # Moving a file into place changes its st_ctime, so a written file is compared by its mark.
            mark = mark_of(status) if file.written else stamp_of(status)
            if mark == file.mark and is_settled(status, now if file.written else self.before.begun):
                return stamp_of(status)
        return NO_STAMP

    def _check_paths(self, manifest: Manifest) -> None:
        for name in manifest.inputs:
            reason = refusals(name)
            if reason:
                self.problems.append(bad_path(name, reason, fix="rename the file that fabricgen reads"))
        first: dict[str, str] = {}
        for path in manifest.files:
            for folder in folders_of(path):
                first.setdefault(folder, path)
        conflicts = (folder for folder in first if folder in manifest.files)
        self.problems += [bad_path(first[file], f"this render writes {file} there, too") for file in conflicts]
        if self.problems:
            raise FabricError(self.problems)

    def _is_recorded(self, manifest: Manifest) -> bool:
        """Whether the last render wrote this manifest, byte for byte, and kept its inputs."""
        is_same = manifest == self.before.manifest and self.before.digest == digest(dump(manifest))
        return is_same and all(
            digest(content_of(f"{self.out}/{FOLDER}/{INPUTS}/{name}") or b"") == input_digest
            for name, input_digest in manifest.inputs.items()
        )
