"""What a verb prints with --json, held to the schema that is published for it: of each test that runs one."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from click.testing import CliRunner, Result
from jsonschema.exceptions import best_match

from fabricgen.cli.schema.command import VERBS

FOLDER = Path(__file__).parents[1] / "schema"
USAGE = 2


@cache
def validator(verb: str) -> jsonschema.Draft202012Validator:
    """Of the published file."""
    return jsonschema.Draft202012Validator(json.loads((FOLDER / f"{verb}.schema.json").read_text(encoding="utf-8")))


def documents(printed: str) -> list[Any]:
    """One document, or one per line."""
    try:
        return [json.loads(printed)]
    except ValueError:
        return [json.loads(line) for line in printed.splitlines()]


def hold(words: Iterable[object], code: int, printed: str) -> None:
    """Raise jsonschema.ValidationError where a command printed something else than its schema says.

    A usage error, and what a signal ended, print no document.
    """
    given = [str(word) for word in words]
    if not given or given[0] not in VERBS or "--json" not in given or code < 0 or code == USAGE or "--help" in given:
        return
    found = documents(printed)
    assert found, f"{given} printed no document"
    for document in found:
        error = best_match(validator(given[0]).iter_errors(document))
        if error is not None:
            raise error


def holding(patch: pytest.MonkeyPatch) -> None:
    """Hold every output of a CliRunner from here on."""
    invoke: Callable[..., Result] = CliRunner.invoke

    def held(self: CliRunner, cli: Any, args: str | Sequence[str] | None = None, **more: Any) -> Result:  # noqa: ANN401
        result = invoke(self, cli, args, **more)
        if result.exception is None or isinstance(result.exception, SystemExit):
            hold(args or () if not isinstance(args, str) else args.split(), result.exit_code, result.stdout)
        return result

    patch.setattr(CliRunner, "invoke", held)
