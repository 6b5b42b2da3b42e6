"""`schema` and `completion`, and what a shell is told when somebody presses Tab."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.shell_completion import ShellComplete

from fabricgen.cli import VERBS, main
from fabricgen.cli.common import options
from fabricgen.cli.schema.command import INTENT, KINDS, file_schema, models
from fabricgen.source.document import read_document
from tests.cli.conftest import Run, Spawn

ROOT = Path(__file__).parents[3]
HEAVY = {"pydantic", "pydantic_core", "jinja2", "yaml", "netaddr", "napalm", "netmiko", "nornir", "rich"}
FILES = {
    "overlay": 'overlay: 1\nfloor: "3/4"\noverrides: {be-spine-03: {state: drained}}\n',
    "pools": "pools: 1\nsites: {dc1: dc1/intent.yaml}\nipv4: {oob: {range: 10.0.0.0/16, parts: {dc1: 10.0.0.0/20}}}\n",
    "expect": "expect: 1\nchanges: [{devices: [be-*], risk: hitless}]\n",
    "switch": ROOT / "fabricgen/hardware/switches/arista-7060x6-64pe.yaml",
    "asic": ROOT / "fabricgen/hardware/asics/tomahawk5.yaml",
    "server": ROOT / "fabricgen/hardware/servers/dgx-h100.yaml",
    "media": ROOT / "fabricgen/hardware/media.yaml",
}


def completed(*words: str) -> list[str]:
    """What a shell is offered for the last of these words; of files and folders, that it is to offer those."""
    found = ShellComplete(main, {}, "fabricgen", "_FABRICGEN_COMPLETE").get_completions(list(words[:-1]), words[-1])
    return [item.value if item.type == "plain" else f"any {item.type}" for item in found]


def as_an_editor(value: Any) -> Any:  # noqa: ANN401 - whatever YAML holds
    """What YAML 1.2 reads: a decimal is a number there, and with us a word that the model reads."""
    match value:
        case dict():
            return {key: as_an_editor(below) for key, below in value.items()}
        case list():
            return [as_an_editor(below) for below in value]
        case str() if re.fullmatch(r"[0-9]+[.][0-9]+(e-?[0-9]+)?", value):
            return float(value)
    return value


def test_schema_is_the_file_of_the_project(run: Run) -> None:
    result = run("schema")
    assert (result.exit_code, result.stdout, result.stderr) == (0, file_schema(INTENT), "")
    assert run("schema", "--intent").stdout == result.stdout


@pytest.mark.parametrize("kind", FILES)
def test_every_kind_of_file_has_a_schema_that_takes_it(run: Run, tmp_path: Path, kind: str) -> None:
    content = FILES[kind]
    path = content if isinstance(content, Path) else tmp_path / "file.yaml"
    if isinstance(content, str):
        path.write_text(content)
    schema = json.loads(run("schema", f"--{kind}").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    value = as_an_editor(read_document(path).value)
    jsonschema.validate(value, schema)
    assert schema["title"] == f"fabricgen {kind}"
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(value | {"unknown": 1}, schema)


def test_kinds_and_models_are_one_list() -> None:
    assert list(models()) == list(KINDS)
    assert {"intent", *FILES} == set(KINDS)


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_is_given_its_script(run: Run, shell: str) -> None:
    result = run("completion", shell)
    assert result.exit_code == 0
    assert f"_FABRICGEN_COMPLETE={shell}_complete" in result.stdout
    assert run("completion", "tcsh").exit_code == 2


def test_bash_takes_the_script(spawn: Spawn, tmp_path: Path) -> None:
    (tmp_path / "script").write_text(spawn("completion", "bash", PYTHONPATH=str(ROOT)).stdout)
    told = subprocess.run(
        ["bash", "--norc", "-c", ". ./script; complete -p fabricgen"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert told.stdout.rstrip().endswith("-F _fabricgen_completion fabricgen")


def test_bash_asks_and_is_told(intent: Path) -> None:
    """The words that the script passes on, and what comes back, line by line."""
    command = [sys.executable, "-c", "import sys; sys.argv = ['fabricgen']; from fabricgen.cli import main; main()"]
    asked = {"_FABRICGEN_COMPLETE": "bash_complete", "COMP_WORDS": "fabricgen ex", "COMP_CWORD": "1"}
    result = subprocess.run(
        command, cwd=intent.parent, env=os.environ | asked | {"PYTHONPATH": str(ROOT)},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (result.stdout, result.stderr) == ("plain,explain\nplain,export\n", "")


def test_tab_knows_verbs_options_and_files() -> None:
    assert completed("") == list(VERBS)
    assert {"--templates", "--scenario", "--out"} <= set(completed("render", "--"))
    assert completed("plan", "") == ["any file"]
    assert completed("completion", "z") == ["zsh"]
    assert completed("init", "--model", "dgx-h1") == ["dgx-h100"]
    assert completed("init", "--design", "rail-on") == ["rail-only"]
    assert completed("init", "--os", "fr") == ["frr-10.3", "frr-8.4"]
    assert completed("lab", "up", "x.yaml", "--subset", "s") == ["spines=", "superspines=", "servers="]
    assert completed("lab", "up", "x.yaml", "--subset", "spines=1,s") == ["spines=1,superspines=", "spines=1,servers="]
    assert completed("bogus", "") == completed("")


def test_tab_knows_the_names_of_the_intent(intent: Path) -> None:
    intent.write_text(intent.read_text() + "scenarios: {night: {}, noon: {}}\n")
    name = str(intent)
    assert completed("render", name, "--scenario", "") == ["base", "night", "noon"]
    assert completed("render", name, "--scenario", "ni") == ["night"]
    assert completed("render", name, "--renumber", "") == ["backend", "frontend"]
    assert completed("render", name, "--device", "be-s") == [f"be-spine-0{at}" for at in range(4)]
    assert completed("explain", name, "s") == ["storage", "serving", "store"]
    assert completed("explain", name, "be-s") == [f"be-spine-0{at}" for at in range(4)]
    assert completed("render", "none.yaml", "--scenario", "") == ["base"]
    intent.write_text("fabricgen: [")
    assert completed("explain", name, "be-s") == []


def test_no_names_of_a_large_site_are_waited_for(intent: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "MOST_SWITCHES", 19)
    assert completed("explain", str(intent), "be-s") == []


def test_help_imports_nothing_heavy() -> None:
    """Of every verb, one after the other in one process: what one of them imports stays for those behind it."""
    program = """\
import json, sys
from fabricgen.cli import main
found = []
for words in json.loads(sys.argv.pop()):
    sys.argv[1:] = words
    try:
        main()
    except SystemExit as end:
        found.append((words, end.code, sorted({name.partition(".")[0] for name in sys.modules})))
print("\\n" + json.dumps(found))
"""
    asked = [["--help"], ["nothing"], ["lab", "up", "-h"], *([verb, "-h"] for verb in VERBS)]
    command = [sys.executable, "-c", program, json.dumps(asked)]
    result = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    found = json.loads(result.stdout.splitlines()[-1])
    assert [(words, code) for words, code, _ in found] == [(words, 2 if words == ["nothing"] else 0) for words in asked]
    for words, _, imported in found:
        assert "click" in imported
        assert not HEAVY & {*imported}, words
