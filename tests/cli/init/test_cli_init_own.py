"""`fabricgen init` with hardware of one's own, and with planes: as every other verb takes and refuses them."""

import io
import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from fabricgen.cli.init import ask as init_ask
from fabricgen.cli.init.model import InitAnswers, gpu_servers
from fabricgen.hardware.catalog import OURS
from tests.cli.conftest import Run
from tests.some import some

WORDS = ("--design", "rail-optimized", "--servers", 32, "--os", "eos-4.34", "--no-frontend")


def own(folder: Path) -> Path:
    """Write a switch and a server of one's own; return the folder."""
    for kind, model, name in (("switches", "arista-7060x6-64pe", "my-box"), ("servers", "dgx-h100", "my-gpus")):
        text = (OURS / kind / f"{model}.yaml").read_text().replace(f"model: {model}\n", f"model: {name}\n", 1)
        (folder / kind).mkdir(parents=True)
        (folder / kind / f"{name}.yaml").write_text(text)
    return folder


def refused(run: Run, *words: object) -> dict[str, str | None]:
    result = run("init", *words, "--json")
    assert result.exit_code == 1, result.output
    problem: dict[str, str | None] = json.loads(result.stdout)["problems"][0]
    return problem


def test_hardware_of_another_folder_is_copied_and_renders(tmp_path: Path, run: Run) -> None:
    folder, file = own(tmp_path / "ours"), tmp_path / "dc1/intent.yaml"
    made = run("init", file, *WORDS, "--model", "my-gpus", "--leaf", "my-box", "--hardware", folder)
    assert made.exit_code == 0, made.output
    assert f"{tmp_path}/dc1/hardware: copied from {folder}" in made.stderr
    assert "leaf: {model: my-box" in file.read_text()
    copied = {path.relative_to(file.parent / "hardware") for path in (file.parent / "hardware").rglob("*.yaml")}
    assert copied == {Path("switches/my-box.yaml"), Path("servers/my-gpus.yaml")}
    assert run("render", file, "-o", tmp_path / "out").exit_code == 0


def test_hardware_beside_the_intent_is_known(tmp_path: Path, run: Run) -> None:
    own(tmp_path / "hardware")
    file = tmp_path / "intent.yaml"
    made = run("init", file, *WORDS, "--model", "my-gpus", "--spine", "my-box", "--hardware", tmp_path / "hardware")
    assert made.exit_code == 0, made.output
    assert "copied" not in made.stderr
    assert run("validate", file).exit_code == 0


def test_hardware_that_is_wrong_or_would_be_overwritten_is_refused(tmp_path: Path, run: Run) -> None:
    folder, file = own(tmp_path / "ours"), tmp_path / "dc1/intent.yaml"
    near = refused(run, file, *WORDS, "--model", "my-gpu", "--hardware", folder)
    assert (near["code"], near["fix"]) == ("unknown-name", "did you mean my-gpus?")
    near = refused(run, file, *WORDS, "--model", "my-gpus", "--leaf", "my-bax", "--hardware", folder)
    assert str(near["fix"]).startswith("did you mean my-box? A model of your own is a file in switches/")
    box = folder / "switches/my-box.yaml"
    text = box.read_text()
    box.write_text(text.replace("mtu: ", "mut: "))
    wrong = refused(run, file, *WORDS, "--model", "my-gpus", "--hardware", folder)
    assert (wrong["code"], wrong["file"]) == ("unknown-key", str(box))
    assert not file.parent.exists()
    box.write_text(text)
    own(file.parent / "hardware")
    both = refused(run, file, *WORDS, "--model", "my-gpus", "--hardware", folder)
    assert both["code"] == "init-exists"
    assert both["what"] == f"{file.parent}/hardware already exists"
    assert not file.exists()


@pytest.mark.parametrize(
    ("model", "options", "topology"),
    some(
        [
            ("dgx-h100", ("--rails-per-plane", 4), "{design: rail-optimized, rails_per_plane: 4, spines:"),
            ("dgx-b300", ("--planes", 4), "{design: rail-optimized, planes: 4, spines:"),
        ],
        of=2,
    ),
)
def test_planes_and_rails_per_plane_are_written(
    tmp_path: Path, run: Run, model: str, options: tuple[object, ...], topology: str
) -> None:
    """B300's NICs have 800G in 1, 2 or 4 slices; a DGX H100 has eight rails."""
    path = tmp_path / "intent.yaml"
    assert run("init", path, *WORDS, "--model", model, *options).exit_code == 0
    assert topology in path.read_text()
    assert run("validate", path).exit_code == 0


@pytest.mark.parametrize(
    ("options", "code", "fix"),
    [
        (("dgx-b300", "--planes", 3), "nic-slices", "use --planes 1 or 2 or 4, or another --model"),
        (("dgx-h100", "--planes", 2), "nic-slices", "use --planes 1, or another --model"),
        (("dgx-h100", "--rails-per-plane", 3), "rail-planes", "use --rails-per-plane 1"),
    ],
)
def test_planes_that_cannot_be_are_refused_as_in_an_intent(
    tmp_path: Path, run: Run, options: tuple[object, ...], code: str, fix: str
) -> None:
    problem = refused(run, tmp_path / "intent.yaml", *WORDS, "--model", *options)
    assert (problem["code"], problem["fix"], problem["file"]) == (code, fix, None)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("design", "option", "told"),
    [
        ("tor", "--rails-per-plane", "--rails-per-plane is for --design rail-optimized"),
        ("leaf-spine", "--planes", "--planes is for a backend, and --design leaf-spine has none"),
    ],
)
def test_a_design_without_planes_takes_none(tmp_path: Path, run: Run, design: str, option: str, told: str) -> None:
    words = ("--design", design, "--model", "dgx-h100", "--servers", 8, "--os", "eos-4.34")
    result = run("init", tmp_path / "intent.yaml", *words, option, 2)
    assert (result.exit_code, told in result.stderr) == (2, True)


ANSWERS = InitAnswers(
    site="a", design="rail-optimized", model="dgx-b300", servers=8, planned=16, system="eos-4.34", frontend=False
)


@pytest.mark.parametrize(
    ("typed", "expected"),
    [
        ("planes\n4\n", {"planes": 4}),
        ("planes\n3\n1\n", {"planes": 1}),
        ("rails-per-plane\n2\n", {"rails_per_plane": 2}),
        ("model\ndgx-h100\n", {"model": "dgx-h100", "planes": 0, "rails_per_plane": 0}),
        ("design\ntor\n", {"design": "tor", "rails_per_plane": 0}),
    ],
)
def test_planes_can_be_changed_on_a_terminal(
    typed: str, expected: dict[str, object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three planes are none of the NIC's: it asks again. Another server has other NICs."""
    first = replace(ANSWERS, planes=2, rails_per_plane=4)
    monkeypatch.setattr(sys, "stdin", io.StringIO(typed))
    assert init_ask.changed(first) == replace(first, **expected)  # type: ignore[arg-type]


def test_planes_are_asked_for_where_the_nics_have_a_choice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("\n"))
    assert init_ask.ask_planes(ANSWERS) == 2, "the NIC's own number is offered"
    assert init_ask.ask_planes(replace(ANSWERS, model="dgx-h100")) == 0, "nothing is asked"


def test_own_servers_are_offered(tmp_path: Path) -> None:
    offered = gpu_servers(own(tmp_path / "hardware"))
    assert "my-gpus" in offered
    assert offered.index("my-gpus") < offered.index("storage-2x200"), "those with GPUs come first"
