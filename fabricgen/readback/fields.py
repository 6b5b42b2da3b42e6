"""Documents of JSON and YAML, as a tree in which each field has its line and knows whether somebody has read it."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import yaml

Scalar = str | int | float | bool | None


@dataclass(slots=True)
class Field:
    """A value of a document: an object or a list has fields below, or is empty; a scalar has `value`.

    key    in its object; of an element of a list its index as text
    number line of the key, from 1
    """

    key: str
    number: int
    value: Scalar = None
    below: "Sequence[Field]" = ()
    is_list: bool = False
    is_object: bool = False
    used: bool = False
    _by_key: "dict[str, Field] | None" = None

    def take(self, *keys: str) -> "Field | None":
        """The field at a path of keys; all on the path count as read. None where there is none."""
        here = self
        for key in keys:
            by_key = here._by_key
            found = (here._keyed() if by_key is None else by_key).get(key)
            if found is None:
                return None
            found.used = True
            here = found
        return here

    def each(self) -> "Iterator[Field]":
        """Fields below; each counts as read. Of several with one key it is the last, as for most readers."""
        for child in self._keyed().values() if self.is_object else self.below:
            child.used = True
            yield child

    def _keyed(self) -> "dict[str, Field]":
        if self._by_key is None:
            self._by_key = {child.key: child for child in self.below}
        return self._by_key

    def text(self, *keys: str, default: str = "") -> str:
        """The scalar at a path as text."""
        found = self.take(*keys)
        return default if found is None or found.value is None else str(found.value)

    def use_all(self) -> None:
        """Count as read with all below."""
        self.used = True
        for child in self.below:
            child.use_all()

    def unused(self) -> "Iterator[Field]":
        """The highest fields that nobody has read: those below them are part of them."""
        if not self.used and self.number:
            yield self
            return
        for child in self.below:
            yield from child.unused()


_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[{}\[\]]|[^\s{}\[\],:"]+')
"""A text, a sign, or a number or word of JSON; commas and colons say nothing that these do not."""
_SIGNS = "{}[]"


class NotADocumentError(ValueError):
    """The text is no JSON; the message says where."""


def document(text: str) -> Field:
    """Read a document. Raises NotADocumentError with line and reason."""
    try:
        json.loads(text)
    except ValueError as error:
        raise NotADocumentError(str(error)) from None
    root = Field("", 0, used=True)
    _fill(root, text)
    return root


class _Filling:
    """Puts below a root what comes in the order of the text: scalars, beginnings and ends of objects and lists."""

    def __init__(self, root: Field) -> None:
        self.here, self.below, self.key, self.at = root, list[Field](), "", 0
        self.above: list[tuple[Field, list[Field]]] = []

    def scalar(self, value: Scalar, number: int) -> None:
        """A value, or the key of the next one."""
        here = self.here
        if here.is_object:
            if self.at:
                self.below.append(Field(self.key, self.at, value))
                self.at = 0
            else:
                self.key, self.at = "" if value is None else str(value), number
        elif here.is_list:
            self.below.append(Field(str(len(self.below)), number, value))
        else:
            here.value = value

    def open(self, number: int, *, is_object: bool) -> None:
        """An object or a list begins: the document itself, or a field of the innermost one."""
        here = self.here
        if here.is_object or here.is_list:
            child = Field(self.key if here.is_object else str(len(self.below)), self.at or number)
            self.below.append(child)
            self.above.append((here, self.below))
            here = self.here = child
        here.is_object, here.is_list = is_object, not is_object
        self.below, self.at = [], 0

    def close(self) -> None:
        """The innermost object or list ends."""
        self.here.below = self.below
        if self.above:
            self.here, self.below = self.above.pop()


def _fill(root: Field, text: str) -> None:
    """Put all fields below the root. The text is known to be JSON. Equal lines, as of many ports, are taken apart once.

    No text of JSON has the end of a line in it.
    """
    filling = _Filling(root)
    known: dict[str, tuple[tuple[str, Scalar], ...]] = {}
    for number, line in enumerate(text.split("\n"), 1):
        tokens = known.get(line)
        if tokens is None:
            tokens = known[line] = _tokens(line)
        for sign, value in tokens:
            if not sign:
                filling.scalar(value, number)
            elif sign in "{[":
                filling.open(number, is_object=sign == "{")
            else:
                filling.close()


_PLAIN = re.compile(r'\s*"([^"\\]*)"\s*:\s*(?:"([^"\\]*)"\s*,?|\{)\s*')
"""A key and a text, or a key and the beginning of an object: most lines of a document that a program writes."""
_BEGIN = ("{", None)


def _tokens(line: str) -> tuple[tuple[str, Scalar], ...]:
    """Signs and values of a line, each value without a sign."""
    plain = _PLAIN.fullmatch(line)
    if plain is None:
        return tuple(map(_token, _TOKEN.findall(line)))
    return ("", plain[1]), _BEGIN if plain[2] is None else ("", plain[2])


def _token(word: str) -> tuple[str, Scalar]:
    """A sign, or no sign and a value."""
    if word in _SIGNS:
        return word, None
    return "", word[1:-1] if word[0] == '"' and "\\" not in word else json.loads(word)


DEEPEST = 100
"""Levels of a YAML document that is read; what a switch writes has fewer than 20."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def yaml_document(text: str) -> Field:
    """Read a document of YAML. Every scalar is text as it is written: `on` is no boolean; nothing is None.

    Raises NotADocumentError with line and reason; so it does for an alias, which no switch writes.
    """
    if text.count("[") + text.count("{") > len(text) // 4:
        raise NotADocumentError("line 1 column 1: too many levels")
    root = Field("", 0, used=True)
    try:
        _fill_from(root, text)
    except (yaml.YAMLError, UnicodeError) as error:
        raise NotADocumentError(str(error)) from None
    return root


def _fill_from(root: Field, text: str) -> None:
    """Put what a text of YAML says into a field."""
    filling = _Filling(root)
    # Behind the beginnings of the stream and of its one document.
    for event in islice(iter(_LOADER(text).get_event, None), 2, None):
        kind, line = type(event), event.start_mark.line + 1
        if kind is yaml.ScalarEvent:
            filling.scalar(None if event.value == "" and not event.style else event.value, line)
        elif kind in _BEGINS:
            if len(filling.above) > DEEPEST or (filling.here.is_object and not filling.at):
                raise _refused(event, "too many levels, or a key that is no text")
            filling.open(line, is_object=kind is yaml.MappingStartEvent)
        elif kind in _ENDS:
            filling.close()
        elif kind in _NEVER:
            raise _refused(event, "another document, or an alias")


_BEGINS = frozenset({yaml.MappingStartEvent, yaml.SequenceStartEvent})
_ENDS = frozenset({yaml.MappingEndEvent, yaml.SequenceEndEvent})
_NEVER = frozenset({yaml.DocumentStartEvent, yaml.AliasEvent})


def _refused(event: Any, why: str) -> NotADocumentError:  # noqa: ANN401 - events have no type in common
    mark = event.start_mark
    return NotADocumentError(f"line {mark.line + 1} column {mark.column + 1}: {why}")
