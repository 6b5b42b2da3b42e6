"""Pairs of switches on the two sides: the same place, also if its fabric or server group was renamed."""

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
    """One switch. On a side where it does not exist, its place is None and its name empty."""

    before: Place | None
    after: Place | None
    name_before: str
    name_after: str


def pairs(before: Plan, after: Plan) -> tuple[SwitchPair, ...]:
    """Every switch of both sides, in natural order of the names after; removed ones last, by their names before."""
    former = former_names(before.intent, after.intent)
    old_names = dict(_named(before))
    kept_and_new = [_pair(place, name, former, old_names) for place, name in _named(after)]
    paired_places = {pair.before for pair in kept_and_new}
    removed = [SwitchPair(place, None, name, "") for place, name in old_names.items() if place not in paired_places]
    kept_and_new.sort(key=lambda pair: natural(pair.name_after))
    removed.sort(key=lambda pair: natural(pair.name_before))
    return (*kept_and_new, *removed)


def _pair(after: Place, name: str, former: Former, old_names: dict[Place, str]) -> SwitchPair:
    before = former.place(after)
    old_name = old_names.get(before)
    return SwitchPair(before, after, old_name, name) if old_name is not None else SwitchPair(None, after, "", name)


def _named(plan: Plan) -> Iterator[tuple[Place, str]]:
    return ((place, name_of(fabric, place)) for fabric in plan.fabrics.values() for place in present_places(fabric))


def switch_names(plan: Plan) -> Iterator[str]:
    """Return the names of all switches that exist."""
    return (name for _, name in _named(plan))


def renamed(switches: Iterable[SwitchPair]) -> dict[str, str]:
    """Names of the switches that exist on both sides, from before to after."""
    return {
        pair.name_before: pair.name_after for pair in switches if pair.before is not None and pair.after is not None
    }


def renamed_servers(before: Plan, after: Plan) -> dict[str, str]:
    """Names of servers that remain in their slots under another name, from before to after.

    It is no rename if the name exists on the other side too: that server has moved. Nor is it one if the serial number
    or MAC address of the slot is another.
    """
    former = former_names(before.intent, after.intent)
    old_servers, new_servers = dict(_servers(before)), dict(_servers(after))
    old_names, new_names = ({server.hostname for server in side.values()} for side in (old_servers, new_servers))
    renamed_hosts = {}
    for key, server in new_servers.items():
        old = old_servers.get(SlotKey(former.group(key.group), key.slot))
        is_renamed = old is not None and old.hostname not in new_names and server.hostname not in old_names
        if old is not None and is_renamed and _is_same(old, server):
            renamed_hosts[old.hostname] = server.hostname
    return renamed_hosts


def _is_same(old_server: PlacedServer, new_server: PlacedServer) -> bool:
    identities = ((old_server.serial, new_server.serial), (old_server.mac, new_server.mac))
    return not any(old and new and old != new for old, new in identities)


def _servers(plan: Plan) -> Iterator[tuple[SlotKey, PlacedServer]]:
    """Every slot of the intent with what is known of its server, at least its name."""
    unknown_server = PlacedServer(hostname="", rack="", unit="", serial="", mac="")
    for group, written in plan.intent.servers.items():
        for span in written.slots:
            for slot in range(span.first, span.last + 1):
                key = SlotKey(group, slot)
                placed = plan.exceptions.servers.get(key, unknown_server)
                yield key, placed._replace(hostname=server_name(plan.exceptions, group, slot))


def without_renamed_ends(changes: Iterable[DeviceChange], names: Mapping[str, str]) -> Iterator[DeviceChange]:
    """Changes of a switch without those of cables whose remote end was only renamed."""
    for change in changes:
        name, _, port = change.before.partition(" ")
        if change.kind != "interface.peer" or change.after != f"{names.get(name, name)} {port}":
            yield change
