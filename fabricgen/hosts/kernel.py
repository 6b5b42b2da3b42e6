"""Kernel configuration of a server: sysctls, and the priorities of its rules and routes."""

from typing import NamedTuple

from fabricgen.hosts.model import Host, Nic

FIRST_PRIORITY = 1000
"""Priority of the rule of the first table. Linux looks into its main table at 32766 (ip-rule(8))."""
FIRST_METRIC = 100
"""Of the main table's route by the first NIC: packets without an address use it, or the next one if it is down."""


class Sysctl(NamedTuple):
    """One sysctl, with the reason for its value."""

    name: str
    value: int
    why: str


SETTINGS = (
    Sysctl("net.ipv4.conf.all.arp_ignore", 1, "a NIC answers for its own address alone, never for another rail's"),
    Sysctl("net.ipv4.conf.all.arp_announce", 2, "and asks with its own, so that no leaf learns one behind another"),
    Sysctl("net.ipv4.conf.all.rp_filter", 2, "an answer may come in where the main table would not send (RFC 3704)"),
    Sysctl("net.ipv4.conf.default.rp_filter", 2, "the larger of all and a NIC's own counts"),
)
"""Source: ip-sysctl (kernel.org), for several interfaces that can reach each other's networks, as rails can."""


PAIR_SETTINGS = (
    Sysctl("net.ipv4.fib_multipath_hash_policy", 1, "flows to one server are spread over both leaves by their ports"),
    Sysctl("net.ipv6.fib_multipath_hash_policy", 1, "the same for IPv6"),
)
"""More for a server whose NICs have two leaves. Source: ip-sysctl (kernel.org)."""


def rule_priority(nic: Nic) -> int:
    """Priority of the rule that sends packets from a NIC's address to the NIC's own table."""
    return FIRST_PRIORITY + nic.table


def metric(host: Host, nic: Nic) -> int:
    """Metric of a NIC's route in the main table."""
    return FIRST_METRIC + host.routed.index(nic)
