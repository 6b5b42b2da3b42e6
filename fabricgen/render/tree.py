"""Parts of the output tree, one switch at a time: its files, and its lines of the cabling plan."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.plan.cable import Cable
from fabricgen.plan.cabling import HEADER, cables_of, csv_lines
from fabricgen.plan.exceptions import ABSENT
from fabricgen.plan.fabric import FabricPlan, name_of, place_of, places, state_of
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.render.render import Renderer
from fabricgen.resolve.context import FabricContext, make_site
from fabricgen.resolve.device import resolve

CABLING = "cabling.csv"


class FabricSlice(NamedTuple):
    """Some places of one fabric: from `first` up to, but without, `last` in the order of `places`."""

    fabric: str
    first: int
    last: int


def count_devices(plan: Plan) -> int:
    """Number of configured switches."""
    return sum(_count(fabric) for fabric in plan.fabrics.values())


def _count(fabric: FabricPlan) -> int:
    """Number of configured switches of a fabric. Only absent ones are looked up: names of all would be slow."""
    absent = (name for name, state in fabric.exceptions.devices.items() if state == ABSENT)
    return sum(1 for _ in places(fabric)) - sum(place_of(fabric, name) is not None for name in absent)


def runs_of(plan: Plan, size: int) -> Iterator[FabricSlice]:
    """All places of a site in slices of `size`, in order."""
    for name, fabric in plan.fabrics.items():
        count = sum(1 for _ in places(fabric))
        for first in range(0, count, size):
            yield FabricSlice(name, first, min(first + size, count))


def devices_of(plan: Plan, run: FabricSlice, names: frozenset[str] | None = None) -> Iterator[Device]:
    """Every configured switch of a run, in order. names: those that are asked for; None: all."""
    site = make_site(plan, run.fabric)
    for place in islice(places(site.fabric), run.first, run.last):
        if state_of(site.fabric, place) != ABSENT and (names is None or name_of(site.fabric, place) in names):
            yield resolve(site, place)


class DeviceRenderer:
    """Renders the switches of one plan with templates that are compiled once.

    Switches come fabric by fabric: the values that the switches of a fabric share are dropped when the next one begins.
    """

    def __init__(self, plan: Plan, user_templates: Path | None = None) -> None:
        self._plan = plan
        self._renderer = Renderer(user_templates)
        self._site: FabricContext | None = None
        self._cables: Callable[[Place], Iterator[Cable]] | None = None

    def device(self, fabric: str, place: Place) -> Device:
        """The switch at a place, which must be configured."""
        return resolve(self._shared(fabric), place)

    def _shared(self, fabric: str) -> FabricContext:
        if self._site is None or self._site.fabric.name != fabric:
            if self._site is not None:
                self._site.fabric.known.clear()
            self._site = make_site(self._plan, fabric)
            self._cables = None
        return self._site

    def files(self, device: Device) -> Iterator[tuple[str, bytes]]:
        """Path and content of each of its files."""
        return ((file.path, file.text.encode()) for file in self._renderer.render(device))

    def cabling(self, fabric: str, places: Iterable[Place]) -> Iterator[str]:
        """Lines of the cabling plan for some places."""
        shared = self._shared(fabric)
        if self._cables is None:
            self._cables = cables_of(self._plan, shared.fabric)
        cables_at = self._cables
        return (csv_lines(tuple(cables_at(place))) for place in places)


def cabling_octets(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The content of the cabling plan from its lines, of all places in order."""
    yield HEADER.encode()
    yield from lines


HEADER_OCTETS = len(HEADER.encode())
