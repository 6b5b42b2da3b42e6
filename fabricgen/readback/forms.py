"""Texts whose indentation says what belongs to what, read by tables: form of a line → what the line says.

A table has one row a form. What no row matches is not understood, and so is a line with one word too many. A form is a
regular expression of a whole line with these short words for what varies; each of them, and each group, is a value:

    <n>  a number    <w>  a word    <l>  the rest of the line
    <a>  an address  <p>  an address or a prefix, with its length
    <m>  an IPv4 address and a mask with dots: two values
"""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any, NamedTuple

from fabricgen.readback.rows import Key, Part, Reading, Row, TextLine, Value, new

FREE_TEXT = re.compile(r"banner \S+(?: \^?(\S))?")
"""Where free text of several lines begins. EOS ends it by a line `EOF`, NX-OS by the sign behind the name, anywhere."""
END_OF_FREE_TEXT = "EOF"
FREE = "free-text"
"""Key of the top level: (line that begins a free text, its lines) of each that ends by a line of its own."""
END = "end"
"""Leaves the mode of configuration: what follows configures nothing."""


def _ends_free_text(line: str) -> str:
    """What ends the free text that a line begins; empty where it ends there, or none begins."""
    found = FREE_TEXT.match(line)
    if found is None:
        return ""
    sign = found[1]
    if sign is None:
        return END_OF_FREE_TEXT
    return "" if line.count(sign) > 1 else sign


class Kind(IntEnum):
    """What a line does to the settings of its block."""

    PUT = 0
    ADD = 1
    DROP = 2
    OPEN = 3


PUT, ADD, DROP, OPEN = Kind
"""Names of their own: a member of an enumeration takes ten times as long to look up."""


class Known(NamedTuple):
    """What a line says.

    value  the setting's new value, or the values of a heading for OPEN
    why    the line has no meaning for a fabric
    forms  the table of the lines below it
    """

    kind: Kind
    key: str
    value: Any = None
    why: str = ""
    forms: "Forms | None" = None


Convert = Callable[..., Any]
"""Values of a line → value of a setting; None where the line is not understood after all."""


@dataclass(frozen=True, slots=True)
class Action:
    """What the lines of a form do."""

    kind: Kind = PUT
    key: str = ""
    value: Any = None
    convert: Convert | None = None
    why: str = ""
    forms: "Forms | None" = None


def put(key: str, value: object = None, by: Convert | None = None) -> Action:
    """The line sets `key`: to `value`, to what `by` makes of the line's values, or to the line's one value."""
    return Action(PUT, key, value, by)


def add(key: str, value: object = None, by: Convert | None = None) -> Action:
    """The line is one of several that all count."""
    return Action(ADD, key, value, by)


def drop(key: str) -> Action:
    """The line takes back what lines before it have set."""
    return Action(DROP, key)


def idle(why: str) -> Action:
    """The line has no meaning for a fabric. It says nothing of those below it."""
    return Action(why=why)


def opens(key: str, forms: "Forms", by: Convert | None = None) -> Action:
    """The line is a heading, with a table for the lines below it."""
    return Action(OPEN, key, None, by, "", forms)


_SHORT = {
    "<w>": r"(\S+)",
    "<l>": r"(\S.*)",
    "<a>": r"([0-9a-fA-F.:]{2,45})",
    "<p>": r"([0-9a-fA-F.:]{2,45}/\d{1,3})",
    "<m>": r"([0-9.]{7,15}) ([0-9.]{7,15})",
}
_NUMBER = "<n>"
_FIRST = re.compile(r"[\w-]+(?=$| |\(\?:? )")
_KEPT = 4096
"""Lines that a table remembers at most."""


class _Form(NamedTuple):
    """A form, compiled: what matches a whole line, what such lines do, which of its values are numbers.

    always  what such lines say, where all say the same
    """

    fullmatch: Callable[[str], re.Match[str] | None]
    action: Action
    numbers: tuple[int, ...]
    always: Known | None


def _first_word(form: str) -> str:
    found = _FIRST.match(form)
    if found is None:
        raise ValueError(f"a form begins with a plain word or a number: {form}")
    return found[0]


class Forms:
    """A table. `keep`: lines are remembered, as many ports have the same; never where a line may hold a secret.

    Headings of blocks are remembered in every table: what is secret is said in a block.
    """

    __slots__ = ("_buckets", "_keep", "remembered")

    def __init__(self, *tables: Mapping[str, Action], keep: bool = False) -> None:
        self._buckets: dict[str, list[_Form]] = {}
        self._keep = keep
        self.remembered: dict[str, tuple[int, Known | None]] = {}
        for table in tables:
            for form, action in table.items():
                self._add(form, action)

    def _add(self, form: str, action: Action) -> None:
        pattern = form
        for short, expression in _SHORT.items():
            pattern = pattern.replace(short, expression)
        for number in range(form.count(_NUMBER)):
            pattern = pattern.replace(_NUMBER, rf"(?P<n{number}>\d{{1,10}})", 1)
        first = _NUMBER if form.startswith(f"{_NUMBER} ") else _first_word(form)
        compiled = re.compile(pattern, re.ASCII)
        numbers = tuple(at - 1 for at in compiled.groupindex.values())
        is_always = action.value is not None or not action.key or action.kind is DROP
        always = Known(action.kind, action.key, action.value, action.why, action.forms) if is_always else None
        self._buckets.setdefault(first, []).append(_Form(compiled.fullmatch, action, numbers, always))

    def __call__(self, text: str) -> Known | None:
        """What a line says; None where it is not understood."""
        first = text.split(" ", 1)[0]
        for fullmatch, action, numbers, always in self._buckets.get(_NUMBER if first.isdigit() else first, ()):
            match = fullmatch(text)
            if match is None:
                continue
            if always is not None:
                return always
            values: tuple[Any, ...] = match.groups()
            if numbers:
                values = tuple(int(text) if text and at in numbers else text for at, text in enumerate(values))
            whole = values[0] if len(values) == 1 else values
            value = whole if action.convert is None else action.convert(*values)
            if value is not None:
                return new(Known, (action.kind, action.key, value, action.why, action.forms))
        collapsed = " ".join(text.split())
        return self(collapsed) if collapsed != text else None

    def once(self, text: str) -> Known | None:
        """The same, remembered: for text that holds no secret."""
        found = self.remembered.get(text)
        if found is None:
            found = (0, self(text))
            self.remember(text, *found)
        return found[1]

    def remember(self, raw: str, depth: int, known: Known | None) -> None:
        """Keep what a line says, with its indentation, if this table may."""
        if self._keep or (known is not None and known.kind is OPEN):
            if len(self.remembered) >= _KEPT:
                self.remembered.clear()
            self.remembered[raw] = (depth, known)


Said = tuple[Any, int]
"""A value and its line."""


@dataclass(slots=True)
class State:
    """What a block says: of each setting the last value with its line, or all of them in order.

    value   of its heading
    number  line of the heading
    """

    value: Any = None
    number: int = 0
    one: dict[str, Said] = field(default_factory=dict)
    many: dict[str, list[Any]] = field(default_factory=dict)
    _blocks: "dict[tuple[str, Any], State]" = field(default_factory=dict)

    def block(self, key: str, value: Any, number: int) -> "State":  # noqa: ANN401 - headings differ
        """The block of a heading: one that is entered again goes on, as on the switch."""
        found = self._blocks.get((key, value))
        if found is None:
            found = self._blocks[key, value] = State(value, number)
            self.many.setdefault(key, []).append(found)
        return found

    def get(self, key: str, default: Any = None) -> Any:  # noqa: ANN401 - the value of each key has its own type
        """The value of a setting."""
        found = self.one.get(key)
        return default if found is None else found[0]

    def line(self, key: str) -> int:
        """The line of a setting, or of the heading where it is a default."""
        found = self.one.get(key)
        return self.number if found is None else found[1]

    def all(self, key: str) -> list[Said]:
        """All values that lines have added."""
        return self.many.get(key, [])

    def states(self, key: str) -> "list[State]":
        """Blocks below of one kind."""
        return self.many.get(key, [])


class _FreeText:
    """The lines below a line that begins free text. end: what ends them; empty once they have ended."""

    def __init__(self, heading: str, number: int) -> None:
        self._heading, self._number = heading, number
        self._lines: list[str] = []
        self.end = _ends_free_text(heading)

    def take(self, raw: str, root: State) -> None:
        """Take the next line. The last one adds the text to `root`, under FREE."""
        line = raw.strip()
        if line == self.end or (len(self.end) == 1 and self.end in line):
            root.many.setdefault(FREE, []).append(((self._heading, "\n".join(self._lines)), self._number))
            self.end = ""
        else:
            self._lines.append(raw)


class _Mode(NamedTuple):
    """Where lines belong: below which indentation, to which state, by which table."""

    depth: int
    state: State
    forms: Forms | None


def _below(mode: _Mode, depth: int, known: Known | None, opened: State) -> _Mode:
    """The mode of lines that are indented under one: of what it opens, or of no table.

    A switch does not look at indentation: below a line that opens nothing it may take a line of another block.
    """
    if known is None or known.forms is None:
        return _Mode(depth, mode.state, None)
    return _Mode(depth, opened, known.forms)


@dataclass(slots=True)
class _Place:
    """The mode of the line that is read, and those above it. `last`: the indentation of the line before."""

    mode: _Mode
    above: list[_Mode] = field(default_factory=list)
    last: int = 1 << 30

    def known(self, raw: str, line: str) -> Known | None:
        """What a line of this place says."""
        table = self.mode.forms
        if table is None:
            return None
        hit = table.remembered.get(raw)
        if hit is None:
            hit = (self.last, table(line))
            table.remember(raw, *hit)
        return hit[1]

    def move(self, depth: int, known: Known | None, opened: State) -> None:
        """Go to a line by its indentation; `known` and `opened` are of the line before."""
        if depth == self.last:
            return
        if depth > self.last:
            self.above.append(self.mode)
            self.mode = _below(self.mode, self.last, known, opened)
        while depth <= self.mode.depth:
            self.mode = self.above.pop()
        self.last = depth


@dataclass(slots=True)
class Reader:
    """Reads the lines of one file into states, and lines without meaning or understanding into the reading."""

    reading: Reading
    file: str
    lines: list[str]

    def read(self, forms: Forms) -> State:
        """What the file says by the table of its top level.

        A line belongs to the nearest line above that is indented less, however deep either is. Remarks are left out.
        """
        root = State()
        place, free = _Place(_Mode(-1, root, forms)), _FreeText("", 0)
        known: Known | None = None
        opened = root
        for number, raw in enumerate(self.lines, 1):
            if not raw and not free.end:
                continue
            table = place.mode.forms
            hit = table.remembered.get(raw) if table is not None and not free.end else None
            if hit is not None and hit[0] == place.last:
                known = hit[1]
            else:
                line = raw.strip()
                if free.end:
                    self.idle_line(number, "free text")
                    free.take(raw, root)
                    continue
                if line == END and raw.startswith(END):
                    self._end(number)
                    break
                if not line or line[0] == "!":
                    continue
                place.move(len(raw) - len(raw.lstrip()), known, opened)
                known = place.known(raw, line)
                free = _FreeText(line, number) if line.startswith("banner ") else free
            if known is not None and known.kind is PUT and not known.why:
                place.mode.state.one[known.key] = (known.value, number)
            else:
                opened = self._take(number, known, place.mode)
        return root

    def _end(self, number: int) -> None:
        """The configuration ends: lines behind are not understood."""
        self.idle_line(number, "the end of the file")
        for other, raw in enumerate(self.lines[number:], number + 1):
            if raw.strip() and raw.strip()[0] != "!":
                self.unread_line(other)

    def _take(self, number: int, known: Known | None, mode: "_Mode") -> State:
        """Do what a line says in its mode; gives back the state that it opens, if any."""
        state = mode.state
        if known is None:
            self.unread_line(number)
        elif known.why:
            self.idle_line(number, known.why)
        elif known.kind is ADD:
            state.many.setdefault(known.key, []).append((known.value, number))
        elif known.kind is DROP:
            state.one.pop(known.key, None)
            state.many.pop(known.key, None)
        else:
            state = mode.state.block(known.key, known.value, number)
        return state

    def idle_line(self, number: int, why: str) -> None:
        """One line has no meaning for a fabric."""
        self.reading.idle.append(TextLine(self.file, number, self.lines[number - 1].strip(), why))

    def unread_line(self, number: int) -> None:
        """One line is not understood, or has no place where it is."""
        self.reading.unread.append(TextLine(self.file, number, self.lines[number - 1].strip()))

    def put(self, thing: str, name: str, setting: str, value: Value, line: int) -> None:
        """Add a row."""
        self.reading.put(thing, name, setting, value, self.file, line)

    def put_all(self, thing: str, name: str, rows: Iterable[tuple[str, Value, int]]) -> None:
        """Add rows of one thing: settings, values, lines."""
        self.reading.put_all(thing, name, rows, self.file)

    def put_set(self, key: Key, rows: Iterable[tuple[str, int]]) -> None:
        """Add a row of members, each with its line; none where there are none."""
        members = dict(rows)
        if not members:
            return
        parts: dict[Part, int] = {}
        parts.update((member, line) for member, line in members.items())
        line = next(iter(members.values()))
        self.reading.add(key, Row(frozenset(members), self.file, line, parts if len(parts) > 1 else None))

    def needed(self, text: str, line: int) -> None:
        """A line of the system that a fabric may need."""
        self.reading.put("line", text, "present", True, self.file, line)

    def lacks(self, text: str, line: int) -> None:
        """A line of the system that a fabric may need is not in the block that begins on `line`."""
        self.reading.put("line", text, "present", False, self.file, line)

    def out_of_place(self, state: "State", known: frozenset[str]) -> None:
        """Settings that have no meaning where they are said."""
        for key in state.one.keys() - known:
            self.unread_line(state.one[key][1])
        for key in state.many.keys() - known:
            for said in state.many[key]:
                self.unread_line(said.number if isinstance(said, State) else said[1])


def merged(states: list[State]) -> dict[Any, State]:
    """States of one kind by the value of their heading; a heading that comes again goes on where the first ended."""
    found: dict[Any, State] = {}
    for state in states:
        first = found.setdefault(state.value, state)
        if first is not state:
            first.one.update(state.one)
            for key, rows in state.many.items():
                first.many.setdefault(key, []).extend(rows)
    return found
