"""`fabricgen lab impair`: loss, delay and rate of cables of a running lab. Those that are not typed are removed."""

from collections.abc import Mapping
from pathlib import Path

import click

from fabricgen.cli.common.problems import reporting_problems
from fabricgen.lab.build.down import find
from fabricgen.lab.build.preflight import require_root
from fabricgen.lab.host.inventory import read_running_lab
from fabricgen.lab.operate.impair import NONE, cable, impair, parse
from fabricgen.lab.operate.run import require_lab


def run_impair(cables: tuple[str, ...], faults: Mapping[str, str], folder: Path | None, *, clear: bool) -> None:
    """Change cables. Raises click.UsageError, or SystemExit where that is impossible."""
    if clear == bool(faults):
        raise click.UsageError("write --clear, or some of --loss, --delay and --rate")
    impairment = NONE._replace(**{kind: _value(kind, words) for kind, words in faults.items()})
    with reporting_problems(as_json=False):
        require_root()
        place = find(folder)
        require_lab(place)
        running = read_running_lab(place.folder)
        links = tuple(dict.fromkeys(cable(running, words) for words in cables))
        for link in links:
            impair(place, running, link, impairment)
    each_way = ", ".join(f"{kind} {words}" for kind, words in faults.items()) + " each way"
    for near, far in links:
        name = f"{near.owner}/{near.interface} to {far.owner}/{far.interface}"
        click.echo(f"{name}: {'as it was' if impairment == NONE else each_way}", err=True)


def _value(kind: str, text: str) -> int:
    try:
        return parse(kind, text)
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=f"--{kind}") from None
