"""Remedies for unknown words: the few names that may be meant, in natural order."""

from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

from fabricgen.base.text import natural

MOST = 5
"""Limit on the words that a remedy names."""


def nearest_words(text: str, words: Iterable[str], least: float = 0.6) -> str:
    """The nearest word, or those that are equally near; empty if none is. least: minimum similarity, 0 to 1."""
    choices = set(words)
    matches = get_close_matches(text, choices, n=len(choices) or 1, cutoff=least)
    similarity = {word: SequenceMatcher(None, word, text).ratio() for word in matches}
    return _asked(word for word in matches if similarity[word] == similarity[matches[0]])


def begun(text: str, words: Iterable[str]) -> str:
    """Words that begin with the text, up to the end of a number; empty if there are none."""
    return _asked(word for word in words if word.startswith(text) and not word[len(text) : len(text) + 1].isdigit())


def such_as(words: Iterable[str]) -> str:
    """A few of all words."""
    return f"write a name, such as {', '.join(sorted(words, key=natural)[:MOST])}"


def _asked(words: Iterable[str]) -> str:
    *others, last = sorted(words, key=natural)[:MOST] or [""]
    if not last:
        return ""
    return f"did you mean {', '.join(others)} or {last}?" if others else f"did you mean {last}?"
