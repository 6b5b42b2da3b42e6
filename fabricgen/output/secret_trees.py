"""Trees that hold secrets: how one is told from others, for whom its files are, and that git does not take them.

Such a tree has a file KEPT_OUT that is there before any other. Below it git takes nothing (gitignore(5)), so that no
`git add` takes a file with a secret, or the stage of a render that was killed.
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
"""Of a .gitignore: nothing beside it and below it is taken."""
MASK = 0o077
"""New files are 0600, new folders 0700."""


def holds_secrets(out: Path) -> bool:
    """Whether a tree was, or was to be, rendered with secrets. Raises FabricError where the folder cannot be read."""
    with operator_faults(out):
        return (out / KEPT_OUT).exists()


def require_without_secrets(out: Path) -> None:
    """Raise FabricError where a tree holds secrets, and files without them would stand among them."""
    if holds_secrets(out):
        raise FabricError([_mixed(out, "with secrets in clear text", "without --with-secrets")])


def require_with_secrets(out: Path) -> None:
    """Raise FabricError where a tree was written without secrets: people may share it, or keep it in git."""
    if not holds_secrets(out) and any((out / FOLDER / name).exists() for name in (NAME, RECORD)):
        raise FabricError([_mixed(out, "without secrets", "with --with-secrets")])


def _mixed(out: Path, held: str, asked: str) -> Problem:
    return Problem(
        code="output-secrets",
        what=f"{out} was rendered {held}, and this command runs {asked}",
        why="the two are never mixed: a tree without secrets may be shared, one with secrets is for its owner alone",
        fix="name another folder with -o",
    )


def make_private(out: Path) -> bool:
    """Make a folder for its owner alone, and keep git away from it; whether that file is new.

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
    """While a tree with secrets is written: what is new is for this user alone, and nothing stays of what fails.

    Raises FabricError where `out` is a tree without secrets, or nothing of ours.
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
                with suppress(OSError):  # it stays if somebody else has put a file there
                    folder.rmdir()
        os.umask(before)


def keep_private(out: Path, outcome: CommitSummary) -> None:
    """Take away from others what they may have been given since. Raises FabricError where it cannot be."""
    with operator_faults(out):
        for path in (*outcome.written, *outcome.unchanged):
            (out / path).chmod(0o600)
            (out / path).parent.chmod(0o700)
