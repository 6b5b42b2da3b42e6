"""State below FRR's own outputs: which of its daemons run, and the kernel's rules that choose a routing table.

Source: `show daemons` of FRR 8.4.4 and `ip -j rule show` of iproute2 6.1.0, 2026-11-21.
"""

import re
from collections.abc import Iterator

from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, Row, number, word
from fabricgen.platforms.linux.live.interfaces import links, spaces
from fabricgen.state.state import Daemon, PolicyRule

DAEMONS = "show daemons"
RULES = ("ip -j rule show", "ip -j -6 rule show")

SERVES = (
    ("zebra", ("routes", "vnis", "evpn")),
    ("bgpd", ("sessions", "evpn")),
    ("staticd", ("routes",)),
    ("bfdd", ("bfd",)),
)
"""Daemon → parts of the plan that need it. Those of the rendered `daemons` file; zebra and staticd always run."""

HANGS = re.compile(r"((?:\w+ hangs, )*\w+ hangs): .*; alive: ((?:\w+, )*\w+)")
"""Message of napalm_frr (daemons.py): which daemons hang, and which do not."""

OWN_RULES = frozenset({(0, "local"), (32765, "local"), (32766, "main"), (32767, "default"), (1000, "l3mdev")})
"""Priority and table of the kernel's own rules (ip-rule(8)), of the rule that comes with VRF devices, and of the local
table after it, which hosts with VRFs may have so that a VRF's own addresses come first."""
PLAIN = frozenset({"priority", "src", "table", "l3mdev", "protocol"})
"""Keys of a rule that sends every packet to its table."""


def daemons(answers: CommandOutputs) -> tuple[Daemon, ...]:
    """Daemons that vtysh reaches, those that it does not, and those that hang."""
    output = answers.outputs.get(DAEMONS)
    match = HANGS.search(output.error) if output is not None and output.value is None else None
    if match is not None:
        hangs, runs = match[1].replace(" hangs", "").split(", "), match[2].split(", ")
        return tuple(Daemon(name, name in (*hangs, *runs), serves, name in hangs) for name, serves in SERVES)
    running = set(answers.text(DAEMONS).split())
    if not running:
        raise Misread(f"`{DAEMONS}` names none")
    return tuple(Daemon(name, name in running, serves) for name, serves in SERVES)


def rules(answers: CommandOutputs) -> tuple[PolicyRule, ...]:
    """Rules of the switch and of its VRFs' namespaces, without those that the kernel or VRF devices create."""
    return tuple(sorted({rule for command in RULES for rule in _rules(answers, command)}))


def _rules(answers: CommandOutputs, command: str) -> Iterator[PolicyRule]:
    version = "IPv6" if "-6" in command else "IPv4"
    for space, rows in spaces(answers, command, links(answers).devices):
        for row in rows:
            if not _is_own(row):
                yield PolicyRule(answers.vrf(space), number(row, "priority"), f"{version} {_text(row)}")


def _is_own(row: Row) -> bool:
    table = "l3mdev" if "l3mdev" in row else word(row, "table", "")
    return PLAIN.issuperset(row) and word(row, "src") == "all" and (number(row, "priority"), table) in OWN_RULES


def _text(row: Row) -> str:
    """The rule in iproute2's terms."""
    parts = (key if value is None else f"{key} {value}" for key, value in row.items() if key != "priority")
    return " ".join(parts)
