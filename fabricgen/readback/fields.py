"""Documents of JSON and YAML, as a tree in which each field has its line and knows whether somebody has read it."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
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
    below: "list[Field]" = field(default_factory=list)
    is_list: bool = False
    is_object: bool = False
    used: bool = False
    _by_key: "dict[str, Field]" = field(default_factory=dict)

    def take(self, *keys: str) -> "Field | None":
        """The field at a path of keys; all on the path count as read. None where there is none."""
        here = self
        for key in keys:
            found = here._keyed().get(key)
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
        if not self._by_key and self.below:
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


_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([{}\[\],:])|(\n)|([^\s{}\[\],:"]+)')
"""A text, a sign, the end of a line, or a number or word of JSON."""
_TEXT, _SIGN, _END = 1, 2, 3


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


def _fill(root: Field, text: str) -> None:
    """Put all fields below the root. The text is known to be JSON."""
    above, key, at, number = [root], "", 0, 1
    for match in _TOKEN.finditer(text):
        kind = match.lastindex
        if kind == _END:
            number += 1
        elif kind == _SIGN:
            if match[0] in "{[":
                _open(above, match[0], key, at or number)
                at = 0
            elif match[0] in "}]" and len(above) > 1:
                above.pop()
        else:
            here = above[-1]
            value = match[1] if kind == _TEXT and "\\" not in match[0] else json.loads(match[0])
            if here.is_object and not at:
                key, at = value, number
            else:
                found = _child(here, key, at or number) if here.is_object or here.is_list else here
                found.value, at = value, 0


def _open(above: list[Field], sign: str, key: str, number: int) -> None:
    """An object or a list begins: the document itself, or a field of the innermost one."""
    here = above[-1]
    if here.is_object or here.is_list:
        here = _child(here, key, number)
        above.append(here)
    here.is_object, here.is_list = sign == "{", sign == "["


def _child(here: Field, key: str, number: int) -> Field:
    """A new field of an object, or the next one of a list."""
    child = Field(key if here.is_object else str(len(here.below)), number)
    here.below.append(child)
    return child


DEEPEST = 100
"""Levels of a YAML document that is read; what a switch writes has fewer than 20."""
_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OPENS = re.compile(r"[\[{]|[-?:] ")


def yaml_document(text: str) -> Field:
    """Read a document of YAML. Every scalar is text as it is written: `on` is no boolean; nothing is None.

    Raises NotADocumentError with line and reason; so it does for an alias, which no switch writes.
    """
    if any(_depth(line) > DEEPEST for line in text.splitlines()) or text.count("[") + text.count("{") > len(text) // 4:
        raise NotADocumentError("line 1 column 1: too many levels")
    try:
        node = yaml.compose(text, Loader=_LOADER)
        root = Field("", 0, used=True)
        if node is not None:
            _fill_from(root, node, set())
    except (yaml.YAMLError, UnicodeError, RecursionError) as error:
        raise NotADocumentError(str(error)) from None
    return root


def _depth(line: str) -> int:
    """How many levels a line opens, at most: by its indentation, and by its brackets and dashes."""
    return (len(line) - len(line.lstrip(" "))) // 2 + len(_OPENS.findall(line)) if len(line) > DEEPEST else 0


def _fill_from(here: Field, node: yaml.Node, seen: set[int]) -> None:
    """Put a node's value into a field."""
    if id(node) in seen:
        mark = node.start_mark
        raise NotADocumentError(f"line {mark.line + 1} column {mark.column + 1}: an alias")
    seen.add(id(node))
    if isinstance(node, yaml.MappingNode):
        here.is_object = True
        for key, value in node.value:
            name = key.value if isinstance(key, yaml.ScalarNode) else "?"
            child = Field(name, key.start_mark.line + 1)
            _fill_from(child, value, seen)
            here.below.append(child)
    elif isinstance(node, yaml.SequenceNode):
        here.is_list = True
        for place, value in enumerate(node.value):
            child = Field(str(place), value.start_mark.line + 1)
            _fill_from(child, value, seen)
            here.below.append(child)
    elif isinstance(node, yaml.ScalarNode):
        here.value = None if node.value == "" and not node.style else node.value
