"""`fabricgen verify --commands`: what a person collects on switches; and a folder with that, made a collection."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Protocol

import click

from fabricgen.cli.pieces import reader_may_leave
from fabricgen.cli.verbs.verify import Words
from fabricgen.cli.verify_site import intended, read_plan
from fabricgen.drivers.readers import reader_of
from fabricgen.errors import FabricError, Problem
from fabricgen.schema_version import VERSIONED
from fabricgen.verify.by_hand import Command, commands, convert, is_by_hand
from fabricgen.verify.store import Target

ANY, VRF = "SWITCH", "VRF"
"""Names that stand for all where no intent says which there are."""


class Meant(Protocol):
    """Names of all switches, and those that are asked for."""

    @property
    def names(self) -> tuple[str, ...]: ...  # noqa: D102
    @property
    def targets(self) -> Mapping[str, Target]: ...  # noqa: D102


@contextmanager
def collected(folder: Path, meant: Meant) -> Iterator[Path]:
    """Yield a collection: the folder itself, or what a person put into it, read. Raises FabricError."""
    if not is_by_hand(folder):
        yield folder
        return
    with TemporaryDirectory(prefix="fabricgen-verify-") as name:
        convert(folder, meant.targets, meant.names, Path(name))
        yield Path(name)


def tell_commands(words: Words, system: str) -> None:
    """Print file and command, one a line, with a tab between. Raises FabricError."""
    with reader_may_leave():
        rows = [row for target in _targets(words, system) for row in commands(target)]
        if words.as_json:
            told = [{"switch": row.device, "file": row.file, "command": row.typed} for row in rows]
            click.echo(json.dumps(VERSIONED | {"commands": told}, indent=1))
        else:
            click.echo("\n".join(_line(row) for row in rows))


def _line(row: Command) -> str:
    return f"{row.device}/{row.file}\t{row.typed}"


def _targets(words: Words, system: str) -> Iterable[Target]:
    """Switches of the intent that run this system; without an intent one that stands for all."""
    reader = reader_of(system)
    if words.intent is None:
        return (Target(ANY, system, reader.driver, {VRF: VRF}, reader.reads((VRF,))),)
    plan = read_plan(words.intent, words.overlay, posture=words.posture)
    targets = intended(plan, None, words.devices).targets.values()
    found = [target for target in targets if target.system == system]
    if not found:
        there = ", ".join(sorted({target.system for target in targets}))
        problem = Problem(
            code="by-hand-none",
            what=f"no switch of {words.intent} runs {system}",
            why=f"those that --devices names run {there}",
            fix=f"say --commands {there.partition(',')[0]}",
        )
        raise FabricError([problem])
    return found
