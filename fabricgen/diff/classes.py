"""Switches with similar changes, as one class: a report shows classes instead of a thousand switches."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from fabricgen.base.grouping import grouped
from fabricgen.base.text import natural
from fabricgen.changes.change import ChangeOp, DeviceChange
from fabricgen.diff.groups import ChangedSwitch, Item, SwitchGroup, item_of
from fabricgen.diff.model import Blast, ClassChange, MeaningClass
from fabricgen.platforms.base.cost import Cost, Risk

Costs = Callable[[str], Mapping[str, Cost]]
"""Name of a platform → costs by kind."""
NO_SOURCE = "no source gives the risk of this change"
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
"""Kinds that need work outside the configuration: another switch or image, or a cable or optic to be moved."""
SEVERAL = 4
"""Limit on values of a switch's own that one line lists."""


def make_class(group: SwitchGroup, costs: Mapping[str, Cost], blast: Blast) -> MeaningClass:
    """Return the class of a group."""
    lines = _lines(group, costs)
    return MeaningClass(
        fabric=group.key.fabric,
        role=group.key.role,
        system=group.key.system,
        devices=group.names,
        lines=lines,
        risk=max(line.risk for line in lines),
        blast=blast,
        device_changes=group.device_changes,
        costs=costs,
    )


def priced(meaning_class: MeaningClass, device: str) -> Iterator[tuple[DeviceChange, Risk]]:
    """Every change of a switch of a class, with its risk for its own values."""
    for change in meaning_class.device_changes.get(device, ()):
        yield (
            change,
            Risk.NONE if meaning_class.costs is None else risk_of(meaning_class.costs.get(change.kind), change),
        )


def is_of_configuration(meaning_class: MeaningClass) -> bool:
    """Whether lines of the configuration carry all that differs.

    If not, equal texts prove nothing: the risk in the table applies to every change of the class, also those with
    lines.
    """
    return OUTSIDE.isdisjoint(line.kind for line in meaning_class.lines)


def unspelled(meaning_class: MeaningClass) -> MeaningClass:
    """A class whose switches are rendered the same before and after: its risk is none."""
    lines = (line._replace(risk=Risk.NONE, source=NOT_SPELLED) for line in meaning_class.lines)
    return replace(meaning_class, risk=Risk.NONE, lines=tuple(sorted(lines)), costs=None)


def in_order(classes: Iterable[MeaningClass]) -> tuple[MeaningClass, ...]:
    """Classes in order: highest risk first, then more switches, then names."""
    return tuple(
        sorted(classes, key=lambda item: (-item.risk, -len(item.devices), natural(item.devices[0]), item.lines))
    )


@dataclass(slots=True)
class _Shared:
    """What the changes of a line have in common on every switch so far; each switch has as many of them.

    columns  field → its values, the same on all switches; None where the switches differ
    risk     the highest of them
    """

    each: int
    columns: dict[str, set[str] | None]
    risk: Risk = Risk.NONE

    def add(self, changes: Sequence[DeviceChange], risk: Risk) -> None:
        """Compare the changes of one more switch."""
        self.risk = max(self.risk, risk)
        for name, known in self.columns.items():
            if known is not None and known != _column(changes, name):
                self.columns[name] = None


COLUMNS = ("before", "after", "subject", "peer")
"""Fields of changes that a line prints if all switches share them."""


def _column(changes: Iterable[DeviceChange], name: str) -> set[str]:
    return {getattr(change, name) for change in changes}


def _lines(group: Iterable[ChangedSwitch], costs: Mapping[str, Cost]) -> tuple[ClassChange, ...]:
    """Lines, the highest risk first, then in the order of kinds. The risk of a line is the highest of its changes."""
    shared_by_item: dict[Item, _Shared] = {}
    for switch in group:
        changes_by_item = grouped((item_of(change), change) for change in switch.changes)
        for item, changes in changes_by_item.items():
            if item not in shared_by_item:
                shared_by_item[item] = _Shared(len(changes), {name: _column(changes, name) for name in COLUMNS})
            cost = costs.get(item.kind)
            shared_by_item[item].add(changes, max(risk_of(cost, change) for change in changes))
    lines = (_line(item, shared, _source(costs.get(item.kind))) for item, shared in shared_by_item.items())
    return tuple(sorted(lines, key=lambda line: (-line.risk, *line)))


def _line(item: Item, shared: _Shared, source: str) -> ClassChange:
    columns = shared.columns
    peers = _words(columns["peer"])
    # With several changed values it would be unclear which became which. Remote ends say more than port names.
    limit = 1 if peers or item.change is ChangeOp.CHANGED else SEVERAL
    return ClassChange(
        kind=item.kind,
        change=item.change,
        each=shared.each,
        before=_values(columns["before"], limit),
        after=_values(columns["after"], limit),
        subjects=_words(columns["subject"]),
        peers=peers,
        risk=shared.risk,
        source=source,
    )


def risk_of(cost: Cost | None, change: DeviceChange) -> Risk:
    """Risk of a change with its own values; unknown if the table has no row, or excludes the change."""
    return Risk.UNKNOWN if cost is None else cost.of(change.change, change.before, change.after)


def _source(cost: Cost | None) -> str:
    """Source of the cost of a kind."""
    if cost is None:
        return NO_SOURCE
    return "; ".join(filter(None, (cost.source, f"unsure: {cost.unsure}" if cost.unsure else "")))


def _values(shared: set[str] | None, limit: int) -> str:
    """Return the values if all switches have the same ones, and not too many; else nothing."""
    values = _words(shared)
    return ", ".join(values) if len(values) <= limit and "" not in (shared or ()) else ""


def _words(shared: set[str] | None) -> tuple[str, ...]:
    """Return the values if all switches have the same ones, else none."""
    return tuple(sorted(filter(None, shared or ()), key=natural))
