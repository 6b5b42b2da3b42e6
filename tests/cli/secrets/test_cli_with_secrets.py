"""`render --with-secrets`: loadable by hand, for one user alone, and never mixed with a tree without."""

import json
import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest
import yaml

from fabricgen.base.secret import MARK
from fabricgen.output.manifest import digest, read_manifest
from tests.cli.conftest import Run
from tests.cli.sites import tree
from tests.judges import junos as junos_judge
from tests.judges import sonic as sonic_judge
from tests.secret_sites import PLAIN, PLAIN_FILE, SYSTEMS, TACACS, VALUES, intent_of, site_of, values_of

SYSTEM = "eos-4.34"
LEAF = "be-leaf-000/startup-config"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in VALUES.items():
        monkeypatch.setenv(name, value)


@pytest.fixture
def intent(tmp_path: Path) -> Path:
    return site_of(SYSTEM, tmp_path / "site")


def modes(out: Path) -> set[tuple[bool, int]]:
    return {(path.is_dir(), stat.S_IMODE(path.stat().st_mode)) for path in (out, *out.rglob("*"))}


def refused(run: Run, code: str, *words: object) -> str:
    result = run(*words)
    assert result.exit_code == 1
    assert f"error[{code}]" in result.stderr
    assert not [value for value in (*VALUES.values(), TACACS) if value in result.output]
    return result.stderr


@pytest.mark.parametrize("name", SYSTEMS)
def test_secrets_stand_where_they_are_typed_and_nowhere_else(
    name: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    values = values_of(name)
    monkeypatch.setenv("ADMIN_HASH", values["ADMIN_HASH"])
    path, out = site_of(name, tmp_path / "site"), tmp_path / "out"
    result = run("render", path, "-o", out, "--with-secrets")
    assert result.exit_code == 0, result.output
    assert "4 files hold secrets in clear text" in result.stderr
    assert not [value for value in (*values.values(), TACACS) if value in result.output]
    whole = "".join(content.decode() for file, content in tree(out).items() if file.startswith("be-leaf-000/"))
    assert VALUES["VAULT_TOKEN"] not in whole
    assert MARK not in whole
    assert VALUES["RAW_KEY"] in whole
    assert "${env:RAW_KEY}" not in whole
    assert "${env:VAULT_TOKEN}" in whole
    has = SYSTEMS[name].has
    assert (values["ADMIN_HASH"] in whole) == ("users" in has)
    assert (TACACS in whole) == ("aaa" in has)
    assert all((text in whole) == ("snmp" in has) for text in (VALUES["AUTH"], VALUES["PRIV"], PLAIN_FILE))
    assert PLAIN in whole or not has
    assert modes(out) == {(True, 0o700), (False, 0o600)}
    plain = tmp_path / "plain"
    assert run("render", path, "-o", plain).exit_code == 0
    files = {file for file in tree(plain) if not file.startswith(".fabricgen")}
    assert {file for file in tree(out) if not file.startswith(".")} == files
    everything = b"".join(tree(plain).values())
    assert not [value for value in (*values.values(), TACACS) if value.encode() in everything]


@pytest.mark.parametrize("release", ["202505", "master"])
@pytest.mark.skipif(sonic_judge.available() is not None, reason=str(sonic_judge.available()))
def test_the_makers_model_takes_the_file_of_sonic(release: str, tmp_path: Path, run: Run) -> None:
    """It refuses the colon of a reference, and with it the file that is rendered without secrets."""
    path = site_of(f"sonic-{release}", tmp_path / "site")
    path.write_text(yaml.safe_dump({**intent_of(f"sonic-{release}"), "raw": []}, sort_keys=False))
    assert run("render", path, "-o", tmp_path / "plain").exit_code == 0
    assert run("render", path, "-o", tmp_path / "out", "--with-secrets").exit_code == 0
    for device in ("be-leaf-000", "be-spine-00"):
        assert sonic_judge.faults((tmp_path / "out" / device / "config_db.json").read_text(), release) == []
        assert sonic_judge.faults((tmp_path / "plain" / device / "config_db.json").read_text(), release) != []


@pytest.mark.skipif(junos_judge.available() is not None, reason=str(junos_judge.available()))
def test_the_makers_model_takes_the_file_of_junos(tmp_path: Path, run: Run) -> None:
    path = site_of("junos-24.4", tmp_path / "site")
    path.write_text(yaml.safe_dump({**intent_of("junos-24.4"), "raw": []}, sort_keys=False))
    assert run("render", path, "-o", tmp_path / "out", "--with-secrets").exit_code == 0
    assert junos_judge.faults((tmp_path / "out/be-leaf-000/juniper.conf").read_text()) == []


def test_a_tree_without_secrets_gets_none(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    assert run("render", intent, "-o", out).exit_code == 0
    before, told = tree(out), modes(out)
    refused(run, "output-secrets", "render", intent, "-o", out, "--with-secrets")
    assert (tree(out), modes(out)) == (before, told)


def test_a_tree_with_secrets_gets_no_files_without(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    assert run("render", intent, "-o", out, "--with-secrets").exit_code == 0
    before = tree(out)
    refused(run, "output-secrets", "render", intent, "-o", out)
    refused(run, "output-secrets", "export", "nornir", intent, "-o", out)
    assert tree(out) == before


def test_a_folder_of_somebody_else_is_left_alone(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "thesis"
    out.mkdir(mode=0o755)
    (out / "chapter.tex").write_text("years of work")
    refused(run, "output-not-ours", "render", intent, "-o", out, "--with-secrets")
    assert [path.name for path in out.iterdir()] == ["chapter.tex"]
    assert stat.S_IMODE(out.stat().st_mode) == 0o755


def test_it_is_private_whatever_stood_there(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    out.mkdir()
    out.chmod(0o777)
    before = os.umask(0)
    try:
        assert run("render", intent, "-o", out, "--with-secrets").exit_code == 0
        assert modes(out) == {(True, 0o700), (False, 0o600)}
        (out / LEAF).chmod(0o644)
        (out / "be-leaf-000").chmod(0o755)
        out.chmod(0o755)
        assert run("render", intent, "-o", out, "--with-secrets").exit_code == 0
        assert modes(out) == {(True, 0o700), (False, 0o600)}
        assert os.umask(0) == 0
    finally:
        os.umask(before)


def test_the_manifest_says_what_lies_there(
    intent: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "out"
    words = ("render", intent, "-o", out, "--with-secrets", "--json")
    told = json.loads(run(*words).stdout)
    assert told["secrets"] == 4
    manifest = read_manifest(out)
    assert manifest is not None
    assert dict(manifest.devices) == {}
    assert {path: digest((out / path).read_bytes()) for path in manifest.files} == dict(manifest.files)
    again = json.loads(run(*words).stdout)
    assert (again["written"], again["edited"]) == ([], [])
    # A secret that has changed is found though no input has.
    monkeypatch.setenv("AUTH", "another-one")
    changed = json.loads(run(*words).stdout)
    assert len(changed["written"]) == 4
    assert "another-one" in (out / LEAF).read_text()
    (out / LEAF).write_text("by hand")
    assert json.loads(run(*words).stdout)["edited"] == [LEAF]


def test_what_leads_nowhere_is_told_at_once_and_nothing_is_written(
    intent: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("AUTH")
    monkeypatch.setenv("PRIV", "two words")
    (intent.parent / "keys/tacacs").unlink()
    lock = intent.parent / "fabricgen.lock"
    told = refused(run, "secret-missing", "render", intent, "-o", tmp_path / "out", "--with-secrets")
    assert all(
        text in told
        for text in ("the environment variable AUTH is not set", "${env:PRIV}", "keys/tacacs does not exist")
    )
    assert f"{intent}:" in told
    assert told.count("error[") == 3
    assert not (tmp_path / "out").exists()
    assert not lock.exists()
    monkeypatch.setenv("VAULT_TOKEN", "")
    assert run("render", intent, "-o", tmp_path / "plain").exit_code == 0


@pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")
def test_git_takes_nothing_of_it(intent: Path, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    subprocess.run(["git", "init", "--quiet", str(tmp_path)], check=True)
    out = intent.parent / "secrets/out"
    assert run("render", intent, "-o", out, "--with-secrets").exit_code == 0
    # As a render that was killed leaves it.
    (out / ".fabricgen/fabricgen-tmp-stage/files").mkdir(parents=True)
    (out / ".fabricgen/fabricgen-tmp-stage/files/x").write_text(TACACS)
    subprocess.run(["git", "-C", str(tmp_path), "add", "--all"], check=True)
    listed = subprocess.run(["git", "-C", str(tmp_path), "ls-files"], check=True, capture_output=True, text=True)
    assert sorted(listed.stdout.split()) == ["site/fabricgen.lock", "site/intent.yaml", "site/keys/tacacs"]
    assert (
        subprocess.run(
            ["git", "-C", str(tmp_path), "add", str(out / LEAF)], capture_output=True, check=False
        ).returncode
        != 0
    )


def test_what_a_killed_render_left_is_no_tree_without_secrets(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    (out / ".fabricgen/fabricgen-tmp-stage").mkdir(parents=True)
    (out / ".fabricgen/.gitignore").write_text("*\n")
    refused(run, "output-secrets", "render", intent, "-o", out)
    assert run("render", intent, "-o", out, "--with-secrets").exit_code == 0
    assert not (out / ".fabricgen/fabricgen-tmp-stage").exists()


def test_nothing_is_compared_with_it(intent: Path, tmp_path: Path, run: Run) -> None:
    out = tmp_path / "out"
    assert run("render", intent, "-o", out, "--with-secrets").exit_code == 0
    (out / LEAF).write_text(f"{TACACS}\n")
    refused(run, "against-secrets", "diff", intent, "--against", out)
    (out / ".fabricgen/manifest.json").write_text("{}")
    refused(run, "against-secrets", "diff", intent, "--against", out)


@pytest.mark.parametrize("words", [("--device", "be-leaf-000"), ("--cluster", "tcp://127.0.0.1:1")])
def test_secrets_go_to_no_terminal_and_to_no_other_machine(
    intent: Path, tmp_path: Path, run: Run, words: tuple[str, ...]
) -> None:
    result = run("render", intent, "--with-secrets", *words)
    assert result.exit_code == 2
    assert "--with-secrets" in result.stderr
    assert not [value for value in VALUES.values() if value in result.output]
    assert not (tmp_path / "out").exists()


def test_a_problem_of_the_switches_writes_nothing(intent: Path, tmp_path: Path, run: Run) -> None:
    text = intent.read_text().replace("overrides:\n", "overrides:\n  be-leaf-001:\n    mtu: 1500\n")
    intent.write_text(text)
    assert run("validate", intent).exit_code == 1
    result = run("render", intent, "-o", tmp_path / "out", "--with-secrets")
    assert result.exit_code == 1
    assert not (tmp_path / "out").exists()
