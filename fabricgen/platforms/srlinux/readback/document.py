"""A configuration in JSON → a tree in which each value has its line. Names of modules are taken off (RFC 7951).

A reader takes out what it understands: what is left is unread. Of a key that an object has twice the last value counts,
as for most readers of JSON (RFC 8259 leaves it open), and the others are left. `save file` writes a key a line, and
that form is read line by line; any other JSON is read sign by sign.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from fabricgen.readback.fields import Field, document


class Leaf(NamedTuple):
    """A value and its line."""

    value: Any
    line: int


Tree = dict[str | None, Any]
"""Key → a Leaf, a Tree, or a list of either. The key None has the line on which an object begins."""
MODULE = "srl_nokia-"
DEEPEST = 60
"""Objects and lists around a value. No model is so deep: more is no configuration."""


class NotReadableError(ValueError):
    """The text is no object of JSON; `line` says where."""

    def __init__(self, why: str, line: int) -> None:
        super().__init__(why)
        self.line = line


def tree_of(text: str) -> Tree:
    """Read a text. Raises NotReadableError."""
    try:
        json.loads(text)
        return _Lines().read(text.split("\n"))
    except (_OtherFormError, ValueError, RecursionError):
        pass
    try:
        found = document(text)
    except RecursionError:
        raise NotReadableError("it is too deep", 1) from None
    except ValueError as error:
        cause = str(error)
        line = cause.partition(" line ")[2].partition(" ")[0]
        raise NotReadableError(cause, int(line) if line.isdigit() else 1) from None
    if not found.is_object:
        raise NotReadableError("it is no object", 1)
    tree: Tree = _tree(found, 0)
    return tree


class _OtherFormError(Exception):
    """A line has more than a key, or another sign than it should."""


_WORDS: dict[str, Any] = {"true": True, "false": False, "null": None}


def _scalar(text: str) -> Any:  # noqa: ANN401 - JSON
    if text[:1] == '"' and text[-1] == '"' and len(text) > 1 and "\\" not in text and '"' not in text[1:-1]:
        value = text[1:-1]
        return value.partition(":")[2] if value.startswith(MODULE) else value
    if text.isascii() and text.isdigit() and len(text) < 18:
        return int(text)
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        raise _OtherFormError from None
    if isinstance(value, list | dict):
        raise _OtherFormError
    return value


class _Lines:
    """Reads a key a line. `here` is the open object or list, `above` those around it."""

    def __init__(self) -> None:
        self.root: Tree = {}
        self._here: Any = None
        self._above: list[Any] = []
        self._begun = False

    def read(self, lines: list[str]) -> Tree:
        for number, raw in enumerate(lines, 1):
            line = raw.strip()
            if line in _CLOSING:
                self._close(line)
            elif line and self._here is None:
                self._begin(line)
            elif line:
                self._add(line, number)
        if self._here is not None or not self._begun:
            raise _OtherFormError
        return self.root

    def _close(self, line: str) -> None:
        if self._here is None or (line[0] == "}") != isinstance(self._here, dict):
            raise _OtherFormError
        self._here = self._above.pop()

    def _begin(self, line: str) -> None:
        if self._begun or line != "{":
            raise _OtherFormError
        self._begun, self._here = True, self.root
        self._above.append(None)

    def _add(self, line: str, number: int) -> None:
        here = self._here
        key = ""
        if type(here) is dict:
            end = line.find('": ')
            if line[0] != '"' or end < 0:
                raise _OtherFormError
            key, line = line[1:end].rpartition(":")[2], line[end + 3 :]
        below: Any
        if line in ("{", "["):
            if len(self._above) > DEEPEST:
                raise _OtherFormError
            below = {None: number} if line == "{" else []
            self._above.append(here)
            self._here = below
        else:
            below = _leaf(line.removesuffix(","), number)
        if type(here) is dict:
            _put(here, key, below)
        else:
            here.append(below)


def _put(here: Tree, key: str, below: Any) -> None:  # noqa: ANN401 - JSON
    """Put a value into an object. An earlier one of its key gets a name that nobody takes."""
    if key in here:
        here[f"{key} {len(here)}"] = here[key]
    here[key] = below


_CLOSING = frozenset({"}", "},", "]", "],"})


def _leaf(text: str, number: int) -> Any:  # noqa: ANN401 - JSON
    if text == "{}":
        return {None: number}
    return [] if text == "[]" else Leaf(_WORDS[text] if text in _WORDS else _scalar(text), number)


def _tree(found: Field, depth: int) -> Any:  # noqa: ANN401 - JSON
    if depth > DEEPEST:
        return Leaf(None, found.number)
    if found.is_object:
        below: Tree = {None: found.number} if found.number else {}
        for child in found.below:
            _put(below, child.key.rpartition(":")[2], _tree(child, depth + 1))
        return below
    if found.is_list:
        return [_tree(child, depth + 1) for child in found.below]
    value = found.value
    if isinstance(value, str) and value.startswith(MODULE):
        value = value.partition(":")[2]
    return Leaf(value, found.number)


def numbers(value: Any) -> Iterator[int]:  # noqa: ANN401 - JSON
    """Lines of all that is left of a value."""
    if type(value) is dict:
        for below in value.values():
            if type(below) is int:
                yield below
            else:
                yield from numbers(below)
    elif type(value) is list:
        for below in value:
            yield from numbers(below)
    else:
        yield value.line
