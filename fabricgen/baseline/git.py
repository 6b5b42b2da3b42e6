"""What git is asked: where a repository begins, which commit a revision is, and which files it holds."""

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from fabricgen.errors import FabricError, Problem, did_you_mean

LINK = "120000"
FILES = ("100644", "100755", LINK)

# A hook runs with these set for its own repository and its own index; the folder of the intent says which one is meant.
# They are those of `git rev-parse --local-env-vars` that name places. GIT_CONFIG_*, where CI trusts folders, stay.
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
    """A commit. `top` is the root of the working tree without links in it, `name` what a person calls the commit."""

    top: Path
    commit: str
    name: str


def git(folder: Path, *arguments: str) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder; its exit code is the caller's to judge. Raises FabricError where there is no git."""
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
        problem = Problem(
            code="git-missing",
            what="git is not installed",
            why="a revision is read through git",
            fix="install git, or name a folder after --against",
        )
        raise FabricError([problem]) from None


def answer(folder: Path, *arguments: str) -> bytes:
    """What git says. Raises FabricError with its words where it fails."""
    done = git(folder, *arguments)
    if done.returncode == 0:
        return done.stdout
    raise FabricError([_failed(folder, arguments[0], done.stderr)])


def _failed(folder: Path, verb: str, stderr: bytes) -> Problem:
    words = stderr.decode(errors="replace").strip()
    trust = next((line.strip() for line in words.splitlines() if "--add safe.directory" in line), "")
    return Problem(
        code="git-failed",
        what=f"git {verb} failed in {folder}",
        why=words.partition("\n")[0].removeprefix("fatal: ") or "it gave no reason",
        fix=trust or "make this git command work first",
    )


def top_of(folder: Path) -> Path | None:
    """Root of the working tree that holds a folder; None where there is none. Raises FabricError."""
    done = git(folder, "rev-parse", "--show-toplevel")
    if done.returncode == 0:
        return Path(os.fsdecode(done.stdout.removesuffix(b"\n"))).resolve()
    words = done.stderr.decode(errors="replace")
    if "not a git repository" in words or "must be run in a work tree" in words:
        return None
    raise FabricError([_failed(folder, "rev-parse", done.stderr)])


def commit_of(top: Path, name: str) -> str | None:
    """Commit that a revision names; None where it names none."""
    verify = ("rev-parse", "--verify", "--quiet", "--end-of-options")
    # The object first: what follows :/ would all be taken for the words to search.
    thing = git(top, *verify, name).stdout.decode().strip()
    return git(top, *verify, f"{thing}^{{commit}}").stdout.decode().strip() or None if thing else None


def entries(revision: Revision, *paths: str) -> tuple[TreeEntry, ...]:
    """Files of a commit below some paths from its root, in its order; all of them where no path or "" is given."""
    below = () if "" in paths else paths
    listed = answer(
        revision.top, "--literal-pathspecs", "ls-tree", "-r", "-z", "--full-tree", revision.commit, "--", *below
    )
    return tuple(_entries(listed))


def _entries(listed: bytes) -> Iterator[TreeEntry]:
    for line in listed.split(b"\0"):
        about, _, path = line.partition(b"\t")
        if path:
            mode, _, thing = about.decode().split(" ")
            yield TreeEntry(mode, thing, os.fsdecode(path))


def link_target(revision: Revision, link: TreeEntry) -> str:
    """What a symbolic link of a commit says."""
    return os.fsdecode(answer(revision.top, "cat-file", "blob", link.object))


def unknown_revision(top: Path, name: str) -> Problem:
    """Why a revision is not found, and what fetches it."""
    remotes = git(top, "remote").stdout.decode(errors="replace").split()
    remote, _, branch = name.partition("/")
    base = branch.partition("~")[0].partition("^")[0].partition(":")[0]
    fetch = f"git fetch {remote} {base}" if remote in remotes and base else ""
    is_shallow = git(top, "rev-parse", "--is-shallow-repository").stdout.strip() == b"true"
    if is_shallow:
        why = "this clone is shallow: it holds only the newest commits"
        deepen = "check out with its history (fetch-depth: 0 of actions/checkout, GIT_DEPTH: 0 of GitLab CI)"
        fix = f"{fetch}, or {deepen}" if fetch else f"git fetch --unshallow, or {deepen}"
    elif fetch:
        why, fix = f"nothing of that name was fetched from {remote}", fetch
    else:
        names = git(top, "for-each-ref", "--format=%(refname:short)").stdout.decode(errors="replace").split()
        why = "no branch, tag or commit has that name"
        fix = did_you_mean(name, names) if names else "commit something first"
    return Problem(
        code="revision-unknown",
        what=f"{name} is no file or folder here, and no revision of the git repository {top}",
        why=why,
        fix=fix,
    )
