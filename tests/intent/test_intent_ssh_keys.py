"""Public keys of users: what ssh-keygen writes is taken, and what is no whole public key is refused with a fix."""

import shutil
import subprocess
from pathlib import Path

import pytest

from fabricgen.base.ssh_key import SshKey, parse_ssh_key
from tests.host import require

ED25519 = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGYR9S1ccv0INcgZMrGg3PjgrqcwDWmaoJSfRYGd9Cx5"
RSA_1024 = (
    "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAAAgQDpqh/IR/qOe/KEMCyZWqWRYTsGpHLzKhBBrdasFgBmXMXHGKrjfxwv5KXRnCB2v/Kdj0QIIHpe"
    "P51V6ykVlFp0/kwEtB6fTeLsYOzdZz7VBjBAAicB/ovVP0fL2pCXp6fCX80yNjCaUcr0VG/ioO5nUVN+IVnm600+UtrBwiauqQ=="
)


def made(folder: Path, *words: str) -> str:
    """A public key by ssh-keygen."""
    require("ssh-keygen")
    subprocess.run(["ssh-keygen", "-q", "-N", "", "-f", folder / "key", *words], check=True)
    return (folder / "key.pub").read_text().strip()


@pytest.mark.parametrize(
    "words",
    [
        ("-t", "ed25519", "-C", "ops@dc1"),
        ("-t", "ecdsa", "-b", "384", "-C", ""),
        ("-t", "rsa", "-b", "2048", "-C", "a"),
    ],
)
def test_a_key_of_ssh_keygen_is_taken(words: tuple[str, ...], tmp_path: Path) -> None:
    line = made(tmp_path, *words)
    key = parse_ssh_key(line)
    assert key.line == line.strip()
    assert parse_ssh_key(key) is key


def test_a_private_key_is_refused_and_not_shown(tmp_path: Path) -> None:
    made(tmp_path, "-t", "ed25519", "-C", "a")
    text = (tmp_path / "key").read_text()
    with pytest.raises(ValueError, match="it is a private key") as refused:
        parse_ssh_key(text)
    assert not any(len(line) > 20 and line in str(refused.value) for line in text.splitlines())
    shutil.rmtree(tmp_path)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("", "not a public key"),
        (7, "not a public key"),
        ("ssh-dss AAAAB3NzaC1kc3M=", "not a public key"),
        (ED25519.split()[1], "not a public key"),
        (f'from="10.0.0.1" {ED25519}', "not a public key"),
        (ED25519[:-1], "not a whole key"),
        (ED25519[:-4], "not a whole key"),
        (f"{ED25519}AAAA", "not a whole key"),
        (ED25519.replace("ssh-ed25519", "ssh-rsa"), "not a whole key"),
        (ED25519.replace("GYR9", "GY-9"), "not a whole key"),
        (f'{ED25519} a"b', "leave the comment out"),
        (f"{ED25519} two words", "not a public key"),
        (RSA_1024, "at least 2048 bits"),
    ],
)
def test_what_is_no_whole_public_key_is_refused(line: object, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        parse_ssh_key(line)


def test_the_parts() -> None:
    assert parse_ssh_key(f"{ED25519} robot@ci") == SshKey("ssh-ed25519", ED25519.split()[1], "robot@ci")
