"""Two texts to hunks: lines that differ, under their sections.

It works on lines alone. Indentation gives the nesting: a line's section is the lines above it that are indented less.
Blank lines and comments do not count. Sections are matched by their first lines before their contents are compared, so
a line lost under each of 128 ports costs no more than it shows.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

from fabricgen.diff.model import Hunk


class _Node(NamedTuple):
    """A line and all that is indented below it."""

    line: str
    below: tuple["_Node", ...]


Run = tuple[int, int, int, int]
"""Lines a[i:j] replace lines b[k:l]: i, j, k, l."""


def hunks(before: str, after: str, comment: str) -> tuple[Hunk, ...]:
    """What differs between two texts, in the order of the text after.

    comment  how a comment line starts; empty if the format has none
    """
    if before == after:
        return ()
    old, new = significant(before, comment), significant(after, comment)
    if old == new:
        return ()
    return tuple(_differences(_tree(old), _tree(new), ()))


def significant(text: str, comment: str) -> list[str]:
    """Lines that are not blank, without trailing blanks. A carriage return is not a blank: some readers choke on it."""
    lines = [line for raw in text.split("\n") if (line := raw.rstrip(" \t"))]
    return [line for line in lines if not line.lstrip().startswith(comment)] if comment else lines


def _tree(lines: Sequence[str]) -> tuple[_Node, ...]:
    top: list[_Node] = []
    # Innermost section last: its indentation, its first line, and the list that receives it.
    open_: list[tuple[int, str, list[_Node]]] = []
    inside: list[list[_Node]] = []

    def close() -> None:
        _, line, home = open_.pop()
        home.append(_Node(line, tuple(inside.pop())))

    for line in lines:
        indent = len(line) - len(line.lstrip())
        while open_ and open_[-1][0] >= indent:
            close()
        open_.append((indent, line, inside[-1] if inside else top))
        inside.append([])
    while open_:
        close()
    return tuple(top)


def _differences(old: tuple[_Node, ...], new: tuple[_Node, ...], section: tuple[str, ...]) -> Iterator[Hunk]:
    first = [node.line for node in old]
    second = [node.line for node in new]
    old_position, new_position = 0, 0
    # The empty run at the end makes the loop compare what is below the equal lines after the last run.
    for start, end, from_, until in (*_runs(first, second), (len(old), len(old), len(new), len(new))):
        for old_node, new_node in zip(old[old_position:start], new[new_position:from_], strict=True):
            if old_node.below != new_node.below:
                yield from _differences(old_node.below, new_node.below, (*section, old_node.line.strip()))
        if end > start or until > from_:
            removed, added = [*_flat(old[start:end])], [*_flat(new[from_:until])]
            # Within a hunk only the relative indentation of its lines matters.
            indent = min(len(line) - len(line.lstrip()) for line in (*removed, *added))
            yield Hunk(section, tuple(line[indent:] for line in removed), tuple(line[indent:] for line in added))
        old_position, new_position = end, until


def _flat(nodes: Sequence[_Node]) -> Iterator[str]:
    for node in nodes:
        yield node.line
        yield from _flat(node.below)


def _runs(old: list[str], new: list[str]) -> list[Run]:
    """Runs of lines that differ, in order. Lines that occur once on both sides are matched first."""
    if old == new:
        return []
    lengths = len(old), len(new)
    runs: list[Run] = []
    old_position, new_position = 0, 0
    # The ends of both texts are the last anchor.
    for old_anchor, new_anchor in (*_anchors(old, new), lengths):
        runs += _between(old, new, (old_position, old_anchor, new_position, new_anchor))
        old_position, new_position = old_anchor + 1, new_anchor + 1
    return runs


def _between(old: list[str], new: list[str], run: Run) -> Iterator[Run]:
    """Runs that differ between two anchors: such stretches are short, or have no line that occurs only once."""
    start, end, from_, until = run
    while start < end and from_ < until and old[start] == new[from_]:
        start, from_ = start + 1, from_ + 1
    while start < end and from_ < until and old[end - 1] == new[until - 1]:
        end, until = end - 1, until - 1
    if set(old[start:end]).isdisjoint(new[from_:until]):
        if start != end or from_ != until:
            yield start, end, from_, until
        return
    matcher = SequenceMatcher(None, old[start:end], new[from_:until], autojunk=False)
    for tag, i, j, k, m in matcher.get_opcodes():
        if tag != "equal":
            yield start + i, start + j, from_ + k, from_ + m


def _anchors(old: list[str], new: list[str]) -> list[tuple[int, int]]:
    """Lines that occur once on each side, in an order that both share: positions in `old` and `new`."""
    old_counts, new_counts = Counter(old), Counter(new)
    places = {line: place for place, line in enumerate(new) if new_counts[line] == 1}
    pairs = [(place, places[line]) for place, line in enumerate(old) if old_counts[line] == 1 and line in places]
    return _rising(pairs)


def _rising(pairs: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Longest subsequence of pairs whose second numbers rise (patience sorting)."""
    tops: list[int] = []
    ends: list[int] = []
    earlier: list[int] = []
    for number, (_, value) in enumerate(pairs):
        pile = bisect_left(tops, value)
        earlier.append(ends[pile - 1] if pile else -1)
        if pile == len(tops):
            tops.append(value)
            ends.append(number)
        else:
            tops[pile], ends[pile] = value, number
    chosen: list[tuple[int, int]] = []
    number = ends[-1] if ends else -1
    while number >= 0:
        chosen.append(pairs[number])
        number = earlier[number]
    return chosen[::-1]
