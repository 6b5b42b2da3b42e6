"""Secrets of an export: references that containerlab fills in, or files for one user."""

import json
import stat
from pathlib import Path

import pytest

from fabricgen.base.secret import MARK
from tests.export.conftest import SMALL, Run
from tests.export.expanding import expanded
from tests.export.test_export_containerlab import exported
from tests.secret_sites import SYSTEMS, VALUES, site_of
from tests.some import some


def test_secrets_stay_references_and_are_filled_in_by_containerlab(eos: Path, run: Run) -> None:
    out, _, told = exported(run, eos, "--subset", SMALL)
    assert told["variables"] == ["ADMIN_HASH"]
    text = (out / "be-leaf-000/startup-config").read_text()
    assert "secret sha512 ${ADMIN_HASH}\n" in text
    assert "${env:" not in text
    found = expanded(text, {"ADMIN_HASH": "$6$salt$hash"})
    assert "secret sha512 $6$salt$hash\n" in found
    assert "export ADMIN_HASH=" in (out / "README.md").read_text()


def test_secrets_that_are_asked_for_are_for_one_user(eos: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "$6$HOME{{x$" + "h4sh" * 21 + "./"
    monkeypatch.setenv("ADMIN_HASH", secret)
    out, _, told = exported(run, eos, "--subset", SMALL, "--with-secrets")
    path = out / "be-leaf-000/startup-config"
    assert f"secret sha512 {secret}\n" in expanded(path.read_text(), {"HOME": "/root"})
    assert told["variables"] == []
    for found in out.rglob("*"):
        if found.is_file() and ("6$$HOME" in found.read_text() or secret in found.read_text()):
            assert stat.S_IMODE(found.stat().st_mode) == 0o600, found
    assert secret not in json.dumps(told)
    path.chmod(0o644)
    exported(run, eos, "--subset", SMALL, "--with-secrets")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert (out / ".gitignore").read_text() == (out / ".fabricgen/.gitignore").read_text() == "*\n"
    assert stat.S_IMODE(out.stat().st_mode) == 0o700


@pytest.mark.parametrize("words", [(), ("--with-secrets",)], ids=["without", "with"])
def test_a_topology_with_secrets_and_one_without_are_never_mixed(
    eos: Path, run: Run, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...]
) -> None:
    for name in ("ADMIN_HASH", "TACACS_KEY", "SNMP_AUTH", "SNMP_PRIVACY", "FW1_KEY"):
        monkeypatch.setenv(name, "s3cr3t-word")
    monkeypatch.setenv("ADMIN_HASH", VALUES["ADMIN_HASH"])
    out, other = eos.parent.parent / "mixed", () if words else ("--with-secrets",)
    call = ("export", "containerlab", eos, "-o", out, "--subset", SMALL)
    assert run(*call, *words).exit_code == 0
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file()}
    refused = run(*call, *other)
    assert refused.exit_code == 1
    assert "error[output-secrets]" in refused.stderr
    assert {path: path.read_bytes() for path in out.rglob("*") if path.is_file()} == before


def test_a_mounted_file_can_not_wait_for_the_deploy(frr: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 0.79 frr.conf is mounted as it is; from 0.80 on it is a startup configuration."""
    frr.write_text(frr.read_text() + 'raw:\n- {system: frr, lines: ["! ${env:KEY}"], references: ["${env:KEY}"]}\n')
    out = frr.parent.parent / "old"
    words = ("export", "containerlab", frr, "-o", out, "--subset", SMALL, "--containerlab", "0.79")
    result = run(*words)
    assert result.exit_code == 1
    assert "--with-secrets" in result.stderr
    assert not out.exists()
    monkeypatch.setenv("KEY", "a$b")
    assert run(*words, "--with-secrets").exit_code == 0
    assert "! a$b\n" in (out / "be-leaf-000/frr/frr.conf").read_text()
    _, _, told = exported(run, frr, "--subset", SMALL, "--containerlab", "0.80")
    assert told["variables"] == ["KEY"]


def test_a_secret_that_is_not_there_is_named(eos: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ADMIN_HASH", raising=False)
    out = eos.parent / "lab"
    result = run("export", "containerlab", eos, "-o", out, "--with-secrets")
    assert result.exit_code == 1
    assert "the environment variable ADMIN_HASH is not set" in result.stderr
    assert not out.exists()


def test_signs_of_containerlab_in_a_users_text(eos: Path, run: Run) -> None:
    text = eos.read_text()
    hostile = 'raw:\n- {system: eos, lines: ["banner $HOME ${PATH} {{ .ShortName }} $$ 100%"]}\n'
    eos.write_text(text + hostile)
    out, _, _ = exported(run, eos, "--subset", SMALL)
    found = expanded((out / "be-leaf-000/startup-config").read_text(), {"HOME": "/root", "PATH": "/bin"})
    assert "banner $HOME ${PATH} {{ .ShortName }} $$ 100%\n" in found


CANARY = VALUES["VAULT_TOKEN"]


def nodes_of(run: Run, name: str, folder: Path, *words: str) -> tuple[dict[str, str], dict[str, object]] | None:
    """Files of the leaf as containerlab reads them; None for a system that it has no node for."""
    out = folder / "lab"
    done = run("export", "containerlab", folder / "site/intent.yaml", "-o", out, "--json", *words)
    if done.exit_code != 0:
        codes = {problem["code"] for problem in json.loads(done.stdout)["problems"]}
        assert codes <= ({"platform-cannot", "export-kind"} | (set() if words else {"export-secret"}))
        return None
    document = next(out.glob("*.clab.yml")).read_text()
    found = {path.name: path.read_text() for path in (out / "be-leaf-000").rglob("*") if path.is_file()}
    starts = {file for file in found if f"startup-config: __clabNodeName__/{file}" in document}
    files = {file: expanded(text, VALUES) if file in starts else text for file, text in found.items()}
    return files, json.loads(done.stdout)


@pytest.mark.parametrize("words", [(), ("--with-secrets",)], ids=["references", "secrets"])
@pytest.mark.parametrize("name", some(SYSTEMS, of=6))
def test_a_topology_fills_in_what_is_typed_alone(
    name: str, words: tuple[str, ...], run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable, value in VALUES.items():
        monkeypatch.setenv(variable, value)
    site_of(name, tmp_path / "site")
    found = nodes_of(run, name, tmp_path, *words)
    if found is None:
        return
    files, told = found
    assert not [file for file, text in files.items() if CANARY in text or MARK in text]
    assert "VAULT_TOKEN" not in json.dumps(told)
    assert any("${env:VAULT_TOKEN}" in text for text in files.values())
    assert any(VALUES["RAW_KEY"] in text for text in files.values())


def test_a_secret_that_no_node_gets_is_not_read_for_nothing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node has no SNMP and no TACACS+: their servers are not in the lab, so their secrets need not be here."""
    monkeypatch.setenv("ADMIN_HASH", VALUES["ADMIN_HASH"])
    monkeypatch.setenv("RAW_KEY", VALUES["RAW_KEY"])
    monkeypatch.setenv("AUTH", "short")
    monkeypatch.delenv("PRIV", raising=False)
    path = site_of("eos-4.34", tmp_path / "site")
    assert run("export", "containerlab", path, "-o", tmp_path / "lab", "--with-secrets").exit_code == 0
