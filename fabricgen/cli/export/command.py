"""The command line of `fabricgen export`."""

from pathlib import Path

import click

from fabricgen.cli.common.options import complete_subset, posture_option, templates_option
from fabricgen.cli.export.options import ExportOptions, GnmicOptions, HostOptions
from fabricgen.platforms.base.containerlab import RELEASES

KNOWN = tuple(".".join(map(str, release)) for release in RELEASES)
"""Releases as people write them."""

intent_argument = click.argument("intent", type=click.Path(path_type=Path))
out_option = click.option("-o", "--out", type=click.Path(path_type=Path), required=True, help="The output folder.")
overlay_option = click.option("--overlay", type=click.Path(path_type=Path), help="States in front of the intent's own.")
json_option = click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")


@click.group("export")
def command() -> None:
    """The plan for other tools and for the servers: topologies, inventories, gnmic, one folder a server."""


@command.command("containerlab")
@intent_argument
@out_option
@click.option(
    "--subset",
    shell_complete=complete_subset,
    default="",
    metavar="KEY=N,…",
    help="planes, pods, units, leaves, spines, superspines, links, servers, borders to keep.",
)
@click.option(
    "--containerlab",
    type=click.Choice(KNOWN),
    default=KNOWN[-1],
    show_default=True,
    help="Its release, or the nearest before it.",
)
@click.option("--image", "images", multiple=True, metavar="KIND=IMAGE", help="Image of a kind, a platform or `server`.")
@click.option("--with-secrets", is_flag=True, help="Resolve secrets; the files are for you alone to read.")
@templates_option
@overlay_option
@posture_option
@json_option
@click.pass_context
def containerlab_command(ctx: click.Context, /, **_: object) -> None:
    """Write a topology that containerlab deploys as it is, each switch with its own operating system."""
    from fabricgen.cli.export.run import run_containerlab  # noqa: PLC0415

    run_containerlab(ExportOptions(**ctx.params))


@command.command("nornir")
@intent_argument
@out_option
@overlay_option
@posture_option
@json_option
def nornir_command(*, intent: Path, out: Path, overlay: Path | None, posture: str, as_json: bool) -> None:
    """Write an inventory of every switch for Nornir's SimpleInventory; fabricgen reads it, too."""
    from fabricgen.cli.export.run import run_nornir  # noqa: PLC0415

    run_nornir(intent, out, overlay, posture, as_json=as_json)


@command.command("ansible")
@intent_argument
@out_option
@overlay_option
@posture_option
@json_option
def ansible_command(*, intent: Path, out: Path, overlay: Path | None, posture: str, as_json: bool) -> None:
    """Write an inventory of every switch for Ansible."""
    from fabricgen.cli.export.run import run_ansible  # noqa: PLC0415

    run_ansible(intent, out, overlay, posture, as_json=as_json)


@command.command("hosts")
@intent_argument
@out_option
@click.option("--servers", multiple=True, metavar="SLOTS", help='Servers to write, e.g. "train[0-3]"; all if left out.')
@click.option(
    "--format",
    "form",
    type=click.Choice(["netplan", "networkd"]),
    default="netplan",
    show_default=True,
    help="Of addresses and routes.",
)
@click.option("--operator", is_flag=True, help="Insist on the rail list for NVIDIA's operator.")
@templates_option
@overlay_option
@posture_option
@json_option
@click.pass_context
def hosts_command(ctx: click.Context, /, **_: object) -> None:
    """Write what each server needs: addresses, NIC settings, library environment, and the state to compare."""
    from fabricgen.cli.export.hosts import run_hosts  # noqa: PLC0415

    run_hosts(HostOptions(**ctx.params))


@command.command("gnmic")
@intent_argument
@out_option
@click.option(
    "--ca",
    "authority",
    default="ca.pem",
    show_default=True,
    metavar="FILE",
    help="The authority that signed the switches' certificates, as the collector finds it.",
)
@click.option(
    "--every",
    "seconds",
    type=click.IntRange(1, 3600),
    default=10,
    show_default=True,
    metavar="SECONDS",
    help="Between two samples of a counter.",
)
@overlay_option
@posture_option
@json_option
@click.pass_context
def gnmic_command(ctx: click.Context, /, **_: object) -> None:
    """Write the subscriptions of a gnmic collector: every switch, and the paths that its role has."""
    from fabricgen.cli.export.gnmic import run_gnmic  # noqa: PLC0415

    run_gnmic(GnmicOptions(**ctx.params))
