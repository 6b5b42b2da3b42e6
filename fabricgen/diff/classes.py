"""Switches that change alike, as one class: what a reader of a thousand switches is shown."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fabricgen.base.text import natural
from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.diff.groups import ChangedSwitch, Item, SwitchGroup, item_of
from fabricgen.diff.model import Blast, ClassChange, MeaningClass
from fabricgen.platforms.base.cost import Cost, Risk

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


def make_class(group: SwitchGroup, costs: Mapping[str, Cost], blast: Blast) -> MeaningClass:
    """Class of a group."""
    lines = _lines(group, costs)
    return MeaningClass(
        fabric=group.key.fabric,
        role=group.key.role,
        system=group.key.system,
        devices=group.names,
        lines=lines,
        risk=max(line.risk for line in lines),
        blast=blast,
        facts=group.facts,
        costs=costs,
    )


def priced(found: MeaningClass, device: str) -> Iterator[tuple[DeviceChange, Risk]]:
    """Every fact of a switch of a class, with what it costs by its own values."""
    for fact in found.facts.get(device, ()):
        yield fact, Risk.NONE if found.costs is None else risk_of(found.costs.get(fact.kind), fact)


def is_of_configuration(found: MeaningClass) -> bool:
    """Whether lines of a configuration carry all that differs.

    If not, equal texts prove nothing: the table's word holds for every fact of the class, those of lines too.
    """
    return OUTSIDE.isdisjoint(line.kind for line in found.lines)


def unspelled(found: MeaningClass) -> MeaningClass:
    """A class whose switches are written the same before and after: it costs nothing."""
    lines = (line._replace(risk=Risk.NONE, source=NOT_SPELLED) for line in found.lines)
    return replace(found, risk=Risk.NONE, lines=tuple(sorted(lines)), costs=None)


def in_order(classes: Iterable[MeaningClass]) -> tuple[MeaningClass, ...]:
    """Worst risk first, then more switches, then names."""
    return tuple(sorted(classes, key=lambda one: (-one.risk, -len(one.devices), natural(one.devices[0]), one.lines)))


@dataclass(slots=True)
class _Shared:
    """What the facts of a line are on every switch so far; each has as many of them.

    columns  what they say → its values, the same on all switches; None where the switches have others
    risk     the worst of them
    """

    each: int
    columns: dict[str, set[str] | None]
    risk: Risk = Risk.NONE

    def add(self, facts: Sequence[DeviceChange], risk: Risk) -> None:
        """Compare those of one more switch."""
        self.risk = max(self.risk, risk)
        for name, known in self.columns.items():
            if known is not None and known != _column(facts, name):
                self.columns[name] = None


COLUMNS = ("before", "after", "subject", "peer")
"""What of facts a line tells where all switches share it."""


def _column(facts: Iterable[DeviceChange], name: str) -> set[str]:
    return {getattr(fact, name) for fact in facts}


def _lines(group: Iterable[ChangedSwitch], costs: Mapping[str, Cost]) -> tuple[ClassChange, ...]:
    """Worst first, then in the order of kinds. A line costs as much as the worst of its facts."""
    found: dict[Item, _Shared] = {}
    for one in group:
        own: dict[Item, list[DeviceChange]] = {}
        for fact in one.facts:
            own.setdefault(item_of(fact), []).append(fact)
        for item, facts in own.items():
            if item not in found:
                found[item] = _Shared(len(facts), {name: _column(facts, name) for name in COLUMNS})
            cost = costs.get(item.kind)
            found[item].add(facts, max(risk_of(cost, fact) for fact in facts))
    lines = (_line(item, shared, _source(costs.get(item.kind))) for item, shared in found.items())
    return tuple(sorted(lines, key=lambda line: (-line.risk, *line)))


def _line(item: Item, shared: _Shared, source: str) -> ClassChange:
    columns = shared.columns
    peers = _words(columns["peer"])
    # Of what changes one could not tell which value became which; far ends say more than what their ports are called.
    most = 1 if peers or item.change is ChangeOp.CHANGED else SEVERAL
    return ClassChange(
        kind=item.kind,
        change=item.change,
        each=shared.each,
        before=_values(columns["before"], most),
        after=_values(columns["after"], most),
        subjects=_words(columns["subject"]),
        peers=peers,
        risk=shared.risk,
        source=source,
    )


def risk_of(cost: Cost | None, fact: DeviceChange) -> Risk:
    """Risk of a fact by its own values; unknown where the table has no row, or says that the change cannot be."""
    return Risk.UNKNOWN if cost is None else cost.of(fact.change, fact.before, fact.after)


def _source(cost: Cost | None) -> str:
    """Who says what a kind costs."""
    if cost is None:
        return NO_SOURCE
    return "; ".join(filter(None, (cost.source, f"unsure: {cost.unsure}" if cost.unsure else "")))


def _values(shared: set[str] | None, most: int) -> str:
    """Return the values, where all switches have the same ones, and not too many; else nothing."""
    words = _words(shared)
    return ", ".join(words) if len(words) <= most and "" not in (shared or ()) else ""


def _words(shared: set[str] | None) -> tuple[str, ...]:
    """Return the words of every switch where all switches have the same ones, else none."""
    return tuple(sorted(filter(None, shared or ()), key=natural))
