"""`fabricgen init`: every combination that is offered renders at once; nothing is overwritten or half-written."""

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from fabricgen.cli.init_choose import systems
from fabricgen.cli.init_model import DESIGNS, LEAF_SPINE, Answers, library
from fabricgen.cli.verbs import init
from fabricgen.documents import read_document
from fabricgen.hardware.catalog import load_catalog
from fabricgen.intent.fabric import LeafSpine, RailOnly, RailOptimized, Tor
from fabricgen.platforms import PLATFORMS
from tests.cli.conftest import Run

SMALL = ("--model", "dgx-h100", "--servers", 4)
COMBINATIONS = [
    (system, design, frontend)
    for system in systems()
    for design in DESIGNS
    for frontend in ((True,) if design == LEAF_SPINE else (True, False))
]


def test_all_designs_and_platforms_are_offered() -> None:
    models = (RailOptimized, Tor, RailOnly, LeafSpine)
    assert {model.model_fields["design"].annotation.__args__[0] for model in models} == set(DESIGNS)  # type: ignore[union-attr]
    assert {system.partition("-")[0] for system in systems()} == set(PLATFORMS)
    catalog = load_catalog(None)
    assert set(library("servers")) == set(catalog.servers)
    assert set(library("switches")) == set(catalog.switches)


@pytest.mark.parametrize(("system", "design", "frontend"), COMBINATIONS)
def test_it_renders_at_once(tmp_path: Path, run: Run, system: str, design: str, frontend: bool) -> None:
    file = tmp_path / "new/site.yaml"
    more = [] if frontend else ["--no-frontend"]
    made = run("init", file, "--design", design, *SMALL, "--os", system, *more, "--json")
    assert made.exit_code == 0
    told = json.loads(made.stdout)
    assert [told["backend"] is not None, told["frontend"] is not None] == [design != LEAF_SPINE, frontend]
    assert [path.name for path in file.parent.iterdir()] == ["site.yaml"]
    result = run("render", file, "-o", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (0, "")
    assert len([path for path in (tmp_path / "out").iterdir() if path.is_dir()]) == told["switches"] + 1
    value = read_document(file).value
    assert isinstance(value, dict)
    fabrics = value["fabrics"]
    assert {body["topology"]["design"] for body in fabrics.values()} == {design, *([LEAF_SPINE] if frontend else [])}
    assert {body["leaf"]["os"] for body in fabrics.values()} == {system}
    can = PLATFORMS[system.partition("-")[0]].can("pfc")
    is_lossless = can is not None and not can.refusal
    assert ("transport: roce-lossless" in file.read_text()) is (is_lossless and design != LEAF_SPINE)


def test_what_is_asked_for_is_written(tmp_path: Path, run: Run) -> None:
    file = tmp_path / "intent.yaml"
    words = ["--design", "tor", *SMALL, "--planned", 64, "--os", systems()[0], "--site", "dc7", "--no-frontend"]
    models = ["--leaf", "arista-7060x6-64pe", "--spine", "arista-7060dx5-64s"]
    assert run("init", file, *words, *models).exit_code == 0
    text = file.read_text()
    assert "train: {model: dgx-h100, slots: 0-3, planned: 64}" in text
    assert "leaf: {model: arista-7060x6-64pe" in text
    assert "spine: {model: arista-7060dx5-64s" in text
    assert "\nsite: dc7\n" in text
    assert "tenants:" not in text
    again = tmp_path / "again.yaml"
    run("init", again, *words, *models)
    assert again.read_text() == text


def test_the_spines_that_were_chosen_are_written(tmp_path: Path, run: Run) -> None:
    """A larger plan asks for them in words: it recables nothing that stands unasked."""
    file = tmp_path / "intent.yaml"
    words = ["--design", "rail-optimized", "--model", "dgx-h100", "--servers", 64, "--os", "eos-4.34"]
    assert run("init", file, *words).exit_code == 0
    value = read_document(file).value
    assert isinstance(value, dict)
    spines = {name: body["topology"]["spines"] for name, body in value["fabrics"].items()}
    assert spines == {"backend": {"now": 4, "planned": 4}, "frontend": {"now": 2, "planned": 2}}
    assert run("render", file, "-o", tmp_path / "out").exit_code == 0
    file.write_text(file.read_text().replace("planned: 64}", "planned: 512}"))
    told = run("validate", file)
    assert told.exit_code == 1
    assert "4 spines can not serve 64 leaves" in told.stderr


@pytest.mark.parametrize("taken", ["intent.yaml", "fabricgen.lock"])
def test_nothing_is_overwritten(tmp_path: Path, run: Run, taken: str) -> None:
    (tmp_path / taken).write_text("mine")
    result = run("init", tmp_path / "intent.yaml", "--design", "tor", *SMALL, "--os", systems()[0], "--json")
    assert (result.exit_code, json.loads(result.stdout)["problems"][0]["code"]) == (1, "init-exists")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [(taken, "mine")]


def test_one_that_comes_meanwhile_stays(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "intent.yaml"
    choose = init._choose

    def late(answers: Answers) -> object:
        file.write_text("mine")
        return choose(answers)

    monkeypatch.setattr(init, "_choose", late)
    result = run("init", file, "--design", "rail-only", *SMALL, "--os", systems()[0], "--no-frontend", "--json")
    assert (result.exit_code, json.loads(result.stdout)["problems"][0]["code"]) == (1, "output-write")
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("intent.yaml", "mine")]


def test_a_leaf_that_was_asked_for_gets_other_spines(tmp_path: Path, run: Run) -> None:
    """16 leaves stand under no spine of eight 400G ports, as this leaf is."""
    words = ["--design", "rail-optimized", "--model", "dgx-h100", "--servers", "8", "--os", "eos-4.34", "--no-frontend"]
    result = run("init", tmp_path / "intent.yaml", *words, "--leaf", "arista-7050cx4-24d8", "--json")
    assert result.exit_code == 0
    chosen = json.loads(result.stdout)["backend"]
    assert chosen["leaf"] == "arista-7050cx4-24d8"
    assert chosen["spine"] not in ("", "arista-7050cx4-24d8")


def test_leaves_alone_have_nothing_to_balance(tmp_path: Path, run: Run) -> None:
    words = [
        "--design",
        "rail-only",
        *SMALL,
        "--os",
        "eos-4.34",
        "--no-frontend",
        "--leaf",
        "arista-7060x6-64pe",
        "--json",
    ]
    result = run("init", tmp_path / "intent.yaml", *words)
    assert json.loads(result.stdout)["backend"]["load_balancing"] == "ecmp"


@pytest.mark.parametrize(
    ("change", "code", "fix"),
    [
        (["--model", "dgx-h10"], "unknown-name", "did you mean dgx-h100?"),
        (["--os", "eos-4.33"], "unknown-name", "did you mean eos-4.34?"),
        (["--leaf", "arista-7060x6-64p"], "unknown-name", "did you mean arista-7060x6-64pe?"),
        (["--site", "Foo_1"], "bad-name", "write another, e.g. --site dc1"),
        (["--model", "storage-2x200"], "init-nics", "name another --model, or leave that fabric out"),
        (["--servers", "100000", "--leaf", "arista-7060dx5-32"], "init-nothing-fits", ""),
    ],
)
def test_what_can_not_be_is_told_and_nothing_is_written(
    tmp_path: Path, run: Run, change: list[str], code: str, fix: str
) -> None:
    words = ["--design", "tor", *SMALL, "--os", "eos-4.34", "--no-frontend", *change]
    result = run("init", tmp_path / "new/intent.yaml", *words, "--json")
    (problem,) = json.loads(result.stdout)["problems"]
    assert (result.exit_code, problem["code"]) == (1, code)
    assert problem["fix"].startswith(fix)
    assert problem["fix"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "say --design, --model, --servers, --os"),
        (["--design", "tor", "--servers", "4"], "say --model, --os"),
        (["--design", "mesh"], "'mesh' is not one of"),
        (["--design", LEAF_SPINE, "--no-frontend"], "leave --no-frontend out"),
        (["--servers", "0"], "--servers"),
        (["--servers", "5", "--planned", "2"], "--planned 2 is fewer than --servers 5"),
    ],
)
def test_without_a_terminal_the_missing_options_are_named(
    tmp_path: Path, run: Run, words: list[str], told: str
) -> None:
    result = run("init", tmp_path / "intent.yaml", *words)
    assert result.exit_code == 2
    assert told in result.stderr
    assert list(tmp_path.iterdir()) == []


def test_on_a_terminal_it_asks_for_what_was_not_said(tmp_path: Path) -> None:
    """Answers: the third server model by name, the servers offered, 16 planned, the system offered, no frontend."""
    code, told = typed(tmp_path, b"dgx-h100\n\n16\n\nn\n", "--design", "rail-only")
    assert code == 0, told
    text = (tmp_path / "intent.yaml").read_text()
    assert "train: {model: dgx-h100, slots: 0-7, planned: 16}" in text
    assert "frontend" not in text
    assert "design: rail-only" in text
    assert b"servers to reserve numbers for [8]" in told
    assert b"design [" not in told


def typed(folder: Path, answers: bytes, *words: str) -> tuple[int, bytes]:
    """Exit code and stderr of `init` on a terminal of its own, answers typed ahead."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "fabricgen", "init", *words]
    told = b""
    with subprocess.Popen(command, cwd=folder, stdin=theirs, stdout=theirs, stderr=theirs) as process:
        os.close(theirs)
        os.write(ours, answers)
        try:
            while piece := os.read(ours, 4096):
                told += piece
        except OSError:  # how Linux says that the other end of a terminal is closed
            pass
    os.close(ours)
    return process.returncode, told
