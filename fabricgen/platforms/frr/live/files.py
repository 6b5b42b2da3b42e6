"""Files of a Linux switch with FRR: the startup configuration, the files besides frr.conf, and their settings in force.

Source: `sysctl -a -r` of procps-ng 4.0.2, `tc -j qdisc show` of iproute2 6.1.0, 2026-11-23; which queueing disciplines
hold packets back or drop them: tc-tbf(8), tc-htb(8), tc-hfsc(8), tc-cake(8), tc-netem(8), tc-fq(8), tc-codel(8),
tc-pie(8), tc-choke(8), tc-sfb(8). Disciplines that a port driver uses for its classes (mq, mqprio, prio, ets, red) are
not in the list: no plan has any, but they configure the classes of a hardware port (ets.c, red.c of the kernel).
"""

import json
import re
from collections.abc import Iterator, Mapping

from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, inner, word
from fabricgen.platforms.linux.live.interfaces import links, spaces
from fabricgen.state.state import Shaper, SideFile

STARTUP = "cat /etc/frr/frr.conf"
FILES: Mapping[str, str] = {"interfaces": "/etc/network/interfaces", "sysctl.conf": "/etc/sysctl.d/90-fabric.conf"}
"""Name of an artifact besides frr.conf → its path on the switch in templates/frr/NOTES.md."""
STANZA = r"(iface|vlan|auto|source|source-directory|allow-\S+)( |$)"
"""Of `interfaces`: lines that end the section above, indented or not. Every other line belongs to it (ifupdown2
3.0.0, ifupdown/networkinterfaces.py, network_elems and parse_iface)."""
READ_FILES = tuple(f"cat {path}" for path in FILES.values())
SETTINGS = (
    r"sysctl -a -r '^net\.(core\.[^.]+|ipv[46]\.([^.]+|route\.[^.]+|(conf|neigh)\.(all|default)\.[^.]+)"
    r"|ipv4\.conf\.[^.]+\.rp_filter)$'"
)
"""Network parameters of the whole switch, and of each interface rp_filter, which checks source addresses: the kernel
copies that of `default` once, when it creates the interface (ip-sysctl.rst)."""
QUEUES = "tc -j qdisc show"
SHAPERS = frozenset({"tbf", "htb", "hfsc", "cbq", "cake", "netem", "plug", "pie", "choke", "sfb", "codel", "fq_pie"})
"""Kinds that limit a rate, delay, or drop before a queue is full."""
CLASSFUL = frozenset({"prio", "drr"})
"""Such a discipline below another one is a tree of classes: queues and marking in software, as `lab up --queues` makes
them. Its rate limit is needed for a queue to grow, so its disciplines are not reported."""
NO_FILE = "No such file or directory"
_SETTING = re.compile(r"(net\.\S+) =[ ]?(.*)")


def files(answers: CommandOutputs) -> tuple[SideFile, ...]:
    """Each file besides frr.conf, also one that does not exist."""
    return tuple(SideFile(name, _text(answers, f"cat {path}")) for name, path in FILES.items())


def startup(answers: CommandOutputs) -> str:
    """The configuration that FRR would start with; "" if there is no such file."""
    return _text(answers, STARTUP) or ""


def _text(answers: CommandOutputs, command: str) -> str | None:
    output = answers.outputs.get(command)
    if output is not None and output.value is None and NO_FILE in output.error:
        return None
    return answers.text(command)


def settings(answers: CommandOutputs) -> Mapping[str, str]:
    """Parameters by name as sysctl prints them; several values are separated by one blank."""
    matches = (_SETTING.fullmatch(line.strip()) for line in answers.text(SETTINGS).splitlines())
    parameters = {match[1]: " ".join(match[2].split()) for match in matches if match}
    if not parameters:
        raise Misread(f"`{SETTINGS}` shows no parameter")
    return parameters


def shapers(answers: CommandOutputs) -> tuple[Shaper, ...]:
    """Disciplines of SHAPERS on all interfaces of the switch and of its VRFs' namespaces."""
    return tuple(sorted({shaper for shaper in _shapers(answers)}))


def _shapers(answers: CommandOutputs) -> Iterator[Shaper]:
    for space, rows in spaces(answers, QUEUES, links(answers).devices):
        trees = {word(row, "dev") for row in rows if word(row, "kind") in CLASSFUL and "parent" in row}
        for row in rows:
            kind = word(row, "kind")
            if kind in SHAPERS and word(row, "dev") not in trees:
                options = json.dumps(inner(row, "options"), sort_keys=True)
                yield Shaper(word(row, "dev"), kind, f"{kind} {options}", answers.vrf(space))
