"""YAML of the exports, without aliases and added line breaks.

A mapping with one entry per switch is written piece by piece: its text is the texts of its entries in turn.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import yaml

Text = str | Iterator[str]
"""A file's text, or the pieces of a long one. Pieces can be taken once only, before the next file."""


class _Plain(yaml.SafeDumper):
    """Dumper without aliases, which not all YAML readers support: equal values are written in full."""

    def ignore_aliases(self, data: Any) -> bool:  # noqa: ANN401 - PyYAML's own signature
        """Return True: write no anchor."""
        del data
        return True


def yaml_text(value: object) -> str:
    """YAML text of a value; mappings keep their order."""
    return yaml.dump(value, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=1000)


def yaml_pieces(entries: Iterable[tuple[str, object]]) -> Iterator[str]:
    """YAML text of a mapping, one piece per entry."""
    is_empty = True
    for name, value in entries:
        is_empty = False
        yield yaml_text({name: value})
    if is_empty:
        yield yaml_text({})


def indented(pieces: Iterable[str], steps: int = 1) -> Iterator[str]:
    """The pieces, indented by `steps` levels. No text of these exports contains a line break."""
    margin = "  " * steps
    for piece in pieces:
        yield "".join(f"{margin}{line}" for line in piece.splitlines(keepends=True))


def commented(lines: list[str]) -> str:
    """Lines as comments at the head of a YAML document."""
    return "".join(f"# {line}".rstrip() + "\n" for line in lines)
