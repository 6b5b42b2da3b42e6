"""References in rendered text to the secrets that they lead to, for the one who logs in to the switches.

A reference is "${env:NAME}" or "${file:PATH}", below the intent's folder. Values go into candidates and nowhere else.
"""

import os
import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from fabricgen.errors import FabricError, Problem

REFERENCE = re.compile(r"\$\{(env|file):([A-Za-z0-9_][A-Za-z0-9_./-]*)\}")
WORD = re.compile(r"[!-~]+")
"""One word of a configuration line: nothing in a secret may begin another word, or another line."""


def references(texts: Iterable[str]) -> tuple[str, ...]:
    """Every reference in rendered texts, once, sorted."""
    return tuple(sorted({found.group() for text in texts for found in REFERENCE.finditer(text)}))


def read_secrets(names: Iterable[str], folder: Path) -> Mapping[str, str]:
    """What references lead to: reference → secret. Raises FabricError with each that leads nowhere, or to no word."""
    found: dict[str, str] = {}
    problems: list[Problem] = []
    for name in names:
        value = _value(name, folder)
        if value is None:
            problems.append(_missing(name, folder))
        elif WORD.fullmatch(value) is None:
            problems.append(_no_word(name))
        else:
            found[name] = value
    if problems:
        raise FabricError(problems)
    return found


def filled(text: str, secrets: Mapping[str, str]) -> str:
    """Rendered text with its secrets in place. Raises KeyError for a reference that was not read."""
    return REFERENCE.sub(lambda found: secrets[found.group()], text)


def _value(name: str, folder: Path) -> str | None:
    kind, where = _parts(name)
    if kind == "env":
        return os.environ.get(where)
    try:
        return (folder / where).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError):
        return None


def _parts(name: str) -> tuple[str, str]:
    found = REFERENCE.fullmatch(name)
    if found is None:
        raise ValueError(f"{name} is no reference")
    return found[1], found[2]


def _missing(name: str, folder: Path) -> Problem:
    kind, where = _parts(name)
    return Problem(
        code="secret-missing",
        what=f"{name} leads nowhere",
        why=f"the environment has no {where}" if kind == "env" else f"{folder / where} can not be read",
        fix=f"export {where}=…" if kind == "env" else f"write the secret into {folder / where}",
    )


def _no_word(name: str) -> Problem:
    return Problem(
        code="secret-shape",
        what=f"what {name} leads to can not stand in a configuration line",
        why="it is empty, or has a blank, a line end or a sign beyond ASCII in it",
        fix="write it as one word of printable ASCII",
    )
