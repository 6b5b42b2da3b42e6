"""Texts in which nothing secret stands: neither what a connection was opened with, nor what a candidate holds."""

import re
from collections.abc import Iterable

from fabricgen.verify.discreet import redacted
from fabricgen.verify.store import without_secrets

_LONGEST = 300  # characters of a driver's error


def hidden_in(text: str) -> tuple[str, ...]:
    """Return the secrets that a configuration holds, as the words that `without_secrets` takes out of it."""
    found: dict[str, None] = {}
    for line in text.splitlines():
        clean = shown(line)
        if clean != line:
            kept = clean.split()
            found.update(dict.fromkeys(word for word in line.split() if word not in kept))
    return tuple(found)


def shown(text: str) -> str:
    """Return a configuration, or the lines of a difference, without secrets."""
    return "".join(map(_shown_line, text.splitlines(keepends=True)))


def _shown_line(line: str) -> str:
    """The sign of a difference stands in front of what only counts as a secret at the beginning of a line."""
    sign = line[:1] if line[:1] in ("+", "-") else ""
    return sign + str(without_secrets(line.removeprefix(sign)))


def reason(error: BaseException, secrets: Iterable[str]) -> str:
    """What an exception says, on one line, not at length, and without secrets."""
    text = redacted(shown(str(error)) or type(error).__name__, secrets)
    text = re.sub(r"\s+", " ", text).strip()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
