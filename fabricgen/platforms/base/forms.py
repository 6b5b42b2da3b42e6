"""How a value is spelled where a reference to it stands in a file: in a word, in JSON, in YAML, in text with braces.

A form finds the marked references of a text (base/secret.py) and tells what each stands in; a rule tells how a value
is written there, or why it cannot be. What stands in a remark is no spot: nothing is put there.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from fabricgen.base.secret import REFERENCE

WORD, QUOTED, SINGLE, PLAIN, PART, BLOCK = "a word", '"', "'", "a plain scalar", "a part of one", "a block of lines"


class ReferenceSpot(NamedTuple):
    """A reference in a text, from `start` to `end`, and what it stands in, the nearest first."""

    start: int
    end: int
    inside: tuple[str, ...]


class SpellingRule(NamedTuple):
    """How a value is spelled in a place.

    escapes  a sign, and how it is written there
    barred   regular expression of what it cannot have there; empty: it can have everything
    why      why not, with the source
    around   what is put before and behind the value
    """

    escapes: tuple[tuple[str, str], ...] = ()
    barred: str = ""
    why: str = ""
    around: str = ""

    def spelled(self, value: str) -> str:
        """The value as this place wants it."""
        written = dict(self.escapes)
        return f"{self.around}{''.join(written.get(sign, sign) for sign in value)}{self.around}"

    def bars(self, value: str) -> bool:
        """Whether this place cannot hold the value."""
        return bool(self.barred) and re.search(self.barred, value) is not None


class Form(NamedTuple):
    """How the files of a kind are written. rules: what a reference stands in → its rule."""

    spots: Callable[[str], Iterable[ReferenceSpot]]
    rules: Mapping[str, SpellingRule]

    def rule(self, spot: ReferenceSpot) -> SpellingRule:
        """The rule of the nearest thing around a reference that has one."""
        return next(self.rules[name] for name in spot.inside if name in self.rules)


BACKSLASHES = (('"', '\\"'), ("\\", "\\\\"))
"""RFC 8259, 7, for signs that are printable ASCII; the same in the double quotes of YAML 1.2, 5.7."""
DOUBLED = (("'", "''"),)
"""YAML 1.2, 7.3.2."""


def _in_words(text: str) -> Iterator[ReferenceSpot]:
    return (ReferenceSpot(*found.span(), (WORD,)) for found in REFERENCE.finditer(text))


_KEY = r'"((?:[^"\\]|\\.)*)"\s*:\s*"[^"]*$'


def _in_json(text: str) -> Iterator[ReferenceSpot]:
    """JSON has no remarks, and text stands in double quotes alone."""
    keys = re.compile(_KEY)
    for found in REFERENCE.finditer(text):
        key = keys.search(text, text.rfind("\n", 0, found.start()) + 1, found.start())
        yield ReferenceSpot(*found.span(), (*((key[1],) if key else ()), QUOTED))


_YAML_STYLES: Mapping[str | None, str] = MappingProxyType({'"': QUOTED, "'": SINGLE, "|": BLOCK, ">": BLOCK})


def _in_yaml(text: str) -> Iterator[ReferenceSpot]:
    """References in scalars, by the way in which each is written."""
    import yaml  # noqa: PLC0415  # platforms are imported by the help of export, which is to be quick

    if REFERENCE.search(text) is None:
        return
    for token in yaml.scan(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
        if not isinstance(token, yaml.ScalarToken):
            continue
        start, end = token.start_mark.index, token.end_mark.index
        for found in REFERENCE.finditer(text, start, end):
            bare = PLAIN if found.group() == token.value else PART
            yield ReferenceSpot(*found.span(), (_YAML_STYLES.get(token.style, bare),))


_BRACES = r'"[^"]*"|#[^\n]*|/\*.*?\*/|[^\s"#]+'


def _in_braces(text: str) -> Iterator[ReferenceSpot]:
    for token in re.finditer(_BRACES, text, re.DOTALL):
        if not token.group().startswith(("#", "/*")):
            inside = QUOTED if token.group().startswith('"') else WORD
            for found in REFERENCE.finditer(text, *token.span()):
                yield ReferenceSpot(*found.span(), (inside,))


WORDS = Form(_in_words, MappingProxyType({WORD: SpellingRule()}))
"""Lines of words, where blanks alone part one word from the next."""

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
                why="it would stand inside text without quotation marks, where YAML has these signs for itself "
                "(YAML 1.2, 5.3)",
            ),
        }
    ),
)
"""YAML: what stands alone without quotation marks gets them, so that it stays text."""


def words(barred: str, why: str) -> Form:
    """Lines of words, some signs of which no source shows to stand in a word."""
    return Form(_in_words, MappingProxyType({WORD: SpellingRule(barred=barred, why=why)}))


def json_text(barred: Mapping[str, tuple[str, str]]) -> Form:
    """JSON. barred: key → pattern of what its value cannot have, and why."""
    keys = {key: SpellingRule(BACKSLASHES, pattern, why) for key, (pattern, why) in barred.items()}
    return Form(_in_json, MappingProxyType({QUOTED: SpellingRule(BACKSLASHES), **keys}))


def braces(quoted: tuple[str, str], word: tuple[str, str]) -> Form:
    """Text in braces. quoted, word: what a value cannot have in quotation marks and without, and why."""
    return Form(_in_braces, MappingProxyType({QUOTED: SpellingRule((), *quoted), WORD: SpellingRule((), *word)}))
