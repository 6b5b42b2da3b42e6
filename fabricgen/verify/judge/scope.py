"""Which sessions a configuration line is about: the far systems whose sessions it changes.

A neighbor is named by its address or port; its line names a group, the group's lines name route maps, and those name
prefix lists. So names lead from a neighbor to every line that affects its routes, on any platform: within a section and
a line, each name leads to the ones after it. Our names of groups, route maps and lists are in capitals with hyphens
(platforms/*).
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from fabricgen.base.grouping import grouped_sets
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.verify.expect.model import ExpectedSession

_WORD = re.compile(r"[^\s\"';,{}\[\]()]+")
_NAME = re.compile(r"[A-Z][A-Z0-9]*(?:[-_][A-Z0-9]+)+")
_REMARK = re.compile(r"\bdescription\b")


class ConfigScope:
    """The rendered and the running configuration of one switch, indexed by the names that they refer to."""

    def __init__(self, texts: Iterable[str], sessions: Iterable[ExpectedSession]) -> None:
        peers = grouped_sets((session.peer, session.far.system) for session in sessions)
        self._all = tuple(sorted({system for systems in peers.values() for system in systems if system}))
        self._leads: dict[str, set[str]] = {}
        self._speaker: set[str] = set()
        for path in (path for text in texts for path in _paths(text)):
            names = _names(path, peers)
            for number, name in enumerate(names):
                self._leads.setdefault(name, set()).update(names[number + 1 :])
            if not peers.keys().isdisjoint(names):
                self._speaker.add(path[0])
        self._over = self._reached(peers)
        self._peers = peers

    def _reached(self, peers: Mapping[str, Iterable[str]]) -> dict[str, set[str]]:
        """Name → far systems that lead to it."""
        over: dict[str, set[str]] = {}
        for peer, systems in peers.items():
            visited, queue = {peer}, [peer]
            while queue:
                new_names = self._leads.get(queue.pop(), set()) - visited
                visited |= new_names
                queue += new_names
            for name in visited:
                over.setdefault(name, set()).update(systems)
        return over

    def about(self, lines: Iterable[Drift]) -> tuple[str, ...]:
        """Far systems whose sessions these lines are about; all of them for a line of the whole BGP process."""
        systems: set[str] = set()
        for line in lines:
            if _REMARK.search(line.line):
                continue
            names = _names((*line.section, line.line), self._peers)
            named = [name for name in names if name in self._over]
            if named:
                systems |= self._over[named[0]]
            elif not names and line.section and line.section[0] in self._speaker:
                systems |= set(self._all)
        return tuple(sorted(systems - {""}))


def _paths(text: str) -> Iterator[tuple[str, ...]]:
    """Each line after its parent lines, by indentation."""
    above: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = raw.strip()
        if line:
            depth = len(raw) - len(raw.lstrip())
            above = [*(parent for parent in above if parent[0] < depth), (depth, line)]
            yield tuple(parent_line for _, parent_line in above)


def _names(path: Iterable[str], peers: Mapping[str, object]) -> list[str]:
    """Peers, groups, maps and lists, in their order."""
    text_words = _WORD.findall(" ".join(path))
    return [word for word in text_words if word in peers or _NAME.fullmatch(word)]
