"""The command line of `fabricgen export`."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, TypeVar

import click

from fabricgen.cli.common.options import OVERLAY, scenario_option, subset_option, templates_option, whole
from fabricgen.platforms.base.containerlab import RELEASES

KNOWN = tuple(".".join(map(str, release)) for release in RELEASES)
"""Releases as text."""


Command = TypeVar("Command", bound=Callable[..., object])


def _intent_and_out(command: Command) -> Command:
    """The intent, and where to write: of every export, first in its help."""
    out = click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="The output folder.")
    return click.argument("intent", type=click.Path(path_type=Path))(out(command))


def _of_every_export(command: Command) -> Command:
    """The last options of every export."""
    json = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
    return click.option("--overlay", type=click.Path(path_type=Path), help=OVERLAY)(scenario_option(json(command)))


class ExportOptions(NamedTuple):
    """Typed options of containerlab."""

    intent: Path
    out: Path
    subset: str
    containerlab: str
    images: tuple[str, ...]
    with_secrets: bool
    templates: Path | None
    overlay: Path | None
    scenario: str
    as_json: bool


class HostOptions(NamedTuple):
    """Typed options of servers."""

    intent: Path
    out: Path
    servers: tuple[str, ...]
    form: str
    operator: bool
    templates: Path | None
    overlay: Path | None
    scenario: str
    as_json: bool


class GnmicOptions(NamedTuple):
    """Typed options of a collector."""

    intent: Path
    out: Path
    authority: str
    seconds: int
    overlay: Path | None
    scenario: str
    as_json: bool


class BatfishOptions(NamedTuple):
    """Typed options of a snapshot."""

    intent: Path
    out: Path
    templates: Path | None
    overlay: Path | None
    scenario: str
    as_json: bool


@click.group("export")
def command() -> None:
    """Export the plan for other tools: containerlab, Nornir, Ansible, gnmic, Batfish; or as one folder per server."""


@command.command("containerlab", short_help="Write a topology for containerlab.")
@_intent_and_out
@subset_option("Export")
@click.option(
    "--containerlab",
    type=click.Choice(KNOWN),
    default=KNOWN[-1],
    show_default=True,
    help="Your release of containerlab, or the nearest earlier one.",
)
@click.option(
    "--image",
    "images",
    multiple=True,
    metavar="KIND=IMAGE",
    help="Image to use; KIND is a platform, e.g. eos, or `server`.",
)
@click.option("--with-secrets", is_flag=True, help="Write secrets in clear text; only you can read the files.")
@templates_option
@_of_every_export
@click.pass_context
def containerlab_command(ctx: click.Context, /, **_: object) -> None:
    """Write a topology for containerlab, each switch with its own operating system."""
    from fabricgen.cli.export.run import run_containerlab  # noqa: PLC0415

    run_containerlab(ExportOptions(**ctx.params))


@command.command("nornir", short_help="Write an inventory for Nornir.")
@_intent_and_out
@_of_every_export
def nornir_command(*, intent: Path, out: Path, overlay: Path | None, scenario: str, as_json: bool) -> None:
    """Write an inventory of every switch for Nornir's SimpleInventory; fabricgen reads it, too."""
    from fabricgen.cli.export.run import run_inventory  # noqa: PLC0415

    run_inventory("nornir", intent, out, overlay, scenario, as_json=as_json)


@command.command("ansible", short_help="Write an inventory for Ansible.")
@_intent_and_out
@_of_every_export
def ansible_command(*, intent: Path, out: Path, overlay: Path | None, scenario: str, as_json: bool) -> None:
    """Write an inventory of every switch for Ansible."""
    from fabricgen.cli.export.run import run_inventory  # noqa: PLC0415

    run_inventory("ansible", intent, out, overlay, scenario, as_json=as_json)


@command.command("hosts", short_help="Write the settings of each server.")
@_intent_and_out
@click.option("--servers", multiple=True, metavar="SLOTS", help='Servers to write, e.g. "train[0-3]" (default: all).')
@click.option(
    "--format",
    "form",
    type=click.Choice(["netplan", "networkd"]),
    default="netplan",
    show_default=True,
    help="Format of addresses and routes.",
)
@click.option(
    "--operator",
    is_flag=True,
    help="Fail if the rail list for NVIDIA's network operator cannot be written (default: leave it out, and say so).",
)
@templates_option
@_of_every_export
@click.pass_context
def hosts_command(ctx: click.Context, /, **_: object) -> None:
    """Write the settings of each server: addresses, NICs, NCCL environment, and the expected state to check."""
    from fabricgen.cli.export.hosts import run_hosts  # noqa: PLC0415

    run_hosts(HostOptions(**ctx.params))


@command.command("gnmic", short_help="Write the configuration of a gnmic collector.")
@_intent_and_out
@click.option(
    "--ca",
    "authority",
    default="ca.pem",
    show_default=True,
    metavar="FILE",
    help="Certificate of the CA that signed the switches' certificates: its path on the collector.",
)
@click.option(
    "--every",
    "seconds",
    type=whole(1, 3600),
    default=10,
    show_default=True,
    metavar="SECONDS",
    help="Sample interval of counters.",
)
@_of_every_export
@click.pass_context
def gnmic_command(ctx: click.Context, /, **_: object) -> None:
    """Write the configuration of a gnmic collector: every switch, and the paths of its role."""
    from fabricgen.cli.export.gnmic import run_gnmic  # noqa: PLC0415

    run_gnmic(GnmicOptions(**ctx.params))


@command.command("batfish", short_help="Write a snapshot for Batfish, with questions and their answers.")
@_intent_and_out
@templates_option
@_of_every_export
@click.pass_context
def batfish_command(ctx: click.Context, /, **_: object) -> None:
    """Write a snapshot for Batfish: configurations, servers, cables, and questions with the expected answers."""
    from fabricgen.cli.export.batfish import run_batfish  # noqa: PLC0415

    run_batfish(BatfishOptions(**ctx.params))
