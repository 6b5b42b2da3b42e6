"""Routing of SONiC switches in a lab."""

import json
import re
from collections.abc import Mapping

from fabricgen.device.device import Device
from fabricgen.platforms.linux.lab.printed import printed
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
EVPN = re.compile(r"^ address-family l2vpn evpn\n.*?^ exit-address-family$", re.MULTILINE | re.DOTALL)
LIMIT = re.compile(r"^  neighbor \S+ maximum-prefix .*\n", re.MULTILINE)


def _routing(files: Mapping[str, str], name: str) -> RoutingText:
    frr_conf, tables = files[FRR_CONF], json.loads(files[PLATFORM.main])
    if not frrcfgd.makes_lines(tables):
        lines = frr_conf.splitlines(keepends=True)
        removed = tuple(f"{FRR_CONF}: {line.strip()}" for line in lines if line.strip() == AGENT)
        return RoutingText(_of_host("".join(line for line in lines if line.strip() != AGENT)), removed)
    routing = frrcfgd.read_routing(tables)
    # The daemon's file replaces frr.conf (docker_init.sh of docker-fpm-frr).
    unread = (f"{FRR_CONF}: {line}" for line in frr_conf.splitlines() if line.strip() and not line.startswith(COMMENT))
    return RoutingText(HEAD.format(name) + _of_host(printed(routing.text)), (*routing.unread, *unread))


def _of_host(text: str) -> str:
    """The text without limits of EVPN routes, which FRR 8.4 does not have."""
    return EVPN.sub(lambda family: LIMIT.sub("", family[0]), text)


def _vrf_names(device: Device) -> dict[str, str]:
    rows = device.evpn.vrfs if device.evpn is not None else ()
    return {row.name: vrf_name(row.name, row.vni) for row in rows}


SONIC = LabRouting(
    _routing, _vrf_names, "its frr.conf, or what frrcfgd makes of its tables, without limits of EVPN routes"
)
