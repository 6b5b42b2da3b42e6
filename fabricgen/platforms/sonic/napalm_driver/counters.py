"""Port counters as orchagent keeps them in COUNTERS_DB; the kernel counts only packets to the host.

Source: sonic-py-common (sonic-buildimage ff3c0c9f), sonic_db_dump_load.py, and sonic-mgmt b4ba9de3, which reads key →
`value` → field of `sonic-db-dump -n DB -y -k PATTERN`; names of tables and fields: sonic-utilities 691b1bbc,
tests/mock_tables/counters_db.json. Read 2026-11-22.
"""

import json
from collections.abc import Mapping

from napalm.base.exceptions import CommandErrorException

from fabricgen.platforms.sonic.napalm_driver.switch import SonicShell

DUMP = ("sonic-db-dump", "-n", "COUNTERS_DB", "-y", "-k")
NAMES = "COUNTERS_PORT_NAME_MAP"
PORTS = "COUNTERS:oid:0x1????????????"
"""Counters of ports: type 1, followed by twelve digits (the far more numerous queues have type 15)."""
UNKNOWN = -1
FIELDS: Mapping[str, str] = {
    "tx_octets": "SAI_PORT_STAT_IF_OUT_OCTETS",
    "rx_octets": "SAI_PORT_STAT_IF_IN_OCTETS",
    "tx_errors": "SAI_PORT_STAT_IF_OUT_ERRORS",
    "rx_errors": "SAI_PORT_STAT_IF_IN_ERRORS",
    "tx_discards": "SAI_PORT_STAT_IF_OUT_DISCARDS",
    "rx_discards": "SAI_PORT_STAT_IF_IN_DISCARDS",
    "tx_unicast_packets": "SAI_PORT_STAT_IF_OUT_UCAST_PKTS",
    "rx_unicast_packets": "SAI_PORT_STAT_IF_IN_UCAST_PKTS",
    "tx_multicast_packets": "SAI_PORT_STAT_IF_OUT_MULTICAST_PKTS",
    "rx_multicast_packets": "SAI_PORT_STAT_IF_IN_MULTICAST_PKTS",
    "tx_broadcast_packets": "SAI_PORT_STAT_IF_OUT_BROADCAST_PKTS",
    "rx_broadcast_packets": "SAI_PORT_STAT_IF_IN_BROADCAST_PKTS",
}
"""Key of NAPALM's model → field of COUNTERS_DB."""


def counters(switch: SonicShell) -> dict[str, dict[str, int]]:
    """Return counters by port; -1 for what is not counted. Raises CommandErrorException."""
    names, rows = _dump(switch, NAMES), _dump(switch, PORTS)
    ports = names.get(NAMES, {})
    return {name: _counted(rows.get(f"COUNTERS:{key}", {})) for name, key in ports.items()}


def _dump(switch: SonicShell, pattern: str) -> dict[str, dict[str, str]]:
    """Return key → fields."""
    text = switch.must([*DUMP, pattern])
    try:
        dump = json.loads(text)
        return {
            str(key): {str(field): str(value) for field, value in row["value"].items()} for key, row in dump.items()
        }
    except (ValueError, KeyError, AttributeError, TypeError):
        raise CommandErrorException(f"{switch.host}: {DUMP[0]}: another form than expected") from None


def _counted(row: Mapping[str, str]) -> dict[str, int]:
    texts = {key: row.get(field, "") for key, field in FIELDS.items()}
    return {key: int(value) if value.isdecimal() else UNKNOWN for key, value in texts.items()}
