"""Typed access to outputs of commands: a value of an unexpected type raises Misread."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from ipaddress import IPv6Address, ip_address

from fabricgen.platforms.base.live.reader import Outputs
from fabricgen.platforms.base.live.values import SHOWN

Row = Mapping[str, object]
"""One JSON object."""

DEFAULT_VRF = ("", "default", "Default")
NOT_RUNNING = re.compile(r"\b\w+d is not running|\bzebra is not running|\bunable to connect to socket\b")
"""Answers of vtysh and lldpcli if the command's daemon is down (seen with FRR 8.4.4, lldpd 1.0.16)."""
LONGEST_QUOTE = 60


class Misread(ValueError):  # noqa: N818 - the reason of a part that is not read, which is no error of the program
    """An output that is missing, or that has another form than its command prints."""


@dataclass(frozen=True, slots=True)
class CommandOutputs:
    """Outputs of one switch's commands. names: VRF on the switch → VRF of the plan."""

    outputs: Outputs
    names: Mapping[str, str]

    def vrf(self, name: str) -> str:
        """VRF by the plan's name, the default one as ""."""
        return "" if name in DEFAULT_VRF else self.names.get(name, name)

    def value(self, command: str) -> object:
        """Output of a command. JSON that came as text is parsed; an empty text is an empty object."""
        output = self.outputs.get(command)
        if output is None:
            raise Misread(f"`{command}` was not run")
        if output.value is None:
            raise Misread(f"`{command}`: {quoted(output.error) or 'it printed nothing'}")
        if not isinstance(output.value, str):
            return output.value
        return json.loads(output.value) if output.value.strip() else {}

    def text(self, command: str) -> str:
        """Text of a command."""
        output = self.outputs.get(command)
        if output is None:
            raise Misread(f"`{command}` was not run")
        if not isinstance(output.value, str):
            raise Misread(f"`{command}`: {quoted(output.error) if output.error else 'its output is no text'}")
        return output.value

    def rows(self, command: str) -> list[Row]:
        """JSON objects of a command that prints a list of them, or nothing if there are none."""
        value = self.value(command)
        return [] if value == {} else rows(value, command)

    def table(self, command: str) -> Row:
        """JSON object of a command."""
        return table(self.value(command), command)

    def silent(self, command: str) -> bool:
        """Whether the command's daemon is not running: then there is no session, no route and no VNI."""
        output = self.outputs.get(command)
        return output is not None and output.value is None and bool(NOT_RUNNING.search(output.error))


def quoted(text: str) -> str:
    """The start of a switch's message, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= LONGEST_QUOTE * 3 else f"{line[: LONGEST_QUOTE * 3]}…"


def table(value: object, what: str) -> Row:
    """A JSON object."""
    if not isinstance(value, dict):
        raise Misread(f"{what}: {_named(value)} where an object was expected")
    return value


def rows(value: object, what: str) -> list[Row]:
    """A JSON list of objects; iproute2 prints empty ones for what a filter left out."""
    if not isinstance(value, list):
        raise Misread(f"{what}: {_named(value)} where a list was expected")
    return [row for row in (table(item, what) for item in value) if row]


def word(row: Row, key: str, default: str | None = None) -> str:
    """A text of an object. Without a default it must be there."""
    value = row.get(key, default)
    if not isinstance(value, str):
        raise Misread(f"{key}: {_named(value)} where text was expected")
    return value


def number(row: Row, key: str, default: int | None = None) -> int:
    """A number of an object. Without a default it must be there."""
    value = row.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Misread(f"{key}: {_named(value)} where a number was expected")
    return value


def words(row: Row, key: str) -> tuple[str, ...]:
    """A list of texts of an object, empty if it is absent."""
    value = row.get(key, [])
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise Misread(f"{key}: {_named(value)} where a list of words was expected")
    return tuple(value)


def inner(row: Row, key: str) -> Row:
    """An object of an object, empty if it is absent."""
    return table(row.get(key, {}), key)


def objects(row: Row) -> Iterator[tuple[str, Row]]:
    """Members of an object that are objects themselves, with their keys."""
    for key, value in row.items():
        if isinstance(value, dict):
            yield str(key), value


@lru_cache(maxsize=SHOWN)
def canonical(address: str) -> str:
    """Canonical text of an address. An IPv4-mapped IPv6 address, as overlay next hops have it, becomes IPv4."""
    parsed = ip_address(address)
    mapped = parsed.ipv4_mapped if isinstance(parsed, IPv6Address) else None
    return str(mapped or parsed)


def _named(value: object) -> str:
    if value is None:
        return "nothing"
    text = repr(value)
    return text if len(text) <= LONGEST_QUOTE else f"{text[:LONGEST_QUOTE]}…"
