"""A fault that several fabrics meet is one fault."""

from pathlib import Path

from tests.cli.conftest import Run
from tests.cli.sites import DEMO


def test_a_model_that_two_fabrics_connect_is_unknown_once(tmp_path: Path, run: Run) -> None:
    text = DEMO.read_text(encoding="utf-8")
    intent = tmp_path / "intent.yaml"
    intent.write_text(text.replace("model: dgx-h100", "model: dgx-h10"), encoding="utf-8")
    result = run("validate", intent)
    assert result.exit_code == 1
    assert result.output.count("unknown server model dgx-h10") == 1
