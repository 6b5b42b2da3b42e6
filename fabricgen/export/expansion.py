"""Escape text that containerlab would expand in the files that it reads, and write references to secrets.

A startup configuration is run through environment substitution, then through Go's templates (utils/template.go,
SubstituteEnvsAndTemplate): `$NAME` and `${NAME}` of a set variable are replaced and `{{` opens an action. In
hellt/envsubst v0.2.0 `$$` gives one dollar sign (parse/lex.go), and a template prints the text between quotes.
`${env:NAME}` would come out as `$env`: everything after the colon is taken for a default. So a reference to a variable
is written as `${NAME}`, which containerlab fills in at deploy. Files that are mounted are not expanded.
"""

import re
from collections.abc import Callable
from pathlib import Path
from types import MappingProxyType

from fabricgen.base.secret import REFERENCE, Secret, secret, shown
from fabricgen.errors import FabricError, Problem
from fabricgen.platforms.base.forms import WORDS, Form, SpellingRule
from fabricgen.push.switch.secrets import Places, SecretUse, check_shapes, read_secrets

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SIGNS = {"$": "$$", "{{": '{{"{{"}}'}
_SIGNS = re.compile(r"\$|\{\{")

Spell = Callable[[Secret, SpellingRule], str]
"""(reference, how a value is written at its place) → text."""


def escaped(text: str) -> str:
    """Text that containerlab expands to `text`."""
    return _SIGNS.sub(lambda match: SIGNS[match.group()], text)


def has_traps(text: str) -> bool:
    """Whether containerlab would change a text."""
    return bool(_SIGNS.search(text))


def expanded_file(text: str, spell: Spell, form: Form = WORDS) -> str:
    """A startup configuration: literal text escaped, references written by `spell`. form: of the file."""
    return _spelled(text, spell, form, escaped)


def mounted_file(text: str, spell: Spell, form: Form = WORDS) -> str:
    """A file that is mounted unchanged: references written by `spell`. form: of the file."""
    return _spelled(text, spell, form, str)


def _spelled(text: str, spell: Spell, form: Form, finish: Callable[[str], str]) -> str:
    parts: list[str] = []
    end = 0
    for spot in form.spots(text):
        reference = secret(shown(text[spot.start : spot.end]))
        parts += [finish(shown(text[end : spot.start])), spell(reference, form.rule(spot))]
        end = spot.end
    return "".join((*parts, finish(shown(text[end:]))))


def variables(text: str) -> list[str]:
    """Names of the variables that a text refers to, in order, without duplicates."""
    return list(dict.fromkeys(name for kind, name in REFERENCE.findall(text) if kind == "env"))


def by_containerlab(reference: Secret, rule: SpellingRule) -> str:
    """Write a reference that containerlab resolves at deploy, value unquoted. Raises FabricError where it cannot."""
    del rule
    if reference.kind == "env" and VARIABLE.fullmatch(reference.name):
        return f"${{{reference.name}}}"
    raise FabricError([_cannot_fill(reference, "containerlab only fills in environment variables")])


def refuse_reference(reference: Secret, rule: SpellingRule) -> str:
    """Refuse a reference in a file that nothing expands. Raises FabricError."""
    del rule
    raise FabricError([_cannot_fill(reference, "this file is mounted into the container unchanged")])


def _cannot_fill(reference: Secret, reason: str) -> Problem:
    return Problem(
        code="export-secret",
        what=f"{reference.written} cannot be filled in at deploy",
        why=reason,
        fix="add --with-secrets: the secret is filled in here, and only you can read the files",
    )


def resolved(folder: Path, finish: Callable[[str], str], written: Places = MappingProxyType({})) -> Spell:
    """Return a function that writes the value of a reference.

    folder   of the intent; written: where the intent has the references
    finish   last step of a secret, e.g. `escaped`

    The function raises FabricError for a secret that does not exist, or that cannot be written at its place.
    """

    def spell(reference: Secret, rule: SpellingRule) -> str:
        values = read_secrets([reference.written], folder, written)
        check_shapes([SecretUse(reference.written, rule)], values, written)
        return finish(rule.spelled(values[reference.written]))

    return spell
