"""A commit writes what changed, removes what is gone, and refuses what is not ours."""

import errno
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fabricgen.errors import FabricError, Problem
from fabricgen.output.commit import AllFiles, commit
from fabricgen.output.finish import finish
from fabricgen.output.manifest import Maker, read_manifest
from fabricgen.output.paths import refusals
from fabricgen.output.stage import CommitSummary
from tests.output.manual_edits import edited

Tree = dict[str, bytes]
Read = Callable[[Path], Tree]

FIRST: Tree = {"be-leaf-000/startup.cfg": b"one\n", "be-leaf-001/startup.cfg": b"two\n", "all.csv": b"a,b\n"}
MAKER = Maker("0.1", "sources:templates")
INPUTS = {"intent.yaml": b"fabricgen: 1\n", "templates/bgp.j2": b"router bgp\n"}


def render(out: Path, files: Tree) -> CommitSummary:
    return commit(out, AllFiles(files.items(), {"be-leaf-000": "k0", "be-leaf-001": "k1"}), INPUTS, MAKER)


def refused(out: Path, files: Tree) -> tuple[Problem, ...]:
    with pytest.raises(FabricError) as caught:
        render(out, files)
    return caught.value.problems


def test_the_first_render_writes_files_inputs_and_manifest(tmp_path: Path, tree: Read) -> None:
    out = tmp_path / "deep" / "out"
    outcome = render(out, FIRST)
    assert outcome == CommitSummary(written=tuple(sorted(FIRST)), unchanged=(), removed=(), edited=())
    assert tree(out) == FIRST
    assert (out / ".fabricgen/inputs/templates/bgp.j2").read_bytes() == b"router bgp\n"
    assert sorted(path.name for path in (out / ".fabricgen").iterdir()) == ["inputs", "lock", "manifest.json"]
    assert json.loads((out / ".fabricgen/manifest.json").read_text()) == {
        "format": 1,
        "release": "0.1",
        "made_by": "sources:templates",
        "devices": {"be-leaf-000": "k0", "be-leaf-001": "k1"},
        "inputs": {name: hashlib.sha256(content).hexdigest() for name, content in INPUTS.items()},
        "files": {name: hashlib.sha256(content).hexdigest() for name, content in FIRST.items()},
    }


def test_a_manifest_of_before_made_by_was_recorded_is_read_and_gets_it_with_the_next_render(tmp_path: Path) -> None:
    render(tmp_path, FIRST)
    path = tmp_path / ".fabricgen/manifest.json"
    older = json.loads(path.read_text())
    del older["made_by"]
    path.write_text(json.dumps(older))
    manifest = read_manifest(tmp_path)
    assert manifest is not None
    assert (manifest.release, manifest.made_by) == ("0.1", "")
    assert render(tmp_path, FIRST).written == ()
    again = read_manifest(tmp_path)
    assert again is not None
    assert again.made_by == "sources:templates"


def test_a_manifest_of_a_later_release_with_a_key_more_is_read(tmp_path: Path) -> None:
    render(tmp_path, FIRST)
    path = tmp_path / ".fabricgen/manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"later": 1}))
    assert read_manifest(tmp_path) is not None


def test_a_made_by_that_is_no_text_is_damage(tmp_path: Path) -> None:
    render(tmp_path, FIRST)
    path = tmp_path / ".fabricgen/manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"made_by": 1}))
    with pytest.raises(FabricError) as caught:
        read_manifest(tmp_path)
    assert [problem.code for problem in caught.value.problems] == ["output-manifest"]


def test_the_manifest_does_not_depend_on_order_or_time(tmp_path: Path) -> None:
    render(tmp_path / "a", FIRST)
    time.sleep(0.01)
    render(tmp_path / "b", dict(reversed(FIRST.items())))
    one, other = ((tmp_path / name / ".fabricgen/manifest.json").read_bytes() for name in "ab")
    assert one == other


def test_unchanged_files_are_not_touched(tmp_path: Path) -> None:
    render(tmp_path, FIRST)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    outcome = render(tmp_path, FIRST)
    assert outcome == CommitSummary(written=(), unchanged=tuple(sorted(FIRST)), removed=(), edited=())
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == before

    outcome = render(tmp_path, FIRST | {"all.csv": b"new\n"})
    assert outcome.written == ("all.csv",)
    changed = {path.name for path, mtime in before.items() if path.stat().st_mtime_ns != mtime}
    assert changed == {"all.csv", "manifest.json", "intent.yaml", "bgp.j2"}


def test_files_no_longer_rendered_go_with_their_empty_folders_and_nothing_else(tmp_path: Path, tree: Read) -> None:
    render(tmp_path, FIRST)
    (tmp_path / "be-leaf-000/notes.txt").write_text("mine")
    outcome = render(tmp_path, {"all.csv": b"a,b\n"})
    assert outcome.removed == ("be-leaf-000/startup.cfg", "be-leaf-001/startup.cfg")
    assert tree(tmp_path) == {"all.csv": b"a,b\n", "be-leaf-000/notes.txt": b"mine"}
    assert not (tmp_path / "be-leaf-001").exists()


def test_hand_edits_are_found_replaced_and_named(tmp_path: Path, tree: Read) -> None:
    render(tmp_path, FIRST)
    assert edited(tmp_path) == ()
    (tmp_path / "all.csv").write_text("by hand")
    (tmp_path / "be-leaf-000/startup.cfg").unlink()
    assert edited(tmp_path) == ("all.csv", "be-leaf-000/startup.cfg")
    outcome = render(tmp_path, FIRST)
    assert outcome.edited == outcome.written == ("all.csv", "be-leaf-000/startup.cfg")
    assert tree(tmp_path) == FIRST

    (tmp_path / "all.csv").write_text("by hand")
    outcome = render(tmp_path, {"be-leaf-000/startup.cfg": b"one\n"})
    assert outcome.edited == ("all.csv",)
    assert "all.csv" in outcome.removed


def test_a_file_becomes_a_folder_and_a_folder_a_file(tmp_path: Path, tree: Read) -> None:
    render(tmp_path, {"a": b"1", "b/c/d": b"2"})
    second = {"a/x": b"3", "b": b"4"}
    render(tmp_path, second)
    assert tree(tmp_path) == second


def test_a_problem_at_the_last_device_leaves_nothing(tmp_path: Path) -> None:
    def files() -> Iterator[tuple[str, bytes]]:
        yield from FIRST.items()
        raise FabricError([Problem(code="x", what="", why="", fix="")])

    with pytest.raises(FabricError, match="x"):
        commit(tmp_path / "out", AllFiles(files()), INPUTS, MAKER)
    assert not (tmp_path / "out").exists()
    (tmp_path / "empty").mkdir()
    with pytest.raises(FabricError, match="x"):
        commit(tmp_path / "empty", AllFiles(files()), INPUTS, MAKER)
    assert list((tmp_path / "empty").iterdir()) == []


def test_a_problem_leaves_the_old_tree(tmp_path: Path, tree: Read) -> None:
    render(tmp_path, FIRST)

    def files() -> Iterator[tuple[str, bytes]]:
        yield "all.csv", b"new"
        raise KeyError("a fault of ours")

    with pytest.raises(KeyError):
        commit(tmp_path, AllFiles(files()), INPUTS, MAKER)
    assert tree(tmp_path) == FIRST
    assert edited(tmp_path) == ()
    assert not (tmp_path / ".fabricgen/fabricgen-tmp-stage").exists()


def test_an_os_error_of_the_renderer_is_not_the_operators(tmp_path: Path) -> None:
    def files() -> Iterator[tuple[str, bytes]]:
        yield "a", b"1"
        raise FileNotFoundError("a template of ours")

    with pytest.raises(FileNotFoundError):
        commit(tmp_path / "out", AllFiles(files()), INPUTS, MAKER)


@pytest.mark.parametrize("foreign", ["notes", "stage/x", "lock.old", "inputs/x"])
def test_a_foreign_file_in_our_folder_stays(tmp_path: Path, foreign: str) -> None:
    """Whether the render fails or not."""
    place = tmp_path / ".fabricgen" / foreign
    place.parent.mkdir(parents=True)
    place.write_text("precious")

    def files() -> Iterator[tuple[str, bytes]]:
        yield "all.csv", b"new"
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        commit(tmp_path, AllFiles(files()), INPUTS, MAKER)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [place]
    for content in (b"1", b"2"):
        render(tmp_path, {"all.csv": content})
        assert place.read_text() == "precious"


def test_a_foreign_file_in_the_place_of_a_record_is_refused(tmp_path: Path) -> None:
    place = tmp_path / ".fabricgen/commit/x"
    place.parent.mkdir(parents=True)
    place.write_text("precious")
    (problem,) = refused(tmp_path, FIRST)
    assert (problem.code, str(place) in problem.what) == ("output-not-ours", True)
    assert place.read_text() == "precious"


def test_a_directory_of_others_is_refused(tmp_path: Path, tree: Read) -> None:
    (tmp_path / "thesis.tex").write_text("years of work")
    (problem,) = refused(tmp_path, FIRST)
    assert problem.code == "output-not-ours"
    assert "thesis.tex" in problem.what
    assert tree(tmp_path) == {"thesis.tex": b"years of work"}
    assert not (tmp_path / ".fabricgen").exists()


@pytest.mark.parametrize("kind", ["file", "dangling link"])
def test_out_that_is_no_directory_is_refused(tmp_path: Path, kind: str) -> None:
    out = tmp_path / "out"
    if kind == "file":
        out.write_text("x")
    else:
        out.symlink_to(tmp_path / "nowhere")
    code = {"file": "output-not-a-directory", "dangling link": "output-folder"}[kind]
    assert [problem.code for problem in refused(out, FIRST)] == [code]


def test_a_foreign_file_in_the_way_is_refused_unless_it_is_equal(tmp_path: Path, tree: Read) -> None:
    render(tmp_path, FIRST)
    (tmp_path / "new").mkdir()
    (tmp_path / "new/startup.cfg").write_text("mine")
    (tmp_path / "plain").write_text("mine")
    wanted = FIRST | {"new": b"x", "new/startup.cfg": b"x", "plain/deep/file": b"x"}
    for name in ("new", "new/startup.cfg", "plain/deep/file"):
        problems = refused(tmp_path, FIRST | {name: wanted[name]})
        assert [problem.code for problem in problems] == ["output-not-ours"], name
    assert tree(tmp_path) == FIRST | {"new/startup.cfg": b"mine", "plain": b"mine"}
    assert render(tmp_path, FIRST | {"plain": b"mine"}).unchanged == (*sorted(FIRST), "plain")


def test_links_do_not_lead_outside(tmp_path: Path) -> None:
    out, outside = tmp_path / "out", tmp_path / "outside"
    outside.mkdir()
    render(out, FIRST)
    (outside / "startup.cfg").write_bytes(b"one\n")
    (out / "be-leaf-000/startup.cfg").unlink()
    (out / "be-leaf-000").rmdir()
    (out / "be-leaf-000").symlink_to(outside)
    assert [problem.code for problem in refused(out, FIRST)] == ["output-link"]
    # The folder of a removed file is as dangerous: nothing outside may be removed.
    assert [problem.code for problem in refused(out, {"all.csv": b"x"})] == ["output-link"]
    assert (outside / "startup.cfg").read_bytes() == b"one\n"

    assert not (out / ".fabricgen/commit").exists()
    (out / "be-leaf-000").unlink()
    (out / "all.csv").unlink()
    (out / "all.csv").symlink_to(outside / "startup.cfg")
    assert [problem.code for problem in refused(out, FIRST)] == ["output-not-ours"]


def test_a_linked_folder_of_our_own_is_refused(tmp_path: Path) -> None:
    (tmp_path / "outside").mkdir()
    out = tmp_path / "out"
    out.mkdir()
    (out / ".fabricgen").symlink_to(tmp_path / "outside")
    assert [problem.code for problem in refused(out, FIRST)] == ["output-link"]
    assert list((tmp_path / "outside").iterdir()) == []


def test_out_may_be_a_link_to_a_directory(tmp_path: Path, tree: Read) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "out").symlink_to(tmp_path / "real")
    render(tmp_path / "out", FIRST)
    assert tree(tmp_path / "real") == FIRST


def test_two_files_that_exclude_each_other_are_refused(tmp_path: Path) -> None:
    twice = [("a", b"1"), ("a", b"2")]
    for files in (twice, [("a", b"1"), ("a/b", b"2")], [("a/b", b"1"), ("a", b"2")]):
        with pytest.raises(FabricError) as caught:
            commit(tmp_path / "out", AllFiles(files), {}, MAKER)
        assert [problem.code for problem in caught.value.problems] == ["output-path"]
        assert not (tmp_path / "out").exists()


def test_all_bad_paths_are_told_at_once(tmp_path: Path) -> None:
    problems = refused(tmp_path / "out", {"../x": b"", "good": b"", "/etc/passwd": b""})
    assert [problem.what.split("'")[1] for problem in problems] == ["../x", "/etc/passwd"]
    with pytest.raises(FabricError, match="output-path"):
        commit(tmp_path / "out", AllFiles([]), {"../intent.yaml": b""}, MAKER)


@pytest.mark.parametrize(
    "path",
    ["", "/a", "..", "a/../b", ".", "a//b", "a/", "a/./b", "a\nb", "a\x00", "a\x7f", "a\u202eb", "a\\b", "\ud800",
     "x" * 256, "é" * 128, "/".join(["x" * 100] * 11), ".fabricgen/manifest.json", ".Fabricgen/x", ".fabricgen"],
)  # fmt: skip
def test_refused_paths(path: str) -> None:
    assert refusals(path)


@pytest.mark.parametrize("path", ["a", "be-leaf-000/startup.cfg", "x" * 255, "a/.fabricgen", "..a/b..", "é/ü"])
def test_accepted_paths(path: str) -> None:
    assert not refusals(path)


@given(st.text(alphabet=st.sampled_from("ab./\\\x00\n\u2028"), max_size=12))
def test_an_accepted_path_stays_below_the_directory(path: str) -> None:
    normal = os.path.normpath(f"/out/{path}")
    if not refusals(path):
        assert normal == f"/out/{path}"
        assert path.isprintable()


def test_a_full_disk_is_a_problem_and_leaves_the_old_tree(
    tmp_path: Path, tree: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    render(tmp_path, FIRST)

    def full(handle: int, content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        (problem,) = refused(tmp_path, FIRST | {"all.csv": b"new"})
    assert problem.code == "output-write"
    assert "No space left on device" in problem.why
    assert tree(tmp_path) == FIRST
    assert not finish(tmp_path)


def test_short_writes_are_continued(tmp_path: Path, tree: Read, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda handle, content: write(handle, content[:2]))
    render(tmp_path / "out", FIRST)
    assert tree(tmp_path / "out") == FIRST


UNPRIVILEGED = """
import os, sys
from pathlib import Path
from fabricgen.errors import FabricError
from fabricgen.output.commit import AllFiles, commit
from fabricgen.output.manifest import Maker
if os.getuid() == 0:
    os.setuid(65534)
try:
    commit(Path(sys.argv[1]), AllFiles([("a", b"1")]), {}, Maker("0.1"))
except FabricError as error:
    print(error.problems[0].code)
"""


def test_an_unwritable_directory_is_a_problem() -> None:
    run = subprocess.run(
        [sys.executable, "-c", UNPRIVILEGED, "/proc/1/out"], capture_output=True, text=True, check=False
    )
    assert run.stdout == "output-write\n", run.stderr
    run = subprocess.run(
        [sys.executable, "-c", UNPRIVILEGED, "/out-of-fabricgen"], capture_output=True, text=True, check=False
    )
    assert run.stdout == "output-write\n", run.stderr


def test_two_renders_at_once_are_refused_and_a_dead_one_holds_nothing(tmp_path: Path, tree: Read) -> None:
    render(tmp_path, FIRST)
    hold = (
        "import sys, time\nfrom pathlib import Path\nfrom fabricgen.output.lock import locked\n"
        "out = Path(sys.argv[1])\nwith locked(out, out / '.fabricgen'):\n"
        "    print('held', flush=True)\n    time.sleep(60)\n"
    )
    with subprocess.Popen([sys.executable, "-c", hold, str(tmp_path)], stdout=subprocess.PIPE, text=True) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        (problem,) = refused(tmp_path, {"x": b""})
        assert problem.code == "output-busy"
        assert tree(tmp_path) == FIRST
        holder.kill()
    assert render(tmp_path, FIRST).unchanged == tuple(sorted(FIRST))


@pytest.mark.parametrize(
    "text",
    ["", "{", "[]", '{"format": 2}', '{"format": 1}', "[" * 100_000, "\ufffd",
     '{"format": 1, "release": "1", "devices": {}, "inputs": {}, "files": {"../../etc/passwd": ""}}',
     '{"format": 1, "release": "1", "devices": {"a": 1}, "inputs": {}, "files": {}}'],
)  # fmt: skip
def test_a_damaged_manifest_is_a_problem(tmp_path: Path, text: str) -> None:
    render(tmp_path, FIRST)
    (tmp_path / ".fabricgen/manifest.json").write_text(text)
    with pytest.raises(FabricError) as caught:
        read_manifest(tmp_path)
    assert [problem.code for problem in caught.value.problems] == ["output-manifest"]
    assert [problem.code for problem in refused(tmp_path, FIRST)] == ["output-manifest"]


def test_no_tree_has_no_manifest_no_edits_and_nothing_to_finish(tmp_path: Path) -> None:
    assert read_manifest(tmp_path / "none") is None
    assert edited(tmp_path / "none") == ()
    assert not finish(tmp_path / "none")
    assert not (tmp_path / "none").exists()


def test_a_folder_above_one_that_is_not_there_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Mkdir would make the first part, and then lead to a folder that somebody else has."""
    work = tmp_path / "foreign/work"
    work.mkdir(parents=True)
    monkeypatch.chdir(work)
    for written in ("out/../..", "out/..", "out/../../new", "./out/../x/../..", str(work / "out/../../..")):
        assert [problem.code for problem in refused(Path(written), FIRST)] == ["output-folder"]
    assert [path.name for path in tmp_path.rglob("*")] == ["foreign", "work"]


def test_a_path_is_followed_to_the_folder_that_it_names(
    tmp_path: Path, tree: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a/b")
    monkeypatch.chdir(tmp_path / "a")
    render(Path("b/../../new"), FIRST)
    assert tree(tmp_path / "new") == FIRST
    # As the kernel does: `..` of a link is above what it leads to.
    render(Path("../link/../deep"), FIRST)
    assert tree(tmp_path / "a/deep") == FIRST


@pytest.mark.parametrize("kind", ["root", "home", "home by a link", "circle", "through a dangling link"])
def test_places_that_no_tree_may_fill(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    home = tmp_path / "home"
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    (tmp_path / "door").symlink_to(home)
    (tmp_path / "round").symlink_to("round")
    (tmp_path / "hole").symlink_to("nowhere")
    out = {
        "root": Path("/"),
        "home": home,
        "home by a link": tmp_path / "door",
        "circle": tmp_path / "round",
        "through a dangling link": tmp_path / "hole/out",
    }[kind]
    assert [problem.code for problem in refused(out, FIRST)] == ["output-folder"]
    assert list(home.iterdir()) == []
    assert not (tmp_path / "nowhere").exists()


def test_the_folder_is_the_one_that_was_looked_at(tmp_path: Path, tree: Read) -> None:
    """Somebody turns a link while files are made: nothing lands where it leads now."""
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    link = tmp_path / "link"
    link.symlink_to("one")

    def files() -> Iterator[tuple[str, bytes]]:
        link.unlink()
        link.symlink_to("two")
        yield from FIRST.items()

    commit(link, AllFiles(files()), {}, Maker("1"))
    assert tree(tmp_path / "one") == FIRST
    assert list((tmp_path / "two").iterdir()) == []
