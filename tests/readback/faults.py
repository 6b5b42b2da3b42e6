"""Faults put into the text of a switch, and what reading it back says of them."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from random import Random
from typing import NamedTuple

from fabricgen.audit.switch import own_lines
from fabricgen.device.device import Device
from fabricgen.device.interfaces import Ethernet
from fabricgen.platforms.readbacks import READBACKS
from fabricgen.readback.compare import Difference, differences
from fabricgen.readback.platform import Rows
from fabricgen.readback.rows import Key, Reading, Value
from fabricgen.render.render import Renderer
from tests.platforms import rich
from tests.readback.sites import files_of


class Fault(NamedTuple):
    """What is written in place of the first text that a pattern finds, and the row that must be reported.

    line  of the text as it is then: 0 is the line of the fault, another number so many below it; None: of what is gone,
          anywhere
    """

    name: str
    pattern: str
    instead: str
    thing: str
    setting: str
    line: int | None = 0


class Told(NamedTuple):
    """A text, rows that it must give with their lines, rows that it must not give, lines that are not understood."""

    name: str
    text: str
    rows: Mapping[tuple[str, str, str], tuple[Value, int]]
    without: tuple[tuple[str, str, str], ...] = ()
    unread: tuple[int, ...] = ()


class Found(NamedTuple):
    """What was reported of a text with a fault, and the line that the fault is on."""

    rows: tuple[Difference, ...]
    unread: tuple[int, ...]
    line: int


def text_of(device: Device) -> str:
    """The one file of a switch, as it lies on disk."""
    (text,) = files_of(Renderer(), device).values()
    return text


def read(system: str, text: str) -> Reading:
    """What a text says."""
    readback = READBACKS[system]
    return readback.read({readback.main: text})


class Rendered(NamedTuple):
    """A switch, its text, and the rows that it asks for."""

    device: Device
    text: str
    expected: Rows


@cache
def rendered(system: str) -> tuple[Rendered, ...]:
    """Switches of every role that between them have all that the platform renders."""
    return tuple(Rendered(device, text_of(device), READBACKS[system].expected(device)) for device in rich.fleet(system))


def found(switch: Rendered, fault: Fault) -> Found | None:
    """What is reported of a fault; None where the text has no place for it."""
    text, system = switch.text, switch.device.system
    match = re.search(fault.pattern, text, re.MULTILINE)
    if match is None:
        return None
    broken = text[: match.start()] + match.expand(fault.instead) + text[match.end() :]
    reading = read(system, broken)
    rows = differences(switch.expected, reading)
    at = match.start() + (1 if match[0].startswith("\n") else 0)
    return Found(rows, tuple(line.line for line in reading.unread), text.count("\n", 0, at) + 1)


def with_idle(switch: Rendered) -> Rendered:
    """The same with its first port dead and without a cable, as `resolve` makes those of a cage that is in use."""
    device = switch.device
    first, *others = device.interfaces.ethernet
    profile = first.profile._replace(role="unused", routed=False, fec="", qos="", sflow=False, tracking="")
    rows = device.interfaces._replace(
        ethernet=tuple(others), idle=(Ethernet(first.name, "dead", profile, enabled=False),)
    )
    made = device._replace(interfaces=rows)
    return Rendered(made, text_of(made), READBACKS[device.system].expected(made))


def problems(switch: Rendered) -> list[str]:
    """What reading an unbroken switch back finds beside the lines of its user."""
    device = switch.device
    reading = read(device.system, switch.text)
    own = own_lines(device, {READBACKS[device.system].main: switch.text})
    rows = differences(switch.expected, reading)
    told = [f"{device.name}:{row.line} {row.kind} {row[1:4]} {row.intended} {row.read}" for row in rows]
    return told + [
        f"{device.name}:{line.line} {line.text}" for line in reading.unread if (line.file, line.line) not in own
    ]


def seen_on_its_line(system: str, fault: Fault) -> bool:
    """Whether a switch that has a place for a fault reports it there."""
    for switch in rendered(system):
        seen = found(switch, fault)
        if seen is None:
            continue
        rows = [row for row in seen.rows if row.thing == fault.thing and row.setting.startswith(fault.setting)]
        if rows and (fault.line is None or seen.line + fault.line in {row.line for row in rows}):
            return True
    return False


def wrong(system: str, told: Told) -> list[str]:
    """What is read of a text that should not be, and the other way round."""
    reading = read(system, told.text)
    rows: dict[Key, tuple[Value, int]] = {key: (row.value, row.line) for key, row in reading.rows.items()}
    said = [f"{key}: {rows.get(Key(*key))}" for key, row in told.rows.items() if rows.get(Key(*key)) != row]
    said += [f"{key}: {rows[Key(*key)]}" for key in told.without if Key(*key) in rows]
    unread = sorted(line.line for line in reading.unread)
    return said + ([f"unread: {unread}"] if unread != sorted(told.unread) else [])


def miscounted(text: str, reading: Reading) -> list[str]:
    """Lines that are unread or idle twice, or not as they are in the text."""
    lines = (*reading.unread, *reading.idle)
    twice = [str(number) for number, times in Counter(line.line for line in lines).items() if times > 1]
    return twice + [line.text for line in lines if text.split("\n")[line.line - 1].strip() != line.text]


def mixed(text: str, seed: int) -> str:
    """The same text with the blocks of each level in another order, indented by one blank each, without remarks.

    Nor has it the line `end`: what is behind it does not count.
    """
    random = Random(seed)  # noqa: S311 - orders that are alike in each run
    lines = [line for line in text.split("\n") if line.strip() not in ("", "end") and line.strip()[0] != "!"]
    return "\n".join(_mixed(random, lines, 0))


def _mixed(random: Random, lines: list[str], depth: int) -> Iterator[str]:
    blocks: list[list[str]] = []
    first = min((len(line) - len(line.lstrip()) for line in lines), default=0)
    for line in lines:
        is_text = bool(blocks) and blocks[-1][0].startswith("banner ") and blocks[-1][-1] != "EOF"
        if len(line) - len(line.lstrip()) == first and not is_text:
            blocks.append([])
        blocks[-1].append(line)
    random.shuffle(blocks)
    for head, *below in blocks:
        yield " " * depth + head.strip()
        yield from below if head.startswith("banner ") else _mixed(random, below, depth + 1)


def hostile(text: str, count: int) -> Iterator[str]:
    """Texts that were cut off, or had lines and words lost, doubled, moved and made huge."""
    random = Random(5)  # noqa: S311 - texts that are alike in each run
    lines = text.split("\n")
    for _ in range(count):
        yield "\n".join(lines[: random.randrange(len(lines))])
        mixed = list(lines)
        for _ in range(random.randrange(1, 30)):
            at = random.randrange(len(mixed))
            mixed[at : at + 1] = _changed(random, mixed[at], random.choice(lines))
        yield "\n".join(mixed)
    yield from (
        "",
        "\0",
        "\ufeff" + text,
        text.replace("\n", "\r\n"),
        text.replace(" ", "\t"),
        text[::-1],
        "{}",
        "banner x",
    )
    yield re.sub(r"\d+", "9" * 40, text)
    yield re.sub(r"\d+", "-1", text)
    yield re.sub(r"\d+", "٣", text)
    yield "\n".join(line.strip() for line in lines)


def _changed(random: Random, line: str, other: str) -> list[str]:
    words = line.split(" ")
    at = random.randrange(len(words))
    word = random.choice(other.split(" "))
    return random.choice(
        [
            [],
            [line, line],
            [other],
            [other, line],
            [line[: random.randrange(len(line) + 1)]],
            [" ".join([*words[:at], *words[at + 1 :]])],
            [" ".join([*words[:at], word, *words[at + 1 :]])],
            [" ".join([*words, word])],
            ["   " + line],
        ]
    )
