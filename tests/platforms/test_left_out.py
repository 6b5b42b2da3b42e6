"""Whatever a Device says is in a platform's files, refused by name, or left to the system by a row of its table.

Nothing here names a part of a platform: a template that leaves one out fails by the Devices alone.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache, partial
from ipaddress import ip_interface
from itertools import accumulate

import pytest

from fabricgen.device.device import Device
from fabricgen.device.needs import FEATURES, NO_FEATURE, needs_of
from fabricgen.errors import FabricError
from fabricgen.platforms import PLATFORMS
from fabricgen.render.render import Renderer
from tests.changes import walk
from tests.platform_cases import CASES
from tests.platforms import rich
from tests.platforms.finished import finished_once
from tests.platforms.traced import Look
from tests.some import some

RENDERER = Renderer()
FEW = 3
"""Switches of a role on which an excused field is changed."""
KEPT = 256
"""So many files are kept, by the sections that they were made of."""
REFUSED, STOPPED = ("refused",), "stopped"
"""Outcome of a Device that a limit refuses, and what begins that of one that cannot be rendered."""
ADDRESS = re.compile(r"[0-9a-f]*[.:][0-9a-f.:]*/\d+")
NEAR = walk.other
"""Another value of the same form, close by."""
Found = Mapping[tuple[str, str], str]
"""Role with release, as leaf/master, and path → `Type.field`."""


def bare(path: str) -> str:
    """A path without the roles of ports."""
    return "".join(part.rpartition(")")[2] if ")" in part else part for part in path.split("("))


def is_left(system: str, field: str) -> bool:
    """Whether a field asks for nothing, or its feature is left to the system by name."""
    asks = FEATURES.get(field, "")
    row = PLATFORMS[system].can(asks) if isinstance(asks, str) else None
    return field in NO_FEATURE or bool(row and row.refusal and row.instead)


@pytest.fixture(scope="module", autouse=True)
def _finished_once() -> Iterator[None]:
    """Sections that are the same become the same file: one document of SR Linux takes longer than all its sections."""
    with finished_once(KEPT):
        yield


@cache
def fleet(system: str) -> tuple[Device, ...]:
    """Switches of few ports first: what is seen to change there is not changed on large ones."""
    return tuple(sorted(rich.fleet(system), key=lambda device: len(device.interfaces.ethernet)))


def kind(device: Device) -> str:
    """Role and release: what one release is told must not hide that another is not."""
    return f"{device.role}/{device.version}"


@cache
def unread(system: str) -> Found:
    """Fields with a value, of whatever Device, that nobody reads on the way to the files, by the role of the switch."""
    there: dict[tuple[str, str], str] = {}
    read: set[tuple[str, str]] = set()
    for device in rich.fleet(system):
        look = Look()
        with suppress(FabricError):  # a value that is refused was read
            files(look.of(device))
        there.update({(kind(device), path): field for path, field in look.there.items()})
        read |= {(kind(device), path) for path in look.read}
    return {key: field for key, field in there.items() if key not in read and not is_left(system, field)}


def files(device: Device) -> tuple[object, ...]:
    """All that a platform says of a switch: problems, and files."""
    platform = PLATFORMS[device.system]
    return (*(problem.why for problem in platform.limits(device)), *RENDERER.render(device))


def outcome(device: Device) -> tuple[object, ...]:
    """The same; REFUSED alone where a limit refuses it; STOPPED and what went wrong where it cannot be rendered."""
    try:
        return REFUSED if any(PLATFORMS[device.system].limits(device)) else files(device)
    except Exception as fault:  # noqa: BLE001 - whatever stops a render is no silence
        return (STOPPED, type(fault).__name__)


def is_rendered(found: tuple[object, ...]) -> bool:
    """Whether an outcome has files."""
    return found != REFUSED and STOPPED not in found


def unmet(device: Device) -> int:
    """How many features that a Device needs its platform's table refuses, or has no row for."""
    rows = {row.feature: row for row in PLATFORMS[device.system].capabilities}
    needed = (rows.get(feature) for feature in needs_of(device))
    return sum(row is None or bool(row.refusal and not row.instead) for row in needed)


def farther(value: walk.Value) -> walk.Value:
    """Another value of the same form, far enough that no rounding hides it."""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value * 50 + 9
    if isinstance(value, str) and ADDRESS.fullmatch(value):
        found = ip_interface(value)
        return f"{found.ip + 64}/{found.network.prefixlen}"
    return NEAR(value)


Edits = Callable[[Device, walk.Wanted], Iterator[walk.Edit]]
"""How a Device is changed."""


def small(device: Device, wanted: walk.Wanted) -> Iterator[walk.Edit]:
    """Small changes of few values."""
    return walk.edits(device, wanted)


def times(value: walk.Value, parts: int, of: int) -> walk.Value:
    """So many parts of a number; anything else as it is."""
    return value * parts // of if isinstance(value, int) and not isinstance(value, bool) else value


def _numbers(device: Device, wanted: walk.Wanted, parts: int, of: int) -> Iterator[walk.Edit]:
    with pytest.MonkeyPatch.context() as own:
        own.setattr(walk, "other", partial(times, parts=parts, of=of))
        yield from (edit for edit in walk.edits(device, wanted) if edit.how == "other" and edit.value != device)


def double(device: Device, wanted: walk.Wanted) -> Iterator[walk.Edit]:
    """Numbers of the same steps, of few values."""
    return _numbers(device, wanted, 2, 1)


def less(device: Device, wanted: walk.Wanted) -> Iterator[walk.Edit]:
    """Numbers that stay on the same side of what they are held against, of few values."""
    return _numbers(device, wanted, 7, 8)


def large(device: Device, wanted: walk.Wanted) -> Iterator[walk.Edit]:
    """Changes that no rounding hides, of many values."""
    with pytest.MonkeyPatch.context() as own:
        own.setattr(walk, "other", farther)
        own.setattr(walk, "MOST", 200)
        yield from walk.edits(device, wanted)


TURNS: Mapping[Edits, int] = {small: 6, double: 6, less: 6, large: 400}
"""How often a field of one switch is changed before the next switch is looked at."""
REFUSALS = 12
"""So often other values of a field are refused before that counts as an answer of every switch of its role."""


def dotted(path: tuple[walk.Field, ...]) -> str:
    return ".".join(name for _, name in path)


class Ahead:
    """Paths that are still to be changed, and whether a walk that is on its way meets one of them."""

    def __init__(self, paths: Iterable[str]) -> None:
        self.paths = set(paths)
        self._ways: Counter[str] = Counter(way for path in self.paths for way in self._to(path))

    @staticmethod
    def _to(path: str) -> Iterator[str]:
        """A path, and all above it."""
        return accumulate(path.split("."), "{}.{}".format)

    def leads(self, path: tuple[walk.Field, ...]) -> bool:
        return self._ways[dotted(path)] > 0

    def drop(self, path: str) -> None:
        self.paths.remove(path)
        self._ways.subtract(self._to(path))


class Changes:
    """Fields of a platform's Devices that were changed, by the role of the switch, and what was seen of it.

    seen    another file, none at all, or another feature that is needed
    silent  a value was taken and changed nothing: where nothing else was seen of a field, it is left out
    What a limit refuses shows neither: it may know a field that no template has.
    """

    def __init__(self, system: str) -> None:
        self.system = system
        self.tried: dict[tuple[str, str], str] = {}
        self.seen: set[tuple[str, str]] = set()
        self.silent: set[tuple[str, str]] = set()
        self.tries: Counter[tuple[str, str]] = Counter()
        self.refusals: Counter[tuple[Edits, str, str]] = Counter()

    def look(self, device: Device, edits: Edits, *, also_excused: bool) -> None:
        """Change what was not seen to change on a switch of this role."""
        look, role = Look(), kind(device)
        look.of(device)
        fields = {bare(path): field for path, field in look.there.items() if not is_left(self.system, field)}
        open_paths = {path for path in fields if self._is_open(edits, role, path, also_excused=also_excused)}
        before = outcome(device) if open_paths else REFUSED
        needed = unmet(device) if open_paths else 0
        ahead = Ahead(open_paths)
        turns: Counter[str] = Counter()
        for edit in edits(device, ahead.leads) if is_rendered(before) else ():
            path = dotted(edit.path)
            if path in ahead.paths:
                turns[path] += 1
                self.tried[role, path] = fields[path]
                after = outcome(edit.value)
                is_seen = after not in (before, REFUSED) or unmet(edit.value) != needed
                self._note(edits, (role, path), is_seen=is_seen, is_refused=after == REFUSED)
                if is_seen or turns[path] == TURNS[edits]:
                    ahead.drop(path)

    def _note(self, edits: Edits, key: tuple[str, str], *, is_seen: bool, is_refused: bool) -> None:
        if is_seen:
            self.seen.add(key)
        elif is_refused:
            self.refusals[(edits, *key)] += 1
        else:
            self.silent.add(key)

    def _is_open(self, edits: Edits, role: str, path: str, *, also_excused: bool) -> bool:
        """What is excused is changed on few switches: that it is needed shows soon."""
        if (role, path) in self.seen or self.refusals[edits, role, path] >= REFUSALS:
            return False
        if excused(self.system, role, path):
            self.tries[role, path] += 1
            return also_excused and self.tries[role, path] <= FEW
        return edits is not large or (role, path) in self.silent


@cache
def unchanged(system: str) -> Found:
    """Fields with a value that may be changed without anything of it in the files or among the problems."""
    changes = Changes(system)
    for edits in TURNS:
        for device in fleet(system):
            changes.look(device, edits, also_excused=edits is small)
    return {key: field for key, field in changes.tried.items() if key in changes.silent - changes.seen}


def excused(system: str, role: str, path: str) -> bool:
    return any(row.covers(role, bare(path)) for row in CASES[system].left_out)


@pytest.mark.parametrize("system", some(PLATFORMS))
def test_every_field_with_a_value_is_read(system: str) -> None:
    assert sorted((role, path) for role, path in unread(system) if not excused(system, role, path)) == []


@pytest.mark.parametrize("system", some(PLATFORMS, of=len(PLATFORMS)))
def test_every_field_that_changes_changes_the_files_or_is_refused(system: str) -> None:
    found = unchanged(system)
    assert sorted((role, path) for role, path in found if not excused(system, role, path)) == []


@pytest.mark.parametrize("system", PLATFORMS)
def test_every_field_has_a_value_in_some_device(system: str) -> None:
    """Else nothing here would see that a platform leaves it out."""
    said: set[str] = set()
    for device in rich.fleet(system):
        look = Look()
        look.of(device)
        said |= set(look.there.values())
    refused = {row.feature for row in PLATFORMS[system].capabilities if row.refusal}
    asked = {field: asks for field, asks in FEATURES.items() if isinstance(asks, str) and asks not in refused}
    untold = () if PLATFORMS[system].vlan_macs else ("Vlan.macs",)
    assert sorted(set(asked) - said) == sorted((*CASES[system].no_device, *untold))


@pytest.mark.parametrize("system", some(PLATFORMS))
def test_every_row_of_what_is_left_out_is_needed(system: str) -> None:
    keys = {*unread(system), *unchanged(system)}
    rows = CASES[system].left_out
    idle = [row for row in rows if not any(row.covers(role, bare(path)) for role, path in keys)]
    assert [(row.fields, row.roles) for row in idle] == []
