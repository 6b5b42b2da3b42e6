"""Where Junos' configuration is not the artifact: statements that only one of the two has.

Compared are the words of each statement (see junos_text.py), so that neither blocks nor quotation marks nor the order
of statements make a difference; the order of a policy's terms does, of what a term does to communities, of servers, and
of the values of some lists (ORDERED of junos_text.py). Secrets equal each other in the same place. Junos shows what it
was given, defaults too, and adds the line with its release (recorded: batfish/lab-validation, configurations of 25.4R1
and what they were made of).
"""

from collections.abc import Iterable, Iterator

from fabricgen.base.secret import shown
from fabricgen.platforms.base.live.order import Ordered, by_list, reordered
from fabricgen.platforms.base.live.reader import Drift
from fabricgen.platforms.junos.live.text import JunosStatement, statements

UNTOLD = ("version",)
"""First words of statements that Junos adds by itself."""
POLICY = ("policy-options", "policy-statement")
SERVERS = ("name-server", "tacplus-server")
"""Servers that are asked in their order.

Source: junos-qfx 24.4R1, junos-qfx-conf-system: both lists are `ordered-by user`, so Junos shows them as they were
given. The model says so of nearly every list: only those are compared in order whose order changes what a switch does.
"""


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Statements of the artifact that the switch has not (present False) and the other way round, in their order."""
    ours, theirs = _by_words(shown(wanted)), _by_words(running)
    missing = [Drift(one.section, one.line, present=False) for words, one in ours.items() if words not in theirs]
    added = [Drift(one.section, one.line, present=True) for words, one in theirs.items() if words not in ours]
    return (*missing, *added, *reordered(_lists(ours.values()), _lists(theirs.values())))


def _by_words(text: str) -> dict[tuple[str, ...], JunosStatement]:
    return {one.words: one for one in statements(text) if one.words and one.words[0] not in UNTOLD}


def _lists(found: Iterable[JunosStatement]) -> dict[Ordered, list[str]]:
    """Every list whose order counts."""
    return by_list(one for statement in found for one in _members(statement.words))


def _members(words: tuple[str, ...]) -> Iterator[tuple[Ordered, str]]:
    """The lists that a statement is part of, and its member."""
    if words[:2] == POLICY and len(words) > 4 and words[3] == "term":
        section = (POLICY[0], f"{POLICY[1]} {words[2]}")
        yield Ordered(section, "terms"), words[4]
        if words[5:7] == ("then", "community"):
            yield Ordered((*section, f"term {words[4]}"), "communities"), " ".join(words[7:])
    elif words[:1] == ("system",) and len(words) > 2 and words[1] in SERVERS:
        yield Ordered(("system",), words[1]), words[2]
