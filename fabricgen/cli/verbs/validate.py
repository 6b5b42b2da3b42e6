"""The words of `fabricgen validate`."""

from pathlib import Path

import click


@click.command("validate")
@click.argument("intent", type=click.Path(path_type=Path))
@click.option("--overlay", type=click.Path(path_type=Path), help="States of one step, in front of the intent's own.")
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
def command(intent: Path, *, overlay: Path | None, as_json: bool) -> None:
    """Say every mistake of INTENT at once, in all its postures, with place, reason and what to type. Writes nothing."""
    from fabricgen.cli.validate import run  # noqa: PLC0415

    run(intent, overlay, as_json=as_json)
