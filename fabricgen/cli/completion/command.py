"""`fabricgen completion`: print the script for shell completion of commands, options, files and names of an intent."""

import click
from click.shell_completion import get_completion_class

PROGRAM = "fabricgen"
VARIABLE = "_FABRICGEN_COMPLETE"
"""Environment variable by which the script asks for completions; click derives it from the program's name."""

SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(SHELLS))
@click.pass_context
def command(ctx: click.Context, /, *, shell: str) -> None:
    """Print the script that lets SHELL complete commands, options, files and names.

    \b
    bash  eval "$(fabricgen completion bash)"                in ~/.bashrc
    zsh   eval "$(fabricgen completion zsh)"                 in ~/.zshrc
    fish  fabricgen completion fish > ~/.config/fish/completions/fabricgen.fish
    """  # noqa: D301 - click reads \b as a backspace: it does not wrap the lines below
    completion_class = get_completion_class(shell)
    if completion_class is None:
        raise click.UsageError(f"this release of click has no completion for {shell}", ctx)
    click.echo(completion_class(ctx.find_root().command, {}, PROGRAM, VARIABLE).source())
