"""The command line: one folder per command. Only this layer knows the terminal.

Results go to stdout, messages and progress to stderr. Exit codes: 0 success or no change, 1 problems in the intent,
2 usage, 3 differences found, 4 verification failed, 5 none reached, or a push failed, 70 our bug, 130 interrupted.
If the reader closes the pipe early (`| head`), a command ends with 1 silently; on a full disk with 1 and a message.
"""

import errno
import gc
import io
import os
import sys
from importlib import import_module
from types import TracebackType
from typing import TYPE_CHECKING

import click

from fabricgen import __version__

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

VERBS = {
    "init": "create a first intent with comments, ready to render",
    "validate": "check an intent: report errors with their line, reason and fix",
    "plan": "print the design summary: counts, oversubscription, addresses, QoS, power",
    "render": "write the complete configuration of each switch, one folder per switch",
    "diff": "show what a change does to the switches, its risk, and the servers and tenants it affects",
    "what-if": "print what each failure costs: GPUs cut off, capacity left, the hottest link, and what to do",
    "audit": "read configurations back, and print where they differ from the plan",
    "explain": "explain a device, port, address, number or tenant and how it was derived; or a check or error code",
    "lab": "emulate the fabric, or a part of it, on this Linux host: namespaces, daemons, links",
    "push": "deploy the intent to live switches in waves, and roll back when a check fails",
    "verify": "compare live switches with the intent",
    "prove-platform": "test on one switch what fabricgen relies on, such as timed commits, and keep the evidence",
    "export": "write the plan for containerlab, Batfish, Nornir, Ansible and gnmic, and files of the servers",
    "list": "list supported hardware, operating systems, or all check and error codes",
    "secret": "make the hash of a password in the form that an operating system takes",
    "schema": "print the JSON Schema of an intent, for an editor",
    "completion": "print the completion script for a shell",
}

OUR_BUG = 70  # EX_SOFTWARE of sysexits.h
INTERRUPTED = 130  # 128 + SIGINT, as shells count
COLLECT = (100_000, 20, 20)
"""Thresholds of Python's cyclic garbage collector. Plans have no cycles and live until the end: with the default

(700, 10, 10) a command with 9,000 tenants spent half of its time in the collector. Modules live until the end, too:
with 20,000 the collector ran a dozen times during imports, which took a fifteenth of a small `validate`.
"""
NO_PLUGINS = ("PYDANTIC_DISABLE_PLUGINS", "__all__")
"""Disables pydantic's plugins. Pydantic searches all installed packages for them, which takes a tenth of a small

`validate`; and other packages must not affect how an intent is read.
"""
FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)


class Verbs(click.Group):
    """Loads a command's module only when it is called, so that --help costs no more than click itself."""

    def __call__(self, *args: object, **kwargs: object) -> None:
        """Run as a process and exit with the exit code. Tests call `main` of the group instead."""
        del args, kwargs
        sys.excepthook = our_bug
        gc.set_threshold(*COLLECT)
        os.environ.setdefault(*NO_PLUGINS)
        try:
            code = self.main(standalone_mode=False)
        except click.Abort:
            click.echo("interrupted: unfinished work is undone, or completed by the next run", err=True)
            sys.exit(INTERRUPTED)
        except click.ClickException as error:
            error.show()
            sys.exit(error.exit_code)
        except OSError as error:
            # An error of a file has a file name; an error of stdout, on a full disk, has none.
            if error.filename is not None or error.errno not in FULL:
                raise
            click.echo(f"the results cannot be written: {error.strerror}", err=True)
            sys.exit(1)
        finally:
            # Python collects all objects once more before it ends, which took a quarter of a `validate`.
            gc.freeze()
        sys.exit(code or 0)

    def invoke(self, ctx: click.Context) -> object:
        """Run a command. Bytes of a file name that are no text are printed escaped, as on stderr."""
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        return super().invoke(ctx)

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Commands in the order of use."""
        del ctx
        return list(VERBS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the click command. An unknown name is a usage error that suggests the nearest."""
        if cmd_name not in VERBS:
            # While completing, click looks up any word: an unknown one is no error then.
            if cmd_name.startswith("-") or ctx.resilient_parsing:
                return None
            from fabricgen.errors import did_you_mean  # noqa: PLC0415

            ctx.fail(f"unknown command {cmd_name!r}: {did_you_mean(cmd_name, VERBS)}")
        command = import_module(f"fabricgen.cli.{cmd_name.replace('-', '_')}.command").command
        return command if isinstance(command, click.Command) else None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete commands from the table, without importing any of them; then click's own completions."""
        from click.shell_completion import CompletionItem  # noqa: PLC0415 - where a shell asks

        verbs = [CompletionItem(name, help=text) for name, text in VERBS.items() if name.startswith(incomplete)]
        return [*verbs, *click.Command.shell_complete(self, ctx, incomplete)]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands from the table, without importing any of them."""
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl(list(VERBS.items()))


def our_bug(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Report an unexpected exception: its traceback, a note that it is a bug of fabricgen, and exit code 70."""
    sys.__excepthook__(kind, error, trace)
    if issubclass(kind, KeyboardInterrupt):
        sys.exit(INTERRUPTED)
    click.echo(
        f"fabricgen {__version__}: this is a bug in fabricgen, not in your intent; please report the lines above",
        err=True,
    )
    sys.exit(OUR_BUG)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="fabricgen")
def main() -> None:
    """Generate the complete configuration of every switch of an AI data-centre fabric from one short intent."""
