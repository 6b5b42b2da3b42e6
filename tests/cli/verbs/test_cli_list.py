"""`fabricgen list`: nothing that the library, the platforms' folders or the pages of codes have is left out."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.checks.catalogue import CHECKS, NOTES
from fabricgen.cli.list.command import PARTS
from fabricgen.explain.code import code_words
from fabricgen.explain.meanings import OF_CHECKS, OF_MESSAGES
from fabricgen.finding_codes.catalogue import LIVE_CHECKS
from fabricgen.platforms import PLATFORMS
from tests.cli.conftest import Run, Spawn
from tests.some import some

ROOT = Path(__file__).parents[3]
HARDWARE = ROOT / "fabricgen/hardware"


def library(kind: str) -> dict[str, dict[str, Any]]:
    """Name of a model → its file as it is written."""
    return {path.stem: yaml.safe_load(path.read_text()) for path in (HARDWARE / kind).glob("*.yaml")}


def listed(run: Run, what: str, *words: object) -> Any:  # noqa: ANN401 - JSON
    result = run("list", what, "--json", *words)
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def row(text: str, name: str) -> str:
    """The line of a table that begins with a name."""
    found = [line for line in text.splitlines() if line.split(None, 1)[:1] == [name]]
    assert found, f"no line of {name}"
    return found[0]


def test_every_switch_of_the_library_is_listed(run: Run) -> None:
    files, text = library("switches"), run("list", "hardware").stdout
    rows = {found["model"]: found for found in listed(run, "hardware")["switches"]}
    assert len(files) > 20
    assert set(rows) == set(files)
    for name, file in files.items():
        assert (rows[name]["vendor"], rows[name]["asic"]) == (file["vendor"], file["asic"])
        assert set(rows[name]["systems"]) == set(file["port_names"])
        assert all(word in row(text, name) for word in (file["vendor"], file["asic"], *file["port_names"]))


def _backends() -> Iterator[tuple[str, str]]:
    """Models and systems whose rail-optimized backend of 400G can be planned."""
    for name, file in library("switches").items():
        speeds = {mode["speed_gbps"] for run in file["cages"] for mode in run["modes"] if not run.get("service")}
        if 400 in speeds and sum(1 for run in file["cages"] if not run.get("service")) == 1:
            yield from ((name, system) for system in file["port_names"])


@pytest.mark.parametrize(("model", "system"), some(sorted(_backends()), of=9))
def test_what_is_listed_as_lossless_is_planned_so(run: Run, tmp_path: Path, model: str, system: str) -> None:
    """`init` makes a backend lossless where every check lets it."""
    intent = tmp_path / "intent.yaml"
    release = PLATFORMS[system].releases[-1].name
    words = ("--design", "rail-optimized", "--model", "dgx-h100", "--servers", 32, "--no-frontend")
    made = run("init", intent, *words, "--os", f"{system}-{release}", "--leaf", model, "--spine", model)
    assert made.exit_code == 0, made.output
    rows = {found["model"]: found for found in listed(run, "hardware")["switches"]}
    is_listed = 400 in {found["system"]: found["speeds"] for found in rows[model]["lossless"]}.get(system, ())
    text = intent.read_text()
    if is_listed and "transport: best-effort" in text:
        # Only thresholds and headroom of all ports of this very fabric may be what it cannot have.
        intent.write_text(text.replace("transport: best-effort", "transport: roce-lossless"))
        told = json.loads(run("validate", intent, "--json").stdout)
        assert {problem["code"] for problem in told["problems"]} <= {"ecn-thresholds", "headroom-pool"}
    else:
        assert is_listed is ("transport: roce-lossless" in text)


def test_only_what_is_asked_for_is_listed(run: Run) -> None:
    every, fast, lossless, both = (
        listed(run, "hardware", *words)
        for words in ((), ("--speed", 800), ("--lossless",), ("--lossless", "--speed", 800))
    )
    of_800 = [row["model"] for row in every["switches"] if 800 in {count["speed_gbps"] for count in row["ports"]}]
    assert [row["model"] for row in fast["switches"]] == of_800
    assert {nic["speed_gbps"] for row in fast["servers"] for nic in row["nics"]} >= {800}
    assert all(800 in {nic["speed_gbps"] for nic in row["nics"]} for row in fast["servers"])
    assert {row["model"] for row in both["switches"]} <= set(of_800)
    assert {row["model"] for row in both["switches"]} <= {row["model"] for row in lossless["switches"]}
    by_name = {row["model"]: row for row in both["switches"]}
    assert by_name["nvidia-sn5600"]["systems"] == ["sonic", "cumulus"]
    assert "nvidia-sn5640" in {row["model"] for row in lossless["switches"]}
    assert run("list", "systems", "--speed", 800).exit_code == 2
    assert run("list", "hardware", "--speed", 0).exit_code == 2


def test_ports_are_those_of_the_title(run: Run) -> None:
    """A title says how many cages there are, as its maker does: `64 × 800G`."""
    text = run("list", "hardware").stdout
    for name, file in library("switches").items():
        cages = re.findall(r"(\d+) × (\d+)G", file["title"])
        found = {int(speed): int(count) for count, speed in re.findall(r"(\d+)×(\d+)G", row(text, name))}
        fastest = max(found)
        assert cages, name
        if name != "nvidia-sn5640":  # 64 cages of 2 × 400G
            assert found[fastest] == sum(int(count) for count, speed in cages if int(speed) == fastest), name
    assert "128×400G or 256×200G or 512×100G" in row(text, "nvidia-sn5640")


def test_every_server_and_its_nics_are_listed(run: Run) -> None:
    files, text = library("servers"), run("list", "hardware").stdout
    rows = {found["model"]: found for found in listed(run, "hardware")["servers"]}
    assert set(rows) == set(files)
    for name, file in files.items():
        assert rows[name]["gpus"] == file["gpus"]
        nics = {nic["name"]: (nic["ports"], nic["speed_gbps"], nic["vendor"]) for nic in rows[name]["nics"]}
        assert nics == {key: (len(nic["ports"]), nic["speed_gbps"], nic["vendor"]) for key, nic in file["nics"].items()}
        shown = [line for line in text.splitlines() if line.startswith(f"{name} ")]
        assert len(shown) == 1 + len(nics)
        for key, (ports, speed, _) in nics.items():
            assert any(f" {key} " in line and f" {ports}×{speed}G " in line for line in shown)


def test_every_system_is_listed_with_what_it_accepts(run: Run) -> None:
    folders = {path.parent.name for path in (ROOT / "fabricgen/platforms").glob("*/platform.py")} - {"base"}
    rows = {found["name"]: found for found in listed(run, "systems")["systems"]}
    text = run("list", "systems").stdout
    assert set(rows) == folders
    for name, found in rows.items():
        for release in found["releases"]:
            assert PLATFORMS[name].covers(release["covers"].rpartition(", ")[2].replace("*", "1"))
            assert release["write"] in row(text, name)
        assert all(role in row(text, name) for role in found["roles"])
    assert {"leaf", "border-leaf", "spine", "superspine"} == set(rows["eos"]["roles"])


def test_push_is_proven_where_the_page_of_platforms_says_so(run: Run) -> None:
    page = (ROOT / "docs/platforms.md").read_text()
    rows = {found["name"]: found for found in listed(run, "systems")["systems"]}
    for name, driver, said in re.findall(r"^`((\w+)[\w-]*)`: push: (proven|unproven)", page, re.MULTILINE):
        found = next((each for key, each in rows.items() if driver.startswith(key)), None)
        assert found is not None, name
        section = page.partition(f"`{name}`: push:")[2].partition("\n`")[0]
        refused = "no: refused by `push --commit`" in section
        assert found["push"] == ("refused" if refused else said), name
        assert bool(found["proven_by"]) == (said == "proven")
    assert [name for name, found in rows.items() if found["push"] == "proven"] == ["frr"]
    assert " refused" in row(run("list", "systems").stdout, "nxos")


def test_every_code_is_listed_with_its_severity_and_meaning(run: Run) -> None:
    rows = listed(run, "checks")["checks"]
    names = {check.name for check in (*CHECKS, *NOTES, *LIVE_CHECKS)}
    codes = {found["code"] for found in rows}
    assert set(code_words()) - names <= codes <= set(code_words())
    text = run("list", "checks").stdout
    for found in rows:
        assert len(found["meaning"].split()) > 1, found
        assert not found["meaning"].endswith("."), found
        assert "\n" not in found["meaning"]
        assert found["code"] in text
    assert len(rows) == len({(found["code"], found["found_by"]) for found in rows})


def test_the_codes_of_the_pages_are_listed(run: Run) -> None:
    rows = listed(run, "checks")["checks"]
    severities = {(found["code"], found["found_by"]): found["severity"] for found in rows}
    errors, _, warnings = (ROOT / "docs/checks.md").read_text().partition("\n# Warnings\n")
    for page, severity in ((errors, "error"), (warnings, "warning")):
        codes = re.findall(r"`([a-z0-9-]+)`", " ".join(re.findall(r"^Codes: (.*)$", page, re.MULTILINE)))
        assert len(codes) > 15
        assert {severities[code, "plan"] for code in codes} == {severity}
    findings = re.findall(r"^\| `([a-z0-9-]+)` \|", (ROOT / "docs/findings.md").read_text(), re.MULTILINE)
    assert len(findings) > 80
    assert {severities[code, "live"] for code in findings} == {"finding"}


def test_words_of_our_own_belong_to_codes_that_exist(run: Run) -> None:
    rows = listed(run, "checks")["checks"]
    assert set(OF_CHECKS) == {found["code"] for found in rows if found["found_by"] == "plan"}
    assert set(OF_MESSAGES) <= {found["code"] for found in rows if found["found_by"] == "input"}


@pytest.mark.parametrize("what", PARTS)
def test_a_table_fits_the_terminal(run: Run, monkeypatch: pytest.MonkeyPatch, what: str) -> None:
    wide = run("list", what).stdout
    assert max(map(len, wide.splitlines())) > 80
    for columns in (80, 100, 132):
        monkeypatch.setenv("COLUMNS", str(columns))
        narrow = run("list", what).stdout
        assert max(map(len, narrow.splitlines())) <= columns
        # Each word is still there, however it is wrapped.
        assert sorted(re.sub(r"[\s-]", "", narrow)) == sorted(re.sub(r"[\s-]", "", wide))


@pytest.mark.parametrize("what", some(PARTS))
def test_the_order_is_the_same_each_time_and_nothing_is_coloured(spawn: Spawn, what: str) -> None:
    first, second = (spawn("list", what, PYTHONHASHSEED=seed) for seed in ("1", "2"))
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == second.stdout
    assert "\x1b" not in first.stdout


def test_another_word_is_refused_with_those_that_are_known(run: Run) -> None:
    for words in (("list", "switches"), ("list",)):
        result = run(*words)
        assert (result.exit_code, result.stdout) == (2, "")
        assert all(what in result.stderr for what in PARTS)
