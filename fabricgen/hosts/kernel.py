"""Configuration of a server's kernel: settings, and the order of its rules and routes."""

from typing import NamedTuple

from fabricgen.hosts.model import Host, Nic

FIRST_PRIORITY = 1000
"""Of the rule of the first table; Linux looks into its main table at 32766 (ip-rule(8))."""
FIRST_METRIC = 100
"""Of the main table's route by the first NIC: what has no address yet goes there, and by the next where it is down."""


class Sysctl(NamedTuple):
    """One sysctl, and why."""

    name: str
    value: int
    why: str


SETTINGS = (
    Sysctl("net.ipv4.conf.all.arp_ignore", 1, "a NIC answers for its own address alone, never for another rail's"),
    Sysctl("net.ipv4.conf.all.arp_announce", 2, "and asks with its own, so that no leaf learns one behind another"),
    Sysctl("net.ipv4.conf.all.rp_filter", 2, "an answer may come in where the main table would not send (RFC 3704)"),
    Sysctl("net.ipv4.conf.default.rp_filter", 2, "the larger of all and a NIC's own counts"),
)
"""ip-sysctl(kernel.org): several interfaces that can reach each other's networks, as rails can."""


def rule_priority(nic: Nic) -> int:
    """Priority of the rule that sends what a NIC's address sends to its own table."""
    return FIRST_PRIORITY + nic.table


def metric(host: Host, nic: Nic) -> int:
    """Metric of a NIC's route in the main table."""
    return FIRST_METRIC + host.routed.index(nic)
