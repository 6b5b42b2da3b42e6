"""Texts in which nothing secret stands: neither what a connection was opened with, nor what a candidate holds."""

import json
import re
from collections.abc import Iterable, Iterator

from fabricgen.push.switch.secrets import spellings
from fabricgen.verify.collect.redact_config import REMOVED, without_secrets
from fabricgen.verify.collect.redact_outputs import redacted

_LONGEST = 300  # characters of a driver's error


def hidden_in(text: str) -> tuple[str, ...]:
    """Return the secrets that a configuration holds, as the words that `without_secrets` takes out of it."""
    tree = _tree(text)
    found = _of_lines(text) if tree is None else _of_tree(tree, without_secrets(tree))
    return tuple(dict.fromkeys(found))


def _tree(text: str) -> object:
    """What JSON has; None for any other text."""
    try:
        return json.loads(text) if text.lstrip()[:1] in ("{", "[") else None
    except (ValueError, RecursionError):
        return None


def _of_lines(text: str) -> Iterator[str]:
    """Words that go of each line: read alone, as in a message, and among the others, which tell more of it."""
    lines = text.splitlines()
    for line, *left in zip(lines, map(shown, lines), str(without_secrets(text)).splitlines(), strict=True):
        for clean in left:
            kept = clean.split()
            hidden = (word for word in line.split() if word not in kept)
            yield from (one for word in hidden for one in (word, word.strip("\"';,:")) if one)


def _of_tree(found: object, clean: object) -> Iterator[str]:
    """Values and names that are gone, however they may be spelled."""
    match found, clean:
        case dict(), dict():
            for (key, item), (left, kept) in zip(found.items(), clean.items(), strict=False):
                yield from _of_tree(key, left)
                yield from _of_tree(item, kept)
        case list(), list():
            for item, kept in zip(found, clean, strict=True):
                yield from _of_tree(item, kept)
        case str(), str() if not clean.startswith(REMOVED):
            yield from _of_lines(found)
        case _ if found != clean:
            yield from spellings(str(found))


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
