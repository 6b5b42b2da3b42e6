"""Rules of the inventory for a push, as plain values: part of what is approved and signed. Pure.

A change of them after the signature makes the push differ from what was signed. Only a freeze may be added later: it is
obeyed. None that was approved may be removed.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime

from fabricgen.push.plan.duty import RunRules
from fabricgen.push.plan.gates import Gates

FILE = "push.yaml"
FREEZE = "freeze"
INTERRUPTION = "interruption"
NOTHING = "nothing"


def plain(rules: RunRules, interruption: Mapping[str, object]) -> dict[str, object]:
    """The rules for an approval.

    rules         of push.yaml, without typed options
    interruption  switch → values of its host, groups and defaults
    """
    return {FILE: _of_file(rules), INTERRUPTION: {name: value for name, value in sorted(interruption.items()) if value}}


def _of_file(rules: RunRules) -> dict[str, object]:
    gates = rules.gates or Gates()
    return {
        "soak": float(rules.soak),
        "hooks": {name.value: hook._asdict() | {"command": list(hook.command)} for name, hook in rules.hooks.items()},
        "counters": {
            "window": gates.window,
            "limits": {count.value: gate._asdict() for count, gate in gates.by_count.items()},
        },
    }


def freezes(rules: RunRules) -> list[list[str]]:
    """Beginning, end and reason of each."""
    return [[freeze.begins.isoformat(), freeze.ends.isoformat(), freeze.why] for freeze in rules.freezes]


def lifted(approved: Mapping[str, object], now: Mapping[str, object], at: datetime) -> Iterator[str]:
    """Approved freezes that were removed or shortened before their end; a phrase each."""
    freezes_now = [(begins, ends) for begins, ends, _ in _times(now)]
    for begins, ends, why in _times(approved):
        if ends > at and not any(first <= begins and ends <= last for first, last in freezes_now):
            when = f"from {begins.isoformat()} until {ends.isoformat()}"
            yield f"{FILE}: the freeze {when} ({why}) no longer applies"


def _times(terms: Mapping[str, object]) -> Iterator[tuple[datetime, datetime, str]]:
    rows = terms.get(FREEZE)
    for row in rows if isinstance(rows, list | tuple) else ():
        match row:
            case [str(begins), str(ends), str(why)]:
                yield datetime.fromisoformat(begins), datetime.fromisoformat(ends), why


def as_approved(kept: Mapping[str, object], now: Mapping[str, object]) -> dict[str, object]:
    """The present terms with the freezes of the approval: the terms that were signed. kept: of the journal."""
    terms = {name: value for name, value in now.items() if name != FREEZE}
    return {**terms, FREEZE: kept[FREEZE]} if FREEZE in kept else terms


def changed(approved: Mapping[str, object], now: Mapping[str, object]) -> Iterator[str]:
    """Rules of the inventory that differ from the approved ones, a phrase each; none for terms that were not kept."""
    for name in (FILE, INTERRUPTION):
        if name in approved:
            yield from (f"{name}: {difference}" for difference in _differing((), approved[name], now.get(name)))


def _differing(path: Iterable[str], before: object, now: object) -> Iterator[str]:
    if before == now:
        return
    if isinstance(before, Mapping) and isinstance(now, Mapping | None):
        now = now or {}
    elif before is None and isinstance(now, Mapping):
        before = {}
    if isinstance(before, Mapping) and isinstance(now, Mapping):
        for key in dict.fromkeys((*before, *now)):
            yield from _differing((*path, str(key)), before.get(key), now.get(key))
        return
    yield f"{'.'.join(path)} was {_text(before)}, and is {_text(now)}"


def _text(value: object) -> str:
    if isinstance(value, list | tuple):
        return "; ".join(_text(row) if isinstance(row, str) else " ".join(map(str, row)) for row in value) or NOTHING
    if isinstance(value, float):
        return f"{value:.12g}"
    return NOTHING if value is None else str(value)
