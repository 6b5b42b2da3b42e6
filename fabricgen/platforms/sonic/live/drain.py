"""Draining on SONiC: the configuration that drains, and where a peer sees its effect.

Sessions and maps are those that FRR runs, whoever configured them: `bgpraw`, which the output has in addition to the
tables. If SONiC makes FRR's configuration from tables (docker_routing_config_mode `unified`), the maps of a session go
into BGP_NEIGHBOR_AF, which frrcfgd reads at once; otherwise the lines go to vtysh, as on FRR alone
(`linux/live/drain.py` has the sources). Fields: templates/sonic/bgp-neighbors.j2 and its NOTES.md.
"""

import json
from collections.abc import Iterable

from fabricgen.device.device import Device
from fabricgen.platforms.base.live.drain import drained, lines_of
from fabricgen.platforms.base.live.marks import ByHop
from fabricgen.platforms.base.live.reader import JSON, Outputs, ReadCommand
from fabricgen.platforms.linux.live import drain as frr_drain
from fabricgen.platforms.linux.live.decode import Misread
from fabricgen.platforms.sonic.live.values import FRR_RUNNING, tables_in
from fabricgen.platforms.sonic.overlay import named
from fabricgen.platforms.sonic.routing import AFI_SAFI

UNIFIED = "unified"
SIGNS = tuple(ReadCommand(read.part, f"vtysh -c '{read.command}'", JSON) for read in frr_drain.SIGNS)
OVERLAY = tuple(ReadCommand(read.part, f"vtysh -c '{read.command}'", JSON) for read in frr_drain.OVERLAY)


def drain(device: Device, running: str) -> str:
    """Return rows or lines by which the running sessions of a drained Device use its drain maps.

    "" if no such session is configured, or a needed map is missing or incomplete.

    running  as `show runningconfiguration all` prints it
    """
    try:
        value = json.loads(running)
        mode = tables_in(value).get("DEVICE_METADATA", {}).get("localhost", {}).get("docker_routing_config_mode")
    except (ValueError, RecursionError, Misread):
        return ""
    frr_text = value.get(FRR_RUNNING)
    if not isinstance(frr_text, str):
        return ""
    named_device = named(device)
    lines = frr_drain.drain(named_device, frr_text)
    return _rows(named_device, frr_text) if lines and mode == UNIFIED else lines


def _rows(device: Device, running: str) -> str:
    rows = {
        f"default|{row.peer}|{AFI_SAFI[family]}": {
            **({"route_map_in": [row.route_map_in]} if row.route_map_in else {}),
            "route_map_out": [row.route_map_out],
        }
        for family in frr_drain.SECTIONS
        for row in drained(device, family, lines_of(running))
    }
    return json.dumps({"BGP_NEIGHBOR_AF": rows}, indent=4) + "\n"


def draining_peers(outputs: Outputs) -> frozenset[str]:
    """Return the peers that sent routes with the community; none if the output cannot be read."""
    return frr_drain.draining_peers(_called(outputs, SIGNS, frr_drain.SIGNS))


def marks(outputs: Outputs) -> ByHop | None:
    """Return EVPN routes by next hop; None if they cannot be read."""
    return frr_drain.marks(_called(outputs, OVERLAY, frr_drain.OVERLAY))


def _called(outputs: Outputs, commands: Iterable[ReadCommand], linux_commands: Iterable[ReadCommand]) -> Outputs:
    """Return outputs under the names that FRR on Linux has for the same commands."""
    names = {
        command.command: linux_command.command for command, linux_command in zip(commands, linux_commands, strict=True)
    }
    return {names[name]: output for name, output in outputs.items() if name in names}
