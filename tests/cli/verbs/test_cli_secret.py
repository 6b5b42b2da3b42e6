"""`fabricgen secret hash`: a hash that the systems take, of a password that is in no argument and in no output."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from fabricgen.cli import main
from tests.cli.conftest import Run

PASSWORD = 'correct "horse $1'  # noqa: S105 - of no account


def made(*systems: str, typed: str = f"{PASSWORD}\n") -> Result:
    words = [word for system in systems for word in ("--for", system)]
    return CliRunner().invoke(main, ["secret", "hash", *words], input=typed, catch_exceptions=False)


def by_libc(password: str, hashed: str) -> str:
    """What crypt(3) of the C library makes of the password with the salt of a hash."""
    call = ["perl", "-e", "print crypt($ENV{PASSWORD}, $ENV{HASHED})"]
    return subprocess.run(
        call, env={**os.environ, "PASSWORD": password, "HASHED": hashed}, capture_output=True, text=True, check=True
    ).stdout


@pytest.mark.parametrize(
    ("systems", "form"),
    [
        (("eos",), "$6$"),
        (("nxos-10.5",), "$5$"),
        (("junos", "srlinux", "cumulus", "eos"), "$6$"),
        (("nxos", "junos"), "$5$"),
        (("nxos", "cumulus"), "$5$"),
    ],
)
def test_the_hash_is_of_the_password_and_in_the_form_of_all(systems: tuple[str, ...], form: str) -> None:
    result = made(*systems)
    assert (result.exit_code, result.stderr) == (0, "")
    hashed = result.stdout.removesuffix("\n")
    assert hashed.startswith(form)
    assert by_libc(PASSWORD, hashed) == hashed
    assert by_libc(f"{PASSWORD} ", hashed) != hashed


def test_two_hashes_of_one_password_have_other_salts() -> None:
    assert made("eos").stdout != made("eos").stdout


@pytest.mark.parametrize("typed", ["", "\n", "p\u00e4ss\n", "tab\tword\n", "x" * 257 + "\n"])
def test_what_is_no_password_is_refused_and_not_shown(typed: str) -> None:
    result = made("eos", typed=typed)
    assert (result.exit_code, result.stdout) == (1, "")
    assert "1 to 256 printable ASCII characters" in result.stderr
    assert not typed.strip() or typed.strip() not in result.stderr


def test_systems_without_a_common_form(run: Run) -> None:
    result = run("secret", "hash", "--for", "eos", "--for", "nxos")
    assert result.exit_code == 1
    assert "no hash is valid on Arista EOS, Cisco NX-OS" in result.stderr
    assert "overrides" in result.stderr


@pytest.mark.parametrize("system", ["sonic", "frr-8.4"])
def test_accounts_of_linux_are_not_ours(run: Run, system: str) -> None:
    result = run("secret", "hash", "--for", system)
    assert result.exit_code == 1
    assert "passwd" in result.stderr


@pytest.mark.parametrize(("system", "near"), [("eso", "eos"), ("eos-4.3", "eos-4.33")])
def test_an_unknown_system_is_a_usage_error(run: Run, system: str, near: str) -> None:
    result = run("secret", "hash", "--for", system)
    assert result.exit_code == 2
    assert f"did you mean {near}?" in result.stderr


def test_the_password_is_in_no_argument(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A program in front of openssl writes down how it was called."""
    seen = tmp_path / "seen"
    wrapper = tmp_path / "openssl"
    wrapper.write_text(f'#!/bin/sh\necho "$0 $@" > {seen}\nenv >> {seen}\nPATH=/usr/bin:/bin exec openssl "$@"\n')
    wrapper.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    assert made("eos").exit_code == 0
    assert "passwd -6 -stdin" in seen.read_text()
    assert PASSWORD not in seen.read_text()


@pytest.mark.parametrize("broken", [None, "exit 1", "echo no hash"])
def test_without_openssl_nothing_is_printed(
    broken: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if broken is not None:
        (tmp_path / "openssl").write_text(f"#!/bin/sh\n{broken}\n")
        (tmp_path / "openssl").chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    result = made("eos")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "error[secret-program]" in result.stderr
    assert "openssl" in result.stderr


def test_a_terminal_asks_twice_and_shows_nothing() -> None:
    ours, theirs = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "fabricgen", "secret", "hash", "--for", "eos"],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=theirs,
        start_new_session=True,
        text=True,
    ) as process:
        os.close(theirs)
        shown = b""
        for prompt in (b"Password: ", b"Again: "):
            while prompt not in shown:
                shown += os.read(ours, 1024)
            os.write(ours, f"{PASSWORD}\n".encode())
        hashed, _ = process.communicate(timeout=60)
    assert by_libc(PASSWORD, hashed.strip()) == hashed.strip()
    assert PASSWORD.encode() not in shown
    os.close(ours)
