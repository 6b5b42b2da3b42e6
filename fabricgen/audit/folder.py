"""A folder of configurations: of each switch a folder, as `render` writes it, or one file with its name."""

import os
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.output.manifest import FOLDER
from fabricgen.output.manifest import NAME as MANIFEST
from fabricgen.output.secret_trees import holds_secrets

MOST_OCTETS = 64 << 20
"""Of a file. The largest of a planned switch is 2 MB (SONiC, 512 ports)."""
HIDDEN = "."


class ConfigFolder:
    """The files of a folder by switch. Raises FabricError where it is none.

    filled  files may hold secrets as values: not in a tree that render wrote without --with-secrets
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.is_dir():
            problem = Problem(
                code="no-configs",
                what=f"{path} is not a folder",
                why="the configurations of all switches are read from one folder",
                fix="name the folder that render wrote, or one with a file per switch, e.g. be-leaf-000.cfg",
            )
            raise FabricError([problem])
        self.filled = not (path / FOLDER / MANIFEST).exists() or holds_secrets(path)
        self._folders = {entry.name: entry for entry in _entries(path) if entry.is_dir()}
        self._files: dict[str, list[Path]] = {}
        for entry in _entries(path):
            if entry.is_file():
                for name in {entry.name, entry.stem}:
                    self._files.setdefault(name, []).append(entry)

    def files(self, device: str, main: str) -> Mapping[str, str] | None:
        """Files of a switch by name: those of its folder, or the one named after it, as `main`. None without any.

        Raises FabricError where a file cannot be read, is too large, or where two files have the name of a switch.
        """
        folder = self._folders.get(device)
        paths_named = self._files.get(device, [])
        if len(paths_named) + (folder is not None) > 1:
            names = " and ".join(
                sorted(path.name for path in (*paths_named, *([folder] if folder is not None else [])))
            )
            problem = Problem(
                code="two-configs",
                what=f"{self.path} has {names} of switch {device}",
                why="one of them is not what the switch runs",
                fix="keep one of them",
            )
            raise FabricError([problem])
        if folder is not None:
            paths = {path.relative_to(folder).as_posix(): path for path in _files(folder)}
            return {name: _text(path) for name, path in paths.items() if not name.startswith(HIDDEN)} or None
        return {main: _text(paths_named[0])} if paths_named else None

    def file_of(self, device: str) -> str:
        """Name of the one file that is named after a switch; empty: it has a folder, or nothing."""
        paths = self._files.get(device, [])
        return paths[0].name if paths else ""

    def others(self, devices: Iterable[str]) -> tuple[str, ...]:
        """Folders, and files with the ending of a configuration, that belong to no switch of these."""
        known = set(devices)
        files = {path.name for paths in self._files.values() for path in paths if path.suffix in CONFIG_SUFFIXES}
        unknown = [name for name in self._folders if name not in known]
        unknown += [name for name in files if name not in known and name.rpartition(".")[0] not in known]
        return tuple(sorted(unknown))


CONFIG_SUFFIXES = frozenset({".cfg", ".conf", ".config", ".json", ".txt", ".yaml"})


def _entries(path: Path) -> Iterator[Path]:
    return (entry for entry in sorted(path.iterdir()) if not entry.name.startswith(HIDDEN))


def _files(folder: Path) -> list[Path]:
    """Files below a folder, in order. As Path.rglob finds them, in a third of its time."""
    paths = (Path(at, name) for at, _, names in os.walk(folder) for name in names)
    return sorted(path for path in paths if path.is_file())


def _text(path: Path) -> str:
    """Text of a file, without a byte order mark.

    Octets that are no UTF-8 are replaced: the line that has them is then not understood.
    """
    try:
        if path.stat().st_size > MOST_OCTETS:
            raise FabricError([_unreadable(path, f"it has more than {MOST_OCTETS >> 20} MiB")])
        return path.read_text(encoding="utf-8-sig", errors="replace")
    except OSError as error:
        raise FabricError([_unreadable(path, str(error.strerror))]) from None


def _unreadable(path: Path, why: str) -> Problem:
    return Problem(
        code="config-unread",
        what=f"{path} cannot be read",
        why=why,
        fix="make the file readable, or take it out of the folder",
    )
