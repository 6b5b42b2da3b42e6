"""The YAML parser's events to plain values with positions, without recursion.

Only `null`, `true`, `false` and plain decimal integers resolve; an empty value is None; everything else is the string
as written. Values are built with a stack of our own, so no input is deep or large enough to exhaust Python's stack,
and every limit ends the reading at once.
"""

import re
from unicodedata import is_normalized, normalize

import yaml

from fabricgen.errors import IntentPath, Problem, Source

MAX_OCTETS = 2 << 20  # of one file; an intent has a few thousand
MAX_VALUES = 100_000  # of one file, keys not counted; about 100 MiB with their places
MAX_DEPTH = 32  # an intent needs about 8
MAX_PROBLEMS = 50  # of one file; reading stops there

# Characters that are invisible in a review: the categories Cc, Cf, Co, Cs, Zl and Zp of Unicode 15.1, blanks other than
# space (Zs), and letters and marks without a glyph (Default_Ignorable_Code_Point of DerivedCoreProperties.txt; U+2800).
_INVISIBLE = (
    "\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\xa0\xad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160"
    "\u1680\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u2800\u3000\u3164\ud800-\uf8ff\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e0fff\U000f0000-\U0010ffff"
)
REFUSED_TEXT = f"[{_INVISIBLE}]"
_REFUSED_KEY = f"[\t\n\r{_INVISIBLE}]"
# Sets of so many characters take long to compile, so `re` compiles them for the first text that may have one.

_MARKS = "\u0300"  # the first combining mark: a text of characters below it is composed (NFC) already

_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,19}")  # 20 digits hold 2**64 - 1; 0123 and longer numbers stay text
_WORDS = {"null": None, "true": True, "false": False, "": None}
_PLAIN_KEY = r"[^\s.\[\]\"']+"


def is_plain(text: str) -> bool:
    """Whether a text needs no search: it is printable and has only letters and signs of Latin scripts."""
    return text.isprintable() and (text.isascii() or max(text) < _MARKS)


def path_text(path: IntentPath) -> str:
    """Return `path` as people write it: fabrics.backend.asns, tenants.storage.servers[0], overrides["a.b"]."""
    text = ""
    for part in path:
        if isinstance(part, int):
            text += f"[{part}]"
        elif re.fullmatch(_PLAIN_KEY, part):
            text += f".{part}" if text else part
        else:
            text += f'["{part}"]'
    return text


def limit(at: Source, code: str, unit: str, most: int) -> Problem:
    """Return the problem of a file that exceeds one of the limits above."""
    what = f"{at.file} has more than {most} {unit}"
    return Problem(
        code=code,
        what=what,
        why=f"the limit is {most}",
        fix="split the file, or remove lines that are not needed",
        at=at,
    )


class _Frame:
    """A collection that is being filled.

    key     of a mapping, the one whose value comes next; None where a key comes next, and in lists
    target  path of the value of `key`
    """

    __slots__ = ("key", "path", "target", "value")

    def __init__(self, value: dict[str, object] | list[object], path: IntentPath, key: str | None = None) -> None:
        self.value = value
        self.path = path
        self.key = key
        self.target = path


class Composer:
    """Builds a document from the parser's events; `root[""]` is the document's value."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.root: dict[str, object] = {}
        self.places: dict[IntentPath, Source] = {}
        self.keys: dict[IntentPath, Source] = {}
        self.problems: list[Problem] = []
        self.is_over = False
        self._stack: list[_Frame] = []
        self._anchors: set[str] = set()

    def take(self, event: yaml.Event) -> None:
        """Take one event: build, or record a problem."""
        if isinstance(event, yaml.ScalarEvent):
            self._scalar(event)
        elif isinstance(event, yaml.CollectionEndEvent):
            self._stack.pop()
        elif isinstance(event, yaml.NodeEvent):
            self._collection(event)
        elif isinstance(event, yaml.DocumentStartEvent):
            if self._stack:
                self._add(event, "yaml-documents", "a second YAML document begins", "a file has one document",
                          "remove the line --- and all lines after it, or move them to another file")  # fmt: skip
                self.is_over = True
            self._stack = [_Frame(self.root, (), "")]

    def _scalar(self, event: yaml.ScalarEvent) -> None:
        """Take the most frequent event: a key, or a value that holds no others."""
        text: str = event.value
        if event.anchor is not None or event.tag is not None or not is_plain(text):
            self._check_node(event)
        frame = self._stack[-1]
        if frame.key is None and isinstance(frame.value, dict):
            self._key(event, frame)
            return
        at, path = self._at(event), _next_path(frame)
        if not event.implicit[0]:
            self._put(frame, path, text, at)
        elif text:
            self._put(frame, path, int(text) if _INTEGER.fullmatch(text) else _WORDS.get(text, text), at)
        else:
            # An empty value has no text: it gets the position of its key.
            self._put(frame, path, None, self.keys.get(path, at))

    def _collection(self, event: yaml.NodeEvent) -> None:
        """Take the start of a list or mapping, or an alias, which has no value."""
        self._check_node(event)
        frame = self._stack[-1]
        if frame.key is None and isinstance(frame.value, dict):
            self._refuse_key(event, frame)
            return
        path = _next_path(frame)
        self._put(frame, path, self._begun(event, path), self._at(event))

    def _begun(self, event: yaml.NodeEvent, path: IntentPath) -> dict[str, object] | list[object] | None:
        """Return the empty collection that begins here, to be filled by later events; None for an alias."""
        if isinstance(event, yaml.AliasEvent):
            return None
        value: dict[str, object] | list[object] = {} if isinstance(event, yaml.MappingStartEvent) else []
        self._stack.append(_Frame(value, path))
        # The first frame is the root, which is no level.
        if len(self._stack) > MAX_DEPTH + 1:
            self._stop(limit(self._at(event), "yaml-too-deep", "levels of nesting", MAX_DEPTH))
        return value

    def _put(self, frame: _Frame, path: IntentPath, value: object, at: Source) -> None:
        """Put a value into its collection."""
        if isinstance(frame.value, list):
            frame.value.append(value)
        elif frame.key is not None:
            frame.value[frame.key] = value
            frame.key = None
        self.places[path] = at
        if len(self.places) > MAX_VALUES:
            self._stop(limit(at, "yaml-too-many-values", "values", MAX_VALUES))

    def _key(self, event: yaml.ScalarEvent, frame: _Frame) -> None:
        """Check a key and keep it for its value. A refused key is a problem; its value is still read."""
        key: str = event.value
        is_plain_key = event.implicit[0]
        frame.key = key
        frame.target = path = (*frame.path, key)
        if is_plain_key and key == "<<":
            self._add(event, "yaml-merge-key", "YAML merge keys (<<) are not supported", "they hide the values of a "
            "block",
                      "write all keys of the block")  # fmt: skip
        elif (is_plain_key and key in _WORDS) or (not is_plain(key) and re.search(_REFUSED_KEY, key)):
            self._add(event, "yaml-key", f"{key!r} is not a valid key", "a key is a word of visible characters",
                      "put the key in quotes, or write another word")  # fmt: skip
        elif key in frame.value:
            first = self.keys[path]
            self._add(event, "yaml-duplicate-key", f"key {path_text(path)} is written twice",
                      f"first on line {first.line}, again on line {self._at(event).line}",
                      "keep one of the two lines")  # fmt: skip
            return
        self.keys[path] = self._at(event)

    def _refuse_key(self, event: yaml.NodeEvent, frame: _Frame) -> None:
        """Refuse a key that is not text. Its content and its value are still read."""
        frame.key = "?"
        frame.target = path = (*frame.path, "?")
        if not isinstance(event, yaml.AliasEvent):
            self._add(
                event,
                "yaml-key",
                "a list or mapping is not a valid key",
                "a key is a word",
                "write a word as the key; close brackets that are open, and put a word with brackets in quotes",
            )
        self._begun(event, path)

    def _check_node(self, event: yaml.NodeEvent) -> None:
        anchor: str | None = event.anchor
        if anchor is not None and anchor not in self._anchors:
            self._anchors.add(anchor)
            sign = "*" if isinstance(event, yaml.AliasEvent) else "&"
            self._add(event, "yaml-alias", f"YAML anchors and aliases are not supported: {sign}{anchor}",
                      "they are not supported, so that each value is at the place where it is used",
                      f"write the value itself; put a word in quotes: '{sign}{anchor}'")  # fmt: skip
        tag: str | None = getattr(event, "tag", None)  # an alias has none
        if tag is not None:
            self._add(event, "yaml-tag", f"YAML tags are not supported: {tag}",
                      "the type of a value follows from the schema",
                      "remove the tag; put text that begins with ! in quotes")  # fmt: skip
        if isinstance(event, yaml.ScalarEvent) and not is_plain(event.value):
            self._check_text(event)

    def _check_text(self, event: yaml.ScalarEvent) -> None:
        """Refuse text that looks like other text: escapes of invisible characters, and letters with separate marks."""
        text: str = event.value
        match = re.search(REFUSED_TEXT, text)
        if match is not None:
            what = f"this text has an escape for the invisible character U+{ord(match[0]):04X}"
            self._add(event, "yaml-control-character", what,
                      "such a character could change the configuration without being seen", "remove the "
                      "escape")  # fmt: skip
        elif not is_normalized("NFC", text):
            composed = normalize("NFC", text)
            index = next(index for index, (a, b) in enumerate(zip(text, composed, strict=False)) if a != b)
            self._add(event, "yaml-not-composed",
                      f"U+{ord(text[index]):04X}, character {index + 1} of this text, begins a sequence that is not in "
                      f"Unicode NFC",
                      "two texts that look the same would be different (Unicode Standard Annex 15, NFC)",
                      f"write {composed[index]!r}, U+{ord(composed[index]):04X}, there")  # fmt: skip

    def _at(self, event: yaml.Event) -> Source:
        mark = event.start_mark
        if mark is None:
            raise TypeError("an event of a parser has a mark")
        return Source(self.file, mark.line + 1, mark.column + 1)

    def _add(self, event: yaml.Event, code: str, what: str, why: str, fix: str) -> None:
        self.problems.append(Problem(code=code, what=what, why=why, fix=fix, at=self._at(event)))
        if len(self.problems) == MAX_PROBLEMS:
            self._stop(limit(self._at(event), "yaml-too-many-problems", "problems", MAX_PROBLEMS))

    def _stop(self, problem: Problem) -> None:
        self.problems.append(problem)
        self.is_over = True


def _next_path(frame: _Frame) -> IntentPath:
    """Path of the next value in a collection."""
    return (*frame.path, len(frame.value)) if isinstance(frame.value, list) else frame.target
