"""Queries to git: where a repository begins, which commit a revision is, and which files it holds."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fabricgen.base.text import listed
from fabricgen.errors import NEAR, FabricError, Problem
from fabricgen.explain.nearest import nearest_words

MOST_NAMED = 5
"""Limit on the branches and tags that a message names."""
LINK = "120000"
FILES = ("100644", "100755", LINK)

# A git hook runs with these set for its own repository and index, but the folder of the intent selects the repository.
# They are the location variables of `git rev-parse --local-env-vars`. GIT_CONFIG_*, with which CI trusts folders, stay.
PLACES = (
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_COMMON_DIR",
    "GIT_DIR",
    "GIT_GRAFT_FILE",
    "GIT_IMPLICIT_WORK_TREE",
    "GIT_INDEX_FILE",
    "GIT_INTERNAL_SUPER_PREFIX",
    "GIT_NAMESPACE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_PREFIX",
    "GIT_SHALLOW_FILE",
    "GIT_WORK_TREE",
)


class TreeEntry(NamedTuple):
    """One file of a commit: its mode as in `git ls-tree`, its object, its path from the root of the repository."""

    mode: str
    object: str
    path: str


class Revision(NamedTuple):
    """A commit. `top` is the root of the working tree, without links in it; `name` is the name that the user gave."""

    top: Path
    commit: str
    name: str


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder; the caller checks the exit code. Raises FabricError if git is not installed."""
    environment = {name: value for name, value in os.environ.items() if name not in PLACES}
    command = ["git", "--no-pager", "-C", str(folder), *arguments]
    try:
        return subprocess.run(  # noqa: S603  # no shell, and revisions and paths cannot pass for options
            command,
            env=environment | {"LC_ALL": "C", "GIT_TERMINAL_PROMPT": "0"},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
        )
    except FileNotFoundError:
        raise FabricError.of(
            code="git-missing",
            what="git is not installed",
            why="a revision is read through git",
            fix="install git, or use --against with a folder",
        ) from None


def answer(folder: Path, *arguments: str) -> bytes:
    """Output of git. Raises FabricError with git's message where it fails."""
    process = git(folder, *arguments)
    if process.returncode == 0:
        return process.stdout
    raise FabricError([_failed(folder, arguments[0], process.stderr)])


def _failed(folder: Path, verb: str, stderr: bytes) -> Problem:
    message = stderr.decode(errors="replace").strip()
    trust = next((line.strip() for line in message.splitlines() if "--add safe.directory" in line), "")
    return Problem(
        code="git-failed",
        what=f"git {verb} failed in {folder}",
        why=message.partition("\n")[0].removeprefix("fatal: ") or "it gave no reason",
        fix=trust or "run this git command, and fix its error first",
    )


def top_of(folder: Path) -> Path | None:
    """Root of the working tree that holds a folder; None where there is none. Raises FabricError."""
    process = git(folder, "rev-parse", "--show-toplevel")
    if process.returncode == 0:
        return Path(os.fsdecode(process.stdout.removesuffix(b"\n"))).resolve()
    message = process.stderr.decode(errors="replace")
    if "not a git repository" in message or "must be run in a work tree" in message:
        return None
    raise FabricError([_failed(folder, "rev-parse", process.stderr)])


def commit_of(top: Path, name: str) -> str | None:
    """Commit that a revision names; None if it names none."""
    verify = ("rev-parse", "--verify", "--quiet", "--end-of-options")
    # The object is resolved first: after :/ everything, ^{commit} too, would be part of the text to search.
    object_id = git(top, *verify, name).stdout.decode().strip()
    return git(top, *verify, f"{object_id}^{{commit}}").stdout.decode().strip() or None if object_id else None


def entries(revision: Revision, *paths: str) -> tuple[TreeEntry, ...]:
    """Files of a commit below some paths from its root, in the commit's order; all if no path or "" is given."""
    below = () if "" in paths else paths
    output = answer(
        revision.top, "--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", revision.commit, "--", *below
    )
    return tuple(_entries(output))


def _entries(output: bytes) -> Iterator[TreeEntry]:
    for line in output.split(b"\0"):
        attributes, _, path = line.partition(b"\t")
        if path:
            mode, _, object_id = attributes.decode().split(" ")
            yield TreeEntry(mode, object_id, os.fsdecode(path))


def link_target(revision: Revision, link: TreeEntry) -> str:
    """Target of a symbolic link in a commit."""
    return os.fsdecode(answer(revision.top, "cat-file", "blob", link.object))


def _one_of(names: list[str]) -> str:
    return (
        f"use one of the branches and tags of this repository ({listed(names, most=MOST_NAMED)}), or a commit: "
        "git log --oneline lists them"
    )


def unknown_revision(top: Path, name: str) -> Problem:
    """The problem of a revision that does not exist, with the command that fetches it."""
    remotes = git(top, "remote").stdout.decode(errors="replace").split()
    stem = name.partition("~")[0].partition("^")[0].partition(":")[0]
    remote, _, branch = stem.partition("/")
    fetch = f"git fetch {remote} {branch}" if remote in remotes and branch else ""
    is_shallow = git(top, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
    if is_shallow:
        why = "this clone is shallow: it has only the newest commits"
        deepen = "check out with its history (fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 of GitLab CI)"
        fix = f"{fetch}, or {deepen}" if fetch else f"git fetch --unshallow, or {deepen}"
    elif fetch:
        why, fix = f"no branch or tag of that name was fetched from {remote}", fetch
    elif stem and commit_of(top, stem) is not None:
        why = f"{stem} exists, and has no such ancestor"
        fix = f"git log --oneline {stem} lists the commits"
    else:
        names = git(top, "for-each-ref", "--format=%(refname:short)").stdout.decode(errors="replace").split()
        why = "no branch, tag or commit has that name"
        fix = nearest_words(name, names, NEAR) or (_one_of(names) if names else "commit something first")
    return Problem(
        code="revision-unknown",
        what=f"{name} is not a file or folder here, and not a revision of the git repository {top}",
        why=why,
        fix=fix,
    )
