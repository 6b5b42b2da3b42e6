"""The command line of `fabricgen render`."""

from pathlib import Path
from typing import NamedTuple

import click
from click.core import ParameterSource

from fabricgen.cli.common.options import (
    JOBS,
    OVERLAY,
    cluster_option,
    complete_fabrics,
    complete_switches,
    scenario_option,
    templates_option,
    whole,
)


class RenderOptions(NamedTuple):
    """Typed options."""

    intent: Path
    out: Path
    locked: bool
    renumber: tuple[str, ...]
    overlay: Path | None
    with_secrets: bool
    scenario: str
    templates: Path | None
    audit: bool | None
    jobs: int | None
    cluster: str | None
    as_json: bool


@click.command("render")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(path_type=Path), default=Path("out"), help="The output folder (default: out)."
)
@click.option(
    "--locked", is_flag=True, help="Do not add to the lock: if lines are missing, print them and exit with 3."
)
@click.option(
    "--renumber",
    metavar="FABRIC",
    multiple=True,
    callback=lambda _ctx, _param, names: tuple(dict.fromkeys(names)),
    shell_complete=complete_fabrics,
    help="Discard the addresses (also of management ports) and AS numbers of this fabric from the lock, and assign new "
    "ones: existing switches are renumbered, too. Prints the changed values of switches; diff also prints those of "
    "links and servers. Repeatable.",
)
@click.option(
    "--device",
    metavar="NAME",
    shell_complete=complete_switches,
    help="Print the files of this switch; write nothing.",
)
@templates_option
@click.option(
    "--audit/--no-audit",
    default=None,
    help="--audit: read the written files back, and exit 3 if they differ from the plan. --no-audit: do not read them "
    "back. Default: with --templates, read them back and print the differences, but exit 0; otherwise --no-audit.",
)
@click.option(
    "--with-secrets",
    is_flag=True,
    help="Write the values of secrets into the files, in the form that each system takes (docs/secrets.md), to load "
    "them manually. Needs an output folder of its own; only you can read the files.",
)
@click.option("--overlay", type=click.Path(path_type=Path), help=OVERLAY)
@scenario_option
@click.option("-j", "--jobs", type=whole(1, 256), help=JOBS)
@cluster_option
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@click.pass_context
def command(ctx: click.Context, /, **_: object) -> None:
    """Write a folder per switch, with its complete configuration; also the cabling plan and the lock.

    All files are written, or none when there is an error.
    """
    device = ctx.params.pop("device")
    options = RenderOptions(**ctx.params)
    if options.cluster is not None and options.templates is not None:
        raise click.UsageError("--cluster uses the built-in templates only: omit --templates")
    if options.cluster is not None and options.with_secrets:
        raise click.UsageError("--cluster does not resolve secrets: omit --with-secrets")
    if device is None:
        from fabricgen.cli.render.run import run  # noqa: PLC0415

        run(options)
        return
    _refuse_with_device(ctx)
    from fabricgen.cli.render import device as render_device  # noqa: PLC0415

    render_device.run(options, device)


def _refuse_with_device(ctx: click.Context) -> None:
    """Refuse options about the tree or the lock together with --device."""
    for name, word in (
        ("out", "--out"),
        ("locked", "--locked"),
        ("renumber", "--renumber"),
        ("jobs", "--jobs"),
        ("cluster", "--cluster"),
        ("with_secrets", "--with-secrets"),
        ("audit", "--audit"),
    ):
        if ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE:
            raise click.UsageError(f"--device prints one switch and writes nothing: omit {word}")
