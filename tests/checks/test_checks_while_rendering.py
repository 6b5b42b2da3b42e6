"""The rules on switches are held while they are rendered: what breaks one leaves nothing behind."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from fabricgen.checks.switches import watch as switches
from fabricgen.cli import main
from fabricgen.device.device import Device
from fabricgen.errors import Problem
from tests.cli.sites import DEMO


def test_a_broken_switch_is_told_and_nothing_is_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    told = Problem(code="valley-path", what="a path bends", why="it was made to", fix="nothing")
    monkeypatch.setattr(switches, "_judged", lambda _plan, _name, _seen: iter([told]))
    intent = tmp_path / "intent.yaml"
    intent.write_text(DEMO.read_text())
    result = CliRunner().invoke(main, ["render", str(intent), "-o", str(tmp_path / "out")])
    assert result.exit_code == 1
    assert "error[valley-path]: a path bends" in result.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["intent.yaml"]


def test_every_switch_is_looked_at(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    seen: list[str] = []
    look = switches.Watch.add_switch

    def counted(self: switches.Watch, device: Device) -> None:
        seen.append(device.name)
        look(self, device)

    monkeypatch.setattr(switches.Watch, "add_switch", counted)
    intent = tmp_path / "intent.yaml"
    intent.write_text(DEMO.read_text())
    assert CliRunner().invoke(main, ["render", str(intent), "-o", str(tmp_path / "out")]).exit_code == 0
    assert sorted(seen) == sorted(
        path.name for path in (tmp_path / "out").iterdir() if path.is_dir() and "-" in path.name
    )
