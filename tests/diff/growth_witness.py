"""A witness of its own for growth: the numbers that stand in rendered files, read as text, without the plan.

A number is a line of a kind below with the headers above it: whose router, whose interface, whose VLAN. What a change
adds may stand beside; what stood must stay.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import NamedTuple

FILES = ("startup-config", "frr.conf", "interfaces")
"""Files that hold addresses, AS numbers and ids."""

NUMBERS = re.compile(
    r"""^(?:
        (?:ip|ipv6)\ address\ \S+              # EOS interfaces
      | address\ \S+                           # ifupdown
      | hostname\ \S+
      | router\ bgp\ \d+.*
      | (?:bgp\ )?router-id\ \S+ | ip\ router-id\ \S+
      | neighbor\ [0-9a-f.:]+\ remote-as\ \d+
      | network\ \S+
      | rd\ \S+ | route-target\ .*
      | vni\ \d+.* | vxlan\ (?:vlan|vrf)\ .*vni\ .* | vxlan-id\ \d+ | vxlan-local-tunnelip\ \S+
      | identifier\ \S+ | lacp\ system-id\ \S+ | es-id\ .* | evpn\ mh\ es-.*
    )$""",
    re.VERBOSE,
)
OWN = re.compile(r"hostname|router bgp|router-id|^(?:ip|ipv6) address|^address")
FABRIC_PORT = re.compile(r"interface Ethernet|iface swp|auto swp")

Line = tuple[str, ...]
"""Headers, outermost first, and the line itself."""


class Switch(NamedTuple):
    """Numbers of one switch by where they stand, and its role by its name."""

    name: str
    lines: frozenset[Line]

    @property
    def is_above(self) -> bool:
        """Whether it is a spine: its ports take the addresses of the leaves that end there."""
        return "-spine-" in self.name

    @property
    def own(self) -> frozenset[Line]:
        """Numbers of the switch itself: none of a port that joins two switches, and no neighbor."""
        return frozenset(
            line
            for line in self.lines
            if OWN.search(line[-1]) and not any(FABRIC_PORT.search(header) for header in line[:-1])
        )


def read_tree(out: Path) -> dict[str, Switch]:
    """Every switch of a rendered tree."""
    found = {}
    for folder in sorted(path for path in out.iterdir() if path.is_dir() and not path.name.startswith(".")):
        files = [folder / name for name in FILES if (folder / name).exists()]
        found[folder.name] = Switch(folder.name, frozenset(line for file in files for line in _lines(file.read_text())))
    return found


def _lines(text: str) -> Iterable[Line]:
    headers: list[tuple[int, str]] = []
    for raw in text.splitlines():
        line = raw.strip()
        if not line or line.startswith(("!", "#")):
            continue
        depth = len(raw) - len(raw.lstrip())
        while headers and headers[-1][0] >= depth:
            headers.pop()
        if NUMBERS.match(line):
            yield (*(header for _, header in headers), line)
        headers.append((depth, line))


def gone(before: Mapping[str, Switch], after: Mapping[str, Switch], *, recabled: bool = False) -> list[str]:
    """Numbers of the switches that stand in both trees which the later one no longer has.

    Where cables end elsewhere, a port of a spine has other addresses: there only the switch's own numbers are held.
    """
    found = []
    for name in sorted(before.keys() & after.keys()):
        only_own = recabled and before[name].is_above
        old, new = ((one.own if only_own else one.lines) for one in (before[name], after[name]))
        found += [f"{name}: {' / '.join(line)}" for line in sorted(old - new)]
    return found


def renamed(switches: Mapping[str, Switch], names: Mapping[str, str]) -> dict[str, Switch]:
    """The same lines with names exchanged word by word: what a rename may do to headers."""
    if not names:
        return dict(switches)
    word = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in names))

    def said(text: str) -> str:
        return word.sub(lambda found: names[found.group()], text)

    return {
        name: Switch(name, frozenset(tuple(map(said, line)) for line in switch.lines))
        for name, switch in switches.items()
    }
