"""What containerlab expands in the files that it reads, and text that comes out of it as it went in.

A startup configuration is run through environment substitution, then through Go's templates (utils/template.go,
SubstituteEnvsAndTemplate): `$NAME` and `${NAME}` of a set variable are replaced and `{{` opens an action. In
hellt/envsubst v0.2.0 `$$` gives one dollar sign (parse/lex.go), and a template prints what stands between quotes.
`${env:NAME}` would come out as `$env`: everything behind the colon is taken for a default. So a reference to a variable
is spelled `${NAME}`, which containerlab fills in at deploy. Files that are mounted are not expanded.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path

from fabricgen.errors import FabricError, Problem
from fabricgen.platforms.forms import REFERENCE, WORDS, Form, Rule
from fabricgen.push.secrets import WORD

VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SIGNS = {"$": "$$", "{{": '{{"{{"}}'}
_SIGNS = re.compile(r"\$|\{\{")

Spell = Callable[[str, str, Rule], str]
"""(kind of reference, name, how a value is written where it stands) → text."""


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
        kind, name = REFERENCE.fullmatch(text, spot.start, spot.end).groups()  # type: ignore[union-attr]
        parts += [finish(text[end : spot.start]), spell(kind, name, form.rule(spot))]
        end = spot.end
    return "".join((*parts, finish(text[end:])))


def variables(text: str) -> list[str]:
    """Names of the variables that a text refers to, in their order, each once."""
    return list(dict.fromkeys(name for kind, name in REFERENCE.findall(text) if kind == "env"))


def by_containerlab(kind: str, name: str, rule: Rule) -> str:
    """A reference that containerlab resolves at deploy, value as it is. Raises FabricError where it can not."""
    del rule
    if kind == "env" and VARIABLE.fullmatch(name):
        return f"${{{name}}}"
    raise FabricError([_unspoken(kind, name, "containerlab fills in variables of its environment only")])


def by_nobody(kind: str, name: str, rule: Rule) -> str:
    """A reference in a file that nothing expands. Raises FabricError."""
    del rule
    raise FabricError([_unspoken(kind, name, "this file is mounted into the container as it is")])


def _unspoken(kind: str, name: str, why: str) -> Problem:
    return Problem(
        code="export-secret",
        what=f"${{{kind}:{name}}} can not be left for the deploy",
        why=why,
        fix="type --with-secrets: it is resolved here, and the files are for you alone to read",
    )


def resolved(folder: Path, finish: Callable[[str], str]) -> Spell:
    """What resolves references now. `folder`: that of the intent; `finish`: last step of a secret, e.g. `escaped`.

    It raises FabricError for a secret that is not there, or that can not be written where its reference stands.
    """

    def spell(kind: str, name: str, rule: Rule) -> str:
        found = _secret(folder, kind, name)
        if rule.bars(found):
            raise FabricError([_unspelled(kind, name, rule.why)])
        return finish(rule.spelled(found))

    return spell


def _unspelled(kind: str, name: str, why: str) -> Problem:
    return Problem(
        code="secret-shape",
        what=f"what ${{{kind}:{name}}} leads to can not stand where the rendered file has it",
        why=why,
        fix="choose a secret without such signs",
    )


def _secret(folder: Path, kind: str, name: str) -> str:
    try:
        found = os.environ[name] if kind == "env" else (folder / name).read_text(encoding="utf-8").strip()
    except (KeyError, OSError, UnicodeDecodeError):
        found = ""
    if WORD.fullmatch(found) is None:
        why = f"the environment has no {name}" if kind == "env" else f"{folder / name} can not be read"
        fix = f"export {name}=…" if kind == "env" else f"write the secret into {folder / name}, on one line"
        problem = Problem(
            code="secret-missing",
            what=f"${{{kind}:{name}}} leads to no word of a configuration line",
            why=f"{why}, or it is empty, or has a blank or a sign beyond ASCII in it",
            fix=fix,
        )
        raise FabricError([problem])
    return found
