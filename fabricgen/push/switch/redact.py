"""Texts without secrets: neither those that a connection was opened with, nor those that a candidate holds."""

import json
from collections.abc import Iterable, Iterator

from fabricgen.push.switch.secrets import spellings
from fabricgen.verify.collect.redact_config import REMOVED, without_secrets
from fabricgen.verify.collect.redact_outputs import message_of


def hidden_in(text: str) -> tuple[str, ...]:
    """Return the secrets that a configuration holds, as the words that `without_secrets` takes out of it."""
    tree = _tree(text)
    words = _of_lines(text) if tree is None else _of_tree(tree, without_secrets(tree))
    return tuple(dict.fromkeys(words))


def _tree(text: str) -> object:
    """The parsed JSON; None for any other text."""
    try:
        return json.loads(text) if text.lstrip()[:1] in ("{", "[") else None
    except (ValueError, RecursionError):
        return None


def _of_lines(text: str) -> Iterator[str]:
    """Removed words of each line, read alone (as in a message) and with the other lines as context."""
    lines = text.splitlines()
    for line, *clean_lines in zip(lines, map(shown, lines), str(without_secrets(text)).splitlines(), strict=True):
        for clean in clean_lines:
            kept = clean.split()
            hidden = (word for word in line.split() if word not in kept)
            yield from (spelling for word in hidden for spelling in (word, word.strip("\"';,:")) if spelling)


def _of_tree(value: object, clean: object) -> Iterator[str]:
    """Removed values and names, in each spelling."""
    match value, clean:
        case dict(), dict():
            for (key, item), (clean_key, kept) in zip(value.items(), clean.items(), strict=False):
                yield from _of_tree(key, clean_key)
                yield from _of_tree(item, kept)
        case list(), list():
            for item, kept in zip(value, clean, strict=True):
                yield from _of_tree(item, kept)
        case str(), str() if not clean.startswith(REMOVED):
            yield from _of_lines(value)
        case _ if value != clean:
            yield from spellings(str(value))


def shown(text: str) -> str:
    """Return a configuration, or the lines of a difference, without secrets."""
    return "".join(map(_shown_line, text.splitlines(keepends=True)))


def _shown_line(line: str) -> str:
    """Remove secrets behind the sign of a difference: some patterns match only at the beginning of a line."""
    sign = line[:1] if line[:1] in ("+", "-") else ""
    return sign + str(without_secrets(line.removeprefix(sign)))


def reason(error: BaseException, secrets: Iterable[str]) -> str:
    """The text of an exception: one line, at most 300 characters, without secrets."""
    return message_of(shown(str(error)) or type(error).__name__, secrets)
