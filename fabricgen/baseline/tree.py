"""A rendered tree as one side: its files as they are on disk, its kept inputs, and what it was made by."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from fabricgen import __version__
from fabricgen.base.text import listed
from fabricgen.baseline.intents import only_intent
from fabricgen.baseline.naming import Naming
from fabricgen.baseline.read import BaselineInputs, BaselineReader, Front, in_words, sentence
from fabricgen.diff.model import TextCause
from fabricgen.diff.side import SiteState, Stored
from fabricgen.errors import FabricError, Problem
from fabricgen.intent.kept_inputs import KEPT, KEPT_SCENARIO, recorded_scenario
from fabricgen.intent.scenarios import BASE
from fabricgen.output.finish import INPUTS, RECORD, finish
from fabricgen.output.manifest import FOLDER, NAME, Manifest, content_of, digest, digest_of, read_manifest
from fabricgen.output.secret_trees import holds_secrets
from fabricgen.render.keys import made_by
from fabricgen.render.tree import CABLING

T = TypeVar("T")

NAMED = 3
"""Files that a note names."""


def is_tree(path: Path) -> bool:
    """Whether a render wrote a folder, or was killed while it moved its files there."""
    return (path / FOLDER / NAME).exists() or (path / FOLDER / RECORD).exists()


def tree_side(out: Path, intent: str, templates: Path | None, reader: BaselineReader) -> SiteState:
    """Read a rendered tree; a render that was killed is finished first.

    intent     file name of the new side's intent, by which the kept one is found
    templates  the user's given now: files made with others may differ for that reason

    If a manifest or kept inputs cannot be used, that is the side's fault: only its files are compared then.
    """
    if holds_secrets(out):
        raise FabricError.of(
            code="against-secrets",
            what=f"{reader.shown(out)} was rendered with secrets",
            why="a comparison would print lines with them",
            fix="use a tree that was rendered without --with-secrets, or a git revision",
        )
    finish(out)
    try:
        manifest = read_manifest(out)
    except FabricError as error:
        # Without a manifest it is unknown what was written there: every file counts as it is on disk.
        paths = sorted(path.relative_to(out).as_posix() for path in out.glob("[!.]*/*") if path.is_file())
        digests = ((name, digest_of(f"{out}/{name}")) for name in (*paths, CABLING))
        stored = _stored(out, reader, {name: sha for name, sha in digests if sha is not None}, None)
        return SiteState(name=reader.shown(out), plan=None, stored=stored, fault=sentence(reader.naming.error(error)))
    if manifest is None:
        raise FabricError([_no_manifest(out)])
    kept = _stored_inputs(out, manifest, intent)
    read = _inputs(out, manifest, intent, kept, reader)
    if reader.scenario is not None and reader.scenario != kept.scenario:
        raise FabricError([_other_scenario(reader.shown(out), kept.scenario, reader.scenario)])
    name = in_words(reader.shown(out), kept.scenario)
    differs = _cause(manifest, made_by(templates))
    return SiteState(
        name=name,
        plan=read.plan,
        stored=_stored(out, reader, manifest.files, differs),
        fault=read.fault,
        notes=(
            *([_other_maker(name, manifest, differs)] if differs else []),
            *_foreign(name, out, manifest),
            *read.notes,
        ),
        intent=kept.intent,
        overlay=kept.overlay,
        scenario=kept.scenario,
    )


def _stored(out: Path, reader: BaselineReader, files: Mapping[str, str], differs: TextCause | None) -> Stored:
    return Stored(
        files=files,
        read=partial(_asked, content_of, out, reader.naming),
        digest=partial(_asked, digest_of, out, reader.naming),
        differs=differs,
    )


class _StoredInputs(NamedTuple):
    """Inputs that a tree keeps: the intent, None if it cannot be identified, and its overlay and scenario."""

    intent: Path | None
    overlay: Path | None
    scenario: str


def _stored_inputs(out: Path, manifest: Manifest, intent: str) -> _StoredInputs:
    folder = out / FOLDER / INPUTS
    name = intent if intent in manifest.inputs else only_intent(folder) if folder.is_dir() else None
    overlay = folder / KEPT if KEPT in manifest.inputs and name != KEPT else None
    record = folder / KEPT_SCENARIO
    scenario = BASE
    if KEPT_SCENARIO in manifest.inputs and name != KEPT_SCENARIO and record.is_file():
        scenario = recorded_scenario(record.read_bytes())
    return _StoredInputs(folder / name if name is not None else None, overlay, scenario)


def _inputs(out: Path, manifest: Manifest, intent: str, kept: _StoredInputs, reader: BaselineReader) -> BaselineInputs:
    folder = out / FOLDER / INPUTS
    changed = _changed(folder, manifest)
    if changed is not None:
        return BaselineInputs(None, fault=f"{reader.shown(folder / changed)} was changed after the render")
    if kept.intent is None:
        return BaselineInputs(None, fault=f"{reader.shown(folder)} has no intent to compare {intent} with")
    return reader.read(kept.intent, None, Front(kept.overlay, kept.scenario))


def _other_scenario(name: str, rendered: str, asked: str) -> Problem:
    return Problem(
        code="against-scenario",
        what=f"{name} was rendered in scenario {rendered}, not {asked}",
        why="a rendered tree is compared as it is",
        fix="omit --against-scenario, or use --against with the intent",
    )


def _changed(folder: Path, manifest: Manifest) -> str | None:
    """Name of a kept input that is missing, or was added or changed since."""
    kept = {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_symlink() or path.is_file()}
    contents = {name: content_of(f"{folder}/{name}") for name in sorted(kept & manifest.inputs.keys())}
    edited = {name for name, content in contents.items() if content is None or digest(content) != manifest.inputs[name]}
    # The symmetric difference has the inputs that are missing and those that were added.
    return min((kept ^ manifest.inputs.keys()) | edited, default=None)


def _cause(manifest: Manifest, ours: str) -> TextCause | None:
    """Why this release may render another text of the same Device than the one on disk."""
    if manifest.release != __version__:
        return TextCause.RELEASE
    if manifest.made_by == ours:
        return None
    is_release = manifest.made_by.partition(":")[0] == ours.partition(":")[0]
    return TextCause.TEMPLATES if is_release else TextCause.RELEASE


def _other_maker(name: str, manifest: Manifest, differs: TextCause) -> str:
    apart = "text that differs because of that is listed separately"
    if manifest.release != __version__:
        return f"{name} was rendered by fabricgen {manifest.release}, and this is {__version__}: {apart}"
    if not manifest.made_by:
        return f"{name} was rendered by an unknown build of fabricgen {manifest.release}: {apart}"
    what = "with other templates" if differs is TextCause.TEMPLATES else f"by another build of fabricgen {__version__}"
    return f"{name} was rendered {what}: {apart}"


def _foreign(name: str, out: Path, manifest: Manifest) -> Iterator[str]:
    """Yield the note about files that no render of ours wrote but that may be taken for configuration.

    These are files in a switch's folder, and files in any other folder with the name of an artifact. Hidden files and
    other files next to the switches are not reported.
    """
    switches = {path.partition("/")[0] for path in manifest.files if "/" in path}
    artifacts = {path.rpartition("/")[2] for path in manifest.files if "/" in path}
    foreign = [
        path
        for path in _below(out, "", switches)
        if path not in manifest.files and "/" in path and _is_like_ours(path, switches, artifacts)
    ]
    if foreign:
        yield f"not written by the render of {name}, and not compared: {listed(foreign, most=NAMED)}"


def _is_like_ours(path: str, switches: set[str], artifacts: set[str]) -> bool:
    folder, _, file = path.partition("/")
    return folder in switches or file in artifacts


def _below(folder: Path, prefix: str, switches: set[str]) -> Iterator[str]:
    """Yield the files below a folder in order, as paths after `prefix`; outside of switches only the first level.

    Hidden files are left out, and links are not followed.
    """
    # A folder that cannot be listed has unreadable files; that is reported for those that are ours.
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in sorted(entries, key=lambda entry: entry.name):
            if entry.name.startswith("."):
                continue
            if entry.is_dir(follow_symlinks=False):
                if not prefix or prefix.partition("/")[0] in switches:
                    yield from _below(folder / entry.name, f"{prefix}{entry.name}/", switches)
            else:
                yield f"{prefix}{entry.name}"


def _asked(ask: Callable[[str], T | None], out: Path, naming: Naming, path: str) -> T | None:
    """Result of `ask` for a file; None if the file is missing. Raises FabricError if it cannot be read."""
    try:
        return ask(f"{out}/{path}")
    except OSError as error:
        raise FabricError.of(
            code="stored-unreadable",
            what=f"{naming.text(str(out / path))} cannot be read",
            why=error.strerror or type(error).__name__,
            fix="check its permissions, or render into a new folder",
        ) from None


def _no_manifest(out: Path) -> Problem:
    """Raised only if files change meanwhile: there was a commit record, and finishing it made no manifest."""
    return Problem(
        code="output-manifest",
        what=f"{out}/{FOLDER}/{NAME} is missing",
        why="a render was killed before it wrote one",
        fix="render again",
    )
