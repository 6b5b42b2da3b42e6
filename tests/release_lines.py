"""What differs between the texts of a platform's releases, against its table of differences.

In the table a word of one capital letter stands for any word: V in `logging vrf V host A`.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import cache
from itertools import pairwise

from fabricgen.device.device import Device
from fabricgen.device.routing import MOST_HOPS
from fabricgen.platforms import PLATFORMS
from fabricgen.platforms.base.release import Difference, release_key
from fabricgen.render.render import Renderer
from tests.platforms import rich

SAYS_ITS_RELEASE = re.compile(r"[!#].*|frr version .*")
"""Remarks, and the line of FRR that names the release."""


def versions(name: str) -> list[str]:
    """Every release of a platform, and each maintenance release that brought a difference; the oldest first."""
    platform = PLATFORMS[name]
    return sorted({*platform.versions, *(row.since for row in platform.differences)}, key=release_key)


def neighbors(name: str) -> list[tuple[str, str]]:
    """Each of them with the next one."""
    return [*pairwise(versions(name))]


@cache
def switches(name: str) -> tuple[Device, ...]:
    """Switches of every role that between them have all that the platform renders, one of each sort."""
    found: dict[object, Device] = {}
    for device in rich.fleet(name):
        evpn, bgp, qos = device.evpn, device.routing.bgp, device.qos
        overlay = any("evpn" in group.families for group in bgp.groups)
        sort = (device.role, device.state, qos is None, device.management.tacacs is None, evpn is None, overlay)
        relays = evpn is not None and any(gateway.relay_source >= 0 for gateway in evpn.gateways)
        bare = any(row.interface for row in bgp.neighbors)
        hops = any(group.multihop_ttl == MOST_HOPS for group in bgp.groups)
        found.setdefault((*sort, relays, bare, hops, device.load_balancing.mode, bool(device.interfaces.lags)), device)
    return tuple(found.values())


def text_of(device: Device, version: str) -> str:
    """The files of a switch as a release has them, as one text."""
    return "".join(file.text for file in Renderer().render(device._replace(version=version)))


def _lines(text: str) -> list[str]:
    """Lines of a text but those that name the release."""
    return [" ".join(line.split()) for line in text.splitlines() if not SAYS_ITS_RELEASE.fullmatch(line.strip())]


def more(older: str, newer: str) -> list[str]:
    """Lines of which the newer text has more. Where a line stands does not count: that takes long to find."""
    return [*(Counter(_lines(newer)) - Counter(_lines(older))).elements()]


def changed(older: str, newer: str) -> tuple[list[str], list[str]]:
    """Lines that are gone, and lines that came; one that moved is both."""
    before, after = _lines(older), _lines(newer)
    alike = _alike(before, after)
    before, after = before[alike:], after[alike:]
    alike = _alike(before[::-1], after[::-1])
    before, after = before[: len(before) - alike], after[: len(after) - alike]
    matcher = SequenceMatcher(None, before, after, autojunk=False)
    steps = [step for step in matcher.get_opcodes() if step[0] != "equal"]
    gone = [line for _, first, last, _, _ in steps for line in before[first:last]]
    return gone, [line for _, _, _, first, last in steps for line in after[first:last]]


def _alike(before: list[str], after: list[str]) -> int:
    """The number of lines at the start that are the same."""
    shorter = min(len(before), len(after))
    return next((at for at in range(shorter) if before[at] != after[at]), shorter)


def unexplained(rows: Sequence[Difference], older: str, newer: str) -> list[str]:
    """Lines that differ between two texts and are in no row."""
    return beyond(rows, *changed(older, newer))


def beyond(rows: Sequence[Difference], gone: Iterable[str], came: Iterable[str], start: str = "") -> list[str]:
    """Lines that are gone or that came, and are in no row. start: an expression for what is before a row's words."""
    found = []
    for what, lines, words in (
        ("gone", gone, [row.before for row in rows]),
        ("came", came, [row.after for row in rows]),
    ):
        known = [pattern(line, start) for line in words if line]
        found += [f"{what}: {line}" for line in lines if not any(one.fullmatch(line) for one in known)]
    return found


def unused(rows: list[Difference], older: str, newer: str) -> list[str]:
    """Rows of which these texts have no line."""
    sides = zip(changed(older, newer), ("before", "after"), strict=True)
    return [
        f"{side}: {words}"
        for lines, side in sides
        for row in rows
        if (words := getattr(row, side)) and not any(pattern(words).fullmatch(line) for line in lines)
    ]


def pattern(words: str, start: str = "") -> re.Pattern[str]:
    """A row of the table as an expression."""
    return re.compile(
        start + " ".join(r"\S+" if re.fullmatch("[A-Z]", word) else re.escape(word) for word in words.split())
    )


def rows_between(name: str, older: str, newer: str) -> list[Difference]:
    """Rows of the table that came with the newer of two neighbors."""
    return [
        row for row in PLATFORMS[name].differences if release_key(older) < release_key(row.since) <= release_key(newer)
    ]
