"""Which switch of the one side is which of the other: the same place, whatever its fabric or servers are called."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from fabricgen.base.text import natural
from fabricgen.changes.change import DeviceChange
from fabricgen.plan.exceptions import PlacedServer, SlotKey, server_name
from fabricgen.plan.fabric import name_of, present_places
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.plan.renamed import Former, former_names


class SwitchPair(NamedTuple):
    """One switch. On the side where it does not stand its place is None and its name empty."""

    before: Place | None
    after: Place | None
    name_before: str
    name_after: str


def pairs(before: Plan, after: Plan) -> tuple[SwitchPair, ...]:
    """Every switch of both sides, in natural order of the names after; those that go come last, by the names before."""
    former = former_names(before.intent, after.intent)
    left = dict(_named(before))
    found = [_pair(place, name, former, left) for place, name in _named(after)]
    standing = {pair.before for pair in found}
    gone = [SwitchPair(place, None, name, "") for place, name in left.items() if place not in standing]
    found.sort(key=lambda pair: natural(pair.name_after))
    gone.sort(key=lambda pair: natural(pair.name_before))
    return (*found, *gone)


def _pair(after: Place, name: str, former: Former, left: dict[Place, str]) -> SwitchPair:
    before = former.place(after)
    known = left.get(before)
    return SwitchPair(before, after, known, name) if known is not None else SwitchPair(None, after, "", name)


def _named(plan: Plan) -> Iterator[tuple[Place, str]]:
    return ((place, name_of(fabric, place)) for fabric in plan.fabrics.values() for place in present_places(fabric))


def renamed(found: Iterable[SwitchPair]) -> dict[str, str]:
    """Names of the switches that stand on both sides, from before to after."""
    return {pair.name_before: pair.name_after for pair in found if pair.before is not None and pair.after is not None}


def renamed_servers(before: Plan, after: Plan) -> dict[str, str]:
    """Names of the servers that stand in their slots on both sides under another name, from before to after.

    A name that stands on the other side too is no rename: that server has moved. Neither is a slot whose serial number
    or MAC address is another one.
    """
    former = former_names(before.intent, after.intent)
    left, right = dict(_servers(before)), dict(_servers(after))
    were, are = ({server.hostname for server in side.values()} for side in (left, right))
    found = {}
    for key, server in right.items():
        was = left.get(SlotKey(former.group(key.group), key.slot))
        is_renamed = was is not None and was.hostname not in are and server.hostname not in were
        if was is not None and is_renamed and _is_same(was, server):
            found[was.hostname] = server.hostname
    return found


def _is_same(was: PlacedServer, now: PlacedServer) -> bool:
    known = ((was.serial, now.serial), (was.mac, now.mac))
    return not any(old and new and old != new for old, new in known)


def _servers(plan: Plan) -> Iterator[tuple[SlotKey, PlacedServer]]:
    """Every slot of the intent with what is known of its server, at least a name."""
    for fabric in plan.fabrics.values():
        exceptions = fabric.exceptions  # the site's: every fabric has the same
        break
    else:
        return
    nothing = PlacedServer(hostname="", rack="", unit="", serial="", mac="")
    for group, written in plan.intent.servers.items():
        for span in written.slots:
            for slot in range(span.first, span.last + 1):
                key = SlotKey(group, slot)
                known = exceptions.servers.get(key, nothing)
                yield key, known._replace(hostname=server_name(exceptions, group, slot))


def told(found: Iterable[DeviceChange], names: Mapping[str, str]) -> Iterator[DeviceChange]:
    """Facts of a switch without cables to what only has another name: they go where they went."""
    for fact in found:
        name, _, port = fact.before.partition(" ")
        if fact.kind != "interface.peer" or fact.after != f"{names.get(name, name)} {port}":
            yield fact
