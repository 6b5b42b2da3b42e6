"""Which exceptions affect which switch of a fabric, as texts. Computed from the exceptions alone."""

from collections.abc import Iterable, Iterator

from fabricgen.plan.exceptions import DRAINED, Exceptions, settings_digest
from fabricgen.plan.fabric import FabricPlan, group_of, name_of, place_of
from fabricgen.plan.place import UPPER, Place, Tier
from fabricgen.plan.plain_cables import is_plain
from fabricgen.plan.wiring import downlinks, groups_on, uplinks

NONE = Exceptions()

Texts = dict[str, set[str]]
"""Name of a switch → the exceptions that affect it."""


class ExceptionReach:
    """Exceptions by what they affect: the files of a switch, the result of its checks, its lines of the cabling plan.

    An exception of a switch or of one of its ports affects the switch, its neighbors, and the other leaves of its pair.
    An exception of a slot or its server affects all leaves of its group. Entries of the cable file affect all switches:
    links that share cages connect distant switches.

    Two exceptions are more frequent and affect less. A drained switch changes its own files, those of the other leaves
    of its pair, and the lines of its cables. The settings of a switch change its own files; the check of a neighbor
    compares the settings of both ends of a link.

    Lines of the cabling plan say which link of a cage is its first, so a missing link affects all switches that share
    its cage: switches one cable further, and leaves of the same servers.
    """

    def __init__(self, fabric: FabricPlan) -> None:
        self._fabric, exceptions = fabric, fabric.exceptions
        self._files: Texts = {}
        self._checks: Texts = {}
        self._lines: Texts = {}
        self._groups: dict[str, list[str]] = {}
        self._all: tuple[str, ...] = ()
        self._along: tuple[str, ...] = ()
        if exceptions == NONE:
            return
        for key, state in (*exceptions.slots.items(), *exceptions.servers.items()):
            self._groups.setdefault(key.group, []).append(f"{key}={state}")
        self._all = tuple(f"{key}={built}" for key, built in exceptions.cables.items())
        self._note_far(exceptions)
        self._note_drained(exceptions)
        self._note_settings(exceptions)

    def files(self, place: Place) -> Iterator[str]:
        """Exceptions that affect the files of the switch at a place."""
        return self._of(self._files, place)

    def of_checks(self, place: Place) -> Iterable[str]:
        """Exceptions that affect the result of its checks, but not its files."""
        return self._checks.get(name_of(self._fabric, place), ()) if self._checks else ()

    def lines(self, place: Place) -> Iterator[str]:
        """Exceptions that affect the lines of its cables."""
        yield from self._of(self._lines, place)
        yield from self._along

    def _of(self, texts: Texts, place: Place) -> Iterator[str]:
        if texts:
            yield from texts.get(name_of(self._fabric, place), ())
        if place.tier is Tier.LEAF:
            for group in groups_on(self._fabric, place) if self._groups else ():
                yield from self._groups.get(group.name, ())
        yield from self._all

    def _note_far(self, exceptions: Exceptions) -> None:
        for device, text in _of_devices(exceptions):
            place = place_of(self._fabric, device)
            affected = self._reached(place) if place is not None else set()
            self._note(self._files, text, device, affected)
            self._note(self._lines, text, device, affected)
        if exceptions.cables:
            # Links that share cages with missing ones connect distant switches too.
            self._along = tuple({text for texts in self._lines.values() for text in texts})
        elif not is_plain(self._fabric):
            self._lines = self._further(self._lines)

    def _note_drained(self, exceptions: Exceptions) -> None:
        for device, state in exceptions.devices.items():
            place = place_of(self._fabric, device)
            if state == DRAINED and place is not None:
                self._note(self._files, f"{device}={state}", device, self._pair(place))
                self._note(self._lines, f"{device}={state}", device, self._below(place))

    def _note_settings(self, exceptions: Exceptions) -> None:
        for device, settings in exceptions.settings.items():
            place = place_of(self._fabric, device)
            text = f"{device} {settings_digest(settings)}"
            self._note(self._files, text, device, ())
            self._note(self._checks, text, device, self._joined(place) if place is not None else ())

    def _note(self, texts: Texts, text: str, device: str, affected: Iterable[Place]) -> None:
        for name in (device, *(name_of(self._fabric, place) for place in affected)):
            texts.setdefault(name, set()).add(text)

    def _reached(self, place: Place) -> set[Place]:
        return self._joined(place) | self._pair(place)

    def _pair(self, place: Place) -> set[Place]:
        """A switch, and the other leaves of its pair."""
        if place.tier is not Tier.LEAF:
            return {place}
        return {place._replace(index=index) for index in range(group_of(self._fabric, place.group).indexes)}

    def _joined(self, place: Place) -> set[Place]:
        """A switch, and those that it is cabled to."""
        links = uplinks(self._fabric, place)
        return {place, *(end for link in links for end in (link.lower, link.upper))} | self._below(place)

    def _below(self, place: Place) -> set[Place]:
        """A switch, and those below it that it is cabled to: their cabling lines contain these cables."""
        links = downlinks(self._fabric, place) if place.tier in UPPER else ()
        return {place, *(link.lower for link in links)}

    def _further(self, affected: Texts) -> Texts:
        """The texts, extended to the switches that may share cages with an affected one."""
        extended: Texts = {}
        for device, texts in affected.items():
            place = place_of(self._fabric, device)
            if place is not None:
                for neighbor in (*self._joined(place), *self._of_same_servers(place)):
                    extended.setdefault(name_of(self._fabric, neighbor), set()).update(texts)
        return extended

    def _of_same_servers(self, place: Place) -> Iterator[Place]:
        """Leaves that the servers of a leaf are connected to."""
        if place.tier is Tier.LEAF:
            group = group_of(self._fabric, place.group)
            for plane in range(self._fabric.shape.planes):
                for rail in range(group.rails):
                    yield from (place._replace(plane=plane, rail=rail, index=index) for index in range(group.indexes))


def _of_devices(exceptions: Exceptions) -> Iterator[tuple[str, str]]:
    """Exceptions of a switch or its ports that affect others too: the switch's name, and the exception."""
    yield from ((device, f"{device}={state}") for device, state in exceptions.devices.items() if state != DRAINED)
    yield from ((device, f"{device} runs {system}") for device, system in exceptions.systems.items())
    yield from ((key.device, f"{key}={state}") for key, state in exceptions.ports.items())
    yield from ((key.device, f"{key}=broken") for key in exceptions.broken)
    yield from ((key.device, f"{key}={settings}") for key, settings in exceptions.port_settings.items())
