"""`fabricgen verify --commands`: commands for manual collection; and reading a folder with their output."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import click

from fabricgen.base.schema_version import VERSIONED
from fabricgen.cli.common.output import reader_may_leave
from fabricgen.cli.verify.command import VerifyOptions
from fabricgen.errors import FabricError
from fabricgen.operation.intended import intended, read_plan
from fabricgen.platforms.readers import reader_of
from fabricgen.verify.collect.by_hand import commands, convert, is_by_hand
from fabricgen.verify.collect.store import Target

ANY, VRF = "SWITCH", "VRF"
"""Placeholders for all names where no intent lists them."""


class SelectedSwitches(Protocol):
    """Names of all switches, and the targets of the selected ones."""

    @property
    def names(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def targets(self) -> Mapping[str, Target]: ...  # noqa: D102


@contextmanager
def collected(folder: Path, switches: SelectedSwitches) -> Iterator[Path]:
    """Yield a collection: the folder itself, or converted from manually collected output. Raises FabricError."""
    if not is_by_hand(folder):
        yield folder
        return
    with TemporaryDirectory(prefix="fabricgen-verify-") as name:
        convert(folder, switches.targets, switches.names, Path(name))
        yield Path(name)


def print_commands(options: VerifyOptions, system: str) -> None:
    """Print file and command, one per line, separated by a tab. Raises FabricError."""
    with reader_may_leave():
        rows = [row for target in _targets(options, system) for row in commands(target)]
        if options.as_json:
            command_rows = [{"switch": row.device, "file": row.file, "command": row.typed} for row in rows]
            click.echo(json.dumps(VERSIONED | {"commands": command_rows}, indent=1))
        else:
            click.echo("\n".join(f"{row.device}/{row.file}\t{row.typed}" for row in rows))


def _targets(options: VerifyOptions, system: str) -> Iterable[Target]:
    """Switches of the intent that run this system; without an intent one placeholder."""
    reader = reader_of(system)
    if options.intent is None:
        return (Target(ANY, system, reader.driver, {VRF: VRF}, reader.reads((VRF,))),)
    plan = read_plan(options.intent, options.overlay, scenario=options.scenario)
    targets = intended(plan, None, options.devices).targets.values()
    matching = [target for target in targets if target.system == system]
    if not matching:
        other_systems = ", ".join(sorted({target.system for target in targets}))
        raise FabricError.of(
            code="by-hand-none",
            what=f"no switch of {options.intent} runs {system}",
            why=f"the switches that --devices matches run {other_systems}",
            fix=f"use --commands {other_systems.partition(',')[0]}",
        )
    return matching
