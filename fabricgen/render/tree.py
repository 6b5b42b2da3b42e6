"""A plan to the whole output tree, one switch at a time: its files, the cabling plan, and the key of each switch."""

from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.plan.cabling import HEADER, cables_of, csv_lines
from fabricgen.plan.exceptions import ABSENT
from fabricgen.plan.fabric import places, present_places, state_of
from fabricgen.plan.place import Place
from fabricgen.plan.plan import Plan
from fabricgen.render.keys import Keys
from fabricgen.render.render import Renderer
from fabricgen.resolve.context import Site, make_site
from fabricgen.resolve.device import resolve

CABLING = "cabling.csv"

Done = Callable[[Device], None]
"""Shown each switch that is rendered."""


class Run(NamedTuple):
    """Some places of one fabric: those from `first` up to, and without, `last` in the order of `places`."""

    fabric: str
    first: int
    last: int


def count_devices(plan: Plan) -> int:
    """Switches that are configured."""
    return sum(1 for fabric in plan.fabrics.values() for _ in present_places(fabric))


def runs_of(plan: Plan, size: int) -> Iterator[Run]:
    """All places of a site in runs of so many, in order."""
    for name, fabric in plan.fabrics.items():
        count = sum(1 for _ in places(fabric))
        for first in range(0, count, size):
            yield Run(name, first, min(first + size, count))


class Printed(NamedTuple):
    """One switch on its way into the tree. `files`: path and octets, rendered as they are taken."""

    device: Device
    key: str
    files: Iterator[tuple[str, bytes]]


class Press:
    """What renders the switches of one plan: its templates, compiled once, and what the keys of switches share."""

    def __init__(self, plan: Plan, user_templates: Path | None = None) -> None:
        self._plan = plan
        self._renderer = Renderer(user_templates)
        self._keys = Keys(plan, user_templates)
        self._sites: dict[str, Site] = {}

    def switches(self, run: Run) -> Iterator[Printed]:
        """Switches of a run that are configured, one at a time."""
        site = self._site(run.fabric)
        for place in self._places(run):
            if state_of(site.fabric, place) != ABSENT:
                device = resolve(site, place)
                yield Printed(device, self._keys.of(site.fabric, place, device.system), self._files(device))

    def cabling(self, run: Run) -> Iterator[str]:
        """Lines of the cabling plan for the places of a run."""
        fabric = self._plan.fabrics[run.fabric]
        of = cables_of(self._plan, fabric)
        return (csv_lines(tuple(of(place))) for place in self._places(run))

    def _site(self, fabric: str) -> Site:
        if fabric not in self._sites:
            self._sites[fabric] = make_site(self._plan, fabric)
        return self._sites[fabric]

    def _places(self, run: Run) -> Iterator[Place]:
        return islice(places(self._plan.fabrics[run.fabric]), run.first, run.last)

    def _files(self, device: Device) -> Iterator[tuple[str, bytes]]:
        return ((found.path, found.text.encode()) for found in self._renderer.render(device))


def render_tree(
    plan: Plan, keys: dict[str, str], done: Done, user_templates: Path | None = None
) -> Iterator[tuple[str, bytes | Iterable[bytes]]]:
    """Every file of the site: path and octets, those of the cabling plan in pieces.

    Fills `keys` with the input key of each switch as it goes. `done` is shown each switch when its files are rendered.
    """
    press = Press(plan, user_templates)
    for run in runs_of(plan, ALL):
        for printed in press.switches(run):
            keys[printed.device.name] = printed.key
            yield from printed.files
            done(printed.device)
    yield CABLING, cabling_octets(line.encode() for run in runs_of(plan, ALL) for line in press.cabling(run))


ALL = 1 << 62
"""Places of a run that has all of a fabric."""


def cabling_octets(lines: Iterable[bytes]) -> Iterator[bytes]:
    """The cabling plan from its lines, of all runs in order."""
    yield HEADER.encode()
    yield from lines
