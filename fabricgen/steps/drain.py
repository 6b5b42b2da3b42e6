"""Known sequence: switches, ports and slots are drained or undrained."""

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

CARRIES_AGAIN = "Apply this state: the switches, ports and servers that it lists carry traffic again."
LEAVES = "Apply this state. Traffic moves away from {}; sessions stay up and carry only traffic without another path."
STILL = "The counters of its ports show no traffic. Do not unplug cables or power before."


class _Changed(NamedTuple):
    """One item whose state differs."""

    key: Key
    before: str
    after: str


def drain(intents: Intents) -> KnownSequence:
    """Undrain first, which never costs capacity; then drain slots, ports, and one switch after the other.

    Raises FabricError where a state other than active and drained differs, and where nothing differs.
    """
    old, new = (exceptions_of(side.plan) for side in intents)
    changed = tuple(_changed(old, new))
    problems = [_other_state(intents, item) for item in changed if {item.before, item.after} - {ACTIVE, DRAINED}]
    if _other_settings(old) != _other_settings(new):
        problems.append(_settings(intents))
    if problems:
        raise FabricError(problems)
    drafts = tuple(_drafts(changed))
    if not drafts:
        raise FabricError([nothing(intents)])
    # The last state is the new intent itself, which contains the same overrides.
    last = drafts[-1]._replace(base=Base.AFTER, overrides={})
    names = ", ".join(thing(item.key) for item in changed[:3]) + (", ..." if len(changed) > 3 else "")
    return KnownSequence(
        kind="drain",
        title=f"{len(changed)} override{'s' if len(changed) > 1 else ''} between active and drained: {names}",
        where=("overrides",),
        drafts=(*drafts[:-1], last),
    )


def _other_settings(exceptions: Exceptions) -> tuple[object, ...]:
    """Settings of overrides other than the states that a drain changes."""
    return exceptions.settings, exceptions.port_settings, exceptions.broken


def _settings(intents: Intents) -> Problem:
    return Problem(
        code="steps-settings",
        what="settings in overrides differ before and after",
        where=("overrides",),
        why="a sequence of drains changes states only",
        fix=f"make it a change of its own, and review it with fabricgen diff {intents.after.path}",
    )


def _changed(old: Exceptions, new: Exceptions) -> Iterator[_Changed]:
    """Slots, then ports, then switches, each in natural order."""
    yield from _in_order(_Changed(*state_change) for state_change in _states(old.slots, new.slots))
    yield from _in_order(_Changed(*state_change) for state_change in _states(old.ports, new.ports))
    yield from _in_order(_Changed(*state_change) for state_change in _states(old.devices, new.devices))


def _in_order(items: Iterable[_Changed]) -> list[_Changed]:
    return sorted(items, key=lambda item: natural(thing(item.key)))


def _states(before: Mapping[K, str], after: Mapping[K, str]) -> Iterator[tuple[K, str, str]]:
    for key in {*before, *after}:
        old_state, new_state = before.get(key, ACTIVE), after.get(key, ACTIVE)
        if old_state != new_state:
            yield key, old_state, new_state


def _drafts(changed: tuple[_Changed, ...]) -> Iterator[Draft]:
    """Every state as an overlay of the old intent: each contains all earlier changes."""
    undrained = {thing(item.key): ACTIVE for item in changed if item.after == ACTIVE}
    overrides = dict(undrained)
    if undrained:
        yield Draft(
            Base.BEFORE, ACTIVE, dict(overrides), CARRIES_AGAIN, "Sessions are established, and traffic is back."
        )
    drained = [item for item in changed if item.after == DRAINED]
    slots = [thing(item.key) for item in drained if isinstance(item.key, SlotKey)]
    ports = [thing(item.key) for item in drained if isinstance(item.key, PortKey)]
    # Slots of all servers in one state, then all ports, then switch after switch.
    if slots:
        overrides |= dict.fromkeys(slots, DRAINED)
        todo = "Wait until the jobs on these servers have ended, and start no others; then apply this state."
        yield Draft(Base.BEFORE, DRAINED, dict(overrides), todo, "No job runs on them.")
    if ports:
        overrides |= dict.fromkeys(ports, DRAINED)
        yield Draft(Base.BEFORE, DRAINED, dict(overrides), LEAVES.format("the ports it lists"), STILL)
    for item in drained:
        if isinstance(item.key, str):
            overrides[item.key] = DRAINED
            yield Draft(Base.BEFORE, DRAINED, dict(overrides), LEAVES.format(item.key), STILL)


def _other_state(intents: Intents, item: _Changed) -> Problem:
    name = thing(item.key)
    return Problem(
        code="steps-state",
        what=f"{name} is {item.before} before and {item.after} after",
        where=written_at(intents.after.intent, name),
        why="a sequence of drains changes between active and drained only; absent and dead also change ports, cables "
        "or servers",
        fix=f"make it a change of its own, and review it with fabricgen diff {intents.after.path}",
    )


def nothing(intents: Intents) -> Problem:
    """The problem of two intents without a difference for steps."""
    return Problem(
        code="steps-nothing",
        what=f"no steps are needed to reach {intents.after.path}",
        why="the state of --against has the same switches, ports, servers and tenants",
        fix="use --against with the state before the change",
    )
