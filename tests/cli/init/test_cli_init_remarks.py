"""Remarks that `init` writes beside its keys are true: what they say is done."""

from pathlib import Path

from click.testing import CliRunner

from fabricgen.cli import main
from fabricgen.platforms.base.secret_shape import SHA512

HASH = SHA512.example


def test_what_is_said_of_passwords(tmp_path: Path) -> None:
    """Rendered files hold the reference; a file beside the intent may have the hash; `--with-secrets` fills it in."""
    file = tmp_path / "intent.yaml"
    asked = ["--design", "rail-only", "--model", "dgx-b200", "--servers", "4", "--os", "eos-4.34", "--no-frontend"]
    assert CliRunner().invoke(main, ["init", str(file), *asked]).exit_code == 0
    text = file.read_text(encoding="utf-8")
    assert '"${env:NAME}" is a variable of the environment, "${file:PATH}" a file in' in text
    assert "`push` and `render --with-secrets` fill" in text
    file.write_text(text.replace("${env:ADMIN_HASH}", "${file:admin.hash}"), encoding="utf-8")
    (tmp_path / "admin.hash").write_text(HASH + "\n", encoding="utf-8")
    for more, word in (([], "${file:admin.hash}"), (["--with-secrets"], HASH)):
        out = tmp_path / f"out{len(more)}"
        result = CliRunner().invoke(main, ["render", str(file), "-o", str(out), *more])
        assert result.exit_code == 0, result.stderr
        (device, *_) = sorted(out.glob("be-leaf-*"))
        assert any(word in each.read_text(encoding="utf-8") for each in device.iterdir())
