"""config_db.json as tables of rows; each field knows whether somebody has read it.

Source: sonic-net/sonic-buildimage, src/sonic-yang-models, doc/Configuration.md: a document is tables, a table is rows
by key, parts of a key are joined by `|`, a row is fields of text or lists of text.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from fabricgen.platforms.linux.readback.words import members_row
from fabricgen.readback.fields import Field
from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Reading, Row, TextLine, Value

NOTHING = Field("", 0)
LONGEST_NUMBER = 20
"""Digits of the largest number of 64 bits."""


class Database:
    """Tables of one switch, and where rows are written to."""

    def __init__(self, root: Field, file: str, reading: Reading) -> None:
        self.root, self.file, self.reading = root, file, reading
        self._tables = {table.key: table for table in root.below}
        self._rows: dict[str, dict[str, Field]] = {}

    def rows(self, table: str) -> dict[str, Field]:
        """Rows of a table by key; the table and its rows count as read."""
        found = self._rows.get(table)
        if found is None:
            here = self._tables.get(table)
            found = {} if here is None else {row.key: row for row in here.each()}
            if here is not None:
                here.used = True
            self._rows[table] = found
        return found

    def row(self, table: str, key: str) -> Field:
        """A row; one without fields where there is none."""
        return self.rows(table).get(key, NOTHING)

    def put(self, thing: str, name: str, setting: str, value: Value, at: Field | int) -> None:
        """Write a row."""
        self.reading.put(thing, name, setting, value, self.file, at if isinstance(at, int) else at.number)

    def put_all(self, thing: str, name: str, rows: Iterable[tuple[str, Value, int]]) -> None:
        """Write rows of one thing: settings, values, lines."""
        self.reading.put_all(thing, name, rows, self.file)

    def put_parts(
        self, thing: str, name: str, setting: str, value: tuple[int, ...], lines: Sequence[Lines], at: Field | int
    ) -> None:
        """Write a row of numbers, each with its line; `at` is that of the row itself."""
        line = at if isinstance(at, int) else at.number
        self.reading.add_all(thing, name, [(setting, Row(value, self.file, line, dict(enumerate(lines))))])

    def put_members(self, thing: str, name: str, setting: str, members: Mapping[str, int], line: int) -> None:
        """Write a row of members, each with its line; `line` is that of nothing."""
        self.reading.add_all(thing, name, [(setting, members_row(members, self.file, line))])

    def table_line(self, table: str) -> int:
        """Where a table begins; 0 where there is none."""
        found = self._tables.get(table)
        return 0 if found is None else found.number

    def say(self, text: str, at: Field | int) -> None:
        """A line that the fabric needs."""
        self.put("line", text, "present", True, at)

    def say_row(self, table: str, key: str, *without: str) -> None:
        """A row that the fabric needs as it is, but for fields that have a meaning of their own."""
        row = self.row(table, key)
        self.say(f"{table} {key}", row)
        for child in row.each():
            if child.key not in without:
                self.say(f"{table} {key}: {child.key}={plain(child)}", child)

    def unread(self) -> Iterator[TextLine]:
        """Fields that nobody has read, by their path; what is below one is part of it."""
        for table in self.root.below:
            if not table.used:
                yield TextLine(self.file, table.number, table.key)
                continue
            for row in table.below:
                if not row.used:
                    yield TextLine(self.file, row.number, f"{table.key} {row.key}")
                    continue
                for field in row.below:
                    if not field.used:
                        yield TextLine(self.file, field.number, f"{table.key} {row.key}: {field.key}")


def plain(field: Field) -> str:
    """A field as text; a list with commas."""
    if field.is_list:
        return ",".join(plain(child) for child in field.each())
    return "" if field.value is None else str(field.value)


def text_at(row: Field, key: str) -> tuple[str, int]:
    """A field of a row as text, and its line; that of the row where it is not there."""
    found = row.take(key)
    if found is None:
        return "", row.number
    value = found.value
    return (value if isinstance(value, str) else plain(found)), found.number


def lines_at(row: Field, key: str) -> dict[str, int]:
    """Members of a list as text, each with its line; a text with commas is a list, too."""
    found = row.take(key)
    if found is None:
        return {}
    if found.is_list:
        return {plain(child): child.number for child in found.each()}
    return {word: found.number for word in plain(found).split(",") if word}


def count(row: Field, key: str, default: int = 0) -> tuple[int, int]:
    """A field of a row as a number of 64 bits at most. A text that is none is not understood."""
    text, line = text_at(row, key)
    found = _number(text) if text else default
    if found is None:
        refuse(row, key)
        return default, line
    return found, line


def _number(text: str) -> int | None:
    """A number without a sign: rates are uint64 (sonic-scheduler.yang), a tenth of 800G has 11 digits."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= LONGEST_NUMBER else None


def refuse(row: Field, key: str) -> None:
    """Take a field for not understood."""
    found = row.take(key)
    if found is not None:
        found.used = False


YES = frozenset({"true", "up", "enable", "enabled", "on"})
NO = frozenset({"false", "down", "disable", "disabled", "off", "none", ""})


def is_on(row: Field, key: str) -> bool:
    """Whether a field says yes, in any of the spellings of the models. Another word is not understood."""
    word = text_at(row, key)[0].lower()
    if word not in YES and word not in NO:
        refuse(row, key)
    return word in YES
