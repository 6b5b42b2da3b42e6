"""What a commit does last before the tree changes: with it the lock is written, and not with a tree that has moved."""

from pathlib import Path

import pytest

from fabricgen.errors import FabricError, Problem
from fabricgen.output.commit import AllFiles, commit
from fabricgen.output.manifest import Maker

FILES = {"leaf/config": b"old", "cabling.csv": b"a"}
CHANGED = {"leaf/config": b"new", "spine/config": b"more"}


def tree(out: Path) -> dict[str, bytes]:
    """Files of the tree, and the record of a commit where there is one."""
    own = (out / ".fabricgen" / name for name in ("commit", "manifest.json"))
    found = [path for path in out.rglob("*") if path.is_file() and ".fabricgen" not in path.parts]
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in (*found, *own) if path.is_file()}


def test_it_is_told_when_all_is_staged_and_nothing_has_moved(tmp_path: Path) -> None:
    out = tmp_path / "out"
    commit(out, AllFiles(FILES.items()), {}, Maker("1"))
    before, seen = tree(out), []

    commit(
        out,
        AllFiles(CHANGED.items()),
        {},
        Maker("1"),
        lambda: seen.append((tree(out), len(list(out.rglob("fabricgen-tmp-stage/**/config"))))),
    )

    assert seen == [(before, 2)]
    assert {name: tree(out).get(name) for name in CHANGED} == CHANGED


def test_where_it_refuses_the_old_tree_stands(tmp_path: Path) -> None:
    out = tmp_path / "out"
    commit(out, AllFiles(FILES.items()), {}, Maker("1"))
    before = tree(out)

    def refuse() -> None:
        raise FabricError([Problem(code="lock-write", what="no", why="no", fix="no")])

    with pytest.raises(FabricError):
        commit(out, AllFiles(CHANGED.items()), {}, Maker("1"), refuse)

    assert tree(out) == before
