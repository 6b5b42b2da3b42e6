"""What the inventory says of a push, as plain values: part of what is approved and signed. Pure.

Who changes it after the signature pushes otherwise than was signed. A freeze alone may come later: it is kept to, and
none that was approved may go.
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
    """As an approval has it.

    rules         of push.yaml, without what was typed
    interruption  switch → what hosts, groups and defaults say of it
    """
    return {FILE: _of_file(rules), INTERRUPTION: {name: one for name, one in sorted(interruption.items()) if one}}


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
    return [[one.begins.isoformat(), one.ends.isoformat(), one.why] for one in rules.freezes]


def lifted(approved: Mapping[str, object], now: Mapping[str, object], at: datetime) -> Iterator[str]:
    """Freezes that were approved and hold no longer, or not as long, though they are not over; a phrase each."""
    have = [(begins, ends) for begins, ends, _ in _times(now)]
    for begins, ends, why in _times(approved):
        if ends > at and not any(first <= begins and ends <= last for first, last in have):
            when = f"from {begins.isoformat()} until {ends.isoformat()}"
            yield f"{FILE}: the freeze {when} ({why}) no longer applies"


def _times(terms: Mapping[str, object]) -> Iterator[tuple[datetime, datetime, str]]:
    rows = terms.get(FREEZE)
    for row in rows if isinstance(rows, list | tuple) else ():
        match row:
            case [str(begins), str(ends), str(why)]:
                yield datetime.fromisoformat(begins), datetime.fromisoformat(ends), why


def as_approved(kept: Mapping[str, object], now: Mapping[str, object]) -> dict[str, object]:
    """Terms of now, with the freezes of then: what is signed. kept: of the journal."""
    found = {name: one for name, one in now.items() if name != FREEZE}
    return {**found, FREEZE: kept[FREEZE]} if FREEZE in kept else found


def changed(approved: Mapping[str, object], now: Mapping[str, object]) -> Iterator[str]:
    """What the inventory says otherwise than when it was approved, a phrase each; none of what nobody kept."""
    for name in (FILE, INTERRUPTION):
        if name in approved:
            yield from (f"{name}: {words}" for words in _differing((), approved[name], now.get(name)))


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
    yield f"{'.'.join(path)} was {_said(before)}, and is {_said(now)}"


def _said(value: object) -> str:
    if isinstance(value, list | tuple):
        return "; ".join(_said(one) if isinstance(one, str) else " ".join(map(str, one)) for one in value) or NOTHING
    if isinstance(value, float):
        return f"{value:.12g}"
    return NOTHING if value is None else str(value)
