"""What only a whole process shows: exit codes, signals, pipes, terminals, and what is imported."""

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from fabricgen.platforms import PLATFORMS
from tests.cli.conftest import Run, Spawn
from tests.cli.sites import backend_only, edit, tree
from tests.cli.terminals import on_terminal
from tests.some import some

PATCHED = "import sys; sys.argv[0] = 'fabricgen'; {patch}; from fabricgen.cli import main; main()"


def patched(patch: str, *words: object) -> list[str]:
    """Command line of fabricgen with something changed first."""
    return [sys.executable, "-c", PATCHED.format(patch=patch), *map(str, words)]


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["--version"], 0, ""),
        (["--help"], 0, ""),
        (["render", "--help"], 0, ""),
        (["valdate"], 2, "unknown command 'valdate': did you mean validate?"),
        (["--jsn"], 2, "--jsn"),
        (["validate"], 2, "Missing argument 'INTENT'"),
        (["explain"], 2, "Missing argument 'WHAT'."),
        (["explain", "--lossless"], 2, "Missing argument 'INTENT'."),
        (["render", "intent.yaml", "--locked=yes"], 2, "--locked"),
        (["validate", "x", "-j", "many"], 2, "'many' is not a whole number from 1 to 256."),
        (["validate", "x", "-j", "300"], 2, "'300' is not a whole number from 1 to 256."),
        (["verify", "x", "--watch", "x"], 2, "'x' is not a number of seconds of 0 or more."),
        (["validate", "none.yaml"], 1, "none.yaml does not exist"),
    ],
)
def test_exit_codes(spawn: Spawn, tmp_path: Path, words: list[str], code: int, told: str) -> None:
    result = spawn(*words, cwd=tmp_path)
    assert result.returncode == code
    assert told in result.stderr
    assert bool(result.stdout) is (code == 0)
    assert "Traceback" not in result.stderr
    assert not list(tmp_path.iterdir())


def test_our_bug_is_70_with_a_traceback_and_a_word(intent: Path) -> None:
    command = patched("import fabricgen.cli.validate.run as verb; verb.load_checked_in_all = lambda *_, **__: 1 // 0",
                      "validate", intent)  # fmt: skip
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = result.stderr.splitlines()
    assert (result.returncode, result.stdout) == (70, "")
    assert lines[0] == "Traceback (most recent call last):"
    assert lines[-2] == "ZeroDivisionError: integer division or modulo by zero"
    assert lines[-1].endswith("this is a bug in fabricgen, not in your intent; please report the lines above")


def test_help_imports_nothing_heavy() -> None:
    for word in ("--help", "--version"):
        command = [sys.executable, "-X", "importtime", "-m", "fabricgen", word]
        result = subprocess.run(command, capture_output=True, text=True, check=True)
        imported = {line.rpartition("|")[2].strip().partition(".")[0] for line in result.stderr.splitlines()}
        assert "click" in imported
        assert not imported & {"pydantic", "pydantic_core", "jinja2", "yaml", "netaddr", "napalm", "netmiko", "rich"}


def test_validate_imports_only_what_the_intent_names(intent: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "fabricgen", "validate", str(intent)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    # What `import_module` is asked for is not timed; what that module imports is.
    assert {name for name in PLATFORMS if f"fabricgen.platforms.{name}.capabilities" in imported} == {"eos"}
    assert not {name.partition(".")[0] for name in imported} & {"jinja2", "netaddr", "napalm", "nornir", "paramiko"}


WHERE_THERE_IS_ONE = {
    "fabricgen.source.pydantic_problems",  # what pydantic refuses
    "fabricgen.hardware.faults",  # hardware of the user's own
    "fabricgen.intent.overlay",
    "fabricgen.plan.inputs",  # overrides, placement file, cable file
    "fabricgen.plan.csv_table",
    "fabricgen.source.report",  # a problem
    "fabricgen.platforms.eos.context",  # a switch that is rendered
    "fabricgen.workers.pool",  # more than one process
    "json",
}
"""What a sound intent without exceptions has no use for, by what it is imported for."""


def test_validate_imports_only_what_there_is_a_use_for(intent: Path) -> None:
    command = [sys.executable, "-X", "importtime", "-m", "fabricgen", "validate", str(intent)]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    imported = {line.rpartition("|")[2].strip() for line in result.stderr.splitlines()}
    assert "fabricgen.site.workspace" in imported
    # Pydantic asks importlib.metadata for plugins, and that imports json from Python 3.13 on.
    found = subprocess.run(
        [sys.executable, "-c", "import importlib.metadata, sys; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert imported & WHERE_THERE_IS_ONE <= {*found.stdout.split()}


def test_what_else_is_installed_has_no_say_in_how_an_intent_is_read(intent: Path) -> None:
    looked = patched("import importlib.metadata as found; found.entry_points = lambda **_: 1 // 0", "validate", intent)
    result = subprocess.run(looked, capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "")


def test_a_block_that_is_left_out_costs_no_schema(intent: Path, tmp_path: Path) -> None:
    script = (
        "import sys\n"
        "from pathlib import Path\n"
        "from fabricgen.intent.scalars import IntentModel\n"
        "from fabricgen.site.workspace import open_workspace\n"
        "open_workspace(Path(sys.argv[1]))\n"
        "below = {each for kind in IntentModel.__subclasses__() for each in (kind, *kind.__subclasses__())}\n"
        "print(len(below) > 20, *sorted(each.__name__ for each in below if each.__pydantic_complete__))"
    )
    command = [sys.executable, "-c", script, str(intent)]
    environment = os.environ | {"PYTHONPYCACHEPREFIX": str(tmp_path / "bytecode")}
    found = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert found.stdout.split() == ["True", "Intent"]


def test_an_output_that_can_not_hold_a_sign_is_no_bug(intent: Path, spawn: Spawn) -> None:
    result = spawn("plan", intent, PYTHONIOENCODING="ascii", PYTHONUTF8="0", LC_ALL="C")
    assert (result.returncode, result.stderr) == (0, "")


def test_a_reader_that_leaves_early_is_no_bug(intent: Path) -> None:
    command = [sys.executable, "-m", "fabricgen", "plan", str(intent), "--cables"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 1


@pytest.mark.parametrize("form", some(["--json", "", "--markdown"]))
def test_a_reader_that_leaves_early_does_not_change_what_a_diff_found(
    intent: Path, tmp_path: Path, run: Run, form: str
) -> None:
    backend_only(intent)
    assert run("render", intent, "-o", tmp_path / "out").exit_code == 0
    for code in (0, 3):
        if code:
            edit(intent, "site: dc1", "site: dc2")
        reads, writes = os.pipe()
        os.close(reads)
        command = [
            sys.executable,
            "-m",
            "fabricgen",
            "diff",
            str(intent),
            "--against",
            str(tmp_path / "out"),
            *form.split(),
        ]
        result = subprocess.run(command, stdout=writes, stderr=subprocess.PIPE, text=True, check=False)
        os.close(writes)
        assert (result.returncode, "BrokenPipe" in result.stderr) == (code, False), result.stderr


def test_a_full_disk_under_the_results_is_no_bug(intent: Path) -> None:
    with Path("/dev/full").open("w") as full:
        command = [sys.executable, "-m", "fabricgen", "plan", str(intent), "--cables"]
        result = subprocess.run(command, stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert (result.returncode, result.stderr) == (1, "the results cannot be written: No space left on device\n")


def test_progress_is_for_a_terminal_and_for_long_work(intent: Path, tmp_path: Path) -> None:
    backend_only(intent)
    for limit, terminal, shown in ((5, True, True), (5, False, False), (200, True, False)):
        patch = f"import fabricgen.cli.common.progress as told; told.FROM = {limit}"
        out = tmp_path / f"out{limit}{terminal}"
        words = patched(patch, "render", intent, "-o", out)
        told = on_terminal(words) if terminal else subprocess.run(words, capture_output=True, check=True).stderr
        assert (b"rendering" in told) is shown
        assert (b"100%" in told) is shown
        assert b"files written" in told


def test_interrupted_the_old_tree_stays(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    backend_only(intent)
    run("render", intent, "-o", out)
    edit(intent, "site: dc1", "site: dc2")
    before = tree(tmp_path)
    stage = out / ".fabricgen/fabricgen-tmp-stage/files"
    # Slow enough to be met while it stages files.
    slow = "import time, fabricgen.render.tree as t; r = t.resolve; t.resolve = lambda *a: (time.sleep(0.05), r(*a))[1]"
    with subprocess.Popen(
        patched(slow, "render", intent, "-o", out), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        until = time.monotonic() + 20
        while not stage.exists() and time.monotonic() < until:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=20)
    assert process.returncode == 130
    assert stdout == ""
    assert stderr.strip() == "interrupted: unfinished work is undone, or completed by the next run"
    assert tree(tmp_path) == before
    assert not stage.parent.exists()
    assert run("render", intent, "-o", out).exit_code == 0


def test_a_folder_whose_name_is_no_text_is_printed_with_its_octets(intent: Path, tmp_path: Path) -> None:
    """A terminal of UTF-8 is strict by default: Python's surrogates cannot be written to it."""
    odd = tmp_path / os.fsdecode(b"caf\xe9")
    shutil.copytree(intent.parent, odd)
    command = [sys.executable, "-m", "fabricgen", "explain", str(odd / intent.name), "be-leaf-000"]
    environment = os.environ | {"PYTHONIOENCODING": "utf-8:strict"}
    result = subprocess.run(command, capture_output=True, check=False, env=environment)
    assert (result.returncode, result.stderr) == (0, b"")
    assert rb"caf\udce9" in result.stdout
