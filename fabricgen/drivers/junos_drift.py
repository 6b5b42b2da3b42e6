"""Where Junos' configuration is not the artifact: statements that only one of the two has.

Compared are the words of each statement (see junos_text.py), so that neither blocks nor quotation marks nor the order
of statements make a difference; the order of a policy's terms does, and of policies in a list. Secrets equal each other
in the same place. Junos shows what it was told, defaults too, and adds the line with its release (recorded:
batfish/lab-validation, configurations of 25.4R1 and what they were made of).
"""

from collections.abc import Iterable, Iterator

from fabricgen.device.secret import shown
from fabricgen.drivers.junos_text import Statement, statements
from fabricgen.drivers.reader import Drift

UNTOLD = ("version",)
"""First words of statements that Junos adds by itself."""
POLICY = ("policy-options", "policy-statement")


def drift(wanted: str, running: str) -> tuple[Drift, ...]:
    """Statements of the artifact that the switch has not (present False) and the other way round, in their order."""
    ours, theirs = _by_words(shown(wanted)), _by_words(running)
    missing = [Drift(one.section, one.line, present=False) for words, one in ours.items() if words not in theirs]
    added = [Drift(one.section, one.line, present=True) for words, one in theirs.items() if words not in ours]
    return (*missing, *added, *_reordered(ours.values(), theirs.values()))


def _by_words(text: str) -> dict[tuple[str, ...], Statement]:
    return {one.words: one for one in statements(text) if one.words and one.words[0] not in UNTOLD}


def _reordered(ours: Iterable[Statement], theirs: Iterable[Statement]) -> Iterator[Drift]:
    """Policies whose terms both have, in another order."""
    wanted, found = _terms(ours), _terms(theirs)
    for name, terms in wanted.items():
        others = found.get(name, [])
        mine = [term for term in terms if term in others]
        if (runs := [term for term in others if term in terms]) != mine:
            section = (POLICY[0], f"{POLICY[1]} {name}")
            yield Drift(section, f"terms in the order {' '.join(mine)}", present=False)
            yield Drift(section, f"terms in the order {' '.join(runs)}", present=True)


def _terms(found: Iterable[Statement]) -> dict[str, list[str]]:
    """Policy → its terms, in order."""
    terms: dict[str, list[str]] = {}
    for one in found:
        if one.words[:2] == POLICY and len(one.words) > 4 and one.words[3] == "term":
            known = terms.setdefault(one.words[2], [])
            if one.words[4] not in known:
                known.append(one.words[4])
    return terms
