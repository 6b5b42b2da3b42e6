"""Killed at any step, a tree is whole: the old one before the commit record, the new one after `finish`."""

import os
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from fabricgen.output.commit import AllFiles, commit
from fabricgen.output.finish import finish
from fabricgen.output.manifest import Maker, read_manifest
from tests.output.manual_edits import edited
from tests.some import LONG, some

Tree = dict[str, bytes]
Read = Callable[[Path], Tree]

# A file becomes a folder, a folder a file; one of each: unchanged, changed, new, removed with its folder.
OLD: Tree = {"a": b"1", "b/c/d": b"2", "same": b"3", "leaf-0/x": b"old", "leaf-1/x/y": b"4"}
NEW: Tree = {"a/x": b"5", "b": b"6", "same": b"3", "leaf-0/x": b"new", "leaf-2/x": b"7"}

STEPS = ("mkdir", "rename", "replace", "unlink", "rmdir", "open", "write")
KILLED = 9
MOST = 500  # steps; far more than a render of these files has


def render(out: Path, files: Tree) -> None:
    commit(
        out, AllFiles(files.items(), {name: name for name in files}), {"intent.yaml": repr(files).encode()}, Maker("1")
    )


def killed_at(step: int, work: Callable[[], object]) -> bool:
    """Do `work` in a process that dies before its system call number `step`; tell whether it died."""
    child = os.fork()
    if child == 0:
        left = iter(range(step))
        for name in STEPS:
            setattr(os, name, dying(getattr(os, name), left))
        try:
            work()
        finally:
            os._exit(0)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED


def dying(call: Callable[..., object], left: Iterator[int]) -> Callable[..., object]:
    def step(*given: object, **named: object) -> object:
        if next(left, None) is None:
            os._exit(KILLED)
        return call(*given, **named)

    return step


STRIDE = pytest.mark.parametrize("stride", [3, pytest.param(1, marks=LONG)], ids=["some steps", "all steps"])


@STRIDE
@pytest.mark.parametrize("old", some([OLD, {}]), ids=["render over a tree", "first render"])
def test_a_render_killed_at_any_step(tmp_path: Path, tree: Read, old: Tree, stride: int) -> None:
    states = []
    for step in range(0, MOST, stride):
        out = tmp_path / str(step)
        if old:
            render(out, old)
        died = killed_at(step, partial(render, out, NEW))
        recorded = (out / ".fabricgen/commit").exists()
        if died and not recorded and read_manifest_files(out) != NEW.keys():
            states.append("old")
            assert (tree(out) if out.exists() else {}) == old
            assert not finish(out)
        else:
            states.append("new")
            assert finish(out) is recorded
            assert tree(out) == NEW
            assert folders(out) == {"a", "leaf-0", "leaf-2"}
            assert (out / ".fabricgen/inputs/intent.yaml").read_bytes() == repr(NEW).encode()
        assert edited(out) == ()
        render(out, NEW)
        assert tree(out) == NEW
        assert sorted(path.name for path in (out / ".fabricgen").iterdir()) == ["inputs", "lock", "manifest.json"]
        if not died:
            break
    assert states == sorted(states, reverse=True)
    assert states.count("old") > 10 / stride
    assert states.count("new") > 10 / stride


@STRIDE
def test_a_finish_killed_at_any_step_is_finished_by_the_next(tmp_path: Path, tree: Read, stride: int) -> None:
    for step in range(0, MOST, stride):
        out = tmp_path / str(step)
        render(out, OLD)
        rename = os.rename

        def die(source: Path, target: Path, rename: Callable[..., None] = rename) -> None:
            rename(source, target)
            os._exit(KILLED)

        killed_after_record(out, die)
        assert (out / ".fabricgen/commit").exists()
        assert tree(out) == OLD
        died = killed_at(step, partial(finish, out))
        finish(out)
        assert tree(out) == NEW
        assert folders(out) == {"a", "leaf-0", "leaf-2"}
        assert edited(out) == ()
        assert not finish(out)
        if not died:
            return
    pytest.fail("the steps have no end")


def killed_after_record(out: Path, die: Callable[..., None]) -> None:
    child = os.fork()
    if child == 0:
        os.rename = die
        try:
            render(out, NEW)
        finally:
            os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == KILLED


def read_manifest_files(out: Path) -> object:
    manifest = read_manifest(out)
    return manifest.files.keys() if manifest else None


def folders(out: Path) -> set[str]:
    names = {path.relative_to(out).as_posix() for path in out.rglob("*") if path.is_dir()}
    return {name for name in names if not name.startswith(".fabricgen")}
