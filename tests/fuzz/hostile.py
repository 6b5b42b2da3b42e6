"""Texts made worse: what a slip of the hand, a broken editor, or somebody who means harm would write."""

import json
import re
from collections.abc import Callable
from random import Random

SCALARS = (
    "",
    "null",
    "~",
    "true",
    "no",
    "0",
    "-1",
    "1",
    "1e999",
    ".inf",
    "-.inf",
    ".nan",
    "0x1F",
    "0o17",
    "1_000",
    "1:30",
    "1:3",
    "3:0",
    "2026-01-01",
    "99999999999999999999999999",
    "-99999999999999999999999999",
    "1" + "0" * 400,
    "9" * 5000,
    "0.1",
    "1e-300",
    "1/0",
    "[]",
    "{}",
    "[[]]",
    "[1, a, {}]",
    "{a: {b: [c]}}",
    '""',
    '" "',
    '"\\n"',
    '"a\\nhostname evil"',
    '"\\0"',
    '"\\u202e"',
    '"\\ud800"',
    '"\\x1b[31m"',
    "&a x",
    "*a",
    "!!python/object/apply:os.system [id]",
    "<<",
    "a" * 3000,
    "é",
    "名前",
    "a\u200bb",
    "${env:HOME}",
    "${file:../../../etc/passwd}",
    "${env:}",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "%s%n",
    "../../etc/passwd",
    "/dev/zero",
    "-rf",
    "--help",
    "=cmd|' /C calc'!A0",
    "'; DROP TABLE x; --",
    "10.0.0.0/8",
    "10.0.0.0/33",
    "256.1.1.1",
    "::/0",
    "::ffff:1.2.3.4",
    "fe80::1%eth0",
    "0.0.0.0/0",
    "255.255.255.255",
    "224.0.0.1",
    "0-0",
    "5-1",
    "0-99999999999",
    "0-3,3-5",
    "train[0-3]",
    "train[",
    "train[]",
    "[0-9]*",
    "*",
    "**/*",
    "eos-",
    "eos-4.34",
    "junos-99.9",
    "nxos",
    "frr-8.4",
    "sonic-master",
    "ipv6",
    "unnumbered",
    "absent",
    "dead",
    "drained",
)
"""What stands in the place of a value."""

OCTETS = (
    b"\0",
    b"\xff\xfe",
    b"\xef\xbb\xbf",
    b"\xc3\x28",
    b"\xed\xa0\x80",
    b"\r\n",
    b"\r",
    b"\t",
    b"\x0b",
    b"\x1b[2J",
    b"\xe2\x80\xa8",
    b"\xe2\x80\xae",
    b'"',
    b"'",
    b",",
    b":",
    b": ",
    b"- ",
    b"#",
    b"{",
    b"}",
    b"[",
    b"]",
    b"%TAG ! x\n",
    b"---\n",
    b"...\n",
    b"|\n",
    b"{{",
    b"{%",
    b"\\",
    b"<!ENTITY",
    b"]]>",
    b"</a>",
)
VALUE = re.compile(rb"(?<=[:\[,\- ] )[^\s,\[\]{}#][^,\[\]{}#\n]*|(?<=: )\S+")
WORD = re.compile(rb"[A-Za-z0-9_./-]+")


def replaced_value(octets: bytes, rng: Random) -> bytes:
    """Another scalar in the place of one."""
    found = list(VALUE.finditer(octets))
    if not found:
        return octets + rng.choice(SCALARS).encode("utf-8", "surrogatepass")
    at = rng.choice(found)
    return octets[: at.start()] + rng.choice(SCALARS).encode("utf-8", "surrogatepass") + octets[at.end() :]


def replaced_word(octets: bytes, rng: Random) -> bytes:
    """A word of the text in the place of another one."""
    found = list(WORD.finditer(octets))
    if len(found) < 2:
        return octets * 2
    one, two = rng.choice(found), rng.choice(found)
    return octets[: one.start()] + two[0] + octets[one.end() :]


def nudged_number(octets: bytes, rng: Random) -> bytes:
    """A number that is a little or much larger or smaller."""
    found = list(re.finditer(rb"\d+", octets))
    if not found:
        return replaced_value(octets, rng)
    at = rng.choice(found)
    value = int(at[0][:18])
    number = rng.choice(
        (value + 1, value - 1, value * 2, value // 2, value * 100, value // 100, 0, -value, 2**32, 2**63)
    )
    return octets[: at.start()] + str(number).encode() + octets[at.end() :]


def lines_moved(octets: bytes, rng: Random) -> bytes:
    """A line left out, written twice, moved, indented, or joined to the next."""
    lines = octets.split(b"\n")
    at, to = rng.randrange(len(lines)), rng.randrange(len(lines))
    match rng.randrange(6):
        case 0:
            del lines[at]
        case 1:
            lines.insert(to, lines[at])
        case 2:
            lines[at], lines[to] = lines[to], lines[at]
        case 3:
            lines[at] = rng.choice((b" ", b"  ", b"\t")) + lines[at]
        case 4:
            lines[at] = lines[at].lstrip()
        case _:
            lines[at : at + 2] = [b" ".join(lines[at : at + 2])]
    return b"\n".join(lines)


def octets_put_in(octets: bytes, rng: Random) -> bytes:
    """Signs where none belong."""
    at = rng.randrange(len(octets) + 1)
    return octets[:at] + rng.choice(OCTETS) + octets[at:]


def octets_lost(octets: bytes, rng: Random) -> bytes:
    """A piece left out, or all behind it."""
    at = rng.randrange(len(octets) + 1)
    return octets[:at] + (octets[at + rng.randrange(1, 40) :] if rng.random() < 0.7 else b"")


def octet_turned(octets: bytes, rng: Random) -> bytes:
    """One octet that is another."""
    if not octets:
        return bytes([rng.randrange(256)])
    at = rng.randrange(len(octets))
    return octets[:at] + bytes([rng.randrange(256)]) + octets[at + 1 :]


def recoded(octets: bytes, rng: Random) -> bytes:
    """The same text as another system's editor saves it."""
    match rng.randrange(5):
        case 0:
            return b"\xef\xbb\xbf" + octets
        case 1:
            return octets.replace(b"\n", b"\r\n")
        case 2:
            return octets.decode("utf-8", "replace").encode("utf-16")
        case 3:
            return octets.replace(b"\n", b"\r")
        case _:
            return octets.rstrip(b"\n")


def nested(octets: bytes, rng: Random) -> bytes:
    """A value many levels deep, or a whole file of it."""
    sign = rng.choice((b"[", b"{a: ", b"- ", b"(", b"<a>", b'"'))
    deep = sign * rng.choice((10, 100, 2000))
    return rng.choice((deep, octets + deep, octets.replace(b": ", b": " + deep, 1)))


def nothing_left(octets: bytes, rng: Random) -> bytes:
    """A file of nothing, of spaces, of noise."""
    del octets
    return rng.choice((b"", b"\n", b" ", b"#\n", b"\0" * 64, rng.randbytes(200), b"null", b"[]", b"{}", b"a", b"- a\n"))


WAYS: tuple[tuple[Callable[[bytes, Random], bytes], int], ...] = (
    (replaced_value, 30),
    (replaced_word, 14),
    (nudged_number, 14),
    (lines_moved, 14),
    (octets_put_in, 10),
    (octets_lost, 6),
    (octet_turned, 5),
    (recoded, 3),
    (nested, 2),
    (nothing_left, 2),
)
"""Way → how often it is taken."""


class Unspoilt(Random):
    """Chance that leaves every text as it is: what is made worse must be sound to begin with."""


def spoilt(octets: bytes, rng: Random) -> bytes:
    """The text with one to three things wrong."""
    if isinstance(rng, Unspoilt):
        return octets
    ways, weights = zip(*WAYS, strict=True)
    for way in rng.choices(ways, weights, k=rng.choice((1, 1, 1, 2, 3))):
        octets = way(octets, rng)
    return octets


PLAIN: tuple[object, ...] = (
    None,
    True,
    False,
    0,
    -1,
    10**30,
    1.5,
    float("inf"),
    "",
    "x",
    "1",
    [],
    {},
    [None],
    {"a": 1},
    [[]],
)


def spoilt_value(value: object, rng: Random) -> object:
    """A JSON value with one part of it changed, whose form is kept around it."""
    copy = json.loads(json.dumps(value))
    if isinstance(rng, Unspoilt):
        return copy
    holders: list[tuple[object, object]] = []
    _holders(copy, holders)
    if not holders:
        return rng.choice(PLAIN)
    holder, key = rng.choice(holders)
    match rng.randrange(5):
        case 0:
            del holder[key]  # type: ignore[attr-defined]
        case 1:
            other, name = rng.choice(holders)
            holder[key] = json.loads(json.dumps(other[name]))  # type: ignore[index]
        case 2 if isinstance(holder[key], str):  # type: ignore[index]
            text = holder[key].encode("utf-8", "replace")  # type: ignore[index]
            holder[key] = spoilt(text, rng).decode("utf-8", "replace")  # type: ignore[index]
        case 3:
            holder[key] = rng.choice(SCALARS)  # type: ignore[index]
        case _:
            holder[key] = rng.choice(PLAIN)  # type: ignore[index]
    return copy


def _holders(value: object, found: list[tuple[object, object]]) -> None:
    """Mappings and lists with their keys, at any depth."""
    if isinstance(value, dict | list):
        for key, below in value.items() if isinstance(value, dict) else enumerate(value):
            found.append((value, key))
            _holders(below, found)
