"""`fabricgen schema`: print the JSON Schema of a kind of file, for an editor, or of a command's --json output."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, TypeVar

import click

if TYPE_CHECKING:
    from pydantic import BaseModel

    from fabricgen.intent.json_schema import Choices

F = TypeVar("F", bound=Callable[..., object])

INTENT = "intent"
KINDS = {
    INTENT: "The intent (default).",
    "overlay": "The file of --overlay.",
    "pools": "The pool file that several sites share.",
    "expect": "The file of diff --expect.",
    "switch": "A file of hardware/switches.",
    "asic": "A file of hardware/asics.",
    "server": "A file of hardware/servers.",
    "media": "The file hardware/media.yaml.",
}
"""Kinds of files that users write; each has an option."""

VERBS = ("plan", "diff", "what-if", "audit", "verify", "push", "prove-platform", "list")
"""Commands whose --json output has a schema."""


def models() -> Mapping[str, "type[BaseModel]"]:
    """Kind → its model. Imported only when needed, as --help needs none of them."""
    from fabricgen.diff.expect import Expect  # noqa: PLC0415
    from fabricgen.hardware.model import Asic, Media, ServerModel, SwitchModel  # noqa: PLC0415
    from fabricgen.intent.model import Intent  # noqa: PLC0415
    from fabricgen.intent.overlay import Overlay  # noqa: PLC0415
    from fabricgen.intent.pools import PoolFile  # noqa: PLC0415

    return {
        INTENT: Intent,
        "overlay": Overlay,
        "pools": PoolFile,
        "expect": Expect,
        "switch": SwitchModel,
        "asic": Asic,
        "server": ServerModel,
        "media": Media,
    }


def _kind_options(command: F) -> F:
    for name, text in reversed(KINDS.items()):
        command = click.option(f"--{name}", "kind", flag_value=name, help=text)(command)
    return command


@click.command("schema")
@_kind_options
@click.option("--json-of", "verb", type=click.Choice(VERBS), help="Output of this command with --json.")
def command(*, kind: str | None, verb: str | None) -> None:
    """Print the JSON Schema of an intent, of another kind of file, or of what a command prints with --json.

    To use a schema in an editor with a YAML language server, start the YAML file with this line:

    \b
      # yaml-language-server: $schema=intent.schema.json
    """  # noqa: D301 - click reads \b as a backspace: it does not wrap the lines below
    if kind is not None and verb is not None:
        raise click.UsageError(f"use either --{kind} or --json-of")
    if verb is not None:
        from fabricgen.cli.contracts.published import output_schema  # noqa: PLC0415

        click.echo(output_schema(verb), nl=False)
        return
    click.echo(file_schema(kind or INTENT), nl=False)


def file_schema(kind: str) -> str:
    """The JSON Schema of a kind of file. For an intent it lists the models of the library and the systems."""
    from fabricgen.intent.json_schema import NO_CHOICES, text_of  # noqa: PLC0415

    return text_of(models()[kind], f"fabricgen {kind}", _choices() if kind == INTENT else NO_CHOICES)


def _choices() -> "Choices":
    from fabricgen.cli.init.model import library  # noqa: PLC0415
    from fabricgen.platforms import PLATFORMS  # noqa: PLC0415

    releases = [f"{name}-{version}" for name, platform in PLATFORMS.items() for version in platform.versions]
    return {
        ("Switch", "model"): library("switches"),
        ("Switch", "os"): releases,
        ("Override", "os"): releases,
        ("ServerGroup", "model"): library("servers"),
        ("Raw", "system"): list(PLATFORMS),
    }
