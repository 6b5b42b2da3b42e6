"""References in rendered text to the secrets that they lead to, for the one who logs in to the switches.

A reference is "${env:NAME}" or "${file:PATH}", below the intent's folder. Values go into candidates and nowhere else,
each spelled as the file's form wants it where its reference stands (platforms/forms.py).
"""

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.documents import Document
from fabricgen.errors import FabricError, IntentPath, Problem, Source
from fabricgen.platforms.forms import BACKSLASHES, DOUBLED, REFERENCE, WORDS, Form, Rule

SURE = 8
"""Characters of a secret from which it is no word that a configuration has by chance."""
WORD = re.compile(r"[!-~]+")
"""One word of a configuration line: nothing in a secret may begin another word, or another line."""


class Place(NamedTuple):
    """Where a reference is written: the path of its value in the intent, and the position in the file."""

    where: IntentPath
    at: Source


class Use(NamedTuple):
    """A reference, and how a value is spelled where it stands in a rendered text."""

    name: str
    rule: Rule


SPELLINGS = (Rule(), Rule(BACKSLASHES), Rule(DOUBLED))
"""Every way in which a switch may show a value that it was given."""
_NOWHERE: Mapping[str, Place] = MappingProxyType({})


def references(texts: Iterable[str]) -> tuple[str, ...]:
    """Every reference in rendered texts, once, sorted."""
    return tuple(sorted({found.group() for text in texts for found in REFERENCE.finditer(text)}))


def places(document: Document) -> Mapping[str, Place]:
    """Reference → where a document has it first. One that only a template has is not there."""
    found: dict[str, Place] = {}
    for path in document.places:
        value: object = document.value
        for part in path:
            value = value[part]  # type: ignore[index]  # it has a place, so the value above holds it
        for name in references([value]) if isinstance(value, str) else ():
            found.setdefault(name, Place(path, _position(document, path, name)))
    return found


def _position(document: Document, path: IntentPath, name: str) -> Source:
    """Where a reference stands in a value, which may go on over many lines."""
    begin = document.places[path]
    lines = document.lines if begin.file == document.file else ()  # of an overlay's the document has no text
    for number, line in enumerate(lines[begin.line - 1 :], begin.line):
        column = line.find(name, begin.column - 1 if number == begin.line else 0)
        if column >= 0:
            return Source(file=begin.file, line=number, column=column + 1)
    return begin  # it is spelt with escapes, or in an overlay


def read_secrets(names: Iterable[str], folder: Path, written: Mapping[str, Place] = _NOWHERE) -> Mapping[str, str]:
    """What references lead to: reference → secret. Raises FabricError with each that leads nowhere, or to no word.

    written  where references stand, as `places` finds them: a problem of one that stands there has its position
    """
    found: dict[str, str] = {}
    problems: list[Problem] = []
    for name in names:
        value = _value(name, folder)
        if value is None:
            problems.append(_placed(_missing(name, folder), written.get(name)))
        elif WORD.fullmatch(value) is None:
            problems.append(_placed(_no_word(name), written.get(name)))
        else:
            found[name] = value
    if problems:
        raise FabricError(problems)
    return found


def uses(text: str, form: Form = WORDS) -> Iterator[Use]:
    """Every reference of a rendered text to which something is put, as often as it stands there."""
    return (Use(text[spot.start : spot.end], form.rule(spot)) for spot in form.spots(text))


def check_shapes(found: Iterable[Use], secrets: Mapping[str, str], written: Mapping[str, Place] = _NOWHERE) -> None:
    """Raises FabricError with each secret that can not be spelled where its reference stands."""
    barred = {use.name: use.rule.why for use in found if use.rule.bars(secrets[use.name])}
    if barred:
        raise FabricError([_placed(_unspelled(name, barred[name]), written.get(name)) for name in sorted(barred)])


def spellings(secret: str) -> tuple[str, ...]:
    """A secret as any text may show it, each spelling once, the secret itself first."""
    return tuple(dict.fromkeys(rule.spelled(secret) for rule in SPELLINGS))


def unfilled(text: str, secrets: Mapping[str, str]) -> str:
    """What a switch runs, with references where its secrets stand, as far as they are long enough to be told apart."""
    known = ((name, shown) for name, value in secrets.items() if len(value) >= SURE for shown in spellings(value))
    for name, shown in sorted(known, key=lambda item: -len(item[1])):
        text = text.replace(shown, name)
    return text


def filled(text: str, secrets: Mapping[str, str], form: Form = WORDS) -> str:
    """Rendered text with its secrets in place, as its form spells them.

    Raises FabricError for secrets that it can not spell, KeyError for a reference that was not read.
    """
    check_shapes(uses(text, form), secrets)
    parts: list[str] = []
    at = 0
    for spot in form.spots(text):
        parts += text[at : spot.start], form.rule(spot).spelled(secrets[text[spot.start : spot.end]])
        at = spot.end
    return "".join((*parts, text[at:]))


def _placed(problem: Problem, place: Place | None) -> Problem:
    return problem._replace(where=place.where, at=place.at) if place is not None else problem


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


def _unspelled(name: str, why: str) -> Problem:
    return Problem(
        code="secret-shape",
        what=f"what {name} leads to can not stand where the rendered file has it",
        why=why,
        fix="choose a secret without such signs",
    )
