"""Which exceptions reach which switch of a fabric, as texts; from what is exceptional alone."""

from collections.abc import Iterable, Iterator

from fabricgen.plan.exceptions import Exceptions, settings_digest
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, place_of
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.plain_cables import is_plain
from fabricgen.plan.wiring import downlinks, uplinks

NONE = Exceptions()

Texts = dict[str, set[str]]
"""Name of a switch → what is exceptional and reaches it."""


class Reach:
    """Exceptions by the switches that they reach.

    One of a switch or of one of its ports reaches the switch, its neighbors, and the other leaves of its pair. One of
    a slot or of what stands there reaches all leaves of its group, and what the cable file says reaches all switches:
    links that share cages hang together far.

    Lines of the cabling plan say which link of a cage is its first, so what is missing from a cage reaches all that
    share it: switches one cable further, and leaves of the same servers.
    """

    def __init__(self, fabric: FabricPlan) -> None:
        self._fabric = fabric
        self._devices: Texts = {}
        self._groups: dict[str, list[str]] = {}
        self._all: tuple[str, ...] = ()
        self._around: Texts = {}
        self._along: tuple[str, ...] = ()
        found = fabric.exceptions
        if found == NONE:
            return
        for device, text in _of_devices(found):
            for name in self._reached(device):
                self._devices.setdefault(name, set()).add(text)
        for key, state in (*found.slots.items(), *found.servers.items()):
            self._groups.setdefault(key.group, []).append(f"{key}={state}")
        self._all = tuple(f"{key}={built}" for key, built in found.cables.items())
        if found.cables:
            # What shares cages with what is missing hangs together far, too.
            self._along = tuple({text for texts in self._devices.values() for text in texts})
        elif not is_plain(fabric):
            self._around = self._further()

    def of(self, place: Place) -> Iterator[str]:
        """Exceptions that reach the switch at a place."""
        if self._devices:
            yield from self._devices.get(name_of(self._fabric, place), ())
        if place.tier is Tier.LEAF:
            yield from self._groups.get(place.group, ())
        yield from self._all

    def around(self, place: Place) -> Iterable[str]:
        """Exceptions that may reach lines of its cables, and not the switch."""
        return self._around.get(name_of(self._fabric, place), ()) if self._around else self._along

    def _reached(self, device: str) -> set[str]:
        fabric = self._fabric
        place = place_of(fabric, device)
        if place is None:
            return {device}
        reached = self._joined(place)
        if place.tier is Tier.LEAF:
            reached |= {place._replace(index=index) for index in range(group_of(fabric, place.group).indexes)}
        return {name_of(fabric, each) for each in reached}

    def _joined(self, place: Place) -> set[Place]:
        """A switch, and those that it has a cable to."""
        fabric = self._fabric
        links = (*uplinks(fabric, place), *(downlinks(fabric, place) if place.tier in UPPER else ()))
        return {place, *(end for link in links for end in (link.lower, link.upper))}

    def _further(self) -> Texts:
        """What reaches a switch, for those that may share cages with it."""
        found: Texts = {}
        for device, texts in self._devices.items():
            place = place_of(self._fabric, device)
            if place is not None:
                for each in (*self._joined(place), *self._of_same_servers(place)):
                    found.setdefault(name_of(self._fabric, each), set()).update(texts)
        return found

    def _of_same_servers(self, place: Place) -> Iterator[Place]:
        """Leaves that the servers of a leaf have ports at."""
        if place.tier is Tier.LEAF:
            group = group_of(self._fabric, place.group)
            for plane in range(self._fabric.shape.planes):
                for rail in range(group.rails):
                    yield from (place._replace(plane=plane, rail=rail, index=at) for at in range(group.indexes))


def _of_devices(found: Exceptions) -> Iterator[tuple[str, str]]:
    """Exceptions of a switch or of its ports: its name, and what is exceptional."""
    yield from ((device, f"{device}={state}") for device, state in found.devices.items())
    yield from ((key.device, f"{key}={state}") for key, state in found.ports.items())
    yield from ((key.device, f"{key}=broken") for key in found.broken)
    yield from ((key.device, f"{key}={own}") for key, own in found.port_settings.items())
    yield from ((device, f"{device} {settings_digest(own)}") for device, own in found.settings.items())
