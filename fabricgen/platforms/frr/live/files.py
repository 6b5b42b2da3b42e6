"""Files of a Linux switch with FRR: what it starts with, the files beside frr.conf, and what is in force of them.

Source: `sysctl -a -r` of procps-ng 4.0.2, `tc -j qdisc show` of iproute2 6.1.0, 2026-11-23; which queueing disciplines
hold packets back or drop them: tc-tbf(8), tc-htb(8), tc-hfsc(8), tc-cake(8), tc-netem(8), tc-fq(8), tc-codel(8),
tc-pie(8), tc-choke(8), tc-sfb(8). Those that a port driver takes for its classes (mq, mqprio, prio, ets, red) are none
of them: no plan has any, but they are how the hardware of a port is told its classes (ets.c, red.c of the kernel).
"""

import json
import re
from collections.abc import Iterator, Mapping

from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, inner, word
from fabricgen.platforms.linux.live.interfaces import links, spaces
from fabricgen.state.state import Shaper, SideFile

STARTUP = "cat /etc/frr/frr.conf"
FILES: Mapping[str, str] = {"interfaces": "/etc/network/interfaces", "sysctl.conf": "/etc/sysctl.d/90-fabric.conf"}
"""Name of an artifact beside frr.conf → where templates/frr/NOTES.md has it put."""
STANZA = r"(iface|vlan|auto|source|source-directory|allow-\S+)( |$)"
"""Of `interfaces`: lines that end the section above, indented or not, as every other line belongs to it (ifupdown2
3.0.0, ifupdown/networkinterfaces.py, network_elems and parse_iface)."""
READ_FILES = tuple(f"cat {path}" for path in FILES.values())
SETTINGS = (
    r"sysctl -a -r '^net\.(core\.[^.]+|ipv[46]\.([^.]+|route\.[^.]+|(conf|neigh)\.(all|default)\.[^.]+)"
    r"|ipv4\.conf\.[^.]+\.rp_filter)$'"
)
"""Parameters of the network that the whole switch has, and of each interface whether it checks where packets are from:
the kernel takes that of `default` once, when it makes the interface (ip-sysctl.rst)."""
QUEUES = "tc -j qdisc show"
SHAPERS = frozenset({"tbf", "htb", "hfsc", "cbq", "cake", "netem", "plug", "pie", "choke", "sfb", "codel", "fq_pie"})
"""Kinds that limit a rate, delay, or drop before a queue is full."""
CLASSFUL = frozenset({"prio", "drr"})
"""Below another discipline they are a tree of classes: queues and marking in software, as `lab up --queues` makes them,
whose rate is what a queue needs to grow."""
NO_FILE = "No such file or directory"
_SETTING = re.compile(r"(net\.\S+) =[ ]?(.*)")


def files(answers: CommandOutputs) -> tuple[SideFile, ...]:
    """Each file beside frr.conf, also one that is not there."""
    return tuple(SideFile(name, _text(answers, f"cat {path}")) for name, path in FILES.items())


def startup(answers: CommandOutputs) -> str:
    """What FRR would start with; nothing where there is no such file."""
    return _text(answers, STARTUP) or ""


def _text(answers: CommandOutputs, command: str) -> str | None:
    output = answers.outputs.get(command)
    if output is not None and output.value is None and NO_FILE in output.error:
        return None
    return answers.text(command)


def settings(answers: CommandOutputs) -> Mapping[str, str]:
    """Parameters by name as sysctl prints them; of several values with one blank between."""
    found = (_SETTING.fullmatch(line.strip()) for line in answers.text(SETTINGS).splitlines())
    read = {one[1]: " ".join(one[2].split()) for one in found if one}
    if not read:
        raise Misread(f"`{SETTINGS}` shows no parameter")
    return read


def shapers(answers: CommandOutputs) -> tuple[Shaper, ...]:
    """Disciplines of SHAPERS on whatever interface of the switch and of its VRFs' namespaces."""
    return tuple(sorted({one for one in _shapers(answers)}))


def _shapers(answers: CommandOutputs) -> Iterator[Shaper]:
    for space, rows in spaces(answers, QUEUES, links(answers).devices):
        trees = {word(row, "dev") for row in rows if word(row, "kind") in CLASSFUL and "parent" in row}
        for row in rows:
            kind = word(row, "kind")
            if kind in SHAPERS and word(row, "dev") not in trees:
                options = json.dumps(inner(row, "options"), sort_keys=True)
                yield Shaper(word(row, "dev"), kind, f"{kind} {options}", answers.vrf(space))
