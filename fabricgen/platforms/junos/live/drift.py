"""Differences between Junos' configuration and the artifact: statements that only one of the two has.

The words of each statement are compared (live/text.py), so blocks, quotation marks and the order of statements do not
matter. The order does matter for the terms of a policy, for what a term does to communities, for servers, and for the
values of some lists (ORDERED of live/text.py). Secrets in the same place count as equal. Junos prints what it was
given, defaults included, and adds a line with its release (recorded: batfish/lab-validation, configurations of 25.4R1
and what they were made of).
"""

from collections.abc import Iterable, Iterator

from fabricgen.base.secret import shown
from fabricgen.platforms.base.live.order import Ordered, by_list, reordered
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.junos.live.text import JunosStatement, statements

OWN_WORDS = ("version",)
"""First words of statements that Junos adds by itself."""
POLICY = ("policy-options", "policy-statement")
SERVERS = ("name-server", "tacplus-server")
"""Servers that are tried in their configured order.

Source: junos-qfx 24.4R1, junos-qfx-conf-system: both lists are `ordered-by user`, so Junos prints them as they were
given. The model says so of nearly every list: only those are compared in order whose order changes what a switch does.
"""


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Return statements of the artifact that do not run (present False), and the reverse, each in their order."""
    ours, theirs = _by_words(shown(wanted)), _by_words(running)
    missing = [Drift(row.section, row.line, present=False) for words, row in ours.items() if words not in theirs]
    added = [Drift(row.section, row.line, present=True) for words, row in theirs.items() if words not in ours]
    return (*missing, *added, *reordered(_lists(ours.values()), _lists(theirs.values())))


def _by_words(text: str) -> dict[tuple[str, ...], JunosStatement]:
    return {
        statement.words: statement
        for statement in statements(text)
        if statement.words and statement.words[0] not in OWN_WORDS
    }


def _lists(compared: Iterable[JunosStatement]) -> dict[Ordered, list[str]]:
    """Return every list whose order matters."""
    return by_list(member for statement in compared for member in _members(statement.words))


def _members(words: tuple[str, ...]) -> Iterator[tuple[Ordered, str]]:
    """Yield the lists that a statement is part of, and its member."""
    if words[:2] == POLICY and len(words) > 4 and words[3] == "term":
        section = (POLICY[0], f"{POLICY[1]} {words[2]}")
        yield Ordered(section, "terms"), words[4]
        if words[5:7] == ("then", "community"):
            yield Ordered((*section, f"term {words[4]}"), "communities"), " ".join(words[7:])
    elif words[:1] == ("system",) and len(words) > 2 and words[1] in SERVERS:
        yield Ordered(("system",), words[1]), words[2]
