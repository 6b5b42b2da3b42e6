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

REFERENCE = re.compile(r"\$\{(env|file):([A-Za-z0-9_][A-Za-z0-9_./-]*)\}")
"""A secret's placeholder, as the intent and every artifact spell it."""
VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
SIGNS = {"$": "$$", "{{": '{{"{{"}}'}
_SIGNS = re.compile(r"\$|\{\{")

Spell = Callable[[str, str], str]
"""(kind of reference, name) → text."""


def escaped(text: str) -> str:
    """Text that containerlab turns back into `text`."""
    return _SIGNS.sub(lambda found: SIGNS[found.group()], text)


def has_traps(text: str) -> bool:
    """Whether containerlab would change a text."""
    return bool(_SIGNS.search(text))


def expanded_file(text: str, spell: Spell) -> str:
    """A startup configuration: literal text escaped, each reference spelled."""
    parts: list[str] = []
    end = 0
    for found in REFERENCE.finditer(text):
        parts += [escaped(text[end : found.start()]), spell(found[1], found[2])]
        end = found.end()
    return "".join((*parts, escaped(text[end:])))


def mounted_file(text: str, spell: Spell) -> str:
    """A file that is mounted as it is: each reference spelled."""
    return REFERENCE.sub(lambda found: spell(found[1], found[2]), text)


def variables(text: str) -> list[str]:
    """Names of the variables that a text refers to, in their order, each once."""
    return list(dict.fromkeys(name for kind, name in REFERENCE.findall(text) if kind == "env"))


def by_containerlab(kind: str, name: str) -> str:
    """A reference that containerlab resolves at deploy. Raises FabricError where it can not."""
    if kind == "env" and VARIABLE.fullmatch(name):
        return f"${{{name}}}"
    raise FabricError([_unspoken(kind, name, "containerlab fills in variables of its environment only")])


def by_nobody(kind: str, name: str) -> str:
    """A reference in a file that nothing expands. Raises FabricError."""
    raise FabricError([_unspoken(kind, name, "this file is mounted into the container as it is")])


def _unspoken(kind: str, name: str, why: str) -> Problem:
    return Problem(
        code="export-secret",
        what=f"${{{kind}:{name}}} can not be left for the deploy",
        why=why,
        fix="type --with-secrets: it is resolved here, and the files are for you alone to read",
    )


def resolved(folder: Path, finish: Callable[[str], str]) -> Spell:
    """What resolves references now. `folder`: that of the intent; `finish`: last step of a secret, e.g. `escaped`."""

    def spell(kind: str, name: str) -> str:
        return finish(_secret(folder, kind, name))

    return spell


def _secret(folder: Path, kind: str, name: str) -> str:
    try:
        found = os.environ[name] if kind == "env" else (folder / name).read_text(encoding="utf-8").strip()
    except (KeyError, OSError, UnicodeDecodeError):
        found = ""
    if not found or any(ord(sign) < ord(" ") for sign in found):
        why = f"the environment has no {name}" if kind == "env" else f"{folder / name} can not be read"
        fix = f"export {name}=…" if kind == "env" else f"write the secret into {folder / name}, on one line"
        problem = Problem(
            code="secret-missing",
            what=f"${{{kind}:{name}}} leads to nothing that fits on a line",
            why=f"{why}, or it is empty",
            fix=fix,
        )
        raise FabricError([problem])
    return found
