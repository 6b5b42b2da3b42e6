"""The command line of `fabricgen secret`."""

import click
from click.shell_completion import CompletionItem


def _complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Names of systems, without and with their releases."""
    from fabricgen.platforms import PLATFORMS  # noqa: PLC0415 - only where a shell asks

    del ctx, param
    releases = [f"{name}-{version}" for name, platform in PLATFORMS.items() for version in platform.versions]
    return [CompletionItem(name) for name in (*PLATFORMS, *releases) if name.startswith(incomplete)]


@click.group("secret")
def command() -> None:
    """Make values that secret references stand for."""


@command.command("hash")
@click.option(
    "--for",
    "systems",
    metavar="SYSTEM",
    multiple=True,
    required=True,
    shell_complete=_complete,
    help="Operating system of the switches, e.g. eos or eos-4.34; several: a hash that all of them take.",
)
def hash_password(*, systems: tuple[str, ...]) -> None:
    """Ask for a password, and print its hash in a form that the systems take for a local user.

    The password is asked for twice and not shown. Where stdin is no terminal, its first line is the password. Only the
    hash is printed on stdout:

    \b
      export ADMIN_HASH="$(fabricgen secret hash --for eos)"

    It needs the program `openssl`, which makes the hash.
    """  # noqa: D301 - click reads \b as a backspace: it does not wrap the lines below
    from fabricgen.cli.secret.run import hash_for  # noqa: PLC0415 - only where there is work

    hash_for(systems)
