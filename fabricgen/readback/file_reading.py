"""A file that a parser takes apart by a tree, and the rows and lines that it writes."""

from collections.abc import Mapping
from dataclasses import dataclass

from fabricgen.readback.policy import Lines
from fabricgen.readback.rows import Key, Part, Reading, Row, TextLine, Value, new


def all_unread(file: str, text: str, fault: int, why: str = "") -> list[TextLine]:
    """Every line of a text that is no document, the one with the fault first.

    fault  its number; a fault behind the last line is on that one. why: what is said in place of the line with it
    """
    rows = [TextLine(file, at, line.strip()) for at, line in enumerate(text.split("\n"), 1) if line.strip()]
    if not rows:
        return []
    first = next((row for row in rows if row.line >= fault), rows[-1])
    rows.remove(first)
    return [first._replace(text=why or first.text), *rows]


@dataclass(slots=True)
class FileReading:
    """Where the rows of one file are written to, and its lines."""

    reading: Reading
    file: str
    lines: list[str]

    def put(
        self, thing: str, name: str, setting: str, value: Value, line: int, parts: Mapping[Part, Lines] | None = None
    ) -> None:
        """Add a row of this file. The words are those of SETTINGS: tests read each of them."""
        self.reading.add(new(Key, (thing, name, setting)), new(Row, (value, self.file, line, parts)))

    def lack(self, thing: str, name: str, setting: str, nothing: Value, line: int) -> None:
        """Say where a setting would be that nothing says: on the line that opens its block."""
        self.reading.rows.setdefault(Key(thing, name, setting), Row(nothing, self.file, line))

    def unread(self, line: int) -> None:
        """Say of a line that was taken that it is not understood after all."""
        self.reading.unread.append(TextLine(self.file, line, self.lines[line - 1].strip()))

    def idle(self, line: int, why: str) -> None:
        """Say of a line that it has no meaning for a fabric."""
        if line:
            self.reading.idle.append(TextLine(self.file, line, self.lines[line - 1].strip(), why))
