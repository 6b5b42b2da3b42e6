"""What the files for netplan and networkd say, as lines for `ip`, for a namespace where neither runs.

Applied twice they change nothing: `ip` refuses the rules, which are the last, as there already.
"""

from collections.abc import Iterator, Mapping

from fabricgen.hosts.kernel import metric, rule_priority
from fabricgen.hosts.model import Host, Nic


def ip_lines(host: Host, names: Mapping[str, str]) -> dict[int, tuple[str, ...]]:
    """Lines for `ip -4 -batch` and `ip -6 -batch`, by family: addresses and routes, then rules.

    names  interface as the Host calls it → as it is called there; those left out are passed over
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
    for prefix in nic.reached:
        yield f"route replace {prefix} via {nic.gateway} dev {name} metric {metric(host, nic)}"


def _rule(nic: Nic) -> str:
    return f"rule add from {nic.address.partition('/')[0]} lookup {nic.table} priority {rule_priority(nic)}"
