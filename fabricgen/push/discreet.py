"""Texts in which nothing secret stands: neither what a connection was opened with, nor what a candidate holds."""

import re
from collections.abc import Iterable

from fabricgen.verify.store import REMOVED, without_secrets

_LONGEST = 300  # characters of a driver's error
_SURE = 8  # characters of a secret from which it is no word that a text says by chance


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


def redacted(text: str, secrets: Iterable[str]) -> str:
    """Return a text without these secrets; a short one goes where it stands as a word of its own."""
    for secret in sorted(filter(None, secrets), key=len, reverse=True):
        if len(secret) >= _SURE:
            text = text.replace(secret, REMOVED)
        else:
            text = re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", REMOVED, text)
    return text


def repeating(value: object, secrets: Iterable[str]) -> object:
    """Return an output, text or what JSON made of it, in which the switch repeats none of these secrets."""
    sure = tuple(secret for secret in secrets if len(secret) >= _SURE)
    match value:
        case str():
            return redacted(value, sure)
        case dict():
            return {redacted(str(key), sure): repeating(item, sure) for key, item in value.items()}
        case list():
            return [repeating(item, sure) for item in value]
        case _:
            return value


def reason(error: BaseException, secrets: Iterable[str]) -> str:
    """What an exception says, on one line, not at length, and without secrets."""
    text = redacted(shown(str(error)) or type(error).__name__, secrets)
    text = re.sub(r"\s+", " ", text).strip()
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}…"
