"""How a value is written where a reference to it is in a file: in a word, in JSON, in YAML, in text with braces.

A form finds the marked references of a text (base/secret.py) and what syntax surrounds each. A rule says how a value is
written there, or why it cannot be. References in remarks are skipped: no value is put there.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.base.secret import REFERENCE

WORD, QUOTED, SINGLE, PLAIN, PART, BLOCK = "a word", '"', "'", "a plain scalar", "a part of one", "a block of lines"


class ReferenceSpot(NamedTuple):
    """A reference in a text, from `start` to `end`, and the syntax that surrounds it, innermost first."""

    start: int
    end: int
    inside: tuple[str, ...]


class SpellingRule(NamedTuple):
    """How a value is written in one kind of place.

    escapes  (character, how it is written there)
    barred   regular expression of what the value must not contain; empty: no limit
    why      the reason for `barred`, with the source
    around   what is put before and after the value
    """

    escapes: tuple[tuple[str, str], ...] = ()
    barred: str = ""
    why: str = ""
    around: str = ""

    def spelled(self, value: str) -> str:
        """The value as it is written in this place."""
        written = dict(self.escapes)
        return f"{self.around}{''.join(written.get(sign, sign) for sign in value)}{self.around}"

    def bars(self, value: str) -> bool:
        """Whether this place cannot hold the value."""
        return bool(self.barred) and re.search(self.barred, value) is not None


class Form(NamedTuple):
    """Syntax of a kind of files. rules: what surrounds a reference → its rule."""

    spots: Callable[[str], Iterable[ReferenceSpot]]
    rules: Mapping[str, SpellingRule]

    def rule(self, spot: ReferenceSpot) -> SpellingRule:
        """The rule of the innermost surrounding syntax that has one."""
        return next(self.rules[name] for name in spot.inside if name in self.rules)


BACKSLASHES = (('"', '\\"'), ("\\", "\\\\"))
"""RFC 8259, 7, for printable ASCII characters; the same in the double quotes of YAML 1.2, 5.7."""
DOUBLED = (("'", "''"),)
"""YAML 1.2, 7.3.2."""


def _in_words(text: str) -> Iterator[ReferenceSpot]:
    return (ReferenceSpot(*match.span(), (WORD,)) for match in REFERENCE.finditer(text))


_KEY = r'"((?:[^"\\]|\\.)*)"\s*:\s*"[^"]*$'


def _in_json(text: str) -> Iterator[ReferenceSpot]:
    """JSON has no remarks, and text is in double quotes only."""
    keys = re.compile(_KEY)
    for match in REFERENCE.finditer(text):
        key = keys.search(text, text.rfind("\n", 0, match.start()) + 1, match.start())
        yield ReferenceSpot(*match.span(), (*((key[1],) if key else ()), QUOTED))


_YAML_STYLES: Mapping[str | None, str] = MappingProxyType({'"': QUOTED, "'": SINGLE, "|": BLOCK, ">": BLOCK})


def _in_yaml(text: str) -> Iterator[ReferenceSpot]:
    """References in scalars, by the style of each scalar."""
    import yaml  # noqa: PLC0415  # platforms are imported by the help of export, which is to be quick

    if REFERENCE.search(text) is None:
        return
    for token in yaml.scan(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        if not isinstance(token, yaml.ScalarToken):
            continue
        start, end = token.start_mark.index, token.end_mark.index
        for match in REFERENCE.finditer(text, start, end):
            bare = PLAIN if match.group() == token.value else PART
            yield ReferenceSpot(*match.span(), (_YAML_STYLES.get(token.style, bare),))


_BRACES = r'"[^"]*"|#[^\n]*|/\*.*?\*/|[^\s"#]+'


def _in_braces(text: str) -> Iterator[ReferenceSpot]:
    for token in re.finditer(_BRACES, text, re.DOTALL):
        if not token.group().startswith(("#", "/*")):
            inside = QUOTED if token.group().startswith('"') else WORD
            for match in REFERENCE.finditer(text, *token.span()):
                yield ReferenceSpot(*match.span(), (inside,))


WORDS = Form(_in_words, MappingProxyType({WORD: SpellingRule()}))
"""Lines of words that are separated by blanks only."""

YAML = Form(
    _in_yaml,
    MappingProxyType(
        {
            QUOTED: SpellingRule(BACKSLASHES),
            SINGLE: SpellingRule(DOUBLED),
            BLOCK: SpellingRule(),
            PLAIN: SpellingRule(BACKSLASHES, around='"'),
            PART: SpellingRule(
                barred=r"""[][{},:#&*!|>'"%@`\\]""",
                why="it would be in text without quotes, where these characters have a meaning in YAML (YAML 1.2, 5.3)",
            ),
        }
    ),
)
"""YAML: a plain scalar that is nothing but the reference gets quotation marks, so that it stays text."""


def words(barred: str, why: str) -> Form:
    """Lines of words, for a system of which no source shows some characters in a word."""
    return Form(_in_words, MappingProxyType({WORD: SpellingRule(barred=barred, why=why)}))


def json_text(barred: Mapping[str, tuple[str, str]]) -> Form:
    """JSON. barred: key → (pattern that its value must not match, why)."""
    keys = {key: SpellingRule(BACKSLASHES, pattern, why) for key, (pattern, why) in barred.items()}
    return Form(_in_json, MappingProxyType({QUOTED: SpellingRule(BACKSLASHES), **keys}))


def braces(quoted: tuple[str, str], word: tuple[str, str]) -> Form:
    """Text in braces. quoted, word: what a value must not contain with and without quotation marks, and why."""
    return Form(_in_braces, MappingProxyType({QUOTED: SpellingRule((), *quoted), WORD: SpellingRule((), *word)}))
