"""`fabricgen secret hash`: a hash in a form that systems take, made by openssl from a password that is not shown."""

import shutil
import subprocess
import sys

import click

from fabricgen.cli.common.problems import reporting_problems
from fabricgen.device.references import USER_PASSWORD
from fabricgen.errors import FabricError, did_you_mean
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.secret_shape import SecretForm, SecretShape
from fabricgen.push.switch.secret_fit import common

MOST = 256
"""openssl-passwd(1) hashes no more characters of a password."""


def hash_for(systems: tuple[str, ...]) -> None:
    """Print the hash of a password. The form is chosen before the password is asked for."""
    with reporting_problems(as_json=False):
        form = form_of(systems)
        if shutil.which("openssl") is None:
            raise FabricError.of(
                code="secret-program",
                what="there is no program openssl",
                why="fabricgen makes hashes with `openssl passwd`",
                fix="install it: apt install openssl",
            )
        made = _hashed(form, _password())
    click.echo(made)


def form_of(systems: tuple[str, ...]) -> SecretForm:
    """The first form of a user's password that all systems take. Raises FabricError where there is none."""
    shapes = {title: shape for system in systems for title, shape in _shapes(system)}
    form = common(shapes.values())
    if form is None:
        raise FabricError.of(
            code="secret-shape",
            what=f"no hash is valid on {', '.join(shapes)}",
            why="; ".join(f"{title} takes {shape.title}" for title, shape in shapes.items()),
            fix="make one for each, and give the switches of one system a reference of their own by `overrides`",
        )
    return form


def _shapes(system: str) -> list[tuple[str, SecretShape]]:
    """Title → shape of a user's password, of the releases that are meant."""
    name, _, version = system.partition("-")
    if name not in PLATFORMS:
        raise _unknown(system, tuple(PLATFORMS))
    platform = PLATFORMS[name]
    if version and version not in platform.versions:
        raise _unknown(system, tuple(f"{name}-{known}" for known in platform.versions))
    shapes = {release: platform.secrets(release).get(USER_PASSWORD) for release in platform.versions}
    found = [(platform.title, shapes[release]) for release in ([version] if version else platform.versions)]
    if None in (shape for _, shape in found):
        raise FabricError.of(
            code="secret-shape",
            what=f"no file of {platform.title} has the password of a user",
            why="its accounts are those of Linux, which fabricgen does not change",
            fix="type `passwd` on the switch",
        )
    return [(title, shape) for title, shape in found if shape is not None]


def _unknown(system: str, known: tuple[str, ...]) -> click.UsageError:
    return click.UsageError(f"unknown operating system {system!r}: {did_you_mean(system, known)}")


def _password() -> str:
    if sys.stdin.isatty():
        text = str(click.prompt("Password", hide_input=True, confirmation_prompt="Again", err=True))
    else:
        text = sys.stdin.readline().rstrip("\r\n")
    if not text or len(text) > MOST or not (text.isascii() and text.isprintable()):
        raise FabricError.of(
            code="secret-shape",
            what="this cannot be a password of a switch",
            why=f"it must have 1 to {MOST} printable ASCII characters",
            fix="type another one",
        )
    return text


def _hashed(form: SecretForm, password: str) -> str:
    """The hash. The password goes through a pipe: it is in no command line."""
    done = subprocess.run(  # noqa: S603 - the words of a table
        [*form.make.split(), "-stdin"], input=f"{password}\n", capture_output=True, text=True, check=False
    )
    made = done.stdout.strip()
    if done.returncode or not form.takes(made):
        raise FabricError.of(
            code="secret-program",
            what=f"`{form.make}` made no {form.title}",
            why=done.stderr.strip() or "it printed something else",
            fix="install a newer openssl (1.1.1 or later)",
        )
    return made
