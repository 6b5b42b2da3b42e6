"""Port counters under NAPALM's names. The leaves were recorded: see live/reader.py, `/interface[name=*]`."""

from fabricgen.platforms.srlinux.live.values import number, rows, table, word

LEAVES = {
    "rx_octets": "in-octets",
    "tx_octets": "out-octets",
    "rx_unicast_packets": "in-unicast-packets",
    "tx_unicast_packets": "out-unicast-packets",
    "rx_multicast_packets": "in-multicast-packets",
    "tx_multicast_packets": "out-multicast-packets",
    "rx_broadcast_packets": "in-broadcast-packets",
    "tx_broadcast_packets": "out-broadcast-packets",
    "rx_errors": "in-error-packets",
    "tx_errors": "out-error-packets",
    "rx_discards": "in-discarded-packets",
    "tx_discards": "out-discarded-packets",
}
"""NAPALM's name → leaf of `statistics`."""


def counters(shown: object) -> dict[str, dict[str, int]]:
    """Return counters by port; -1 for what it does not count. Raises NotUnderstoodError."""
    return {
        word(row, "name"): {name: number(table(row, "statistics"), leaf, -1) for name, leaf in LEAVES.items()}
        for row in rows(shown, "interface")
    }
