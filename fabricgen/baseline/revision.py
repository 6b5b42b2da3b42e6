"""A git revision as one side: its files in a temporary folder, shown with their names in the repository."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from fabricgen.baseline.extract import extract
from fabricgen.baseline.folders import NAME_ONE, path_side
from fabricgen.baseline.git import Revision, commit_of, entries, top_of, unknown_revision
from fabricgen.baseline.intents import SUFFIXES, looks_like_intent
from fabricgen.baseline.naming import Naming
from fabricgen.baseline.read import BaselineReader, Templates
from fabricgen.baseline.templates import templates_then
from fabricgen.diff.side import SiteState
from fabricgen.errors import FabricError, Problem
from fabricgen.lab.host.signals import ended_by_signals
from fabricgen.plan.lock import Lock
from fabricgen.render.folder import templates_folder
from fabricgen.site.pools import pool_path
from fabricgen.site.workspace import open_workspace
from fabricgen.source.document import read_document

_NAMED = 3  # intents of another name that a note lists


class _Asked(NamedTuple):
    """A revision, and the part that is compared: a path from the root, or None for the new intent as it was then."""

    revision: Revision
    path: str | None


@contextmanager
def revision_side(against: str, intent: Path, templates: Path | None, how: BaselineReader) -> Iterator[SiteState]:
    """Open `REV` or `REV:PATH` of the repository that holds the new intent. The files exist until the context ends.

    PATH is from the root of the repository; if it begins with ./ or ../, from the current directory, as in git. `how`
    has all but the names of the files, which are the revision's.

    Raises FabricError if git fails or does not know the revision, or if PATH cannot be compared.
    """
    top = top_of(intent.parent)
    if top is None:
        raise FabricError.of(
            code="against-unknown",
            what=f"{against} is not a file or folder here, and {intent} is not in a git repository",
            why="a value that is not a path is taken as a git revision in the repository of the intent",
            fix=NAME_ONE,
        )
    asked = _asked(top, against)
    with ended_by_signals(), TemporaryDirectory(prefix="fabricgen-") as temporary:
        folder = Path(temporary).resolve() / "files"
        folder.mkdir()
        reader = how._replace(naming=Naming(folder, f"{asked.revision.name}:"))
        with reader.naming.translated_errors():
            yield _side(asked, intent, templates, folder, reader)


def _asked(top: Path, against: str) -> _Asked:
    """Split `against`. The whole is tried as a revision first: some contain a colon, as HEAD^{/fix: x} does."""
    commit = commit_of(top, against)
    if commit is not None:
        return _Asked(Revision(top, commit, against), None)
    name, colon, path = against.partition(":")
    commit = commit_of(top, name) if colon and name else None
    if commit is None:
        raise FabricError([unknown_revision(top, name if colon and name else against)])
    revision, inside = Revision(top, commit, name), _from_root(top, path)
    if inside is None:
        raise FabricError([_no_path(revision, path)])
    return _Asked(revision, inside)


def _from_root(top: Path, path: str) -> str | None:
    """Path from the root, as the user gave it, "" for the root itself; None if it leads out of the repository."""
    if path.startswith(("./", "../")) or path in (".", ".."):
        return _inside(top, Path(path))
    normalized = os.path.normpath(path.strip("/"))
    return None if normalized.startswith("../") or normalized == ".." else _bare(normalized)


def _inside(top: Path, path: Path) -> str | None:
    """Path from the root of the repository, "" for the root itself; None if it is outside."""
    path = path.resolve()
    return _bare(path.relative_to(top).as_posix()) if path.is_relative_to(top) else None


def _bare(path: str) -> str:
    return "" if path == "." else path


def _side(asked: _Asked, intent: Path, templates: Path | None, folder: Path, reader: BaselineReader) -> SiteState:
    revision = asked.revision
    users = _inside(revision.top, templates) if templates is not None else None
    fabricgens = _inside(revision.top, templates_folder())
    paths = tuple(path for path in (users, fabricgens) if path is not None)
    if asked.path is not None:
        asked_folder = _folder_of(revision, asked.path)
        extract(revision, (asked_folder, *paths), folder)
        _extract_pools(revision, folder / asked.path, intent.name, folder)
        return path_side(folder / asked.path, intent.name, _templates(templates, users, fabricgens, folder), reader)
    intent_path = _join(_inside(revision.top, intent.parent) or "", intent.name)
    if not entries(revision, intent_path):
        return _empty_side(revision, intent, intent_path)
    extract(revision, (intent_path.rpartition("/")[0], *paths), folder)
    _extract_pools(revision, folder / intent_path, intent.name, folder)
    return reader.side(revision.name, folder / intent_path, _templates(templates, users, fabricgens, folder))


def _extract_pools(revision: Revision, path: Path, name: str, folder: Path) -> None:
    """Write the pool file that an intent of a revision names, if the revision has it.

    path  the intent, or the folder that has it, among the files in `folder`; name: of the new side's intent
    """
    intent = path / name if path.is_dir() else path
    if not looks_like_intent(intent):
        return
    try:
        pools = pool_path(intent.parent, read_document(intent))
    except FabricError:  # the side has this fault when it is read
        return
    inside = _inside(folder, pools) if pools is not None else None
    if not inside or (folder / inside).exists() or not entries(revision, inside):
        return
    apart = folder.parent / "pools"  # files are unpacked into an empty folder
    apart.mkdir()
    extract(revision, (inside,), apart)
    if (apart / inside).is_file():
        (folder / inside).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(apart / inside, folder / inside)


def _join(folder: str, name: str) -> str:
    return f"{folder}/{name}" if folder else name


def _folder_of(revision: Revision, path: str) -> str:
    """Folder to extract for a path: the path itself if it is a folder, else the folder of the file."""
    listed = entries(revision, path)
    if not listed:
        raise FabricError([_no_path(revision, path)])
    return path.rpartition("/")[0] if listed[0].path == path else path


def _templates(now: Path | None, users_path: str | None, fabricgens_path: str | None, folder: Path) -> Templates:
    """Templates of now and of then; paths are from the root, None if not in the repository."""
    users, fabricgens = (folder / path if path is not None else None for path in (users_path, fabricgens_path))
    return templates_then(now, users, fabricgens, folder.parent)


def _empty_side(revision: Revision, intent: Path, place: str) -> SiteState:
    """The side of an intent that is new: its own plan without any fabric, so every switch is added."""
    new = open_workspace(intent).plan
    empty = new.intent.model_copy(update={"servers": {}, "fabrics": {}, "tenants": {}, "overrides": {}, "raw": ()})
    plan = new._replace(intent=empty, fabrics={}, tenants={}, lock=Lock(), recorded=Lock())
    note = f"{place} did not exist at {revision.name}: every switch is new"
    former = [path for path in _renamed_from(revision, place) if not (revision.top / path).exists()][:_NAMED]
    if former:
        note += f"; if it was renamed, use the old file: {' or '.join(f'{revision.name}:{path}' for path in former)}"
    return SiteState(name=revision.name, plan=plan, notes=(note,))


def _renamed_from(revision: Revision, intent: str) -> Iterator[str]:
    """Yield the former paths that an intent may have had: its name in other folders, and YAML files of its folder."""
    folder, _, name = intent.rpartition("/")
    for entry in entries(revision):
        entry_folder, _, other = entry.path.rpartition("/")
        if other == name or (entry_folder == folder and other.endswith(SUFFIXES)):
            yield entry.path


def _no_path(revision: Revision, path: str) -> Problem:
    return Problem(
        code="revision-path",
        what=f"{revision.name} has no {path}",
        why=f"the path after the colon is relative to {revision.top}; with ./ in front, to the current directory",
        fix=f"git ls-tree -r --name-only {revision.name} lists its files",
    )
