"""A reference to a secret, and the mark that separates it from free text that only looks like one.

Templates print a reference with MARK in front of it. No text of an intent, a hardware file, a table or a user's
template can contain that character (REFUSED_TEXT of `fabricgen.source.yaml_events`), and a rendered file in which
anything else is marked is refused (`fabricgen.render.marks`). So only secrets of the Device are ever filled in. Marks
exist in memory only: files that people read have none (`shown`).
"""

import re
from typing import NamedTuple

MARK = "\N{SOFT HYPHEN}"
"""A Latin-1 character, so a text with it takes no more memory; printable in YAML and JSON."""
WRITTEN = re.compile(r"\$\{(env|file):([A-Za-z0-9_][A-Za-z0-9_./-]*)\}")
"""A reference as people write it: an environment variable, or a file below the folder of the intent."""
REFERENCE = re.compile(MARK + WRITTEN.pattern)
"""A reference to a secret in a rendered text."""


class Secret(NamedTuple):
    """A reference to a secret: `kind` is env or file. Its text matches REFERENCE."""

    kind: str
    name: str

    @property
    def written(self) -> str:
        """The reference as people write and read it."""
        return f"${{{self.kind}:{self.name}}}"

    def __str__(self) -> str:
        """The reference as templates print it."""
        return f"{MARK}{self.written}"


def secret(written: str) -> Secret:
    """Read a reference. Raises ValueError for other text."""
    match = WRITTEN.fullmatch(written)
    if match is None:
        raise ValueError(f"{written} is not a reference")
    return Secret(match[1], match[2])


def marked(text: str, references: tuple[str, ...]) -> str:
    """Free text in which these references, as people write them, are marked as secrets."""
    for written in dict.fromkeys(references):
        text = text.replace(written, str(secret(written)))
    return text


def shown(text: str) -> str:
    """A rendered text without marks, as it is written to disk."""
    return text.replace(MARK, "")
