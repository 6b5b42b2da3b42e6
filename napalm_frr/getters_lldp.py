"""Getters of LLDP, from lldpd by `lldpcli -f json0`: the format in which everything is a list (lldpcli(8))."""

from collections.abc import Iterator, Mapping
from typing import Any

from napalm_frr.shell import Shell

COMMAND = "lldpcli -f json0 show neighbors details"
# lldpd's names of IEEE 802.1AB capabilities → NAPALM's.
CAPABILITIES = {
    "Other": "other",
    "Repeater": "repeater",
    "Bridge": "bridge",
    "Wlan": "wlan-access-point",
    "Router": "router",
    "Tel": "telephone",
    "Docsis": "docsis-cable-device",
    "Station": "station",
}


def neighbors(shell: Shell) -> dict[str, list[dict[str, str]]]:
    """Neighbors of each port: system name (chassis id if it sends none) and port."""
    neighbors_by_port: dict[str, list[dict[str, str]]] = {}
    for port, row in _rows(shell):
        name = row["remote_system_name"] or row["remote_chassis_id"]
        neighbors_by_port.setdefault(port, []).append({"hostname": name, "port": row["remote_port"]})
    return neighbors_by_port


def neighbors_detail(shell: Shell, interface: str) -> dict[str, list[dict[str, Any]]]:
    """All data received on a port, or on every port."""
    neighbors_by_port: dict[str, list[dict[str, Any]]] = {}
    for port, row in _rows(shell):
        if interface in ("", port):
            neighbors_by_port.setdefault(port, []).append(row)
    return neighbors_by_port


def _rows(shell: Shell) -> Iterator[tuple[str, dict[str, Any]]]:
    for block in shell.json(COMMAND).get("lldp", ()):
        for interface in block.get("interface", ()):
            yield interface["name"], _row(_first(interface, "chassis"), _first(interface, "port"))


def _row(chassis: Mapping[str, Any], port: Mapping[str, Any]) -> dict[str, Any]:
    capabilities = chassis.get("capability", ())
    return {
        "parent_interface": "",
        "remote_port": _value(port, "id"),
        "remote_port_description": _value(port, "descr"),
        "remote_chassis_id": _value(chassis, "id"),
        "remote_system_name": _value(chassis, "name"),
        "remote_system_description": _value(chassis, "descr"),
        "remote_system_capab": [_capability(row) for row in capabilities],
        "remote_system_enable_capab": [_capability(row) for row in capabilities if row.get("enabled")],
    }


def _capability(row: Mapping[str, Any]) -> str:
    kind = str(row.get("type", ""))
    return CAPABILITIES.get(kind, kind.lower())


def _first(row: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    entry: Mapping[str, Any] = next(iter(row.get(name, ())), {})
    return entry


def _value(row: Mapping[str, Any], name: str) -> str:
    return str(_first(row, name).get("value", ""))
