"""What the kernel of a server is told: settings, and addresses, rules and routes as lines for `ip`.

The lines say the same as the files for netplan and networkd; they are for where neither runs, such as a namespace.
Applied twice they change nothing: `ip` refuses the rules, which are the last, as there already.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.hosts.model import Host, Nic

FIRST_PRIORITY = 1000
"""Of the rule of the first table; Linux looks into its main table at 32766 (ip-rule(8))."""
FIRST_METRIC = 100
"""Of the main table's route by the first NIC: what has no address yet goes there, and by the next where it is down."""


class Setting(NamedTuple):
    """One sysctl, and why."""

    name: str
    value: int
    why: str


SETTINGS = (
    Setting("net.ipv4.conf.all.arp_ignore", 1, "a NIC answers for its own address alone, never for another rail's"),
    Setting("net.ipv4.conf.all.arp_announce", 2, "and asks with its own, so that no leaf learns one behind another"),
    Setting("net.ipv4.conf.all.rp_filter", 2, "an answer may come in where the main table would not send (RFC 3704)"),
    Setting("net.ipv4.conf.default.rp_filter", 2, "the larger of all and a NIC's own counts"),
)
"""ip-sysctl(kernel.org): several interfaces that can reach each other's networks, as rails can."""


def rule_priority(nic: Nic) -> int:
    """Priority of the rule that sends what a NIC's address sends to its own table."""
    return FIRST_PRIORITY + nic.table


def metric(host: Host, nic: Nic) -> int:
    """Metric of a NIC's route in the main table."""
    return FIRST_METRIC + host.routed.index(nic)


def ip_lines(host: Host, names: Mapping[str, str]) -> dict[int, tuple[str, ...]]:
    """Lines for `ip -4 -batch` and `ip -6 -batch`, by family: addresses and routes, then rules.

    names  interface as this module's Host calls it → as it is called there; those left out are passed over
    """
    nics = [nic for nic in host.routed if nic.used and nic.name in names]
    found: dict[int, tuple[str, ...]] = {}
    for family in (4, 6):
        own = [nic for nic in nics if (":" in nic.address) == (family == 6)]
        links = [f"link set dev {names[nic.name]} mtu {nic.mtu} up" for nic in own]
        routes = [line for nic in own for line in _routes(host, nic, names[nic.name])]
        if own:
            found[family] = (*links, *routes, *(_rule(nic) for nic in own))
    return found


def _routes(host: Host, nic: Nic, name: str) -> Iterator[str]:
    yield f"address replace {nic.address} dev {name}"
    yield f"route replace {nic.prefix} via {nic.gateway} dev {name} table {nic.table}"
    yield f"route replace {nic.prefix} via {nic.gateway} dev {name} metric {metric(host, nic)}"


def _rule(nic: Nic) -> str:
    return f"rule add from {nic.address.partition('/')[0]} lookup {nic.table} priority {rule_priority(nic)}"
