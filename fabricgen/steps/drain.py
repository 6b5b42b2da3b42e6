"""Known sequence: switches, ports and slots are drained, or no longer are."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from fabricgen.base.text import natural
from fabricgen.errors import FabricError, Problem
from fabricgen.plan.exceptions import Exceptions, PortKey, SlotKey
from fabricgen.plan.overrides import Key, thing
from fabricgen.resolve.links import ACTIVE, DRAINED
from fabricgen.steps.model import Base, Draft, Intents, KnownSequence
from fabricgen.steps.selectors import exceptions_of, written_at

K = TypeVar("K", bound=Key)

CARRIES_AGAIN = "Apply this state: what it lists carries traffic again."
LEAVES = "Apply this state. Traffic leaves {}; sessions stay up and carry only what has no other way."
STILL = "Counters of its ports show that traffic has left before anybody pulls a cable or a plug."


class _Changed(NamedTuple):
    """One thing whose state differs."""

    key: Key
    before: str
    after: str


def drain(intents: Intents) -> KnownSequence:
    """Undrain first, which never costs capacity; then slots, ports, and one switch after the other.

    Raises FabricError where a state other than active and drained comes or goes, and where nothing differs.
    """
    old, new = (exceptions_of(side.plan) for side in intents)
    changed = tuple(_changed(old, new))
    problems = [_other_state(intents, one) for one in changed if {one.before, one.after} - {ACTIVE, DRAINED}]
    if _beside_states(old) != _beside_states(new):
        problems.append(_settings(intents))
    if problems:
        raise FabricError(problems)
    drafts = tuple(_drafts(changed))
    if not drafts:
        raise FabricError([nothing(intents)])
    # The last state is the new intent itself: what its overlay would say stands there.
    last = drafts[-1]._replace(base=Base.AFTER, overrides={})
    names = ", ".join(thing(one.key) for one in changed[:3]) + (", ..." if len(changed) > 3 else "")
    return KnownSequence(
        kind="drain",
        title=f"{len(changed)} override{'s' if len(changed) > 1 else ''} between active and drained: {names}",
        where=("overrides",),
        drafts=(*drafts[:-1], last),
    )


def _beside_states(found: Exceptions) -> tuple[object, ...]:
    """What overrides say beside the states that a drain knows of."""
    return found.settings, found.port_settings, found.broken


def _settings(intents: Intents) -> Problem:
    return Problem(
        code="steps-settings",
        what="overrides give other settings before and after",
        where=("overrides",),
        why="a sequence of drains changes states, and nothing else",
        fix=f"make it a change of its own, and review it with fabricgen diff {intents.after.path}",
    )


def _changed(old: Exceptions, new: Exceptions) -> Iterator[_Changed]:
    """Slots, then ports, then switches, each in natural order."""
    yield from _in_order(_Changed(*each) for each in _states(old.slots, new.slots))
    yield from _in_order(_Changed(*each) for each in _states(old.ports, new.ports))
    yield from _in_order(_Changed(*each) for each in _states(old.devices, new.devices))


def _in_order(found: Iterable[_Changed]) -> list[_Changed]:
    return sorted(found, key=lambda one: natural(thing(one.key)))


def _states(before: Mapping[K, str], after: Mapping[K, str]) -> Iterator[tuple[K, str, str]]:
    for key in {*before, *after}:
        was, now = before.get(key, ACTIVE), after.get(key, ACTIVE)
        if was != now:
            yield key, was, now


def _drafts(changed: tuple[_Changed, ...]) -> Iterator[Draft]:
    """Every state as an overlay of the intent before: each holds all that came earlier."""
    undrained = {thing(one.key): ACTIVE for one in changed if one.after == ACTIVE}
    overrides = dict(undrained)
    if undrained:
        yield Draft(Base.BEFORE, ACTIVE, dict(overrides), CARRIES_AGAIN, "Sessions stand, and traffic is back.")
    drained = [one for one in changed if one.after == DRAINED]
    slots = [thing(one.key) for one in drained if isinstance(one.key, SlotKey)]
    ports = [thing(one.key) for one in drained if isinstance(one.key, PortKey)]
    if slots:
        overrides |= dict.fromkeys(slots, DRAINED)
        words = "Let the jobs of these servers end and start none there; then apply this state."
        yield Draft(Base.BEFORE, DRAINED, dict(overrides), words, "No job runs on them.")
    if ports:
        overrides |= dict.fromkeys(ports, DRAINED)
        yield Draft(Base.BEFORE, DRAINED, dict(overrides), LEAVES.format("the ports it lists"), STILL)
    for one in drained:
        if isinstance(one.key, str):
            overrides[one.key] = DRAINED
            yield Draft(Base.BEFORE, DRAINED, dict(overrides), LEAVES.format(one.key), STILL)


def _other_state(intents: Intents, one: _Changed) -> Problem:
    name = thing(one.key)
    return Problem(
        code="steps-state",
        what=f"{name} is {one.before} before and {one.after} after",
        where=written_at(intents.after.intent, name),
        why="a sequence of drains knows active and drained; what is absent or dead has another port, or no cable or "
        "server",
        fix=f"make it a change of its own, and review it with fabricgen diff {intents.after.path}",
    )


def nothing(intents: Intents) -> Problem:
    """Problem of two intents between which there are no steps."""
    return Problem(
        code="steps-nothing",
        what=f"no step leads from {intents.before.path} to {intents.after.path}",
        why="both mean the same switches, ports, servers and tenants",
        fix="name after --against what stood before the change",
    )
