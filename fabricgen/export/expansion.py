"""What containerlab expands in the files that it reads, and text that comes out of it as it went in.

A startup configuration is run through environment substitution, then through Go's templates (utils/template.go,
SubstituteEnvsAndTemplate): `$NAME` and `${NAME}` of a set variable are replaced and `{{` opens an action. In
hellt/envsubst v0.2.0 `$$` gives one dollar sign (parse/lex.go), and a template prints what stands between quotes.
`${env:NAME}` would come out as `$env`: everything behind the colon is taken for a default. So a reference to a variable
is spelled `${NAME}`, which containerlab fills in at deploy. Files that are mounted are not expanded.
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
"""(reference, how a value is written where it stands) → text."""


def escaped(text: str) -> str:
    """Text that containerlab turns back into `text`."""
    return _SIGNS.sub(lambda found: SIGNS[found.group()], text)


def has_traps(text: str) -> bool:
    """Whether containerlab would change a text."""
    return bool(_SIGNS.search(text))


def expanded_file(text: str, spell: Spell, form: Form = WORDS) -> str:
    """A startup configuration: literal text escaped, each reference spelled. form: how the file is written."""
    return _spelled(text, spell, form, escaped)


def mounted_file(text: str, spell: Spell, form: Form = WORDS) -> str:
    """A file that is mounted as it is: each reference spelled. form: how the file is written."""
    return _spelled(text, spell, form, str)


def _spelled(text: str, spell: Spell, form: Form, finish: Callable[[str], str]) -> str:
    parts: list[str] = []
    end = 0
    for spot in form.spots(text):
        found = secret(shown(text[spot.start : spot.end]))
        parts += [finish(shown(text[end : spot.start])), spell(found, form.rule(spot))]
        end = spot.end
    return "".join((*parts, finish(shown(text[end:]))))


def variables(text: str) -> list[str]:
    """Names of the variables that a text refers to, in their order, each once."""
    return list(dict.fromkeys(name for kind, name in REFERENCE.findall(text) if kind == "env"))


def by_containerlab(found: Secret, rule: SpellingRule) -> str:
    """A reference that containerlab resolves at deploy, value as it is. Raises FabricError where it cannot."""
    del rule
    if found.kind == "env" and VARIABLE.fullmatch(found.name):
        return f"${{{found.name}}}"
    raise FabricError([_unspoken(found, "containerlab fills in variables of its environment only")])


def by_nobody(found: Secret, rule: SpellingRule) -> str:
    """A reference in a file that nothing expands. Raises FabricError."""
    del rule
    raise FabricError([_unspoken(found, "this file is mounted into the container as it is")])


def _unspoken(found: Secret, why: str) -> Problem:
    return Problem(
        code="export-secret",
        what=f"{found.written} cannot be left for the deploy",
        why=why,
        fix="type --with-secrets: it is resolved here, and the files are for you alone to read",
    )


def resolved(folder: Path, finish: Callable[[str], str], written: Places = MappingProxyType({})) -> Spell:
    """What resolves references now.

    folder   of the intent; written: where it has them
    finish   last step of a secret, e.g. `escaped`

    It raises FabricError for a secret that is not there, or that cannot be written where its reference stands.
    """

    def spell(found: Secret, rule: SpellingRule) -> str:
        values = read_secrets([found.written], folder, written)
        check_shapes([SecretUse(found.written, rule)], values, written)
        return finish(rule.spelled(values[found.written]))

    return spell
