"""Routing of SONiC switches in a lab.

It is put in the form in which FRR prints it, so that both can be compared. FRR numbers list entries without a number in
steps of five, prints the AS number of a session on a port after the line that creates the session, and does not print
EVPN's unchanged next hops, which are its default (FRR 8.4.4, lib/plist.c, bgpd/bgp_clist.c and bgp_vty.c; seen).
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.linux.lab.routing import LabRouting, RoutingText
from fabricgen.platforms.sonic.lab import frrcfgd
from fabricgen.platforms.sonic.limits import FRR_CONF
from fabricgen.platforms.sonic.overlay import vrf_name
from fabricgen.platforms.sonic.platform import SONIC as PLATFORM

COMMENT = "!"
HEAD = "frr defaults traditional\nhostname {}\nlog syslog informational\nservice integrated-vtysh-config\n!\n"
"""First lines of frr.conf on SONiC as its own templates write them: SONiC builds FRR with this profile."""
AGENT = "agentx"
"""Line of FRR's SNMP module. SONiC starts its daemons with that module, a lab host does not, and FRR refuses the line
without it."""


def _routing(files: Mapping[str, str], name: str) -> RoutingText:
    frr_conf, tables = files[FRR_CONF], json.loads(files[PLATFORM.main])
    if not frrcfgd.makes_lines(tables):
        lines = frr_conf.splitlines(keepends=True)
        removed = tuple(f"{FRR_CONF}: {line.strip()}" for line in lines if line.strip() == AGENT)
        return RoutingText("".join(line for line in lines if line.strip() != AGENT), removed)
    routing = frrcfgd.read_routing(tables)
    # The daemon's file replaces frr.conf (docker_init.sh of docker-fpm-frr).
    unread = (f"{FRR_CONF}: {line}" for line in frr_conf.splitlines() if line.strip() and not line.startswith(COMMENT))
    return RoutingText(HEAD.format(name) + printed(routing.text), (*routing.unread, *unread))


def _vrf_names(device: Device) -> dict[str, str]:
    rows = device.evpn.vrfs if device.evpn is not None else ()
    return {row.name: vrf_name(row.name, row.vni) for row in rows}


SONIC = LabRouting(_routing, _vrf_names, "its frr.conf, or what frrcfgd makes of its tables")


STEP = 5
ENTRY = re.compile(r"((?:ip|ipv6) prefix-list \S+|bgp community-list standard \S+) ((?:permit|deny) .*)")
SESSION = re.compile(r"^( neighbor \S+) interface (remote-as \d+)\n\1 interface peer-group (\S+)$", re.MULTILINE)

FAMILY = re.compile(r" address-family (.+)")
UNCHANGED = re.compile(r"  neighbor \S+ attribute-unchanged next-hop")


def printed(text: str) -> str:
    """The same configuration: entries numbered, sessions of ports in FRR's order, EVPN's defaults left out."""
    return "".join(
        f"{line}\n" for line in _as_printed(_numbered(SESSION.sub(r"\1 interface peer-group \3\n\1 \2", text)))
    )


def _as_printed(lines: Iterable[str]) -> Iterator[str]:
    family = ""
    for line in lines:
        if match := FAMILY.fullmatch(line):
            family = match[1]
        if not (family == "l2vpn evpn" and UNCHANGED.fullmatch(line)):
            yield line


def _numbered(text: str) -> Iterator[str]:
    numbers: Counter[str] = Counter()
    for line in text.splitlines():
        entry = ENTRY.fullmatch(line)
        if entry is None:
            yield line
            continue
        numbers[entry[1]] += STEP
        yield f"{entry[1]} seq {numbers[entry[1]]} {entry[2]}"
