"""Faults by hand: a text changed in one place is read back, and the difference is seen where the change is."""

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cache
from random import Random
from typing import NamedTuple

from fabricgen.device.device import Device
from fabricgen.errors import FabricError
from fabricgen.plan.plan import Plan
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.compare import Difference, differences
from fabricgen.readback.rows import Reading
from fabricgen.render.render import Renderer
from fabricgen.resolve.device import devices
from tests.pairs import sites
from tests.readback.sites import Switch, files_of

RENDERER = Renderer()
JUNK = (
    "",
    "no",
    "|",
    "{",
    "]",
    '"',
    ":",
    "-1",
    "4294967296",
    "9" * 30,
    "::",
    "10.0.0.0/99",
    "swp1-99999999",
    "é",
    "*a",
)


class Fault(NamedTuple):
    """A change of one file, by a regular expression, and the row that it shows in. `gone`: its line is no more."""

    file: str
    pattern: str
    replacement: str
    thing: str
    setting: str
    gone: bool = False


def rendered(device: Device) -> Switch:
    """A Device with its files."""
    return device, files_of(RENDERER, device)


def read(system: str, files: Mapping[str, str]) -> Reading:
    return READBACKS[system].read(files)


def pairs(system: str) -> Iterator[Switch]:
    """Switches of one platform in small sites: beside every other platform, bonds, imports, bare links.

    A site that a platform refuses has no switches.
    """
    kinds: list[tuple[str, dict[str, object]]] = [("backend", {"transport": "best-effort"}), ("frontend", {})]
    kinds += [("backend", {"transport": "best-effort", "bare": True}), ("backend", {})]
    for kind, edits in (*kinds, ("bonds", {}), ("imports", {})):
        for leaf, spine in sites.PAIRS:
            alone = kind in ("bonds", "imports") or (edits == {} and kind == "backend")
            systems = {sites.SITES[name].system.partition("-")[0] for name in (leaf, spine)}
            if system not in systems or (alone and leaf != spine):
                continue
            with suppress(FabricError):
                yield from _of_pair(system, sites.planned(leaf, spine, kind, **edits))


def _of_pair(system: str, plan: Plan) -> list[Switch]:
    if sites.problems(plan):
        return []
    return [rendered(device) for device in devices(plan) if device.system == system]


def found(device: Device, files: Mapping[str, str]) -> tuple[Difference, ...]:
    """All differences of files from their Device."""
    return differences(READBACKS[device.system].expected(device), read(device.system, files))


def changed(files: Mapping[str, str], fault: Fault) -> tuple[dict[str, str], int]:
    """The files with the fault, and the number of the first line that it changes."""
    before = files[fault.file]
    after, count = re.subn(fault.pattern, fault.replacement, before, count=1)
    assert count, f"{fault.pattern} is not in {fault.file}"
    lines, now = before.splitlines(), after.splitlines()
    return {**files, fault.file: after}, next(i for i, line in enumerate(lines, 1) if now[i - 1 : i] != [line])


def assert_seen(switch: Switch, fault: Fault) -> None:
    """The fault is a difference of its row, at its line."""
    device, files = switch
    assert not found(device, files)
    with_fault, line = changed(files, fault)
    rows = found(device, with_fault)
    seen = [(row.thing, row.setting, row.file, row.line) for row in rows]
    if fault.gone:
        assert (fault.thing, fault.setting) in {row[:2] for row in seen}, seen
    else:
        assert (fault.thing, fault.setting, fault.file, line) in seen, (line, seen)


def assert_total(switches: Iterable[Switch], rounds: int, seed: int = 7) -> None:
    """Texts that are cut off, mixed up or spoilt are read without an exception; lines that are named are there."""
    random = Random(seed)  # noqa: S311 - the same faults each time
    rows = [*switches]
    for _ in range(rounds):
        device, files = random.choice(rows)
        name = random.choice([*files])
        spoilt = _spoilt(files[name].splitlines(), random)
        reading = read(device.system, {**files, name: spoilt})
        most = len(spoilt.splitlines()) + 1
        assert all(0 <= line.line <= most for line in (*reading.unread, *reading.idle) if line.file == name)


def _spoilt(lines: list[str], random: Random) -> str:
    for _ in range(random.randint(1, 4)):
        place = random.randrange(len(lines) + 1)
        words = lines[place].split(" ") if place < len(lines) else [""]
        random.shuffle(words)
        way = random.randrange(5)
        if way == 0:
            del lines[place:]
        elif way == 1:
            lines[place : place + 1] = []
        elif way == 2:
            lines[place:place] = lines[place : place + 1]
        elif way == 3:
            lines[place : place + 1] = [" ".join(words)]
        else:
            lines[place : place + 1] = [" ".join((*words[1:], random.choice(JUNK)))]
    return "\n".join(lines)


@cache
def garbage() -> tuple[str, ...]:
    """Texts that are no configuration."""
    return (
        "",
        "\x00" * 10,
        "\ud800",
        "[" * 10_000,
        "{" * 10_000,
        '{"a":' * 5_000,
        "- " * 5_000,
        "null",
        "[1]",
        "\\\n\\",
    )
