"""Commands that read a SONiC switch, and their outputs in the form that the parsers of FRR on Linux expect.

SONiC is Linux with FRR in a container, so outputs of FRR and iproute2 go to `linux/live/` under the command names of
those parsers. This module corrects what differs:
  tenantVrf   name that FRR 10.3 and 10.5 give the VRF of a VNI (zebra/zebra_evpn.c, zebra_vxlan.c); 8.4 has `vrf`
  Eth128.10   short name of a subinterface (sonic-swss e6b0c5b5, lib/subintf.cpp); a plan has Ethernet128.10
  docker0     bridge of the containers, with an address of its own (sonic-buildimage ff3c0c9f, files/docker)
  rules       SONiC's own: the local table at 1001 (sonic-swss, cfgmgr/vrfmgr.cpp), and those that keep management
              traffic in its table (sonic-buildimage 086b03bd, ff3c0c9f, files/image_config/interfaces/interfaces.j2)
All read on 2026-11-22; branches 202511 and 202605 have the same but for the table of management.
"""

import json
import re
from collections.abc import Callable, Mapping

from fabricgen.platforms.base.live.reader import Output, Outputs
from fabricgen.platforms.linux.live import bridging, daemons, overlay, system
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
BRIDGED = bridging.BRIDGED
EVPN_ROUTES = f"vtysh -c '{overlay.EVPN_ROUTES}'"
RULES = system.RULES
DAEMONS = f"vtysh -c '{system.DAEMONS}'"

KNOWN: Mapping[str, str] = {
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
}  # fmt: skip
"""Command on SONiC → command name of the parsers of FRR on Linux."""

DOCKER = "docker0"
PORT = re.compile(r"Ethernet\d+")
SHORT = re.compile(r"Eth(\d+\.\d+)")
MANAGEMENT_TABLES = ("5000", "6000", "mgmt", "default", "253")
"""Routing tables of management: of its VRF (5000 in 202505, 6000 from 202511 on), or named after its device.
Without a VRF: 253."""
MANAGEMENT_RULES = frozenset({32764, 32765, 32767})
"""Priorities of the rules that lead to these tables."""
LOCAL = (1001, "local")


def answers(outputs: Outputs, names: Mapping[str, str]) -> CommandOutputs:
    """Return outputs under the command names of linux/live. names: VRF on the switch → VRF of the plan."""
    renamed = {KNOWN[command]: _mended(command, output) for command, output in outputs.items() if command in KNOWN}
    return CommandOutputs(renamed, names)


def _mended(command: str, output: Output) -> Output:
    """Return an output with each row corrected. An output of another form is left to the parser, which reports it."""
    correct = MENDED.get(command)
    if correct is None or output.value is None:
        return output
    try:
        parsed = json.loads(output.value) if isinstance(output.value, str) and output.value.strip() else output.value
        parsed_rows = rows(parsed, command)
    except (ValueError, RecursionError):
        return output
    return Output([corrected for row in parsed_rows if (corrected := correct(dict(row))) is not None])


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
    is_management = isinstance(priority, int) and priority in MANAGEMENT_RULES and table in MANAGEMENT_TABLES
    return None if is_management or (priority, table) == LOCAL else row


MENDED: Mapping[str, Callable[[dict[str, object]], dict[str, object] | None]] = {
    VNIS: _vni,
    ADDRESSES: _device,
    ROUTES: _route,
    **dict.fromkeys(RULES, _rule),
}  # fmt: skip


def interfaces(outputs: CommandOutputs) -> tuple[Interface, ...]:
    """Return interfaces with SONiC's kinds and the plan's names.

    The kernel's MTU of an SVI is not the MTU of the chip: orchagent takes that from PORT and VLAN (sonic-swss,
    portsorch.cpp), and vlanmgrd leaves the MTU of the kernel device alone.
    """
    return tuple(_interface(interface) for interface in frr_interfaces.interfaces(outputs))


def _interface(interface: Interface) -> Interface:
    if PORT.fullmatch(interface.name):
        return interface._replace(kind=ETHERNET)
    if interface.kind == SVI:
        return interface._replace(mtu=0)
    if interface.kind == LOOPBACK and not interface.name.startswith(("Loopback", "lo")):
        return interface._replace(kind=OTHER)
    return interface._replace(name=long_name(interface.name))


def long_name(name: str) -> str:
    """Eth128.10 → Ethernet128.10."""
    match = SHORT.fullmatch(name)
    return f"Ethernet{match[1]}" if match else name


def routes(outputs: CommandOutputs) -> tuple[Route, ...]:
    """Return routes whose next hops have the plan's names of interfaces."""
    return tuple(
        row._replace(hops=tuple(sorted(hop._replace(interface=long_name(hop.interface)) for hop in row.hops)))
        for row in frr_routes.routes(outputs)
    )


def text(outputs: Outputs, command: str) -> str:
    """Return the text output of a command. Raises Misread."""
    return CommandOutputs(outputs, {}).text(command)


def containers(outputs: Outputs) -> frozenset[str]:
    """Return the names of running containers. Raises Misread."""
    names = frozenset(text(outputs, CONTAINERS).split())
    if not names:
        raise Misread(f"`{CONTAINERS}` names none")
    return names
