"""A reference to a secret, and how it is told in a rendered text from free text that only looks like one.

Templates print a reference with MARK in front of it. No text of an intent, of hardware, of a table or of a user's
template can hold that sign (REFUSED_TEXT of `fabricgen.source.yaml_events`), and a finished file in which something
else is marked is refused (`fabricgen.render.marks`): so nothing but secrets of the Device is ever filled in. Marks
live in memory: files that people read are without them (`shown`).
"""

import re
from typing import NamedTuple

MARK = "\N{SOFT HYPHEN}"
"""Of Latin-1, so that a text with it takes no more memory, and printable in YAML and JSON."""
WRITTEN = re.compile(r"\$\{(env|file):([A-Za-z0-9_][A-Za-z0-9_./-]*)\}")
"""A reference as people write it: the variable of an environment, or a file below the folder of the intent."""
REFERENCE = re.compile(MARK + WRITTEN.pattern)
"""A reference to a secret in a rendered text."""


class Secret(NamedTuple):
    """A reference to a secret: `kind` is env or file. As text it is what REFERENCE finds."""

    kind: str
    name: str

    @property
    def written(self) -> str:
        """As people write and read it."""
        return f"${{{self.kind}:{self.name}}}"

    def __str__(self) -> str:
        """As templates print it."""
        return f"{MARK}{self.written}"


def secret(written: str) -> Secret:
    """Read a reference. Raises ValueError for other text."""
    found = WRITTEN.fullmatch(written)
    if found is None:
        raise ValueError(f"{written} is no reference")
    return Secret(found[1], found[2])


def marked(text: str, references: tuple[str, ...]) -> str:
    """Free text in which these references, as they are written, are secrets."""
    for written in dict.fromkeys(references):
        text = text.replace(written, str(secret(written)))
    return text


def shown(text: str) -> str:
    """A rendered text as people read it, and as it stands on disk."""
    return text.replace(MARK, "")
