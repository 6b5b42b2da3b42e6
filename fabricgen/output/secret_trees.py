"""Trees with secrets: how they are recognised, their file modes, and how git is kept from adding them.

Such a tree has a file KEPT_OUT, which is written before any other. Below it git takes nothing (gitignore(5)), so that
no `git add` takes a file with a secret, or the stage of a render that was killed.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.output.commit import require_ours
from fabricgen.output.faults import operator_faults
from fabricgen.output.finish import RECORD
from fabricgen.output.manifest import FOLDER, NAME
from fabricgen.output.paths import check_folder
from fabricgen.output.stage import CommitSummary

KEPT_OUT = f"{FOLDER}/.gitignore"
IGNORE = ".gitignore"
NOTHING = b"*\n"
"""Content of a .gitignore: ignore everything in its folder and below."""
MASK = 0o077
"""umask: new files are 0600, new folders 0700."""


def holds_secrets(out: Path) -> bool:
    """Whether a tree was, or was to be, rendered with secrets. Raises FabricError where it cannot be read."""
    with operator_faults(out):
        return (out / KEPT_OUT).exists()


def require_without_secrets(out: Path) -> None:
    """Raise FabricError where a tree holds secrets: files without secrets must not be added to it."""
    if holds_secrets(out):
        raise FabricError([_mixed(out, "with secrets in clear text", "without --with-secrets")])


def require_with_secrets(out: Path) -> None:
    """Raise FabricError where a tree was written without secrets: people may share it, or keep it in git."""
    if not holds_secrets(out) and any((out / FOLDER / name).exists() for name in (NAME, RECORD)):
        raise FabricError([_mixed(out, "without secrets", "with --with-secrets")])


def _mixed(out: Path, tree_mode: str, command_mode: str) -> Problem:
    return Problem(
        code="output-secrets",
        what=f"{out} was rendered {tree_mode}, and this command renders {command_mode}",
        why="they cannot be mixed: a tree without secrets can be shared, one with secrets is readable by its owner "
        "only",
        fix="use another folder with -o",
    )


def make_private(out: Path) -> bool:
    """Restrict a folder to its owner, and keep git away from it; return whether the .gitignore is new.

    Raises OSError, or FabricError for a link in it.
    """
    out.mkdir(parents=True, exist_ok=True)
    out.chmod(0o700)
    (out / FOLDER).mkdir(exist_ok=True)
    check_folder(out, FOLDER)
    (out / FOLDER).chmod(0o700)
    if not holds_secrets(out):
        with (out / KEPT_OUT).open("xb") as file:
            file.write(NOTHING)
        return True
    return False


@contextmanager
def private_tree(out: Path) -> Iterator[None]:
    """Context in which a tree with secrets is written: new files are for this user alone; a failure leaves nothing.

    Raises FabricError where `out` is a tree without secrets, or not ours.
    """
    is_new, is_folder_new = not out.exists(), not (out / FOLDER).exists()
    is_kept_out_new, before = False, os.umask(MASK)
    try:
        with operator_faults(out):
            require_ours(out)
            require_with_secrets(out)
            is_kept_out_new = make_private(out)
        yield
    finally:
        if not any((out / FOLDER / name).exists() for name in (NAME, RECORD)):
            if is_kept_out_new:
                (out / KEPT_OUT).unlink(missing_ok=True)
            for folder in [out / FOLDER] * is_folder_new + [out] * is_new:
                with suppress(OSError):  # it remains if somebody else has put a file there
                    folder.rmdir()
        os.umask(before)


def keep_private(out: Path, outcome: CommitSummary) -> None:
    """Remove permissions that others were given since. Raises FabricError where that fails."""
    with operator_faults(out):
        for path in (*outcome.written, *outcome.unchanged):
            (out / path).chmod(0o600)
            (out / path).parent.chmod(0o700)
