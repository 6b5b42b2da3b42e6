"""Whether each tenant still reaches its outside peers over a border leaf and a port that are in service."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.checks.engine.causes import joined, port_cause, state_cause
from fabricgen.errors import IntentPath, Problem
from fabricgen.intent.tenants import External
from fabricgen.plan.exceptions import AWAY, DEAD, DRAINED, PortKey
from fabricgen.plan.fabric import FabricPlan, name_of, places, port_text, state_of
from fabricgen.plan.place import Place, Tier
from fabricgen.plan.plan import Plan


class _Way(NamedTuple):
    """One session to the outside: the switch or port that decides its state, and the override that sets it."""

    thing: str
    state: str
    cause: IntentPath


Ways = tuple[_Way, ...]


def ways_out(plan: Plan) -> Iterator[Problem]:
    """A tenant with sessions to the outside has one of them on a border leaf and a port that are present.

    Drained ones count, as they forward traffic that has no other path.
    """
    for name, ways, tenants in _closed(plan, frozenset(AWAY)):
        yield Problem(
            code="outside-lost",
            what=f"{_titles(tenants)} of {name} {_do(tenants, 'reaches', 'reach')} nothing outside the fabric",
            where=joined(way.cause for way in ways),
            why=f"{_states(ways)}, and {_do(tenants, 'its', 'their')} {_sessions(ways)} to external peers "
            f"{'end' if len(ways) > 1 else 'ends'} there",
            fix="return one of them to service, write a session on another border leaf under external:, or waive "
            "outside-lost",
            about=tuple(dict.fromkeys(way.thing.partition("/")[0] for way in ways)),
        )


def ways_out_in_service(plan: Plan) -> Iterator[Problem]:
    """A tenant with sessions to the outside has one of them on a border leaf that is not drained.

    Graceful shutdown moves traffic to another way out; if there is none, all of it stays on the drained switch.

    Source: RFC 8326, section 3.
    """
    for name, ways, tenants in _closed(plan, frozenset({*AWAY, DRAINED})):
        if all(way.state in AWAY for way in ways):
            continue  # a problem of its own
        yield Problem(
            code="outside-drained",
            what=f"{_titles(tenants)} of {name} {_do(tenants, 'has', 'have')} only drained border leaves towards "
            f"external peers",
            where=joined(way.cause for way in ways),
            why=f"{_states(ways)}; traffic still uses them, and is lost when these switches go down",
            fix="drain one border leaf at a time, or waive outside-drained and write in its reason until when the "
            "loss is accepted",
        )


def _closed(plan: Plan, states: frozenset[str]) -> Iterator[tuple[str, Ways, tuple[str, ...]]]:
    """Yield fabric, ways and tenants if all ways outside have one of these states; tenants with equal ways at once."""
    for name, fabric in plan.fabrics.items():
        exceptions = fabric.exceptions
        if fabric.shape.border is None or not (exceptions.devices or exceptions.ports or exceptions.broken):
            continue
        borders = {place.index: place for place in places(fabric) if place.tier is Tier.BORDER}
        tenants_by_ways: dict[Ways, list[str]] = {}
        for tenant in plan.tenants.get(name, ()):
            ways = tuple(dict.fromkeys(_way(plan, fabric, borders, external) for external in tenant.external))
            if ways and all(way.state in states for way in ways):
                tenants_by_ways.setdefault(ways, []).append(tenant.name)
        yield from ((name, ways, tuple(tenants)) for ways, tenants in tenants_by_ways.items())


def _way(plan: Plan, fabric: FabricPlan, borders: dict[int, Place], external: External) -> _Way:
    place, border = borders.get(external.border), fabric.shape.border
    if place is None or border is None or external.port >= len(border.down):
        return _Way("", "", ())  # a problem of its own
    name, state = name_of(fabric, place), state_of(fabric, place)
    key = PortKey(name, port_text(fabric, place, border.down[external.port]))
    port_state = DEAD if key in fabric.exceptions.broken else fabric.exceptions.ports.get(key, "")
    if state not in AWAY and port_state in (*AWAY, DRAINED) and not (state == DRAINED and port_state == DRAINED):
        return _Way(f"{name}/{key.port}", port_state, port_cause(plan.intent, [key]))
    return _Way(name, state, state_cause(plan.intent, name))


def _titles(tenants: tuple[str, ...]) -> str:
    return f"tenant{'s' * (len(tenants) > 1)} {', '.join(tenants)}"


def _do(tenants: tuple[str, ...], singular: str, plural: str) -> str:
    return singular if len(tenants) == 1 else plural


def _sessions(ways: Ways) -> str:
    return "sessions" if len(ways) > 1 else "session"


def _states(ways: Ways) -> str:
    return " and ".join(f"{way.thing} is {way.state}" for way in ways)
