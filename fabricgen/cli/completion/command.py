"""`fabricgen completion`: the script that lets a shell complete verbs, options, files and names of an intent."""

import click
from click.shell_completion import get_completion_class

PROGRAM = "fabricgen"
VARIABLE = "_FABRICGEN_COMPLETE"
"""By it the script asks what fits: click looks for it in the environment, by the program's name."""

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
    """  # noqa: D301 - click reads \b as a backspace: the lines below stay as they are
    found = get_completion_class(shell)
    if found is None:
        raise click.UsageError(f"this release of click has no completion for {shell}", ctx)
    click.echo(found(ctx.find_root().command, {}, PROGRAM, VARIABLE).source())
