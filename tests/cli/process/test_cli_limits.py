"""What an operating system cannot be told: `render` says it with the words and the place of `validate`."""

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.nxos.fleet import document

RESERVED = 4000
"""NX-OS keeps VLANs 3968 to 4094 for itself (NX-OS Layer 2 guide, reserved VLANs)."""


@pytest.fixture
def reserved(tmp_path: Path) -> Path:
    """A site of NX-OS with a VLAN that NX-OS keeps for itself."""
    path = tmp_path / "intent.yaml"
    told = document("demo", {"tenants.serving.networks.hosts.vlan": RESERVED})
    path.write_text(json.dumps(told, indent=1), encoding="utf-8")
    return path


def place(intent: Path) -> str:
    """Where the network with the VLAN is written."""
    lines = intent.read_text(encoding="utf-8").splitlines()
    below = next(number for number, line in enumerate(lines, 1) if f'"vlan": {RESERVED}' in line)
    number = next(n for n in range(below, 0, -1) if '"networks"' in lines[n - 1])
    return f"intent.yaml:{number}:"


@pytest.mark.parametrize("words", [("-j", "1"), ("-j", "2"), ("--with-secrets",)], ids=" ".join)
def test_render_says_what_validate_says(words: tuple[str, ...], reserved: Path, tmp_path: Path, run: Run) -> None:
    told = run("validate", reserved)
    assert place(reserved) in told.stderr
    assert f"error[platform-limit]: VLAN {RESERVED}" in told.stderr
    done = run("render", reserved, "-o", tmp_path / "out", *words)
    assert done.exit_code == 1
    assert done.stderr.splitlines()[:-1] == told.stderr.splitlines()[:-1]
    assert not (tmp_path / "out").exists()


def test_one_switch_says_it_at_its_place_too(reserved: Path, run: Run) -> None:
    done = run("render", reserved, "--device", "fe-leaf-002")
    assert (done.exit_code, done.stdout) == (1, "")
    assert place(reserved) in done.stderr
    assert f"error[platform-limit]: VLAN {RESERVED}" in done.stderr
