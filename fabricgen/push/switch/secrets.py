"""Marked references in rendered text to the secrets that they lead to, for the one who loads it into switches.

A reference is "${env:NAME}" or "${file:PATH}", below the intent's folder; a rendered text has a mark in front of it
(base/secret.py). Values go into candidates and into files that are asked for with secrets, and nowhere else, each
spelled as the file's form wants it where its reference stands (platforms/base/forms.py).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.base.secret import WRITTEN, secret, shown
from fabricgen.base.secret_values import SecretError, secret_value
from fabricgen.errors import FabricError, IntentPath, Problem, Source
from fabricgen.platforms.base.forms import BACKSLASHES, DOUBLED, WORDS, Form, SpellingRule
from fabricgen.source.document import Document

SURE = 8
"""Characters of a secret from which it is no word that a configuration has by chance."""
WORD = re.compile(r"[!-~]+")
"""One word of a configuration line: nothing in a secret may begin another word, or another line."""


class SecretPlace(NamedTuple):
    """Where a reference is written: the path of its value in the intent, and the position in the file."""

    where: IntentPath
    at: Source


Places = Mapping[str, tuple[SecretPlace, ...]]
"""Reference → where a document has it, in the document's order."""


class SecretUse(NamedTuple):
    """A reference as it is written, and how a value is spelled where it stands in a rendered text."""

    name: str
    rule: SpellingRule


SPELLINGS = (SpellingRule(), SpellingRule(BACKSLASHES), SpellingRule(DOUBLED))
"""Every way in which a switch may show a value that it was given."""
_NOWHERE: Places = MappingProxyType({})


def places(document: Document) -> Places:
    """Where a document has references as whole values."""
    found: dict[str, tuple[SecretPlace, ...]] = {}
    for path in document.places:
        value: object = document.value
        for part in path:
            value = value[part]  # type: ignore[index]  # it has a place, so the value above holds it
        if isinstance(value, str) and WRITTEN.fullmatch(value):
            found[value] = (*found.get(value, ()), SecretPlace(path, document.places[path]))
    return found


def read_secrets(names: Iterable[str], folder: Path, written: Places = _NOWHERE) -> Mapping[str, str]:
    """What references lead to: reference → secret. Raises FabricError with each that leads nowhere, or to no word.

    written  where references stand, as `places` finds them: a problem of one that stands there has its position
    """
    found: dict[str, str] = {}
    problems: list[Problem] = []
    for name in names:
        try:
            value = secret_value(secret(name), folder)
        except SecretError as error:
            problems.append(placed(missing(name, error), name, written))
            continue
        if WORD.fullmatch(value) is None:
            problems.append(placed(_no_word(name), name, written))
        found[name] = value
    if problems:
        raise FabricError(problems)
    return found


def uses(text: str, form: Form = WORDS) -> Iterator[SecretUse]:
    """Every reference of a rendered text to which something is put, as often as it stands there."""
    return (SecretUse(shown(text[spot.start : spot.end]), form.rule(spot)) for spot in form.spots(text))


def check_shapes(found: Iterable[SecretUse], secrets: Mapping[str, str], written: Places = _NOWHERE) -> None:
    """Raises FabricError with each secret that cannot be spelled where its reference stands."""
    problems = unspelled(found, secrets, written)
    if problems:
        raise FabricError(problems)


def unspelled(
    found: Iterable[SecretUse], secrets: Mapping[str, str], written: Places = _NOWHERE
) -> tuple[Problem, ...]:
    """Of each secret that cannot be spelled where its reference stands."""
    barred = {use.name: use.rule.why for use in found if use.rule.bars(secrets[use.name])}
    return tuple(placed(_unspelled(name, barred[name]), name, written) for name in sorted(barred))


def spellings(secret: str) -> tuple[str, ...]:
    """A secret as any text may show it, each spelling once, the secret itself first."""
    return tuple(dict.fromkeys(rule.spelled(secret) for rule in SPELLINGS))


def unfilled(text: str, secrets: Mapping[str, str]) -> str:
    """What a switch runs, with references where its secrets stand, as far as they are long enough to be told apart."""
    known = ((name, told) for name, value in secrets.items() if len(value) >= SURE for told in spellings(value))
    for name, told in sorted(known, key=lambda item: -len(item[1])):
        text = text.replace(told, name)
    return text


def filled(text: str, secrets: Mapping[str, str], form: Form = WORDS) -> str:
    """Rendered text with its secrets in place, as its form spells them.

    Raises FabricError for secrets that it cannot spell, KeyError for a reference that was not read.
    """
    check_shapes(uses(text, form), secrets)
    parts: list[str] = []
    at = 0
    for spot in form.spots(text):
        parts += text[at : spot.start], form.rule(spot).spelled(secrets[shown(text[spot.start : spot.end])])
        at = spot.end
    return shown("".join((*parts, text[at:])))  # what is marked in a remark is no spot


def placed(problem: Problem, name: str, written: Places, field: str = "") -> Problem:
    """A problem of a reference with its place; with that in a field (`device/references.py`), where one is said."""
    found = [place for place in written.get(name, ()) if is_field(place.where, field)] or written.get(name, ())
    return problem._replace(where=found[0].where, at=found[0].at) if found else problem


def is_field(where: IntentPath, field: str) -> bool:
    """Whether a path of an intent ends as a field does, in which `*` is any name or number."""
    parts = field.split(".") if field else []
    tail = where[len(where) - len(parts) :]
    return len(tail) == len(parts) and all(part in ("*", key) for part, key in zip(parts, tail, strict=True))


def missing(name: str, error: SecretError) -> Problem:
    """A reference that leads nowhere. name: as it is written."""
    return Problem(code="secret-missing", what=f"the secret {name} is missing", why=error.why, fix=error.fix)


def _no_word(name: str) -> Problem:
    return Problem(
        code="secret-shape",
        what=f"the secret {name} cannot be part of a configuration line",
        why="it is empty, or has a blank, a line end or a sign beyond ASCII in it",
        fix="write it as one word of printable ASCII",
    )


def _unspelled(name: str, why: str) -> Problem:
    return Problem(
        code="secret-shape",
        what=f"the secret {name} cannot be written where the rendered file has it",
        why=why,
        fix="choose a secret without such signs",
    )
