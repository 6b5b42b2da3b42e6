"""`fabricgen plan`: results on stdout, problems on stderr with exit code 1."""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from fabricgen.cli import main
from tests.plan_page.sites import backend, frontend, intent_value


@pytest.fixture
def intent(tmp_path: Path) -> Callable[..., Path]:
    def write(**keys: Any) -> Path:  # noqa: ANN401 - keys of an intent
        fabrics = {"backend": backend(), "frontend": frontend()}
        path = tmp_path / "intent.yaml"
        path.write_text(json.dumps(intent_value(fabrics=fabrics) | keys, indent=1))
        return path

    return write


def test_the_page(intent: Callable[..., Path]) -> None:
    path = intent()
    found = CliRunner().invoke(main, ["plan", str(path)])
    assert found.exit_code == 0
    assert "error" not in found.stderr
    assert found.stdout.startswith("fabric backend: kind backend, design rail-optimized, 2 tiers\n")
    assert [child.name for child in path.parent.iterdir()] == ["intent.yaml"]


def test_json(intent: Callable[..., Path]) -> None:
    found = CliRunner().invoke(main, ["plan", str(intent()), "--json"])
    assert found.exit_code == 0
    assert json.loads(found.stdout)["fabrics"][1]["counts"]["end_to_end"] == 3


def test_cables(intent: Callable[..., Path]) -> None:
    found = CliRunner().invoke(main, ["plan", str(intent()), "--cables"])
    assert found.exit_code == 0
    assert "\n\n" not in found.stdout
    rows = list(csv.DictReader(found.stdout.splitlines()))
    # 256 + 256 of the backend; 64 and (4 + 2) x 4 of the frontend.
    assert len(rows) == 512 + 64 + 24
    as_json = CliRunner().invoke(main, ["plan", str(intent()), "--cables", "--json"])
    assert len(json.loads(as_json.stdout)["cables"]) == len(rows)


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ({"sites": "dc1"}, "unknown-key"),
        ({"servers": {"train": {"model": "dgx-h10", "slots": "0-31"}}}, "unknown-name"),
    ],
)
def test_problems_go_to_stderr(intent: Callable[..., Path], keys: dict[str, object], code: str) -> None:
    found = CliRunner().invoke(main, ["plan", str(intent(**keys))])
    assert (found.exit_code, found.stdout) == (1, "")
    assert f"error[{code}]" in found.stderr


def test_what_a_check_finds_stops_the_page(intent: Callable[..., Path]) -> None:
    # 2.66 times the pool is promised; the intent accepts no more than the pool itself.
    path = intent(fabrics={"backend": backend(roce={"headroom_overcommit": 1})})
    found = CliRunner().invoke(main, ["plan", str(path)])
    assert (found.exit_code, found.stdout) == (1, "")
    assert "error[headroom-pool]" in found.stderr


def test_an_unknown_option_is_a_usage_error() -> None:
    assert CliRunner().invoke(main, ["plan", "--cable"]).exit_code == 2


def test_a_gap_that_a_platform_is_not_told_is_said() -> None:
    """EOS has no sourced words for it (templates/eos/NOTES.md): the page must not promise what no line carries."""
    result = CliRunner().invoke(main, ["plan", str(Path(__file__).parents[2] / "inventories/demo/intent.yaml")])
    words = " ".join(result.stdout.split())
    assert "flowlet gap 128 us (not rendered on eos: the platform default applies)" in words


def test_the_mode_that_an_override_gives_to_the_whole_fabric_is_said(intent: Callable[..., Path]) -> None:
    made = intent(
        fabrics={"backend": backend(load_balancing="ecmp")}, overrides={"backend": {"load_balancing": "cluster"}}
    )
    (line,) = [
        each for each in CliRunner().invoke(main, ["plan", str(made)]).stdout.splitlines() if "balancing " in each
    ]
    assert line.split()[:2] == ["balancing", "cluster;"]
