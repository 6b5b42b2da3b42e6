"""Interface counters of the kernel."""

from collections.abc import Mapping
from typing import Any

from napalm_frr.shell import Shell

UNKNOWN = -1  # as in NAPALM's own drivers
# Key of NAPALM's model → direction and name in `ip -j -s link show` (ip-link(8)).
KERNEL = {
    "tx_errors": ("tx", "errors"),
    "rx_errors": ("rx", "errors"),
    "tx_discards": ("tx", "dropped"),
    "rx_discards": ("rx", "dropped"),
    "tx_octets": ("tx", "bytes"),
    "rx_octets": ("rx", "bytes"),
    "rx_multicast_packets": ("rx", "multicast"),
}
# rtnl_link_stats64 counts all packets of a direction together, and of their kinds only received multicasts, which
# hardware may count with packets that never reach the host (linux/if_link.h): no difference of the two is a count.
UNTOLD = (
    "tx_unicast_packets",
    "rx_unicast_packets",
    "tx_multicast_packets",
    "tx_broadcast_packets",
    "rx_broadcast_packets",
)


def counters(shell: Shell) -> dict[str, dict[str, int]]:
    """Counters by interface in the switch's own network namespace, without ports in a VRF's namespace."""
    return {link["ifname"]: _counted(link) for link in shell.rows(["ip", "-j", "-s", "link", "show"]) if link}


def _counted(link: Mapping[str, Any]) -> dict[str, int]:
    stats = link.get("stats64", {})
    counted = {key: int(stats.get(direction, {}).get(name, UNKNOWN)) for key, (direction, name) in KERNEL.items()}
    return {**counted, **dict.fromkeys(UNTOLD, UNKNOWN)}
