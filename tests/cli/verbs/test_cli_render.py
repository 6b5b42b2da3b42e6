"""`fabricgen render` as a user meets it: what is written, what is left alone, what is refused."""

import json
import os
from pathlib import Path

import pytest

from tests.cli.conftest import Run, Spawn
from tests.cli.sites import DEMO, backend_only, edit, rendered, stamps, tree


def test_a_second_render_writes_nothing(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    first = run("render", intent, "-o", out)
    assert (first.exit_code, first.stdout) == (0, "")
    before, lock = stamps(out), stamps(intent.parent)
    second = run("render", intent, "-o", out)
    assert (second.exit_code, second.stdout) == (0, "")
    count = f"{out}: 0 files written, {len(rendered(out))} unchanged, 0 removed\n"
    assert second.stderr == f"126 checks passed: 107 on the plan, and 19 that run on each of 20 switches\n{count}"
    assert (stamps(out), stamps(intent.parent)) == (before, lock)


def test_one_folder_a_switch_the_cabling_plan_and_the_lock(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    result = run("render", intent, "-o", out, "--json")
    told = json.loads(result.stdout)
    assert (result.exit_code, result.stderr) == (0, "")
    coverage = told.pop("coverage")
    assert (len(coverage["proven"]), len(coverage["streamed"]), coverage["switches"], coverage["cables"]) == (
        107,
        19,
        20,
        False,
    )
    assert told == {
        "written": sorted(rendered(out)), "unchanged": [], "removed": [], "edited": [], "moved": [],
        "notes": [], "waived": [],
    }  # fmt: skip
    # 32 servers: one unit of 8 rails / 2 a leaf = 4 leaves, and the 4 spines that the intent says.
    backend = {path.partition("/")[0] for path in rendered(out) if path.startswith("be-")}
    assert backend == {*(f"be-leaf-00{n}" for n in range(4)), *(f"be-spine-0{n}" for n in range(4))}
    assert "cabling.csv" in rendered(out)
    assert sorted(path.name for path in intent.parent.iterdir()) == ["fabricgen.lock", "intent.yaml"]


def test_the_same_bytes_whatever_the_machine(intent: Path, tmp_path: Path, spawn: Spawn) -> None:
    """Working directory, hash seed, time zone, language and the user's mask are not in the files."""
    lock = intent.parent / "fabricgen.lock"
    elsewhere = tmp_path / "else where"
    elsewhere.mkdir()
    runs = [
        (intent.parent, "intent.yaml", {"PYTHONHASHSEED": "1", "TZ": "Asia/Tokyo", "LANG": "de_DE.UTF-8"}),
        (elsewhere, "../site/intent.yaml", {"PYTHONHASHSEED": "2", "TZ": "UTC", "LC_ALL": "C", "PYTHONUTF8": "0"}),
        (elsewhere, str(intent), {"PYTHONHASHSEED": "3", "LC_ALL": "POSIX", "PYTHONOPTIMIZE": "1"}),
    ]
    found = []
    for number, (cwd, path, env) in enumerate(runs):
        lock.unlink(missing_ok=True)
        out = tmp_path / f"out{number}"
        result = spawn("render", path, "-o", out, cwd=cwd, **env)
        assert (result.returncode, result.stdout) == (0, ""), result.stderr
        found.append((tree(out), lock.read_bytes()))
    assert len(found[0][0]) > 20
    assert found[1:] == found[:1] * 2


def test_a_folder_of_someone_else_is_refused(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    out.mkdir()
    (out / "thesis.tex").write_text("mine")
    result = run("render", intent, "-o", out)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error[output-not-ours]" in result.stderr
    assert tree(out) == {"thesis.tex": b"mine"}
    assert not (intent.parent / "fabricgen.lock").exists()


def test_a_refusal_at_the_end_leaves_the_lock_too(intent: Path, tmp_path: Path, run: Run) -> None:
    """What is in the way of the last file is found when all others are staged."""
    out = tmp_path / "out"
    backend_only(intent)
    edit(intent, "slots: 0-31", "slots: 0-7")
    edit(intent, "planned: 192", "planned: 64")
    run("render", intent, "-o", out)
    (out / "be-leaf-004").write_text("mine")
    edit(intent, "slots: 0-7", "slots: 0-63")
    edit(intent, "planned: 64", "planned: 192")
    before = stamps(tmp_path)
    result = run("render", intent, "-o", out)
    assert result.exit_code == 1
    assert "error[output-not-ours]" in result.stderr
    assert result.stderr.endswith("nothing was written\n")
    assert {name: stamp for name, stamp in stamps(tmp_path).items() if name != "out/.fabricgen/lock"} == {
        name: stamp for name, stamp in before.items() if name != "out/.fabricgen/lock"
    }


def test_a_file_in_place_of_the_folder_is_refused(intent: Path, tmp_path: Path, run: Run) -> None:
    (tmp_path / "out").write_text("mine")
    result = run("render", intent, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "error[output-not-a-directory]" in result.stderr
    assert (tmp_path / "out").read_text() == "mine"


def test_a_name_that_can_not_be_kept_is_told_as_the_files(intent: Path, tmp_path: Path, run: Run) -> None:
    odd = intent.rename(intent.parent / "a\\b.yaml")
    result = run("render", odd, "-o", tmp_path / "out")
    assert result.exit_code == 1
    assert "fix: rename the file that fabricgen reads" in result.stderr
    assert [path.name for path in tmp_path.rglob("*")] == ["site", "a\\b.yaml"]


def test_a_hand_edit_is_told_and_undone(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    whole = tree(out)
    edited, gone = sorted(rendered(out))[:2]
    (out / edited).write_text("by hand")
    (out / gone).unlink()
    result = run("render", intent, "-o", out)
    assert result.exit_code == 0
    assert [line for line in result.stderr.splitlines() if "manual edit" in line] == [
        f"{out / path}: manual edit overwritten" for path in (edited, gone)
    ]
    assert tree(out) == whole
    (out / edited).write_text("by hand")
    assert json.loads(run("render", intent, "-o", out, "--json").stdout)["edited"] == [edited]


def test_a_device_that_is_gone_leaves_and_foreign_files_stay(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    before = rendered(out)
    gone = {path for path in before if path.startswith(("fe-", "cabling"))}
    (out / "notes.txt").write_text("mine")
    (out / "be-leaf-000/mine.txt").write_text("mine")
    (out / "fe-leaf-000/mine.txt").write_text("mine")
    backend_only(intent)
    told = json.loads(run("render", intent, "-o", out, "--json").stdout)
    assert set(told["removed"]) == gone - {"cabling.csv"}
    foreign = {"notes.txt": b"mine", "be-leaf-000/mine.txt": b"mine", "fe-leaf-000/mine.txt": b"mine"}
    assert rendered(out).keys() == before.keys() - gone | foreign.keys() | {"cabling.csv"}
    assert foreign.items() <= rendered(out).items()
    assert not (out / "fe-leaf-001").exists()


def test_a_problem_leaves_everything_as_it_was(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    run("render", intent, "-o", out)
    edit(intent, "asns: 4201000000-4201999999", "asns: 4201000000-4201000001")
    before = stamps(tmp_path)
    result = run("render", intent, "-o", out)
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr.endswith("nothing was written\n")
    assert stamps(tmp_path) == before


@pytest.mark.parametrize("verb", ["validate", "plan", "render"])
def test_problems_as_json(intent: Path, tmp_path: Path, run: Run, verb: str) -> None:
    edit(intent, "site: dc1", "sitte: dc1")
    result = run(verb, intent, "--json", *(["-o", tmp_path / "out"] if verb == "render" else []))
    assert (result.exit_code, result.stderr) == (1, "")
    (problem,) = json.loads(result.stdout)["problems"]
    assert problem.keys() == {"code", "what", "why", "fix", "where", "path", "file", "line", "column"}
    assert (problem["code"], problem["fix"], problem["file"]) == ("unknown-key", "did you mean site?", str(intent))
    assert intent.read_text().splitlines()[problem["line"] - 1].startswith("sitte")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("verb", ["validate", "plan"])
def test_what_only_reads_writes_nothing(intent: Path, run: Run, verb: str) -> None:
    for words in ([verb, intent], [verb, intent, "--json"]):
        result = run(*words)
        assert result.exit_code == 0
        assert bool(result.stdout) is (verb == "plan" or "--json" in words)
        if "--json" in words:
            assert json.loads(result.stdout)
    assert [path.name for path in intent.parent.iterdir()] == ["intent.yaml"]


def test_two_renders_at_once(intent: Path, tmp_path: Path, run: Run) -> None:
    import fcntl  # noqa: PLC0415 - only here

    out = tmp_path / "out"
    run("render", intent, "-o", out)
    handle = os.open(out / ".fabricgen/lock", os.O_RDWR)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        result = run("render", intent, "-o", out)
    finally:
        os.close(handle)
    assert result.exit_code == 1
    assert "error[output-busy]" in result.stderr


def test_the_demo_itself_was_not_touched(run: Run, tmp_path: Path) -> None:
    before = stamps(DEMO.parent)
    assert run("render", tmp_path / "none.yaml", "-o", tmp_path / "out").exit_code == 1
    assert stamps(DEMO.parent) == before
