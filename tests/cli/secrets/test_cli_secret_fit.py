"""A secret of the wrong form is refused on every way to a switch, by its field, and is never told."""

import json
import os
from pathlib import Path

import pytest
import yaml

from fabricgen.cli.render.secrets import Filling
from fabricgen.platforms.base.forms import WORDS
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from fabricgen.site.workspace import open_workspace
from tests.cli.conftest import Run
from tests.cli.sites import tree
from tests.platforms.test_secret_shapes import CUT, EXPANDED, SHA512
from tests.secret_hashes import HASHES
from tests.secret_sites import SYSTEMS, TACACS, VALUES, intent_of, site_of
from tests.some import some

PASSWORD = "hunter2"  # noqa: S105 - of nobody
EOS, NXOS, CUMULUS = "eos-4.34", "nxos-10.5", "cumulus-5.11"


@pytest.fixture(autouse=True)
def environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in {**VALUES, "ADMIN_HASH": PASSWORD}.items():
        monkeypatch.setenv(name, value)


def refused(run: Run, *words: object) -> str:
    """What is told of a refusal that has written nothing; secrets are not in it."""
    result = run(*words)
    assert result.exit_code == 1, result.output
    assert set(codes(result.stderr)) == {"secret-shape"}
    for value in (*(os.environ[name] for name in VALUES), TACACS):
        assert len(value) < 3 or value not in result.output
    return result.stderr


def codes(told: str) -> list[str]:
    return [line.partition("error[")[2].partition("]")[0] for line in told.splitlines() if "error[" in line]


WITH_USERS = [name for name, system in SYSTEMS.items() if "users" in system.has]


@pytest.mark.parametrize("name", some(WITH_USERS))
@pytest.mark.parametrize("value", [PASSWORD, CUT, EXPANDED, "$9$abc", "x" * 5000])
def test_a_password_is_no_hash(
    name: str, value: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The operator's own slips: the password itself, a hash cut short, and what a shell leaves of one."""
    monkeypatch.setenv("ADMIN_HASH", value)
    path, out = site_of(name, tmp_path / "site"), tmp_path / "out"
    told = refused(run, "render", path, "-o", out, "--with-secrets")
    lines = path.read_text().splitlines()
    line = next(at for at, text in enumerate(lines, 1) if "ADMIN_HASH" in text)
    column = lines[line - 1].index("${env:ADMIN_HASH}") + 1
    assert f"{path}:{line}:{column}: error[secret-shape]: the secret ${{env:ADMIN_HASH}} is not a valid" in told
    assert "`users.*.password`" in told
    assert 'fix: export ADMIN_HASH="$(openssl passwd -' in told
    assert "5000" not in told
    assert not out.exists()
    assert not (path.parent / "fabricgen.lock").exists()


RIGHT = {
    EOS: SHA512,
    NXOS: HASHES["sha256"],
    CUMULUS: HASHES["yescrypt"],
    "junos-24.4": HASHES["md5"],
    "srlinux-25.3": HASHES["yescrypt"],
}


@pytest.mark.parametrize("name", WITH_USERS)
def test_a_hash_of_the_system_is_taken(name: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADMIN_HASH", RIGHT[name])
    out = tmp_path / "out"
    assert run("render", site_of(name, tmp_path / "site"), "-o", out, "--with-secrets").exit_code == 0
    assert sum(RIGHT[name] in content.decode() for content in tree(out).values()) == 4


def test_a_wrong_one_is_not_even_staged(tmp_path: Path) -> None:
    """Files are written as they come, and taken away where there is a problem: none may have had it meanwhile."""
    workspace = open_workspace(site_of(EOS, tmp_path / "site"))
    filling = Filling(workspace)
    device = next(iter(devices(workspace.plan)))
    filling.switch(device)
    (file,) = Renderer().render(device)
    assert filling.text(file.marked, WORDS) == ""
    assert len(filling.problems) == 1


def test_all_fields_are_told_at_once_each_with_its_place(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUTH", "seven77")
    monkeypatch.setenv("PRIV", "p")
    path = site_of("junos-24.4", tmp_path / "site")
    told = refused(run, "render", path, "-o", tmp_path / "out", "--with-secrets")
    assert codes(told) == ["secret-shape"] * 3
    for field in ("users.*.password", "snmp.auth", "snmp.privacy"):
        assert f"is not a valid `{field}` on Juniper Junos 24.4" in told
    assert told.count(f"{path}:") == 3
    assert 'fix: `export AUTH="$(openssl rand -hex 8)"`, and set it on the server or manager, too' in told


def test_a_file_is_told_by_its_name(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADMIN_HASH", HASHES["sha256"])
    path = site_of(NXOS, tmp_path / "site")
    (path.parent / "keys/tacacs").write_text("k" * 64)
    told = refused(run, "render", path, "-o", tmp_path / "out", "--with-secrets")
    assert "the secret ${file:keys/tacacs} is not a valid `aaa.key` on Cisco NX-OS 10.5" in told
    assert (
        "fix: `openssl rand -hex 8 > keys/tacacs` in the folder of the intent, and set it on the server or manager, too"
        in told
    )
    assert "at most 63 characters" in told


def test_as_json_the_problem_has_its_place(tmp_path: Path, run: Run) -> None:
    path = site_of(EOS, tmp_path / "site")
    result = run("render", path, "-o", tmp_path / "out", "--with-secrets", "--json")
    assert result.exit_code == 1
    (problem,) = json.loads(result.stdout)["problems"]
    assert (problem["code"], problem["path"]) == ("secret-shape", "management.users.admin.password")
    assert PASSWORD not in result.output


def mixed(folder: Path, other: str, **overrides: object) -> Path:
    """The backend of EOS, whose spines run another system."""
    path = site_of(EOS, folder)
    intent = {**intent_of(EOS), "raw": []}
    own = {"os": other, "model": SYSTEMS[other].model}
    intent["fabrics"] = {"backend": intent["fabrics"]["backend"] | {"spine": own, "mtu": SYSTEMS[other].mtu}}
    intent["overrides"] = overrides
    path.write_text(yaml.safe_dump(intent, sort_keys=False))
    return path


def test_one_account_on_two_systems_that_share_no_form(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = mixed(tmp_path / "site", NXOS), tmp_path / "out"
    for value, cannot in (
        (PASSWORD, "Arista EOS 4.34, Cisco NX-OS 10.5"),
        (SHA512, "Cisco NX-OS 10.5"),
        (HASHES["sha256"], "Arista EOS 4.34"),
    ):
        monkeypatch.setenv("ADMIN_HASH", value)
        told = refused(run, "render", path, "-o", out, "--with-secrets")
        assert f"is not a valid `users.*.password` on {cannot}\n" in told
        assert "no form is valid for all that use ${env:ADMIN_HASH}" in told
        assert "(Arista EOS 4.34: openssl passwd -6; Cisco NX-OS 10.5: openssl passwd -5)" in told
    # What is told to be typed is typed.
    monkeypatch.setenv("ADMIN_HASH", SHA512)
    monkeypatch.setenv("NXOS_HASH", HASHES["sha256"])
    users = {"users": {"admin": {"password": "${env:NXOS_HASH}"}}}
    path = mixed(tmp_path / "parted", NXOS, **{"backend/spine": {"management": users}})
    result = run("render", path, "-o", out, "--with-secrets")
    assert result.exit_code == 0, result.output


def test_one_account_on_two_systems_gets_the_form_that_both_take(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADMIN_HASH", HASHES["yescrypt"])
    path, out = mixed(tmp_path / "site", "junos-24.4"), tmp_path / "out"
    told = refused(run, "render", path, "-o", out, "--with-secrets")
    assert "is not a valid `users.*.password` on Arista EOS 4.34, Juniper Junos 24.4\n" in told
    assert "Arista EOS 4.34: a SHA-512 hash ($6$): " in told
    assert "Juniper Junos 24.4: a SHA-512 hash ($6$), a SHA-256 hash ($5$) or an MD5 hash ($1$): " in told
    assert (
        'fix: `export ADMIN_HASH="$(openssl passwd -6)"`, which all that use it accept: `users.*.password` on' in told
    )


def test_a_key_that_stands_in_two_fields_is_told_in_the_one_that_it_does_not_fit(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ADMIN_HASH", SHA512)
    monkeypatch.setenv("AUTH", "seven77")
    path = site_of(EOS, tmp_path / "site")
    text = path.read_text().replace("${file:keys/tacacs}", "${env:AUTH}")
    path.write_text(text)
    told = refused(run, "render", path, "-o", tmp_path / "out", "--with-secrets")
    line = next(at for at, text in enumerate(text.splitlines(), 1) if "auth: ${env:AUTH}" in text)
    assert f"{path}:{line}:" in told
    assert "is not a valid `snmp.auth` on" in told
    assert "`aaa.key` on Arista EOS 4.34" in told


def test_a_hash_is_never_offered_as_a_key(tmp_path: Path, run: Run) -> None:
    path = site_of(EOS, tmp_path / "site")
    path.write_text(path.read_text().replace("${file:keys/tacacs}", "${env:ADMIN_HASH}"))
    told = refused(run, "render", path, "-o", tmp_path / "out", "--with-secrets")
    assert (
        "fix: the hash of a password is not a key: `users.*.password` on Arista EOS 4.34, `aaa.key` on Arista EOS"
        in told
    )
    assert "Give each a reference of its own (Arista EOS 4.34: openssl passwd -6; " in told


def test_the_place_is_that_of_the_override(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ADMIN_HASH", SHA512)
    monkeypatch.setenv("OTHER", PASSWORD)
    users = {"users": {"admin": {"password": "${env:OTHER}"}}}
    path = site_of(EOS, tmp_path / "site")
    intent = {**intent_of(EOS), "overrides": {"be-leaf-001": {"management": users}}}
    path.write_text(yaml.safe_dump(intent, sort_keys=False))
    told = refused(run, "render", path, "-o", tmp_path / "out", "--with-secrets")
    line = next(at for at, text in enumerate(path.read_text().splitlines(), 1) if "OTHER" in text)
    assert f"{path}:{line}:" in told
    assert codes(told) == ["secret-shape"]


@pytest.mark.parametrize(
    "value", ["", " ", "a b", "a\nb", f"{SHA512}\n", f" {SHA512}", "ümlaut", "\u2028", "a\tb", "\x7f"]
)
def test_what_is_no_word_is_refused_as_ever(
    value: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a variable nothing is cut off: a shell would have done so."""
    monkeypatch.setenv("ADMIN_HASH", value)
    path = site_of(EOS, tmp_path / "site")
    result = run("render", path, "-o", tmp_path / "out", "--with-secrets")
    assert result.exit_code == 1
    assert codes(result.stderr) == ["secret-shape"]
    assert f"{path}:" in result.stderr
    assert "write it as one word of printable ASCII" in result.stderr


@pytest.mark.parametrize("name", [EOS, CUMULUS])
def test_no_lab_of_containerlab_gets_a_wrong_one(
    name: str, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, out = site_of(name, tmp_path / "site"), tmp_path / "lab"
    words = ("export", "containerlab", path, "-o", out, "--with-secrets")
    told = refused(run, *words)
    assert f"{path}:" in told
    assert "is not a valid `users.*.password`" in told
    assert not out.exists()
    monkeypatch.setenv("ADMIN_HASH", SHA512)
    assert run(*words).exit_code == 0


def test_a_lab_without_secrets_says_what_a_variable_must_be(tmp_path: Path, run: Run) -> None:
    out = tmp_path / "lab"
    assert run("export", "containerlab", site_of(EOS, tmp_path / "site"), "-o", out).exit_code == 0
    text = (out / "README.md").read_text()
    form = "users.*.password: a SHA-512 hash ($6$), as `openssl passwd -6` prints one"
    assert f"    export ADMIN_HASH=…  # {form}\n" in text
    assert "    export RAW_KEY=…\n" in text


def test_without_secrets_nothing_is_asked_of_them(tmp_path: Path, run: Run) -> None:
    path = site_of(EOS, tmp_path / "site")
    assert run("validate", path).exit_code == 0
    assert run("render", path, "-o", tmp_path / "out").exit_code == 0
