"""Marked references in rendered text to the secrets that they name, for whoever loads the text into switches.

A reference is "${env:NAME}" or "${file:PATH}", below the intent's folder; a rendered text has a mark in front of it
(base/secret.py). Values go into candidates and into files that are exported with secrets, and nowhere else, each
escaped as the file's form requires at that point (platforms/base/forms.py).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from fabricgen.base.secret import WRITTEN, secret, shown
from fabricgen.base.secret_values import SecretError, secret_value
from fabricgen.errors import FabricError, IntentPath, Problem, Source
from fabricgen.platforms.base.forms import BACKSLASHES, DOUBLED, WORDS, Form, SpellingRule
from fabricgen.source.document import Document
from fabricgen.verify.collect.redact_outputs import SURE

WORD = re.compile(r"[!-~]+")
"""One word of a configuration line: no character of a secret must begin another word or another line."""


class SecretPlace(NamedTuple):
    """Where a reference is written: the path of its value in the intent, and the position in the file."""

    where: IntentPath
    at: Source


Places = Mapping[str, tuple[SecretPlace, ...]]
"""Reference → where a document has it, in the document's order."""


class SecretUse(NamedTuple):
    """A reference as written, and the spelling rule of the place where a rendered text has it."""

    name: str
    rule: SpellingRule


SPELLINGS = (SpellingRule(), SpellingRule(BACKSLASHES), SpellingRule(DOUBLED))
"""Every spelling in which a switch may show a value."""
_NOWHERE: Places = {}


def places(document: Document) -> Places:
    """Where a document has references as whole values."""
    by_reference: dict[str, tuple[SecretPlace, ...]] = {}
    for path in document.places:
        value: object = document.value
        for part in path:
            value = value[part]  # type: ignore[index]  # it has a place, so the value above holds it
        if isinstance(value, str) and WRITTEN.fullmatch(value):
            by_reference[value] = (*by_reference.get(value, ()), SecretPlace(path, document.places[path]))
    return by_reference


def read_secrets(names: Iterable[str], folder: Path, written: Places = _NOWHERE) -> Mapping[str, str]:
    """Return reference → secret. Raises FabricError with each reference that leads nowhere, or to no single word.

    written  where references are, as `places` returns them: a problem of such a reference has its position
    """
    secrets: dict[str, str] = {}
    problems: list[Problem] = []
    for name in names:
        try:
            value = secret_value(secret(name), folder)
        except SecretError as error:
            problems.append(placed(missing(name, error), name, written))
            continue
        if WORD.fullmatch(value) is None:
            problems.append(placed(_no_word(name), name, written))
        secrets[name] = value
    if problems:
        raise FabricError(problems)
    return secrets


def uses(text: str, form: Form = WORDS) -> Iterator[SecretUse]:
    """Every reference of a rendered text that is replaced by its value, as often as it occurs."""
    return (SecretUse(shown(text[spot.start : spot.end]), form.rule(spot)) for spot in form.spots(text))


def check_shapes(secret_uses: Iterable[SecretUse], secrets: Mapping[str, str], written: Places = _NOWHERE) -> None:
    """Raise FabricError with each secret that cannot be written where its reference is."""
    problems = unspelled(secret_uses, secrets, written)
    if problems:
        raise FabricError(problems)


def unspelled(
    secret_uses: Iterable[SecretUse], secrets: Mapping[str, str], written: Places = _NOWHERE
) -> tuple[Problem, ...]:
    """A problem of each secret that cannot be written where its reference is."""
    barred = {use.name: use.rule.why for use in secret_uses if use.rule.bars(secrets[use.name])}
    return tuple(placed(_unspelled(name, barred[name]), name, written) for name in sorted(barred))


def spellings(secret: str) -> tuple[str, ...]:
    """A secret in all spellings, each once, the secret itself first."""
    return tuple(dict.fromkeys(rule.spelled(secret) for rule in SPELLINGS))


def unfilled(text: str, secrets: Mapping[str, str]) -> str:
    """Return a configuration with references in place of its secrets, if these are long enough to be unambiguous."""
    replacements = (
        (name, spelling) for name, value in secrets.items() if len(value) >= SURE for spelling in spellings(value)
    )
    # Longest first: one secret may contain another.
    for name, spelling in sorted(replacements, key=lambda item: -len(item[1])):
        text = text.replace(spelling, name)
    return text


def filled(text: str, secrets: Mapping[str, str], form: Form = WORDS) -> str:
    """Return rendered text with its secrets filled in, as its form spells them.

    Raises FabricError for secrets that it cannot spell, KeyError for a reference that was not read.
    """
    check_shapes(uses(text, form), secrets)
    parts: list[str] = []
    position = 0
    for spot in form.spots(text):
        parts += text[position : spot.start], form.rule(spot).spelled(secrets[shown(text[spot.start : spot.end])])
        position = spot.end
    return shown("".join((*parts, text[position:])))  # a mark in a comment is no spot


def placed(problem: Problem, name: str, written: Places, field: str = "") -> Problem:
    """A problem of a reference with its position; with the one in a field (`device/references.py`), if given."""
    candidates = [place for place in written.get(name, ()) if is_field(place.where, field)] or written.get(name, ())
    return problem._replace(where=candidates[0].where, at=candidates[0].at) if candidates else problem


def is_field(where: IntentPath, field: str) -> bool:
    """Whether a path of an intent ends with a field, in which `*` is any name or number."""
    parts = field.split(".") if field else []
    tail = where[len(where) - len(parts) :]
    return len(tail) == len(parts) and all(part in ("*", key) for part, key in zip(parts, tail, strict=True))


def missing(name: str, error: SecretError) -> Problem:
    """The problem of a reference that leads nowhere. name: as written."""
    return Problem(code="secret-missing", what=f"the secret {name} is missing", why=error.why, fix=error.fix)


def _no_word(name: str) -> Problem:
    return Problem(
        code="secret-shape",
        what=f"the secret {name} cannot be part of a configuration line",
        why="it is empty, or has a blank, a line end or a non-ASCII character in it",
        fix="write it as one word of printable ASCII",
    )


def _unspelled(name: str, reason: str) -> Problem:
    return Problem(
        code="secret-shape",
        what=f"the secret {name} has a character that its place in the rendered file cannot hold",
        why=reason,
        fix="choose a secret without such characters",
    )
