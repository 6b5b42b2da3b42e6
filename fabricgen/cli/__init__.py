"""The command line: one file a verb; the only place that knows the terminal.

Results go to stdout, talk and progress to stderr. Exit codes: 0 fine or no change, 1 problems in the intent,
2 usage, 3 differences found, 4 verification failed, 5 device or transport failed, 70 our bug.
"""

from importlib import import_module

import click

from fabricgen import __version__

VERBS = {
    "validate": "every mistake of an intent at once, with its place and the remedy",
    "plan": "counts, ratios, addresses, QoS numbers, watts: the page for a design review",
    "render": "one folder a switch, whole configurations",
}


class Verbs(click.Group):
    """Loads a verb's module only when it is called, so that --help costs no more than click itself."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Verbs in the order in which they are used."""
        del ctx
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The verb's command; None for an unknown one."""
        del ctx
        if cmd_name not in VERBS:
            return None
        command = import_module(f"fabricgen.cli.{cmd_name}").command
        return command if isinstance(command, click.Command) else None

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the verbs from the table, without importing any of them."""
        del ctx
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fabricgen")
def main() -> None:
    """Compile an AI data-centre fabric: one short intent in, every switch's whole configuration out."""
