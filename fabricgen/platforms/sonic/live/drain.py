"""Draining on SONiC: what does it, and where a peer sees that it was done.

The sessions and maps that stand are those that FRR runs, whoever wrote them there: `bgpraw` beside the tables. Where
SONiC makes FRR's configuration from tables (docker_routing_config_mode `unified`), the maps of a session go into
BGP_NEIGHBOR_AF, which frrcfgd reads at once; else the lines go to vtysh, as on FRR alone (`linux/live/drain.py` has
the sources). Fields: templates/sonic/bgp-neighbors.j2 and its NOTES.md.
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
    """Rows or lines that make those sessions of a drained Device that stand in what runs name its drained maps.

    running  as `show runningconfiguration all` prints it. Empty where no session stands, or a map is not there whole
    """
    try:
        found = json.loads(running)
        mode = tables_in(found).get("DEVICE_METADATA", {}).get("localhost", {}).get("docker_routing_config_mode")
    except (ValueError, RecursionError, Misread):
        return ""
    said = found.get(FRR_RUNNING)
    if not isinstance(said, str):
        return ""
    called = named(device)
    lines = frr_drain.drain(called, said)
    return _rows(called, said) if lines and mode == UNIFIED else lines


def _rows(device: Device, running: str) -> str:
    found = {
        f"default|{row.peer}|{AFI_SAFI[family]}": {
            **({"route_map_in": [row.route_map_in]} if row.route_map_in else {}),
            "route_map_out": [row.route_map_out],
        }
        for family in frr_drain.SECTIONS
        for row in drained(device, family, lines_of(running))
    }
    return json.dumps({"BGP_NEIGHBOR_AF": found}, indent=4) + "\n"


def seen(outputs: Outputs) -> frozenset[str]:
    """Peers from which routes with the community came. What cannot be read has shown nothing."""
    return frr_drain.seen(_called(outputs, SIGNS, frr_drain.SIGNS))


def marks(outputs: Outputs) -> ByHop | None:
    """EVPN routes by next hop; None where they cannot be read."""
    return frr_drain.marks(_called(outputs, OVERLAY, frr_drain.OVERLAY))


def _called(outputs: Outputs, asked: Iterable[ReadCommand], known: Iterable[ReadCommand]) -> Outputs:
    """Outputs by the names that FRR on Linux has for the same commands."""
    names = {here.command: there.command for here, there in zip(asked, known, strict=True)}
    return {names[command]: output for command, output in outputs.items() if command in names}
