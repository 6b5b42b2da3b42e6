"""Which exceptions reach which switch of a fabric, as texts; from what is exceptional alone."""

from collections.abc import Iterable, Iterator

from fabricgen.plan.exceptions import DRAINED, Exceptions, settings_digest
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, place_of
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.plain_cables import is_plain
from fabricgen.plan.wiring import downlinks, uplinks

NONE = Exceptions()

Texts = dict[str, set[str]]
"""Name of a switch → what is exceptional and reaches it."""


class ExceptionReach:
    """Exceptions by what they reach: the files of a switch, what a look at it shows, its lines of the cabling plan.

    One of a switch or of one of its ports reaches the switch, its neighbors, and the other leaves of its pair. One of
    a slot or of what stands there reaches all leaves of its group, and what the cable file says reaches all switches:
    links that share cages hang together far.

    Two are said more often than others and reach less. That a switch is drained is written in its own files, in those
    of the other leaves of its pair, and beside each of its cables. What is set for a switch is written in its own
    files; a look at a neighbor asks whether both ends of a link have the same.

    Lines of the cabling plan say which link of a cage is its first, so what is missing from a cage reaches all that
    share it: switches one cable further, and leaves of the same servers.
    """

    def __init__(self, fabric: FabricPlan) -> None:
        self._fabric, found = fabric, fabric.exceptions
        self._files: Texts = {}
        self._looks: Texts = {}
        self._lines: Texts = {}
        self._groups: dict[str, list[str]] = {}
        self._all: tuple[str, ...] = ()
        self._along: tuple[str, ...] = ()
        if found == NONE:
            return
        for key, state in (*found.slots.items(), *found.servers.items()):
            self._groups.setdefault(key.group, []).append(f"{key}={state}")
        self._all = tuple(f"{key}={built}" for key, built in found.cables.items())
        self._note_far(found)
        self._note_drained(found)
        self._note_settings(found)

    def files(self, place: Place) -> Iterator[str]:
        """Exceptions that reach the files of the switch at a place."""
        return self._of(self._files, place)

    def looks(self, place: Place) -> Iterable[str]:
        """Exceptions that reach what a look at it shows, and not its files."""
        return self._looks.get(name_of(self._fabric, place), ()) if self._looks else ()

    def lines(self, place: Place) -> Iterator[str]:
        """Exceptions that reach the lines of its cables."""
        yield from self._of(self._lines, place)
        yield from self._along

    def _of(self, texts: Texts, place: Place) -> Iterator[str]:
        if texts:
            yield from texts.get(name_of(self._fabric, place), ())
        if place.tier is Tier.LEAF:
            yield from self._groups.get(place.group, ())
        yield from self._all

    def _note_far(self, found: Exceptions) -> None:
        for device, text in _of_devices(found):
            place = place_of(self._fabric, device)
            reached = self._reached(place) if place is not None else set()
            self._note(self._files, text, device, reached)
            self._note(self._lines, text, device, reached)
        if found.cables:
            # What shares cages with what is missing hangs together far, too.
            self._along = tuple({text for texts in self._lines.values() for text in texts})
        elif not is_plain(self._fabric):
            self._lines = self._further(self._lines)

    def _note_drained(self, found: Exceptions) -> None:
        for device, state in found.devices.items():
            place = place_of(self._fabric, device)
            if state == DRAINED and place is not None:
                self._note(self._files, f"{device}={state}", device, self._pair(place))
                self._note(self._lines, f"{device}={state}", device, self._below(place))

    def _note_settings(self, found: Exceptions) -> None:
        for device, own in found.settings.items():
            place = place_of(self._fabric, device)
            text = f"{device} {settings_digest(own)}"
            self._note(self._files, text, device, ())
            self._note(self._looks, text, device, self._joined(place) if place is not None else ())

    def _note(self, texts: Texts, text: str, device: str, reached: Iterable[Place]) -> None:
        for name in (device, *(name_of(self._fabric, each) for each in reached)):
            texts.setdefault(name, set()).add(text)

    def _reached(self, place: Place) -> set[Place]:
        return self._joined(place) | self._pair(place)

    def _pair(self, place: Place) -> set[Place]:
        """A switch, and the other leaves of its pair."""
        if place.tier is not Tier.LEAF:
            return {place}
        return {place._replace(index=index) for index in range(group_of(self._fabric, place.group).indexes)}

    def _joined(self, place: Place) -> set[Place]:
        """A switch, and those that it has a cable to."""
        links = uplinks(self._fabric, place)
        return {place, *(end for link in links for end in (link.lower, link.upper))} | self._below(place)

    def _below(self, place: Place) -> set[Place]:
        """A switch, and those below it that it has a cable to: their lines of the cabling plan have these cables."""
        links = downlinks(self._fabric, place) if place.tier in UPPER else ()
        return {place, *(link.lower for link in links)}

    def _further(self, reached: Texts) -> Texts:
        """What reaches a switch, for those that may share cages with it, too."""
        found: Texts = {}
        for device, texts in reached.items():
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
    """Exceptions of a switch or of its ports that reach further: its name, and what is exceptional."""
    yield from ((device, f"{device}={state}") for device, state in found.devices.items() if state != DRAINED)
    yield from ((device, f"{device} runs {system}") for device, system in found.systems.items())
    yield from ((key.device, f"{key}={state}") for key, state in found.ports.items())
    yield from ((key.device, f"{key}=broken") for key in found.broken)
    yield from ((key.device, f"{key}={own}") for key, own in found.port_settings.items())
