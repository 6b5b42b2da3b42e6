"""Selectors of an overlay for ports and slots: globs and ranges, or single ones if the intent's overrides name some."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from fnmatch import fnmatchcase

from fabricgen.intent.model import Intent
from fabricgen.intent.scalars import Span
from fabricgen.plan.exceptions import Exceptions, PortKey, SlotKey
from fabricgen.plan.names import SiteNames, make_names
from fabricgen.plan.overrides import MAX_GLOBS, thing
from fabricgen.plan.place import SHORT_NAMES
from fabricgen.plan.plan import Plan

GONE = ("absent", "dead")


def exceptions_of(plan: Plan) -> Exceptions:
    """Exceptions of a site; every fabric has the same."""
    return next(iter(plan.fabrics.values())).exceptions


def port_selectors(plan: Plan, ports: Collection[PortKey]) -> tuple[str, ...]:
    """Selectors for these ports, without those that the intent has already declared absent or dead.

    A glob is used if all matching switches with that port are in the set, and the intent's own overrides name no port:
    two globs could contradict each other.
    """
    absent = {key for key, state in exceptions_of(plan).ports.items() if state in GONE}
    exact = tuple(thing(key) for key in ports if key not in absent)
    if any("/" in selector for selector in plan.intent.overrides):
        return exact
    names = make_names(plan.intent, plan.fabrics)
    selectors = tuple(dict.fromkeys(_by_port(names, ports)))
    globs = sum("*" in selector for selector in (*selectors, *plan.intent.overrides))
    return selectors if globs <= MAX_GLOBS else exact


def _by_port(names: SiteNames, ports: Collection[PortKey]) -> Iterator[str]:
    devices: dict[tuple[str, str], set[str]] = {}
    for key in ports:
        fabric, place = names.devices[key.device]
        devices.setdefault((f"{fabric.prefix}-{SHORT_NAMES[place.tier]}-*", key.port), set()).add(key.device)
    fitting = {glob: [name for name in names.devices if fnmatchcase(name, glob)] for glob, _ in devices}
    for (glob, port), named in devices.items():
        if named == {name for name in fitting[glob] if port in names.ports_of(name)}:
            yield f"{glob}/{port}"
        else:
            yield from (thing(key) for key in ports if key.port == port and key.device in named)


def slot_selectors(plan: Plan, slots: Iterable[SlotKey]) -> tuple[str, ...]:
    """Selectors for these slots, without absent and dead ones; ranges if the intent's overrides name no slot."""
    states = exceptions_of(plan).slots
    present = sorted(key for key in slots if states.get(key) not in GONE)
    if any("[" in selector for selector in plan.intent.overrides):
        return tuple(map(thing, present))
    return tuple(f"{group}[{_text(span)}]" for group, span in _runs(present))


def _runs(slots: Iterable[SlotKey]) -> Iterator[tuple[str, Span]]:
    group, run = "", Span(0, -1)
    for key in slots:
        if key.group == group and key.slot == run.last + 1:
            run = Span(run.first, key.slot)
            continue
        if group:
            yield group, run
        group, run = key.group, Span(key.slot, key.slot)
    if group:
        yield group, run


def _text(span: Span) -> str:
    return str(span.first) if span.size == 1 else f"{span.first}-{span.last}"


def written_at(intent: Intent, selector: str) -> tuple[str, ...]:
    """Path of an override in the intent: of its selector if it is written there, else of all overrides."""
    return ("overrides", selector) if selector in intent.overrides else ("overrides",)


def stated(selectors: Iterable[str], state: str) -> Mapping[str, str]:
    """Overrides that give all of these one state."""
    return dict.fromkeys(selectors, state)
