"""YAML of the exports: sorted where the order says nothing, without aliases and line breaks of its own.

A document of one piece a switch is written piece by piece: that of a mapping is the texts of its entries in turn.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import yaml

Text = str | Iterator[str]
"""A file's text, or the pieces of a long one: they are taken once, before the file that follows."""


class _Plain(yaml.SafeDumper):
    """Values that stand twice are written twice: other readers of YAML do not all know aliases."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ANN401 - PyYAML's own signature
        """Write no anchor."""
        del data
        return True


def yaml_text(value: object) -> str:
    """Text of a value; mappings in the order that they have."""
    return yaml.dump(value, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=1000)


def yaml_pieces(entries: Iterable[tuple[str, object]]) -> Iterator[str]:
    """Text of a mapping, one entry a piece."""
    is_empty = True
    for name, value in entries:
        is_empty = False
        yield yaml_text({name: value})
    if is_empty:
        yield yaml_text({})


def indented(pieces: Iterable[str], steps: int = 1) -> Iterator[str]:
    """The same deeper inside a document. No text of these exports has a line break in it."""
    margin = "  " * steps
    for piece in pieces:
        yield "".join(f"{margin}{line}" for line in piece.splitlines(keepends=True))


def commented(lines: list[str]) -> str:
    """Lines as remarks in front of a YAML document."""
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)
