"""What SONiC is asked, and its answers as the parsers of FRR on Linux have them: it is Linux, FRR in a container.

FRR's and iproute2's answers go to `linux/live/` under the names that those know. What differs is mended here:
  tenantVrf   FRR 10.3 and 10.5 name the VRF of a VNI so (zebra/zebra_evpn.c, zebra_vxlan.c); 8.4 has `vrf`
  Eth128.10   short name of a subinterface (sonic-swss e6b0c5b5, lib/subintf.cpp); a plan has Ethernet128.10
  docker0     the containers' bridge, with an address of its own (sonic-buildimage ff3c0c9f, files/docker)
  rules       SONiC's own: the local table at 1001 (sonic-swss, cfgmgr/vrfmgr.cpp), and those that keep management
              traffic in its table (sonic-buildimage 086b03bd, ff3c0c9f, files/image_config/interfaces/interfaces.j2)
All read on 2026-11-22.
"""

import json
import re
from collections.abc import Callable, Mapping
from types import MappingProxyType

from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.linux.live import daemons, overlay, system
from fabricgen.platforms.linux.live import interfaces as frr_interfaces
from fabricgen.platforms.linux.live import routes as frr_routes
from fabricgen.platforms.linux.live.decode import CommandOutputs, Misread, rows
from fabricgen.state.state import ETHERNET, LOOPBACK, OTHER, SVI, Interface, Route

VERSION = "show version"
RUNNING = "show runningconfiguration all"
CONTAINERS = "docker ps --format '{{.Names}}'"
LLDP = "docker exec lldp lldpcli -f json0 show neighbors details"
ADDRESSES = frr_interfaces.ADDRESSES
NEIGHBORS = f"vtysh -c '{daemons.NEIGHBORS}'"
BFD = f"vtysh -c '{daemons.BFD}'"
ROUTES = frr_routes.ROUTES
VNIS = f"vtysh -c '{overlay.VNIS}'"
FLOOD = overlay.FLOOD
BRIDGED = overlay.BRIDGED
EVPN_ROUTES = f"vtysh -c '{overlay.EVPN_ROUTES}'"
RULES = system.RULES
DAEMONS = f"vtysh -c '{system.DAEMONS}'"

KNOWN: Mapping[str, str] = MappingProxyType({
    LLDP: daemons.LLDP,
    ADDRESSES: ADDRESSES,
    NEIGHBORS: daemons.NEIGHBORS,
    BFD: daemons.BFD,
    ROUTES: ROUTES,
    VNIS: overlay.VNIS,
    FLOOD: FLOOD,
    BRIDGED: BRIDGED,
    EVPN_ROUTES: overlay.EVPN_ROUTES,
    **{rule: rule for rule in RULES},
    DAEMONS: system.DAEMONS,
})  # fmt: skip
"""Command here → by what name the parsers of FRR on Linux know it."""

DOCKER = "docker0"
PORT = re.compile(r"Ethernet\d+")
SHORT = re.compile(r"Eth(\d+\.\d+)")
MANAGEMENT_TABLES = ("5000", "6000", "mgmt", "default", "253")
"""Routing table of management: its VRF's in 202505 and in master, or by the name of its device; without a VRF 253."""
MANAGEMENT_RULES = frozenset({32764, 32765, 32767})
"""Priorities of the rules that lead there."""
LOCAL = (1001, "local")


def answers(outputs: Outputs, names: Mapping[str, str]) -> CommandOutputs:
    """Answers as the parsers of FRR on Linux know them. names: VRF on the switch → VRF of the plan."""
    found = {KNOWN[command]: _mended(command, output) for command, output in outputs.items() if command in KNOWN}
    return CommandOutputs(found, names)


def _mended(command: str, output: Output) -> Output:
    """An answer of which each row is mended; one of another form is left to the parser, which says so."""
    mend = MENDED.get(command)
    if mend is None or output.value is None:
        return output
    try:
        found = json.loads(output.value) if isinstance(output.value, str) and output.value.strip() else output.value
        listed = rows(found, command)
    except (ValueError, RecursionError):
        return output
    return Output([new for row in listed if (new := mend(dict(row))) is not None])


def _vni(row: dict[str, object]) -> dict[str, object]:
    if "tenantVrf" in row and "vrf" not in row:
        row["vrf"] = row["tenantVrf"]
    return row


def _device(row: dict[str, object]) -> dict[str, object] | None:
    return None if row.get("ifname") == DOCKER else row


def _route(row: dict[str, object]) -> dict[str, object] | None:
    return None if row.get("dev") == DOCKER else row


def _rule(row: dict[str, object]) -> dict[str, object] | None:
    priority, table = row.get("priority"), str(row.get("table", ""))
    own = isinstance(priority, int) and priority in MANAGEMENT_RULES and table in MANAGEMENT_TABLES
    return None if own or (priority, table) == LOCAL else row


MENDED: Mapping[str, Callable[[dict[str, object]], dict[str, object] | None]] = MappingProxyType({
    VNIS: _vni,
    ADDRESSES: _device,
    ROUTES: _route,
    **dict.fromkeys(RULES, _rule),
})  # fmt: skip


def interfaces(found: CommandOutputs) -> tuple[Interface, ...]:
    """Interfaces with SONiC's kinds and the plan's names.

    The kernel's MTU of an SVI is not the chip's: PORT and VLAN say that to orchagent (sonic-swss, portsorch.cpp), and
    vlanmgrd leaves the host's device at its own.
    """
    return tuple(_interface(one) for one in frr_interfaces.interfaces(found))


def _interface(one: Interface) -> Interface:
    if PORT.fullmatch(one.name):
        return one._replace(kind=ETHERNET)
    if one.kind == SVI:
        return one._replace(mtu=0)
    if one.kind == LOOPBACK and not one.name.startswith(("Loopback", "lo")):
        return one._replace(kind=OTHER)
    return one._replace(name=long_name(one.name))


def long_name(name: str) -> str:
    """Eth128.10 → Ethernet128.10."""
    short = SHORT.fullmatch(name)
    return f"Ethernet{short[1]}" if short else name


def routes(found: CommandOutputs) -> tuple[Route, ...]:
    """Routes whose next hops have the plan's names of interfaces."""
    return tuple(
        row._replace(hops=tuple(sorted(hop._replace(interface=long_name(hop.interface)) for hop in row.hops)))
        for row in frr_routes.routes(found)
    )


def text(outputs: Outputs, command: str) -> str:
    """Text of a command. Raises Misread."""
    return CommandOutputs(outputs, {}).text(command)


def containers(outputs: Outputs) -> frozenset[str]:
    """Names of containers that run. Raises Misread."""
    found = frozenset(text(outputs, CONTAINERS).split())
    if not found:
        raise Misread(f"`{CONTAINERS}` names none")
    return found
