"""Inheritance: `groups` with `apply-groups`, and `interface-range`.

Sources: CLI User Guide, Use Configuration Groups: the statement of the target wins, then the group that is named first,
then those named further out; `<*>` matches statements that are there. Interfaces User Guide, interface-range.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from fnmatch import translate
from functools import cache

from fabricgen.platforms.junos.readback.text import Tree
from fabricgen.platforms.junos.readback.tree import Word, value, values

Source = tuple[str, Tree]
"""A group's name and what it has at one place."""
MOST_PORTS = 1024
"""Ports of one range: no switch has more."""
_RANGE = re.compile(r"(.*?)(\d{1,4})")


def inherit(tree: Tree) -> None:
    """Write what is inherited below each place that inherits it. Lines of it are negative numbers."""
    ranges = tree.get("interfaces")
    if isinstance(ranges, dict) and "interface-range" in ranges:
        _ranges(ranges)
    groups = tree.get("groups")
    if isinstance(groups, dict):
        _expand(tree, (), groups, [])


@cache
def _matcher(pattern: str) -> Callable[[str], object]:
    return re.compile(translate(pattern)).match


def matches(pattern: str, word: str) -> bool:
    """Whether a word is one that a pattern matches."""
    return bool(_matcher(pattern)(word))


def _is_pattern(word: str | None) -> bool:
    return word is not None and word.startswith("<") and word.endswith(">")


def _expand(here: Tree, path: tuple[str, ...], groups: Tree, outer: list[Source]) -> None:
    sources = outer
    named = values(here, "apply-groups") if "apply-groups" in here else []
    if named:
        sources = [(name.text, found) for name in named for found in _at(groups.get(name.text), path)] + outer
    if "apply-groups-except" in here:
        without = {name.text for name in values(here, "apply-groups-except")}
        sources = [row for row in sources if row[0] not in without]
    for _, source in sources:
        _merge(here, source)
    for word, below in here.items():
        if type(below) is dict and word is not None and (path or word != "groups"):
            _expand(below, (*path, word), groups, [*_below(sources, word)])


def _at(group: Tree | int | None, path: tuple[str, ...]) -> Iterator[Tree]:
    """What a group has at a path of words."""
    if not isinstance(group, dict):
        return
    if not path:
        yield group
        return
    for _, below in _below([("", group)], path[0]):
        yield from _at(below, path[1:])


def _below(sources: list[Source], word: str) -> Iterator[Source]:
    for name, source in sources:
        exact = source.get(word)
        if isinstance(exact, dict):
            yield name, exact
        for pattern, below in source.items():
            if isinstance(below, dict) and _is_pattern(pattern) and matches(str(pattern)[1:-1], word):
                yield name, below


def _merge(here: Tree, source: Tree) -> None:
    """Put the words of one level of a group below a place."""
    for word, below in source.items():
        if word is None or _is_pattern(word):
            continue
        there = here.get(word)
        if isinstance(below, dict):
            if there is None:
                here[word] = {None: -abs(line)} if isinstance(line := below.get(None), int) else {}
            elif type(there) is not dict:
                here[word] = {None: there}
        elif there is None:
            here[word] = -abs(below)


def _ranges(interfaces: Tree) -> None:
    ranges = interfaces.get("interface-range")
    for name, below in list(ranges.items()) if isinstance(ranges, dict) else []:
        if name is None or not isinstance(below, dict) or not isinstance(ranges, dict):
            continue
        ports = [*_members(below, interfaces)]
        if not ports:
            continue
        below.pop(None, None)
        del ranges[name]
        for port in ports:
            there = interfaces.get(port)
            if not isinstance(there, dict):
                there = interfaces[port] = {}
            _copy(there, below)
    if isinstance(ranges, dict) and not any(word is not None for word in ranges):
        interfaces.pop("interface-range", None)


def _members(below: Tree, interfaces: Mapping[str | None, object]) -> Iterator[str]:
    for member in values(below, "member"):
        if any(sign in member.text for sign in "*?["):
            yield from [name for name in interfaces if name is not None and matches(member.text, name)]
        else:
            yield member.text
    spans = below.get("member-range")
    for first, rest in list(spans.items()) if isinstance(spans, dict) else []:
        last = value(rest, "to") if isinstance(rest, dict) else None
        if first is not None and last is not None:
            yield from _span(first, last)
    if isinstance(spans, dict) and not any(spans.values()):
        below.pop("member-range")


def _span(first: str, last: Word) -> Iterator[str]:
    ends = _RANGE.fullmatch(first), _RANGE.fullmatch(last.text)
    if ends[0] and ends[1] and ends[0][1] == ends[1][1]:
        low, high = int(ends[0][2]), int(ends[1][2])
        yield from (f"{ends[0][1]}{at}" for at in range(low, min(high, low + MOST_PORTS) + 1))


def _copy(there: Tree, source: Tree) -> None:
    """Put all of a range below one of its ports, as inherited."""
    _merge(there, source)
    for word, below in source.items():
        into = there.get(word)
        if word is not None and isinstance(below, dict) and isinstance(into, dict):
            _copy(into, below)
