"""Getters of LLDP, from lldpd by `lldpcli -f json0`: the shape in which everything is a list (lldpcli(8))."""

from collections.abc import Iterator, Mapping
from typing import Any

from napalm_frr.shell import Shell

COMMAND = "lldpcli -f json0 show neighbors details"
# lldpd's words for IEEE 802.1AB capabilities → NAPALM's.
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
    """Who is seen on each port: its system name (its chassis id when it tells none) and its port."""
    found: dict[str, list[dict[str, str]]] = {}
    for port, row in _rows(shell):
        name = row["remote_system_name"] or row["remote_chassis_id"]
        found.setdefault(port, []).append({"hostname": name, "port": row["remote_port"]})
    return found


def neighbors_detail(shell: Shell, interface: str) -> dict[str, list[dict[str, Any]]]:
    """All that a port, or every port, has heard."""
    found: dict[str, list[dict[str, Any]]] = {}
    for port, row in _rows(shell):
        if interface in ("", port):
            found.setdefault(port, []).append(row)
    return found


def _rows(shell: Shell) -> Iterator[tuple[str, dict[str, Any]]]:
    for block in shell.json(COMMAND).get("lldp", ()):
        for heard in block.get("interface", ()):
            yield heard["name"], _row(_first(heard, "chassis"), _first(heard, "port"))


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
    found: Mapping[str, Any] = next(iter(row.get(name, ())), {})
    return found


def _value(row: Mapping[str, Any], name: str) -> str:
    return str(_first(row, name).get("value", ""))
