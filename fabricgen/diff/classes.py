"""Switches that change alike, as one class: what a reader of a thousand switches is shown.

Alike are switches of one fabric, role and system with the same number of facts of each kind and change, and with the
same values where the kind's values are settings. Addresses, numbers and names of a switch's own do not tell
switches apart; they are shown where a class happens to share them.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from fabricgen.diff.model import Blast, Line, MeaningClass
from fabricgen.facts.fact import Change, Fact
from fabricgen.facts.kind import Reach, Value
from fabricgen.facts.kinds import KIND
from fabricgen.plan.place import Place
from fabricgen.platforms.cost import Cost, Risk
from fabricgen.wording import natural

Costs = Callable[[str], Mapping[str, Cost]]
"""Name of a system to what its kinds cost."""
NO_SOURCE = "no source says what this costs"
NOT_SPELLED = "no line of the configuration changes"
OUTSIDE = frozenset(
    (
        "device",
        "device.place",
        "device.model",
        "device.system",
        "device.version",
        "interface",
        "interface.speed",
        "interface.peer",
        "interface.length",
    )
)
"""Kinds that stand for work outside the configuration: another box or image, a cable or an optic that is moved."""
SEVERAL = 4
"""Values of a switch's own that a line tells."""


class Changed(NamedTuple):
    """One switch that differs, with its place on each side; None on the side where it does not stand.

    name, system, fabric, role  as after the change; of a switch that goes, as before it
    """

    name: str
    fabric: str
    role: str
    system: str
    before: Place | None
    after: Place | None
    facts: tuple[Fact, ...]


class Item(NamedTuple):
    """What makes two facts the same line: the kind and what became of it; for settings the values and whose they are.

    subject  empty where the subject is a port, a session or another thing that each switch has its own of
    """

    kind: str
    change: Change
    subject: str
    before: str
    after: str


class Key(NamedTuple):
    """What switches of a class have in common."""

    fabric: str
    role: str
    system: str
    counts: frozenset[tuple[Item, int]]


def item_of(fact: Fact) -> Item:
    """Line of a class that a fact belongs to."""
    kind = KIND[fact.kind]
    if kind.value is Value.OWN:
        return Item(fact.kind, fact.change, "", "", "")
    return Item(fact.kind, fact.change, _shared_subject(fact), fact.before, fact.after)


def _shared_subject(fact: Fact) -> str:
    """Return the subject where it is a name that many switches use: a VLAN, a VRF, a profile, a route map.

    Two tenants' VLANs are two lines; the same MTU on other ports is the same line.
    """
    is_own = KIND[fact.kind].reach in (Reach.PORT, Reach.SESSION) or fact.port or fact.peer
    return "" if is_own else fact.subject


def grouped(changed: Iterable[Changed]) -> dict[Key, tuple[Changed, ...]]:
    """Switches by what they have in common, each group in the natural order of names."""
    found: dict[Key, list[Changed]] = {}
    for one in changed:
        counts = frozenset(Counter(map(item_of, one.facts)).items())
        found.setdefault(Key(one.fabric, one.role, one.system, counts), []).append(one)
    return {key: tuple(sorted(group, key=lambda one: natural(one.name))) for key, group in found.items()}


def make_class(group: tuple[Changed, ...], costs: Mapping[str, Cost], blast: Blast) -> MeaningClass:
    """Class of a group that `grouped` has found."""
    first = group[0]
    risks = {one.name: tuple(risk_of(costs.get(fact.kind), fact) for fact in one.facts) for one in group}
    lines = _lines(group, costs, risks)
    return MeaningClass(
        fabric=first.fabric,
        role=first.role,
        system=first.system,
        devices=tuple(one.name for one in group),
        lines=lines,
        risk=max(line.risk for line in lines),
        blast=blast,
        facts={one.name: one.facts for one in group},
        risks=risks,
    )


def is_of_configuration(found: MeaningClass) -> bool:
    """Whether lines of a configuration carry all that differs.

    If not, equal texts prove nothing: the table's word holds for every fact of the class, those of lines too.
    """
    return OUTSIDE.isdisjoint(line.kind for line in found.lines)


def unspelled(found: MeaningClass) -> MeaningClass:
    """A class whose switches are written the same before and after: it costs nothing."""
    lines = (line._replace(risk=Risk.NONE, source=NOT_SPELLED) for line in found.lines)
    risks = {name: (Risk.NONE,) * len(own) for name, own in found.risks.items()}
    return replace(found, risk=Risk.NONE, lines=tuple(sorted(lines)), risks=risks)


def in_order(classes: Iterable[MeaningClass]) -> tuple[MeaningClass, ...]:
    """Worst risk first, then more switches, then names."""
    return tuple(sorted(classes, key=lambda one: (-one.risk, -len(one.devices), natural(one.devices[0]), one.lines)))


def _lines(
    group: tuple[Changed, ...], costs: Mapping[str, Cost], risks: Mapping[str, tuple[Risk, ...]]
) -> tuple[Line, ...]:
    """Worst first, then in the order of kinds. A line costs as much as the worst of its facts."""
    by_item: dict[Item, list[tuple[Fact, ...]]] = {}
    worst: dict[Item, Risk] = {}
    for one in group:
        own: dict[Item, list[Fact]] = {}
        for fact, risk in zip(one.facts, risks[one.name], strict=True):
            item = item_of(fact)
            own.setdefault(item, []).append(fact)
            worst[item] = max(worst.get(item, risk), risk)
        for item, facts in own.items():
            by_item.setdefault(item, []).append(tuple(facts))
    lines = (_line(item, facts, worst[item], _source(costs.get(item.kind))) for item, facts in by_item.items())
    return tuple(sorted(lines, key=lambda line: (-line.risk, *line)))


def _line(item: Item, facts: list[tuple[Fact, ...]], risk: Risk, source: str) -> Line:
    """Line from the facts of each switch; every switch has as many."""
    peers = _same_set([{fact.peer for fact in own} for own in facts])
    # Of what changes one could not tell which value became which; far ends say more than what their ports are called.
    most = 1 if peers or item.change is Change.CHANGED else SEVERAL
    return Line(
        kind=item.kind,
        change=item.change,
        each=len(facts[0]),
        before=_values([{fact.before for fact in own} for own in facts], most),
        after=_values([{fact.after for fact in own} for own in facts], most),
        subjects=_same_set([{fact.subject for fact in own} for own in facts]),
        peers=peers,
        risk=risk,
        source=source,
    )


def risk_of(cost: Cost | None, fact: Fact) -> Risk:
    """Risk of a fact by its own values; unknown where the table has no row, or says that the change can not be."""
    return Risk.UNKNOWN if cost is None else cost.of(fact.change, fact.before, fact.after)


def _source(cost: Cost | None) -> str:
    """Who says what a kind costs."""
    if cost is None:
        return NO_SOURCE
    return "; ".join(filter(None, (cost.source, f"unsure: {cost.unsure}" if cost.unsure else "")))


def _values(sets: list[set[str]], most: int) -> str:
    """Return the values, where all switches have the same ones, and not too many; else nothing."""
    shared = _same_set(sets)
    return ", ".join(shared) if len(shared) <= most and "" not in sets[0] else ""


def _same_set(sets: list[set[str]]) -> tuple[str, ...]:
    """Return the words of every switch where all switches have the same ones, else none."""
    if any(other != sets[0] for other in sets):
        return ()
    return tuple(sorted(filter(None, sets[0]), key=natural))
