"""`render --device`: one switch, as the tree has it."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.sites import edit, rendered


@pytest.mark.parametrize("name", ["be-leaf-002", "be-spine-03", "fe-border-01"])
def test_as_the_tree_has_it(name: str, intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    assert run("render", intent, "-o", out).exit_code == 0
    wanted = {path: content.decode() for path, content in rendered(out).items() if path.startswith(f"{name}/")}
    assert len(wanted) == 1
    done = run("render", intent, "--device", name)
    assert (done.exit_code, done.stdout) == (0, *wanted.values())
    assert done.stderr == f"{name}: only this switch was rendered; check the site with fabricgen validate\n"
    told = json.loads(run("render", intent, "--device", name, "--json").stdout)
    assert told == {"device": name, "files": wanted}


def test_files_stand_behind_their_names_where_there_are_several(tmp_path: Path, run: Run) -> None:
    site = Path(__file__).parents[3] / "inventories/frr/intent.yaml"
    intent = tmp_path / "intent.yaml"
    intent.write_text(site.read_text())
    out = tmp_path / "out"
    assert run("render", intent, "-o", out).exit_code == 0
    wanted = "".join(
        f"==> {path} <==\n{content.decode()}" for path, content in _own(rendered(out), "fe-leaf-000").items()
    )
    done = run("render", intent, "--device", "fe-leaf-000")
    assert done.exit_code == 0
    assert sorted(done.stdout.splitlines()) == sorted(wanted.splitlines())


def _own(files: dict[str, bytes], name: str) -> dict[str, bytes]:
    return {path: content for path, content in files.items() if path.startswith(f"{name}/")}


def test_nothing_is_written(intent: Path, run: Run) -> None:
    assert run("render", intent, "--device", "be-leaf-002").exit_code == 0
    assert [path.name for path in intent.parent.iterdir()] == ["intent.yaml"]


@pytest.mark.parametrize("name", ["be-leaf-999", "be-leaf-2", "nobody"])
def test_a_name_of_no_switch_is_refused(name: str, intent: Path, run: Run) -> None:
    done = run("render", intent, "--device", name)
    assert (done.exit_code, done.stdout) == (1, "")
    assert f"error[unknown-name]: unknown switch {name}" in done.stderr
    assert "  fix: write the name of a switch: be-leaf-000 to be-leaf-003, be-spine-00 to be-spine-03, " in done.stderr


def test_what_is_absent_has_no_files(intent: Path, run: Run) -> None:
    intent.write_text("overrides: {fe-leaf-002: {state: absent}}\n" + intent.read_text())
    done = run("render", intent, "--device", "fe-leaf-002")
    assert (done.exit_code, done.stdout) == (1, "")
    assert "error[device-absent]" in done.stderr


def test_a_broken_intent_is_told(intent: Path, run: Run) -> None:
    edit(intent, "planned: 192", "planed: 192")
    done = run("render", intent, "--device", "be-leaf-002")
    assert done.exit_code == 1
    assert "planed" in done.stderr


@pytest.mark.parametrize("words", [("-o", "out"), ("--locked",), ("--renumber", "backend"), ("-j", "2")])
def test_options_of_the_tree_are_refused(words: tuple[str, ...], intent: Path, run: Run) -> None:
    done = run("render", intent, "--device", "be-leaf-002", *words)
    assert done.exit_code == 2
    assert "writes nothing" in done.stderr
